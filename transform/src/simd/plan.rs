//! Where register tiles go in a schedule: [`register_tiling`] turns a permutable band around an accumulating statement
//! into two levels of tiles with a register tile at the bottom.
//!
//! ```text
//! band [i, j, k]                      members reordered to lane, reduction, row
//!   -> tile bands [j, k, i]           cache blocks, with copies of operands between them (`levels`)
//!      tile band [j, k, i]            sizes V, Whole, R
//!      sequence: statements before | register tile | statements after
//! ```
//!
//! Statements of the band that do not depend on each other in a circle run one after the other in a register tile, so
//! that those before and behind the accumulating ones, and several accumulating ones, do not meet. In a circle
//! (factorizations) all share one point tree, and the accumulating ones run ahead as far as nothing in the tile must come
//! before (the heads of [`crate::ast`]).

use super::lanes::lane;
use super::levels::{cache_levels, in_waves};
use super::packing::{Packs, packs};
use super::{
    NotAccumulating, Roles, along, inverse_columns, linear_parts, moves_along, register_shape,
    roles,
};
use crate::live::{Live, statements};
use crate::target::Target;
use crate::tile::BandTiling;
use crate::tile::points::{ordered_groups, sweeps};
use polytile_analysis::ids::StmtId;
use polytile_analysis::poly::{DimType, Map, MultiUnionPwAff, Result, UnionSet};
use polytile_analysis::scop::{Access, AccessKind, Place, Scop, Stmt};
use polytile_analysis::stride::Stride;
use polytile_analysis::tree::{Band, Branch, LoopKind, Mark, RegisterTile, Supply, Tree};
use std::collections::BTreeSet;

/// A band whose accumulating statements run as register tiles.
#[derive(Clone, Debug)]
pub struct RegisterTiling {
    /// The band with its members in tile order.
    pub band: Band,
    /// Its tiling.
    pub tiling: BandTiling,
}

/// A register tile needs at least so many lanes.
const MIN_LANES: u64 = 2;

/// Bands of more members are taken as they are.
const MAX_LEANING_MEMBERS: usize = 4;

/// The register tiling of a band below bands of these `outer` rows, which leave the dependences `live` open; `None` if no statement of it accumulates.
pub fn register_tiling(
    scop: &Scop,
    live: &Live,
    outer: &[MultiUnionPwAff],
    band: &Band,
    domain: &UnionSet,
    target: &Target,
    parallel: bool,
) -> Result<Option<RegisterTiling>> {
    if !band.permutable || band.tile.is_some() || band.schedule.size() < 3 || !is_flat(&band.child)
    {
        return Ok(None);
    }
    let stmts = statements(scop, domain)?;
    let stmts: Vec<&Stmt> = stmts.iter().map(|id| scop.stmt(*id)).collect();
    let Some((band, mut found)) = accumulating(scop, &stmts, outer, band)? else {
        return Ok(None);
    };
    let (first, roles) = found[0].clone();
    found.retain(|(_, r)| (r.row, r.lane, r.reduction) == (roles.row, roles.lane, roles.reduction));
    if alternate(scop, live, &stmts, &found)? {
        return Ok(None);
    }
    let Some(shape) = Shape::new(scop, &found, target) else {
        return Ok(None);
    };
    let waves = step_by_step(&band, &roles);
    let order = member_order(&band, &roles, waves);
    let at = |member: usize| {
        order
            .iter()
            .position(|&m| m == member)
            .expect("a permutation")
    };
    let band = reordered(&band, &order)?;
    let roles = Roles {
        row: at(roles.row),
        lane: at(roles.lane),
        reduction: at(roles.reduction),
        ..roles
    };
    let Some(packs) = packs(scop, &stmts, &found, outer, &band, &roles, &shape)? else {
        return Ok(None);
    };
    let points = point_tree(scop, live, &stmts, &found, &band, &roles, &shape)?;
    let element = scop.array(first.write().array).ty.bytes();
    let sizes = (element, target);
    let mut tiling = match waves {
        false => cache_levels(&band, &roles, &shape, sizes, packs, points),
        true => {
            let none = Packs::default();
            let levels = cache_levels(&band, &roles, &shape, sizes, none, points);
            in_waves(levels, &roles, &shape, packs)
        }
    };
    if !parallel {
        tiling.loops.clear();
        tiling.wavefront.clear();
    }
    Ok(Some(RegisterTiling { band, tiling }))
}

