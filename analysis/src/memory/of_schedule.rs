//! The tilings of a schedule tree: one for each tile band.
//!
//! Loops around a tile band are parameters, the values of their rows; tiles around it, too, by their origins. Inside of a tile any legal order gives the same sets, so instances are in the
//! order of the band's rows and, where these are equal, of the program.

use super::tiling::{Side, Size, Tiling};
use crate::deps::order::original_schedule;
use crate::poly::{DimType, MultiUnionPwAff, Result, Set, UnionMap, UnionSet};
use crate::scop::Scop;
use crate::tree::{Band, Schedule, TileSize, Tree};

/// The tiling of a tile band.
#[derive(Clone, Debug)]
pub struct Tiled {
    /// Its instances.
    pub domain: UnionSet,
    /// The tiling, with strips of one side.
    pub tiling: Tiling,
    /// What is around: parameters for the rows of loops, and for the origins of tiles.
    pub around: Vec<Around>,
}

/// A band around a tile band.
#[derive(Clone, Debug)]
pub struct Around {
    /// The parameters, one for each row, or for each side of its tiles.
    pub names: Vec<String>,
    /// For a tile band: its number in the list.
    pub tiled: Option<usize>,
}

/// The tilings of all tile bands, outer ones first.
pub fn tilings(scop: &Scop, schedule: &Schedule) -> Result<Vec<Tiled>> {
    let mut prefix = "at".to_owned();
    let sizes = schedule.sizes.iter().map(|s| &s.name);
    let names: Vec<&String> = scop.params.iter().map(|p| &p.name).chain(sizes).collect();
    while names.iter().any(|name| name.starts_with(&prefix)) {
        prefix.push('_');
    }
    let mut finder = Finder {
        scop,
        schedule,
        prefix,
        found: vec![],
    };
    finder.below(&schedule.root, &schedule.domain, &[])?;
    Ok(finder.found)
}

/// A band around a node, and the number of its tiling.
#[derive(Clone, Copy)]
struct Outer<'t> {
    band: &'t Band,
    tiled: Option<usize>,
}

struct Finder<'s> {
    scop: &'s Scop,
    schedule: &'s Schedule,
    prefix: String,
    found: Vec<Tiled>,
}

