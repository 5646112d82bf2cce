//! The space of all legal schedules, and the interleavings in it (Pouchet, Bondhugula, Bastoul, Cohen, Ramanujam, Sadayappan, Vasilache: Loop Transformations: Convexity, Pruning and
//! Optimization, POPL 2011).
//!
//! [`crate::schedule`] looks for one good schedule. Here are all of them:
//!
//! | symbol | what it is | here |
//! |---|---|---|
//! | `L_m` | all legal schedules of `m` rows, one convex set (Lemma 3) | [`legal`] |
//! | `O` | the total preorders of `n` statements: which share a loop, in which order loops run (Lemma 5) | [`preorder`], [`system`] |
//! | `I` | chains of them, one for each level of loops | [`system`], [`preorder::interleavings`] |
//! | `F` | what dependences leave of `O` at a level (Figure 3) | [`pruned`], [`level`], [`points`] |
//! | `M` | permutations that fuse two statements (Lemma 6) | `unit` |
//! | partitions | `F` without the order of independent classes | [`partition`] |
//! | equation 9 | the row that satisfies the most dependences | [`level`] |
//! | Figure 4 | a schedule for each interleaving, of one level or two: the candidates of `fusion=space` and `fusion=levels` | [`explore`] |
//!
//! [`describe`] puts it all into one value, and [`print`] into text. [`sample`] takes schedules out of `L_m` by chance, for tests.
//!
//! ```text
//! for i, j: A[i][j] += u[i] v[j];   for i, j: x[i] += A[j][i] y[j];   for i: x[i] += z[i];   for i, j: w[i] += A[i][j] x[j]      (gemver)
//! O: 75 orders of four statements.  F: S0 <= S1 <= S2 <= S3, each step fused or not, 8 orders; no two of them differ in independent classes only.
//! ```
//!
//! Dependences are memory-based, as everywhere in the compiler, so sums that share a scalar must share a loop. Removing memory-based dependences ([`crate::expand`]) makes the space larger.
//! The paper's counts for programs whose source is known come out, as tests of this module; the counts of three more (ludcmp, correl, varcovar of its Table 1) come out of the order of
//! groups that they imply, because the sources are not known. Its row for atax mixes two settings.
//!
//! Definition 3 (fusability by the vertices of iteration domains) is not built: by it a statement without a loop may be fused, and so are loops one of which begins when the other one ends, which
//! Definition 7 is there to exclude.

mod dependence;
pub mod describe;
pub mod explore;
pub mod legal;
pub mod level;
pub mod partition;
pub mod points;
pub mod preorder;
pub mod print;
pub mod pruned;
pub mod sample;
pub mod system;
mod unit;

#[cfg(test)]
mod tests;

pub use describe::Space;
pub use explore::{Candidate, Explored, explore};

use crate::schedule::band::{History, Open, Search};
use crate::schedule::fuse::Class;
use level::Level;
use polytile_analysis::deps::Dependences;
use polytile_analysis::poly::Result;
use polytile_analysis::scop::Scop;

/// A SCoP with the dependences that its space is made of.
struct Ground<'s> {
    search: Search<'s>,
    open: Vec<Open>,
}

impl<'s> Ground<'s> {
    fn new(scop: &'s Scop, deps: &Dependences) -> Result<Ground<'s>> {
        let search = Search {
            far: true,
            ..Search::new(scop)?
        };
        let open = dependence::distinct(&search, deps)?;
        Ok(Ground { search, open })
    }

    /// The outermost level.
    fn outermost(&self) -> Result<Level<'_, 's>> {
        self.outermost_near(None)
    }

    /// The same with constants of a class at most so far apart.
    fn outermost_near(&self, nearest: Option<i64>) -> Result<Level<'_, 's>> {
        let all: Class = self.search.scop.stmts.iter().map(|s| s.id).collect();
        Level::new(&self.search, &all, &self.open, &History::new(), nearest)
    }
}
