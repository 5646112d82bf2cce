//! Code that becomes a function of its own, and the context block that hands it what it captures.

use super::{CAPTURES, FIRST, LAST, STEP};
use crate::emit::Emitter;
use crate::frame::{Context, Frame, SLOT};
use crate::ir::{Func, Ptr, ptr_param};
use crate::loops::Range;
use crate::metadata::Scopes;
use inkwell::attributes::AttributeLoc;
use inkwell::module::Linkage;
use inkwell::types::{BasicMetadataTypeEnum, FunctionType};
use inkwell::values::BasicValue;

/// Function attributes that describe the code of one function and not of what is outlined from it.
pub(crate) const NOT_INHERITED: [&str; 20] = [
    "memory",
    "noreturn",
    "willreturn",
    "norecurse",
    "nosync",
    "nofree",
    "speculatable",
    "convergent",
    "optnone",
    "noinline",
    "alwaysinline",
    "inlinehint",
    "hot",
    "cold",
    "naked",
    "returns_twice",
    "allocsize",
    "allockind",
    "presplitcoroutine",
    "jumptable",
];

/// The attribute that lists what a function's processor can do, and how its code is to use that.
const FEATURES: &str = "target-features";

/// What is added to it where LLVM is neither to scatter nor to gather.
const ONE_BY_ONE: &str = ",+prefer-no-scatter,+prefer-no-gather";

/// Argument types of functions that are made.
#[derive(Clone, Copy)]
pub(crate) enum Arg {
    Ptr,
    I64,
}

impl<'c> Emitter<'_, 'c> {
    /// A function of its own whose third argument is a context block, without alias scopes; its frame is finished.
    pub(crate) fn outlined(
        &mut self,
        role: &str,
        args: &[Arg],
        code: impl FnOnce(&mut Self, Func<'c>),
    ) -> Frame<'c> {
        let saved = self.ir.here();
        let function = self.add_function(role, args);
        let entry = self.ir.block(function, "entry");
        let body = self.ir.block(function, "body");
        self.ir.at_end(entry);
        self.no_position();
        self.ir.jump(body);
        let pointer = ptr_param(function, 2);
        let subprogram = self.subprogram(function);
        self.frames.push(Frame {
            function,
            values: Default::default(),
            inputs: None,
            context: Some(Context {
                pointer,
                entry,
                size: CAPTURES,
                slots: vec![],
            }),
            scopes: Scopes::default(),
            subprogram,
            team: None,
            row: None,
        });
        let groups = std::mem::take(&mut self.groups);
        self.ir.at_end(body);
        self.locate_region();
        code(self, function);
        self.ir.ret();
        self.groups = groups;
        let frame = self.frames.pop().expect("pushed above");
        self.ir.at_end(saved);
        self.locate_region();
        frame
    }

    /// Allocates and fills the context block of an outlined function.
    pub(crate) fn fill_context(&mut self, part: &Frame<'c>, range: Range<'c>) -> Ptr<'c> {
        let context = part
            .context
            .as_ref()
            .expect("outlined frames have a context");
        let words = self.ir.i64().array_type((context.size / SLOT) as u32);
        let outer = self.frame().function;
        let block = self.ir.alloca(outer, words, "polytile.context");
        for (offset, value) in [(FIRST, range.first), (LAST, range.last), (STEP, range.step)] {
            self.put(block, offset, value);
        }
        for (offset, key) in &context.slots {
            let value = self.get(*key);
            self.put(block, *offset, value);
        }
        block
    }

    fn put(&mut self, block: Ptr<'c>, offset: u64, value: impl BasicValue<'c>) {
        let place = self.ir.offset(block, self.ir.int(offset as i64));
        let store = self.ir.store(place, value);
        self.ir.align(store, SLOT as u32);
    }

    /// A new internal function with the code generation attributes of the host's function, and a context block as its third argument.
    pub(crate) fn add_function(&mut self, role: &str, args: &[Arg]) -> Func<'c> {
        let host = self.frames[0].function;
        let name = format!("{}.polytile.{role}", host.get_name().to_string_lossy());
        let types: Vec<BasicMetadataTypeEnum<'c>> = (args.iter())
            .map(|a| match a {
                Arg::Ptr => self.ir.ptr_type().into(),
                Arg::I64 => self.ir.i64().into(),
            })
            .collect();
        let ty = self.ir.ctx.void_type().fn_type(&types, false);
        let f = self.add_own(&name, ty);
        f.add_attribute(AttributeLoc::Function, self.ir.attribute("nounwind"));
        f.add_attribute(AttributeLoc::Param(2), self.ir.attribute("noalias"));
        f
    }

    /// An internal function of any type with the code generation attributes of the host's function.
    pub(crate) fn add_own(&mut self, name: &str, ty: FunctionType<'c>) -> Func<'c> {
        let host = self.frames[0].function;
        let f = self
            .ir
            .module()
            .add_function(name, ty, Some(Linkage::Internal));
        let banned = NOT_INHERITED.map(inkwell::attributes::Attribute::get_named_enum_kind_id);
        for a in host.attributes(AttributeLoc::Function) {
            if a.is_string() || (a.is_enum() && !banned.contains(&a.get_enum_kind_id())) {
                f.add_attribute(AttributeLoc::Function, a);
            }
        }
        if self.options.avoids_scatters {
            self.access_one_by_one(f);
        }
        f
    }

    /// Has LLVM store lanes that go to places apart one by one, and load them so.
    fn access_one_by_one(&self, f: Func<'c>) {
        let Some(features) = f.get_string_attribute(AttributeLoc::Function, FEATURES) else {
            return;
        };
        let features = features.get_string_value().to_string_lossy().into_owned() + ONE_BY_ONE;
        let attribute = self.ir.ctx.create_string_attribute(FEATURES, &features);
        f.add_attribute(AttributeLoc::Function, attribute);
    }
}
