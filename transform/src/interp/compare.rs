//! A program held against the original.

use super::{Cell, Execution, Fault, Instance, Order, Setting, cells, execute, original};
use polytile_analysis::ast::{Ast, Buffer};
use polytile_analysis::deps::{Dependence, Dependences};
use polytile_analysis::ids::ArrayId;
use polytile_analysis::poly::Map;
use polytile_analysis::scop::Scop;
use std::collections::BTreeMap;
use std::fmt;

/// What a program does otherwise than the original.
#[derive(Clone, Debug, PartialEq)]
pub enum Difference {
    /// It cannot be executed.
    Fault(Fault),
    /// It runs this instance so often, not once.
    Count(Instance, usize),
    /// It runs an instance that the original does not have.
    Invented(Instance),
    /// It runs the second instance before the first, on which it depends.
    Order(Instance, Instance),
    /// This cell ends with another value.
    Value(Cell),
}

impl From<Fault> for Difference {
    fn from(f: Fault) -> Self {
        Difference::Fault(f)
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Difference::Fault(e) => write!(f, "{e}"),
            Difference::Count((s, i), n) => write!(f, "{s}{i:?} runs {n} times"),
            Difference::Invented((s, i)) => write!(f, "{s}{i:?} is no instance"),
            Difference::Order((s, i), (t, j)) => write!(f, "{t}{j:?} runs before {s}{i:?}"),
            Difference::Value((a, i)) => write!(f, "{a}{i:?} has another value"),
        }
    }
}

/// Whether a program does what the original does, with parallel loops in both directions: the same instances, once each;
/// all pairs of `deps` in order; equal memories.
pub fn compare(
    scop: &Scop,
    ast: &Ast,
    buffers: &[Buffer],
    deps: &Dependences,
    params: &[i64],
    sizes: &[i64],
) -> Result<(), Difference> {
    let wanted = original(scop, params)?;
    let private = ast.private_arrays();
    for order in [Order::Forwards, Order::Backwards] {
        let got = execute(
            scop,
            ast,
            buffers,
            Setting {
                params,
                sizes,
                order,
            },
        )?;
        same_instances(&wanted, &got)?;
        in_order(scop, &got, deps, &private, params)?;
        let cells = wanted.memory.keys().chain(got.memory.keys());
        let differs =
            |c: &&Cell| !private.contains(&c.0) && wanted.memory.get(c) != got.memory.get(c);
        if let Some(cell) = cells.into_iter().find(differs) {
            return Err(Difference::Value(cell.clone()));
        }
    }
    Ok(())
}

fn same_instances(wanted: &Execution, got: &Execution) -> Result<(), Difference> {
    let mut count: BTreeMap<&Instance, usize> = wanted.instances.iter().map(|i| (i, 0)).collect();
    for i in &got.instances {
        match count.get_mut(i) {
            Some(n) => *n += 1,
            None => return Err(Difference::Invented(i.clone())),
        }
    }
    match count.into_iter().find(|(_, n)| *n != 1) {
        Some((i, n)) => Err(Difference::Count(i.clone(), n)),
        None => Ok(()),
    }
}

/// Whether dependent instances run in order. Inside a micro-kernel, which stores last, and for private arrays only the
/// values can tell.
fn in_order(
    scop: &Scop,
    got: &Execution,
    deps: &Dependences,
    private: &[ArrayId],
    params: &[i64],
) -> Result<(), Difference> {
    let place: BTreeMap<&Instance, usize> = got.instances.iter().zip(0..).collect();
    let kernel = |at: usize| {
        let n = got.kernels.partition_point(|k| k.end <= at);
        got.kernels.get(n).filter(|k| k.contains(&at)).map(|_| n)
    };
    let through_copies = |d: &&Dependence| d.arrays.iter().all(|a| private.contains(a));
    for d in deps.ordering(false).filter(|d| !through_copies(d)) {
        let (s, t) = (scop.stmt(d.src), scop.stmt(d.dst));
        let pairs = || {
            let pairs = Map::from_basic_map(&d.relation)?
                .intersect_domain(&s.domain)?
                .intersect_range(&t.domain)?;
            cells::fixed(&pairs.wrap()?, params)?.points(super::MAX_INSTANCES)
        };
        for pair in pairs().map_err(Fault::Poly)? {
            let (x, y) = pair.split_at(s.depth());
            let (x, y) = ((s.id, x.to_vec()), (t.id, y.to_vec()));
            let (from, to) = (place[&x], place[&y]);
            let together = kernel(from).is_some() && kernel(from) == kernel(to);
            if from >= to && !together && !d.commutes() {
                return Err(Difference::Order(x, y));
            }
        }
    }
    Ok(())
}
