//! The walk down the tree.

use super::compare::{Comparisons, Relation, Row, compared};
use super::contracted;
use super::flags;
use super::private;
use super::register;
use super::relation;
use super::strips;
use super::witness::witness;
use super::{Broken, Rule, Step, Stop, Violation, Walked};
use polytile_analysis::deps::{Dependence, Dependences};
use polytile_analysis::ids::{ArrayId, StmtId};
use polytile_analysis::poly::{DimType, Map, Set, Space, UnionPwAff, UnionSet};
use polytile_analysis::scop::Scop;
use polytile_analysis::tree::{Band, Branch, LoopKind, Mark, Schedule, Tile, TileSize, Tree};
use std::collections::BTreeMap;

/// Instances per statement; statements without instances are absent.
pub(super) type Instances = BTreeMap<StmtId, Set>;

/// Pairs that nothing above has put in order, with the dependence that they are of.
#[derive(Clone)]
pub(super) struct Residual<'a> {
    pub index: usize,
    pub dependence: &'a Dependence,
    pub pairs: Map,
}

/// The tile band right above a node.
#[derive(Clone)]
pub(super) struct TileRows {
    pub rows: Vec<UnionPwAff>,
    pub sizes: Vec<TileSize>,
}

/// What is known at a node.
pub(super) struct Here<'a> {
    pub instances: Instances,
    pub residual: Vec<Residual<'a>>,
    /// Rows that tell instances at this node apart.
    pub above: Vec<UnionPwAff>,
    /// Set below a tile band, through marks and sequences.
    pub tile: Option<TileRows>,
    /// Arrays of which the threads of the band at this node have copies.
    pub private: Vec<ArrayId>,
    /// No loop around runs on several threads or goes from tile to tile.
    pub alone: bool,
}

pub(super) struct Walker<'a> {
    pub scop: &'a Scop,
    schedule: &'a Schedule,
    pub place: Vec<Step>,
    pub deps: &'a Dependences,
}

pub(super) fn check(scop: &Scop, schedule: &Schedule, deps: &Dependences) -> Walked<()> {
    let mut walker = Walker {
        scop,
        schedule,
        place: vec![],
        deps,
    };
    let domain = scop.domain()?.intersect_params(&scop.context)?;
    if !domain.is_equal(&schedule.domain.intersect_params(&scop.context)?)? {
        return walker.refuse(Rule::Domain);
    }
    walker.names(&schedule.domain.space()?)?;
    let mut instances = Instances::new();
    for s in &scop.stmts {
        let set = s.domain.intersect_params(&scop.context)?;
        if !set.is_empty()? {
            instances.insert(s.id, set);
        }
    }
    let mut residual = vec![];
    for (index, dependence) in deps.list.iter().enumerate() {
        let ends = (
            instances.get(&dependence.src),
            instances.get(&dependence.dst),
        );
        let (Some(src), Some(dst)) = ends else {
            continue;
        };
        if dependence.orders() {
            let pairs = Map::from_basic_map(&dependence.relation)?
                .intersect_domain(src)?
                .intersect_range(dst)?;
            residual.push(Residual {
                index,
                dependence,
                pairs,
            });
        }
    }
    let residual = nonempty(residual)?;
    walker.tree(
        &schedule.root,
        Here {
            instances,
            residual,
            above: vec![],
            tile: None,
            private: vec![],
            alone: true,
        },
    )
}

