//! Errors are values, quotas recover, contexts live as long as their objects.

use crate::poly::*;

#[test]
fn object_outlives_its_context_handle() -> Result<()> {
    let set = {
        let ctx = Ctx::new();
        Set::parse(&ctx, "{ [i] : 0 <= i < 3 }")?
    };
    assert_eq!(set.count(10)?, 3);
    Ok(())
}

#[test]
fn syntax_error_is_a_value() -> Result<()> {
    let ctx = Ctx::new();
    assert!(matches!(
        Set::parse(&ctx, "{ [i : }"),
        Err(Error::Invalid(_))
    ));
    assert!(Set::parse(&ctx, "{ [i] : i = 1 }")?.is_singleton()?);
    Ok(())
}

#[test]
fn space_mismatch_is_a_value() -> Result<()> {
    let ctx = Ctx::new();
    let a = Set::parse(&ctx, "{ A[i] }")?;
    let b = Set::parse(&ctx, "{ B[i] }")?;
    assert!(matches!(a.union(&b), Err(Error::Invalid(_))));
    assert!(a.is_subset(&a)?);
    Ok(())
}

#[test]
fn quota_ends_an_operation_and_recovers() -> Result<()> {
    let ctx = Ctx::new();
    let set = Set::parse(&ctx, "{ [a, b, c] : 0 <= a, b, c <= 9 and a + b + c = 11 }")?;
    {
        let _limit = ctx.quota(20);
        assert_eq!(set.lexmin().map(|s| s.to_string()), Err(Error::Quota));
        assert_eq!(set.complement().map(|s| s.to_string()), Err(Error::Quota));
    }
    assert_eq!(set.lexmin()?.points(2)?, [[0, 2, 9]]);
    Ok(())
}

#[test]
fn inner_quota_cannot_raise_the_outer_one() -> Result<()> {
    let ctx = Ctx::new();
    let set = Set::parse(&ctx, "{ [a, b, c] : 0 <= a, b, c <= 9 and a + b + c = 11 }")?;
    let _outer = ctx.quota(20);
    {
        let _inner = ctx.quota(1_000_000);
        assert!(matches!(set.lexmin(), Err(Error::Quota)));
    }
    assert!(matches!(set.lexmin(), Err(Error::Quota)));
    Ok(())
}

#[test]
fn work_is_counted_alike_and_limited() -> Result<()> {
    let run = |budget: u64| -> Result<u64> {
        let ctx = Ctx::new();
        ctx.set_budget(budget);
        let set = Set::parse(&ctx, "{ [a, b, c] : 0 <= a, b, c <= 9 and a + b + c = 11 }")?;
        set.lexmin()?;
        Ok(ctx.work())
    };
    let work = run(1_000_000)?;
    assert!(work > 100);
    assert_eq!(run(1_000_000), Ok(work));
    for budget in [0, 1, 20, work / 2] {
        assert_eq!(run(budget), Err(Error::Budget));
    }
    Ok(())
}

#[test]
fn work_outside_of_isl_counts_as_well() -> Result<()> {
    let ctx = Ctx::new();
    ctx.set_budget(1_000);
    let before = ctx.work();
    ctx.spend(300)?;
    assert!((300..350).contains(&(ctx.work() - before)));
    assert!((650..=700).contains(&ctx.within_limits()));
    {
        let _quota = ctx.quota(200);
        assert!((150..=200).contains(&ctx.within_limits()));
        assert_eq!(ctx.spend(250), Err(Error::Quota));
        assert_eq!(ctx.within_limits(), 0);
    }
    // What was done in the part counts for the whole.
    assert_eq!(ctx.spend(450), Err(Error::Budget));
    assert!(matches!(
        Set::parse(&ctx, "{ [i] : i = 1 }"),
        Err(Error::Budget)
    ));
    Ok(())
}

