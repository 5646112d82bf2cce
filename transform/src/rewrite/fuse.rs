//! Fusion: a loop and the one that follows it share their iterations.
//!
//! ```text
//! fuse [0]                for i: A(i); for i: B(i)        for i { A(i); B(i) }
//! ```
//!
//! Children of the second loop come behind those of the first (Cohen, Girbal, Temam 2004, Fig. 11). Only the outermost loop
//! is fused: fuse the loops inside with a second step at `[0,0]`. The two loops need not have the same bounds: where only
//! one has iterations, only its statements run. The inverse is [fission](super::fission).

use super::fission::Fission;
use super::surgery::{Placed, around, children, edit_two, instances, joined, listed, nest};
use super::{Address, Applied, State, Step, Structure};
use polytile_analysis::tree::{Branch, LoopKind};
use std::fmt;

/// Fuses a loop with the next one.
#[derive(Clone, Debug)]
pub struct Fuse(pub Address);

impl Step for Fuse {
    fn apply<'a>(&self, state: &State<'a>) -> Applied<State<'a>> {
        edit_two(state, &self.0, &fused)
    }

    fn inverse(&self, before: &State) -> Option<Vec<Box<dyn Step>>> {
        let (tree, domain) = before.find(&self.0).ok()?;
        let (_, child) = nest(&tree, 1, &self.0).ok()?;
        let back = Fission {
            at: self.0.clone(),
            children: children(&child, &domain).ok()?.len(),
        };
        Some(vec![Box::new(back)])
    }
}

fn fused((a, at_a): Placed, (b, at_b): Placed) -> Applied<Branch> {
    let (mut loops, child_a) = nest(&a.child, 1, at_a)?;
    let (others, child_b) = nest(&b.child, 1, at_b)?;
    if loops[0].tile.is_some() || others[0].tile.is_some() {
        return Err(Structure::Decided(format!("{at_a} or {at_b} is a loop over tiles")).into());
    }
    if loops[0].kind != others[0].kind {
        loops[0].kind = LoopKind::Sequential;
    }
    loops[0].row = joined((&loops[0].row, &a.filter), (&others[0].row, &b.filter))?;
    let mut inside = children(&child_a, &a.filter)?;
    inside.extend(children(&child_b, &b.filter)?);
    Ok(Branch {
        filter: instances(&inside)?,
        child: around(&loops, listed(inside))?,
    })
}

impl fmt::Display for Fuse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "fuse {}", self.0)
    }
}
