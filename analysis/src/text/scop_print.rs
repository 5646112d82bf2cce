//! Printing a [`Scop`].

use super::body::print_body;
use super::lexer::quote;
use super::scev::{print_scev, print_scevs, print_ty};
use crate::ids::{ArrayId, ValueId};
use crate::region::{Inspection, Loc};
use crate::scop::{
    Access, AccessKind, Array, ArrayKind, AssumptionKind, Place, PolyRange, Rows, Scop, Shift, Stmt,
};
use std::fmt::{Display, Write};

pub(super) const ASSUMPTIONS: [(&str, AssumptionKind); 6] = [
    ("no-wrap", AssumptionKind::NoWrap),
    ("in-bounds", AssumptionKind::InBounds),
    ("non-empty", AssumptionKind::NonEmpty),
    ("no-trap", AssumptionKind::NoTrap),
    ("range", AssumptionKind::Range),
    ("stride", AssumptionKind::Stride),
];

/// The text of a SCoP, everything in full.
pub fn print_scop(scop: &Scop) -> String {
    let mut out = String::new();
    write_scop(&mut out, scop).expect("writing to a string");
    out
}

fn at(loc: &Option<Loc>) -> String {
    match loc {
        Some(l) => format!(" at {} {} {}", quote(&l.file), l.line, l.column),
        None => String::new(),
    }
}

/// An isl text without the parameters if they are those of the SCoP.
fn short(scop: &Scop, object: impl Display) -> String {
    let text = object.to_string();
    let names: Vec<&str> = scop.params.iter().map(|p| p.name.as_str()).collect();
    match text.strip_prefix(&format!("[{}] -> ", names.join(", "))) {
        Some(rest) => rest.to_owned(),
        None => text,
    }
}

/// `poly-range LEAST GREATEST` (`*`: no bound), and a line `times PARAMETERS VALUES` for each term.
fn write_poly_range(out: &mut String, scop: &Scop, r: &PolyRange) -> std::fmt::Result {
    let bound = |b: Option<i64>| b.map_or("*".to_owned(), |b| b.to_string());
    writeln!(out, "poly-range {} {}", bound(r.least), bound(r.greatest))?;
    for t in &r.terms {
        write!(out, "  times ")?;
        for p in &t.factors {
            write!(out, "{} ", scop.param(*p).name)?;
        }
        writeln!(out, "{}", short(scop, &t.values))?;
    }
    Ok(())
}

/// `distance BYTES `, where elements of so many bytes are counted.
pub(super) fn distance(unit: Option<u64>) -> String {
    unit.map_or(String::new(), |bytes| format!("distance {bytes} "))
}

/// `rows BASE ADDRESS through TABLE from FIRST step STEP pitch PITCH element BYTES [length VALUE behind ELEMENTS [distance BYTES]].. ENTRIES [measured ENTRIES]`.
fn write_rows(out: &mut String, scop: &Scop, r: &Rows) -> std::fmt::Result {
    let lengths = r.lengths.iter();
    let lengths: String = lengths
        .map(|l| {
            format!(
                "length {} behind {} {}",
                l.value,
                l.behind,
                distance(l.unit)
            )
        })
        .collect();
    let measured =
        (r.measured.as_ref()).map_or(String::new(), |m| format!(" measured {}", short(scop, m)));
    writeln!(
        out,
        "rows {} {} through {} from {} step {} pitch {} element {} {lengths}{}{measured}",
        r.base,
        r.address,
        scop.array(r.table).name,
        r.first,
        r.step,
        r.pitch,
        r.element,
        short(scop, &r.entries)
    )
}

/// `inspected POINTERS with INPUTS end SHARE`.
pub(super) fn inspection_text(inspection: &Inspection) -> String {
    let list = |values: &[ValueId]| -> String { values.iter().map(|v| format!(" {v}")).collect() };
    let (written, inputs) = (list(&inspection.written), list(&inspection.inputs));
    format!("inspected{written} with{inputs} end {}", inspection.share)
}

