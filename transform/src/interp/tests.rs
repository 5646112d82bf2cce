//! The interpreter takes programs by the letter, and sees what they do wrong.

use super::{Difference, Fault, Instance, Order, Setting, compare, execute, original, run};
use crate::ast::generate;
use polytile_analysis::ast::{
    Ast, BinOp, Buffer, Expr, For, ForKind, IterId, MicroKernel, PackStore, Panel, TileConstraint,
    User,
};
use polytile_analysis::deps::{Dependences, compute};
use polytile_analysis::ids::{ArrayId, NodeId, ParamId, StmtId};
use polytile_analysis::poly::Ctx;
use polytile_analysis::region::Ty;
use polytile_analysis::scop::Scop;
use polytile_analysis::text::{parse_scop, samples};
use polytile_analysis::tree::{self, Distribution, RegisterTile};

fn int(c: i64) -> Expr {
    Expr::Int(c)
}

fn iter(i: u32) -> Expr {
    Expr::Iter(IterId(i))
}

fn user(s: u32, args: Vec<Expr>) -> Ast {
    Ast::User(User {
        stmt: StmtId(s),
        args,
    })
}

fn repeat(i: u32, lower: Expr, upper: Expr, body: Ast) -> For {
    For {
        iter: IterId(i),
        lower,
        upper,
        step: int(1),
        anchor: None,
        kind: ForKind::Sequential,
        body,
    }
}

fn nest(l: For) -> Ast {
    Ast::For(Box::new(l))
}

fn parallel() -> ForKind {
    ForKind::Parallel {
        distribution: Distribution::Static,
        worth: None,
        private: vec![],
    }
}

fn values(ast: &Ast) -> Vec<i64> {
    run(ast, &[], &[])
        .unwrap()
        .into_iter()
        .map(|(_, at)| at[0])
        .collect()
}

#[test]
fn loops_start_on_their_lattice() {
    let with = |lower, upper, step, anchor: Option<i64>| {
        let mut l = repeat(0, int(lower), int(upper), user(0, vec![iter(0)]));
        (l.step, l.anchor) = (int(step), anchor.map(int));
        values(&nest(l))
    };
    assert_eq!(with(3, 10, 4, None), [3, 7]);
    assert_eq!(with(3, 13, 4, Some(1)), [5, 9, 13]);
    assert_eq!(with(3, 13, 4, Some(-5)), [3, 7, 11]);
    assert_eq!(with(-6, 3, 4, Some(101)), [-3, 1]);
    assert_eq!(with(3, 4, 4, Some(1)), [0; 0]);
    assert_eq!(with(5, 4, 1, None), [0; 0]);
}

#[test]
fn iterators_and_conditions() {
    let even = Expr::bin(
        BinOp::Eq,
        Expr::bin(BinOp::ZeroRem, iter(0), int(2)),
        int(0),
    );
    let body = Ast::If {
        cond: even,
        then: Box::new(user(0, vec![iter(0)])),
        els: Some(Box::new(user(1, vec![iter(0)]))),
    };
    let inner = nest(repeat(1, int(0), iter(0), user(2, vec![iter(1)])));
    let ast = nest(repeat(
        0,
        int(-1),
        Expr::Param(ParamId(0)),
        Ast::Block(vec![body, inner]),
    ));
    let instance = |s, i| (StmtId(s), vec![i]);
    let expected = [
        instance(1, -1),
        instance(0, 0),
        instance(2, 0),
        instance(1, 1),
        instance(2, 0),
        instance(2, 1),
    ];
    assert_eq!(run(&ast, &[1], &[]).unwrap(), expected);
}

