//! One call of isl's generator: a subtree without tile bands.
//!
//! Every band member becomes a band of its own in isl's tree. A member whose loop is not sequential gets a mark above
//! it, because the names of iterators only tell the schedule dimension, and branches of a sequence share dimensions.
//!
//! Statements that share loops but not their bounds need conditions or separate loops (Kelly, Pugh and Rosser 1995 call
//! it overhead removal). One loop per member is generated first. Only if conditions remain inside loops, separation is
//! tried; what is better and small is kept. Sequences are never separated (they are no loops here), and conditions on remainders of
//! iterators need no try: every other iteration is no range of its own.

use super::convert::{Converter, LoopSpec, mark_name};
use super::pieces::{has_pieces, may_have_gaps};
use super::scope::{Rows, Scope};
use super::stats::Stats;
use super::stepped::Scanned;
use super::{Generator, SHARE, Separation, block};
use crate::live::statements;
use polytile_analysis::ast::{Ast, Expr, ForKind, User};
use polytile_analysis::chain::{Chain, Role};
use polytile_analysis::ids::{ArrayId, StmtId};
use polytile_analysis::poly::{
    self, AstLoopType, DimType, Error, MultiUnionPwAff, PwAff, ScheduleNode, Set, Space,
    UnionPwAff, UnionSet,
};
use polytile_analysis::tree::{Band, Branch, LoopKind, Mark, Tree};

/// Statements in one island up to which separation is tried: beyond, code and time explode (12 statements in a
/// three-dimensional band: 2 s and 1442 copies).
const MAX_SEPARATED: usize = 3;

/// The same inside register tiles, where a step of the reduction takes the statements one after the other.
const MAX_SEPARATED_IN_TILES: usize = 4;

/// Pieces of one statement's domain up to which they get loops of their own: `j != i` has two.
const MAX_PIECES: usize = 3;

/// Loops of their own for parts of domains take so much less of the budget than loops that have to be: the original's conditions stay in loops
/// where that is too little.
const APART: u64 = 4;

/// Copies per statement that separation may make.
const MAX_COPIES: usize = 6;

/// A subtree in isl's form.
struct IslTree {
    schedule: poly::Schedule,
    /// Number of nested band members.
    depth: usize,
    marks: Vec<MarkedLoop>,
    /// Beginning of the names of iterators.
    prefix: String,
    /// What is known of the parameters that loops depend on, and no others: each is a column of every system that isl solves.
    context: Set,
    /// How isl treats the loops.
    way: AstLoopType,
    /// There are more statements than are separated from each other.
    many: bool,
}

/// A loop that is not sequential.
struct MarkedLoop {
    dim: usize,
    kind: ForKind,
    /// What one execution of the whole loop runs, with outer iterators as parameters.
    runs: Option<UnionSet>,
    /// For lanes: the arrays that are contracted, and what runs.
    contracted: Option<Contracted>,
    /// For strips: the arrays of the cells, and what runs.
    strips: Option<(Vec<ArrayId>, UnionSet)>,
}

/// Contracted arrays of a loop in lanes.
struct Contracted {
    arrays: Vec<ArrayId>,
    domain: UnionSet,
    row: UnionPwAff,
}

/// A place in isl's tree that is being built.
#[derive(Clone)]
struct Place {
    /// The instances that come here.
    domain: UnionSet,
    /// Rows of the loops around it.
    outer: Vec<UnionPwAff>,
    /// What the loop in lanes right below keeps to itself.
    contracted: Vec<ArrayId>,
    /// What the loop right below computes in strips.
    strips: Vec<ArrayId>,
}

