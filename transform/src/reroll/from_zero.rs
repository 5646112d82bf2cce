//! Loops that begin at the greater of two numbers, counted from one of them.
//!
//! ```text
//! for x < n: for (i = max(0, x - r); i <= min(n - 1, x + r); i++)  s[x] += a[i]                             a sum over a window
//! for x < n: for (i = max(0, x - r); i <= min(n - 1, x + r); i++)  d[x][i] = f(d[x - 1][i], d[x][i - 1])    a band
//! ```
//!
//! An iterator counts from the first iteration on, `y = i - max(0, x - r)`, so that the subscript of `a` has a case for each side of `r`: no
//! dependence, bound or stride is simple. With `i` itself as the iterator the maximum is two bounds, as it is for the programmer. The new
//! iterator is the old one and something that stands still in the loop, so all instances come in the order in which they came. Where results
//! stand still, it is the place in the window, `i - (x - r)`, which is the same for neighbouring results.
//!
//! | symbol | here |
//! |---|---|
//! | `max(0, x - r)` | [`Begin::at`] |
//! | `x - r` of a window | [`Begin::window`] |
//! | `{start, +, step}` over the new iterator | `{start - step * at + step * window, +, step}`: [`Begin::rewrite`] |

use super::loops;
use polytile_analysis::ids::LoopId;
use polytile_analysis::poly::{Error, Map, Result, Set};
use polytile_analysis::scev::{Scev, ScevKind, Wrap};
use polytile_analysis::scop::{Place, Scop, Stmt};

/// The part of the budget for all of a SCoP; without an answer loops stay as they are.
const SHARE: u64 = 15;

/// `scop` with iterators that count from zero where loops begin at a maximum.
///
/// # Errors
/// What the sets come to.
pub fn from_zero(scop: &Scop) -> Result<Scop> {
    let _quota = scop.context.ctx().share(SHARE);
    match counted(scop) {
        Err(Error::Quota) => Ok(scop.clone()),
        counted => counted,
    }
}

fn counted(scop: &Scop) -> Result<Scop> {
    let mut new = scop.clone();
    // Inner loops begin at what outer ones count.
    for (at, inside) in loops(scop) {
        let ids: Vec<usize> = inside.iter().map(|s| s.id.index()).collect();
        let current: Vec<Stmt> = ids.iter().map(|n| new.stmts[*n].clone()).collect();
        let Some(begin) = Begin::of(&current, at) else {
            continue;
        };
        let over = LoopId::from(new.loops.len());
        let mut gains = false;
        let mut stmts = vec![];
        for s in &current {
            match begin.counted(&new, s, (at, over))? {
                Some((s, gain)) => {
                    gains |= gain;
                    stmts.push(s);
                }
                None => break,
            }
        }
        if stmts.len() == current.len() && gains {
            new.loops.push(new.loops[begin.of.index()].clone());
            for (n, s) in ids.into_iter().zip(stmts) {
                new.stmts[n] = s;
            }
        }
    }
    Ok(new)
}

/// Where a loop begins.
struct Begin {
    of: LoopId,
    /// The maximum, in 64 bits.
    at: Scev,
    /// Where a window begins that may lie outside.
    window: Option<Scev>,
}

/// A product: its constant, and its other factors in order.
type Product = (i128, Vec<Scev>);

impl Begin {
    /// The maximum that the first address has which moves with the loop of all these statements.
    fn of(stmts: &[Stmt], at: usize) -> Option<Begin> {
        let of = stmts.first()?.iters[at];
        if stmts.iter().any(|s| s.iters[at] != of) {
            return None;
        }
        let maximum = (stmts.iter().flat_map(offsets)).find_map(|offset| begin(offset, of))?;
        let moves = |s: &Scev| s.loops().contains(&of);
        let mut written = stmts.iter().flat_map(Stmt::writes);
        let stands = !written.any(|w| match &w.place {
            Place::Memory(address) => moves(&address.offset),
            Place::Temporary(subscripts) => subscripts.iter().any(moves),
            Place::Scalar => false,
        });
        Some(Begin {
            of,
            window: stands.then(|| window(&maximum)).flatten(),
            at: maximum,
        })
    }