/// Without the dependences that are in order.
pub(super) fn nonempty(list: Vec<Residual<'_>>) -> Walked<Vec<Residual<'_>>> {
    let mut kept = vec![];
    for r in list {
        if !r.pairs.is_empty()? {
            kept.push(r);
        }
    }
    Ok(kept)
}

impl<'a> Walker<'a> {
    pub fn refuse<T>(&self, rule: Rule) -> Walked<T> {
        Err(Stop::Violation(Box::new(Violation {
            rule,
            place: self.place.clone(),
            dependence: None,
        })))
    }

    /// Refuses parameters that are neither the region's nor sizes.
    pub fn names(&self, space: &Space) -> Walked<()> {
        let known = self.scop.context.space()?;
        let foreign = (0..space.dim(DimType::Param)).any(|p| {
            let name = space.dim_name(DimType::Param, p).unwrap_or_default();
            let size = self.schedule.sizes.iter().any(|s| s.name == name);
            !size && known.find_dim_by_name(DimType::Param, &name).is_none()
        });
        match foreign {
            true => self.refuse(Rule::Malformed("a parameter that the region does not have")),
            false => Ok(()),
        }
    }

    /// Refuses because of `pairs`, unless there are none.
    pub fn need_empty(&self, pairs: &Map, of: &Residual, rule: Rule) -> Walked<()> {
        if pairs.is_empty()? {
            return Ok(());
        }
        let d = of.dependence;
        let dependence = Some(Box::new(Broken {
            index: of.index,
            src: d.src,
            dst: d.dst,
            kind: d.kind,
            arrays: d.arrays.clone(),
            witness: witness(pairs),
        }));
        Err(Stop::Violation(Box::new(Violation {
            rule,
            place: self.place.clone(),
            dependence,
        })))
    }

    fn tree(&mut self, tree: &Tree, mut here: Here<'a>) -> Walked<()> {
        let depth = self.place.len();
        match tree {
            Tree::Leaf => self.leaf(&here)?,
            Tree::Band(b) => self.band(b, here)?,
            Tree::Sequence(branches) => self.branches(branches, here, Step::Sequence)?,
            Tree::Set(branches) => self.branches(branches, here, Step::Set)?,
            Tree::Mark(mark, child) => {
                self.place.push(Step::Mark);
                self.names_exist(mark)?;
                match mark {
                    Mark::RegisterTile(t) => register::check(self, t, &here)?,
                    Mark::Pack(p) => register::check_pack(self, p, &here)?,
                    Mark::Private(arrays) => {
                        private::check(self, arrays, child, &here)?;
                        here.private = arrays.clone();
                    }
                    Mark::Contracted(arrays) => contracted::check(self, arrays, child, &here)?,
                    Mark::Strips(cells) => strips::check(self, cells, child, &here)?,
                    Mark::Relation(text) => relation::check(self, text, child, &here)?,
                    Mark::Note(_) => {}
                }
                self.tree(child, here)?;
            }
        }
        self.place.truncate(depth);
        Ok(())
    }

    /// Whether there is what a mark speaks of.
    fn names_exist(&self, mark: &Mark) -> Walked<()> {
        let (stmt, operands) = match mark {
            Mark::RegisterTile(t) => (t.stmt, &[][..]),
            Mark::Pack(p) => (p.stmt, &p.operands[..]),
            Mark::Private(_)
            | Mark::Contracted(_)
            | Mark::Strips(_)
            | Mark::Relation(_)
            | Mark::Note(_) => {
                return Ok(());
            }
        };
        let Some(stmt) = self.scop.stmts.get(stmt.index()) else {
            return self.refuse(Rule::Malformed("no such statement"));
        };
        match operands.iter().all(|o| o.index() < stmt.body.nodes.len()) {
            true => Ok(()),
            false => self.refuse(Rule::Malformed("no such operand")),
        }
    }

    fn leaf(&self, here: &Here) -> Walked<()> {
        if let Some(r) = here.residual.first() {
            return self.need_empty(&r.pairs, r, Rule::Unordered);
        }
        for (s, set) in &here.instances {
            if !self.told_apart(*s, set, &here.above)? {
                return self.refuse(Rule::NotInjective(*s));
            }
        }
        Ok(())
    }

    /// Whether these rows have different values at different instances.
    fn told_apart(&self, s: StmtId, set: &Set, rows: &[UnionPwAff]) -> Walked<bool> {
        let mut same = Map::from_domain_and_range(set, set)?;
        for row in rows {
            let row = Row::new(self.scop, row)?;
            let Some(pa) = row.of(s) else { continue };
            same = same.intersect(&compared(set.ctx(), pa, pa, Relation::Equal)?)?;
        }
        Ok(same.is_subset(&Map::identity(&same.space()?)?)?)
    }

    fn branches(
        &mut self,
        branches: &[Branch],
        here: Here<'a>,
        step: impl Fn(usize) -> Step,
    ) -> Walked<()> {
        let parts = self.partition(branches, &here.instances)?;
        let mut inside: Vec<Vec<Residual<'a>>> = vec![vec![]; branches.len()];
        let is_set = matches!(step(0), Step::Set(_));
        for r in &here.residual {
            for (p, from) in parts.iter().enumerate() {
                let Some(src) = from.get(&r.dependence.src) else {
                    continue;
                };
                for (q, to) in parts.iter().enumerate() {
                    let Some(dst) = to.get(&r.dependence.dst) else {
                        continue;
                    };
                    if p < q && !is_set {
                        continue;
                    }
                    let pairs = restricted(&r.pairs, src, dst, &here.instances, r.dependence)?;
                    if p == q {
                        inside[p].push(Residual { pairs, ..r.clone() });
                    } else {
                        let rule = if is_set {
                            Rule::SetOrdered
                        } else {
                            Rule::Backwards
                        };
                        if is_set || !r.dependence.commutes() {
                            self.need_empty(&pairs, r, rule)?;
                        }
                    }
                }
            }
        }
        for (i, (instances, residual)) in parts.into_iter().zip(inside).enumerate() {
            self.place.push(step(i));
            let residual = nonempty(residual)?;
            self.tree(
                &branches[i].child,
                Here {
                    instances,
                    residual,
                    above: here.above.clone(),
                    tile: here.tile.clone(),
                    private: vec![],
                    alone: here.alone,
                },
            )?;
            self.place.pop();
        }
        Ok(())
    }

    /// The instances of each branch; every instance has exactly one.
    fn partition(&self, branches: &[Branch], instances: &Instances) -> Walked<Vec<Instances>> {
        let mut parts = vec![];
        let mut rest = instances.clone();
        for b in branches {
            self.names(&b.filter.space()?)?;
            let mut part = Instances::new();
            for (s, set) in instances {
                let Some(filter) = part_of(self.scop, &b.filter, *s)? else {
                    continue;
                };
                let here = set.intersect(&filter)?;
                if here.is_empty()? {
                    continue;
                }
                let left = &rest[s];
                if !here.is_subset(left)? {
                    return self.refuse(Rule::ScheduledTwice(*s));
                }
                let left = left.subtract(&here)?;
                rest.insert(*s, left);
                part.insert(*s, here);
            }
            parts.push(part);
        }
        for (s, left) in &rest {
            if !left.is_empty()? {
                return self.refuse(Rule::NotScheduled(*s));
            }
        }
        Ok(parts)
    }

    fn band(&mut self, b: &Band, here: Here<'a>) -> Walked<()> {
        self.place.push(if b.tile.is_some() {
            Step::TileBand
        } else {
            Step::Band
        });
        let members = b.schedule.size();
        if b.coincident.len() != members || b.loops.len() != members {
            return self.refuse(Rule::Malformed("a flag per member"));
        }
        self.names(&b.schedule.space()?)?;
        let rows: Vec<UnionPwAff> = (0..members)
            .map(|m| b.schedule.at(m))
            .collect::<Result<_, _>>()?;
        let parts: Vec<Row> = rows
            .iter()
            .map(|r| Row::new(self.scop, r))
            .collect::<Result<_, _>>()?;
        for row in &parts {
            for (s, set) in &here.instances {
                let covered = match row.of(*s) {
                    None => false,
                    Some(pa) => set.is_subset(&pa.domain()?)?,
                };
                if !covered {
                    return self.refuse(Rule::NotScheduled(*s));
                }
            }
        }
        let mut compare = Comparisons::new(self.scop.context.ctx(), &parts);
        flags::check(self, b, &here.residual, &mut compare)?;
        let (below, residual) = match &b.tile {
            None if b.loops.iter().any(|&l| flags::is_pipelined(l)) => {
                return self.refuse(Rule::Malformed("a wavefront of two for pipelined rows"));
            }
            None => (
                vec![Some(1); members],
                flags::sequential(self, b, &here.private, here.residual, &mut compare)?,
            ),
            Some(t) => {
                let below = self.tile_extents(b, t)?;
                let residual = flags::tiled(self, b, t, &below, here.residual, &mut compare)?;
                (below, residual)
            }
        };
        let shares = |l: &LoopKind| matches!(l, LoopKind::Parallel(_));
        let alone = here.alone && b.tile.is_none() && !b.loops.iter().any(shares);
        let mut above = here.above;
        for (row, below) in rows.iter().zip(below) {
            if below == Some(1) {
                above.push(row.clone());
            }
        }
        let tile = b.tile.as_ref().map(|t| TileRows {
            rows,
            sizes: t.sizes.clone(),
        });
        let residual = nonempty(residual)?;
        self.tree(
            &b.child,
            Here {
                instances: here.instances,
                residual,
                above,
                tile,
                private: vec![],
                alone,
            },
        )
    }

    /// Per member: the constant size of its tiles, if it is constant.
    fn tile_extents(&self, b: &Band, t: &Tile) -> Walked<Vec<Option<i64>>> {
        let members = b.schedule.size();
        let wave = |w: &usize| t.sizes[*w].clone();
        if t.sizes.len() != members || t.wavefront.iter().any(|w| *w >= members) {
            return self.refuse(Rule::Malformed("a tile size per member"));
        }
        let pipelined = (0..members).filter(|&m| flags::is_pipelined(b.loops[m]));
        let mut equal = true;
        for m in pipelined {
            equal = false;
            if t.wavefront.len() != 2 || !t.wavefront.contains(&m) {
                return self.refuse(Rule::Malformed("a wavefront of two for pipelined rows"));
            }
        }
        if t.wavefront
            .iter()
            .any(|w| wave(w) == TileSize::Whole || equal && wave(w) != wave(&t.wavefront[0]))
        {
            return self.refuse(Rule::Malformed("equal sizes of the members of a wavefront"));
        }
        let mut below = vec![];
        for size in &t.sizes {
            below.push(match size {
                TileSize::Whole => None,
                TileSize::Const(c) if *c >= 1 => Some(*c),
                TileSize::Const(_) => {
                    return self.refuse(Rule::Malformed("tile sizes of at least 1"));
                }
                TileSize::Param(p) if *p < self.schedule.sizes.len() => None,
                TileSize::Param(_) => return self.refuse(Rule::Malformed("declared tile sizes")),
            });
        }
        Ok(below)
    }
}

/// The part of a filter that is about one statement.
fn part_of(scop: &Scop, filter: &UnionSet, s: StmtId) -> Walked<Option<Set>> {
    let name = &scop.stmt(s).name;
    Ok(filter
        .sets()?
        .into_iter()
        .find(|set| set.tuple_name().as_deref() == Some(name)))
}

/// Pairs from one part to another; nothing to do where a part is all there is.
fn restricted(pairs: &Map, src: &Set, dst: &Set, all: &Instances, d: &Dependence) -> Walked<Map> {
    let mut pairs = pairs.clone();
    if !src.plain_is_equal(&all[&d.src])? {
        pairs = pairs.intersect_domain(src)?;
    }
    if !dst.plain_is_equal(&all[&d.dst])? {
        pairs = pairs.intersect_range(dst)?;
    }
    Ok(pairs)
}