impl Finder<'_> {
    fn below(&mut self, tree: &Tree, domain: &UnionSet, around: &[Outer]) -> Result<()> {
        match tree {
            Tree::Leaf => Ok(()),
            Tree::Mark(_, child) => self.below(child, domain, around),
            Tree::Sequence(list) | Tree::Set(list) => {
                for branch in list {
                    let part = domain.intersect(&branch.filter)?;
                    self.below(&branch.child, &part, around)?;
                }
                Ok(())
            }
            Tree::Band(band) => {
                let tiled = self.tiled(band, domain, around)?;
                let mut around = around.to_vec();
                around.push(Outer {
                    band,
                    tiled: tiled.is_some().then_some(self.found.len()),
                });
                self.found.extend(tiled);
                self.below(&band.child, domain, &around)
            }
        }
    }

    /// The tiling of a band, if it has tiles and instances.
    fn tiled(&self, band: &Band, domain: &UnionSet, around: &[Outer]) -> Result<Option<Tiled>> {
        let sides: Vec<Side> = (0..band.schedule.size())
            .filter_map(|position| {
                Some(self.size(band, position)?).map(|size| Side { position, size })
            })
            .collect();
        if sides.is_empty() {
            return Ok(None);
        }
        let (inside, around) = self.inside(domain, around)?;
        let rows = UnionMap::from_multi_union_pw_aff(&band.schedule)?;
        let order = original_schedule(self.scop)?.intersect_domain(&inside)?;
        let theta = rows.flat_range_product(&without_constants(&order)?)?;
        let theta = theta.intersect_domain(&inside)?;
        if theta.is_empty()? {
            return Ok(None);
        }
        Ok(Some(Tiled {
            domain: domain.clone(),
            tiling: Tiling::new(&theta, sides)?,
            around,
        }))
    }

    /// The size of tiles along a member of a tile band.
    fn size(&self, band: &Band, member: usize) -> Option<Size> {
        match band.tile.as_ref()?.sizes[member] {
            TileSize::Whole => None,
            TileSize::Const(size) => Some(Size::Const(size)),
            TileSize::Param(p) => Some(Size::Param(self.schedule.sizes[p].name.clone())),
        }
    }

    /// The instances in one iteration of the loops around, with the parameters that say which.
    fn inside(&self, domain: &UnionSet, around: &[Outer]) -> Result<(UnionSet, Vec<Around>)> {
        let mut domain = domain.clone();
        let mut all = vec![];
        let mut used = 0;
        for outer in around {
            let mut names = vec![];
            let mut name = || {
                names.push(format!("{}{}", self.prefix, used + names.len()));
                names[names.len() - 1].clone()
            };
            let inside = self.conditions(outer.band, &mut name);
            used += names.len();
            domain = restricted(&domain, &outer.band.schedule, &names, &inside)?;
            let tiled = outer.tiled;
            all.push(Around { names, tiled });
        }
        Ok((domain, all))
    }

    /// Sizes that occur, and conditions on a band's rows for parameters that `name` makes.
    fn conditions(&self, band: &Band, name: &mut dyn FnMut() -> String) -> (Vec<String>, String) {
        let mut sizes = vec![];
        let mut terms = vec!["0 = 0".to_owned()];
        for k in 0..band.schedule.size() {
            let size = self.size(band, k);
            if band.tile.is_none() {
                terms.push(format!("y{k} = {}", name()));
            }
            let Some(size) = size else {
                continue;
            };
            let (o, text) = (name(), size.text());
            terms.push(format!("{o} <= y{k} < {o} + {text}"));
            if let Size::Param(size) = size
                && !sizes.contains(&size)
            {
                sizes.push(size);
            }
        }
        (sizes, terms.join(" and "))
    }
}

/// The instances with such values of rows.
fn restricted(
    domain: &UnionSet,
    rows: &MultiUnionPwAff,
    names: &[String],
    (sizes, condition): &(Vec<String>, String),
) -> Result<UnionSet> {
    let params: Vec<&str> = names.iter().chain(sizes).map(String::as_str).collect();
    let dims: Vec<String> = (0..rows.size()).map(|k| format!("y{k}")).collect();
    let (params, dims) = (params.join(", "), dims.join(", "));
    let values = format!("[{params}] -> {{ [{dims}] : {condition} }}");
    let rows = UnionMap::from_multi_union_pw_aff(rows)?;
    let values = Set::parse(domain.ctx(), &values)?.to_union_set()?;
    rows.intersect_domain(domain)?
        .intersect_range(&values)?
        .domain()
}

/// A schedule without the positions in which all instances have the same constant.
fn without_constants(order: &UnionMap) -> Result<UnionMap> {
    let maps = order.maps()?;
    let Some(first) = maps.first() else {
        return Ok(order.clone());
    };
    let mut order = order.clone();
    for at in (0..first.dim(DimType::Out)).rev() {
        let mut values = vec![];
        for map in &maps {
            values.push(map.plain_val_if_fixed(DimType::Out, at)?.as_i64());
        }
        if values[0].is_some() && values.iter().all(|v| *v == values[0]) {
            order = projected(&order, at)?;
        }
    }
    Ok(order)
}

/// Without one position of the range.
fn projected(order: &UnionMap, at: usize) -> Result<UnionMap> {
    let mut all = UnionMap::empty(&order.space()?)?;
    for map in order.maps()? {
        all = all.union(&map.project_out(DimType::Out, at, 1)?.to_union_map()?)?;
    }
    Ok(all)
}