#[test]
fn expressions_by_the_letter() {
    let value = |e: Expr| run(&user(0, vec![e]), &[7], &[32]).map(|r| r[0].1[0]);
    let bin = |op, a, b| value(Expr::bin(op, int(a), int(b)));
    assert_eq!(bin(BinOp::FloorDiv, -7, 2), Ok(-4));
    assert_eq!(bin(BinOp::PosDiv, 7, 2), Ok(3));
    assert_eq!(bin(BinOp::PosDiv, -7, 2), Err(Fault::NegativeDividend(-7)));
    assert_eq!(bin(BinOp::PosRem, -7, 2), Err(Fault::NegativeDividend(-7)));
    assert_eq!(bin(BinOp::ZeroRem, -8, 2), Ok(0));
    assert_eq!(bin(BinOp::DivExact, -8, 2), Ok(-4));
    assert_eq!(bin(BinOp::DivExact, -7, 2), Err(Fault::Inexact(-7, 2)));
    assert_eq!(bin(BinOp::FloorDiv, 7, 0), Err(Fault::Divisor(0)));
    assert_eq!(bin(BinOp::FloorDiv, 7, -2), Err(Fault::Divisor(-2)));
    assert_eq!(bin(BinOp::Add, i64::MAX, 1), Err(Fault::Overflow));
    assert_eq!(bin(BinOp::Min, 3, -4), Ok(-4));
    assert_eq!(bin(BinOp::Gt, 3, -4), Ok(1));
    assert_eq!(value(Expr::Neg(Box::new(Expr::Size(0)))), Ok(-32));
    assert_eq!(value(Expr::Param(ParamId(0))), Ok(7));
    assert_eq!(
        value(Expr::Param(ParamId(1))),
        Err(Fault::NoValue("p1".to_owned()))
    );
    assert_eq!(value(iter(3)), Err(Fault::NoIterator(IterId(3))));
    // What is not used may be anything.
    let bad = || Expr::bin(BinOp::PosRem, int(-7), int(2));
    assert_eq!(value(Expr::bin(BinOp::And, bad(), int(0))), Ok(0));
    assert_eq!(value(Expr::bin(BinOp::Or, int(3), bad())), Ok(1));
    assert_eq!(
        value(Expr::bin(BinOp::And, bad(), int(1))),
        Err(Fault::NegativeDividend(-7))
    );
    assert_eq!(
        value(Expr::Select(
            Box::new(int(1)),
            Box::new(int(5)),
            Box::new(bad())
        )),
        Ok(5)
    );
    let mut l = repeat(0, int(0), int(9), user(0, vec![iter(0)]));
    l.step = int(0);
    assert_eq!(run(&nest(l), &[], &[]), Err(Fault::Step(0)));
}

#[test]
fn original_programs_do_what_they_do() {
    let ctx = Ctx::new();
    for (name, text) in samples::ALL {
        let s = parse_scop(&ctx, text).unwrap();
        let ast = generate(&s, &tree::original(&s).unwrap()).unwrap();
        let deps = compute(&s, false).unwrap();
        let params = [4, 5, 4, 6];
        let result = compare(&s, &ast, &[], &deps, &params[..s.params.len()], &[]);
        assert_eq!(result, Ok(()), "{name}\n{ast}");
    }
}

/// `A[i] = f(A[i - 1])`
fn recurrence(ctx: &Ctx) -> Scop {
    let text = "params n\ncontext { : n >= 1 }\narray A f64 [n]
        stmt S0 domain { S0[i] : 0 <= i < n } beta 0 0 write { S0[i] -> A[i] } read { S0[i] -> A[i - 1] }";
    parse_scop(ctx, text).unwrap()
}

/// Rows 0, 1, 2 of tiles `lower .. 2`, of which each is an instance.
fn pipeline(lower: Expr) -> Ast {
    let mut tiles = repeat(1, lower, int(1), user(0, vec![iter(0), iter(1)]));
    tiles.kind = ForKind::Stage;
    let mut rows = repeat(0, int(0), int(2), nest(tiles));
    rows.kind = ForKind::Parallel {
        distribution: Distribution::Pipelined,
        worth: None,
        private: vec![],
    };
    nest(rows)
}

#[test]
fn pipelined_rows_run_in_the_order_that_differs_most() {
    let order = |ast: &Ast, order| {
        let setting = Setting {
            params: &[],
            sizes: &[],
            order,
        };
        let mut machine = super::machine::Machine::new(setting, super::machine::Record::default());
        machine.run(ast).unwrap();
        let all = machine.effect.instances.into_iter();
        all.map(|(_, at)| at[0] * 10 + at[1]).collect::<Vec<i64>>()
    };
    let all = pipeline(int(0));
    assert_eq!(order(&all, Order::Forwards), [0, 1, 10, 11, 20, 21]);
    assert_eq!(order(&all, Order::Backwards), [0, 10, 20, 1, 11, 21]);
    // A row that begins later is waited for from the row before it on.
    let upper = pipeline(Expr::bin(BinOp::Min, iter(0), int(1)));
    assert_eq!(order(&upper, Order::Backwards), [0, 1, 11, 21]);
}

#[test]
fn what_pipelined_rows_do_not_order_is_found() {
    let ctx = Ctx::new();
    let verdict = |read: &str| {
        let text = format!(
            "params n\ncontext {{ : n = 0 }}\narray A f64 [][8]
             stmt S0 domain {{ S0[i, j] : 0 <= i <= 2 and 0 <= j <= 1 }} beta 0 0 0
               write {{ S0[i, j] -> A[i, j] }} read {{ S0[i, j] -> {read} }}
               body {{ f64 read 1, root n0 }}"
        );
        let s = parse_scop(&ctx, &text).unwrap_or_else(|e| panic!("{e}"));
        let deps = compute(&s, false).unwrap();
        compare(&s, &pipeline(int(0)), &[], &deps, &[0], &[])
    };
    for ordered in ["A[i - 1, j]", "A[i, j - 1]", "A[i - 1, j - 1]"] {
        assert_eq!(verdict(ordered), Ok(()), "{ordered}");
    }
    let (first, second) = ((StmtId(0), vec![0, 1]), (StmtId(0), vec![1, 0]));
    let unordered = verdict("A[i - 1, j + 1]");
    assert_eq!(unordered, Err(Difference::Order(first, second)));
}

