//! Bands: nested loops as one band, and back.
//!
//! ```text
//! band [0] 3              band (i) > band (j) > band (k)          band (i, j, k)
//! unband [0]              band (i, j, k)                          band (i) > band (j) > band (k)
//! ```
//!
//! The order does not change. Members of a band that is permutable may be tiled; what a register tile or lanes of a diagonal
//! count are members of one band.

use super::surgery::{edit, edit_member, nest};
use super::{Address, Applied, State, Step, Structure};
use polytile_analysis::tree::{Band, Tile, Tree, rows};
use std::fmt;

/// Makes nested loops one band.
#[derive(Clone, Debug)]
pub struct Merge {
    /// The outermost loop.
    pub at: Address,
    /// How many.
    pub loops: usize,
}

impl Step for Merge {
    fn apply<'a>(&self, state: &State<'a>) -> Applied<State<'a>> {
        if self.loops == 0 {
            return Err(Structure::Number("a band has loops".into()).into());
        }
        let schedule = edit(&state.schedule, &self.at, &mut |tree, domain| {
            let (loops, child) = nest(tree, self.loops, &self.at)?;
            let tiled = loops.iter().filter(|l| l.tile.is_some()).count();
            if tiled != 0 && tiled != loops.len() {
                let text = format!("{} loops at {} are over tiles, others not", tiled, self.at);
                return Err(Structure::Differ(text).into());
            }
            let all: Vec<_> = loops.iter().map(|l| l.row.clone()).collect();
            let sizes: Vec<_> = loops.iter().filter_map(|l| l.tile.clone()).collect();
            Ok(Tree::Band(Box::new(Band {
                schedule: rows(&domain.space()?, &all)?,
                permutable: false,
                coincident: vec![false; all.len()],
                loops: loops.iter().map(|l| l.kind).collect(),
                tile: (tiled > 0).then_some(Tile {
                    sizes,
                    wavefront: vec![],
                }),
                child,
            })))
        })?;
        Ok(state.with(schedule))
    }

    fn inverse(&self, _: &State) -> Option<Vec<Box<dyn Step>>> {
        Some(vec![Box::new(Unband(self.at.clone()))])
    }
}

/// Makes each loop of a band a band of its own.
#[derive(Clone, Debug)]
pub struct Unband(pub Address);

impl Step for Unband {
    fn apply<'a>(&self, state: &State<'a>) -> Applied<State<'a>> {
        let mut members = 0;
        edit_member(&state.schedule, &self.0, &mut |band, member, _| {
            members = band.schedule.size() - member;
            Ok(band.clone())
        })?;
        let schedule = edit(&state.schedule, &self.0, &mut |tree, _| {
            let (loops, child) = nest(tree, members, &self.0)?;
            super::surgery::around(&loops, child)
        })?;
        Ok(state.with(schedule))
    }
}

impl fmt::Display for Merge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "band {} {}", self.at, self.loops)
    }
}

impl fmt::Display for Unband {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unband {}", self.0)
    }
}
