//! Nests in a row that are one nest in an outer loop of a known length, which the compiler has unrolled (or somebody by hand).
//!
//! ```text
//! for i: y[i][0] = f(x[i][0], y[i-1][0]);  for i: y[i][1] = f(x[i][1], y[i-1][1]);  for i: y[i][2] = f(x[i][2], y[i-1][2])
//! for v < 3: for i: y[i][v] = f(x[i][v], y[i-1][v])
//! ```
//!
//! As many nests none of them moves along the rows; as one they may be interchanged, and they are a third of the statements. The nests
//! run in the same order as before, so that nothing is to be proved but that they are copies: statement by statement the same
//! tree over the same domain, with accesses and indices that move by the same distance from each nest to the next. The same holds for
//! statements in a row, of which there must be more: a body of some is no unrolled loop yet.
//!
//! Each copy may have scalars of its own, which it writes before it reads them and nobody else asks for, as a sum has that is cleared in front of its loop and
//! stored behind it; those of the first copy serve all.

use super::cells::{self, SCALAR};
use super::matching::{Pairing, Sum, of_affs, one_function, same_domain};
use super::{Alike, with_statements};
use crate::expand::{is_written_first, shared_depth};
use polytile_analysis::body::NodeKind;
use polytile_analysis::ids::{ArrayId, LoopId, StmtId};
use polytile_analysis::poly::{Aff, DimType, Error, Map, Result};
use polytile_analysis::scev::{Scev, ScevKind, Wrap};
use polytile_analysis::scop::{Place, Scop, Stmt};
use std::collections::{BTreeMap, BTreeSet};

/// Two nests that are alike are no loop.
const LEAST: usize = 3;

/// Statements that are alike are no loop if they are fewer: they may be the components of something, and have vectors as they stand.
const LEAST_STATEMENTS: usize = 8;

/// Nests in the body of the outer loop.
const MOST_IN_BODY: usize = 4;

/// The part of the budget for all of a SCoP; without an answer the nests stay.
const SHARE: u64 = 20;

/// `scop` with such nests as one; `alike` compares the instructions behind operations and accesses.
///
/// # Errors
/// What the sets come to.
pub fn nests(scop: &Scop, alike: &Alike) -> Result<Scop> {
    all(scop, Copies::Nests, alike)
}

/// `scop` with statements in a row that are an innermost loop, which the compiler has unrolled, as that loop. What is an unrolled row of a
/// loop around belongs to that one: [`super::reroll`] comes first.
///
/// # Errors
/// What the sets come to.
pub fn in_a_row(scop: &Scop, alike: &Alike) -> Result<Scop> {
    all(scop, Copies::Statements, alike)
}

/// What is rolled up.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Copies {
    /// Nests, or groups of some.
    Nests,
    /// Statements without loops of their own.
    Statements,
}

impl Copies {
    /// How many in a row are a loop.
    fn least(self) -> usize {
        match self {
            Copies::Nests => LEAST,
            Copies::Statements => LEAST_STATEMENTS,
        }
    }
}

fn all(scop: &Scop, kind: Copies, alike: &Alike) -> Result<Scop> {
    let _quota = scop.context.ctx().share(SHARE);
    let mut result = scop.clone();
    loop {
        match once(&result, kind, alike) {
            Err(Error::Quota) | Ok(None) => return Ok(result),
            Ok(Some(fewer)) => result = fewer,
            Err(e) => return Err(e),
        }
    }
}

/// What is at one place below the loops around: a loop with its statements, or a statement.
type Child<'s> = Vec<&'s Stmt>;

/// The children of each place, by the loops around it.
fn places(scop: &Scop) -> Vec<(usize, Vec<Child<'_>>)> {
    let mut found: BTreeMap<&[i64], BTreeMap<i64, Child>> = BTreeMap::new();
    for s in &scop.stmts {
        for d in 0..s.beta.len() {
            let children = found.entry(&s.beta[..d]).or_default();
            children.entry(s.beta[d]).or_default().push(s);
        }
    }
    let mut list = vec![];
    for (prefix, children) in found {
        let mut children: Vec<Child> = children.into_values().collect();
        for child in &mut children {
            child.sort_by(|a, b| a.beta.cmp(&b.beta));
        }
        list.push((prefix.len(), children));
    }
    list
}