#[test]
fn differences_are_found() {
    let ctx = Ctx::new();
    let s = recurrence(&ctx);
    let deps = compute(&s, false).unwrap();
    let all = |body: Ast| nest(repeat(0, int(0), int(4), body));
    let forwards = || user(0, vec![iter(0)]);
    let at = |i: i64| -> Instance { (StmtId(0), vec![i]) };
    let verdict = |ast: &Ast| compare(&s, ast, &[], &deps, &[5], &[]);
    assert_eq!(verdict(&all(forwards())), Ok(()));
    let reversed = user(0, vec![Expr::bin(BinOp::Sub, int(4), iter(0))]);
    assert_eq!(
        verdict(&all(reversed.clone())),
        Err(Difference::Order(at(0), at(1)))
    );
    let value = compare(&s, &all(reversed), &[], &Dependences::default(), &[5], &[]);
    assert_eq!(value, Err(Difference::Value((ArrayId(0), vec![1]))));
    let twice = Ast::Block(vec![all(forwards()), user(0, vec![int(3)])]);
    assert_eq!(verdict(&twice), Err(Difference::Count(at(3), 2)));
    let short = nest(repeat(0, int(0), int(3), forwards()));
    assert_eq!(verdict(&short), Err(Difference::Count(at(4), 0)));
    let long = nest(repeat(0, int(0), int(5), forwards()));
    assert_eq!(verdict(&long), Err(Difference::Invented(at(5))));
    for kind in [parallel(), ForKind::Vector] {
        let mut l = repeat(0, int(0), int(4), forwards());
        l.kind = kind;
        assert_eq!(verdict(&nest(l)), Err(Difference::Order(at(0), at(1))));
    }
    assert_eq!(
        verdict(&user(0, vec![iter(0)])),
        Err(Difference::Fault(Fault::NoIterator(IterId(0))))
    );
}

/// `C[i] += A[i][k] * B[k]`, its micro-kernel of 2 rows x 2 lanes where lanes are columns of C.
fn product(ctx: &Ctx, left: &str) -> Scop {
    let text = format!(
        "params n\ncontext {{ : n >= 1 }}\narray C f64 [][n]\narray A f64 [][n]\narray B f64 [][n]
         stmt S0 domain {{ S0[i, j, k] : 0 <= i, j, k < n }} beta 0 0 0 0
           write {{ S0[i, j, k] -> C[i, j] }} read {{ S0[i, j, k] -> C[i, j] }}
           read {{ S0[i, j, k] -> {left} }} read {{ S0[i, j, k] -> B[k, j] }}
           body {{ f64 read 1, f64 read 2, f64 read 3, f64 op v1 fmul n1 n2, f64 op v2 fadd n0 n3, root n4 }}"
    );
    parse_scop(ctx, &text).unwrap_or_else(|e| panic!("{e}"))
}

fn kernel(i: Expr, j: Expr) -> MicroKernel {
    let tile = RegisterTile {
        stmt: StmtId(0),
        row: Some(0),
        rows: 2,
        lane: 1,
        vectors: 1,
        lanes: 2,
        reduction: 2,
    };
    let last = Expr::bin(BinOp::Sub, Expr::Param(ParamId(0)), int(1));
    // Rows and columns below n.
    let edge = |row, lane, at: &Expr| TileConstraint {
        row,
        lane,
        reduction: 0,
        rest: Expr::bin(BinOp::Sub, last.clone(), at.clone()),
    };
    MicroKernel {
        constraints: vec![edge(-1, 0, &i), edge(0, -1, &j)],
        tile,
        args: vec![i, j, int(0)],
        row_step: vec![1, 0, 0],
        lane_step: vec![0, 1, 0],
        reduction_step: vec![0, 0, 1],
        first: int(0),
        last,
        row_panel: None,
        lane_panel: None,
        next: None,
    }
}

fn tiles(inner: Vec<Ast>) -> Ast {
    let last = Expr::bin(BinOp::Sub, Expr::Param(ParamId(0)), int(1));
    let mut columns = repeat(1, int(0), last.clone(), Ast::Block(inner));
    let mut rows = repeat(0, int(0), last, Ast::Block(vec![]));
    (columns.step, rows.step) = (int(2), int(2));
    rows.body = nest(columns);
    nest(rows)
}

