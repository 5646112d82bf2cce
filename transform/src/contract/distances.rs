//! How many rows apart nests are that depend on each other.

use polytile_analysis::deps::{DepKind, Dependence};
use polytile_analysis::ids::{ArrayId, StmtId};
use polytile_analysis::poly::{DimType, Map, Result};

/// Rows from one statement of the nests to another one that depends on it, in one iteration of the loops around.
#[derive(Clone, Copy, Debug)]
pub(super) struct Apart {
    pub src: StmtId,
    pub dst: StmtId,
    /// The least.
    pub least: i64,
    /// The greatest; `None`: no bound.
    pub most: Option<i64>,
    /// Values may be handed on in windows.
    pub flow: bool,
}

/// What a dependence says about rows.
pub(super) enum Between {
    /// Nothing: cells of windows are used again anyway, or a loop around orders it.
    Nothing,
    /// So many rows.
    Rows(Apart),
    /// A row needs any number of rows behind it.
    All,
}

/// The rows between the ends of a dependence, where values of these arrays have places of their own.
pub(super) fn between(d: &Dependence, windows: &[ArrayId], around: usize) -> Result<Between> {
    let inside = |a: &ArrayId| windows.contains(a);
    let flows = d.kind.contains(DepKind::FLOW);
    if d.arrays.iter().all(inside) && !flows {
        return Ok(Between::Nothing);
    }
    let mut pairs = d.relation.to_map()?;
    for level in 0..around {
        pairs = pairs.equate(DimType::In, level, DimType::Out, level)?;
    }
    if pairs.is_empty()? {
        return Ok(Between::Nothing);
    }
    let rows = alone(&alone(&pairs, DimType::In, around)?, DimType::Out, around)?;
    let gain = rows.deltas()?.project_out_all_params()?;
    let (least, most) = gain.dim_ends(0)?;
    Ok(match least {
        None => Between::All,
        Some(least) => Between::Rows(Apart {
            src: d.src,
            dst: d.dst,
            least,
            most,
            flow: flows && d.arrays.iter().any(inside),
        }),
    })
}

/// A map with one dimension of this kind left.
fn alone(map: &Map, ty: DimType, dim: usize) -> Result<Map> {
    let behind = map.dim(ty) - dim - 1;
    map.project_out(ty, dim + 1, behind)?
        .project_out(ty, 0, dim)?
        .reset_tuple_id(ty)
}
