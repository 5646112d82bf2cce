//! Branches by data: if-conversion in the model (Allen, Kennedy, Porterfield, Warren 1983), by gates (Tu and Padua 1995).
//!
//! A part of a loop's body that branches by data is no reason to decline:
//!
//! ```text
//! if (a[i] > t) { b[i] = a[i]; s = 1; } else s = c[i];        b[i] = choose(a[i] > t, a[i], b[i])      may-write
//! d[i] = s;                                                   d[i] = choose(a[i] > t, 1, c[i])
//! ```
//!
//! Domains leave such conditions out: a block runs in all iterations in which it may. A value that merges behind the branches is
//! a choice by the conditions on the way from the merge's dominator, each way back from the merge looked at once. A store
//! becomes a write of the choice between its value and what the cell holds; it is made only where the condition holds
//! (a may-write), as is everything in the arms of a choice. Conditions on the way that are affine stay in the domains where
//! they decide alone.
//!
//! Loops may stand behind such a branch. Their statements have the condition of the loops around, which is the same in all of their
//! iterations: a *guard* ([`crate::guards`]). Ways pass a loop as a whole, because whoever enters it comes out of it.
//!
//! ```text
//! if (f[i][k] != 0)
//!   for (j = 0; j < n; j++)
//!     a[i][j] -= f[i][k] * a[k][j];       a[i][j] = choose(f[i][k] != 0, a[i][j] - f[i][k] * a[k][j], a[i][j])   may-write
//! ```

use super::model::traps_if;
use super::reject::{Reject, RejectKind};
use super::trees::MAX_EXPANDED;
use super::values::{MAX_COPIES, Read, Site, Stop, Target, Tree, Values};
use crate::body::NodeKind;
use crate::ids::{BlockId, LoopId, NodeId, ValueId};
use crate::poly::{PerSet, Set};
use crate::region::{
    BlockIn, Cond, Def, InstKind, OpCode, Region, Rows, Target as To, Terminator, Ty,
};
use crate::scev::{Scev, ScevKind};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The blocks between a branch by data and where its ways meet again are at most so many.
const MAX_BLOCKS: usize = 32;

/// What data decides about in a region. Blocks are settled in order, when all branches in front of them are known.
#[derive(Clone, Default)]
pub(super) struct Gates {
    /// Blocks that end with a branch by data.
    by_data: BTreeSet<BlockId>,
    /// Blocks behind such branches up to where their ways meet.
    behind: BTreeSet<BlockId>,
    /// Blocks where data decides from which block they are reached.
    gated: BTreeSet<BlockId>,
    /// Blocks where data decides whether they are reached.
    controlled: BTreeSet<BlockId>,
    /// Blocks that lead to each.
    preds: Vec<Vec<BlockId>>,
    /// The last block that all ways to each pass, in none but the loops around it.
    dominator: Vec<BlockId>,
}

impl Gates {
    pub fn new(region: &Region) -> Gates {
        let mut preds: Vec<Vec<BlockId>> = vec![vec![]; region.blocks.len()];
        let mut dominator: Vec<BlockId> = vec![];
        for b in 0..region.blocks.len() {
            let mut all = preds[b].iter().copied();
            let mut at = all.next().unwrap_or(BlockId(0));
            for mut other in all {
                while at != other {
                    match at < other {
                        true => other = dominator[other.index()],
                        false => at = dominator[at.index()],
                    }
                }
            }
            dominator.push(in_front_of_loops(region, &dominator, at, BlockId::from(b)));
            for to in successors(region, BlockId::from(b)) {
                if let To::Block(to) = to {
                    preds[to.index()].push(BlockId::from(b));
                }
            }
        }
        Gates {
            preds,
            dominator,
            ..Gates::default()
        }
    }

    /// Takes a block's branch for one by data, if what it decides about can be modelled.
    pub fn open(&mut self, region: &Region, b: BlockId) -> bool {
        let Some(between) = between(region, b) else {
            return false;
        };
        let plain =
            |at: &BlockId| {
                self.ways(region, *at).is_some()
                    && !region.block(*at).insts.iter().any(|i| {
                        matches!(i.kind, InstKind::Memset { .. } | InstKind::Memcpy { .. })
                    })
            };
        let (inside, meet) = between.split_at(between.len() - 1);
        let fits = inside.iter().all(plain)
            && self.ways(region, meet[0]).is_some()
            && self.finds_rows(region, b, inside, meet[0]);
        if fits {
            self.by_data.insert(b);
            self.behind.extend(between);
        }
        fits
    }