/// The first row of nests that is a loop, as one.
fn once(scop: &Scop, kind: Copies, alike: &Alike) -> Result<Option<Scop>> {
    for (depth, children) in places(scop) {
        // Statements outside of all loops have none to be like.
        if depth == 0 && kind == Copies::Statements {
            continue;
        }
        let least = kind.least();
        for period in 1..=MOST_IN_BODY.min(children.len() / least) {
            for start in 0..=children.len() - period * least {
                let copies: Vec<&[Child]> = children[start..].chunks_exact(period).collect();
                let like = |c: &&[Child]| is_like(scop, [copies[0], c], (depth, kind));
                if !copies[..least].iter().all(like) {
                    continue;
                }
                if let Some(one) = rolled(scop, &copies, (depth, kind), alike)? {
                    return Ok(Some(one));
                }
            }
        }
    }
    Ok(None)
}

/// Whether nests have the same loops and statements, as far as that is seen without a set.
fn is_like(scop: &Scop, [a, b]: [&[Child]; 2], (depth, kind): (usize, Copies)) -> bool {
    let below = |s: &Stmt, t: &Stmt| s.beta[depth + 1..] == t.beta[depth + 1..];
    let cells = |s: &Stmt, t: &Stmt| {
        let (own, other) = (s.write().array, t.write().array);
        own == other
            || [own, other]
                .into_iter()
                .all(|a| scop.array(a).kind == SCALAR)
    };
    let same = |s: &Stmt, t: &Stmt| {
        below(s, t)
            && s.accesses.len() == t.accesses.len()
            && cells(s, t)
            && s.body.nodes.len() == t.body.nodes.len()
    };
    let nest = |child: &Child| child.iter().any(|s| s.depth() > depth);
    let wanted = match kind {
        Copies::Nests => a.iter().any(nest),
        Copies::Statements => !a.iter().any(nest),
    };
    wanted
        && a.iter().zip(b).all(|(a, b)| {
            a.len() == b.len() && nest(a) == nest(b) && a.iter().zip(b).all(|(s, t)| same(s, t))
        })
}

/// The statements of a copy with the scalars of the first one in the place of their own; `None`: these hand something on.
fn with_scalars_of(
    scop: &Scop,
    first: &[(usize, &Stmt)],
    copy: &[(usize, &Stmt)],
) -> Result<Option<Vec<Stmt>>> {
    let mut renamed: BTreeMap<ArrayId, ArrayId> = BTreeMap::new();
    let mut back: BTreeMap<ArrayId, ArrayId> = BTreeMap::new();
    for ((_, s), (_, t)) in first.iter().zip(copy) {
        let (own, other) = (s.write(), t.write());
        let one = *renamed.entry(other.array).or_insert(own.array) == own.array
            && *back.entry(own.array).or_insert(other.array) == other.array;
        if own.ty != other.ty || !one {
            return Ok(None);
        }
    }
    renamed.retain(|other, own| own != other);
    for (other, own) in &renamed {
        if !is_private(scop, copy, *other)? || !is_private(scop, first, *own)? {
            return Ok(None);
        }
    }
    let all = copy.iter().map(|(_, t)| cells::renamed(scop, t, &renamed));
    all.collect::<Result<Vec<_>>>().map(Some)
}

/// Whether a scalar is one of these statements alone, which write it before they read it.
fn is_private(scop: &Scop, of: &[(usize, &Stmt)], scalar: ArrayId) -> Result<bool> {
    let of: Vec<&Stmt> = of.iter().map(|(_, s)| *s).collect();
    let alone = scop.array(scalar).kind == SCALAR && cells::alone(scop, &of, scalar).is_some();
    Ok(alone && is_written_first(scop, scalar, shared_depth(scop, scalar))?)
}

