//! Tile sizes at run time.
//!
//! A tile size is a constant, or with [`SizeSource::Environment`] an entry of a table that a constructor fills from the
//! environment variable `POLYTILE_TILE_SIZES` before `main` runs. The table belongs to the module and is shared by all
//! its regions; entry `k` serves the k-th size parameter of each. 0 means: the default.
//!
//! Where the tiles of a parallel loop are few, threads would get unequal numbers of them (3 tiles for 2 threads: one works
//! twice as long). The tiles of such a loop are as many as a multiple of the threads:
//!
//! ```text
//!   rounds = ceil(extent / (threads * most))      most: the size that caches allow
//!   size   = ceil(extent / (rounds * threads)), up to a multiple of the register tile, at least a quarter of most
//! ```
//!
//! unless the thread that gets most of the iterations gets fewer with tiles of `most`.
//!
//! Where rows of tiles follow each other ([`ForKind::Stage`]), as many threads work as a row has tiles: it gets two per
//! thread, `size = ceil(extent / (2 * threads))` within the same limits.
//!
//! A size from outside is forced to what the loops can use: a multiple of the register tile, at least one multiple, and
//! small enough that no origin plus a size overflows.

use crate::emit::Emitter;
use crate::frame::Key;
use crate::host::SizeSource;
use crate::ir::{Arith, Func, Int, Ptr};
use inkwell::IntPredicate;
use inkwell::module::Linkage;
use inkwell::types::{AsTypeRef, BasicType};
use inkwell::values::{AsValueRef, GlobalValue};
use llvm_sys::core::{
    LLVMAddGlobal, LLVMConstArray2, LLVMDeleteGlobal, LLVMGetAggregateElement, LLVMGetArrayLength2,
    LLVMGetInitializer, LLVMGlobalGetValueType, LLVMSetInitializer, LLVMSetLinkage,
    LLVMSetValueName2,
};
use polytile_analysis::ast::{Ast, Expr, For, ForKind};
use polytile_analysis::tree::SizeParam;

/// Entries of the table; sizes past it keep their defaults.
const TABLE: u32 = 16;
const TABLE_NAME: &str = "polytile.tile_sizes";
const CONSTRUCTOR_NAME: &str = "polytile.read_tile_sizes";
const VARIABLE: &str = "POLYTILE_TILE_SIZES";
/// The largest size taken from outside.
const MAX_SIZE: i64 = 1 << 30;
/// The priority of ordinary constructors.
const PRIORITY: u64 = 65535;

/// More threads are not counted.
const MAX_THREADS: i64 = 1 << 12;
/// A tile does not become smaller than this part of its default: what its iterations share is loaded once per tile.
const LEAST_SHARE: i64 = 4;
/// Tiles of a row for each thread, where rows follow each other: a thread that is late by a tile holds up nobody.
const TILES_OF_A_ROW: i64 = 2;

impl<'e, 'c> Emitter<'e, 'c> {
    /// Makes all tile sizes known.
    pub(crate) fn sizes(&mut self) {
        let program = self.program;
        for (i, param) in program.sizes.iter().enumerate() {
            let value = match self.options.sizes {
                SizeSource::Environment if i < TABLE as usize => self.size_from_table(i, param),
                SizeSource::Environment | SizeSource::Constant => self.dealt_size(i, param),
            };
            self.set(Key::Size(i), value);
        }
    }

