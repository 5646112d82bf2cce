//! Tiling: a nest in boxes, all tiles in front of all points, and the inverse.
//!
//! ```text
//! tile [0] 32 32          for i: for j: S(i, j)           for ii by 32: for jj by 32: for i: for j: S(i, j)
//! tile [0] s0 whole       sizes known at run time (declared by `size s0 96`), members in one piece
//! tile [0,*] 8 by { S0[i, j] -> [j]; S1[i, j, k] -> [k] }         rows of its own, for a list of several loops
//! ```
//!
//! Tiles are boxes in the *rows* of the nest: after a skew the skewed loops are tiled. Cohen, Girbal and Temam tile columns of the
//! domain, which gives no tiling after an interchange, and an illegal one after a skew. A tile band names tiles by their
//! origin (Darte and Isoard 2015, §3). Legal if no dependence goes backwards in any tiled row. With `wave` tiles of equal
//! sum of the named members' origins run together.

use super::surgery::{edit, edit_marked, nest};
use super::{Address, Applied, State, Step, Structure};
use polytile_analysis::poly::{MultiUnionPwAff, UnionMap, UnionPwAff};
use polytile_analysis::tree::{
    Band, LoopKind, Mark, Schedule, SizeParam, Tile, TileSize, Tree, rows,
};
use std::fmt;

/// The size of tiles along one loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Size {
    /// A number.
    Const(i64),
    /// A declared size.
    Named(String),
    /// Not tiled.
    Whole,
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Size::Const(n) => write!(f, "{n}"),
            Size::Named(n) => write!(f, "{n}"),
            Size::Whole => write!(f, "whole"),
        }
    }
}

/// Puts a band of loops over tiles around a nest.
#[derive(Clone, Debug)]
pub struct TileBand {
    /// The outermost loop, or a list.
    pub at: Address,
    /// Per loop.
    pub sizes: Vec<Size>,
    /// The rows, where they are not those of the loops: a map in isl's notation.
    pub by: Option<String>,
    /// Members of the wavefront.
    pub wave: Vec<usize>,
}

impl Step for TileBand {
    fn apply<'a>(&self, state: &State<'a>) -> Applied<State<'a>> {
        let sizes = self.sizes.iter().map(|s| size(&state.schedule, s));
        let sizes: Vec<TileSize> = sizes.collect::<Applied<_>>()?;
        let n = sizes.len();
        if n == 0 || self.wave.iter().any(|w| *w >= n) {
            return Err(Structure::Number("a size per loop is needed".into()).into());
        }
        let schedule = edit(&state.schedule, &self.at, &mut |tree, domain| {
            let all = match &self.by {
                Some(text) => {
                    let params = state.scop.context.space()?;
                    own_rows(state, text, n)?
                        .iter()
                        .map(|r| {
                            Ok(r.intersect_domain(&domain.universe_of()?)?
                                .align_params(&params)?)
                        })
                        .collect::<Applied<Vec<_>>>()?
                }
                None => {
                    let (loops, _) = nest(tree, n, &self.at)?;
                    loops.into_iter().map(|l| l.row).collect()
                }
            };
            Ok(Tree::Band(Box::new(Band {
                schedule: rows(&domain.space()?, &all)?,
                permutable: false,
                coincident: vec![false; n],
                loops: vec![LoopKind::Sequential; n],
                tile: Some(Tile {
                    sizes: sizes.clone(),
                    wavefront: self.wave.clone(),
                }),
                child: tree.clone(),
            })))
        })?;
        Ok(state.with(schedule))
    }

    fn inverse(&self, _: &State) -> Option<Vec<Box<dyn Step>>> {
        Some(vec![Box::new(Untile(self.at.clone()))])
    }
}

fn size(schedule: &Schedule, size: &Size) -> Applied<TileSize> {
    match size {
        Size::Whole => Ok(TileSize::Whole),
        Size::Const(n) if *n >= 1 => Ok(TileSize::Const(*n)),
        Size::Const(n) => Err(Structure::Number(format!("a tile of {n} iterations")).into()),
        Size::Named(name) => match schedule.sizes.iter().position(|s| s.name == *name) {
            Some(p) => Ok(TileSize::Param(p)),
            None => Err(Structure::Unknown(format!("size '{name}'")).into()),
        },
    }
}

fn own_rows(state: &State, text: &str, n: usize) -> Applied<Vec<UnionPwAff>> {
    let full = super::rows::with_params(state.scop, text);
    let wrong = |e| Structure::Unknown(format!("rows {full}: {e}"));
    let map = UnionMap::parse(state.scop.context.ctx(), &full).map_err(wrong)?;
    let given = MultiUnionPwAff::from_union_map(&map)?;
    match given.size() == n {
        true => Ok(given.union_pw_affs()?),
        false => Err(Structure::Number(format!("{n} sizes and {} rows", given.size())).into()),
    }
}

/// Takes a band of loops over tiles away.
#[derive(Clone, Debug)]
pub struct Untile(pub Address);

impl Step for Untile {
    fn apply<'a>(&self, state: &State<'a>) -> Applied<State<'a>> {
        let schedule = edit_marked(&state.schedule, &self.0, &mut |tree, _| {
            without_tiles(tree)
                .ok_or_else(|| Structure::NotALoop(format!("over tiles: {}", self.0)).into())
        })?;
        Ok(state.with(schedule))
    }
}

/// What is inside of loops over tiles: boxes, or those of a [lattice](super::prototile).
fn without_tiles(tree: &Tree) -> Option<Tree> {
    match tree {
        Tree::Band(b) if b.tile.is_some() => Some(b.child.clone()),
        Tree::Mark(Mark::Relation(_), child) => match &**child {
            Tree::Band(b) => Some(b.child.clone()),
            _ => None,
        },
        Tree::Mark(m, child) => Some(Tree::Mark(m.clone(), Box::new(without_tiles(child)?))),
        _ => None,
    }
}

/// Declares a size that is known at run time.
#[derive(Clone, Debug)]
pub struct Declare(pub SizeParam);

impl Step for Declare {
    fn apply<'a>(&self, state: &State<'a>) -> Applied<State<'a>> {
        let s = &self.0;
        let taken = state.schedule.sizes.iter().any(|o| o.name == s.name)
            || state.scop.params.iter().any(|p| p.name == s.name);
        if taken {
            return Err(Structure::Ambiguous(format!("there is a '{}' already", s.name)).into());
        }
        if s.default < 1 || s.multiple_of < 1 {
            return Err(Structure::Number("sizes are 1 at least".into()).into());
        }
        let mut schedule = state.schedule.clone();
        schedule.sizes.push(s.clone());
        Ok(state.with(schedule))
    }
}

impl fmt::Display for TileBand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "tile {}", self.at)?;
        for s in &self.sizes {
            write!(f, " {s}")?;
        }
        if let Some(by) = &self.by {
            write!(f, " by {by}")?;
        }
        if !self.wave.is_empty() {
            write!(f, " wave")?;
        }
        for w in &self.wave {
            write!(f, " {w}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Untile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "untile {}", self.0)
    }
}

impl fmt::Display for Declare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SizeParam {
            name,
            default,
            multiple_of,
            dealt,
        } = &self.0;
        write!(f, "size {name} {default}")?;
        if *multiple_of != 1 {
            write!(f, " multiple {multiple_of}")?;
        }
        write!(f, "{}", if *dealt { " dealt" } else { "" })
    }
}
