//! Reading a [`Scop`].

use super::body::body;
use super::lexer::{Cursor, ParseError, Parsed};
use super::scev::{scev, scev_list, ty, ty_of};
use super::scop_print::ASSUMPTIONS;
use crate::body::Body;
use crate::ids::{ArrayId, BaseId, LoopId, ParamId, StmtId, ValueId};
use crate::poly::{self, Ctx, Map, Set, Space};
use crate::region::{Address, Inspection, Loc, Ty};
use crate::scev::{Scev, ScevKind, Wrap};
use crate::scop::{
    Access, AccessKind, Array, ArrayKind, Assumption, Length, LoopInfo, Param, Place, PolyRange,
    PolyTerm, Rows, Scop, Shift, Stmt,
};
use std::collections::{BTreeMap, BTreeSet};

/// Reads a SCoP; the grammar is in the [module's documentation](super).
pub fn parse_scop(ctx: &Ctx, text: &str) -> Result<Scop, ParseError> {
    let mut c = Cursor::new(text);
    let space = Space::params_alloc(ctx, 0).map_err(|e| c.error(e.to_string()))?;
    let context = Set::universe(&space).map_err(|e| c.error(e.to_string()))?;
    let scop = Scop {
        name: String::new(),
        function: String::new(),
        loc: None,
        params: vec![],
        context,
        assumptions: vec![],
        poly_ranges: vec![],
        no_overlap: vec![],
        read_behind: BTreeSet::new(),
        inspection: None,
        rows: vec![],
        arrays: vec![],
        stmts: vec![],
        loops: vec![],
    };
    let mut reader = Reader {
        ctx,
        scop,
        space,
        has_context: false,
    };
    while !c.at_end() {
        reader.item(&mut c)?;
    }
    reader.finish(&c)
}

struct Reader<'a> {
    ctx: &'a Ctx,
    scop: Scop,
    /// All parameters so far.
    space: Space,
    has_context: bool,
}

