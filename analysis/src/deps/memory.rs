//! Memory-based dependences, one pair of accesses at a time.

use super::order;
use super::reduction::{Update, update};
use super::{DepKind, Dependence, Dependences};
use crate::ids::ArrayId;
use crate::poly::{BasicMap, BasicSet, Constraint, DimType, Fixed, Map, Result, Set};
use crate::scop::{Access, AccessKind, Scop, Stmt};
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::rc::Rc;

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
    let updates: Vec<Option<Update>> = scop.stmts.iter().map(update).collect::<Result<_>>()?;
    let each = scop.stmts.iter().zip(&updates);
    let reach: Vec<Vec<Reach>> = each
        .map(|(s, u)| reach(s, *u, &params))
        .collect::<Result<_>>()?;
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

/// Reads of single elements of a line from which on they are one read of the line: a sum that the compiler has unrolled.
const LINE: usize = 8;

/// An access restricted to its statement's domain, or several of its reads.
struct Reach<'a> {
    position: usize,
    access: &'a Access,
    /// Subscripts that are numbers.
    fixed: Fixed,
    /// The same for accesses of the statement whose other subscripts are the same.
    shape: usize,
    map: Map,
    /// The same from elements to instances.
    back: Map,
}

fn reach<'a>(s: &'a Stmt, update: Option<Update>, params: &Set) -> Result<Vec<Reach<'a>>> {
    let domain = s.domain.intersect_params(params)?;
    let mut shapes: Vec<Map> = vec![];
    let mut all = vec![];
    for (position, access) in s.accesses.iter().enumerate() {
        let map = access.relation.intersect_domain(&domain)?;
        let fixed = Fixed::of(&access.relation, &[DimType::Out])?;
        all.push(Reach {
            position,
            access,
            shape: shape(&map, &fixed, &mut shapes)?,
            fixed,
            back: map.reverse()?,
            map,
        });
    }
    lines(all, update, &mut shapes)
}

/// The same accesses, with reads of the elements of a line as one; what is updated stays what it is.
fn lines<'a>(
    all: Vec<Reach<'a>>,
    update: Option<Update>,
    shapes: &mut Vec<Map>,
) -> Result<Vec<Reach<'a>>> {
    let updated = |r: &Reach| update.is_some_and(|u| u.read == r.position);
    let mut kept = vec![];
    let mut elements: BTreeMap<(ArrayId, usize), Vec<Reach>> = BTreeMap::new();
    for r in all {
        let element = r.access.kind == AccessKind::Read && r.fixed.places().next().is_some();
        match element && !updated(&r) {
            true => elements
                .entry((r.access.array, r.shape))
                .or_default()
                .push(r),
            false => kept.push(r),
        }
    }
    for list in elements.into_values() {
        let line = match list.len() >= LINE {
            true => line(&list, shapes)?,
            false => None,
        };
        match line {
            Some(line) => kept.push(line),
            None => kept.extend(list),
        }
    }
    kept.sort_by_key(|r| r.position);
    Ok(kept)
}

/// Reads of elements as one of all of them; `None` if they are no line.
fn line<'a>(list: &[Reach<'a>], shapes: &mut Vec<Map>) -> Result<Option<Reach<'a>>> {
    let mut map = list[0].map.clone();
    for r in &list[1..] {
        map = map.union(&r.map)?;
    }
    let map = map.coalesce()?;
    if map.basic_maps()?.len() > 1 {
        return Ok(None);
    }
    let fixed = Fixed::of(&map, &[DimType::Out])?;
    Ok(Some(Reach {
        position: list[0].position,
        access: list[0].access,
        shape: shape(&map, &fixed, shapes)?,
        fixed,
        back: map.reverse()?,
        map,
    }))
}

/// The number of an access relation among these ones, without array and numbers.
fn shape(relation: &Map, fixed: &Fixed, shapes: &mut Vec<Map>) -> Result<usize> {
    let mut shape = relation.reset_tuple_id(DimType::Out)?;
    for at in fixed.places() {
        shape = shape.project_out(DimType::Out, at, 1)?;
    }
    for (n, known) in shapes.iter().enumerate() {
        if known.plain_is_equal(&shape)? {
            return Ok(n);
        }
    }
    shapes.push(shape);
    Ok(shapes.len() - 1)
}

