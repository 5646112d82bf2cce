//! Which program takes a region's place: candidates, judged by one model of time.
//!
//! The original is a candidate like the others: its own loops, with its own scalars, as the front door saw them.

use crate::ast::{AstOptions, Separation, expr, generate_with, handed_on};
use crate::cost::Nearby;
use crate::model::{self, Arithmetic, Choices, Judged, Time};
use crate::target::Target;
use crate::work;
use polytile_analysis::ast::{Ast, Expr};
use polytile_analysis::body::NodeKind;
use polytile_analysis::guards::{conditions, is_guarded};
use polytile_analysis::ids::{ArrayId, ParamId, ValueId};
use polytile_analysis::poly::{self, DimType};
use polytile_analysis::scop::{Assumption, Param, Place, Scop, Stmt};
use polytile_analysis::tree::{Schedule, original};
use std::collections::BTreeMap;
use std::fmt;

#[cfg(test)]
mod tests;

/// What parameters are taken to be that nothing is known about, by the dimensions of the largest array, up to three: programs
/// are compared for each of these.
const SIZES: [&[i64]; 3] = [&[1000, 120, 100_000], &[1000, 120, 4000], &[120, 40, 500]];

/// The new program's share of the original's time from which on it is no gain.
const GAIN: f64 = 0.9;

/// The same for its time on two threads: the second one could do other work, and what it waits for is not all foreseen.
const THREADS_GAIN: f64 = 0.8;

/// The share from which on it is a loss.
const LOSS: f64 = 1.08;

/// The share from which on what runs on two threads is one: it takes both of them, and what they wait for weighs much in small programs.
const THREADS_LOSS: f64 = 1.25;

/// The share from which on a program is so much faster that no other is looked for.
const CLEAR: f64 = 0.5;

/// The share from which on it gains little: other storage may make more of the region.
const LITTLE: f64 = 0.8;

/// Between these shares of the original's time the estimate is not sure enough for what a measurement would say.
const UNSURE: std::ops::RangeInclusive<f64> = 0.4..=1.15;

/// The share of the original's time up to which a program is worth running on one thread where it gains more for larger sizes.
const ALONE: f64 = 0.95;

/// How often the range is halved in which such sizes begin.
const HALVINGS: usize = 3;

/// Sizes among which the one is looked for from which on a program gains: short trips, partial tiles and what runs as scalars at their
/// rims weigh less and less.
const STEPS: [i64; 9] = [12, 18, 27, 40, 60, 90, 135, 200, 300];

/// Of these, the small ones, and the share of the original's time up to which a program gains there that does so clearly elsewhere.
const SMALL: usize = 3;
const IN_SMALL: f64 = 0.75;

/// How many times less work is enough where a gain is sure.
pub const SURE: i64 = 8;

/// Cycles of the original from which on an estimate of copies that were rolled up is good enough.
const ROLLED: f64 = 2000.0;

/// Sizes of which one alone may keep a program from gaining ([`Original::least`]), and the share of the original's time from which on it does so.
const CORNERS: std::ops::RangeInclusive<i64> = 2..=9;
const CORNER: f64 = 1.25;

/// Sizes of a program that are looked at one by one.
const MAX_OPEN: usize = 4;

/// The share of the original's time from which on loops without its branches are worth it on one thread: what else the model does not see
/// is less.
const UNBRANCHED: f64 = 0.95;

/// The share of the original's time from which on the same loops are worth it on one thread: LLVM finds no lanes in the original's.
const IN_LANES: f64 = 0.7;

/// Cycles of a processor in a microsecond, about.
const CYCLES_PER_US: f64 = 3000.0;

/// Cycles of a program from which on it runs on threads, as long as the option `parallel-min-us` says nothing else.
const PARALLEL: f64 = 100.0 * CYCLES_PER_US;

/// The pace of a program is the usual one within this factor.
const STRAY: i64 = 30;

