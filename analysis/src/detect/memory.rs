//! Memory accesses of a region: cells as relations, and whether something writes a cell in between.

use super::affine::{Affine, NotAffine};
use super::assume;
use super::bases;
use super::between::Ends;
use super::bulk::{self, Length};
use super::chains;
use super::choices::tuple;
use super::fits;
use super::model::{Model, Time, iterators};
use super::numbers;
use super::polynomial::{Poly, digit_text};
use super::ranges;
use super::reject::{Reject, RejectKind};
use super::rows::{Outside, Rows};
use super::shape::{Fit, Shape};
use crate::ids::{BaseId, BlockId, LoopId, ValueId};
use crate::poly::{self, DimType, Fixed, Map, PerSet, Set};
use crate::region::{Address, InstKind, Region, Ty};
use crate::scev::Scev;
use crate::scop::AssumptionKind;
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

/// A cell as a function of the iterators of a nest.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    pub address: Address,
    pub ty: Ty,
    pub nest: Vec<LoopId>,
    /// `[i0, ..] -> [subscripts]`.
    pub relation: Map,
}

/// An access of the region.
#[derive(Clone)]
struct Touch {
    at: Time,
    domain: Set,
    base: BaseId,
    relation: Map,
    /// Subscripts that are numbers.
    fixed: Fixed,
    /// From elements to the instances that access them, once it was asked for.
    instances: OnceCell<Map>,
    /// The instruction; none for a write of our own.
    inst: Option<ValueId>,
}

impl Touch {
    fn new(
        (at, inst): (Time, Option<ValueId>),
        domain: Set,
        (base, relation): (BaseId, Map),
    ) -> poly::Result<Touch> {
        Ok(Touch {
            fixed: Fixed::of(&relation, &[DimType::Out])?,
            instances: OnceCell::new(),
            at,
            domain,
            base,
            relation,
            inst,
        })
    }

    fn instances(&self) -> poly::Result<&Map> {
        if self.instances.get().is_none() {
            let instances = self.relation.reverse()?.intersect_range(&self.domain)?;
            let _ = self.instances.set(instances);
        }
        Ok(self.instances.get().expect("it was set above"))
    }
}

/// All memory accesses of a region.
pub(super) struct Memory {
    pub shapes: BTreeMap<BaseId, Shape>,
    pub elements: BTreeMap<BaseId, Ty>,
    /// The subscripts of every offset.
    places: BTreeMap<(BaseId, Poly), Vec<String>>,
    /// Parameter values for which all subscripts stay in their rows.
    allowed: Set,
    rows: Rows,
    writes: Vec<Touch>,
    reads: Vec<Touch>,
}

/// An access as the instruction has it; of a range, the walk over its elements.
struct Raw {
    poly: Poly,
    base: BaseId,
    block: BlockId,
    nest: Vec<LoopId>,
    domain: Set,
    /// Whether it never runs.
    idle: bool,
    /// Length of a range of bytes.
    len: Option<Length>,
}

/// Whether a shape is one that an array may have.
enum Fitted {
    Yes,
    No,
    /// Not for the accesses of this loop.
    AllBut(LoopId),
}

/// Where an offset is in an array.
struct Placed {
    subscripts: Vec<String>,
    /// Parameter values for which a subscript leaves its row, by subscript.
    outside: Vec<Outside>,
    /// That the parameters that are added to subscripts of short rows are as large as these.
    distances: Vec<String>,
}

