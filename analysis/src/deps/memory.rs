//! Memory-based dependences, one pair of accesses at a time.

use super::order;
use super::reduction::{Update, update};
use super::{DepKind, Dependence, Dependences};
use crate::ids::ArrayId;
use crate::poly::{BasicMap, BasicSet, Constraint, DimType, Fixed, Map, Result, Set};
use crate::scop::{Access, AccessKind, Scop, Stmt};
use std::cell::OnceCell;

/// A constant in a parameter bound beyond this says where a machine integer ends, not what the program does.
const MACHINE_BOUND: i64 = 1 << 20;

/// All dependences of a SCoP, in the order of statement pairs; read-read ones only if `want_input`.
///
/// They are computed for the parameters of [`Scop::context`], but do not repeat its constant upper bounds: under
/// `n <= 2^31 - 1` every distance has a constant bound, which would blind a scheduler's cost function. What is assumed of the
/// parameters holds wherever a new version runs: pairs that need other values are none (`f[i]` and `f[i + 64]` for `i < n <= 64`).
pub fn compute(scop: &Scop, want_input: bool) -> Result<Dependences> {
    let params = visible_context(&scop.context)?;
    let known = known(scop)?;
    let hidden = if params.is_equal(&known)? {
        None
    } else {
        Some(&known)
    };
    let reach: Vec<Vec<Reach>> = scop
        .stmts
        .iter()
        .map(|s| reach(s, &params))
        .collect::<Result<_>>()?;
    let updates: Vec<Option<Update>> = scop.stmts.iter().map(update).collect::<Result<_>>()?;
    let mut list = vec![];
    for ((s, from), first) in scop.stmts.iter().zip(&reach).zip(&updates) {
        for ((t, to), second) in scop.stmts.iter().zip(&reach).zip(&updates) {
            if order::shared_loops(s, t) == 0 && !order::textually_before(s, t) {
                continue;
            }
            let pair = Pair {
                scop,
                s,
                t,
                before: OnceCell::new(),
                updates: [*first, *second],
                hidden,
            };
            list.extend(pair.collect(from, to, want_input)?);
        }
    }
    Ok(Dependences::new(list))
}

/// The context, the values of parameters that stand for constants, and the assumptions without cases.
fn known(scop: &Scop) -> Result<Set> {
    let mut known = scop.context.clone();
    if scop.assumptions.is_empty() {
        return Ok(known);
    }
    for (at, p) in scop.params.iter().enumerate() {
        if let Some(value) = p.expr.as_constant().and_then(|c| i64::try_from(c).ok()) {
            known = known.fix_si(DimType::Param, at, value)?;
        }
    }
    for a in scop.assumptions.iter().filter(|a| a.set.n_basic_set() == 1) {
        known = known.intersect(&a.set)?;
    }
    Ok(known)
}

/// An access restricted to its statement's domain.
struct Reach<'a> {
    position: usize,
    access: &'a Access,
    /// Subscripts that are numbers.
    fixed: Fixed,
    map: Map,
    /// The same from elements to instances.
    back: Map,
}

fn reach<'a>(s: &'a Stmt, params: &Set) -> Result<Vec<Reach<'a>>> {
    let domain = s.domain.intersect_params(params)?;
    let restrict = |(position, access): (usize, &'a Access)| {
        let map = access.relation.intersect_domain(&domain)?;
        Ok(Reach {
            position,
            access,
            fixed: Fixed::of(&access.relation, &[DimType::Out])?,
            back: map.reverse()?,
            map,
        })
    };
    s.accesses.iter().enumerate().map(restrict).collect()
}

/// The context without the bounds that only machine integers have, as one basic set.
fn visible_context(context: &Set) -> Result<Set> {
    if context.is_empty()? {
        return Ok(context.clone());
    }
    let hull = context.remove_divs()?.simple_hull()?;
    let mut kept = BasicSet::universe(&hull.space()?)?;
    for c in hull.constraints()? {
        if c.is_equality() || !is_machine_bound(&c)? {
            kept = kept.add_constraint(&c)?;
        }
    }
    kept.to_set()
}

fn is_machine_bound(c: &Constraint) -> Result<bool> {
    let used = |p: &usize| c.involves_dims(DimType::Param, *p, 1);
    let mut params = vec![];
    for p in 0..c.dim(DimType::Param) {
        if used(&p)? {
            params.push(p);
        }
    }
    let upper = match params[..] {
        [p] => c.is_upper_bound(DimType::Param, p)?,
        _ => false,
    };
    let large = c
        .constant_val()?
        .abs()?
        .as_i64()
        .is_none_or(|v| v >= MACHINE_BOUND);
    Ok(upper || large)
}

