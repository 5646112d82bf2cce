//! From a schedule tree to loops: [`generate`].
//!
//! isl's generator scans polyhedra; tiles of run-time sizes are ours. The tree is cut into *islands*: a subtree without
//! tile bands is one call of isl's generator. A tile band `theta` with sizes `s` becomes two such calls (Darte and
//! Isoard 2015, §3; the loops over origins are those of Renganarayanan et al. 2007):
//!
//! | step | set | result |
//! |---|---|---|
//! | scan of origins ([`scan`]) | outset `{ I : exists i in D: I <= theta(i) < I + s }`, relaxed to one basic set | tile loops |
//! | point tree | `{ S(i) in D : I <= theta(i) < I + s }`, `I` as parameters | point loops, by recursion |
//!
//! isl scans *all* integers `I`. Keeping of each tile loop only the iterations on one lattice `I = o (mod s)` per
//! dimension keeps for every instance exactly one `I`, whatever form the loops have: each instance runs once.
//!
//! ```text
//! band theta = [i, j], sizes [s0, s1], child: band [i, j]
//!   ->  for (I = 0; I <= n - 1; I += s0) for (J = 0; J <= m - 1; J += s1)
//!         for (i = I; i <= min(n - 1, I + s0 - 1); i++) for (j = J; j <= min(m - 1, J + s1 - 1); j++) S(i, j);
//! ```
//!
//! Where isl exceeds its quota, loops over tiles are made from the outset in closed form, and those of one statement from its rows
//! ([`echelon`], [`straight`]; Ancourt and Irigoin 1991).
//!
//! What this does not do: choose sizes or loops to run in parallel (see `tile`, `parallel`), or separate full from
//! partial cache tiles (measured: no gain).

mod below;
mod boxes;
mod constraints;
mod contracted;
pub(crate) mod convert;
mod echelon;
pub mod expr;
mod handed;
mod head;
mod intact;
mod island;
mod micro;
mod pack;
mod pieces;
mod scan;
pub(crate) mod scope;
mod short;
mod split;
mod squares;
pub mod stats;
mod stepped;
mod straight;
mod team;
mod usual;

pub(crate) use constraints::{holds, value};
pub(crate) use contracted::lane_rows;
pub use handed::handed_on;
pub use intact::settles;
pub use island::interleaves;
pub use team::worth;

use crate::work::{self, UNITS_PER_NS};
use polytile_analysis::ast::{Ast, Buffer, Expr, IterId};
use polytile_analysis::ids::ArrayId;
use polytile_analysis::poly::{self, Set, UnionMap, UnionSet};
use polytile_analysis::scop::Scop;
use polytile_analysis::tree::{Band, Branch, Mark, Schedule, Tree};
use scope::Scope;

/// The part of the budget that one island may take; the whole of heat-3d with tiles needs a tenth of it.
const SHARE: u64 = 3;

/// When the domains of statements that share loops are separated into loops of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Separation {
    /// Where conditions inside loops would remain otherwise, and the code stays small.
    #[default]
    Auto,
    /// One loop per band member.
    Never,
    /// Always.
    Always,
}

/// How to generate.
#[derive(Clone, Debug)]
pub struct AstOptions {
    /// Separation of statements.
    pub separation: Separation,
    /// Least estimated work, in units of [`crate::work`], for which a parallel loop is worth its fork; 0: always.
    pub parallel_min_work: i64,
    /// The same for a parallel loop inside another loop, whose threads are awake already.
    pub repeated_min_work: i64,
    /// Bits of a vector, for squares; 0: none.
    pub vector_bits: u32,
    /// Whether the rest of a few vectors is a masked one ([`crate::target::Target::masks_rests`]).
    pub masks: bool,
}

impl Default for AstOptions {
    fn default() -> Self {
        AstOptions {
            separation: Separation::Auto,
            parallel_min_work: 50_000 * UNITS_PER_NS,
            repeated_min_work: 20_000 * UNITS_PER_NS,
            vector_bits: 0,
            masks: true,
        }
    }
}

/// The loops that execute a schedule, and what they need.
#[derive(Clone, PartialEq, Debug)]
pub struct Generated {
    /// The loops.
    pub body: Ast,
    /// Buffers for packed operands.
    pub buffers: Vec<Buffer>,
}

/// The loops that execute a schedule.
pub fn generate(scop: &Scop, schedule: &Schedule) -> poly::Result<Ast> {
    Ok(generate_with(scop, schedule, &AstOptions::default())?.body)
}

/// The loops that execute a schedule, and what they need.
pub fn generate_with(
    scop: &Scop,
    schedule: &Schedule,
    options: &AstOptions,
) -> poly::Result<Generated> {
    let scope = Scope::new(scop, schedule)?;
    let mut generator = Generator {
        scop,
        schedule,
        options,
        next_iter: 0,
        next_origin: 0,
        loop_depth: 0,
        buffers: vec![],
        panel_buffers: vec![],
    };
    let body = generator.tree(&schedule.root, &schedule.domain, &scope)?;
    let body = match options.separation {
        Separation::Never => body,
        _ => {
            let body = split::innermost(body, &mut || generator.fresh_iter());
            short::unrolled(usual::usual(body, &mut || generator.fresh_iter()))
        }
    };
    let body = match options.vector_bits {
        0 => body,
        bits => squares::marked(body, (scop, bits), &mut || generator.fresh_iter())?,
    };
    let mut body = team::joined(body, &mut || generator.fresh_iter());
    let mut buffers = generator.buffers;
    contracted::divide_panels(&mut body, &mut buffers);
    pack::own_copies(&body, false, &mut buffers);
    Ok(Generated { body, buffers })
}

