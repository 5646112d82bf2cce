//! Held cells of one object as one range of bytes: [`ranges`].
//!
//! ```text
//! real, allocatable :: p(:, :, :)      a description of ten words: base, and bounds and strides of three dimensions
//! ```
//!
//! The version check compares each range with all that is written, so ten words that lie side by side count once. What lies between
//! them belongs to the same object and is compared too, which makes the check stricter, never weaker.

use super::held::Cell;
use crate::analyses::Analyses;
use crate::ffi::Kind;
use crate::llvm::Value;
use llvm_sys::LLVMTypeKind::LLVMIntegerTypeKind;
use llvm_sys::core::{LLVMGetIntTypeWidth, LLVMGetTypeKind};

/// Bytes between two cells of a range, at most: as many as two dimensions of a description have.
const MAX_GAP: i128 = 48;

/// Cells that are compared together.
pub struct Range<'c> {
    /// Where it begins: the address of its first cell.
    pub pointer: Value,
    /// How many bytes it has.
    pub bytes: u32,
    /// What it holds.
    pub cells: Vec<&'c Cell>,
}

/// A cell of an object, which has a number.
struct Placed<'c> {
    object: usize,
    offset: i128,
    cell: &'c Cell,
}

/// The ranges that cells make up, by their objects and places in them.
pub fn ranges<'c>(an: &Analyses, cells: &'c [Cell]) -> Vec<Range<'c>> {
    let mut objects: Vec<Value> = vec![];
    let mut number = |object: Value| {
        let known = objects.iter().position(|o| *o == object);
        known.unwrap_or_else(|| {
            objects.push(object);
            objects.len() - 1
        })
    };
    let place = |cell: &'c Cell| {
        let (object, offset) = place(an, cell.pointer);
        let object = number(object);
        Placed {
            object,
            offset,
            cell,
        }
    };
    let mut placed: Vec<Placed> = cells.iter().map(place).collect();
    placed.sort_by_key(|p| (p.object, p.offset));
    let mut all: Vec<(Placed, Range)> = vec![];
    for p in placed {
        let end = p.offset + i128::from(bytes(p.cell));
        if let Some((first, range)) = all.last_mut() {
            let so_far = first.offset + i128::from(range.bytes);
            let whole = u32::try_from(end.max(so_far) - first.offset);
            if let Ok(whole) = whole
                && first.object == p.object
                && p.offset <= so_far + MAX_GAP
            {
                range.bytes = whole;
                range.cells.push(p.cell);
                continue;
            }
        }
        let range = Range {
            pointer: p.cell.pointer,
            bytes: bytes(p.cell),
            cells: vec![p.cell],
        };
        all.push((p, range));
    }
    all.into_iter().map(|(_, range)| range).collect()
}

/// Where an address lies: at a constant distance from its object, or an object by itself.
pub(super) fn place(an: &Analyses, pointer: Value) -> (Value, i128) {
    let known = || {
        let (base, offset) = an.split_address(an.evolution(pointer, None)?);
        let fits = base.kind() == Kind::Unknown && offset.kind() == Kind::Constant;
        fits.then(|| Some((base.unknown(), offset.constant()?)))?
    };
    known().unwrap_or((pointer, 0))
}

/// The bytes of a cell, an integer or a pointer.
pub(super) fn bytes(cell: &Cell) -> u32 {
    let ty = cell.value.raw_type();
    unsafe {
        match LLVMGetTypeKind(ty) {
            LLVMIntegerTypeKind => LLVMGetIntTypeWidth(ty).div_ceil(8),
            _ => 8,
        }
    }
}
