//! Loops over the origins of tiles, and the point tree below them.
//!
//! A band in whose subtree there are tiles, but which is none itself, is scanned in the same way with tiles of size 1:
//! its values are the origins. So is one whose threads have copies of arrays: isl would take nests out of the loop that
//! run in its last iteration only, and what is in the copies would be out of their reach.
//!
//! Where isl exceeds its quota, [`rows`] makes the loops.

use super::constraints::value;
use super::convert::{Converter, LoopSpec, UserMaker, lattice_guard};
use super::echelon::{Frame, RowNest};
use super::island::loop_kind;
use super::scope::Scope;
use super::{Generator, SHARE, block, convex, ends, expr, hull};
use polytile_analysis::ast::{Ast, Expr, ForKind};
use polytile_analysis::poly::{
    self, AstLoopType, AstNode, Ctx, DimType, Error, LocalSpace, Map, MultiUnionPwAff, PwAff, Set,
    UnionMap, UnionPwAff, UnionSet,
};
use polytile_analysis::tree::{Band, Mark, TileSize, Tree};

mod rows;

use rows::{by_rows, unordered};

/// Tuple of the scanned set.
const TUPLE: &str = "Tile";

/// One scanned dimension.
struct Dim {
    /// Which member of the band.
    member: usize,
    /// Its values.
    row: UnionPwAff,
    /// Size of a tile, as isl's text: a number or a parameter.
    size_text: String,
    /// How many sizes the interval of [`Dim::bounds`] has.
    sizes: usize,
    /// Size of a tile.
    size: Expr,
    /// Name of the origin as a parameter.
    name: String,
    /// A value of the lattice, and whether all rows are at or above it.
    anchor: Expr,
    /// How the loop runs.
    kind: ForKind,
}

impl Generator<'_> {
    /// The loops of a band that has tiles at or below itself.
    pub(super) fn scanned_band(
        &mut self,
        band: &Band,
        domain: &UnionSet,
        scope: &Scope,
    ) -> poly::Result<Ast> {
        if domain.is_empty()? {
            return Ok(block(vec![]));
        }
        let mut dims = self.dims(band, scope)?;
        if dims.is_empty() {
            return self.tree(&band.child, domain, scope);
        }
        let summed = wave_dims(band, &dims);
        let (together, wave) = match pipelined(&mut dims, &summed) {
            true => (vec![0, 1], vec![]),
            false => (summed.clone(), summed),
        };
        let order = loop_order(&dims, &wave);
        let iterators: Vec<String> = (0..order.len())
            .map(|d| format!("{}{d}", scope.prefix))
            .collect();
        let theta = theta(&dims, domain, scope)?;
        let (nest, hull) = match by_isl(&mut dims, &together, &theta, (&order, &iterators, scope)) {
            Err(Error::Quota) => by_rows(&mut dims, (&together, &wave), &theta, scope)?,
            found => found?,
        };
        let hull = match band.child {
            Tree::Mark(Mark::RegisterTile(_), _) => in_whole_tiles(&dims, &hull, domain, scope)?,
            _ => hull,
        };
        let outset = as_params(&hull, &dims)?;
        let origins: Vec<&str> = dims.iter().map(|d| d.name.as_str()).collect();
        let points = points(&dims, &theta, &origins)?.intersect_params(&outset)?;
        let specs = self.specs(&dims, &wave, domain, scope)?;
        let mut inner = scope.clone();
        inner.private.clear();
        inner.relation = None;
        inner.context = scope.context.intersect(&outset)?;
        if band.tile.is_some() {
            inner.tile_rows = Some(band.schedule.clone());
        }
        for d in &dims {
            inner.origins.push((d.row.clone(), d.name.clone()));
            inner.origin_sizes.push(d.size.clone());
        }
        let child = &band.child;
        let mut user = |generator: &mut Generator, at: &Scope, _: &str, args: Vec<Expr>| {
            let mut inner = inner.clone();
            let mut guards = vec![];
            let on = on_lattice(&dims, &wave, &args, at, &iterators);
            for ((dim, arg), on) in dims.iter().zip(&args).zip(on) {
                inner.bind(&dim.name, arg.clone());
                if !on {
                    guards.push(lattice_guard(arg, &dim.anchor, &dim.size));
                }
            }
            let body = generator.tree(child, &points, &inner)?;
            Ok(super::condition(expr::all(&guards), body, None))
        };
        let user: UserMaker = &mut user;
        match nest {
            Nest::Isl(node) => Converter {
                iterators: &iterators,
                specs,
                marks: &[],
                user,
            }
            .node(self, &node, scope),
            Nest::Rows(nest) => {
                let args = |values: &[Expr]| unordered(values, dims.len(), &wave);
                let frame = Frame {
                    specs: &specs,
                    iterators: &iterators,
                    args: &args,
                };
                self.row_loops(&nest, &frame, scope, user)
            }
        }
    }

    /// The members that are scanned.
    fn dims(&mut self, band: &Band, scope: &Scope) -> poly::Result<Vec<Dim>> {
        let mut dims = vec![];
        for member in 0..band.schedule.size() {
            let size = match &band.tile {
                None => TileSize::Const(1),
                Some(tile) => tile.sizes[member].clone(),
            };
            let (size_text, size) = match size {
                TileSize::Whole => continue,
                TileSize::Const(c) => (c.to_string(), Expr::Int(c)),
                TileSize::Param(i) => (self.schedule.sizes[i].name.clone(), Expr::Size(i)),
            };
            dims.push(Dim {
                member,
                row: band.schedule.at(member)?,
                size_text,
                sizes: 1,
                size,
                name: format!("{}_o{}", scope.prefix, self.next_origin),
                anchor: Expr::Int(0),
                kind: loop_kind(band.loops.get(member).copied().unwrap_or_default()),
            });
            self.next_origin += 1;
        }
        Ok(dims)
    }
}