impl Memory {
    pub fn new(model: &mut Model) -> Result<Memory, Reject> {
        let elements = element_types(model)?;
        let raw = raw_accesses(model)?;
        let mut memory = Memory {
            shapes: BTreeMap::new(),
            elements,
            places: BTreeMap::new(),
            allowed: assume::without_traps(model)?,
            rows: Rows::default(),
            writes: vec![],
            reads: vec![],
        };
        let written = chains::written(model.region);
        let own = |base: BaseId| raw.iter().filter(move |a| a.base == base);
        let copies = copies(model.region);
        let mut bases: Vec<BaseId> = memory.elements.keys().copied().collect();
        // What is only copied has the shape of what it is copied to or from; what is assumed of written arrays holds for the
        // others as well.
        bases.sort_by_key(|b| (own(*b).all(|a| a.len.is_some()), !written.contains(b)));
        for base in bases {
            let own: Vec<&Raw> = own(base).collect();
            let element = i128::from(memory.elements[&base].bytes());
            let offsets: Vec<&Poly> = own.iter().map(|a| &a.poly).collect();
            // Only ranges of whole rows say what a row is.
            let rows = own.iter().find_map(|a| match &a.len {
                Some(Length::Poly(len)) => Shape::rows(len, element),
                _ => None,
            });
            let mut fits = false;
            let mut flat = None;
            let candidates = Shape::candidates(&model.params, &offsets, element);
            let rows = rows.map(|s| (s, Fit::Possible));
            let others = copies.iter().filter_map(|(to, from)| match base {
                b if b == *to => memory.shapes.get(from),
                b if b == *from => memory.shapes.get(to),
                _ => None,
            });
            let others = others.filter(|_| own.iter().all(|a| a.len.is_some()));
            let others: Vec<_> = others.map(|s| (s.clone(), Fit::Possible)).collect();
            let candidates = others.into_iter().chain(candidates).chain(rows);
            let loose = !written.contains(&base)
                && bases::is_alone(model.region, base)
                && own.iter().all(|a| a.len.is_none());
            for candidate in candidates.flat_map(|c| fits::ways(c, loose)) {
                memory.places.retain(|(b, _), _| *b != base);
                let main = model.main.clone();
                match memory.fit(model, base, candidate, &own)? {
                    Fitted::Yes => {
                        fits = true;
                        break;
                    }
                    Fitted::No => {}
                    Fitted::AllBut(l) => flat = flat.or(Some(l)),
                }
                model.main = main;
            }
            if !fits {
                // Several nests may each have a shape: loops for strides that the others are not for.
                let nests: BTreeSet<_> = own.iter().map(|a| a.nest.first()).collect();
                let together = flat.is_none() && nests.len() == 1;
                return Err(Reject {
                    block: own.first().map(|a| a.block).filter(|_| together),
                    loop_: flat,
                    ..subscript(model.region, base)
                });
            }
        }
        memory.collect_touches(model)?;
        Ok(memory)
    }

    /// Gives an array a shape if every access has subscripts in it that can be inside their rows.
    fn fit(
        &mut self,
        model: &mut Model,
        base: BaseId,
        (shape, wanted): (Shape, Fit),
        accesses: &[&Raw],
    ) -> Result<Fitted, Reject> {
        let element = i128::from(self.elements[&base].bytes());
        let mut allowed = self.allowed.clone();
        let mut distances = vec![];
        let mut seen = BTreeSet::new();
        // What never runs (the compiler asks again whether a size is positive) is where another access at the same place is.
        let (idle, running): (Vec<&Raw>, Vec<&Raw>) = accesses.iter().partition(|a| a.idle);
        for a in running.into_iter().chain(idle) {
            if a.idle && self.places.contains_key(&(base, a.poly.clone())) {
                continue;
            }
            let walked = match &a.len {
                None => None,
                Some(len) => match bulk::walk(model, (&shape, element), &a.poly, len, &a.nest) {
                    Some(walk) => {
                        let first = LoopId::from(model.region.loops.len());
                        Some(walk.elements(model, &a.poly, (&a.nest, first), &a.domain)?)
                    }
                    None => return Ok(Fitted::No),
                },
            };
            let (poly, nest, domain) = walked
                .as_ref()
                .map_or((&a.poly, &a.nest, &a.domain), |w| (&w.0, &w.1, &w.2));
            let Some(placed) = place(model, &self.rows, &shape, poly, nest, domain)? else {
                return Ok(Fitted::No);
            };
            if let Some(innermost) = a.nest.last() {
                let bad = all_of(model, &placed.outside)?;
                if fits::never_inside(model, domain, &bad)?
                    || fits::is_flat(model, (&placed.subscripts, domain), &a.nest, &bad)?
                {
                    return Ok(Fitted::AllBut(*innermost));
                }
            }
            let new = placed.outside.into_iter().filter(|o| seen.insert(o.id));
            let bad = all_of(model, &new.collect::<Vec<_>>())?;
            allowed = assume::without(model, &allowed, &bad)?;
            distances.extend(placed.distances);
            if walked.is_some() {
                continue;
            }
            let key = (base, poly.clone());
            let known = self.places.entry(key);
            if *known.or_insert_with(|| placed.subscripts.clone()) != placed.subscripts {
                return Ok(Fitted::No);
            }
        }
        let before = match &model.main {
            Some(main) => self.allowed.intersect(main)?,
            None => self.allowed.clone(),
        };
        let fits = match wanted {
            Fit::Certain => before.is_subset(&allowed)?,
            Fit::Running => {
                let known = (&related(model, &before)?, &related(model, &allowed)?);
                fits::wherever_runs(known, &deepest_runs(accesses)?)?
            }
            Fit::Possible => {
                let known = (&related(model, &before)?, &related(model, &allowed)?);
                let domains = accesses.iter().map(|a| &a.domain);
                fits::possible(model, known, &deepest_runs(accesses)?, &distances)?
                    && !(shape.has_known_rows() && fits::runs_once(domains, known)?)
            }
        };
        if !fits {
            return Ok(Fitted::No);
        }
        model.forbid(before.subtract(&allowed)?, AssumptionKind::InBounds)?;
        for size in shape.positive(model) {
            let none = model.set(0, &format!("{size} < 1"))?.params()?;
            model.forbid(none, AssumptionKind::Stride)?;
        }
        self.allowed = allowed;
        self.shapes.insert(base, shape);
        Ok(Fitted::Yes)
    }