impl Reader<'_> {
    fn item(&mut self, c: &mut Cursor) -> Parsed<()> {
        let here = *c;
        match c.word()? {
            "scop" => {
                self.scop.name = c.quoted()?;
                self.scop.function = if c.eat("function") {
                    c.quoted()?
                } else {
                    String::new()
                };
                self.scop.loc = loc(c)?;
            }
            "params" => {
                while !c.at_line_end() {
                    let value = Scev::unknown(64, ValueId::from(self.scop.params.len()));
                    self.param(c, Some(value))?;
                }
            }
            "param" => self.param(c, None)?,
            "context" => {
                self.scop.context = self.set(c)?;
                self.has_context = true;
            }
            "assume" => {
                let word = c.word()?;
                let kind = ASSUMPTIONS.iter().find(|(w, _)| *w == word);
                let why = kind
                    .ok_or_else(|| here.error(format!("no assumption '{word}'")))?
                    .1;
                let set = self.set(c)?;
                self.scop.assumptions.push(Assumption { set, why });
            }
            "poly-range" => {
                let (least, greatest) = (bound(c)?, bound(c)?);
                let mut terms = vec![];
                while c.eat("times") {
                    terms.push(self.poly_term(c)?);
                }
                self.scop.poly_ranges.push(PolyRange {
                    terms,
                    least,
                    greatest,
                });
            }
            "no-overlap" => {
                let pair = (self.array_named(c)?, self.array_named(c)?);
                self.scop.no_overlap.push(pair);
            }
            "read-behind" => {
                let pair = (self.array_named(c)?, self.array_named(c)?);
                self.scop.read_behind.insert(pair);
            }
            "inspected" => {
                let list = |c: &mut Cursor| -> Parsed<Vec<ValueId>> {
                    let mut list = vec![];
                    while !c.eat("with") && !c.eat("end") {
                        list.push(ValueId(c.id('v')?));
                    }
                    Ok(list)
                };
                let (written, inputs) = (list(c)?, list(c)?);
                let share = c.value("a share")?;
                self.scop.inspection = Some(Inspection {
                    written,
                    inputs,
                    share,
                });
            }
            "rows" => {
                let rows = self.rows(c)?;
                self.scop.rows.push(rows);
            }
            "loop" => {
                let (name, loc) = (c.quoted()?, loc(c)?);
                let descending = c.eat("descending");
                self.scop.loops.push(LoopInfo {
                    name,
                    loc,
                    descending,
                });
            }
            "array" => self.array(c)?,
            "stmt" => self.stmt(c)?,
            other => return Err(here.error(format!("no item '{other}'"))),
        }
        Ok(())
    }

    /// What follows `rows`; the reverse of printing.
    fn rows(&self, c: &mut Cursor) -> Parsed<Rows> {
        let (base, address) = (BaseId(c.id('m')?), ValueId(c.id('v')?));
        let keyword = |c: &mut Cursor, word: &str| match c.eat(word) {
            true => Ok(()),
            false => Err(c.error(format!("'{word}' expected"))),
        };
        keyword(c, "through")?;
        let table = self.array_named(c)?;
        keyword(c, "from")?;
        let first = c.value("an element")?;
        keyword(c, "step")?;
        let step = c.value("a number of elements")?;
        keyword(c, "pitch")?;
        let pitch = ValueId(c.id('v')?);
        keyword(c, "element")?;
        let element = c.value("a number of bytes")?;
        let mut lengths = vec![];
        while c.eat("length") {
            let value = ValueId(c.id('v')?);
            keyword(c, "behind")?;
            let behind = c.value("a number of elements")?;
            let unit = match c.eat("distance") {
                true => Some(c.value("a number of bytes")?),
                false => None,
            };
            lengths.push(Length {
                behind,
                value,
                unit,
            });
        }
        let entries = self.set(c)?;
        let measured = match c.eat("measured") {
            true => Some(self.set(c)?),
            false => None,
        };
        Ok(Rows {
            table,
            entries,
            measured,
            first,
            step,
            base,
            address,
            pitch,
            element,
            lengths,
        })
    }

    /// Parameters, and a set of values.
    fn poly_term(&mut self, c: &mut Cursor) -> Parsed<PolyTerm> {
        let mut factors = vec![];
        while !c.sees('{') && !c.sees('[') {
            let here = *c;
            let name = c.word()?;
            let at = self.scop.params.iter().position(|p| p.name == name);
            let at = at.ok_or_else(|| here.error(format!("no parameter '{name}'")))?;
            factors.push(ParamId::from(at));
        }
        let values = self.set(c)?;
        Ok(PolyTerm { factors, values })
    }

    fn param(&mut self, c: &mut Cursor, default: Option<Scev>) -> Parsed<()> {
        let here = *c;
        let name = c.word()?;
        let expr = match default {
            Some(d) => d,
            None => {
                c.expect('=')?;
                scev(c)?
            }
        };
        self.space = self
            .space
            .add_param(name)
            .map_err(|e| here.error(e.to_string()))?;
        self.scop.params.push(Param {
            name: name.to_owned(),
            expr,
        });
        Ok(())
    }

    /// An isl text, with the parameters of the SCoP in front unless it has its own.
    fn isl<T>(&self, c: &mut Cursor, parse: impl Fn(&str) -> poly::Result<T>) -> Parsed<T> {
        c.at_end();
        let here = *c;
        let text = c.isl()?;
        let names: Vec<&str> = self.scop.params.iter().map(|p| p.name.as_str()).collect();
        let full = if text.starts_with('{') && !names.is_empty() {
            format!("[{}] -> {text}", names.join(", "))
        } else {
            text.to_owned()
        };
        parse(&full).map_err(|e| here.error(format!("{full}: {e}")))
    }

    fn set(&self, c: &mut Cursor) -> Parsed<Set> {
        self.isl(c, |t| Set::parse(self.ctx, t)?.align_params(&self.space))
    }

    fn map(&self, c: &mut Cursor) -> Parsed<Map> {
        self.isl(c, |t| Map::parse(self.ctx, t)?.align_params(&self.space))
    }

    fn array_named(&self, c: &mut Cursor) -> Parsed<ArrayId> {
        let here = *c;
        let name = c.word()?;
        self.find_array(name)
            .ok_or_else(|| here.error(format!("no array '{name}'")))
    }

    fn find_array(&self, name: &str) -> Option<ArrayId> {
        self.scop
            .arrays
            .iter()
            .position(|a| a.name == name)
            .map(ArrayId::from)
    }

    fn array(&mut self, c: &mut Cursor) -> Parsed<()> {
        let name = c.word()?.to_owned();
        let ty = ty(c)?;
        let kind = self.array_kind(c)?;
        let (mut strides, mut extents) = (vec![], vec![]);
        if c.sees('[') {
            let sizes = self.sizes(c)?;
            strides = dense_strides(&sizes, ty);
            let first = if kind == ArrayKind::Temporary { 0 } else { 1 };
            extents = sizes.into_iter().skip(first).flatten().collect();
        }
        if c.eat("strides") {
            strides = scev_list(c)?;
        }
        if c.eat("extents") {
            extents = scev_list(c)?;
        }
        let mut origin = vec![];
        loop {
            if c.eat("origin") {
                origin.push(Shift::Bound {
                    value: ValueId(c.id('v')?),
                    from: c.value("a number")?,
                    stride: scev(c)?,
                });
            } else if c.eat("common") {
                origin.push(Shift::Common(scev(c)?));
            } else {
                break;
            }
        }
        let gaps = c.eat("gaps");
        let hidden = c.eat("hidden");
        let dead = c.eat("dead");
        let blank = c.eat("blank");
        self.scop.arrays.push(Array {
            name,
            kind,
            ty,
            strides,
            extents,
            origin,
            gaps,
            hidden,
            dead,
            blank,
        });
        Ok(())
    }

    fn array_kind(&self, c: &mut Cursor) -> Parsed<ArrayKind> {
        Ok(match c.peek() {
            "memory" => {
                c.word()?;
                ArrayKind::Memory {
                    base: ValueId(c.id('v')?),
                }
            }
            "scalar" => {
                c.word()?;
                let live_out = if c.eat("live-out") {
                    Some(ValueId(c.id('v')?))
                } else {
                    None
                };
                ArrayKind::Scalar { live_out }
            }
            "temporary" => {
                c.word()?;
                ArrayKind::Temporary
            }
            "intact" => {
                c.word()?;
                ArrayKind::Intact
            }
            _ => ArrayKind::Memory {
                base: ValueId::from(self.scop.params.len() + self.scop.arrays.len()),
            },
        })
    }

    /// `[n][m + 1][3]`, `[][m]`.
    fn sizes(&self, c: &mut Cursor) -> Parsed<Vec<Option<Scev>>> {
        let mut sizes = vec![];
        while c.eat_char('[') {
            let mut terms = vec![];
            while !c.eat_char(']') {
                if !c.eat("+") {
                    terms.push(self.size(c)?);
                }
            }
            let whole = if terms.len() > 1 {
                Some(op64(ScevKind::Add(terms, Wrap::default())))
            } else {
                terms.pop()
            };
            sizes.push(whole);
        }
        Ok(sizes)
    }

    fn size(&self, c: &mut Cursor) -> Parsed<Scev> {
        let here = *c;
        let word = c.word()?;
        if let Ok(n) = word.parse() {
            return Ok(Scev::constant(64, n));
        }
        let p = self.scop.params.iter().find(|p| p.name == word);
        p.map(|p| p.expr.clone())
            .ok_or_else(|| here.error(format!("no parameter '{word}'")))
    }

    fn stmt(&mut self, c: &mut Cursor) -> Parsed<()> {
        let here = *c;
        let id = StmtId(c.id('S')?);
        if id.index() != self.scop.stmts.len() {
            return Err(here.error(format!("S{} expected", self.scop.stmts.len())));
        }
        let loc = loc(c)?;
        let (mut domain, mut iters, mut beta, mut accesses, mut text) =
            (None, vec![], vec![], vec![], None);
        loop {
            match c.peek() {
                "domain" => {
                    c.word()?;
                    domain = Some(self.set(c)?);
                }
                "iters" => {
                    c.word()?;
                    while c.sees_id('L') {
                        iters.push(LoopId(c.id('L')?));
                    }
                }
                "beta" => {
                    c.word()?;
                    while c.peek().parse::<i64>().is_ok() {
                        beta.push(c.value("a position")?);
                    }
                }
                "write" | "may-write" | "read" => accesses.push(self.access(c)?),
                "body" => {
                    c.word()?;
                    let ty = accesses.first().map_or(Ty::Float(64), |a: &Access| a.ty);
                    text = Some(body(c, ty)?);
                }
                _ => break,
            }
        }
        let domain = domain.ok_or_else(|| here.error("a statement without domain"))?;
        let name = format!("{id}");
        let body = text.unwrap_or_else(Body::default);
        let stmt = Stmt {
            id,
            name,
            iters,
            domain,
            beta,
            accesses,
            body,
            loc,
        };
        check(&stmt).map_err(|m| here.error(format!("{id}: {m}")))?;
        self.scop.stmts.push(stmt);
        Ok(())
    }

    fn access(&self, c: &mut Cursor) -> Parsed<Access> {
        let kind = match c.word()? {
            "read" => AccessKind::Read,
            "write" => AccessKind::MustWrite,
            _ => AccessKind::MayWrite,
        };
        c.at_end();
        let here = *c;
        let relation = self.map(c)?;
        let name = relation.tuple_name(poly::DimType::Out).unwrap_or_default();
        let array = self
            .find_array(&name)
            .ok_or_else(|| here.error(format!("no array '{name}'")))?;
        let declared = self.scop.array(array);
        let ty = match ty_of(c.peek()) {
            Some(ty) => {
                c.word()?;
                ty
            }
            None => declared.ty,
        };
        let place = place(c, declared, array)?;
        let inst = if c.eat("inst") {
            Some(ValueId(c.id('v')?))
        } else {
            None
        };
        Ok(Access {
            kind,
            array,
            relation,
            place,
            ty,
            inst,
        })
    }

    fn finish(mut self, c: &Cursor) -> Parsed<Scop> {
        if !self.has_context {
            self.scop.context = Set::universe(&self.space).map_err(|e| c.error(e.to_string()))?;
        }
        infer_iters(&mut self.scop);
        for s in &self.scop.stmts {
            if s.iters.iter().any(|l| l.index() >= self.scop.loops.len()) {
                return Err(c.error(format!("{}: iterator of a loop that is not declared", s.id)));
            }
        }
        Ok(self.scop)
    }
}

