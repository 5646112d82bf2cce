//! Branch conditions.

use super::blocks;
use super::opcode::{int_predicate, signed};
use super::values::{Table, is_distance};
use crate::llvm::{Block, Value};
use llvm_sys::LLVMOpcode::*;
use llvm_sys::LLVMTypeKind::LLVMIntegerTypeKind;
use llvm_sys::core::{LLVMGetICmpSameSign, LLVMGetIntTypeWidth, LLVMGetTypeKind};
use polytile_analysis::region::{BlockIn, CmpPred, Cond};
use polytile_analysis::scev::{Scev, ScevKind};

/// Conditions with deeper nesting are opaque.
const MAX_DEPTH: u32 = 12;

/// Widest comparison.
const MAX_WIDTH: u32 = 64;

impl Table<'_> {
    /// The condition that a value of one bit stands for, as seen from `at`.
    pub fn condition(&mut self, v: Value, at: Block) -> Cond {
        self.condition_at_depth(v, at, 0)
    }

    fn condition_at_depth(&mut self, v: Value, at: Block, depth: u32) -> Cond {
        if let Some(c) = v.int_constant() {
            return Cond::Const(c != 0);
        }
        if depth > MAX_DEPTH || !v.is_instruction() {
            return self.flag(v, at);
        }
        let sub = |t: &mut Self, i| t.condition_at_depth(v.operand(i), at, depth + 1);
        match v.opcode() {
            LLVMICmp => self.comparison(v, at, depth),
            LLVMAnd => Cond::And(vec![sub(self, 0), sub(self, 1)]),
            LLVMOr => Cond::Or(vec![sub(self, 0), sub(self, 1)]),
            LLVMXor if v.operand(1).int_constant().is_some() => self.negation(v, at, depth),
            LLVMFreeze => sub(self, 0),
            LLVMSelect => {
                let (c, t, e) = (sub(self, 0), sub(self, 1), sub(self, 2));
                select(c, t, e)
            }
            LLVMPHI if self.inside(v).is_some() => self.merge(v, depth),
            // What a loop in front of the region hands on: versions by it may be told apart. Outside of loops it parts regions.
            LLVMPHI
                if self.loop_around(at).is_some()
                    && let [(_, only)] = v.incoming()[..] =>
            {
                self.condition_at_depth(only, at, depth + 1)
            }
            _ => self.flag(v, at),
        }
    }

    /// A bit that was computed before the region (`beta == 0` in a nest that scales or not) is a parameter, 0 or -1, where it
    /// decides in a loop. Outside of loops it parts regions: versions of a nest, as unswitching makes them, are better apart.
    fn flag(&mut self, v: Value, at: Block) -> Cond {
        if self.inside(v).is_some() || self.loop_around(at).is_none() {
            return Cond::Opaque(self.id(v));
        }
        let (lhs, rhs) = (self.scev(v, at), Scev::constant(1, 0));
        let pred = CmpPred::Ne;
        Cond::Cmp { pred, lhs, rhs }
    }

    fn negation(&mut self, v: Value, at: Block, depth: u32) -> Cond {
        let inner = self.condition_at_depth(v.operand(0), at, depth + 1);
        match v.operand(1).int_constant() {
            Some(0) => inner,
            _ => Cond::Not(Box::new(inner)),
        }
    }

    fn comparison(&mut self, v: Value, at: Block, depth: u32) -> Cond {
        let (l, r) = (v.operand(0), v.operand(1));
        if let Some(empty) = self.emptiness(v, (l, r)) {
            return empty;
        }
        if r.is_null() && !blocks::allocated(self, l).is_empty() {
            return Cond::Const(int_predicate(v) != CmpPred::Eq); // the new version has its block
        }
        let ty = l.raw_type();
        let width = unsafe {
            match LLVMGetTypeKind(ty) {
                LLVMIntegerTypeKind => LLVMGetIntTypeWidth(ty),
                _ => return Cond::Opaque(self.id(v)),
            }
        };
        if width == 1 && r.int_constant().is_some() {
            use polytile_analysis::region::CmpPred::{Eq, Ne};
            let inner = self.condition_at_depth(l, at, depth + 1);
            let same = match int_predicate(v) {
                Ne => r.int_constant() == Some(0),
                Eq => r.int_constant() != Some(0),
                _ => return Cond::Opaque(self.id(v)),
            };
            return match same {
                true => inner,
                false => Cond::Not(Box::new(inner)),
            };
        }
        if width > MAX_WIDTH {
            return Cond::Opaque(self.id(v));
        }
        if let Some(elements) = self.has_elements(v, (l, r)) {
            return elements;
        }
        if let Some(all) = self.all_zero(v, (l, r), at) {
            return all;
        }
        let (lhs, rhs) = (self.scev(l, at), self.scev(r, at));
        // With `samesign` both readings hold; the signed one is what the model works with.
        let pred = match unsafe { LLVMGetICmpSameSign(v.0) } {
            0 => int_predicate(v),
            _ => signed(int_predicate(v)),
        };
        let found = no_elements(pred, &lhs, &rhs);
        let Some((cond, required)) = found.filter(|f| f.1.is_empty() || self.is_given(&lhs)) else {
            return Cond::Cmp { pred, lhs, rhs };
        };
        for fits in required {
            self.require(fits);
        }
        cond
    }

    /// `(a | b) == 0`, as LLVM has `a == 0 && b == 0`, of counters, or of their low bits where they were made longer: that all of them are.
    fn all_zero(&mut self, v: Value, (l, r): (Value, Value), at: Block) -> Option<Cond> {
        let pred = int_predicate(v);
        if r.int_constant() != Some(0) || !matches!(pred, CmpPred::Eq | CmpPred::Ne) {
            return None;
        }
        let low =
            (l.is_instruction() && l.opcode() == LLVMAnd).then(|| l.operand(1).int_constant());
        let low = low.flatten().filter(|m| *m > 0 && *m & (*m + 1) == 0);
        let mut bits = vec![low.map_or(l, |_| l.operand(0))];
        let mut all = vec![];
        while let Some(part) = bits.pop() {
            if part.is_instruction() && part.opcode() == LLVMOr {
                bits.extend([part.operand(0), part.operand(1)]);
                continue;
            }
            let lhs = self.scev(part, at);
            if all.len() as u32 == MAX_DEPTH || !self.evolves(&lhs) {
                return None;
            }
            let lhs = match low {
                Some(mask) => lhs.truncated(mask.count_ones()),
                None => lhs,
            };
            let rhs = Scev::constant(lhs.width, 0);
            all.push(Cond::Cmp { pred, lhs, rhs });
        }
        match pred {
            _ if all.len() < 2 => None,
            CmpPred::Eq => Some(Cond::And(all)),
            _ => Some(Cond::Or(all)),
        }
    }

    /// Whether a row is empty, as its end and its begin say: no elements lie between them.
    fn emptiness(&self, v: Value, (l, r): (Value, Value)) -> Option<Cond> {
        let between = self.ends.get(&(l, r)).or_else(|| self.ends.get(&(r, l)))?;
        let pred = int_predicate(v);
        matches!(pred, CmpPred::Eq | CmpPred::Ne).then(|| Cond::Cmp {
            pred,
            lhs: Scev::unknown(64, *between),
            rhs: Scev::constant(64, 0),
        })
    }

    /// Whether a vector that was made in front of the region is empty, as the addresses of its end and its begin say, which are too large for parameters.
    fn has_elements(&mut self, v: Value, (l, r): (Value, Value)) -> Option<Cond> {
        let pred = int_predicate(v);
        let given = [l, r].iter().all(|v| self.inside(*v).is_none());
        if !given || !matches!(pred, CmpPred::Eq | CmpPred::Ne) {
            return None;
        }
        let (l, r) = (self.an.evolution(l, None)?, self.an.evolution(r, None)?);
        if !is_distance(l) && !is_distance(r) {
            return None;
        }
        let lhs = self.in_front(self.an.difference(l, r))?;
        let rhs = Scev::constant(lhs.width, 0);
        Some(Cond::Cmp { pred, lhs, rhs })
    }

    /// A merge in the region, but for what a loop carries around.
    fn merge(&mut self, v: Value, depth: u32) -> Cond {
        let b = v.parent();
        let carried = self.loop_around(b).is_some_and(|l| l.header() == b);
        if carried {
            return Cond::Opaque(self.id(v));
        }
        let incoming = v.incoming().into_iter().map(|(from, value)| {
            let side = match self.block_id(from) {
                Some(id) => BlockIn::Block(id),
                None => BlockIn::Entry,
            };
            (side, self.condition_at_depth(value, from, depth + 1))
        });
        Cond::Phi(incoming.collect())
    }
}

