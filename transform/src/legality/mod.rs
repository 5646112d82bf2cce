//! Whether a schedule is legal: [`check`], independent of everything that makes schedules.
//!
//! A schedule is legal if it runs every instance once and every dependence forwards (Kelly and Pugh 1995, §4). The check
//! walks down the tree with the *residual* of each dependence: the pairs of instances that nothing further up has put
//! in order. Every test is an exact emptiness test of isl; nothing is approximated.
//!
//! | node | needs, for all residual pairs `x -> y` | leaves for the child |
//! |---|---|---|
//! | band `theta` | first member `m` with `theta_m(x) != theta_m(y)`: `theta_m(x) < theta_m(y)` | pairs equal in all members |
//! | tile band | `theta_m(x) <= theta_m(y)` in *each* tiled member | all pairs that may share a tile |
//! | sequence | branch of `x` not after branch of `y` | pairs inside one branch |
//! | set | same branch | pairs inside one branch |
//! | leaf | no pair left | |
//!
//! For tiles this is enough for every size and anchor: with the same non-decreasing map from `theta_m` to the tile
//! coordinate for all statements, coordinates do not decrease along a dependence, so tiles may run in lexicographic order
//! or in waves (tiles of one wave are then independent). Two points may share a tile whatever their distance when the
//! size is a run-time value; with a constant size only if they are closer than it.
//!
//! Pairs that commute ([`DepKind::COMMUTES`]) may go backwards in bands, in tiles that run one after the other, and in
//! sequences. Nothing else is different for them: they are ordered, and no loop that is parallel or a vector carries them.
//!
//! Marks are checked too: a parallel or vector loop carries no residual pair, members of a permutable band never go
//! backwards, coincident members do not move at all, and a [register tile](register) loads and stores what the
//! statement would. What a copy for register tiles takes of operands that are written below it is known only when code is
//! generated, and checked then ([finals]).
//! [Private](private) arrays are no obstacle to a parallel loop, because no value of them crosses its iterations.
//!
//! ```text
//! band [t, i] of a three-point stencil, tiled:  t: 0..1 forwards, i: S[t, i + 1] -> S[t + 1, i] goes backwards: refused
//! band [t, t + i]:                              both forwards: accepted
//! ```

mod compare;
mod contracted;
mod finals;
mod flags;
mod private;
mod register;
mod relation;
mod strips;
mod walk;
mod witness;

pub(crate) use compare::{Relation, Row, compared};
pub(crate) use contracted::Values;
pub(crate) use finals::are_final;
pub(crate) use private::is_private;
pub use witness::Witness;

use polytile_analysis::deps::{DepKind, Dependences};
use polytile_analysis::ids::{ArrayId, StmtId};
use polytile_analysis::poly;
use polytile_analysis::scop::Scop;
use polytile_analysis::text::print_kind;
use polytile_analysis::tree::Schedule;
use std::fmt;

/// The part of the budget for one check: all of it; known nests take less than a third.
const SHARE: u64 = 1;

/// Why a schedule is refused.
#[derive(Clone, Debug, PartialEq)]
pub struct Violation {
    /// What is wrong.
    pub rule: Rule,
    /// Where in the tree, from the root.
    pub place: Vec<Step>,
    /// The dependence that is not respected, for rules about order.
    pub dependence: Option<Box<Broken>>,
}

