//! Whether an innermost loop gains by strips: [`strips_pay`].

use super::{Env, Facts, Judged, body};
use crate::ast::expr;
use crate::cost::typical;
use crate::target::Target;
use polytile_analysis::ast::{Ast, Expr, For, ForKind, IterId, User};
use polytile_analysis::chain::Chain;
use polytile_analysis::ids::StmtId;
use polytile_analysis::poly;
use polytile_analysis::scop::Scop;

/// Iterations of the loop that is looked at.
const TRIPS: i64 = 512;

/// Where it begins.
const START: i64 = 512;

/// The share of the loop's own time from which on strips are no gain.
const GAIN: f64 = 0.8;

/// Whether a loop over these statements, with what their iterators gain per iteration, is clearly faster in strips around `chains`.
///
/// # Errors
/// What reading the access relations comes to.
pub fn strips_pay(
    scop: &Scop,
    stmts: &[(StmtId, Vec<i64>)],
    chains: Vec<Chain>,
    target: &Target,
) -> poly::Result<bool> {
    let nothing = Ast::Block(vec![]);
    let typical = typical(scop)?;
    let judged = Judged::plain(scop, &nothing, &typical);
    let facts = Facts::new(&judged)?;
    let env = Env::new(&judged);
    let time = |kind| {
        let l = looping(stmts, kind);
        body::innermost(&facts, &l, &env, body::Around::default(), target)
    };
    let (alone, strips) = (time(ForKind::Sequential), time(ForKind::Strips { chains }));
    log::debug!("model: {alone:.0} cycles, in strips {strips:.0}");
    Ok(strips < GAIN * alone)
}

/// A loop over instances of the statements.
fn looping(stmts: &[(StmtId, Vec<i64>)], kind: ForKind) -> For {
    let iter = IterId(0);
    let user = |(stmt, step): &(StmtId, Vec<i64>)| {
        let at = |gain: &i64| {
            let ahead = expr::mul(&Expr::Int(*gain), &Expr::Iter(iter));
            expr::add(&Expr::Int(START), &ahead)
        };
        Ast::User(User {
            stmt: *stmt,
            args: step.iter().map(at).collect(),
        })
    };
    For {
        iter,
        lower: Expr::Int(0),
        upper: Expr::Int(TRIPS - 1),
        step: Expr::Int(1),
        anchor: None,
        kind,
        body: Ast::Block(stmts.iter().map(user).collect()),
    }
}