/// The scanned dimensions whose origins are summed.
fn wave_dims(band: &Band, dims: &[Dim]) -> Vec<usize> {
    let Some(tile) = &band.tile else {
        return vec![];
    };
    let wave: Vec<usize> = (0..dims.len())
        .filter(|&d| tile.wavefront.contains(&dims[d].member))
        .collect();
    if wave.len() < 2 { vec![] } else { wave }
}

/// Whether a member of the wavefront is pipelined: it comes first then, and the tiles of its rows next.
fn pipelined(dims: &mut [Dim], wave: &[usize]) -> bool {
    let Some(&rows) = wave.iter().find(|d| dims[**d].kind.is_pipelined()) else {
        return false;
    };
    let tiles = wave.iter().find(|d| **d != rows);
    dims[*tiles.expect("two members")].kind = ForKind::Stage;
    let member = dims[rows].member;
    dims.sort_by_key(|d| (d.member != member, d.kind != ForKind::Stage));
    true
}

/// Loops over origins, before they are a program.
enum Nest {
    /// isl's.
    Isl(AstNode),
    /// In row echelon.
    Rows(RowNest),
}

/// isl's loops over the outset, and its hull.
fn by_isl(
    dims: &mut [Dim],
    together: &[usize],
    theta: &UnionMap,
    (order, names, scope): (&[String], &[String], &Scope),
) -> poly::Result<(Nest, Set)> {
    let ctx = theta.ctx().clone();
    let _quota = ctx.share(SHARE);
    let (scanned, hull) = outset(dims, together, theta, scope)?;
    let node = scan_node(&scanned, order, names, scope)?;
    Ok((Nest::Isl(node), hull))
}

/// Finds the anchors of dimensions and leaves out what is below them.
fn anchored(
    dims: &mut [Dim],
    together: &[usize],
    (all, image): (&Set, &Set),
    scope: &Scope,
) -> poly::Result<Set> {
    let mut all = all.clone();
    for m in 0..dims.len() {
        if let Some(mut anchor) = anchor(dims, m, image, scope)? {
            if together.contains(&m) {
                anchor = from_the_line(anchor)?;
            }
            all = at_least(&all, m, &anchor)?;
            dims[m].anchor = value(&anchor, scope)?;
        }
    }
    Ok(all)
}

/// The origins of tiles that may hold a point, without divisions, a superset: what is scanned, and its convex hull.
/// Finds the anchors.
fn outset(
    dims: &mut [Dim],
    wave: &[usize],
    theta: &UnionMap,
    scope: &Scope,
) -> poly::Result<(Set, Set)> {
    let ctx = theta.ctx().clone();
    let free = theta.range()?.as_set()?.remove_divs()?;
    let image = free.intersect_params(&scope.context)?.remove_divs()?;
    let cube = tile_box(&ctx, dims)?;
    let all = expanded(&cube, &image)?;
    let all = anchored(dims, wave, (&all, &image), scope)?;
    let all = all.remove_divs()?.set_tuple_name(TUPLE)?;
    let hull = convex(&all)?;
    let tight = all.n_basic_set() <= 1 || ends(&hull)? && ends(&convex(&expanded(&cube, &free)?)?)?;
    let scanned = if tight { hull.clone() } else { all };
    Ok((scanned, hull))
}

