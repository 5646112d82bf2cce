//! Whether two SCoPs do the same, by walks along the flow of values: [`check`], for what rewrites statements before dependences.
//!
//! The proof of [`super::check`] begins at the SCoP that the search takes. How that one came from the detected one (scalars in elements, copies
//! rolled up, versions of arrays, ..) is looked at here, in the same way for all rewrites and with none of their code:
//!
//! ```text
//! cells that the source leaves behind       --  last write in each  --  same operation?
//!   its operands, read by read              --  last write before   --  same operation?
//!     .. down to values from outside        --  same address?
//! ```
//!
//! A walk begins at a cell that one of the SCoPs writes, for random values of the parameters (whatever the size: nothing is executed), and compares
//! the two computations of its last value, node by node. Scalars, copies and temporaries are looked through. A rewrite that is wrong at all
//! is wrong in most iterations, so that few walks find it; it is no proof. (The exact question is the equivalence of affine programs: Verdoolaege,
//! Janssens and Bruynooghe 2009.)

mod evaluate;
mod settings;
mod side;
#[cfg(test)]
mod tests;

use super::Answer;
use polytile_analysis::body::{Node, NodeKind};
use polytile_analysis::ids::{ArrayId, NodeId, ValueId};
use polytile_analysis::poly::{self, Error};
use polytile_analysis::region::OpCode;
use polytile_analysis::scop::{ArrayKind, Scop};
use settings::{Random, Setting};
use side::{Side, Source, Value};
use std::collections::BTreeSet;
use std::rc::Rc;

/// How much is looked at.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Values of the parameters.
    pub settings: usize,
    /// Cells for each.
    pub cells: usize,
    /// Pairs of values for each cell.
    pub pairs: usize,
}

impl Effort {
    /// For every compilation.
    pub const USUAL: Effort = Effort {
        settings: 2,
        cells: 4,
        pairs: 16,
    };
    /// For tests.
    pub const LARGE: Effort = Effort {
        settings: 3,
        cells: 10,
        pairs: 40,
    };
}

/// Whether `after` leaves in memory what `before` does, as far as walks of this effort tell; `alike` compares the instructions behind
/// operations.
pub fn check(
    before: &Scop,
    after: &Scop,
    alike: &dyn Fn(ValueId, ValueId) -> bool,
    effort: Effort,
) -> Answer {
    match compared(before, after, alike, effort) {
        Ok(0) => Answer::Open("no values of the parameters, or no bodies".to_owned()),
        Ok(_) => Answer::Same,
        Err(Stop::Other(why)) => Answer::Other(why),
        // Of some relations with divisions isl makes no function of given iterators: that says nothing about the rewrite.
        Err(Stop::Poly(e)) => Answer::Open(e.to_string()),
    }
}

/// Why walks end early.
enum Stop {
    /// Two values differ.
    Other(String),
    /// The set library failed.
    Poly(Error),
}

impl From<Error> for Stop {
    fn from(e: Error) -> Stop {
        Stop::Poly(e)
    }
}

/// The number of settings for which all walks ended well; none where statements have no bodies.
fn compared(
    before: &Scop,
    after: &Scop,
    alike: &dyn Fn(ValueId, ValueId) -> bool,
    effort: Effort,
) -> Result<usize, Stop> {
    let bare = |scop: &Scop| scop.stmts.iter().any(|s| s.body.nodes.is_empty());
    if bare(before) || bare(after) {
        return Ok(0);
    }
    let mut random = Random::new();
    let mut done = 0;
    for n in 0..effort.settings {
        let small = n.is_multiple_of(2);
        let Some(setting) = Setting::find(before, after, small, &mut random)? else {
            continue;
        };
        let sides = [
            Side::new(before, &setting, 0)?,
            Side::new(after, &setting, 1)?,
        ];
        let mut walk = Walk {
            sides: &sides,
            alike,
            random: &mut random,
        };
        for cell in 0..effort.cells {
            if let Some((array, at)) = walk.written_cell(cell % 2)? {
                walk.last_values(array, &at, effort.pairs)?;
            }
        }
        done += 1;
    }
    Ok(done)
}

/// Which operands of two operations are compared.
#[derive(Clone, Copy)]
enum Operands {
    /// In their order.
    InOrder,
    /// If they commute, those that may be the same; none, if both orders are possible.
    Matched,
}

/// Operations that tell operands apart.
const DEPTH: usize = 2;

