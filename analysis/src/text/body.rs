//! The text form of statement bodies.
//!
//! In full, one node after the other, operands before users: `{ f64 read 1, f64 op v9 fmul n0 n0, root n1 }`.
//! By hand, nested: `(fmul (read 1) (inv v3))`; nodes then have the type of the write, operations belong to no
//! instruction (`v0`), and a repeated operand is a node of its own.

use super::lexer::{Cursor, Parsed, quote};
use super::scev::{print_scev, print_ty, scev, ty};
use crate::body::{Body, Node, NodeKind};
use crate::ids::{NodeId, ValueId};
use crate::region::{CmpPred, FCmpPred, FastMath, OpCode, Ty};
use std::fmt::Write;

const PREDICATES: [(&str, CmpPred); 10] = [
    ("eq", CmpPred::Eq),
    ("ne", CmpPred::Ne),
    ("slt", CmpPred::Slt),
    ("sle", CmpPred::Sle),
    ("sgt", CmpPred::Sgt),
    ("sge", CmpPred::Sge),
    ("ult", CmpPred::Ult),
    ("ule", CmpPred::Ule),
    ("ugt", CmpPred::Ugt),
    ("uge", CmpPred::Uge),
];

/// Operations that a word names completely.
const PLAIN: [(&str, OpCode); 28] = [
    ("frem", OpCode::FRem),
    ("fneg", OpCode::FNeg),
    ("fma", OpCode::Fma),
    ("add", OpCode::Add),
    ("sub", OpCode::Sub),
    ("mul", OpCode::Mul),
    ("udiv", OpCode::UDiv),
    ("sdiv", OpCode::SDiv),
    ("urem", OpCode::URem),
    ("srem", OpCode::SRem),
    ("shl", OpCode::Shl),
    ("lshr", OpCode::LShr),
    ("ashr", OpCode::AShr),
    ("and", OpCode::And),
    ("or", OpCode::Or),
    ("xor", OpCode::Xor),
    ("select", OpCode::Select),
    ("choose", OpCode::Choose),
    ("smin", OpCode::SMin),
    ("smax", OpCode::SMax),
    ("umin", OpCode::UMin),
    ("umax", OpCode::UMax),
    ("cast", OpCode::Cast),
    ("freeze", OpCode::Freeze),
    ("sqrt", OpCode::Sqrt),
    ("gather", OpCode::Gather),
    ("ragged", OpCode::Ragged { abreast: false }),
    ("ragged.abreast", OpCode::Ragged { abreast: true }),
];

fn print_op(op: &OpCode) -> String {
    let fast = |name: &str, f: &FastMath| {
        let (r, c) = (
            if f.reassoc { ".reassoc" } else { "" },
            if f.contract { ".contract" } else { "" },
        );
        format!("{name}{r}{c}")
    };
    match op {
        OpCode::FAdd(f) => fast("fadd", f),
        OpCode::FSub(f) => fast("fsub", f),
        OpCode::FMul(f) => fast("fmul", f),
        OpCode::FDiv(f) => fast("fdiv", f),
        OpCode::FMulAdd(f) => fast("fmuladd", f),
        OpCode::ICmp(p) => {
            format!("icmp.{}", print_predicate(*p))
        }
        OpCode::FCmp(p) => format!("fcmp.{}", p.0),
        OpCode::Call(name) => format!("call {}", quote(name)),
        OpCode::Other(name) => format!("other {}", quote(name)),
        plain => PLAIN
            .iter()
            .find(|(_, q)| q == plain)
            .expect("all plain operations are listed")
            .0
            .to_owned(),
    }
}

fn op(c: &mut Cursor) -> Parsed<OpCode> {
    let here = *c;
    let word = c.word()?;
    if let Some((_, plain)) = PLAIN.iter().find(|(name, _)| *name == word) {
        return Ok(plain.clone());
    }
    let (name, suffix) = word.split_once('.').unwrap_or((word, ""));
    let fast = FastMath {
        reassoc: suffix.contains("reassoc"),
        contract: suffix.contains("contract"),
    };
    let found = match name {
        "fadd" => Some(OpCode::FAdd(fast)),
        "fsub" => Some(OpCode::FSub(fast)),
        "fmul" => Some(OpCode::FMul(fast)),
        "fdiv" => Some(OpCode::FDiv(fast)),
        "fmuladd" => Some(OpCode::FMulAdd(fast)),
        "icmp" => predicate_of(suffix).map(OpCode::ICmp),
        "fcmp" => suffix.parse().ok().map(|n| OpCode::FCmp(FCmpPred(n))),
        "call" => Some(OpCode::Call(c.quoted()?)),
        "other" => Some(OpCode::Other(c.quoted()?)),
        _ => None,
    };
    found.ok_or_else(|| here.error(format!("no operation '{word}'")))
}

