//! Sums that left their cell: a header PHI that is stored after its loop lives in that cell during the loop.
//!
//! LICM moves an accumulator to a register and its store behind the loop (Kruse and Grosser, DeLICM, CGO 2018, undo it like this):
//!
//! ```text
//! for i {                                    for i {
//!   for j { s = phi [0, next];                 y[i] = 0;
//!           next = s + a[i][j]; }      ->      for j: y[i] = y[i] + a[i][j];
//!   y[i] = next;                               // the store is gone
//! }                                          }
//! ```
//!
//! Without it the sum is a scalar, which every iteration of `i` overwrites. It is possible if nothing else touches the cell
//! between the place in front of the loop and the store, and if the store runs whenever the loop does. Where it also runs
//! without the loop (`y[i] = j_count > 0 ? sum : 0`), it stays for those iterations. If the sum begins with the cell's own
//! content, nothing is written in front of the loop. Outer loops come first: their updates are stores for the sums of inner ones.
//!
//! This is about PHIs, before there are statements: a sum that lives in a cell is also found there by whoever else uses it
//! ([`super::holds`]), it may leave the region, and its store may run without the loop. Scalars that are left when the SCoP is
//! complete, with several writers or none in a loop, get their elements in the transform crate (`expand/cell.rs`), which has the
//! flow of values to decide by, and no PHIs.

use super::holds::precedes;
use super::memory::{Cell, Memory, over};
use super::model::{Model, Time};
use super::reject::Reject;
use super::values::{Draft, Source, Target};
use crate::ids::{BlockId, LoopId, ValueId};
use crate::poly::Set;
use crate::region::{BlockIn, InstKind};
use std::collections::BTreeMap;

/// What is kept in cells.
#[derive(Default)]
pub(super) struct Kept {
    /// The cell of a header PHI, over the loops around its loop.
    pub cells: BTreeMap<ValueId, Cell>,
    /// The PHI by its next value.
    pub by_next: BTreeMap<ValueId, ValueId>,
    /// Statements that write these cells.
    pub drafts: Vec<Draft>,
    /// Stores that are left for some iterations, with the value that they have there.
    pub left: BTreeMap<ValueId, Option<(Set, ValueId)>>,
    /// Places at ends of blocks that are taken.
    pub places: i64,
}

/// A header PHI.
struct Sum {
    phi: ValueId,
    loop_: LoopId,
    /// The block in front of the loop, and the value that comes from there.
    from: BlockId,
    init: ValueId,
    next: ValueId,
}

/// A store behind a loop.
struct Sink {
    cell: Cell,
    at: Time,
    domain: Set,
    what: Stored,
    /// What is stored where the loop does not run, if it says so.
    otherwise: Option<Otherwise>,
}

/// A value that merges with a sum's last one.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Otherwise {
    value: ValueId,
    /// The way on which it is the sum's: from a block to the one where they merge. Where the loop has run the program may come another way all the same, as
    /// through a second loop that goes on with the sum.
    sum: (BlockId, BlockId),
}

/// What stores.
#[derive(Clone, Copy)]
enum Stored {
    Inst(ValueId),
    /// An update of our own, by its place among the drafts.
    Update(usize),
}

/// Finds what can be kept, and tells the memory about the new writes.
pub(super) fn kept(model: &mut Model, memory: &mut Memory) -> Result<Kept, Reject> {
    let mut kept = Kept::default();
    for l in 0..model.region.loops.len() {
        for sum in sums(model, LoopId::from(l)) {
            for sink in sinks(model, memory, &kept, &sum)? {
                if keep(model, memory, &mut kept, &sum, sink)? {
                    break;
                }
            }
        }
    }
    Ok(kept)
}

