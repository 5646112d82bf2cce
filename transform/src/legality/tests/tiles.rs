//! Tile bands: known tilings, wavefronts, constant sizes, register tiles.

use super::{Rule, band, sample, scop, verdict};
use polytile_analysis::ids::StmtId;
use polytile_analysis::poly::Ctx;
use polytile_analysis::scop::Scop;
use polytile_analysis::tree::{
    Band, Distribution, LoopKind, Mark, RegisterTile, Schedule, SizeParam, Tile, TileSize, Tree,
};

const PARALLEL: LoopKind = LoopKind::Parallel(Distribution::Static);

fn tile_band(
    s: &Scop,
    rows: &str,
    sizes: Vec<TileSize>,
    wavefront: Vec<usize>,
    child: Tree,
) -> Band {
    let mut b = band(s, rows, child);
    b.permutable = true;
    b.tile = Some(Tile { sizes, wavefront });
    b
}

fn schedule(s: &Scop, root: Band) -> Schedule {
    let size = |i: usize| SizeParam {
        name: format!("size{i}"),
        default: 32,
        multiple_of: 1,
        dealt: false,
    };
    Schedule {
        domain: s.domain().unwrap(),
        root: Tree::Band(Box::new(root)),
        sizes: (0..4).map(size).collect(),
    }
}

/// Tiles of run-time sizes in these rows, points in this order.
fn tiled(s: &Scop, rows: &str, points: &str) -> Result<(), Rule> {
    let inner = Tree::Band(Box::new(band(s, points, Tree::Leaf)));
    let sizes = (0..band(s, rows, Tree::Leaf).schedule.size())
        .map(TileSize::Param)
        .collect();
    verdict(s, &schedule(s, tile_band(s, rows, sizes, vec![], inner))).map_err(|v| v.rule)
}

#[test]
fn dense_tilings() {
    let ctx = Ctx::new();
    for (name, rows, points) in [
        (
            "gemm",
            "S0[i, j] -> [i, j, 0]; S1[i, k, j] -> [i, j, k]",
            "S0[i, j] -> [i, j, 0, 0]; S1[i, k, j] -> [i, j, 1, k]",
        ),
        // Points in another order than the tiles: initialise first, then k outside of j.
        (
            "gemm",
            "S0[i, j] -> [i, j, 0]; S1[i, k, j] -> [i, j, k]",
            "S0[i, j] -> [i, 0, j, 0]; S1[i, k, j] -> [i, 1, k, j]",
        ),
        (
            "syrk",
            "S0[i, j] -> [i, j, 0]; S1[i, k, j] -> [i, j, k]",
            "S0[i, j] -> [i, j, 0, 0]; S1[i, k, j] -> [i, j, 1, k]",
        ),
        (
            "trmm",
            "S0[i, j, k] -> [i, j, i + 1 + k]; S1[i, j] -> [i, j, m - 1]",
            "S0[i, j, k] -> [i, j, k, 0]; S1[i, j] -> [i, j, m, 1]",
        ),
        (
            "lu",
            "S0[i, j, k] -> [i, j, k]; S1[i, j] -> [i, j, j]; S2[i, j, k] -> [i, i + j, k]",
            "S0[i, j, k] -> [i, j, k, 0]; S1[i, j] -> [i, j, j, 1]; S2[i, j, k] -> [i, i + j, k, 0]",
        ),
        (
            "lu",
            "S0[i, j, k] -> [k, i, j]; S1[i, j] -> [j, i, j]; S2[i, j, k] -> [k, i, i + j]",
            "S0[i, j, k] -> [k, i, j, 1]; S1[i, j] -> [j, i, j, 0]; S2[i, j, k] -> [k, i, i + j, 1]",
        ),
        (
            "cholesky",
            "S0[i, j, k] -> [i, j, k]; S1[i, j] -> [i, j, j]; S2[i, k] -> [i, i, k]; S3[i] -> [i, i, i]",
            "S0[i, j, k] -> [i, j, k, 0]; S1[i, j] -> [i, j, j, 1]; S2[i, k] -> [i, i, k, 0]; S3[i] -> [i, i, i, 1]",
        ),
        (
            "nussinov",
            "S0[i, j] -> [i, j - i]; S1[i, j] -> [i, j - i]; S2[i, j] -> [i, j - i]; S3[i, j, k] -> [i, j - i]",
            "S0[i, j] -> [i, j - i, 0, 0]; S1[i, j] -> [i, j - i, 1, 0]; S2[i, j] -> [i, j - i, 2, 0]; \
             S3[i, j, k] -> [i, j - i, 3, k]",
        ),
    ] {
        assert_eq!(
            tiled(&sample(&ctx, name), rows, points),
            Ok(()),
            "{name} {rows}"
        );
    }
}

