//! Tiles by their origin, and which tiles come before which (Darte and Isoard 2015, §3).
//!
//! ```text
//! theta: S0[t, i] -> [t, 2t + i, 0], tiled in the first two positions with sizes s0, s1:
//! tile I[i0, i1] holds the instances with i0 <= t < i0 + s0 and i1 <= 2t + i < i1 + s1
//! ```
//!
//! Origins are arbitrary integers: a shift of a legal tiling is legal, so what is derived for all of them holds for those of any lattice. No product of a size and a
//! counter of tiles occurs, so everything is affine in origins and sizes.

use crate::poly::{Ctx, DimType, Map, Result, Set, UnionMap};

/// A tiling of a loop nest.
#[derive(Clone, Debug)]
pub struct Tiling {
    /// Instances to points, `theta`: a legal order of the instances, lexicographically. The positions that are tiled go forwards along all dependences.
    pub theta: UnionMap,
    /// The sides of the tiles, outermost first.
    pub sides: Vec<Side>,
    /// How many inner sides a strip has: reuse is between the tiles of a strip, all of which have the same origin in the outer sides (§2.2).
    pub strip: usize,
    /// Positions of a point.
    pub(super) dims: usize,
}

/// A direction in which there are tiles.
#[derive(Clone, Debug, PartialEq)]
pub struct Side {
    /// The position in points.
    pub position: usize,
    /// The size.
    pub size: Size,
}

/// The size of tiles in a direction.
#[derive(Clone, Debug, PartialEq)]
pub enum Size {
    /// A parameter of this name, at least 1.
    Param(String),
    /// A number.
    Const(i64),
}

impl Size {
    /// A name or a number.
    pub(super) fn text(&self) -> String {
        match self {
            Size::Param(name) => name.clone(),
            Size::Const(size) => size.to_string(),
        }
    }
}

/// Which tiles come before one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Those of its lattice, in lexicographic order (Equations 1 and 2). All sizes are numbers.
    Lattice,
    /// Those that end before it in a position and begin no later in those in front of it, at any origin (Equations 3 and 4): they have the same points.
    Anywhere,
}

impl Tiling {
    /// Strips of one side.
    ///
    /// # Panics
    /// If there are no sides, or more positions are tiled than points have.
    pub fn new(theta: &UnionMap, sides: Vec<Side>) -> Result<Tiling> {
        let dims = theta.maps()?.first().map_or(0, |m| m.dim(DimType::Out));
        assert!(!sides.is_empty() && sides.iter().all(|s| s.position < dims));
        Ok(Tiling {
            theta: theta.clone(),
            sides,
            strip: 1,
            dims,
        })
    }

    /// The same with parameters `s1`, `s2`, .. as sizes, in the first positions of points.
    pub fn of_first(theta: &UnionMap, sides: usize) -> Result<Tiling> {
        let side = |position| Side {
            position,
            size: Size::Param(format!("s{}", position + 1)),
        };
        Tiling::new(theta, (0..sides).map(side).collect())
    }

    /// The same with longer strips.
    #[must_use]
    pub fn with_strip(self, strip: usize) -> Tiling {
        assert!((1..=self.sides.len()).contains(&strip), "sides of a strip");
        Tiling { strip, ..self }
    }

    /// The same for these values of the parameters only. Sets get simpler by it, and are for these values.
    pub fn within(self, context: &Set) -> Result<Tiling> {
        let theta = self.theta.intersect_params(context)?;
        Ok(Tiling { theta, ..self })
    }

    /// The same with numbers for sizes.
    #[must_use]
    pub fn with_sizes(self, sizes: &[i64]) -> Tiling {
        assert_eq!(sizes.len(), self.sides.len(), "a size per side");
        let side = |(side, size): (&Side, &i64)| Side {
            size: Size::Const(*size),
            ..side.clone()
        };
        Tiling {
            sides: self.sides.iter().zip(sizes).map(side).collect(),
            ..self
        }
    }

    /// That the sizes that are parameters are at least so much.
    pub fn sizes_from(&self, least: i64) -> Result<Set> {
        let params = self.params();
        let terms = params.iter().map(|p| format!("{p} >= {least}"));
        let text = format!(
            "[{}] -> {{ : {} }}",
            params.join(", "),
            all(terms.collect())
        );
        Set::parse(self.ctx(), &text)
    }

