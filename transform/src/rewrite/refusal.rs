//! Why a step is refused.

use super::legal::Illegal;
use polytile_analysis::poly;
use std::fmt;

/// The result of a step.
pub type Applied<T> = Result<T, Refusal>;

/// Why a step is refused. The state that it was applied to is what it was.
#[derive(Clone, Debug)]
pub enum Refusal {
    /// The step does not fit the state.
    Structure(Structure),
    /// The result would not compute what the source does.
    Illegal(Box<Illegal>),
    /// The set library gave up.
    Poly(poly::Error),
}

/// What does not fit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Structure {
    /// Nothing has this address.
    NoSuch(String),
    /// A loop is needed where a statement is.
    NotALoop(String),
    /// A statement is needed where a loop is.
    NotAStatement(String),
    /// So many loops, one right inside the other, are needed.
    NotNested(String, usize),
    /// The nest is not that deep.
    Depth(String),
    /// A list is too short, or names something twice or not at all.
    NotAPermutation(String),
    /// A factor or size has a value that it must not have.
    Number(String),
    /// A loop cannot be skewed by itself.
    SkewByItself,
    /// A matrix without an integer inverse, or rows that do not tell instances apart.
    Singular(String),
    /// No parameter, statement, array or size has this name.
    Unknown(String),
    /// No loop follows that could be fused with.
    NothingFollows(String),
    /// Both sides have to be alike and are not.
    Differ(String),
    /// There are too many places of this kind, or none.
    Ambiguous(String),
    /// A decision that was taken before stands against it.
    Decided(String),
    /// A mapping leaves out instances, or gives some two times.
    Mapping(String),
}

impl From<poly::Error> for Refusal {
    fn from(e: poly::Error) -> Refusal {
        Refusal::Poly(e)
    }
}

impl From<Structure> for Refusal {
    fn from(s: Structure) -> Refusal {
        Refusal::Structure(s)
    }
}

impl fmt::Display for Structure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Structure::NoSuch(what) => write!(f, "there is no {what}"),
            Structure::NotALoop(at) => write!(f, "{at} is not a loop"),
            Structure::NotAStatement(at) => write!(f, "{at} is not a statement"),
            Structure::NotNested(at, n) => write!(
                f,
                "{n} loops, each right inside the one before, are needed at {at}"
            ),
            Structure::Depth(what) => write!(f, "the nest is not that deep: {what}"),
            Structure::NotAPermutation(what) => write!(f, "not a permutation: {what}"),
            Structure::Number(what)
            | Structure::Singular(what)
            | Structure::Differ(what)
            | Structure::Ambiguous(what)
            | Structure::Decided(what)
            | Structure::Mapping(what) => write!(f, "{what}"),
            Structure::SkewByItself => write!(f, "a loop cannot be skewed by itself"),
            Structure::Unknown(what) => write!(f, "unknown {what}"),
            Structure::NothingFollows(at) => write!(f, "no loop follows {at}"),
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Structure(s) => write!(f, "{s}"),
            Refusal::Illegal(i) => write!(f, "illegal: {i}"),
            Refusal::Poly(e) => write!(f, "not decided: {e}"),
        }
    }
}