fn loc(c: &mut Cursor) -> Parsed<Option<Loc>> {
    if !c.eat("at") {
        return Ok(None);
    }
    Ok(Some(Loc {
        file: c.quoted()?,
        line: c.value("a line")?,
        column: c.value("a column")?,
    }))
}

fn place(c: &mut Cursor, array: &Array, id: ArrayId) -> Parsed<Place> {
    Ok(match c.peek() {
        "memory" => {
            c.word()?;
            Place::Memory(Address {
                base: BaseId(c.id('m')?),
                offset: scev(c)?,
            })
        }
        "scalar" => {
            c.word()?;
            Place::Scalar
        }
        "temporary" => {
            c.word()?;
            Place::Temporary(scev_list(c)?)
        }
        _ => match array.kind {
            ArrayKind::Memory { .. } => Place::Memory(Address {
                base: BaseId(id.0),
                offset: Scev::constant(64, 0),
            }),
            ArrayKind::Scalar { .. } | ArrayKind::Intact => Place::Scalar,
            ArrayKind::Temporary => Place::Temporary(vec![]),
        },
    })
}

/// What holds for every statement.
fn check(s: &Stmt) -> Result<(), String> {
    let depth = s.domain.dim(poly::DimType::Set);
    if s.domain.tuple_name().as_deref() != Some(&s.name) {
        return Err("the domain has another name".into());
    }
    if s.beta.len() != depth + 1 {
        return Err(format!("beta needs {} positions", depth + 1));
    }
    if !s.iters.is_empty() && s.iters.len() != depth {
        return Err(format!("{depth} iterators expected"));
    }
    let late = |a: &Access| a.kind != AccessKind::Read;
    if s.writes().is_empty() || s.reads().iter().any(late) {
        return Err("a write expected, and none behind the reads".into());
    }
    if !s.body.nodes.is_empty() && s.body.values().count() != s.writes().len() {
        return Err("one value for each write expected".into());
    }
    for a in &s.accesses {
        let domain = a.relation.tuple_name(poly::DimType::In);
        if domain.as_deref() != Some(&s.name) || a.relation.dim(poly::DimType::In) != depth {
            return Err(format!("an access of another statement: {}", a.relation));
        }
    }
    Ok(())
}

