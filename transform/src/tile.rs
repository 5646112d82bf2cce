//! Tiling of bands: [`tile`] turns bands into tile bands, with sizes that are run-time values or constants.
//!
//! A tile band of rows `theta` and sizes `s` executes boxes `I <= theta < I + s` in the lexicographic order of their
//! origins; its child, the point tree, orders the points of one box (after Darte and Isoard 2015, §3; Pluto, PLDI 2008,
//! §5.2 for the legality). Legal if the band is permutable: then every dependence has non-negative distance in every
//! row, so no tile depends on a later one, whatever the sizes.
//!
//! ```text
//! band [i, j, k] - leaf    ->   tile band [i, j, k] sizes [s0, s1, s2] - band [i, j, k] - leaf
//! ```
//!
//! What this does not do: choose sizes ([`crate::cost`]) or the order of points.

pub mod points;

use polytile_analysis::scop::Scop;
use polytile_analysis::tree::{
    Band, Branch, Distribution, LoopKind, Mark, Schedule, SizeParam, Tile, TileSize, Tree,
};

/// How one band is tiled.
#[derive(Clone, Debug, Default)]
pub struct BandTiling {
    /// Sizes per member, coarsest level first.
    pub levels: Vec<Vec<Size>>,
    /// Members whose tiles run in waves at the coarsest level; their sizes must be equal, unless rows of tiles are pipelined.
    pub wavefront: Vec<usize>,
    /// How the tile loops of one level run; empty: all one after the other.
    pub loops: Vec<LoopKind>,
    /// The level of `loops`; 0 is the coarsest.
    pub loops_at: usize,
    /// Marks below each level, outermost first; levels without entry have none.
    pub marks: Vec<Vec<Mark>>,
    /// The order inside the tiles of the finest level; `None`: as the band and its child have it.
    pub points: Option<Tree>,
}

impl BandTiling {
    /// Whether tiles wait for their neighbours instead of running in waves.
    fn is_pipelined(&self) -> bool {
        let pipelined = LoopKind::Parallel(Distribution::Pipelined);
        self.loops.contains(&pipelined)
    }
}

/// The size of a tile in one direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// Not tiled.
    Whole,
    /// Known at compile time.
    Const(i64),
    /// A run-time value.
    Runtime {
        /// Value where nobody overrides it.
        default: i64,
        /// Overrides are rounded down to a multiple of this.
        multiple_of: i64,
    },
    /// A run-time value that gives threads equal numbers of tiles.
    Dealt {
        /// The largest value.
        most: i64,
        /// The value is a multiple of this.
        multiple_of: i64,
    },
}

impl Size {
    /// For tiles that threads take.
    pub fn dealt(self) -> Size {
        match self {
            Size::Runtime {
                default: most,
                multiple_of,
            } => Size::Dealt { most, multiple_of },
            other => other,
        }
    }

    /// The size in the absence of overrides.
    pub fn default_value(self) -> Option<i64> {
        match self {
            Size::Whole => None,
            Size::Const(c) => Some(c),
            Size::Runtime { default, .. } => Some(default),
            Size::Dealt { most, .. } => Some(most),
        }
    }
}

/// Tiles bands. `tilings[n]` is for band number `n` in the order of [`bands`]; missing or `None`: left alone.
pub fn tile(scop: &Scop, schedule: &Schedule, tilings: &[Option<BandTiling>]) -> Schedule {
    let mut tiler = Tiler {
        tilings,
        next_band: 0,
        sizes: Sizes::new(scop, &schedule.sizes),
    };
    let root = tiler.tree(&schedule.root);
    Schedule {
        domain: schedule.domain.clone(),
        root,
        sizes: tiler.sizes.into_params(),
    }
}

/// The bands of a tree, outer before inner, in textual order.
pub fn bands(tree: &Tree) -> Vec<&Band> {
    let mut found = vec![];
    collect(tree, &mut found);
    found
}

fn collect<'t>(tree: &'t Tree, found: &mut Vec<&'t Band>) {
    match tree {
        Tree::Band(band) => {
            found.push(band);
            collect(&band.child, found);
        }
        Tree::Sequence(list) | Tree::Set(list) => {
            list.iter().for_each(|b| collect(&b.child, found));
        }
        Tree::Mark(_, child) => collect(child, found),
        Tree::Leaf => {}
    }
}