#[test]
fn an_inner_quota_does_not_refresh_the_outer_one() -> Result<()> {
    let ctx = Ctx::new();
    let _outer = ctx.quota(1_000);
    for left in [800, 600, 400, 200] {
        let _inner = ctx.quota(300);
        ctx.spend(200)?;
        assert!(ctx.work() > 1_000 - left - 1);
    }
    assert_eq!(ctx.spend(200), Err(Error::Quota));
    Ok(())
}

#[test]
fn printing_under_an_exhausted_quota_does_not_panic() -> Result<()> {
    let ctx = Ctx::new();
    let set = Set::parse(&ctx, "{ [i] : 0 <= i < 3 }")?;
    let limit = ctx.quota(1);
    assert!(set.to_string().contains("quota"));
    drop(limit);
    assert_eq!(set.to_string(), "{ [i] : 0 <= i <= 2 }");
    Ok(())
}

#[test]
#[should_panic(expected = "two contexts")]
fn contexts_do_not_mix() {
    let (a, b) = (Ctx::new(), Ctx::new());
    let a = Set::parse(&a, "{ [i] }").expect("a set");
    let b = Set::parse(&b, "{ [i] }").expect("a set");
    let _ = a.union(&b);
}

#[test]
fn threads_with_contexts_of_their_own() {
    let workers: Vec<_> = (1..=4)
        .map(|n| {
            std::thread::spawn(move || {
                let ctx = Ctx::new();
                let text = format!("{{ [i, j] : 0 <= i, j < {n} }}");
                Set::parse(&ctx, &text).and_then(|s| s.count(100))
            })
        })
        .collect();
    let counts: Vec<_> = workers
        .into_iter()
        .map(|w| w.join().expect("a result"))
        .collect();
    assert_eq!(counts, [Ok(1), Ok(4), Ok(9), Ok(16)]);
}

#[test]
fn operations_in_many_dimensions_weigh_more() -> Result<()> {
    let run = |dimensions: usize, budget: u64| -> Result<u64> {
        let ctx = Ctx::new();
        ctx.set_budget(budget);
        ctx.spend(100)?;
        ctx.weigh(dimensions);
        let before = ctx.work();
        let set = Set::parse(&ctx, "{ [a, b] : 0 <= a, b <= 9 and a + b = 11 }")?;
        set.lexmin()?;
        Ok(ctx.work() - before)
    };
    let usual = run(12, u64::MAX)?;
    assert_eq!(run(3, u64::MAX)?, usual);
    let wide = run(24, u64::MAX)?;
    assert!((3 * usual..5 * usual).contains(&wide), "{usual}, {wide}");
    assert!(run(12, 2 * usual + 200).is_ok());
    assert_eq!(run(24, 2 * usual + 200), Err(Error::Budget));
    Ok(())
}

#[test]
fn a_share_is_a_part_of_the_budget() -> Result<()> {
    let ctx = Ctx::new();
    ctx.set_whole(1_000);
    {
        let _share = ctx.share(10);
        assert_eq!(ctx.spend(200), Err(Error::Quota));
    }
    ctx.set_whole(10_000);
    let _share = ctx.share(10);
    ctx.spend(200)
}

#[test]
fn what_is_done_aside_counts_for_nothing_one_in_another_too() -> Result<()> {
    let ctx = Ctx::new();
    ctx.set_budget(1_000_000);
    let work = |ctx: &Ctx| -> Result<()> {
        ctx.spend(1_000)?;
        let text = "{ [a, b, c] : 0 <= a, b, c <= 9 and a + b + c = 11 }";
        Set::parse(ctx, text)?.lexmin().map(drop)
    };
    work(&ctx)?;
    let before = ctx.work();
    {
        let _outer = ctx.aside(100_000);
        work(&ctx)?;
        for _ in 0..2 {
            let _inner = ctx.aside(100_000);
            work(&ctx)?;
        }
        work(&ctx)?;
        assert!(ctx.work() >= before + 2_000);
    }
    // Asking takes some operations itself.
    let after = ctx.work();
    assert!((before..before + 200).contains(&after), "{before} {after}");
    Ok(())
}
