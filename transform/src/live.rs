//! The dependences that are still open at a node of a schedule tree: both ends reach the node, and nothing above it
//! orders them.

use polytile_analysis::deps::Dependences;
use polytile_analysis::ids::StmtId;
use polytile_analysis::poly::{self, DimType, Map, PwAff, UnionPwAff, UnionSet};
use polytile_analysis::scop::Scop;
use std::collections::BTreeSet;

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
}

impl Live {
    /// At the root.
    pub fn at_root(deps: &Dependences) -> poly::Result<Live> {
        let mut list = vec![];
        for d in deps.ordering(false) {
            list.push(Open {
                src: d.src,
                dst: d.dst,
                pairs: d.relation.to_map()?,
            });
        }
        Ok(Live { list })
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
        let mut list = vec![];
        for d in &self.list {
            let pairs = match ends(row, d)? {
                Some((x, y)) => d.pairs.intersect(&x.eq_map(&y)?)?,
                None => d.pairs.clone(),
            };
            if !pairs.is_empty()? {
                list.push(Open { pairs, ..d.clone() });
            }
        }
        Ok(Live { list })
    }

    /// Whether no open dependence goes backwards in this row.
    pub fn respects(&self, row: &UnionPwAff) -> poly::Result<bool> {
        for d in &self.list {
            let Some((x, y)) = ends(row, d)? else {
                return Ok(false);
            };
            if !d.pairs.intersect(&x.gt_map(&y)?)?.is_empty()? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether every open dependence has equal values in this row.
    pub fn coincident(&self, row: &UnionPwAff) -> poly::Result<bool> {
        for d in &self.list {
            let Some((x, y)) = ends(row, d)? else {
                return Ok(false);
            };
            let apart = x.lt_map(&y)?.union(&x.gt_map(&y)?)?;
            if !d.pairs.intersect(&apart)?.is_empty()? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The pairs of different statements that are ordered.
    pub fn edges(&self) -> BTreeSet<(StmtId, StmtId)> {
        let all = self.list.iter().map(|d| (d.src, d.dst));
        all.filter(|(s, t)| s != t).collect()
    }

    /// Whether nothing is open.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
}

/// The row at both ends of a dependence.
fn ends(row: &UnionPwAff, d: &Open) -> poly::Result<Option<(PwAff, PwAff)>> {
    Ok(of(row, d.src)?.zip(of(row, d.dst)?))
}

/// The row on one statement.
fn of(row: &UnionPwAff, id: StmtId) -> poly::Result<Option<PwAff>> {
    let name = format!("S{}", id.0);
    let mine = |pa: &PwAff| {
        let space = pa.space().ok()?;
        space.tuple_name(DimType::In)
    };
    let found = row.pw_affs()?;
    Ok(found
        .into_iter()
        .find(|pa| mine(pa).as_deref() == Some(&name)))
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