    /// The cell of an access's address over its nest, or over fewer loops if it does not move in the rest.
    pub fn cell(
        &self,
        model: &Model,
        address: &Address,
        ty: Ty,
        nest: &[LoopId],
    ) -> Result<Cell, Reject> {
        let fail = || subscript(model.region, address.base);
        let mut affine = Affine::with_remainders(&model.params, nest);
        let poly = Poly::of(&address.offset, &mut affine).map_err(|_| fail())?;
        let subscripts = self.places.get(&(address.base, poly)).ok_or_else(fail)?;
        self.at(model, address, ty, nest, subscripts)
    }

    /// The cell of any address, for the iterations of `domain`; `None` where it may leave its row.
    pub fn cell_within(
        &self,
        model: &Model,
        address: &Address,
        ty: Ty,
        nest: &[LoopId],
        domain: &Set,
    ) -> Result<Option<Cell>, Reject> {
        let mut affine = Affine::new(&model.params, nest);
        let Ok(poly) = Poly::of(&address.offset, &mut affine) else {
            return Ok(None);
        };
        let shape = &self.shapes[&address.base];
        let Some(placed) = place(model, &self.rows, shape, &poly, nest, domain)? else {
            return Ok(None);
        };
        for outside in &placed.outside {
            if !outside.values.is_disjoint(&self.allowed)? {
                return Ok(None);
            }
        }
        Ok(Some(self.at(
            model,
            address,
            ty,
            nest,
            &placed.subscripts,
        )?))
    }

    fn at(
        &self,
        model: &Model,
        address: &Address,
        ty: Ty,
        nest: &[LoopId],
        subscripts: &[String],
    ) -> Result<Cell, Reject> {
        let text = format!(
            "{}{{ [{}] -> {} }}",
            model.params.prefix(),
            iterators(nest.len()),
            tuple(subscripts)
        );
        Ok(Cell {
            address: address.clone(),
            ty,
            nest: nest.to_vec(),
            relation: Map::parse(&model.ctx, &text)?,
        })
    }

    /// Number of dimensions of an array.
    pub fn dims(&self, base: BaseId) -> usize {
        self.shapes[&base].dims()
    }

