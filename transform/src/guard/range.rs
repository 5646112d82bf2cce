//! The bytes that a SCoP touches of an array: [`bytes`].
//!
//! ```text
//! for k: for j >= k: R[k][j] = ..          rows of n elements, n of them
//!
//! least element:     R[0][0]               the lexicographic minimum of the subscripts
//! greatest element:  R[n-1][n-1]           their lexicographic maximum
//! ```
//!
//! Arrays that lie one behind the other do not overlap, so both ends are exact. Strides are positive, and subscripts stay
//! inside their rows (each stride is the extent of the dimension times the next stride, and
//! [`AssumptionKind::InBounds`](polytile_analysis::scop::AssumptionKind::InBounds) is checked before). So the order of
//! addresses is the lexicographic order of subscripts. The bounds of each dimension alone would not do: those of
//! `R[k][j], j < n - k` meet in an element almost a row behind the last one.
//!
//! For parameter values for which nothing of the array is accessed, the range has no bytes.
//!
//! Of a loose array neither signs of strides nor an order of addresses are known. The bounds of each dimension are
//! taken, and code generation finds out which end of one is the first.
//!
//! Where an extremum takes too much work or has too many cases, the bounds of each dimension are taken: such a range may be
//! larger than what is accessed, never smaller.

use crate::ast::{expr, holds, scope::Scope, value};
use polytile_analysis::ast::{ByteRange, Expr};
use polytile_analysis::ids::ArrayId;
use polytile_analysis::poly::{self, DimType, Error, PwMultiAff, Set};
use polytile_analysis::scev::Scev;
use polytile_analysis::scop::{Access, ArrayKind, Scop};
use std::collections::BTreeMap;

/// The part of the budget for the lexicographic extrema of one array, and for the bounds of its dimensions; over it, they
/// are taken from a convex set around what is accessed.
const SHARE: u64 = 30;

/// The part of the budget for exact ends where only cells of some kind are accessed, every other one of a row as by its colour: those of
/// a stride take less, and those of several rows in turn have a case for each remainder.
const EXACT_SHARE: u64 = 500;

/// Cases of a lexicographic extremum; with more, testing them takes longer than the range is worth.
const MAX_CASES: usize = 8;

/// The bytes that the SCoP touches of an array, or relies on: the first element if no statement accesses it; `None` if it is
/// no memory of the program.
pub(super) fn bytes(scop: &Scop, id: ArrayId, scope: &Scope) -> poly::Result<Option<ByteRange>> {
    let array = scop.array(id);
    let ArrayKind::Memory { base } = array.kind else {
        return Ok(None);
    };
    let range = |(lo, hi): (Vec<Expr>, Vec<Expr>), element, touched| {
        let corner = |subscripts: Vec<Expr>| -> Vec<(Expr, Scev)> {
            let strides = array.strides.iter().cloned();
            subscripts.into_iter().zip(strides).collect()
        };
        Some(ByteRange {
            base,
            origin: array.origin.clone(),
            lo: corner(lo),
            hi: corner(hi),
            element,
            loose: array.is_loose(),
            touched,
        })
    };
    let (touched, element) = touched(scop, id, rim)?;
    let Some(touched) = touched else {
        let first = vec![Expr::Int(0); array.strides.len()];
        return Ok(range((first.clone(), first), element, None));
    };
    let touched = touched.intersect_params(&scope.context)?;
    let touched = exactly_or_around(&touched, Set::coalesce)?;
    Ok(range(
        match array.is_loose() {
            true => within(&[bounds], &touched, scope)?,
            false => ends(&touched, scope)?,
        },
        element,
        condition(&touched, scope)?,
    ))
}

/// Accesses of one statement to one array.
type Accesses<'s> = Vec<&'s Access>;

/// All of them.
pub(super) fn whole(accesses: Accesses) -> poly::Result<Accesses> {
    Ok(accesses)
}

/// From so many accesses of a statement on it is worth finding those in between.
const MANY: usize = 4;

/// Of those that differ by constants only, the first and the last in lexicographic order: all run in the same iterations, so the others
/// lie between them. A window of 57 elements is a window of two.
fn rim(accesses: Accesses) -> poly::Result<Accesses> {
    if accesses.len() < MANY {
        return Ok(accesses);
    }
    let mut kept = vec![];
    let mut groups: BTreeMap<Vec<Linear>, Vec<(Vec<i64>, &Access)>> = BTreeMap::new();
    for a in accesses {
        match place(a)? {
            Some((linear, constants)) => groups.entry(linear).or_default().push((constants, a)),
            None => kept.push(a),
        }
    }
    for mut group in groups.into_values() {
        group.sort_by(|a, b| a.0.cmp(&b.0));
        group.dedup_by(|a, b| a.0 == b.0);
        kept.extend(group.first().map(|(_, a)| *a));
        kept.extend(group.last().map(|(_, a)| *a).filter(|_| group.len() > 1));
    }
    Ok(kept)
}

