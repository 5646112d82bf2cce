//! Loops that go on where the one in front of them ends, as one.
//!
//! Whoever unrolls a loop by hand writes another one for what is left:
//!
//! ```text
//! for j <= n - 4, j += 4: { c[j] += t*b[j];  c[j+1] += t*b[j+1];  c[j+2] += t*b[j+2];  c[j+3] += t*b[j+3] }
//! for .. j < n: c[j] += t*b[j]
//!
//! for j < n - n%4: S: c[j] += t*b[j]                                           rolled up
//! for j < n%4: T: c[n - n%4 + j] += t*b[n - n%4 + j]
//!
//! for j < n: S: c[j] += t*b[j]
//! ```
//!
//! `S` and `T` are one statement if their trees are the same, if some iteration of `S` would make the accesses of each iteration of `T`, the latter ones in the
//! same order and all of them behind those of `S`, and if both together are one polyhedron. Then all instances run in the order
//! in which they ran before, and nothing is left to prove. In two pieces, a product would be no register tile: that needs a box.

use super::Alike;
use super::matching::Pairing;
use super::nests::with_loops_of;
use super::united::{one_by_one, unproven};
use polytile_analysis::poly::{DimType, Map, Result, Set};
use polytile_analysis::scop::{Place, Scop, Stmt};

/// The part of the budget for all of a SCoP; without an answer the loops stay.
const SHARE: u64 = 30;

/// `scop` with such pairs of loops as one; `alike` compares the instructions behind operations and accesses.
///
/// # Errors
/// What the sets come to.
pub fn continued(scop: &Scop, alike: &Alike) -> Result<Scop> {
    let _quota = scop.context.ctx().share(SHARE);
    one_by_one(scop, |scop| pair(scop, alike))
}

/// The number of a statement that goes on behind another one, and the latter with its iterations.
fn pair(scop: &Scop, alike: &Alike) -> Result<Option<(usize, Stmt)>> {
    let known = scop.known()?;
    for s in &scop.stmts {
        for t in scop.stmts.iter().filter(|t| follows(scop, s, t)) {
            if let Some(whole) = both((s, t), &known, alike)? {
                return Ok(Some((t.id.index(), whole)));
            }
        }
    }
    Ok(None)
}

/// Whether the innermost loop of `t` is the next thing behind that of `s`, and both hold nothing else.
fn follows(scop: &Scop, s: &Stmt, t: &Stmt) -> bool {
    let Some(around) = s.depth().checked_sub(1) else {
        return false;
    };
    let (first, last) = (s.beta[around], t.beta.get(around).copied());
    let beside = t.depth() == s.depth()
        && s.beta[..around] == t.beta[..around]
        && s.iters[..around] == t.iters[..around];
    let Some(last) = last.filter(|l| beside && first < *l) else {
        return false;
    };
    let mut others = (scop.stmts.iter()).filter(|x| x.id != s.id && x.id != t.id);
    others.all(|x| {
        x.beta.len() <= around
            || x.beta[..around] != s.beta[..around]
            || !(first..=last).contains(&x.beta[around])
    })
}

/// `s` with the iterations of `t`, for parameters of which this is known.
fn both((s, t): (&Stmt, &Stmt), known: &Set, alike: &Alike) -> Result<Option<Stmt>> {
    let place_stays =
        |x: &Stmt| (x.accesses.iter()).all(|a| matches!(a.place, Place::Memory(_) | Place::Scalar));
    let renamed = with_loops_of(s, t, s.depth() - 1);
    let pairing = Pairing::of(s, &renamed, alike).filter(Pairing::has_no_index);
    let Some(pairing) = pairing.filter(|_| place_stays(s)) else {
        return Ok(None);
    };
    let Some(more) = goes_on(s, &renamed, &pairing, known)? else {
        return Ok(None);
    };
    let Some(domain) = one_piece(&s.domain.intersect_params(known)?, &more)? else {
        return Ok(None);
    };
    let mut whole = s.clone();
    whole.domain = domain.gist_params(known)?;
    for (access, &number) in whole.accesses.iter_mut().zip(&pairing.accesses) {
        let other = renamed.accesses[number].inst;
        access.inst = (access.inst).filter(|x| other.is_some_and(|y| alike(*x, y)));
        if let Place::Memory(address) = &mut access.place {
            unproven(&mut address.offset);
        }
    }
    Ok(Some(whole))
}

/// The iterations of `s` that would be those of `t`, behind its own and in the same order; `None` if not all are that.
fn goes_on(s: &Stmt, t: &Stmt, pairing: &Pairing, known: &Set) -> Result<Option<Set>> {
    let domain = t.domain.set_tuple_name(&s.name)?.intersect_params(known)?;
    let any = Set::universe(&s.domain.space()?)?;
    let mut to = beside(s.depth(), &domain, &any)?;
    for (own, &number) in s.accesses.iter().zip(&pairing.accesses) {
        let relation = &t.accesses[number].relation;
        let relation = relation.set_tuple_name(DimType::In, &s.name)?;
        to = to.intersect(&relation.apply_range(&own.relation.reverse()?)?)?;
    }
    if !to.is_single_valued()? || !domain.is_subset(&to.domain()?)? {
        return Ok(None);
    }
    let more = to.range()?;
    let later = later(s.depth(), &any, &any)?;
    let own_order = self::later(s.depth(), &domain, &domain)?;
    let own_order = own_order.apply_domain(&to)?.apply_range(&to)?;
    let behind = beside(s.depth(), &s.domain.intersect_params(known)?, &more)?;
    let in_order = own_order.is_subset(&later)? && behind.is_subset(&later)?;
    Ok(in_order.then_some(more))
}

