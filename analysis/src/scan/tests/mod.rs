//! Against isl and enumeration.

mod boxes;
mod echelon;
mod elimination;
mod hexagons;
mod images;

use super::System;
use crate::poly::{Ctx, Set};

/// The rows of a set of one piece.
fn system(ctx: &Ctx, text: &str) -> System {
    let set = Set::parse(ctx, text).unwrap();
    let [piece] = &set.basic_sets().unwrap()[..] else {
        panic!("{text} has one piece");
    };
    System::of_set(piece).unwrap().expect("no divisions")
}

/// A stream of numbers by chance, always the same.
struct Chance(u64);

impl Chance {
    fn below(&mut self, n: u64) -> i64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        i64::try_from((self.0 >> 33) % n).unwrap()
    }

    fn between(&mut self, least: i64, most: i64) -> i64 {
        least + self.below(u64::try_from(most - least + 1).unwrap())
    }
}