/// Tiles one band, whatever its child.
pub fn tile_band(band: &Band, tiling: &BandTiling, sizes: &mut Sizes) -> Tree {
    assert!(band.tile.is_none(), "a tile band is not tiled again");
    let rows = band.schedule.size();
    let mut levels = vec![];
    for (depth, level) in tiling.levels.iter().enumerate() {
        assert_eq!(level.len(), rows, "one size per member");
        let wavefront = match depth {
            0 => tiling.wavefront.clone(),
            _ => vec![],
        };
        let sizes = sizes.of_level(level, &wavefront, tiling.is_pipelined());
        levels.push((depth, Tile { sizes, wavefront }));
    }
    let frame = Band {
        child: Tree::Leaf,
        loops: vec![LoopKind::Sequential; rows],
        ..band.clone()
    };
    let points = tiling.points.clone();
    let mut inner = points.unwrap_or_else(|| Tree::Band(Box::new(band.clone())));
    for (depth, tile) in levels.into_iter().rev() {
        for mark in tiling.marks.get(depth).into_iter().flatten().rev() {
            inner = Tree::Mark(mark.clone(), Box::new(inner));
        }
        let mut level = Band {
            tile: Some(tile),
            child: inner,
            ..frame.clone()
        };
        if depth == tiling.loops_at && !tiling.loops.is_empty() {
            level.loops = tiling.loops.clone();
        }
        inner = Tree::Band(Box::new(level));
    }
    inner
}

/// The symbolic sizes of a schedule under construction.
#[derive(Clone, Debug)]
pub struct Sizes {
    params: Vec<SizeParam>,
    /// Beginning of their names: no parameter of the SCoP begins like it.
    prefix: String,
}

impl Sizes {
    /// Those that a schedule has already.
    pub fn new(scop: &Scop, have: &[SizeParam]) -> Sizes {
        let mut prefix = "s".to_owned();
        while scop.params.iter().any(|p| p.name.starts_with(&prefix)) {
            prefix.push('_');
        }
        Sizes {
            params: have.to_vec(),
            prefix,
        }
    }

    /// All of them.
    pub fn into_params(self) -> Vec<SizeParam> {
        self.params
    }

    /// Sizes as the tree has them; members of a wave share one, pipelined members if they have the same.
    fn of_level(&mut self, sizes: &[Size], wavefront: &[usize], pipelined: bool) -> Vec<TileSize> {
        let mut shared: Option<TileSize> = None;
        let mut all = vec![];
        for (m, size) in sizes.iter().enumerate() {
            let in_wave = wavefront.contains(&m);
            let alike = !pipelined || wavefront.first().is_some_and(|&w| sizes[w] == *size);
            let size = match (&shared, *size) {
                (Some(s), _) if in_wave && alike => s.clone(),
                (_, Size::Whole) => TileSize::Whole,
                (_, Size::Const(c)) => TileSize::Const(c),
                (
                    _,
                    Size::Runtime {
                        default,
                        multiple_of,
                    },
                ) => self.runtime(default, multiple_of, false),
                (_, Size::Dealt { most, multiple_of }) => self.runtime(most, multiple_of, true),
            };
            if in_wave && shared.is_none() {
                assert!(size != TileSize::Whole, "a wave needs tiles");
                shared = Some(size.clone());
            }
            all.push(size);
        }
        all
    }

    fn runtime(&mut self, default: i64, multiple_of: i64, dealt: bool) -> TileSize {
        let position = self.params.len();
        let mut name = format!("{}{position}", self.prefix);
        while self.params.iter().any(|p| p.name == name) {
            name.push('_');
        }
        self.params.push(SizeParam {
            name,
            default,
            multiple_of,
            dealt,
        });
        TileSize::Param(position)
    }
}

struct Tiler<'a> {
    tilings: &'a [Option<BandTiling>],
    next_band: usize,
    sizes: Sizes,
}

impl Tiler<'_> {
    fn tree(&mut self, tree: &Tree) -> Tree {
        match tree {
            Tree::Leaf => Tree::Leaf,
            Tree::Mark(mark, child) => Tree::Mark(mark.clone(), Box::new(self.tree(child))),
            Tree::Sequence(list) => Tree::Sequence(self.branches(list)),
            Tree::Set(list) => Tree::Set(self.branches(list)),
            Tree::Band(band) => self.band(band),
        }
    }

    fn branches(&mut self, list: &[Branch]) -> Vec<Branch> {
        let branch = |b: &Branch| Branch {
            filter: b.filter.clone(),
            child: self.tree(&b.child),
        };
        list.iter().map(branch).collect()
    }

    fn band(&mut self, band: &Band) -> Tree {
        let tiling = self.tilings.get(self.next_band).and_then(Option::as_ref);
        self.next_band += 1;
        let child = self.tree(&band.child);
        let band = Band {
            child,
            ..band.clone()
        };
        match tiling {
            Some(tiling) => tile_band(&band, tiling, &mut self.sizes),
            None => Tree::Band(Box::new(band)),
        }
    }
}

#[cfg(test)]
mod tests;
