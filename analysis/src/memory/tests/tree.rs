//! D-9: what a tile loads, as instances that a schedule tree of the tile's points gets in front (extension nodes), and the loops that isl makes of it.

use super::super::samples::sample;
use super::super::tiling::{Order, Tiling};
use super::super::touched::{Accesses, Touched};
use super::super::transfers::exact;
use crate::poly::{
    AstBuild, Ctx, DimType, Map, MultiUnionPwAff, Result, Schedule, ScheduleNodeType, Set, UnionMap,
};
use crate::scop::Scop;

const PARAMS: &str = "[ni, nj, nk, s1, s2, s3]";

/// The origin of a tile as parameters: its image alone.
fn of_one_tile(map: &Map) -> Result<Map> {
    let at = map.dim(DimType::Param);
    let sides = map.dim(DimType::In);
    let mut map = map.move_dims(DimType::Param, at, DimType::In, 0, sides)?;
    for side in 0..sides {
        map = map.set_dim_name(DimType::Param, at + side, &format!("I{}", side + 1))?;
    }
    map.reset_tuple_id(DimType::In)
}

/// The points of a tile of a product, columns, sums and rows, with the panels of `B` that it loads in front.
fn tree(ctx: &Ctx, scop: &Scop) -> Result<Schedule> {
    let theta = format!("{PARAMS} -> {{ S1[i, j, k] -> [j, k, i] }}");
    let theta = UnionMap::parse(ctx, &theta)?.intersect_domain(&scop.domain()?)?;
    let tiling = Tiling::of_first(&theta, 3)?;
    let touched = Touched::of(&tiling, &Accesses::of(scop)?)?;
    let load = exact(&tiling, &touched, Order::Anywhere, None)?.load;
    let layout = "{ B[k, j] -> PackB[p, k, l] : 8p <= j < 8p + 8 and l = j - 8p }";
    let packed = load.apply_range(&UnionMap::parse(ctx, layout)?)?.as_map()?;
    let of_tile =
        "-s1 < I1 < nj and -s2 < I2 < nk and 0 <= I3 < ni and ni >= 1 and nj >= 1 and nk >= 1";
    let of_tile = Set::parse(
        ctx,
        &format!("[ni, nj, nk, s1, s2, s3, I1, I2, I3] -> {{ : {of_tile} }}"),
    )?;
    let packed = of_one_tile(&packed)?.gist_params(&of_tile)?;

    let points = tiling.instances()?.as_map()?;
    let points = of_one_tile(&points)?.range()?.to_union_set()?;
    let order = "[{ S1[i, j, k] -> [(j)] }, { S1[i, j, k] -> [(i)] }, { S1[i, j, k] -> [(k)] }]";
    let order = MultiUnionPwAff::parse(ctx, order)?;
    let band = Schedule::from_domain(&points)?.insert_partial_schedule(&order)?;
    let panels =
        "[{ PackB[p, k, l] -> [(p)] }, { PackB[p, k, l] -> [(k)] }, { PackB[p, k, l] -> [(l)] }]";
    let panels = MultiUnionPwAff::parse(ctx, panels)?;
    let graft = crate::poly::ScheduleNode::from_extension(&packed.to_union_map()?)?;
    let graft = graft.child(0)?.insert_partial_schedule(&panels)?.root()?;
    band.root()?.child(0)?.graft_before(&graft)?.schedule()
}

#[test]
fn d9_what_is_packed_stands_in_front_of_a_tile() -> Result<()> {
    let ctx = Ctx::new();
    let scop = sample("gemm").scop(&ctx);
    let tree = tree(&ctx, &scop)?;
    let extension = tree.root()?.child(0)?;
    assert_eq!(extension.node_type()?, ScheduleNodeType::Extension);
    let sequence = extension.child(0)?;
    assert_eq!(sequence.node_type()?, ScheduleNodeType::Sequence);
    assert_eq!(sequence.n_children(), 2);
    let again = Schedule::parse(&ctx, &tree.to_string())?;
    assert!(again.plain_is_equal(&tree)?);

    let context = format!("{PARAMS} -> {{ : s1 >= 1 and s2 >= 1 and s3 >= 1 }}");
    let build = AstBuild::from_context(&Set::parse(&ctx, &context)?)?;
    let code = build.node_from_schedule(&tree)?.to_c_str()?;
    let at = |text: &str| {
        code.find(text)
            .unwrap_or_else(|| panic!("no {text} in {code}"))
    };
    assert!(at("I3 == 0") < at("PackB(") && at("PackB(") < at("S1("));
    assert_eq!(code.matches("PackB(").count(), 1, "{code}");
    assert_eq!(code.matches("S1(").count(), 1, "{code}");
    assert_eq!(code.matches("for (").count(), 6, "{code}");
    Ok(())
}