/// Operations that tell conditions apart.
const DEEP: usize = 6;

/// Two values to compare.
struct Pair {
    a: Value,
    b: Value,
    /// Conditions of the second SCoP that hold where the values are asked for.
    holding: Rc<Vec<Value>>,
}

/// Two SCoPs for one setting.
struct Walk<'a, 's> {
    sides: &'a [Side<'s>; 2],
    alike: &'a dyn Fn(ValueId, ValueId) -> bool,
    random: &'a mut Random,
}

impl Walk<'_, '_> {
    /// A cell of memory that some instance of a side writes, or a scalar that is used after the region.
    fn written_cell(&mut self, side: usize) -> poly::Result<Option<(ArrayId, Vec<i64>)>> {
        let side = &self.sides[side];
        let other = self.sides[0].scop;
        let outlives = |a: ArrayId| match &side.scop.array(a).kind {
            ArrayKind::Temporary | ArrayKind::Scalar { live_out: None } => false,
            kind => other
                .arrays
                .get(a.index())
                .is_some_and(|o| o.kind == *kind && !o.dead),
        };
        let writes = side.scop.stmts.iter().flat_map(|s| {
            let numbers = 0..s.writes().len();
            numbers.map(move |n| (s.id, n))
        });
        let writes: Vec<_> = writes
            .filter(|(s, n)| outlives(side.scop.stmt(*s).accesses[*n].array))
            .collect();
        if writes.is_empty() {
            return Ok(None);
        }
        let (s, n) = writes[self.random.below(writes.len())];
        let Some(at) = side.instance(s, self.random)? else {
            return Ok(None);
        };
        let array = side.scop.stmt(s).accesses[n].array;
        Ok(side.cell(s, n, &at)?.map(|cell| (array, cell)))
    }

    /// Compares what a cell holds in the end.
    fn last_values(&mut self, array: ArrayId, cell: &[i64], pairs: usize) -> Result<(), Stop> {
        let mut last = vec![];
        for side in self.sides {
            let Some(source) = side.last_write(array, cell, None)? else {
                return Ok(());
            };
            last.push(source);
        }
        let name = &self.sides[0].scop.array(array).name;
        let mut addresses = vec![];
        for (side, source) in self.sides.iter().zip(&last) {
            if let Source::Write(s, n, at) = source {
                addresses.extend(side.address(*s, *n, at));
            }
        }
        if let [a, b] = addresses[..]
            && a != b
        {
            return Err(Stop::Other(format!("{name}{cell:?} is at two addresses")));
        }
        let value = |side: &Side, source: &Source| match (source, addresses.first()) {
            (Source::Write(s, n, at), _) => Value::Node(*s, side.value(*s, *n), at.clone()),
            (Source::Outside, at) => Value::Outside(array, cell.to_vec(), at.copied()),
        };
        let a = value(&self.sides[0], &last[0]);
        let b = value(&self.sides[1], &last[1]);
        let mut answer = self.same((a.clone(), b.clone()), pairs, Operands::InOrder);
        if let Err(Stop::Other(_)) = answer {
            answer = self.same((a, b), pairs, Operands::Matched);
        }
        answer.map_err(|stop| match stop {
            Stop::Other(why) => Stop::Other(format!("{name}{cell:?} has another value: {why}")),
            stop => stop,
        })
    }

    /// Compares two computations, as far as so many pairs of values reach.
    fn same(
        &mut self,
        first: (Value, Value),
        pairs: usize,
        operands: Operands,
    ) -> Result<(), Stop> {
        let (a, b) = first;
        let holding = Rc::default();
        let mut open = vec![Pair { a, b, holding }];
        let mut seen = BTreeSet::new();
        for _ in 0..pairs {
            if open.is_empty() {
                break;
            }
            let Pair { a, b, holding } = open.swap_remove(self.random.below(open.len()));
            let (Some(a), Some(b)) = (self.sides[0].resolved(a)?, self.sides[1].resolved(b)?)
            else {
                continue;
            };
            if seen.insert((a.clone(), b.clone())) {
                self.same_tree(Pair { a, b, holding }, operands, &mut open)?;
            }
        }
        Ok(())
    }