    fn collect_touches(&mut self, model: &mut Model) -> Result<(), Reject> {
        let region = model.region;
        for (b, block) in region.blocks.iter().enumerate() {
            let b = BlockId::from(b);
            for (i, inst) in block.insts.iter().enumerate() {
                for (n, (address, what)) in addresses(&inst.kind).into_iter().enumerate() {
                    let nest = region.loop_nest(b);
                    let relation = match what {
                        Ok(ty) => self.cell(model, address, ty, &nest)?.relation,
                        // A range of elements: all of the array, to be safe.
                        Err(_) => self.anywhere(model, address.base, &nest)?,
                    };
                    numbers::affordable(&relation).map_err(|e| Reject {
                        block: Some(b),
                        ..e
                    })?;
                    let touch = Touch::new(
                        (model.time(b, i), Some(inst.id)),
                        model.domain(b).clone(),
                        (address.base, relation),
                    )?;
                    // Copies name their target first.
                    let reads = matches!(inst.kind, InstKind::Load { .. }) || n > 0;
                    if reads {
                        &mut self.reads
                    } else {
                        &mut self.writes
                    }
                    .push(touch);
                }
            }
        }
        Ok(())
    }

    /// All of an array.
    fn anywhere(&self, model: &Model, base: BaseId, nest: &[LoopId]) -> Result<Map, Reject> {
        let dims: Vec<String> = (0..self.dims(base)).map(|d| format!("a{d}")).collect();
        let from = iterators(nest.len());
        let text = format!(
            "{}{{ [{from}] -> [{}] }}",
            model.params.prefix(),
            dims.join(", ")
        );
        Ok(Map::parse(&model.ctx, &text)?)
    }

    /// Adds a write of our own.
    pub fn add_write(&mut self, at: Time, domain: Set, cell: &Cell) -> Result<(), Reject> {
        let relation = over(&cell.relation, domain.tuple_dim())?;
        let touch = Touch::new((at, None), domain, (cell.address.base, relation))?;
        self.writes.push(touch);
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
        self.undisturbed_but(model, (from, back), to, (cell, domain), &[])
    }

