//! Statements, and the SCoP made of them.

use super::assume;
use super::cases::Rims;
use super::delicm::Kept;
use super::memory::{Memory, addresses};
use super::model::{Model, Time};
use super::products;
use super::ranges;
use super::reject::{Reject, RejectKind};
use super::single;
use super::tables;
use super::values::{Draft, MAX_COPIES, Read, Site, Source, Stop, Target, Tree, Values};
use super::widths;
use crate::body::{Body, Node, NodeKind};
use crate::chain::beyond;
use crate::ids::{ArrayId, BaseId, BlockId, LoopId, StmtId, ValueId};
use crate::poly::{self, DimType, Map, PerSet, Set};
use crate::region::{Address, Def, InstKind, OpCode, Region, Ty};
use crate::scev::Scev;
use crate::scop::{
    Access, AccessKind, Array, ArrayKind, Assumption, AssumptionKind, LoopInfo, Param, Place, Scop,
    Stmt,
};
use std::collections::{BTreeMap, BTreeSet};

/// A statement with its tree, not yet numbered.
pub(super) struct Built {
    pub at: Time,
    pub domain: Set,
    pub target: Target,
    pub tree: Tree,
    pub ty: Ty,
    /// The store.
    pub inst: Option<ValueId>,
    /// Whether it writes in some of its iterations only, as the operand tree says.
    pub may: bool,
}

/// Operations whose results a scalar takes per iteration from which on there is something to gain beside the sum.
const MANY: usize = 8;

impl Built {
    /// Whether it writes memory, finds an extremum, or computes so much for a scalar that the sum is not all of it.
    fn may_gain(&self) -> bool {
        let ops = || {
            let nodes = self.tree.body.nodes.iter();
            nodes.filter_map(|n| match &n.kind {
                NodeKind::Op { op, .. } => Some(op),
                _ => None,
            })
        };
        let slow =
            |op: &OpCode| matches!(op, OpCode::FDiv(_) | OpCode::Sqrt) || op.is_root_with_errno();
        let chosen = |op: &OpCode| matches!(op, OpCode::FCmp(_));
        let extremum = || match self.at.nest.len() {
            1 => self.is_extremum(),
            _ => ops().any(chosen),
        };
        let floats = ops().filter(|op| op.is_float()).count();
        match self.target {
            Target::Cell(_) => true,
            Target::Scalar(_) if self.at.nest.is_empty() => false,
            Target::Scalar(_) => extremum() || ops().any(slow) || floats >= MANY,
        }
    }

    /// Whether it takes a value in the place of another one that it is beyond.
    fn is_extremum(&self) -> bool {
        let body = &self.tree.body;
        let read = |n: &Node| match n.kind {
            NodeKind::Read(read) => Some(read),
            _ => None,
        };
        let mut reads = body.nodes.iter().filter_map(read);
        reads.any(|read| beyond(body, body.root, read).is_some())
    }
}

/// All statements, and the scalars they use.
pub(super) struct Statements {
    built: Vec<Built>,
    /// Iterations of the statements; copies for what an address chooses count together. So do those of the same loops that only move elements, and beside
    /// others they do not count: rows of an image without padding have no points beside it.
    domains: Vec<Set>,
    scalars: Vec<super::values::Scalar>,
    /// Loops past the region's.
    extra_loops: usize,
}

