//! The SCoP whose order is row by row and whose arrays are windows: [`contracted`].
//!
//! A member `S[.., i, ..]` becomes `S[.., t, r, ..]`, of block `t` and its row `r`, with `i = s t + r - lead - shift`
//! (without blocks `S[.., r, ..]`, `i = r - shift`). Rows in front of a block are instances of several blocks.

use super::{Member, Rows, Window};
use crate::cost::{at_values, typical};
use crate::equivalence::{self, Answer};
use crate::expand::{counter, last_subscript, maximum, plus_one, subscripts, temporary, users};
use polytile_analysis::deps::value_flow_of;
use polytile_analysis::ids::{ArrayId, LoopId, StmtId};
use polytile_analysis::poly::{DimType, Map, Result, Set};
use polytile_analysis::scev::{Scev, ScevKind, Wrap};
use polytile_analysis::scop::{
    Access, Array, ArrayKind, Assumption, AssumptionKind, LoopInfo, Place, Scop, Stmt,
};
use std::collections::BTreeMap;

/// The part of the budget for the proof that values stay the same.
const PROOF_SHARE: u64 = 8;

/// The SCoP with these rows, if each value stays the same; `Err` says what would not, or that it is not known.
///
/// # Errors
/// Those of the set library.
pub fn contracted(scop: &Scop, rows: &Rows) -> Result<std::result::Result<Scop, String>> {
    let _quota = scop.context.ctx().share(PROOF_SHARE);
    let Some((with, origins)) = rewritten(scop, rows)? else {
        return Ok(Err("a row has no size in closed form".to_owned()));
    };
    let windows: Vec<ArrayId> = rows.windows.iter().map(|w| w.array).collect();
    let answer = equivalence::check_contracted(scop, &with, (&origins, &windows));
    log::debug!("{}: {rows}: {answer:?}", scop.name);
    Ok(match answer {
        Answer::Same => Ok(with),
        Answer::Other(why) => Err(format!("illegal: {why}")),
        Answer::Open(why) => Err(format!("not proved: {why}")),
    })
}

/// From instances of the new SCoP to those that they are, by statement.
pub(super) type Origins = BTreeMap<StmtId, Map>;

/// The rewritten SCoP, unproved.
pub(super) fn rewritten(scop: &Scop, rows: &Rows) -> Result<Option<(Scop, Origins)>> {
    let mut with = scop.clone();
    let loops = Loops::add(&mut with, scop, rows);
    let mut origins = Origins::new();
    for w in &rows.windows {
        match array(scop, w)? {
            Some(array) => with.arrays[w.array.index()] = array,
            None => return Ok(None),
        }
    }
    match defined(scop, rows)? {
        Some(assumed) => with.assumptions.extend(assumed),
        None => return Ok(None),
    }
    let window = |a: &ArrayId| rows.window(*a).is_some();
    // Memory that is dead behind the region is reached by its own base alone: what is asked of it is no matter of the program.
    (with.no_overlap).retain(|(a, b)| !window(a) && !window(b));
    for m in &rows.members {
        let rewriter = InRows {
            scop,
            rows,
            member: m,
            loops: &loops,
        };
        let stmt = scop.stmt(m.stmt);
        let origin = rewriter.origin(stmt)?;
        match rewriter.stmt(stmt, &origin)? {
            Some(stmt) => with.stmts[m.stmt.index()] = stmt,
            None => return Ok(None),
        }
        origins.insert(m.stmt, origin);
    }
    Ok(Some((with, origins)))
}

/// What is assumed so that each read of a window finds a value: a temporary array has none before, and where a cell is used again a read that found
/// nothing would find what is left in it. For such sizes nothing runs. `None`: they have no simple form, or are the usual ones.
fn defined(scop: &Scop, rows: &Rows) -> Result<Option<Vec<Assumption>>> {
    let temporary = |a: ArrayId| scop.array(a).kind == ArrayKind::Temporary;
    let asked = |a: ArrayId| temporary(a) && rows.window(a).is_some();
    let flow = value_flow_of(&scop.narrowed()?, None, asked)?;
    if flow.from_outside.is_empty()? {
        return Ok(Some(vec![]));
    }
    let found = scop.context.subtract(&flow.from_outside.params()?)?;
    let set = found.coalesce()?.gist(&scop.context)?;
    let why = AssumptionKind::NonEmpty;
    let usual = at_values(&found, &typical(scop)?)?;
    let some = !usual.is_empty()? && set.n_basic_set() == 1;
    Ok(some.then(|| vec![Assumption { set, why }]))
}

/// The loops over blocks and their rows.
struct Loops {
    block: Option<(LoopId, i64)>,
    row: LoopId,
    /// Names of their iterators, which no parameter has.
    names: [String; 2],
}

