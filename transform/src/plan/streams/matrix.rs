//! Which references of a nest are streams, and which statements meet in one.

use super::Sums;
use crate::cost::{Model, Reference};
use crate::plan::{Place, Planner};
use crate::simd::member_steps;
use polytile_analysis::ids::StmtId;
use polytile_analysis::poly;
use polytile_analysis::scev::Scev;
use polytile_analysis::scop::Scop;
use polytile_analysis::tree::Band;
use std::collections::BTreeMap;

impl Planner<'_> {
    /// The streams of each statement.
    pub(super) fn all_streams(
        &self,
        stmts: &[StmtId],
        band: &Band,
        place: &Place,
    ) -> poly::Result<Streams> {
        let model = Model::new(self.scop, &place.outer, band, &place.domain, &self.typical)?;
        let extents = model.map_or(vec![1, 1], |m| m.extents);
        let mut streams = Streams::new();
        for &id in stmts {
            let stmt = self.scop.stmt(id);
            let mut own = vec![];
            if let Some(steps) = member_steps(stmt, &place.outer, &band.schedule)? {
                for a in &stmt.accesses {
                    if let Some(Some(r)) = Reference::of(self.scop, stmt, a, &steps)? {
                        own.extend(Stream::of(self.scop, r, &extents));
                    }
                }
            }
            streams.insert(id, own);
        }
        Ok(streams)
    }
}

/// A reference that both members move: a matrix that is read or written once.
pub(super) struct Stream {
    reference: Reference,
    /// The member that moves it from row to row.
    pub(super) outer: usize,
    /// Bytes of a row.
    pub(super) row_bytes: i64,
}

impl Stream {
    fn of(scop: &Scop, reference: Reference, extents: &[i64]) -> Option<Stream> {
        let moves = |m: usize| reference.moves.iter().any(|d| d[m] != 0);
        if !moves(0) || !moves(1) {
            return None;
        }
        let outer = (0..2).find(|m| reference.stride(1 - m) == Some(1))?;
        let stride = scop.array(reference.array).strides.first();
        let stride = stride.and_then(Scev::as_constant);
        let row_bytes = match stride {
            Some(bytes) => bytes as i64,
            None => extents[1 - outer] * reference.element as i64,
        };
        Some(Stream {
            outer,
            row_bytes: row_bytes.max(1),
            reference,
        })
    }
}

/// By statement.
pub(super) type Streams = BTreeMap<StmtId, Vec<Stream>>;

/// Pairs of statements that touch the same elements in the same iterations of both members.
pub(super) fn sharing(streams: &Streams) -> Vec<(StmtId, StmtId)> {
    let same = |a: &Stream, b: &Stream| a.reference == b.reference;
    pairs(streams, same)
}

/// Pairs of sums that walk over the same matrix, each in its direction.
pub(super) fn crossing(streams: &Streams, sums: &Sums) -> Vec<(StmtId, StmtId)> {
    let same = |a: &Stream, b: &Stream| a.reference.array == b.reference.array;
    let all = pairs(streams, same).into_iter();
    all.filter(|(s, t)| sums.contains_key(s) && sums.contains_key(t))
        .collect()
}

/// Pairs of statements with streams of this kind.
fn pairs(streams: &Streams, same: impl Fn(&Stream, &Stream) -> bool) -> Vec<(StmtId, StmtId)> {
    let mut found = vec![];
    for (s, own) in streams {
        for (t, others) in streams.range(s..).skip(1) {
            if own.iter().any(|a| others.iter().any(|b| same(a, b))) {
                found.push((*s, *t));
            }
        }
    }
    found
}