/// Builds all statements of a region.
pub(super) fn statements(
    model: &mut Model,
    memory: &Memory,
    mut kept: Kept,
) -> Result<Statements, Reject> {
    let region = model.region;
    let mut built = vec![];
    let mut extra_loops = 0;
    for b in 0..region.blocks.len() {
        for i in 0..region.blocks[b].insts.len() {
            let next = LoopId::from(region.loops.len() + extra_loops);
            let at = (BlockId::from(b), i);
            if let Some((s, loops)) = super::bulk::statement(model, memory, at, next)? {
                built.push(s);
                extra_loops += loops;
            }
        }
    }
    let mut domains: Vec<Set> = built.iter().map(|b| b.domain.clone()).collect();
    let left = std::mem::take(&mut kept.left);
    let mut values = Values::new(model, memory, kept);
    stores(&mut values, &left)?;
    values.ways_out();
    for &v in &region.live_out {
        if matches!(region.value(v).def, Def::Inst(_)) {
            let s = values.scalar_of(v)?;
            values.scalars[s].live_out = Some(v);
        }
    }
    let rims = Rims::of(region);
    let mut choosing: BTreeMap<usize, Set> = BTreeMap::new();
    let mut left_out = BTreeSet::new();
    let mut whole: BTreeMap<usize, Set> = BTreeMap::new();
    let mut moved: BTreeMap<Vec<LoopId>, Set> = BTreeMap::new();
    let mut computed: BTreeSet<Vec<LoopId>> = BTreeSet::new();
    let mut done = 0;
    while done < values.drafts.len() {
        if left_out.contains(&done) {
            done += 1;
            continue;
        }
        let (at, domain) = (
            values.drafts[done].at.clone(),
            values.drafts[done].domain.clone(),
        );
        let source = values.drafts[done].value;
        let site = Site {
            at: &at,
            domain: &domain,
            copies: copies(&values.drafts, done),
            rims: &rims,
        };
        let when = values.drafts[done].when;
        let made = target(&values, &values.drafts[done], site).and_then(|target| {
            let mut tree = values.tree(&source, site)?;
            let may = match (source, when) {
                (Source::WayOut(..), _) => true,
                (_, Some(block)) => values.conditional(&mut tree, block, &target, site)?,
                (_, None) => false,
            };
            Ok((target, tree, may))
        });
        let (target, tree, may) = match made {
            Ok(made) => made,
            Err(Stop::Reject(r)) => return Err(r),
            Err(Stop::Split(part)) => {
                split(&mut values.drafts, done, &part)?;
                continue;
            }
            Err(Stop::Choice(part)) => {
                let root = root_of(&values.drafts, done);
                let all = choosing.entry(root).or_insert(domain);
                split(&mut values.drafts, done, &part)?;
                if copies(&values.drafts, done) > rims.few_copies() {
                    for d in [done, values.drafts.len() - 1] {
                        if let Some(sizes) = single::sizes(&values.drafts[d].domain, all)? {
                            values.model.forbid(sizes, AssumptionKind::NonEmpty)?;
                            left_out.insert(d);
                        }
                    }
                }
                continue;
            }
        };
        if tree.body.only_moves() {
            add(&mut moved, at.nest.clone(), &domain)?;
        } else {
            let root = match root_of(&values.drafts, done) {
                root if choosing.contains_key(&root) => root,
                _ => done,
            };
            add(&mut whole, root, &domain)?;
            computed.insert(at.nest.clone());
        }
        let draft = &mut values.drafts[done];
        let mut place = at.clone();
        if let (Some(last), Some((_, number))) = (place.beta.last_mut(), draft.copy_of) {
            *last += number;
        }
        built.push(Built {
            at: place,
            domain,
            target,
            tree,
            ty: draft.ty,
            inst: draft.inst,
            may,
        });
        done += 1;
    }
    let scalars = std::mem::take(&mut values.scalars);
    domains.extend(whole.into_values());
    moved.retain(|nest, _| !computed.contains(nest));
    domains.extend(moved.into_values());
    Ok(Statements {
        built,
        domains,
        scalars,
        extra_loops,
    })
}

/// What a statement writes, in its iterations.
fn target(values: &Values, draft: &Draft, site: Site) -> Result<Target, Stop> {
    match &draft.target {
        Target::Cell(cell) => {
            let (address, nest) = (&cell.address, &cell.nest);
            Ok(Target::Cell(values.cell_at(address, cell.ty, nest, site)?))
        }
        Target::Scalar(s) => Ok(Target::Scalar(*s)),
    }
}

/// The statement that a statement is a copy of.
fn root_of(drafts: &[Draft], d: usize) -> usize {
    drafts[d].copy_of.map_or(d, |c| c.0)
}

/// How many copies there are of a statement.
fn copies(drafts: &[Draft], d: usize) -> i64 {
    let root = root_of(drafts, d);
    let of_root = |x: &&Draft| x.copy_of.is_some_and(|c| c.0 == root);
    drafts.iter().filter(of_root).count() as i64 + 1
}