/// Gives statements without iterators the loops that equal beta prefixes share.
fn infer_iters(scop: &mut Scop) {
    let mut known: BTreeMap<Vec<i64>, LoopId> = BTreeMap::new();
    for s in &mut scop.stmts {
        if !s.iters.is_empty() {
            continue;
        }
        for depth in 1..s.beta.len() {
            let next = LoopId::from(scop.loops.len());
            let id = *known.entry(s.beta[..depth].to_vec()).or_insert(next);
            if id == next {
                scop.loops.push(LoopInfo {
                    name: format!("{id}"),
                    loc: None,
                    descending: false,
                });
            }
            s.iters.push(id);
        }
    }
}

fn op64(kind: ScevKind) -> Scev {
    Scev { width: 64, kind }
}

/// Strides of a dense array with these sizes.
fn dense_strides(sizes: &[Option<Scev>], ty: Ty) -> Vec<Scev> {
    let element = Scev::constant(64, ty.bytes().into());
    (1..=sizes.len())
        .map(|d| {
            let mut factors = vec![element.clone()];
            factors.extend(sizes[d..].iter().flatten().cloned());
            if factors.len() == 1 {
                element.clone()
            } else {
                op64(ScevKind::Mul(factors, Wrap::default()))
            }
        })
        .collect()
}

/// A bound of a range; `*` for none.
fn bound(c: &mut Cursor) -> Parsed<Option<i64>> {
    match c.eat("*") {
        true => Ok(None),
        false => c.value("a bound").map(Some),
    }
}
