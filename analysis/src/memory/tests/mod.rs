//! The acceptance list of the paper's cases, point by point.

mod conditions;
mod contraction;
mod gemm;
mod jacobi;
mod pointwise;
mod quota;
mod schedules;
mod table;
mod tree;

use super::samples::{Sample, sample};
use super::tiling::{Order, Tiling};
use super::touched::{Accesses, Touched};
use super::transfers::{Transfers, exact};
use crate::poly::{Ctx, Set, UnionMap};
use crate::scop::Scop;

/// A sample with its tiling.
struct Case {
    ctx: Ctx,
    scop: Scop,
    tiling: Tiling,
}

impl Case {
    fn new(name: &str) -> Case {
        Case::of(&sample(name))
    }

    fn of(sample: &Sample) -> Case {
        let ctx = Ctx::new();
        let scop = sample.scop(&ctx);
        let tiling = sample.tiling(&scop).unwrap();
        Case { ctx, scop, tiling }
    }

    fn touched(&self) -> Touched {
        Touched::of(&self.tiling, &Accesses::of(&self.scop).unwrap()).unwrap()
    }

    fn transfers(&self) -> Transfers {
        exact(&self.tiling, &self.touched(), Order::Anywhere, None).unwrap()
    }

    /// Relations over the parameters and sizes of the case.
    fn relation(&self, text: &str) -> UnionMap {
        UnionMap::parse(&self.ctx, &format!("[{}] -> {{ {text} }}", self.params())).unwrap()
    }

    fn context(&self, text: &str) -> Set {
        Set::parse(&self.ctx, &format!("[{}] -> {{ : {text} }}", self.params())).unwrap()
    }

    fn params(&self) -> String {
        let scop = self.scop.params.iter().map(|p| p.name.as_str());
        let all: Vec<&str> = scop.chain(self.tiling.params()).collect();
        all.join(", ")
    }
}

/// Whether two relations are equal for these parameters.
fn same(found: &UnionMap, expected: &UnionMap, context: &Set) -> bool {
    let inside = |map: &UnionMap| map.intersect_params(context).unwrap();
    inside(found).is_equal(&inside(expected)).unwrap()
}
