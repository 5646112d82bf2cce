//! Completion: a full legal order from its first rows (Kelly and Pugh 1994).
//!
//! ```text
//! complete { S0[k, i] -> [i]; S1[k, i, j] -> [i] }        the loop over i outermost; the rest is found
//! ```
//!
//! The given rows are kept. Below them, statements that no cycle of dependences ties together come one after the other;
//! those that are tied share a loop over one iterator each, the first for which no dependence goes backwards, in the
//! source's order of iterators. If a given row runs a dependence backwards there is no completion.

use super::mapping::{covered, positions};
use super::rows::with_params;
use super::surgery::listed;
use super::{Applied, State, Step, Structure};
use crate::live::{Live, statements};
use crate::simd::linear_part;
use petgraph::algo::tarjan_scc;
use petgraph::graphmap::DiGraphMap;
use polytile_analysis::ids::StmtId;
use polytile_analysis::poly::{
    DimType, LocalSpace, Mat, MultiUnionPwAff, PwAff, UnionMap, UnionPwAff, UnionSet,
};
use polytile_analysis::tree::{Band, Branch, LoopKind, Schedule, Tree};
use std::fmt;

/// Choices of iterators for statements that share a loop, at most.
const MAX_CHOICES: usize = 256;

/// Finds the rest of an order.
#[derive(Clone, Debug)]
pub struct Complete {
    /// The first rows, a map in isl's notation.
    pub rows: String,
}

impl Step for Complete {
    fn apply<'a>(&self, state: &State<'a>) -> Applied<State<'a>> {
        let scop = state.scop;
        let text = with_params(scop, &self.rows);
        let wrong = |e| Structure::Mapping(format!("rows {text}: {e}"));
        let map = UnionMap::parse(scop.context.ctx(), &text).map_err(wrong)?;
        let domain = &state.schedule.domain;
        let map = map.intersect_domain(domain)?;
        covered(state, &map)?;
        let rows = MultiUnionPwAff::from_union_map(&map)?.union_pw_affs()?;
        let live = Live::at_root(state.deps)?.inside(domain)?;
        let search = Search { state };
        let root = search
            .given(&rows, domain, &live, &[])?
            .ok_or_else(|| Structure::Decided("there is no completion".into()))?;
        Ok(state.with(Schedule {
            root: super::normal(&root)?,
            ..state.schedule.clone()
        }))
    }
}

struct Search<'s, 'a> {
    state: &'s State<'a>,
}

/// A tree, if there is one.
type Found = Applied<Option<Tree>>;

impl Search<'_, '_> {
    /// The given rows, and what is found below them.
    fn given(
        &self,
        rows: &[UnionPwAff],
        domain: &UnionSet,
        live: &Live,
        above: &[UnionPwAff],
    ) -> Found {
        let Some((first, rest)) = rows.split_first() else {
            return self.below(domain, live, above);
        };
        let here = first.intersect_domain(domain)?;
        if let Some(groups) = positions(&here)? {
            let parts: Vec<UnionSet> = groups.into_values().collect();
            return self.parts(&parts, live, &|part, live| {
                self.given(rest, part, live, above)
            });
        }
        let row = here.gist(domain)?;
        if !live.ordered().respects(&row)? {
            return Ok(None);
        }
        let above = [above, std::slice::from_ref(&row)].concat();
        let child = self.given(rest, domain, &live.tied(&row)?, &above)?;
        child.map(|c| looping(&row, c)).transpose()
    }

    /// Parts one after the other.
    fn parts(
        &self,
        parts: &[UnionSet],
        live: &Live,
        each: &dyn Fn(&UnionSet, &Live) -> Found,
    ) -> Found {
        let mut list = vec![];
        for (i, part) in parts.iter().enumerate() {
            for earlier in &parts[..i] {
                if live.ordered().leads(part, earlier)? {
                    return Ok(None);
                }
            }
            let Some(child) = each(part, &live.inside(part)?)? else {
                return Ok(None);
            };
            list.push(Branch {
                filter: part.clone(),
                child,
            });
        }
        Ok(Some(listed(list)))
    }

    /// What is found below rows.
    fn below(&self, domain: &UnionSet, live: &Live, above: &[UnionPwAff]) -> Found {
        let parts = self.components(domain, live)?;
        if parts.len() > 1 {
            return self.parts(&parts, live, &|part, live| self.tied(part, live, above));
        }
        self.tied(domain, live, above)
    }

