//! Tilings of schedule trees, and the text of their local memories.

use super::super::Memories;
use super::super::of_schedule::tilings;
use crate::poly::Ctx;
use crate::scop::Scop;
use crate::text::{parse_schedule, parse_scop};
use crate::tree::Schedule;

const PRODUCT: &str = "params n
    context { : n >= 1 }
    array A f64 [1000][1000]
    array B f64 [1000][1000]
    array C f64 [1000][1000]
    stmt S0
      domain { S0[i, j, k] : 0 <= i < n and 0 <= j < n and 0 <= k < n }
      beta 0 0 0 0
      write { S0[i, j, k] -> C[i, j] }
      read { S0[i, j, k] -> C[i, j] }
      read { S0[i, j, k] -> A[i, k] }
      read { S0[i, j, k] -> B[k, j] }";

/// Tiles of the product, and in them tiles of 4 x 8 x all.
const TILES: &str = "domain: \"[n] -> { S0[i, j, k] : 0 <= i < n and 0 <= j < n and 0 <= k < n }\"
sizes:
- { name: s0, default: 32, multiple_of: 4 }
- { name: s1, default: 32, multiple_of: 8 }
- { name: s2, default: 32, multiple_of: 1 }
child:
  schedule: \"[n] -> [{ S0[i, j, k] -> [(j)] }, { S0[i, j, k] -> [(k)] }, { S0[i, j, k] -> [(i)] }]\"
  permutable: 1
  tile: [ s1, s2, s0 ]
  child:
    schedule: \"[n] -> [{ S0[i, j, k] -> [(i)] }, { S0[i, j, k] -> [(j)] }, { S0[i, j, k] -> [(k)] }]\"
    permutable: 1
    tile: [ 4, 8, whole ]
    child:
      schedule: \"[n] -> [{ S0[i, j, k] -> [(i)] }, { S0[i, j, k] -> [(j)] }, { S0[i, j, k] -> [(k)] }]\"
      permutable: 1
";

fn tiled(ctx: &Ctx) -> (Scop, Schedule) {
    let scop = parse_scop(ctx, PRODUCT).unwrap();
    let schedule = parse_schedule(ctx, TILES).unwrap_or_else(|e| panic!("{e}"));
    (scop, schedule)
}

#[test]
fn a_tile_band_is_a_tiling() {
    let ctx = Ctx::new();
    let (scop, schedule) = tiled(&ctx);
    let found = tilings(&scop, &schedule).unwrap();
    assert_eq!(found.len(), 2);
    assert_eq!(found[0].tiling.params(), ["s1", "s2", "s0"]);
    assert!(found[0].around.is_empty());
    // The inner one is in a tile of the outer one, and does not cut the sums.
    assert_eq!(found[1].around.len(), 1);
    assert_eq!(found[1].around[0].names, ["at0", "at1", "at2"]);
    assert_eq!(found[1].around[0].tiled, Some(0));
    assert_eq!(found[1].tiling.sides.len(), 2);
    assert!(found[1].tiling.params().is_empty());
}

const OUTER: &str = "memory \"\" function \"\": 2 tile bands
band 1: S0 in tiles I of s1 x s2 x s0
full tiles { I[i0, i1, i2] : 0 <= i0 <= -s1 + n and 0 <= i1 <= -s2 + n and 0 <= i2 <= -s0 + n }
strips of 1:
  A loads { I[i0, i1, i2] -> A[x0, x1] : i2 <= x0 < s0 + i2 and i1 <= x1 < s2 + i1 }
    stores nothing
    holds [s0, s2], pipelined [2s0, s2]
    for any domain [s0, s2], pipelined [2s0, s2]
  B loads { I[i0, i1, i2 = 0] -> B[x0, x1] : i1 <= x0 < s2 + i1 and i0 <= x1 < s1 + i0 }
    stores nothing
    holds [s2, s1], pipelined [s2, s1]
    for any domain [s2, s1], pipelined [s2, s1]
  C loads { I[i0, i1, i2] -> C[x0, x1] : i2 <= x0 < s0 + i2 and i0 <= x1 < s1 + i0 }
    stores { I[i0, i1, i2] -> C[x0, x1] : i2 <= x0 < s0 + i2 and i0 <= x1 < s1 + i0 }
    holds [s0, s1], pipelined [2s0, s1]
    for any domain [s0, s1], pipelined [2s0, s1]";

const INNER: &str = "band 2: S0 in tiles I of 4 x 8, at at0, at1, at2 of the loops around
full tiles { I[i0, i1] : at2 <= i0 <= -4 + s0 + at2 and at0 <= i1 <= -8 + s1 + at0 }
strips of 1:
  A loads { I[i0, i1 = at0] -> A[x0, x1] : i0 <= x0 <= 3 + i0 and at1 <= x1 < s2 + at1 }
    stores nothing
    holds [4, s2], pipelined [4, s2]
";

#[test]
fn memories_print() {
    let ctx = Ctx::new();
    let (scop, schedule) = tiled(&ctx);
    let text = Memories::new(&scop, &schedule).unwrap().to_string();
    let first: Vec<&str> = text.lines().take(16).collect();
    assert_eq!(first.join("\n"), OUTER, "{text}");
    // A tile of 4 x 8 in a full tile: rows of A are kept for all columns, and columns of B are loaded for all rows.
    let inner = text.find("band 2:").unwrap();
    assert!(text[inner..].starts_with(INNER), "{text}");
}

#[test]
fn what_takes_too_much_work_is_said() {
    let ctx = Ctx::new();
    let (scop, schedule) = tiled(&ctx);
    ctx.set_whole(12_000);
    let text = Memories::new(&scop, &schedule).unwrap().to_string();
    assert!(
        text.contains("not found: operation quota exceeded"),
        "{text}"
    );
}