/// Coefficients of a subscript over iterators, and over parameters by name.
type Linear = (Vec<i64>, Vec<(Option<String>, i64)>);

/// The subscripts of an access, and their constants apart; `None` if they are not affine.
fn place(access: &Access) -> poly::Result<Option<(Vec<Linear>, Vec<i64>)>> {
    if !access.relation.is_function()? {
        return Ok(None);
    }
    let Some(subscripts) = access.affine_subscripts()? else {
        return Ok(None);
    };
    let (mut linear, mut constants) = (vec![], vec![]);
    for s in &subscripts {
        let over = |ty| (0..s.dim(ty)).map(move |i| Ok((i, s.coefficient(ty, i)?)));
        let moves = over(DimType::In).map(|c: poly::Result<_>| c.map(|(_, c)| c));
        let mut given = vec![];
        for c in over(DimType::Param) {
            let (i, c): (usize, i64) = c?;
            if c != 0 {
                given.push((s.dim_name(DimType::Param, i), c));
            }
        }
        given.sort();
        linear.push((moves.collect::<poly::Result<Vec<i64>>>()?, given));
        constants.push(s.constant()?);
    }
    Ok(Some((linear, constants)))
}

/// The subscripts that statements access of an array, or that are read of it as a table, if there are any, and the bytes of the largest
/// element; `of`: by which of the accesses.
pub(super) fn touched(
    scop: &Scop,
    id: ArrayId,
    of: impl Fn(Accesses) -> poly::Result<Accesses>,
) -> poly::Result<(Option<Set>, u64)> {
    let (mut touched, element) = accessed(scop, id, of)?;
    for rows in scop.rows.iter().filter(|r| r.table == id) {
        let lengths = rows.lengths.iter().map(|l| rows.behind(l.behind));
        for read in std::iter::once(Ok(rows.entries.clone())).chain(lengths) {
            let read = read?.set_tuple_name(&scop.array(id).name)?;
            touched = Some(match touched {
                None => read,
                Some(t) => t.union(&read)?,
            });
        }
    }
    Ok((touched, element))
}

/// The subscripts that statements access of an array, if any do, and the bytes of the largest element; `of`: by which of the accesses.
fn accessed(
    scop: &Scop,
    id: ArrayId,
    of: impl Fn(Accesses) -> poly::Result<Accesses>,
) -> poly::Result<(Option<Set>, u64)> {
    let mut element = scop.array(id).ty.bytes();
    let mut all: Option<Set> = None;
    for stmt in &scop.stmts {
        let own: Accesses = stmt.accesses.iter().filter(|a| a.array == id).collect();
        let bytes = own.iter().map(|a| a.ty.bytes());
        element = bytes.fold(element, u64::max);
        for a in of(own)? {
            let part = a.relation.intersect_domain(&stmt.domain)?.range()?;
            all = Some(match all {
                None => part,
                Some(t) => t.union(&part)?,
            });
        }
    }
    Ok((all, element))
}

/// When anything is touched; `None`: always.
fn condition(touched: &Set, scope: &Scope) -> poly::Result<Option<Expr>> {
    let _quota = touched.ctx().clone().share(SHARE);
    let when = |touched: &Set| {
        let when = touched.params()?.gist(&scope.context)?.coalesce()?;
        match when.plain_is_universe()? {
            true => Ok(Expr::Int(1)),
            false => holds(&when, &scope.context, scope),
        }
    };
    match exactly_or_around(touched, when) {
        Err(Error::Quota) => Ok(None),
        when => when.map(|when| (expr::as_int(&when) != Some(1)).then_some(when)),
    }
}

/// Subscripts of the first and the last element, or of what lies around them.
pub(super) fn ends(touched: &Set, scope: &Scope) -> poly::Result<Corners> {
    within(&[extrema, bounds], touched, scope)
}

/// Those of what is read to find out whether the program may run: nothing beyond the last element is.
pub(super) fn exact_ends(touched: &Set, scope: &Scope) -> poly::Result<Corners> {
    // A larger quota would find them. [`bounds`] are no such ends: they are also those of pieces that are empty.
    extrema(touched, scope)?.ok_or(Error::Quota)
}