/// Makes two statements of one: for the iterations in `part`, and for the others. Both take their operands at the same time.
fn split(drafts: &mut Vec<Draft>, d: usize, part: &Set) -> Result<(), Reject> {
    let (root, number) = (root_of(drafts, d), copies(drafts, d));
    if number == MAX_COPIES {
        return Err(Reject::new(RejectKind::TooLarge));
    }
    let draft = &mut drafts[d];
    let other = Draft {
        at: draft.at.clone(),
        domain: draft.domain.subtract(part)?.coalesce()?,
        target: draft.target.clone(),
        copy_of: Some((root, number)),
        ..*draft
    };
    draft.domain = draft.domain.intersect(part)?.coalesce()?;
    drafts.push(other);
    Ok(())
}

/// The stores of the region; `left`: iterations and value of those that are left for some.
fn stores(
    values: &mut Values,
    left: &BTreeMap<ValueId, Option<(Set, ValueId)>>,
) -> Result<(), Reject> {
    let region = values.model.region;
    for (b, block) in region.blocks.iter().enumerate() {
        let b = BlockId::from(b);
        for (i, inst) in block.insts.iter().enumerate() {
            if let InstKind::Store { addr, ty, value } = &inst.kind {
                let nest = region.loop_nest(b);
                let cell = values.memory.cell(values.model, addr, *ty, &nest)?;
                let (domain, value) = match left.get(&inst.id) {
                    None => (values.model.domain(b).clone(), *value),
                    Some(None) => continue,
                    Some(Some((rest, other))) => (rest.clone(), *other),
                };
                values.drafts.push(Draft {
                    at: values.model.time(b, i),
                    domain,
                    target: Target::Cell(cell),
                    value: Source::Value(value),
                    ty: *ty,
                    inst: Some(inst.id),
                    when: values.model.gates.controlled(b),
                    copy_of: None,
                });
            }
        }
    }
    Ok(())
}

/// Adds iterations to what counts together.
fn add<K: Ord>(all: &mut BTreeMap<K, Set>, key: K, domain: &Set) -> Result<(), Reject> {
    let together = match all.get(&key) {
        Some(others) => others.union(domain)?.coalesce()?,
        None => domain.clone(),
    };
    all.insert(key, together);
    Ok(())
}

/// The SCoP of these statements.
pub(super) fn scop(
    mut model: Model,
    memory: &Memory,
    statements: Statements,
) -> Result<Scop, Reject> {
    let region = model.region;
    let context = assume::context(&model)?;
    let assumptions = assume::assumptions(&mut model, &context, &statements.domains)?;
    let mut allowed = context.clone();
    for a in &assumptions {
        allowed = allowed.intersect(&a.set)?;
    }
    let mut kept = vec![];
    let runs = PerSet::default();
    for b in statements.built {
        let domain = &b.domain;
        if runs.answer(domain, || {
            domain
                .intersect_params(&allowed)?
                .is_empty()
                .map(|none| !none)
        })? {
            kept.push(b);
        }
    }
    drop_dead(&mut kept, &statements.scalars);
    kept.sort_by(|a, b| a.at.beta.cmp(&b.at.beta));
    if !kept.iter().any(Built::may_gain) {
        return Err(Reject::new(RejectKind::NoWrite));
    }
    let names = Names::new(&model, memory, &statements.scalars);
    let mut scop = Scop {
        name: region.name.clone(),
        function: region.function.clone(),
        loc: region.loc.clone(),
        params: params(&model),
        context: context.clone(),
        assumptions,
        poly_ranges: ranges::poly_ranges(&model)?,
        no_overlap: vec![],
        read_behind: BTreeSet::new(),
        inspection: region.inspection.clone(),
        rows: tables::rows(&model, memory, |b| names.bases[&b].0)?,
        arrays: arrays(&model, memory, &statements.scalars, &names),
        stmts: vec![],
        loops: loops(region, statements.extra_loops),
    };
    let betas = compressed(&kept);
    // Where machine integers end says nothing of iterations.
    let ordinary = allowed.without_machine_bounds()?;
    let in_range = |a: &&Assumption| a.why == AssumptionKind::Range;
    let range = scop.assumptions.iter().find(in_range);
    let range = range.map_or(&ordinary, |a| &a.set).clone();
    let domains = PerSet::default();
    for (i, (b, beta)) in kept.into_iter().zip(betas).enumerate() {
        let domain = domains.answer(&b.domain, || {
            within(&b.domain.gist_params(&range)?, &ordinary)
        })?;
        let id = StmtId::from(i);
        scop.stmts
            .push(statement(&model, &names, id, b, (beta, domain))?);
    }
    scop.no_overlap = overlaps(region, &names, &scop);
    hold(region, &names, &mut scop);
    reread_tables(region, &names, &mut scop);
    if tables::known_too_late(&scop) {
        return Err(Reject::new(RejectKind::Assumptions));
    }
    tables::measured(&model, memory, &mut scop)?;
    Ok(scop)
}

