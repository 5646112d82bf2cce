//! The values of a region: dense ids for LLVM's values, and evolutions as data.
//!
//! An evolution is taken as seen from one block. What evolves in loops *around* the region becomes invariant:
//! `{c,+,d}<L>` is `c + d * k`, where `k` is the canonical counter of `L` (made if the program has none, so that all
//! evolutions over `L` share one unknown). What has no meaning at that block, such as a recurrence over a loop that ended
//! before it, makes the whole evolution unknown.

use super::order::nest;
use crate::analyses::{Analyses, Evolution, Loop};
use crate::ffi::Kind;
use crate::llvm::{self, Block, Value};
use llvm_sys::LLVMOpcode::{LLVMAShr, LLVMFreeze, LLVMSDiv, LLVMSRem, LLVMSelect};
use llvm_sys::core::{LLVMGetTypeContext, LLVMIntTypeInContext};
use llvm_sys::target::LLVMTargetDataRef;
use polytile_analysis::ids::{BlockId, LoopId, ValueId};
use polytile_analysis::region::{self, CmpPred, Cond, Def};
use polytile_analysis::scev::{Scev, ScevKind, Wrap};
use std::collections::{BTreeMap, BTreeSet};

/// Evolutions with more nodes than this are taken as unknown: they are trees here, and shared subexpressions of LLVM's
/// graph can make a tree of any size.
const MAX_SIZE: u32 = 256;

/// Values of a choice are not larger than this.
const MAX_CHOICE: usize = 64;

/// The values of a region under construction.
pub struct Table<'a> {
    /// The function's analyses.
    pub an: &'a Analyses,
    /// Sizes of types.
    pub layout: LLVMTargetDataRef,
    /// The region's blocks; the first is the entry.
    pub blocks: Vec<Block>,
    /// The region's loops.
    pub loops: Vec<Loop>,
    /// Values by id, as data.
    pub values: Vec<region::Value>,
    /// Values by id, in LLVM.
    pub raw: Vec<Value>,
    /// Loads and PHIs that nothing uses: what they are is held.
    pub unused: BTreeSet<Value>,
    /// Loads that are taken for one value: the lengths of a table's rows.
    pub alike: BTreeMap<Value, ValueId>,
    /// What stands for the number of elements between two pointers that the region loads, the row's end and its begin.
    pub ends: BTreeMap<(Value, Value), ValueId>,
    block_ids: BTreeMap<Block, BlockId>,
    loop_ids: BTreeMap<Loop, LoopId>,
    around: Vec<Loop>,
    ids: BTreeMap<Value, ValueId>,
    names: BTreeSet<String>,
    /// The block in front of the region.
    preheader: Block,
    /// What is computed there: distances of pointers, numbers that share a register.
    computed: BTreeMap<Evolution, Value>,
    /// What has to hold so that products of sizes do not wrap.
    pub(super) required: Vec<Cond>,
    /// Whether values are only taken apart.
    pub(super) packed: BTreeMap<Value, bool>,
}