/// A band and its accumulating statements.
type Accumulating<'s> = (Band, Vec<(&'s Stmt, Roles)>);

/// The band and its accumulating statements. If it has none as it is, one member may lean on another: in
/// `C[i][i + j] += A[k][i] * A[k][i + j]` the operands ignore `i` or `i + j`, and not `j`. The sum of two members of a
/// permutable band is one that no dependence goes against either. A reduction does not lean where it would run over a window of its own in
/// each row or lane: `out[i] += in[i + k] * w[k]` would be a product with a matrix of bands, most of which is empty where windows are short.
/// (Over a triangle, `k` from `i` on, it has one slanted end either way.)
fn accumulating<'s>(
    scop: &Scop,
    stmts: &[&'s Stmt],
    outer: &[MultiUnionPwAff],
    band: &Band,
) -> Result<Option<Accumulating<'s>>> {
    let found = |band: &Band| -> Result<Vec<(&'s Stmt, Roles)>> {
        let mut found = vec![];
        for &stmt in stmts {
            if let Some(r) = band_roles(scop, stmt, outer, band)? {
                found.push((stmt, r));
            }
        }
        Ok(found)
    };
    let plain = found(band)?;
    if !plain.is_empty() {
        return Ok(Some((band.clone(), plain)));
    }
    let members = band.schedule.size();
    if members > MAX_LEANING_MEMBERS {
        return Ok(None);
    }
    for (on, member) in (0..members).flat_map(|o| (0..members).map(move |m| (o, m))) {
        if on != member {
            let leaning = leaning(band, member, on)?;
            let list = found(&leaning)?;
            let mut bands_of_zeros = false;
            for (stmt, roles) in &list {
                let slanted = |band| slanted(stmt, outer, band, [member, on]);
                bands_of_zeros |= roles.reduction == member && slanted(&leaning)? > slanted(band)?;
            }
            if !list.is_empty() && !bands_of_zeros {
                return Ok(Some((leaning, list)));
            }
        }
    }
    Ok(None)
}

/// How many bounds of a statement's iterations move with both of two members.
fn slanted(
    stmt: &Stmt,
    outer: &[MultiUnionPwAff],
    band: &Band,
    members: [usize; 2],
) -> Result<usize> {
    let Some(directions) = directions(stmt, outer, band)? else {
        return Ok(0);
    };
    let mut count = 0;
    for part in stmt.domain.basic_sets()? {
        for c in part.constraints()? {
            let along = along(stmt, &c)?;
            let moves = |m: usize| directions[m].as_ref().is_some_and(|d| along(d) != 0);
            count += usize::from(members.into_iter().all(moves));
        }
    }
    Ok(count)
}

/// The band with one member replaced by its sum with another.
fn leaning(band: &Band, member: usize, on: usize) -> Result<Band> {
    let mut schedule: Option<MultiUnionPwAff> = None;
    for m in 0..band.schedule.size() {
        let mut row = band.schedule.at(m)?;
        if m == member {
            row = row.add(&band.schedule.at(on)?)?;
        }
        let row = MultiUnionPwAff::from_union_pw_aff(&row)?;
        schedule = Some(match schedule {
            None => row,
            Some(s) => s.flat_range_product(&row)?,
        });
    }
    let mut leaning = band.clone();
    leaning.schedule = schedule.unwrap_or_else(|| band.schedule.clone());
    leaning.coincident[member] &= band.coincident[on];
    Ok(leaning)
}

/// Only sequences and leaves below the band.
fn is_flat(tree: &Tree) -> bool {
    match tree {
        Tree::Leaf => true,
        Tree::Sequence(list) | Tree::Set(list) => list.iter().all(|b| is_flat(&b.child)),
        Tree::Mark(_, child) => is_flat(child),
        Tree::Band(_) => false,
    }
}

