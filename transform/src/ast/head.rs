//! The head of a register tile: the instances that may run before everything else in their tile.
//!
//! A micro-kernel loads its accumulators, runs the reduction upwards and stores. That is exact for the instances
//!
//! ```text
//! H = { y in P : k(y) < K }    K = least k(y) over pairs x -> y of the tile that depend on each other,
//!                                  except pairs that update the same cell (the reduction's own chain)
//! ```
//!
//! No instance outside `H` must run before one of `H`, and within `H` only the chains of single cells are ordered, which
//! the kernel keeps. So a tile runs as `H` by the micro-kernel, then the rest by the point loops. In a factorization
//! (`A[i][j] -= A[i][k] * A[k][j]`, tile of rows from `r` and columns from `q`), `K = min(r, q)`: all updates by finished
//! columns and rows are in the head, which is the largest box of the product (Bondhugula et al., PLDI 2008, leave such
//! tiles to the point loops; splitting them is index-set splitting at the level of tiles).
//!
//! ```text
//! micro-kernel for k < K
//! for (c = K; c <= K; c += 1)      gives K a name
//!   point loops for k >= c, and other statements
//! ```
//!
//! What the kernels leave begins at the least step of the reduction that any statement of it has, so that most tiles, of
//! which nothing is left, are done at once.
//!
//! Several accumulating statements in one tile (the two triangles of a factorization) share one `K`, the least.
//!
//! `K` is approximated from below, which is always right. Pairs `x -> y` of one statement where only `x` reads by another
//! access what `y` writes need no place here: `k` does not decrease along a dependence, so `x` is in the head if `y` is.
//!
//! In the panel of a factorization the last step of each cell is another one (`k < i` above the diagonal, `k < j` below), but all of
//! these steps come after `K`. Within the head such a constraint holds for all cells, and the kernel does without: which cells exist
//! is the same in all of its steps.
//!
//! Where the updates of a cell commute, a chain has no first step, and the head may begin late. In a dynamic program over
//! intervals (`t[i][j] = max(t[i][j], t[i][k] + t[k+1][j])`, tile of rows `r .. r + R - 1` and columns from `q`) the steps
//! `k + 1 < r + R` read cells of the same tile, and so do those with `k >= q`:
//!
//! ```text
//! H = { y in P : F <= k(y) < K }      F = r + R - 1, K = q
//! ```
//!
//! Which of the two bounds a dependence moves follows from where its late ends lie: within a tile's width of the least step
//! of the tile, the first. All pairs that do not commute count then.

use super::constraints;
use super::micro::{in_one_piece, of_stmt, points_of, whole_tile};
use super::pack::{limits, once};
use super::scope::{Rows, Scope};
use super::{Generator, SHARE, block, condition, expr};
use crate::simd::{accesses_of, moves_along};
use polytile_analysis::ast::{Ast, BinOp, Expr, IterId, MAX_CELL_STRIDE, MicroKernel};
use polytile_analysis::deps::order::before;
use polytile_analysis::deps::{Update, update};
use polytile_analysis::poly::{self, BasicSet, DimType, Map, PwAff, Set, UnionSet};
use polytile_analysis::scop::{Access, AccessKind, Scop, Stmt};
use polytile_analysis::stride::Stride;
use polytile_analysis::tree::{Band, Branch, Mark, RegisterTile, Tree};

/// Different lower bounds of `K` beyond which there is no head.
const MAX_BOUNDS: usize = 8;

/// A statement of a tile that has a head.
struct Part<'s> {
    stmt: &'s Stmt,
    kernel: MicroKernel,
    /// When the whole tile has an instance of it.
    nonempty: Expr,
    /// The function `k`.
    reduction: PwAff,
}

/// The steps of the reduction that a head may take, as far as they are bounded.
#[derive(Default)]
struct Steps {
    /// All of these at least.
    from: Vec<Expr>,
    /// Less than each of these.
    until: Vec<Expr>,
}

/// What runs beside the kernels' statements in a tile.
struct Others<'s> {
    /// No instance comes before this step of the reduction, or before the kernels' bound.
    first: Expr,
    /// The statements with their rows of the reduction.
    rows: Vec<(&'s Stmt, PwAff)>,
}