/// Whether there are no elements, `n*m*k == 0`, or some: one of the sizes is zero, or none is. A product that may wrap is taken not to: each
/// size has its share of the bits, which is required.
fn no_elements(pred: CmpPred, lhs: &Scev, rhs: &Scev) -> Option<(Cond, Vec<Cond>)> {
    let ScevKind::Mul(factors, wrap) = &lhs.kind else {
        return None;
    };
    let sizes: Vec<&Scev> = (factors.iter().filter(|f| f.as_constant().is_none())).collect();
    let compared = |pred: CmpPred, c: i128| -> Vec<Cond> {
        let cond = |f: &&Scev| Cond::Cmp {
            pred,
            lhs: (*f).clone(),
            rhs: Scev::constant(f.width, c),
        };
        sizes.iter().map(cond).collect()
    };
    let all = lhs.width - 1;
    let positive = factors.iter().all(|f| bits(f).is_some());
    let fits = positive && factors.iter().filter_map(bits).sum::<u32>() <= all;
    if rhs.as_constant() != Some(0) || sizes.len() < 2 {
        return None;
    }
    let required = match wrap.nuw || wrap.nsw || fits {
        true => vec![],
        false if !positive || sizes.len() < factors.len() => return None,
        false => compared(CmpPred::Slt, 1 << (all / u32::try_from(sizes.len()).ok()?)),
    };
    match pred {
        CmpPred::Eq => Some((Cond::Or(compared(CmpPred::Eq, 0)), required)),
        CmpPred::Ne => Some((Cond::And(compared(CmpPred::Ne, 0)), required)),
        CmpPred::Sgt if positive && (wrap.nsw || fits || !required.is_empty()) => {
            Some((Cond::And(compared(CmpPred::Ne, 0)), required))
        }
        _ => None,
    }
}