/// The SCoP with as many of these copies as one as follow each other at the same distance.
fn rolled(
    scop: &Scop,
    copies: &[&[Child]],
    (depth, kind): (usize, Copies),
    alike: &Alike,
) -> Result<Option<Scop>> {
    let Some((many, moves)) = at_one_distance(scop, copies, (depth, kind), alike)? else {
        return Ok(None);
    };
    let new = LoopId::from(scop.loops.len());
    let first = stmts(copies[0]);
    let gone = copies[..many].iter().flat_map(|c| stmts(c));
    let gone: BTreeSet<StmtId> = gone.map(|(_, s)| s.id).collect();
    let mut list = vec![];
    for ((child, s), by) in first.iter().zip(&moves) {
        let mut one = by.whole(s, (depth, many), new)?;
        one.beta.insert(depth + 1, *child as i64);
        one.beta[depth] = copies[0][0][0].beta[depth];
        list.push(one);
    }
    let mut result = scop.clone();
    let at = |d: usize| first.iter().find_map(|(_, s)| s.iters.get(d));
    let like = at(depth).or(first[0].1.iters.last()).expect("a loop");
    result.loops.push(scop.loops[like.index()].clone());
    with_statements(&mut result, &gone, list)?;
    Ok(Some(result))
}

/// How many copies follow each other at the same distance, and that by statement; `None` if they are too few.
fn at_one_distance(
    scop: &Scop,
    copies: &[&[Child]],
    (depth, kind): (usize, Copies),
    alike: &Alike,
) -> Result<Option<(usize, Vec<Move>)>> {
    let first = stmts(copies[0]);
    let moves_to = |copy: &[Child]| -> Result<Option<Vec<Move>>> {
        let Some(copy) = with_scalars_of(scop, &first, &stmts(copy))? else {
            return Ok(None);
        };
        let pairs = first.iter().zip(&copy);
        let moves = pairs.map(|((_, s), t)| Move::of(s, t, depth, alike));
        moves.collect()
    };
    let Some(mut moves) = moves_to(copies[1])? else {
        return Ok(None);
    };
    let mut many = 2;
    for copy in &copies[2..] {
        if !is_like(scop, [copies[0], copy], (depth, kind)) {
            break;
        }
        let Some(next) = moves_to(copy)? else { break };
        let mut both = moves.iter_mut().zip(&next);
        if !both.all(|(by, found)| by.continues(found, many as i128)) {
            break;
        }
        many += 1;
    }
    Ok((many >= kind.least()).then_some((many, moves)))
}

/// The statements of a copy with the numbers of their nests.
fn stmts<'s>(copy: &[Child<'s>]) -> Vec<(usize, &'s Stmt)> {
    let children = copy.iter().enumerate();
    children
        .flat_map(|(n, child)| child.iter().map(move |s| (n, *s)))
        .collect()
}

/// How a copy of a statement lies to the first one.
struct Move {
    /// By access of the first: what is added to subscripts.
    subscripts: Vec<Vec<i64>>,
    /// To addresses, in bytes.
    bytes: Vec<i128>,
    /// To indices, by node.
    indices: BTreeMap<usize, i128>,
    /// Accesses whose instructions are not the same but for their operands.
    unlike: Vec<usize>,
}

impl Move {
    /// `None` if one is no copy of the other.
    fn of(first: &Stmt, other: &Stmt, depth: usize, alike: &Alike) -> Result<Option<Move>> {
        let renamed = with_loops_of(first, other, depth);
        let Some(pairing) = Pairing::of(first, &renamed, alike) else {
            return Ok(None);
        };
        if !same_domain(first, &renamed)? {
            return Ok(None);
        }
        let mut found = Move {
            subscripts: vec![],
            bytes: vec![],
            indices: BTreeMap::new(),
            unlike: vec![],
        };
        for (n, (a, at)) in first.accesses.iter().zip(&pairing.accesses).enumerate() {
            let b = &renamed.accesses[*at];
            let Some(by) = subscripts_between(&a.relation, &b.relation)? else {
                return Ok(None);
            };
            found.subscripts.push(by);
            found.bytes.push(match (&a.place, &b.place) {
                (Place::Memory(a), Place::Memory(b)) => match between(&a.offset, &b.offset) {
                    Some(by) => by,
                    None => return Ok(None),
                },
                _ => 0,
            });
            if !a.inst.is_some_and(|x| b.inst.is_some_and(|y| alike(x, y))) {
                found.unlike.push(n);
            }
        }
        for (at, a, b) in &pairing.indices {
            let Some(by) = between(a, b) else {
                return Ok(None);
            };
            // What is one value in the first may be two in another: `i + 2` and `i + 2*c`, where `c` is 1.
            if *found.indices.entry(at.index()).or_insert(by) != by {
                return Ok(None);
            }
        }
        Ok(Some(found))
    }

