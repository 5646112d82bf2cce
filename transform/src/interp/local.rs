//! Execution tile by tile with local memories (Darte and Isoard 2015, §4): the proof by example of [`polytile_analysis::memory`].
//!
//! A tile loads elements from the memory of the program, computes on the local memory alone, where the element `a` of an array lies at `a` modulo the array's sizes, and stores elements
//! back. What a strip leaves in its local memory is gone with it. Elements that were not loaded, were overwritten too early or were not stored give other values in the end, because a value
//! is a hash of the computation that led to it.

use super::cells::original_order;
use super::machine::Effect;
use super::memory::{Memory, Store};
use super::{Cell, Fault, Instance, MAX_INSTANCES};
use polytile_analysis::ids::{ArrayId, StmtId};
use polytile_analysis::memory::tiling::{Size, Tiling};
use polytile_analysis::memory::transfers::Transfers;
use polytile_analysis::poly::{DimType, Map, Result, Set, UnionMap};
use polytile_analysis::scop::Scop;
use std::collections::{BTreeMap, BTreeSet};

/// Coordinates.
type Point = Vec<i64>;

/// A tile and what happens in it.
#[derive(Clone, Debug, Default)]
pub struct Step {
    /// Its instances, in order.
    pub instances: Vec<Instance>,
    /// What it loads.
    pub load: BTreeSet<Cell>,
    /// What it stores.
    pub store: BTreeSet<Cell>,
}

/// The tiles of one lattice, for given parameters and sizes.
#[derive(Clone, Debug)]
pub struct Steps {
    /// The tiles of each strip in order; strips in order.
    pub strips: Vec<Vec<Step>>,
}

/// Values of everything that a tiling is parametric in.
#[derive(Clone, Debug)]
pub struct Values<'a> {
    /// Parameters and sizes by name.
    pub named: &'a BTreeMap<String, i64>,
    /// An origin of the lattice.
    pub offset: &'a [i64],
}

/// When loads and stores are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Schedule {
    /// Load, compute, store, tile by tile.
    Sequential,
    /// Any order with `load(k) -> compute(k) -> store(k)`, `compute(k) -> compute(k + 1)` and `load(k + 1) -> store(k) -> load(k + 2)`, by chance from this number.
    Pipelined(u64),
}

impl Steps {
    /// The tiles of a tiling that have instances, load or store something.
    pub fn new(
        scop: &Scop,
        tiling: &Tiling,
        transfers: &Transfers,
        values: &Values,
    ) -> std::result::Result<Steps, Fault> {
        let lattice = lattice(tiling, values)?;
        let mut tiles: BTreeMap<Point, Step> = BTreeMap::new();
        let times = times(tiling, values)?;
        for map in tiling.instances()?.maps()? {
            let stmt = stmt_of(scop, &map);
            for (tile, at) in pairs(&map.intersect_domain(&lattice)?, values)? {
                tiles.entry(tile).or_default().instances.push((stmt, at));
            }
        }
        for step in tiles.values_mut() {
            step.instances.sort_by_key(|i| times.get(i));
        }
        for (tile, cells) in moved(scop, &transfers.load, &lattice, values)? {
            tiles.entry(tile).or_default().load = cells;
        }
        for (tile, cells) in moved(scop, &transfers.store, &lattice, values)? {
            tiles.entry(tile).or_default().store = cells;
        }
        Ok(Steps {
            strips: strips(tiling, tiles),
        })
    }

    /// What the memory holds when all tiles have run. `moduli` are the sizes of local memories for each array and dimension; `happens` says whether an instance runs at all.
    pub fn run(
        &self,
        scop: &Scop,
        params: &[i64],
        moduli: &[Vec<i64>],
        schedule: Schedule,
        happens: &dyn Fn(&Instance) -> bool,
    ) -> std::result::Result<Memory, Fault> {
        let mut main = Store::new(scop, &[], params)?;
        for strip in &self.strips {
            let mut local = Store::new(scop, &[], params)?;
            local.fold(moduli.to_vec());
            for event in events(strip.len(), schedule) {
                match event {
                    Event::Load(k) => {
                        for cell in &strip[k].load {
                            local.put(cell.clone(), main.content(cell));
                        }
                    }
                    Event::Compute(k) => {
                        let running = strip[k].instances.iter().filter(|i| happens(i));
                        for (s, at) in running {
                            local.instance(*s, at.clone())?;
                        }
                    }
                    Event::Store(k) => {
                        for cell in &strip[k].store {
                            main.put(cell.clone(), local.content(&local.folded(cell)));
                        }
                    }
                }
            }
        }
        Ok(main.finish().memory)
    }

    /// Elements that are loaded, in all tiles.
    pub fn loads(&self) -> usize {
        let steps = self.strips.iter().flatten();
        steps.map(|s| s.load.len()).sum()
    }
}

/// What the memory holds when the program has run in its own order; `happens` says whether an instance runs at all.
pub fn original_of(
    scop: &Scop,
    params: &[i64],
    happens: &dyn Fn(&Instance) -> bool,
) -> std::result::Result<Memory, Fault> {
    let mut store = Store::new(scop, &[], params)?;
    let all = original_order(scop, params)?;
    for (s, at) in all.into_iter().filter(|i| happens(i)) {
        store.instance(s, at)?;
    }
    Ok(store.finish().memory)
}

