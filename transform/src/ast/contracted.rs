//! Panels for arrays that lanes keep to themselves: [`LanePanel`]s of a loop in lanes.
//!
//! ```text
//! lanes i: for j: p[i][j] = f(p[i][j-1])          ->          panel[(j - j0) * W + l] = f(panel[(j - 1 - j0) * W + l])
//! ```
//!
//! A lane `l` of the bundle that begins at `i0` has the row `i0 + l` of the array, and nothing else of it: one subscript of
//! all accesses is the lane's iterator, up to the same constant. The others are the rows of the panel, counted from their
//! least values (`j0`). `W` is the number of lanes in a bundle, so that elements of one step lie side by side whichever way
//! the array is stored. An array whose accesses have another form stays where it is.

use super::Generator;
use super::constraints::affine;
use super::expr;
use super::micro::of_stmt;
use super::scope::Scope;
use crate::live::statements;
use polytile_analysis::ast::{Ast, Buffer, Expr, ForKind, LanePanel, PanelPlace, PanelRow};
use polytile_analysis::ids::{ArrayId, StmtId};
use polytile_analysis::poly::{self, Aff, DimType, PwAff, Set, UnionPwAff, UnionSet};
use polytile_analysis::scop::{Access, Place, Scop, Stmt};
use std::collections::BTreeMap;

/// The accesses of a loop to an array, all of which stay in the lane's row.
pub(crate) struct LaneRows {
    /// Statement, number of the access, and the subscripts along the row.
    accesses: Vec<(StmtId, usize, Vec<Aff>)>,
    /// All values of those.
    along: Set,
}

/// The accesses to an array in the instances of `domain`, if each lane along `row` has a row of the array; `None`: not so.
pub(crate) fn lane_rows(
    scop: &Scop,
    array: ArrayId,
    domain: &UnionSet,
    row: &UnionPwAff,
) -> poly::Result<Option<LaneRows>> {
    let mut found: Option<(usize, i64)> = None;
    let mut rows: Option<LaneRows> = None;
    for id in statements(scop, domain)? {
        let stmt = scop.stmt(id);
        for (n, access) in stmt.accesses.iter().enumerate() {
            if access.array != array {
                continue;
            }
            let fits = access.ty == scop.array(array).ty && !matches!(access.place, Place::Scalar);
            let lane = of_stmt(row, stmt)?.filter(|_| fits);
            let Some((subscript, ahead, affs)) = lane
                .map(|lane| subscripts(stmt, access, &lane))
                .transpose()?
                .flatten()
            else {
                return Ok(None);
            };
            if *found.get_or_insert((subscript, ahead)) != (subscript, ahead) {
                return Ok(None);
            }
            let own = domain.intersect(&stmt.domain.to_union_set()?)?.as_set()?;
            let cells = access.relation.intersect_domain(&own)?.range()?;
            let along = cells
                .project_out(DimType::Set, subscript, 1)?
                .reset_tuple_id()?;
            rows = Some(match rows {
                None => LaneRows {
                    accesses: vec![(id, n, affs)],
                    along,
                },
                Some(mut all) => {
                    all.accesses.push((id, n, affs));
                    all.along = all.along.union(&along)?;
                    all
                }
            });
        }
    }
    Ok(rows)
}

/// Of an access with several subscripts: which one is the lane's row, by how much it is ahead of it, and the other ones.
fn subscripts(
    stmt: &Stmt,
    access: &Access,
    lane: &PwAff,
) -> poly::Result<Option<(usize, i64, Vec<Aff>)>> {
    let all = access.relation.as_pw_multi_aff()?;
    if !lane.isa_aff()? || !all.isa_multi_aff()? {
        return Ok(None);
    }
    let (row, all) = (lane, all.as_multi_aff()?);
    let lane = row.as_aff()?;
    let plain = |a: &Aff| Ok::<bool, poly::Error>(!a.involves_locals()? && a.denominator()? == 1);
    let mut affs: Vec<Aff> = (0..all.size())
        .map(|n| all.at(n))
        .collect::<poly::Result<_>>()?;
    affs.push(lane);
    for aff in &affs {
        if !plain(aff)? {
            return Ok(None);
        }
    }
    let lane = affs.pop().expect("there is one");
    if affs.len() < 2 {
        return Ok(None);
    }
    for subscript in 0..affs.len() {
        let across = PwAff::from_aff(&affs[subscript])?.sub(row)?.as_aff()?;
        let mut apart = across.is_cst()?;
        for d in 0..stmt.depth() {
            if lane.coefficient(DimType::In, d)? != 0 {
                for (other, along) in affs.iter().enumerate() {
                    apart &= other == subscript || along.coefficient(DimType::In, d)? == 0;
                }
            }
        }
        if apart {
            affs.remove(subscript);
            return Ok(Some((subscript, across.constant()?, affs)));
        }
    }
    Ok(None)
}

