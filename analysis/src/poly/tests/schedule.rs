//! Schedule trees, isl's scheduler and the access analysis.

use crate::poly::*;

fn two_statements(ctx: &Ctx) -> Result<Schedule> {
    let domain = UnionSet::parse(ctx, "[n] -> { S[i] : 0 <= i < n; T[i] : 0 <= i < n }")?;
    let filters = [
        UnionSet::parse(ctx, "[n] -> { S[i] }")?,
        UnionSet::parse(ctx, "[n] -> { T[i] }")?,
    ];
    let band = MultiUnionPwAff::parse(ctx, "[n] -> [{ S[i] -> [(i)]; T[i] -> [(i)] }]")?;
    let leaf = Schedule::from_domain(&domain)?.root()?.child(0)?;
    leaf.insert_sequence(&filters)?
        .insert_partial_schedule(&band)?
        .schedule()
}

#[test]
fn tree_is_built_inspected_and_read_back() -> Result<()> {
    let ctx = Ctx::new();
    let schedule = two_statements(&ctx)?;
    let band = schedule.root()?.child(0)?;
    assert_eq!(schedule.root()?.node_type()?, ScheduleNodeType::Domain);
    assert_eq!(band.node_type()?, ScheduleNodeType::Band);
    assert_eq!((band.tree_depth(), band.band_n_member()), (1, 1));
    let band = band
        .band_set_permutable(true)?
        .band_member_set_coincident(0, true)?
        .band_member_set_ast_loop_type(0, AstLoopType::Separate)?;
    assert!(band.band_permutable() && band.band_member_coincident(0)?);
    assert_eq!(band.band_member_ast_loop_type(0)?, AstLoopType::Separate);
    let sequence = band.child(0)?;
    assert_eq!(sequence.node_type()?, ScheduleNodeType::Sequence);
    assert_eq!(sequence.children()?.len(), 2);
    let second = sequence.child(1)?;
    assert_eq!(second.node_type()?, ScheduleNodeType::Filter);
    assert_eq!(second.child_position(), 1);
    let again = Schedule::parse(&ctx, &schedule.to_string())?;
    assert!(again.plain_is_equal(&schedule)?);
    let flat = UnionMap::parse(
        &ctx,
        "[n] -> { S[i] -> [i, 0] : 0 <= i < n; T[i] -> [i, 1] : 0 <= i < n }",
    )?;
    let flat_domain = schedule.domain()?;
    assert!(
        schedule
            .map()?
            .intersect_domain(&flat_domain)?
            .is_equal(&flat)?
    );
    Ok(())
}

#[test]
fn marks_and_contexts() -> Result<()> {
    let ctx = Ctx::new();
    let band = two_statements(&ctx)?.root()?.child(0)?;
    let marked = band.insert_mark("parallel")?;
    assert_eq!(marked.node_type()?, ScheduleNodeType::Mark);
    assert_eq!(marked.mark_name()?, "parallel");
    let context = Set::parse(&ctx, "[n] -> { [] : n >= 4 }")?;
    let known = marked.insert_context(&context)?;
    assert_eq!(known.node_type()?, ScheduleNodeType::Context);
    Ok(())
}

#[test]
fn tiling_makes_two_bands() -> Result<()> {
    let ctx = Ctx::new();
    let band = two_statements(&ctx)?
        .root()?
        .child(0)?
        .band_set_permutable(true)?;
    let sizes = MultiVal::from_i64s(&band.band_space()?, &[32])?;
    assert_eq!(sizes.to_i64s()?, [32]);
    let tiled = band.band_tile(&sizes)?;
    assert_eq!(tiled.child(0)?.node_type()?, ScheduleNodeType::Band);
    Ok(())
}

#[test]
fn flow_finds_the_last_writer() -> Result<()> {
    // S: a[i] = ..;  T: .. = a[i], once after each pass of two over the array.
    let ctx = Ctx::new();
    let parse = |text| UnionMap::parse(&ctx, text);
    let flow = UnionAccessInfo::from_sink(&parse("{ T[i] -> a[i] : 0 <= i < 10 }")?)?
        .set_must_source(&parse("{ S[t, i] -> a[i] : 0 <= t < 2 and 0 <= i < 10 }")?)?
        .set_schedule_map(&parse("{ S[t, i] -> [t, i]; T[i] -> [2, i] }")?)?
        .compute_flow()?;
    let last = parse("{ S[1, i] -> T[i] : 0 <= i < 10 }")?;
    assert!(flow.must_dependence()?.is_equal(&last)?);
    assert!(flow.must_no_source()?.is_empty()?);
    let memory = UnionAccessInfo::from_sink(&parse("{ T[i] -> a[i] : 0 <= i < 10 }")?)?
        .set_may_source(&parse("{ S[t, i] -> a[i] : 0 <= t < 2 and 0 <= i < 10 }")?)?
        .set_schedule_map(&parse("{ S[t, i] -> [t, i]; T[i] -> [2, i] }")?)?
        .compute_flow()?;
    let any = parse("{ S[t, i] -> T[i] : 0 <= t < 2 and 0 <= i < 10 }")?;
    assert!(memory.may_dependence()?.is_equal(&any)?);
    Ok(())
}

#[test]
fn isl_schedules_a_producer_and_its_consumer() -> Result<()> {
    let ctx = Ctx::new();
    ctx.set_option_schedule_whole_component(true);
    let domain = UnionSet::parse(&ctx, "[n] -> { S[i] : 0 <= i < n; T[i] : 0 <= i < n }")?;
    let flow = UnionMap::parse(&ctx, "[n] -> { S[i] -> T[i] : 0 <= i < n }")?;
    let schedule = ScheduleConstraints::on_domain(&domain)?
        .set_validity(&flow)?
        .set_coincidence(&flow)?
        .set_proximity(&flow)?
        .compute_schedule()?;
    let band = schedule.root()?.child(0)?;
    assert_eq!(band.node_type()?, ScheduleNodeType::Band);
    assert!(band.band_member_coincident(0)?);
    let times = band.band_partial_schedule_union_map()?;
    let distance = flow.apply_domain(&times)?.apply_range(&times)?.deltas()?;
    assert!(distance.is_subset(&UnionSet::parse(&ctx, "{ [0] }")?)?);
    Ok(())
}