impl<'a> Table<'a> {
    /// No values yet. `blocks` in textual order, behind `preheader`.
    pub fn new(
        an: &'a Analyses,
        layout: LLVMTargetDataRef,
        (preheader, blocks): (Block, Vec<Block>),
    ) -> Table<'a> {
        let block_ids: BTreeMap<Block, BlockId> = blocks
            .iter()
            .enumerate()
            .map(|(i, b)| (*b, BlockId::from(i)))
            .collect();
        let mut loops: Vec<Loop> = vec![];
        for b in &blocks {
            for l in nest(an, *b) {
                if block_ids.contains_key(&l.header()) && !loops.contains(&l) {
                    loops.push(l);
                }
            }
        }
        let around = nest(an, blocks[0]).into_iter();
        let around = around.filter(|l| !loops.contains(l)).collect();
        let loop_ids = loops.iter().enumerate();
        Table {
            an,
            layout,
            block_ids,
            loop_ids: loop_ids.map(|(i, l)| (*l, LoopId::from(i))).collect(),
            around,
            blocks,
            loops,
            values: vec![],
            raw: vec![],
            unused: BTreeSet::new(),
            alike: BTreeMap::new(),
            ends: BTreeMap::new(),
            ids: BTreeMap::new(),
            names: BTreeSet::new(),
            preheader,
            computed: BTreeMap::new(),
            required: vec![],
            packed: BTreeMap::new(),
        }
    }

    /// The region's first block.
    pub fn entry(&self) -> Block {
        self.blocks[0]
    }

    /// The id of a block of the region.
    pub fn block_id(&self, b: Block) -> Option<BlockId> {
        self.block_ids.get(&b).copied()
    }

    /// The id of a loop of the region.
    pub fn loop_id(&self, l: Loop) -> Option<LoopId> {
        self.loop_ids.get(&l).copied()
    }

    /// The innermost loop of the region around a block.
    pub fn loop_around(&self, b: Block) -> Option<Loop> {
        self.an.loop_of(b).filter(|l| self.loop_ids.contains_key(l))
    }

    /// The block of the region that computes a value. PHIs of the entry come from before.
    pub fn inside(&self, v: Value) -> Option<BlockId> {
        if !v.is_instruction() {
            return None;
        }
        let b = v.parent();
        let before = v.is_phi() && b == self.entry();
        self.block_id(b).filter(|_| !before)
    }

    /// The id of a value, new or known.
    pub fn id(&mut self, v: Value) -> ValueId {
        if let Some(id) = self.ids.get(&v) {
            return *id;
        }
        let id = ValueId::from(self.values.len());
        self.ids.insert(v, id);
        self.raw.push(v);
        let name = self.fresh_name(v, id);
        self.values.push(region::Value {
            name,
            ty: llvm::ty(self.layout, v.raw_type()),
            def: self.def(v),
            scev: None,
        });
        let at = self.inside(v).map_or(self.entry(), |_| v.parent());
        let evolves = self.an.evolution(v, Some(at)).is_some();
        self.values[id.index()].scev = evolves.then(|| self.scev(v, at));
        id
    }

    /// A value that has none in LLVM, with one that stands in its place.
    pub fn stand_in(&mut self, raw: Value, name: &str, value: region::Value) -> ValueId {
        let id = ValueId::from(self.values.len());
        let name = self.unique(name.to_owned());
        self.raw.push(raw);
        self.values.push(region::Value { name, ..value });
        id
    }

    fn fresh_name(&mut self, v: Value, id: ValueId) -> String {
        let mut name = match v.is_constant() && !v.is_global() {
            true => String::new(),
            false => v.name(),
        };
        if name.is_empty() {
            name = format!("t{}", id.0);
        }
        self.unique(name)
    }

    fn unique(&mut self, mut name: String) -> String {
        while !self.names.insert(name.clone()) {
            name.push('_');
        }
        name
    }

    fn def(&self, v: Value) -> Def {
        match self.inside(v) {
            Some(b) => Def::Inst(b),
            None if !v.is_constant() || v.is_global() => Def::Invariant,
            None => match (v.int_constant(), v.float_constant()) {
                (Some(c), _) => Def::IntConst(c),
                (None, Some(bits)) => Def::FloatConst(bits),
                (None, None) => Def::OtherConst,
            },
        }
    }

    /// How an integer or pointer evolves, as seen from `at`; itself as unknown if there is nothing to say.
    pub fn scev(&mut self, v: Value, at: Block) -> Scev {
        let s = self.an.evolution(v, Some(at));
        let s = s.expect("only integers and pointers are asked for");
        let width = self.an.width(s);
        self.convert(s, at)
            .unwrap_or_else(|| Scev::unknown(width, self.id(v)))
    }

    /// The distance in bytes of an address from its base.
    pub fn offset(&mut self, s: Evolution, at: Block) -> Option<Scev> {
        self.convert(s, at).map(Scev::as_offset)
    }

    /// An evolution as data, as seen from `at`; `None` if it has no meaning there.
    pub fn convert(&mut self, s: Evolution, at: Block) -> Option<Scev> {
        if s.size() > MAX_SIZE {
            return None;
        }
        if is_distance(s)
            && let Some(addresses) = addresses(s)
        {
            return self.distance(s, &addresses);
        }
        if let Some(number) = self.packed(s).or_else(|| self.short_distance(s, at)) {
            return Some(number);
        }
        let (nuw, nsw) = s.wrap_flags();
        let wrap = Wrap { nuw, nsw };
        let kind = match s.kind() {
            Kind::Constant => ScevKind::Const(s.constant()?),
            Kind::Unknown => return self.unknown(s, at),
            Kind::AddRec => return self.recurrence(s, at, wrap),
            Kind::Add => ScevKind::Add(self.convert_all(s, at)?, wrap),
            Kind::Mul => match self.whole_multiple(s, at) {
                Some(whole) => return Some(whole),
                None => ScevKind::Mul(self.convert_all(s, at)?, wrap),
            },
            Kind::SMax => ScevKind::SMax(self.convert_all(s, at)?),
            Kind::UMax => ScevKind::UMax(self.convert_all(s, at)?),
            Kind::SMin => ScevKind::SMin(self.convert_all(s, at)?),
            Kind::UMin => ScevKind::UMin(self.convert_all(s, at)?),
            Kind::ZExt | Kind::SExt => return self.extended(s, at),
            Kind::Trunc => match self.parity(s, at) {
                Some(sum) => return Some(sum),
                None => return Some(self.convert_only(s, at)?.truncated(self.an.width(s))),
            },
            Kind::UDiv => {
                let mut parts = self.convert_all(s, at)?.into_iter().map(Box::new);
                ScevKind::UDiv(parts.next()?, parts.next()?)
            }
            Kind::PtrToInt | Kind::Other => return None,
        };
        let width = self.an.width(s);
        Some(Scev { width, kind })
    }

    /// What is made of addresses alone, as the number of elements between two pointers: a value that is computed in front of the
    /// region, for addresses themselves are too large for parameters.
    fn distance(&mut self, s: Evolution, addresses: &[Value]) -> Option<Scev> {
        if addresses.iter().any(|a| self.inside(*a).is_some()) {
            return None;
        }
        self.in_front(s)
    }

    /// A sum of fewer bits, of what is left of two addresses (`int w = rows[0].size()` of bytes) and other numbers: the distance in all bits, cut off.
    fn short_distance(&mut self, s: Evolution, at: Block) -> Option<Scev> {
        if s.kind() != Kind::Add {
            return None;
        }
        let width = self.an.width(s);
        let (mut ends, mut rest) = ([None, None], vec![]);
        for part in s.operands() {
            match short_address(part) {
                Some((address, side)) if ends[side].is_none() => ends[side] = Some(address),
                _ => rest.push(part),
            }
        }
        let [Some(end), Some(begin)] = ends else {
            return None;
        };
        let all = self.an.difference(end, begin);
        let all = self.distance(all, &addresses(all)?)?;
        let kind = ScevKind::Trunc(Box::new(all));
        rest.into_iter()
            .try_fold(Scev { width, kind }, |all, part| {
                Some(sum(all, self.convert(part, at)?))
            })
    }

    /// An evolution as a value that is computed in front of the region.
    pub(super) fn in_front(&mut self, s: Evolution) -> Option<Scev> {
        let v = match self.computed.get(&s) {
            Some(v) => *v,
            None => {
                let v = self.an.expanded(s, self.preheader.terminator())?;
                self.computed.insert(s, v);
                v
            }
        };
        Some(Scev::unknown(self.an.width(s), self.id(v)))
    }

    /// A pointer of the region whose address an evolution is made of.
    pub fn address_inside(&self, s: Evolution) -> Option<Value> {
        let all = addresses(s)?;
        all.into_iter().find(|a| self.inside(*a).is_some())
    }

    fn convert_all(&mut self, s: Evolution, at: Block) -> Option<Vec<Scev>> {
        let operands = s.operands().into_iter();
        operands.map(|o| self.convert(o, at)).collect()
    }

    fn convert_only(&mut self, s: Evolution, at: Block) -> Option<Box<Scev>> {
        self.convert(*s.operands().first()?, at).map(Box::new)
    }

    fn unknown(&mut self, s: Evolution, at: Block) -> Option<Scev> {
        let v = s.unknown();
        if let Some(one) = self.alike.get(&v) {
            return Some(Scev::unknown(self.an.width(s), *one));
        }
        if self.inside(v).is_some() {
            if !self.is_seen(v, at) {
                return None;
            }
            let found = self.frozen(v, at).or_else(|| self.division(v, at));
            let found = found.or_else(|| self.choice(v, at));
            if let Some(s) = found.or_else(|| self.selection(v, at)) {
                return Some(s);
            }
        }
        Some(Scev::unknown(self.an.width(s), self.id(v)))
    }

    /// Whether a value of the region means the same at a block as where it is computed: outside of its loop it means its last content.
    pub(super) fn is_seen(&self, v: Value, at: Block) -> bool {
        let around = nest(self.an, at);
        nest(self.an, v.parent()).iter().all(|l| around.contains(l))
    }

    /// A frozen value, as its operand without promises: the same sums and products of frozen parameters have one value
    /// wherever they are computed, and where the operand is poison any value will do.
    fn frozen(&mut self, v: Value, at: Block) -> Option<Scev> {
        if v.opcode() != LLVMFreeze {
            return None;
        }
        let a = self.an.evolution(v.operand(0), Some(at))?;
        let mut a = self.convert(a, at).filter(|a| self.is_closed(a))?;
        a.forget_wrap_flags();
        Some(a)
    }

    /// A signed division, remainder or shift by a positive constant, in terms of unsigned divisions of not negative values:
    /// `a = max(a, 0) - max(-a, 0)`, and either part is divided. To round down instead of towards zero, the second quotient
    /// is rounded up.
    fn division(&mut self, v: Value, at: Block) -> Option<Scev> {
        if !matches!(v.opcode(), LLVMSDiv | LLVMSRem | LLVMAShr) {
            return None;
        }
        if v.opcode() == LLVMSRem && v.operand(1).int_constant().is_none() {
            return self.signed_remainder(v, at);
        }
        let c = v.operand(1).int_constant().filter(|c| *c > 0)?;
        let a = self.an.evolution(v.operand(0), Some(at))?;
        let a = self.convert(a, at).filter(|a| self.is_closed(a))?;
        if v.opcode() == LLVMAShr
            && let Some(low) = low_bits(&a, u32::try_from(c).ok()?)
        {
            return Some(low);
        }
        let c = match v.opcode() {
            LLVMAShr => 1 << u32::try_from(c).ok().filter(|c| c + 1 < a.width)?,
            _ => c,
        };
        Some(match v.opcode() {
            LLVMSRem => remainder(&a, c),
            LLVMSDiv => toward_zero(&a, c),
            _ => down(&a, c),
        })
    }

    /// Has the new version run only where a condition holds.
    pub(super) fn require(&mut self, condition: Cond) {
        if !self.required.contains(&condition) {
            self.required.push(condition);
        }
    }

    /// A quotient times what it was divided by, `8 * ((j * stride) / 8)`, as what was divided: strides in bytes are taken to be whole multiples of an
    /// element's size, which is required.
    fn whole_multiple(&mut self, s: Evolution, at: Block) -> Option<Scev> {
        let [c, of] = s.operands().try_into().ok()?;
        let c = (c.kind() == Kind::Constant)
            .then(|| c.constant())
            .flatten()?;
        match of.kind() {
            Kind::Unknown => self.undivided(of.unknown(), c, at),
            Kind::Add => {
                let parts = of.operands();
                let whole: Vec<Option<Scev>> = (parts.iter())
                    .map(|part| match part.kind() {
                        Kind::Unknown => self.undivided(part.unknown(), c, at),
                        _ => None,
                    })
                    .collect();
                // Where nothing comes of it the parts are converted elsewhere: twice at each level would be a power of two in all.
                if whole.iter().all(Option::is_none) {
                    return None;
                }
                let mut all = vec![];
                for (whole, part) in whole.into_iter().zip(parts) {
                    all.push(match whole {
                        Some(whole) => whole,
                        None => product(c, self.convert(part, at)?),
                    });
                }
                let width = self.an.width(s);
                let kind = ScevKind::Add(all, Wrap::default());
                Some(Scev { width, kind })
            }
            _ => None,
        }
    }

    /// What a value is a quotient of, by `c`, where that is made of strides.
    fn undivided(&mut self, v: Value, c: i128, at: Block) -> Option<Scev> {
        if self.inside(v).is_some() && !self.is_seen(v, at) {
            return None;
        }
        let by = v.is_instruction().then(|| match v.opcode() {
            LLVMSDiv => v.operand(1).int_constant(),
            LLVMAShr => v
                .operand(1)
                .int_constant()
                .map(|n| 1i128.checked_shl(n as u32))?,
            _ => None,
        });
        if by.flatten() != Some(c) || c <= 1 {
            return None;
        }
        let a = self.an.evolution(v.operand(0), Some(at))?;
        let a = self.convert(a, at).filter(|a| self.is_closed(a))?;
        let mut strides = vec![];
        multiples(&a, c, &mut strides)?;
        for stride in &strides {
            let whole = toward_zero(stride, c);
            let condition = Cond::Cmp {
                pred: CmpPred::Eq,
                lhs: sum(stride.clone(), product(-c, whole)),
                rhs: Scev::constant(stride.width, 0),
            };
            self.require(condition);
        }
        (!strides.is_empty()).then_some(a)
    }

    /// A remainder by something that is not constant, perhaps of another one: `((i - 1) % n + n) % n`.
    fn signed_remainder(&mut self, v: Value, at: Block) -> Option<Scev> {
        let mut part = |v: Value| {
            let s = self.an.evolution(v, Some(at))?;
            self.convert(s, at).filter(|s| self.evolves(s))
        };
        let (a, b) = (Box::new(part(v.operand(0))?), Box::new(part(v.operand(1))?));
        let width = a.width;
        let kind = ScevKind::SRem(a, b);
        Some(Scev { width, kind })
    }

    /// A choice by a condition of iterators and invariant values. Only what is chosen is used.
    fn selection(&mut self, v: Value, at: Block) -> Option<Scev> {
        if v.opcode() != LLVMSelect {
            return None;
        }
        let mut part = |v: Value| {
            let s = self.an.evolution(v, Some(at))?;
            self.convert(s, at)
                .filter(|s| self.is_closed(s) && s.width > 1)
        };
        let (then, els) = (part(v.operand(1))?, part(v.operand(2))?);
        let condition = self.condition(v.operand(0), at);
        self.chosen(&condition, then, els)
    }

    fn chosen(&self, condition: &Cond, then: Scev, els: Scev) -> Option<Scev> {
        if nodes(&then) + nodes(&els) > MAX_CHOICE {
            return None;
        }
        match condition {
            Cond::Const(c) => Some(if *c { then } else { els }),
            Cond::Cmp { pred, lhs, rhs } => {
                let closed = self.is_closed(lhs) && self.is_closed(rhs);
                let width = then.width;
                let parts = Box::new([lhs.clone(), rhs.clone(), then, els]);
                let kind = ScevKind::Select(*pred, parts);
                closed.then_some(Scev { width, kind })
            }
            Cond::Not(c) => self.chosen(c, els, then),
            Cond::And(list) => list
                .iter()
                .rev()
                .try_fold(then, |inner, c| self.chosen(c, inner, els.clone())),
            Cond::Or(list) => list
                .iter()
                .rev()
                .try_fold(els, |inner, c| self.chosen(c, then.clone(), inner)),
            Cond::Phi(_) | Cond::Opaque(_) => None,
        }
    }

    /// A number with more bits. A condition becomes a choice between its two numbers.
    fn extended(&mut self, s: Evolution, at: Block) -> Option<Scev> {
        let width = self.an.width(s);
        let inner = self.convert_only(s, at)?;
        let signed = s.kind() == Kind::SExt;
        if let (1, ScevKind::Unknown(v)) = (inner.width, &inner.kind)
            && let bit = self.raw[v.index()]
            && self.inside(bit).is_some()
        {
            let condition = self.condition(bit, at);
            let one = Scev::constant(width, if signed { -1 } else { 1 });
            let zero = Scev::constant(width, 0);
            if let Some(choice) = self.chosen(&condition, one, zero) {
                return Some(choice);
            }
        }
        let kind = match signed {
            true => ScevKind::SExt(inner),
            false => ScevKind::ZExt(inner),
        };
        Some(Scev { width, kind })
    }

    /// A choice between two values by a bit that evolves, such as the parity of an iterator: `c ? a : b` is
    /// `c * a + (1 - c) * b`. Unlike the choice, this uses both.
    fn choice(&mut self, v: Value, at: Block) -> Option<Scev> {
        if v.opcode() != LLVMSelect {
            return None;
        }
        let mut part = |v: Value| {
            let s = self.an.evolution(v, Some(at))?;
            self.convert(s, at).filter(|s| self.is_closed(s))
        };
        let (bit, a, b) = (
            part(v.operand(0))?,
            part(v.operand(1))?,
            part(v.operand(2))?,
        );
        let undefined = |s: &Scev| {
            s.any(&mut |part| match part.kind {
                ScevKind::Unknown(v) => {
                    !(self.an).is_well_defined(self.raw[v.index()], at.terminator())
                }
                _ => false,
            })
        };
        if !matches!(bit.kind, ScevKind::AddRec { .. }) || undefined(&a) || undefined(&b) {
            return None;
        }
        let width = a.width;
        let kind = ScevKind::ZExt(Box::new(bit));
        let bit = match width {
            1 => return None,
            _ => Scev { width, kind },
        };
        let times = |bit: Scev, s: Scev| match s.as_constant() {
            Some(0) => None,
            Some(1) => Some(bit),
            _ => Some(Scev {
                width,
                kind: ScevKind::Mul(vec![bit, s], Wrap::default()),
            }),
        };
        let other = sum(Scev::constant(width, 1), product(-1, bit.clone()));
        Some(match (times(bit, a), times(other, b)) {
            (Some(a), Some(b)) => sum(a, b),
            (Some(s), None) | (None, Some(s)) => s,
            (None, None) => Scev::constant(width, 0),
        })
    }

    fn recurrence(&mut self, s: Evolution, at: Block, wrap: Wrap) -> Option<Scev> {
        let (l, width) = (s.recurrence_loop(), self.an.width(s));
        let operands = self.convert_all(s, at)?;
        if let Some(loop_) = self.loop_id(l) {
            let kind = ScevKind::AddRec {
                loop_,
                operands,
                wrap,
            };
            return nest(self.an, at)
                .contains(&l)
                .then_some(Scev { width, kind });
        }
        if !self.around.contains(&l) {
            return None;
        }
        let [start, step]: [Scev; 2] = operands.try_into().ok()?;
        let counter = self.counter(l, width);
        let sum = |kind| Scev { width, kind };
        let grown = match step.as_constant() {
            Some(1) => counter,
            _ => sum(ScevKind::Mul(vec![step, counter], Wrap::default())),
        };
        Some(match start.as_constant() {
            Some(0) => grown,
            _ => sum(ScevKind::Add(vec![start, grown], Wrap::default())),
        })
    }

    /// The canonical counter of a loop around the region. Where the program counts in 64 bits, by whatever step, shorter ones are that, so
    /// that an address and a product of `int` have the same parameter.
    fn counter(&mut self, l: Loop, width: u32) -> Scev {
        let context = unsafe { LLVMGetTypeContext(self.raw_type_of(l)) };
        let of = |width| unsafe { LLVMIntTypeInContext(context, width) };
        let is_short = width < 64 && self.an.counts_in(l, of(64));
        let own = if is_short { 64 } else { width };
        let counter = self.an.canonical_iv(l, of(own));
        let counter = Scev::unknown(own, self.id(counter));
        match is_short {
            true => Scev {
                width,
                kind: ScevKind::Trunc(Box::new(counter)),
            },
            false => counter,
        }
    }

    fn raw_type_of(&self, l: Loop) -> llvm_sys::prelude::LLVMTypeRef {
        l.header().terminator().raw_type()
    }

    /// Whether an evolution is a function of iterators and invariant values alone, and affine in each recurrence. Signed
    /// remainders are for addresses only: as a value each is the program's own operation.
    pub fn is_closed(&self, s: &Scev) -> bool {
        self.evolves(s) && !s.any(&mut |part| matches!(part.kind, ScevKind::SRem(..)))
    }

    /// Whether an evolution is known in front of the region.
    pub(super) fn is_given(&self, s: &Scev) -> bool {
        self.evolves(s) && s.loops().is_empty()
    }

    /// The same with signed remainders.
    pub(super) fn evolves(&self, s: &Scev) -> bool {
        !s.any(&mut |part| match &part.kind {
            ScevKind::Unknown(v) => matches!(self.values[v.index()].def, Def::Inst(_)),
            ScevKind::Unknowable => true,
            ScevKind::AddRec { operands, .. } => operands.len() != 2,
            _ => false,
        })
    }
}