    /// Compares two values down to what they read, which stays open.
    fn same_tree(&self, top: Pair, operands: Operands, open: &mut Vec<Pair>) -> Result<(), Stop> {
        let (shown, other) = (top.a.clone(), top.b.clone());
        let differ = || {
            let [x, y] = self.sides;
            let (a, b) = (x.show(&shown), y.show(&other));
            Err(Stop::Other(format!("{a} and {b}")))
        };
        let mut work = vec![top];
        let mut seen = BTreeSet::new();
        while let Some(Pair { a, b, holding }) = work.pop() {
            if !seen.insert((a.clone(), b.clone())) {
                continue;
            }
            if let Some(a) = self.where_asked(&a, &b, &holding)? {
                open.push(Pair { a, b, holding });
                continue;
            }
            let pair = |a: &Value, b: &Value| Pair {
                a: a.clone(),
                b: b.clone(),
                holding: holding.clone(),
            };
            let (x, y) = (self.sides[0].node(&a), self.sides[1].node(&b));
            if is_read(x) || is_read(y) {
                open.push(pair(&a, &b));
                continue;
            }
            if let Some(arms) = self.arms((&a, x), (&b, y)) {
                work.extend(arms.iter().map(|(a, b)| pair(a, b)));
                continue;
            }
            let (Some(x), Some(y)) = (x, y) else {
                match a == b {
                    true => continue,
                    false => return differ(),
                }
            };
            let extrema = (self.sides[0].extremum(&a), self.sides[1].extremum(&b));
            if let (Some((op, [x, z])), Some((other, [y, w]))) = extrema
                && op == other
            {
                work.extend([pair(&x, &y), pair(&z, &w)]);
                continue;
            }
            match (&x.kind, &y.kind) {
                (NodeKind::Op { op, args, .. }, NodeKind::Op { args: others, .. }) => {
                    if !self.same_operation(x, y) {
                        return differ();
                    }
                    let x: Vec<Value> = args.iter().map(|n| a.operand(*n)).collect();
                    let y: Vec<Value> = others.iter().map(|n| b.operand(*n)).collect();
                    match (operands, &x[..], &y[..]) {
                        (Operands::Matched, [x, z], [y, w]) if op.commutes() => {
                            let straight =
                                self.similar(x, y, DEPTH)? && self.similar(z, w, DEPTH)?;
                            let crossed =
                                self.similar(x, w, DEPTH)? && self.similar(z, y, DEPTH)?;
                            match (straight, crossed) {
                                (true, false) => work.extend([pair(x, y), pair(z, w)]),
                                (false, true) => work.extend([pair(x, w), pair(z, y)]),
                                (true, true) => {}
                                (false, false) => return differ(),
                            }
                        }
                        (_, [cond, then, els], [holds, chosen, otherwise])
                            if *op == OpCode::Choose =>
                        {
                            let holding = Rc::new(self.also(&holding, holds));
                            let (a, b) = (then.clone(), chosen.clone());
                            work.push(Pair { a, b, holding });
                            work.extend([pair(cond, holds), pair(els, otherwise)]);
                        }
                        _ => work.extend(x.iter().zip(&y).map(|(x, y)| pair(x, y))),
                    }
                }
                _ => {
                    if self.same_leaf((&a, &x.kind), (&b, &y.kind)) == Some(false) {
                        return differ();
                    }
                }
            }
        }
        Ok(())
    }

    /// Conditions that hold, and one more with what it asks for first: `a && b` is a choice between `b` and 0.
    fn also(&self, holding: &[Value], cond: &Value) -> Vec<Value> {
        let side = &self.sides[1];
        let mut all = holding.to_vec();
        let mut next = Some(cond.clone());
        while let Some(value) = next.take() {
            if let Some([first, then, els]) = side.node(&value).and_then(Node::choice)
                && matches!(side.node(&value.operand(els)), Some(n) if n.kind == NodeKind::Bits(0))
            {
                all.push(value.operand(first));
                next = Some(value.operand(then));
            }
            all.push(value);
        }
        all
    }

    /// What a value of the first SCoP is that is 0 but for a condition, which holds where the other one is asked for.
    fn where_asked(&self, a: &Value, b: &Value, holding: &[Value]) -> poly::Result<Option<Value>> {
        let [side, other] = self.sides;
        let Some([cond, then]) = side.zero_unless(a).filter(|_| !holding.is_empty()) else {
            return Ok(None);
        };
        // The other one may ask for the same as well.
        if let Some([asked, ..]) = other.node(b).and_then(selection)
            && self.similar(&cond, &b.operand(asked), DEEP)?
        {
            return Ok(None);
        }
        for held in holding {
            if self.similar(&cond, held, DEEP)? {
                return Ok(Some(then));
            }
        }
        Ok(None)
    }