/// The context without the bounds that only machine integers have, as one basic set.
fn visible_context(context: &Set) -> Result<Set> {
    if context.is_empty()? {
        return Ok(context.clone());
    }
    let hull = context.remove_divs()?.simple_hull()?;
    let mut kept = BasicSet::universe(&hull.space()?)?;
    for c in hull.constraints()? {
        if c.is_equality() || !is_hidden(&c)? {
            kept = kept.add_constraint(&c)?;
        }
    }
    kept.to_set()
}

fn is_hidden(c: &Constraint) -> Result<bool> {
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
    Ok(upper || c.is_machine_bound()?)
}

/// Whether elements are as far apart as a multiple of the iterations of the loop at a depth.
fn strides(pairs: &BasicMap, d: usize) -> Result<bool> {
    for c in pairs.constraints()? {
        let (from, to) = (
            c.coefficient(DimType::In, d)?,
            c.coefficient(DimType::Out, d)?,
        );
        if c.is_equality() && from == -to && from.abs() > 1 {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Pairs of instances that access one element.
struct Conflict {
    relation: BasicMap,
    /// Iterators that are numbers: of a row of statements with numbers for subscripts, each pair has a relation of its own.
    fixed: Fixed,
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
        let mut conflicts: BTreeMap<(usize, usize), Rc<Vec<Conflict>>> = BTreeMap::new();
        for a in from {
            for b in to.iter().filter(|b| b.access.array == a.access.array) {
                let kind = self.kind(a, b);
                let free = self.scop.is_unordered(self.s, self.t, a.access.array);
                let apart = a.fixed.is_apart(&b.fixed);
                if apart || free || kind == DepKind::INPUT && !want_input {
                    continue;
                }
                // What differs in arrays and equal numbers only has the same conflicts.
                let known = (a.fixed == b.fixed).then_some((a.shape, b.shape));
                let relations = match known.and_then(|k| conflicts.get(&k).cloned()) {
                    Some(relations) => relations,
                    None => Rc::new(self.conflicts(a, b)?),
                };
                for conflict in &*relations {
                    self.merge(conflict, kind, a.access.array, &mut found)?;
                }
                conflicts.extend(known.map(|k| (k, relations)));
            }
        }
        Ok(found.into_iter().map(|(d, _)| d).collect())
    }

    /// The pairs of instances that access one element, the first before the second.
    fn conflicts(&self, a: &Reach, b: &Reach) -> Result<Vec<Conflict>> {
        let conflict = a.map.apply_range(&b.back)?.intersect(self.before()?)?;
        let mut found = vec![];
        for m in self.without_divisions(&conflict.coalesce()?)? {
            if !self.is_empty(&m)? {
                let m = self.in_one_line(m)?;
                let relation = m.detect_equalities()?.remove_redundancies()?;
                let whole = Map::from_basic_map(&relation)?;
                let fixed = Fixed::of(&whole, &[DimType::In, DimType::Out])?;
                found.push(Conflict { relation, fixed });
            }
        }
        Ok(found)
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

    /// The same pairs where elements lie in lines, `9 * i + j` for `j < n <= 9`, and what is not shown of parameters says that both are in one line, so that
    /// they are in one iteration of the outer loop.
    fn in_one_line(&self, mut pairs: BasicMap) -> Result<BasicMap> {
        let Some(context) = self.hidden else {
            return Ok(pairs);
        };
        for d in 0..order::shared_loops(self.s, self.t) {
            if !strides(&pairs, d)? {
                continue;
            }
            let all = Map::from_basic_map(&pairs)?;
            let known = all.intersect_params(context)?;
            let same = known.equate(DimType::In, d, DimType::Out, d)?;
            if !known.is_subset(&same)? {
                break;
            }
            let all = all.equate(DimType::In, d, DimType::Out, d)?;
            match &all.basic_maps()?[..] {
                [one] => pairs = one.clone(),
                _ => break,
            }
        }
        Ok(pairs)
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
        Conflict { relation, fixed }: &Conflict,
        kind: DepKind,
        array: ArrayId,
        found: &mut Vec<(Dependence, Fixed)>,
    ) -> Result<()> {
        for (d, others) in found.iter_mut() {
            let both_order = (d.kind == DepKind::INPUT) == (kind == DepKind::INPUT);
            let equal = || match d.relation.is_same(relation) {
                true => Ok(true),
                false => d.relation.is_equal(relation),
            };
            if both_order && !others.is_apart(fixed) && equal()? {
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
            relation: relation.clone(),
        };
        found.push((dependence, fixed.clone()));
        Ok(())
    }
}