/// How large an evolution is.
fn nodes(s: &Scev) -> usize {
    1 + s.operands().into_iter().map(nodes).sum::<usize>()
}

/// `max(a, 0)`.
fn positive(a: Scev) -> Scev {
    let width = a.width;
    let kind = ScevKind::SMax(vec![Scev::constant(width, 0), a]);
    Scev { width, kind }
}

/// `a / c`, of not negative values.
fn quotient(a: Scev, c: i128) -> Scev {
    let width = a.width;
    let kind = ScevKind::UDiv(Box::new(a), Box::new(Scev::constant(width, c)));
    Scev { width, kind }
}

/// The number from zero on, and that below it without its sign: `a` is their difference. The least number of a width has one without its sign
/// as well (`nsw`): all are divided without one.
fn halves(a: &Scev) -> (Scev, Scev) {
    let mut without = product(-1, a.clone());
    if let ScevKind::Mul(_, wrap) = &mut without.kind {
        wrap.nsw = true;
    }
    (positive(a.clone()), positive(without))
}

/// `a % c`, with the sign of `a`.
fn remainder(a: &Scev, c: i128) -> Scev {
    let (above, below) = halves(a);
    let rest = |a: Scev| sum(a.clone(), product(-c, quotient(a, c)));
    sum(rest(above), product(-1, rest(below)))
}