    /// Whether of each table in which entries are looked up behind a branch some are looked up in any case: entries are read in front of the nest, and
    /// one that the program does not read may not be there. Whether they are the same ones is seen when they are known (`tables.rs`).
    fn finds_rows(&self, region: &Region, b: BlockId, inside: &[BlockId], meet: BlockId) -> bool {
        let looks_up = |at: BlockId, rows: &Rows| {
            let mut insts = region.block(at).insts.iter();
            insts.any(|i| rows.loads.contains(&i.id))
        };
        let mut sure = vec![meet, b];
        let mut at = b;
        while at != BlockId(0) {
            at = self.dominator[at.index()];
            sure.push(at);
        }
        region.rows.iter().all(|rows| {
            let behind = inside.iter().copied().filter(|at| looks_up(*at, rows));
            let behind: BTreeSet<BlockId> = behind.collect();
            behind.is_empty()
                || sure.iter().any(|at| looks_up(*at, rows))
                || all_pass(region, b, &behind, |at| at != meet)
        })
    }

    /// Whether a block ends with a branch by data.
    pub fn by_data(&self, b: BlockId) -> bool {
        self.by_data.contains(&b)
    }

    /// Finds out what data decides about a block. All blocks in front of it come first.
    pub fn settle(&mut self, region: &Region, b: BlockId) {
        if !self.behind.contains(&b) {
            return;
        }
        let Some(ways) = self.ways(region, b) else {
            return;
        };
        let from = self.dominator[b.index()];
        let outer = self.is_controlled(from);
        let by_data = self.by_data(from) || ways.iter().any(|w| self.by_data(*w));
        let walk = Walk {
            to: b,
            inside: ways,
        };
        let sure = |gates: &Gates| gates.sure(region, from, &walk) != Sure::Data;
        if outer || by_data && !sure(self) {
            self.controlled.insert(b);
        }
        if outer || by_data {
            self.gated.insert(b);
        }
    }

    /// Whether the end of a walk is reached from one of its blocks.
    fn sure(&self, region: &Region, at: BlockId, walk: &Walk) -> Sure {
        let mut known: BTreeMap<BlockId, Sure> = BTreeMap::from([(walk.to, Sure::Always)]);
        let blocks = std::iter::once(&at).chain(&walk.inside);
        let blocks: BTreeSet<BlockId> = blocks.copied().collect();
        for b in blocks.into_iter().rev() {
            let of = |to: &To| match to {
                To::Block(to) => known.get(to).copied().unwrap_or(Sure::Never),
                _ => Sure::Never,
            };
            // Whoever enters a loop comes out of it, and no check fails.
            let ahead = |to: &&To| match to {
                To::Back(l) => walk.is_around(region, *l),
                to => **to != To::Trap,
            };
            let next = successors(region, b);
            let sides: Vec<Sure> = next.iter().filter(ahead).map(of).collect();
            let first = sides.first().copied().unwrap_or(Sure::Never);
            let same = sides.iter().all(|s| *s == first);
            let sure = match sides.contains(&Sure::Data) {
                true => Sure::Data,
                false if same && (first != Sure::Index || !self.by_data(b)) => first,
                false if self.by_data(b) => Sure::Data,
                false => Sure::Index,
            };
            known.insert(b, sure);
        }
        known[&at]
    }

    /// Whether data decides from which block a block is reached.
    pub fn is_gated(&self, b: BlockId) -> bool {
        self.gated.contains(&b)
    }

    /// Whether data decides if a block runs.
    pub fn is_controlled(&self, b: BlockId) -> bool {
        self.controlled.contains(&b)
    }

    /// The block, if data decides whether it runs.
    pub fn controlled(&self, b: BlockId) -> Option<BlockId> {
        self.is_controlled(b).then_some(b)
    }

    /// Whether one of some blocks, that data decides about, is passed whatever data says.
    pub fn passes(&self, region: &Region, blocks: &BTreeSet<BlockId>) -> bool {
        let Some(first) = blocks.first() else {
            return false;
        };
        let mut from = self.dominator[first.index()];
        while self.is_controlled(from) {
            from = self.dominator[from.index()];
        }
        all_pass(region, from, blocks, |b| self.is_controlled(b))
    }