/// Pairs of iterations of two sets in the same iteration of the loops around.
fn beside(depth: usize, from: &Set, to: &Set) -> Result<Map> {
    let mut pairs = Map::from_domain_and_range(from, to)?;
    for d in 0..depth - 1 {
        pairs = pairs.equate(DimType::In, d, DimType::Out, d)?;
    }
    Ok(pairs)
}

/// Those of which the second is the later one.
fn later(depth: usize, from: &Set, to: &Set) -> Result<Map> {
    beside(depth, from, to)?.order_lt(DimType::In, depth - 1, DimType::Out, depth - 1)
}

/// Two sets as one polyhedron. What only says where the one ends and the other begins (a multiple of four) may have remainders in it.
fn one_piece(first: &Set, second: &Set) -> Result<Option<Set>> {
    let both = first.union(second)?;
    let plain = both.coalesce()?;
    if plain.basic_sets()?.len() == 1 && !plain.involves_locals()? {
        return Ok(Some(plain));
    }
    let mut ends = Set::universe(&both.space()?)?;
    for part in [first, second] {
        for piece in part.remove_divs()?.basic_sets()? {
            for bound in piece.constraints()? {
                let half = Set::universe(&both.space()?)?.add_constraint(&bound)?;
                if both.is_subset(&half)? {
                    ends = ends.intersect(&half)?;
                }
            }
        }
    }
    let ends = ends.coalesce()?.remove_redundancies()?;
    Ok(ends.is_equal(&both)?.then_some(ends))
}

#[cfg(test)]
mod tests {
    use super::*;
    use polytile_analysis::poly::Ctx;
    use polytile_analysis::text::parse_scop;

    /// Updates of a row up to a multiple of four, and those of the rest, which begin at `from`; `between` may be a statement.
    fn apart(ctx: &Ctx, from: &str, between: &str) -> Scop {
        let text = format!(
            "scop \"f\" function \"f\"\nparams n\ncontext {{ : n >= 1 }}\narray A f64 [n][n]\narray B f64 [n]\n\
             stmt S0\n domain {{ S0[i, j] : 0 <= i < n and 0 <= j < 4*floor(n/4) }}\n beta 0 0 0\n\
             write {{ S0[i, j] -> A[i, j] }}\n read {{ S0[i, j] -> A[i, j] }}\n read {{ S0[i, j] -> B[j] }}\n\
             body (fadd (read 1) (read 2))\n{between}\
             stmt S9\n domain {{ S9[i, j] : 0 <= i < n and 0 <= j < n - 4*floor(n/4) }}\n beta 0 2 0\n\
             write {{ S9[i, j] -> A[i, {from} + j] }}\n read {{ S9[i, j] -> A[i, {from} + j] }}\n read {{ S9[i, j] -> B[{from} + j] }}\n\
             body (fadd (read 1) (read 2))\n"
        );
        let text = match between.is_empty() {
            true => text.replace("S9", "S1"),
            false => text.replace("S9", "S2"),
        };
        parse_scop(ctx, &text).unwrap_or_else(|e| panic!("{e}\n{text}"))
    }

    #[test]
    fn what_is_left_of_a_row_is_the_end_of_the_row() {
        let ctx = Ctx::new();
        let scop = continued(&apart(&ctx, "4*floor(n/4)", ""), &|_, _| true).expect("an answer");
        assert_eq!(scop.stmts.len(), 1);
        let whole = Set::parse(&ctx, "[n] -> { S0[i, j] : 0 <= i < n and 0 <= j < n }");
        let whole = whole.expect("a set");
        assert!(scop.stmts[0].domain.is_equal(&whole).expect("an answer"));
    }

    #[test]
    fn rows_with_a_gap_or_in_another_order_stay_apart() {
        let ctx = Ctx::new();
        for from in ["1 + 4*floor(n/4)", "4*floor(n/4) - 1", "n - 1 - 2*j"] {
            let before = apart(&ctx, from, "");
            let scop = continued(&before, &|_, _| true).expect("an answer");
            assert_eq!(scop.stmts.len(), 2, "{from}");
        }
    }

    #[test]
    fn nothing_runs_between_them() {
        let between = "stmt S1\n domain { S1[i] : 0 <= i < n }\n beta 0 1\n\
                       write { S1[i] -> B[i] }\n read { S1[i] -> A[i, i] }\n body (read 1)\n";
        let ctx = Ctx::new();
        let before = apart(&ctx, "4*floor(n/4)", between);
        let scop = continued(&before, &|_, _| true).expect("an answer");
        assert_eq!(scop.stmts.len(), 3);
    }

    #[test]
    fn other_operations_stay_apart() {
        let ctx = Ctx::new();
        let before = apart(&ctx, "4*floor(n/4)", "");
        let scop = continued(&before, &|_, _| false).expect("an answer");
        assert_eq!(scop.stmts.len(), 2);
    }
}
