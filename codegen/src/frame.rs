//! Functions under construction and the values that are known in them.
//!
//! The first is the host's function, the second the new version (module `callee`). The body of a parallel loop becomes a function of its own. What it uses of the function around it is found while it is
//! emitted: a value that is not known in the inner frame is fetched from the outer one and *captured*: it gets a slot in
//! a context block, which the outer function fills before it forks and the inner one reads on entry.

use crate::body::instruction;
use crate::callee::Inputs;
use crate::emit::{Emitter, Phase};
use crate::ir::{Func, Int, Ptr, Value};
use crate::metadata::Scopes;
use crate::rows::Row;
use crate::team::Team;
use inkwell::basic_block::BasicBlock;
use inkwell::types::AsTypeRef;
use inkwell::values::{AsValueRef, BasicValue};
use llvm_sys::core::{
    LLVMGetNumOperands, LLVMGetOperand, LLVMIsAConstantExpr, LLVMIsAGlobalVariable, LLVMIsConstant,
    LLVMIsThreadLocal,
};
use llvm_sys::prelude::{LLVMMetadataRef, LLVMValueRef};
use llvm_sys::target::{LLVMABISizeOfType, LLVMGetModuleDataLayout};
use polytile_analysis::ast::IterId;
use polytile_analysis::ids::{ArrayId, BaseId, ParamId, ValueId};
use std::collections::BTreeMap;

/// Something that has a value in a frame.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Key {
    /// A parameter, 64 bits.
    Param(ParamId),
    /// A tile size, 64 bits.
    Size(usize),
    /// An iterator of a generated loop, 64 bits.
    Iter(IterId),
    /// A value of the program that is known before the region.
    Invariant(ValueId),
    /// The same, frozen: what the check may branch on.
    Frozen(ValueId),
    /// A base pointer.
    Base(BaseId),
    /// The first entry of the table behind an array of rows, 64 bits.
    FirstEntry(BaseId),
    /// The last one.
    LastEntry(BaseId),
    /// The address of a scalar's cell.
    Cell(ArrayId),
    /// The address of a temporary array: of the copy that belongs to the thread that runs this frame.
    Temporary(ArrayId),
    /// Bytes from one thread's copy of a temporary array to the next.
    TemporaryStride(ArrayId),
    /// The address of a buffer: of the copy that belongs to the thread that runs this frame.
    Buffer(usize),
    /// The address of a buffer's first copy.
    Copies(usize),
    /// Bytes from one copy of a buffer to the next.
    CopyStride(usize),
    /// The number of the thread in its team, 64 bits.
    Thread,
    /// How many threads a team gets, 64 bits.
    Threads,
    /// Where a team notes its progress.
    Board,
    /// The address of a cell that holds zero.
    Dummy,
}

/// A function under construction.
pub(crate) struct Frame<'c> {
    pub(crate) function: Func<'c>,
    pub(crate) values: BTreeMap<Key, Value<'c>>,
    /// The parameters of the new version; `None` in other functions.
    pub(crate) inputs: Option<Inputs<'c>>,
    /// How values of the outer frame arrive in functions that threads run; `None` in others.
    pub(crate) context: Option<Context<'c>>,
    /// Alias scopes of the arrays in this function.
    pub(crate) scopes: Scopes,
    /// The debug scope of this function's code, where instructions come from another function.
    pub(crate) subprogram: Option<LLVMMetadataRef>,
    /// The threads that run the code together; `None` where each is by itself.
    pub(crate) team: Option<Team<'c>>,
    /// The row of a pipeline around this place.
    pub(crate) row: Option<Row<'c>>,
}

/// The context block of an outlined function.
pub(crate) struct Context<'c> {
    /// Its address.
    pub(crate) pointer: Ptr<'c>,
    /// The block at whose end captured values are read.
    pub(crate) entry: BasicBlock<'c>,
    /// Bytes used so far.
    pub(crate) size: u64,
    /// What lies where.
    pub(crate) slots: Vec<(u64, Key)>,
}

/// Alignment of everything in a context block.
pub(crate) const SLOT: u64 = 8;

