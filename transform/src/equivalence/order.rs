//! Whether each instance runs once, and accesses to one location run in the source's order.

use super::place::{Order, Place, What};
use super::storage::{Located, touched};
use super::{Checked, Program, Stop};
use polytile_analysis::deps::order::{before, shared_loops, textually_before};
use polytile_analysis::deps::update;
use polytile_analysis::poly::{DimType, Map, Set};
use polytile_analysis::scop::Stmt;
use polytile_analysis::tree::DIAGONAL_REACH;
use std::collections::BTreeMap;

/// Every instance of the source runs at exactly one place, once.
pub(super) fn covers(program: &Program, places: &[Place]) -> Checked<()> {
    for s in &program.scop.stmts {
        let wanted = s.domain.intersect_params(&program.known)?;
        let mut seen: Option<Set> = None;
        let counts = |p: &&Place| {
            p.stmt == s.id && matches!(p.what, What::Instance | What::Updates | What::Chained(_))
        };
        for p in places.iter().filter(counts) {
            let own = p.instances.range()?;
            if !own.is_subset(&wanted)? {
                return wrong(s, "runs where the source has no instance");
            }
            if !p.instances.reverse()?.is_single_valued()? {
                return wrong(s, "has an instance that runs twice");
            }
            seen = Some(match seen {
                None => own,
                Some(before) if !before.is_disjoint(&own)? => {
                    return wrong(s, "has an instance that runs at two places");
                }
                Some(before) => before.union(&own)?.coalesce()?,
            });
        }
        let all = match seen {
            Some(seen) => wanted.is_subset(&seen)?,
            None => wanted.is_empty()?,
        };
        if !all {
            return wrong(s, "has an instance that does not run");
        }
    }
    Ok(())
}

fn wrong<T>(s: &Stmt, what: &str) -> Checked<T> {
    Err(Stop::Wrong(format!("{} {what}", s.name)))
}

/// Accesses to one location, of which one writes, run in the source's order.
pub(super) fn keeps_order(
    program: &Program,
    places: &[Place],
    located: &[Vec<Located>],
) -> Checked<()> {
    let mut conflicts = Conflicts::new();
    for (u, from) in places.iter().zip(located) {
        if matches!(u.what, What::Pack(_)) {
            continue;
        }
        for (v, to) in places.iter().zip(located) {
            if matches!(v.what, What::Pack(_)) {
                continue;
            }
            let (s, t) = (program.scop.stmt(u.stmt), program.scop.stmt(v.stmt));
            if shared_loops(s, t) == 0 && !textually_before(s, t) {
                continue;
            }
            Pair { program, u, v }.check(from, to, &mut conflicts)?;
        }
    }
    Ok(())
}

/// Pairs of accesses of the source, by statement and position, and whether they conflict in its order.
type Conflicts = BTreeMap<[(usize, usize); 2], bool>;

/// Two places, the instances of the first of which precede those of the second in the source.
struct Pair<'a> {
    program: &'a Program<'a>,
    u: &'a Place,
    v: &'a Place,
}