/// The word for a predicate.
pub(super) fn print_predicate(p: CmpPred) -> &'static str {
    let found = PREDICATES.iter().find(|(_, q)| *q == p);
    found.expect("all predicates are listed").0
}

fn predicate_of(word: &str) -> Option<CmpPred> {
    let found = PREDICATES.iter().find(|(n, _)| *n == word);
    found.map(|(_, p)| *p)
}

/// Reads a predicate.
pub(super) fn predicate(c: &mut Cursor) -> Parsed<CmpPred> {
    let here = *c;
    let word = c.word()?;
    predicate_of(word).ok_or_else(|| here.error(format!("no predicate '{word}'")))
}

/// The text of a body, in full.
pub(super) fn print_body(body: &Body) -> String {
    let mut out = "{\n".to_owned();
    for n in &body.nodes {
        let kind = match &n.kind {
            NodeKind::Read(i) => format!("read {i}"),
            NodeKind::Invariant(v) => format!("inv {v}"),
            NodeKind::Bits(b) => format!("bits {b}"),
            NodeKind::Index(s) => format!("index {}", print_scev(s)),
            NodeKind::Op { inst, op, args } => {
                let args: String = args.iter().map(|a| format!(" {a}")).collect();
                format!("op {inst} {}{args}", print_op(op))
            }
        };
        writeln!(out, "    {} {kind}", print_ty(n.ty)).expect("writing to a string");
    }
    let roots: String = body.values().map(|v| format!(" {v}")).collect();
    out + &format!("    root{roots}\n  }}")
}

/// Reads a body; `default` is the type of nested nodes.
pub(super) fn body(c: &mut Cursor, default: Ty) -> Parsed<Body> {
    let mut body = Body::default();
    if !c.eat_char('{') {
        body.root = nested(c, &mut body, default)?;
        return Ok(body);
    }
    while !c.eat("root") {
        let node = Node {
            ty: ty(c)?,
            kind: kind(c, body.nodes.len())?,
        };
        body.nodes.push(node);
    }
    let count = body.nodes.len().max(1);
    body.root = node_id(c, count)?;
    while c.sees_id('n') {
        body.others.push(node_id(c, count)?);
    }
    c.expect('}')?;
    Ok(body)
}

fn node_id(c: &mut Cursor, count: usize) -> Parsed<NodeId> {
    let here = *c;
    let id = NodeId(c.id('n')?);
    if id.index() < count {
        Ok(id)
    } else {
        Err(here.error(format!("no node {id} before this one")))
    }
}

fn leaf(c: &mut Cursor) -> Parsed<Option<NodeKind>> {
    let kind = match c.peek() {
        "read" => {
            c.word()?;
            NodeKind::Read(c.value("the position of an access")?)
        }
        "inv" => {
            c.word()?;
            NodeKind::Invariant(ValueId(c.id('v')?))
        }
        "bits" => {
            c.word()?;
            NodeKind::Bits(c.value("bits")?)
        }
        "index" => {
            c.word()?;
            NodeKind::Index(scev(c)?)
        }
        _ => return Ok(None),
    };
    Ok(Some(kind))
}

fn kind(c: &mut Cursor, count: usize) -> Parsed<NodeKind> {
    if let Some(leaf) = leaf(c)? {
        return Ok(leaf);
    }
    if !c.eat("op") {
        return Err(c.error("read, inv, bits, index or op expected"));
    }
    let inst = ValueId(c.id('v')?);
    let op = op(c)?;
    let mut args = vec![];
    while c.sees_id('n') {
        args.push(node_id(c, count)?);
    }
    Ok(NodeKind::Op { inst, op, args })
}

fn nested(c: &mut Cursor, body: &mut Body, default: Ty) -> Parsed<NodeId> {
    c.expect('(')?;
    if let Some(leaf) = leaf(c)? {
        c.expect(')')?;
        return Ok(body.push(default, leaf));
    }
    let op = op(c)?;
    let mut args = vec![];
    while !c.eat_char(')') {
        args.push(nested(c, body, default)?);
    }
    Ok(body.push(
        default,
        NodeKind::Op {
            inst: ValueId(0),
            op,
            args,
        },
    ))
}
