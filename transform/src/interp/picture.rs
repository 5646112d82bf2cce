//! Pictures of an order of execution: the iterations of a statement in two dimensions, in the order in which they first run, for sizes
//! that a page has room for.

use super::machine::{Effect, Machine};
use super::{Fault, Order, Setting};
use crate::cost::near;
use polytile_analysis::ast::{Ast, Expr, For, ForKind, IterId};
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

/// The iterations of a statement along two of its three outermost loops.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Picture {
    /// The statement.
    pub stmt: StmtId,
    /// The two loops, outermost from 0.
    pub dims: [usize; 2],
    /// Values of their iterators, each pair once, in the order in which they first run.
    pub cells: Vec<[i64; 2]>,
    /// Levels of tiles, coarse ones first: the number of the tile in which each cell first runs, in the order in which tiles begin.
    pub tiles: Vec<Vec<u32>>,
}

/// Pictures of a program, and the values of parameters and tile sizes that they were made for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pictures {
    /// Of [`Scop::params`].
    pub params: Vec<i64>,
    /// Of the symbolic tile sizes.
    pub sizes: Vec<i64>,
    /// One for each statement in two loops or more, and each two of its three outermost ones, that is not too large.
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
    let pictures = of.map(|((stmt, dims), visits)| Picture {
        stmt,
        dims,
        tiles: visits.tiles(),
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

/// The pairs of loops that are looked at.
const DIMS: [[usize; 2]; 3] = [[0, 1], [0, 2], [1, 2]];

/// What says which tile a place is in: the values of the iterators of the loops around that go in steps.
type Tile = Vec<(IterId, i64)>;

/// First visits of the cells of one statement.
#[derive(Default)]
struct Cells {
    seen: BTreeSet<[i64; 2]>,
    order: Vec<[i64; 2]>,
    /// For each cell: the tile of sizes known at run time only, and that of all steps.
    within: Vec<[Tile; 2]>,
}

impl Cells {
    /// Numbers of tiles by level; levels that show nothing are left out: all cells in one tile, a tile for each, or the same as before.
    fn tiles(&self) -> Vec<Vec<u32>> {
        let mut levels: Vec<Vec<u32>> = vec![];
        for level in 0..2 {
            let mut known: BTreeMap<&Tile, u32> = BTreeMap::new();
            let mut numbers = vec![];
            for within in &self.within {
                let next = known.len() as u32;
                numbers.push(*known.entry(&within[level]).or_insert(next));
            }
            let shows = known.len() > 1 && known.len() < numbers.len();
            if shows && levels.last() != Some(&numbers) {
                levels.push(numbers);
            }
        }
        levels
    }
}

/// Notes first visits, of statements in two loops or more.
#[derive(Default)]
struct Visits {
    count: usize,
    of: BTreeMap<(StmtId, [usize; 2]), Cells>,
    /// The loops around that go in steps, and whether their step is a tile size that is a value at run time.
    around: Vec<(IterId, i64, bool)>,
}

impl Visits {
    fn tile(&self, sized_only: bool) -> Tile {
        let around = self
            .around
            .iter()
            .filter(|(.., sized)| *sized || !sized_only);
        around.map(|(iter, at, _)| (*iter, *at)).collect()
    }
}

impl Effect for Visits {
    fn instance(&mut self, s: StmtId, at: Vec<i64>) -> Result<(), Fault> {
        self.count += 1;
        if self.count > INSTANCES {
            return Err(Fault::Endless);
        }
        for dims in DIMS.into_iter().filter(|[_, b]| *b < at.len()) {
            let cell = dims.map(|d| at[d]);
            let cells = self.of.entry((s, dims)).or_default();
            if cells.seen.insert(cell) {
                cells.order.push(cell);
                let within = [true, false].map(|sized| self.tile(sized));
                self.of.entry((s, dims)).or_default().within.push(within);
            }
        }
        Ok(())
    }

    fn iteration(&mut self, l: &For, value: i64) {
        let sized = matches!(l.step, Expr::Size(_));
        if l.step == Expr::Int(1)
            || matches!(l.kind, ForKind::Lanes { .. } | ForKind::Diagonal { .. })
        {
            return;
        }
        match self.around.last_mut() {
            Some((iter, at, _)) if *iter == l.iter => *at = value,
            _ => self.around.push((l.iter, value, sized)),
        }
    }

    fn left(&mut self, l: &For) {
        if self.around.last().is_some_and(|(iter, ..)| *iter == l.iter) {
            self.around.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ast::generate;
    use polytile_analysis::poly::Ctx;
    use polytile_analysis::text::{parse_schedule, parse_scop};
    use polytile_analysis::tree::{Schedule, original};

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
        assert!(one.tiles.is_empty());
    }

    #[test]
    fn tiles_are_numbered_as_they_begin() {
        let text = "
            params n
            context { : 6 <= n <= 6 }
            array A f64 [n][n]
            stmt S0
              domain { S0[i, j, k] : 0 <= i < n and 0 <= j < n and 0 <= k < 2 }
              beta 0 0 0 0
              write { S0[i, j, k] -> A[i, j] }
        ";
        let ctx = Ctx::new();
        let scop = parse_scop(&ctx, text).expect("a SCoP");
        let loops = "\"[n] -> [{ S0[i, j, k] -> [(i)] }, { S0[i, j, k] -> [(j)] }, { S0[i, j, k] -> [(k)] }]\"";
        let tiled = format!(
            "domain: \"[n] -> {{ S0[i, j, k] : 0 <= i < n and 0 <= j < n and 0 <= k < 2 }}\"\n\
             child:\n  schedule: {loops}\n  permutable: 1\n  tile: [ 3, 2, whole ]\n  child:\n    schedule: {loops}\n"
        );
        let made = |schedule: &Schedule| {
            let body = generate(&scop, schedule).unwrap();
            pictures(&scop, &body, &[]).unwrap().pictures
        };
        let plain = made(&original(&scop).unwrap());
        let dims: Vec<_> = plain.iter().map(|p| p.dims).collect();
        assert_eq!(dims, [[0, 1], [0, 2], [1, 2]]);
        assert!(plain.iter().all(|p| p.tiles.is_empty()));
        let first = &made(&parse_schedule(&ctx, &tiled).unwrap())[0];
        assert_eq!(
            first.cells[..7],
            [[0, 0], [0, 1], [1, 0], [1, 1], [2, 0], [2, 1], [0, 2]]
        );
        let [numbers] = &first.tiles[..] else {
            panic!("there is one level of tiles: {first:?}");
        };
        assert_eq!(numbers[..7], [0, 0, 0, 0, 0, 0, 1]);
        assert_eq!(numbers.iter().max(), Some(&5));
    }
}
