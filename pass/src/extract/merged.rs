//! PHIs of pointers to rows, where it is known which row that is.
//!
//! ```text
//! for i: for j: d[i][j] = max(d[i-1][j], ..)     %above = phi ptr [T[0], before], [T[i], latch]       is T[i - 1]
//! for j: .. / a[j][j]                            %row = phi ptr [T[0], where j == 0], [T[j], else]    is T[j]
//! ```
//!
//! LLVM keeps a pointer that it has loaded already instead of loading it again, or an address in that row. The nest writes to no table, so a PHI of entries is an
//! entry itself. The one of a loop is the one that the latch loads, a step earlier, if the first one fits. The one of a branch is one of
//! those that come in, if the condition of the way says that the others are the same.

use super::opcode::int_predicate;
use super::values::Table;
use crate::analyses::Loop;
use crate::ffi::{Effect, Kind};
use crate::llvm::{Block, Value};
use llvm_sys::LLVMOpcode::{LLVMGetElementPtr, LLVMICmp};
use polytile_analysis::region::CmpPred;
use polytile_analysis::scev::{Scev, ScevKind, Wrap};
use std::collections::{BTreeMap, BTreeSet};

/// So many PHIs are looked at.
const MAX_PHIS: usize = 32;

/// A place in a row.
#[derive(Clone)]
pub struct Place {
    /// The table.
    pub table: usize,
    /// Which of its rows.
    pub index: Scev,
    /// Bytes from where the row's pointer points to.
    pub ahead: Scev,
}

/// PHIs of pointers, in the order of the program, with the loads that they merge.
pub struct Merges {
    phis: Vec<Value>,
    loads: BTreeMap<Value, Vec<Value>>,
}

impl Merges {
    /// Those of a region that merge nothing but these loads and each other, and are used for nothing but addresses.
    pub fn find(table: &Table<'_>, pointers: &BTreeSet<Value>) -> Merges {
        let blocks = table.blocks.iter();
        let all = blocks.flat_map(|b| b.instructions().into_iter().take_while(|i| i.is_phi()));
        let mut phis: Vec<Value> = all
            .filter(|p| table.inside(*p).is_some() && p.incoming().len() == 2)
            .filter(|p| {
                p.incoming()
                    .iter()
                    .any(|(_, v)| pointers.contains(&v.object()))
            })
            .take(MAX_PHIS)
            .collect();
        loop {
            let known: BTreeSet<Value> = phis.iter().copied().collect();
            let merges = |p: &Value| {
                let mut incoming = p.incoming().into_iter().map(|(_, v)| v.object());
                incoming.all(|v| pointers.contains(&v) || known.contains(&v))
            };
            let before = phis.len();
            phis.retain(|p| merges(p) && is_address(table, *p, &known));
            if phis.len() == before {
                break;
            }
        }
        let mut loads = BTreeMap::new();
        for phi in &phis {
            let mut pending = vec![*phi];
            let (mut seen, mut merged) = (BTreeSet::new(), vec![]);
            while let Some(v) = pending.pop() {
                if pointers.contains(&v) {
                    merged.push(v);
                } else if seen.insert(v) {
                    pending.extend(v.incoming().into_iter().map(|(_, v)| v.object()));
                }
            }
            loads.insert(*phi, merged);
        }
        Merges { phis, loads }
    }

    /// The loads that a PHI merges.
    pub fn loads(&self, phi: Value) -> Option<&[Value]> {
        self.loads.get(&phi).map(Vec::as_slice)
    }

    /// Where each PHI points to, as far as that is known; `entry` knows the loads.
    pub fn places(
        &self,
        table: &mut Table<'_>,
        entry: impl Fn(Value) -> Option<Place>,
    ) -> BTreeMap<Value, Place> {
        let mut known: BTreeMap<Value, Place> = BTreeMap::new();
        // One may be known by another that comes later.
        for _ in 0..2 {
            for phi in &self.phis {
                if known.contains_key(phi) {
                    continue;
                }
                let of = |v: Value| known.get(&v).cloned().or_else(|| entry(v));
                let incoming = phi.incoming().into_iter();
                let incoming = incoming.map(|(from, v)| incoming_place(table, from, v, of));
                let Some(incoming) = incoming.collect::<Option<Vec<_>>>() else {
                    continue;
                };
                let [a, b] = &incoming[..] else {
                    continue;
                };
                if a.place.table != b.place.table || plain(&a.place.ahead) != plain(&b.place.ahead)
                {
                    continue;
                }
                let found = match table.loop_around(phi.parent()) {
                    Some(l) if l.header() == phi.parent() => carried(table, *phi, a, b),
                    _ => merged(table, *phi, a, b).or_else(|| merged(table, *phi, b, a)),
                };
                if let Some(place) = found {
                    known.insert(*phi, place);
                }
            }
        }
        known
    }
}

/// What comes into a PHI: from which block, the pointer of the row, and which place of which row.
struct Incoming {
    from: Block,
    row: Value,
    /// The innermost loop in which the place is computed.
    around: Option<Loop>,
    place: Place,
}