#[test]
fn stencil_tilings() {
    let ctx = Ctx::new();
    let s = sample(&ctx, "jacobi-2d");
    let points = "S0[t, i, j] -> [t, 0, i, j]; S1[t, i, j] -> [t, 1, i, j]";
    let rows = |a: &str, b: &str| format!("S0[t, i, j] -> [{a}]; S1[t, i, j] -> [{b}]");
    let skewed = rows("t, 2t + i, 2t + j", "t, 2t + i + 1, 2t + j + 1");
    assert_eq!(tiled(&s, &skewed, points), Ok(()));
    for (a, b) in [
        ("t, i, j", "t, i, j"),
        ("t, t + i, t + j", "t, t + i, t + j"),
    ] {
        let refused = tiled(&s, &rows(a, b), points);
        assert!(
            matches!(refused, Err(Rule::NotPermutable(1 | 2))),
            "{a}: {refused:?}"
        );
    }
    let diamond = rows(
        "2t + i, 2t - i, 2t + j",
        "2t + 1 + i, 2t + 1 - i, 2t + 1 + j",
    );
    assert_eq!(tiled(&s, &diamond, points), Ok(()));
    // Legal tiles, but points of one tile in an order that only whole sweeps allow.
    let wrong = "S0[t, i, j] -> [t, i, j, 0]; S1[t, i, j] -> [t, i, j, 1]";
    assert_eq!(tiled(&s, &skewed, wrong), Err(Rule::Backwards));

    let s = sample(&ctx, "seidel-2d");
    let tile = |rows: &str| {
        tiled(
            &s,
            &format!("S0[t, i, j] -> [{rows}]"),
            "S0[t, i, j] -> [t, i, j]",
        )
    };
    assert_eq!(tile("t, t + i, 2t + i + j"), Ok(()));
    assert!(matches!(tile("t, i, j"), Err(Rule::NotPermutable(_))));
    assert_eq!(tile("t, t + i, t + j"), Err(Rule::NotPermutable(2)));

    let s = sample(&ctx, "heat-3d");
    let rows = "S0[t, i, j, k] -> [t, 2t + i, 2t + j, 2t + k]; S1[t, i, j, k] -> [t, 2t + i + 1, 2t + j + 1, 2t + k + 1]";
    let points = "S0[t, i, j, k] -> [t, 0, i, j, k]; S1[t, i, j, k] -> [t, 1, i, j, k]";
    assert_eq!(tiled(&s, rows, points), Ok(()));
}

#[test]
fn wrong_dense_tilings() {
    let ctx = Ctx::new();
    let s = sample(&ctx, "lu");
    let rows = "S0[i, j, k] -> [i, j, k]; S1[i, j] -> [i, j, 0]; S2[i, j, k] -> [i, i + j, k]";
    let points =
        "S0[i, j, k] -> [i, j, k, 0]; S1[i, j] -> [i, j, j, 1]; S2[i, j, k] -> [i, i + j, k, 0]";
    assert_eq!(tiled(&s, rows, points), Err(Rule::NotPermutable(2)));
    let s = sample(&ctx, "nussinov");
    let rows = "S0[i, j] -> [-i, j - i]; S1[i, j] -> [-i, j - i]; S2[i, j] -> [-i, j - i]; S3[i, j, k] -> [-i, j - i]";
    let points = "S0[i, j] -> [i, j, 0, 0]; S1[i, j] -> [i, j, 1, 0]; S2[i, j] -> [i, j, 2, 0]; S3[i, j, k] -> [i, j, 3, k]";
    assert_eq!(tiled(&s, rows, points), Err(Rule::NotPermutable(0)));
    // Not even where the band does not claim to be permutable.
    let inner = Tree::Band(Box::new(band(&s, points, Tree::Leaf)));
    let mut b = tile_band(
        &s,
        rows,
        vec![TileSize::Param(0), TileSize::Param(1)],
        vec![],
        inner,
    );
    b.permutable = false;
    assert_eq!(
        verdict(&s, &schedule(&s, b)).unwrap_err().rule,
        Rule::TileBackwards
    );
}