struct Pair<'a> {
    scop: &'a Scop,
    s: &'a Stmt,
    t: &'a Stmt,
    /// The original order, once it was asked for: most pairs share no element.
    before: OnceCell<Map>,
    /// What the statements are as updates of a cell.
    updates: [Option<Update>; 2],
    /// The whole context, if relations do not show it.
    hidden: Option<&'a Set>,
}

impl Pair<'_> {
    fn before(&self) -> Result<&Map> {
        if self.before.get().is_none() {
            let _ = self.before.set(order::before(self.s, self.t)?);
        }
        Ok(self.before.get().expect("it was set above"))
    }

    fn collect(&self, from: &[Reach], to: &[Reach], want_input: bool) -> Result<Vec<Dependence>> {
        let mut found = vec![];
        for a in from {
            for b in to.iter().filter(|b| b.access.array == a.access.array) {
                let kind = self.kind(a, b);
                let free = self.scop.is_unordered(self.s, self.t, a.access.array);
                let apart = a.fixed.is_apart(&b.fixed);
                if apart || free || kind == DepKind::INPUT && !want_input {
                    continue;
                }
                let conflict = a.map.apply_range(&b.back)?.intersect(self.before()?)?;
                for m in self.without_divisions(&conflict.coalesce()?)? {
                    if !self.is_empty(&m)? {
                        let relation = m.detect_equalities()?.remove_redundancies()?;
                        self.merge(relation, kind, a.access.array, &mut found)?;
                    }
                }
            }
        }
        Ok(found.into_iter().map(|(d, _)| d).collect())
    }

    /// The pieces without integer divisions, as supersets. Dropping a division may drop the order with it (isl may have
    /// written `j' = 2q` for an iterator in it), so order and domains are put back.
    fn without_divisions(&self, pairs: &Map) -> Result<Vec<BasicMap>> {
        let mut pieces = vec![];
        for m in pairs.basic_maps()? {
            if m.dim(DimType::Div) == 0 {
                pieces.push(m);
                continue;
            }
            let (s, t) = (self.s.domain.remove_divs()?, self.t.domain.remove_divs()?);
            let superset = Map::from_basic_map(&m.remove_divs()?)?.intersect(self.before()?)?;
            let superset = superset.intersect_domain(&s)?.intersect_range(&t)?;
            pieces.extend(superset.coalesce()?.basic_maps()?);
        }
        Ok(pieces)
    }

    /// Whether there is no pair for any parameters of the context.
    fn is_empty(&self, relation: &BasicMap) -> Result<bool> {
        match self.hidden {
            Some(context) => Map::from_basic_map(relation)?
                .intersect_params(context)?
                .is_empty(),
            None => relation.is_empty(),
        }
    }

    fn kind(&self, a: &Reach, b: &Reach) -> DepKind {
        let writes = |r: &Reach| r.access.kind != AccessKind::Read;
        let kind = match (writes(a), writes(b)) {
            (true, false) => DepKind::FLOW,
            (false, true) => DepKind::ANTI,
            (true, true) => DepKind::OUTPUT,
            (false, false) => return DepKind::INPUT,
        };
        let [Some(first), Some(second)] = self.updates else {
            return kind;
        };
        let of = |r: &Reach, u: Update| r.position == 0 || r.position == u.read;
        if !of(a, first) || !of(b, second) {
            return kind;
        }
        let mut kind = kind;
        if self.s.id == self.t.id {
            kind |= DepKind::REDUCTION;
        }
        if first.commutes_with(second) {
            kind |= DepKind::COMMUTES;
        }
        kind
    }

    /// Adds a relation, or its kind to an equal one. Read-read relations stay apart from those that order.
    fn merge(
        &self,
        relation: BasicMap,
        kind: DepKind,
        array: ArrayId,
        found: &mut Vec<(Dependence, Fixed)>,
    ) -> Result<()> {
        // Of a row of statements with numbers for subscripts, each pair has a relation of its own.
        let fixed = Fixed::of(
            &Map::from_basic_map(&relation)?,
            &[DimType::In, DimType::Out],
        )?;
        for (d, others) in found.iter_mut() {
            let both_order = (d.kind == DepKind::INPUT) == (kind == DepKind::INPUT);
            if both_order && !others.is_apart(&fixed) && d.relation.is_equal(&relation)? {
                let freedom = DepKind::REDUCTION | DepKind::COMMUTES;
                let both = d.kind & kind & freedom;
                d.kind = ((d.kind | kind) - freedom) | both;
                if let Err(at) = d.arrays.binary_search(&array) {
                    d.arrays.insert(at, array);
                }
                return Ok(());
            }
        }
        let dependence = Dependence {
            src: self.s.id,
            dst: self.t.id,
            kind,
            arrays: vec![array],
            relation,
        };
        found.push((dependence, fixed));
        Ok(())
    }
}