    /// The conditions on the ways to a block from its dominator.
    pub fn bits(&self, region: &Region, b: BlockId) -> Vec<ValueId> {
        let mut ways = self.back(b);
        ways.insert(self.dominator[b.index()]);
        let bit = |b: &BlockId| match region.block(*b).term {
            Terminator::Branch { bit, .. } => Some(bit),
            Terminator::Jump(_) => None,
        };
        ways.iter().filter_map(bit).collect()
    }

    /// The blocks on the ways from a block's dominator to it, both left out.
    fn back(&self, b: BlockId) -> BTreeSet<BlockId> {
        let from = self.dominator[b.index()];
        let mut found = BTreeSet::new();
        let mut pending = self.preds[b.index()].clone();
        while let Some(p) = pending.pop() {
            if p != from && found.insert(p) {
                pending.extend(&self.preds[p.index()]);
            }
        }
        found
    }

    /// The same, if none of it is outside of the loops around the dominator, which are around the block.
    fn ways(&self, region: &Region, b: BlockId) -> Option<BTreeSet<BlockId>> {
        let around = region.loop_nest(self.dominator[b.index()]);
        let found = self.back(b);
        let inside = |x: &BlockId| region.loop_nest(*x).starts_with(&around);
        (inside(&b) && found.iter().all(inside)).then_some(found)
    }
}

/// Where a block may go to.
pub(super) fn successors(region: &Region, b: BlockId) -> Vec<To> {
    match &region.block(b).term {
        Terminator::Jump(to) => vec![*to],
        Terminator::Branch { then, els, .. } => vec![*then, *els],
    }
}

/// Whether all ways from a block pass one of some blocks before they come to one that is not between. No check fails on the way.
fn all_pass(
    region: &Region,
    from: BlockId,
    blocks: &BTreeSet<BlockId>,
    is_between: impl Fn(BlockId) -> bool,
) -> bool {
    let (mut pending, mut seen) = (successors(region, from), BTreeSet::new());
    while let Some(to) = pending.pop() {
        match to {
            To::Block(b) if blocks.contains(&b) || !seen.insert(b) => {}
            To::Block(b) if is_between(b) => pending.extend(successors(region, b)),
            To::Trap => {}
            _ => return false,
        }
    }
    true
}

/// A dominator of a block in none but the loops around it, the last up to `at`.
fn in_front_of_loops(
    region: &Region,
    dominator: &[BlockId],
    mut at: BlockId,
    b: BlockId,
) -> BlockId {
    let around = region.loop_nest(b);
    while !around.starts_with(&region.loop_nest(at)) && at != BlockId(0) {
        at = dominator[at.index()];
    }
    at
}

/// The blocks behind a branch up to the one where all its ways meet, which is the last: all in the loop of the branch or in loops inside.
fn between(region: &Region, b: BlockId) -> Option<Vec<BlockId>> {
    let loop_ = region.block(b).loop_?;
    let mut found = vec![];
    let mut pending = BTreeSet::new();
    let mut at = b;
    loop {
        for to in successors(region, at) {
            match to {
                To::Block(to) => drop(pending.insert(to)),
                To::Back(l) if l != loop_ => {}
                // That a check fails is ruled out for all iterations, whether data leads there or not.
                To::Trap => {}
                To::Back(_) | To::Exit => return None,
            };
        }
        at = pending.pop_first()?;
        if !region.loop_nest(at).contains(&loop_) || found.len() > MAX_BLOCKS {
            return None;
        }
        found.push(at);
        if pending.is_empty() && region.block(at).loop_ == Some(loop_) {
            return Some(found);
        }
    }
}

/// The region with conditions on data as such: comparisons of loaded integers are no formulas. `None` if it has none.
pub(super) fn without_data(region: &Region) -> Option<Region> {
    let depends = |s: &Scev| {
        s.any(&mut |part| match part.kind {
            ScevKind::Unknown(v) => matches!(region.value(v).def, Def::Inst(_)),
            _ => false,
        })
    };
    let by_data = |b: &BlockId| match &region.block(*b).term {
        Terminator::Branch { cond, .. } => {
            traps_if(region.block(*b)).is_none()
                && !matches!(cond, Cond::Opaque(_))
                && any_evolution(cond, &depends)
        }
        Terminator::Jump(_) => false,
    };
    let blocks = (0..region.blocks.len()).map(BlockId::from);
    let found: Vec<BlockId> = blocks.filter(by_data).collect();
    if found.is_empty() {
        return None;
    }
    let mut next = region.clone();
    for b in found {
        if let Terminator::Branch { cond, bit, .. } = &mut next.blocks[b.index()].term {
            *cond = Cond::Opaque(*bit);
        }
    }
    Some(next)
}

