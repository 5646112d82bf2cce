//! A register tile: operations, loads, the chain of its sums, and what operands cost that are not side by side.

use super::Env;
use super::body::{EXTREMUM, INTEGER, product};
use super::facts::{Facts, Home, Kind, NodeFacts, StmtFacts};
use crate::target::Target;
use polytile_analysis::ast::MicroKernel;
use std::collections::BTreeSet;

/// Cycles to begin and end a register tile, and to move a vector of its cells.
const TILE: (f64, f64) = (25.0, 1.5);

/// Cycles to find out which cells of a register tile are there, where some are not: measured on Zen 5 with products of 2 x 2 to 4 x 4.
const MASKS: f64 = 40.0;

/// Shuffles in a cycle.
const SHUFFLES: f64 = 2.0;

/// Cycles of a register tile.
pub(super) fn tile(facts: &Facts, k: &MicroKernel, env: &Env, target: &Target) -> f64 {
    let facts = facts.stmt(k.tile.stmt);
    let steps = (env.value(&k.last) - env.value(&k.first) + 1).max(0) as f64;
    let (rows, vectors, whole) = inside(k, env);
    let masks = if whole { 0.0 } else { MASKS };
    let unit = &target.vector;
    let panels = [&k.row_panel, &k.lane_panel].into_iter().flatten();
    let packed: Vec<usize> = (panels.flat_map(|p| &p.operands))
        .map(|n| n.index())
        .collect();
    // What is packed was computed then.
    let ahead = facts.below(&packed);
    let packed = packed.len();
    let here = || {
        let nodes = facts.nodes.iter().enumerate();
        nodes.filter(|(n, _)| !ahead.contains(n)).map(|(_, n)| n)
    };
    let of = |kind| here().filter(move |n| n.kind == kind).count() as f64;
    let floats = of(Kind::Float) + of(Kind::Fused) + EXTREMUM * of(Kind::Extremum);
    let slow = (of(Kind::Divide) + of(Kind::Root)) * f64::from(target.core.divide.0);
    let bytes = facts.nodes[facts.roots[0]].bytes;
    let integers = of(Kind::Simple) + product(bytes, target) * of(Kind::Product);
    // A product and a sum are one operation where both belong to a chain of products.
    let operations = rows * vectors * (floats + INTEGER * integers).max(1.0);
    let reads = facts.accesses.iter().filter(|a| !a.writes).count();
    let loads = rows + vectors * (reads.saturating_sub(packed).max(1)) as f64;
    let by_chain = f64::from(unit.latency);
    let lanes = f64::from(k.tile.lanes);
    let step = (operations / f64::from(unit.per_cycle.max(1)))
        .max(loads / f64::from(unit.loads_per_cycle.max(1)))
        .max(by_chain)
        + slow * rows * vectors * lanes / 2.0
        + vectors * apart((facts, k), env, (&ahead, steps), target);
    TILE.0 + masks + TILE.1 * rows * vectors * 2.0 + steps * step
}

/// Cycles in which a vector of operands of a step is put together whose lanes are not side by side: where steps are, some of them are loaded and
/// transposed.
fn apart(
    (facts, k): (&StmtFacts, &MicroKernel),
    env: &Env,
    (ahead, steps): (&BTreeSet<usize>, f64),
    target: &Target,
) -> f64 {
    let now: Vec<i64> = k.args.iter().map(|a| env.value(a)).collect();
    let further = |by: &[i64]| -> Vec<i64> { now.iter().zip(by).map(|(x, d)| x + d).collect() };
    let (lane, step) = (further(&k.lane_step), further(&k.reduction_step));
    let core = &target.core;
    let lanes = f64::from(k.tile.lanes);
    let gathered = lanes * f64::from(core.gather) / f64::from(core.issue)
        + lanes / f64::from(target.vector.loads_per_cycle.max(1));
    let transposed = lanes.log2() / SHUFFLES;
    let cycles = |(n, node): (usize, &NodeFacts)| {
        let Kind::Read(read) = node.kind else {
            return 0.0;
        };
        let a = &facts.accesses[read];
        let gain = |to: &[i64]| a.address(to) - a.address(&now);
        match gain(&lane) {
            _ if ahead.contains(&n) || a.home != Home::Memory => 0.0,
            0 => 0.0,
            by if by == a.bytes => 0.0,
            _ if gain(&step).abs() == a.bytes && steps >= lanes => transposed,
            _ if gain(&step) == 0 => 0.0,
            _ => gathered,
        }
    };
    facts.nodes.iter().enumerate().map(cycles).sum()
}

/// Rows and vectors of a register tile that have cells: the others are passed over. And whether these rows and vectors are all whole.
fn inside(k: &MicroKernel, env: &Env) -> (f64, f64, bool) {
    let (rows, lanes) = cells(k, env);
    let width = i64::from(k.tile.lanes.max(1));
    let vectors = (lanes + width - 1) / width;
    let whole = rows >= i64::from(k.tile.rows) && lanes % width == 0;
    (rows as f64, vectors as f64, whole)
}

/// Rows and lanes of a register tile that have cells.
pub(super) fn cells(k: &MicroKernel, env: &Env) -> (i64, i64) {
    let (mut rows, mut lanes) = (
        i64::from(k.tile.rows),
        i64::from(k.tile.vectors * k.tile.lanes),
    );
    for c in k.constraints.iter().filter(|c| c.reduction == 0) {
        match (c.row, c.lane) {
            (row, 0) if row < 0 => rows = rows.min(env.value(&c.rest) / -row + 1),
            (0, lane) if lane < 0 => lanes = lanes.min(env.value(&c.rest) / -lane + 1),
            _ => {}
        }
    }
    (rows.max(0), lanes.max(0))
}
