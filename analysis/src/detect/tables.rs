//! Tables of pointers to rows: what is read of them.
//!
//! ```text
//! for i: for j: a[i][j] = ..        entries { [i] }: the rows that a[i] points to, for all of them, are looked at before
//! ```
//!
//! Only where the model's loops are the program's does the program read these entries, so the table is read after all
//! assumptions that do not depend on what it holds are known to be true (`Scop::without_pitches`). Lengths of rows are read with the pointers, of the same
//! entries. That no statement writes to
//! the table is an assumption like that of other pairs of arrays; where it is seen that one does, the model does not hold.
//!
//! A table whose entries lie in the rows of another one has as many dimensions more as there are tables before it.

use super::memory::Memory;
use super::model::Model;
use super::reject::{Reject, RejectKind};
use crate::ids::{ArrayId, BaseId, BlockId, ValueId};
use crate::poly::Set;
use crate::region::{self, Address, InstKind, Length, Ty};
use crate::scev::Scev;
use crate::scop::{self, Rows, Scop};
use std::collections::BTreeSet;

/// All arrays of rows.
pub(super) fn rows(
    model: &Model,
    memory: &Memory,
    array: impl Fn(BaseId) -> ArrayId,
) -> Result<Vec<Rows>, Reject> {
    let all = model.region.rows.iter();
    all.map(|r| table(model, memory, r, &array)).collect()
}

fn table(
    model: &Model,
    memory: &Memory,
    rows: &region::Rows,
    array: &impl Fn(BaseId) -> ArrayId,
) -> Result<Rows, Reject> {
    let pointer = Ty::Ptr.bytes();
    let name = || model.region.bases[rows.table.index()].label().to_owned();
    let decline = || Reject::new(RejectKind::Rows(name()));
    let nested = model.region.rows.iter().any(|r| r.base == rows.table);
    let constant = memory.shapes.get(&rows.table).is_some_and(|shape| {
        let pointers = |d| {
            let (product, bytes) = shape.stride(d);
            (nested || product.is_empty()) && bytes % i128::from(pointer) == 0
        };
        (0..shape.dims()).all(pointers)
    });
    let whole = [rows.first, rows.step]
        .iter()
        .all(|b| b.is_multiple_of(pointer));
    if !constant || !whole || memory.elements[&rows.table].bytes() != pointer {
        return Err(decline());
    }
    let (behind, sure): (Vec<ValueId>, Vec<ValueId>) =
        (rows.loads.iter()).partition(|l| is_controlled(model, rows, **l));
    let mut entries = read(model, memory, &sure)?;
    for offset in &rows.in_front {
        let loaded = loaded_in_front(model, memory, rows.table, offset)?;
        let (Some(all), Some(loaded)) = (&entries, loaded) else {
            return Err(decline());
        };
        entries = Some(all.union(&loaded)?.coalesce()?);
    }
    // What is read behind conditions on data has to be among what is read in any case.
    let others = read(model, memory, &behind)?;
    if let (Some(all), Some(others)) = (&entries, others)
        && !others.is_subset(all)?
    {
        return Err(decline());
    }
    let behind = |l: &Length| (l.first as i64 - rows.first as i64) / pointer as i64;
    let lengths = rows.lengths.iter().map(|l| scop::Length {
        behind: behind(l),
        value: l.value,
        unit: l.unit,
    });
    Ok(Rows {
        table: array(rows.table),
        entries: entries.ok_or_else(decline)?,
        first: (rows.first / pointer) as i64,
        step: (rows.step / pointer) as i64,
        base: rows.base,
        address: model.region.bases[rows.base.index()].value,
        pitch: rows.pitch,
        element: rows.element,
        lengths: lengths.collect(),
        measured: None,
    })
}

/// Whether data decides if an entry is read: not where each way reads it.
fn is_controlled(model: &Model, rows: &region::Rows, load: ValueId) -> bool {
    let inst = |v: ValueId| {
        let (block, at) = *model.defs.get(&v)?;
        Some((block, &model.region.block(block).insts[at].kind))
    };
    let Some((block, own)) = inst(load) else {
        return false;
    };
    let gates = &model.gates;
    let others = rows.loads.iter().filter_map(|l| inst(*l));
    let same = others.filter(|(b, kind)| *kind == own && gates.is_controlled(*b));
    let same: BTreeSet<BlockId> = same.map(|(b, _)| b).collect();
    gates.is_controlled(block) && !gates.passes(model.region, &same)
}

