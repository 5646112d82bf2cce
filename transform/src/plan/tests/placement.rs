//! Operands are packed where `Load` sets say (Darte and Isoard 2015, §3): in the innermost tile band of which each tile loads all that it reads by the operand, above tiles
//! that find some of what they read in what tiles before them have loaded.

use super::planned_for;
use crate::plan::PlanOptions;
use crate::simd::accesses_of;
use crate::testing::{TILABLE, sample};
use polytile_analysis::memory::full::full;
use polytile_analysis::memory::of_schedule::{Tiled, tilings};
use polytile_analysis::memory::tiling::{Order, Tiling};
use polytile_analysis::memory::touched::{Accesses, Touched};
use polytile_analysis::memory::transfers::exact;
use polytile_analysis::poly::{Ctx, UnionMap, UnionSet};
use polytile_analysis::scop::{Access, Scop};
use polytile_analysis::tree::{Copied, Mark, Pack, TileSize, Tree};

/// A copy, with the tile bands around it and the first one below, by their numbers.
struct Placed {
    pack: Pack,
    around: Vec<usize>,
    below: usize,
}

/// The copies of a tree. Tile bands are counted from the outside in, branch by branch.
fn copies(tree: &Tree, around: &mut Vec<usize>, bands: &mut usize, found: &mut Vec<Placed>) {
    match tree {
        Tree::Leaf => {}
        Tree::Band(band) => {
            let sizes = band.tile.iter().flat_map(|t| &t.sizes);
            let is_tiled = sizes.clone().any(|s| !matches!(s, TileSize::Whole));
            if is_tiled {
                around.push(*bands);
                *bands += 1;
            }
            copies(&band.child, around, bands, found);
            if is_tiled {
                around.pop();
            }
        }
        Tree::Mark(mark, child) => {
            if let Mark::Pack(pack) = mark {
                found.push(Placed {
                    pack: pack.clone(),
                    around: around.clone(),
                    below: *bands,
                });
            }
            copies(child, around, bands, found);
        }
        Tree::Sequence(list) | Tree::Set(list) => {
            for branch in list {
                copies(&branch.child, around, bands, found);
            }
        }
    }
}

/// What full tiles read by an access, and what of it they load.
struct Moved {
    reads: UnionMap,
    loads: UnionMap,
    /// Tiles behind another full one of their strip.
    later: UnionSet,
}

fn moved(scop: &Scop, tiled: &Tiled, strip: usize, access: &Access) -> Moved {
    let known = scop.known().unwrap();
    let known = known
        .intersect(&tiled.tiling.sizes_from(1).unwrap())
        .unwrap();
    let tiling: Tiling = tiled.tiling.clone().with_strip(strip);
    let tiling = tiling.within(&known).unwrap();
    let accesses = Accesses::wanted(scop, |a| std::ptr::eq(a, access)).unwrap();
    let touched = Touched::of(&tiling, &accesses).unwrap();
    let loads = exact(&tiling, &touched, Order::Anywhere, None)
        .unwrap()
        .load;
    let full = full(&tiling).unwrap();
    let next = tiling.next().unwrap().intersect_domain(&full).unwrap();
    let later = next.intersect_range(&full).unwrap().range().unwrap();
    let full = full.to_union_set().unwrap();
    Moved {
        reads: touched.live_in.intersect_domain(&full).unwrap(),
        loads: loads.intersect_domain(&full).unwrap(),
        later: later.to_union_set().unwrap(),
    }
}

#[test]
fn copies_stand_where_load_sets_say() {
    let ctx = Ctx::new();
    let mut checked = vec![];
    for (name, flat) in TILABLE {
        let scop = sample(&ctx, name);
        let (schedule, _) = planned_for("x86-64-v3", &scop, flat, &PlanOptions::default());
        let mut found = vec![];
        copies(&schedule.root, &mut vec![], &mut 0, &mut found);
        let tiled = match found.is_empty() {
            true => vec![],
            false => tilings(&scop, &schedule).unwrap(),
        };
        for copy in found.iter().filter(|c| c.pack.copied == Copied::All) {
            let stmt = scop.stmt(copy.pack.stmt);
            let nodes = copy.pack.operands.iter();
            let reads = nodes.flat_map(|n| accesses_of(stmt, *n));
            for access in reads.map(|n| &stmt.accesses[n]) {
                let place = format!("{name}: {:?} of {:?}", copy.pack.side, access.relation);
                // Each tile around loads all of it.
                if let Some(around) = copy.around.last() {
                    let m = moved(&scop, &tiled[*around], 1, access);
                    let reads = m.reads.intersect_domain(&m.later).unwrap();
                    let loads = m.loads.intersect_domain(&m.later).unwrap();
                    assert!(!reads.is_empty().unwrap(), "{place}");
                    assert!(loads.is_equal(&reads).unwrap(), "{place}: {loads}");
                }
                // Tiles below read what others of theirs have loaded (of a triangle, not all).
                let below = &tiled[copy.below];
                let m = moved(&scop, below, below.tiling.sides.len(), access);
                let served = m.reads.subtract(&m.loads).unwrap();
                assert!(!served.is_empty().unwrap(), "{place}");
                checked.push(*name);
            }
        }
    }
    for name in ["gemm", "syrk"] {
        assert!(checked.contains(&name), "{checked:?}");
    }
}
