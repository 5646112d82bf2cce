//! The shape of a register tile from the target's registers.
//!
//! With `R` vector registers, `L` = latency times throughput of the multiply-add, `n` operand vectors that are
//! loaded per reduction step and column of the tile, and `t` registers for splats and sums of products: choose `rows x vectors` that maximises
//! `rows * vectors / (rows + n * vectors)` (operations per load) subject to
//! `rows * vectors + n * vectors + t <= R` (no spills) and `rows * vectors >= L` (latency hidden).
//! One register too many costs half of the speed, so the first condition is strict.

/// What a tile may use of a target.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RegisterFile {
    /// Number of vector registers.
    pub registers: u32,
    /// Width of one in bits.
    pub bits: u32,
    /// Latency times throughput of a multiply-add, in operations.
    pub in_flight: u32,
    /// Multiply and add are one instruction; otherwise a product needs a register until it is added.
    pub fused: bool,
}

/// Rows and vectors of a register tile whose statement loads `lane_reads` vectors per column and step. One product needs
/// one more register, for its splat; several need a splat each and one for their sum.
///
/// ```
/// use polytile_transform::simd::{RegisterFile, register_shape};
/// let avx512 = RegisterFile { registers: 32, bits: 512, in_flight: 8, fused: true };
/// let avx2 = RegisterFile { registers: 16, bits: 256, in_flight: 8, fused: true };
/// assert_eq!(register_shape(avx512, 1), Some((8, 3)));
/// assert_eq!(register_shape(avx2, 1), Some((4, 3)));
/// assert_eq!(register_shape(RegisterFile { fused: false, ..avx2 }, 1), Some((6, 2)));
/// assert_eq!(register_shape(avx512, 2), Some((6, 3)));
/// ```
pub fn register_shape(file: RegisterFile, lane_reads: usize) -> Option<(u32, u32)> {
    let n = u32::try_from(lane_reads.max(1)).ok()?;
    let product = u32::from(!file.fused);
    let temporaries = if n == 1 { 1 + product } else { n + 1 };
    let mut best: Option<(u32, u32)> = None;
    for rows in PREFERRED_ROWS {
        for vectors in 1..=MAX_VECTORS {
            let accumulators = rows * vectors;
            if accumulators + n * vectors + temporaries > file.registers
                || accumulators < file.in_flight
            {
                continue;
            }
            let better = match best {
                None => true,
                Some((r, v)) => ratio(rows, vectors, n) > ratio(r, v, n),
            };
            if better {
                best = Some((rows, vectors));
            }
        }
    }
    best
}

/// Rows that leave few partial tiles at the usual extents.
const PREFERRED_ROWS: [u32; 3] = [4, 6, 8];

/// Wider tiles lose at the edges of short rows.
const MAX_VECTORS: u32 = 3;

/// Operations per load, scaled to compare exactly.
fn ratio(rows: u32, vectors: u32, n: u32) -> u64 {
    u64::from(rows * vectors) * 1_000_000 / u64::from(rows + n * vectors)
}
