//! What detection works on: parameters, domains of blocks, positions of instructions, assumptions found so far.
//!
//! A *position* is the place of an instruction in the topological order of its region; the beta vector of an instruction
//! is the positions of the headers around it and its own. Domains come from path conditions over the acyclic control
//! flow: a block runs where one of its incoming edges is taken, and a loop's header runs where the loop is entered and
//! `0 <= i <= backedge count`.

use super::affine::{Affine, NotAffine, Params, Size, Suspicion};
use super::between::Between;
use super::choices::formula;
use super::gates::Gates;
use super::numbers;
use super::ranges::{self, Noted};
use super::reject::{Reject, RejectKind};
use super::rotation::Rotations;
use super::ways_out;
use crate::ids::{BlockId, LoopId, ValueId};
use crate::poly::{Ctx, DimType, Set};
use crate::region::{Block, BlockIn, CmpPred, Cond, InstKind, Region, Target, Terminator};
use crate::scev::{Scev, ScevKind};
use crate::scop::AssumptionKind;
use std::collections::{BTreeMap, BTreeSet};

/// Positions per block.
const BLOCK: i64 = 1 << 20;

/// What a size has to be at least to be worth a version of its own.
const LARGE: i64 = 64;

/// Positions per instruction: a statement and its copies for other parts of its iterations.
pub(super) const STEP: i64 = 32;

/// Parameters beyond this could overflow 64-bit bounds.
pub(super) const PARAMETER_LIMIT: i64 = 1 << 40;

/// The state of one detection.
pub(super) struct Model<'r> {
    pub ctx: Ctx,
    pub region: &'r Region,
    pub params: Params,
    /// Domain per block over the iterators of its loops; `None`: not computed yet.
    domains: Vec<Option<Set>>,
    /// Where each loop is entered, over the iterators around it.
    entered: Vec<Option<Set>>,
    /// Where edges between two blocks are taken, as far as it was asked.
    edges: BTreeMap<(BlockId, BlockId), Set>,
    /// Parameter values for which an assumption fails.
    pub forbidden: Vec<(Set, AssumptionKind)>,
    /// Polynomials that are taken to stay in a range, and where.
    pub wide: Vec<Noted>,
    /// The only parameter values that the model is for, where all of them have too many cases.
    pub main: Option<Set>,
    /// The parameter values for which sizes that are sums are what they are made of; `None`: not looked at.
    pub related: Option<Set>,
    /// Block and index of every instruction.
    pub defs: BTreeMap<ValueId, (BlockId, usize)>,
    /// What data decides about.
    pub gates: Gates,
    /// The blocks at whose end data decides that the region is left.
    pub ways_out: BTreeSet<BlockId>,
    /// What runs between what, as far as it was asked.
    pub between: Between,
    /// In which order the scalars of loops take their next values, as far as it was asked.
    pub rotations: Rotations,
}

/// A point in an execution: the beta vector of something in a nest.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Time {
    pub nest: Vec<LoopId>,
    pub beta: Vec<i64>,
}

/// Visits every evolution of a region.
pub(super) fn each_evolution(region: &Region, visit: &mut dyn FnMut(&Scev)) {
    each_in_conditions(region, visit);
    for b in &region.blocks {
        for i in &b.insts {
            match &i.kind {
                InstKind::Load { addr, .. } | InstKind::Store { addr, .. } => visit(&addr.offset),
                InstKind::Memset { addr, len, .. } => {
                    visit(&addr.offset);
                    visit(len);
                }
                InstKind::Memcpy { dst, src, len } => {
                    visit(&dst.offset);
                    visit(&src.offset);
                    visit(len);
                }
                InstKind::Phi(_) | InstKind::Op { .. } | InstKind::Index => {}
            }
        }
    }
}