/// A stencil in skewed rows `(t, t + i)`: loops of these kinds over tiles of these sizes.
fn stencil(
    ctx: &Ctx,
    loops: [LoopKind; 2],
    sizes: [TileSize; 2],
    wavefront: Vec<usize>,
) -> Result<(), Rule> {
    let s = scop(
        ctx,
        "params T n
         context { : T >= 1 and n >= 3 }
         array A f64 []
         stmt S0 domain { S0[t, i] : 0 <= t < T and 0 < i < n - 1 } beta 0 0 0
           write { S0[t, i] -> A[t + 1, i] } read { S0[t, i] -> A[t, i - 1] } read { S0[t, i] -> A[t, i + 1] }",
    );
    let inner = Tree::Band(Box::new(band(&s, "S0[t, i] -> [t, i]", Tree::Leaf)));
    let mut b = tile_band(
        &s,
        "S0[t, i] -> [t, t + i]",
        sizes.to_vec(),
        wavefront,
        inner,
    );
    b.loops = loops.to_vec();
    verdict(&s, &schedule(&s, b)).map_err(|v| v.rule)
}

#[test]
fn tiles_of_one_wave_are_independent() {
    use LoopKind::Sequential;
    let ctx = Ctx::new();
    let one = || [TileSize::Param(0), TileSize::Param(0)];
    assert_eq!(
        stencil(&ctx, [Sequential, Sequential], one(), vec![]),
        Ok(())
    );
    assert_eq!(
        stencil(&ctx, [PARALLEL, Sequential], one(), vec![]),
        Err(Rule::NotParallel(0))
    );
    assert_eq!(
        stencil(&ctx, [Sequential, PARALLEL], one(), vec![]),
        Err(Rule::NotParallel(1))
    );
    assert_eq!(
        stencil(&ctx, [PARALLEL, Sequential], one(), vec![0, 1]),
        Ok(())
    );
    let unequal = [TileSize::Param(0), TileSize::Param(1)];
    let shape = Rule::Malformed("equal sizes of the members of a wavefront");
    assert_eq!(
        stencil(&ctx, [PARALLEL, Sequential], unequal, vec![0, 1]),
        Err(shape)
    );
}

#[test]
fn pipelined_tiles_wait_for_both_neighbours() {
    use LoopKind::Sequential;
    const PIPELINED: LoopKind = LoopKind::Parallel(Distribution::Pipelined);
    let ctx = Ctx::new();
    let one = || [TileSize::Param(0), TileSize::Param(0)];
    for loops in [[PIPELINED, Sequential], [Sequential, PIPELINED]] {
        assert_eq!(stencil(&ctx, loops, one(), vec![0, 1]), Ok(()));
        let unequal = [TileSize::Const(3), TileSize::Param(0)];
        assert_eq!(stencil(&ctx, loops, unequal, vec![0, 1]), Ok(()));
        let shape = Rule::Malformed("a wavefront of two for pipelined rows");
        assert_eq!(stencil(&ctx, loops, one(), vec![]), Err(shape));
    }
    // Without skewing, the left neighbour's next step is needed.
    let s = sample(&ctx, "seidel-2d");
    let straight = "S0[t, i, j] -> [t, i, j]";
    let inner = Tree::Band(Box::new(band(&s, straight, Tree::Leaf)));
    let mut b = tile_band(&s, straight, vec![TileSize::Param(0); 3], vec![0, 1], inner);
    (b.permutable, b.loops[0]) = (false, PIPELINED);
    let rule = verdict(&s, &schedule(&s, b)).map_err(|v| v.rule);
    assert_eq!(rule, Err(Rule::TileBackwards));
}

