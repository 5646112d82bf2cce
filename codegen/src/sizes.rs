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
//!   size   = ceil(extent / (rounds * threads)), up to a multiple of the register tile, at least a quarter of most, or of 2048
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
use crate::ir::Int;
use crate::runtime::TABLE;
use polytile_analysis::ast::{Ast, Expr, For, ForKind};
use polytile_analysis::tree::SizeParam;

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
        let name = match l.kind {
            ForKind::Stage => "size.of_row",
            _ => "size",
        };
        let multiple = self.ir.int(param.multiple_of.max(1));
        let bounds = [lower, upper, threads, most, multiple];
        self.ask(name, &bounds.map(Into::into))
    }

    /// What the environment says, or the default.
    fn size_from_table(&mut self, i: usize, param: &SizeParam) -> Int<'c> {
        let (i, otherwise) = (self.ir.int(i as i64), self.ir.int(param.default));
        let multiple = self.ir.int(param.multiple_of.max(1));
        self.ask("size.given", &[i.into(), otherwise.into(), multiple.into()])
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
