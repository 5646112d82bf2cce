//! Instructions that differ in nothing but their operands and positions.
//!
//! Statements that came of one by unrolling may be rolled up only if a clone of one's instructions is right for the others:
//! with the same flags, alignment and metadata. LLVM's own comparison decides.

use crate::ffi;
use crate::llvm::Value;
use polytile_analysis::ids::ValueId;
use polytile_analysis::region::{Block, Inst, InstKind};

/// More kinds are not compared: a region of so many different instructions holds no unrolled loop.
const MAX_CLASSES: usize = 128;

/// The classes of two and more among the operations, loads and stores of these blocks.
pub fn classes(raw: &[Value], blocks: &[Block]) -> Vec<Vec<ValueId>> {
    let compared = |i: &&Inst| {
        use InstKind::{Load, Op, Store};
        matches!(i.kind, Load { .. } | Store { .. } | Op { .. })
    };
    let mut classes: Vec<Vec<ValueId>> = vec![];
    for inst in blocks.iter().flat_map(|b| &b.insts).filter(compared) {
        let same = |class: &Vec<ValueId>| {
            let (a, b) = (raw[class[0].index()], raw[inst.id.index()]);
            unsafe { ffi::pt_alike(a.0, b.0) }
        };
        match classes.iter().position(same) {
            Some(class) => classes[class].push(inst.id),
            None if classes.len() < MAX_CLASSES => classes.push(vec![inst.id]),
            None => {}
        }
    }
    classes.retain(|c| c.len() > 1);
    classes
}