/// What some loads read; `None`: they are none.
fn read(model: &Model, memory: &Memory, loads: &[ValueId]) -> Result<Option<Set>, Reject> {
    let mut all: Option<Set> = None;
    for (b, block) in model.region.blocks.iter().enumerate() {
        let b = BlockId::from(b);
        for inst in block.insts.iter().filter(|i| loads.contains(&i.id)) {
            let InstKind::Load { addr, ty } = &inst.kind else {
                return Ok(None);
            };
            let nest = model.region.loop_nest(b);
            let cell = memory.cell(model, addr, *ty, &nest)?;
            let read = cell.relation.intersect_domain(model.domain(b))?.range()?;
            all = Some(match all {
                None => read,
                Some(others) => others.union(&read)?.coalesce()?,
            });
        }
    }
    Ok(all)
}

/// The entry that was loaded in front of the region; `None`: nobody knows which.
fn loaded_in_front(
    model: &Model,
    memory: &Memory,
    table: BaseId,
    offset: &Scev,
) -> Result<Option<Set>, Reject> {
    let entered = model.domain(BlockId::from(0));
    let address = Address {
        base: table,
        offset: offset.clone(),
    };
    let cell = memory.cell_within(model, &address, Ty::Ptr, &[], entered)?;
    cell.map(|c| Ok(c.relation.intersect_domain(entered)?.range()?))
        .transpose()
}

/// Finds out of which entries lengths of rows are read, where nothing ends the program: of those whose pointers are read, or of some of these.
///
/// # Errors
/// If they are read of others, or each word of entries of its own. Where the region reads them in front of its loops, as that of the first row alone,
/// the next region begins behind that.
pub(super) fn measured(model: &Model, memory: &Memory, scop: &mut Scop) -> Result<(), Reject> {
    if scop.rows.iter().all(|r| r.lengths.is_empty()) {
        return Ok(());
    }
    let late = || Reject::new(RejectKind::Assumptions);
    scop.steps_of_tables()?.ok_or_else(late)?;
    let (known, useful) = (scop.known()?, scop.useful()?);
    for (r, rows) in model.region.rows.iter().enumerate() {
        let all = scop.rows[r].entries.reset_tuple_id()?;
        let all = all.intersect_params(&useful)?;
        let early = |entries: &Set| scop.without_pitches(&entries.intersect_params(&known)?);
        let mut some: Option<Set> = None;
        for (n, (length, own)) in rows.lengths.iter().zip(&scop.rows[r].lengths).enumerate() {
            let other = || not_of_all(model, &length.loads);
            let read = read(model, memory, &length.loads)?.ok_or_else(other)?;
            let read = scop::elements_behind(&read, -own.behind)?;
            let read = read.intersect_params(&useful)?;
            let of_all = read.is_equal(&all)? || early(&read)?.is_equal(&early(&all)?)?;
            let fits = match &some {
                Some(others) => !of_all && others.is_equal(&read)?,
                None => of_all || n == 0 && scop.tables_to(r).len() == 1 && read.is_subset(&all)?,
            };
            if !fits {
                return Err(other());
            }
            some = (!of_all).then_some(read);
        }
        if some.is_some() {
            scop.rows[r].measured = some;
            scop.steps_of_tables()?.ok_or_else(late)?;
        }
    }
    Ok(())
}

/// That these loads do not read the lengths of all rows.
fn not_of_all(model: &Model, loads: &[ValueId]) -> Reject {
    let why = RejectKind::Assumptions;
    let mut blocks = loads.iter().filter_map(|l| model.defs.get(l)).map(|d| d.0);
    match blocks.find(|b| model.region.block(*b).loop_.is_none()) {
        Some(front) => Reject::at_block(why, front),
        None => Reject::new(why),
    }
}

/// Whether what the table holds is needed to know what is read of it.
pub(super) fn known_too_late(scop: &Scop) -> bool {
    let pitches = scop.pitches();
    let mut terms = scop.poly_ranges.iter().flat_map(|r| &r.terms);
    terms.any(|t| t.factors.iter().any(|f| pitches.contains(f)))
}
