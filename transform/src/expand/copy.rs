//! Copies of arrays: what some reads find is copied in front of a nest, each cell once, and they find it there.

use super::array::{fresh_name, subscripts};
use super::version::pairs;
use super::{last_subscript, maximum, numbered, plus_one, temporary};
use polytile_analysis::body::{Body, NodeKind};
use polytile_analysis::ids::{ArrayId, LoopId, StmtId};
use polytile_analysis::poly::{DimType, Map, Result, Set};
use polytile_analysis::scev::{Scev, ScevKind};
use polytile_analysis::scop::{Access, AccessKind, ArrayKind, Place, Scop, Stmt};
use std::cmp::Reverse;

/// Pieces of the copied cells beyond which an array gets no copy.
const MAX_PIECES: usize = 4;

/// A read, by statement and access.
pub(super) type Read = (StmtId, usize);

/// What is copied, and where.
pub(super) struct Copy<'a> {
    /// The reads that go to the copy. Nothing in the nest writes what one of them finds before it does.
    pub reads: &'a [Read],
    /// From elements of the array to those of the copy.
    pub form: Map,
    /// The nest in front of which the copy is filled, as in [`Stmt::beta`]: its place in each of the loops around it, and in the
    /// innermost of them.
    pub front: Vec<i64>,
}

impl Copy<'_> {
    /// The loops around the nest.
    fn around(&self) -> usize {
        self.front.len() - 1
    }

    /// From instances to elements of the copy.
    fn elements(&self, access: &Access, name: &str) -> Result<Map> {
        let relation = access.relation.apply_range(&self.form)?;
        relation.set_tuple_name(DimType::Out, name)
    }

    /// The same with the iterations of the loops around the nest in front of the elements.
    fn of_iterations(&self, access: &Access) -> Result<Map> {
        let around = self.around();
        let elements = self.elements(access, "elements")?;
        let mut elements = elements.insert_dims(DimType::Out, 0, around)?;
        for d in 0..around {
            elements = elements.equate(DimType::In, d, DimType::Out, d)?;
        }
        elements.set_tuple_name(DimType::Out, "elements")
    }

    /// Whether a statement is in the nest or behind it, in the innermost loop around them.
    fn precedes(&self, stmt: &Stmt) -> bool {
        let around = self.around();
        stmt.beta.get(..around) == Some(&self.front[..around])
            && stmt.beta.get(around) >= self.front.last()
    }
}

/// A read with the instances whose cells are copied.
type Fill = (Read, Set);

/// The SCoP with reads of an array from a copy, which is filled first; `None` if it has no closed form.
pub(super) fn with_copy(scop: &Scop, array: ArrayId, copy: &Copy<'_>) -> Result<Option<Scop>> {
    match fills(scop, copy)? {
        Some((cells, fills)) => with_filled(scop, array, copy, (&cells, fills)),
        None => Ok(None),
    }
}

/// The same for a copy of these cells, with these fills. The accesses of [`Copy::reads`] may be writes as well.
fn with_filled(
    scop: &Scop,
    array: ArrayId,
    copy: &Copy<'_>,
    (cells, fills): (&Set, Vec<Fill>),
) -> Result<Option<Scop>> {
    let original = scop.array(array);
    let name = fresh_name(scop, &original.name);
    let id = ArrayId::from(scop.arrays.len());
    let Some(extents) = sizes(scop, cells)? else {
        return Ok(None);
    };
    let mut with = scop.clone();
    with.arrays
        .push(temporary(name.clone(), original.ty, extents));
    let mut stmts = vec![];
    for (read, domain) in fills {
        let stmt = scop.stmt(read.0);
        let access = &stmt.accesses[read.1];
        let Some(to) = from_copy(scop, stmt, access, (copy, id, &name))? else {
            return Ok(None);
        };
        stmts.push(filling(stmt, access, to, domain, (copy, stmts.len()))?);
    }
    let before = with.stmts.iter().position(|s| copy.precedes(s));
    let first = i64::try_from(stmts.len()).expect("few statements");
    for s in with.stmts.iter_mut().filter(|s| copy.precedes(s)) {
        s.beta[copy.around()] += first;
    }
    for &(stmt, read) in copy.reads {
        let old = scop.stmt(stmt);
        let Some(access) = from_copy(scop, old, &old.accesses[read], (copy, id, &name))? else {
            return Ok(None);
        };
        with.stmts[stmt.index()].accesses[read] = access;
    }
    let at = before.unwrap_or(0);
    with.stmts.splice(at..at, stmts);
    with.stmts = numbered(with.stmts)?;
    Ok(Some(with))
}