impl Generator<'_> {
    /// The loops of a subtree without tile bands.
    pub(super) fn island(
        &mut self,
        tree: &Tree,
        domain: &UnionSet,
        scope: &Scope,
    ) -> poly::Result<Ast> {
        if let Some(loops) = self.box_loops(tree, domain, scope)? {
            return Ok(loops);
        }
        let first_iter = self.next_iter;
        let mut best: Option<(Ast, Stats)> = None;
        let mut atomic = None;
        let mut failure = None;
        let mut last_iter = first_iter;
        let mut in_vain = false;
        for way in self.ways(tree, domain, scope)? {
            // Conditions of which loops of their own have as many stay in any form, and loops of one piece come out as they did.
            let last = way == AstLoopType::Default;
            if last && (in_vain || !has_pieces(self.scop, tree, domain)?) {
                break;
            }
            self.next_iter = first_iter;
            let ast = match self.attempt(tree, domain, scope, way) {
                Ok(ast) => ast,
                Err(e @ Error::Quota) => {
                    failure = Some(e);
                    continue;
                }
                Err(e) => return Err(e),
            };
            last_iter = last_iter.max(self.next_iter);
            let stats = Stats::of(&ast);
            // What remainders decide stays inside of loops.
            let done = match (scope.rows, way) {
                (Rows::OfRegisterTile, AstLoopType::Atomic) => stats.inner_limits == 0,
                _ => stats.limits == 0,
            };
            let statements = domain.n_set();
            let better = self.better(&stats, best.as_ref().map(|(_, s)| s), statements);
            in_vain = way == AstLoopType::Separate && !better && is_small(&stats, statements);
            if better {
                best = Some((ast, stats));
                if done {
                    break;
                }
            } else if way == AstLoopType::Atomic {
                atomic = Some(ast);
            }
        }
        self.next_iter = last_iter;
        match (best, failure, atomic) {
            (Some((ast, _)), _, _) => Ok(ast),
            (None, Some(e), _) => self.straight(tree, domain, scope)?.ok_or(e),
            (None, None, Some(ast)) => Ok(ast),
            (None, None, None) => self.attempt(tree, domain, scope, AstLoopType::Atomic),
        }
    }

    /// The forms to try, until one has no conditions in loops. Inside tiles statements that share loops nearly always
    /// differ in their bounds, so separation comes first. What register tiles leave is little: separation is for two statements there,
    /// for innermost loops and for loops that would run through nothing: of three and more it takes a tenth of a second.
    fn ways(
        &self,
        tree: &Tree,
        domain: &UnionSet,
        scope: &Scope,
    ) -> poly::Result<Vec<AstLoopType>> {
        let most = match scope.rows {
            Rows::Long => MAX_SEPARATED,
            Rows::OfRegisterTile => MAX_SEPARATED_IN_TILES,
        };
        let few = match domain.n_set() {
            1 => has_few_pieces(domain)?,
            n => (2..=most).contains(&n),
        };
        Ok(match self.options.separation {
            Separation::Never => vec![AstLoopType::Atomic],
            Separation::Always => vec![AstLoopType::Separate],
            Separation::Auto if !scope.origins.is_empty() => match few {
                true if scope.rows == Rows::OfRegisterTile
                    && domain.n_set() > 2
                    && !may_have_gaps(self.scop, tree, domain, &scope.context)? =>
                {
                    vec![AstLoopType::Atomic, AstLoopType::Separate]
                }
                true => vec![AstLoopType::Separate, AstLoopType::Atomic],
                false => vec![AstLoopType::Atomic],
            },
            Separation::Auto => match few {
                true => vec![
                    AstLoopType::Atomic,
                    AstLoopType::Separate,
                    AstLoopType::Default,
                ],
                false => vec![AstLoopType::Atomic, AstLoopType::Default],
            },
        })
    }

    /// Whether a program is small enough and has cheaper conditions than another.
    fn better(&self, new: &Stats, old: Option<&Stats>, statements: usize) -> bool {
        let small = is_small(new, statements);
        match (old, self.options.separation) {
            (_, Separation::Always) => true,
            (None, _) => small,
            (Some(old), _) => small && new.if_cost < old.if_cost,
        }
    }

    pub(super) fn attempt(
        &mut self,
        tree: &Tree,
        domain: &UnionSet,
        scope: &Scope,
        way: AstLoopType,
    ) -> poly::Result<Ast> {
        let scanned = Scanned::of(domain, scope)?;
        let (node, iterators, marks) = {
            let ctx = domain.ctx().clone();
            let _quota = ctx.share(match way {
                AstLoopType::Atomic => SHARE,
                _ => SHARE * APART,
            });
            let isl = IslTree::build(tree, &scanned.domain, scope, way)?;
            let iterators: Vec<String> = (0..isl.depth)
                .map(|d| format!("{}{d}", scope.prefix))
                .collect();
            let names: Vec<&str> = iterators.iter().map(String::as_str).collect();
            let node = isl.schedule.program(&isl.context, &names)?;
            let mut marks = vec![];
            for m in isl.marks {
                let runs = match m.runs {
                    Some(part) => self.weighted(&part)?,
                    None => vec![],
                };
                let mut kind = m.kind;
                if let (ForKind::Strips { chains }, Some((cells, runs))) = (&mut kind, &m.strips) {
                    *chains = self.chains(cells, runs)?;
                }
                if let (
                    ForKind::Lanes {
                        lanes,
                        vectors,
                        panels,
                        ..
                    },
                    Some(c),
                ) = (&mut kind, m.contracted)
                {
                    let width = *lanes * *vectors;
                    *panels = self.lane_panels(&c.arrays, (&c.domain, &c.row), width, scope)?;
                }
                let spec = LoopSpec {
                    kind,
                    lattice: None,
                    runs,
                };
                marks.push((m.dim, spec));
            }
            (node, iterators, marks)
        };
        let mut user = |generator: &mut Generator, at: &Scope, name: &str, args: Vec<Expr>| {
            scanned.call(generator, (name, args), at)
        };
        let mut converter = Converter {
            specs: vec![LoopSpec::plain(); iterators.len()],
            iterators: &iterators,
            marks: &marks,
            user: &mut user,
        };
        converter.node(self, &node, scope)
    }

    /// The statements that accumulate in cells of these arrays.
    fn chains(&self, cells: &[ArrayId], runs: &UnionSet) -> poly::Result<Vec<Chain>> {
        let mut chains = vec![];
        for s in statements(self.scop, runs)? {
            let stmt = self.scop.stmt(s);
            if let Role::Chain(chain) = Role::of(stmt, cells)? {
                chains.push(chain.in_lanes(stmt, self.options.vector_bits));
            }
        }
        Ok(chains)
    }

    pub(super) fn statement(&self, name: &str, args: Vec<Expr>) -> poly::Result<Ast> {
        let stmt = self.scop.stmt_by_name(name);
        let stmt: StmtId = stmt.expect("calls name statements").id;
        Ok(block(vec![Ast::User(User { stmt, args })]))
    }
}