/// The steps of the iterators along the band's members; `None` if they have none.
pub(super) fn directions(
    stmt: &Stmt,
    outer: &[MultiUnionPwAff],
    band: &Band,
) -> Result<Option<Vec<Option<Vec<i64>>>>> {
    let Some(mut rows) = linear_parts(&band.schedule, stmt)? else {
        return Ok(None);
    };
    let members = rows.len();
    for o in outer {
        match linear_parts(o, stmt)? {
            Some(r) => rows.extend(r),
            None => return Ok(None),
        }
    }
    Ok(inverse_columns(&rows, stmt.depth()).map(|mut all| {
        all.truncate(members);
        all
    }))
}

/// The accumulating statements among some of a band, with their roles.
pub fn accumulating_roles(
    scop: &Scop,
    stmts: &[StmtId],
    outer: &[MultiUnionPwAff],
    band: &Band,
) -> Result<Vec<(StmtId, Roles)>> {
    let mut found = vec![];
    for &s in stmts {
        if let Some(r) = band_roles(scop, scop.stmt(s), outer, band)? {
            found.push((s, r));
        }
    }
    Ok(found)
}

/// The roles of the band's members for a statement.
fn band_roles(
    scop: &Scop,
    stmt: &Stmt,
    outer: &[MultiUnionPwAff],
    band: &Band,
) -> Result<Option<Roles>> {
    let Some(directions) = directions(stmt, outer, band)? else {
        return Ok(None);
    };
    match roles(scop, stmt, &directions)? {
        Ok(r) => Ok(Some(r)),
        Err(why) => {
            log::debug!("{}: no register tile: {why:?}", stmt.name);
            let _: NotAccumulating = why;
            Ok(None)
        }
    }
}

/// Sizes of the register tile that all accumulating statements share.
pub(super) struct Shape {
    pub(super) rows: u32,
    pub(super) vectors: u32,
    pub(super) lanes: u32,
}

impl Shape {
    fn new(scop: &Scop, found: &[(&Stmt, Roles)], target: &Target) -> Option<Shape> {
        let bytes = |s: &Stmt| scop.array(s.write().array).ty.bytes();
        let widest = found.iter().map(|(s, _)| bytes(s)).max()?;
        let lanes = target.lanes(widest);
        if lanes < MIN_LANES || found.iter().any(|(s, _)| bytes(s) != widest) {
            return None;
        }
        let reads = found.iter().map(|(_, r)| r.lane_reads).max()?;
        let (rows, vectors) = register_shape(target.register_file(), reads)?;
        Some(Shape {
            rows,
            vectors,
            lanes: u32::try_from(lanes).ok()?,
        })
    }

    pub(super) fn columns(&self) -> i64 {
        i64::from(self.vectors * self.lanes)
    }
}

/// Lane, then reduction, then row; members without a role stay outermost. In waves, blocks of rows and lanes run below
/// the reduction block.
fn member_order(band: &Band, roles: &Roles, waves: bool) -> Vec<usize> {
    let with_role = match waves {
        false => [roles.lane, roles.reduction, roles.row],
        true => [roles.reduction, roles.row, roles.lane],
    };
    let others = (0..band.schedule.size()).filter(|m| !with_role.contains(m));
    others.chain(with_role).collect()
}

/// The band with its members in another order.
pub fn reordered(band: &Band, order: &[usize]) -> Result<Band> {
    let mut schedule: Option<MultiUnionPwAff> = None;
    for &m in order {
        let row = MultiUnionPwAff::from_union_pw_aff(&band.schedule.at(m)?)?;
        schedule = Some(match schedule {
            None => row,
            Some(s) => s.flat_range_product(&row)?,
        });
    }
    Ok(Band {
        schedule: schedule.unwrap_or_else(|| band.schedule.clone()),
        permutable: band.permutable,
        coincident: order.iter().map(|&m| band.coincident[m]).collect(),
        loops: order.iter().map(|&m| band.loops[m]).collect(),
        tile: None,
        child: band.child.clone(),
    })
}