/// The header PHIs of a loop that accumulate: their next value is computed and stored nowhere in the loop.
fn sums(model: &Model, l: LoopId) -> Vec<Sum> {
    let region = model.region;
    let (header, latch) = (region.loop_(l).header, region.loop_(l).latch);
    let mut found = vec![];
    for inst in &region.block(header).insts {
        let InstKind::Phi(incoming) = &inst.kind else {
            continue;
        };
        let next = incoming.iter().find(|(b, _)| *b == BlockIn::Block(latch));
        let init = incoming.iter().find(|(b, _)| *b != BlockIn::Block(latch));
        let (Some((_, next)), Some((BlockIn::Block(from), init)), 2) = (next, init, incoming.len())
        else {
            continue;
        };
        let computed = match model.defs.get(next) {
            Some(&(b, i)) => match &region.block(b).insts[i].kind {
                InstKind::Op { .. } => true,
                InstKind::Phi(v) => v.len() == 1 && b != header,
                _ => false,
            },
            None => false,
        };
        if computed && stores(model, *next).is_empty() {
            found.push(Sum {
                phi: inst.id,
                loop_: l,
                from: *from,
                init: *init,
                next: *next,
            });
        }
    }
    found
}

/// Where a value is stored.
fn stores(model: &Model, v: ValueId) -> Vec<(BlockId, usize)> {
    let mut found = vec![];
    for (b, block) in model.region.blocks.iter().enumerate() {
        for (i, inst) in block.insts.iter().enumerate() {
            if matches!(inst.kind, InstKind::Store { value, .. } if value == v) {
                found.push((BlockId::from(b), i));
            }
        }
    }
    found
}

/// What a value behind the loop says of the sum: its last value (`None`), or that or another value.
fn last(model: &Model, sum: &Sum, v: ValueId) -> Option<Option<Otherwise>> {
    let region = model.region;
    let incoming = |v: ValueId| {
        let &(b, i) = model.defs.get(&v)?;
        match &region.block(b).insts[i].kind {
            InstKind::Phi(list) => Some(list),
            _ => None,
        }
    };
    let is_last = |v: ValueId| incoming(v).is_some_and(|l| l.len() == 1 && l[0].1 == sum.next);
    if is_last(v) {
        return Some(None);
    }
    let gated = |v: &ValueId| model.gates.is_gated(model.defs[v].0);
    let otherwise = |from: BlockIn, value: ValueId| match from {
        BlockIn::Block(from) => Some(Some(Otherwise {
            value,
            sum: (from, model.defs[&v].0),
        })),
        _ => None,
    };
    match &incoming(v).filter(|_| !gated(&v))?[..] {
        [(from, a), (_, b)] if is_last(*a) && !is_last(*b) => otherwise(*from, *b),
        [(_, b), (from, a)] if is_last(*a) && !is_last(*b) => otherwise(*from, *b),
        _ => None,
    }
}

/// The stores of a sum's last value in the loop around its loop.
fn sinks(model: &mut Model, memory: &Memory, kept: &Kept, sum: &Sum) -> Result<Vec<Sink>, Reject> {
    let region = model.region;
    let outer = region.loop_nest(sum.from);
    let mut found = vec![];
    if region.loop_(sum.loop_).parent != outer.last().copied() {
        return Ok(found);
    }
    for (b, block) in region.blocks.iter().enumerate() {
        let b = BlockId::from(b);
        for (i, inst) in block.insts.iter().enumerate() {
            let InstKind::Store { addr, ty, value } = &inst.kind else {
                continue;
            };
            let sure = region.loop_nest(b) == outer && !model.gates.is_controlled(b);
            if !sure || kept.left.contains_key(&inst.id) {
                continue;
            }
            if let Some(otherwise) = last(model, sum, *value) {
                found.push(Sink {
                    cell: memory.cell(model, addr, *ty, &outer)?,
                    at: model.time(b, i),
                    domain: model.domain(b).clone(),
                    what: Stored::Inst(inst.id),
                    otherwise,
                });
            }
        }
    }
    for (n, draft) in kept.drafts.iter().enumerate() {
        if let (Target::Cell(cell), Source::Value(v)) = (&draft.target, draft.value)
            && draft.at.nest == outer
            && kept.by_next.contains_key(&v)
            && last(model, sum, v) == Some(None)
        {
            found.push(Sink {
                cell: cell.clone(),
                at: draft.at.clone(),
                domain: draft.domain.clone(),
                what: Stored::Update(n),
                otherwise: None,
            });
        }
    }
    Ok(found)
}