/// Whether a program has few copies of its statements.
fn is_small(program: &Stats, statements: usize) -> bool {
    program.users <= MAX_COPIES * statements
}

impl IslTree {
    fn build(
        tree: &Tree,
        domain: &UnionSet,
        scope: &Scope,
        way: AstLoopType,
    ) -> poly::Result<IslTree> {
        // What is known already stays out, so that candidates whose tiles differ share programs.
        let own = match scope.origins.is_empty() {
            true => domain.clone(),
            false => domain.gist_params(&scope.context)?,
        };
        let short = own.drop_unused_params()?;
        let mut used = short.space()?;
        add_params(tree, &mut used)?;
        let context = scope.context.about_params_of(&used)?;
        let short = short.align_params(&context.space()?)?;
        let mut isl = IslTree {
            schedule: poly::Schedule::from_domain(&short)?,
            depth: 0,
            marks: vec![],
            prefix: scope.prefix.clone(),
            context,
            way,
            many: domain.n_set() > MAX_SEPARATED,
        };
        let leaf = isl.schedule.root()?.child(0)?;
        let top = Place {
            domain: domain.clone(),
            outer: vec![],
            contracted: vec![],
            strips: vec![],
        };
        isl.schedule = isl.insert(tree, leaf, top)?.schedule()?;
        Ok(isl)
    }

    /// Puts a subtree at a leaf; the result is the position of the leaf in the new tree.
    fn insert(
        &mut self,
        tree: &Tree,
        leaf: ScheduleNode,
        place: Place,
    ) -> poly::Result<ScheduleNode> {
        self.depth = self.depth.max(place.outer.len());
        match tree {
            Tree::Leaf => Ok(leaf),
            Tree::Mark(Mark::Contracted(arrays), child) => {
                let contracted = arrays.clone();
                self.insert(
                    child,
                    leaf,
                    Place {
                        contracted,
                        ..place
                    },
                )
            }
            Tree::Mark(Mark::Strips(cells), child) => {
                let strips = cells.clone();
                self.insert(child, leaf, Place { strips, ..place })
            }
            Tree::Mark(_, child) => self.insert(child, leaf, place),
            Tree::Band(band) => self.insert_band(band, leaf, place),
            Tree::Sequence(list) | Tree::Set(list) => self.insert_branches(list, leaf, place),
        }
    }

