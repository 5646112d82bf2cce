//! Tables of pointers to rows: what is read of them.
//!
//! ```text
//! for i: for j: a[i][j] = ..        entries { [i] }: the rows that a[i] points to, for all of them, are looked at before
//! ```
//!
//! Only where the model's loops are the program's does the program read these entries, so the table is read after all
//! assumptions that do not depend on what it holds are known to be true (`Scop::without_pitches`). That no statement writes to
//! the table is an assumption like that of other pairs of arrays; where it is seen that one does, the model does not hold.

use super::memory::Memory;
use super::model::Model;
use super::reject::{Reject, RejectKind};
use crate::ids::{ArrayId, BaseId, BlockId};
use crate::poly::Set;
use crate::region::{self, InstKind, Ty};
use crate::scop::{Rows, Scop};

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
    let constant = memory.shapes.get(&rows.table).is_some_and(|shape| {
        let pointers = |d| {
            let (product, bytes) = shape.stride(d);
            product.is_empty() && bytes % i128::from(pointer) == 0
        };
        (0..shape.dims()).all(pointers)
    });
    let whole = [rows.first, rows.step]
        .iter()
        .all(|b| b.is_multiple_of(pointer));
    if !constant || !whole || memory.elements[&rows.table].bytes() != pointer {
        return Err(decline());
    }
    let mut entries: Option<Set> = None;
    for (b, block) in model.region.blocks.iter().enumerate() {
        let b = BlockId::from(b);
        for inst in block.insts.iter().filter(|i| rows.loads.contains(&i.id)) {
            let InstKind::Load { addr, ty } = &inst.kind else {
                return Err(decline());
            };
            let nest = model.region.loop_nest(b);
            let cell = memory.cell(model, addr, *ty, &nest)?;
            let read = cell.relation.intersect_domain(model.domain(b))?.range()?;
            entries = Some(match entries {
                None => read,
                Some(others) => others.union(&read)?.coalesce()?,
            });
        }
    }
    Ok(Rows {
        table: array(rows.table),
        entries: entries.ok_or_else(decline)?,
        first: (rows.first / pointer) as i64,
        step: (rows.step / pointer) as i64,
        base: rows.base,
        address: model.region.bases[rows.base.index()].value,
        pitch: rows.pitch,
        element: rows.element,
    })
}

/// Whether what the table holds is needed to know what is read of it.
pub(super) fn known_too_late(scop: &Scop) -> bool {
    let pitches = scop.pitches();
    let mut terms = scop.poly_ranges.iter().flat_map(|r| &r.terms);
    terms.any(|t| t.factors.iter().any(|f| pitches.contains(f)))
}