    /// Tiles to the points in them, in all positions of points.
    pub fn points(&self) -> Result<Map> {
        let (tile, point) = (self.tile("i"), tuple("", "x", self.dims));
        let inside = self.conditions("i", "x");
        self.map(&format!("{tile} -> {point} : {inside}"))
    }

    /// Tiles to the points in them, in the tiled positions alone.
    pub(super) fn tiled_points(&self) -> Result<Map> {
        let inside = |k: usize| format!("i{k} <= y{k} < i{k} + {}", self.size(k));
        let inside = all((0..self.sides.len()).map(inside).collect());
        let point = tuple("", "y", self.sides.len());
        self.map(&format!("{} -> {point} : {inside}", self.tile("i")))
    }

    /// Points to their tiled positions.
    pub(super) fn tiled_positions(&self) -> Result<Map> {
        let same = |(k, side): (usize, &Side)| format!("y{k} = x{}", side.position);
        let same = all(self.sides.iter().enumerate().map(same).collect());
        let (point, tiled) = (tuple("", "x", self.dims), tuple("", "y", self.sides.len()));
        self.map(&format!("{point} -> {tiled} : {same}"))
    }

    /// Tiles to the instances in them.
    pub fn instances(&self) -> Result<UnionMap> {
        let points = self.points()?.to_union_map()?;
        points.apply_range(&self.theta.reverse()?)
    }

    /// Pairs of a tile and a point in it to the point.
    pub(super) fn pairs(&self) -> Result<Map> {
        // [I -> x] -> x.
        let point = tuple("", "x", self.dims);
        let inside = self.conditions("i", "x");
        self.map(&format!(
            "[{} -> {point}] -> {point} : {inside}",
            self.tile("i")
        ))
    }

    /// Tiles to pairs with a point in them.
    pub(super) fn to_pairs(&self) -> Result<Map> {
        let point = tuple("", "x", self.dims);
        let tile = self.tile("i");
        let inside = self.conditions("i", "x");
        self.map(&format!("{tile} -> [{tile} -> {point}] : {inside}"))
    }

    /// Pairs of a tile and a point to those of the tile and earlier points.
    pub(super) fn earlier_pairs(&self) -> Result<Map> {
        let points = self.points()?.range()?.space()?;
        let tiles = self.points()?.domain()?.space()?;
        Map::identity(&tiles.map_from_set()?)?.product(&Map::lex_gt(&points)?)
    }

    /// Tiles to those before them in their strip: `⊏_s`, or `≺_s`.
    pub fn before(&self, order: Order) -> Result<Map> {
        match order {
            Order::Lattice => self.before_in_lattice(),
            Order::Anywhere => {
                let first = self.sides.len() - self.strip;
                let cases = (first..self.sides.len()).map(|k| self.ends_before(k));
                self.cases(cases.collect())
            }
        }
    }

    /// Tiles to those at or before them in their strip: together these have the points of the tile and of all those before it.
    pub fn until(&self) -> Result<Map> {
        let first = self.sides.len() - self.strip;
        // Of tiles that begin no later in any position all points come before, or in, the tile.
        let own = (0..self.sides.len()).map(|k| match k < first {
            true => format!("j{k} = i{k}"),
            false => format!("j{k} <= i{k}"),
        });
        let mut cases = vec![all(own.collect())];
        cases.extend((first..self.sides.len() - 1).map(|k| self.ends_before(k)));
        self.cases(cases)
    }

    /// Tiles to all of their strip.
    pub fn in_strip(&self) -> Result<Map> {
        let first = self.sides.len() - self.strip;
        self.cases(vec![all((0..first)
            .map(|k| format!("j{k} = i{k}"))
            .collect())])
    }

    /// Tiles to those of other strips that may be executed beside theirs: they have no point in common.
    pub fn in_other_strips(&self) -> Result<Option<Map>> {
        let outer = 0..self.sides.len() - self.strip;
        let apart = outer.flat_map(|k| {
            let size = self.size(k);
            [
                format!("j{k} >= i{k} + {size}"),
                format!("j{k} <= i{k} - {size}"),
            ]
        });
        let apart: Vec<String> = apart.collect();
        match apart.is_empty() {
            true => Ok(None),
            false => self.cases(apart).map(Some),
        }
    }

