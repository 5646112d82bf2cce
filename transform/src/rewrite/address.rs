//! Addresses of loops, statements and lists: prefixes of the beta vectors of the state's own order.
//!
//! `[0,1]` is the second child of the first loop. A position counts children of a list; a list of one child has no node of
//! its own in the tree, and its position is 0. Each member of a band is a loop, also each loop over tiles; marks are passed.
//! `[0,*]` is the whole list inside of loop `[0]`, `[*]` that of the whole program.
//!
//! ```text
//! [0]    for i
//! [0,0]    for j: S0
//! [0,1]    S1
//! [1]    S2
//! ```

use super::surgery;
use super::{Applied, State, Structure};
use polytile_analysis::ids::StmtId;
use polytile_analysis::poly::{self, UnionPwAff, UnionSet};
use polytile_analysis::tree::{LoopKind, Mark, Tree};
use std::fmt;

/// Where a loop, a statement or a list is.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Address {
    /// Positions in lists, from the outside in.
    pub path: Vec<usize>,
    /// The list inside of the loop there, not the loop.
    pub list: bool,
}

impl Address {
    /// Of a loop or statement.
    pub fn of(path: &[usize]) -> Address {
        Address {
            path: path.to_vec(),
            list: false,
        }
    }

    /// Of the list that the loop or statement is in, and its position there.
    pub fn parent(&self) -> Option<(Address, usize)> {
        let (last, outer) = self.path.split_last()?;
        let list = Address {
            path: outer.to_vec(),
            list: true,
        };
        (!self.list).then_some((list, *last))
    }

    /// The loop so many levels further in, through first children.
    pub fn inside(&self, levels: usize) -> Address {
        let mut path = self.path.clone();
        path.extend(std::iter::repeat_n(0, levels));
        Address::of(&path)
    }

    /// With another last position.
    pub fn sibling(&self, position: usize) -> Address {
        let mut path = self.path.clone();
        if let Some(last) = path.last_mut() {
            *last = position;
        }
        Address::of(&path)
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts: Vec<String> = self.path.iter().map(usize::to_string).collect();
        if self.list {
            parts.push("*".into());
        }
        write!(f, "[{}]", parts.join(","))
    }
}

/// The row of a loop, for all statements in it or for one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rows {
    /// The loop.
    pub at: Address,
    /// The only statement whose row is meant.
    pub only: Option<StmtId>,
}

impl Rows {
    /// Of all statements.
    pub fn of(at: &Address) -> Rows {
        Rows {
            at: at.clone(),
            only: None,
        }
    }

    /// Whether the row of a statement is meant.
    pub(super) fn means(&self, name: &str) -> bool {
        self.only.is_none_or(|s| format!("{s}") == name)
    }
}

impl fmt::Display for Rows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.only {
            Some(s) => write!(f, "{s}@{}", self.at.path.len()),
            None => write!(f, "{}", self.at),
        }
    }
}

/// One loop around a statement.
#[derive(Clone, Debug)]
pub struct Around {
    /// Its address.
    pub at: Address,
    /// Its row, for all statements in it.
    pub row: UnionPwAff,
    /// Whether it is a loop over tiles.
    pub tile: bool,
    /// How it runs.
    pub kind: LoopKind,
}

/// A place where statements run: a leaf of the tree.
#[derive(Clone, Debug)]
pub struct Place {
    /// Its address.
    pub at: Address,
    /// What runs there.
    pub instances: UnionSet,
    /// The loops around it, outermost first.
    pub loops: Vec<Around>,
}

/// All places of a state, in textual order.
pub fn places(state: &State) -> poly::Result<Vec<Place>> {
    let mut found = vec![];
    let schedule = &state.schedule;
    visit(&schedule.root, &schedule.domain, &[], &[], &mut found)?;
    Ok(found)
}

fn visit(
    tree: &Tree,
    domain: &UnionSet,
    path: &[usize],
    loops: &[Around],
    found: &mut Vec<Place>,
) -> poly::Result<()> {
    match tree {
        Tree::Mark(_, child) => visit(child, domain, path, loops, found),
        Tree::Sequence(list) | Tree::Set(list) => {
            for (i, b) in list.iter().enumerate() {
                let here = domain.intersect(&b.filter)?;
                let path = extended(path, i);
                item(&b.child, &here, &path, loops, found)?;
            }
            Ok(())
        }
        other => item(other, domain, &extended(path, 0), loops, found),
    }
}

fn item(
    tree: &Tree,
    domain: &UnionSet,
    path: &[usize],
    loops: &[Around],
    found: &mut Vec<Place>,
) -> poly::Result<()> {
    match tree {
        Tree::Mark(_, child) => item(child, domain, path, loops, found),
        Tree::Leaf => {
            found.push(Place {
                at: Address::of(path),
                instances: domain.clone(),
                loops: loops.to_vec(),
            });
            Ok(())
        }
        Tree::Sequence(_) | Tree::Set(_) => visit(tree, domain, path, loops, found),
        Tree::Band(b) => {
            let mut loops = loops.to_vec();
            let mut path = path.to_vec();
            for m in 0..b.schedule.size() {
                if m > 0 {
                    path.push(0);
                }
                loops.push(Around {
                    at: Address::of(&path),
                    row: b.schedule.at(m)?,
                    tile: b.tile.is_some(),
                    kind: b.loops[m],
                });
            }
            visit(&b.child, domain, &path, &loops, found)
        }
    }
}

fn extended(path: &[usize], position: usize) -> Vec<usize> {
    let mut path = path.to_vec();
    path.push(position);
    path
}

impl State<'_> {
    /// The places of a statement.
    pub fn places_of(&self, stmt: StmtId) -> poly::Result<Vec<Place>> {
        let name = self.scop.stmt(stmt).name.clone();
        let mut of = vec![];
        for place in places(self)? {
            let sets = place.instances.sets()?;
            if sets
                .iter()
                .any(|s| s.tuple_name().as_deref() == Some(&name))
            {
                of.push(place);
            }
        }
        Ok(of)
    }

    /// What is at an address, and which instances reach it.
    pub fn find(&self, at: &Address) -> Applied<(Tree, UnionSet)> {
        let mut found = None;
        surgery::edit(&self.schedule, at, &mut |tree, domain| {
            found = Some((tree.clone(), domain.clone()));
            Ok(tree.clone())
        })?;
        Ok(found.expect("edited"))
    }

    /// The row of a loop.
    pub fn row(&self, at: &Address) -> Applied<UnionPwAff> {
        let (tree, _) = self.find(at)?;
        match &tree {
            Tree::Band(b) => Ok(b.schedule.at(0)?),
            _ => Err(Structure::NotALoop(at.to_string()).into()),
        }
    }

    /// Marks right above an address.
    pub fn marks(&self, at: &Address) -> Applied<Vec<Mark>> {
        let mut found = vec![];
        surgery::edit_marked(&self.schedule, at, &mut |tree, _| {
            let mut here = tree;
            while let Tree::Mark(mark, child) = here {
                found.push(mark.clone());
                here = child;
            }
            Ok(tree.clone())
        })?;
        Ok(found)
    }
}