    /// A statement over the new iterator, and whether one of its accesses has fewer cases; `None` where that is not seen.
    fn counted(
        &self,
        scop: &Scop,
        s: &Stmt,
        (at, over): (usize, LoopId),
    ) -> Result<Option<(Stmt, bool)>> {
        let mut new = s.clone();
        let mut rewritten = new.evolutions_mut().map(|e| self.rewrite(e, over));
        if !offsets(s).all(|offset| self.goes(offset)) || rewritten.any(|r| r.is_none()) {
            return Ok(None);
        }
        drop(rewritten);
        let window = match &self.window {
            Some(window) => text(scop, s, window),
            None => Some("0".to_owned()),
        };
        let (Some(begin), Some(window)) = (text(scop, s, &self.at), window) else {
            return Ok(None);
        };
        let begin = format!("{begin} - {window}");
        let moved = Map::parse(s.domain.ctx(), &moved(scop, s, (at, &begin)))?;
        let domain = s.domain.apply(&moved)?.coalesce()?;
        if domain.n_basic_set() > s.domain.n_basic_set() {
            return Ok(None);
        }
        let moved = moved.intersect_domain(&s.domain)?;
        let mut gains = false;
        for (old, access) in s.accesses.iter().zip(&mut new.accesses) {
            let before = cases(&old.relation)?;
            access.relation = simple(&old.relation.apply_domain(&moved)?, &domain)?;
            let after = cases(&access.relation)?;
            if after > before {
                return Ok(None);
            }
            gains |= after < before;
        }
        new.domain = domain.set_tuple_name(&s.name)?;
        new.iters[at] = over;
        Ok(Some((new, gains)))
    }

    /// Whether an address loses the maximum wherever it moves with the loop.
    fn goes(&self, s: &Scev) -> bool {
        let here = match &s.kind {
            ScevKind::AddRec {
                loop_, operands, ..
            } if *loop_ == self.of => match &operands[..] {
                [start, step] => without(start, &times(step, &self.at)).is_some(),
                _ => false,
            },
            _ => true,
        };
        here && s.operands().into_iter().all(|part| self.goes(part))
    }

    /// An evolution over the new iterator; `None` if it is no recurrence of two operands.
    fn rewrite(&self, s: &mut Scev, over: LoopId) -> Option<()> {
        let width = s.width;
        if let ScevKind::AddRec {
            loop_,
            operands,
            wrap,
        } = &mut s.kind
            && *loop_ == self.of
        {
            let [start, step] = &mut operands[..] else {
                return None;
            };
            let begin = narrowed(&self.at, width)?;
            let rest = match without(start, &times(step, &begin)) {
                Some(rest) => rest,
                None => {
                    let factors = vec![Scev::constant(width, -1), step.clone(), begin];
                    let back = of_width(width, ScevKind::Mul(factors, Wrap::default()));
                    plus(start.clone(), back)
                }
            };
            *start = match &self.window {
                Some(window) => plus(rest, scaled(&widened(window, width)?, step)?),
                None => rest,
            };
            (*loop_, *wrap) = (over, Wrap::default());
        }
        let mut parts = s.operands_mut().into_iter();
        parts.try_for_each(|part| self.rewrite(part, over))
    }
}

/// The offsets of a statement's addresses.
fn offsets(s: &Stmt) -> impl Iterator<Item = &Scev> {
    s.accesses.iter().filter_map(|a| match &a.place {
        Place::Memory(address) => Some(&address.offset),
        _ => None,
    })
}

/// The sum of two numbers of one width.
fn plus(a: Scev, b: Scev) -> Scev {
    match (a.as_constant(), b.as_constant()) {
        (Some(0), _) => b,
        (_, Some(0)) => a,
        _ => of_width(a.width, ScevKind::Add(vec![a, b], Wrap::default())),
    }
}

/// The maximum that the start of a recurrence over a loop has as often as its step; it moves with loops around.
fn begin(s: &Scev, of: LoopId) -> Option<Scev> {
    if let ScevKind::AddRec {
        loop_, operands, ..
    } = &s.kind
        && *loop_ == of
        && let [start, step] = &operands[..]
    {
        let mut maxima = vec![];
        collect(start, &mut maxima);
        let fits = |m: &Scev| without(start, &times(step, m)).is_some();
        return maxima.into_iter().find(fits);
    }
    s.operands().into_iter().find_map(|part| begin(part, of))
}

/// The maxima of 64 bits in a number that move with loops.
fn collect(s: &Scev, found: &mut Vec<Scev>) {
    let inner = match &s.kind {
        ScevKind::SExt(inner) | ScevKind::ZExt(inner) => inner,
        _ => s,
    };
    if s.width == 64 && matches!(inner.kind, ScevKind::SMax(_)) && !s.loops().is_empty() {
        found.push(s.clone());
        return;
    }
    s.operands()
        .into_iter()
        .for_each(|part| collect(part, found));
}