/// Whether two accumulating statements of a circle add to the same cell in turn: `s += a[k]*b[k]; s += c[k]*d[k]` for each
/// `k`. None may run ahead of the other then, so that nothing is left for their register tiles.
fn alternate(scop: &Scop, live: &Live, stmts: &[&Stmt], found: &[(&Stmt, Roles)]) -> Result<bool> {
    let groups = groups(live, stmts);
    for (i, (a, _)) in found.iter().enumerate() {
        for (b, _) in &found[..i] {
            let circle = |g: &Vec<StmtId>| g.contains(&a.id) && g.contains(&b.id);
            let same = a.write().array == b.write().array && a.depth() == b.depth();
            if same && groups.iter().any(circle) {
                let cells = |s: &Stmt| {
                    let relation = s.write().relation.intersect_domain(&s.domain)?;
                    relation.set_tuple_name(DimType::In, "")
                };
                let context = |m: Map| m.intersect_params(&scop.context);
                if !context(cells(a)?.intersect(&cells(b)?)?)?.is_empty()? {
                    return Ok(true);
                }
            }
        }
    }
    Ok(false)
}

/// Groups of statements that depend on each other in a circle, in the order in which they may run.
fn groups(live: &Live, stmts: &[&Stmt]) -> Vec<Vec<StmtId>> {
    let ids: Vec<StmtId> = stmts.iter().map(|s| s.id).collect();
    let edges: BTreeSet<(StmtId, StmtId)> = live
        .edges()
        .into_iter()
        .filter(|(s, t)| ids.contains(s) && ids.contains(t))
        .collect();
    ordered_groups(&ids, &edges)
}

/// The order inside a register tile: groups of statements that depend on each other in a circle, one after the other.
fn point_tree(
    scop: &Scop,
    live: &Live,
    stmts: &[&Stmt],
    found: &[(&Stmt, Roles)],
    band: &Band,
    roles: &Roles,
    shape: &Shape,
) -> Result<Tree> {
    let mark = |stmt: StmtId| {
        Mark::RegisterTile(RegisterTile {
            stmt,
            row: Some(roles.row),
            rows: shape.rows,
            lane: roles.lane,
            vectors: shape.vectors,
            lanes: shape.lanes,
            reduction: roles.reduction,
        })
    };
    let points = match shape.rows > 1 && solves(scop, stmts, band, roles)? {
        true => solving(band, roles, shape)?,
        false => point_band(band, roles)?,
    };
    let mut parts: Vec<(Vec<StmtId>, Vec<StmtId>)> = vec![];
    for group in groups(live, stmts) {
        let all = found.iter().map(|(s, _)| s.id);
        let accumulating: Vec<StmtId> = all.filter(|s| group.contains(s)).collect();
        match parts.last_mut() {
            Some((last, tiles)) if tiles.is_empty() && accumulating.is_empty() => {
                last.extend(group);
            }
            _ => parts.push((group, accumulating)),
        }
    }
    let mut branches = vec![];
    for (part, accumulating) in parts {
        let Some(filter) = filter(scop, &part)? else {
            continue;
        };
        let wrap = |tree, s: &StmtId| Tree::Mark(mark(*s), Box::new(tree));
        let loops = match step_by_step(band, roles) && part.len() > 1 {
            true => sweeps(scop, live, &points, &filter)?,
            false => None,
        };
        let loops = loops.unwrap_or_else(|| Tree::Band(Box::new(points.clone())));
        let child = accumulating.iter().rev().fold(loops, wrap);
        branches.push(Branch { filter, child });
    }
    Ok(match branches.len() {
        1 => branches.remove(0).child,
        _ => Tree::Sequence(branches),
    })
}

/// The instances of some statements.
fn filter(scop: &Scop, part: &[StmtId]) -> Result<Option<UnionSet>> {
    let mut all: Option<UnionSet> = None;
    for &s in part {
        let one = scop.stmt(s).domain.to_union_set()?;
        all = Some(match all {
            None => one,
            Some(a) => a.union(&one)?,
        });
    }
    Ok(all)
}

/// Whether each row waits for its own reduction (factorizations). Then the points of a tile run one step of the reduction
/// after the other, so that the chains of its rows overlap, and in a step no statement waits for itself.
pub(super) fn step_by_step(band: &Band, roles: &Roles) -> bool {
    !band.coincident[roles.row] && !band.coincident[roles.lane]
}