/// Adds the held cells: arrays that no statement accesses, and that nothing written may overlap with.
fn hold(region: &Region, names: &Names, scop: &mut Scop) {
    let writes = scop.stmts.iter().flat_map(|s| s.writes());
    let written: BTreeSet<ArrayId> = writes.map(|a| a.array).collect();
    for held in &region.held {
        let id = ArrayId::from(scop.arrays.len());
        let clear = |b: &BaseId| held.apart.contains(b);
        let open = names
            .bases
            .iter()
            .filter(|(b, (a, _))| written.contains(a) && !clear(b));
        let open: Vec<ArrayId> = open.map(|(_, (a, _))| *a).collect();
        if open.is_empty() {
            continue;
        }
        for a in &open {
            scop.arrays[a.index()].gaps |= held.reread;
        }
        scop.no_overlap.extend(open.into_iter().map(|a| (a, id)));
        scop.arrays.push(Array {
            name: format!("H{}", id.0),
            kind: ArrayKind::Memory { base: held.pointer },
            ty: held.ty,
            strides: vec![Scev::constant(64, i128::from(held.ty.bytes()))],
            extents: vec![],
            origin: vec![],
            gaps: false,
            hidden: false,
            dead: false,
            blank: false,
        });
    }
}

/// Notes the arrays for which innermost loops read the pointers to rows again each time.
fn reread_tables(region: &Region, names: &Names, scop: &mut Scop) {
    for rows in &region.rows {
        let reread = rows.loads.iter().any(|v| region.is_innermost(*v));
        let Some((table, _)) = names.bases.get(&rows.table).filter(|_| reread) else {
            continue;
        };
        for (a, b) in &scop.no_overlap {
            if b == table {
                scop.arrays[a.index()].gaps = true;
            } else if a == table {
                scop.arrays[b.index()].gaps = true;
            }
        }
    }
}

/// Removes writes of scalars that nothing reads.
fn drop_dead(kept: &mut Vec<Built>, scalars: &[super::values::Scalar]) {
    loop {
        let read: BTreeSet<usize> = kept
            .iter()
            .flat_map(|b| &b.tree.reads)
            .filter_map(|r| match r {
                Read::Scalar(s) => Some(*s),
                Read::Cell(..) => None,
            })
            .collect();
        let before = kept.len();
        kept.retain(|b| match b.target {
            Target::Scalar(s) => {
                read.contains(&s) || scalars[s].live_out.is_some() || scalars[s].intact
            }
            Target::Cell(_) => true,
        });
        if kept.len() == before {
            return;
        }
    }
}

/// Array ids and tuple names of bases and scalars.
struct Names {
    bases: BTreeMap<BaseId, (ArrayId, String)>,
    scalars: Vec<(ArrayId, String)>,
}

impl Names {
    fn new(model: &Model, memory: &Memory, scalars: &[super::values::Scalar]) -> Names {
        let clean = |n: &str| {
            n.chars()
                .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
                .collect::<String>()
        };
        let mut bases = BTreeMap::new();
        for base in memory.elements.keys() {
            let id = ArrayId::from(bases.len());
            let name = format!(
                "M{}_{}",
                id.0,
                clean(&model.region.bases[base.index()].name)
            );
            bases.insert(*base, (id, name));
        }
        let first = bases.len();
        let scalar = |(i, s): (usize, &super::values::Scalar)| {
            (
                ArrayId::from(first + i),
                format!("V{}_{}", first + i, clean(&s.name)),
            )
        };
        let scalars = scalars.iter().enumerate().map(scalar).collect();
        Names { bases, scalars }
    }
}

fn params(model: &Model) -> Vec<Param> {
    let all = model.params.iter();
    all.map(|p| Param {
        name: p.name.to_owned(),
        expr: p.expr,
    })
    .collect()
}

