//! Whether a program does what the source does: [`check`], for the loops that code generation gets, whoever made them.
//!
//! The program is read back: [`place`] finds for each leaf which instances run there and at which values of the loops around,
//! with heads of tiles, rims that were split off, register tiles and copies; [`storage`] finds where each access lands. Then
//!
//! 1. every instance of the source runs once ([`order::covers`]);
//! 2. where storage is not the source's, every read gets the value of the same write as in the source, and what
//!    outlives the program is in memory ([`storage::keeps_values`]);
//! 3. accesses to one location of which one writes run in the source's order ([`order::keeps_order`]), and are not left to threads or
//!    lanes that do not wait for each other;
//! 4. buffers hold what is read from them ([`order::provides`]).
//!
//! Then the last write before each read, and the last one of all, are the source's: a write that came between in the program came
//! between in the source too. Updates that commute may change places; they are not left to threads.
//!
//! All questions are emptiness of integer sets, exact, for all values of the parameters that the version check lets pass. Tile
//! sizes that are chosen at run time have given values here. Nothing is shared with what makes schedules and programs,
//! nor with [`crate::legality`]. A SCoP with windows in place of arrays is held against the one before by its flow of values
//! ([`check_contracted`]). How the source's statements became those of the SCoP is another question: [`check_rewritten`].

mod contracted;
mod expr;
mod order;
mod place;
mod storage;
#[cfg(test)]
mod tests;
mod walks;

pub use contracted::check as check_contracted;
pub use walks::{Effort, check as check_rewritten};

use place::Place;
use polytile_analysis::ast::{Ast, Buffer, PanelPlace, PanelRow};
use polytile_analysis::ids::ArrayId;
use polytile_analysis::poly::{self, DimType, Map, Set};
use polytile_analysis::scop::Scop;
use polytile_analysis::tree::SizeParam;

/// What is held against the source.
#[derive(Clone, Debug)]
pub struct Final<'a> {
    /// The loops.
    pub body: &'a Ast,
    /// Buffers for packed operands.
    pub buffers: &'a [Buffer],
    /// Temporary arrays without memory.
    pub handed: &'a [ArrayId],
    /// Values of the symbolic tile sizes.
    pub sizes: &'a [i64],
}

/// What came of the question.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// The program does what the source does.
    Same,
    /// It does something else.
    Other(String),
    /// Too much work, or no affine form.
    Open(String),
}

/// Values of the tile sizes to ask for: the least ones and the usual ones.
pub fn sizes(all: &[SizeParam]) -> Vec<Vec<i64>> {
    let least = all.iter().map(|s| s.multiple_of).collect();
    let mut values = vec![least, all.iter().map(|s| s.default).collect()];
    values.dedup();
    values
}

/// Whether a program does what the source does.
pub fn check(scop: &Scop, last: &Final) -> Answer {
    answered(checked(scop, last))
}

/// What an outcome says.
fn answered(outcome: Checked<()>) -> Answer {
    match outcome {
        Ok(()) => Answer::Same,
        Err(Stop::Wrong(why)) => Answer::Other(why),
        Err(Stop::Open(why)) => Answer::Open(why.to_owned()),
        Err(Stop::Poly(e)) if e.is_misuse() => Answer::Other(format!("set library: {e}")),
        Err(Stop::Poly(e)) => Answer::Open(e.to_string()),
    }
}

fn checked(scop: &Scop, last: &Final) -> Checked<()> {
    let program = Program {
        scop,
        body: last.body,
        buffers: last.buffers,
        handed: last.handed,
        sizes: last.sizes,
        known: known(scop)?,
    };
    let places = place::places(&program)?;
    order::covers(&program, &places)?;
    let located: Vec<_> = (0..places.len())
        .map(|at| storage::located(&program, &places, at))
        .collect::<Checked<_>>()?;
    storage::keeps_values(&program, &places, &located)?;
    order::keeps_order(&program, &places, &located)?;
    order::provides(&program, &places, &located)
}

/// What holds for the parameters wherever the program runs: constants that became parameters are themselves.
fn known(scop: &Scop) -> poly::Result<Set> {
    let mut known = scop.known()?;
    for (at, p) in scop.params.iter().enumerate() {
        let value = p.expr.as_constant().and_then(|c| i64::try_from(c).ok());
        if let Some(value) = value {
            known = known.fix_si(DimType::Param, at, value)?;
        }
    }
    Ok(known)
}

/// A program with what is asked of it.
struct Program<'a> {
    scop: &'a Scop,
    body: &'a Ast,
    buffers: &'a [Buffer],
    handed: &'a [ArrayId],
    sizes: &'a [i64],
    known: Set,
}

impl Program<'_> {
    /// Rows of a panel, by the values of a place's loops.
    fn panel_rows(&self, place: &Place, at: &PanelPlace) -> Checked<Map> {
        let mut all: Option<Map> = None;
        for row in &at.rows {
            let row = self.panel_row(place, row)?;
            all = Some(match all {
                None => row,
                Some(all) => all.flat_range_product(&row)?,
            });
        }
        all.ok_or_else(|| Stop::Wrong("an access has no row in a panel".to_owned()))
    }

    fn panel_row(&self, place: &Place, row: &PanelRow) -> Checked<Map> {
        let loops = self.known.space()?.add_unnamed_tuple(place.iters.len())?;
        let start = expr::Frame::new(loops, &place.iters, self.sizes).value(&row.start)?;
        let domain = self.scop.stmt(place.stmt).domain.space()?;
        let local = poly::LocalSpace::from_space(&domain)?;
        let mut ahead = poly::PwAff::si_on_domain(&Set::universe(&domain)?, 0)?;
        for (d, step) in row.steps.iter().enumerate() {
            let iterator = poly::PwAff::var_on_domain(&local, DimType::Set, d)?;
            ahead = ahead.add(&iterator.scale_si(*step)?)?;
        }
        let ahead = place.instances.apply_range(&Map::from_pw_aff(&ahead)?)?;
        Ok(Map::from_pw_aff(&start)?.sum(&ahead)?)
    }
}

/// Why an answer comes early.
#[derive(Debug)]
enum Stop {
    Wrong(String),
    Open(&'static str),
    Poly(poly::Error),
}

impl From<poly::Error> for Stop {
    fn from(e: poly::Error) -> Self {
        Stop::Poly(e)
    }
}

type Checked<T> = Result<T, Stop>;