/// A program beside the original.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Compared {
    /// Faster, or nothing can be said.
    Faster,
    /// Not faster on one thread.
    ByThreads,
    /// Not faster on two threads either.
    Never,
}

/// What the region does without us.
pub struct Original {
    scop: Scop,
    body: Ast,
    choices: Choices,
    /// Values of its parameters with what candidates assume beside it: both are judged for the same ones.
    own: Nearby,
    /// Values of the parameters of candidates.
    its: Nearby,
    /// What all candidates are judged for: rewrites may add arrays of more dimensions.
    sizes: &'static [i64],
    /// Shares of the conditions in front of loops that hold: both are judged for each.
    shares: &'static [f64],
    /// By size.
    typical: Vec<Vec<i64>>,
    /// By size and share.
    times: Vec<Time>,
}

impl Original {
    /// Of the SCoP that the front door's region is, before anything was rewritten, and what the program decides in addresses.
    ///
    /// # Errors
    /// What generating its loops comes to.
    pub fn new(scop: &Scop, choices: &Choices, target: &Target) -> poly::Result<Original> {
        Original::beside(scop, scop, choices, target)
    }

    /// The same, to be compared with programs for a rewritten SCoP.
    ///
    /// # Errors
    /// What generating its loops comes to.
    pub fn beside(
        scop: &Scop,
        rewritten: &Scop,
        choices: &Choices,
        target: &Target,
    ) -> poly::Result<Original> {
        let nearby = Nearby::of_rewritten(&with_assumptions(scop, rewritten)?, rewritten)?;
        // Its conditions are where they are.
        let options = AstOptions {
            separation: Separation::Never,
            ..AstOptions::default()
        };
        let mut own = Original {
            scop: scop.clone(),
            body: generate_with(scop, &original(scop)?, &options)?.body,
            choices: choices.clone(),
            its: nearby.with_windows_for(rewritten)?,
            own: nearby,
            sizes: sizes(scop),
            shares: shares(scop),
            typical: vec![],
            times: vec![],
        };
        log::debug!("original:\n{}", own.body);
        own.typical = typical(&own.own, own.sizes)?;
        own.times = times((&own.typical, own.shares), |at| own.time_at(at, target))?;
        Ok(own)
    }

    /// The same region, to be compared with programs for another rewritten SCoP.
    ///
    /// # Errors
    /// What reading the contexts comes to.
    pub fn beside_another(&self, rewritten: &Scop, target: &Target) -> poly::Result<Original> {
        let own = Nearby::of_rewritten(&with_assumptions(&self.scop, rewritten)?, rewritten)?;
        let typical = typical(&own, self.sizes)?;
        let times = match typical == self.typical {
            true => self.times.clone(),
            false => times((&typical, self.shares), |at| self.time_at(at, target))?,
        };
        Ok(Original {
            scop: self.scop.clone(),
            body: self.body.clone(),
            choices: self.choices.clone(),
            its: own.with_windows_for(rewritten)?,
            own,
            sizes: self.sizes,
            shares: self.shares,
            typical,
            times,
        })
    }

