//! Schedule trees and the access analysis.

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
    let sequence = band.child(0)?;
    assert_eq!(sequence.node_type()?, ScheduleNodeType::Sequence);
    assert_eq!(sequence.children()?.len(), 2);
    let second = sequence.child(1)?;
    assert_eq!(second.node_type()?, ScheduleNodeType::Filter);
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
fn marks_have_names() -> Result<()> {
    let ctx = Ctx::new();
    let band = two_statements(&ctx)?.root()?.child(0)?;
    let marked = band.insert_mark("parallel")?;
    assert_eq!(marked.node_type()?, ScheduleNodeType::Mark);
    assert_eq!(marked.mark_name()?, "parallel");
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