/// State of one generation.
struct Generator<'a> {
    scop: &'a Scop,
    schedule: &'a Schedule,
    options: &'a AstOptions,
    next_iter: u32,
    next_origin: u32,
    /// Loops around the place being generated.
    loop_depth: usize,
    buffers: Vec<Buffer>,
    /// Those that are panels of lanes, with their arrays.
    panel_buffers: Vec<(ArrayId, usize)>,
}

impl Generator<'_> {
    /// The loops of a subtree for the instances that reach it.
    fn tree(&mut self, tree: &Tree, domain: &UnionSet, scope: &Scope) -> poly::Result<Ast> {
        if !has_tiles(tree) {
            return self.island(tree, domain, scope);
        }
        match tree {
            Tree::Band(band) => self.scanned_band(band, domain, scope),
            Tree::Sequence(branches) | Tree::Set(branches) => {
                self.branches(branches, domain, scope)
            }
            Tree::Mark(Mark::RegisterTile(_), _) => self.register_tiles(tree, domain, scope),
            Tree::Mark(Mark::Pack(pack), child) => self.packed(pack, child, domain, scope),
            Tree::Mark(Mark::Private(arrays), child) => {
                let mut inside = scope.clone();
                inside.private = arrays.clone();
                match &**child {
                    Tree::Band(band) => self.scanned_band(band, domain, &inside),
                    other => self.tree(other, domain, scope),
                }
            }
            Tree::Mark(Mark::Relation(text), child) => {
                let mut inside = scope.clone();
                inside.relation = Some(UnionMap::parse(domain.ctx(), text)?);
                match &**child {
                    Tree::Band(band) => self.scanned_band(band, domain, &inside),
                    other => self.tree(other, domain, scope),
                }
            }
            Tree::Mark(_, child) => self.tree(child, domain, scope),
            Tree::Leaf => unreachable!("a leaf has no tiles"),
        }
    }

    fn branches(
        &mut self,
        branches: &[Branch],
        domain: &UnionSet,
        scope: &Scope,
    ) -> poly::Result<Ast> {
        let mut parts = vec![];
        for branch in branches {
            let here = domain.intersect(&branch.filter)?;
            if !here.is_empty()? {
                parts.push(self.tree(&branch.child, &here, scope)?);
            }
        }
        Ok(block(parts))
    }

    /// Instances with the work of each.
    fn weighted(&self, domain: &UnionSet) -> poly::Result<Vec<(i64, Set)>> {
        let mut list = vec![];
        for set in domain.sets()? {
            let stmt = set.tuple_name().and_then(|n| self.scop.stmt_by_name(&n));
            let weight = match stmt {
                Some(stmt) => work::weight_in_lanes(self.scop, stmt)?,
                None => 1,
            };
            list.push((weight, set));
        }
        Ok(list)
    }

    fn fresh_iter(&mut self) -> IterId {
        self.next_iter += 1;
        IterId(self.next_iter - 1)
    }
}

/// Whether a tile band, or one with private arrays, is in the subtree.
fn has_tiles(tree: &Tree) -> bool {
    match tree {
        Tree::Band(b) => is_tiled(b) || has_tiles(&b.child),
        Tree::Sequence(list) | Tree::Set(list) => list.iter().any(|b| has_tiles(&b.child)),
        Tree::Mark(
            Mark::RegisterTile(_) | Mark::Pack(_) | Mark::Private(_) | Mark::Relation(_),
            _,
        ) => true,
        Tree::Mark(_, child) => has_tiles(child),
        Tree::Leaf => false,
    }
}

fn is_tiled(band: &Band) -> bool {
    band.tile.is_some()
}

/// One after the other, without nesting.
fn block(parts: Vec<Ast>) -> Ast {
    let mut flat = vec![];
    for part in parts {
        match part {
            Ast::Block(inner) => flat.extend(inner),
            other => flat.push(other),
        }
    }
    match flat.len() {
        1 => flat.remove(0),
        _ => Ast::Block(flat),
    }
}

/// `if (cond) then else els`, without what never runs.
fn condition(cond: Expr, then: Ast, els: Option<Ast>) -> Ast {
    let nothing = |a: &Ast| matches!(a, Ast::Block(l) if l.is_empty());
    match expr::as_int(&cond) {
        Some(0) => return els.unwrap_or(Ast::Block(vec![])),
        Some(_) => return then,
        None => {}
    }
    let els = els.filter(|e| !nothing(e));
    if nothing(&then) && els.is_none() {
        return then;
    }
    Ast::If {
        cond,
        then: Box::new(then),
        els: els.map(Box::new),
    }
}

/// The set with at most one basic set, a superset; unchanged where it is convex already.
fn convex(set: &Set) -> poly::Result<Set> {
    match set.n_basic_set() {
        0 | 1 => Ok(set.clone()),
        _ => set.simple_hull()?.to_set(),
    }
}

/// [`convex`], if it ends where the program does.
fn hull(set: &Set) -> poly::Result<Option<Set>> {
    let hull = convex(set)?;
    let ends = set.n_basic_set() <= 1 || ends(&hull)?;
    Ok(ends.then_some(hull))
}

/// Whether a convex set ends where the program does. Pieces that end at different parameters have no common bound, so that
/// their hull has none, or one that comes from the range of a type:
///
/// ```text
/// i <= (n + m) / 2, m > 8   or   i = 0, m <= 8   or both with n + m <= 2^31:     hull i <= 2^30
/// ```
fn ends(hull: &Set) -> poly::Result<bool> {
    for piece in hull.basic_sets()? {
        if !piece.without_machine_bounds()?.to_set()?.is_bounded()? {
            return Ok(false);
        }
    }
    Ok(true)
}

#[cfg(test)]
pub(crate) mod random;
#[cfg(test)]
mod tests;