impl Loops {
    fn add(with: &mut Scop, scop: &Scop, rows: &Rows) -> Loops {
        let first = scop.stmt(rows.members[0].stmt).iters[rows.around];
        let mut add = |name: &str| {
            with.loops.push(LoopInfo {
                name: format!("{}.{name}", scop.loops[first.index()].name),
                descending: false,
                ..scop.loops[first.index()].clone()
            });
            LoopId::from(with.loops.len() - 1)
        };
        let block = rows.block.map(|size| (add("blocks"), size));
        let name = |base: &str| {
            let names = (0..).map(|n| format!("{base}{n}"));
            scop.unused_name(names)
        };
        Loops {
            block,
            row: add("rows"),
            names: [name("t"), name("r")],
        }
    }

    fn ids(&self) -> Vec<LoopId> {
        let block = self.block.iter().map(|(l, _)| *l);
        block.chain([self.row]).collect()
    }
}

/// A window in place of an array; `None` where a row has no size in closed form.
fn array(scop: &Scop, window: &Window) -> Result<Option<Array>> {
    let array = scop.array(window.array);
    let mut extents = vec![Scev::constant(64, i128::from(window.rows))];
    for &d in &window.kept {
        match size(scop, window.array, d)? {
            Some(size) => extents.push(size),
            None => return Ok(None),
        }
    }
    Ok(Some(temporary(array.name.clone(), array.ty, extents)))
}

/// How far a dimension of an array is used; `None`: there is no closed form, or it is used in front of 0.
fn size(scop: &Scop, array: ArrayId, d: usize) -> Result<Option<Scev>> {
    // What was made has its size.
    if scop.array(array).kind == ArrayKind::Temporary {
        return Ok(scop.array(array).extents.get(d).cloned());
    }
    let mut terms = vec![];
    for s in users(scop, array) {
        let domain = s.domain.intersect_params(&scop.context)?;
        for a in s.accesses.iter().filter(|a| a.array == array) {
            let cells = domain.apply(&a.relation)?;
            if !last_subscript(scop, &cells, d, &mut terms)? {
                return Ok(None);
            }
        }
    }
    Ok(Some(plus_one(maximum(terms))))
}

/// A member on its way.
struct InRows<'a> {
    scop: &'a Scop,
    rows: &'a Rows,
    member: &'a Member,
    loops: &'a Loops,
}