/// Pieces of a tile's instances that are looked at.
const MAX_CHOICES: usize = 4;

/// The values of the program's parameters for which a statement has one piece of its instances in a tile, where it has others for other values only.
fn choice(stmt: &Stmt, domain: &UnionSet, scope: &Scope) -> poly::Result<Option<Set>> {
    let Some(points) = points_of(stmt, domain, scope)? else {
        return Ok(None);
    };
    if in_one_piece(&points, &scope.context)?.is_some() {
        return Ok(None);
    }
    let pieces = points.basic_sets()?;
    if pieces.len() > MAX_CHOICES {
        return Ok(None);
    }
    let mut chosen = None;
    for piece in pieces {
        let piece = piece.to_set()?;
        let others = points.subtract(&piece)?;
        let own = of_program(piece.params()?, scope)?;
        if !of_program(others.params()?, scope)?.is_disjoint(&own)? {
            continue;
        }
        // The others may be one piece by themselves.
        if in_one_piece(&others, &scope.context.subtract(&own)?)?.is_some() {
            return Ok(Some(own));
        }
        chosen = chosen.or(Some(own));
    }
    Ok(chosen)
}

/// The same for some origins of tiles: what is asked of the program's parameters alone.
fn of_program(mut params: Set, scope: &Scope) -> poly::Result<Set> {
    for (name, value) in scope.values() {
        if !matches!(value, Expr::Param(_)) {
            params = params.for_some(name)?;
        }
    }
    Ok(params)
}

impl<'a> Generator<'a> {
    /// The program of register tiles: micro-kernels where that is exact and legal, the point tree for the rest. Where parameters choose how far
    /// the tiles go (`m = causal ? i + 1 : n`), one for each choice.
    pub(super) fn register_tiles(
        &mut self,
        tree: &Tree,
        domain: &UnionSet,
        scope: &Scope,
    ) -> poly::Result<Ast> {
        let chosen = {
            let _quota = domain.ctx().clone().share(SHARE);
            match chain(tree).0.first() {
                Some(tile) => choice(self.scop.stmt(tile.stmt), domain, scope)?,
                None => None,
            }
        };
        let Some(chosen) = chosen else {
            return self.tiles_of_one_choice(tree, domain, scope);
        };
        let other = scope.context.subtract(&chosen)?;
        let [then, els] = [scope.context.intersect(&chosen)?, other].map(|context| {
            let mut scope = scope.clone();
            scope.context = context;
            self.register_tiles(tree, domain, &scope)
        });
        let holds = constraints::holds(&chosen, &scope.context, scope)?;
        Ok(condition(holds, then?, Some(els?)))
    }

    fn tiles_of_one_choice(
        &mut self,
        tree: &Tree,
        domain: &UnionSet,
        scope: &Scope,
    ) -> poly::Result<Ast> {
        let (tiles, child) = chain(tree);
        let mut scope = scope.clone();
        scope.rows = Rows::OfRegisterTile;
        let scope = &scope;
        let mut parts = vec![];
        let mut bounds = Steps::default();
        let single = tiles.len() == 1;
        for tile in tiles {
            let _quota = domain.ctx().clone().share(SHARE);
            match self.part(tile, domain, scope) {
                Ok(Some((part, own))) if single || own.from.is_empty() => {
                    parts.push(part);
                    bounds.from.extend(own.from);
                    bounds.until.extend(own.until);
                }
                Ok(_) | Err(poly::Error::Quota) => {}
                Err(e) => return Err(e),
            }
        }
        let mut settled = false;
        for part in &mut parts {
            settled |= settle(&mut part.kernel, &mut bounds.until);
        }
        if settled {
            bounds.until = least_of(bounds.until);
        }
        // Something else runs in front of the first step: there is no head.
        let begins = |p: &Part| {
            let no_step = |until: &Expr| at_most(until, &p.kernel.first);
            !bounds.until.iter().any(no_step)
        };
        parts.retain(begins);
        let first = bounds.from.into_iter().reduce(|a, b| expr::max(&a, &b));
        let bound = bounds.until.into_iter().reduce(|a, b| expr::min(&a, &b));
        let mut program = vec![];
        for part in &parts {
            program.push(head_kernel(part, first.as_ref(), bound.as_ref()));
        }
        program.push(match (&parts[..], first) {
            ([part], Some(first)) => self.around(part, first, bound, child, domain, scope)?,
            _ => self.rest(&parts, bound, child, domain, scope)?,
        });
        Ok(block(program))
    }

