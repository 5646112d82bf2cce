//! Whether two accesses of one block meet: [`Cells::meet`].
//!
//! Subscripts with equal coefficients differ by constants, which tell: `f[i][j]` and `f[i][j]` are one element in each
//! iteration, `f[i][0]` and `f[i][1]` never, `f[i][j]` and `f[i-1][j]` in different iterations. For what is left (`f[i + 1][j]` and
//! `f[i + 65][j]`, of which the second begins behind the end of the first) the extent of a loop is compared with the distance, or
//! the set library is asked, a few times. Where several fields lie in one array, and nothing says how many rows each has, it is
//! assumed that a loop does not leave its field ([`Cells::settle`]).

use super::condition::gate;
use super::{FIELD, QUOTA, within};
use crate::simd::moves_along;
use polytile_analysis::body::NodeKind;
use polytile_analysis::guards::alike;
use polytile_analysis::ids::{ArrayId, NodeId, ValueId};
use polytile_analysis::poly::{DimType, Map, PwAff, Result, Set};
use polytile_analysis::scop::{Access, ArrayKind, Place, Scop, Stmt};
use polytile_analysis::stride::Stride;
use std::collections::BTreeMap;

/// Where two accesses touch one element.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Meet {
    /// Nowhere.
    Never,
    /// In each iteration.
    Same,
    /// In different iterations only.
    Later,
    /// Perhaps in some iterations.
    Perhaps,
}

/// An affine subscript.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Subscript {
    iters: Vec<i64>,
    params: Vec<i64>,
    constant: i64,
}

/// A distance between two accesses: the loop that would have to reach over it, in so many iterations; whether that is an outer
/// loop along the rows of an array.
#[derive(Clone, Copy)]
struct Apart {
    loop_: usize,
    distance: i64,
    rows: bool,
}

/// What is known of the extent of a loop of a block.
#[derive(Clone, Copy)]
struct Extent {
    /// It has no more iterations than that.
    within: i64,
    /// It may have more than that.
    beyond: i64,
}

/// The cells of all accesses.
pub(super) struct Cells<'s> {
    pub(super) scop: &'s Scop,
    /// What holds for the parameters wherever a new version runs.
    known: Set,
    /// By the access's place in memory; `None`: not affine.
    subscripts: BTreeMap<*const Access, Option<Vec<Subscript>>>,
    questions: usize,
    /// By loop of the block at hand.
    extents: BTreeMap<usize, Extent>,
    /// Extents that the block's group would have to assume: loop, greatest number of iterations.
    open: BTreeMap<usize, i64>,
    /// What has been assumed.
    pub(super) assumed: Vec<Set>,
}

