//! References to memory as functions of band members.

use polytile_analysis::ids::ArrayId;
use polytile_analysis::poly::{self, DimType};
use polytile_analysis::scop::{Access, Place, Scop, Stmt};

/// Bytes that memory moves at once.
const LINE: u64 = 64;

/// References to one array that move alike; they differ by constants.
#[derive(Clone, Debug, PartialEq)]
pub struct Reference {
    /// The array.
    pub array: ArrayId,
    /// Per dimension of the array: elements moved by one step of each member.
    pub moves: Vec<Vec<i64>>,
    /// Bytes of an element.
    pub element: u64,
}

impl Reference {
    /// The reference of an access, with members that move the iterators by `steps`; `None` if it is not affine. Scalars
    /// are no memory traffic: `Some(None)`.
    pub fn of(
        scop: &Scop,
        stmt: &Stmt,
        access: &Access,
        steps: &[Option<Vec<i64>>],
    ) -> poly::Result<Option<Option<Reference>>> {
        if access.place == Place::Scalar {
            return Ok(Some(None));
        }
        let Some(subscripts) = subscripts(stmt, access)? else {
            return Ok(None);
        };
        let along = |row: &Vec<i64>, step: &Option<Vec<i64>>| match step {
            Some(s) => row.iter().zip(s).map(|(a, b)| a * b).sum(),
            None => 0,
        };
        let moves = subscripts
            .iter()
            .map(|row| steps.iter().map(|s| along(row, s)).collect())
            .collect();
        Ok(Some(Some(Reference {
            array: access.array,
            moves,
            element: scop.array(access.array).ty.bytes().max(1),
        })))
    }

    /// Bytes touched by a box with these extents.
    pub fn bytes(&self, extents: &[i64]) -> f64 {
        let mut total = 1.0;
        for (d, row) in self.moves.iter().enumerate() {
            let span: i64 = row
                .iter()
                .zip(extents)
                .map(|(c, e)| c.abs() * (e - 1))
                .sum();
            let elements = (span + 1) as f64;
            total *= match d + 1 == self.moves.len() {
                true => (elements * self.element as f64 / LINE as f64).ceil() * LINE as f64,
                false => elements,
            };
        }
        total.max(LINE as f64)
    }

    /// Elements between two iterations of a member along the contiguous dimension; `None` if it moves another one.
    pub fn stride(&self, member: usize) -> Option<i64> {
        let (last, outer) = self.moves.split_last()?;
        outer
            .iter()
            .all(|row| row[member] == 0)
            .then_some(last[member])
    }
}

/// The coefficients of the subscripts over the iterators; rows of a window are as good as one ([`Access::moving_subscripts`]).
fn subscripts(stmt: &Stmt, access: &Access) -> poly::Result<Option<Vec<Vec<i64>>>> {
    if !access.relation.is_function()? {
        return Ok(None);
    }
    let function = access.relation.as_pw_multi_aff()?;
    let mut all = vec![];
    for d in 0..function.dim(DimType::Out) {
        let pa = function.at(d)?;
        if !pa.isa_aff()? {
            return Ok(None);
        }
        let aff = pa.as_aff()?;
        if aff.involves_locals()? || aff.denominator()? != 1 {
            if !matches!(access.place, Place::Temporary(_)) {
                return Ok(None);
            }
            all.push(vec![0; stmt.depth()]);
            continue;
        }
        let row = (0..stmt.depth()).map(|i| aff.coefficient(DimType::In, i));
        all.push(row.collect::<poly::Result<Vec<i64>>>()?);
    }
    Ok(Some(all))
}