/// `a / c`, towards zero.
fn toward_zero(a: &Scev, c: i128) -> Scev {
    let (above, below) = halves(a);
    sum(quotient(above, c), product(-1, quotient(below, c)))
}

/// `a / c`, rounded down.
fn down(a: &Scev, c: i128) -> Scev {
    let (above, below) = halves(a);
    let up = sum(Scev::constant(below.width, c - 1), below);
    sum(quotient(above, c), product(-1, quotient(up, c)))
}

/// What has to be whole multiples of `c` so that a recurrence by steps that are not constant is one everywhere: `j * stride`. `None` if it is
/// something else, or a constant is none.
fn multiples(a: &Scev, c: i128, found: &mut Vec<Scev>) -> Option<()> {
    match &a.kind {
        ScevKind::Const(n) => (n % c == 0).then_some(()),
        ScevKind::Add(list, _) => list.iter().try_for_each(|s| multiples(s, c, found)),
        ScevKind::AddRec { operands, .. } => {
            operands.iter().try_for_each(|s| multiples(s, c, found))
        }
        _ if !a.loops().is_empty() => None,
        ScevKind::Mul(factors, _) => {
            let whole = |f: &Scev| f.as_constant().is_some_and(|n| n % c == 0);
            if !factors.iter().any(whole) {
                let opaque = |f: &&Scev| matches!(f.kind, ScevKind::Unknown(_));
                found.push(factors.iter().find(opaque)?.clone());
            }
            Some(())
        }
        _ => {
            found.push(a.clone());
            Some(())
        }
    }
}