    /// The kernel of a statement, with lower bounds of its `K`; `None` if it has no head.
    fn part(
        &self,
        tile: &RegisterTile,
        domain: &UnionSet,
        scope: &Scope,
    ) -> poly::Result<Option<(Part<'a>, Steps)>> {
        let scop: &'a Scop = self.scop;
        let stmt = scop.stmt(tile.stmt);
        let Some((kernel, nonempty, points)) = whole_tile(stmt, tile, domain, scope)? else {
            return Ok(None);
        };
        if tile.row.is_some() && !self.lanes_contiguous(stmt, &kernel)? {
            return Ok(None);
        }
        let Some(band) = &scope.tile_rows else {
            return Ok(None);
        };
        let Some(reduction) = of_stmt(&band.at(tile.reduction)?, stmt)? else {
            return Ok(None);
        };
        let points = points.intersect_params(&scope.context)?;
        let width = i64::from(tile.rows + tile.vectors * tile.lanes);
        let ends = (&kernel.first, &kernel.last);
        let bounds = self.bounds(stmt, (&reduction, width), ends, &points, domain, scope)?;
        let Some(mut bounds) = bounds else {
            return Ok(None);
        };
        bounds.until.extend(limits(&kernel, scope));
        let part = Part {
            stmt,
            kernel,
            nonempty,
            reduction,
        };
        Ok(Some((part, bounds)))
    }

