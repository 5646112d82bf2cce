//! Arrays that may be one and the same: [`may_be_one`].
//!
//! ```text
//! resid(u, v, r):  for i: r[i] = v[i] - a * (u[i-1] + u[i+1])          called as resid(u, r, r), too
//! ```
//!
//! An element of `v` is read by the very instance that writes that element of `r`, and by no other. The instance reads before it
//! writes, as what it writes is computed from what it reads. So whatever the order of instances is, there is nothing in it for two arrays
//! at one address to break: that they are one is as good as that they are apart. But where the program writes an element in one statement and reads
//! it in the next, which are one by now, it would find what it wrote ([`Scop::read_behind`]).

use polytile_analysis::ast::ByteRange;
use polytile_analysis::ids::ArrayId;
use polytile_analysis::poly::{self, DimType, Error, Map};
use polytile_analysis::scop::{Access, ArrayKind, Scop, Stmt};

/// The part of the budget for a pair of arrays; over it, they have to be apart.
const SHARE: u64 = 200;

/// Whether two arrays whose ranges begin at one address are as good as two that are apart, elements of one being elements of the other
/// with the same subscripts.
///
/// # Errors
/// Those of the set library, a limit on the work apart.
pub(super) fn may_be_one(
    scop: &Scop,
    [a, b]: [ArrayId; 2],
    ranges: [&ByteRange; 2],
) -> poly::Result<bool> {
    let shaped = |a: ArrayId| (&scop.array(a).strides, &scop.array(a).extents);
    if !alike(ranges) || shaped(a) != shaped(b) || [a, b].iter().any(|a| is_table(scop, *a)) {
        return Ok(false);
    }
    let written = |a: ArrayId| scop.stmts.iter().any(|s| s.writes_to(a));
    let (read, written) = match (written(a), written(b)) {
        (false, true) => (a, b),
        (true, false) => (b, a),
        // What is read elsewhere is no access, as a cell that the program holds.
        _ => return Ok(false),
    };
    if scop.read_behind.contains(&(written, read)) {
        return Ok(false);
    }
    let _quota = scop.context.ctx().clone().share(SHARE);
    match read_where_written(scop, read, written) {
        Err(Error::Quota) => Ok(false),
        found => found,
    }
}

/// Whether two ranges differ in nothing but the pointers. Where a range is cut off at the ends of memory, its first byte says nothing.
fn alike([a, b]: [&ByteRange; 2]) -> bool {
    let exact = |r: &ByteRange| !r.loose && r.origin.is_empty();
    let elsewhere = ByteRange {
        base: a.base,
        ..b.clone()
    };
    exact(a) && exact(b) && *a == elsewhere
}

/// Whether an array is a table of rows, or rows: other things are read of it than what statements access.
fn is_table(scop: &Scop, array: ArrayId) -> bool {
    let kind = &scop.array(array).kind;
    let mut rows = scop.rows.iter();
    rows.any(|r| r.table == array || *kind == ArrayKind::Memory { base: r.address })
}

/// Whether each element that is read of one array is written in the other one by the instances that read it alone.
fn read_where_written(scop: &Scop, read: ArrayId, written: ArrayId) -> poly::Result<bool> {
    let known = scop.known()?;
    let elements = |s: &Stmt, access: &Access| -> poly::Result<Map> {
        let relation = access.relation.intersect_domain(&s.domain)?;
        let relation = relation.intersect_params(&known)?;
        relation.set_tuple_name(DimType::Out, "element")
    };
    let mut writes = vec![];
    for t in &scop.stmts {
        for w in t.writes().iter().filter(|w| w.array == written) {
            writes.push(((t, w), elements(t, w)?));
        }
    }
    let mut found = false;
    for s in &scop.stmts {
        for r in s.reads().iter().filter(|r| r.array == read) {
            let from = elements(s, r)?;
            for (write, to) in &writes {
                if !by_itself(((s, r), &from), (*write, to))? {
                    return Ok(false);
                }
                found = true;
            }
        }
    }
    Ok(found)
}

/// Whether what an access reads is not written by another one, or by its own instance at the end.
fn by_itself(
    ((s, read), from): ((&Stmt, &Access), &Map),
    ((t, write), to): ((&Stmt, &Access), &Map),
) -> poly::Result<bool> {
    if s.id != t.id {
        return from.range()?.intersect(&to.range()?)?.is_empty();
    }
    let last = s.writes().len() == 1 && read.ty == write.ty && from.is_single_valued()?;
    if !last || !to.is_single_valued()? {
        return Ok(false);
    }
    let meeting = from.apply_range(&to.reverse()?)?;
    meeting.is_subset(&Map::identity(&meeting.space()?)?)
}