    /// Whether another copy lies so many times as far away. What holds for all copies is kept.
    fn continues(&mut self, other: &Move, times: i128) -> bool {
        let far = |by: &i64| i128::from(*by) * times;
        let subscripts = self.subscripts.iter().flatten().map(far);
        let others = other.subscripts.iter().flatten().map(|by| i128::from(*by));
        let same = subscripts.eq(others)
            && self
                .bytes
                .iter()
                .map(|by| by * times)
                .eq(other.bytes.iter().copied())
            && self.indices.len() == other.indices.len()
            && (self.indices.iter()).all(|(n, by)| other.indices.get(n) == Some(&(by * times)));
        self.unlike.extend(&other.unlike);
        same
    }

    /// The statement over the loop `new`, of so many iterations, at this depth.
    fn whole(&self, first: &Stmt, (depth, many): (usize, usize), new: LoopId) -> Result<Stmt> {
        let mut whole = first.clone();
        whole.iters.insert(depth, new);
        let inner = &first.iters[depth..];
        let domain = first.domain.insert_dims(DimType::Set, depth, 1)?;
        let domain = domain.set_tuple_name(&first.name)?;
        let domain = domain.lower_bound_si(DimType::Set, depth, 0)?;
        whole.domain = domain.upper_bound_si(DimType::Set, depth, many as i64 - 1)?;
        for d in 0..whole.iters.len() {
            whole.domain = whole
                .domain
                .set_dim_name(DimType::Set, d, &format!("i{d}"))?;
        }
        for (n, a) in whole.accesses.iter_mut().enumerate() {
            a.relation = moved(&a.relation, depth, &self.subscripts[n])?;
            if let Place::Memory(address) = &mut a.place {
                add_loop(&mut address.offset, inner, new, self.bytes[n]);
            }
            a.inst = a.inst.filter(|_| !self.unlike.contains(&n));
        }
        for (n, by) in &self.indices {
            if let NodeKind::Index(index) = &mut whole.body.nodes[*n].kind {
                add_loop(index, inner, new, *by);
            }
        }
        Ok(whole)
    }
}

/// A copy of a statement over the loops of the first.
pub(super) fn with_loops_of(first: &Stmt, other: &Stmt, depth: usize) -> Stmt {
    let mut renamed = other.clone();
    let pairs = other.iters[depth..].iter().zip(&first.iters[depth..]);
    let map: BTreeMap<LoopId, LoopId> = pairs.map(|(a, b)| (*a, *b)).collect();
    renamed.iters = first.iters.clone();
    renamed.evolutions_mut().for_each(|e| rename(e, &map));
    renamed
}

fn rename(s: &mut Scev, map: &BTreeMap<LoopId, LoopId>) {
    if let ScevKind::AddRec { loop_, .. } = &mut s.kind {
        *loop_ = map.get(loop_).copied().unwrap_or(*loop_);
    }
    s.operands_mut().into_iter().for_each(|o| rename(o, map));
}

/// What is to be added to an evolution for another one; `None` if that is no constant.
fn between(a: &Scev, b: &Scev) -> Option<i128> {
    Sum::of(a, None)?.to(&Sum::of(b, None)?)
}

/// What is to be added to the subscripts of an access for those of another one; `None` if these are no constants.
fn subscripts_between(a: &Map, b: &Map) -> Result<Option<Vec<i64>>> {
    // The tuples have the names of their statements.
    let b = match a.tuple_name(DimType::In) {
        Some(name) => b.set_tuple_name(DimType::In, &name)?,
        None => b.clone(),
    };
    let (Some(a), Some(b)) = (one_function(a)?, one_function(&b)?) else {
        return Ok(None);
    };
    let mut by = vec![];
    for (a, b) in a.affs()?.iter().zip(b.affs()?) {
        let far = b.sub(a)?;
        if !far.is_cst()? || far.denominator()? != 1 {
            return Ok(None);
        }
        by.push(far.constant()?);
    }
    Ok(Some(by))
}

