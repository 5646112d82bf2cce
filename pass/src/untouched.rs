//! Functions that stay as they are without a try: what is said and counted of them.

use crate::analyses::{Analyses, Loop};
use crate::extract::graph::{Graph, Mark, Marks};
use crate::ffi::{self, RawModule};
use crate::llvm::Value;
use crate::missed::missed;
use crate::options::Options;
use crate::reason::{Kind, Reason};
use crate::remarks::Remark;
use crate::stats::{Stats, Tally};
use std::collections::BTreeSet;

/// What came of a function.
#[derive(Default)]
pub struct Worked {
    /// Whether it is another one now.
    pub changed: bool,
    /// What to say.
    pub remarks: Vec<Remark>,
    /// What the user asked for in vain.
    pub error: Option<String>,
    /// What was counted.
    pub stats: Stats,
}

/// A function that needs no working copy to see that nothing can be done.
///
/// # Safety
/// The module is alive, and the function belongs to it.
pub unsafe fn hopeless(module: *mut RawModule, f: Value, options: &Options) -> Worked {
    unsafe { untouched(module, f, options, |_| Marks::default()) }
}

/// A function that nothing may be done to.
///
/// # Safety
/// The module is alive, and the function belongs to it.
pub unsafe fn left_alone(module: *mut RawModule, f: Value, why: &str, options: &Options) -> Worked {
    let marks = |an: &Analyses| {
        let mark = |l: Loop| {
            let outermost = std::iter::successors(Some(l), |l| l.parent()).last();
            let mark = Mark {
                reason: Reason::new(Kind::Function, why),
                at: None,
                inner_may: false,
            };
            (outermost.unwrap_or(l).header(), mark)
        };
        let loops = f.blocks().into_iter().filter_map(|b| an.loop_of(b));
        Marks {
            loops: loops.map(mark).collect(),
            ..Marks::default()
        }
    };
    unsafe { untouched(module, f, options, marks) }
}

/// What is said and counted of a function that stays as it is.
unsafe fn untouched(
    module: *mut RawModule,
    f: Value,
    options: &Options,
    marks: impl FnOnce(&Analyses) -> Marks,
) -> Worked {
    if options.stats.is_none() && unsafe { !ffi::pt_remarks_wanted(module, f.0) } {
        return Worked::default();
    }
    let an = unsafe { Analyses::new(module, f) };
    let left = missed(&Graph::new(&an, f, &marks(&an)), &BTreeSet::new());
    let mut tally = match options.stats {
        Some(_) => Tally::of(&an, f),
        None => Tally::default(),
    };
    tally.missed(&left);
    Worked {
        remarks: left.into_iter().map(|m| m.remark).collect(),
        stats: tally.finish(),
        ..Worked::default()
    }
}