type Attempt = fn(&Set, &Scope) -> poly::Result<Ends>;

/// What the first of these finds in its share of the budget, or what lies around all elements.
fn within(attempts: &[Attempt], touched: &Set, scope: &Scope) -> poly::Result<Corners> {
    for attempt in attempts {
        match exactly_or_around(touched, |touched| attempt(touched, scope)) {
            Ok(Some(ends)) => return Ok(ends),
            Ok(None) | Err(Error::Quota) => {}
            Err(e) => return Err(e),
        }
    }
    // One convex set around them.
    let hull = touched.remove_divs()?.simple_hull()?.to_set()?;
    for d in 0..hull.tuple_dim() {
        let ends = [Set::dim_has_lower_bound, Set::dim_has_upper_bound];
        for has_end in ends {
            if !has_end(&hull, DimType::Set, d)? {
                // A larger quota would find the exact ends.
                return Err(Error::Quota);
            }
        }
    }
    Ok(bounds(&hull, scope)?.unwrap_or_default())
}

/// The answer for a set; where that takes too much because only integers of some kind are in it, the answer for the same set with those between
/// them.
fn exactly_or_around<T>(set: &Set, ask: impl Fn(&Set) -> poly::Result<T>) -> poly::Result<T> {
    if !set.involves_locals()? {
        return ask(set);
    }
    let exact = {
        let _quota = set.ctx().clone().share(EXACT_SHARE);
        ask(set)
    };
    match exact {
        Err(Error::Quota) => ask(&set.remove_divs()?.coalesce()?),
        found => found,
    }
}

type Corners = (Vec<Expr>, Vec<Expr>);

type Ends = Option<Corners>;

/// The lexicographic extrema, if they have few cases.
fn extrema(touched: &Set, scope: &Scope) -> poly::Result<Ends> {
    let _quota = touched.ctx().clone().share(SHARE);
    let subscripts = |of: &PwMultiAff, d| value(&of.at(d)?, scope);
    let (least, greatest) = (
        touched.lexmin_pw_multi_aff()?,
        touched.lexmax_pw_multi_aff()?,
    );
    let (least, greatest) = (fewer_cases(least)?, fewer_cases(greatest)?);
    if least.n_piece().max(greatest.n_piece()) > MAX_CASES {
        return Ok(None);
    }
    let (mut lo, mut hi) = (vec![], vec![]);
    for d in 0..touched.tuple_dim() {
        lo.push(subscripts(&least, d)?);
        hi.push(subscripts(&greatest, d)?);
    }
    Ok(Some((lo, hi)))
}

/// The same in fewer cases. Where all have one value, what tells them apart matters as little as where nothing is touched.
fn fewer_cases(of: PwMultiAff) -> poly::Result<PwMultiAff> {
    if let [(_, first), others @ ..] = &of.pieces()?[..] {
        let same = others.iter().map(|(_, other)| other.plain_is_equal(first));
        if same
            .collect::<poly::Result<Vec<bool>>>()?
            .iter()
            .all(|same| *same)
        {
            return PwMultiAff::from_multi_aff(first);
        }
    }
    of.coalesce()
}

