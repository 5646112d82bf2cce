//! The generator, its callbacks and its trees.

use crate::poly::*;

fn triangle(ctx: &Ctx) -> Result<Schedule> {
    let domain = UnionSet::parse(ctx, "[n] -> { S[i, j] : 0 <= j <= i < n }")?;
    let band = MultiUnionPwAff::parse(ctx, "[n] -> [{ S[i, j] -> [(i)] }, { S[i, j] -> [(j)] }]")?;
    Schedule::from_domain(&domain)?.insert_partial_schedule(&band)
}

fn build(ctx: &Ctx) -> Result<AstBuild> {
    AstBuild::from_context(&Set::parse(ctx, "[n] -> { : n >= 1 }")?)?.set_iterators(&["a", "b"])
}

#[test]
fn triangular_loops() -> Result<()> {
    let ctx = Ctx::new();
    let outer = build(&ctx)?.node_from_schedule(&triangle(&ctx)?)?;
    assert_eq!(outer.node_type()?, AstNodeType::For);
    assert_eq!(outer.for_iterator_name()?, "a");
    assert_eq!(outer.for_init()?.int_value()?, 0);
    assert_eq!(outer.for_inc()?.int_value()?, 1);
    assert!(!outer.for_is_degenerate());
    assert_eq!(outer.for_cond()?.to_c_str()?, "a < n");
    let inner = outer.for_body()?;
    let bound = inner.for_cond()?;
    assert_eq!(bound.op_type()?, AstOp::Le);
    let names: Result<Vec<_>> = bound.args()?.iter().map(AstExpr::id_name).collect();
    assert_eq!(names?, ["b", "a"]);
    let call = inner.for_body()?.user_expr()?;
    assert_eq!(call.op_type()?, AstOp::Call);
    assert_eq!(call.arg(0)?.id_name()?, "S");
    assert_eq!(
        outer.to_c_str()?,
        "for (int a = 0; a < n; a += 1)\n  for (int b = 0; b <= a; b += 1)\n    S(a, b);\n"
    );
    Ok(())
}

#[test]
fn conditions_blocks_and_marks() -> Result<()> {
    let ctx = Ctx::new();
    let text = "[n, m] -> { S[i] -> [0, i] : 0 <= i < n and m >= 3; T[] -> [1, 0] }";
    let schedule = UnionMap::parse(&ctx, text)?;
    let program = AstBuild::new(&ctx)?.node_from_schedule_map(&schedule)?;
    assert_eq!(program.node_type()?, AstNodeType::Block);
    let children = program.block_children()?;
    assert_eq!(children.len(), 2);
    assert_eq!(children[0].node_type()?, AstNodeType::If);
    assert_eq!(children[0].if_cond()?.to_c_str()?, "m >= 3");
    assert_eq!(children[0].if_then()?.node_type()?, AstNodeType::For);
    assert!(children[0].if_else()?.is_none());
    assert_eq!(children[1].node_type()?, AstNodeType::User);

    let marked = triangle(&ctx)?
        .root()?
        .child(0)?
        .insert_mark("here")?
        .schedule()?;
    let program = build(&ctx)?.node_from_schedule(&marked)?;
    assert_eq!(program.node_type()?, AstNodeType::Mark);
    assert_eq!(program.mark_name()?, "here");
    assert_eq!(program.mark_node()?.node_type()?, AstNodeType::For);
    Ok(())
}

#[test]
fn expressions_of_sets_and_functions() -> Result<()> {
    let ctx = Ctx::new();
    let build = AstBuild::from_context(&Set::parse(&ctx, "[n, m] -> { : m >= 0 }")?)?;
    let condition = build.expr_from_set(&Set::parse(&ctx, "[n, m] -> { : n >= m and m >= 0 }")?)?;
    assert_eq!(condition.to_c_str()?, "n >= m");
    let value = PwAff::parse(&ctx, "[n, m] -> { [(floor((m)/4))] }")?;
    let value = build.expr_from_pw_aff(&value)?;
    assert_eq!(value.expr_type()?, AstExprType::Op);
    assert_eq!(value.op_type()?, AstOp::PdivQ);
    assert_eq!(value.arg(1)?.int_value()?, 4);
    Ok(())
}

/// Counts what it sees, and keeps a build beyond the generation.
#[derive(Default)]
struct Recorder {
    events: Vec<String>,
    kept: Option<AstBuild>,
}