/// The one number of a maximum that moves with loops, if all others stand still.
fn window(maximum: &Scev) -> Option<Scev> {
    let inner = match &maximum.kind {
        ScevKind::SExt(inner) | ScevKind::ZExt(inner) => inner,
        _ => maximum,
    };
    let ScevKind::SMax(parts) = &inner.kind else {
        return None;
    };
    let mut moving = parts.iter().filter(|p| !p.loops().is_empty());
    let (one, other) = (moving.next()?, moving.next());
    other.is_none().then(|| one.clone())
}

/// A number that does not wrap wherever the new version runs, in so many bits.
fn widened(s: &Scev, width: u32) -> Option<Scev> {
    if s.width == width {
        return Some(s.clone());
    }
    if s.width > width {
        return None;
    }
    let all =
        |list: &[Scev]| -> Option<Vec<Scev>> { list.iter().map(|s| widened(s, width)).collect() };
    let wrap = Wrap::default();
    let kind = match &s.kind {
        ScevKind::Const(c) => ScevKind::Const(*c),
        ScevKind::Add(terms, _) => ScevKind::Add(all(terms)?, wrap),
        ScevKind::Mul(factors, _) => ScevKind::Mul(all(factors)?, wrap),
        ScevKind::AddRec {
            loop_, operands, ..
        } => ScevKind::AddRec {
            loop_: *loop_,
            operands: all(operands)?,
            wrap,
        },
        _ => ScevKind::SExt(Box::new(s.clone())),
    };
    Some(of_width(width, kind))
}

/// A number times another one that stands still.
fn scaled(s: &Scev, by: &Scev) -> Option<Scev> {
    if by.width != s.width {
        return None;
    }
    if by.as_constant() == Some(1) {
        return Some(s.clone());
    }
    let all = |list: &[Scev]| -> Option<Vec<Scev>> { list.iter().map(|s| scaled(s, by)).collect() };
    let wrap = Wrap::default();
    let kind = match &s.kind {
        ScevKind::Add(terms, _) => ScevKind::Add(all(terms)?, wrap),
        ScevKind::AddRec {
            loop_, operands, ..
        } => ScevKind::AddRec {
            loop_: *loop_,
            operands: all(operands)?,
            wrap,
        },
        _ if s.as_constant() == Some(1) => return Some(by.clone()),
        _ => ScevKind::Mul(vec![by.clone(), s.clone()], wrap),
    };
    Some(of_width(s.width, kind))
}

/// A number of 64 bits in so many.
fn narrowed(s: &Scev, width: u32) -> Option<Scev> {
    match &s.kind {
        _ if width == 64 => Some(s.clone()),
        ScevKind::SExt(inner) | ScevKind::ZExt(inner) if inner.width == width => {
            Some((**inner).clone())
        }
        _ if width < 64 => Some(of_width(width, ScevKind::Trunc(Box::new(s.clone())))),
        _ => None,
    }
}

fn of_width(width: u32, kind: ScevKind) -> Scev {
    Scev { width, kind }
}

/// A product of two numbers.
fn times(a: &Scev, b: &Scev) -> Product {
    let mut product = (1, vec![]);
    multiply(&mut product, a);
    multiply(&mut product, b);
    product.1.sort();
    product
}

fn multiply(product: &mut Product, s: &Scev) {
    match &s.kind {
        ScevKind::Const(c) => product.0 = product.0.wrapping_mul(*c),
        ScevKind::Mul(factors, _) => factors.iter().for_each(|f| multiply(product, f)),
        _ => product.1.push(s.clone()),
    }
}