/// Keeps a sum in the cell of a store, if that can be.
fn keep(
    model: &mut Model,
    memory: &mut Memory,
    kept: &mut Kept,
    sum: &Sum,
    sink: Sink,
) -> Result<bool, Reject> {
    let region = model.region;
    let (header, latch) = (
        region.loop_(sum.loop_).header,
        region.loop_(sum.loop_).latch,
    );
    let update = model.rotations.update(model, sum.loop_, sum.phi);
    let entered = model.edge(sum.from, header)?;
    let front = model.end(sum.from, kept.places + 1);
    let except = match sink.what {
        Stored::Inst(v) => Some(v),
        Stored::Update(_) => None,
    };
    if update.early.is_some()
        || !precedes(&front, &sink.at)
        || !entered.is_subset(&sink.domain)?
        || !memory.untouched(model, (&front, &sink.at), &sink.cell, &entered, except)?
    {
        return Ok(false);
    }
    if let Some(Otherwise {
        sum: (from, to), ..
    }) = sink.otherwise
        && !entered.is_subset(&model.edge(from, to)?)?
    {
        return Ok(false);
    }
    let rest = sink.domain.subtract(&entered)?.coalesce()?;
    let rest = match (rest.is_empty()?, sink.otherwise) {
        (true, _) => None,
        (false, Some(o)) => Some((rest, o.value)),
        (false, None) => return Ok(false),
    };
    let ty = region.value(sum.phi).ty;
    let draft = |at, domain, value| Draft {
        at,
        domain,
        target: Target::Cell(sink.cell.clone()),
        value: Source::Value(value),
        ty,
        inst: except,
        when: None,
        copy_of: None,
    };
    let begins = is_content(model, memory, kept, sum, (&sink.cell, &front, &entered))?;
    match sink.what {
        Stored::Inst(v) => {
            kept.left.insert(v, rest);
        }
        // The inner loop leaves the value in the cell.
        Stored::Update(n) => kept.drafts[n].domain = kept.drafts[n].domain.subtract(&entered)?,
    }
    if !begins {
        kept.places += 1;
        memory.add_write(front.clone(), entered.clone(), &sink.cell)?;
        kept.drafts.push(draft(front, entered, sum.init));
    }
    let at = model.end(latch, update.order);
    let domain = model.domain(latch).clone();
    memory.add_write(at.clone(), domain.clone(), &sink.cell)?;
    kept.drafts.push(draft(at, domain, sum.next));
    kept.by_next.insert(sum.next, sum.phi);
    kept.cells.insert(sum.phi, sink.cell);
    Ok(true)
}

/// Whether the sum begins with what the cell holds.
fn is_content(
    model: &mut Model,
    memory: &Memory,
    kept: &Kept,
    sum: &Sum,
    (cell, front, entered): (&Cell, &Time, &Set),
) -> Result<bool, Reject> {
    let Some(&(b, i)) = model.defs.get(&sum.init) else {
        return Ok(false);
    };
    let nest = model.region.loop_nest(b);
    let (other, at) = match &model.region.block(b).insts[i].kind {
        InstKind::Load { addr, ty } => (memory.cell(model, addr, *ty, &nest)?, model.time(b, i)),
        InstKind::Phi(_) => match kept.cells.get(&sum.init) {
            Some(cell) => (cell.clone(), model.begin(b)),
            None => return Ok(false),
        },
        _ => return Ok(false),
    };
    let depth = entered.tuple_dim();
    if other.address.base != cell.address.base
        || !front.nest.starts_with(&nest)
        || !precedes(&at, front)
    {
        return Ok(false);
    }
    let theirs = over(&other.relation, depth)?.intersect_domain(entered)?;
    let ours = over(&cell.relation, depth)?.intersect_domain(entered)?;
    Ok(theirs.is_equal(&ours)? && memory.undisturbed(model, (&at, false), front, cell, entered)?)
}