fn arrays(
    model: &Model,
    memory: &Memory,
    scalars: &[super::values::Scalar],
    names: &Names,
) -> Vec<Array> {
    let mut all = vec![];
    for (base, (_, name)) in &names.bases {
        let (strides, extents) = match memory.shapes.get(base) {
            Some(shape) => shape.scevs(model),
            None => (vec![], vec![]),
        };
        let pointer = &model.region.bases[base.index()];
        let kind = ArrayKind::Memory {
            base: pointer.value,
        };
        all.push(Array {
            name: name.clone(),
            kind,
            ty: memory.elements[base],
            strides,
            extents,
            origin: vec![],
            gaps: false,
            hidden: is_hidden(model.region, *base),
            dead: pointer.dead,
            blank: pointer.blank,
        });
    }
    for ((_, name), s) in names.scalars.iter().zip(scalars) {
        let kind = match s.intact {
            true => ArrayKind::Intact,
            false => ArrayKind::Scalar {
                live_out: s.live_out,
            },
        };
        all.push(Array::of_one_cell(name.clone(), kind, s.ty));
    }
    all
}

/// Whether the compiler does not see which elements of an array lie side by side: what it adds to addresses that differ by a constant differs by more, where it has
/// extended sums that may wrap.
fn is_hidden(region: &Region, base: BaseId) -> bool {
    let rest = |address: &Address| {
        let mut all = products::terms(region, &address.offset)?;
        all.remove(&vec![]);
        Some(all)
    };
    region.blocks.iter().any(|block| {
        let mut seen = BTreeMap::new();
        let all = block.insts.iter().flat_map(|i| addresses(&i.kind));
        let mut own = all.map(|(a, _)| a).filter(|a| a.base == base);
        own.any(|a| {
            let (Some(whole), Some(known)) = (rest(&widths::affine_everywhere(a)), rest(a)) else {
                return true;
            };
            *seen.entry(whole).or_insert_with(|| known.clone()) != known
        })
    })
}

fn loops(region: &Region, extra: usize) -> Vec<LoopInfo> {
    let own = region.loops.iter().map(|l| LoopInfo {
        name: l.name.clone(),
        loc: l.loc.clone(),
        descending: false,
    });
    let more = (0..extra).map(|i| LoopInfo {
        name: format!("elements{i}"),
        loc: None,
        descending: false,
    });
    own.chain(more).collect()
}

/// Beta vectors with small numbers: at each depth the rank among the statements that share what is before.
fn compressed(kept: &[Built]) -> Vec<Vec<i64>> {
    let mut ranks: BTreeMap<Vec<i64>, BTreeSet<i64>> = BTreeMap::new();
    for b in kept {
        for d in 0..b.at.beta.len() {
            ranks
                .entry(b.at.beta[..d].to_vec())
                .or_default()
                .insert(b.at.beta[d]);
        }
    }
    let rank = |beta: &[i64], d: usize| {
        let all = &ranks[&beta[..d]];
        all.iter()
            .position(|x| *x == beta[d])
            .map_or(0, |p| p as i64)
    };
    kept.iter()
        .map(|b| (0..b.at.beta.len()).map(|d| rank(&b.at.beta, d)).collect())
        .collect()
}

