//! The text form of regions: what extraction saw.
//!
//! ```text
//! region "gemm.for.body" function "gemm" at "gemm.c" 2 3
//! value v0 n i32 invariant
//! value v1 t1 i64 b2 = (rec L0 nuw nsw 0 1)
//! base m0 A = v4 align 8 shape [1100]
//! no-alias m0 m1
//! loop L0 for.body header b1 latch b4 count (add -1 (zext v0:32))
//! b1 for.body L0:
//!   v7 = load f64 m0 (rec L0 0 8)
//!   v8 = store f64 m0 (rec L0 0 8), v9
//!   v9 = fadd v7 v7
//!   v10 = phi f64 [entry v3] [b4 v9]
//!   branch (slt (rec:32 L0 0 1) v0:32) b2 back L0
//! live-out v9
//! alike v7 v12
//! ```

use super::scev::print_scev;
use super::scop_print::{distance, inspection_text};
use crate::region::{
    Address, Block, BlockIn, Cond, Def, Inst, InstKind, Loop, OpCode, Region, Target, Terminator,
    Ty, Value,
};
use std::fmt::Write;

/// The text of a region.
pub fn print_region(r: &Region) -> String {
    let mut out = format!("region {:?} function {:?}", r.name, r.function);
    if let Some(l) = &r.loc {
        write!(out, " at {:?} {} {}", l.file, l.line, l.column).expect("writing to a string");
    }
    out.push('\n');
    for (i, v) in r.values.iter().enumerate() {
        line(&mut out, &value(i, v));
    }
    for (i, b) in r.bases.iter().enumerate() {
        let mut text = format!("base m{i} {} = {} align {}", b.name, b.value, b.align);
        if !b.shape_hint.is_empty() {
            let dims: String = b.shape_hint.iter().map(|d| format!("[{d}]")).collect();
            text += &format!(" shape {dims}");
        }
        if let Some(size) = b.object_size {
            text += &format!(" size {size}");
        }
        if b.dead {
            text += " dead";
        }
        if b.blank {
            text += " blank";
        }
        if let Some(label) = &b.label {
            text += &format!(" label {label:?}");
        }
        line(&mut out, &text);
    }
    for (a, b) in &r.no_alias {
        line(&mut out, &format!("no-alias {a} {b}"));
    }
    for v in &r.strided {
        line(&mut out, &format!("strided {v}"));
    }
    for v in &r.outer_strides {
        line(&mut out, &format!("outer-stride {v}"));
    }
    for c in &r.required {
        line(&mut out, &format!("required {}", cond(c)));
    }
    for h in &r.held {
        let apart: String = h.apart.iter().map(|b| format!(" {b}")).collect();
        let reread = if h.reread { " reread" } else { "" };
        line(
            &mut out,
            &format!("held {} {} apart{apart}{reread}", h.pointer, ty(h.ty)),
        );
    }
    if let Some(inspection) = &r.inspection {
        line(&mut out, &inspection_text(inspection));
    }
    for rows in &r.rows {
        let loads: String = rows.loads.iter().map(|v| format!(" {v}")).collect();
        let front: String = (rows.in_front.iter())
            .map(|s| format!(" in-front {}", print_scev(s)))
            .collect();
        let (table, base, pitch) = (rows.table, rows.base, rows.pitch);
        let (first, step, element) = (rows.first, rows.step, rows.element);
        let lengths: String = (rows.lengths.iter())
            .map(|l| {
                let distance = distance(l.unit);
                let text = format!(" length {} from {} {distance}", l.value, l.first);
                text.trim_end().to_owned()
            })
            .collect();
        let at = format!("from {first} step {step} pitch {pitch} element {element}{lengths}");
        line(
            &mut out,
            &format!("rows {base} through {table} {at} loads{loads}{front}"),
        );
    }
    for (i, l) in r.loops.iter().enumerate() {
        line(&mut out, &loop_(i, l));
    }
    for (i, b) in r.blocks.iter().enumerate() {
        block(&mut out, i, b);
    }
    for v in &r.live_out {
        line(&mut out, &format!("live-out {v}"));
    }
    for class in &r.alike {
        let class: String = class.iter().map(|v| format!(" {v}")).collect();
        line(&mut out, &format!("alike{class}"));
    }
    out
}

fn line(out: &mut String, text: &str) {
    out.push_str(text);
    out.push('\n');
}

fn ty(t: Ty) -> String {
    match t {
        Ty::Int(b) => format!("i{b}"),
        Ty::Float(b) => format!("f{b}"),
        Ty::Ptr => "ptr".into(),
        Ty::Other(b) => format!("x{b}"),
    }
}

fn value(i: usize, v: &Value) -> String {
    let def = match &v.def {
        Def::Invariant => "invariant".into(),
        Def::IntConst(c) => format!("const {c}"),
        Def::FloatConst(bits) => format!("bits {bits:#x}"),
        Def::OtherConst => "const".into(),
        Def::Inst(b) => b.to_string(),
    };
    let constant = matches!(v.def, Def::IntConst(_));
    let scev = v.scev.as_ref().filter(|_| !constant);
    let scev = scev.map_or(String::new(), |s| format!(" = {}", print_scev(s)));
    format!("value v{i} {} {} {def}{scev}", v.name, ty(v.ty))
}

