//! Faults of rules, steps and emitters, as changes of what they hand on: [`FAULTS`].
//!
//! Each fault knows its sites in a program: the first, the middle and the last of them are tried. A fault that the interpreter sees
//! must be refused by the equivalence check. One that the interpreter does not see may be none there: a bound that is never
//! reached, or threads that happen to be in order.

use polytile_analysis::ast::{
    Ast, BinOp, Buffer, Expr, For, ForKind, IterId, MicroKernel, PackStore, User,
};
use polytile_analysis::ids::{ArrayId, ParamId, StmtId};
use polytile_analysis::scop::{ArrayKind, Scop};
use polytile_analysis::tree::{Distribution, Supply};
use polytile_transform::ast::expr;

/// A program as code generation gets it.
#[derive(Clone, PartialEq)]
pub struct Emitted {
    /// The loops.
    pub body: Ast,
    /// Buffers.
    pub buffers: Vec<Buffer>,
    /// Arrays without memory.
    pub handed: Vec<ArrayId>,
}

/// What is wrong at a node; true if there is something to make wrong.
type Change = fn(&mut Ast, &Scop) -> bool;

/// A name, and the change of a node.
pub type Fault = (&'static str, Change);

/// Faults of loops, conditions, instances, register tiles, copies and storage.
pub const FAULTS: &[Fault] = &[
    // Bounds and steps.
    ("lower bound one up", |a, _| {
        on_for(a, |l| shift(&mut l.lower, 1))
    }),
    ("lower bound one down", |a, _| {
        on_for(a, |l| shift(&mut l.lower, -1))
    }),
    ("upper bound one up", |a, _| {
        on_for(a, |l| shift(&mut l.upper, 1))
    }),
    ("upper bound one down", |a, _| {
        on_for(a, |l| shift(&mut l.upper, -1))
    }),
    ("step doubled", |a, _| {
        on_for(a, |l| on_int(&mut l.step, |s| *s *= 2))
    }),
    ("step of a tile one less", |a, _| {
        on_for(a, |l| on_int(&mut l.step, |s| *s -= i64::from(*s > 1)))
    }),
    ("lattice moved", |a, _| {
        on_for(a, |l| l.anchor.as_mut().is_some_and(|e| shift(e, 1)))
    }),
    ("lattice forgotten", |a, _| {
        on_for(a, |l| l.anchor.take().is_some())
    }),
    ("minimum for maximum in a lower bound", |a, _| {
        on_for(a, |l| flip(&mut l.lower, BinOp::Max, BinOp::Min))
    }),
    ("maximum for minimum in an upper bound", |a, _| {
        on_for(a, |l| flip(&mut l.upper, BinOp::Min, BinOp::Max))
    }),
    ("bound without its minimum", |a, _| {
        on_for(a, |l| first_operand(&mut l.upper, BinOp::Min))
    }),
    ("bound without its maximum", |a, _| {
        on_for(a, |l| first_operand(&mut l.lower, BinOp::Max))
    }),
    ("another parameter in a bound", |a, s| {
        on_for(a, |l| other_param(&mut l.upper, s))
    }),
    ("choice of a bound the wrong way round", |a, _| {
        on_for(a, |l| {
            swap_select(&mut l.lower) || swap_select(&mut l.upper)
        })
    }),
    // Order.
    ("loops interchanged", |a, _| on_for(a, interchange)),
    ("loop reversed", |a, _| on_for(a, reverse)),
    ("loop skipped", |a, _| is_for(a) && empty(a)),
    ("loop runs twice", |a, _| is_for(a) && twice(a)),
    ("body behind the loop", distribute),
    ("statements exchanged", |a, _| {
        on_block(a, |b| swap(b, 0, 1))
    }),
    ("last statements exchanged", |a, _| {
        on_block(a, |b| {
            let last = b.len() - 1;
            swap(b, last - 1, last)
        })
    }),
    ("statements in reverse order", |a, _| {
        on_block(a, |b| {
            b.reverse();
            true
        })
    }),
    ("first part dropped", |a, _| {
        on_block(a, |b| {
            b.remove(0);
            true
        })
    }),
    ("last part dropped", |a, _| {
        on_block(a, |b| b.pop().is_some())
    }),
    ("first part twice", |a, _| {
        on_block(a, |b| {
            b.insert(0, b[0].clone());
            true
        })
    }),
    // Marks.
    ("parallel loop that is none", |a, _| {
        on_for(a, |l| {
            mark(l, ForKind::Sequential, parallel(Distribution::Static))
        })
    }),
    ("vector loop that is none", |a, _| {
        on_for(a, |l| mark(l, ForKind::Sequential, ForKind::Vector))
    }),
    ("lanes that are none", |a, _| {
        let lanes = ForKind::Lanes {
            lanes: 4,
            vectors: 1,
            supply: Supply::Near,
            panels: vec![],
        };
        on_for(a, |l| mark(l, ForKind::Sequential, lanes.clone()))
    }),
    ("rows that do not wait", |a, _| on_for(a, without_wait)),
    ("tiles that do not wait", |a, _| {
        on_for(a, |l| mark(l, ForKind::Stage, ForKind::Vector))
    }),
    ("team that does not wait", |a, _| {
        on_for(a, |l| {
            let team = matches!(l.kind, ForKind::Team { .. });
            if team {
                l.kind = parallel(Distribution::Static);
            }
            team
        })
    }),
    // Conditions.
    ("condition forgotten", |a, _| {
        on_if(a, |c, _| {
            *c = Expr::Int(1);
            true
        })
    }),
    ("condition negated", |a, _| {
        on_if(a, |c, _| {
            *c = Expr::bin(BinOp::Eq, c.clone(), Expr::Int(0));
            true
        })
    }),
    ("part of a condition forgotten", |a, _| {
        on_if(a, |c, _| first_operand(c, BinOp::And))
    }),
    ("one of two conditions enough", |a, _| {
        on_if(a, |c, _| flip(c, BinOp::And, BinOp::Or))
    }),
    ("comparison one off", |a, _| on_if(a, |c, _| one_off(c))),
    ("no other case", |a, _| {
        on_if(a, |_, els| els.take().is_some())
    }),
    // Instances.
    ("iterator one up", |a, _| {
        on_user(a, |u| first(&mut u.args, |e| shift(e, 1)))
    }),
    ("last iterator one down", |a, _| {
        on_user(a, |u| u.args.last_mut().is_some_and(|e| shift(e, -1)))
    }),
    ("iterators exchanged", |a, _| {
        on_user(a, |u| {
            let differ = u.args.len() > 1 && u.args[0] != u.args[1];
            if differ {
                u.args.swap(0, 1);
            }
            differ
        })
    }),
    ("iterator fixed", |a, _| {
        on_user(a, |u| {
            first(&mut u.args, |e| {
                let moves = !matches!(e, Expr::Int(_));
                *e = Expr::Int(0);
                moves
            })
        })
    }),
    ("iterator negated", |a, _| {
        on_user(a, |u| {
            first(&mut u.args, |e| {
                let moves = !matches!(e, Expr::Int(_));
                *e = Expr::Neg(Box::new(e.clone()));
                moves
            })
        })
    }),
    ("another statement", |a, s| {
        on_user(a, |u| {
            let depth = u.args.len();
            let other = s
                .stmts
                .iter()
                .find(|t| t.id != u.stmt && t.depth() == depth);
            other.is_some_and(|t| {
                u.stmt = t.id;
                true
            })
        })
    }),
    // Register tiles.
    ("tile begins a step late", |a, _| {
        on_kernel(a, |m| shift(&mut m.first, 1))
    }),
    ("tile ends a step early", |a, _| {
        on_kernel(a, |m| shift(&mut m.last, -1))
    }),
    ("tile ends a step late", |a, _| {
        on_kernel(a, |m| shift(&mut m.last, 1))
    }),
    ("tile one cell on", |a, _| {
        on_kernel(a, |m| first(&mut m.args, |e| shift(e, 1)))
    }),
    ("tile without a constraint", |a, _| {
        on_kernel(a, |m| m.constraints.pop().is_some())
    }),
    ("tile with an edge one off", |a, _| {
        on_kernel(a, |m| {
            m.constraints
                .first_mut()
                .is_some_and(|c| shift(&mut c.rest, 1))
        })
    }),
    ("tile of one row less", |a, _| {
        on_kernel(a, |m| {
            m.tile.rows -= u32::from(m.tile.rows > 1);
            m.tile.rows > 1
        })
    }),
    ("rows that stay where they are", |a, _| {
        on_kernel(a, |m| {
            m.row_step.iter_mut().for_each(|s| *s = 0);
            m.tile.rows > 1
        })
    }),
    ("lanes in reverse order", |a, _| {
        on_kernel(a, |m| {
            m.lane_step.iter_mut().for_each(|s| *s = -*s);
            true
        })
    }),
    ("sum in reverse order", |a, _| {
        on_kernel(a, |m| {
            // k runs from last to first instead.
            let sum = Expr::bin(BinOp::Add, m.first.clone(), m.last.clone());
            for (e, step) in m.args.iter_mut().zip(&mut m.reduction_step) {
                let ahead = Expr::bin(BinOp::Mul, Expr::Int(*step), sum.clone());
                *e = Expr::bin(BinOp::Add, e.clone(), ahead);
                *step = -*step;
            }
            m.constraints.iter().all(|c| c.reduction == 0)
        })
    }),
    ("lane operands without their panel's offset", |a, _| {
        on_kernel(a, |m| {
            m.lane_panel
                .as_mut()
                .is_some_and(|p| shift(&mut p.origin, 1))
        })
    }),
    ("row operands from the next panel", |a, _| {
        on_kernel(a, |m| {
            m.row_panel.as_mut().is_some_and(|p| {
                let w = p.width;
                shift(&mut p.start, i64::from(w))
            })
        })
    }),
    // Copies.
    ("copy one element on", |a, _| {
        on_pack(a, |p| shift(&mut p.index, 1))
    }),
    ("copy of another element", |a, _| {
        on_pack(a, |p| p.args.last_mut().is_some_and(|e| shift(e, 1)))
    }),
    ("copy of the first iterator's neighbour", |a, _| {
        on_pack(a, |p| first(&mut p.args, |e| shift(e, -1)))
    }),
    ("copy left out", |a, _| {
        matches!(a, Ast::Pack(_)) && empty(a)
    }),
    // Storage.
    ("threads share what each has", |a, _| {
        on_for(a, |l| match &mut l.kind {
            ForKind::Parallel { private, .. } if !private.is_empty() => {
                private.clear();
                true
            }
            _ => false,
        })
    }),
    ("threads have copies of what they share", |a, s| {
        on_for(a, |l| match &mut l.kind {
            ForKind::Parallel { private, .. } => {
                let memory = |i: &usize| matches!(s.arrays[*i].kind, ArrayKind::Memory { .. });
                let written = |i: &usize| s.stmts.iter().any(|t| t.writes_to(ArrayId::from(*i)));
                let found = (0..s.arrays.len()).find(|i| memory(i) && written(i));
                private.extend(found.map(ArrayId::from));
                found.is_some()
            }
            _ => false,
        })
    }),
    ("rows of a panel that coincide", |a, _| {
        on_panel(a, |p| {
            p.places
                .iter_mut()
                .flat_map(|p| &mut p.rows)
                .for_each(|r| r.steps.iter_mut().for_each(|s| *s = 0));
            true
        })
    }),
    ("one access to a panel a row on", |a, _| {
        on_panel(a, |p| {
            p.places
                .last_mut()
                .is_some_and(|p| shift(&mut p.rows[0].start, 1))
        })
    }),
    ("panel without memory behind it", |a, s| {
        on_for(a, |l| match &mut l.kind {
            // What is read elsewhere stays in a panel, too.
            ForKind::Lanes { panels, .. } => keep_all(panels, &l.body, s),
            _ => false,
        })
    }),
];

fn keep_all(panels: &mut Vec<polytile_analysis::ast::LanePanel>, body: &Ast, s: &Scop) -> bool {
    use polytile_analysis::ast::{LanePanel, PanelPlace, PanelRow};
    let mut users = vec![];
    collect_users(body, &mut users);
    let write = |u: &StmtId| s.stmt(*u).write().array;
    let memory = |a: &ArrayId| matches!(s.array(*a).kind, ArrayKind::Memory { .. });
    let free = |a: &ArrayId| memory(a) && !panels.iter().any(|p| p.array == *a);
    let Some(array) = users.iter().map(write).find(|a| free(a)) else {
        return false;
    };
    let mut places = vec![];
    for u in users {
        let stmt = s.stmt(u);
        for (access, _) in stmt
            .accesses
            .iter()
            .enumerate()
            .filter(|(_, a)| a.array == array)
        {
            let steps = (0..stmt.depth())
                .map(|d| i64::from(d + 1 == stmt.depth()))
                .collect();
            places.push(PanelPlace {
                stmt: u,
                access,
                rows: vec![PanelRow {
                    steps,
                    start: Expr::Int(0),
                }],
            });
        }
    }
    panels.push(LanePanel {
        array,
        buffer: 0,
        width: 4,
        extents: vec![],
        places,
    });
    true
}

fn collect_users(ast: &Ast, into: &mut Vec<StmtId>) {
    match ast {
        Ast::User(u) => into.push(u.stmt),
        Ast::For(l) => collect_users(&l.body, into),
        Ast::Block(list) => list.iter().for_each(|a| collect_users(a, into)),
        Ast::If { then, els, .. } => {
            collect_users(then, into);
            els.iter().for_each(|e| collect_users(e, into));
        }
        Ast::MicroKernel(_) | Ast::Pack(_) => {}
    }
}

/// The program with a fault at its `n`-th site; `None` behind the last one.
pub fn with_fault(fault: &Fault, n: usize, program: &Emitted, scop: &Scop) -> Option<Emitted> {
    let mut changed = program.clone();
    let mut left = n;
    let done = visit(&mut changed.body, &mut |a| {
        let mut tried = a.clone();
        if !(fault.1)(&mut tried, scop) || tried == *a {
            return false;
        }
        if left > 0 {
            left -= 1;
            return false;
        }
        *a = tried;
        true
    });
    done.then_some(changed)
}

/// Arrays that are no temporaries handed on, or not all of them, and buffers that threads share.
pub fn storage_faults(program: &Emitted, scop: &Scop) -> Vec<(&'static str, Emitted)> {
    let mut found = vec![];
    let temporary = |i: &usize| scop.arrays[*i].kind == ArrayKind::Temporary;
    let stays = |i: &usize| !program.handed.contains(&ArrayId::from(*i));
    if let Some(i) = (0..scop.arrays.len()).find(|i| temporary(i) && stays(i)) {
        let mut changed = program.clone();
        changed.handed.push(ArrayId::from(i));
        found.push(("value handed on that is read later", changed));
    }
    if program.buffers.iter().any(|b| !b.shared) {
        let mut changed = program.clone();
        changed.buffers.iter_mut().for_each(|b| b.shared = true);
        found.push(("threads share a buffer", changed));
    }
    found
}

/// Calls `f` for each node, outer ones first, until it returns true.
fn visit(ast: &mut Ast, f: &mut dyn FnMut(&mut Ast) -> bool) -> bool {
    if f(ast) {
        return true;
    }
    match ast {
        Ast::For(l) => visit(&mut l.body, f),
        Ast::If { then, els, .. } => visit(then, f) || els.as_mut().is_some_and(|e| visit(e, f)),
        Ast::Block(list) => list.iter_mut().any(|a| visit(a, f)),
        Ast::User(_) | Ast::MicroKernel(_) | Ast::Pack(_) => false,
    }
}

fn is_for(a: &Ast) -> bool {
    matches!(a, Ast::For(_))
}

fn on_for(a: &mut Ast, f: impl FnOnce(&mut For) -> bool) -> bool {
    match a {
        Ast::For(l) => f(l),
        _ => false,
    }
}

fn on_if(a: &mut Ast, f: impl FnOnce(&mut Expr, &mut Option<Box<Ast>>) -> bool) -> bool {
    match a {
        Ast::If { cond, els, .. } => f(cond, els),
        _ => false,
    }
}

fn on_block(a: &mut Ast, f: impl FnOnce(&mut Vec<Ast>) -> bool) -> bool {
    match a {
        Ast::Block(list) if list.len() > 1 => f(list),
        _ => false,
    }
}

fn on_user(a: &mut Ast, f: impl FnOnce(&mut User) -> bool) -> bool {
    match a {
        Ast::User(u) => f(u),
        _ => false,
    }
}

fn on_kernel(a: &mut Ast, f: impl FnOnce(&mut MicroKernel) -> bool) -> bool {
    match a {
        Ast::MicroKernel(m) => f(m),
        _ => false,
    }
}

fn on_pack(a: &mut Ast, f: impl FnOnce(&mut PackStore) -> bool) -> bool {
    match a {
        Ast::Pack(p) => f(p),
        _ => false,
    }
}

fn on_panel(a: &mut Ast, f: impl FnOnce(&mut polytile_analysis::ast::LanePanel) -> bool) -> bool {
    match a {
        Ast::For(l) => match &mut l.kind {
            ForKind::Lanes { panels, .. } => panels.first_mut().is_some_and(f),
            _ => false,
        },
        _ => false,
    }
}

fn first(list: &mut [Expr], f: impl FnOnce(&mut Expr) -> bool) -> bool {
    list.first_mut().is_some_and(f)
}

fn shift(e: &mut Expr, by: i64) -> bool {
    *e = Expr::bin(BinOp::Add, e.clone(), Expr::Int(by));
    true
}

fn on_int(e: &mut Expr, f: impl FnOnce(&mut i64)) -> bool {
    match e {
        Expr::Int(c) => {
            f(c);
            true
        }
        _ => false,
    }
}

fn flip(e: &mut Expr, from: BinOp, to: BinOp) -> bool {
    match e {
        Expr::Bin(op, ..) if *op == from => {
            *op = to;
            true
        }
        _ => false,
    }
}

fn first_operand(e: &mut Expr, wanted: BinOp) -> bool {
    match e {
        Expr::Bin(op, a, _) if *op == wanted => {
            *e = (**a).clone();
            true
        }
        _ => false,
    }
}

fn one_off(e: &mut Expr) -> bool {
    match e {
        Expr::Bin(BinOp::And | BinOp::Or, a, b) => one_off(a) || one_off(b),
        Expr::Bin(op @ BinOp::Ge, ..) => {
            *op = BinOp::Gt;
            true
        }
        Expr::Bin(op @ BinOp::Le, ..) => {
            *op = BinOp::Lt;
            true
        }
        Expr::Bin(BinOp::Eq, a, _) => shift(a, 1),
        _ => false,
    }
}

fn other_param(e: &mut Expr, s: &Scop) -> bool {
    let count = s.params.len() as u32;
    match e {
        Expr::Param(p) if count > 1 => {
            *p = ParamId((p.0 + 1) % count);
            true
        }
        Expr::Neg(a) => other_param(a, s),
        Expr::Bin(_, a, b) => other_param(a, s) || other_param(b, s),
        Expr::Select(_, a, b) => other_param(a, s) || other_param(b, s),
        _ => false,
    }
}

fn swap_select(e: &mut Expr) -> bool {
    match e {
        Expr::Select(_, a, b) => {
            std::mem::swap(a, b);
            true
        }
        Expr::Bin(_, a, b) => swap_select(a) || swap_select(b),
        _ => false,
    }
}

/// The loop right inside goes around, where its bounds allow that.
fn interchange(l: &mut For) -> bool {
    let Ast::For(inner) = &mut l.body else {
        return false;
    };
    let iter = l.iter;
    let free = |e: &Expr| !expr::mentions(e, iter);
    if !free(&inner.lower) || !free(&inner.upper) || !inner.anchor.as_ref().is_none_or(free) {
        return false;
    }
    std::mem::swap(&mut l.iter, &mut inner.iter);
    std::mem::swap(&mut l.lower, &mut inner.lower);
    std::mem::swap(&mut l.upper, &mut inner.upper);
    std::mem::swap(&mut l.step, &mut inner.step);
    std::mem::swap(&mut l.anchor, &mut inner.anchor);
    true
}

/// The loop from its end to its beginning: only loops over all numbers between two bounds.
fn reverse(l: &mut For) -> bool {
    if l.step != Expr::Int(1) {
        return false;
    }
    let sum = Expr::bin(BinOp::Add, l.lower.clone(), l.upper.clone());
    let turned = Expr::bin(BinOp::Sub, sum, Expr::Iter(l.iter));
    replace(&mut l.body, l.iter, &turned);
    true
}

fn replace(ast: &mut Ast, iter: IterId, by: &Expr) {
    let leaf = |e: &Expr| (*e == Expr::Iter(iter)).then(|| by.clone());
    let r = |e: &mut Expr| *e = expr::replace(e, &leaf);
    match ast {
        Ast::For(l) => {
            r(&mut l.lower);
            r(&mut l.upper);
            l.anchor.iter_mut().for_each(r);
            replace(&mut l.body, iter, by);
        }
        Ast::If { cond, then, els } => {
            r(cond);
            replace(then, iter, by);
            els.iter_mut().for_each(|e| replace(e, iter, by));
        }
        Ast::Block(list) => list.iter_mut().for_each(|a| replace(a, iter, by)),
        Ast::User(u) => u.args.iter_mut().for_each(r),
        Ast::Pack(p) => {
            p.args.iter_mut().for_each(r);
            r(&mut p.index);
        }
        Ast::MicroKernel(m) => {
            m.args.iter_mut().for_each(r);
            r(&mut m.first);
            r(&mut m.last);
            m.constraints.iter_mut().for_each(|c| r(&mut c.rest));
            for p in [&mut m.row_panel, &mut m.lane_panel].into_iter().flatten() {
                r(&mut p.start);
                r(&mut p.origin);
            }
        }
    }
}

fn empty(a: &mut Ast) -> bool {
    *a = Ast::Block(vec![]);
    true
}

fn twice(a: &mut Ast) -> bool {
    *a = Ast::Block(vec![a.clone(), a.clone()]);
    true
}

/// `for { A; B }` as `for { A }; for { B }`.
fn distribute(a: &mut Ast, _: &Scop) -> bool {
    let Ast::For(l) = a else {
        return false;
    };
    let Ast::Block(list) = &l.body else {
        return false;
    };
    if list.len() < 2 {
        return false;
    }
    let (head, tail) = list.split_at(list.len() - 1);
    let with = |part: &[Ast]| {
        let mut own = (**l).clone();
        own.body = Ast::Block(part.to_vec());
        Ast::For(Box::new(own))
    };
    *a = Ast::Block(vec![with(head), with(tail)]);
    true
}

fn swap(list: &mut [Ast], i: usize, j: usize) -> bool {
    let there = i < list.len() && j < list.len();
    if there {
        list.swap(i, j);
    }
    there
}

fn mark(l: &mut For, from: ForKind, to: ForKind) -> bool {
    let fits = l.kind == from;
    if fits {
        l.kind = to;
    }
    fits
}

fn parallel(distribution: Distribution) -> ForKind {
    ForKind::Parallel {
        distribution,
        worth: None,
        private: vec![],
    }
}

fn without_wait(l: &mut For) -> bool {
    match &mut l.kind {
        ForKind::Parallel { distribution, .. } if *distribution == Distribution::Pipelined => {
            *distribution = Distribution::Static;
            true
        }
        _ => false,
    }
}