fn incoming_place(
    table: &mut Table<'_>,
    from: Block,
    v: Value,
    of: impl Fn(Value) -> Option<Place>,
) -> Option<Incoming> {
    let row = v.object();
    let mut place = of(row)?;
    if v != row {
        let at = v.parent();
        let s = table.an.evolution(v, Some(at))?;
        let (base, offset) = table.an.split_address(s);
        if base.kind() != Kind::Unknown || base.unknown() != row {
            return None;
        }
        let offset = table.offset(offset, at).filter(|o| table.is_closed(o))?;
        if place.ahead.as_constant() != Some(0) {
            return None;
        }
        place.ahead = offset;
    }
    let around = table.loop_around(v.parent());
    Some(Incoming {
        from,
        row,
        around,
        place,
    })
}

/// The entry that a loop has loaded in its last iteration.
fn carried(table: &Table<'_>, phi: Value, a: &Incoming, b: &Incoming) -> Option<Place> {
    let l = table.loop_around(phi.parent())?;
    let (before, latch) = match (a.from == l.latch(), b.from == l.latch()) {
        (false, true) => (a, b),
        (true, false) => (b, a),
        _ => return None,
    };
    // It belongs to this loop, and to each of its iterations.
    if table.loop_around(latch.row.parent()) != Some(l) || latch.place.ahead.as_constant().is_none()
    {
        return None;
    }
    let ScevKind::AddRec {
        loop_, operands, ..
    } = &latch.place.index.kind
    else {
        return None;
    };
    let [first, step] = &operands[..] else {
        return None;
    };
    if table.loop_id(l) != Some(*loop_) {
        return None;
    }
    let earlier = first.clone().shifted(-step.as_constant()?);
    (plain(&earlier) == plain(&before.place.index)).then(|| Place {
        index: Scev {
            width: latch.place.index.width,
            kind: ScevKind::AddRec {
                loop_: *loop_,
                operands: vec![earlier, step.clone()],
                wrap: Wrap::default(),
            },
        },
        ..latch.place.clone()
    })
}

/// The place that comes in as `general`, if the other one is the same where it comes in.
fn merged(
    table: &mut Table<'_>,
    phi: Value,
    special: &Incoming,
    general: &Incoming,
) -> Option<Place> {
    let here = table.loop_around(phi.parent());
    if table.loop_around(general.row.parent()) != here || general.around != here {
        return None;
    }
    let index = &general.place.index;
    if plain(index) == plain(&special.place.index) {
        return Some(general.place.clone());
    }
    let number = special.place.index.as_constant()?;
    let difference = plain(&index.clone().shifted(-number));
    let conditions = equalities(table, special.from, phi.parent());
    conditions
        .into_iter()
        .any(|(value, constant, at)| {
            let s = (table.an.evolution(value, Some(at))).and_then(|s| table.convert(s, at));
            s.is_some_and(|s| s.width == 64 && plain(&s.shifted(-constant)) == difference)
        })
        .then(|| general.place.clone())
}

/// Values that equal a constant where control goes from one block to the other, and where they are compared.
fn equalities(table: &Table<'_>, from: Block, to: Block) -> Vec<(Value, i128, Block)> {
    let mut found = vec![];
    for b in &table.blocks {
        let branch = b.terminator();
        if branch.effect() != Effect::Branch || branch.successors().len() != 2 {
            continue;
        }
        let Some(condition) = branch
            .condition()
            .filter(|c| c.is_instruction() && c.opcode() == LLVMICmp)
        else {
            continue;
        };
        let way = match int_predicate(condition) {
            CmpPred::Eq => branch.successors()[0],
            CmpPred::Ne => branch.successors()[1],
            _ => continue,
        };
        let single = branch.successors()[0] != branch.successors()[1];
        let on_the_way = *b == from && way == to || table.an.edge_dominates(*b, way, from);
        let holds = single && on_the_way;
        if let (true, Some(constant)) = (holds, condition.operand(1).int_constant()) {
            found.push((condition.operand(0), constant, *b));
        }
    }
    found
}

/// Whether a pointer of the region is used there alone, for addresses and by these PHIs.
fn is_address(table: &Table<'_>, pointer: Value, phis: &BTreeSet<Value>) -> bool {
    pointer.users().into_iter().all(|u| {
        table.inside(u).is_some()
            && match u.effect() {
                Effect::Load | Effect::Memset | Effect::Memcpy => true,
                Effect::Store => u.operand(0) != pointer,
                Effect::Phi => phis.contains(&u),
                _ if u.opcode() == LLVMGetElementPtr => {
                    u.operand(0) == pointer && is_address(table, u, phis)
                }
                _ => false,
            }
    })
}

/// For comparisons: without what is known about wrapping, and each sum in one form.
pub(super) fn plain(s: &Scev) -> Scev {
    let mut s = s.clone();
    s.forget_wrap_flags();
    unite_constants(&mut s);
    s
}

/// Makes sums of sums one sum, with one constant behind all other terms.
fn unite_constants(s: &mut Scev) {
    for part in s.operands_mut() {
        unite_constants(part);
    }
    let ScevKind::Add(terms, _) = &mut s.kind else {
        return;
    };
    let (mut rest, mut constant) = (vec![], 0);
    for term in terms.drain(..) {
        let inner = match term.kind {
            ScevKind::Add(inner, _) => inner,
            _ => vec![term],
        };
        for term in inner {
            match term.as_constant() {
                Some(c) => constant += c,
                None => rest.push(term),
            }
        }
    }
    if constant != 0 || rest.is_empty() {
        rest.push(Scev::constant(s.width, constant));
    }
    s.kind = match <[Scev; 1]>::try_from(rest) {
        Ok([only]) => only.kind,
        Err(rest) => ScevKind::Add(rest, Wrap::default()),
    };
}
