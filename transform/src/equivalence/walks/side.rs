//! One SCoP for given values of its parameters: who wrote a cell last.

use super::evaluate::{Given, evaluate, signed};
use super::settings::{Random, Setting};
use crate::interp::{Subscripts, at_point, fixed, time};
use polytile_analysis::body::{Node, NodeKind};
use polytile_analysis::ids::{ArrayId, BaseId, NodeId, StmtId};
use polytile_analysis::poly::{DimType, Fixed, Map, Result, Set};
use polytile_analysis::region::OpCode;
use polytile_analysis::scev::Scev;
use polytile_analysis::scop::{Place, Scop, Stmt};
use std::cell::OnceCell;

/// A value of a program.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Value {
    /// A node of a statement's body at an instance.
    Node(StmtId, NodeId, Vec<i64>),
    /// What was in a cell before, with its distance in bytes from a base, if it has one that is known.
    Outside(ArrayId, Vec<i64>, Option<(BaseId, i128)>),
}

impl Value {
    /// An operand of an operation.
    pub fn operand(&self, node: NodeId) -> Value {
        match self {
            Value::Node(s, _, at) => Value::Node(*s, node, at.clone()),
            outside => outside.clone(),
        }
    }
}

/// Who wrote a cell last.
pub(super) enum Source {
    /// An instance, by the number of its write.
    Write(StmtId, usize, Vec<i64>),
    /// Nobody.
    Outside,
}

/// Copies of copies that are followed.
const MOST_COPIES: usize = 40;

/// A SCoP for given parameters.
pub(super) struct Side<'a> {
    pub scop: &'a Scop,
    setting: &'a Setting,
    params: &'a [i64],
    /// Per statement.
    domains: Vec<Set>,
    /// Per statement and access, once it was looked at: most never are.
    accesses: Vec<Vec<OnceCell<Reached>>>,
}

/// An access for given parameters.
struct Reached {
    /// The relation on the domain.
    relation: Map,
    /// Subscripts that are numbers.
    fixed: Fixed,
    /// The relation as a function, if it is one.
    subscripts: Option<Subscripts>,
}