/// An access in a loop more, which adds so much to its subscripts.
fn moved(relation: &Map, depth: usize, by: &[i64]) -> Result<Map> {
    let name = relation.tuple_name(DimType::In);
    let mut wide = relation.insert_dims(DimType::In, depth, 1)?;
    for d in 0..wide.dim(DimType::In) {
        wide = wide.set_dim_name(DimType::In, d, &format!("i{d}"))?;
    }
    if let Some(name) = name {
        wide = wide.set_tuple_name(DimType::In, &name)?;
    }
    if let Some(name) = relation.tuple_name(DimType::Out) {
        wide = wide.set_tuple_name(DimType::Out, &name)?;
    }
    let Some(function) = one_function(&wide)? else {
        return Ok(wide);
    };
    let affs = function.affs()?.into_iter().zip(by);
    let affs: Result<Vec<Aff>> = affs
        .map(|(aff, by)| aff.set_coefficient_si(DimType::In, depth, *by))
        .collect();
    of_affs(&wide, &affs?)
}

/// Adds `by` per iteration of a loop around these inner ones.
fn add_loop(s: &mut Scev, inner: &[LoopId], new: LoopId, by: i128) {
    if by == 0 {
        return;
    }
    if let ScevKind::AddRec {
        loop_,
        operands,
        wrap,
    } = &mut s.kind
        && inner.contains(loop_)
    {
        *wrap = Wrap::default();
        return add_loop(&mut operands[0], inner, new, by);
    }
    let width = s.width;
    let evolution = |start| Scev {
        width,
        kind: ScevKind::AddRec {
            loop_: new,
            operands: vec![start, Scev::constant(width, by)],
            wrap: Wrap::default(),
        },
    };
    let moves = inner.iter().any(|l| s.loops().contains(l));
    *s = match moves {
        false => evolution(s.clone()),
        true => Scev {
            width,
            kind: ScevKind::Add(
                vec![s.clone(), evolution(Scev::constant(width, 0))],
                Wrap::default(),
            ),
        },
    };
}

#[cfg(test)]
mod tests {
    use super::{in_a_row, nests};
    use polytile_analysis::poly::{Ctx, Map, Set};
    use polytile_analysis::scop::Scop;
    use polytile_analysis::text::parse_scop;

    /// Loops in a row below a loop over `t`; each with its statements as what they write and read.
    fn row(ctx: &Ctx, loops: &[&[(&str, &str)]]) -> Scop {
        let mut text = "scop \"f\" function \"f\"\nparams n\ncontext { : n >= 9 }\n\
                        array A f64 [n][n]\narray B f64 [n][n]\n"
            .to_owned();
        let mut k = 0;
        for (l, stmts) in loops.iter().enumerate() {
            for (at, (write, read)) in stmts.iter().enumerate() {
                text +=
                    &format!("stmt S{k}\n domain {{ S{k}[t, i] : 0 <= t < n and 0 < i < n }}\n");
                text += &format!(" beta 0 {l} {at}\n write {{ S{k}[t, i] -> {write} }}\n");
                text += &format!(" read {{ S{k}[t, i] -> {read} }}\n body (read 1)\n");
                k += 1;
            }
        }
        parse_scop(ctx, &text).unwrap_or_else(|e| panic!("{e}\n{text}"))
    }

    fn rolled(scop: &Scop) -> Scop {
        nests(scop, &|_, _| true).expect("an answer")
    }

    #[test]
    fn columns_one_after_the_other_are_a_loop() {
        let ctx = Ctx::new();
        let columns: [&[(&str, &str)]; 4] = [
            &[("A[i, 0]", "A[i - 1, 0]"), ("B[i, 5]", "A[i, 1]")],
            &[("A[i, 2]", "A[i - 1, 2]"), ("B[i, 4]", "A[i, 2]")],
            &[("A[i, 4]", "A[i - 1, 4]"), ("B[i, 3]", "A[i, 3]")],
            &[("A[i, 7]", "A[i - 1, 7]"), ("B[i, 2]", "A[i, 4]")],
        ];
        let scop = row(&ctx, &columns);
        let new = rolled(&scop);
        // The last one is farther away.
        assert_eq!(new.stmts.len(), 4);
        assert_eq!(new.loops.len(), scop.loops.len() + 1);
        let [s, t, ..] = &new.stmts[..] else {
            panic!("statements")
        };
        assert_eq!(
            (&s.beta[..], &t.beta[..]),
            (&[0, 0, 0, 0][..], &[0, 0, 0, 1][..])
        );
        let domain = "[n] -> { S0[t, v, i] : 0 <= t < n and 0 <= v < 3 and 0 < i < n }";
        let domain = Set::parse(&ctx, domain).expect("a set");
        assert!(
            s.domain.is_equal(&domain).expect("an answer"),
            "{}",
            s.domain
        );
        let moves = |relation: &Map, text: &str| {
            let expected = Map::parse(&ctx, text).expect("a map");
            assert!(
                relation.is_equal(&expected).expect("an answer"),
                "{relation}"
            );
        };
        moves(
            &s.accesses[1].relation,
            "[n] -> { S0[t, v, i] -> A[i - 1, 2v] }",
        );
        moves(
            &t.accesses[0].relation,
            "[n] -> { S1[t, v, i] -> B[i, 5 - v] }",
        );
        assert_eq!(new.stmts[2].beta, [0, 3, 0]);
    }