    /// Whether two values may be the same, by what is seen in so many operations.
    fn similar(&self, a: &Value, b: &Value, depth: usize) -> poly::Result<bool> {
        let (a, b) = (a.clone(), b.clone());
        let (Some(a), Some(b)) = (self.sides[0].resolved(a)?, self.sides[1].resolved(b)?) else {
            return Ok(true);
        };
        let (x, y) = (self.sides[0].node(&a), self.sides[1].node(&b));
        if depth > 0
            && let Some([then, els]) = self.arms((&a, x), (&b, y))
        {
            let then = self.similar(&then.0, &then.1, depth - 1)?;
            return Ok(then && self.similar(&els.0, &els.1, depth - 1)?);
        }
        let (Some(x), Some(y)) = (x, y) else {
            return Ok(a == b);
        };
        let (NodeKind::Op { op, args, .. }, NodeKind::Op { args: others, .. }) = (&x.kind, &y.kind)
        else {
            return Ok(self.same_leaf((&a, &x.kind), (&b, &y.kind)) != Some(false));
        };
        if depth == 0 || !self.same_operation(x, y) {
            return Ok(depth == 0);
        }
        let all = |mut pairs: Vec<(NodeId, NodeId)>| -> poly::Result<bool> {
            while let Some((x, y)) = pairs.pop() {
                if !self.similar(&a.operand(x), &b.operand(y), depth - 1)? {
                    return Ok(false);
                }
            }
            Ok(true)
        };
        let straight = args.iter().copied().zip(others.iter().copied());
        let crossed = args.iter().copied().zip(others.iter().rev().copied());
        Ok(all(straight.collect())? || op.commutes() && all(crossed.collect())?)
    }

    /// What has to be the same where one of two values is a choice and the other is not: a choice of what is the same either way is that.
    fn arms(
        &self,
        (a, x): (&Value, Option<&Node>),
        (b, y): (&Value, Option<&Node>),
    ) -> Option<[(Value, Value); 2]> {
        let alike = x.zip(y).is_some_and(|(x, y)| self.same_operation(x, y));
        if is_read(x) || is_read(y) || alike {
            return None;
        }
        match (x.and_then(selection), y.and_then(selection)) {
            (Some([_, then, els]), _) => Some([then, els].map(|x| (a.operand(x), b.clone()))),
            (_, Some([_, then, els])) => Some([then, els].map(|y| (a.clone(), b.operand(y)))),
            _ => None,
        }
    }

    /// Whether two nodes are the same operation, whatever it works on.
    fn same_operation(&self, x: &Node, y: &Node) -> bool {
        let (
            NodeKind::Op { inst, op, args },
            NodeKind::Op {
                inst: other,
                op: o,
                args: others,
            },
        ) = (&x.kind, &y.kind)
        else {
            return false;
        };
        // A choice is made of its operands alone, whichever branch it comes from.
        let alike = inst == other || *op == OpCode::Choose || (self.alike)(*inst, *other);
        alike && op == o && x.ty == y.ty && args.len() == others.len()
    }

    /// Whether two values that nothing is read for are the same number; `None` if that is not known.
    fn same_leaf(&self, a: (&Value, &NodeKind), b: (&Value, &NodeKind)) -> Option<bool> {
        match (a.1, b.1) {
            (NodeKind::Invariant(v), NodeKind::Invariant(w)) if v == w => Some(true),
            (NodeKind::Bits(x), NodeKind::Bits(y)) => Some(x == y),
            (NodeKind::Op { .. }, _) | (_, NodeKind::Op { .. }) => Some(false),
            _ => {
                let x = self.sides[0].number(a.0, a.1)?;
                let y = self.sides[1].number(b.0, b.1)?;
                Some(x == y)
            }
        }
    }
}

fn is_read(node: Option<&Node>) -> bool {
    node.is_some_and(|n| matches!(n.kind, NodeKind::Read(_)))
}

/// Condition and arms of a choice, whether both arms are computed or one.
fn selection(node: &Node) -> Option<[NodeId; 3]> {
    match &node.kind {
        NodeKind::Op {
            op: OpCode::Choose | OpCode::Select,
            args,
            ..
        } => args.as_slice().try_into().ok(),
        _ => None,
    }
}