#[test]
fn micro_kernels_accumulate_in_order() {
    let ctx = Ctx::new();
    let s = product(&ctx, "A[i, k]");
    let deps = compute(&s, false).unwrap();
    let ast = tiles(vec![Ast::MicroKernel(Box::new(kernel(iter(0), iter(1))))]);
    for n in [1, 2, 5] {
        assert_eq!(compare(&s, &ast, &[], &deps, &[n], &[]), Ok(()));
    }
}

#[test]
fn micro_kernels_store_last() {
    let ctx = Ctx::new();
    let ast = || tiles(vec![Ast::MicroKernel(Box::new(kernel(iter(0), iter(1))))]);
    let verdict = |left: &str| {
        let s = product(&ctx, left);
        compare(&s, &ast(), &[], &compute(&s, false).unwrap(), &[4], &[])
    };
    // Row i reads row i + 1 before it is written, but not row i - 1 after it.
    assert_eq!(verdict("C[i + 1, j]"), Ok(()));
    assert!(matches!(verdict("C[i - 1, j]"), Err(Difference::Value(_))));
}

#[test]
fn packed_operands() {
    let ctx = Ctx::new();
    let s = product(&ctx, "A[i, k]");
    let deps = compute(&s, false).unwrap();
    let n = || Expr::Param(ParamId(0));
    // The columns of a tile: B[k][j + l] at element 2 k + l.
    let store = |shift: i64| {
        let index = Expr::bin(BinOp::Add, Expr::bin(BinOp::Mul, int(2), iter(2)), iter(3));
        let column = Expr::bin(
            BinOp::Add,
            iter(1),
            Expr::bin(BinOp::Add, iter(3), int(shift)),
        );
        let pack = PackStore {
            buffer: 0,
            stmt: StmtId(0),
            operands: vec![NodeId(2)],
            args: vec![int(0), column, iter(2)],
            index,
            width: 2,
        };
        let lanes = nest(repeat(3, int(0), int(1), Ast::Pack(Box::new(pack))));
        nest(repeat(2, int(0), Expr::bin(BinOp::Sub, n(), int(1)), lanes))
    };
    let panel = Panel {
        buffer: 0,
        operands: vec![NodeId(2)],
        width: 2,
        start: int(0),
        origin: int(0),
    };
    let mut m = kernel(iter(0), iter(1));
    m.lane_panel = Some(panel);
    let buffer = |shared| {
        vec![Buffer {
            ty: Ty::Float(64),
            elements: Expr::bin(BinOp::Mul, int(2), n()),
            shared,
        }]
    };
    let with = |inner: Vec<Ast>, buffers: &[Buffer], kind: ForKind| {
        let Ast::For(mut rows) = tiles(inner) else {
            unreachable!()
        };
        rows.kind = kind;
        compare(&s, &Ast::For(rows), buffers, &deps, &[5], &[])
    };
    let kernel = || Ast::MicroKernel(Box::new(m.clone()));
    assert_eq!(
        with(vec![store(0), kernel()], &buffer(false), parallel()),
        Ok(())
    );
    assert!(matches!(
        with(vec![store(1), kernel()], &buffer(false), parallel()),
        Err(Difference::Value(_))
    ));
    let empty = Difference::Fault(Fault::EmptyBuffer {
        buffer: 0,
        element: 0,
    });
    assert_eq!(with(vec![kernel()], &buffer(true), parallel()), Err(empty));
}

#[test]
fn private_buffers_do_not_survive_an_iteration() {
    let ctx = Ctx::new();
    let s = product(&ctx, "A[i, k]");
    let pack = |row: i64| {
        Ast::Pack(Box::new(PackStore {
            buffer: 0,
            stmt: StmtId(0),
            operands: vec![NodeId(2)],
            args: vec![int(0), int(0), int(0)],
            index: int(row),
            width: 1,
        }))
    };
    let mut m = kernel(iter(0), int(0));
    m.constraints = vec![TileConstraint {
        row: -1,
        lane: -1,
        reduction: 0,
        rest: int(0),
    }];
    m.lane_panel = Some(Panel {
        buffer: 0,
        operands: vec![NodeId(2)],
        width: 1,
        start: int(0),
        origin: int(0),
    });
    let mut l = repeat(0, int(0), int(0), Ast::MicroKernel(Box::new(m)));
    l.kind = parallel();
    let ast = Ast::Block(vec![pack(0), nest(l)]);
    let verdict = |shared| {
        let buffers = [Buffer {
            ty: Ty::Float(64),
            elements: int(1),
            shared,
        }];
        let setting = Setting {
            params: &[1],
            sizes: &[],
            order: Order::Forwards,
        };
        execute(&s, &ast, &buffers, setting).map(|e| e.memory)
    };
    assert_eq!(
        verdict(false),
        Err(Fault::EmptyBuffer {
            buffer: 0,
            element: 0
        })
    );
    assert_eq!(verdict(true), Ok(original(&s, &[1]).unwrap().memory));
}