    #[test]
    fn several_nests_may_be_the_body() {
        let ctx = Ctx::new();
        let parts = ["0", "1", "2"].map(|c| (format!("A[i, {c}]"), format!("B[i, {c}]")));
        let bodies = parts.each_ref().map(|(a, b)| {
            let there: [(&str, &str); 1] = [(a, "B[0, 8]")];
            let back: [(&str, &str); 1] = [(b, a)];
            [there, back]
        });
        let loops: Vec<&[(&str, &str)]> = bodies.iter().flatten().map(|l| &l[..]).collect();
        let new = rolled(&row(&ctx, &loops));
        let betas: Vec<&[i64]> = new.stmts.iter().map(|s| &s.beta[..]).collect();
        assert_eq!(betas, [&[0, 0, 0, 0][..], &[0, 0, 1, 0][..]]);
    }

    /// `A[t, 0] = B[t, 1]; A[t, 1] = B[t, 3]; ..` in a loop over `t`, or at `t = 0` outside of all loops.
    fn statements(ctx: &Ctx, count: usize, in_loop: bool) -> Scop {
        let mut text = "scop \"f\" function \"f\"\nparams n\ncontext { : n >= 9 }\n\
                        array A f64 [n][n]\narray B f64 [n][n]\n"
            .to_owned();
        for k in 0..count {
            let (own, domain, beta, t) = match in_loop {
                true => ("[t]", "0 <= t < n", format!("0 {k}"), "t"),
                false => ("[]", "n >= 9", format!("{k}"), "0"),
            };
            text += &format!("stmt S{k}\n domain {{ S{k}{own} : {domain} }}\n beta {beta}\n");
            text += &format!(" write {{ S{k}{own} -> A[{t}, {k}] }}\n");
            text += &format!(
                " read {{ S{k}{own} -> B[{t}, {}] }}\n body (read 1)\n",
                2 * k + 1
            );
        }
        parse_scop(ctx, &text).unwrap_or_else(|e| panic!("{e}\n{text}"))
    }

    #[test]
    fn many_statements_in_a_row_are_a_loop() {
        let ctx = Ctx::new();
        let of = |count, in_loop| {
            let scop = statements(&ctx, count, in_loop);
            in_a_row(&scop, &|_, _| true)
                .expect("an answer")
                .stmts
                .len()
        };
        assert_eq!(of(9, true), 1);
        // A few may be the components of something; outside of all loops nothing is gained.
        assert_eq!(of(7, true), 7);
        assert_eq!(of(9, false), 9);
    }

    #[test]
    fn other_nests_stay() {
        let ctx = Ctx::new();
        let differ = |loops: [&[(&str, &str)]; 3], alike: bool| {
            let scop = row(&ctx, &loops);
            let new = nests(&scop, &|_, _| alike).expect("an answer");
            assert_eq!(new.stmts.len(), scop.stmts.len());
        };
        // Distances that differ, other arrays, and two of them only.
        differ(
            [
                &[("A[i, 0]", "B[i, 0]")],
                &[("A[i, 1]", "B[i, 0]")],
                &[("A[i, 2]", "B[i, 1]")],
            ],
            true,
        );
        differ(
            [
                &[("A[i, 0]", "B[i, 0]")],
                &[("B[i, 1]", "B[i, 1]")],
                &[("A[i, 2]", "B[i, 2]")],
            ],
            true,
        );
        differ(
            [
                &[("A[i, 0]", "B[i, 0]")],
                &[("A[i, 1]", "B[i, 1]")],
                &[("A[i, i]", "B[i, 2]")],
            ],
            true,
        );
    }
}