    /// Tiles to those that may be the next of their strip: a step further in a position, with any beginning in those behind it.
    pub fn next(&self) -> Result<Map> {
        let first = self.sides.len() - self.strip;
        let step = |k: usize| {
            let outer = (0..k).map(|o| format!("j{o} = i{o}"));
            let own = format!("j{k} = i{k} + {}", self.size(k));
            all(outer.chain([own]).collect())
        };
        self.cases((first..self.sides.len()).map(step).collect())
    }

    /// Origins to those of the tiles that contain them as a point.
    pub(super) fn containing(&self) -> Result<Map> {
        let inside =
            (0..self.sides.len()).map(|k| format!("j{k} <= i{k} < j{k} + {}", self.size(k)));
        self.cases(vec![all(inside.collect())])
    }

    /// The context of the program.
    pub(super) fn ctx(&self) -> &Ctx {
        self.theta.ctx()
    }

    /// Names of the sizes that are parameters.
    pub fn params(&self) -> Vec<&str> {
        let mut all: Vec<&str> = vec![];
        for side in &self.sides {
            if let Size::Param(name) = &side.size
                && !all.contains(&name.as_str())
            {
                all.push(name);
            }
        }
        all
    }

    /// The size of a side, as text.
    pub(super) fn size(&self, side: usize) -> String {
        self.sides[side].size.text()
    }

    fn before_in_lattice(&self) -> Result<Map> {
        let first = self.sides.len() - self.strip;
        let lattice = (0..self.sides.len()).map(|k| match self.sides[k].size {
            Size::Const(size) => format!("(i{k} - j{k}) mod {size} = 0"),
            Size::Param(_) => panic!("the lattice of a size that is a parameter is not affine"),
        });
        let lattice = all(lattice.collect());
        let case = |k: usize| {
            let outer = (0..k).map(|o| format!("j{o} = i{o}"));
            let own = [format!("j{k} < i{k}"), lattice.clone()];
            all(outer.chain(own).collect())
        };
        self.cases((first..self.sides.len()).map(case).collect())
    }

    /// That a tile `j` of the strip begins no later than `i` in front of a side and ends before it there.
    fn ends_before(&self, k: usize) -> String {
        let first = self.sides.len() - self.strip;
        let outer = (0..k).map(|o| match o < first {
            true => format!("j{o} = i{o}"),
            false => format!("j{o} <= i{o}"),
        });
        let own = format!("j{k} <= i{k} - {}", self.size(k));
        all(outer.chain([own]).collect())
    }

    /// Pairs of tiles `i` and `j` in one of several cases.
    fn cases(&self, cases: Vec<String>) -> Result<Map> {
        let (i, j) = (self.tile("i"), self.tile("j"));
        let case = |c: &String| format!("({c})");
        let cases: Vec<String> = cases.iter().map(case).collect();
        self.map(&format!("{i} -> {j} : {}", cases.join(" or ")))
    }

    /// That a point is in a tile.
    fn conditions(&self, tile: &str, point: &str) -> String {
        let one = |(k, side): (usize, &Side)| {
            let (p, size) = (side.position, self.size(k));
            format!("{tile}{k} <= {point}{p} < {tile}{k} + {size}")
        };
        all(self.sides.iter().enumerate().map(one).collect())
    }

    fn tile(&self, name: &str) -> String {
        tuple(TILE, name, self.sides.len())
    }

    fn map(&self, text: &str) -> Result<Map> {
        let text = format!("[{}] -> {{ {text} }}", self.params().join(", "));
        Map::parse(self.ctx(), &text)
    }
}

/// The name of the tuple of origins.
pub const TILE: &str = "I";

/// A tuple of numbered names.
fn tuple(name: &str, each: &str, n: usize) -> String {
    let names: Vec<String> = (0..n).map(|k| format!("{each}{k}")).collect();
    format!("{name}[{}]", names.join(", "))
}

/// A conjunction; what nothing is demanded of holds.
fn all(conditions: Vec<String>) -> String {
    match conditions.is_empty() {
        true => "0 = 0".to_owned(),
        false => conditions.join(" and "),
    }
}
