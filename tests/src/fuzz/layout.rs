//! Array extents and offsets from the simulated subscripts.
//!
//! Every subscript of a dimension gets the same constant added, so that the least one over all runs is 0; the extent is
//! then one more than the greatest. Run-time extents are spelled as a size parameter plus a constant where one fits (what
//! people write), else as parameters of their own.

use super::program::{Program, Storage};
use super::simulate::Ranges;

/// Elements that one array may have.
const ELEMENT_LIMIT: i64 = 400_000;
/// Constants in extents like `n + 3` stay below this.
const SLACK_LIMIT: i64 = 6;

/// How an extent is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// A constant.
    Constant(i64),
    /// A size parameter plus a constant.
    Parameter(usize, i64),
    /// A parameter of its own: its position in [`Layout::extra`].
    Own(usize),
}

/// Where an array's elements are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArrayLayout {
    /// What is added to the subscripts of each dimension.
    pub offsets: Vec<i64>,
    /// The extent of each dimension.
    pub extents: Vec<Extent>,
}

/// The layout of a program's arrays.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    /// One per array.
    pub arrays: Vec<ArrayLayout>,
    /// The extents that are parameters of their own: their value in each run.
    pub extra: Vec<Vec<i64>>,
}

impl Layout {
    /// The value of an extent in a run.
    pub fn value(&self, program: &Program, extent: Extent, run: usize) -> i64 {
        match extent {
            Extent::Constant(value) => value,
            Extent::Parameter(id, slack) => program.runs[run][id] + slack,
            Extent::Own(position) => self.extra[position][run],
        }
    }

    /// The number of elements of an array in a run.
    pub fn elements(&self, program: &Program, array: usize, run: usize) -> i64 {
        self.arrays[array]
            .extents
            .iter()
            .map(|extent| self.value(program, *extent, run))
            .product()
    }
}

/// Lays the arrays out; `None` where one would be too large.
pub fn layout(program: &Program, ranges: &[Ranges]) -> Option<Layout> {
    let mut layout = Layout {
        arrays: Vec::new(),
        extra: Vec::new(),
    };
    for (id, array) in program.arrays.iter().enumerate() {
        let mut placed = ArrayLayout {
            offsets: Vec::new(),
            extents: Vec::new(),
        };
        for dimension in 0..array.rank {
            let of_runs: Vec<_> = ranges.iter().map(|run| run[id][dimension]).collect();
            let least = of_runs
                .iter()
                .flatten()
                .map(|(least, _)| *least)
                .min()
                .unwrap_or(0);
            let needed: Vec<i64> = of_runs
                .iter()
                .map(|range| range.map_or(1, |(_, most)| most - least + 1))
                .collect();
            placed.offsets.push(-least);
            let is_constant = matches!(
                array.storage,
                Storage::Constant | Storage::Global | Storage::Member | Storage::Local
            );
            placed.extents.push(if is_constant {
                Extent::Constant(needed.iter().copied().max().unwrap_or(1))
            } else {
                run_time_extent(program, &needed, &mut layout.extra)
            });
        }
        layout.arrays.push(placed);
    }
    let fits =
        |id| (0..program.runs.len()).all(|run| layout.elements(program, id, run) <= ELEMENT_LIMIT);
    (0..program.arrays.len()).all(fits).then_some(layout)
}

/// The tightest `parameter + constant` that holds what every run needs, or a parameter of its own.
fn run_time_extent(program: &Program, needed: &[i64], extra: &mut Vec<Vec<i64>>) -> Extent {
    let slack = |id: usize| -> Option<i64> {
        let values: Vec<i64> = program.runs.iter().map(|run| run[id]).collect();
        let slack = needed
            .iter()
            .zip(&values)
            .map(|(needed, value)| needed - value)
            .max()?
            .max(0);
        let legal = values.iter().all(|value| value + slack >= 1);
        (legal && slack <= SLACK_LIMIT).then_some(slack)
    };
    let best = (0..program.parameters.len())
        .filter_map(|id| slack(id).map(|slack| (slack, id)))
        .min();
    match best {
        Some((slack, id)) => Extent::Parameter(id, slack),
        None => {
            extra.push(needed.to_vec());
            Extent::Own(extra.len() - 1)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fuzz::program::{Array, Element, Width};

    fn program(storage: Storage, runs: Vec<Vec<i64>>) -> Program {
        Program {
            parameters: vec![Width::I32],
            runs,
            arrays: vec![Array {
                element: Element::F64,
                rank: 1,
                storage,
                growing: false,
                overlap: None,
            }],
            scalars: Vec::new(),
            restrict: false,
            loaded: false,
            inlined: false,
            body: Vec::new(),
        }
    }

    #[test]
    fn extents_follow_a_parameter_where_one_fits() {
        let ranges = [vec![vec![Some((-1, 5))]], vec![vec![None]]];
        let near = program(Storage::Variable, vec![vec![5], vec![1]]);
        let placed = layout(&near, &ranges).unwrap();
        assert_eq!(
            placed.arrays[0],
            ArrayLayout {
                offsets: vec![1],
                extents: vec![Extent::Parameter(0, 2)]
            }
        );
        assert_eq!([0, 1].map(|run| placed.elements(&near, 0, run)), [7, 3]);
        let far = program(Storage::Variable, vec![vec![-9], vec![0]]);
        let placed = layout(&far, &ranges).unwrap();
        assert_eq!(placed.arrays[0].extents, [Extent::Own(0)]);
        assert_eq!(placed.extra, [[7, 1]]);
        let fixed = program(Storage::Member, vec![vec![5], vec![1]]);
        assert_eq!(
            layout(&fixed, &ranges).unwrap().arrays[0].extents,
            [Extent::Constant(7)]
        );
    }

    #[test]
    fn huge_arrays_are_refused() {
        let huge = program(Storage::Constant, vec![vec![1]]);
        assert_eq!(layout(&huge, &[vec![vec![Some((0, ELEMENT_LIMIT))]]]), None);
    }
}