    fn judged<'a>(&'a self, (values, holding): (&'a [i64], f64)) -> Judged<'a> {
        Judged {
            scop: &self.scop,
            body: &self.body,
            handed: &[],
            sizes: &[],
            typical: values,
            original: true,
            in_place: false,
            choices: &self.choices,
            holding,
        }
    }

    fn time_at(&self, at: (&[i64], f64), target: &Target) -> poly::Result<Time> {
        model::time(&self.judged(at), target)
    }

    /// Its arithmetic for typical parameters.
    ///
    /// # Errors
    /// What reading the access relations comes to.
    pub fn arithmetic(&self, target: &Target) -> poly::Result<Arithmetic> {
        model::arithmetic(&self.judged((&self.typical[0], 1.0)), target)
    }

    /// Bytes that it moves into each cache, for typical parameters.
    ///
    /// # Errors
    /// What reading the access relations comes to.
    pub fn bytes(&self, target: &Target) -> poly::Result<[f64; 3]> {
        model::bytes(&self.judged((&self.typical[0], 1.0)), target)
    }

    /// Bytes that a program for a schedule moves into each cache, for the same.
    ///
    /// # Errors
    /// What reading the access relations comes to.
    pub fn bytes_of(
        &self,
        (scop, body, schedule): (&Scop, &Ast, &Schedule),
        target: &Target,
    ) -> poly::Result<[f64; 3]> {
        let (program, values) = (New::of(scop, body, schedule), self.its.near(self.sizes[0])?);
        model::bytes(&program.judged((&values, 1.0)), target)
    }

    /// Bytes of the temporary arrays that a program for a schedule has in memory, for the same.
    ///
    /// # Errors
    /// What reading the access relations comes to.
    pub fn memory_of(&self, (scop, body, schedule): (&Scop, &Ast, &Schedule)) -> poly::Result<f64> {
        let (program, values) = (New::of(scop, body, schedule), self.its.near(self.sizes[0])?);
        model::memory(&program.judged((&values, 1.0)))
    }

    /// Whether it chooses between subscripts or divides for them in its innermost loops, which no candidate does.
    pub fn decides(&self) -> bool {
        !self.choices.is_empty()
    }

    /// Whether its branches on counters are what a program with these times does without: that takes clearly less on one thread, for all sizes.
    pub fn loses_by_branches(&self, new: &[Time]) -> bool {
        self.choices.guards_by_counters() && self.takes_longer(new, UNBRANCHED)
    }

    /// Whether LLVM makes lanes of the loops of a program with these times, and none of its own: on one thread that takes a part of its time for
    /// a size, whether conditions hold or not (where memory is what both wait for, there is no difference), and for none it takes longer.
    pub fn loses_by_lanes(&self, new: &[Time]) -> bool {
        let each = self.shares.len();
        let mut sizes = new.chunks(each).zip(self.times.chunks(each));
        let less = |(n, o): (&Time, &Time)| n.one <= IN_LANES * o.one;
        self.takes_longer(new, 1.0) && sizes.any(|(new, old)| new.iter().zip(old).all(less))
    }

    /// How many times less work is enough for a program with these times that clearly gains on one thread, at small sizes as well: there is a
    /// little to decide in front of it where these are not known. How LLVM treats copies that were rolled up is not known so well: these are worth it
    /// where the original takes most of a microsecond.
    ///
    /// # Errors
    /// What reading the access relations comes to.
    pub fn spares(
        &self,
        (new, rolled): (&[Time], bool),
        (scop, body, schedule): (&Scop, &Ast, &Schedule),
        target: &Target,
    ) -> poly::Result<i64> {
        let known = scop.params.iter().all(Param::is_known);
        let clear = if known { IN_SMALL } else { CLEAR };
        if !self.takes_longer(new, clear) || rolled && self.time().one < ROLLED {
            return Ok(1);
        }
        if known {
            return Ok(SURE);
        }
        let program = New::of(scop, body, schedule);
        for size in &STEPS[..SMALL] {
            if self.share(&program, *size, target)? > IN_SMALL {
                return Ok(1);
            }
        }
        Ok(SURE / 2)
    }

    /// The share of its time on one thread that a program takes, where sizes are near one.
    fn share(&self, program: &New, size: i64, target: &Target) -> poly::Result<f64> {
        let new = program.time_at((&self.its.near(size)?, 1.0), target)?;
        let old = self.time_at((&self.own.near(size)?, 1.0), target)?;
        Ok(new.one / old.one)
    }

    /// Whether on one thread a program takes no more than this share of its time, for all sizes.
    fn takes_longer(&self, new: &[Time], share: f64) -> bool {
        let mut both = new.iter().zip(&self.times);
        both.all(|(n, o)| n.one <= share * o.one)
    }

    /// Whether it calls a function in more loops than a rewritten SCoP does.
    pub fn calls_more(&self, rewritten: &Scop) -> bool {
        let (mut own, new) = (calls(&self.scop).into_iter(), calls(rewritten));
        own.any(|(call, depth)| new.get(&call).is_none_or(|d| *d < depth))
    }

    /// The values of parameters that times are compared for first.
    pub fn typical(&self) -> &[i64] {
        &self.typical[0]
    }

    /// How long it takes, by size.
    pub fn times(&self) -> &[Time] {
        &self.times
    }

    /// How long it takes for typical parameters.
    pub fn time(&self) -> Time {
        self.times[0]
    }

    /// The times of a program for a schedule of the rewritten SCoP, by size.
    ///
    /// # Errors
    /// What reading the access relations comes to.
    pub fn estimated(
        &self,
        scop: &Scop,
        body: &Ast,
        schedule: &Schedule,
        target: &Target,
    ) -> poly::Result<Vec<Time>> {
        let program = New::of(scop, body, schedule);
        let typical = typical(&self.its, self.sizes)?;
        times((&typical, self.shares), |at| program.time_at(at, target))
    }

    /// The parameters from which on a program is faster; `None`: from few iterations on, or it has no register tiles: what these leave at the rims of
    /// blocks runs as scalars, one sum after the other, which is most of a small factorization. (Elsewhere estimates of a few
    /// iterations say less than that the program gains at typical sizes.)
    ///
    /// # Errors
    /// What reading the access relations comes to.
    pub fn first_gain(
        &self,
        (scop, body, schedule): (&Scop, &Ast, &Schedule),
        target: &Target,
    ) -> poly::Result<Option<Vec<i64>>> {
        if scop.params.iter().all(Param::is_known) || !body.has_register_tile() {
            return Ok(None);
        }
        let program = New::of(scop, body, schedule);
        let gains = |size: i64| Ok::<_, poly::Error>(self.share(&program, size, target)? <= 1.0);
        if gains(STEPS[0])? {
            return Ok(None);
        }
        let (mut none, mut some) = (0, STEPS.len() - 1);
        while none + 1 < some {
            let middle = (none + some) / 2;
            match gains(STEPS[middle])? {
                true => some = middle,
                false => none = middle,
            }
        }
        self.its.near(STEPS[some]).map(Some)
    }

    /// The parameters from which on a program gains on one thread, where it does for large sizes alone: what it saves are ways to memory. `None`: for
    /// all sizes, or for none. `new`: its times ([`Original::estimated`]).
    ///
    /// # Errors
    /// What reading the access relations comes to.
    pub fn alone_from(
        &self,
        (scop, body, schedule): (&Scop, &Ast, &Schedule),
        new: &[Time],
        target: &Target,
    ) -> poly::Result<Option<Vec<i64>>> {
        if scop.params.iter().all(Param::is_known) || body.has_register_tile() {
            return Ok(None);
        }
        let each = self.shares.len();
        let shares = new.iter().zip(&self.times).map(|(n, o)| n.one / o.one);
        let shares: Vec<f64> = shares.collect();
        let worst = shares
            .chunks(each)
            .map(|at| at.iter().copied().fold(0.0, f64::max));
        let mut by_size: Vec<(i64, f64)> = self.sizes.iter().copied().zip(worst).collect();
        by_size.sort_by_key(|(size, _)| *size);
        let Some(last) = by_size.iter().rposition(|(_, share)| *share > ALONE) else {
            return Ok(None);
        };
        let beyond = by_size.get(last + 1..).unwrap_or_default();
        let (Some((first, _)), true) = (beyond.first(), beyond.iter().any(|(_, s)| *s < GAIN))
        else {
            return Ok(None);
        };
        let program = New::of(scop, body, schedule);
        let (mut none, mut some) = (by_size[last].0, *first);
        for _ in 0..HALVINGS {
            let middle = (none as f64 * some as f64).sqrt() as i64;
            match self.share(&program, middle, target)? <= ALONE {
                true => some = middle,
                false => none = middle,
            }
        }
        self.its.near(some).map(Some)
    }

    /// Whether on one thread a program with these times gains where arrays that may be one are, for all sizes: LLVM makes vectors of the
    /// original's loops and finds out each time that they may not run.
    ///
    /// # Errors
    /// What reading the access relations comes to.
    pub fn gains_in_place(&self, new: &[Time], target: &Target) -> poly::Result<bool> {
        let in_place = |at: (&[i64], f64)| {
            let judged = Judged {
                in_place: true,
                ..self.judged(at)
            };
            model::time(&judged, target)
        };
        let old = times((&self.typical, self.shares), in_place)?;
        let mut both = new.iter().zip(&old);
        Ok(both.all(|(n, o)| n.one <= GAIN * o.one))
    }

    /// Sizes that alone decide whether a program with register tiles gains, however large all others are, and from which value on it does: of many
    /// products of 3 x 3 matrices each fills a corner of a tile, and together they are work enough. What loses a little is left: estimates of a few
    /// iterations are rough.
    ///
    /// # Errors
    /// What reading the access relations comes to.
    pub fn least(
        &self,
        (scop, body, schedule): (&Scop, &Ast, &Schedule),
        target: &Target,
    ) -> poly::Result<Vec<(ParamId, i64)>> {
        let open: Vec<usize> = (0..scop.params.len())
            .filter(|p| !scop.params[*p].is_known())
            .collect();
        if !body.has_register_tile() || !(2..=MAX_OPEN).contains(&open.len()) {
            return Ok(vec![]);
        }
        let program = New::of(scop, body, schedule);
        let mut found = vec![];
        for p in open {
            let loses = |size: i64| -> poly::Result<bool> {
                let one = |q, _| if q == p { size } else { self.sizes[0] };
                let (new, old) = (self.its.each(&one)?, self.own.each(&one)?);
                if new.get(p) != Some(&size) || old.get(p) != Some(&size) {
                    return Ok(false);
                }
                let new = program.time_at((&new, 1.0), target)?;
                Ok(new.one > CORNER * self.time_at((&old, 1.0), target)?.one)
            };
            let mut last = None;
            for size in CORNERS {
                if !loses(size)? {
                    break;
                }
                last = Some(size);
            }
            found.extend(last.map(|size| (ParamId::from(p), size + 1)));
        }
        Ok(found)
    }

    /// How much of this work a program with these times does in a microsecond on one thread; `None`: the sizes do not tell.
    ///
    /// # Errors
    /// What reading the context comes to.
    pub fn pace(&self, work: &Expr, new: &[Time]) -> poly::Result<Option<i64>> {
        let values = self.its.near(self.sizes[0])?;
        let work = expr::at(work, &values).filter(|w| *w > 0);
        Ok(work.zip(new.first()).map(|(work, new)| {
            let micros = (new.one / CYCLES_PER_US).max(f64::MIN_POSITIVE);
            ((work as f64 / micros) as i64).clamp(work::PACE / STRAY, work::PACE * STRAY)
        }))
    }

    /// Whether a program with these times might be slower where it is taken for faster, or faster where it is taken for slower:
    /// its share of the original's time lies near 1 for all sizes.
    pub fn is_unsure(&self, new: &[Time]) -> bool {
        let both = || new.iter().zip(&self.times);
        let one = both().map(|(n, o)| n.one / o.one.max(1.0));
        let worst = one.fold(0.0, f64::max);
        match self.compared(new, false) {
            Compared::Faster | Compared::Never => UNSURE.contains(&worst),
            Compared::ByThreads => {
                let two = both().map(|(n, o)| n.two / o.one.max(1.0));
                UNSURE.contains(&two.fold(0.0, f64::max))
            }
        }
    }

    /// Whether a program with these times takes half of the original's time at most on one thread, for all sizes.
    pub fn is_far_behind(&self, new: &[Time]) -> bool {
        let mut both = new.iter().zip(&self.times);
        both.all(|(n, o)| n.one <= CLEAR * o.one)
    }

    /// Whether a program with these times gains little on one thread, if anything, for some size.
    pub fn is_little_behind(&self, new: &[Time]) -> bool {
        !self.takes_longer(new, LITTLE)
    }

    /// A program with these times ([`Original::estimated`]) beside it; `from_size`: it will run from that size on from which it is faster
    /// ([`Original::first_gain`]).
    pub fn compared(&self, new: &[Time], from_size: bool) -> Compared {
        self.compared_with(&self.times, new, from_size)
    }

    /// The same, if LLVM makes vectors where it may know when checks of indices fail, as it does of some such loops.
    ///
    /// # Errors
    /// What reading the access relations comes to.
    pub fn compared_with_vectors(
        &self,
        new: &[Time],
        from_size: bool,
        target: &Target,
    ) -> poly::Result<Compared> {
        let Some(choices) = self.choices.but_for_counted() else {
            return Ok(self.compared(new, from_size));
        };
        let own = times((&self.typical, self.shares), |at| {
            let judged = Judged {
                choices: &choices,
                ..self.judged(at)
            };
            model::time(&judged, target)
        })?;
        Ok(self.compared_with(&own, new, from_size))
    }

    fn compared_with(&self, own: &[Time], new: &[Time], from_size: bool) -> Compared {
        let of = |cycles: fn(&Time) -> f64| -> Vec<f64> {
            let both = new.iter().zip(own);
            both.map(|(n, o)| cycles(n) / o.one.max(1.0)).collect()
        };
        let most = |shares: &[f64]| shares.iter().copied().reduce(f64::max);
        // It gains at some size, and nowhere does it lose.
        let gains = |shares: &[f64]| {
            let least = shares.iter().copied().reduce(f64::min);
            least < Some(GAIN) && most(shares) <= Some(LOSS)
        };
        let one = of(|t| t.one);
        let small = self.sizes.iter().min();
        let each = self.shares.len();
        let sized = self.sizes.iter().flat_map(|s| vec![s; each]).zip(&one);
        let large: Vec<f64> = sized
            .filter(|(s, _)| Some(*s) != small)
            .map(|(_, o)| *o)
            .collect();
        let clearly = most(&large).is_some_and(|m| m <= CLEAR);
        // Where conditions hold or do not: it gains for the former, and does not lose for the latter.
        let two = of(|t| t.two);
        let by_threads = two
            .chunks(each)
            .any(|at| at[0] < THREADS_GAIN && at[1..].iter().all(|share| *share <= LOSS));
        // Below some work nothing runs in parallel, and the original runs: no loss there. (What is moved is taken for shared by threads in any
        // case.)
        let runs = |t: &Time| t.one >= PARALLEL && t.two < THREADS_GAIN * t.one;
        let loses = |(new, share): (&Time, &f64)| runs(new) && *share > THREADS_LOSS;
        let by_threads = by_threads && !new.iter().zip(&two).any(loses);
        match () {
            () if gains(&one) || from_size && clearly => Compared::Faster,
            () if by_threads => Compared::ByThreads,
            () => Compared::Never,
        }
    }
}

/// The loops around each call of a function.
fn calls(scop: &Scop) -> BTreeMap<ValueId, usize> {
    let mut found = BTreeMap::new();
    for s in &scop.stmts {
        for node in &s.body.nodes {
            if let NodeKind::Op { inst, op, .. } = &node.kind
                && op.is_function()
            {
                let depth = found.entry(*inst).or_insert(0);
                *depth = s.depth().max(*depth);
            }
        }
    }
    found
}

/// Values of parameters, by size.
fn typical(nearby: &Nearby, sizes: &[i64]) -> poly::Result<Vec<Vec<i64>>> {
    sizes.iter().map(|size| nearby.near(*size)).collect()
}

/// The times for some values of the parameters, each with these shares of conditions that hold. Values that come again, as those of a program
/// whose sizes are all known, take the same time.
fn times(
    (typical, shares): (&[Vec<i64>], &[f64]),
    time: impl Fn((&[i64], f64)) -> poly::Result<Time>,
) -> poly::Result<Vec<Time>> {
    let mut times: Vec<Time> = vec![];
    for (n, values) in typical.iter().enumerate() {
        let known = typical[..n].iter().position(|v| v == values);
        for (s, share) in shares.iter().enumerate() {
            times.push(match known {
                Some(known) => times[known * shares.len() + s],
                None => time((values, *share))?,
            });
        }
    }
    Ok(times)
}

/// Shares of conditions that hold: nearly all, and where loops or stores stand behind conditions on data hardly any as well.
fn shares(scop: &Scop) -> &'static [f64] {
    let may_write =
        |s: &Stmt| !conditions(s).is_empty() && s.writes().iter().all(|w| w.place != Place::Scalar);
    match scop
        .stmts
        .iter()
        .any(|s| may_write(s) || is_guarded(scop, s))
    {
        true => &[1.0, 0.01],
        false => &[1.0],
    }
}