    /// The instances of statements that depend on each other, in an order that their dependences allow.
    fn components(&self, domain: &UnionSet, live: &Live) -> Applied<Vec<UnionSet>> {
        let mut graph: DiGraphMap<u32, ()> = DiGraphMap::new();
        for s in statements(self.state.scop, domain)? {
            graph.add_node(s.0);
        }
        for (src, dst) in live.edges() {
            graph.add_edge(src.0, dst.0, ());
        }
        let mut parts = vec![];
        for mut component in tarjan_scc(&graph).into_iter().rev() {
            component.sort_unstable();
            let mut part = UnionSet::empty(&domain.space()?)?;
            for set in domain.sets()? {
                let name = set.tuple_name();
                let mine = |s: &u32| name.as_deref() == Some(&*format!("S{s}"));
                if component.iter().any(mine) {
                    part = part.union(&set.to_union_set()?)?;
                }
            }
            parts.push(part);
        }
        Ok(parts)
    }

    /// A loop for statements that are tied together, and what is below; a leaf where all iterators have rows.
    fn tied(&self, domain: &UnionSet, live: &Live, above: &[UnionPwAff]) -> Found {
        let scop = self.state.scop;
        let stmts = statements(scop, domain)?;
        let mut choices: Vec<Vec<PwAff>> = vec![];
        for s in &stmts {
            let left = self.left(*s, above)?;
            choices.push(left);
        }
        if choices.iter().all(Vec::is_empty) {
            return Ok((stmts.len() == 1 && live.is_empty()).then_some(Tree::Leaf));
        }
        let params = scop.context.space()?;
        for choice in combinations(&choices) {
            let mut row = UnionPwAff::empty(&params)?;
            for ((s, k), left) in stmts.iter().zip(&choice).zip(&choices) {
                let part = match left.get(*k) {
                    Some(part) => part.clone(),
                    None => PwAff::si_on_domain(&universe(scop.stmt(*s))?, 0)?,
                };
                row = row.add_pw_aff(&part)?;
            }
            if !live.ordered().respects(&row)? {
                continue;
            }
            let above = [above, std::slice::from_ref(&row)].concat();
            if let Some(child) = self.below(domain, &live.tied(&row)?, &above)? {
                return looping(&row, child).map(Some);
            }
        }
        Ok(None)
    }

    /// The iterators of a statement that its rows do not determine.
    fn left(&self, stmt: StmtId, above: &[UnionPwAff]) -> Applied<Vec<PwAff>> {
        let stmt = self.state.scop.stmt(stmt);
        let mut known: Vec<Vec<i64>> = vec![];
        for row in above {
            known.extend(linear_part(row, stmt)?);
        }
        let ctx = self.state.scop.context.ctx();
        let rank = |rows: &[Vec<i64>]| match rows.is_empty() {
            true => Ok(0),
            false => Mat::from_rows(ctx, rows, stmt.depth())?.rank(),
        };
        let mut left = vec![];
        for d in 0..stmt.depth() {
            let mut unit = vec![0; stmt.depth()];
            unit[d] = 1;
            let mut with = known.clone();
            with.push(unit);
            if rank(&with)? > rank(&known)? {
                let space = LocalSpace::from_space(&stmt.domain.space()?)?;
                left.push(PwAff::var_on_domain(&space, DimType::Set, d)?);
            }
        }
        Ok(left)
    }
}

fn universe(
    stmt: &polytile_analysis::scop::Stmt,
) -> polytile_analysis::poly::Result<polytile_analysis::poly::Set> {
    polytile_analysis::poly::Set::universe(&stmt.domain.space()?)
}

fn looping(row: &UnionPwAff, child: Tree) -> Applied<Tree> {
    let mut band = Band::looping(row, LoopKind::Sequential, false, child)?;
    band.permutable = false;
    Ok(Tree::Band(Box::new(band)))
}

/// Positions in each list, the first ones first.
fn combinations(lists: &[Vec<PwAff>]) -> Vec<Vec<usize>> {
    let mut all = vec![vec![]];
    for list in lists {
        let n = list.len().max(1);
        all = (all.iter())
            .flat_map(|c: &Vec<usize>| {
                (0..n).map(move |k| {
                    let mut c = c.clone();
                    c.push(k);
                    c
                })
            })
            .take(MAX_CHOICES)
            .collect();
    }
    all
}

impl fmt::Display for Complete {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "complete {}", self.rows)
    }
}