/// Visits the evolutions that say what runs: counts of iterations and conditions.
pub(super) fn each_in_conditions(region: &Region, visit: &mut dyn FnMut(&Scev)) {
    each_in_choices(region, visit);
    for cond in region.blocks.iter().filter_map(traps_if) {
        each_in_cond(cond, visit);
    }
}

/// The same without checks, which are assumed to succeed.
pub(super) fn each_in_choices(region: &Region, visit: &mut dyn FnMut(&Scev)) {
    region.required.iter().for_each(|c| each_in_cond(c, visit));
    for l in &region.loops {
        visit(&l.backedge_count);
        l.predicates.iter().for_each(|c| each_in_cond(c, visit));
    }
    for b in region.blocks.iter().filter(|b| traps_if(b).is_none()) {
        if let Terminator::Branch { cond, .. } = &b.term {
            each_in_cond(cond, visit);
        }
    }
}

/// The condition of a check that traps on one side.
pub(super) fn traps_if(block: &Block) -> Option<&Cond> {
    match &block.term {
        Terminator::Branch {
            cond, then, els, ..
        } if *then == Target::Trap || *els == Target::Trap => Some(cond),
        _ => None,
    }
}

fn each_in_cond(cond: &Cond, visit: &mut dyn FnMut(&Scev)) {
    match cond {
        Cond::Const(_) | Cond::Opaque(_) => {}
        Cond::Cmp { lhs, rhs, .. } => {
            visit(lhs);
            visit(rhs);
        }
        Cond::And(v) | Cond::Or(v) => v.iter().for_each(|c| each_in_cond(c, visit)),
        Cond::Not(c) => each_in_cond(c, visit),
        Cond::Phi(v) => v.iter().for_each(|(_, c)| each_in_cond(c, visit)),
    }
}

