//! What is true of bands: which are permutable, which members coincident.
//!
//! Steps drop these flags rather than keep wrong ones; [`Flags`] finds them again from the dependences, exactly.
//!
//! ```text
//! flags                   for all bands
//! flags [0] 1 1 0         this band is permutable, its first member coincident, its second not
//! ```

use super::surgery::edit_member;
use super::{Address, Applied, State, Step, Structure};
use crate::live::Live;
use polytile_analysis::poly::{self, UnionSet};
use polytile_analysis::tree::{Band, Branch, Schedule, Tree};
use std::fmt;

/// Finds the flags of all bands.
#[derive(Clone, Debug)]
pub struct Flags;

impl Step for Flags {
    fn apply<'a>(&self, state: &State<'a>) -> Applied<State<'a>> {
        let live = Live::at_root(state.deps)?;
        let schedule = &state.schedule;
        let root = flagged(&schedule.root, &schedule.domain, &live)?;
        Ok(state.with(Schedule {
            root,
            ..schedule.clone()
        }))
    }
}

fn flagged(tree: &Tree, domain: &UnionSet, live: &Live) -> poly::Result<Tree> {
    let live = live.inside(domain)?;
    let branches = |list: &[Branch]| -> poly::Result<Vec<Branch>> {
        let each = |b: &Branch| {
            Ok(Branch {
                filter: b.filter.clone(),
                child: flagged(&b.child, &domain.intersect(&b.filter)?, &live)?,
            })
        };
        list.iter().map(each).collect()
    };
    Ok(match tree {
        Tree::Leaf => Tree::Leaf,
        Tree::Mark(m, child) => Tree::Mark(m.clone(), Box::new(flagged(child, domain, &live)?)),
        Tree::Sequence(list) => Tree::Sequence(branches(list)?),
        Tree::Set(list) => Tree::Set(branches(list)?),
        Tree::Band(b) => Tree::Band(Box::new(band(b, domain, &live)?)),
    })
}

fn band(b: &Band, domain: &UnionSet, live: &Live) -> poly::Result<Band> {
    let mut new = b.clone();
    let all = b.schedule.union_pw_affs()?;
    new.permutable = true;
    for row in &all {
        new.permutable = new.permutable && live.ordered().respects(row)?;
    }
    let mut below = live.clone();
    for (m, row) in all.iter().enumerate() {
        let open = if new.permutable { live } else { &below };
        new.coincident[m] = open.coincident(row)?;
        below = below.tied(row)?;
    }
    let inside = if b.tile.is_some() { live } else { &below };
    new.child = flagged(&b.child, domain, inside)?;
    Ok(new)
}

/// States the flags of one band.
#[derive(Clone, Debug)]
pub struct Flag {
    /// Its first loop.
    pub at: Address,
    /// Any order of its members is legal.
    pub permutable: bool,
    /// Per member.
    pub coincident: Vec<bool>,
}

impl Step for Flag {
    fn apply<'a>(&self, state: &State<'a>) -> Applied<State<'a>> {
        let schedule = edit_member(&state.schedule, &self.at, &mut |band, _, _| {
            if band.coincident.len() != self.coincident.len() {
                let n = band.coincident.len();
                return Err(Structure::Number(format!("{n} loops in the band {}", self.at)).into());
            }
            Ok(Band {
                permutable: self.permutable,
                coincident: self.coincident.clone(),
                ..band.clone()
            })
        })?;
        Ok(state.with(schedule))
    }
}

impl fmt::Display for Flags {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "flags")
    }
}

impl fmt::Display for Flag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "flags {} {}", self.at, u8::from(self.permutable))?;
        for c in &self.coincident {
            write!(f, " {}", u8::from(*c))?;
        }
        Ok(())
    }
}

/// Which loops carry no dependence, by address: their iterations are independent where the loops around them are at one
/// iteration each.
pub fn parallel_loops(state: &State) -> Applied<Vec<(Address, bool)>> {
    let mut found = vec![];
    let live = Live::at_root(state.deps)?;
    let schedule = &state.schedule;
    visit(&schedule.root, &schedule.domain, &live, &[], &mut found)?;
    Ok(found)
}

fn visit(
    tree: &Tree,
    domain: &UnionSet,
    live: &Live,
    path: &[usize],
    found: &mut Vec<(Address, bool)>,
) -> Applied<()> {
    let at = |i: usize| [path, &[i]].concat();
    match tree {
        Tree::Mark(_, child) => visit(child, domain, live, path, found),
        Tree::Sequence(list) | Tree::Set(list) => {
            for (i, b) in list.iter().enumerate() {
                let here = domain.intersect(&b.filter)?;
                loops(&b.child, &here, &live.inside(&here)?, at(i), found)?;
            }
            Ok(())
        }
        other => loops(other, domain, live, at(0), found),
    }
}

fn loops(
    tree: &Tree,
    domain: &UnionSet,
    live: &Live,
    path: Vec<usize>,
    found: &mut Vec<(Address, bool)>,
) -> Applied<()> {
    match tree {
        Tree::Leaf => Ok(()),
        Tree::Mark(_, child) => loops(child, domain, live, path, found),
        Tree::Sequence(_) | Tree::Set(_) => visit(tree, domain, live, &path, found),
        Tree::Band(b) => {
            let mut below = live.clone();
            let mut path = path;
            for m in 0..b.schedule.size() {
                if m > 0 {
                    path.push(0);
                }
                let row = b.schedule.at(m)?;
                found.push((Address::of(&path), below.coincident(&row)?));
                below = below.tied(&row)?;
            }
            let inside = if b.tile.is_some() { live } else { &below };
            visit(&b.child, domain, inside, &path, found)
        }
    }
}