    /// Whether all reads that are not packed stand still or are contiguous along the lanes; cells may lie a few elements
    /// apart.
    fn lanes_contiguous(&self, stmt: &Stmt, kernel: &MicroKernel) -> poly::Result<bool> {
        let mut packed = vec![];
        for panel in [&kernel.row_panel, &kernel.lane_panel]
            .into_iter()
            .flatten()
        {
            for &operand in &panel.operands {
                packed.extend(accesses_of(stmt, operand));
            }
        }
        for (n, a) in stmt.accesses.iter().enumerate() {
            let stride = moves_along(self.scop, a, &kernel.lane_step)?;
            let elements = match a.place == stmt.write().place {
                true => 1..=MAX_CELL_STRIDE,
                false => 1..=1,
            };
            let near = |e: i128| stride == Stride::Const(e * i128::from(a.ty.bytes()));
            if stride != Stride::Zero && !elements.into_iter().any(near) && !packed.contains(&n) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Bounds of the steps before whose instances, among `points`, nothing else must run; late ends of dependences within
    /// `width` of the least step of the tile are left out at the beginning where that is possible. `ends` are the kernel's first and
    /// last step.
    fn bounds(
        &self,
        stmt: &Stmt,
        (reduction, width): (&PwAff, i64),
        ends: (&Expr, &Expr),
        points: &Set,
        domain: &UnionSet,
        scope: &Scope,
    ) -> poly::Result<Option<Steps>> {
        let mut bounds = Steps::default();
        let value = Map::from_pw_aff(reduction)?;
        let own = update(stmt)?.filter(|u| u.commutes_with(*u));
        let begin = match own {
            Some(_) => Some(points.apply(&value)?.dim_min(0)?),
            None => None,
        };
        for set in domain.sets()? {
            let Some(other) = set.tuple_name().and_then(|n| self.scop.stmt_by_name(&n)) else {
                return Ok(None);
            };
            let set = set.intersect_params(&scope.context)?;
            for dependent in dependents(other, &set, (stmt, own), points)? {
                let indices = dependent.apply(&value)?.remove_divs()?;
                for piece in indices.intersect_params(&scope.context)?.basic_sets()? {
                    if piece.is_empty()? {
                        continue;
                    }
                    let early = match &begin {
                        Some(begin) => within(&piece, begin, width, scope)?,
                        None => false,
                    };
                    let (list, bound) = match early {
                        true => {
                            let after = greatest(&piece, scope)?;
                            (
                                &mut bounds.from,
                                after.map(|b| expr::add(&b, &Expr::Int(1))),
                            )
                        }
                        false => (&mut bounds.until, where_it_holds(&piece, ends, scope)?),
                    };
                    match bound {
                        Some(bound) if list.contains(&bound) => {}
                        Some(bound) if list.len() < MAX_BOUNDS => list.push(bound),
                        _ => return Ok(None),
                    }
                }
            }
        }
        Ok(Some(bounds))
    }

    /// What a kernel leaves that begins late: its statement before `first` and from `bound` on, and all others.
    fn around(
        &mut self,
        part: &Part,
        first: Expr,
        bound: Option<Expr>,
        child: &Tree,
        domain: &UnionSet,
        scope: &Scope,
    ) -> poly::Result<Ast> {
        let bound = bound.unwrap_or(expr::add(&part.kernel.last, &Expr::Int(1)));
        let (outer, begin, inner) = self.named(scope)?;
        let (iter, end, inner) = self.named(&inner)?;
        let others = domain.subtract(&everywhere(part.stmt)?.to_union_set()?)?;
        let all = everywhere(part.stmt)?.to_union_set()?;
        let early = all.subtract(&from(part.stmt, &part.reduction, &begin)?)?;
        let late = from(part.stmt, &part.reduction, &end)?;
        let left = others.union(&domain.intersect(&early.union(&late)?)?)?;
        let apart = parted(self.scop, part, child, &left, [&begin, &end], scope)?;
        let body = self.tree(apart.as_ref().unwrap_or(child), &left, &inner)?;
        Ok(once(outer, first, once(iter, bound, body)))
    }

    /// What the kernels leave: their statements from `bound` on, and all others.
    fn rest(
        &mut self,
        parts: &[Part],
        bound: Option<Expr>,
        child: &Tree,
        domain: &UnionSet,
        scope: &Scope,
    ) -> poly::Result<Ast> {
        let mut left = domain.clone();
        for part in parts {
            left = left.subtract(&everywhere(part.stmt)?.to_union_set()?)?;
        }
        let (Some(bound), false) = (bound, parts.is_empty()) else {
            return match left.is_empty()? {
                true => Ok(block(vec![])),
                false => self.tree(child, &left, scope),
            };
        };
        let others = self.others(&left, parts, &bound, scope)?;
        let (iter, name, mut inner) = self.named(scope)?;
        let mut own = UnionSet::empty(&left.space()?)?;
        for part in parts {
            let late = from(part.stmt, &part.reduction, &name)?;
            own = own.union(&domain.intersect(&late)?)?;
        }
        let Some(Others { first, rows }) = others else {
            let body = self.tree(child, &left.union(&own)?, &inner)?;
            return Ok(once(iter, bound, body));
        };
        let (outer, start, named) = self.named(&inner)?;
        inner = named;
        let order = format!("[{start}, {name}] -> {{ : {start} <= {name} }}");
        inner.context = inner
            .context
            .intersect(&Set::parse(domain.ctx(), &order)?)?;
        for (stmt, row) in &rows {
            own = own.union(&left.intersect(&from(stmt, row, &start)?)?)?;
        }
        let body = self.tree(child, &own, &inner)?;
        let first = expr::min(&first, &Expr::Iter(iter));
        Ok(once(iter, bound, once(outer, first, body)))
    }

    /// A place with one more name, whose value is that of a new iterator.
    pub(super) fn named(&mut self, scope: &Scope) -> poly::Result<(IterId, String, Scope)> {
        let iter = self.fresh_iter();
        let name = format!("{}_k{}", scope.prefix, self.next_origin);
        self.next_origin += 1;
        let mut inner = scope.clone();
        inner.bind(&name, Expr::Iter(iter));
        let named = Set::universe(&scope.context.space()?.add_param(&name)?)?;
        inner.context = scope.context.intersect(&named)?;
        Ok((iter, name, inner))
    }

    /// The other statements of a tile; `None` if the beginning of one is not known.
    fn others(
        &self,
        left: &UnionSet,
        parts: &[Part],
        bound: &Expr,
        scope: &Scope,
    ) -> poly::Result<Option<Others<'a>>> {
        let _quota = left.ctx().clone().share(SHARE);
        let (Some(band), Some(part)) = (&scope.tile_rows, parts.first()) else {
            return Ok(None);
        };
        let row = band.at(part.kernel.tile.reduction)?;
        let mut first = bound.clone();
        let mut rows = vec![];
        for set in left.sets()? {
            let scop: &'a Scop = self.scop;
            let Some(stmt) = set.tuple_name().and_then(|n| scop.stmt_by_name(&n)) else {
                return Ok(None);
            };
            let Some(reduction) = of_stmt(&row, stmt)? else {
                return Ok(None);
            };
            let steps = set.apply(&Map::from_pw_aff(&reduction)?)?.remove_divs()?;
            let steps = steps.intersect_params(&scope.context)?;
            for piece in steps.gist_params(&scope.context)?.basic_sets()? {
                let Some((holds, least)) = least(&piece, scope)? else {
                    return Ok(None);
                };
                first = expr::min(&first, &expr::select(&holds, &least, bound));
            }
            rows.push((stmt, reduction));
        }
        Ok(Some(Others { first, rows }))
    }
}

/// The point tree of a head that begins late, with the steps before it, those of the head and those behind it in loops of
/// their own below the outermost band: no loop should walk through what the kernel does. `names` are the first step of the
/// head and the one behind it. `None` where the rows of the reduction are not known.
fn parted(
    scop: &Scop,
    part: &Part,
    child: &Tree,
    left: &UnionSet,
    names: [&str; 2],
    scope: &Scope,
) -> poly::Result<Option<Tree>> {
    let (Some(band), Tree::Band(outer)) = (&scope.tile_rows, child) else {
        return Ok(None);
    };
    let row = band.at(part.kernel.tile.reduction)?;
    let [mut begun, mut ended, mut all]: [Option<UnionSet>; 3] = [None, None, None];
    let joined = |a: Option<UnionSet>, b: UnionSet| match a {
        Some(a) => a.union(&b).map(Some),
        None => Ok(Some(b)),
    };
    for set in left.sets()? {
        let Some(stmt) = set.tuple_name().and_then(|n| scop.stmt_by_name(&n)) else {
            return Ok(None);
        };
        let Some(step) = of_stmt(&row, stmt)? else {
            return Ok(None);
        };
        begun = joined(begun, from(stmt, &step, names[0])?)?;
        ended = joined(ended, from(stmt, &step, names[1])?)?;
        all = joined(all, everywhere(stmt)?.to_union_set()?)?;
    }
    let (Some(begun), Some(ended), Some(all)) = (begun, ended, all) else {
        return Ok(None);
    };
    let branch = |filter: UnionSet| Branch {
        filter,
        child: outer.child.clone(),
    };
    let steps = Tree::Sequence(vec![
        branch(all.subtract(&begun)?),
        branch(begun.subtract(&ended)?),
        branch(begun.intersect(&ended)?),
    ]);
    Ok(Some(Tree::Band(Box::new(Band {
        child: steps,
        ..(**outer).clone()
    }))))
}

/// Drops the constraints of a kernel that tie the end of its reduction to rows or lanes, if the head ends before any of them
/// matters; whether there were any. For that the head may end one step early, which is not worth masks in all of them. Tiles without
/// rows keep theirs: their last steps are few, and faster apart (`codegen/src/tile/apart.rs`).
fn settle(kernel: &mut MicroKernel, until: &mut [Expr]) -> bool {
    if kernel.tile.row.is_none() {
        return false;
    }
    let count = kernel.constraints.len();
    let mut begins = vec![];
    expr::operands(BinOp::Max, &kernel.first, &mut begins);
    let rows = i64::from(kernel.tile.rows) - 1;
    let lanes = i64::from(kernel.tile.vectors * kernel.tile.lanes) - 1;
    let first = &kernel.first;
    kernel.constraints.retain(|c| {
        if c.reduction != -1 {
            return true;
        }
        // k <= rest + row * r + lane * l for all of them.
        let least = (c.row * rows).min(0) + (c.lane * lanes).min(0);
        let end = expr::add(&c.rest, &Expr::Int(least + 1));
        let ends = |bound: &&mut Expr| {
            let mut greatest = vec![];
            expr::operands(BinOp::Max, bound, &mut greatest);
            let count = greatest.len();
            let at_first = |e: &Expr| {
                begins
                    .iter()
                    .any(|b| expr::difference(e, b).is_some_and(|d| d <= 1))
            };
            greatest.retain(|e| !expr::same(e, &end));
            greatest.len() < count && greatest.iter().all(at_first)
        };
        match until.iter_mut().find(ends) {
            Some(bound) => {
                *bound = expr::max(first, &end);
                false
            }
            None => true,
        }
    });
    kernel.constraints.len() < count
}

/// The bounds without those that are never the least: `max(b + 1, r)` beside `max(b, r)`.
fn least_of(bounds: Vec<Expr>) -> Vec<Expr> {
    let mut kept: Vec<Expr> = vec![];
    for b in bounds {
        if !kept.iter().any(|k| at_most(k, &b)) {
            kept.retain(|k| !at_most(&b, k));
            kept.push(b);
        }
    }
    kept
}

/// Whether one maximum is known not to exceed the other.
fn at_most(a: &Expr, b: &Expr) -> bool {
    let (mut lesser, mut greater) = (vec![], vec![]);
    expr::operands(BinOp::Max, a, &mut lesser);
    expr::operands(BinOp::Max, b, &mut greater);
    let below = |x: &Expr| {
        greater
            .iter()
            .any(|y| expr::difference(y, x).is_some_and(|d| d >= 0))
    };
    lesser.iter().all(below)
}

/// Nested register tiles, and what is below them.
fn chain(tree: &Tree) -> (Vec<&RegisterTile>, &Tree) {
    let mut tiles = vec![];
    let mut at = tree;
    while let Tree::Mark(Mark::RegisterTile(tile), child) = at {
        tiles.push(tile);
        at = child;
    }
    (tiles, at)
}

/// The kernel for the instances with `first <= k < bound`.
fn head_kernel(part: &Part, first: Option<&Expr>, bound: Option<&Expr>) -> Ast {
    let mut kernel = part.kernel.clone();
    let mut run = part.nonempty.clone();
    if let Some(first) = first {
        kernel.first = expr::max(&kernel.first, first);
    }
    if let Some(bound) = bound {
        kernel.last = expr::min(&kernel.last, &expr::sub(bound, &Expr::Int(1)));
    }
    if first.is_some() || bound.is_some() {
        run = expr::all(&[run, expr::bin(BinOp::Le, &kernel.first, &kernel.last)]);
    }
    condition(run, Ast::MicroKernel(Box::new(kernel)), None)
}

/// The instances of a statement from the named step of the reduction on.
fn from(stmt: &Stmt, reduction: &PwAff, name: &str) -> poly::Result<UnionSet> {
    let space = reduction.domain()?.space()?.add_param(name)?;
    let first = PwAff::param_on_domain(&Set::universe(&space)?, name)?;
    let late = everywhere(stmt)?.intersect(&reduction.ge_set(&first)?)?;
    late.to_union_set()
}

/// All points of the statement's space.
fn everywhere(stmt: &Stmt) -> poly::Result<Set> {
    Set::universe(&stmt.domain.space()?)
}

/// The instances of `stmt` in `points` that must run after an instance of `other` in `set`, per pair of accesses; `commuting`
/// is what `stmt` is as an update that commutes with itself.
fn dependents(
    other: &Stmt,
    set: &Set,
    (stmt, commuting): (&Stmt, Option<Update>),
    points: &Set,
) -> poly::Result<Vec<Set>> {
    let own = other.id == stmt.id;
    let order = before(other, stmt)?;
    let both = match (update(other)?, commuting) {
        (Some(o), Some(s)) if o.commutes_with(s) => Some((o.read, s.read)),
        _ => None,
    };
    let commute =
        |n: usize, m: usize| both.is_some_and(|(o, s)| [0, o].contains(&n) && [0, s].contains(&m));
    let mut found = vec![];
    for (n, a) in other.accesses.iter().enumerate() {
        for (m, b) in stmt.accesses.iter().enumerate() {
            if a.array != b.array || [a, b].iter().all(|x| x.kind == AccessKind::Read) {
                continue;
            }
            let kept = match commuting {
                Some(_) => commute(n, m),
                None => own && (n != 0 || updates(stmt, b)?),
            };
            if kept {
                continue;
            }
            let pairs = a.relation.apply_range(&b.relation.reverse()?)?;
            let pairs = pairs.intersect(&order)?.intersect_domain(set)?;
            let late = pairs.intersect_range(points)?.range()?;
            if !late.is_empty()? {
                found.push(late);
            }
        }
    }
    Ok(found)
}

/// The bound of a head before these steps, in a tile with these ends; `None` if there is none. A bound that leaves no step counts
/// only in tiles where it holds (on the diagonal, say, or by a step that is the same for all tiles, as the first one); others are simpler without
/// the condition.
fn where_it_holds(
    steps: &BasicSet,
    (first, last): (&Expr, &Expr),
    scope: &Scope,
) -> poly::Result<Option<Expr>> {
    let Some((_, bound)) = least(steps, scope)? else {
        return Ok(None);
    };
    if !at_most(&bound, first) && !matches!(bound, Expr::Int(_)) {
        return Ok(Some(bound));
    }
    let here = steps.to_set()?.gist_params(&scope.context)?;
    Ok(Some(match &here.basic_sets()?[..] {
        [here] => match least(here, scope)? {
            Some((holds, _)) => expr::select(&holds, &bound, &expr::add(last, &Expr::Int(1))),
            None => bound,
        },
        _ => bound,
    }))
}

/// Whether an access is to the cell that the statement writes.
fn updates(stmt: &Stmt, access: &Access) -> poly::Result<bool> {
    let write = stmt.write();
    Ok(access.array == write.array && access.relation.is_equal(&write.relation)?)
}

/// Whether no step of a piece is more than `width` after `begin`.
fn within(steps: &BasicSet, begin: &PwAff, width: i64, scope: &Scope) -> poly::Result<bool> {
    let end = steps.to_set()?.dim_max(0)?;
    let far = end.ge_set(&begin.add_constant_si(width + 1)?)?;
    far.intersect_params(&scope.context)?.is_empty()
}

/// An upper bound of the only coordinate of a set by the parameters; `None` if there is none.
fn greatest(steps: &BasicSet, scope: &Scope) -> poly::Result<Option<Expr>> {
    Ok(least(&steps.neg()?, scope)?.map(|(_, b)| expr::neg(&b)))
}

/// A condition on the parameters that holds wherever the set is not empty, and a lower bound of its only coordinate by
/// the parameters; `None` if there is none.
pub(super) fn least(indices: &BasicSet, scope: &Scope) -> poly::Result<Option<(Expr, Expr)>> {
    let indices = indices.remove_redundancies()?;
    let params = indices.dim(DimType::Param);
    let space = indices.space()?;
    let mut bound: Option<Expr> = None;
    let mut holds = vec![];
    let mut add = |row: &[i64]| -> poly::Result<()> {
        let k = row[1 + params];
        if k < 0 {
            return Ok(());
        }
        let mut rest = Expr::Int(row[0]);
        for (p, &c) in row[1..=params].iter().enumerate().filter(|&(_, &c)| c != 0) {
            let name = space.dim_name(DimType::Param, p).unwrap_or_default();
            rest = expr::add(&rest, &expr::mul(&Expr::Int(c), &scope.value(&name)));
        }
        if k == 0 {
            holds.push(expr::bin(BinOp::Ge, &rest, &Expr::Int(0)));
            return Ok(());
        }
        // k >= ceil(-rest / c) = -floor(rest / c)
        let here = expr::neg(&expr::bin(BinOp::FloorDiv, &rest, &Expr::Int(k)));
        bound = Some(match bound.take() {
            None => here,
            Some(b) => expr::max(&b, &here),
        });
        Ok(())
    };
    for row in indices.equalities_matrix()? {
        add(&row)?;
        add(&row.iter().map(|c| -c).collect::<Vec<i64>>())?;
    }
    for row in indices.inequalities_matrix()? {
        add(&row)?;
    }
    Ok(bound.map(|b| (expr::all(&holds), b)))
}