impl Pair<'_> {
    fn stmts(&self) -> (&Stmt, &Stmt) {
        let stmt = |p: &Place| self.program.scop.stmt(p.stmt);
        (stmt(self.u), stmt(self.v))
    }

    /// Whether two accesses conflict somewhere in the source.
    fn conflict(&self, a: &Located, b: &Located, known: &mut Conflicts) -> Checked<bool> {
        let (s, t) = self.stmts();
        let key = [(s.id.index(), a.access), (t.id.index(), b.access)];
        if let Some(found) = known.get(&key) {
            return Ok(*found);
        }
        let (x, y) = (&s.accesses[a.access], &t.accesses[b.access]);
        let own = |s: &Stmt| s.domain.intersect_params(&self.program.known);
        let from = x.relation.intersect_domain(&own(s)?)?;
        let to = y.relation.intersect_domain(&own(t)?)?;
        let pairs = from.apply_range(&to.reverse()?)?;
        let found = !pairs.intersect(&before(s, t)?)?.is_empty()?;
        known.insert(key, found);
        Ok(found)
    }

    fn check(&self, from: &[Located], to: &[Located], conflicts: &mut Conflicts) -> Checked<()> {
        let (mut strict, mut free): (Option<Map>, Option<Map>) = (None, None);
        let mut order: Option<Map> = None;
        for a in from {
            for b in to.iter().filter(|b| b.name == a.name) {
                let (s, t) = self.stmts();
                let unordered = self.program.scop.is_unordered(s, t, a.array);
                if unordered || !a.writes && !b.writes {
                    continue;
                }
                // Other locations may conflict where elements do not.
                let plain = !a.changed && !b.changed;
                if plain && !self.conflict(a, b, conflicts)? {
                    continue;
                }
                let order = match &order {
                    Some(o) => o,
                    None => order.insert(self.source_order()?),
                };
                let pairs = a.map.apply_range(&b.map.reverse()?)?.intersect(order)?;
                if pairs.is_empty()? {
                    continue;
                }
                let into = match self.commutes(a, b)? {
                    true => &mut free,
                    false => &mut strict,
                };
                *into = Some(match into.take() {
                    Some(known) => known.union(&pairs)?,
                    None => pairs,
                });
            }
        }
        if let Some(pairs) = strict {
            self.ordered(&pairs.coalesce()?, false)?;
        }
        if let Some(pairs) = free {
            self.ordered(&pairs.coalesce()?, true)?;
        }
        self.own_accumulators(from)
    }

    fn source_order(&self) -> Checked<Map> {
        let (s, t) = self.stmts();
        let order = before(s, t)?;
        let order = self.u.instances.apply_range(&order)?;
        Ok(order.apply_range(&self.v.instances.reverse()?)?)
    }

    /// Whether two updates of a cell may change places.
    fn commutes(&self, a: &Located, b: &Located) -> Checked<bool> {
        let (s, t) = self.stmts();
        let (Some(x), Some(y)) = (update(s)?, update(t)?) else {
            return Ok(false);
        };
        let own = |n: usize, read: usize| n == 0 || n == read;
        Ok(own(a.access, x.read) && own(b.access, y.read) && x.commutes_with(y))
    }

    /// Loops around both.
    fn common(&self) -> usize {
        let levels = self.u.levels.iter().zip(&self.v.levels);
        levels.take_while(|(a, b)| a.id == b.id).count()
    }

    /// Refuses pairs that do not run one after the other; with `either`, the second may run first.
    fn ordered(&self, pairs: &Map, either: bool) -> Checked<()> {
        let (common, mut left) = (self.common(), pairs.clone());
        let next = |i: usize| i + 1 < common;
        for i in 0..common {
            let ends = (DimType::In, i, DimType::Out, i);
            let backwards = left.order_gt(ends.0, ends.1, ends.2, ends.3)?;
            let forwards = || left.order_lt(ends.0, ends.1, ends.2, ends.3);
            let crossed = |m: &Map| m.order_gt(DimType::In, i + 1, DimType::Out, i + 1);
            let order = self.u.levels[i].order;
            if order != Order::Sequential || !either {
                self.none(&backwards, i)?;
            }
            match order {
                Order::Sequential => {}
                Order::None => self.none(&forwards()?, i)?,
                Order::Rows if next(i) => self.none(&crossed(&forwards()?)?, i)?,
                Order::Rows => self.none(&forwards()?, i)?,
                Order::AroundDiagonal if next(i) => {
                    self.none(&crossed(&left)?, i)?;
                    self.near(&left, i)?;
                }
                Order::AroundDiagonal => {}
            }
            left = left.equate(ends.0, ends.1, ends.2, ends.3)?;
            if left.is_empty()? {
                return Ok(());
            }
        }
        let (a, b) = (&self.u.positions[common], &self.v.positions[common]);
        // One leaf tells its instances apart by its loops.
        match a.cmp(b) {
            std::cmp::Ordering::Less => Ok(()),
            std::cmp::Ordering::Greater if either => Ok(()),
            _ => self.none(&left, common),
        }
    }

    /// In the two loops of a diagonal, what depends on each other is near.
    fn near(&self, pairs: &Map, i: usize) -> Checked<()> {
        let dims = |n: usize, c: char| {
            let all: Vec<String> = (0..n).map(|d| format!("{c}{d}")).collect();
            all.join(", ")
        };
        let (x, y) = (
            dims(pairs.dim(DimType::In), 'x'),
            dims(pairs.dim(DimType::Out), 'y'),
        );
        let mut far = vec![];
        for (at, reach) in [(i, DIAGONAL_REACH.0), (i + 1, DIAGONAL_REACH.1)] {
            far.push(format!(
                "y{at} > x{at} + {reach} or x{at} > y{at} + {reach}"
            ));
        }
        let far = format!("{{ [{x}] -> [{y}] : {} }}", far.join(" or "));
        self.none(&pairs.intersect(&Map::parse(pairs.ctx(), &far)?)?, i)
    }

    fn none(&self, pairs: &Map, level: usize) -> Checked<()> {
        if pairs.is_empty()? {
            return Ok(());
        }
        let (s, t) = self.stmts();
        let found = match example(pairs) {
            Some(pair) => format!(", for example {pair}"),
            None => String::new(),
        };
        Err(Stop::Wrong(format!(
            "{} must run before {} (loop {level} around them){found}",
            s.name, t.name
        )))
    }

    /// A register tile has one accumulator per row and lane.
    fn own_accumulators(&self, from: &[Located]) -> Checked<()> {
        let same = std::ptr::eq(self.u, self.v) && matches!(self.u.what, What::Updates);
        let Some(write) = from.iter().find(|l| l.writes).filter(|_| same) else {
            return Ok(());
        };
        let mut pairs = write.map.apply_range(&write.map.reverse()?)?;
        let outer = self.u.levels.len() - 3;
        for d in 0..outer {
            pairs = pairs.equate(DimType::In, d, DimType::Out, d)?;
        }
        for d in [outer + 1, outer + 2] {
            let less = pairs.order_lt(DimType::In, d, DimType::Out, d)?;
            self.none(&less, d)?;
        }
        Ok(())
    }
}