/// The origins of boxes that hold a point of the image.
fn expanded(cube: &Map, image: &Set) -> poly::Result<Set> {
    let mut all = Set::empty(&cube.space()?.domain()?)?;
    for piece in image.basic_sets()? {
        all = all.union(&cube.intersect_range(&piece.to_set()?)?.domain()?)?;
    }
    all.coalesce()
}

/// The origins without those that no tile in an enclosing one has, because its size is a multiple of theirs: without the lattice of the
/// origins, the ends of enclosing tiles would be conditions of all that register tiles leave.
fn in_whole_tiles(
    dims: &[Dim],
    origins: &Set,
    domain: &UnionSet,
    scope: &Scope,
) -> poly::Result<Set> {
    let here = domain.universe_of()?;
    let mut origins = origins.clone();
    for (m, dim) in dims.iter().enumerate() {
        let Some((name, outer)) = scope.tile_of_part(&dim.row, &here)? else {
            continue;
        };
        let (Expr::Int(outer), Expr::Int(own)) = (outer, &dim.size) else {
            continue;
        };
        if outer % own == 0 && dim.anchor == scope.value(name) {
            let last = scope.param(name)?.add_constant_si(outer - own)?;
            origins = at_most(&origins, m, &last)?;
        }
    }
    Ok(origins)
}

/// Instances with their values in the scanned dimensions.
fn theta(dims: &[Dim], domain: &UnionSet, scope: &Scope) -> poly::Result<UnionMap> {
    let values = match &scope.relation {
        Some(relation) => relation.clone(),
        None => {
            let rows = rows(dims)?.intersect_domain(&domain.universe_of()?)?;
            UnionMap::from_multi_union_pw_aff(&rows)?
        }
    };
    values.intersect_domain(domain)
}

/// The rows of the scanned dimensions as one function.
fn rows(dims: &[Dim]) -> poly::Result<MultiUnionPwAff> {
    let mut all: Option<MultiUnionPwAff> = None;
    for d in dims {
        let one = MultiUnionPwAff::from_union_pw_aff(&d.row)?;
        all = Some(match all {
            None => one,
            Some(a) => a.flat_range_product(&one)?,
        });
    }
    Ok(all.expect("at least one dimension"))
}

/// `{ [I] -> [h] : I <= h < I + s }`.
fn tile_box(ctx: &Ctx, dims: &[Dim]) -> poly::Result<Map> {
    let list = |p: &str| -> String {
        let v: Vec<String> = (0..dims.len()).map(|d| format!("{p}{d}")).collect();
        v.join(", ")
    };
    let bounds: Vec<String> = dims
        .iter()
        .enumerate()
        .map(|(d, x)| x.bounds(&format!("i{d}"), d))
        .collect();
    let text = format!(
        "[{}] -> {{ [{}] -> [{}] : {} }}",
        size_params(dims).join(", "),
        list("i"),
        list("h"),
        bounds.join(" and ")
    );
    Map::parse(ctx, &text)
}

/// Names of the symbolic sizes.
fn size_params(dims: &[Dim]) -> Vec<&str> {
    let mut names = vec![];
    for d in dims {
        if matches!(d.size, Expr::Size(_)) && !names.contains(&d.size_text.as_str()) {
            names.push(&d.size_text);
        }
    }
    names
}

impl Dim {
    /// `origin <= h<d> < origin + size`.
    fn bounds(&self, origin: &str, d: usize) -> String {
        match &self.size {
            Expr::Int(1) if self.sizes == 1 => format!("h{d} = {origin}"),
            _ => {
                let (n, size) = (self.sizes, &self.size_text);
                format!("{origin} <= h{d} < {origin} + {n} * {size}")
            }
        }
    }
}

