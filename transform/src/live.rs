//! The dependences that are still open at a node of a schedule tree: both ends reach the node, and nothing above it
//! orders them.

use polytile_analysis::deps::{Dependence, Dependences};
use polytile_analysis::ids::StmtId;
use polytile_analysis::poly::{self, DimType, Map, PwAff, Set, UnionPwAff, UnionSet};
use polytile_analysis::scop::Scop;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

/// Open dependences.
#[derive(Clone, Debug, Default)]
pub struct Live {
    list: Vec<Open>,
}

#[derive(Clone, Debug)]
struct Open {
    src: StmtId,
    dst: StmtId,
    pairs: Map,
    /// Either end may run first.
    commutes: bool,
}

/// How far apart the ends of a dependence are in a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Distance {
    /// Where it starts.
    pub src: StmtId,
    /// Where it leads.
    pub dst: StmtId,
    /// The least distance.
    pub least: i64,
    /// The greatest.
    pub most: i64,
}

impl Live {
    /// At the root.
    pub fn at_root(deps: &Dependences) -> poly::Result<Live> {
        Live::of(deps.ordering(false))
    }

    /// These dependences.
    pub fn of<'a>(deps: impl Iterator<Item = &'a Dependence>) -> poly::Result<Live> {
        let mut list = vec![];
        for d in deps {
            list.push(Open {
                src: d.src,
                dst: d.dst,
                pairs: d.relation.to_map()?,
                commutes: d.commutes(),
            });
        }
        Ok(Live { list })
    }

    /// Those that fix an order.
    pub fn ordered(&self) -> Live {
        let list = self.list.iter().filter(|d| !d.commutes);
        Live {
            list: list.cloned().collect(),
        }
    }

    /// Below a filter: both ends among these instances.
    pub fn inside(&self, domain: &UnionSet) -> poly::Result<Live> {
        let sets = domain.sets()?;
        let named = |id: StmtId| {
            let name = format!("S{}", id.0);
            sets.iter()
                .find(|s| s.tuple_name().as_deref() == Some(&name))
        };
        let mut list = vec![];
        for d in &self.list {
            if let (Some(src), Some(dst)) = (named(d.src), named(d.dst)) {
                let pairs = d.pairs.intersect_domain(src)?.intersect_range(dst)?;
                if !pairs.is_empty()? {
                    list.push(Open { pairs, ..d.clone() });
                }
            }
        }
        Ok(Live { list })
    }

    /// Below a band member: ends with equal values.
    pub fn tied(&self, row: &UnionPwAff) -> poly::Result<Live> {
        let row = Values::of(row)?;
        // Most dependences are between the same few statements.
        let mut equal: BTreeMap<(StmtId, StmtId), Map> = BTreeMap::new();
        let mut list = vec![];
        for d in &self.list {
            let pairs = match (row.ends(d), equal.entry((d.src, d.dst))) {
                (None, _) => d.pairs.clone(),
                (Some(_), Entry::Occupied(known)) => d.pairs.intersect(known.get())?,
                (Some((x, y)), Entry::Vacant(new)) => {
                    d.pairs.intersect(new.insert(x.eq_map(y)?))?
                }
            };
            if !pairs.is_empty()? {
                list.push(Open { pairs, ..d.clone() });
            }
        }
        Ok(Live { list })
    }

    /// Whether no open dependence goes backwards in this row.
    pub fn respects(&self, row: &UnionPwAff) -> poly::Result<bool> {
        let row = Values::of(row)?;
        for d in &self.list {
            let Some((x, y)) = row.ends(d) else {
                return Ok(false);
            };
            if !d.pairs.intersect(&x.gt_map(y)?)?.is_empty()? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether every open dependence has equal values in this row.
    pub fn coincident(&self, row: &UnionPwAff) -> poly::Result<bool> {
        let row = Values::of(row)?;
        for d in &self.list {
            let Some((x, y)) = row.ends(d) else {
                return Ok(false);
            };
            let apart = x.lt_map(y)?.union(&x.gt_map(y)?)?;
            if !d.pairs.intersect(&apart)?.is_empty()? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// How far apart in this row the ends of the open dependences are, at least and at most, for each dependence; `None`
    /// where there is no bound.
    pub fn distances(&self, row: &UnionPwAff) -> poly::Result<Option<Vec<Distance>>> {
        let row = Values::of(row)?;
        let mut list = vec![];
        for d in &self.list {
            let Some((x, y)) = row.ends(d) else {
                return Ok(None);
            };
            let values = d
                .pairs
                .apply_domain(&Map::from_pw_aff(x)?)?
                .apply_range(&Map::from_pw_aff(y)?)?;
            let gain = values.deltas()?.project_out_all_params()?;
            let (Some(least), Some(most)) = gain.dim_ends(0)? else {
                return Ok(None);
            };
            list.push(Distance {
                src: d.src,
                dst: d.dst,
                least,
                most,
            });
        }
        Ok(Some(list))
    }

    /// The pairs of different statements that are ordered.
    pub fn edges(&self) -> BTreeSet<(StmtId, StmtId)> {
        let all = self.list.iter().map(|d| (d.src, d.dst));
        all.filter(|(s, t)| s != t).collect()
    }

    /// The instances of a statement on which others, these ones excepted, depend.
    pub fn sources(&self, src: StmtId, except: &[StmtId]) -> poly::Result<Option<Set>> {
        let mut found: Option<Set> = None;
        for d in &self.list {
            if d.src == src && d.dst != src && !except.contains(&d.dst) {
                let own = d.pairs.domain()?;
                found = Some(match found {
                    None => own,
                    Some(f) => f.union(&own)?.coalesce()?,
                });
            }
        }
        Ok(found)
    }

    /// Whether an open dependence leads from some instances to others.
    pub fn leads(&self, from: &UnionSet, to: &UnionSet) -> poly::Result<bool> {
        for d in &self.list {
            let (src, dst) = (d.pairs.domain()?.space()?, d.pairs.range()?.space()?);
            let (src, dst) = (from.extract_set(&src)?, to.extract_set(&dst)?);
            if !d
                .pairs
                .intersect_domain(&src)?
                .intersect_range(&dst)?
                .is_empty()?
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether nothing is open.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
}

/// The parts of a row, by the names of their statements.
struct Values(Vec<(Option<String>, PwAff)>);

impl Values {
    fn of(row: &UnionPwAff) -> poly::Result<Values> {
        let parts = row.pw_affs()?.into_iter();
        let named = |part: PwAff| Ok((part.space()?.tuple_name(DimType::In), part));
        parts.map(named).collect::<poly::Result<_>>().map(Values)
    }

    /// The row on a statement.
    fn on(&self, id: StmtId) -> Option<&PwAff> {
        let name = format!("S{}", id.0);
        let own = |(n, _): &&(Option<String>, PwAff)| n.as_deref() == Some(&name);
        self.0.iter().find(own).map(|(_, part)| part)
    }

    /// The row at both ends of a dependence.
    fn ends(&self, d: &Open) -> Option<(&PwAff, &PwAff)> {
        self.on(d.src).zip(self.on(d.dst))
    }
}

/// The row on one statement.
pub fn row_of(row: &UnionPwAff, id: StmtId) -> poly::Result<Option<PwAff>> {
    Ok(Values::of(row)?.on(id).cloned())
}

/// A row so many iterations later.
pub fn moved(row: &UnionPwAff, by: i64) -> poly::Result<UnionPwAff> {
    let mut all = UnionPwAff::empty(&row.space()?)?;
    for pa in row.pw_affs()? {
        let by = PwAff::si_on_domain(&pa.domain()?, by)?;
        all = all.add_pw_aff(&pa.add(&by)?)?;
    }
    Ok(all)
}

/// The statements of a set of instances, in order.
pub fn statements(scop: &Scop, domain: &UnionSet) -> poly::Result<Vec<StmtId>> {
    let mut ids: Vec<StmtId> = vec![];
    for set in domain.sets()? {
        if let Some(s) = set.tuple_name().and_then(|n| scop.stmt_by_name(&n)) {
            ids.push(s.id);
        }
    }
    ids.sort();
    Ok(ids)
}
