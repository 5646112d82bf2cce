//! Rows of tiles of which each waits for those before it, in the order that differs most from the program's.
//!
//! The last row that may go on always does: it gets as near as it may to the rows that it waits for.
//!
//! ```text
//! rows 0, 1, 2 of tiles 0, 1:     (0,0) (1,0) (2,0) (0,1) (1,1) (2,1)
//! ```

use super::machine::{Effect, Machine};
use super::{Fault, MAX_INSTANCES};
use polytile_analysis::ast::{Ast, For, ForKind};
use polytile_analysis::ids::ArrayId;
use polytile_analysis::tree::Distribution;

/// What is left of a row.
struct Row {
    /// Value of its iterator.
    at: i64,
    /// Values of the iterator of its tiles, the next one last.
    tiles: Vec<i64>,
}

/// For a loop over such rows: the arrays of which each thread has a copy.
pub(super) fn pipelined(l: &For) -> Option<&[ArrayId]> {
    match &l.kind {
        ForKind::Parallel {
            distribution: Distribution::Pipelined,
            private,
            ..
        } => Some(private),
        _ => None,
    }
}

impl<E: Effect> Machine<'_, E> {
    /// Runs all rows of a loop.
    pub(super) fn pipeline(&mut self, l: &For, private: &[ArrayId]) -> Result<(), Fault> {
        let stage = l.body.stage().ok_or(Fault::NoTiles)?;
        let (first, count, step) = self.range(l)?;
        let mut rows = vec![];
        for n in 0..count {
            let at = first + n * step;
            self.iterators.insert(l.iter, at);
            let tiles = self.tiles(&l.body)?;
            rows.push(Row { at, tiles });
        }
        while let Some((at, tile)) = next(&mut rows) {
            self.iterators.insert(l.iter, at);
            self.iterators.insert(stage.iter, tile);
            self.effect.thread(private);
            self.run(&stage.body)?;
        }
        self.iterators.remove(&l.iter);
        self.iterators.remove(&stage.iter);
        Ok(())
    }

    /// The tiles of the current row, the first one last.
    fn tiles(&self, row: &Ast) -> Result<Vec<i64>, Fault> {
        match row {
            Ast::If { cond, .. } if self.value(cond)? == 0 => Ok(vec![]),
            Ast::If { then, .. } => self.tiles(then),
            Ast::For(l) => {
                let (first, count, step) = self.range(l)?;
                if count > MAX_INSTANCES as i64 {
                    return Err(Fault::Endless);
                }
                Ok((0..count).rev().map(|n| first + n * step).collect())
            }
            _ => Err(Fault::NoTiles),
        }
    }
}

/// The next tile of the last row that need not wait.
fn next(rows: &mut [Row]) -> Option<(i64, i64)> {
    let mut found = None;
    let mut open = i64::MAX;
    for (n, row) in rows.iter().enumerate() {
        let Some(&tile) = row.tiles.last() else {
            continue;
        };
        if tile < open {
            found = Some(n);
        }
        open = open.min(tile);
    }
    let row = &mut rows[found?];
    Some((row.at, row.tiles.pop().expect("a tile is left")))
}