fn product(c: i128, s: Scev) -> Scev {
    let width = s.width;
    let kind = ScevKind::Mul(vec![Scev::constant(width, c), s], Wrap::default());
    Scev { width, kind }
}

/// `a + b`.
pub(super) fn sum(a: Scev, b: Scev) -> Scev {
    let width = a.width;
    let kind = ScevKind::Add(vec![a, b], Wrap::default());
    Scev { width, kind }
}

/// The pointers whose addresses an evolution without recurrences is made of; `None` if it has none.
fn addresses(s: Evolution) -> Option<Vec<Value>> {
    let (mut found, mut pending) = (vec![], vec![s]);
    while let Some(s) = pending.pop() {
        match (s.kind(), s.operands().first()) {
            (Kind::AddRec, _) => return None,
            (Kind::PtrToInt, Some(p)) if p.kind() == Kind::Unknown => found.push(p.unknown()),
            (Kind::PtrToInt, _) => return None,
            _ => pending.extend(s.operands()),
        }
    }
    (!found.is_empty()).then_some(found)
}

/// An address that is cut off, and 1 if it is taken from something.
fn short_address(s: Evolution) -> Option<(Evolution, usize)> {
    let address = |s: Evolution| {
        let whole = *s.operands().first().filter(|_| s.kind() == Kind::Trunc)?;
        (whole.kind() == Kind::PtrToInt).then_some(whole)
    };
    match (s.kind(), s.operands().as_slice()) {
        (Kind::Mul, [minus, short]) if minus.constant() == Some(-1) => Some((address(*short)?, 1)),
        _ => Some((address(s)?, 0)),
    }
}

/// Whether addresses are divided or are parts of a sum; what is made of a number of elements stays a sum or a product.
pub(super) fn is_distance(s: Evolution) -> bool {
    match s.kind() {
        Kind::UDiv | Kind::PtrToInt => addresses(s).is_some(),
        Kind::Add | Kind::Mul => {
            let parts = s.operands();
            let undivided = |p: &Evolution| p.kind() != Kind::UDiv && is_distance(*p);
            parts.iter().any(undivided)
        }
        _ => false,
    }
}

/// A value shifted up by so many bits and down again, which is how a number of fewer bits is extended by its sign; `None` if it was not
/// shifted up.
fn low_bits(shifted: &Scev, by: u32) -> Option<Scev> {
    let width = shifted.width;
    let left = width.checked_sub(by).filter(|w| *w > 1 && *w < width)?;
    let value = shifted.exact_quotient(1 << by, Wrap::default())?;
    let low = Scev {
        width: left,
        kind: ScevKind::Trunc(Box::new(value)),
    };
    let kind = ScevKind::SExt(Box::new(low));
    Some(Scev { width, kind })
}