impl<'s> Cells<'s> {
    pub fn new(scop: &'s Scop, questions: usize) -> Result<Cells<'s>> {
        let mut subscripts = BTreeMap::new();
        for a in scop.stmts.iter().flat_map(|s| &s.accesses) {
            subscripts.insert(std::ptr::from_ref(a), of_access(a)?);
        }
        Ok(Cells {
            scop,
            known: scop.known()?,
            subscripts,
            questions,
            extents: BTreeMap::new(),
            open: BTreeMap::new(),
            assumed: vec![],
        })
    }

    /// Another block begins.
    pub fn begin(&mut self) {
        self.extents.clear();
        self.open.clear();
    }

    /// Assumes what the last answers took for granted, of loops around `s`, if they are `wanted`.
    pub fn settle(&mut self, s: &Stmt, wanted: bool) -> Result<()> {
        for (loop_, distance) in std::mem::take(&mut self.open) {
            if wanted {
                self.assumed.extend(self.below(s, loop_, distance)?);
                let known = self.extents.get_mut(&loop_).expect("it was asked for");
                known.within = known.within.min(distance);
            }
        }
        Ok(())
    }

    /// Whether a loop around a statement may reach over a distance.
    fn reaches(&mut self, s: &Stmt, apart: Apart) -> Result<bool> {
        let Apart {
            loop_,
            distance,
            rows,
        } = apart;
        let none = Extent {
            within: i64::MAX,
            beyond: 0,
        };
        let known = *self.extents.entry(loop_).or_insert(none);
        if known.within <= distance {
            return Ok(false);
        }
        if known.beyond < distance {
            let _quota = self.known.ctx().clone().quota(QUOTA);
            let more = self.spread(s, loop_).and_then(|spread| {
                let past = spread.add_constant_si(-distance)?;
                let past = past.ge_set(&past.sub(&past)?)?;
                Ok(!past.intersect(&self.known)?.is_empty()?)
            });
            let more = within(more, true)?;
            let known = self.extents.entry(loop_).or_insert(none);
            match more {
                true => known.beyond = distance,
                false => {
                    known.within = distance;
                    return Ok(false);
                }
            }
        }
        if rows && distance >= FIELD && self.below(s, loop_, distance)?.is_some() {
            let least = self.open.entry(loop_).or_insert(distance);
            *least = distance.min(*least);
            return Ok(false);
        }
        Ok(true)
    }

    /// The last iteration of a loop less the first.
    fn spread(&self, s: &Stmt, loop_: usize) -> Result<PwAff> {
        s.domain.dim_max(loop_)?.sub(&s.domain.dim_min(loop_)?)
    }

    /// The parameters for which a loop has no more iterations than that, if that is one simple condition.
    fn below(&self, s: &Stmt, loop_: usize, distance: i64) -> Result<Option<Set>> {
        let _quota = self.known.ctx().clone().quota(QUOTA);
        let short = self.spread(s, loop_).and_then(|spread| {
            let past = spread.add_constant_si(-distance)?;
            let short = past.lt_set(&past.sub(&past)?)?.coalesce()?;
            let some = short.n_basic_set() == 1 && !short.intersect(&self.known)?.is_empty()?;
            Ok(some.then_some(short))
        });
        within(short, None)
    }

    fn of(&self, a: &Access) -> Option<&Vec<Subscript>> {
        self.subscripts.get(&std::ptr::from_ref(a))?.as_ref()
    }

    /// Whether both accesses always touch one element, as one type.
    pub fn alike(&self, a: &Access, b: &Access) -> bool {
        let same = a.array == b.array && a.ty == b.ty && a.place == b.place;
        same && self.of(a).is_some() && self.of(a) == self.of(b)
    }

    /// Whether what two statements of one block read was loaded by one instruction in the same iteration, by themselves or for a scalar.
    pub fn is_one_load(&self, (s, a): (&Stmt, &Access), (t, b): (&Stmt, &Access)) -> bool {
        let first = self.loaded(s, a);
        first.is_some() && first == self.loaded(t, b)
    }

    /// The instruction that loaded what a statement reads.
    fn loaded(&self, s: &Stmt, a: &Access) -> Option<ValueId> {
        if a.place != Place::Scalar {
            return a.inst;
        }
        let mut writers = self.scop.stmts.iter().filter(|w| w.writes_to(a.array));
        let (writer, depth) = (writers.next()?, s.depth());
        let in_front = writer.beta[..depth] == s.beta[..depth] && writer.beta < s.beta;
        let alone = writers.next().is_none() && writer.depth() == depth && in_front;
        let value = match writer.body.zero_unless(writer.body.root) {
            Some([cond, value]) if self.asks(s, (writer, cond)) => value,
            _ => writer.body.root,
        };
        match &writer.body.node(value).kind {
            NodeKind::Read(n) if alone => writer.accesses[*n].inst,
            _ => None,
        }
    }

    /// Whether a statement first asks for the condition of another one.
    fn asks(&self, s: &Stmt, of: (&Stmt, NodeId)) -> bool {
        let same = |x: &Access, y: &Access| self.alike(x, y);
        gate(s).is_some_and(|gate| alike((s, gate), of, &same))
    }

    /// Whether nobody but statements of the same block reads a scalar.
    pub fn stays_in(&self, scalar: ArrayId, block: &Stmt) -> bool {
        let depth = block.depth();
        let inside = |s: &Stmt| s.depth() == depth && s.beta[..depth] == block.beta[..depth];
        let reads = |s: &&Stmt| s.reads().iter().any(|r| r.array == scalar);
        self.scop.array(scalar).kind == ArrayKind::Scalar { live_out: None }
            && self.scop.stmts.iter().filter(reads).all(inside)
    }

    /// Along which loops an access moves; `None`: not known.
    pub fn moves(&self, s: &Stmt, a: &Access) -> Option<Vec<bool>> {
        let subscripts = self.of(a)?;
        let along = |d: usize| subscripts.iter().any(|x| x.iters[d] != 0);
        Some((0..s.depth()).map(along).collect())
    }

    /// Bytes from one iteration of the innermost loop to the next, a large number where they are not constant; `None`: not
    /// known.
    pub fn stride(&self, s: &Stmt, a: &Access) -> Result<Option<i128>> {
        let last = s.depth() - 1;
        let step: Vec<i64> = (0..=last).map(|d| i64::from(d == last)).collect();
        Ok(match moves_along(self.scop, a, &step)? {
            Stride::Zero => Some(0),
            Stride::Const(c) => Some(c),
            Stride::Symbolic(_) => Some(i128::MAX),
            Stride::Irregular => None,
        })
    }

    /// Where two accesses to one array, of statements with one domain, touch one element.
    pub fn meet(&mut self, (s, a): (&Stmt, &Access), (t, b): (&Stmt, &Access)) -> Result<Meet> {
        let (found, apart) = match (self.of(a), self.of(b)) {
            (Some(x), Some(y)) => by_constants(x, y),
            _ => (Meet::Perhaps, None),
        };
        if let (Meet::Later, Some(apart)) = (found, apart) {
            return Ok(match self.reaches(s, apart)? {
                true => Meet::Later,
                false => Meet::Never,
            });
        }
        if matches!(found, Meet::Never | Meet::Same) || self.questions == 0 {
            return Ok(found);
        }
        self.questions -= 1;
        let _quota = self.known.ctx().clone().quota(QUOTA);
        let apart = self.never((s, a), (t, b));
        Ok(match within(apart, false)? {
            true => Meet::Never,
            false => found,
        })
    }

    /// Whether two accesses touch no common element, in whatever iterations.
    fn never(&self, (s, a): (&Stmt, &Access), (t, b): (&Stmt, &Access)) -> Result<bool> {
        let cells = |s: &Stmt, a: &Access| -> Result<Map> {
            let domain = s.domain.intersect_params(&self.known)?;
            a.relation.intersect_domain(&domain)
        };
        let common = cells(s, a)?.range()?.intersect(&cells(t, b)?.range()?)?;
        common.is_empty()
    }
}

/// The subscripts of an access; `None`: some are not affine.
fn of_access(a: &Access) -> Result<Option<Vec<Subscript>>> {
    let subscripts = a.relation.as_pw_multi_aff()?;
    if !subscripts.isa_multi_aff()? {
        return Ok(None);
    }
    let subscripts = subscripts.as_multi_aff()?;
    let mut found = vec![];
    for d in 0..subscripts.size() {
        let aff = subscripts.at(d)?;
        if aff.involves_locals()? || aff.denominator()? != 1 {
            return Ok(None);
        }
        let coefficients =
            |ty| -> Result<Vec<i64>> { (0..aff.dim(ty)).map(|n| aff.coefficient(ty, n)).collect() };
        found.push(Subscript {
            iters: coefficients(DimType::In)?,
            params: coefficients(DimType::Param)?,
            constant: aff.constant()?,
        });
    }
    Ok(Some(found))
}

/// What the differences of subscripts tell, and the farthest of them.
fn by_constants(a: &[Subscript], b: &[Subscript]) -> (Meet, Option<Apart>) {
    let (mut found, mut farthest) = (Meet::Same, None::<Apart>);
    for (at, (x, y)) in a.iter().zip(b).enumerate() {
        let distance = x.constant - y.constant;
        let alike = x.iters == y.iters && x.params == y.params;
        let divisor = x.iters.iter().fold(0, |d, &c| gcd(d, c.abs()));
        match alike {
            true if distance == 0 => continue,
            true if divisor == 0 || distance % divisor != 0 => return (Meet::Never, None),
            true if found != Meet::Perhaps => found = Meet::Later,
            true => {}
            false => found = Meet::Perhaps,
        }
        let mut moving = (0..x.iters.len()).filter(|&d| x.iters[d] != 0);
        if let (Some(loop_), None, true) = (moving.next(), moving.next(), alike) {
            let distance = (distance / divisor).abs();
            if farthest.is_none_or(|f| f.distance < distance) {
                farthest = Some(Apart {
                    loop_,
                    distance,
                    rows: at == 0 && a.len() > 1 && loop_ + 1 < x.iters.len(),
                });
            }
        }
    }
    (found, farthest)
}

fn gcd(a: i64, b: i64) -> i64 {
    match b {
        0 => a,
        _ => gcd(b, a % b),
    }
}