/// A number without a product that is one of its terms; `None` if it is none. What was proven of sums is no longer.
fn without(s: &Scev, term: &Product) -> Option<Scev> {
    let width = s.width;
    match &s.kind {
        ScevKind::Add(parts, _) => {
            let (at, rest) = (parts.iter().enumerate())
                .find_map(|(at, part)| Some((at, without(part, term)?)))?;
            let mut parts = parts.clone();
            match rest.as_constant() {
                Some(0) => drop(parts.remove(at)),
                _ => parts[at] = rest,
            }
            Some(match parts.len() {
                0 => Scev::constant(width, 0),
                1 => parts.remove(0),
                _ => of_width(width, ScevKind::Add(parts, Wrap::default())),
            })
        }
        ScevKind::AddRec {
            loop_, operands, ..
        } => {
            let mut operands = operands.clone();
            operands[0] = without(&operands[0], term)?;
            let wrap = Wrap::default();
            let loop_ = *loop_;
            Some(of_width(
                width,
                ScevKind::AddRec {
                    loop_,
                    operands,
                    wrap,
                },
            ))
        }
        _ => {
            let mut own = (1, vec![]);
            multiply(&mut own, s);
            own.1.sort();
            if own == *term {
                return Some(Scev::constant(width, 0));
            }
            let ScevKind::Mul(factors, _) = &s.kind else {
                return None;
            };
            // The other factors of a product with a sum are those of its terms, too.
            let sum = |f: &Scev| matches!(f.kind, ScevKind::Add(..) | ScevKind::AddRec { .. });
            let at = factors.iter().position(sum)?;
            let mut others = (1, vec![]);
            for (n, f) in factors.iter().enumerate() {
                if n != at {
                    multiply(&mut others, f);
                }
            }
            let rest = without(&factors[at], &over(term, &others)?)?;
            let mut factors = factors.clone();
            factors[at] = rest;
            Some(of_width(width, ScevKind::Mul(factors, Wrap::default())))
        }
    }
}

/// The product that has to be multiplied by another one for a third.
fn over(product: &Product, by: &Product) -> Option<Product> {
    if by.0 == 0 || product.0 % by.0 != 0 {
        return None;
    }
    let mut rest = product.1.clone();
    for f in &by.1 {
        let at = rest.iter().position(|r| r == f)?;
        rest.remove(at);
    }
    Some((product.0 / by.0, rest))
}

/// A number of the outer iterators and the parameters, as the model has it.
fn text(scop: &Scop, s: &Stmt, number: &Scev) -> Option<String> {
    let of = |n: &Scev| text(scop, s, n);
    if let Some(p) = scop.params.iter().find(|p| p.expr == *number) {
        return Some(p.name.clone());
    }
    match &number.kind {
        ScevKind::Const(c) => Some(c.to_string()),
        ScevKind::SExt(inner) => of(inner),
        ScevKind::ZExt(inner) => match &inner.kind {
            ScevKind::SMax(parts) if parts.iter().any(|p| p.as_constant() >= Some(0)) => of(inner),
            _ => None,
        },
        ScevKind::Add(terms, _) => {
            let terms: Option<Vec<String>> = terms.iter().map(of).collect();
            Some(format!("({})", terms?.join(" + ")))
        }
        ScevKind::Mul(factors, _) => match &factors[..] {
            [c, x] => Some(format!("({} * {})", c.as_constant()?, of(x)?)),
            _ => None,
        },
        ScevKind::AddRec {
            loop_, operands, ..
        } => {
            let [start, step] = &operands[..] else {
                return None;
            };
            let at = s.iters.iter().position(|l| l == loop_)?;
            Some(format!(
                "({} + {} * i{at})",
                of(start)?,
                step.as_constant()?
            ))
        }
        ScevKind::SMax(parts) => {
            let mut parts = parts.iter().map(of);
            let first = parts.next()??;
            parts.try_fold(first, |all, part| Some(format!("max({all}, {})", part?)))
        }
        _ => None,
    }
}

/// `S[i, x, y] -> S[i, x, y + begin]`
fn moved(scop: &Scop, s: &Stmt, (at, begin): (usize, &str)) -> String {
    let name = &s.name;
    let params: Vec<&str> = scop.params.iter().map(|p| p.name.as_str()).collect();
    let from: Vec<String> = (0..s.depth()).map(|d| format!("i{d}")).collect();
    let mut to = from.clone();
    to[at] = format!("i{at} + {begin}");
    format!(
        "[{}] -> {{ {name}[{}] -> {name}[{}] }}",
        params.join(", "),
        from.join(", "),
        to.join(", ")
    )
}

/// How many cases the subscripts of an access have; none where they are no function.
fn cases(relation: &Map) -> Result<usize> {
    match relation.is_single_valued()? {
        true => Ok(relation.as_pw_multi_aff()?.pieces()?.len()),
        false => Ok(0),
    }
}

/// A relation in as few cases as it has on the domain.
fn simple(relation: &Map, domain: &Set) -> Result<Map> {
    relation.coalesce()?.gist_domain(domain)?.coalesce()
}

#[cfg(test)]
mod tests {
    use super::*;
    use polytile_analysis::poly::Ctx;
    use polytile_analysis::text::parse_scop;
    use polytile_analysis::text::scev::parse_scev;

