//! Ways out of a region that data decides about: `if (d <= 0) return -1;` in a factorization, or a check that fails.
//!
//! ```text
//! for k: for j: S(k, j)                      for k: for j: S(k, j)
//!        if (a[k][k] == 0) return -1;               intact = choose(a[k][k] == 0, 0, intact)
//! ```
//!
//! All iterations are taken for ones that run. Whether the program would have left is one more result, [`ArrayKind::Intact`]; what the others are
//! is thrown away then, and the original runs. So nothing that the program sees may be written before it is known, which is what later
//! rewrites see to, and nothing may trap that the program would not have come to: no gathers, no division of integers by data.
//!
//! [`ArrayKind::Intact`]: crate::scop::ArrayKind::Intact

use super::gates::Gates;
use super::values::{Draft, Read, Scalar, Site, Source, Stop, Target, Tree, Values};
use crate::body::NodeKind;
use crate::ids::{BlockId, NodeId, ValueId};
use crate::region::{Def, InstKind, OpCode, Region, Target as To, Terminator, Ty};

/// The loops of a nest that is worth copies of its arrays.
const MIN_DEPTH: usize = 3;

/// The type of the cell.
const TY: Ty = Ty::Int(64);

/// Whether a block that leaves the region by data may be passed as if it did not.
pub(super) fn is_one(region: &Region, gates: &Gates, b: BlockId) -> bool {
    let insts = region.blocks.iter().flat_map(|b| &b.insts);
    let calm = |kind: &InstKind| match kind {
        InstKind::Op { op, operands } => is_calm(region, op, operands),
        InstKind::Memset { .. } | InstKind::Memcpy { .. } => false,
        _ => true,
    };
    let mut all = insts.map(|i| &i.kind);
    // What each of the innermost iterations may leave for is not worth copies of all, nor are as many iterations as there are elements.
    let seldom =
        region.depth() >= MIN_DEPTH && (1..region.depth()).contains(&region.loop_nest(b).len());
    seldom
        && region.tries
        && !gates.is_controlled(b)
        && region.inspection.is_none()
        && all.all(calm)
}

/// Whether an operation neither traps nor reads for operands that the program never gives it.
fn is_calm(region: &Region, op: &OpCode, operands: &[ValueId]) -> bool {
    use OpCode::{Call, Gather, Other, Ragged, SDiv, SRem, UDiv, URem};
    match op {
        Gather | Ragged { .. } | Other(_) => false,
        SDiv | SRem | UDiv | URem => {
            matches!(region.value(operands[1]).def, Def::IntConst(c) if c > 0)
        }
        Call(name) => name.starts_with("llvm.") || op.is_root_with_errno(),
        _ => true,
    }
}

impl Values<'_, '_> {
    /// The statements that say whether the region is left.
    pub fn ways_out(&mut self) {
        let ways: Vec<BlockId> = self.model.ways_out.iter().copied().collect();
        if ways.is_empty() {
            return;
        }
        let s = self.scalars.len();
        self.scalars.push(Scalar {
            ty: TY,
            name: "intact".to_owned(),
            live_out: None,
            intact: true,
        });
        for block in ways {
            let place = self.next_place();
            self.drafts.push(Draft {
                at: self.model.end(block, place),
                domain: self.model.domain(block).clone(),
                target: Target::Scalar(s),
                value: Source::WayOut(block, s),
                ty: TY,
                inst: None,
                when: None,
                copy_of: None,
            });
        }
    }

    /// Zero where the region is left at the end of a block.
    pub(super) fn way_out(
        &mut self,
        tree: &mut Tree,
        block: BlockId,
        s: usize,
        site: Site,
    ) -> Result<NodeId, Stop> {
        let region = self.model.region;
        let (bit, then) = match &region.block(block).term {
            Terminator::Branch { bit, then, .. } => (*bit, *then),
            Terminator::Jump(_) => unreachable!("a way out is one of two ways"),
        };
        let cond = self.node(tree, bit, site)?;
        let cond = match then {
            To::Trap => cond,
            _ => {
                let [no, yes] = [0, 1].map(|b| tree.body.push(Ty::Int(1), NodeKind::Bits(b)));
                self.choose(tree, bit, [cond, no, yes])?
            }
        };
        let zero = tree.body.push(TY, NodeKind::Bits(0));
        tree.reads.push(Read::Scalar(s));
        let old = tree.body.push(TY, NodeKind::Read(tree.reads.len()));
        self.choose(tree, bit, [cond, zero, old])
    }
}
