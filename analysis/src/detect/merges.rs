//! Index values that merge: a PHI of integers that is one function of the iterators on all its edges.
//!
//! Compilers share what two paths compute, and specialise what a branch has decided:
//!
//! ```text
//! if (j == 0) { .. } else { r = j*n; .. }
//! r' = phi [0, j == 0], [r, j != 0]           // r' = j*n
//! .. a[r' + j] ..
//! ```
//!
//! An incoming value stands for the PHI if, on every other edge, it equals what comes in there. The edge's conditions help:
//! where `j == 0`, `j*n` is 0. Then all evolutions that use the PHI are rewritten. Choices between numbers (`r' + 1 == n ? 0 : r' + 1`), which were none of the
//! iterators before, are then.

use super::affine::Affine;
use super::model::{Model, each_evolution};
use super::polynomial::{Poly, digit_text};
use super::reject::Reject;
use super::substitute::replace;
use crate::ids::{BlockId, LoopId, ValueId};
use crate::poly::{Ctx, Set};
use crate::region::{BlockIn, Def, InstKind, OpCode, Region, Ty};
use crate::scev::{Scev, ScevKind};
use std::collections::BTreeSet;

/// The region with all index PHIs replaced for which that is possible; `None` if it has none.
pub(super) fn resolved(ctx: &Ctx, region: &Region) -> Result<Option<Region>, Reject> {
    let mut now: Option<Region> = None;
    loop {
        let region = now.as_ref().unwrap_or(region);
        let open = open_values(region);
        if open.is_empty() {
            return Ok(now);
        }
        // What depends on the PHIs has no domain yet; what comes before them has.
        let mut model = Model::partial(ctx, region);
        let mut found = vec![];
        for (v, block, how) in open {
            let value = match &how {
                Open::Phi(incoming) => merged(&mut model, block, incoming)?,
                Open::Choice(operands) => choice(region, block, operands),
            };
            if let Some(s) = value {
                found.push((v, s));
            }
        }
        if found.is_empty() {
            return Ok(now);
        }
        let mut next = region.clone();
        for (v, s) in found {
            replace(&mut next, v, &s);
        }
        now = Some(next);
    }
}

type Incoming = Vec<(BlockIn, ValueId)>;

/// How a value is made.
enum Open {
    /// Of the values of several paths.
    Phi(Incoming),
    /// As one of two, by a condition: its operands.
    Choice(Vec<ValueId>),
}

/// PHIs of integers that merge paths, and choices between integers, that evolutions use.
fn open_values(region: &Region) -> Vec<(ValueId, BlockId, Open)> {
    let mut used: BTreeSet<ValueId> = BTreeSet::new();
    each_evolution(region, &mut |s| used.extend(s.values()));
    let mut open = vec![];
    for (b, block) in region.blocks.iter().enumerate() {
        let b = BlockId::from(b);
        let header = region.headed(b).is_some();
        let wide = |v| matches!(region.value(v).ty, Ty::Int(width) if width > 1);
        for inst in block.insts.iter().filter(|i| used.contains(&i.id)) {
            let how = match &inst.kind {
                InstKind::Phi(incoming)
                    if !header && matches!(region.value(inst.id).ty, Ty::Int(_)) =>
                {
                    Open::Phi(incoming.clone())
                }
                InstKind::Op { op, operands } if *op == OpCode::Select && wide(inst.id) => {
                    Open::Choice(operands.clone())
                }
                _ => continue,
            };
            open.push((inst.id, b, how));
        }
    }
    open
}

/// What a PHI is on all edges.
fn merged(model: &mut Model, block: BlockId, incoming: &Incoming) -> Result<Option<Scev>, Reject> {
    let nest = model.region.loop_nest(block);
    let mut edges: Vec<(Scev, Set)> = vec![];
    for (from, v) in incoming {
        let BlockIn::Block(from) = from else {
            return Ok(None);
        };
        let Some(s) = evolution(model.region, *v, &nest) else {
            return Ok(None);
        };
        if !model.has_domain(*from) || model.region.loop_nest(*from) != nest {
            return Ok(None);
        }
        let Ok(taken) = model.edge(*from, block) else {
            return Ok(None);
        };
        edges.push((s, taken));
    }
    'candidates: for (candidate, _) in &edges {
        for (s, taken) in &edges {
            if s != candidate && !are_equal(model, s, candidate, &nest, taken)? {
                continue 'candidates;
            }
        }
        return Ok(Some(candidate.clone()));
    }
    Ok(None)
}

/// A choice by a comparison, if all of it is known.
fn choice(region: &Region, block: BlockId, operands: &[ValueId]) -> Option<Scev> {
    let nest = region.loop_nest(block);
    let [condition, then, els] = operands else {
        return None;
    };
    let mut insts = region.blocks.iter().flat_map(|b| &b.insts);
    let InstKind::Op {
        op: OpCode::ICmp(pred),
        operands: compared,
    } = &insts.find(|i| i.id == *condition)?.kind
    else {
        return None;
    };
    let [lhs, rhs] = compared[..] else {
        return None;
    };
    let of = |v| evolution(region, v, &nest);
    let (then, els) = (of(*then)?, of(*els)?);
    Some(Scev {
        width: then.width,
        kind: ScevKind::Select(*pred, Box::new([of(lhs)?, of(rhs)?, then, els])),
    })
}

/// The evolution of a value, if it is a function of the nest's iterators and of what is known before the region.
fn evolution(region: &Region, v: ValueId, nest: &[LoopId]) -> Option<Scev> {
    let value = region.value(v);
    let s = match (&value.def, value.ty) {
        (Def::IntConst(c), Ty::Int(width)) => Scev::constant(width, *c),
        _ => value.scev.clone()?,
    };
    let open = s.any(&mut |part| match &part.kind {
        ScevKind::Unknown(u) => matches!(region.value(*u).def, Def::Inst(_)),
        ScevKind::AddRec { loop_, .. } => !nest.contains(loop_),
        ScevKind::Unknowable => true,
        _ => false,
    });
    (!open).then_some(s)
}

/// Whether two evolutions have the same value in all these iterations.
fn are_equal(
    model: &Model,
    a: &Scev,
    b: &Scev,
    nest: &[LoopId],
    taken: &Set,
) -> Result<bool, Reject> {
    let mut affine = Affine::new(&model.params, nest);
    let (Ok(a), Ok(b)) = (Poly::of(a, &mut affine), Poly::of(b, &mut affine)) else {
        return Ok(false);
    };
    for s in &affine.suspicions {
        let bad = model.set(nest.len(), &s.bad)?;
        if !taken.intersect(&bad)?.is_empty()? {
            return Ok(false);
        }
    }
    let mut difference = a.minus(&b);
    for (d, l) in nest.iter().enumerate() {
        let moves = model.set(nest.len(), &format!("i{d} != 0"))?;
        if taken.intersect(&moves)?.is_empty()? {
            difference = difference.at_first(*l);
        }
    }
    let Some(text) = digit_text(&difference.digit(), model, nest) else {
        return Ok(false);
    };
    let differ = model.set(nest.len(), &format!("{text} != 0"))?;
    Ok(taken.intersect(&differ)?.is_empty()?)
}