    /// The default, or less where threads are finished earlier with that.
    fn dealt_size(&mut self, i: usize, param: &SizeParam) -> Int<'c> {
        let most = self.ir.int(param.default);
        let program = self.program;
        let Some(l) = dealt_loop(&program.body, i).filter(|_| param.dealt) else {
            return most;
        };
        let (lower, upper) = (self.expr(&l.lower), self.expr(&l.upper));
        let threads = self.fix_threads();
        let e = &self.ir;
        let between = |x, low, high| {
            e.minmax(
                "llvm.smax",
                e.minmax("llvm.smin", x, e.int(high)),
                e.int(low),
            )
        };
        // ceil(a / b) for positive numbers
        let ceil = |a, b| {
            let above = e.add(a, e.sub(b, e.int(1), Arith::Bounded), Arith::Bounded);
            e.udiv(above, b)
        };
        let threads = between(threads, 1, MAX_THREADS);
        let extent = between(e.sub(upper, lower, Arith::Wrapping), 0, MAX_SIZE);
        let extent = e.add(extent, e.int(1), Arith::Bounded);
        let multiple = param.multiple_of.max(1);
        let unit = e.int(multiple);
        let least = (param.default / LEAST_SHARE / multiple).max(1) * multiple;
        if l.kind == ForKind::Stage {
            let tiles = e.mul(threads, e.int(TILES_OF_A_ROW), Arith::Bounded);
            let size = e.mul(ceil(ceil(extent, tiles), unit), unit, Arith::Bounded);
            return between(size, least, param.default);
        }
        let rounds = ceil(extent, e.mul(threads, most, Arith::Bounded));
        let tiles = e.mul(rounds, threads, Arith::Bounded);
        let equal = e.mul(ceil(ceil(extent, tiles), unit), unit, Arith::Bounded);
        let equal = between(equal, least, param.default);
        let gains = e.cmp(
            IntPredicate::ULT,
            self.longest_share(extent, threads, equal),
            self.longest_share(extent, threads, most),
        );
        e.select(gains, equal, most).into_int_value()
    }

    /// Iterations of the thread that gets most, with tiles of a size dealt one by one; the last tile may be shorter.
    fn longest_share(&self, extent: Int<'c>, threads: Int<'c>, size: Int<'c>) -> Int<'c> {
        let e = &self.ir;
        let full = e.udiv(e.sub(extent, e.int(1), Arith::Bounded), size);
        let last = e.sub(extent, e.mul(full, size, Arith::Bounded), Arith::Bounded);
        let before = e.mul(e.udiv(full, threads), size, Arith::Bounded);
        let even = e.cmp(IntPredicate::EQ, e.urem(full, threads), e.int(0));
        let with_last = e.select(even, last, size).into_int_value();
        e.add(before, with_last, Arith::Bounded)
    }

    fn size_from_table(&mut self, i: usize, param: &SizeParam) -> Int<'c> {
        let table = self.size_table();
        let entry = self.ir.offset(table, self.ir.int(8 * i as i64));
        let given = self.ir.load(self.ir.i64().into(), entry).into_int_value();
        let is_given = self.ir.cmp(IntPredicate::SGT, given, self.ir.int(0));
        let bounded = self.ir.minmax("llvm.smin", given, self.ir.int(MAX_SIZE));
        let multiple = self.ir.int(param.multiple_of.max(1));
        let rest = self.ir.srem(bounded, multiple);
        let rounded = self.ir.sub(bounded, rest, Arith::Wrapping);
        let usable = self.ir.minmax("llvm.smax", rounded, multiple);
        self.ir
            .select(is_given, usable, self.ir.int(param.default))
            .into_int_value()
    }

    /// The module's table, with its constructor.
    fn size_table(&mut self) -> Ptr<'c> {
        if let Some(g) = self.ir.module().get_global(TABLE_NAME) {
            return g.as_pointer_value();
        }
        let ty = self.ir.i64().array_type(TABLE);
        let table = self.ir.module().add_global(ty, None, TABLE_NAME);
        table.set_initializer(&ty.const_zero());
        table.set_linkage(Linkage::Internal);
        let saved = self.ir.here();
        let constructor = self.constructor(table.as_pointer_value());
        self.ir.at_end(saved);
        self.locate_region();
        self.register(constructor);
        table.as_pointer_value()
    }

    /// `for (p = getenv(..), i = 0; p && i < TABLE && *p; i++) { table[i] = strtol(p, &p, 10); if (*p) p++; }`
    fn constructor(&mut self, table: Ptr<'c>) -> Func<'c> {
        let (ptr, i32) = (self.ir.ptr_type(), self.ir.ctx.i32_type());
        let f = self.ir.module().add_function(
            CONSTRUCTOR_NAME,
            self.ir.ctx.void_type().fn_type(&[], false),
            Some(Linkage::Internal),
        );
        let getenv = self.ir.declare(
            "getenv",
            ptr.fn_type(&[ptr.into()], false),
            Linkage::External,
        );
        let strtol_type = self
            .ir
            .i64()
            .fn_type(&[ptr.into(), ptr.into(), i32.into()], false);
        let strtol = self.ir.declare("strtol", strtol_type, Linkage::External);
        let name = self.ir.ctx.const_string(VARIABLE.as_bytes(), true);
        let text = self
            .ir
            .module()
            .add_global(name.get_type(), None, "polytile.variable");
        text.set_initializer(&name);
        text.set_constant(true);
        text.set_linkage(Linkage::Private);

        let [entry, head, test, number, done] =
            ["entry", "head", "test", "number", "done"].map(|name| self.ir.block(f, name));
        self.ir.at_end(entry);
        self.no_position();
        let cursor = self
            .ir
            .alloca(f, self.ir.ctx.ptr_type(Default::default()), "cursor");
        let start = self
            .ir
            .call(getenv, &[text.as_pointer_value().into()])
            .expect("getenv has a result");
        self.ir.store(cursor, start);
        let set = self.ir.ptr_to_int(start.into_pointer_value());
        let set = self.ir.cmp(IntPredicate::NE, set, self.ir.int(0));
        self.ir.branch(set, head, done);

        self.ir.at_end(head);
        let index = self.ir.phi(self.ir.i64(), "index");
        let i = index.as_basic_value().into_int_value();
        let room = self.ir.cmp(IntPredicate::SLT, i, self.ir.int(TABLE.into()));
        self.ir.branch(room, test, done);

        self.ir.at_end(test);
        let more = self.character(cursor);
        self.ir.branch(more.1, number, done);

        self.ir.at_end(number);
        let args = [
            more.0.into(),
            cursor.into(),
            i32.const_int(10, false).into(),
        ];
        let value = self.ir.call(strtol, &args).expect("strtol has a result");
        let bytes = self.ir.mul(i, self.ir.int(8), Arith::Bounded);
        self.ir.store(self.ir.offset(table, bytes), value);
        let (after, separated) = self.character(cursor);
        let skip = self.ir.zext(separated, 64);
        self.ir.store(cursor, self.ir.offset(after, skip));
        let next = self.ir.add(i, self.ir.int(1), Arith::Bounded);
        self.ir.jump(head);
        index.add_incoming(&[(&self.ir.int(0), entry), (&next, number)]);

        self.ir.at_end(done);
        self.ir.ret();
        f
    }

    /// The cursor, and whether a character stands there.
    fn character(&self, cursor: Ptr<'c>) -> (Ptr<'c>, Int<'c>) {
        let at = self
            .ir
            .load(self.ir.ptr_type(), cursor)
            .into_pointer_value();
        let c = self
            .ir
            .load(self.ir.ctx.i8_type().into(), at)
            .into_int_value();
        (
            at,
            self.ir
                .cmp(IntPredicate::NE, c, self.ir.ctx.i8_type().const_zero()),
        )
    }

    /// Appends to `llvm.global_ctors`: the array is replaced by a longer one.
    fn register(&mut self, constructor: Func<'c>) {
        let ctx = &self.ir.ctx;
        let priority = ctx.i32_type().const_int(PRIORITY, false);
        let entry = ctx.const_struct(
            &[
                priority.into(),
                constructor.as_global_value().as_pointer_value().into(),
                self.ir.null().into(),
            ],
            false,
        );
        let old = self.ir.module().get_global("llvm.global_ctors");
        let mut entries = old.map(elements).unwrap_or_default();
        entries.push(entry.as_value_ref());
        unsafe {
            let element = entry.get_type().as_type_ref();
            let list = LLVMConstArray2(element, entries.as_mut_ptr(), entries.len() as u64);
            let ty = llvm_sys::core::LLVMTypeOf(list);
            let name = c"llvm.global_ctors";
            let new = LLVMAddGlobal(self.host.module, ty, c"polytile.ctors".as_ptr());
            LLVMSetInitializer(new, list);
            LLVMSetLinkage(new, llvm_sys::LLVMLinkage::LLVMAppendingLinkage);
            if let Some(old) = old {
                LLVMDeleteGlobal(old.as_value_ref());
            }
            LLVMSetValueName2(new, name.as_ptr(), name.count_bytes());
        }
    }
}

