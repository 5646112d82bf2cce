//! The vocabulary of transformations: named, checked steps from one state to the next.
//!
//! After Cohen, Girbal and Temam (2004): a transformation is a *composition* of small steps, each on one of the separate
//! components *iteration domain, schedule, storage*; and after Kelly and Pugh (1995): any of them is a change of the map from
//! instances to times, legal if every dependence still goes forwards. A [`State`] holds the three components. Its SCoP is the
//! source's and nobody rewrites it; a [`Step`] returns another state and leaves its argument alone, so undoing a step is
//! forgetting its result, and a refused one has changed nothing.
//!
//! Steps are defined on *rows of the schedule* and never on columns of the domain: after a skew, tiling means tiling the
//! skewed loops (columns would give an illegal tiling of a stencil), and interchange swaps what runs, not what was written.
//!
//! | of the paper | here |
//! |---|---|
//! | `beta` prefix of a loop or statement | [`Address`] |
//! | row of `A` and `Gamma` at a depth | the row of a band member |
//! | UNIMODULAR, INTERCHANGE, SHIFT | [`unimodular`], [`interchange`], [`reverse`], [`skew`], [`reshape`], [`shift`], [`grain`] |
//! | FUSE, SPLIT, MOTION | [`fuse`], [`fission`], [`motion`] |
//! | EXTEND | [`embed`] |
//! | CUTDOMAIN in pairs (index-set splitting) | [`split`], [`peel`], [`unroll`] |
//! | STRIPMINE, TILE | [`strip`], [`tile`] |
//! | tilings by hyperplanes, by a lattice and a shape (Ancourt and Irigoin 1991) | [`hyperplanes`], [`prototile`] |
//! | mapping `T_p` (Kelly and Pugh), partial ones | [`mapping`], [`complete`] |
//! | correction by shifts (Vasilache, Cohen, Pouchet 2007) | [`correct`] |
//!
//! What a step may say against being applied is a [`Refusal`]: *structure* (there is no such loop) or *legality* (a
//! dependence would run backwards; with one pair of instances as the witness).
//!
//! ```text
//! fuse [0]            for i: A(i);                  for i { A(i); B(i) }
//!                     for i: B(i);
//! tile [0] 32 32      for i: for j: S(i, j)         for ii by 32: for jj by 32: for i: for j: S(i, j)
//! ```

mod address;
pub mod band;
pub mod complete;
pub mod correct;
pub mod embed;
pub mod fission;
pub mod flags;
pub mod fuse;
pub mod grain;
pub mod hyperplanes;
pub mod interchange;
pub mod kinds;
mod legal;
pub mod mapping;
pub mod marks;
pub mod motion;
pub mod peel;
pub mod prototile;
mod refusal;
pub mod reshape;
pub mod reverse;
mod rows;
pub mod shift;
pub mod skew;
pub mod split;
pub mod strip;
mod surgery;
pub mod tile;
pub mod unimodular;
pub mod unroll;

pub use address::{Address, Place, Rows, places};
pub use legal::{Illegal, check};
pub use refusal::{Applied, Refusal, Structure};
pub use surgery::normal;

use polytile_analysis::deps::Dependences;
use polytile_analysis::poly;
use polytile_analysis::scop::Scop;
use polytile_analysis::tree::{self, Schedule};
use std::fmt;

/// A program in the making.
#[derive(Clone, Debug)]
pub struct State<'a> {
    /// The source's, whatever was done.
    pub scop: &'a Scop,
    /// The source's.
    pub deps: &'a Dependences,
    /// When instances run, and how.
    pub schedule: Schedule,
}

impl<'a> State<'a> {
    /// The source's own order.
    pub fn original(scop: &'a Scop, deps: &'a Dependences) -> poly::Result<State<'a>> {
        State::of(scop, deps, &tree::original(scop)?)
    }

    /// A given order.
    pub fn of(scop: &'a Scop, deps: &'a Dependences, given: &Schedule) -> poly::Result<State<'a>> {
        Ok(State {
            scop,
            deps,
            schedule: Schedule {
                root: normal(&given.root)?,
                ..given.clone()
            },
        })
    }

    /// With another schedule.
    fn with(&self, schedule: Schedule) -> State<'a> {
        State {
            schedule,
            ..self.clone()
        }
    }
}

/// A named change of a state. Its text is the command of a script that does the same.
pub trait Step: fmt::Display {
    /// The new state. Only the structure is checked here; [`check`] says whether the result is legal.
    ///
    /// # Errors
    /// What the state lacks.
    fn apply<'a>(&self, state: &State<'a>) -> Applied<State<'a>>;

    /// Steps that undo this one, applied one after the other to its result; `None` where no step does. `before` is the
    /// state that this one was applied to.
    fn inverse(&self, _before: &State) -> Option<Vec<Box<dyn Step>>> {
        None
    }
}

/// Applies a step and refuses an illegal result.
///
/// # Errors
/// What the state lacks, or the dependence that would run backwards.
pub fn apply<'a>(step: &dyn Step, state: &State<'a>) -> Applied<State<'a>> {
    let next = step.apply(state)?;
    check(&next)?;
    Ok(next)
}