/// The bits of a number that is not negative.
fn bits(s: &Scev) -> Option<u32> {
    let at_least = |v: &[Scev], least: i128| {
        let mut constants = v.iter().filter_map(Scev::as_constant);
        constants.any(|c| c >= least)
    };
    match &s.kind {
        ScevKind::ZExt(a) => Some(bits(a).unwrap_or(a.width)),
        ScevKind::SMax(v) if at_least(v, 0) => Some(s.width - 1),
        // The elements from a lower bound on: `max(n, -1) + 1`.
        ScevKind::Add(v, wrap) if wrap.nsw => match &v[..] {
            [c, rest] => match (c.as_constant(), &rest.kind) {
                (Some(c), ScevKind::SMax(v)) if at_least(v, -c) => Some(s.width - 1),
                _ => None,
            },
            _ => None,
        },
        ScevKind::Const(c) if *c > 0 => Some(c.ilog2() + 1),
        _ => None,
    }
}

/// `c ? t : e`, which for conditions is logic; the forms that `and` and `or` have with short circuit come out as such.
fn select(c: Cond, t: Cond, e: Cond) -> Cond {
    match (&t, &e) {
        (Cond::Const(true), _) => Cond::Or(vec![c, e]),
        (_, Cond::Const(false)) => Cond::And(vec![c, t]),
        _ => {
            let not = Cond::Not(Box::new(c.clone()));
            Cond::Or(vec![Cond::And(vec![c, t]), Cond::And(vec![not, e])])
        }
    }
}