/// The elements of a constant array global.
fn elements(global: GlobalValue<'_>) -> Vec<llvm_sys::prelude::LLVMValueRef> {
    unsafe {
        let n = LLVMGetArrayLength2(LLVMGlobalGetValueType(global.as_value_ref()));
        let list = LLVMGetInitializer(global.as_value_ref());
        (0..n as u32)
            .map(|i| LLVMGetAggregateElement(list, i))
            .collect()
    }
}

/// The loop that goes through tiles of this size for threads, if its bounds are known before it.
fn dealt_loop(ast: &Ast, size: usize) -> Option<&For> {
    ast.find_loop(&|l| {
        matches!(l.kind, ForKind::Parallel { .. } | ForKind::Stage)
            && l.step == Expr::Size(size)
            && of_parameters(&l.lower)
            && of_parameters(&l.upper)
    })
}

fn of_parameters(e: &Expr) -> bool {
    match e {
        Expr::Int(_) | Expr::Param(_) => true,
        Expr::Iter(_) | Expr::Size(_) => false,
        Expr::Neg(a) => of_parameters(a),
        Expr::Bin(_, a, b) => of_parameters(a) && of_parameters(b),
        Expr::Select(c, a, b) => [c, a, b].into_iter().all(|e| of_parameters(e)),
    }
}