#[test]
fn constant_sizes_tell_more_points_apart() {
    use LoopKind::Sequential;
    let ctx = Ctx::new();
    // One time step per tile: points of one tile column are independent, and so are the tiles.
    let rows = [TileSize::Const(1), TileSize::Param(0)];
    assert_eq!(stencil(&ctx, [Sequential, PARALLEL], rows, vec![]), Ok(()));
    let two = [TileSize::Const(2), TileSize::Param(0)];
    assert_eq!(
        stencil(&ctx, [Sequential, PARALLEL], two, vec![]),
        Err(Rule::NotParallel(1))
    );
    // A row that is not tiled has no tile loop: the other one may be parallel only if it carries nothing at all.
    let whole = [TileSize::Whole, TileSize::Param(0)];
    assert_eq!(
        stencil(&ctx, [Sequential, Sequential], whole.clone(), vec![]),
        Ok(())
    );
    assert_eq!(
        stencil(&ctx, [Sequential, PARALLEL], whole, vec![]),
        Err(Rule::NotParallel(1))
    );
    let none = [TileSize::Const(0), TileSize::Param(0)];
    let shape = Rule::Malformed("tile sizes of at least 1");
    assert_eq!(
        stencil(&ctx, [Sequential, Sequential], none, vec![]),
        Err(shape)
    );
}

#[test]
fn points_inside_constant_tiles() {
    let ctx = Ctx::new();
    let s = scop(
        &ctx,
        "params n
         context { : n >= 1 }
         array A f64 []
         stmt S0 domain { S0[i] : 0 <= i < n } beta 0 0 write { S0[i] -> A[i] } read { S0[i] -> A[i - 4] }",
    );
    for (size, verdict_) in [
        (TileSize::Const(4), Ok(())),
        (TileSize::Const(5), Err(Rule::NotVector(0))),
    ] {
        let mut inner = band(&s, "S0[i] -> [i]", Tree::Leaf);
        inner.loops = vec![LoopKind::Vector];
        let b = tile_band(
            &s,
            "S0[i] -> [i]",
            vec![size],
            vec![],
            Tree::Band(Box::new(inner)),
        );
        assert_eq!(verdict(&s, &schedule(&s, b)).map_err(|v| v.rule), verdict_);
    }
}

/// A register tile of 4 x 8 for this nest.
fn register(
    s: &Scop,
    rows: &str,
    points: &str,
    tile: RegisterTile,
    sizes: [i64; 2],
) -> Result<(), Rule> {
    let mark = |child| Tree::Mark(Mark::RegisterTile(tile), Box::new(child));
    let inner = mark(Tree::Band(Box::new(band(s, points, Tree::Leaf))));
    let sizes = vec![
        TileSize::Const(sizes[0]),
        TileSize::Const(sizes[1]),
        TileSize::Whole,
    ];
    let mut b = tile_band(s, rows, sizes, vec![], inner);
    b.permutable = false;
    verdict(s, &schedule(s, b)).map_err(|v| v.rule)
}

const TILE: RegisterTile = RegisterTile {
    stmt: StmtId(0),
    row: Some(0),
    rows: 4,
    lane: 1,
    vectors: 2,
    lanes: 4,
    reduction: 2,
};

fn product(ctx: &Ctx, cell: &str, left: &str, domain: &str) -> Scop {
    scop(
        ctx,
        &format!(
            "params n
             context {{ : n >= 1 }}
             array A f64 []
             array B f64 []
             array C f64 []
             stmt S0 domain {{ S0[i, j, k] : {domain} }} beta 0 0 0 0
               write {{ S0[i, j, k] -> {cell} }} read {{ S0[i, j, k] -> {cell} }}
               read {{ S0[i, j, k] -> {left} }} read {{ S0[i, j, k] -> B[k, j] }}"
        ),
    )
}

