//! Files in another tool's own names: what was not made of a file of ours, as Polly's own exports.
//!
//! ```text
//! file      [p_0, p_1] -> { Stmt2[i0, i1] : 0 <= i0 < p_0 and 0 <= i1 < p_1 }     MemRef2[i0, i1]
//! SCoP      [m, n] -> { S0[i, j] : 0 <= i < m and 0 <= j < n }                    B[i, j]
//! ```
//!
//! Such a file names its statements one by one, in the order of the text; the first of it is the SCoP's first. Its parameters are those of the SCoP in an order in which all iteration domains
//! are the SCoP's. Arrays are not looked for: a tool may see `B[200 i + j]` where the SCoP has `B[i, j]`. That costs nothing: the order is proved against
//! the SCoP's own dependences, whatever the file was about.

use crate::document::{Contents, Order, Piece};
use polytile_analysis::poly::{self, DimType, Map, UnionMap, UnionSet};
use polytile_analysis::scop::Scop;
use std::collections::BTreeMap;

/// Orders of parameters that are tried: those of five.
const MOST_ORDERS: usize = 120;

/// Names of a file, each with what the SCoP has in its place.
type Names = BTreeMap<String, String>;

/// What a file says, in the SCoP's names and without accesses; `None` if it has these names, or no statement for each of the SCoP's, or no domains of
/// the SCoP's in any order of parameters.
///
/// # Errors
/// Those of the set library. What is no text of it is told by who compares the file with the SCoP.
pub(crate) fn in_own_names(contents: &Contents, scop: &Scop) -> poly::Result<Option<Contents>> {
    let Order::Times(times) = &contents.order else {
        return Ok(None);
    };
    let ctx = scop.context.ctx();
    // As relations to themselves: what has names is relations then.
    let parsed = |p: &Piece| UnionSet::parse(ctx, &p.text)?.identity()?.maps();
    let Ok(domains) = contents
        .domain
        .iter()
        .map(parsed)
        .collect::<Result<Vec<_>, _>>()
    else {
        return Ok(None);
    };
    let parsed = |p: &Piece| UnionMap::parse(ctx, &p.text).and_then(|map| map.maps());
    let Ok(maps) = times.iter().map(parsed).collect::<Result<Vec<_>, _>>() else {
        return Ok(None);
    };
    let Some(stmts) = statements(&domains, scop) else {
        return Ok(None);
    };
    let Some(names) = parameters(&domains, &maps, &stmts, scop)? else {
        return Ok(None);
    };
    let mut own = Contents {
        domain: contents.domain.clone(),
        order: Order::Times(vec![]),
        accesses: vec![],
    };
    for (piece, set) in own.domain.iter_mut().zip(&domains) {
        piece.text = renamed(&set[0], &stmts, &names)?.domain()?.to_string();
    }
    let mut order = vec![];
    for (piece, maps) in times.iter().zip(&maps) {
        let mut all = UnionMap::empty(&scop.context.space()?)?;
        for map in maps {
            all = all.union(&renamed(map, &stmts, &names)?.to_union_map()?)?;
        }
        order.push(Piece {
            text: all.to_string(),
            line: piece.line,
        });
    }
    own.order = Order::Times(order);
    Ok(Some(own))
}

/// The statements of a file that has other names for them.
fn statements(domains: &[Vec<Map>], scop: &Scop) -> Option<Names> {
    let mut names = Names::new();
    for (sets, stmt) in domains.iter().zip(&scop.stmts) {
        let [set] = &sets[..] else {
            return None;
        };
        let name = set.tuple_name(DimType::In)?;
        if scop.stmts.iter().any(|s| s.name == name) || set.dim(DimType::In) != stmt.depth() {
            return None;
        }
        names.insert(name, stmt.name.clone());
    }
    let each_once = domains.len() == scop.stmts.len() && names.len() == scop.stmts.len();
    each_once.then_some(names)
}

/// The parameters of a file: the first order of them in which the domains are the SCoP's.
fn parameters(
    domains: &[Vec<Map>],
    times: &[Vec<Map>],
    stmts: &Names,
    scop: &Scop,
) -> poly::Result<Option<Names>> {
    let mut given: Vec<String> = vec![];
    let mut see = |count: usize, name: &dyn Fn(usize) -> Option<String>| {
        for name in (0..count).filter_map(name) {
            if !given.contains(&name) {
                given.push(name);
            }
        }
    };
    for map in domains.iter().chain(times).flatten() {
        see(map.dim(DimType::Param), &|p| {
            map.dim_name(DimType::Param, p)
        });
    }
    let known = scop.known()?;
    for order in orders(given.len(), scop.params.len()) {
        let own = order.iter().map(|p| scop.params[*p].name.clone());
        let names: Names = given.iter().cloned().zip(own).collect();
        let mut fits = true;
        for (set, stmt) in domains.iter().flatten().zip(&scop.stmts) {
            let set = renamed(set, stmts, &names)?.domain()?;
            let set = set.intersect_params(&known)?;
            let own = stmt.domain.intersect_params(&known)?;
            fits = fits && set.to_union_set()?.is_equal(&own.to_union_set()?)?;
        }
        if fits {
            return Ok(Some(names));
        }
    }
    Ok(None)
}

/// Ways to choose some of `of` numbers in an order, the ascending one first; at most [`MOST_ORDERS`].
fn orders(some: usize, of: usize) -> Vec<Vec<usize>> {
    let mut found = vec![vec![]];
    for _ in 0..some {
        let longer = found.iter().flat_map(|order: &Vec<usize>| {
            let others = (0..of).filter(move |p| !order.contains(p));
            others.map(move |p| [&order[..], &[p]].concat())
        });
        found = longer.take(MOST_ORDERS).collect();
    }
    found
}

/// A name that no file has: parameters change places, and two of one name would be one.
fn between(position: usize) -> String {
    format!("?{position}")
}

/// A relation of instances under the SCoP's names.
fn renamed(map: &Map, stmts: &Names, params: &Names) -> poly::Result<Map> {
    let mut map = map.clone();
    if let Some(own) = map.tuple_name(DimType::In).and_then(|n| stmts.get(&n)) {
        map = map.set_tuple_name(DimType::In, own)?;
    }
    let names = own_params(map.dim(DimType::Param), params, |p| {
        map.dim_name(DimType::Param, p)
    });
    for (at, _) in names.iter().enumerate() {
        map = map.set_dim_name(DimType::Param, at, &between(at))?;
    }
    for (at, name) in names.iter().enumerate() {
        map = map.set_dim_name(DimType::Param, at, name)?;
    }
    Ok(map)
}

/// The SCoP's names of so many parameters.
fn own_params(count: usize, params: &Names, name: impl Fn(usize) -> Option<String>) -> Vec<String> {
    let own = |at: usize| {
        let name = name(at).unwrap_or_default();
        params.get(&name).cloned().unwrap_or(name)
    };
    (0..count).map(own).collect()
}