impl AstVisitor for Recorder {
    fn at_each_domain(&mut self, node: AstNode, build: &AstBuild) -> Result<AstNode> {
        let times = build.schedule()?.to_string();
        assert!(times.contains("S[i, j] -> [[] -> [i, j]]"), "{times}");
        self.events
            .push(format!("statement {}", node.user_expr()?.to_c_str()?));
        self.kept = Some(build.clone());
        node.set_annotation("seen")
    }

    fn before_each_for(&mut self, build: &AstBuild) -> Result<Option<Id>> {
        self.events.push("loop".to_owned());
        Ok(Some(Id::new(build.ctx(), "parallel")?))
    }

    fn after_each_for(&mut self, node: AstNode, _: &AstBuild) -> Result<AstNode> {
        self.events
            .push(format!("end {}", node.for_iterator_name()?));
        Ok(node)
    }
}

#[test]
fn visitor_sees_loops_and_statements() -> Result<()> {
    let ctx = Ctx::new();
    let mut recorder = Recorder::default();
    let program = build(&ctx)?.node_from_schedule_with(&triangle(&ctx)?, &mut recorder)?;
    let expected = ["loop", "loop", "statement S(a, b)", "end b", "end a"];
    assert_eq!(recorder.events, expected);
    assert_eq!(program.annotation().as_deref(), Some("parallel"));
    let statement = program.for_body()?.for_body()?;
    assert_eq!(statement.annotation().as_deref(), Some("seen"));
    // The kept build knows the iterators and calls nobody.
    let kept = recorder.kept.expect("a build");
    let iterators = kept.schedule()?.as_map()?.reverse()?.as_pw_multi_aff()?;
    let sum = PwAff::parse(&ctx, "[n] -> { S[i, j] -> [(i + j)] }")?;
    let sum = sum.pullback_pw_multi_aff(&iterators)?;
    assert_eq!(kept.expr_from_pw_aff(&sum)?.to_c_str()?, "a + b");
    Ok(())
}

#[test]
fn visitor_that_changes_nothing() -> Result<()> {
    let ctx = Ctx::new();
    struct Nothing;
    impl AstVisitor for Nothing {}
    let marked = triangle(&ctx)?
        .root()?
        .child(0)?
        .insert_mark("here")?
        .schedule()?;
    let plain = build(&ctx)?.node_from_schedule(&marked)?;
    let visited = build(&ctx)?.node_from_schedule_with(&marked, &mut Nothing)?;
    assert_eq!(visited.to_c_str()?, plain.to_c_str()?);
    assert_eq!(visited.mark_node()?.annotation(), None);
    Ok(())
}

#[test]
fn visitor_sees_marks() -> Result<()> {
    struct Marks(Vec<String>);
    impl AstVisitor for Marks {
        fn before_each_mark(&mut self, name: &str, _: &AstBuild) -> Result<()> {
            self.0.push(format!("before {name}"));
            Ok(())
        }
        fn after_each_mark(&mut self, node: AstNode, _: &AstBuild) -> Result<AstNode> {
            self.0.push(format!("after {}", node.mark_name()?));
            Ok(node)
        }
    }
    let ctx = Ctx::new();
    let marked = triangle(&ctx)?
        .root()?
        .child(0)?
        .insert_mark("here")?
        .schedule()?;
    let mut marks = Marks(Vec::new());
    build(&ctx)?.node_from_schedule_with(&marked, &mut marks)?;
    assert_eq!(marks.0, ["before here", "after here"]);
    Ok(())
}

#[test]
fn visitor_may_decline() -> Result<()> {
    let ctx = Ctx::new();
    let mut no = AtEachDomain(|_, _: &AstBuild| Err(Error::Limit(7)));
    let result = build(&ctx)?.node_from_schedule_with(&triangle(&ctx)?, &mut no);
    assert_eq!(result.map(|n| n.to_string()), Err(Error::Limit(7)));
    assert!(build(&ctx)?.node_from_schedule(&triangle(&ctx)?).is_ok());
    Ok(())
}

#[test]
fn panic_of_a_visitor_passes_through() {
    let ctx = Ctx::new();
    let run = || {
        let mut bug = AtEachDomain(|_, _: &AstBuild| panic!("a bug"));
        build(&ctx)?.node_from_schedule_with(&triangle(&ctx)?, &mut bug)
    };
    let panic = std::panic::catch_unwind(std::panic::AssertUnwindSafe(run));
    assert_eq!(
        panic
            .err()
            .and_then(|p| p.downcast::<&str>().ok())
            .as_deref(),
        Some(&"a bug")
    );
    assert!(triangle(&ctx).is_ok());
}