/// A SCoP with what a rewritten one assumes beside it of its parameters: that a loop does not leave its field of an array, for one.
fn with_assumptions(scop: &Scop, rewritten: &Scop) -> poly::Result<Scop> {
    let mut judged = scop.clone();
    let own = scop.params.len();
    let (first, added) = rewritten.params.split_at(own.min(rewritten.params.len()));
    let constants: Option<Vec<i64>> = (added.iter())
        .map(|p| p.expr.as_constant().and_then(|c| i64::try_from(c).ok()))
        .collect();
    let Some(constants) = constants.filter(|_| *first == scop.params[..]) else {
        return Ok(judged);
    };
    for a in rewritten.assumptions.iter().skip(scop.assumptions.len()) {
        let mut set = a.set.align_params(&rewritten.context.space()?)?;
        for (n, c) in constants.iter().enumerate() {
            set = set.fix_si(DimType::Param, own + n, *c)?;
        }
        let set = set.project_out(DimType::Param, own, constants.len())?;
        judged.assumptions.push(Assumption { set, why: a.why });
    }
    Ok(judged)
}

/// A program that may take the original's place.
struct New<'a> {
    scop: &'a Scop,
    body: &'a Ast,
    handed: Vec<ArrayId>,
    /// Of its tiles.
    sizes: Vec<i64>,
    /// It decides nothing in addresses.
    choices: Choices,
}