impl InRows<'_> {
    /// Row 0 of block 0, in the statement's own rows.
    fn first(&self) -> i64 {
        let lead = match self.rows.block {
            Some(_) => self.rows.lead(),
            None => 0,
        };
        -lead - self.member.shift
    }

    /// Names of the new iterators, and the row of the statement.
    fn iterators(&self, depth: usize) -> (Vec<String>, String) {
        let around = self.rows.around;
        let mut names: Vec<String> = (0..depth).map(|d| format!("i{d}")).collect();
        let first = self.first();
        let [t, r] = self.loops.names.clone();
        let row = match self.rows.block {
            Some(size) => {
                let row = format!("{size} {t} + {r} + {first}");
                names.splice(around..=around, [t, r]);
                row
            }
            None => {
                let row = format!("{r} + {first}");
                names[around] = r;
                row
            }
        };
        (names, row)
    }

    /// From new instances to those that they are.
    fn origin(&self, stmt: &Stmt) -> Result<Map> {
        let (names, row) = self.iterators(stmt.depth());
        let mut old: Vec<String> = (0..stmt.depth()).map(|d| format!("i{d}")).collect();
        old[self.rows.around] = row;
        let (name, names, old) = (&stmt.name, names.join(", "), old.join(", "));
        let text = format!("{{ {name}[{names}] -> {name}[{old}] }}");
        Map::parse(stmt.domain.ctx(), &text)?.align_params(&self.scop.context.space()?)
    }

    /// The new instances: of a block its own rows, and those in front of it that are computed again.
    fn domain(&self, stmt: &Stmt, origin: &Map) -> Result<Set> {
        let all = stmt.domain.apply(&origin.reverse()?)?;
        let Some(size) = self.rows.block else {
            return Ok(all);
        };
        let (block, row) = (self.rows.around, self.rows.around + 1);
        let lead = self.rows.lead();
        all.lower_bound_si(DimType::Set, block, 0)?
            .lower_bound_si(DimType::Set, row, lead - self.member.lead)?
            .upper_bound_si(DimType::Set, row, lead + size - 1)
    }

    /// The statement in rows; `None` where something in it does not evolve with the row by steps.
    fn stmt(&self, stmt: &Stmt, origin: &Map) -> Result<Option<Stmt>> {
        let around = self.rows.around;
        let mut new = stmt.clone();
        new.domain = self.domain(stmt, origin)?;
        new.iters.splice(around..=around, self.loops.ids());
        new.beta = self.beta(stmt);
        let own = stmt.iters[around];
        for s in new.evolutions_mut() {
            match self.in_rows(s, own) {
                Some(moved) => *s = moved,
                None => return Ok(None),
            }
        }
        for (a, old) in new.accesses.iter_mut().zip(&stmt.accesses) {
            a.relation = origin.apply_range(&old.relation)?;
            if let Some(window) = self.rows.window(a.array) {
                match self.in_window(stmt, (old, a), window, &new.iters)? {
                    Some(access) => *a = access,
                    None => return Ok(None),
                }
            }
        }
        Ok(Some(new))
    }

    /// All nests have one place in the list, and their own places in a row.
    fn beta(&self, stmt: &Stmt) -> Vec<i64> {
        let around = self.rows.around;
        let place = |m: &Member| self.scop.stmt(m.stmt).beta[around];
        let first = self.rows.members.iter().map(place).min();
        let below = |m: &Member| self.scop.stmt(m.stmt).beta[around + 1];
        let most = self.rows.members.iter().map(below).max();
        let width = most.unwrap_or(0) + 1;
        let mut beta = stmt.beta[..around].to_vec();
        beta.push(first.expect("there are members"));
        beta.extend(self.rows.block.map(|_| 0));
        let nest = i64::try_from(self.member.nest).expect("few nests");
        beta.push(nest * width + stmt.beta[around + 1]);
        beta.extend(&stmt.beta[around + 2..]);
        beta
    }

    /// An evolution over the statement's rows as one over blocks and rows; `None` if its step changes.
    fn in_rows(&self, s: &Scev, own: LoopId) -> Option<Scev> {
        let mut moved = s.clone();
        for part in moved.operands_mut() {
            *part = self.in_rows(part, own)?;
        }
        let ScevKind::AddRec {
            loop_, operands, ..
        } = &moved.kind
        else {
            return Some(moved);
        };
        if *loop_ != own {
            return Some(moved);
        }
        let [start, step] = &operands[..] else {
            return None;
        };
        let width = s.width;
        let constant = |c: i64| Scev::constant(width, i128::from(c));
        let of = |kind| Scev { width, kind };
        let times = |c: i64| {
            of(ScevKind::Mul(
                vec![constant(c), step.clone()],
                Wrap::default(),
            ))
        };
        let recurrence = |loop_, start, step| {
            of(ScevKind::AddRec {
                loop_,
                operands: vec![start, step],
                wrap: Wrap::default(),
            })
        };
        let ahead = vec![start.clone(), times(self.first())];
        let mut first = of(ScevKind::Add(ahead, Wrap::default()));
        if let Some((block, size)) = self.loops.block {
            first = recurrence(block, first, times(size));
        }
        Some(recurrence(self.loops.row, first, step.clone()))
    }

    /// An access to an array as one to its window; `None` if a subscript is not affine.
    fn in_window(
        &self,
        stmt: &Stmt,
        (old, new): (&Access, &Access),
        window: &Window,
        loops: &[LoopId],
    ) -> Result<Option<Access>> {
        let Some(affine) = old.affine_subscripts()? else {
            return Ok(None);
        };
        let ahead = affine[window.dim].constant()? + self.first();
        // Any multiple of the rows makes it positive.
        let ahead = ahead.rem_euclid(window.rows);
        let (names, _) = self.iterators(stmt.depth());
        let (name, names, r) = (&stmt.name, names.join(", "), &self.loops.names[1]);
        let text = match window.rows {
            1 => format!("{{ {name}[{names}] -> [0] }}"),
            rows => format!("{{ {name}[{names}] -> [({r} + {ahead}) mod {rows}] }}"),
        };
        let row =
            Map::parse(stmt.domain.ctx(), &text)?.align_params(&self.scop.context.space()?)?;
        let mut in_row = new.relation.clone();
        let dims = in_row.dim(DimType::Out);
        for d in (0..dims).rev().filter(|d| !window.kept.contains(d)) {
            in_row = in_row.project_out(DimType::Out, d, 1)?;
        }
        let in_row = in_row.reset_tuple_id(DimType::Out)?;
        let inner = Access {
            relation: in_row.clone(),
            ..new.clone()
        };
        let Some(kept) = subscripts(self.scop, &inner, loops)? else {
            return Ok(None);
        };
        let mut place = vec![folded(self.loops.row, ahead, window.rows)];
        place.extend(kept);
        let relation = row.flat_range_product(&in_row)?;
        Ok(Some(Access {
            relation: relation.set_tuple_name(DimType::Out, &self.scop.array(new.array).name)?,
            place: Place::Temporary(place),
            inst: None,
            ..new.clone()
        }))
    }
}

/// `(row + ahead) mod rows`.
fn folded(row: LoopId, ahead: i64, rows: i64) -> Scev {
    if rows == 1 {
        return Scev::constant(64, 0);
    }
    let at = Scev::sum(vec![counter(row), Scev::constant(64, i128::from(ahead))]);
    let size = Scev::constant(64, i128::from(rows));
    let kind = ScevKind::UDiv(Box::new(at.clone()), Box::new(size));
    let quotient = Scev { width: 64, kind };
    let whole = Scev::product(vec![Scev::constant(64, -i128::from(rows)), quotient]);
    Scev::sum(vec![at, whole])
}