impl<'a> Side<'a> {
    /// The first or the second SCoP of a setting.
    pub fn new(scop: &'a Scop, setting: &'a Setting, side: usize) -> Result<Side<'a>> {
        let params = setting.params(side);
        let domains = scop.stmts.iter().map(|s| fixed(&s.domain, params));
        let unknown = |s: &Stmt| s.accesses.iter().map(|_| OnceCell::new()).collect();
        Ok(Side {
            scop,
            setting,
            domains: domains.collect::<Result<_>>()?,
            params,
            accesses: scop.stmts.iter().map(unknown).collect(),
        })
    }

    fn access(&self, s: StmtId, access: usize) -> Result<&Reached> {
        let known = &self.accesses[s.index()][access];
        if known.get().is_none() {
            let source = &self.scop.stmt(s).accesses[access].relation;
            let relation = source.intersect_domain(&self.domains[s.index()])?;
            let subscripts = match source.is_function()? {
                true => Some(Subscripts::new(source, self.params)?),
                false => None,
            };
            let fixed = Fixed::of(source, &[DimType::Out])?;
            let _ = known.set(Reached {
                relation,
                fixed,
                subscripts,
            });
        }
        Ok(known.get().expect("it was set above"))
    }

    /// Some instance of a statement, at an end of its loops more often than by chance; `None` if it has none.
    pub fn instance(&self, s: StmtId, random: &mut Random) -> Result<Option<Vec<i64>>> {
        let mut left = self.domains[s.index()].clone();
        for d in 0..left.dim(DimType::Set) {
            let (Some(least), Some(most)) = left.dim_ends(d)? else {
                break;
            };
            if least > most {
                return Ok(None);
            }
            let wish = match random.below(4) {
                0 => least,
                1 => most,
                _ => random.within(least, most),
            };
            let fixed = left.fix_si(DimType::Set, d, wish)?;
            if !fixed.is_empty()? {
                left = fixed;
            }
        }
        let point = left.sample_point()?;
        match point.is_void()? {
            true => Ok(None),
            false => Ok(Some(point.coordinates()?)),
        }
    }

    /// The cell of an access; `None` if it has none, or several.
    pub fn cell(&self, s: StmtId, access: usize, at: &[i64]) -> Result<Option<Vec<i64>>> {
        match &self.access(s, access)?.subscripts {
            Some(subscripts) => subscripts.at(at),
            None => Ok(None),
        }
    }

    /// The value of a statement's write.
    pub fn value(&self, s: StmtId, write: usize) -> NodeId {
        let mut values = self.scop.stmt(s).body.values();
        values.nth(write).expect("a value for each write")
    }

    /// The node behind a value that has one.
    pub fn node(&self, v: &Value) -> Option<&'a Node> {
        match v {
            Value::Node(s, node, _) => Some(self.scop.stmt(*s).body.node(*node)),
            _ => None,
        }
    }

    /// The operation and the operands of a minimum or a maximum of integers.
    pub fn extremum(&self, v: &Value) -> Option<(OpCode, [Value; 2])> {
        let Value::Node(s, node, _) = v else {
            return None;
        };
        let (op, of) = self.scop.stmt(*s).body.extremum(*node)?;
        Some((op, of.map(|part| v.operand(part))))
    }

    /// Condition and value of what is 0 where the condition does not hold.
    pub fn zero_unless(&self, v: &Value) -> Option<[Value; 2]> {
        let Value::Node(s, node, _) = v else {
            return None;
        };
        let parts = self.scop.stmt(*s).body.zero_unless(*node)?;
        Some(parts.map(|n| v.operand(n)))
    }

    /// Who wrote a cell last, before an instance or of all; `None` if that is not known.
    pub fn last_write(
        &self,
        array: ArrayId,
        cell: &[i64],
        before: Option<(StmtId, &[i64])>,
    ) -> Result<Option<Source>> {
        let mut last: Option<(Vec<i64>, usize, StmtId, Vec<i64>)> = None;
        for s in &self.scop.stmts {
            for (n, _) in s
                .writes()
                .iter()
                .enumerate()
                .filter(|(_, w)| w.array == array)
            {
                let reached = self.access(s.id, n)?;
                if reached.subscripts.is_none() {
                    return Ok(None);
                }
                if reached.fixed.excludes(cell) {
                    continue;
                }
                let mut to = reached.relation.clone();
                for (d, value) in cell.iter().enumerate() {
                    to = to.fix_si(DimType::Out, d, *value)?;
                }
                let before = before.map(|(t, at)| (self.scop.stmt(t), at));
                let Some(at) = latest(s, &to.domain()?, before)? else {
                    continue;
                };
                let time = time(s, &at);
                if last.as_ref().is_none_or(|(t, m, ..)| (t, *m) < (&time, n)) {
                    last = Some((time, n, s.id, at));
                }
            }
        }
        Ok(Some(match last {
            Some((_, n, s, at)) => Source::Write(s, n, at),
            None => Source::Outside,
        }))
    }

    /// A value behind all copies; `None` if they have no end, or are not known.
    pub fn resolved(&self, mut value: Value) -> Result<Option<Value>> {
        for _ in 0..MOST_COPIES {
            let Value::Node(s, node, at) = &value else {
                return Ok(Some(value));
            };
            let NodeKind::Read(access) = self.scop.stmt(*s).body.node(*node).kind else {
                return Ok(Some(value));
            };
            let array = self.scop.stmt(*s).accesses[access].array;
            let Some(cell) = self.cell(*s, access, at)? else {
                return Ok(None);
            };
            value = match self.last_write(array, &cell, Some((*s, at)))? {
                None => return Ok(None),
                Some(Source::Write(t, n, at)) => Value::Node(t, self.value(t, n), at),
                Some(Source::Outside) => Value::Outside(array, cell, self.address(*s, access, at)),
            };
        }
        Ok(None)
    }

    /// Base and distance in bytes of an access to memory.
    pub fn address(&self, s: StmtId, access: usize, at: &[i64]) -> Option<(BaseId, i128)> {
        match &self.scop.stmt(s).accesses[access].place {
            Place::Memory(address) => Some((address.base, self.evaluate(s, &address.offset, at)?)),
            Place::Scalar | Place::Temporary(_) => None,
        }
    }

    /// The number that a leaf is.
    pub fn number(&self, v: &Value, kind: &NodeKind) -> Option<i128> {
        let Value::Node(s, node, at) = v else {
            return None;
        };
        let width = 8 * u32::try_from(self.scop.stmt(*s).body.node(*node).ty.bytes()).ok()?;
        match kind {
            NodeKind::Index(e) => self.evaluate(*s, e, at),
            NodeKind::Bits(bits) => Some(signed(i128::from(*bits), width)),
            _ => None,
        }
    }

    fn evaluate(&self, s: StmtId, e: &Scev, at: &[i64]) -> Option<i128> {
        let iters = &self.scop.stmt(s).iters;
        let given = Given {
            iterator: &|l| iters.iter().position(|i| *i == l).map(|d| at[d]),
            value: &|v, width| Some(self.setting.value(v, width)),
        };
        evaluate(e, &given)
    }

    /// A value in words.
    pub fn show(&self, v: &Value) -> String {
        match v {
            Value::Node(s, node, at) => {
                let kind = &self.scop.stmt(*s).body.node(*node).kind;
                format!("{s}{at:?}: {kind:?}")
            }
            Value::Outside(array, cell, address) => {
                let at = address.map(|(base, offset)| format!(" ({base} + {offset})"));
                let name = &self.scop.array(*array).name;
                format!("what was in {name}{cell:?}{}", at.unwrap_or_default())
            }
        }
    }
}

/// The latest of these instances of `s` that runs before another instance.
fn latest(s: &Stmt, all: &Set, before: Option<(&Stmt, &[i64])>) -> Result<Option<Vec<i64>>> {
    let Some((t, at)) = before else {
        return last(all);
    };
    let mut both = s.beta.iter().zip(&t.beta);
    let common = both.by_ref().take_while(|(a, b)| a == b).count();
    let follows = match (s.beta.get(common), t.beta.get(common)) {
        (Some(a), Some(b)) => a > b,
        _ => true,
    };
    let loops = common.min(s.depth()).min(t.depth());
    if !follows && let Some(found) = last(&at_point(all, &at[..common])?)? {
        return Ok(Some(found));
    }
    for d in (0..loops).rev() {
        let earlier = at_point(all, &at[..d])?.upper_bound_si(DimType::Set, d, at[d] - 1)?;
        if let Some(found) = last(&earlier)? {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

fn last(instances: &Set) -> Result<Option<Vec<i64>>> {
    let point = instances.lexmax()?.sample_point()?;
    match point.is_void()? {
        true => Ok(None),
        false => Ok(Some(point.coordinates()?)),
    }
}