/// A rule that a schedule must keep.
#[derive(Clone, Debug, PartialEq)]
pub enum Rule {
    /// The schedule's domain is not the SCoP's.
    Domain,
    /// Instances of this statement get no place here (no branch, or no value of a band).
    NotScheduled(StmtId),
    /// Instances of this statement get two places: filters overlap.
    ScheduledTwice(StmtId),
    /// Different instances of this statement are not told apart by anything above a leaf.
    NotInjective(StmtId),
    /// The shape of a node is wrong: numbers of entries, sizes below 1, unknown sizes.
    Malformed(&'static str),
    /// A band member or a sequence runs a dependence backwards.
    Backwards,
    /// A tiled member runs a dependence backwards.
    TileBackwards,
    /// A dependence between children of a set.
    SetOrdered,
    /// A leaf is reached with both ends of a dependence.
    Unordered,
    /// The loop of this member is parallel but carries a dependence.
    NotParallel(usize),
    /// The loop of this member is a vector loop but carries a dependence.
    NotVector(usize),
    /// An element is written twice in the diagonals of a loop.
    WrittenTwice,
    /// A dependence between diagonals reaches too far.
    Far,
    /// The band says permutable but this member runs a dependence backwards.
    NotPermutable(usize),
    /// This member says coincident but a dependence moves along it.
    NotCoincident(usize),
    /// A register tile would load or store something else than its statement.
    RegisterTile(&'static str),
    /// Threads may not have copies of these arrays.
    NotPrivate(&'static str),
    /// Values of these arrays may not stay in the lanes that compute them.
    NotContracted(&'static str),
    /// Iterations may not run in strips around the updates of these statements.
    NotStrips(&'static str),
    /// The set library gave up; the schedule may be legal.
    Undecided(poly::Error),
}

/// A step down the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Through a band.
    Band,
    /// Through a tile band.
    TileBand,
    /// Into this child of a sequence.
    Sequence(usize),
    /// Into this child of a set.
    Set(usize),
    /// Through a mark.
    Mark,
}

/// A dependence that is not respected.
#[derive(Clone, Debug, PartialEq)]
pub struct Broken {
    /// Position in [`Dependences::list`].
    pub index: usize,
    /// The statement that must come first.
    pub src: StmtId,
    /// The statement that must come later.
    pub dst: StmtId,
    /// Kinds.
    pub kind: DepKind,
    /// Arrays.
    pub arrays: Vec<ArrayId>,
    /// One pair of instances, with small parameters.
    pub witness: Option<Witness>,
}

/// Refuses a schedule that does not run every instance once and all dependences but read-read ones forwards.
pub fn check(scop: &Scop, schedule: &Schedule, deps: &Dependences) -> Result<(), Violation> {
    let _quota = scop.context.ctx().share(SHARE);
    walk::check(scop, schedule, deps).map_err(|stop| match stop {
        Stop::Violation(v) => *v,
        Stop::Poly(e) => Violation {
            rule: Rule::Undecided(e),
            place: vec![],
            dependence: None,
        },
    })
}

/// Why a walk ends early.
enum Stop {
    Violation(Box<Violation>),
    Poly(poly::Error),
}

impl From<poly::Error> for Stop {
    fn from(e: poly::Error) -> Self {
        Stop::Poly(e)
    }
}

type Walked<T> = Result<T, Stop>;

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.rule)?;
        if let Some(d) = &self.dependence {
            write!(
                f,
                ": {} dependence {} -> {}",
                print_kind(d.kind),
                d.src,
                d.dst
            )?;
            if let Some(w) = &d.witness {
                write!(
                    f,
                    ", for example {}{:?} -> {}{:?}",
                    d.src, w.src, d.dst, w.dst
                )?;
                if !w.params.is_empty() {
                    let params: Vec<String> =
                        w.params.iter().map(|(n, v)| format!("{n} = {v}")).collect();
                    write!(f, " with {}", params.join(", "))?;
                }
            }
        }
        for (i, step) in self.place.iter().enumerate() {
            write!(f, "{}{step}", if i == 0 { "; at " } else { " > " })?;
        }
        Ok(())
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Band => write!(f, "band"),
            Step::TileBand => write!(f, "tile band"),
            Step::Sequence(i) => write!(f, "sequence child {i}"),
            Step::Set(i) => write!(f, "set child {i}"),
            Step::Mark => write!(f, "mark"),
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Rule::Domain => write!(f, "the domain of the schedule is not that of the region"),
            Rule::NotScheduled(s) => write!(f, "instances of {s} are not scheduled"),
            Rule::ScheduledTwice(s) => write!(f, "instances of {s} are scheduled twice"),
            Rule::NotInjective(s) => write!(f, "instances of {s} share one place"),
            Rule::Malformed(what) => write!(f, "malformed schedule: {what}"),
            Rule::Backwards => write!(f, "a dependence runs backwards"),
            Rule::TileBackwards => write!(f, "a dependence runs backwards between tiles"),
            Rule::SetOrdered => write!(f, "children of a set depend on each other"),
            Rule::Unordered => write!(f, "dependent instances are not ordered"),
            Rule::NotParallel(m) => {
                write!(f, "the parallel loop of member {m} carries a dependence")
            }
            Rule::NotVector(m) => write!(f, "the vector loop of member {m} carries a dependence"),
            Rule::WrittenTwice => write!(f, "an element is written twice in diagonals"),
            Rule::Far => write!(f, "a dependence between diagonals reaches too far"),
            Rule::NotPermutable(m) => write!(
                f,
                "the band is not permutable: member {m} runs a dependence backwards"
            ),
            Rule::NotCoincident(m) => write!(f, "member {m} is not coincident"),
            Rule::RegisterTile(what) => write!(f, "register tile: {what}"),
            Rule::NotPrivate(why) => write!(f, "private arrays: {why}"),
            Rule::NotContracted(why) => write!(f, "contracted arrays: {why}"),
            Rule::NotStrips(why) => write!(f, "strips: {why}"),
            Rule::Undecided(e) => write!(f, "legality was not decided: {e}"),
        }
    }
}

#[cfg(test)]
mod tests;
