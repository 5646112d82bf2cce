//! PHIs that begin with a constant and then hold what was stored one or two iterations before.
//!
//! ```text
//! y = 0;                              // y = phi [0], [next]
//! for j { a[j] = f(y); y = a[j]; }    // y is 0 where j = 0, the content of a[j-1] where j >= 1
//! ```
//!
//! No cell holds such a value in all iterations, but each iteration has a rule. A statement that reads the PHI is split into
//! copies for the parts of its iterations ([`super::values::Stop::Split`]; index-set splitting), and no scalar is left. The
//! rule of a PHI of a PHI (distance two) is the other's, one iteration later.

use super::holds::one_back;
use super::memory::Cell;
use super::reject::Reject;
use super::values::{Meaning, Values};
use crate::ids::{LoopId, ValueId};
use crate::poly::{Map, Set};
use crate::region::{Address, Def, InstKind};

/// More pieces make more copies of statements than they save.
const MAX_PIECES: usize = 3;

/// What a PHI is in some iterations.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    /// Iterations of the PHI's loop and those around it.
    pub domain: Set,
    pub what: Known,
}

/// A value that is known.
#[derive(Clone, Debug)]
pub(super) enum Known {
    /// A value from before the region.
    Value(ValueId),
    /// The content of a cell at the beginning of the iteration.
    Cell(Cell),
}

impl Values<'_, '_> {
    /// The pieces of a header PHI of `l` that begins with `init` and goes on with `next`.
    pub(super) fn pieces(
        &mut self,
        l: LoopId,
        init: ValueId,
        next: ValueId,
    ) -> Result<Option<Vec<Piece>>, Reject> {
        if matches!(self.model.region.value(init).def, Def::Inst(_)) {
            return Ok(None);
        }
        let header = self.model.region.loop_(l).header;
        let domain = self.model.domain(header).clone();
        let depth = domain.tuple_dim();
        let part = |cond: &str| -> Result<Set, Reject> {
            let bound = self.model.set(depth, &format!("i{} {cond}", depth - 1))?;
            Ok(domain.intersect(&bound)?)
        };
        let (first, later) = (part("= 0")?, part(">= 1")?);
        let mut all = vec![Piece {
            domain: first,
            what: Known::Value(init),
        }];
        match self.others_pieces(l, next)? {
            Some(pieces) => {
                for p in pieces {
                    let domain = self.one_later(&p.domain)?.intersect(&later)?;
                    match p.what {
                        Known::Value(_) => all.push(Piece { domain, ..p }),
                        Known::Cell(cell) => {
                            let begin = self.model.begin(header);
                            let Some(moved) = self.earlier(l, &cell, &begin, &domain)? else {
                                return Ok(None);
                            };
                            let what = Known::Cell(moved);
                            all.push(Piece { domain, what });
                        }
                    }
                }
            }
            None => {
                let Some(cell) = self.stored_earlier(l, next, &later)? else {
                    return Ok(None);
                };
                let what = Known::Cell(cell);
                all.push(Piece {
                    domain: later,
                    what,
                });
            }
        }
        Ok((all.len() <= MAX_PIECES).then_some(all))
    }

    /// The pieces of the next value, if that is another PHI of the loop.
    fn others_pieces(&mut self, l: LoopId, v: ValueId) -> Result<Option<Vec<Piece>>, Reject> {
        let header = self.model.region.loop_(l).header;
        let Some((block, _, inst)) = self.inst(v) else {
            return Ok(None);
        };
        if block != header || !matches!(inst.kind, InstKind::Phi(_)) || self.active.contains(&v) {
            return Ok(None);
        }
        match self.meaning(v)? {
            Meaning::Pieces(pieces, _) => Ok(Some(pieces)),
            _ => Ok(None),
        }
    }

    /// The cell that holds `next` since the iteration before.
    fn stored_earlier(
        &mut self,
        l: LoopId,
        next: ValueId,
        later: &Set,
    ) -> Result<Option<Cell>, Reject> {
        let header = self.model.region.loop_(l).header;
        let nest = self.model.region.loop_nest(header);
        let domain = self.model.domain(header).clone();
        for hold in self.holds(next)? {
            if hold.cell.nest == nest
                && domain.is_subset(&hold.domain)?
                && let Some(cell) = self.earlier(l, &hold.cell, &hold.at, later)?
            {
                return Ok(Some(cell));
            }
        }
        Ok(None)
    }

    /// The cell of an iteration before, at the beginning of these iterations, if it was left alone since `at`.
    fn earlier(
        &mut self,
        l: LoopId,
        cell: &Cell,
        at: &super::model::Time,
        domain: &Set,
    ) -> Result<Option<Cell>, Reject> {
        let Some(offset) = one_back(&cell.address.offset, l) else {
            return Ok(None);
        };
        let base = cell.address.base;
        let address = Address { base, offset };
        let memory = self.memory;
        let moved = memory.cell_within(self.model, &address, cell.ty, &cell.nest, domain)?;
        let Some(moved) = moved else {
            return Ok(None);
        };
        let begin = self.model.begin(self.model.region.loop_(l).header);
        let left = memory.undisturbed(self.model, (at, true), &begin, &moved, domain)?;
        Ok(left.then_some(moved))
    }

    /// The iterations after these.
    fn one_later(&self, domain: &Set) -> Result<Set, Reject> {
        let depth = domain.tuple_dim();
        let mut to: Vec<String> = (0..depth).map(|d| format!("i{d}")).collect();
        let from = to.join(", ");
        to[depth - 1].push_str(" + 1");
        let text = format!(
            "{}{{ [{from}] -> [{}] }}",
            self.model.params.prefix(),
            to.join(", ")
        );
        Ok(domain.apply(&Map::parse(&self.model.ctx, &text)?)?)
    }
}
