//! The order in which the scalars of a loop's PHIs take their next values.
//!
//! All header PHIs change at once; statements come one after the other. What reads another PHI's old value is updated
//! before that one:
//!
//! ```text
//! y2 = phi(.., y1); y1 = phi(.., f(y1, x)); x = phi(.., a[i])      y2 := y1;  y1 := f(y1, x);  x := a[i]
//! ```
//!
//! Values that rotate have no such order. Then one of the next values is put aside first (the sequentialization of a
//! parallel copy, as when a compiler leaves SSA form):
//!
//! ```text
//! x = phi(.., y); y = phi(.., x)                                   t := y;  y := x;  x := t
//! ```

use super::model::Model;
use crate::ids::{LoopId, ValueId};
use crate::region::{BlockIn, InstKind};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// When a PHI's scalar takes its next value.
#[derive(Clone)]
pub(super) struct Update {
    /// Places before the end of the latch.
    pub order: i64,
    /// Where the next value is put aside, if it is: before all updates.
    pub early: Option<i64>,
}

/// The orders of the loops that were asked for: each depends on all PHIs of its loop.
#[derive(Default)]
pub(super) struct Rotations(RefCell<BTreeMap<LoopId, BTreeMap<ValueId, Update>>>);

impl Rotations {
    /// When PHI `v` of loop `l` takes its next value.
    pub fn update(&self, model: &Model, l: LoopId, v: ValueId) -> Update {
        let mut known = self.0.borrow_mut();
        let updates = known.entry(l).or_insert_with(|| updates(model, l));
        updates[&v].clone()
    }
}

/// When the PHIs of a loop take their next values.
fn updates(model: &Model, l: LoopId) -> BTreeMap<ValueId, Update> {
    let header = model.region.block(model.region.loop_(l).header);
    let phis = header.insts.iter();
    let phis = phis.filter(|i| matches!(i.kind, InstKind::Phi(_)));
    let phis: Vec<ValueId> = phis.map(|i| i.id).collect();
    let places: BTreeMap<ValueId, usize> = phis.iter().copied().zip(0..).collect();
    let mut reads: Vec<Vec<usize>> = phis
        .iter()
        .enumerate()
        .map(|(p, id)| {
            let mut list = read_by_update(model, l, *id, &places);
            list.retain(|q| *q != p);
            list
        })
        .collect();
    let mut early = BTreeSet::new();
    let height = loop {
        match heights(&reads) {
            Ok(height) => break height,
            Err(rotating) => {
                // What reads most of the others blocks most of them.
                let most = rotating.into_iter().max_by_key(|p| reads[*p].len());
                let p = most.expect("a cycle has members");
                reads[p].clear();
                early.insert(p);
            }
        }
    };
    let count = phis.len() as i64;
    let update = |(id, at): (ValueId, usize)| {
        let place = |height: i64| height * count + at as i64;
        let update = Update {
            order: place(height[at]),
            early: early.contains(&at).then(|| place(count + 1)),
        };
        (id, update)
    };
    places.into_iter().map(update).collect()
}

/// The greatest number of PHIs that read one another, up to each; or the PHIs from which a cycle is reached.
fn heights(reads: &[Vec<usize>]) -> Result<Vec<i64>, Vec<usize>> {
    let mut height = vec![0i64; reads.len()];
    let mut changed = vec![];
    for _ in 0..=reads.len() {
        changed.clear();
        for (p, list) in reads.iter().enumerate() {
            let above = list.iter().map(|&q| height[q] + 1).max().unwrap_or(0);
            if above > height[p] {
                height[p] = above;
                changed.push(p);
            }
        }
        if changed.is_empty() {
            return Ok(height);
        }
    }
    Err(changed)
}

/// The PHIs of a loop that the next value of one of them is computed from.
fn read_by_update(
    model: &Model,
    l: LoopId,
    v: ValueId,
    phis: &BTreeMap<ValueId, usize>,
) -> Vec<usize> {
    let latch = BlockIn::Block(model.region.loop_(l).latch);
    let kind = |v: ValueId| {
        let &(b, i) = model.defs.get(&v)?;
        Some(&model.region.block(b).insts[i].kind)
    };
    let mut found = vec![];
    let mut seen = BTreeSet::new();
    let mut pending: Vec<ValueId> = match kind(v) {
        Some(InstKind::Phi(incoming)) => {
            let next = incoming.iter().filter(|(b, _)| *b == latch);
            next.map(|(_, x)| *x).collect()
        }
        _ => vec![],
    };
    while let Some(x) = pending.pop() {
        if let Some(p) = phis.get(&x) {
            found.push(*p);
        } else if seen.insert(x) {
            match kind(x) {
                Some(InstKind::Op { operands, .. }) => pending.extend(operands),
                Some(InstKind::Phi(incoming)) if incoming.len() == 1 => pending.push(incoming[0].1),
                // What merges is one of these values where it is used, by data or by the iteration.
                Some(InstKind::Phi(incoming))
                    if model.region.headed(model.defs[&x].0).is_none() =>
                {
                    pending.extend(incoming.iter().map(|(_, x)| *x));
                    if model.gates.is_gated(model.defs[&x].0) {
                        pending.extend(model.gates.bits(model.region, model.defs[&x].0));
                    }
                }
                _ => {}
            }
        }
    }
    found
}
