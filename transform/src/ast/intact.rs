//! Whether loops find out that the program leaves the region early before they change what it sees: [`settles`].
//!
//! [`INTACT`](polytile_analysis::scop::INTACT) is a parameter to the generator, but its value changes once. So everything that depends on it has to stand behind
//! all that changes it, and what the program sees may be written only where it is asked for.

use super::expr::any_leaf;
use polytile_analysis::ast::{Ast, Expr, For};
use polytile_analysis::ids::{ArrayId, ParamId, StmtId};
use polytile_analysis::scop::{ArrayKind, Scop};

/// Whether that is so, and loops around what finds out are tiled: where they are not, as those that repeat until a result is good enough, the
/// original's order is as good, and ends early.
pub fn settles(scop: &Scop, body: &Ast) -> bool {
    let Some(cell) = scop.intact() else {
        return true;
    };
    let mut walk = Walk {
        scop,
        cell,
        intact: scop.intact_param(),
        results: false,
        fits: true,
    };
    walk.visit(body, At::default());
    walk.fits
}

/// A place in the loops.
#[derive(Clone, Copy, Default)]
struct At {
    /// The parameter was asked for, and is 1.
    asked: bool,
    /// It was asked for.
    known: bool,
    /// Below a loop over tiles, or in a loop that does little else.
    tiled: bool,
}

struct Walk<'a> {
    scop: &'a Scop,
    cell: ArrayId,
    intact: Option<ParamId>,
    /// What the program sees has been written.
    results: bool,
    fits: bool,
}

impl Walk<'_> {
    fn asks(&self, e: &Expr) -> bool {
        any_leaf(
            e,
            &|leaf| matches!(leaf, Expr::Param(p) if self.intact == Some(*p)),
        )
    }

    fn finds_out(&self, s: StmtId) -> bool {
        self.scop.stmt(s).writes_to(self.cell)
    }

    fn writes_results(&self, s: StmtId) -> bool {
        let memory = |a: ArrayId| matches!(self.scop.array(a).kind, ArrayKind::Memory { .. });
        let writes = self.scop.stmt(s).writes();
        writes.iter().any(|w| memory(w.array))
    }

    fn visit(&mut self, ast: &Ast, at: At) {
        match ast {
            Ast::For(l) => self.visit_loop(l, at),
            Ast::Block(list) => list.iter().for_each(|a| self.visit(a, at)),
            Ast::If { cond, then, els } => {
                let asks = self.asks(cond);
                let [asked, known] = [at.asked, at.known].map(|before| before || asks);
                self.visit(then, At { asked, known, ..at });
                if let Some(els) = els {
                    self.visit(els, At { known, ..at });
                }
            }
            Ast::User(u) if self.finds_out(u.stmt) => {
                self.fits &= at.tiled && !at.known && !self.results;
            }
            Ast::User(u) => {
                if self.writes_results(u.stmt) {
                    self.fits &= at.asked;
                    self.results = true;
                }
            }
            Ast::MicroKernel(m) => {
                let stmt = m.tile.stmt;
                self.fits &= !self.finds_out(stmt) && !self.writes_results(stmt);
            }
            Ast::Pack(_) => {}
        }
    }

    fn visit_loop(&mut self, l: &For, at: At) {
        let users = l.body.users();
        let finds_out = users.iter().any(|u| self.finds_out(u.stmt));
        let writes = users.iter().any(|u| self.writes_results(u.stmt));
        let asks = [&l.lower, &l.upper].iter().any(|e| self.asks(e));
        self.fits &= l.runs_once() || !(finds_out && (writes || asks));
        let below = At {
            asked: at.asked || asks,
            known: at.known || asks,
            tiled: at.tiled || l.step != Expr::Int(1) || l.body.has_no_loop(),
        };
        self.visit(&l.body, below);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use polytile_analysis::ast::{BinOp, ForKind, IterId, User};
    use polytile_analysis::poly::Ctx;
    use polytile_analysis::text::parse_scop;

    /// S0 finds out, S1 computes, S2 writes the results.
    const LEFT: &str = "scop \"left\" function \"left\"\nparams n intact\ncontext { : n >= 1 }\n\
        array a f64 [n]\narray b f64 temporary strides (8) extents (v0)\narray stays i64 intact\n\
        stmt S0\n domain { S0[i] : 0 <= i < n }\n beta 0 0\n may-write { S0[i] -> stays[] }\n \
        read { S0[i] -> stays[] }\n body (read 1)\n\
        stmt S1\n domain { S1[i] : 0 <= i < n }\n beta 0 1\n write { S1[i] -> b[i] } f64 temporary ((rec L0 0 1))\n body (inv v0)\n\
        stmt S2\n domain { S2[i] : 0 <= i < n and intact = 1 }\n beta 1 0\n write { S2[i] -> a[i] }\n \
        read { S2[i] -> b[i] } f64 temporary ((rec L0 0 1))\n read { S2[i] -> stays[] }\n body (read 1)\n";

    fn user(stmt: u32) -> Ast {
        Ast::User(User {
            stmt: StmtId(stmt),
            args: vec![Expr::Iter(IterId(0))],
        })
    }

    fn over(step: i64, upper: Expr, body: Ast) -> Ast {
        Ast::For(Box::new(For {
            iter: IterId(0),
            lower: Expr::Int(0),
            upper,
            step: Expr::Int(step),
            anchor: None,
            kind: ForKind::Sequential,
            body,
        }))
    }

    fn if_intact(then: Ast) -> Ast {
        let (p, one) = (Expr::Param(ParamId(1)), Expr::Int(1));
        Ast::If {
            cond: Expr::Bin(BinOp::Eq, Box::new(p), Box::new(one)),
            then: Box::new(then),
            els: None,
        }
    }

    #[test]
    fn results_are_written_when_it_is_known() {
        let ctx = Ctx::new();
        let scop = parse_scop(&ctx, LEFT).expect("a SCoP");
        let n = || Expr::Param(ParamId(0));
        let tiles = |body| over(32, n(), over(1, n(), body));
        let all = |list: Vec<Ast>| settles(&scop, &Ast::Block(list));
        let found = || tiles(Ast::Block(vec![user(0), over(1, n(), user(1))]));
        let results = || if_intact(over(1, n(), user(2)));
        assert!(all(vec![found(), results()]));
        // Too early, unasked, in one loop, or asked in front of what changes it.
        assert!(!all(vec![results(), found()]));
        assert!(!all(vec![found(), over(1, n(), user(2))]));
        assert!(!all(vec![tiles(Ast::Block(vec![user(0), results()]))]));
        assert!(!all(vec![if_intact(Ast::Block(vec![found(), results()]))]));
        assert!(!all(vec![
            over(32, Expr::Param(ParamId(1)), user(0)),
            results()
        ]));
    }

    #[test]
    fn what_repeats_keeps_its_order() {
        let ctx = Ctx::new();
        let scop = parse_scop(&ctx, LEFT).expect("a SCoP");
        let n = || Expr::Param(ParamId(0));
        let results = || if_intact(over(1, n(), user(2)));
        let steps = over(1, n(), Ast::Block(vec![over(1, n(), user(1)), user(0)]));
        assert!(!settles(&scop, &Ast::Block(vec![steps, results()])));
        let alone = over(1, n(), user(0));
        assert!(settles(&scop, &Ast::Block(vec![alone, results()])));
    }
}
