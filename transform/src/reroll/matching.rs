//! Whether statements are copies of one, and the statement that they are copies of.
//!
//! The tree of a copy is the same up to the order of operands that commute ([`Pairing`]); constants and invariant values are equal, operations are clones of each other.
//! What depends on the iterators differs by the number `c` of the copy: if copy 0 accesses `f(i) + q*x`, then
//! `F(i, t) = f(i) + (q/m)*t`, and copy `c` must access `F(i, m*x + c)`. An access that does not move with `x` has `q = 0` and is
//! the same in all copies.
//!
//! Access relations decide about addresses: cells of an array are addresses, so equal relations mean equal addresses.
//! Indices in the tree ([`NodeKind::Index`]) are compared as sums ([`Sum`]).

use super::{Alike, Roll, domain, spread};
use polytile_analysis::body::NodeKind;
use polytile_analysis::ids::{LoopId, NodeId, ValueId};
use polytile_analysis::poly::{Aff, DimType, Map, MultiAff, Result};
use polytile_analysis::region::OpCode;
use polytile_analysis::scev::{Scev, ScevKind, Wrap};
use polytile_analysis::scop::{Access, Place, Stmt};
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

/// Larger trees are not compared: nodes with several users would be visited again and again.
const MAX_NODES: usize = 64;

/// Pairs of nodes that are looked at: operands that commute are tried in both orders, at each level of a tree.
const MAX_PAIRS: usize = 4096;

/// What of a statement takes the place of what of another that computes the same.
pub(super) struct Pairing<'s> {
    /// Numbers of the accesses of the second, in the order of the first's.
    pub accesses: Vec<usize>,
    /// Indices in the trees: the node of the first, and both values. A node with several users may have several partners.
    pub indices: Vec<(NodeId, &'s Scev, &'s Scev)>,
}

impl<'s> Pairing<'s> {
    /// Whether the trees compute with no iterator.
    pub fn has_no_index(&self) -> bool {
        self.indices.is_empty()
    }

    /// `None` if the trees differ, or read other arrays.
    pub fn of(a: &'s Stmt, b: &'s Stmt, alike: &Alike) -> Option<Pairing<'s>> {
        let n = a.accesses.len();
        let small = a.body.nodes.len() <= MAX_NODES;
        if a.iters != b.iters
            || n != b.accesses.len()
            || !same_access(a.write(), b.write())
            || !small
        {
            return None;
        }
        let mut found = Paired {
            reads: BTreeMap::new(),
            indices: vec![],
        };
        let left = Cell::new(MAX_PAIRS);
        let trees = Trees { a, b, alike, left };
        if !trees.same(a.body.root, b.body.root, &mut found) {
            return None;
        }
        let mut accesses = vec![0];
        accesses.extend((1..n).map(|r| found.reads.get(&r).copied().unwrap_or(r)));
        let each: BTreeSet<usize> = accesses.iter().copied().collect();
        (each.len() == n).then_some(Pairing {
            accesses,
            indices: found.indices,
        })
    }
}

/// Leaves that belong together.
#[derive(Clone)]
struct Paired<'s> {
    reads: BTreeMap<usize, usize>,
    indices: Vec<(NodeId, &'s Scev, &'s Scev)>,
}

/// Two statements under comparison.
struct Trees<'s, 'a> {
    a: &'s Stmt,
    b: &'s Stmt,
    alike: &'a Alike<'a>,
    /// So many pairs of nodes may still be looked at.
    left: Cell<usize>,
}