impl Generator<'_> {
    /// The panels of a loop over `row` with so many lanes, for those of the arrays that have the form.
    pub(super) fn lane_panels(
        &mut self,
        arrays: &[ArrayId],
        (domain, row): (&UnionSet, &UnionPwAff),
        width: u32,
        scope: &Scope,
    ) -> poly::Result<Vec<LanePanel>> {
        let mut panels = vec![];
        for &array in arrays {
            let Some(rows) = lane_rows(self.scop, array, domain, row)? else {
                continue;
            };
            let along = rows.along.intersect_params(&scope.context)?;
            let Some((least, counts)) = bounds(&along, scope)? else {
                continue;
            };
            let rows_of = counts
                .iter()
                .fold(Expr::Int(1), |all, n| expr::mul(&all, n));
            let elements = expr::mul(&rows_of, &Expr::Int(width.into()));
            let mut places = vec![];
            for (stmt, access, affs) in &rows.accesses {
                places.extend(self.panel_place(*stmt, *access, affs, &least, scope)?);
            }
            if !elements.is_size() || places.len() != rows.accesses.len() {
                continue;
            }
            panels.push(LanePanel {
                array,
                buffer: self.panel_buffer(array, elements),
                width,
                extents: counts[1..].to_vec(),
                places,
            });
        }
        Ok(panels)
    }

    /// Where an access lies in the panel whose first rows are `least`.
    fn panel_place(
        &self,
        stmt: StmtId,
        access: usize,
        affs: &[Aff],
        least: &[Expr],
        scope: &Scope,
    ) -> poly::Result<Option<PanelPlace>> {
        let mut rows = vec![];
        for (aff, least) in affs.iter().zip(least) {
            let mut fixed = aff.clone();
            let mut steps = vec![];
            for d in 0..self.scop.stmt(stmt).depth() {
                steps.push(aff.coefficient(DimType::In, d)?);
                fixed = fixed.set_coefficient_si(DimType::In, d, 0)?;
            }
            let Some(start) = affine(&fixed, scope)? else {
                return Ok(None);
            };
            let start = expr::sub(&start, least);
            rows.push(PanelRow { steps, start });
        }
        Ok(Some(PanelPlace { stmt, access, rows }))
    }

    /// A buffer for an array's panels; loops that follow each other use the same one.
    fn panel_buffer(&mut self, array: ArrayId, elements: Expr) -> usize {
        let known = self.panel_buffers.iter().find(|(a, n)| {
            *a == array && self.buffers.get(*n).is_some_and(|b| b.elements == elements)
        });
        if let Some((_, n)) = known {
            return *n;
        }
        let n = self.buffers.len();
        self.buffers.push(Buffer {
            ty: self.scop.array(array).ty,
            elements,
            shared: true,
        });
        self.panel_buffers.push((array, n));
        n
    }
}

/// The least value of each subscript, and how many there are.
fn bounds(along: &Set, scope: &Scope) -> poly::Result<Option<(Vec<Expr>, Vec<Expr>)>> {
    let (mut least, mut counts) = (vec![], vec![]);
    for d in 0..along.dim(DimType::Set) {
        let ends = (
            end(&along.dim_min(d)?, scope)?,
            end(&along.dim_max(d)?, scope)?,
        );
        let (Some(first), Some(last)) = ends else {
            return Ok(None);
        };
        let count = expr::add(&expr::sub(&last, &first), &Expr::Int(1));
        counts.push(expr::max(&count, &Expr::Int(1)));
        least.push(first);
    }
    Ok(Some((least, counts)))
}

/// Panels of lanes inside of parallel loops are not shared: each thread has a copy. Lanes outside that have the same ones get others.
pub(super) fn divide_panels(body: &mut Ast, buffers: &mut Vec<Buffer>) {
    each_panel(body, false, &mut |panel, parallel| {
        buffers[panel.buffer].shared &= !parallel;
    });
    let mut outside = BTreeMap::new();
    each_panel(body, false, &mut |panel, parallel| {
        let of = panel.buffer;
        if !parallel && !buffers[of].shared {
            panel.buffer = *outside.entry(of).or_insert_with(|| {
                let shared = true;
                buffers.push(Buffer {
                    shared,
                    ..buffers[of].clone()
                });
                buffers.len() - 1
            });
        }
    });
}

/// The panels of loops in lanes, and whether these run inside a parallel loop.
fn each_panel(ast: &mut Ast, parallel: bool, see: &mut dyn FnMut(&mut LanePanel, bool)) {
    match ast {
        Ast::For(l) => {
            if let ForKind::Lanes { panels, .. } = &mut l.kind {
                panels.iter_mut().for_each(|p| see(p, parallel));
            }
            let here = matches!(l.kind, ForKind::Parallel { .. });
            each_panel(&mut l.body, parallel || here, see);
        }
        Ast::If { then, els, .. } => {
            each_panel(then, parallel, see);
            els.iter_mut().for_each(|e| each_panel(e, parallel, see));
        }
        Ast::Block(list) => list.iter_mut().for_each(|a| each_panel(a, parallel, see)),
        Ast::User(_) | Ast::Pack(_) | Ast::MicroKernel(_) => {}
    }
}

/// An end of a range as an expression over parameters; where the range is empty, nothing runs.
fn end(end: &PwAff, scope: &Scope) -> poly::Result<Option<Expr>> {
    let known = scope.context.intersect(&end.domain()?)?;
    let end = end.gist_params(&known)?.coalesce()?;
    if end.n_piece() != 1 || !end.isa_aff()? {
        return Ok(None);
    }
    affine(&end.as_aff()?, scope)
}