fn any_evolution(cond: &Cond, wanted: &dyn Fn(&Scev) -> bool) -> bool {
    match cond {
        Cond::Const(_) | Cond::Opaque(_) => false,
        Cond::Cmp { lhs, rhs, .. } => wanted(lhs) || wanted(rhs),
        Cond::And(list) | Cond::Or(list) => list.iter().any(|c| any_evolution(c, wanted)),
        Cond::Not(c) => any_evolution(c, wanted),
        Cond::Phi(list) => list.iter().any(|(_, c)| any_evolution(c, wanted)),
    }
}

/// Where control goes behind a block at a site.
enum Next {
    /// To one place.
    One(To),
    /// To either side of a branch, by its condition, which is asked where it runs.
    Two(ValueId, To, To),
}

/// Which sides of a branch the iterations of a site take.
#[derive(Clone)]
pub(super) enum Sides {
    Then,
    Else,
    Both,
    /// Both, and these iterations, or all others, are a rim.
    Rim(Set),
}

/// What was asked of the branch at the end of a block, with rims and without: all that merges behind it asks the same.
pub(super) type Taken = BTreeMap<(BlockId, bool), Rc<PerSet<Sides>>>;

/// The ways to a block, walked from its dominator.
struct Walk {
    to: BlockId,
    inside: BTreeSet<BlockId>,
}

impl Walk {
    /// Whether a loop is around the end of the walk.
    fn is_around(&self, region: &Region, l: LoopId) -> bool {
        region.loop_nest(self.to).contains(&l)
    }

    /// Where control is next in the loops around the end of the walk: in a block itself, or at the end of the loop that it is in.
    fn passed(&self, region: &Region, at: BlockId) -> BlockId {
        let nest = region.loop_nest(at);
        let inner = nest.into_iter().find(|l| !self.is_around(region, *l));
        inner.map_or(at, |l| region.loop_(l).latch)
    }
}

/// What decides whether a block is reached.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sure {
    Always,
    Never,
    /// Iterators and parameters: its domain says when.
    Index,
    Data,
}

/// Whether a block is reached.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reached {
    Always,
    Never,
    If(NodeId),
}

/// Whether a part of a domain is its rim or all but the rim: one of the two is in one piece, and all other pieces are flat. It runs by itself then, as
/// where iterators alone decide.
fn is_rim(domain: &Set, part: &Set) -> Result<bool, Stop> {
    let equalities = |s: &Set| -> Result<Vec<usize>, Stop> {
        let pieces = s.coalesce()?.basic_sets()?;
        let rows = pieces.iter().map(|b| Ok(b.equalities_matrix()?.len()));
        rows.collect()
    };
    let own = equalities(domain)?.into_iter().min();
    let rest = domain.subtract(part)?;
    let mut thick = [part, &rest].into_iter().map(equalities);
    let thick = thick.try_fold(0, |sum, of| {
        of.map(|n| sum + n.iter().filter(|n| Some(**n) == own).count())
    })?;
    Ok(thick == 1)
}

impl Values<'_, '_> {
    /// A PHI as a choice among what comes in.
    pub(super) fn gated_phi(
        &mut self,
        tree: &mut Tree,
        v: ValueId,
        site: Site,
    ) -> Result<NodeId, Stop> {
        let (block, _, inst) = self.inst(v).expect("PHIs of the region");
        let InstKind::Phi(incoming) = &inst.kind else {
            unreachable!("only PHIs merge");
        };
        let nest = self.nest(block);
        if !site.at.nest.starts_with(&nest) {
            let s = self.scalar_of(v)?;
            return Ok(self.read(tree, v, Read::Scalar(s)));
        }
        let from = self.model.gates.dominator[block.index()];
        let walk = Walk {
            to: block,
            inside: self.model.gates.back(block),
        };
        let mut known = BTreeMap::new();
        let found = self.gate(tree, (v, incoming), (from, &walk), site, &mut known)?;
        found.ok_or_else(|| Reject::at_inst(RejectKind::Instruction, block, v).into())
    }