impl<'s> Trees<'s, '_> {
    /// Whether two nodes compute the same, up to the order of two operands that commute.
    fn same(&self, x: NodeId, y: NodeId, found: &mut Paired<'s>) -> bool {
        let (at, x, y) = (x, self.a.body.node(x), self.b.body.node(y));
        let Some(left) = self.left.get().checked_sub(1).filter(|_| x.ty == y.ty) else {
            return false;
        };
        self.left.set(left);
        match (&x.kind, &y.kind) {
            (NodeKind::Read(r), NodeKind::Read(q)) => {
                same_access(&self.a.accesses[*r], &self.b.accesses[*q])
                    && *found.reads.entry(*r).or_insert(*q) == *q
            }
            (NodeKind::Index(s), NodeKind::Index(t)) => {
                found.indices.push((at, s, t));
                s.width == t.width
            }
            (
                NodeKind::Op { inst, op, args },
                NodeKind::Op {
                    inst: other,
                    op: with,
                    args: of,
                },
            ) => {
                op == with
                    && args.len() == of.len()
                    && (self.alike)(*inst, *other)
                    && self.same_operands(op, args, of, found)
            }
            (x, y) => x == y,
        }
    }

    fn same_operands(
        &self,
        op: &OpCode,
        x: &[NodeId],
        y: &[NodeId],
        found: &mut Paired<'s>,
    ) -> bool {
        let before = found.clone();
        if x.iter().zip(y).all(|(x, y)| self.same(*x, *y, found)) {
            return true;
        }
        *found = before;
        op.commutes()
            && x.len() == 2
            && self.same(x[0], y[1], found)
            && self.same(x[1], y[0], found)
    }
}

/// Whether two statements run in the same iterations.
pub(super) fn same_domain(a: &Stmt, b: &Stmt) -> Result<bool> {
    a.domain.is_equal(&b.domain.set_tuple_name(&a.name)?)
}

fn same_access(a: &Access, b: &Access) -> bool {
    let same_place = match (&a.place, &b.place) {
        (Place::Memory(a), Place::Memory(b)) => a.base == b.base,
        (Place::Scalar, Place::Scalar) => true,
        _ => false,
    };
    a.kind == b.kind && a.array == b.array && a.ty == b.ty && same_place
}

/// A statement as copy 0 of `m`.
pub(super) struct Copies<'s> {
    first: &'s Stmt,
    roll: Roll,
    /// The statement over `t`.
    pub statement: Stmt,
}

