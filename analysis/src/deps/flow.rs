//! Value-based flow: which write a read's value comes from.
//!
//! isl's access analysis after Feautrier (1991). Costs 3 to 90 times what memory-based dependences cost; it is for
//! questions about values (contraction, privatization, reuse), not for legality.

use super::order::original_schedule;
use crate::ids::ArrayId;
use crate::poly::{Result, UnionAccessInfo, UnionMap, UnionSet};
use crate::scop::{AccessKind, Scop};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Where values come from.
#[derive(Clone, Debug)]
pub struct ValueFlow {
    /// Pairs (write, read): the read certainly sees what this instance wrote.
    pub certain: UnionMap,
    /// Pairs (write, read): the read may see what this instance wrote; the certain ones are included.
    pub possible: UnionMap,
    /// The same pairs with the element: `write -> [read -> element]`.
    pub elements: UnionMap,
    /// Reads `instance -> element` that may see a value from before the SCoP.
    pub from_outside: UnionMap,
}

/// The value-based flow of a SCoP in the order of `schedule` (a map from instances to times of one length), or in the
/// original order if there is none.
pub fn value_flow(scop: &Scop, schedule: Option<&UnionMap>) -> Result<ValueFlow> {
    value_flow_of(scop, schedule, |_| true)
}

/// The part of it that goes through the wanted arrays.
pub fn value_flow_of(
    scop: &Scop,
    schedule: Option<&UnionMap>,
    wanted: impl Fn(ArrayId) -> bool,
) -> Result<ValueFlow> {
    let accesses = |kind| {
        let all = scop.accesses(|a| a.kind == kind && wanted(a.array))?;
        all.intersect_params(&scop.context)
    };
    let order = match schedule {
        Some(s) => s.clone(),
        None => original_schedule(scop)?,
    };
    let flow = UnionAccessInfo::from_sink(&accesses(AccessKind::Read)?)?
        .set_must_source(&accesses(AccessKind::MustWrite)?)?
        .set_may_source(&accesses(AccessKind::MayWrite)?)?
        .set_schedule_map(&order)?
        .compute_flow()?;
    Ok(ValueFlow {
        certain: flow.must_dependence()?,
        possible: flow.may_dependence()?,
        elements: flow.full_may_dependence()?,
        from_outside: flow.may_no_source()?,
    })
}

/// The instances of the SCoP whose value of one of the wanted arrays a later instance certainly overwrites, in the original
/// order.
pub fn overwritten(scop: &Scop, wanted: impl Fn(ArrayId) -> bool) -> Result<UnionSet> {
    let writes = scop.accesses(|a| a.kind == AccessKind::MustWrite && wanted(a.array))?;
    let writes = writes.intersect_params(&scop.context)?;
    let flow = UnionAccessInfo::from_sink(&writes)?
        .set_must_source(&writes)?
        .set_schedule_map(&original_schedule(scop)?)?
        .compute_flow()?;
    flow.must_dependence()?.domain()
}

/// What was found of the arrays of a SCoP, each by itself and in the original order. Copies share it: plans and checks ask the same
/// for each schedule.
#[derive(Clone, Debug, Default)]
pub(super) struct Flows(Rc<Known>);

#[derive(Debug, Default)]
struct Known {
    values: RefCell<BTreeMap<ArrayId, ValueFlow>>,
    overwritten: RefCell<BTreeMap<ArrayId, UnionSet>>,
}

impl Flows {
    pub(super) fn values(&self, scop: &Scop, array: ArrayId) -> Result<ValueFlow> {
        once(&self.0.values, array, || {
            value_flow_of(&scop.narrowed()?, None, |a| a == array)
        })
    }

    pub(super) fn overwritten(&self, scop: &Scop, array: ArrayId) -> Result<UnionSet> {
        once(&self.0.overwritten, array, || {
            overwritten(scop, |a| a == array)
        })
    }
}

fn once<T: Clone>(
    known: &RefCell<BTreeMap<ArrayId, T>>,
    array: ArrayId,
    find: impl FnOnce() -> Result<T>,
) -> Result<T> {
    if let Some(found) = known.borrow().get(&array) {
        return Ok(found.clone());
    }
    let found = find()?;
    known.borrow_mut().insert(array, found.clone());
    Ok(found)
}
