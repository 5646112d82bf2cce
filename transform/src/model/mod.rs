//! How long a program takes: one model for the original and for every candidate.
//!
//! [`time`] walks a generated loop program ([`Ast`]), the original's too, with typical values of the parameters, and gives
//! the cycles that it takes on one thread and on two. It has an answer for every program: tiles, fused loops, lanes and
//! register tiles are judged by the same rules.
//!
//! | what | how | where |
//! |---|---|---|
//! | issue slots, ports, chains, lanes and their gaps | per innermost loop | [`body`] |
//! | trip counts, conditions, entries, lanes, threads | loops at their first, middle and last part | [`walk`] |
//! | register tiles | operations, loads, chains, operands that are not side by side | [`registers`] |
//! | bytes per cache level | footprints of loops ([`crate::cost`]'s recursion, on programs) | [`traffic`] |
//! | accesses and operations as numbers | once per SCoP | [`facts`] |
//! | what the original's branches decide about | blocks of its innermost loops | [`guards`] |
//! | the time that no program can do without | operations and bytes against rates | [`bound`] |
//!
//! ```text
//! for i: { a[i] += b[i] * c[i];  e[i] = e[i-1] * e[i-1] / 2 }     no lanes: e waits 17 cycles per iteration
//! for i: a[i] += b[i] * c[i];  for i: e[i] = e[i-1] * ..          the same 17 cycles, and a loop in lanes on top
//! ```
//!
//! Arithmetic and memory overlap: a nest takes the longer of the two and a part of the shorter. Numbers of a machine are
//! the target's ([`crate::target::Core`]).
//!
//! What this does not model: associativity of caches, translation of addresses, clock rates that depend on vector width.

mod body;
mod bound;
mod choices;
mod facts;
mod guards;
mod registers;
mod strips;
mod traffic;
mod walk;

pub use bound::{Arithmetic, arithmetic, bytes};
pub use choices::Choices;
pub use facts::Facts;
pub use strips::strips_pay;
pub use walk::MAPPED;

use crate::target::Target;
use polytile_analysis::ast::{Ast, Expr};
use polytile_analysis::ids::ArrayId;
use polytile_analysis::poly;
use polytile_analysis::scop::Scop;
use walk::{nests, traffic_of};

/// Bytes that memory moves at once.
const LINE: f64 = 64.0;

/// Cycles of one entry of a region.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Time {
    /// On one thread.
    pub one: f64,
    /// On two threads.
    pub two: f64,
}

impl Time {
    fn same(cycles: f64) -> Time {
        Time {
            one: cycles,
            two: cycles,
        }
    }

    fn plus(self, other: Time) -> Time {
        Time {
            one: self.one + other.one,
            two: self.two + other.two,
        }
    }

    fn times(self, factor: f64) -> Time {
        Time {
            one: self.one * factor,
            two: self.two * factor,
        }
    }
}

/// A program to judge.
#[derive(Clone, Copy)]
pub struct Judged<'a> {
    /// Its statements.
    pub scop: &'a Scop,
    /// Its loops.
    pub body: &'a Ast,
    /// Temporary arrays without memory.
    pub handed: &'a [ArrayId],
    /// The values of symbolic tile sizes.
    pub sizes: &'a [i64],
    /// Values of the parameters.
    pub typical: &'a [i64],
    /// It is the program without us: what is not known to be apart is checked by LLVM, or stays in order.
    pub original: bool,
    /// What LLVM compares in front of the vectors of that program is one array: they never run.
    pub in_place: bool,
    /// What it decides in addresses and about accesses.
    pub choices: &'a Choices,
    /// Share of the conditions in front of inner loops that hold.
    pub holding: f64,
}

impl<'a> Judged<'a> {
    /// A program of ours in which all arrays have memory, no size is symbolic, and all conditions hold.
    pub(crate) fn plain(scop: &'a Scop, body: &'a Ast, typical: &'a [i64]) -> Judged<'a> {
        static NONE: Choices = Choices::none();
        Judged {
            scop,
            body,
            handed: &[],
            sizes: &[],
            typical,
            original: false,
            in_place: false,
            choices: &NONE,
            holding: 1.0,
        }
    }
}

/// The time of a program.
///
/// # Errors
/// What reading the access relations comes to.
pub fn time(judged: &Judged, target: &Target) -> poly::Result<Time> {
    let facts = Facts::new(judged)?;
    Ok(walk::time(&facts, judged, target))
}

/// Bytes of the temporary arrays that a program has in memory.
///
/// # Errors
/// What reading the access relations comes to.
pub fn memory(judged: &Judged) -> poly::Result<f64> {
    let all = traffic_of(&nests(judged.body), &Facts::new(judged)?, judged);
    Ok(traffic::own(&all, judged.scop))
}

/// Values of iterators, parameters and sizes.
#[derive(Clone)]
struct Env<'a> {
    iters: Vec<i64>,
    params: &'a [i64],
    sizes: &'a [i64],
}

impl<'a> Env<'a> {
    fn new(judged: &Judged<'a>) -> Env<'a> {
        Env {
            iters: vec![],
            params: judged.typical,
            sizes: judged.sizes,
        }
    }

    fn set(&mut self, iter: polytile_analysis::ast::IterId, value: i64) {
        let at = iter.0 as usize;
        if self.iters.len() <= at {
            self.iters.resize(at + 1, 0);
        }
        self.iters[at] = value;
    }

    /// The value of an expression; 0 where it overflows.
    fn value(&self, e: &Expr) -> i64 {
        let leaf = |e: &Expr| match e {
            Expr::Iter(i) => self.iters.get(i.0 as usize).copied(),
            Expr::Param(p) => self.params.get(p.index()).copied(),
            Expr::Size(s) => self.sizes.get(*s).copied(),
            _ => None,
        };
        crate::ast::expr::eval(e, &leaf).unwrap_or(0)
    }

    /// First and last value of a loop, and its iterations.
    fn range(&self, l: &polytile_analysis::ast::For) -> (i64, i64) {
        let (mut first, last) = (self.value(&l.lower), self.value(&l.upper));
        let step = self.value(&l.step).max(1);
        if let Some(anchor) = &l.anchor {
            first += (self.value(anchor) - first).rem_euclid(step);
        }
        let trips = if last < first {
            0
        } else {
            (last - first) / step + 1
        };
        (first, trips)
    }
}

#[cfg(test)]
mod tests;