    /// What a PHI is if block `at` is passed; `None` where its block is not reached from there.
    fn gate(
        &mut self,
        tree: &mut Tree,
        (v, incoming): (ValueId, &[(BlockIn, ValueId)]),
        (at, walk): (BlockId, &Walk),
        site: Site,
        known: &mut BTreeMap<BlockId, Option<NodeId>>,
    ) -> Result<Option<NodeId>, Stop> {
        let at = walk.passed(self.model.region, at);
        if let Some(found) = known.get(&at) {
            return Ok(*found);
        }
        let follow = |this: &mut Self, tree: &mut Tree, to: To, known: &mut _| match to {
            To::Block(to) if to == walk.to => {
                let own = incoming
                    .iter()
                    .find(|(from, _)| *from == BlockIn::Block(at));
                own.map(|(_, x)| this.node(tree, *x, site)).transpose()
            }
            To::Block(to) if walk.inside.contains(&to) => {
                this.gate(tree, (v, incoming), (to, walk), site, known)
            }
            _ => Ok(None),
        };
        let found = match self.next(at, site)? {
            Next::One(to) => follow(self, tree, to, known)?,
            Next::Two(bit, then, els) => {
                let then = follow(self, tree, then, known)?;
                let els = follow(self, tree, els, known)?;
                match (then, els) {
                    (Some(then), Some(els)) if then != els => {
                        let cond = self.node(tree, bit, site)?;
                        Some(self.choose(tree, v, [cond, then, els])?)
                    }
                    (one, other) => one.or(other),
                }
            }
        };
        known.insert(at, found);
        Ok(found)
    }

    /// Makes a statement of a block that data decides about a conditional one: it writes a choice between its value and what is
    /// there. Whether it writes in some iterations only.
    pub(super) fn conditional(
        &mut self,
        tree: &mut Tree,
        block: BlockId,
        target: &Target,
        site: Site,
    ) -> Result<bool, Stop> {
        let reached = self.reached(tree, block, site)?;
        let ty = tree.body.node(tree.body.root).ty;
        let cond = match reached {
            Reached::Always => return Ok(false),
            Reached::Never => tree.body.push(Ty::Int(1), NodeKind::Bits(0)),
            Reached::If(cond) => cond,
        };
        let (els, may) = match target {
            Target::Cell(cell) => {
                tree.reads.push(Read::Cell(cell.clone(), None));
                let kind = NodeKind::Read(tree.reads.len());
                (tree.body.push(ty, kind), true)
            }
            // A value that is used where it is computed only.
            Target::Scalar(_) if matches!(ty, Ty::Int(1..=64) | Ty::Float(16 | 32 | 64)) => {
                (tree.body.push(ty, NodeKind::Bits(0)), false)
            }
            Target::Scalar(_) => {
                return Err(Reject::at_block(RejectKind::Condition, block).into());
            }
        };
        let inst = self.bit_of(self.model.gates.dominator[block.index()]);
        let then = tree.body.root;
        tree.body.root = self.choose(tree, inst, [cond, then, els])?;
        Ok(may)
    }

    /// Whether a block is reached in an iteration.
    fn reached(&mut self, tree: &mut Tree, block: BlockId, site: Site) -> Result<Reached, Stop> {
        let gates = &self.model.gates;
        if !gates.is_controlled(block) {
            return Ok(Reached::Always);
        }
        let from = gates.dominator[block.index()];
        let walk = Walk {
            to: block,
            inside: gates.back(block),
        };
        let by_data = gates.sure(self.model.region, from, &walk) == Sure::Data;
        let outer = self.reached(tree, from, site)?;
        let inner = match by_data {
            true => self.reaches(tree, (from, &walk), site, &mut BTreeMap::new())?,
            // The domain says it all.
            false => Reached::Always,
        };
        let never = |tree: &mut Tree| tree.body.push(Ty::Int(1), NodeKind::Bits(0));
        Ok(match (outer, inner) {
            (Reached::Always, inner) => inner,
            (outer, Reached::Always) => outer,
            (Reached::Never, _) | (_, Reached::Never) => Reached::Never,
            (Reached::If(outer), Reached::If(inner)) => {
                let no = never(tree);
                let inst = self.bit_of(from);
                Reached::If(self.choose(tree, inst, [outer, inner, no])?)
            }
        })
    }