impl New<'_> {
    fn of<'a>(scop: &'a Scop, body: &'a Ast, schedule: &Schedule) -> New<'a> {
        New {
            scop,
            body,
            handed: handed_on(scop, body),
            sizes: schedule.sizes.iter().map(|s| s.default).collect(),
            choices: Choices::default(),
        }
    }

    fn judged<'a>(&'a self, (values, holding): (&'a [i64], f64)) -> Judged<'a> {
        Judged {
            scop: self.scop,
            body: self.body,
            handed: &self.handed,
            sizes: &self.sizes,
            typical: values,
            original: false,
            in_place: false,
            choices: &self.choices,
            holding,
        }
    }

    fn time_at(&self, at: (&[i64], f64), target: &Target) -> poly::Result<Time> {
        model::time(&self.judged(at), target)
    }
}

/// The same where elements are gathered along one loop: lists are long, and shorter ones stay as they were.
const LISTS: &[i64] = &[1000, 120, 100_000, 4_000_000];

/// The sizes that a SCoP is looked at for.
fn sizes(scop: &Scop) -> &'static [i64] {
    let list = |s: &Stmt| s.depth() <= 1 && s.body.gathers();
    if scop.stmts.iter().any(list) {
        return LISTS;
    }
    let dims = scop.arrays.iter().map(|a| a.strides.len()).max();
    SIZES[dims.unwrap_or(1).clamp(1, SIZES.len()) - 1]
}

/// A candidate as it is reported.
#[derive(Clone, Debug)]
pub struct Report {
    /// Its name.
    pub name: String,
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
        let values = scop.params.iter().zip(&self.original.typical[0]);
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
