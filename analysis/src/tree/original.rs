//! The original order as a schedule tree, from the beta vectors.
//!
//! Statements that share the leading positions of their beta vectors share loops. Every loop is a band of one member,
//! every list of two or more children a sequence:
//!
//! ```text
//! S0 (0, i, 0)          band [i] - sequence - S0: leaf
//! S1 (0, i, 1, j, 0)                        - S1: band [j] - leaf
//! ```

use super::{Band, Branch, LoopKind, Schedule, Tree};
use crate::poly::{
    Aff, DimType, Error, LocalSpace, MultiUnionPwAff, PwAff, Result, Space, UnionPwAff, UnionSet,
};
use crate::scop::{Scop, Stmt};
use std::collections::BTreeMap;

/// The original order.
pub fn original(scop: &Scop) -> Result<Schedule> {
    let stmts: Vec<&Stmt> = scop.stmts.iter().collect();
    let root = list(scop, &stmts, 0)?;
    Ok(Schedule {
        domain: scop.domain()?,
        root,
        sizes: vec![],
    })
}

/// The children at one textual level: statements whose beta vectors agree before `level`.
fn list(scop: &Scop, stmts: &[&Stmt], level: usize) -> Result<Tree> {
    let mut children: BTreeMap<i64, Vec<&Stmt>> = BTreeMap::new();
    for s in stmts {
        children.entry(s.beta[level]).or_default().push(s);
    }
    if children.len() == 1 {
        return loop_or_leaf(scop, stmts, level);
    }
    let branch = |stmts: &Vec<&Stmt>| {
        Ok(Branch {
            filter: instances(scop, stmts)?,
            child: loop_or_leaf(scop, stmts, level)?,
        })
    };
    Ok(Tree::Sequence(
        children.values().map(branch).collect::<Result<_>>()?,
    ))
}

/// One child of a list: a single statement or a loop.
fn loop_or_leaf(scop: &Scop, stmts: &[&Stmt], level: usize) -> Result<Tree> {
    if let Some(s) = stmts.iter().find(|s| s.depth() == level) {
        if stmts.len() > 1 {
            return Err(Error::Invalid(format!(
                "the position of {} is the beginning of another one",
                s.id
            )));
        }
        return Ok(Tree::Leaf);
    }
    let band = Band {
        schedule: iterator(scop, stmts, level)?,
        permutable: false,
        coincident: vec![false],
        loops: vec![LoopKind::Sequential],
        tile: None,
        child: list(scop, stmts, level + 1)?,
    };
    Ok(Tree::Band(Box::new(band)))
}

fn instances(scop: &Scop, stmts: &[&Stmt]) -> Result<UnionSet> {
    let mut all = UnionSet::empty(&scop.context.space()?)?;
    for s in stmts {
        all = all.union(&s.domain.to_union_set()?)?;
    }
    Ok(all)
}

/// The iterator of one loop around all these statements.
pub fn iterator(scop: &Scop, stmts: &[&Stmt], level: usize) -> Result<MultiUnionPwAff> {
    let params = scop.context.space()?;
    let mut row = UnionPwAff::empty(&params)?;
    for s in stmts {
        let space = LocalSpace::from_space(&s.domain.space()?)?;
        let aff = Aff::var_on_domain(&space, DimType::Set, level)?;
        row = row.add_pw_aff(&PwAff::from_aff(&aff)?)?;
    }
    rows(&params, &[row])
}

/// A partial schedule with these rows.
pub fn rows(params: &Space, rows: &[UnionPwAff]) -> Result<MultiUnionPwAff> {
    MultiUnionPwAff::from_union_pw_affs(&params.params()?.add_unnamed_tuple(rows.len())?, rows)
}