/// The accesses of an array in a nest, as in [`Copy::front`]. Each cell is copied with the statements of most loops that reach it: they reach most of
/// them, and row by row.
pub(super) fn accesses(scop: &Scop, array: ArrayId, nest: &[i64]) -> Vec<Read> {
    let of_array = |s: &Stmt, n: &usize| s.accesses[*n].array == array;
    let inside = scop.stmts.iter().filter(|s| s.beta.starts_with(nest));
    let mut all: Vec<Read> = inside
        .flat_map(|s| {
            (0..s.accesses.len())
                .filter(|n| of_array(s, n))
                .map(|n| (s.id, n))
        })
        .collect();
    all.sort_by_key(|(s, _)| Reverse(scop.stmt(*s).depth()));
    all
}

/// The SCoP with a copy in place of what [`Copy::reads`], writes among them, access of an array, and the statements that copy back what was written, which
/// belong behind the nest; `None` where that cannot be. Nothing else in the nest accesses these cells.
pub(super) fn replaced(
    scop: &Scop,
    array: ArrayId,
    copy: &Copy<'_>,
) -> Result<Option<(Scop, Vec<Stmt>)>> {
    let access = |(s, n): Read| &scop.stmt(s).accesses[n];
    let plain =
        |r: &Read| access(*r).ty == scop.array(array).ty && access(*r).kind != AccessKind::MayWrite;
    let [writes, reads] = [true, false].map(|write| {
        let kind = |r: &&Read| (access(**r).kind == AccessKind::MustWrite) == write;
        copy.reads
            .iter()
            .filter(kind)
            .copied()
            .collect::<Vec<Read>>()
    });
    if writes.is_empty() || !copy.reads.iter().all(plain) {
        return Ok(None);
    }
    let mut early = vec![];
    for &read in &reads {
        if may_find_old(scop, read, &writes, copy.around())? {
            early.push(read);
        }
    }
    let of = |reads| Copy {
        reads,
        form: copy.form.clone(),
        front: copy.front.clone(),
    };
    let parts = (fills(scop, copy)?, fills(scop, &of(&writes))?);
    let (Some((cells, _)), Some((_, written))) = parts else {
        return Ok(None);
    };
    let filled = match early.is_empty() {
        true => vec![],
        false => match fills(scop, &of(&early))? {
            Some((_, filled)) => filled,
            None => return Ok(None),
        },
    };
    let Some(with) = with_filled(scop, array, copy, (&cells, filled))? else {
        return Ok(None);
    };
    let id = ArrayId::from(scop.arrays.len());
    let mut back = vec![];
    for ((stmt, write), domain) in written {
        let stmt = scop.stmt(stmt);
        let to = Access {
            inst: None,
            ..stmt.accesses[write].clone()
        };
        let name = &with.array(id).name;
        let Some(from) = from_copy(scop, stmt, &to, (copy, id, name))? else {
            return Ok(None);
        };
        let from = Access {
            kind: AccessKind::Read,
            ..from
        };
        back.push(filling(stmt, &from, to, domain, (copy, 0))?);
    }
    Ok(Some((with, back)))
}

/// Whether a read may find what no statement has written in the same iteration of the loops around.
fn may_find_old(scop: &Scop, (stmt, read): Read, writes: &[Read], around: usize) -> Result<bool> {
    let stmt = scop.stmt(stmt);
    let mut open = stmt.domain.intersect_params(&scop.context)?;
    for &(w, n) in writes {
        let w = scop.stmt(w);
        let mut known = pairs(scop, (w, &w.accesses[n]), (stmt, &stmt.accesses[read]))?;
        for d in 0..around {
            known = known.equate(DimType::In, d, DimType::Out, d)?;
        }
        open = open.subtract(&known.range()?)?;
    }
    Ok(!open.is_empty()?)
}

