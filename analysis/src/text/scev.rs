//! The text form of scalar evolutions and types.
//!
//! ```text
//! 7          the constant 7, 64 bits            (add nuw nsw 1 v3)   a sum
//! 7:32       the same, 32 bits                  (mul:32 2 v3)        a product, 32 bits
//! v3         the value v3                       (rec L0 nsw 0 8)     {0,+,8}<L0>
//! ?          no evolution                       (udiv v3 2)          unsigned division, (srem v3 v4) signed remainder
//! (sel slt a b 1 v3)                            1 if a < b, else v3
//! (smax a b) (umax a b) (smin a b) (umin a b)   (sext v3:32) (zext v3:32) (trunc:32 v3)
//! ```

use super::body::{predicate, print_predicate};
use super::lexer::{Cursor, ParseError, Parsed};
use crate::ids::{LoopId, ValueId};
use crate::region::Ty;
use crate::scev::{Scev, ScevKind, Wrap};
use std::fmt::Write;

/// Width that is not written.
const USUAL_WIDTH: u32 = 64;

/// The text of an evolution.
pub fn print_scev(s: &Scev) -> String {
    let w = if s.width == USUAL_WIDTH {
        String::new()
    } else {
        format!(":{}", s.width)
    };
    let flags = |wrap: &Wrap| {
        format!(
            "{}{}",
            if wrap.nuw { " nuw" } else { "" },
            if wrap.nsw { " nsw" } else { "" }
        )
    };
    let head = match &s.kind {
        ScevKind::Const(c) => return format!("{c}{w}"),
        ScevKind::Unknown(v) => return format!("{v}{w}"),
        ScevKind::Unknowable => return format!("?{w}"),
        ScevKind::Add(_, wrap) => format!("add{w}{}", flags(wrap)),
        ScevKind::Mul(_, wrap) => format!("mul{w}{}", flags(wrap)),
        ScevKind::AddRec { loop_, wrap, .. } => format!("rec{w} {loop_}{}", flags(wrap)),
        ScevKind::UDiv(..) => format!("udiv{w}"),
        ScevKind::SRem(..) => format!("srem{w}"),
        ScevKind::Select(pred, _) => format!("sel{w} {}", print_predicate(*pred)),
        ScevKind::SMax(_) => format!("smax{w}"),
        ScevKind::UMax(_) => format!("umax{w}"),
        ScevKind::SMin(_) => format!("smin{w}"),
        ScevKind::UMin(_) => format!("umin{w}"),
        ScevKind::ZExt(_) => format!("zext{w}"),
        ScevKind::SExt(_) => format!("sext{w}"),
        ScevKind::Trunc(_) => format!("trunc{w}"),
    };
    let mut out = format!("({head}");
    for o in s.operands() {
        write!(out, " {}", print_scev(o)).expect("writing to a string");
    }
    out + ")"
}

/// Reads an evolution.
pub fn parse_scev(text: &str) -> Result<Scev, ParseError> {
    let mut c = Cursor::new(text);
    let s = scev(&mut c)?;
    if c.at_end() {
        Ok(s)
    } else {
        Err(c.error("end of the evolution expected"))
    }
}

fn width(c: &Cursor, suffix: Option<&str>) -> Parsed<u32> {
    match suffix {
        None => Ok(USUAL_WIDTH),
        Some(w) => w
            .parse()
            .map_err(|_| c.error(format!("a width expected, found '{w}'"))),
    }
}

/// Splits `word:width`.
fn with_width<'a>(c: &mut Cursor<'a>) -> Parsed<(&'a str, u32)> {
    let here = *c;
    let word = c.word()?;
    match word.split_once(':') {
        Some((w, n)) => Ok((w, width(&here, Some(n))?)),
        None => Ok((word, USUAL_WIDTH)),
    }
}

