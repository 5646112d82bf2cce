//! Pictures of an order of execution: the iterations of a statement in two dimensions, in the order in which they first run, for sizes
//! that a page has room for.

use super::machine::{Effect, Machine};
use super::{Fault, Order, Setting};
use crate::cost::near;
use polytile_analysis::ast::Ast;
use polytile_analysis::ids::StmtId;
use polytile_analysis::scop::Scop;
use polytile_analysis::tree::SizeParam;
use std::collections::{BTreeMap, BTreeSet};

/// Iterations of a loop whose number is a parameter.
const EXTENT: i64 = 14;

/// A parameter beyond this would be no picture any more; it is taken for [`EXTENT`].
const LARGE: i64 = 24;

/// Iterations of a tile whose size is a value at run time.
const TILE: i64 = 4;

/// A picture has no more cells.
const CELLS: usize = 800;

/// A program that runs more instances, as with loops of a constant number of iterations, is not run to its end.
const INSTANCES: usize = 200_000;

/// The iterations of a statement in its two outermost loops.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Picture {
    /// The statement.
    pub stmt: StmtId,
    /// Values of the two outermost iterators, each pair once, in the order in which they first run.
    pub cells: Vec<[i64; 2]>,
}

/// Pictures of a program, and the values of parameters and tile sizes that they were made for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pictures {
    /// Of [`Scop::params`].
    pub params: Vec<i64>,
    /// Of the symbolic tile sizes.
    pub sizes: Vec<i64>,
    /// One for each statement in two loops or more that is not too large.
    pub pictures: Vec<Picture>,
}

/// Runs a program for small sizes.
///
/// # Errors
/// It cannot be run for these.
pub fn pictures(scop: &Scop, body: &Ast, sizes: &[SizeParam]) -> Result<Pictures, Fault> {
    let small = |v: i64| if v.abs() > LARGE { EXTENT } else { v };
    let params: Vec<i64> = near(scop, EXTENT)?.into_iter().map(small).collect();
    let of_tile = |s: &SizeParam| {
        let multiple = s.multiple_of.max(1);
        (TILE / multiple).max(1) * multiple
    };
    let sizes: Vec<i64> = sizes.iter().map(of_tile).collect();
    let setting = Setting {
        params: &params,
        sizes: &sizes,
        order: Order::Forwards,
    };
    let mut machine = Machine::new(setting, Visits::default());
    machine.run(body)?;
    let of = machine.effect.of.into_iter();
    let pictures = of.map(|(stmt, visits)| Picture {
        stmt,
        cells: visits.order,
    });
    let fits = |p: &Picture| p.cells.len() <= CELLS;
    let pictures = pictures.filter(fits).collect();
    Ok(Pictures {
        params,
        sizes,
        pictures,
    })
}

/// First visits of the cells of one statement.
#[derive(Default)]
struct Cells {
    seen: BTreeSet<[i64; 2]>,
    order: Vec<[i64; 2]>,
}

/// Notes first visits, of statements in two loops or more.
#[derive(Default)]
struct Visits {
    count: usize,
    of: BTreeMap<StmtId, Cells>,
}

impl Effect for Visits {
    fn instance(&mut self, s: StmtId, at: Vec<i64>) -> Result<(), Fault> {
        self.count += 1;
        if self.count > INSTANCES {
            return Err(Fault::Endless);
        }
        if let [i, j, ..] = at[..] {
            let cells = self.of.entry(s).or_default();
            if cells.seen.insert([i, j]) {
                cells.order.push([i, j]);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ast::generate;
    use polytile_analysis::poly::Ctx;
    use polytile_analysis::text::parse_scop;
    use polytile_analysis::tree::original;

    #[test]
    fn a_triangle_runs_row_by_row() {
        let text = "
            params n
            context { : 1 <= n <= 5 }
            array A f64 [n][n]
            stmt S0
              domain { S0[i, j] : 0 <= i < n and 0 <= j <= i }
              beta 0 0 0
              write { S0[i, j] -> A[i, j] }
            stmt S1
              domain { S1[i] : 0 <= i < n }
              beta 1 0
              write { S1[i] -> A[i, i] }
        ";
        let scop = parse_scop(&Ctx::new(), text).expect("a SCoP");
        let body = generate(&scop, &original(&scop).unwrap()).unwrap();
        let made = pictures(&scop, &body, &[]).unwrap();
        assert_eq!(made.params, [5]);
        let [one] = &made.pictures[..] else {
            panic!("one statement is in two loops");
        };
        assert_eq!(one.cells.len(), 15);
        assert_eq!(one.cells[..4], [[0, 0], [1, 0], [1, 1], [2, 0]]);
    }
}
