//! Memory sets and copies as statements over the elements of their range.
//!
//! A range is walked by loops of its own, one per dimension that it spans, so that subscripts stay inside their rows:
//!
//! ```text
//! double A[n][m];
//! memset(A, 0, 8*n*m)         for e0 < n: for e1 < m: A[e0][e1] = 0
//! memset(&A[i][2], 0, 8*k)    for e0 < k: A[i][2 + e0] = 0
//! ```
//!
//! What is only copied has the elements and the shape of the other side of a copy ([`super::memory`]).
//!
//! The length is split the way an offset is (mixed radix, [`super::shape`]): a number of whole rows, or of elements.

use super::assemble::Built;
use super::memory::Memory;
use super::model::Model;
use super::polynomial::{Poly, digit_text};
use super::reject::{Reject, RejectKind};
use super::shape::Shape;
use super::values::{Read, Target, Tree};
use crate::body::NodeKind;
use crate::ids::{BlockId, LoopId};
use crate::poly::{DimType, Map, Set};
use crate::region::{Address, Def, InstKind, Ty};
use crate::scev::{Scev, ScevKind, Wrap};
use crate::scop::AssumptionKind;

/// The loops over a range, outermost first.
pub(super) struct Walk {
    /// The dimension of the array that each walks along, and how often it runs, as text over the nest.
    loops: Vec<(usize, String)>,
    shape: Shape,
}

/// A length in bytes.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Length {
    /// A polynomial.
    Poly(Poly),
    /// Affine, but with minima or maxima.
    Text(String),
}

/// How the elements of a range are walked; `None` if it does not consist of whole rows or elements.
pub(super) fn walk(
    model: &Model,
    (shape, element): (&Shape, i128),
    start: &Poly,
    len: &Length,
    nest: &[LoopId],
) -> Option<Walk> {
    let last = shape.dims() - 1;
    let along = |loops| {
        let shape = shape.clone();
        Some(Walk { loops, shape })
    };
    let len = match len {
        Length::Poly(len) => len,
        Length::Text(bytes) => return along(vec![(last, format!("floor(({bytes})/{element})"))]),
    };
    let digits = shape.digits(&model.params, len)?;
    let used: Vec<usize> = (0..=last).filter(|d| !digits[*d].is_empty()).collect();
    let from = shape.digits(&model.params, start)?;
    match used[..] {
        // Whole rows, from the beginning of one.
        [d] if d < last && from[d + 1..].iter().all(|f| f.is_empty()) => {
            let extents = shape.extents(model)?;
            let mut loops = vec![(d, digit_text(&digits[d], model, nest)?)];
            loops.extend((d + 1..=last).map(|d| (d, extents[d - 1].clone())));
            if loops[0].1 == "1" {
                loops.remove(0);
            }
            along(loops)
        }
        _ => {
            let line = Shape::line(element).digits(&model.params, len)?;
            along(vec![(last, digit_text(&line[0], model, nest)?)])
        }
    }
}

impl Walk {
    /// Offset, nest and iterations of the elements of a range that begins at `start`; `first` is the first of its loops.
    pub fn elements(
        &self,
        model: &Model,
        start: &Poly,
        (nest, first): (&[LoopId], LoopId),
        domain: &Set,
    ) -> Result<(Poly, Vec<LoopId>, Set), Reject> {
        let (mut poly, mut nest) = (start.clone(), nest.to_vec());
        let mut bounds = vec!["true".to_owned()];
        for (k, (d, count)) in self.loops.iter().enumerate() {
            let element = LoopId::from(first.index() + k);
            poly = poly.plus_step(self.shape.stride(*d), element);
            bounds.push(format!("0 <= i{} < {count}", nest.len()));
            nest.push(element);
        }
        let inside = model.set(nest.len(), &bounds.join(" and "))?;
        let domain = domain.add_dims(DimType::Set, self.loops.len())?;
        Ok((poly, nest, domain.intersect(&inside)?))
    }

    /// An address that moves with the loops over the range.
    fn address(&self, model: &Model, start: &Address, first: LoopId) -> Address {
        let (strides, _) = self.shape.scevs(model);
        let mut offset = start.offset.clone();
        for (k, (d, _)) in self.loops.iter().enumerate() {
            let kind = ScevKind::AddRec {
                loop_: LoopId::from(first.index() + k),
                operands: vec![offset, strides[*d].clone()],
                wrap: Wrap::default(),
            };
            offset = Scev { width: 64, kind };
        }
        Address {
            base: start.base,
            offset,
        }
    }
}