/// Cells in which two memories differ: one that was not written holds what it held in the beginning.
pub fn differences(scop: &Scop, a: &Memory, b: &Memory) -> std::result::Result<usize, Fault> {
    let params = vec![0; scop.params.len()];
    let initial = Store::new(scop, &[], &params)?;
    let cells: BTreeSet<&Cell> = a.keys().chain(b.keys()).collect();
    let value = |m: &Memory, c: &Cell| m.get(c).copied().unwrap_or_else(|| initial.content(c));
    Ok(cells.iter().filter(|c| value(a, c) != value(b, c)).count())
}

/// A part of a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Event {
    Load(usize),
    Compute(usize),
    Store(usize),
}

/// The parts of so many tiles in an order that the schedule allows.
fn events(tiles: usize, schedule: Schedule) -> Vec<Event> {
    let tile = |k| [Event::Load(k), Event::Compute(k), Event::Store(k)];
    let Schedule::Pipelined(mut seed) = schedule else {
        return (0..tiles).flat_map(tile).collect();
    };
    // Loads and stores share a channel: load 0, load 1, store 0, load 2, store 1, ..
    let mut transfers: Vec<Event> = (0..tiles.min(1)).map(Event::Load).collect();
    for k in 0..tiles {
        transfers.extend((k + 1 < tiles).then_some(Event::Load(k + 1)));
        transfers.push(Event::Store(k));
    }
    let (mut moved, mut computed) = (0, 0);
    let mut all = vec![];
    while moved < transfers.len() {
        let loaded = transfers[..moved].contains(&Event::Load(computed));
        let compute = computed < tiles && loaded;
        let transfer = match transfers[moved] {
            Event::Store(k) => k < computed,
            _ => true,
        };
        seed = next(seed);
        if compute && (!transfer || seed >> 63 == 0) {
            all.push(Event::Compute(computed));
            computed += 1;
        } else {
            all.push(transfers[moved]);
            moved += 1;
        }
    }
    all
}

/// A step of a linear congruential generator (Knuth's MMIX).
fn next(seed: u64) -> u64 {
    let product = seed.wrapping_mul(6_364_136_223_846_793_005);
    product.wrapping_add(1_442_695_040_888_963_407)
}

/// Tiles by strips.
fn strips(tiling: &Tiling, tiles: BTreeMap<Point, Step>) -> Vec<Vec<Step>> {
    let outer = tiling.sides.len() - tiling.strip;
    let mut all: BTreeMap<Point, Vec<Step>> = BTreeMap::new();
    for (tile, step) in tiles {
        all.entry(tile[..outer].to_vec()).or_default().push(step);
    }
    all.into_values().collect()
}

/// The origins of the lattice.
fn lattice(tiling: &Tiling, values: &Values) -> Result<Set> {
    let names: Vec<String> = (0..tiling.sides.len()).map(|k| format!("i{k}")).collect();
    let side = |(k, side): (usize, &polytile_analysis::memory::tiling::Side)| {
        let size = match &side.size {
            Size::Param(name) => values.named[name],
            Size::Const(size) => *size,
        };
        format!("(i{k} - {}) mod {size} = 0", values.offset[k])
    };
    let terms: Vec<String> = tiling.sides.iter().enumerate().map(side).collect();
    let tile = polytile_analysis::memory::tiling::TILE;
    let text = format!(
        "{{ {tile}[{}] : {} }}",
        names.join(", "),
        terms.join(" and ")
    );
    Set::parse(tiling.theta.ctx(), &text)
}

/// What each tile moves.
fn moved(
    scop: &Scop,
    relation: &UnionMap,
    lattice: &Set,
    values: &Values,
) -> Result<BTreeMap<Point, BTreeSet<Cell>>> {
    let mut all: BTreeMap<Point, BTreeSet<Cell>> = BTreeMap::new();
    for map in relation.maps()? {
        let array = array_of(scop, &map);
        for (tile, at) in pairs(&map.intersect_domain(lattice)?, values)? {
            all.entry(tile).or_default().insert((array, at));
        }
    }
    Ok(all)
}

/// When each instance runs.
fn times(tiling: &Tiling, values: &Values) -> Result<BTreeMap<Instance, Point>> {
    let mut all = BTreeMap::new();
    for map in tiling.theta.maps()? {
        let name = map.tuple_name(DimType::In).unwrap_or_default();
        let stmt = StmtId(name[1..].parse().expect("a statement"));
        for (at, time) in pairs(&map, values)? {
            all.insert((stmt, at), time);
        }
    }
    Ok(all)
}

/// The statement of the range of a map.
fn stmt_of(scop: &Scop, map: &Map) -> StmtId {
    let name = map.tuple_name(DimType::Out).unwrap_or_default();
    scop.stmt_by_name(&name).expect("a statement").id
}

/// The array of the range of a map.
fn array_of(scop: &Scop, map: &Map) -> ArrayId {
    let name = map.tuple_name(DimType::Out).unwrap_or_default();
    let at = scop.arrays.iter().position(|a| a.name == name);
    ArrayId::from(at.expect("an array"))
}

/// All pairs of a relation, for the values of its parameters.
fn pairs(map: &Map, values: &Values) -> Result<Vec<(Point, Point)>> {
    let mut map = map.clone();
    for p in 0..map.dim(DimType::Param) {
        let name = map.dim_name(DimType::Param, p).expect("a name");
        map = map.fix_si(DimType::Param, p, values.named[&name])?;
    }
    let cut = map.dim(DimType::In);
    let all = map.wrap()?.flatten()?.points(MAX_INSTANCES)?;
    let pair = |mut p: Point| {
        let image = p.split_off(cut);
        (p, image)
    };
    Ok(all.into_iter().map(pair).collect())
}

#[cfg(test)]
mod tests;