/// The cells that are read, and per read the instances that reach each cell once which no earlier one does; `None` where they are
/// too many pieces.
fn fills(scop: &Scop, copy: &Copy<'_>) -> Result<Option<(Set, Vec<Fill>)>> {
    let mut cells: Option<Set> = None;
    let mut fills = vec![];
    for &(id, read) in copy.reads {
        let stmt = scop.stmt(id);
        let access = &stmt.accesses[read];
        // What is read under a condition of its own must not be read without it.
        let of_way_out = scop.array(stmt.write().array).kind == ArrayKind::Intact;
        let certain =
            of_way_out || stmt.write().kind == AccessKind::MustWrite && !stmt.body.chooses();
        if access.ty != scop.array(access.array).ty || !certain {
            return Ok(None);
        }
        let domain = stmt.domain.intersect_params(&scop.context)?;
        let mut relation = copy.of_iterations(access)?.intersect_domain(&domain)?;
        let own = relation.range()?;
        if let Some(cells) = &cells {
            relation = relation.subtract(&relation.intersect_range(cells)?)?;
        }
        cells = Some(match cells {
            None => own,
            Some(cells) => cells.union(&own)?.coalesce()?,
        });
        if relation.is_empty()? {
            continue;
        }
        let instances = relation.reverse()?.lexmin()?.range()?.coalesce()?;
        let instances = instances.gist_params(&scop.context)?;
        if instances.basic_sets()?.len() > MAX_PIECES {
            return Ok(None);
        }
        fills.push(((id, read), instances));
    }
    let around = copy.around();
    let cells = cells.map(|c| match around {
        0 => Ok(c),
        _ => c.project_out(DimType::Set, 0, around),
    });
    Ok(cells.transpose()?.map(|c| (c, fills)))
}

/// The size of each dimension of the copy; `None` if it has no closed form or a subscript may be negative.
fn sizes(scop: &Scop, cells: &Set) -> Result<Option<Vec<Scev>>> {
    let mut sizes = vec![];
    for d in 0..cells.dim(DimType::Set) {
        let mut terms = vec![];
        if !last_subscript(scop, cells, d, &mut terms)? {
            return Ok(None);
        }
        sizes.push(plus_one(maximum(terms)));
    }
    Ok(Some(sizes))
}

/// A read as one of the copy; `None` if a subscript is not affine.
fn from_copy(
    scop: &Scop,
    stmt: &Stmt,
    access: &Access,
    (copy, id, name): (&Copy<'_>, ArrayId, &str),
) -> Result<Option<Access>> {
    let mut to = Access {
        array: id,
        relation: copy.elements(access, name)?,
        inst: None,
        ..access.clone()
    };
    let Some(place) = subscripts(scop, &to, &stmt.iters)? else {
        return Ok(None);
    };
    to.place = Place::Temporary(place);
    Ok(Some(to))
}

/// The statement that copies what a read finds, for these instances of it, as nest `number` of those in front of the one that reads.
fn filling(
    stmt: &Stmt,
    from: &Access,
    to: Access,
    domain: Set,
    (copy, number): (&Copy<'_>, usize),
) -> Result<Stmt> {
    let mut body = Body::default();
    body.root = body.push(from.ty, NodeKind::Read(1));
    let write = Access {
        kind: AccessKind::MustWrite,
        ..to
    };
    let mut filling = Stmt {
        id: stmt.id,
        name: stmt.name.clone(),
        iters: stmt.iters.clone(),
        domain,
        beta: vec![],
        accesses: vec![write, from.clone()],
        body,
        loc: stmt.loc.clone(),
    };
    let around = copy.around();
    for d in (around..stmt.depth()).rev() {
        let first = filling.domain.fix_si(DimType::Set, d, 0)?;
        if filling.depth() > 1 && filling.domain.is_subset(&first)? {
            drop_loop(&mut filling, d)?;
        }
    }
    filling.beta = vec![0; filling.depth() + 1];
    filling.beta[..=around].copy_from_slice(&copy.front);
    filling.beta[around] += i64::try_from(number).expect("few statements");
    Ok(filling)
}

/// The statement without a loop of which only the first iteration has instances.
fn drop_loop(stmt: &mut Stmt, d: usize) -> Result<()> {
    let loop_ = stmt.iters.remove(d);
    stmt.domain = stmt
        .domain
        .project_out(DimType::Set, d, 1)?
        .set_tuple_name(&stmt.name)?;
    for a in &mut stmt.accesses {
        let first = a.relation.fix_si(DimType::In, d, 0)?;
        a.relation = first
            .project_out(DimType::In, d, 1)?
            .set_tuple_name(DimType::In, &stmt.name)?;
        match &mut a.place {
            Place::Memory(address) => begin(&mut address.offset, loop_),
            Place::Temporary(subscripts) => subscripts.iter_mut().for_each(|s| begin(s, loop_)),
            Place::Scalar => {}
        }
    }
    Ok(())
}

/// Puts the value in the first iteration of a loop in place of an evolution.
fn begin(at: &mut Scev, loop_: LoopId) {
    while let ScevKind::AddRec {
        loop_: of,
        operands,
        ..
    } = &at.kind
        && *of == loop_
    {
        *at = operands[0].clone();
    }
    at.operands_mut().into_iter().for_each(|s| begin(s, loop_));
}
