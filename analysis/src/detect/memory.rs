//! Memory accesses of a region: cells as relations, and whether something writes a cell in between.

use super::affine::Affine;
use super::model::{Model, Time, iterators};
use super::reject::{Reject, RejectKind};
use super::shape::{Poly, Shape};
use crate::ids::{BaseId, BlockId, LoopId};
use crate::poly::{DimType, Map, Set};
use crate::region::{Address, InstKind, Ty};
use crate::scop::AssumptionKind;
use std::collections::BTreeMap;

/// A cell as a function of the iterators of a nest.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    pub address: Address,
    pub ty: Ty,
    pub nest: Vec<LoopId>,
    /// `[i0, ..] -> [subscripts]`.
    pub relation: Map,
}

/// A write of the region.
struct Write {
    at: Time,
    domain: Set,
    base: BaseId,
    relation: Map,
}

/// All memory accesses of a region.
pub(super) struct Memory {
    pub shapes: BTreeMap<BaseId, Shape>,
    pub elements: BTreeMap<BaseId, Ty>,
    writes: Vec<Write>,
}

/// An access as the instruction has it.
struct Raw {
    block: BlockId,
    address: Address,
    ty: Option<Ty>,
}

impl Memory {
    pub fn new(model: &mut Model) -> Result<Memory, Reject> {
        let raw = raw_accesses(model);
        let elements = element_types(model, &raw)?;
        let mut offsets: BTreeMap<BaseId, Vec<Poly>> = BTreeMap::new();
        for a in &raw {
            let poly = polynomial(model, &a.address, a.block)?;
            offsets.entry(a.address.base).or_default().push(poly);
        }
        let mut memory = Memory {
            shapes: BTreeMap::new(),
            elements,
            writes: vec![],
        };
        for (base, list) in &offsets {
            let element = i128::from(memory.elements[base].bytes());
            let shape = Shape::of(&list.iter().collect::<Vec<_>>(), element);
            let shape = memory.fitting(model, *base, shape, list, &raw)?;
            memory.shapes.insert(*base, shape);
        }
        memory.collect_writes(model)?;
        Ok(memory)
    }

    /// The shape if every access has subscripts in it that can be inside their rows; else one dimension.
    fn fitting(
        &self,
        model: &mut Model,
        base: BaseId,
        shape: Shape,
        offsets: &[Poly],
        raw: &[Raw],
    ) -> Result<Shape, Reject> {
        let line = Shape::line(i128::from(self.elements[&base].bytes()));
        let Some(extents) = shape.extents(model) else {
            return Ok(line);
        };
        let mut bad: Vec<Set> = vec![];
        for (poly, a) in offsets
            .iter()
            .zip(raw.iter().filter(|a| a.address.base == base))
        {
            let nest = model.region.loop_nest(a.block);
            let Some(subscripts) = shape.subscripts(poly, model, &nest) else {
                return Ok(line);
            };
            let domain = model.domain(a.block).clone();
            for (s, n) in subscripts.iter().skip(1).zip(&extents) {
                let outside = model.set(nest.len(), &format!("{s} < 0 or {s} >= {n}"))?;
                bad.push(domain.intersect(&outside)?.params()?);
            }
        }
        let mut allowed = model.set(0, "true")?.params()?;
        for b in &bad {
            allowed = allowed.subtract(b)?;
        }
        if allowed.is_empty()? {
            return Ok(line);
        }
        for b in bad {
            model.forbid(b, AssumptionKind::InBounds)?;
        }
        Ok(shape)
    }

    /// The cell of an address over a nest.
    pub fn cell(
        &self,
        model: &Model,
        address: &Address,
        ty: Ty,
        nest: &[LoopId],
    ) -> Result<Cell, Reject> {
        let fail = || {
            Reject::new(RejectKind::Subscript(
                model.region.bases[address.base.index()].name.clone(),
            ))
        };
        let mut affine = Affine::new(&model.params, nest);
        let poly = Poly::of(&address.offset, &mut affine).map_err(|_| fail())?;
        let subscripts = self.shapes[&address.base]
            .subscripts(&poly, model, nest)
            .ok_or_else(fail)?;
        let text = format!(
            "{}{{ [{}] -> [{}] }}",
            model.params.prefix(),
            iterators(nest.len()),
            subscripts.join(", ")
        );
        let relation = Map::parse(&model.ctx, &text)?;
        Ok(Cell {
            address: address.clone(),
            ty,
            nest: nest.to_vec(),
            relation,
        })
    }

    /// Number of dimensions of an array.
    pub fn dims(&self, base: BaseId) -> usize {
        self.shapes[&base].dims()
    }