/// Bounds of all dimensions, each over all pieces.
fn bounds(touched: &Set, scope: &Scope) -> poly::Result<Ends> {
    let _quota = touched.ctx().clone().share(SHARE);
    let (mut lo, mut hi) = (vec![], vec![]);
    for d in 0..touched.tuple_dim() {
        let mut found: Option<(Expr, Expr)> = None;
        for piece in touched.basic_sets()? {
            let piece = piece.to_set()?;
            let (least, greatest) = (
                value(&piece.dim_min(d)?, scope)?,
                value(&piece.dim_max(d)?, scope)?,
            );
            found = Some(match found {
                None => (least, greatest),
                Some((l, g)) => (expr::min(&l, &least), expr::max(&g, &greatest)),
            });
        }
        let (least, greatest) = found.unwrap_or((Expr::Int(0), Expr::Int(0)));
        lo.push(least);
        hi.push(greatest);
    }
    Ok(Some((lo, hi)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use polytile_analysis::poly::Ctx;
    use polytile_analysis::text::parse_scop;
    use polytile_analysis::tree::{Schedule, Tree};

    /// The range of the first array: first and last element, and when.
    fn range_of(text: &str) -> [String; 3] {
        let ctx = Ctx::new();
        let scop = parse_scop(&ctx, text).unwrap();
        let schedule = Schedule {
            domain: scop.domain().unwrap(),
            root: Tree::Leaf,
            sizes: vec![],
        };
        let scope = Scope::new(&scop, &schedule).unwrap();
        let range = bytes(&scop, 0usize.into(), &scope).unwrap().unwrap();
        let show = |corner: &[(Expr, Scev)]| {
            let subscripts: Vec<String> = corner.iter().map(|(e, _)| e.to_string()).collect();
            subscripts.join(", ")
        };
        let when = range.touched.map_or("always".to_owned(), |e| e.to_string());
        [show(&range.lo), show(&range.hi), when]
    }

    /// Writes of `R`, rows of `n` elements.
    fn writes(domain: &str, cells: &[&str]) -> String {
        let mut text = "params n m
        context { : n >= 3 and n <= 1000000 and -1000000 <= m <= 1000000 }
        array R f64 [n][n]
        "
        .to_owned();
        for (s, cell) in cells.iter().enumerate() {
            text += &format!(
                "stmt S{s}
          domain {{ S{s}[i, j] : {domain} }}
          beta 0 0 {s}
          write {{ S{s}[i, j] -> R[{cell}] }}
          body (inv v0)
        "
            );
        }
        text
    }

    #[test]
    fn ends_of_triangles() {
        let upper = range_of(&writes("0 <= i <= j < n", &["i, j"]));
        assert_eq!(upper, ["0, 0", "(p0 - 1), (p0 - 1)", "always"]);
        let strictly = range_of(&writes("0 <= i < j < n", &["i, j"]));
        assert_eq!(strictly, ["0, 1", "(p0 - 2), (p0 - 1)", "always"]);
        let turned = range_of(&writes("0 <= i < n and 0 <= j < n - i", &["i, j"]));
        assert_eq!(turned, ["0, 0", "(p0 - 1), 0", "always"]);
        let lower = range_of(&writes("0 <= i < n and n - i <= j < n", &["i, j"]));
        assert_eq!(lower, ["1, (p0 - 1)", "(p0 - 1), (p0 - 1)", "always"]);
    }

    #[test]
    fn ends_of_several_accesses() {
        let downwards = range_of(&writes("0 <= i < n and 0 <= j < n", &["n - 1 - i, j"]));
        assert_eq!(downwards, ["0, 0", "(p0 - 1), (p0 - 1)", "always"]);
        let around = ["i, j + 1", "i + 2, j + 1", "i + 1, j", "i + 1, j + 2"];
        let star = range_of(&writes("0 <= i < n - 2 and 0 <= j < n - 2", &around));
        assert_eq!(star, ["0, 1", "(p0 - 1), (p0 - 2)", "always"]);
        let strides = range_of(&writes("0 <= i < n and 0 <= 3j < n", &["i, 3j"]));
        assert_eq!(strides[0], "0, 0");
        assert_eq!(strides[1], "(p0 - 1), ((p0 - ((p0 - 1) % 3)) - 1)");
    }

    #[test]
    fn loose_arrays_have_ends_in_each_dimension() {
        let text = writes("0 <= i < n and 0 <= j < n - i", &["i, j"]);
        let loose = text.replace(
            "array R f64 [n][n]",
            "array R f64 memory v0 strides (v1 8) extents ()",
        );
        assert_ne!(text, loose);
        assert_eq!(range_of(&text)[1], "(p0 - 1), 0");
        assert_eq!(range_of(&loose)[1], "(p0 - 1), (p0 - 1)");
    }

    #[test]
    fn cases_of_one_value_are_one() {
        let ctx = Ctx::new();
        let cases = |text: &str| {
            let of = PwMultiAff::parse(&ctx, &format!("[n, m] -> {{ {text} }}")).unwrap();
            fewer_cases(of).unwrap().n_piece()
        };
        assert_eq!(cases("[(n)] : n > m; [(n)] : n < m - 5"), 1);
        assert_eq!(cases("[(n)] : n > m; [(m)] : n < m - 5"), 2);
    }

    #[test]
    fn no_instance_no_bytes() {
        let some = range_of(&writes("0 <= i < n and 0 <= j < m and m <= n", &["i, j"]));
        assert_eq!(some[2], "((p1 >= 1) && (p0 >= p1))");
        // The second access counts only where it runs.
        let text = writes("0 <= i < n and 0 <= j < n", &["i, j", "i, j"]);
        let at = text.rfind("0 <= j < n").unwrap();
        let text = format!("{} and i < m {}", &text[..at + 10], &text[at + 10..]);
        assert_eq!(range_of(&text)[2], "always");
    }
}