fn loop_(i: usize, l: &Loop) -> String {
    let mut text = format!("loop L{i} {}", l.name);
    if let Some(p) = l.parent {
        text += &format!(" in {p}");
    }
    let count = print_scev(&l.backedge_count);
    text += &format!(" header {} latch {} count {count}", l.header, l.latch);
    for p in &l.predicates {
        text += &format!(" if {}", cond(p));
    }
    if l.uncounted {
        text += " uncounted";
    }
    if let Some(l) = &l.loc {
        text += &format!(" at {:?} {} {}", l.file, l.line, l.column);
    }
    text
}

fn block(out: &mut String, i: usize, b: &Block) {
    let around = b.loop_.map_or(String::new(), |l| format!(" {l}"));
    line(out, &format!("b{i} {}{around}:", b.name));
    for inst in &b.insts {
        line(out, &format!("  {} = {}", inst.id, kind(inst)));
    }
    line(out, &format!("  {}", terminator(&b.term)));
}

fn address(a: &Address) -> String {
    format!("{} {}", a.base, print_scev(&a.offset))
}

fn kind(inst: &Inst) -> String {
    match &inst.kind {
        InstKind::Load { addr, ty: t } => format!("load {} {}", ty(*t), address(addr)),
        InstKind::Store { addr, ty: t, value } => {
            format!("store {} {}, {value}", ty(*t), address(addr))
        }
        InstKind::Memset { addr, len, byte } => {
            format!("memset {}, {}, {byte}", address(addr), print_scev(len))
        }
        InstKind::Memcpy { dst, src, len } => format!(
            "memcpy {}, {}, {}",
            address(dst),
            address(src),
            print_scev(len)
        ),
        InstKind::Phi(incoming) => {
            let list = incoming.iter();
            let list: String = list.map(|(b, v)| format!(" [{} {v}]", side(*b))).collect();
            format!("phi{list}")
        }
        InstKind::Op { op, operands } => {
            let list: String = operands.iter().map(|v| format!(" {v}")).collect();
            format!("{}{list}", opcode(op))
        }
        InstKind::Index => "index".into(),
    }
}

/// Name of an operation, in lower case with its flags behind a dot.
fn opcode(op: &OpCode) -> String {
    let flags = |m: &crate::region::FastMath| match (m.reassoc, m.contract) {
        (false, false) => "",
        (true, false) => ".reassoc",
        (false, true) => ".contract",
        (true, true) => ".reassoc.contract",
    };
    match op {
        OpCode::FAdd(m) => format!("fadd{}", flags(m)),
        OpCode::FSub(m) => format!("fsub{}", flags(m)),
        OpCode::FMul(m) => format!("fmul{}", flags(m)),
        OpCode::FDiv(m) => format!("fdiv{}", flags(m)),
        OpCode::FMulAdd(m) => format!("fmuladd{}", flags(m)),
        OpCode::ICmp(p) => format!("icmp.{}", format!("{p:?}").to_lowercase()),
        OpCode::FCmp(p) => format!("fcmp.{}", p.0),
        OpCode::Call(name) => format!("call {name:?}"),
        OpCode::Other(name) => format!("other {name:?}"),
        plain => format!("{plain:?}").to_lowercase(),
    }
}

fn side(b: BlockIn) -> String {
    match b {
        BlockIn::Block(b) => b.to_string(),
        BlockIn::Entry => "entry".into(),
    }
}

fn target(t: Target) -> String {
    match t {
        Target::Block(b) => b.to_string(),
        Target::Back(l) => format!("back {l}"),
        Target::Exit => "exit".into(),
        Target::Trap => "trap".into(),
    }
}

fn terminator(t: &Terminator) -> String {
    match t {
        Terminator::Jump(to) => format!("jump {}", target(*to)),
        Terminator::Branch {
            cond: c, then, els, ..
        } => {
            format!("branch {} {} {}", cond(c), target(*then), target(*els))
        }
    }
}

fn cond(c: &Cond) -> String {
    let all = |head: &str, list: &[Cond]| {
        let list: String = list.iter().map(|c| format!(" {}", cond(c))).collect();
        format!("({head}{list})")
    };
    match c {
        Cond::Const(b) => b.to_string(),
        Cond::Cmp { pred, lhs, rhs } => format!(
            "({} {} {})",
            format!("{pred:?}").to_lowercase(),
            print_scev(lhs),
            print_scev(rhs)
        ),
        Cond::And(list) => all("and", list),
        Cond::Or(list) => all("or", list),
        Cond::Not(inner) => format!("(not {})", cond(inner)),
        Cond::Phi(list) => {
            let list = list.iter();
            let list: String = list
                .map(|(b, c)| format!(" [{} {}]", side(*b), cond(c)))
                .collect();
            format!("(phi{list})")
        }
        Cond::Opaque(v) => v.to_string(),
    }
}
