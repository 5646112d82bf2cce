//! Two sums that read the same elements of a matrix in the same iterations, one along its rows and one down its columns: a
//! square of rows is loaded once for both.
//!
//! ```text
//! for i: for j: { q[i] += A[i][j] * p[j];  s[j] += A[i][j] * r[i] }
//!
//! for i in steps of 16: for j in steps of L (one vector):
//!   { q += A p on the square;  s += A^T r on the square }
//! ```
//!
//! The first has its lanes along `i` and transposes what it loads; the second has them along `j`, so it takes the rows as they were
//! loaded. Code generation keeps `q` in registers from square to square (`codegen/src/tile/shared.rs`), which needs
//! that neither statement touches what the other writes; each column is one vector wide, so the second loads and stores its sums once
//! in 16 rows, as on wider strips. Where one sum needs all of the other (`t = A x; y = A^T t`) there is no such order.

use super::{Nest, ROWS};
use crate::plan::{Place, Planner};
use crate::simd::Form;
use crate::tile::{BandTiling, Size, tile_band};
use polytile_analysis::ids::StmtId;
use polytile_analysis::poly::{self, Map, UnionPwAff};
use polytile_analysis::scop::{Access, Stmt};
use polytile_analysis::tree::{Band, Tree};

/// Vector registers besides the rows of two squares and the sums: what a transpose has under way, factors.
const SPARE: u32 = 6;

impl Planner<'_> {
    /// Lanes of the squares that two sums can share, if they can.
    pub(super) fn shared_square(
        &self,
        nests: &[(Nest, StmtId)],
        place: &Place,
        (row, column): (&UnionPwAff, &UnionPwAff),
    ) -> poly::Result<Option<i64>> {
        let [(along, s), (down, t)] = nests else {
            return Ok(None);
        };
        let forms = (along.roles.form, down.roles.form);
        let alike = along.lanes == down.lanes && along.element == down.element;
        let registers = (along.vectors * along.lanes) + along.vectors + SPARE;
        if forms != (Form::Transposed, Form::Direct)
            || !alike
            || along.width() != ROWS
            || registers > self.target.vector.registers
            || !place.live.edges().is_empty()
        {
            return Ok(None);
        }
        let (s, t) = (self.scop.stmt(*s), self.scop.stmt(*t));
        let apart = |a: &Stmt, b: &Stmt| a.accesses.iter().all(|x| x.array != b.write().array);
        if !apart(s, t) || !apart(t, s) {
            return Ok(None);
        }
        for a in s.reads() {
            for b in t.reads() {
                if (a.array, a.ty) == (b.array, b.ty)
                    && by_square(s, a, place, (row, column))?.is_equal(&by_square(
                        t,
                        b,
                        place,
                        (row, column),
                    )?)?
                {
                    return Ok(Some(i64::from(along.lanes)));
                }
            }
        }
        Ok(None)
    }

    /// Squares of `lanes` columns in blocks of rows; blocks of rows of threads are around them already.
    pub(super) fn squares(
        &mut self,
        (row, column): (&UnionPwAff, &UnionPwAff),
        lanes: i64,
        sums: Tree,
        blocks: bool,
    ) -> poly::Result<Tree> {
        let rows: &[&UnionPwAff] = match blocks {
            true => &[column],
            false => &[row, column],
        };
        let sizes = [ROWS, lanes].map(Size::Const);
        let tiling = BandTiling {
            levels: vec![sizes[2 - rows.len()..].to_vec()],
            points: Some(sums),
            ..BandTiling::default()
        };
        let band = Band::of_rows(rows, true, Tree::Leaf)?;
        Ok(tile_band(&band, &tiling, &mut self.sizes))
    }
}

/// The elements of an access by row and column.
fn by_square(
    stmt: &Stmt,
    access: &Access,
    place: &Place,
    (row, column): (&UnionPwAff, &UnionPwAff),
) -> poly::Result<Map> {
    let here = place.domain.extract_set(&stmt.domain.space()?)?;
    let universe = stmt.domain.to_union_set()?.universe_of()?;
    let of = |row: &UnionPwAff| -> poly::Result<Map> {
        let own = row.intersect_domain(&universe)?.pw_affs()?;
        Map::from_pw_aff(&own[0])
    };
    let rows = of(row)?.flat_range_product(&of(column)?)?;
    access.relation.intersect_domain(&here)?.apply_domain(&rows)
}
