//! What the front door hands to code generation: the LLVM side of a region.
//!
//! Analysis sees a region as dense ids; only the front door knows which LLVM value an id stands for. A [`Host`] brings
//! both together again. All references must stay valid during [`crate::emit`], and nothing else may touch the function.
//!
//! ```text
//!   preheader:  br entry             preheader:  br %enough, call, entry
//!                                    call: %ran = call @f.polytile.12(..)
//!                                          br %ran, exit, entry
//!   entry: ...             ==>       entry: ... (untouched)
//!          br exit                          br exit
//!   exit: ...                        exit: phis of the values that live on
//! ```

use llvm_sys::prelude::{
    LLVMBasicBlockRef, LLVMContextRef, LLVMMetadataRef, LLVMModuleRef, LLVMValueRef,
};
use polytile_analysis::ids::BaseId;
use polytile_analysis::scev::Scev;

/// A region in LLVM's terms.
#[derive(Clone, Copy, Debug)]
pub struct Host<'a> {
    /// The module; new functions and globals are added to it.
    pub module: LLVMModuleRef,
    /// The function that holds the region.
    pub function: LLVMValueRef,
    /// A block that ends with an unconditional branch to [`Host::entry`]. The check is put in front of that branch.
    pub preheader: LLVMBasicBlockRef,
    /// The region's first block; [`Host::preheader`] is its only predecessor outside of the region.
    pub entry: LLVMBasicBlockRef,
    /// The block after the region. All its predecessors belong to the region.
    pub exit: LLVMBasicBlockRef,
    /// LLVM value by `ValueId`.
    pub values: &'a [LLVMValueRef],
    /// Base pointer by `BaseId`.
    pub bases: &'a [LLVMValueRef],
    /// Those that only stand for memory that the new version has for itself, and its bytes, in 64 bits, known in front of the region.
    pub own: &'a [(BaseId, Scev)],
    /// What runtime.h calls an inspector: whether a read that has no subscript meets what is written. There is one if the SCoP is inspected.
    pub inspector: Option<LLVMValueRef>,
    /// Makes a distinct metadata node without operands, which LLVM's C interface cannot.
    pub distinct_node: unsafe extern "C" fn(LLVMContextRef) -> LLVMMetadataRef,
    /// Moves a function of the module in front of another one, which LLVM's C interface cannot.
    pub move_function: unsafe extern "C" fn(moved: LLVMValueRef, before: LLVMValueRef),
    /// Whether a pointer may go to where others find it, which LLVM's C interface does not tell.
    pub is_captured: unsafe extern "C" fn(pointer: LLVMValueRef) -> bool,
    /// Gives `child` a debug subprogram of its own (distinct, artificial, local, a definition in the same file and unit
    /// as that of `parent`, `line` as its line) and returns it; null if `parent` has none.
    pub add_subprogram: unsafe extern "C" fn(
        parent: LLVMValueRef,
        child: LLVMValueRef,
        line: u32,
    ) -> LLVMMetadataRef,
}

/// Where tile sizes come from in emitted code.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SizeSource {
    /// The defaults, as constants.
    #[default]
    Constant,
    /// Read at program start from the environment variable `POLYTILE_TILE_SIZES` (numbers separated by commas, in the
    /// order of the program's size parameters); defaults where it says nothing.
    Environment,
}

/// What a program can tell about a region, if its user asks for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Reports {
    /// Nothing, and nothing can be switched off.
    #[default]
    Off,
    /// How often the new version was entered, and what came of it.
    New,
    /// The same for all entries, also those with too little work.
    All,
}

/// Choices beside the program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EmitOptions {
    /// Where tile sizes come from.
    pub sizes: SizeSource,
    /// Teams may have more threads than there are processors.
    pub oversubscribe: bool,
    /// Memory may be asked for to find out whether rows behind pointers are apart.
    pub memory: bool,
    /// New functions store lanes that go to places apart one by one, though the processor has an instruction for all of them.
    pub avoids_scatters: bool,
    /// Runs are measured, and the faster version stays; whether the new one is preferred until then.
    pub measured: Option<bool>,
    /// What the program can tell.
    pub reports: Reports,
    /// What the region is called there beside its place, if it has a name.
    pub label: Option<String>,
    /// Both versions run, and the program ends where they differ.
    pub run_both: bool,
}
