//! From a region to a SCoP: [`build`].
//!
//! The phases:
//!
//! 1. versions for arrays without gaps ([`versions`]), checks of indices ([`checks`]), index values that merge paths ([`merges`]), fields of several sizes ([`fields`]), strides in bytes ([`contiguous`]), their quotients ([`exact`]), arrays that share a block of memory ([`carved`]), lower bounds ([`origins`]), where nothing else fits steps that are known at run time ([`unit_steps`]); domains of blocks from path conditions, and the parameter values for which integer arithmetic would wrap ([`model`]);
//! 2. one shape per array from all its accesses ([`polynomial`], [`shape`], [`fits`], [`memory`]);
//! 3. statements: every store, memory set and memory copy, with the operand tree of its value ([`bulk`]: sets and copies); PHIs that are the content
//!    of a cell become reads of it, other values that cross statements become scalars ([`values`], [`trees`], [`phis`], [`holds`], [`pieces`], [`rotation`]);
//! 4. assumptions: loops of degenerate copies are not entered, subscripts stay in their rows, nothing wraps ([`assume`], [`ranges`]).
//!
//! A region that does not fit is declined with the exact reason ([`Reject`]).

mod affine;
mod assemble;
mod assume;
mod bases;
mod between;
mod bulk;
mod carved;
mod cases;
mod chains;
mod checks;
mod choices;
mod contiguous;
mod delicm;
mod exact;
mod fields;
mod fits;
mod gates;
mod holds;
mod linear;
mod memory;
mod merges;
mod model;
mod numbers;
mod origins;
mod phis;
mod pieces;
mod planes;
mod polynomial;
mod products;
mod ranges;
mod reject;
mod rotation;
mod rows;
mod shape;
mod single;
mod sizes;
mod substitute;
mod tables;
mod trees;
mod unit_steps;
mod updates;
mod values;
mod versions;
mod ways_out;
mod widths;

pub use reject::{Reject, RejectKind};

use crate::ids::{ArrayId, ValueId};
use crate::poly::Ctx;
use crate::region::{Region, Ty};
use crate::scop::{Scop, Stmt};
use std::collections::BTreeSet;

/// The SCoP of a region; with steps of one, where it is none as it is.
pub fn build(ctx: &Ctx, region: &Region) -> Result<Scop, Reject> {
    let assumed = unit_steps::assumed(region);
    let Some(steps_of_one) = &assumed.region else {
        return as_it_is(ctx, region);
    };
    if assumed.needed {
        return as_it_is(ctx, steps_of_one).or_else(|_| as_it_is(ctx, region));
    }
    match as_it_is(ctx, region) {
        Err(why) if unit_steps::may_help(&why.kind) => as_it_is(ctx, steps_of_one).map_err(|_| why),
        found => found,
    }
}

/// Of the arrays that must not overlap, those of which one is read in a later statement than the other is written in.
fn read_behind(scop: &Scop) -> BTreeSet<(ArrayId, ArrayId)> {
    let reads = |s: &Stmt, array| s.reads().iter().any(|r| r.array == array);
    let later = |written: ArrayId, read: ArrayId| {
        let writers = scop.stmts.iter().filter(|s| s.writes_to(written));
        let readers = scop.stmts.iter().filter(|s| reads(s, read));
        let (first, last) = (
            writers.map(|s| &s.beta).min(),
            readers.map(|s| &s.beta).max(),
        );
        first.zip(last).is_some_and(|(first, last)| first < last)
    };
    let pairs = scop.no_overlap.iter().flat_map(|&(a, b)| [(a, b), (b, a)]);
    pairs.filter(|(a, b)| later(*a, *b)).collect()
}

fn as_it_is(ctx: &Ctx, region: &Region) -> Result<Scop, Reject> {
    let versions = versions::without_gaps(region);
    let region = versions.as_ref().unwrap_or(region);
    let ordered = checks::ordered(region);
    let region = ordered.as_ref().unwrap_or(region);
    let fields = fields::apart(region);
    let region = fields.as_ref().unwrap_or(region);
    let contiguous = contiguous::assumed(region);
    let region = contiguous
        .as_ref()
        .map_or(region, |assumed| &assumed.region);
    let divided = exact::divided(region);
    let region = divided.as_ref().map_or(region, |(divided, _)| divided);
    let multiples = contiguous::multiples(region);
    let region = multiples.as_ref().map_or(region, |(found, _)| found);
    let carved = carved::apart(region);
    let region = carved.as_ref().map_or(region, |(carved, _)| carved);
    let moved = origins::moved(region);
    let region = moved.as_ref().map_or(region, |(moved, _)| moved);
    // Dependences relate two iterations.
    ctx.weigh(affine::Params::of(region).iter().count() + 2 * region.depth());
    let resolved = merges::resolved(ctx, region)?;
    let region = resolved.as_ref().unwrap_or(region);
    let opaque = gates::without_data(region);
    let region = opaque.as_ref().unwrap_or(region);
    let mut model = model::Model::new(ctx, region)?;
    let exact = divided.iter().chain(&multiples);
    let multiples = exact.map(|(_, multiples)| multiples);
    let multiples = multiples.chain(contiguous.iter().map(|a| &a.multiples));
    for (v, of) in multiples.flatten() {
        model.take_for_multiple(*v, *of)?;
    }
    let mut memory = memory::Memory::new(&mut model)?;
    let kept = delicm::kept(&mut model, &mut memory)?;
    let statements = assemble::statements(&mut model, &memory, kept)?;
    let mut scop = assemble::scop(model, &memory, statements)?;
    if let Some(assumed) = &contiguous {
        assumed.note(&mut scop);
    }
    for (_, origins) in carved.iter().chain(&moved) {
        origins::returned(region, &mut scop, origins);
    }
    if fields.is_some() || carved.is_some() {
        bases::rejoined(&mut scop, region);
    }
    scop.read_behind = read_behind(&scop);
    Ok(scop)
}

/// Bits of an integer value.
fn width_of(region: &Region, v: ValueId) -> u32 {
    match region.value(v).ty {
        Ty::Int(w) => w,
        _ => 64,
    }
}