/// A memory set or copy as a statement over its elements, and the number of its loops; `None` for other instructions.
pub(super) fn statement(
    model: &mut Model,
    memory: &Memory,
    (b, i): (BlockId, usize),
    first: LoopId,
) -> Result<Option<(Built, usize)>, Reject> {
    let region = model.region;
    let inst = &region.block(b).insts[i];
    let reject = || Reject::at_inst(RejectKind::Instruction, b, inst.id);
    let (to, len, source) = match &inst.kind {
        InstKind::Memset { addr, len, byte } => match region.value(*byte).def {
            Def::IntConst(c) => (addr, len, Err(c as u8)),
            _ => return Err(reject()),
        },
        InstKind::Memcpy { dst, src, len } => (dst, len, Ok(src)),
        _ => return Ok(None),
    };
    let ty = memory.elements[&to.base];
    let size = i128::from(ty.bytes());
    let nest = region.loop_nest(b);
    let (length, bytes) = length(model, len, b)?.ok_or_else(reject)?;
    ragged(model, &bytes, size, b)?;
    // A copy is walked along one dimension of both sides, or as both sides have rows of one size.
    let mut walks = vec![];
    for a in std::iter::once(to).chain(source.ok()) {
        if memory.elements[&a.base].bytes() != ty.bytes() {
            return Err(reject());
        }
        let start = super::memory::polynomial(model, &a.offset, b)?.map_err(|_| reject())?;
        let shape = (&memory.shapes[&a.base], size);
        let walk = walk(model, shape, &start, &length, &nest).ok_or_else(reject)?;
        let (_, nest, domain) =
            walk.elements(model, &start, (&nest, first), &model.domain(b).clone())?;
        walks.push((a, walk, nest, domain));
    }
    let (_, _, nest, domain) = &walks[0];
    let mut cells = vec![];
    for (a, walk, own, range) in &walks {
        if own != nest || !range.is_equal(domain)? {
            return Err(reject());
        }
        let address = walk.address(model, a, first);
        let cell = memory.cell_within(model, &address, ty, nest, domain)?;
        cells.push(cell.ok_or_else(reject)?);
    }
    let mut tree = Tree::default();
    let kind = match source {
        Err(byte) => NodeKind::Bits(u64::from_le_bytes([byte; 8]) & mask(ty)),
        Ok(_) => {
            tree.reads.push(Read::Cell(cells.remove(1), None));
            NodeKind::Read(1)
        }
    };
    tree.body.root = tree.body.push(ty, kind);
    let mut at = model.time(b, i);
    let loops = nest.len() - at.nest.len();
    at.nest.clone_from(nest);
    at.beta.extend(vec![0; loops]);
    let built = Built {
        at,
        domain: domain.clone(),
        target: Target::Cell(cells.remove(0)),
        tree,
        ty,
        inst: None,
        may: false,
    };
    Ok(Some((built, loops)))
}

/// The elements that a memory set fills, by iteration of its nest; `None` for other instructions.
pub(super) fn filled(
    model: &mut Model,
    memory: &Memory,
    (b, i): (BlockId, usize),
) -> Result<Option<Map>, Reject> {
    let region = model.region;
    let first = LoopId::from(region.loops.len());
    let Some((built, loops)) = statement(model, memory, (b, i), first)? else {
        return Ok(None);
    };
    let Target::Cell(cell) = &built.target else {
        return Ok(None);
    };
    let elements = cell.relation.intersect_domain(&built.domain)?;
    let around = region.loop_nest(b).len();
    Ok(Some(elements.project_out(DimType::In, around, loops)?))
}

/// A length as a polynomial or text; what it takes for granted is recorded.
pub(super) fn length(
    model: &mut Model,
    len: &Scev,
    b: BlockId,
) -> Result<Option<(Length, Option<String>)>, Reject> {
    let nest = model.region.loop_nest(b);
    let domain = model.domain(b).clone();
    let text = model.text(len, &nest, &domain)?;
    Ok(match (super::memory::polynomial(model, len, b)?, text) {
        (Ok(poly), text) if poly.is_linear() => Some((Length::Poly(poly), text)),
        (_, Some(text)) => Some((Length::Text(text.clone()), Some(text))),
        (_, None) => None,
    })
}

/// Forbids lengths that are no whole number of elements. Those that are polynomials consist of whole elements.
fn ragged(model: &mut Model, bytes: &Option<String>, size: i128, b: BlockId) -> Result<(), Reject> {
    let Some(bytes) = bytes else { return Ok(()) };
    let depth = model.region.loop_nest(b).len();
    let rest = model.set(depth, &format!("({bytes}) mod {size} > 0"))?;
    let bad = model.domain(b).intersect(&rest)?.params()?;
    model.forbid(bad, AssumptionKind::Stride)
}

fn mask(ty: Ty) -> u64 {
    match ty.bytes() {
        8.. => u64::MAX,
        n => (1 << (8 * n)) - 1,
    }
}
