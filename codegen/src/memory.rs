//! Accesses to arrays and scalars, and the memory of our own.

use crate::body::instruction;
use crate::emit::Emitter;
use crate::evolution::Iterators;
use crate::frame::Key;
use crate::in_bounds::{in_bounds, in_bounds_of_loaded};
use crate::ir::{Arith, Int, Ptr, Value};
use crate::metadata::Memory;
use inkwell::IntPredicate;
use inkwell::attributes::{Attribute, AttributeLoc};
use inkwell::types::BasicTypeEnum;
use inkwell::values::{AsValueRef, InstructionValue};
use llvm_sys::core::{
    LLVMGetAlignment, LLVMGetInstructionOpcode, LLVMGetMetadata, LLVMGetOperand, LLVMSetAlignment,
    LLVMSetMetadata, LLVMTypeOf,
};
use llvm_sys::prelude::{LLVMTypeRef, LLVMValueRef};
use llvm_sys::{LLVMOpcode, core::LLVMIsAInstruction};
use polytile_analysis::ast::{Program, Threads};
use polytile_analysis::ids::{ArrayId, BaseId};
use polytile_analysis::region::Address;
use polytile_analysis::scev::Scev;
use polytile_analysis::scop::{Access, Array, ArrayKind, Place, Scop};

/// The most bytes of memory that the program allocates in each iteration, and of a temporary array.
const MAX_OWN: i64 = 1 << 46;

/// Alignment of memory of our own.
pub(crate) const ALIGN: i64 = LINE as i64;

/// Bytes of a cache line: no processor has shorter ones.
pub(crate) const LINE: u64 = 64;

/// The load or store behind an access, its type and alignment.
#[derive(Clone, Copy)]
pub(crate) struct Origin {
    inst: LLVMValueRef,
    pub(crate) ty: LLVMTypeRef,
    pub(crate) align: u32,
}

/// What a load or store tells about the element that it moves; nothing if it is something else (a memory set).
pub(crate) fn origin(inst: LLVMValueRef) -> Option<Origin> {
    unsafe {
        if inst.is_null() || LLVMIsAInstruction(inst).is_null() {
            return None;
        }
        let ty = match LLVMGetInstructionOpcode(inst) {
            LLVMOpcode::LLVMLoad => LLVMTypeOf(inst),
            LLVMOpcode::LLVMStore => LLVMTypeOf(LLVMGetOperand(inst, 0)),
            _ => return None,
        };
        Some(Origin {
            inst,
            ty,
            align: LLVMGetAlignment(inst),
        })
    }
}

impl<'e, 'c> Emitter<'e, 'c> {
    pub(crate) fn origin_of(&self, access: &Access) -> Option<Origin> {
        access
            .inst
            .and_then(|v| origin(self.host.values[v.index()]))
    }

