//! Embedding: what is at an address gets a loop of one iteration around it; the inverse takes such a loop away.
//!
//! ```text
//! embed [0] 0             S                               for z = 0 .. 0: S
//! unembed [0]             for z = 0 .. 0: S               S
//! ```
//!
//! Cohen, Girbal and Temam's EXTEND (their table adds a row to the access function where it must be a column; here accesses
//! are not touched at all). It makes depths equal, so that a statement can be fused into a loop at a chosen iteration
//! `embed [1] n - 1; fuse [0]` puts it into the last one.

use super::rows::constant;
use super::surgery::{Loop, around, edit, nest};
use super::{Address, Applied, State, Step, Structure};
use polytile_analysis::poly::UnionPwAff;
use polytile_analysis::tree::LoopKind;
use std::fmt;

/// Puts a loop of one iteration around a node.
#[derive(Clone, Debug)]
pub struct Embed {
    /// The node.
    pub at: Address,
    /// The value of the loop: an expression of the parameters.
    pub value: String,
}

impl Step for Embed {
    fn apply<'a>(&self, state: &State<'a>) -> Applied<State<'a>> {
        let schedule = edit(&state.schedule, &self.at, &mut |tree, domain| {
            let row = constant(state.scop, &domain.universe_of()?, &self.value)?;
            let kind = LoopKind::Sequential;
            let tile = None;
            around(&[Loop { row, kind, tile }], tree.clone())
        })?;
        Ok(state.with(schedule))
    }

    fn inverse(&self, _: &State) -> Option<Vec<Box<dyn Step>>> {
        Some(vec![Box::new(Unembed(self.at.clone()))])
    }
}

/// Takes a loop of one iteration away.
#[derive(Clone, Debug)]
pub struct Unembed(pub Address);

impl Step for Unembed {
    fn apply<'a>(&self, state: &State<'a>) -> Applied<State<'a>> {
        let schedule = edit(&state.schedule, &self.0, &mut |tree, domain| {
            let (loops, child) = nest(tree, 1, &self.0)?;
            let row = loops[0].row.intersect_domain(&domain.universe_of()?)?;
            if loops[0].tile.is_some() || !is_constant(&row)? {
                let at = &self.0;
                return Err(Structure::Number(format!("{at} has more than one iteration")).into());
            }
            Ok(child)
        })?;
        Ok(state.with(schedule))
    }
}

/// Whether a row has the same value for all instances.
pub(super) fn is_constant(row: &UnionPwAff) -> Applied<bool> {
    let mut text = None;
    for part in row.pw_affs()? {
        for (_, aff) in part.pieces()? {
            let ins = aff.dim(polytile_analysis::poly::DimType::In);
            let moving = aff.involves_dims(polytile_analysis::poly::DimType::In, 0, ins)?;
            let value = aff.to_string();
            let value = value.rsplit("->").next().unwrap_or_default().to_owned();
            if moving || text.as_ref().is_some_and(|t| *t != value) {
                return Ok(false);
            }
            text = Some(value);
        }
    }
    Ok(true)
}

impl fmt::Display for Embed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "embed {} {}", self.at, self.value)
    }
}

impl fmt::Display for Unembed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unembed {}", self.0)
    }
}