impl<'s> Copies<'s> {
    /// `None` if something does not move by a multiple of the number of copies. `new` is the loop of `t`.
    pub fn of(first: &'s Stmt, roll: Roll, new: LoopId) -> Result<Option<Copies<'s>>> {
        let mut statement = first.clone();
        let copies = roll.copies;
        let old = std::mem::replace(&mut statement.iters[roll.at], new);
        for a in &mut statement.accesses {
            let Some(relation) = slower(&a.relation, roll.at, copies as i64)? else {
                return Ok(None);
            };
            a.relation = relation;
        }
        for evolution in statement.evolutions_mut() {
            match slower_evolution(evolution, old, new, copies as i128) {
                Some(slow) => *evolution = slow,
                None => return Ok(None),
            }
        }
        statement.domain = domain(first, roll)?;
        Ok(Some(Copies {
            first,
            roll,
            statement,
        }))
    }

    /// Whether a statement with the same tree is copy `c`. What is known of a load or store by its instruction is kept
    /// as long as it holds for all copies.
    pub fn has(&mut self, other: &Stmt, c: usize, alike: &Alike) -> Result<bool> {
        if !same_domain(self.first, other)? {
            return Ok(false);
        }
        let Some(pairing) = Pairing::of(self.first, other, alike) else {
            return Ok(false);
        };
        let at = spread(self.first, self.roll, &format!("c = {c}"))?;
        for (rolled, &number) in self.statement.accesses.iter_mut().zip(&pairing.accesses) {
            let a = &other.accesses[number];
            let expected = at.apply_range(&rolled.relation)?;
            let found = a.relation.set_tuple_name(DimType::In, &self.first.name)?;
            if !expected.is_equal(&found)? {
                return Ok(false);
            }
            rolled.inst = rolled.inst.filter(|x| a.inst.is_some_and(|y| alike(*x, y)));
        }
        let last = other.iters[self.roll.at];
        let mut indices = pairing.indices.iter();
        Ok(indices.all(|(_, a, b)| self.is_later(a, b, last, c as i128)))
    }

    /// Whether an index is that of copy 0, `c` copies later.
    fn is_later(&self, first: &Scev, other: &Scev, last: LoopId, c: i128) -> bool {
        let (Some(mut first), Some(other)) =
            (Sum::of(first, Some(last)), Sum::of(other, Some(last)))
        else {
            return false;
        };
        let gain = first.terms.get(&Term::Iterator(last)).copied();
        first.constant += gain.unwrap_or(0) / self.roll.copies as i128 * c;
        first.equals(&other)
    }
}

/// The relation with the gain per step of an iterator divided by `m`; `None` if that is no integer, or no one expression.
fn slower(relation: &Map, iterator: usize, m: i64) -> Result<Option<Map>> {
    let Some(function) = one_function(relation)? else {
        return Ok(None);
    };
    let mut affs = function.affs()?;
    for aff in &mut affs {
        let gain = aff.coefficient(DimType::In, iterator)?;
        if aff.denominator()? != 1 || gain % m != 0 {
            return Ok(None);
        }
        *aff = aff.set_coefficient_si(DimType::In, iterator, gain / m)?;
    }
    Ok(Some(of_affs(relation, &affs)?))
}

/// The function that a relation is; `None` if it has several pieces or divides.
pub(super) fn one_function(relation: &Map) -> Result<Option<MultiAff>> {
    if !relation.is_single_valued()? {
        return Ok(None);
    }
    let pieces = relation.as_pw_multi_aff()?.pieces()?;
    let [(domain, function)] = &pieces[..] else {
        return Ok(None);
    };
    let one = domain.plain_is_universe()? && !function.involves_locals()?;
    Ok(one.then(|| function.clone()))
}

/// The relation in the space of another one that these functions are.
pub(super) fn of_affs(like: &Map, affs: &[Aff]) -> Result<Map> {
    let mut all = Map::universe(&like.space()?)?;
    let dims = all.dim(DimType::Out);
    for (d, aff) in affs.iter().enumerate() {
        let graph = Map::from_aff(aff)?;
        let mut wide =
            (graph.insert_dims(DimType::Out, 0, d)?).add_dims(DimType::Out, dims - d - 1)?;
        for ty in [DimType::In, DimType::Out] {
            if let Some(name) = like.tuple_name(ty) {
                wide = wide.set_tuple_name(ty, &name)?;
            }
        }
        all = all.intersect(&wide)?;
    }
    Ok(all)
}

/// The evolution over `t` in the loop `new` whose value at `t = m*x` is that of `s` at `x` in the loop `old`.
fn slower_evolution(s: &Scev, old: LoopId, new: LoopId, m: i128) -> Option<Scev> {
    let mut slow = s.clone();
    match &mut slow.kind {
        ScevKind::AddRec {
            loop_,
            operands,
            wrap,
        } if *loop_ == old => {
            if operands.len() != 2 || operands[0].loops().contains(&old) {
                return None;
            }
            *loop_ = new;
            operands[1] = divided(&operands[1], m)?;
            *wrap = Wrap::default();
        }
        _ => {
            for part in slow.operands_mut() {
                *part = slower_evolution(part, old, new, m)?;
            }
        }
    }
    Some(slow)
}

/// The value whose `m`-fold is `s`, if constant factors tell.
fn divided(s: &Scev, m: i128) -> Option<Scev> {
    let kind = match &s.kind {
        ScevKind::Const(c) if c % m == 0 => ScevKind::Const(c / m),
        ScevKind::Add(terms, _) => {
            let terms = terms.iter().map(|t| divided(t, m));
            ScevKind::Add(terms.collect::<Option<_>>()?, Wrap::default())
        }
        ScevKind::Mul(factors, _) => {
            let (at, factor) = (factors.iter().enumerate()).find_map(|(n, f)| {
                let whole = f.as_constant().filter(|c| c % m == 0)?;
                Some((n, Scev::constant(f.width, whole / m)))
            })?;
            let mut factors = factors.clone();
            factors[at] = factor;
            ScevKind::Mul(factors, Wrap::default())
        }
        _ => return None,
    };
    Some(Scev {
        width: s.width,
        kind,
    })
}

/// What a sum multiplies.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Term {
    Iterator(LoopId),
    Value(ValueId),
    /// Something that does not move with the loop in question.
    Other(Scev),
}