fn write_scop(out: &mut String, scop: &Scop) -> std::fmt::Result {
    writeln!(
        out,
        "scop {} function {}{}",
        quote(&scop.name),
        quote(&scop.function),
        at(&scop.loc)
    )?;
    for p in &scop.params {
        writeln!(out, "param {} = {}", p.name, print_scev(&p.expr))?;
    }
    writeln!(out, "context {}", short(scop, &scop.context))?;
    for a in &scop.assumptions {
        let why = ASSUMPTIONS
            .iter()
            .find(|(_, k)| *k == a.why)
            .expect("all kinds are listed")
            .0;
        writeln!(out, "assume {why} {}", short(scop, &a.set))?;
    }
    for r in &scop.poly_ranges {
        write_poly_range(out, scop, r)?;
    }
    for l in &scop.loops {
        let down = if l.descending { " descending" } else { "" };
        writeln!(out, "loop {}{}{down}", quote(&l.name), at(&l.loc))?;
    }
    for a in &scop.arrays {
        write_array(out, a)?;
    }
    let pair =
        |(a, b): &(ArrayId, ArrayId)| format!("{} {}", scop.array(*a).name, scop.array(*b).name);
    for apart in &scop.no_overlap {
        writeln!(out, "no-overlap {}", pair(apart))?;
    }
    for later in &scop.read_behind {
        writeln!(out, "read-behind {}", pair(later))?;
    }
    if let Some(inspection) = &scop.inspection {
        writeln!(out, "{}", inspection_text(inspection))?;
    }
    for r in &scop.rows {
        write_rows(out, scop, r)?;
    }
    for s in &scop.stmts {
        write_stmt(out, scop, s)?;
    }
    Ok(())
}

fn write_array(out: &mut String, a: &Array) -> std::fmt::Result {
    let kind = match &a.kind {
        ArrayKind::Memory { base } => format!("memory {base}"),
        ArrayKind::Scalar { live_out: None } => "scalar".to_owned(),
        ArrayKind::Scalar { live_out: Some(v) } => format!("scalar live-out {v}"),
        ArrayKind::Temporary => "temporary".to_owned(),
        ArrayKind::Intact => "intact".to_owned(),
    };
    let (strides, extents) = (print_scevs(&a.strides), print_scevs(&a.extents));
    let shifts = a.origin.iter();
    let origin: String = shifts
        .map(|s| match s {
            Shift::Bound {
                value,
                from,
                stride,
            } => format!(" origin {value} {from} {}", print_scev(stride)),
            Shift::Common(bytes) => format!(" common {}", print_scev(bytes)),
        })
        .collect();
    let gaps = if a.gaps { " gaps" } else { "" };
    let hidden = if a.hidden { " hidden" } else { "" };
    let dead = if a.dead { " dead" } else { "" };
    let blank = if a.blank { " blank" } else { "" };
    writeln!(
        out,
        "array {} {} {kind} strides {strides} extents {extents}{origin}{gaps}{hidden}{dead}{blank}",
        a.name,
        print_ty(a.ty)
    )
}

fn write_stmt(out: &mut String, scop: &Scop, s: &Stmt) -> std::fmt::Result {
    writeln!(out, "stmt {}{}", s.name, at(&s.loc))?;
    if !s.iters.is_empty() {
        let iters: Vec<String> = s.iters.iter().map(ToString::to_string).collect();
        writeln!(out, "  iters {}", iters.join(" "))?;
    }
    writeln!(out, "  domain {}", short(scop, &s.domain))?;
    let beta: Vec<String> = s.beta.iter().map(ToString::to_string).collect();
    writeln!(out, "  beta {}", beta.join(" "))?;
    for a in &s.accesses {
        write_access(out, scop, a)?;
    }
    writeln!(out, "  body {}", print_body(&s.body))
}

fn write_access(out: &mut String, scop: &Scop, a: &Access) -> std::fmt::Result {
    let kind = match a.kind {
        AccessKind::Read => "read",
        AccessKind::MustWrite => "write",
        AccessKind::MayWrite => "may-write",
    };
    let place = match &a.place {
        Place::Memory(address) => {
            format!("memory {} {}", address.base, print_scev(&address.offset))
        }
        Place::Scalar => "scalar".to_owned(),
        Place::Temporary(subscripts) => format!("temporary {}", print_scevs(subscripts)),
    };
    let inst = a.inst.map_or(String::new(), |i| format!(" inst {i}"));
    writeln!(
        out,
        "  {kind} {} {} {place}{inst}",
        short(scop, &a.relation),
        print_ty(a.ty)
    )
}
