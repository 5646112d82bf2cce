//! What happens to one band.

use super::pushed::Terms;
use super::{Place, Planner, Tiling, fired};
use crate::cost::Model;
use crate::live::statements;
use crate::parallel::{coincident_member, distribution};
use crate::simd::{RegisterTiling, register_tiling, reordered};
use crate::tile::points::{rows_last, sweeps, taken_apart};
use crate::tile::{BandTiling, Size, tile_band};
use polytile_analysis::poly;
use polytile_analysis::scop::ArrayKind;
use polytile_analysis::tree::{Band, Distribution, LoopKind, Tree};

/// Instances for typical parameters below which a register tile is not set up.
pub(super) const MIN_REGISTER_TILE_VOLUME: f64 = 4096.0;

/// A member that is cut for threads has at least so many tiles, for typical parameters.
const TILES_FOR_THREADS: i64 = 16;

/// Width of strips along the contiguous member, one thread each.
const STRIP: i64 = 128;

/// The size of a member that is not tiled.
const WHOLE: i64 = i64::MAX;

/// Sizes of tiles in waves where the model has no opinion: rows of this many elements are long enough for the prefetchers.
const WAVE_TILE: i64 = 256;

impl Planner<'_> {
    pub(super) fn band(&mut self, band: &Band, place: &Place) -> poly::Result<Tree> {
        if band.tile.is_some() || !band.is_sequential() {
            return Ok(Tree::Band(Box::new(band.clone())));
        }
        if let Some(tiles) = self.pushed(band, place, Terms::AnyOrder)? {
            return Ok(fired("pushed", tiles));
        }
        let nested = self.nested(band, place)?;
        let band = nested.as_ref().unwrap_or(band);
        if let Some(same) = self.guarded(band, place)? {
            return Ok(fired("guarded", same));
        }
        if let Some(tree) = self.sunk(band, place)? {
            return Ok(fired("sunk", tree));
        }
        // Only register tiles need members turned round.
        if let Some(forwards) = self.forwards(band, place)?
            && let Some(tiled) = self.register_tiles(&forwards, place)?
        {
            return Ok(fired("register tiles, turned round", tiled));
        }
        if let Some(tiled) = self.register_tiles(band, place)? {
            return Ok(fired("register tiles", tiled));
        }
        if let Some(same) = self.as_it_was(band, place, 2)? {
            return Ok(fired("as it was", same));
        }
        if let Some(nests) = self.streams(band, place)? {
            return Ok(fired("streams", nests));
        }
        if let Some(lanes) = self.lanes(band, place)? {
            return Ok(fired("lanes", lanes));
        }
        if let Some(sum) = self.inner_sum(band, place)? {
            return Ok(fired("inner sum", sum));
        }
        if let Some(windows) = self.windows(band, place)? {
            return Ok(fired("windows", windows));
        }
        if let Some(same) = self.as_it_was(band, place, usize::MAX)? {
            return Ok(fired("as it was", same));
        }
        if let Some(tiles) = self.pushed(band, place, Terms::InOrder)? {
            return Ok(fired("pushed in order", tiles));
        }
        let rows_inward = self.rows_inward(band, place)?;
        let band = rows_inward.as_ref().unwrap_or(band);
        if self.options.tiling != Tiling::Off && band.permutable && band.schedule.size() >= 2 {
            return Ok(fired("permutable", self.permutable(band, place)?));
        }
        Ok(fired("plain", self.plain(band, place)?))
    }

    /// Register tiles below cache tiles, if the band accumulates.
    fn register_tiles(&mut self, band: &Band, place: &Place) -> poly::Result<Option<Tree>> {
        if !self.options.register_tiles || self.options.tiling == Tiling::Off {
            return Ok(None);
        }
        let (scop, domain) = (self.scop, &place.domain);
        if !self.is_large(band, place)? {
            return Ok(None);
        }
        if let Some(parts) = self.distributed(band, place)? {
            return Ok(Some(fired("distributed", parts)));
        }
        let found = register_tiling(
            scop,
            &place.live.inside(domain)?,
            &place.outer,
            band,
            domain,
            self.target,
            place.parallel,
        )?;
        let Some(RegisterTiling { band, tiling }) = found else {
            return Ok(None);
        };
        let tiling = self.settled(self.dealt(tiling));
        Ok(Some(tile_band(&band, &tiling, &mut self.sizes)))
    }

    /// Whether register tiles of the band are worth their set-up.
    pub(super) fn is_large(&self, band: &Band, place: &Place) -> poly::Result<bool> {
        let model = Model::new(self.scop, &place.outer, band, &place.domain, &self.typical)?;
        Ok(model.is_none_or(|m| m.volume() >= MIN_REGISTER_TILE_VOLUME))
    }

    /// A permutable band of several members, by the model.
    fn permutable(&mut self, band: &Band, place: &Place) -> poly::Result<Tree> {
        let free = coincident_member(band);
        let steps_first = match free {
            None => self.steps_first(band, place)?,
            Some(_) => None,
        };
        let band = steps_first.as_ref().unwrap_or(band);
        if free.is_none()
            && let Some(blocks) = self.panels(band, place)?
        {
            return Ok(fired("panels", blocks));
        }
        if free.is_none()
            && let Some(sweeps) = sweeps(self.scop, &place.live, band, &place.domain)?
            && runs_in_parallel(&sweeps)
        {
            let Tree::Band(outer) = rows_last(self.scop, &sweeps, &place.domain, &place.outer)?
            else {
                unreachable!("sweeps are a band");
            };
            if let Some(fused) = self.fused_sweeps(&outer, place)? {
                return Ok(fired("fused sweeps", fused));
            }
            return Ok(fired("sweeps", self.plain(&outer, place)?));
        }
        if free.is_none()
            && let Some(parts) = self.split(band, place)?
        {
            return Ok(fired("split", parts));
        }
        if let Some(strips) = self.columns(band, place)? {
            return Ok(fired("columns", strips));
        }
        if free.is_none()
            && let Some(diagonals) = self.diagonals(band, place)?
        {
            return Ok(fired("diagonals", diagonals));
        }
        if let Tiling::Fixed(_) = &self.options.tiling {
            return self.tiles(band, vec![WAVE_TILE; band.schedule.size()], None, place);
        }
        let model = Model::new(self.scop, &place.outer, band, &place.domain, &self.typical)?;
        let sizes = model.as_ref().and_then(|m| m.sizes(self.target));
        let members = band.schedule.size();
        let chain = match free {
            None => self.chain(band, place)?,
            Some(_) => None,
        };
        match (sizes, free, model) {
            (Some(mut sizes), _, Some(model)) => {
                for (s, e) in sizes.iter_mut().zip(&model.extents) {
                    if *s >= *e {
                        *s = WHOLE;
                    }
                }
                if place.parallel {
                    for m in (0..members).filter(|&m| free.is_none_or(|f| f == m)) {
                        sizes[m] = sizes[m].min(for_threads(model.extents[m]));
                    }
                }
                self.tiles(band, sizes, chain, place)
            }
            (_, None, _) if place.parallel || chain.is_some() => {
                self.tiles(band, vec![WAVE_TILE; members], chain, place)
            }
            (_, Some(m), model) if place.parallel && m > 0 => {
                if m + 1 == members && model.is_none_or(|model| model.contiguous(m)) {
                    let mut sizes = vec![WHOLE; members];
                    sizes[m] = STRIP;
                    return self.tiles(band, sizes, None, place);
                }
                let mut order: Vec<usize> = (0..members).filter(|&o| o != m).collect();
                order.insert(0, m);
                self.plain(&reordered(band, &order)?, place)
            }
            _ => self.plain(band, place),
        }
    }

    /// The band with another member outermost, if steps of the present one do not consist of parallel sweeps and steps of
    /// the other do.
    fn steps_first(&self, band: &Band, place: &Place) -> poly::Result<Option<Band>> {
        let members = band.schedule.size();
        for first in 0..members {
            let mut order: Vec<usize> = (0..members).filter(|&m| m != first).collect();
            order.insert(0, first);
            let other = reordered(band, &order)?;
            if let Some(sweeps) = sweeps(self.scop, &place.live, &other, &place.domain)?
                && runs_in_parallel(&sweeps)
            {
                return Ok((first > 0).then_some(other));
            }
        }
        Ok(None)
    }

    /// Tiles of these sizes; [`WHOLE`] means not tiled. A coincident member's tiles run in parallel; without
    /// one, tiles run in waves. Iterations of the last member come in groups of `chain`, if that is given.
    fn tiles(
        &mut self,
        band: &Band,
        mut sizes: Vec<i64>,
        chain: Option<i64>,
        place: &Place,
    ) -> poly::Result<Tree> {
        let last = sizes.len() - 1;
        let in_wave = place.parallel && sizes[..last].iter().filter(|s| **s != WHOLE).count() < 2;
        if let (Some(n), false) = (chain, in_wave) {
            sizes[last] = sizes[last].min(n);
        }
        let mut order: Vec<usize> = (0..sizes.len()).collect();
        let cut = |m: usize| sizes[m] != WHOLE;
        let free = (0..sizes.len()).find(|&m| band.coincident[m] && cut(m));
        if let (Some(m), true) = (free, place.parallel) {
            order.retain(|&o| o != m);
            order.insert(0, m);
        }
        let points = self.points(band, place)?;
        let tiles = reordered(band, &order)?;
        let sizes: Vec<i64> = order.iter().map(|&m| sizes[m]).collect();
        let mut tiling = BandTiling {
            levels: vec![sizes.iter().map(|&s| size(s)).collect()],
            points: Some(points),
            ..BandTiling::default()
        };
        if let (Some(n), true) = (chain, in_wave) {
            let mut groups = vec![Size::Whole; sizes.len()];
            groups[last] = Size::Const(n);
            tiling.levels.push(groups);
        }
        if !self.options.second_level.is_empty() {
            let inner = repeated(&self.options.second_level, sizes.len());
            tiling
                .levels
                .push(inner.into_iter().map(Size::Const).collect());
        }
        if place.parallel {
            let cut: Vec<usize> = (0..sizes.len()).filter(|&m| sizes[m] != WHOLE).collect();
            let first = match free {
                Some(_) => Some(0),
                None if cut.len() >= 2 => {
                    tiling.wavefront = cut[..2].to_vec();
                    let same = tiling.levels[0][cut[0]];
                    tiling.levels[0][cut[1]] = same;
                    Some(cut[0])
                }
                None => None,
            };
            if let Some(m) = first {
                let row = tiles.schedule.at(m)?;
                let dealt = match tiling.wavefront.is_empty() && place.outer.is_empty() {
                    true => distribution(&place.domain, &row, true)?,
                    false => Distribution::Static,
                };
                tiling.loops = vec![LoopKind::Sequential; sizes.len()];
                tiling.loops[m] = LoopKind::Parallel(dealt);
            }
        }
        let tiling = self.settled(self.dealt(tiling));
        Ok(tile_band(&tiles, &tiling, &mut self.sizes))
    }

    /// The order inside a tile: statement by statement in each step of the outermost member where there are several.
    fn points(&mut self, band: &Band, place: &Place) -> poly::Result<Tree> {
        let inside = Place {
            parallel: false,
            ..place.clone()
        };
        let below = inside.below(&band.schedule)?;
        let child = self.tree(&band.child, &below)?;
        let band = Band {
            child,
            ..band.clone()
        };
        if place.domain.n_set() >= 2
            && !self.hands_on(place)?
            && let Some(points) = sweeps(self.scop, &place.live, &band, &place.domain)?
        {
            let points = self.interchanged(&points, &inside)?;
            return rows_last(self.scop, &points, &place.domain, &place.outer);
        }
        Ok(Tree::Band(Box::new(band)))
    }

    /// Whether statements hand values on in temporaries: in registers, as long as they share their loops.
    fn hands_on(&self, place: &Place) -> poly::Result<bool> {
        let ids = statements(self.scop, &place.domain)?;
        let mut writes = ids.iter().flat_map(|s| self.scop.stmt(*s).writes());
        Ok(writes.any(|a| self.scop.array(a.array).kind == ArrayKind::Temporary))
    }

    /// The band as it is; its outermost coincident member runs in parallel.
    pub(super) fn plain(&mut self, band: &Band, place: &Place) -> poly::Result<Tree> {
        let long_first = self.long_first(band, place)?;
        let band = long_first.as_ref().unwrap_or(band);
        let apart = taken_apart(self.scop, &place.live, band, &place.domain)?;
        let mut band = match apart {
            Some(Tree::Band(apart)) => *apart,
            _ => band.clone(),
        };
        let mut below = place.below(&band.schedule)?;
        if let (Some(m), true) = (coincident_member(&band), place.parallel) {
            let row = band.schedule.at(m)?;
            band.loops[m] = LoopKind::Parallel(place.dealing(&row, m == 0)?);
            below.parallel = false;
        }
        band.child = self.tree(&band.child, &below)?;
        Ok(Tree::Band(Box::new(band)))
    }
}

fn size(s: i64) -> Size {
    match s {
        WHOLE => Size::Whole,
        _ => Size::Runtime {
            default: s,
            multiple_of: 1,
        },
    }
}

/// A size that leaves enough tiles for threads.
pub(super) fn for_threads(extent: i64) -> i64 {
    (extent / TILES_FOR_THREADS / 8 * 8).max(8)
}

/// The first `n` of a list whose last element is repeated for ever.
pub(super) fn repeated(list: &[i64], n: usize) -> Vec<i64> {
    let last = list.last().copied().unwrap_or(WHOLE);
    (0..n)
        .map(|i| list.get(i).copied().unwrap_or(last))
        .collect()
}

/// Whether every path below the first member has a coincident member.
fn runs_in_parallel(tree: &Tree) -> bool {
    fn path(tree: &Tree) -> bool {
        match tree {
            Tree::Leaf => false,
            Tree::Band(b) => b.coincident.contains(&true) || path(&b.child),
            Tree::Mark(_, child) => path(child),
            Tree::Sequence(list) | Tree::Set(list) => list.iter().all(|b| path(&b.child)),
        }
    }
    match tree {
        Tree::Band(outer) => path(&outer.child),
        _ => path(tree),
    }
}