/// An integer as a constant and multiples of terms, modulo a power of two.
#[derive(Clone, Debug)]
pub(super) struct Sum {
    width: u32,
    constant: i128,
    terms: BTreeMap<Term, i128>,
}

impl Sum {
    /// `None` if a part that is no sum moves with `last`, or numbers are too large.
    pub(super) fn of(s: &Scev, last: Option<LoopId>) -> Option<Sum> {
        let mut sum = Sum {
            width: s.width,
            constant: 0,
            terms: BTreeMap::new(),
        };
        sum.add(s, 1, last)?;
        Some(sum)
    }

    /// What is to be added for another one; `None` if that is no constant.
    pub(super) fn to(&self, other: &Sum) -> Option<i128> {
        let by = other.constant.checked_sub(self.constant)?;
        let mut there = self.clone();
        there.constant = other.constant;
        there.equals(other).then_some(by)
    }

    /// How many times another one it is; `None` if it is no multiple.
    pub(super) fn over(&self, other: &Sum) -> Option<i128> {
        let (term, unit) = other.terms.iter().find(|(_, c)| **c != 0).unzip();
        let (own, its) = match term {
            Some(term) => (*self.terms.get(term)?, *unit?),
            None => (self.constant, other.constant),
        };
        let times = own.checked_div(its).filter(|t| t * its == own)?;
        let mut all = other.clone();
        let scaled = |c: i128| c.checked_mul(times);
        all.constant = scaled(all.constant)?;
        for c in all.terms.values_mut() {
            *c = scaled(*c)?;
        }
        self.equals(&all).then_some(times)
    }

    fn add(&mut self, s: &Scev, factor: i128, last: Option<LoopId>) -> Option<()> {
        match &s.kind {
            ScevKind::Const(c) => {
                self.constant = self.constant.checked_add(c.checked_mul(factor)?)?;
                Some(())
            }
            ScevKind::Add(terms, _) => terms.iter().try_for_each(|t| self.add(t, factor, last)),
            ScevKind::Mul(factors, _)
                if factors.len() == 2 && factors[0].as_constant().is_some() =>
            {
                let c = factors[0].as_constant()?;
                self.add(&factors[1], c.checked_mul(factor)?, last)
            }
            ScevKind::AddRec {
                loop_, operands, ..
            } if operands.len() == 2 && operands[1].as_constant().is_some() => {
                let step = operands[1].as_constant()?.checked_mul(factor)?;
                self.term(Term::Iterator(*loop_), step)?;
                self.add(&operands[0], factor, last)
            }
            ScevKind::Unknown(v) => self.term(Term::Value(*v), factor),
            _ if last.is_none_or(|l| !s.loops().contains(&l)) => {
                self.term(Term::Other(s.clone()), factor)
            }
            _ => None,
        }
    }

    fn term(&mut self, term: Term, factor: i128) -> Option<()> {
        let sum = self.terms.entry(term).or_default();
        *sum = sum.checked_add(factor)?;
        Some(())
    }

    /// Whether both are equal in arithmetic of their width.
    fn equals(&self, other: &Sum) -> bool {
        if self.width != other.width || !(1..=64).contains(&self.width) {
            return false;
        }
        let zero = |c: i128| c.rem_euclid(1 << self.width) == 0;
        let of = |sum: &Sum, t: &Term| sum.terms.get(t).copied().unwrap_or(0);
        let mut terms = self.terms.keys().chain(other.terms.keys());
        zero(self.constant.wrapping_sub(other.constant))
            && terms.all(|t| zero(of(self, t).wrapping_sub(of(other, t))))
    }
}
