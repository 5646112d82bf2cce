//! Which program takes a region's place: candidates, judged by one model of time.
//!
//! The original is a candidate like the others: its own loops, with its own scalars, as the front door saw them.

use crate::ast::{generate, handed_on};
use crate::cost::typical;
use crate::model::{self, Judged, Time};
use crate::target::Target;
use polytile_analysis::ast::Ast;
use polytile_analysis::poly;
use polytile_analysis::scop::Scop;
use polytile_analysis::tree::{Schedule, original};
use std::fmt;

/// What the region does without us.
pub struct Original {
    scop: Scop,
    body: Ast,
    typical: Vec<i64>,
    /// How long it takes.
    pub time: Time,
}

impl Original {
    /// Of the SCoP that the front door's region is, before anything was rewritten.
    ///
    /// # Errors
    /// What generating its loops comes to.
    pub fn new(scop: &Scop, target: &Target) -> poly::Result<Original> {
        let body = generate(scop, &original(scop)?)?;
        let typical = typical(scop)?;
        let judged = Judged {
            scop,
            body: &body,
            handed: &[],
            sizes: &[],
            typical: &typical,
        };
        let time = model::time(&judged, target)?;
        Ok(Original {
            scop: scop.clone(),
            body,
            typical,
            time,
        })
    }

    /// Its loops.
    pub fn body(&self) -> &Ast {
        &self.body
    }
}

/// The time of a program for a schedule.
///
/// # Errors
/// What reading the access relations comes to.
pub fn estimated(
    scop: &Scop,
    body: &Ast,
    schedule: &Schedule,
    target: &Target,
) -> poly::Result<Time> {
    let sizes: Vec<i64> = schedule.sizes.iter().map(|s| s.default).collect();
    let judged = Judged {
        scop,
        body,
        handed: &handed_on(scop, body),
        sizes: &sizes,
        typical: &typical(scop)?,
    };
    model::time(&judged, target)
}

/// A candidate as it is reported.
#[derive(Clone, Debug)]
pub struct Report {
    /// Its name.
    pub name: &'static str,
    /// Its time.
    pub time: Time,
    /// It is the one.
    pub chosen: bool,
}

/// The report on a region: a line per candidate, with the values of the parameters that they were judged for.
pub struct Reports<'a> {
    /// The original.
    pub original: &'a Original,
    /// All of them.
    pub candidates: &'a [Report],
}

impl fmt::Display for Reports<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scop = &self.original.scop;
        let line = scop.loc.as_ref().map_or(0, |l| l.line);
        let values = scop.params.iter().zip(&self.original.typical);
        let values: Vec<String> = values.map(|(p, v)| format!("{}={v}", p.name)).collect();
        for c in self.candidates {
            write!(
                f,
                "model {} {line} candidate {} one={:.0} two={:.0}",
                scop.function, c.name, c.time.one, c.time.two
            )?;
            let at = if values.is_empty() { "" } else { " at " };
            let chosen = if c.chosen { " chosen" } else { "" };
            writeln!(f, "{at}{}{chosen}", values.join(","))?;
        }
        Ok(())
    }
}