    fn insert_band(
        &mut self,
        band: &Band,
        leaf: ScheduleNode,
        mut place: Place,
    ) -> poly::Result<ScheduleNode> {
        let here = place.domain.universe_of()?;
        let way = self.way_of(band, &place)?;
        let mut node = leaf;
        let space = self.context.space()?;
        let mut levels = 0;
        for m in 0..band.schedule.size() {
            let row = normalize(&band.schedule.at(m)?.intersect_domain(&here)?)?;
            let short = row.drop_unused_params()?.align_params(&space)?;
            node = node.insert_partial_schedule(&MultiUnionPwAff::from_union_pw_aff(&short)?)?;
            node = node.band_member_set_ast_loop_type(0, way)?;
            let mut strips = vec![];
            let kind = match std::mem::take(&mut place.strips) {
                none if none.is_empty() => {
                    loop_kind(band.loops.get(m).copied().unwrap_or_default())
                }
                cells => {
                    strips = cells;
                    ForKind::Strips { chains: vec![] }
                }
            };
            if kind != ForKind::Sequential {
                node = node.insert_mark(&mark_name(self.marks.len()))?.child(0)?;
                let mut marked = self.marked(kind, &place)?;
                if !strips.is_empty() {
                    marked.strips = Some((strips, place.domain.clone()));
                }
                if !place.contracted.is_empty() {
                    marked.contracted = Some(Contracted {
                        arrays: std::mem::take(&mut place.contracted),
                        domain: place.domain.clone(),
                        row: row.clone(),
                    });
                }
                self.marks.push(marked);
                levels += 1;
            }
            place.outer.push(row);
            node = node.child(0)?;
            levels += 1;
        }
        node = self.insert(&band.child, node, place)?;
        node.ancestor(levels)
    }

    /// How isl treats a band. A vector loop of one statement has no conditions inside, however many statements come before and after it.
    fn way_of(&self, band: &Band, place: &Place) -> poly::Result<AstLoopType> {
        let vector = matches!(band.loops[..], [LoopKind::Vector]);
        let alone = self.many && self.way == AstLoopType::Atomic && vector;
        Ok(match alone && has_few_pieces(&place.domain)? {
            true => AstLoopType::Separate,
            false => self.way,
        })
    }

    /// A loop at a place.
    fn marked(&self, kind: ForKind, place: &Place) -> poly::Result<MarkedLoop> {
        let mut runs = None;
        if matches!(kind, ForKind::Parallel { .. }) {
            runs = Some(runs_in(&place.domain, &place.outer, &self.prefix)?);
        }
        Ok(MarkedLoop {
            dim: place.outer.len(),
            kind,
            runs,
            contracted: None,
            strips: None,
        })
    }

    fn insert_branches(
        &mut self,
        list: &[Branch],
        leaf: ScheduleNode,
        place: Place,
    ) -> poly::Result<ScheduleNode> {
        let mut live = vec![];
        for branch in list {
            let part = place.domain.intersect(&branch.filter)?;
            if !part.is_empty()? {
                live.push((branch, part));
            }
        }
        let below = |part: &UnionSet| Place {
            domain: part.clone(),
            outer: place.outer.clone(),
            contracted: vec![],
            strips: vec![],
        };
        if let [(only, part)] = &live[..] {
            return self.insert(&only.child, leaf, below(part));
        }
        let space = self.context.space()?;
        let filter = |b: &Branch| b.filter.drop_unused_params()?.align_params(&space);
        let filters = live.iter().map(|(b, _)| filter(b));
        let filters = filters.collect::<poly::Result<Vec<UnionSet>>>()?;
        let mut node = leaf.insert_sequence(&filters)?;
        for (i, (branch, part)) in live.iter().enumerate() {
            let position = node.child(i)?.child(0)?;
            let position = self.insert(&branch.child, position, below(part))?;
            node = position.ancestor(2)?;
        }
        Ok(node)
    }
}

/// Whether these are instances of one statement in several pieces, each of which may have a loop of its own.
fn has_few_pieces(domain: &UnionSet) -> poly::Result<bool> {
    Ok(match &domain.sets()?[..] {
        [only] => (2..=MAX_PIECES).contains(&only.coalesce()?.n_basic_set()),
        _ => false,
    })
}

/// Adds the parameters that the rows and filters of a tree depend on.
fn add_params(tree: &Tree, space: &mut Space) -> poly::Result<()> {
    match tree {
        Tree::Leaf => Ok(()),
        Tree::Mark(_, child) => add_params(child, space),
        Tree::Band(band) => {
            for row in band.schedule.union_pw_affs()? {
                *space = space.align_params(&row.drop_unused_params()?.space()?)?;
            }
            add_params(&band.child, space)
        }
        Tree::Sequence(list) | Tree::Set(list) => list.iter().try_for_each(|b| {
            *space = space.align_params(&b.filter.drop_unused_params()?.space()?)?;
            add_params(&b.child, space)
        }),
    }
}