/// A pair of values of the loops' iterators.
fn example(pairs: &Map) -> Option<String> {
    let sample = pairs.sample().ok()?;
    Some(sample.to_string())
}

/// Whether copies of operands hold what the register tiles behind them read there.
pub(super) fn provides(
    program: &Program,
    places: &[Place],
    located: &[Vec<Located>],
) -> Checked<()> {
    for tile in places.iter().filter(|p| matches!(p.what, What::Operands)) {
        for element in &tile.elements {
            provided(program, tile, element, places, located)?;
        }
    }
    Ok(())
}

fn provided(
    program: &Program,
    tile: &Place,
    element: &super::place::Element,
    places: &[Place],
    located: &[Vec<Located>],
) -> Checked<()> {
    let Some(panel) = &element.panel else {
        return Ok(());
    };
    let stmt = program.scop.stmt(tile.stmt);
    let needed = element.index.domain()?;
    if needed.is_empty()? {
        return Ok(());
    }
    let bad = |why: &str| Err(Stop::Wrong(format!("buffer {}: {why}", panel.buffer)));
    let mut covered: Option<Set> = None;
    for pack in places {
        let What::Pack(store) = &pack.what else {
            continue;
        };
        if store.buffer != panel.buffer {
            continue;
        }
        if store.stmt != tile.stmt || store.operands != panel.operands || store.width != panel.width
        {
            return bad("other operands are copied than read");
        }
        let pair = Pair {
            program,
            u: pack,
            v: tile,
        };
        let common = pair.common();
        if pack.positions[common] >= tile.positions[common] {
            return bad("it is read before it is filled");
        }
        // What other iterations copy must not come between.
        let shared = program.buffers.get(panel.buffer).is_none_or(|b| b.shared);
        let raced = |l: &super::place::Level| matches!(l.order, Order::None | Order::Rows);
        if shared && pack.levels[..common].iter().any(raced) {
            return bad("threads fill it that share it");
        }
        let [index] = &pack.elements[..] else {
            return bad("a copy has one place");
        };
        if index.factors != element.factors {
            return Err(Stop::Open("indices of buffers by other products"));
        }
        let mut from = element.index.apply_range(&index.index.reverse()?)?;
        for d in 0..common {
            from = from.equate(DimType::In, d, DimType::Out, d)?;
        }
        let own = from.domain()?;
        covered = Some(match covered {
            None => own,
            Some(known) => known.union(&own)?,
        });
        for n in touched(stmt, &pack.what)? {
            let cells = &stmt.accesses[n].relation;
            let read = tile.instances.apply_range(cells)?;
            let copied = pack.instances.apply_range(cells)?;
            let same = read.apply_range(&copied.reverse()?)?;
            if !from.is_subset(&same)? {
                return bad("it holds another element than the one that is read");
            }
        }
        unwritten(program, (pack, common), places, located)?;
    }
    match covered {
        Some(all) if needed.is_subset(&all)? => Ok(()),
        _ => bad("an element is read that was not copied"),
    }
}

/// Nothing writes what was copied between the copy and its use: in the block where both are.
fn unwritten(
    program: &Program,
    (pack, common): (&Place, usize),
    places: &[Place],
    located: &[Vec<Located>],
) -> Checked<()> {
    let stmt = program.scop.stmt(pack.stmt);
    for (v, all) in places.iter().zip(located) {
        let pair = Pair {
            program,
            u: pack,
            v,
        };
        if matches!(v.what, What::Pack(_)) || pair.common() < common {
            continue;
        }
        if pack.positions[common] > v.positions[common] {
            continue;
        }
        for n in touched(stmt, &pack.what)? {
            let access = &stmt.accesses[n];
            let copied = pack.instances.apply_range(&access.relation)?;
            for w in all.iter().filter(|w| w.writes && w.array == access.array) {
                let mut pairs = copied.apply_range(&w.map.reverse()?)?;
                for d in 0..common {
                    pairs = pairs.equate(DimType::In, d, DimType::Out, d)?;
                }
                if !pairs.is_empty()? {
                    return Err(Stop::Wrong(format!(
                        "{} writes what was copied",
                        program.scop.stmt(v.stmt).name
                    )));
                }
            }
        }
    }
    Ok(())
}
