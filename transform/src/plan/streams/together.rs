//! Several statements on one stream, each vector of which stays in registers from the first to the last of them.
//!
//! ```text
//! for i: for j: { A[i][j] += u[i] * v[j];  x[j] += A[i][j] * y[i] }
//!
//! for j (lanes): { s = x[j ..];  for i in the tile: { a = A[i][j ..] + u[i] * v[j ..];  A[i][j ..] = a;  s += a * y[i] };  x[j ..] = s }
//! ```
//!
//! The rows of the tile are as many streams, which are asked for ahead ([`Supply::Rows`]). (Measured at 2000 x 2000: 1.4
//! times as fast as one statement after the other on strips that stay in the first level cache.)

use super::Nest;
use crate::live::statements;
use crate::plan::{Place, Planner};
use crate::simd::Form;
use crate::tile::points::universe;
use polytile_analysis::ids::StmtId;
use polytile_analysis::poly;
use polytile_analysis::tree::{Band, Branch, LoopKind, Supply, Tree};

/// Vectors side by side: each statement holds what stands still along the rows, so these take more registers than sums
/// alone would.
const VECTORS: u32 = 2;

impl Planner<'_> {
    /// The points of a cache tile, lanes around rows around the statements; the band has the lanes first. `None`: it is not
    /// legal, there is but one statement, or some have no lanes along the columns.
    pub(super) fn in_registers(
        &self,
        nest: &Nest,
        parts: &[Vec<StmtId>],
        band: &Band,
        place: &Place,
    ) -> poly::Result<Option<Tree>> {
        if parts.len() < 2 || nest.roles.form != Form::Direct {
            return Ok(None);
        }
        let (lane, row) = (band.schedule.at(0)?, band.schedule.at(1)?);
        for id in statements(self.scop, &place.domain)? {
            match self.needs(self.scop.stmt(id), &lane, place)? {
                Some(needs) if !needs.apart && needs.element as i64 == nest.element => {}
                _ => return Ok(None),
            }
        }
        let live = place.live.inside(&place.domain)?;
        let below = live.tied(&lane)?;
        if !live.coincident(&lane)? || !below.respects(&row)? {
            return Ok(None);
        }
        let mut branches = vec![];
        for part in parts {
            branches.push(Branch {
                filter: universe(self.scop, part, &place.domain)?,
                child: Tree::Leaf,
            });
        }
        let free = below.coincident(&row)?;
        let rows = Tree::looping(&row, LoopKind::Sequential, free, Tree::Sequence(branches))?;
        let kind = LoopKind::Lanes {
            lanes: nest.lanes,
            vectors: VECTORS,
            supply: Supply::Rows,
        };
        Ok(Some(Tree::looping(&lane, kind, true, rows)?))
    }
}
