//! Steps that are known at run time, taken for one.
//!
//! ```text
//! for y: for x: for ky: for kx: { iy = y*step - pad + ky;  ix = x*step - pad + kx;  if (0 <= ix && ix < w && ..)  .. in[iy*w + ix] .. }
//! ```
//!
//! A window that goes on by a number of elements which is a variable has subscripts and conditions that are products of a counter and a value. Nothing of
//! that is affine, and most such windows go on by one. Where the region does not fit as it is, this is assumed, and the version check compares;
//! the original runs with other steps.
//!
//! A value is such a step if an address has it as a factor of a counter, beside that of an inner loop that moves by the same rows without it, and no loop
//! runs so often. With one such pair it may be the length of a row, too (`i*n + j`): a condition or a count of iterations has to have it as a factor of a counter as well
//! (checks of indices have all lengths of rows as such), and then nothing fits as it is. With two pairs, `(y*step + ky)*w + x*step + kx`, it is none; without conditions that often fits, as strides that do not divide
//! each other are dimensions of their own where elements are only read.

use super::model::each_in_choices;
use super::products::{Atom, Terms, is_invariant, terms};
use super::reject::RejectKind;
use super::substitute::replace;
use super::widths::affine_everywhere;
use crate::ids::{LoopId, ValueId};
use crate::region::{CmpPred, Cond, Inst, InstKind, Region};
use crate::scev::{Scev, ScevKind};
use std::collections::{BTreeMap, BTreeSet};

/// More steps than this are not assumed: one for each direction, and what a window is spread by.
const MOST: usize = 6;

/// The region with steps of one.
pub(super) struct Assumed {
    /// The region, where it has steps that are known at run time only.
    pub region: Option<Region>,
    /// Nothing of the region fits without.
    pub needed: bool,
}

/// What is assumed of a region.
pub(super) fn assumed(region: &Region) -> Assumed {
    let mut decide = BTreeSet::new();
    each_in_choices(region, &mut |s| factors(region, s, &mut decide));
    let (mut steps, mut needed) = (BTreeSet::new(), false);
    for window in offsets(region).iter().flat_map(windows) {
        let decides = decide.contains(&window.step);
        if (decides || window.rows > 1) && !is_size(region, window.step) {
            needed |= decides;
            steps.insert(window.step);
        }
    }
    let few = !steps.is_empty() && steps.len() <= MOST;
    Assumed {
        region: few.then(|| with_ones(region, &steps)),
        needed,
    }
}

/// Whether a value says how often loops run: what it is divided by does not.
fn is_size(region: &Region, v: ValueId) -> bool {
    fn says(s: &Scev, v: ValueId) -> bool {
        match &s.kind {
            ScevKind::Unknown(other) => *other == v,
            ScevKind::UDiv(a, _) => says(a, v),
            _ => s.operands().into_iter().any(|part| says(part, v)),
        }
    }
    region.loops.iter().any(|l| says(&l.backedge_count, v))
}

/// The offsets of all accesses, multiplied out.
fn offsets(region: &Region) -> Vec<Terms> {
    let insts = region.blocks.iter().flat_map(|b| &b.insts);
    let offset = |i: &Inst| match &i.kind {
        InstKind::Load { addr, .. } | InstKind::Store { addr, .. } => {
            terms(region, &affine_everywhere(addr).offset)
        }
        _ => None,
    };
    insts.filter_map(offset).collect()
}

fn with_ones(region: &Region, steps: &BTreeSet<ValueId>) -> Region {
    let mut found = region.clone();
    let one = |v: ValueId| Scev::constant(super::width_of(region, v), 1);
    for v in steps {
        replace(&mut found, *v, &one(*v));
    }
    found.required.extend(steps.iter().map(|v| Cond::Cmp {
        pred: CmpPred::Eq,
        lhs: Scev::unknown(super::width_of(region, *v), *v),
        rhs: one(*v),
    }));
    found
}

/// Whether steps of one may be what a region needs that does not fit as it is.
pub(super) fn may_help(why: &RejectKind) -> bool {
    matches!(
        why,
        RejectKind::Subscript(_) | RejectKind::Cases | RejectKind::Assumptions
    )
}

/// Values that counters are multiplied with in an evolution.
fn factors(region: &Region, s: &Scev, found: &mut BTreeSet<ValueId>) {
    if let ScevKind::AddRec { operands, .. } = &s.kind {
        let steps = operands.iter().skip(1).flat_map(Scev::values);
        found.extend(steps.filter(|v| is_invariant(region, *v)));
    }
    for part in s.operands() {
        factors(region, part, found);
    }
}

/// A window that goes on by a step.
struct Window {
    step: ValueId,
    /// Its dimensions.
    rows: usize,
}

/// What may be windows in an offset: a value is a factor of counters, beside counters of inner loops that move by the same rows without it.
fn windows(all: &Terms) -> Vec<Window> {
    let rows: BTreeMap<Vec<Atom>, LoopId> = all.keys().filter_map(|atoms| row(atoms)).collect();
    let values: BTreeSet<&Atom> = rows.keys().flatten().collect();
    let window = |v: &Atom| {
        let Atom::Value(step) = v else { return None };
        let pairs = rows.iter().filter(|(row, _)| !row.contains(v));
        let pairs = pairs.filter_map(|(row, inner)| {
            let mut with = [&row[..], std::slice::from_ref(v)].concat();
            with.sort();
            Some((*rows.get(&with)?, *inner))
        });
        let (outer, places): (Vec<LoopId>, Vec<LoopId>) = pairs.unzip();
        (outer.iter().max()? < places.iter().min()?).then_some(Window {
            step: *step,
            rows: places.len(),
        })
    };
    values.into_iter().filter_map(window).collect()
}

/// The values of a term that are factors of one counter, and its loop.
fn row(atoms: &[Atom]) -> Option<(Vec<Atom>, LoopId)> {
    let (mut values, mut counter) = (vec![], None);
    for atom in atoms {
        match atom {
            Atom::Value(_) => values.push(atom.clone()),
            Atom::Loop(l) if counter.is_none() => counter = Some(*l),
            _ => return None,
        }
    }
    Some((values, counter?))
}