/// Point loops: row, reduction, then lanes, which run in vectors where they are independent; or step by step.
fn point_band(band: &Band, roles: &Roles) -> Result<Band> {
    let with_role = match step_by_step(band, roles) {
        false => [roles.row, roles.reduction, roles.lane],
        true => [roles.reduction, roles.row, roles.lane],
    };
    let others = (0..band.schedule.size()).filter(|m| !with_role.contains(m));
    let order: Vec<usize> = others.chain(with_role).collect();
    let mut points = reordered(band, &order)?;
    points.loops = vec![LoopKind::Sequential; order.len()];
    if let (Some(kind), Some(true)) = (points.loops.last_mut(), points.coincident.last()) {
        *kind = LoopKind::Vector;
    }
    Ok(points)
}

/// Whether each row of a tile solves a system of its own: its columns wait for each other, other rows do not, and all statements
/// run in lanes of rows.
fn solves(scop: &Scop, stmts: &[&Stmt], band: &Band, roles: &Roles) -> Result<bool> {
    if !band.coincident[roles.row] || band.coincident[roles.lane] {
        return Ok(false);
    }
    let row = band.schedule.at(roles.row)?;
    for s in stmts {
        let Some(lane) = lane(s, &row)? else {
            return Ok(false);
        };
        let step: Vec<i64> = (0..s.depth()).map(|d| (d == lane).into()).collect();
        for a in &s.accesses {
            if moves_along(scop, a, &step)? == Stride::Irregular || is_written_scalar(a) {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

fn is_written_scalar(a: &Access) -> bool {
    matches!(a.place, Place::Scalar) && a.kind != AccessKind::Read
}

/// Point loops of rows that solve systems: rows in lanes, and the columns' sums innermost, in registers. One row after the other, each
/// division would be waited for.
fn solving(band: &Band, roles: &Roles, shape: &Shape) -> Result<Band> {
    let with_role = [roles.row, roles.lane, roles.reduction];
    let others = (0..band.schedule.size()).filter(|m| !with_role.contains(m));
    let order: Vec<usize> = others.chain(with_role).collect();
    let mut points = reordered(band, &order)?;
    points.loops = vec![LoopKind::Sequential; order.len()];
    let lanes = shape.lanes.min(1 << shape.rows.ilog2());
    points.loops[order.len() - with_role.len()] = LoopKind::Lanes {
        lanes,
        vectors: shape.rows / lanes,
        supply: Supply::Near,
    };
    Ok(points)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ast::generate;
    use crate::testing::{band, check_run, rows, sample};
    use crate::tile::tile;
    use polytile_analysis::ast::Ast;
    use polytile_analysis::deps::compute;
    use polytile_analysis::poly::Ctx;
    use polytile_analysis::text::parse_scop;
    use polytile_analysis::tree::Schedule;

    /// A processor whose register tile is small, so that tests reach its edges.
    fn small_target() -> Target {
        let mut target = Target::lookup("x86_64-pc-linux-gnu", "x86-64", "");
        target.vector.registers = 8;
        target.vector.bits = 128;
        target.vector.latency = 2;
        target.vector.per_cycle = 2;
        target
    }

    fn kernels(ast: &Ast) -> usize {
        match ast {
            Ast::For(l) => kernels(&l.body),
            Ast::If { then, els, .. } => kernels(then) + els.as_ref().map_or(0, |e| kernels(e)),
            Ast::Block(list) => list.iter().map(kernels).sum(),
            Ast::User(_) | Ast::Pack(_) => 0,
            Ast::MicroKernel(_) => 1,
        }
    }

    /// Tiles the sample's only band; runs the program for some sizes.
    fn check(name: &str, theta: &str, params: usize, wanted: usize) {
        let ctx = Ctx::new();
        for parallel in [false, true] {
            check_scop(&sample(&ctx, name), theta, params, wanted, parallel);
        }
    }

    fn check_scop(scop: &Scop, theta: &str, params: usize, wanted: usize, parallel: bool) {
        let live = Live::at_root(&compute(scop, false).unwrap()).unwrap();
        let band = band(&rows(scop, theta), Tree::Leaf);
        let domain = scop.domain().unwrap();
        let plan =
            register_tiling(scop, &live, &[], &band, &domain, &small_target(), parallel).unwrap();
        let plan = plan.expect("a register tile");
        let schedule = Schedule {
            domain,
            root: Tree::Band(Box::new(plan.band)),
            sizes: vec![],
        };
        let schedule = tile(scop, &schedule, &[Some(plan.tiling)]);
        let ast = generate(scop, &schedule).unwrap();
        assert_eq!(kernels(&ast), wanted, "{ast}");
        for n in [4, 5, 9, 11] {
            check_run(scop, &ast, &vec![n; params], &[5, 4, 7]);
            check_run(scop, &ast, &vec![n; params], &[100, 100, 100]);
        }
    }

    #[test]
    fn matrix_product_with_scaling_before() {
        check(
            "gemm",
            "{ S0[i, j] -> [i, j, 0]; S1[i, k, j] -> [i, j, k] }",
            3,
            1,
        );
    }

    #[test]
    fn triangular_reduction_with_scaling_after() {
        check(
            "trmm",
            "{ S0[i, j, k] -> [i, j, i + 1 + k]; S1[i, j] -> [i, j, m] }",
            2,
            1,
        );
    }

    #[test]
    fn transposed_factor() {
        let ctx = Ctx::new();
        let theta = "{ S0[i, j] -> [i, j, 0]; S1[i, k, j] -> [i, j, k] }";
        check_scop(&sample(&ctx, "syrk"), theta, 2, 1, false);
    }

    #[test]
    fn columns_counted_from_the_row() {
        let ctx = Ctx::new();
        let scop = parse_scop(
            &ctx,
            "params n m\ncontext { : n >= 1 and m >= 1 }\narray C f64 [n][n]\narray D f64 [m][n]\nstmt S0\n  \
             domain { S0[i, j, k] : 0 <= i < n and 0 <= j < n - i and 0 <= k < m }\n  beta 0 0 0 0\n  \
             write { S0[i, j, k] -> C[i, i + j] }\n  read { S0[i, j, k] -> C[i, i + j] }\n  \
             read { S0[i, j, k] -> D[k, i] }\n  read { S0[i, j, k] -> D[k, i + j] }\n  \
             body (fadd (read 1) (fmul (read 2) (read 3)))\n",
        )
        .unwrap();
        check_scop(&scop, "{ S0[i, j, k] -> [i, j, k] }", 2, 1, false);
    }

    #[test]
    fn cells_that_are_pairs() {
        let ctx = Ctx::new();
        let part = |name: &str, at: &str| {
            format!(
                "stmt {name}\n  domain {{ {name}[i, j, k] : 0 <= i < n and 0 <= 2 j < n - 1 and 0 <= k < m }}\n  beta 0 0 0 0\n  \
                 write {{ {name}[i, j, k] -> C[i, {at}] }}\n  read {{ {name}[i, j, k] -> C[i, {at}] }}\n  \
                 read {{ {name}[i, j, k] -> A[i, k] }}\n  read {{ {name}[i, j, k] -> B[k, {at}] }}\n  \
                 body (fadd (read 1) (fmul (read 2) (read 3)))\n"
            )
        };
        let arrays = "array C f64 [n][n]\narray A f64 [n][m]\narray B f64 [m][n]\n";
        let text = format!(
            "params n m\ncontext {{ : n >= 1 and m >= 1 }}\n{arrays}{}{}",
            part("S0", "2 j"),
            part("S1", "2 j + 1"),
        );
        let scop = parse_scop(&ctx, &text).unwrap();
        let theta = "{ S0[i, j, k] -> [i, j, k]; S1[i, j, k] -> [i, j, k] }";
        check_scop(&scop, theta, 2, 2, false);
    }

    #[test]
    fn factorization_with_transposed_factor() {
        let theta = "{ S0[i, j, k] -> [k, i, j]; S1[i, j] -> [j, i, j]; S2[i, k] -> [i, i, k]; S3[i] -> [i, i, i] }";
        check("cholesky", theta, 1, 1);
    }

    #[test]
    fn factorization() {
        check(
            "lu",
            "{ S0[i, j, k] -> [k, i, j]; S1[i, j] -> [j, i, j]; S2[i, j, k] -> [k, i, i + j] }",
            1,
            2,
        );
    }
}