    /// Whether the end of a walk is reached if block `at` is passed.
    fn reaches(
        &mut self,
        tree: &mut Tree,
        (at, walk): (BlockId, &Walk),
        site: Site,
        known: &mut BTreeMap<BlockId, Reached>,
    ) -> Result<Reached, Stop> {
        let at = walk.passed(self.model.region, at);
        if let Some(found) = known.get(&at) {
            return Ok(*found);
        }
        let follow = |this: &mut Self, tree: &mut Tree, to: To, known: &mut _| match to {
            To::Block(to) if to == walk.to => Ok(Reached::Always),
            To::Block(to) if walk.inside.contains(&to) => {
                this.reaches(tree, (to, walk), site, known)
            }
            _ => Ok(Reached::Never),
        };
        let found = match self.next(at, site)? {
            Next::One(to) => follow(self, tree, to, known)?,
            Next::Two(bit, then, els) => {
                let then = follow(self, tree, then, known)?;
                let els = follow(self, tree, els, known)?;
                self.either(tree, bit, (then, els), site)?
            }
        };
        known.insert(at, found);
        Ok(found)
    }

    /// Whether a block is reached by the ways on both sides of a branch.
    fn either(
        &mut self,
        tree: &mut Tree,
        bit: ValueId,
        (then, els): (Reached, Reached),
        site: Site,
    ) -> Result<Reached, Stop> {
        if then == els {
            return Ok(then);
        }
        let cond = self.node(tree, bit, site)?;
        if (then, els) == (Reached::Always, Reached::Never) {
            return Ok(Reached::If(cond));
        }
        let mut node = |reached| match reached {
            Reached::Always => tree.body.push(Ty::Int(1), NodeKind::Bits(1)),
            Reached::Never => tree.body.push(Ty::Int(1), NodeKind::Bits(0)),
            Reached::If(node) => node,
        };
        let arms = [cond, node(then), node(els)];
        Ok(Reached::If(self.choose(tree, bit, arms)?))
    }

    /// Where control goes behind a block in the iterations of a site.
    fn next(&mut self, b: BlockId, site: Site) -> Result<Next, Stop> {
        let region = self.model.region;
        let (bit, then, els) = match &region.block(b).term {
            Terminator::Jump(to) => return Ok(Next::One(*to)),
            Terminator::Branch { bit, then, els, .. } => (*bit, *then, *els),
        };
        match (then, els) {
            (To::Back(_) | To::Trap, to) | (to, To::Back(_) | To::Trap) => {
                return Ok(Next::One(to));
            }
            _ => {}
        }
        let both = Ok(Next::Two(bit, then, els));
        if self.model.gates.by_data(b) || !site.at.nest.starts_with(&self.nest(b)) {
            return both;
        }
        let To::Block(block) = then else {
            return both;
        };
        let rims = site.copies < MAX_COPIES;
        let known = Rc::clone(self.taken.entry((b, rims)).or_default());
        match known.answer(site.domain, || self.sides((b, block), site, rims))? {
            Sides::Then => Ok(Next::One(then)),
            Sides::Else => Ok(Next::One(els)),
            Sides::Both => both,
            Sides::Rim(part) => Err(Stop::Choice(part)),
        }
    }

    /// Which sides of the branch at the end of a block, of which one leads to another block, are taken.
    fn sides(
        &mut self,
        (b, block): (BlockId, BlockId),
        site: Site,
        rims: bool,
    ) -> Result<Sides, Stop> {
        let taken = self.model.edge(b, block)?;
        let taken = super::holds::padded(&taken, site.domain.tuple_dim())?;
        if site.domain.is_subset(&taken)? {
            return Ok(Sides::Then);
        }
        let part = site.domain.intersect(&taken)?;
        Ok(match part.is_empty()? {
            true => Sides::Else,
            false if rims && is_rim(site.domain, &part)? => Sides::Rim(part),
            false => Sides::Both,
        })
    }

    fn bit_of(&self, b: BlockId) -> ValueId {
        match self.model.region.block(b).term {
            Terminator::Branch { bit, .. } => bit,
            Terminator::Jump(_) => ValueId(0),
        }
    }

    /// A choice.
    pub(super) fn choose(
        &mut self,
        tree: &mut Tree,
        inst: ValueId,
        [cond, then, els]: [NodeId; 3],
    ) -> Result<NodeId, Stop> {
        let ty = tree.body.node(then).ty;
        let args = vec![cond, then, els];
        let op = OpCode::Choose;
        let id = tree.body.common(ty, NodeKind::Op { inst, op, args });
        match tree.body.expanded(id) > MAX_EXPANDED {
            true => Err(Reject {
                block: self.model.defs.get(&inst).map(|(block, _)| *block),
                ..Reject::new(RejectKind::TooLarge)
            }
            .into()),
            false => Ok(id),
        }
    }
}