    /// The same but for what these instructions write.
    pub fn undisturbed_but(
        &self,
        model: &Model,
        (from, back): (&Time, bool),
        to: &Time,
        (cell, domain): (&Cell, &Set),
        except: &[ValueId],
    ) -> Result<bool, Reject> {
        let span = Span::new((from, back), to, cell, domain)?;
        for w in &self.writes {
            let excepted = w.inst.is_some_and(|i| except.contains(&i));
            if !excepted && span.meets(model, w)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether nothing but instruction `except` reads or writes the cell after `from` and before `to`, both in the nest of
    /// `domain`.
    pub fn untouched(
        &self,
        model: &Model,
        (from, to): (&Time, &Time),
        cell: &Cell,
        domain: &Set,
        except: Option<ValueId>,
    ) -> Result<bool, Reject> {
        let span = Span::new((from, false), to, cell, domain)?;
        for t in self.writes.iter().chain(&self.reads) {
            let excepted = except.is_some() && t.inst == except;
            if !excepted && span.meets(model, t)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// A cell between two times.
struct Span<'s> {
    base: BaseId,
    ends: Ends<'s>,
    cell: Map,
    /// Subscripts of the cell that are numbers.
    fixed: Fixed,
    domain: &'s Set,
    /// The cell of each iteration, once it was asked for.
    element: OnceCell<Map>,
}

impl Span<'_> {
    fn new<'s>(
        (from, back): (&'s Time, bool),
        to: &'s Time,
        cell: &Cell,
        domain: &'s Set,
    ) -> Result<Span<'s>, Reject> {
        Ok(Span {
            base: cell.address.base,
            ends: Ends {
                from,
                back,
                to,
                depth: domain.tuple_dim(),
            },
            fixed: Fixed::of(&cell.relation, &[DimType::Out])?,
            cell: cell.relation.clone(),
            domain,
            element: OnceCell::new(),
        })
    }

    fn element(&self) -> Result<&Map, Reject> {
        if self.element.get().is_none() {
            let element = over(&self.cell, self.ends.depth)?.intersect_domain(self.domain)?;
            let _ = self.element.set(element);
        }
        Ok(self.element.get().expect("it was set above"))
    }

    /// Whether an access touches the cell in this time.
    fn meets(&self, model: &Model, t: &Touch) -> Result<bool, Reject> {
        if t.base != self.base || self.ends.exclude(&t.at) || self.fixed.is_apart(&t.fixed) {
            return Ok(false);
        }
        let Some(between) = model.between.instances(model, &self.ends, &t.at)? else {
            return Ok(false);
        };
        // The elements first: what is between is in many parts.
        let same = self.element()?.apply_range(t.instances()?)?;
        Ok(!same.is_empty()? && !between.intersect(&same)?.is_empty()?)
    }
}

/// A map from a prefix of a nest as one from the whole nest.
pub(super) fn over(relation: &Map, depth: usize) -> Result<Map, Reject> {
    let have = relation.dim(DimType::In);
    Ok(relation.add_dims(DimType::In, depth - have)?)
}

/// Where an offset is in an array of this shape; `None` if it does not fit.
///
/// `A[i][n-1-j]` is as many bytes from the start as `A[i+1][-1-j]`, and the second is what division by the row's size
/// finds. A subscript that is negative wherever the access runs means the row before.
fn place(
    model: &Model,
    rows: &Rows,
    shape: &Shape,
    poly: &Poly,
    nest: &[LoopId],
    domain: &Set,
) -> Result<Option<Placed>, Reject> {
    let Some(mut digits) = shape.digits(&model.params, poly) else {
        return Ok(None);
    };
    let mut outside = vec![];
    let extents = match shape.is_loose() {
        true => vec![],
        false => match shape.extents(model) {
            Some(extents) => extents,
            None => return Ok(None),
        },
    };
    let runs = !domain.is_empty()?;
    for d in (1..=extents.len()).rev() {
        let Some(mut text) = digit_text(&digits[d], model, nest) else {
            return Ok(None);
        };
        if runs && rows.is_below(model, domain, &text)? && shape.borrow_row(&mut digits, d) {
            let Some(moved) = digit_text(&digits[d], model, nest) else {
                return Ok(None);
            };
            text = moved;
        }
        outside.push(rows.outside(model, domain, (&text, &extents[d - 1]))?);
    }
    let mut distances = vec![];
    for (digit, n) in digits.iter().skip(1).zip(&extents) {
        let added = digit.iter().filter(|(m, i, _)| m.len() == 1 && i.is_none());
        let added = added.filter_map(|(m, ..)| m[0].text(model));
        if n.parse::<i64>().is_ok_and(|n| n < fits::SHORT) {
            distances.extend(added.map(|p| format!("{p} >= {n}")));
        }
    }
    let texts = digits.iter().map(|d| digit_text(d, model, nest)).collect();
    let placed = |subscripts| Placed {
        subscripts,
        outside,
        distances,
    };
    Ok(Option::<Vec<String>>::map(texts, placed))
}

/// The parameter values for which each of the deepest accesses runs.
fn deepest_runs(accesses: &[&Raw]) -> poly::Result<Vec<Set>> {
    let depth = accesses.iter().map(|a| a.nest.len()).max().unwrap_or(0);
    let deepest = accesses.iter().filter(|a| a.nest.len() == depth);
    let asked = PerSet::default();
    let runs = deepest.map(|a| asked.answer(&a.domain, || a.domain.params()));
    runs.collect()
}

/// Those of some parameter values for which sizes that are sums are what they are made of.
fn related(model: &Model, values: &Set) -> poly::Result<Set> {
    match &model.related {
        Some(related) => values.intersect(related),
        None => Ok(values.clone()),
    }
}

/// The parameter values for which one of these subscripts leaves its row.
fn all_of(model: &Model, outside: &[Outside]) -> Result<Set, Reject> {
    let mut all = model.set(0, "false")?.params()?;
    for o in outside {
        all = all.union(&o.values)?;
    }
    Ok(all)
}

fn subscript(region: &Region, base: BaseId) -> Reject {
    let name = region.bases[base.index()].label().to_owned();
    Reject::new(RejectKind::Subscript(name))
}

/// The addresses of an instruction: element type or length of the range.
pub(super) fn addresses(inst: &InstKind) -> Vec<(&Address, Result<Ty, &Scev>)> {
    match inst {
        InstKind::Load { addr, ty } | InstKind::Store { addr, ty, .. } => vec![(addr, Ok(*ty))],
        InstKind::Memset { addr, len, .. } => vec![(addr, Err(len))],
        InstKind::Memcpy { dst, src, len } => vec![(dst, Err(len)), (src, Err(len))],
        InstKind::Phi(_) | InstKind::Op { .. } | InstKind::Index => vec![],
    }
}

fn raw_accesses(model: &mut Model) -> Result<Vec<Raw>, Reject> {
    let region = model.region;
    let mut all = vec![];
    for (b, block) in region.blocks.iter().enumerate() {
        let b = BlockId::from(b);
        let insts = block.insts.iter();
        for (inst, (address, what)) in
            insts.flat_map(|i| addresses(&i.kind).into_iter().map(|a| (i.id, a)))
        {
            let not_affine = |_| Reject {
                block: Some(b),
                ..subscript(region, address.base)
            };
            let poly = polynomial(model, &address.offset, b)?.map_err(not_affine)?;
            let len = match what {
                Ok(_) => None,
                Err(len) => match bulk::length(model, len, b)? {
                    Some((len, _)) => Some(len),
                    None => return Err(Reject::at_inst(RejectKind::Instruction, b, inst)),
                },
            };
            let domain = model.domain(b).clone();
            all.push(Raw {
                idle: domain.is_empty()?,
                poly,
                base: address.base,
                block: b,
                nest: region.loop_nest(b),
                domain,
                len,
            });
        }
    }
    Ok(all)
}

/// The arrays that are copied to others, as pairs of target and source.
fn copies(region: &Region) -> Vec<(BaseId, BaseId)> {
    let insts = region.blocks.iter().flat_map(|b| &b.insts);
    let copies = insts.filter_map(|i| match &i.kind {
        InstKind::Memcpy { dst, src, .. } => Some((dst.base, src.base)),
        _ => None,
    });
    copies.collect()
}

/// One element type per array; what is only copied has that of what it is copied to or from.
fn element_types(model: &Model) -> Result<BTreeMap<BaseId, Ty>, Reject> {
    let mut found: BTreeMap<BaseId, Ty> = BTreeMap::new();
    let mut ranges = vec![];
    for (b, block) in model.region.blocks.iter().enumerate() {
        for (address, what) in block.insts.iter().flat_map(|i| addresses(&i.kind)) {
            let Ok(ty) = what else {
                ranges.push(address.base);
                continue;
            };
            let known = *found.entry(address.base).or_insert(ty);
            if known.bytes() != ty.bytes() {
                let name = model.region.bases[address.base.index()].label().to_owned();
                let b = BlockId::from(b);
                return Err(Reject::at_block(RejectKind::ElementSizes(name), b));
            }
        }
    }
    let copies = copies(model.region);
    let mut copied = true;
    while std::mem::take(&mut copied) {
        for (to, from) in &copies {
            for (a, b) in [(to, from), (from, to)] {
                if let (Some(ty), false) = (found.get(a).copied(), found.contains_key(b)) {
                    found.insert(*b, ty);
                    copied = true;
                }
            }
        }
    }
    for base in ranges {
        found.entry(base).or_insert(Ty::Int(8));
    }
    Ok(found)
}

/// An evolution in a block as a polynomial; what it takes for granted is recorded.
pub(super) fn polynomial(
    model: &mut Model,
    s: &Scev,
    block: BlockId,
) -> Result<Result<Poly, NotAffine>, Reject> {
    let nest = model.region.loop_nest(block);
    let mut affine = Affine::with_remainders(&model.params, &nest);
    let poly = Poly::of(s, &mut affine);
    let (suspicions, once, wide) = (affine.suspicions, affine.around, affine.wide);
    if poly.is_ok() {
        let domain = model.domain(block).clone();
        ranges::note(model, wide, &nest, &domain)?;
        if !model.goes_around(&domain, &once)? {
            return Ok(Err(NotAffine));
        }
        model.record(suspicions, &domain)?;
    }
    Ok(poly)
}