fn statement(
    model: &Model,
    names: &Names,
    id: StmtId,
    b: Built,
    (beta, domain): (Vec<i64>, Set),
) -> Result<Stmt, Reject> {
    let name = format!("S{}", id.0);
    let depth = b.domain.tuple_dim();
    debug_assert_eq!(beta.len(), depth + 1);
    let space = model.set(0, "true")?.params()?.space()?;
    let domain = domain.set_tuple_name(&name)?.align_params(&space)?;
    let access = |read: &Read, kind: AccessKind, ty: Ty| -> Result<Access, Reject> {
        let (array, tuple, relation, place, inst) = match read {
            Read::Cell(cell, inst) => {
                let (array, tuple) = &names.bases[&cell.address.base];
                let relation = super::memory::over(&cell.relation, depth)?;
                (
                    *array,
                    tuple,
                    relation,
                    Place::Memory(widths::affine_everywhere(&cell.address)),
                    *inst,
                )
            }
            Read::Scalar(s) => {
                let (array, tuple) = &names.scalars[*s];
                let from = super::model::iterators(depth);
                let text = format!("{}{{ [{from}] -> [] }}", model.params.prefix());
                (
                    *array,
                    tuple,
                    Map::parse(&model.ctx, &text)?,
                    Place::Scalar,
                    None,
                )
            }
        };
        let relation = relation
            .set_tuple_name(DimType::In, &name)?
            .set_tuple_name(DimType::Out, tuple)?
            .align_params(&space)?;
        let relation = in_one_case(relation, &domain)?;
        Ok(Access {
            kind,
            array,
            relation,
            place,
            ty,
            inst,
        })
    };
    let target = match &b.target {
        Target::Cell(cell) => Read::Cell(cell.clone(), b.inst),
        Target::Scalar(s) => Read::Scalar(*s),
    };
    let kind = match b.may {
        true => AccessKind::MayWrite,
        false => AccessKind::MustWrite,
    };
    let mut accesses = vec![access(&target, kind, b.ty)?];
    let (body, reads) = compact(b.tree);
    for (read, ty) in reads {
        accesses.push(access(&read, AccessKind::Read, ty)?);
    }
    let iters = b.at.nest.clone();
    let loc = iters
        .last()
        .and_then(|l| model.region.loops.get(l.index()))
        .and_then(|l| l.loc.clone());
    Ok(Stmt {
        id,
        name: name.clone(),
        iters,
        domain,
        beta,
        accesses,
        body,
        loc,
    })
}

/// A relation without the cases that no iteration of a domain has, if one is left: where the last of some blocks ends (`k1 = min(k0 + 48, n)`), nothing
/// behind it is accessed.
fn in_one_case(relation: Map, domain: &Set) -> poly::Result<Map> {
    if relation.basic_maps()?.len() > 1 {
        let short = relation.intersect_domain(domain)?.gist_domain(domain)?;
        if short.basic_maps()?.len() == 1 {
            return Ok(short);
        }
    }
    Ok(relation)
}

/// A domain for parameters that are allowed, in one piece where it can be: what these are may have several cases of its own
/// (chunks of a loop that OpenMP deals out, whose ends are computed in 32 bits), which make no difference to the iterations.
fn within(domain: &Set, allowed: &Set) -> poly::Result<Set> {
    let all = domain.intersect_params(allowed)?.coalesce()?;
    let short = all.gist_params(allowed)?;
    if short.n_basic_set() > 1 {
        let hull = all.simple_hull()?.to_set()?;
        if hull.intersect_params(allowed)?.is_subset(&all)? {
            return hull.gist_params(allowed);
        }
    }
    Ok(short)
}

/// The reads of a tree with their types.
fn compact(tree: Tree) -> (Body, Vec<(Read, Ty)>) {
    let ty = |n: usize| {
        tree.body
            .nodes
            .iter()
            .find(|x| x.kind == NodeKind::Read(n))
            .map_or(Ty::Int(8), |x| x.ty)
    };
    let reads = tree
        .reads
        .iter()
        .enumerate()
        .map(|(i, r)| (r.clone(), ty(i + 1)))
        .collect();
    (tree.body.clone(), reads)
}

/// Pairs of arrays of which one is written and which are not known to be apart.
fn overlaps(region: &Region, names: &Names, scop: &Scop) -> Vec<(ArrayId, ArrayId)> {
    let writes = scop.stmts.iter().flat_map(|s| s.writes());
    let written: BTreeSet<ArrayId> = writes.map(|a| a.array).collect();
    let accesses = scop.stmts.iter().flat_map(|s| &s.accesses);
    let tables = scop.rows.iter().map(|r| r.table);
    let used: BTreeSet<ArrayId> = accesses.map(|a| a.array).chain(tables).collect();
    let bases: Vec<(&BaseId, ArrayId)> = names.bases.iter().map(|(b, (a, _))| (b, *a)).collect();
    let mut pairs = vec![];
    for (i, (b, x)) in bases.iter().enumerate() {
        for (c, y) in &bases[i + 1..] {
            let relevant = used.contains(x)
                && used.contains(y)
                && (written.contains(x) || written.contains(y));
            let apart =
                region.no_alias.contains(&(**b, **c)) || region.no_alias.contains(&(**c, **b));
            if relevant && !apart {
                pairs.push((*x.min(y), *x.max(y)));
            }
        }
    }
    pairs.sort();
    pairs
}