/// A value that no row of dimension `m` is below: where a packed operand begins (its panels are as wide as register tiles),
/// else the origin of an enclosing tile with the same row, else the row's minimum if it is one affine function of the
/// parameters.
fn anchor(dims: &[Dim], m: usize, image: &Set, scope: &Scope) -> poly::Result<Option<PwAff>> {
    for packed in scope.packed.iter().rev() {
        if packed.row.plain_is_equal(&dims[m].row)? {
            return Ok(Some(packed.first.clone()));
        }
    }
    if let Some((name, _)) = scope.tile_of(&dims[m].row)? {
        return Ok(Some(scope.param(name)?));
    }
    let least = image.dim_min(m)?.gist_params(&scope.context)?.coalesce()?;
    if least.n_piece() != 1 || !least.isa_aff()? {
        return Ok(None);
    }
    let least = PwAff::from_aff(&least.as_aff()?)?;
    Ok((!least.as_aff()?.involves_locals()?).then_some(least))
}

/// Elements that a cache line may hold.
const LINE: i64 = 16;

/// The beginning of the cache line in which a row begins, where a constant says so. The tiles of a wave run at the same time:
/// with origins in the middle of lines, neighbours would write the same ones.
fn from_the_line(anchor: PwAff) -> poly::Result<PwAff> {
    let first = anchor.as_aff()?;
    Ok(
        match first.is_cst()? && (1..LINE).contains(&first.constant()?) {
            true => PwAff::from_aff(&first.set_constant_si(0)?)?,
            false => anchor,
        },
    )
}

/// The points whose coordinate `m` is at least `bound` (a function of the parameters).
fn at_least(set: &Set, m: usize, bound: &PwAff) -> poly::Result<Set> {
    let (here, bound) = compared(set, m, bound)?;
    set.intersect(&here.ge_set(&bound)?)
}

/// The points whose coordinate `m` is at most `bound` (a function of the parameters).
fn at_most(set: &Set, m: usize, bound: &PwAff) -> poly::Result<Set> {
    let (here, bound) = compared(set, m, bound)?;
    set.intersect(&bound.ge_set(&here)?)
}

/// A coordinate and a function of the parameters, both over the points of a set.
fn compared(set: &Set, m: usize, bound: &PwAff) -> poly::Result<(PwAff, PwAff)> {
    let space = set.space()?;
    let here = PwAff::var_on_domain(&LocalSpace::from_space(&space)?, DimType::Set, m)?;
    Ok((here, bound.insert_domain(&space)?))
}

/// The loops: affine functions of the origins, as isl's text. With a wave, its number comes first, and the last of its
/// members is determined.
fn loop_order(dims: &[Dim], wave: &[usize]) -> Vec<String> {
    let mut order = vec![];
    if !wave.is_empty() {
        let sum: Vec<String> = wave.iter().map(|d| format!("i{d}")).collect();
        order.push(sum.join(" + "));
    }
    for d in 0..dims.len() {
        if wave.last() != Some(&d) {
            order.push(format!("i{d}"));
        }
    }
    order
}

impl Generator<'_> {
    /// Lattices and kinds of the loops, in the order of [`loop_order`].
    fn specs(
        &self,
        dims: &[Dim],
        wave: &[usize],
        domain: &UnionSet,
        scope: &Scope,
    ) -> poly::Result<Vec<LoopSpec>> {
        let prefix = &scope.prefix;
        let mut specs = vec![];
        let mut rest = domain.clone();
        if let Some(&first) = wave.first() {
            let sum = |acc: Expr, d: &usize| expr::add(&acc, &dims[*d].anchor);
            let anchor = wave.iter().fold(Expr::Int(0), sum);
            specs.push(LoopSpec {
                lattice: Some((dims[first].size.clone(), anchor)),
                ..LoopSpec::plain()
            });
            rest = in_wave(dims, wave, &rest, &format!("{prefix}0"))?;
        }
        for (d, dim) in dims.iter().enumerate() {
            if wave.last() == Some(&d) {
                continue;
            }
            let mut kind = dim.kind.clone();
            if let ForKind::Parallel { private, .. } = &mut kind {
                private.clone_from(&scope.private);
            }
            let mut spec = LoopSpec {
                kind,
                lattice: Some((dim.size.clone(), dim.anchor.clone())),
                runs: vec![],
            };
            if matches!(spec.kind, ForKind::Parallel { .. }) {
                spec.runs = self.weighted(&rest)?;
            }
            let name = format!("{prefix}{}", specs.len());
            specs.push(spec);
            rest = in_tile(std::slice::from_ref(dim), &rest, &[&name])?;
        }
        Ok(specs)
    }
}