impl<'r> Model<'r> {
    /// With the domains of all blocks.
    pub fn new(ctx: &Ctx, region: &'r Region) -> Result<Model<'r>, Reject> {
        let mut model = Model::without_domains(ctx, region);
        model.compute_domains()?;
        model.relate_sums()?;
        Ok(model)
    }

    /// With the domains of the blocks in front of the first one that cannot be modelled.
    pub fn partial(ctx: &Ctx, region: &'r Region) -> Model<'r> {
        let mut model = Model::without_domains(ctx, region);
        // Whoever needs all domains computes them again and reports the error.
        let _ = model.compute_domains();
        model
    }

    fn without_domains(ctx: &Ctx, region: &'r Region) -> Model<'r> {
        let mut defs = BTreeMap::new();
        for (b, block) in region.blocks.iter().enumerate() {
            for (i, inst) in block.insts.iter().enumerate() {
                defs.insert(inst.id, (BlockId::from(b), i));
            }
        }
        Model {
            ctx: ctx.clone(),
            region,
            params: Params::of(region),
            domains: vec![None; region.blocks.len()],
            entered: vec![None; region.loops.len()],
            forbidden: vec![],
            wide: vec![],
            main: None,
            related: None,
            defs,
            gates: Gates::new(region),
            ways_out: BTreeSet::new(),
            edges: BTreeMap::new(),
            between: Between::default(),
            rotations: Rotations::default(),
        }
    }

    // Sets.

    /// `{ [i0, ..] : cond }`, where the condition may have choices in it.
    pub fn set(&self, depth: usize, cond: &str) -> Result<Set, Reject> {
        let text = format!(
            "{}{{ [{}] : {} }}",
            self.params.prefix(),
            iterators(depth),
            formula(cond)
        );
        Ok(Set::parse(&self.ctx, &text)?)
    }

    /// Whether the iterations of a block are known.
    pub fn has_domain(&self, b: BlockId) -> bool {
        self.domains[b.index()].is_some()
    }

    /// The iterations of a block.
    pub fn domain(&self, b: BlockId) -> &Set {
        self.domains[b.index()]
            .as_ref()
            .expect("domains are computed first")
    }

    /// Turns what a conversion took for granted on `domain` into forbidden parameter values.
    pub fn record(&mut self, suspicions: Vec<Suspicion>, domain: &Set) -> Result<(), Reject> {
        for s in suspicions {
            let bad = domain
                .intersect(&self.set(domain.tuple_dim(), &s.bad)?)?
                .params()?;
            self.forbid(bad, s.why)?;
        }
        Ok(())
    }

    /// Assumes on `domain` that remainders by parameters are what a conversion took them for; false if they are not for any large parameters.
    pub fn goes_around(&mut self, domain: &Set, not: &[String]) -> Result<bool, Reject> {
        for bad in not {
            let bad = domain
                .intersect(&self.set(domain.tuple_dim(), bad)?)?
                .params()?;
            let names = self.params.iter().map(|p| format!("{} >= {LARGE}", p.name));
            let large = names.collect::<Vec<_>>().join(" and ");
            let runs = domain
                .params()?
                .intersect(&self.set(0, &large)?.params()?)?;
            if runs.is_subset(&bad)? {
                return Ok(false);
            }
            self.forbid(bad, AssumptionKind::InBounds)?;
        }
        Ok(true)
    }

    /// Forbids parameter values.
    pub fn forbid(&mut self, bad: Set, why: AssumptionKind) -> Result<(), Reject> {
        if !bad.is_empty()? {
            self.forbidden.push((bad, why));
        }
        Ok(())
    }

    /// Whether some instances are among others, but for parameter values with which the program traps in front of the others.
    pub fn includes(&self, others: &Set, some: &Set) -> Result<bool, Reject> {
        if some.is_subset(others)? {
            return Ok(true);
        }
        let mut missing = some.subtract(others)?.params()?;
        let traps = self.forbidden.iter();
        for (bad, _) in traps.filter(|(_, why)| *why == AssumptionKind::NoTrap) {
            missing = missing.subtract(bad)?;
        }
        Ok(missing.is_empty()?)
    }

    /// An expression over a nest; what it takes for granted is recorded for `domain`.
    pub fn text(
        &mut self,
        s: &Scev,
        nest: &[LoopId],
        domain: &Set,
    ) -> Result<Option<String>, Reject> {
        let mut affine = Affine::new(&self.params, nest);
        match affine.text(s) {
            Ok(text) => {
                let suspicions = affine.suspicions;
                self.record(suspicions, domain)?;
                Ok(Some(text))
            }
            Err(NotAffine) => Ok(None),
        }
    }

    /// Sizes that are sums or quotients of parameters are what they are made of, where their arithmetic does not wrap.
    fn relate_sums(&mut self) -> Result<(), Reject> {
        let sums: Vec<(String, Scev)> = self
            .params
            .iter()
            .filter(|p| matches!(p.size, Some(Size::Sum(_))))
            .map(|p| (p.name.to_owned(), p.expr))
            .collect();
        let all = self.set(0, "true")?;
        let mut related = all.params()?;
        for (name, expr) in sums {
            if let Some(text) = self.text(&expr, &[], &all)? {
                let other = self.set(0, &format!("{name} != {text}"))?.params()?;
                related = related.subtract(&other)?;
                self.forbid(other, AssumptionKind::NoWrap)?;
            }
        }
        // What the greatest of several is has a case for each: it is no less than any of them.
        for (name, pred, parts) in self.params.extremes() {
            let compares = match pred {
                CmpPred::Sge | CmpPred::Uge => ">=",
                _ => "<=",
            };
            for part in parts {
                if let Some(text) = self.text(&part, &[], &all)? {
                    let holds = self.set(0, &format!("{name} {compares} {text}"))?;
                    related = related.intersect(&holds.params()?)?;
                }
            }
        }
        self.related = Some(related);
        Ok(())
    }

    /// Takes a value for a multiple of a number, and not for a negative one.
    pub fn take_for_multiple(&mut self, v: ValueId, of: i128) -> Result<(), Reject> {
        if let Some(name) = self.params.name(v).map(str::to_owned) {
            let other = self.set(0, &format!("({name}) mod {of} != 0 or {name} < 0"))?;
            self.forbid(other.params()?, AssumptionKind::Stride)?;
        }
        Ok(())
    }

    // Control flow.

    fn compute_domains(&mut self) -> Result<(), Reject> {
        let mut edges: Vec<Vec<(Option<BlockId>, Set)>> = vec![vec![]; self.region.blocks.len()];
        let entry = self.set(0, "true")?;
        self.require(&entry)?;
        edges[0].push((None, entry));
        for b in 0..self.region.blocks.len() {
            let id = BlockId::from(b);
            self.gates.settle(self.region, id);
            let incoming = std::mem::take(&mut edges[b]);
            let domain = self.block_domain(id, &incoming)?;
            numbers::affordable_domain(&domain).map_err(|e| Reject {
                block: Some(id),
                ..e
            })?;
            self.domains[b] = Some(domain.clone());
            for (target, taken) in self.outgoing(id, &domain)? {
                match target {
                    Target::Block(to) => edges[to.index()].push((Some(id), taken)),
                    Target::Trap => self.forbid(taken.params()?, AssumptionKind::NoTrap)?,
                    Target::Back(_) | Target::Exit => {}
                }
            }
        }
        Ok(())
    }

    /// Takes what the region requires for given.
    fn require(&mut self, entry: &Set) -> Result<(), Reject> {
        let region = self.region;
        for c in &region.required {
            let Some(holds) = self.condition(c, &[], entry)? else {
                return Err(Reject::new(RejectKind::Assumptions));
            };
            let bad = entry.subtract(&holds)?.params()?;
            self.forbid(bad, AssumptionKind::NoTrap)?;
        }
        Ok(())
    }

    /// The union of the incoming edges, each over the iterators around the block; one dimension more for a header.
    fn block_domain(
        &mut self,
        b: BlockId,
        incoming: &[(Option<BlockId>, Set)],
    ) -> Result<Set, Reject> {
        let nest = self.region.loop_nest(b);
        let header = self.region.headed(b);
        let depth = nest.len() - usize::from(header.is_some());
        let mut all = self.set(depth, "false")?;
        for (from, taken) in incoming {
            let from_nest = from.map_or(vec![], |f| self.region.loop_nest(f));
            let part = match from_nest.get(depth) {
                // Leaving a loop: it ends, so the block runs wherever the loop is entered.
                Some(&left) => {
                    self.latch_exit(from.expect("a nest has a block"), left)?;
                    self.entered[left.index()]
                        .clone()
                        .expect("the loop comes first")
                }
                None => taken.clone(),
            };
            all = all.union(&part)?;
        }
        let all = all.coalesce()?;
        match header {
            None => Ok(all),
            Some(l) => {
                self.entered[l.index()] = Some(all.clone());
                self.header_domain(l, &nest, &all)
            }
        }
    }

    /// Only the latches of the loops that are left may leave them.
    fn latch_exit(&self, from: BlockId, left: LoopId) -> Result<(), Reject> {
        let inner = self.region.block(from).loop_;
        match inner {
            Some(l) if self.region.loop_(l).latch == from && l == left => Ok(()),
            _ => Err(Reject::at_loop(RejectKind::EarlyExit, left)),
        }
    }

    fn header_domain(&mut self, l: LoopId, nest: &[LoopId], entered: &Set) -> Result<Set, Reject> {
        let region = self.region;
        let depth = nest.len() - 1;
        let count = self.text(&region.loop_(l).backedge_count, &nest[..depth], entered)?;
        let Some(count) = count else {
            // Inside of the loops that it depends on it may be a number like any other.
            let on = region.loop_(l).backedge_count.loops();
            let outer = nest[..depth].iter().rev().find(|o| on.contains(o));
            return Err(Reject::at_loop(RejectKind::TripCount, *outer.unwrap_or(&l)));
        };
        let negative = entered.intersect(&self.set(depth, &format!("{count} < 0"))?)?;
        self.forbid(negative.params()?, AssumptionKind::NoWrap)?;
        let outer = entered.add_dims(DimType::Set, 1)?;
        let inner = self.set(depth + 1, &format!("0 <= i{depth} <= {count}"))?;
        let domain = outer.intersect(&inner)?.coalesce()?;
        let count = &region.loop_(l).backedge_count;
        let domain = match domain.n_basic_set() > entered.n_basic_set() {
            true => {
                let domain = self.without_maxima(count, &nest[..depth], &outer, domain)?;
                self.at_least_once(count, domain)?
            }
            false => domain,
        };
        // The count is right if what it takes for granted holds in each of the iterations that it counts.
        for p in &region.loop_(l).predicates {
            let Some(holds) = self.condition(p, nest, &domain)? else {
                return Err(Reject::at_loop(RejectKind::TripCount, l));
            };
            let bad = domain.subtract(&holds)?.params()?;
            self.forbid(bad, AssumptionKind::NoWrap)?;
        }
        Ok(domain)
    }

    /// The same iterations without a maximum in their count where it only says that the loop is entered:
    ///
    /// ```text
    /// for (i = f; i < n; i += 2)  where f < n:      (max(n, f + 2) - f - 1) / 2 = (n - f - 1) / 2
    /// ```
    ///
    /// Where `f` depends on iterators around the loop, that is not known without its domain.
    fn without_maxima(
        &self,
        count: &Scev,
        around: &[LoopId],
        outer: &Set,
        domain: Set,
    ) -> Result<Set, Reject> {
        let depth = around.len();
        for count in with_one_side(count) {
            // What it takes for granted does not matter: it is compared with what is known to be right.
            let Ok(count) = Affine::new(&self.params, around).text(&count) else {
                continue;
            };
            let inner = self.set(depth + 1, &format!("0 <= i{depth} <= {count}"))?;
            let simple = outer.intersect(&inner)?.coalesce()?;
            if simple.n_basic_set() < domain.n_basic_set() && simple.is_equal(&domain)? {
                return Ok(simple);
            }
        }
        Ok(domain)
    }

    /// The iterations of a loop with `max(1, n)` of them, where `n` is at least one: `n / m` as a bound is compared with zero as
    /// `m <= n` in front of the loop, and the size in `for (i = lo; i < lo + n; ..)` as `n > 0`, so that nobody knows. One iteration for an
    /// `n` of zero is a case of its own, which no tile is made for.
    fn at_least_once(&mut self, count: &Scev, mut domain: Set) -> Result<Set, Reject> {
        let mut maxima: Vec<[&Scev; 2]> = vec![];
        collect_maxima(count, &mut maxima);
        let depth = domain.tuple_dim();
        let once = self.set(depth, &format!("i{} = 0", depth - 1))?;
        for [least, size] in maxima {
            let texts = [least, size].map(|s| Affine::new(&self.params, &[]).text(s));
            let [Ok(least), Ok(size)] = texts else {
                continue;
            };
            let none = self.set(depth, &format!("{size} < {least}"))?;
            let rest = domain.subtract(&none)?.coalesce()?;
            if rest.n_basic_set() >= domain.n_basic_set() || rest.is_empty()? {
                continue;
            }
            let other = domain.intersect(&none)?;
            if other.is_subset(&once)? {
                self.forbid(other.params()?, AssumptionKind::NonEmpty)?;
                domain = rest;
            }
        }
        Ok(domain)
    }

    /// Where each successor of a block is taken.
    fn outgoing(&mut self, b: BlockId, domain: &Set) -> Result<Vec<(Target, Set)>, Reject> {
        let region = self.region;
        let nest = region.loop_nest(b);
        match &region.block(b).term {
            Terminator::Jump(t) => Ok(vec![(*t, domain.clone())]),
            Terminator::Branch {
                cond, then, els, ..
            } => {
                let leaves = |t: &Target| matches!(t, Target::Back(_));
                if leaves(then) || leaves(els) {
                    // A latch: the trip count says when the loop is left.
                    return Ok(vec![(*then, domain.clone()), (*els, domain.clone())]);
                }
                let both = || Ok(vec![(*then, domain.clone()), (*els, domain.clone())]);
                if self.gates.by_data(b) {
                    return both();
                }
                let Some(holds) = self.condition(cond, &nest, domain)? else {
                    // A check that a product of sizes is large enough for all iterations: what it guards against does not happen.
                    let wanted = match (then, els) {
                        (_, Target::Trap) => true,
                        (Target::Trap, _) => false,
                        _ if self.gates.open(region, b) => return both(),
                        _ => return Err(Reject::at_block(RejectKind::Condition, b)),
                    };
                    if !ranges::always(self, (cond, wanted), &nest, domain)? {
                        match ways_out::is_one(region, &self.gates, b) {
                            true => drop(self.ways_out.insert(b)),
                            false => return Err(Reject::at_block(RejectKind::Condition, b)),
                        }
                    }
                    let passed = if wanted { then } else { els };
                    return Ok(vec![(*passed, domain.clone())]);
                };
                let yes = domain.intersect(&holds)?.coalesce()?;
                let no = domain.subtract(&holds)?.coalesce()?;
                Ok(vec![(*then, yes), (*els, no)])
            }
        }
    }

    /// The iterations in which an edge between two blocks is taken.
    pub fn edge(&mut self, from: BlockId, to: BlockId) -> Result<Set, Reject> {
        if let Some(known) = self.edges.get(&(from, to)) {
            return Ok(known.clone());
        }
        let domain = self.domain(from).clone();
        let mut all = domain.subtract(&domain)?;
        for (target, taken) in self.outgoing(from, &domain)? {
            if target == Target::Block(to) {
                all = all.union(&taken)?;
            }
        }
        self.edges.insert((from, to), all.clone());
        Ok(all)
    }

    /// Where a condition holds; `None` if it is not affine.
    fn condition(
        &mut self,
        cond: &Cond,
        nest: &[LoopId],
        domain: &Set,
    ) -> Result<Option<Set>, Reject> {
        let depth = nest.len();
        Ok(match cond {
            Cond::Const(true) => Some(self.set(depth, "true")?),
            Cond::Const(false) => Some(self.set(depth, "false")?),
            Cond::Opaque(_) => None,
            Cond::Cmp { pred, lhs, rhs } => {
                let mut affine = Affine::with_remainders(&self.params, nest);
                let text = affine.compare(*pred, lhs, rhs);
                let (suspicions, around) = (affine.suspicions, affine.around);
                match text {
                    Ok(text) if self.goes_around(domain, &around)? => {
                        self.record(suspicions, domain)?;
                        Some(self.set(depth, &text)?)
                    }
                    _ => None,
                }
            }
            Cond::Not(c) => match self.condition(c, nest, domain)? {
                Some(s) => Some(s.complement()?),
                None => None,
            },
            Cond::And(v) | Cond::Or(v) => {
                let conjunction = matches!(cond, Cond::And(_));
                let mut all = self.set(depth, if conjunction { "true" } else { "false" })?;
                for c in v {
                    let Some(s) = self.condition(c, nest, domain)? else {
                        return Ok(None);
                    };
                    all = if conjunction {
                        all.intersect(&s)?
                    } else {
                        all.union(&s)?
                    };
                }
                Some(all)
            }
            Cond::Phi(incoming) => return self.merged_condition(incoming, nest, domain),
        })
    }

    /// A merge of conditions: the value of whichever edge was taken.
    fn merged_condition(
        &mut self,
        incoming: &[(BlockIn, Cond)],
        nest: &[LoopId],
        domain: &Set,
    ) -> Result<Option<Set>, Reject> {
        let mut all = self.set(nest.len(), "false")?;
        for (from, c) in incoming {
            let BlockIn::Block(from) = from else {
                return Ok(None);
            };
            if self.region.loop_nest(*from) != nest {
                return Ok(None);
            }
            let Some(to) = self.merge_block(incoming) else {
                return Ok(None);
            };
            if self.gates.by_data(*from) || self.gates.is_gated(to) {
                return Ok(None);
            }
            let taken = self.edge(*from, to)?;
            let Some(s) = self.condition(c, nest, domain)? else {
                return Ok(None);
            };
            all = all.union(&taken.intersect(&s)?)?;
        }
        Ok(Some(all))
    }

    /// The block that all these blocks lead to.
    fn merge_block(&self, incoming: &[(BlockIn, Cond)]) -> Option<BlockId> {
        let targets = |b: BlockId| -> Vec<BlockId> {
            let list = match &self.region.block(b).term {
                Terminator::Jump(t) => vec![*t],
                Terminator::Branch { then, els, .. } => vec![*then, *els],
            };
            list.iter()
                .filter_map(|t| {
                    if let Target::Block(b) = t {
                        Some(*b)
                    } else {
                        None
                    }
                })
                .collect()
        };
        let mut common: Option<Vec<BlockId>> = None;
        for (from, _) in incoming {
            let BlockIn::Block(b) = from else { return None };
            let here = targets(*b);
            common = Some(match common {
                None => here,
                Some(c) => c.into_iter().filter(|b| here.contains(b)).collect(),
            });
        }
        common?.first().copied()
    }

    // Order.

    /// The time of instruction `index` of a block.
    pub fn time(&self, b: BlockId, index: usize) -> Time {
        self.time_at(b, 1 + i64::try_from(index).unwrap_or(BLOCK) * STEP)
    }

    /// The beginning of a block.
    pub fn begin(&self, b: BlockId) -> Time {
        self.time_at(b, 0)
    }

    /// The end of a block, `order` places before the very end.
    pub fn end(&self, b: BlockId, order: i64) -> Time {
        self.time_at(b, BLOCK - STEP * (1 + order))
    }

    fn time_at(&self, b: BlockId, within: i64) -> Time {
        let nest = self.region.loop_nest(b);
        let position = |b: BlockId| i64::from(b.0) * BLOCK;
        let mut beta: Vec<i64> = nest
            .iter()
            .map(|&l| position(self.region.loop_(l).header))
            .collect();
        beta.push(position(b) + within);
        Time { nest, beta }
    }
}

/// The pairs of which an evolution has the larger one, both ways round.
fn collect_maxima<'s>(s: &'s Scev, found: &mut Vec<[&'s Scev; 2]>) {
    if let ScevKind::UMax(v) | ScevKind::SMax(v) = &s.kind
        && let [a, b] = &v[..]
    {
        found.extend([[a, b], [b, a]]);
    }
    for part in s.operands() {
        collect_maxima(part, found);
    }
}

/// An evolution with either side of one of its maxima instead of it.
fn with_one_side(s: &Scev) -> Vec<Scev> {
    let mut found = vec![];
    if let ScevKind::UMax(v) | ScevKind::SMax(v) = &s.kind
        && let [a, b] = &v[..]
    {
        found.extend([a.clone(), b.clone()]);
    }
    for (at, part) in s.operands().into_iter().enumerate() {
        for side in with_one_side(part) {
            let mut whole = s.clone();
            *whole.operands_mut()[at] = side;
            found.push(whole);
        }
    }
    found
}

/// `i0, i1, ..`.
pub(super) fn iterators(depth: usize) -> String {
    let names: Vec<String> = (0..depth).map(|d| format!("i{d}")).collect();
    names.join(", ")
}