    /// Sums over windows, or a sum in a band, of an array `A` that begins at the greater of 0 and `x - r`.
    fn window(ctx: &Ctx, write: &str) -> Scop {
        let text = format!(
            "scop \"f\" function \"f\"\nparam n = v0:32\nparam r = v1:32\ncontext {{ : n > 0 and r >= 0 }}\nloop \"x\"\nloop \"i\"\n\
             array S f64 memory v2 strides (8) extents ()\narray A f64 memory v3 strides (8) extents ()\nstmt S0\n  iters L0 L1\n  \
             domain {{ S0[x, y] : 0 <= x < n and 0 <= y <= r + x and y <= 2r and y < n and y < n + r - x }}\n  beta 0 0 0\n  \
             write {write}\n  read {{ S0[x, y] -> A[y] : x < r; S0[x, y] -> A[x + y - r] : x >= r }} f64 memory m1 \
             (rec L1 nuw nsw (mul nuw nsw 8 (zext (smax:32 0:32 (rec:32 L0 (mul:32 -1:32 v1:32) 1:32)))) 8)\n  \
             body {{\n    f64 read 1\n    root n0\n  }}\n"
        );
        parse_scop(ctx, &text).unwrap_or_else(|e| panic!("{e}\n{text}"))
    }

    fn assert_read(scop: &Scop, relation: &str, offset: &str) {
        let read = &scop.stmts[0].accesses[1];
        let expected = Map::parse(scop.context.ctx(), relation).unwrap();
        let domain = &scop.stmts[0].domain;
        let found = read.relation.intersect_domain(domain).unwrap();
        let expected = expected.intersect_domain(domain).unwrap();
        assert!(found.is_equal(&expected).unwrap(), "{found}");
        let Place::Memory(address) = &read.place else {
            panic!("an address");
        };
        assert_eq!(address.offset, parse_scev(offset).unwrap());
    }

    #[test]
    fn a_sum_counts_places_in_its_window() {
        let ctx = Ctx::new();
        let write = "{ S0[x, y] -> S[x] } f64 memory m0 (rec L0 nuw nsw 0 8)";
        let new = from_zero(&window(&ctx, write)).unwrap();
        assert_read(
            &new,
            "[n, r] -> { S0[x, d] -> A[x + d - r] }",
            "(rec L2 (rec L0 (mul 8 (mul -1 (sext v1:32))) 8) 8)",
        );
        // Nothing is left to do.
        assert_eq!(from_zero(&new).unwrap().loops.len(), 3);
    }

    #[test]
    fn elements_of_a_band_are_their_own_iterators() {
        let ctx = Ctx::new();
        let write = "{ S0[x, y] -> S[y] : x < r; S0[x, y] -> S[x + y - r] : x >= r } f64 memory m0 \
                     (rec L1 (mul 8 (zext (smax:32 0:32 (rec:32 L0 (mul:32 -1:32 v1:32) 1:32)))) 8)";
        let new = from_zero(&window(&ctx, write)).unwrap();
        assert_read(&new, "[n, r] -> { S0[x, i] -> A[i] }", "(rec L2 0 8)");
        let band = "[n, r] -> { S0[x, i] : 0 <= x < n and 0 <= i < n and x - r <= i <= x + r }";
        let band = Set::parse(&ctx, band).unwrap();
        let known = |s: &Set| s.intersect_params(&new.context).unwrap();
        assert!(known(&new.stmts[0].domain).is_equal(&known(&band)).unwrap());
        assert_eq!(new.stmts[0].domain.n_basic_set(), 1);
    }

    #[test]
    fn products_go_where_they_are_terms() {
        let term = |s: &str| times(&parse_scev("8").unwrap(), &parse_scev(s).unwrap());
        let rest = |s: &str, t: &str| without(&parse_scev(s).unwrap(), &term(t));
        let parsed = |s: &str| Some(parse_scev(s).unwrap());
        assert_eq!(rest("(mul 8 v1)", "v1"), parsed("0"));
        assert_eq!(rest("(add 16 (mul 8 v1))", "v1"), parsed("16"));
        assert_eq!(
            rest("(mul 4 (add (mul 2 v1) 3))", "v1"),
            parsed("(mul 4 3)")
        );
        assert_eq!(rest("(rec L0 (mul 8 v1) 4)", "v1"), parsed("(rec L0 0 4)"));
        assert_eq!(rest("(mul 4 v1)", "v1"), None);
        assert_eq!(rest("(mul 8 v1 v2)", "v1"), None);
    }
}