/// About the instances in the tiles of one wave: `W <= sum of theta < W + n s`.
fn in_wave(dims: &[Dim], wave: &[usize], domain: &UnionSet, name: &str) -> poly::Result<UnionSet> {
    let here = domain.universe_of()?;
    let mut sum: Option<UnionPwAff> = None;
    for &d in wave {
        let row = dims[d].row.intersect_domain(&here)?;
        sum = Some(match sum {
            None => row,
            Some(s) => s.add(&row)?,
        });
    }
    let first = &dims[wave[0]];
    let slab = Dim {
        member: 0,
        row: sum.expect("a wave has members"),
        size_text: first.size_text.clone(),
        sizes: wave.len(),
        size: first.size.clone(),
        name: name.to_owned(),
        anchor: Expr::Int(0),
        kind: ForKind::Sequential,
    };
    in_tile(&[slab], domain, &[name])
}

/// Per dimension: whether the argument is on its lattice because the loops are.
fn on_lattice(
    dims: &[Dim],
    wave: &[usize],
    args: &[Expr],
    at: &Scope,
    iterators: &[String],
) -> Vec<bool> {
    let loops: Vec<Option<Expr>> = iterators.iter().map(|n| at.get(n).cloned()).collect();
    let is_loop =
        |pos: usize, e: &Expr| matches!(e, Expr::Iter(_)) && loops[pos].as_ref() == Some(e);
    let shift = usize::from(!wave.is_empty());
    let mut on = vec![false; dims.len()];
    let mut pos = shift;
    for d in 0..dims.len() {
        if wave.last() != Some(&d) {
            on[d] = is_loop(pos, &args[d]);
            pos += 1;
        }
    }
    if let (Some((&last, others)), Some(Some(number))) = (wave.split_last(), loops.first()) {
        let rest = others
            .iter()
            .fold(number.clone(), |acc, &d| expr::sub(&acc, &args[d]));
        let known = matches!(number, Expr::Iter(_)) && others.iter().all(|&d| on[d]);
        on[last] = known && expr::same(&rest, &args[last]);
    }
    on
}

/// isl's loops over the outset.
fn scan_node(
    outset: &Set,
    order: &[String],
    names: &[String],
    scope: &Scope,
) -> poly::Result<AstNode> {
    let ctx = outset.ctx();
    let n = outset.tuple_dim();
    let tuple: Vec<String> = (0..n).map(|d| format!("i{d}")).collect();
    let schedule = poly::Schedule::from_domain(&outset.to_union_set()?)?;
    let mut node = schedule.root()?.child(0)?;
    for row in order {
        let text = format!("[{{ {TUPLE}[{}] -> [({row})] }}]", tuple.join(", "));
        node = node.insert_partial_schedule(&MultiUnionPwAff::parse(ctx, &text)?)?;
        node = node
            .band_member_set_ast_loop_type(0, AstLoopType::Atomic)?
            .child(0)?;
    }
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    node.schedule()?.program(&scope.context, &names)
}

/// The outset as facts about the origins as parameters.
fn as_params(outset: &Set, dims: &[Dim]) -> poly::Result<Set> {
    let mut set = outset.clone();
    for (d, dim) in dims.iter().enumerate() {
        set = set.set_dim_name(DimType::Set, d, &dim.name)?;
    }
    let at = set.dim(DimType::Param);
    set.move_dims(DimType::Param, at, DimType::Set, 0, dims.len())?
        .params()
}

/// The instances in a tile: `I <= theta < I + s` with the origins as parameters of these names.
fn points(dims: &[Dim], theta: &UnionMap, names: &[&str]) -> poly::Result<UnionSet> {
    let ctx = theta.ctx();
    let values: Vec<String> = (0..dims.len()).map(|d| format!("h{d}")).collect();
    let bounds: Vec<String> = dims
        .iter()
        .enumerate()
        .map(|(d, x)| x.bounds(names[d], d))
        .collect();
    let mut params = size_params(dims);
    params.extend(names);
    let text = format!(
        "[{}] -> {{ [{}] : {} }}",
        params.join(", "),
        values.join(", "),
        bounds.join(" and ")
    );
    let cube = Set::parse(ctx, &text)?.to_union_set()?;
    theta.intersect_range(&cube)?.domain()
}

/// The instances of a domain in a tile.
fn in_tile(dims: &[Dim], domain: &UnionSet, names: &[&str]) -> poly::Result<UnionSet> {
    let rows = rows(dims)?.intersect_domain(&domain.universe_of()?)?;
    let theta = UnionMap::from_multi_union_pw_aff(&rows)?.intersect_domain(domain)?;
    points(dims, &theta, names)
}
