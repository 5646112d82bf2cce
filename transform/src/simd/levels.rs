//! Cache blocks above a register tile, and where copies of operands stand between them.
//!
//! ```text
//! tile band [j, k, i]  Whole, kc, Whole        copy of the lane operand        the copy serves all rows
//! tile band [j, k, i]  Whole, Whole, mc        copy of the row operand         mc x kc stay in L2; rows in parallel
//! tile band [j, k, i]  V, Whole, R             kc x V of the lane operand stay in L1 while rows sweep
//! ```
//!
//! Without a copy of the lane operand the first two are one band. Where rows depend on each other and lanes do not, blocks
//! of lanes run in parallel instead, and the first band cuts them.
//!
//! Sizes: `kc` so that a panel `kc x V` of the lane operand fits L1 twice over is streamed from L2, `mc` so that the block
//! `mc x kc` of the row operand takes a quarter of L2.

use super::Roles;
use super::packing::Packs;
use super::plan::Shape;
use crate::target::Target;
use crate::tile::{BandTiling, Size};
use polytile_analysis::tree::{Band, Distribution, LoopKind, Mark, Tree};

/// Bounds of the reduction block: below, loading and storing accumulators shows; above, panels leave the caches.
const REDUCTION_BLOCK: (u64, u64) = (192, 384);

/// Rows and columns of a block that runs in a wave, about.
const WAVE_BLOCK: i64 = 96;

/// Columns of a block of lanes that one thread takes, in register tiles.
const LANE_TILES_PER_THREAD: i64 = 4;

/// Rows of a block that one thread takes at most, in register tiles.
const ROW_TILES_PER_THREAD: i64 = 12;

/// Sizes of all levels, copies between them, and which tile loop runs in parallel.
pub(super) fn cache_levels(
    band: &Band,
    roles: &Roles,
    shape: &Shape,
    (element, target): (u64, &Target),
    packs: Packs,
    points: Tree,
) -> BandTiling {
    let members = band.schedule.size();
    let (columns, rows) = (shape.columns(), i64::from(shape.rows));
    let kc = (2 * target.l1 / (u64::try_from(columns).unwrap_or(1) * element))
        .clamp(REDUCTION_BLOCK.0, REDUCTION_BLOCK.1);
    let mc = i64::try_from(target.l2 / (4 * kc * element)).unwrap_or(rows);
    let mc = (mc.clamp(rows, ROW_TILES_PER_THREAD * rows) / rows) * rows;
    let blocks = |default: i64, multiple_of: i64| Size::Runtime {
        default,
        multiple_of,
    };
    let whole = vec![Size::Whole; members];
    let mut outer = vec![Size::Const(1); members];
    for m in [roles.row, roles.lane] {
        outer[m] = Size::Whole;
    }
    outer[roles.reduction] = blocks(i64::try_from(kc).unwrap_or(256), 1);
    let mut register = whole.clone();
    register[roles.row] = Size::Const(rows);
    register[roles.lane] = Size::Const(columns);
    let mut loops = vec![LoopKind::Sequential; members];
    let dynamic = LoopKind::Parallel(Distribution::Dynamic { chunk: 1 });
    let by_rows = band.coincident[roles.row];
    // A member of no role, as the number of a product in a batch: its iterations share nothing but what all read.
    let free =
        |m: &usize| ![roles.row, roles.lane, roles.reduction].contains(m) && band.coincident[*m];
    let batch = (0..members).find(free).filter(|_| packs.lane.is_empty());
    if let Some(m) = batch {
        loops[m] = LoopKind::Parallel(Distribution::Static);
    } else if by_rows {
        loops[roles.row] = dynamic;
    } else if band.coincident[roles.lane] {
        outer[roles.lane] = blocks(LANE_TILES_PER_THREAD * columns, columns);
        loops[roles.lane] = dynamic;
    }
    let mut tiling = BandTiling {
        loops,
        points: Some(points),
        ..BandTiling::default()
    };
    let marks = |packs: Vec<_>| packs.into_iter().map(Mark::Pack).collect::<Vec<_>>();
    if packs.lane.is_empty() {
        outer[roles.row] = blocks(mc, rows);
        tiling.levels = vec![outer, register];
        tiling.marks = vec![marks(packs.row)];
    } else {
        let mut inner = whole;
        inner[roles.row] = blocks(mc, rows);
        tiling.levels = vec![outer, inner, register];
        tiling.marks = vec![marks(packs.lane), marks(packs.row)];
        tiling.loops_at = usize::from(by_rows);
    }
    tiling
}

/// Neither rows nor lanes are independent (factorizations): square blocks of cells, each with all blocks of its reduction.
/// A thread goes down a column of blocks, some blocks behind the column before, so it works on what follows while the
/// block that others wait for is under way. The lane operands of a column are the same for all of its blocks' rows.
pub(super) fn in_waves(
    mut tiling: BandTiling,
    roles: &Roles,
    shape: &Shape,
    packs: Packs,
) -> BandTiling {
    let copies = packs.lane.into_iter().chain(packs.row);
    tiling.marks = vec![copies.map(Mark::Pack).collect()];
    let (rows, columns) = (i64::from(shape.rows), shape.columns());
    let both = (1..=rows)
        .map(|n| n * columns)
        .find(|c| c % rows == 0)
        .unwrap_or(rows * columns);
    let block = Size::Runtime {
        default: (WAVE_BLOCK / both).max(1) * both,
        multiple_of: both,
    };
    let cache = &mut tiling.levels[0];
    cache[roles.row] = block;
    cache[roles.lane] = block;
    tiling.wavefront = vec![roles.row, roles.lane];
    tiling.loops = vec![LoopKind::Sequential; cache.len()];
    tiling.loops[roles.lane] = LoopKind::Parallel(Distribution::Pipelined);
    tiling
}