/// What one execution of a loop runs: the instances with these values of the rows around it, which are parameters.
pub(super) fn runs_in(
    domain: &UnionSet,
    outer: &[UnionPwAff],
    prefix: &str,
) -> poly::Result<UnionSet> {
    let mut part = domain.clone();
    for (d, row) in outer.iter().enumerate() {
        let name = format!("{prefix}{d}");
        let value = UnionPwAff::param_on_domain(&part.universe_of()?, &name)?;
        part = part.intersect(&row.sub(&value)?.zero_union_set()?)?;
    }
    Ok(part)
}

/// What a loop becomes.
pub(super) fn loop_kind(kind: LoopKind) -> ForKind {
    match kind {
        LoopKind::Sequential => ForKind::Sequential,
        LoopKind::Vector => ForKind::Vector,
        LoopKind::Lanes {
            lanes,
            vectors,
            supply,
        } => ForKind::Lanes {
            lanes,
            vectors,
            supply,
            panels: vec![],
        },
        LoopKind::Diagonal {
            lanes,
            vectors,
            rest,
        } => ForKind::Diagonal {
            lanes,
            vectors,
            rest,
        },
        LoopKind::Parallel(distribution) => ForKind::Parallel {
            distribution,
            worth: None,
            private: vec![],
        },
    }
}

/// The row divided by the greatest common step of its values over all statements (isl finds it for one statement only:
/// `[4i]` and `[6i+2]` would get a loop of step 1 with a remainder test each). Strictly monotone, so the order stays.
fn normalize(row: &UnionPwAff) -> poly::Result<UnionPwAff> {
    let mut step = 0;
    let mut offset = None;
    for pa in row.pw_affs()? {
        let Some((s, c)) = value_lattice(&pa)? else {
            return Ok(row.clone());
        };
        let first: i64 = *offset.get_or_insert(c);
        step = gcd(gcd(step, s), c.abs_diff(first));
    }
    let (Some(offset), Ok(step)) = (offset, i64::try_from(step)) else {
        return Ok(row.clone());
    };
    if step <= 1 {
        return Ok(row.clone());
    }
    let shift = offset.rem_euclid(step);
    let mut scaled = UnionPwAff::empty(&row.space()?)?;
    for pa in row.pw_affs()? {
        let pa = pa.add_constant_si(-shift)?.scale_down_si(step)?;
        scaled = scaled.add_pw_aff(&pa)?;
    }
    Ok(scaled)
}

/// Whether statements share a loop in steps of their own: one in each iteration, another in every third.
///
/// isl 0.27 was seen to run statements of one step at the offset of the first of them, although another one without
/// that step stands between. What is generated of such trees has to be read back ([`crate::equivalence`]).
pub fn interleaves(tree: &Tree, domain: &UnionSet) -> poly::Result<bool> {
    match tree {
        Tree::Leaf => Ok(false),
        Tree::Mark(_, child) => interleaves(child, domain),
        Tree::Sequence(list) | Tree::Set(list) => {
            for branch in list {
                if interleaves(&branch.child, &domain.intersect(&branch.filter)?)? {
                    return Ok(true);
                }
            }
            Ok(false)
        }
        Tree::Band(band) => {
            let here = domain.universe_of()?;
            for m in 0..band.schedule.size() {
                if has_several_steps(&band.schedule.at(m)?.intersect_domain(&here)?)? {
                    return Ok(true);
                }
            }
            interleaves(&band.child, domain)
        }
    }
}

/// Whether a statement's values of a row lie on a coarser lattice than those of all together.
fn has_several_steps(row: &UnionPwAff) -> poly::Result<bool> {
    let mut lattices = vec![];
    for pa in row.pw_affs()? {
        lattices.extend(value_lattice(&pa)?);
    }
    let Some(&(_, first)) = lattices.first() else {
        return Ok(false);
    };
    let common = (lattices.iter()).fold(0, |g, (s, c)| gcd(gcd(g, *s), c.abs_diff(first)));
    Ok(lattices.iter().any(|(s, _)| *s > common.max(1)))
}

/// Greatest common divisor of the coefficients, and the constant; `None` where that is not all.
fn value_lattice(pa: &PwAff) -> poly::Result<Option<(u64, i64)>> {
    if !pa.isa_aff()? {
        return Ok(None);
    }
    let aff = pa.as_aff()?;
    if aff.involves_locals()? || aff.denominator()? != 1 {
        return Ok(None);
    }
    let mut divisor = 0;
    for ty in [DimType::In, DimType::Param] {
        for pos in 0..aff.dim(ty) {
            divisor = gcd(divisor, aff.coefficient(ty, pos)?.unsigned_abs());
        }
    }
    Ok(Some((divisor, aff.constant()?)))
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}