impl<'c> Emitter<'_, 'c> {
    /// The frame that code goes to.
    pub(crate) fn frame(&mut self) -> &mut Frame<'c> {
        self.frames.last_mut().expect("there is always a frame")
    }

    /// Makes `value` known in the current frame.
    pub(crate) fn set(&mut self, key: Key, value: impl BasicValue<'c>) {
        let value = value.as_basic_value_enum();
        self.frame().values.insert(key, value);
    }

    /// The value of `key` in the current frame.
    pub(crate) fn get(&mut self, key: Key) -> Value<'c> {
        if let Key::Param(p) = key
            && self.phase == Phase::Run
            && self.scop.intact_param() == Some(p)
        {
            return self.still_intact().into();
        }
        self.get_in(self.frames.len() - 1, key)
    }

    fn get_in(&mut self, frame: usize, key: Key) -> Value<'c> {
        if let Some(v) = self.frames[frame].values.get(&key) {
            return *v;
        }
        if frame == 0 {
            return match key {
                Key::Invariant(v) => unsafe { Value::new(self.host.values[v.index()]) },
                Key::Base(b) => unsafe { Value::new(self.host.bases[b.index()]) },
                Key::Param(p) => self.host_param(p),
                _ => panic!("{key:?} is not known here"),
            };
        }
        let outer = self.get_in(frame - 1, key);
        let value = if is_constant(outer) {
            outer
        } else if frame == 1 {
            self.input(outer)
        } else {
            self.capture(frame, key, outer)
        };
        self.frames[frame].values.insert(key, value);
        value
    }

    /// A parameter, computed here, in the host's function.
    fn host_param(&mut self, p: ParamId) -> Value<'c> {
        assert_eq!(
            self.frames.len(),
            1,
            "the new version has parameters of its own"
        );
        let value = self.param(p);
        self.set(Key::Param(p), value);
        value.into()
    }

    /// The value of a parameter, computed here.
    pub(crate) fn param(&mut self, p: ParamId) -> Int<'c> {
        let scop = self.scop;
        let value = self.evolve(&scop.params[p.index()].expr, &[]);
        self.ir.sext(value, 64)
    }

    /// Whether code goes to the new version itself, and not to a function that threads run.
    pub(crate) fn outermost(&self) -> bool {
        self.frames.len() == 2
    }

    fn capture(&mut self, frame: usize, key: Key, outer: Value<'c>) -> Value<'c> {
        let bytes = unsafe {
            LLVMABISizeOfType(
                LLVMGetModuleDataLayout(self.host.module),
                outer.get_type().as_type_ref(),
            )
        };
        let context = self.frames[frame]
            .context
            .as_mut()
            .expect("inner frames have a context");
        let offset = context.size;
        context.size += bytes.next_multiple_of(SLOT);
        context.slots.push((offset, key));
        let (pointer, entry) = (context.pointer, context.entry);
        let saved = self.ir.here();
        // The code around this may be of another function.
        let position = self.position_here();
        self.no_position();
        self.ir
            .before(entry.get_terminator().expect("entry blocks are closed"));
        let place = self.ir.offset(pointer, self.ir.int(offset as i64));
        let value = self.ir.load(outer.get_type(), place);
        self.ir.align(instruction(value), SLOT as u32);
        self.ir.at_end(saved);
        self.go_on_at(position);
        value
    }

    /// An integer or pointer of the program: frozen while the check is computed, since the check branches on it even
    /// where the program would not have used it.
    pub(crate) fn invariant_integer(&mut self, v: ValueId) -> Value<'c> {
        if self.phase == Phase::Run {
            return self.get(Key::Invariant(v));
        }
        if let Some(frozen) = self.frame().values.get(&Key::Frozen(v)) {
            return *frozen;
        }
        let raw = self.get(Key::Invariant(v));
        let frozen = if is_constant(raw) {
            raw
        } else {
            self.ir.freeze(raw)
        };
        self.set(Key::Frozen(v), frozen);
        frozen
    }

    /// An address of the current frame.
    pub(crate) fn get_ptr(&mut self, key: Key) -> Ptr<'c> {
        self.get(key).into_pointer_value()
    }
}

/// Constants and addresses of globals are the same in every function, unless each thread has an object of its own.
pub(crate) fn is_constant(v: Value<'_>) -> bool {
    let v = v.as_value_ref();
    unsafe { LLVMIsConstant(v) != 0 && !is_of_thread(v) }
}

/// Whether a constant depends on the address of a thread's own object.
unsafe fn is_of_thread(v: LLVMValueRef) -> bool {
    unsafe {
        match LLVMIsAGlobalVariable(v).is_null() {
            false => LLVMIsThreadLocal(v) != 0,
            true if LLVMIsAConstantExpr(v).is_null() => false,
            true => {
                let operands = u32::try_from(LLVMGetNumOperands(v)).unwrap_or(0);
                (0..operands).any(|i| is_of_thread(LLVMGetOperand(v, i)))
            }
        }
    }
}