    fn collect_writes(&mut self, model: &mut Model) -> Result<(), Reject> {
        let region = model.region;
        for (b, block) in region.blocks.iter().enumerate() {
            let b = BlockId::from(b);
            for (i, inst) in block.insts.iter().enumerate() {
                let (address, whole) = match &inst.kind {
                    InstKind::Store { addr, .. } => (addr, false),
                    InstKind::Memset { addr, .. } => (addr, true),
                    InstKind::Memcpy { dst, .. } => (dst, true),
                    _ => continue,
                };
                let nest = region.loop_nest(b);
                let relation = match whole {
                    false => {
                        self.cell(model, address, self.elements[&address.base], &nest)?
                            .relation
                    }
                    // A range of elements: all of the array, to be safe.
                    true => {
                        let dims: Vec<String> = (0..self.dims(address.base))
                            .map(|d| format!("a{d}"))
                            .collect();
                        let from = iterators(nest.len());
                        let text = format!(
                            "{}{{ [{from}] -> [{}] }}",
                            model.params.prefix(),
                            dims.join(", ")
                        );
                        Map::parse(&model.ctx, &text)?
                    }
                };
                let domain = model.domain(b).clone();
                self.writes.push(Write {
                    at: model.time(b, i),
                    domain,
                    base: address.base,
                    relation,
                });
            }
        }
        Ok(())
    }

    /// Whether nothing writes the cell after `from` and before `to`, for the iterations `domain` of `to`'s nest. `from`
    /// runs in a prefix of that nest; with `back`, one iteration of its innermost loop earlier. `cell` is over a prefix of
    /// the nest, taken at `to`'s iterators.
    pub fn undisturbed(
        &self,
        model: &Model,
        (from, back): (&Time, bool),
        to: &Time,
        cell: &Cell,
        domain: &Set,
    ) -> Result<bool, Reject> {
        let depth = domain.tuple_dim();
        let after = model.time_map(from, depth, back)?;
        let before = model.time_map(to, depth, false)?;
        let times = after.range()?.space()?;
        let between = after
            .apply_range(&Map::lex_lt(&times)?)?
            .intersect(&before.apply_range(&Map::lex_gt(&times)?)?)?;
        let element = over(&cell.relation, depth)?;
        for w in self.writes.iter().filter(|w| w.base == cell.address.base) {
            let moment = model.time_map(&w.at, w.at.nest.len(), false)?;
            let meets = between
                .apply_range(&moment.reverse()?)?
                .intersect(&element.apply_range(&w.relation.reverse()?)?)?
                .intersect_domain(domain)?
                .intersect_range(&w.domain)?;
            if !meets.is_empty()? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// A map from a prefix of a nest as one from the whole nest.
pub(super) fn over(relation: &Map, depth: usize) -> Result<Map, Reject> {
    let have = relation.dim(DimType::In);
    Ok(relation.add_dims(DimType::In, depth - have)?)
}

fn raw_accesses(model: &Model) -> Vec<Raw> {
    let mut all = vec![];
    for (b, block) in model.region.blocks.iter().enumerate() {
        let block_id = BlockId::from(b);
        let mut push = |address: &Address, ty: Option<Ty>| {
            all.push(Raw {
                block: block_id,
                address: address.clone(),
                ty,
            });
        };
        for inst in &block.insts {
            match &inst.kind {
                InstKind::Load { addr, ty } | InstKind::Store { addr, ty, .. } => {
                    push(addr, Some(*ty))
                }
                InstKind::Memset { addr, .. } => push(addr, None),
                InstKind::Memcpy { dst, src, .. } => {
                    push(dst, None);
                    push(src, None);
                }
                _ => {}
            }
        }
    }
    all
}

/// One element type per array.
fn element_types(model: &Model, raw: &[Raw]) -> Result<BTreeMap<BaseId, Ty>, Reject> {
    let mut found: BTreeMap<BaseId, Ty> = BTreeMap::new();
    for a in raw {
        let Some(ty) = a.ty else { continue };
        let known = *found.entry(a.address.base).or_insert(ty);
        if known.bytes() != ty.bytes() {
            let name = model.region.bases[a.address.base.index()].name.clone();
            return Err(Reject::at_block(RejectKind::ElementSizes(name), a.block));
        }
    }
    for a in raw {
        found.entry(a.address.base).or_insert(Ty::Int(8));
    }
    Ok(found)
}

fn polynomial(model: &mut Model, address: &Address, block: BlockId) -> Result<Poly, Reject> {
    let region = model.region;
    let nest = region.loop_nest(block);
    let mut affine = Affine::new(&model.params, &nest);
    let poly = Poly::of(&address.offset, &mut affine).map_err(|_| {
        Reject::at_block(
            RejectKind::Subscript(region.bases[address.base.index()].name.clone()),
            block,
        )
    })?;
    let suspicions = affine.suspicions;
    let domain = model.domain(block).clone();
    model.record(suspicions, &domain)?;
    Ok(poly)
}
