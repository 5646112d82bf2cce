//! Sums over several iterators: the innermost sum with two members of the band around it.
//!
//! A sum over `c` and `d` keeps its order, so the search ends a band between the two:
//!
//! ```text
//! for a, b, i, c, j: for d:  r[a][b][i][j] += v[a][c][i][d] * t[c][b][d][j]
//! ```
//!
//! For fixed `c` it is a product in `i`, `j` and `d`. The coincident members may stand anywhere: a row and a lane go below
//! the others, next to `d`, where all three are a permutable band that runs as register tiles:
//!
//! ```text
//! for a, b, c: for i, j, d:  r[a][b][i][j] += v[a][c][i][d] * t[c][b][d][j]
//! ```
//!
//! Sums between the two, as over the rows of a window, stay around it.

use super::{Place, Planner, Tiling};
use crate::live::statements;
use crate::simd::{accumulating_roles, reordered};
use polytile_analysis::ids::StmtId;
use polytile_analysis::poly;
use polytile_analysis::tree::{Band, Tree};

impl Planner<'_> {
    /// The tree of a band above a sum, with the sum's row and lane next to it; `None` if that makes no register tile.
    pub(super) fn inner_sum(&mut self, band: &Band, place: &Place) -> poly::Result<Option<Tree>> {
        let fits = self.options.register_tiles
            && self.options.tiling != Tiling::Off
            && (band.permutable || band.schedule.size() == 1);
        let Some((between, sum)) = nested_sums(band).filter(|_| fits) else {
            return Ok(None);
        };
        let members = band.schedule.size();
        let free: Vec<usize> = (0..members).filter(|&m| band.coincident[m]).collect();
        let stmts: Vec<StmtId> = statements(self.scop, &place.domain)?;
        for &lane in free.iter().rev() {
            for &row in free.iter().rev().filter(|&&row| row != lane) {
                let others: Vec<usize> =
                    (0..members).filter(|m| ![row, lane].contains(m)).collect();
                if others.is_empty() {
                    continue;
                }
                let mut outer = reordered(band, &others)?;
                let inner = below(&reordered(band, &[row, lane])?, sum)?;
                let mut there = place.below(&outer.schedule)?;
                for b in &between {
                    there = there.below(&b.schedule)?;
                }
                let found = accumulating_roles(self.scop, &stmts, &there.outer, &inner)?;
                let wanted = found.len() == stmts.len()
                    && found
                        .iter()
                        .all(|(_, r)| (r.row, r.lane, r.reduction) == (0, 1, 2));
                if !wanted || !self.is_large(&inner, &there)? {
                    continue;
                }
                outer.child = around(&between, Tree::Band(Box::new(inner)));
                return Ok(Some(self.plain(&outer, place)?));
            }
        }
        Ok(None)
    }
}

/// The innermost sum below a band, and what lies between the two, from the outside in; `None` if there are other nodes than bands.
fn nested_sums(band: &Band) -> Option<(Vec<&Band>, &Band)> {
    let mut between = vec![];
    let mut at = band;
    while let Tree::Band(below) = &at.child {
        between.push(&**below);
        at = below;
    }
    let sum = between.pop()?;
    let plain = |b: &Band| b.tile.is_none() && b.is_sequential();
    let fits = plain(band) && plain(sum) && between.iter().all(|b| plain(b));
    (fits && sum.schedule.size() == 1 && matches!(sum.child, Tree::Leaf)).then_some((between, sum))
}

/// Bands around a tree, the outermost first.
fn around(bands: &[&Band], tree: Tree) -> Tree {
    bands.iter().rev().fold(tree, |child, band| {
        let mut band = (*band).clone();
        band.child = child;
        Tree::Band(Box::new(band))
    })
}

/// The members of two bands as one.
fn below(upper: &Band, lower: &Band) -> poly::Result<Band> {
    let mut both = upper.clone();
    both.permutable = true;
    both.schedule = upper.schedule.flat_range_product(&lower.schedule)?;
    both.coincident.extend(&lower.coincident);
    both.loops.extend(lower.loops.iter().cloned());
    both.child = lower.child.clone();
    Ok(both)
}