pub(super) fn scev(c: &mut Cursor) -> Parsed<Scev> {
    if c.sees('(') {
        return operation(c);
    }
    let here = *c;
    let (word, width) = with_width(c)?;
    let kind = if word == "?" {
        ScevKind::Unknowable
    } else if let Some(v) = word.strip_prefix('v').and_then(|n| n.parse().ok()) {
        ScevKind::Unknown(ValueId(v))
    } else if let Ok(n) = word.parse() {
        ScevKind::Const(n)
    } else {
        return Err(here.error(format!("an evolution expected, found '{word}'")));
    };
    Ok(Scev { width, kind })
}

fn operation(c: &mut Cursor) -> Parsed<Scev> {
    c.expect('(')?;
    let here = *c;
    let (name, width) = with_width(c)?;
    let loop_ = if name == "rec" {
        Some(LoopId(c.id('L')?))
    } else {
        None
    };
    let pred = match name {
        "sel" => Some(predicate(c)?),
        _ => None,
    };
    let wrap = Wrap {
        nuw: c.eat("nuw"),
        nsw: c.eat("nsw"),
    };
    let mut args = vec![];
    while !c.eat_char(')') {
        args.push(scev(c)?);
    }
    let kind = match (name, args.len()) {
        ("add", 1..) => ScevKind::Add(args, wrap),
        ("mul", 1..) => ScevKind::Mul(args, wrap),
        ("rec", 2..) => ScevKind::AddRec {
            loop_: loop_.expect("read above"),
            operands: args,
            wrap,
        },
        ("smax", 1..) => ScevKind::SMax(args),
        ("umax", 1..) => ScevKind::UMax(args),
        ("smin", 1..) => ScevKind::SMin(args),
        ("umin", 1..) => ScevKind::UMin(args),
        ("udiv" | "srem", 2) => {
            let divisor = Box::new(args.pop().expect("two operands"));
            let dividend = Box::new(args.pop().expect("two operands"));
            match name {
                "udiv" => ScevKind::UDiv(dividend, divisor),
                _ => ScevKind::SRem(dividend, divisor),
            }
        }
        ("sel", 4) => {
            let parts: [Scev; 4] = args.try_into().expect("four operands");
            ScevKind::Select(pred.expect("read above"), Box::new(parts))
        }
        ("zext", 1) => ScevKind::ZExt(Box::new(args.pop().expect("one operand"))),
        ("sext", 1) => ScevKind::SExt(Box::new(args.pop().expect("one operand"))),
        ("trunc", 1) => ScevKind::Trunc(Box::new(args.pop().expect("one operand"))),
        _ => return Err(here.error(format!("no operation '{name}' of {} operands", args.len()))),
    };
    Ok(Scev { width, kind })
}

/// `(SCEV ..)`.
pub(super) fn scev_list(c: &mut Cursor) -> Parsed<Vec<Scev>> {
    c.expect('(')?;
    let mut list = vec![];
    while !c.eat_char(')') {
        list.push(scev(c)?);
    }
    Ok(list)
}

pub(super) fn print_scevs(list: &[Scev]) -> String {
    let texts: Vec<String> = list.iter().map(print_scev).collect();
    format!("({})", texts.join(" "))
}

/// The text of a type.
pub(super) fn print_ty(ty: Ty) -> String {
    match ty {
        Ty::Int(b) => format!("i{b}"),
        Ty::Float(b) => format!("f{b}"),
        Ty::Ptr => "ptr".to_owned(),
        Ty::Other(b) => format!("x{b}"),
    }
}

/// The type that a word names.
pub(super) fn ty_of(word: &str) -> Option<Ty> {
    match word {
        "ptr" => Some(Ty::Ptr),
        "double" => Some(Ty::Float(64)),
        "float" => Some(Ty::Float(32)),
        "int" => Some(Ty::Int(32)),
        _ => {
            let bits = word.get(1..)?.parse().ok()?;
            match word.as_bytes()[0] {
                b'i' => Some(Ty::Int(bits)),
                b'f' => Some(Ty::Float(bits)),
                b'x' => Some(Ty::Other(bits)),
                _ => None,
            }
        }
    }
}

pub(super) fn ty(c: &mut Cursor) -> Parsed<Ty> {
    let here = *c;
    let word = c.word()?;
    ty_of(word).ok_or_else(|| here.error(format!("a type expected, found '{word}'")))
}