    /// The LLVM type that an access moves.
    pub(crate) fn access_type(&self, access: &Access) -> BasicTypeEnum<'c> {
        match self.origin_of(access) {
            Some(o) => unsafe { BasicTypeEnum::new(o.ty) },
            None => self.plain_type(access.ty).expect("checked before emission"),
        }
    }

    /// The value read by an access.
    pub(crate) fn read(&mut self, access: &Access, at: &Iterators<'c>) -> Value<'c> {
        if self.program.handed.contains(&access.array) {
            return self.handed[&access.array];
        }
        let place = self.accessed(access, at);
        let value = self.ir.load(self.access_type(access), place);
        self.finish_access(instruction(value), access);
        value
    }

    /// Writes a value.
    pub(crate) fn write(&mut self, access: &Access, at: &Iterators<'c>, value: Value<'c>) {
        if self.program.handed.contains(&access.array) {
            self.handed.insert(access.array, value);
            return;
        }
        let place = self.accessed(access, at);
        let store = self.ir.store(place, value);
        self.finish_access(store, access);
        if self.is_intact(access) {
            self.of_all_threads(store.as_value_ref());
        }
    }

    /// Alignment and alias facts of a load or store made for `access`.
    pub(crate) fn finish_access(&mut self, inst: InstructionValue<'c>, access: &Access) {
        let origin = self.origin_of(access);
        if let Some(o) = origin {
            self.copy_facts(inst, o);
        } else if matches!(access.place, Place::Memory(_)) {
            // Nothing is known about the element's alignment.
            unsafe { LLVMSetAlignment(inst.as_value_ref(), 1) };
        }
        let memory = match access.place {
            Place::Scalar => None,
            Place::Memory(_) | Place::Temporary(_) => Some(Memory::Array(access.array)),
        };
        self.mark_access(inst, memory);
    }

    /// The same for a vector load or store, or a masked one, whose alignment is set already.
    pub(crate) fn finish_vector_access(&mut self, inst: LLVMValueRef, access: &Access) {
        let inst = unsafe { InstructionValue::new(inst) };
        if let Some(o) = self.origin_of(access) {
            self.copy_alias_type(inst, o);
        }
        self.mark_access(inst, Some(Memory::Array(access.array)));
    }

    fn copy_alias_type(&self, inst: InstructionValue<'c>, origin: Origin) {
        unsafe {
            let tbaa = LLVMGetMetadata(origin.inst, self.kinds.tbaa);
            if !tbaa.is_null() {
                LLVMSetMetadata(inst.as_value_ref(), self.kinds.tbaa, tbaa);
            }
        }
    }

    fn copy_facts(&self, inst: InstructionValue<'c>, origin: Origin) {
        unsafe { LLVMSetAlignment(inst.as_value_ref(), origin.align) };
        self.copy_alias_type(inst, origin);
    }

    /// The address of an access that is about to run: it does not wrap if the program's own does not.
    ///
    /// Where lanes or requests may reach beyond the last element it is [`Self::place`] that they begin at.
    fn accessed(&mut self, access: &Access, at: &Iterators<'c>) -> Ptr<'c> {
        let Some(address) = self.in_bounds(access) else {
            return self.place(access, at);
        };
        let (base, offset) = self.base_and_offset(address, at);
        self.ir.offset_without_wrap(base, offset)
    }

    /// The base of an address, and the bytes from there.
    fn base_and_offset(&mut self, address: &Address, at: &Iterators<'c>) -> (Ptr<'c>, Int<'c>) {
        if let Some(in_row) = self.row_and_offset(address, at) {
            return in_row;
        }
        let base = self.get_ptr(Key::Base(address.base));
        (base, self.evolve(&address.offset, at))
    }

    /// The address of an access if it lies in the object that its base points into. Rows that a table points to are
    /// objects of their own: what leads to them is the table's entry, or nothing does where they are taken for one block.
    fn in_bounds<'s>(&self, access: &'s Access) -> Option<&'s Address> {
        let (Place::Memory(address), Some(inst)) = (&access.place, access.inst) else {
            return None;
        };
        let mut rows = self.program.check.rows.iter();
        let inst = self.host.values[inst.index()];
        let yes = match rows.any(|r| r.base == address.base) {
            true => self.by_table && in_bounds_of_loaded(inst),
            false => in_bounds(inst, self.host.bases[address.base.index()]),
        };
        yes.then_some(address)
    }

    /// The address that an access touches.
    pub(crate) fn place(&mut self, access: &Access, at: &Iterators<'c>) -> Ptr<'c> {
        match &access.place {
            Place::Scalar => self.get_ptr(Key::Cell(access.array)),
            Place::Memory(address) => {
                let (base, offset) = self.base_and_offset(address, at);
                self.ir.offset(base, offset)
            }
            Place::Temporary(subscripts) => {
                let base = self.get_ptr(Key::Temporary(access.array));
                let scop = self.scop;
                let strides = &scop.array(access.array).strides;
                let mut offset = self.ir.int(0);
                for (subscript, stride) in subscripts.iter().zip(strides) {
                    let term = self.product64(subscript, stride, at);
                    offset = self.ir.add(offset, term, Arith::Bounded);
                }
                self.ir.offset(base, offset)
            }
        }
    }

    /// `a * b` on 64 bits, both read as signed.
    fn product64(&mut self, a: &Scev, b: &Scev, at: &Iterators<'c>) -> Int<'c> {
        let (a, b) = (self.evolve(a, at), self.evolve(b, at));
        let (a, b) = (self.ir.sext(a, 64), self.ir.sext(b, 64));
        self.ir.mul(a, b, Arith::Bounded)
    }

    /// Stack slots for all scalars.
    pub(crate) fn allocate_cells(&mut self) {
        let function = self.frame().function;
        let scop = self.scop;
        for (id, array) in arrays(&scop.arrays) {
            if let ArrayKind::Scalar { .. } | ArrayKind::Intact = array.kind {
                let ty = self.plain_type(array.ty).expect("checked before emission");
                let cell = self.ir.alloca(function, ty, &array.name);
                if array.kind == ArrayKind::Intact {
                    self.ir.store(cell, self.ir.int(1));
                }
                self.set(Key::Cell(id), cell);
            }
        }
    }

    /// A cell of the current function that holds zero: read in place of operands that do not exist.
    pub(crate) fn dummy(&mut self) -> Ptr<'c> {
        if let Some(known) = self.frame().values.get(&Key::Dummy) {
            return known.into_pointer_value();
        }
        let function = self.frame().function;
        let cell = self.ir.alloca(function, self.ir.i64(), "polytile.dummy");
        let saved = self.ir.here();
        let next = instruction(cell)
            .get_next_instruction()
            .expect("blocks are closed");
        self.ir.before(next);
        self.ir.store(cell, self.ir.int(0));
        self.ir.at_end(saved);
        self.set(Key::Dummy, cell);
        cell
    }

    /// Memory for all temporary arrays and buffers; the raw block to free, which may be null, if there are any.
    ///
    /// It is one block: an allocator that gives large blocks back to the system would have several of them come and go page
    /// by page in every call.
    pub(crate) fn allocate(&mut self) -> Option<Ptr<'c>> {
        let mut needs = self.temporary_needs();
        needs.extend(self.buffer_needs());
        needs.extend(self.own_needs());
        if needs.is_empty() {
            return None;
        }
        self.no_longer_local();
        let mut places = vec![];
        let mut total = self.ir.int(0);
        for (key, bytes) in needs {
            places.push((key, total));
            let stride = self.copy_stride(bytes);
            total = self.ir.add(total, stride, Arith::Wrapping);
        }
        let block = self.malloc(total);
        let first = self.align_up(block);
        for (key, at) in places {
            let place = self.ir.offset(first, at);
            self.set(key, place);
        }
        Some(block)
    }

    /// What memory the program allocates in each iteration, and the new version once.
    fn own_needs(&mut self) -> Vec<(Key, Int<'c>)> {
        let own = self.host.own;
        let need = |(base, bytes): &(BaseId, Scev)| {
            let bytes = self.evolve(bytes, &[]);
            (
                Key::Base(*base),
                self.ir.minmax("llvm.umax", bytes, self.ir.int(1)),
            )
        };
        own.iter().map(need).collect()
    }

    /// Whether such memory is not absurdly large.
    pub(crate) fn own_memory_fits(&mut self) -> Int<'c> {
        let mut all = self.ir.bool(true);
        for (_, bytes) in self.host.own {
            let bytes = self.evolve(bytes, &[]);
            let fits = self.ir.cmp(IntPredicate::ULE, bytes, self.ir.int(MAX_OWN));
            all = self.both(all, fits);
        }
        all
    }

    /// Whether temporary arrays of several sizes are not absurdly large: one that has a place for each of several cases may be, where none of them
    /// needs it.
    pub(crate) fn temporaries_fit(&mut self) -> Int<'c> {
        let scop = self.scop;
        let mut all = self.ir.bool(true);
        for (id, array) in arrays(&scop.arrays) {
            let sizes = array.extents.iter().filter(|e| e.as_constant().is_none());
            let temporary = array.kind == ArrayKind::Temporary;
            if !temporary || sizes.count() < 2 || self.program.handed.contains(&id) {
                continue;
            }
            let mut bytes = self.ir.int(array.ty.bytes() as i64);
            for extent in &array.extents {
                let extent = self.evolve(extent, &[]);
                let extent = self.ir.sext(extent, 64);
                let (product, over) =
                    (self.ir).with_overflow("llvm.smul.with.overflow", bytes, extent);
                let exact = self.ir.cmp(IntPredicate::EQ, over, self.ir.bool(false));
                all = self.both(all, exact);
                bytes = product;
            }
            let fits = self.ir.cmp(IntPredicate::SLE, bytes, self.ir.int(MAX_OWN));
            all = self.both(all, fits);
        }
        all
    }

    /// What memory the temporary arrays need, with a copy per thread for private ones.
    fn temporary_needs(&mut self) -> Vec<(Key, Int<'c>)> {
        let scop = self.scop;
        let private = self.program.body.private_arrays();
        let copies = (!private.is_empty()).then(|| self.fix_threads());
        let mut needs = vec![];
        for (id, array) in arrays(&scop.arrays) {
            if array.kind == ArrayKind::Temporary && !self.program.handed.contains(&id) {
                let mut bytes = self.temporary_bytes(array);
                if let Some(copies) = copies.filter(|_| private.contains(&id)) {
                    let stride = self.copy_stride(bytes);
                    self.set(Key::TemporaryStride(id), stride);
                    bytes = self.ir.mul(stride, copies, Arith::Wrapping);
                }
                needs.push((Key::Temporary(id), bytes));
            }
        }
        needs
    }

    /// Makes the current thread's copies of these arrays the ones that the frame works on.
    pub(crate) fn take_private(&mut self, arrays: &[ArrayId]) {
        for array in self.with_memory(arrays) {
            let first = self.get_ptr(Key::Temporary(array));
            let stride = self.get(Key::TemporaryStride(array)).into_int_value();
            let thread = self.get(Key::Thread).into_int_value();
            let ahead = self.ir.mul(thread, stride, Arith::Bounded);
            let own = self.ir.offset(first, ahead);
            self.set(Key::Temporary(array), own);
        }
    }

    /// Those of these arrays whose elements are not handed on in registers.
    fn with_memory(&self, arrays: &[ArrayId]) -> Vec<ArrayId> {
        let handed = &self.program.handed;
        let all = arrays.iter().copied();
        all.filter(|a| !handed.contains(a)).collect()
    }

    /// Runs code with copies of arrays that belong to this thread.
    pub(crate) fn with_own_copies(&mut self, private: &[ArrayId], code: impl FnOnce(&mut Self)) {
        let shared: Vec<_> = (self.with_memory(private).into_iter())
            .map(|array| (array, self.get_ptr(Key::Temporary(array))))
            .collect();
        self.take_private(private);
        code(self);
        for (array, first) in shared {
            self.set(Key::Temporary(array), first);
        }
    }

    /// First extent times first stride: the size of a dense row-major array; at least one element.
    fn temporary_bytes(&mut self, array: &Array) -> Int<'c> {
        let rows = match array.extents.first() {
            Some(extent) => {
                let rows = self.evolve(extent, &[]);
                self.ir.sext(rows, 64)
            }
            None => self.ir.int(1),
        };
        let row = match array.strides.first() {
            Some(stride) => {
                let row = self.evolve(stride, &[]);
                self.ir.sext(row, 64)
            }
            None => self.ir.int(array.ty.bytes() as i64),
        };
        let bytes = self.ir.mul(rows, row, Arith::Wrapping);
        let least = self.ir.int(array.ty.bytes() as i64);
        self.ir.minmax("llvm.smax", bytes, least)
    }

    /// The host's function now calls a runtime: what was inferred from its old code no longer holds.
    pub(crate) fn no_longer_local(&mut self) {
        let function = self.frames[0].function;
        for name in ["memory", "nosync", "nofree", "norecurse"] {
            let kind = Attribute::get_named_enum_kind_id(name);
            function.remove_enum_attribute(AttributeLoc::Function, kind);
        }
    }

    /// A block in which `bytes` can be aligned, or null.
    pub(crate) fn malloc(&mut self, bytes: Int<'c>) -> Ptr<'c> {
        let ty = self
            .ir
            .ctx
            .ptr_type(Default::default())
            .fn_type(&[self.ir.i64().into()], false);
        let malloc = self
            .ir
            .declare("malloc", ty, inkwell::module::Linkage::External);
        let padded = self.ir.add(bytes, self.ir.int(ALIGN), Arith::Wrapping);
        self.ir
            .call(malloc, &[padded.into()])
            .expect("malloc has a result")
            .into_pointer_value()
    }

    /// The first place in a block for aligned memory.
    pub(crate) fn align_up(&self, p: Ptr<'c>) -> Ptr<'c> {
        let address = self.ir.ptr_to_int(p);
        let negated = self.ir.sub(self.ir.int(0), address, Arith::Wrapping);
        let up = self.ir.and(negated, self.ir.int(ALIGN - 1));
        self.ir.offset(p, up)
    }

    /// Frees a block; null is none.
    pub(crate) fn free(&mut self, block: Option<Ptr<'c>>) {
        let Some(block) = block else {
            return;
        };
        let ty = self
            .ir
            .ctx
            .void_type()
            .fn_type(&[self.ir.ptr_type().into()], false);
        let free = self
            .ir
            .declare("free", ty, inkwell::module::Linkage::External);
        self.ir.call(free, &[block.into()]);
    }
}

/// Whether the new version calls functions that the region does not call: for memory of its own, or for its threads.
pub fn calls(program: &Program, scop: &Scop) -> bool {
    let temporary = |(id, array): (ArrayId, &Array)| {
        array.kind == ArrayKind::Temporary && !program.handed.contains(&id)
    };
    !program.buffers.is_empty()
        || program.check.threads == Threads::Several
        || program.check.inspected.is_some()
        || program.check.rows.iter().any(|r| r.through.is_some())
        || program.body.has_parallel_loop()
        || arrays(&scop.arrays).any(temporary)
}

/// Arrays with their ids.
pub(crate) fn arrays(list: &[Array]) -> impl Iterator<Item = (ArrayId, &Array)> {
    list.iter().enumerate().map(|(i, a)| (ArrayId::from(i), a))
}