#[test]
fn register_tiles() {
    let ctx = Ctx::new();
    let rows = "S0[i, j, k] -> [i, j, k]";
    let cube = "0 <= i, j, k < n";
    let s = product(&ctx, "C[i, j]", "A[i, k]", cube);
    assert_eq!(register(&s, rows, rows, TILE, [4, 8]), Ok(()));
    let shape = || Err(Rule::RegisterTile("the tile band above has another shape"));
    assert_eq!(register(&s, rows, rows, TILE, [4, 9]), shape());
    let swapped = RegisterTile {
        row: Some(2),
        reduction: 0,
        ..TILE
    };
    assert_eq!(register(&s, rows, rows, swapped, [4, 8]), shape());
    let same = RegisterTile {
        row: Some(1),
        ..TILE
    };
    assert_eq!(register(&s, rows, rows, same, [4, 8]), shape());
    // All rows update one cell: their sums would be interleaved.
    let s = product(&ctx, "C[0, j]", "A[i, k]", cube);
    let order = Rule::RegisterTile("an accumulator is updated out of order");
    assert_eq!(register(&s, rows, rows, TILE, [4, 8]), Err(order));
}

#[test]
fn register_tiles_in_other_rows() {
    let ctx = Ctx::new();
    // The reduction counts from i + 1: its row is the absolute one.
    let s = product(
        &ctx,
        "C[i, j]",
        "A[i, i + 1 + k]",
        "0 <= i, j < n and 0 <= k < n - i - 1",
    );
    let rows = "S0[i, j, k] -> [i, j, i + k]";
    assert_eq!(
        register(&s, rows, "S0[i, j, k] -> [k, i, j]", TILE, [4, 8]),
        Ok(())
    );
    // Downwards the sum has another order.
    let down = register(
        &s,
        "S0[i, j, k] -> [i, j, -k]",
        "S0[i, j, k] -> [i, j, k]",
        TILE,
        [4, 8],
    );
    assert_eq!(
        down,
        Err(Rule::RegisterTile("an accumulator is updated out of order"))
    );
}

#[test]
fn register_tiles_and_other_accesses() {
    let ctx = Ctx::new();
    let rows = "S0[i, j, k] -> [i, j, k]";
    let inner = "0 < i < n and 0 <= j, k < n";
    // Row i of C is complete before row i + 1 reads it: tiles of one row are legal, of four rows are not.
    let s = product(&ctx, "C[i, j]", "C[i - 1, k]", inner);
    assert_eq!(
        register(&s, rows, rows, RegisterTile { rows: 1, ..TILE }, [1, 8]),
        Ok(())
    );
    assert_eq!(
        register(&s, rows, rows, TILE, [4, 8]),
        Err(Rule::TileBackwards)
    );
    // The accumulator is also an operand: the operand would be the old value.
    let s = product(&ctx, "C[i, j]", "C[i, j]", inner);
    let twice = Rule::RegisterTile("not one read of the accumulator");
    assert_eq!(register(&s, rows, rows, TILE, [4, 8]), Err(twice));
    // No accumulator at all.
    let s = scop(
        &ctx,
        "params n
         context { : n >= 1 }
         array C f64 []
         stmt S0 domain { S0[i, j, k] : 0 <= i, j, k < n } beta 0 0 0 0 write { S0[i, j, k] -> C[i, j, k] }",
    );
    let none = Rule::RegisterTile("not one read of the accumulator");
    assert_eq!(register(&s, rows, rows, TILE, [4, 8]), Err(none));
    // No tile band above.
    let mark = Tree::Mark(Mark::RegisterTile(TILE), Box::new(Tree::Leaf));
    let b = band(&s, rows, mark);
    let v = verdict(&s, &schedule(&s, b)).unwrap_err();
    assert_eq!(
        v.rule,
        Rule::RegisterTile("no tile band right above the mark")
    );
    assert_eq!(
        v.to_string(),
        "register tile: no tile band right above the mark; at band > mark"
    );
}
