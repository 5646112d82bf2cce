//! What LLVM compares in front of a vector loop, and whether that ever lets the loop run.
//!
//! Two places in one array that a loop moves through side by side, at a distance that is not known when it is compiled, are compared when it
//! runs. If all of them are, that takes the distance alone. Otherwise LLVM compares ranges, those of all iterations of the loop around, so
//! that one comparison serves for all:
//!
//! ```text
//! for i != k: for j: a[i][j] -= f[i] * a[k][j];       row k lies among the rows i: vectors are there, and never run
//! for s: for j: f[s][j] = f[s-1][0] * t[0][j] + ..    f[s-1][0] stays where it is: no comparison, and no vectors
//! ```

use super::{Body, Outer};
use crate::model::Env;
use crate::model::facts::{AccessFacts, Facts, Home, subscript};
use polytile_analysis::ast::For;
use std::ops::Range;

/// An access of the body: the position of its statement, and its own there.
#[derive(Clone, Copy)]
struct Site<'a> {
    item: usize,
    access: &'a AccessFacts,
}

/// A body in iterations that tell which distances are known and how far its accesses go.
struct Bodies<'a> {
    now: &'a Body<'a>,
    /// Of so many iterations, this is in the middle one.
    trips: i64,
    /// The same of them with other values of all iterators around.
    elsewhere: Body<'a>,
    /// In the first iteration of the loop and of the one around it, and in the last ones.
    first: Body<'a>,
    last: Body<'a>,
}

/// What LLVM knows of two sites.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Known {
    /// Their distance, or that they are one.
    Apart,
    /// Their distance only when the loop runs.
    Moving,
    /// Nothing: one of them stays while the other moves.
    Nothing,
}

impl Body<'_> {
    /// Whether LLVM makes no vectors of the loop since it can't compare what would have to be apart, or compares what never is.
    pub(super) fn is_checked_in_vain(
        &self,
        facts: &Facts,
        (l, env): (&For, &Env),
        outer: Option<Outer>,
    ) -> bool {
        if facts.in_place && self.needs_checks(facts) {
            return true;
        }
        let sites = self.sites();
        let pairs = || {
            let writes = sites.iter().filter(|w| w.access.writes);
            writes.flat_map(|w| sites.iter().map(move |a| (*w, *a)))
        };
        let of_one_array = |(w, a): &(Site, Site)| w.access.array == a.access.array;
        let differ = |(w, a): &(Site, Site)| {
            let items = [w, a].map(|p| &self.items[p.item]);
            w.access.rows != a.access.rows || items[0].now != items[1].now
        };
        if !pairs().any(|p| of_one_array(&p) && differ(&p)) {
            return false;
        }
        let bodies = Bodies::new(self, facts, (l, env), outer);
        let known = pairs()
            .filter(of_one_array)
            .map(|(w, a)| bodies.known(w, a));
        let known: Vec<Known> = known.collect();
        if known.iter().all(|k| *k == Known::Apart) {
            return false;
        }
        if !known.contains(&Known::Moving) {
            return true;
        }
        let compared: Vec<(Site, Site)> = pairs()
            .filter(|(w, a)| {
                facts.may_overlap(w.access.array, a.access.array)
                    || of_one_array(&(*w, *a)) && !bodies.are_one(*w, *a)
            })
            .collect();
        let by_distance = |(w, a): &(Site, Site)| {
            let pointers = [*w, *a];
            bodies.gain(*w) == bodies.gain(*a)
                && bodies.gain(*w).abs() == w.access.bytes
                && pointers.iter().all(|p| {
                    let same = |q: &&Site| bodies.are_one(*p, **q);
                    let kinds = || sites.iter().filter(same).map(|q| q.access.writes);
                    kinds().all(|w| w) || kinds().all(|w| !w)
                })
        };
        let meet = |(w, a): &(Site, Site)| {
            let (w, a) = (bodies.range(*w), bodies.range(*a));
            w.start < a.end && a.start < w.end
        };
        !compared.iter().all(by_distance) && compared.iter().filter(|p| of_one_array(p)).any(meet)
    }

    /// Whether LLVM compares where arrays lie in front of its vectors.
    pub(super) fn needs_checks(&self, facts: &Facts) -> bool {
        let sites = self.sites();
        let mut writes = sites.iter().filter(|w| w.access.writes);
        writes.any(|w| {
            let mut all = sites.iter();
            all.any(|a| facts.may_overlap(w.access.array, a.access.array))
        })
    }

    fn address(&self, p: Site) -> i64 {
        p.access.address(&self.items[p.item].now)
    }

    /// Its accesses to memory at places that are known.
    fn sites(&self) -> Vec<Site<'_>> {
        let mut sites = vec![];
        for (item, i) in self.items.iter().enumerate() {
            let all = i.facts.accesses.iter().filter(|a| a.home == Home::Memory);
            sites.extend(all.map(|access| Site { item, access }));
        }
        sites
    }
}

impl<'a> Bodies<'a> {
    fn new(
        now: &'a Body<'a>,
        facts: &'a Facts,
        (l, env): (&For, &Env),
        outer: Option<Outer>,
    ) -> Bodies<'a> {
        let with = |env: &Env| {
            let mut body = Body::default();
            body.collect(facts, &l.body, [env, env, env], (true, false));
            body
        };
        let (_, trips) = env.range(l);
        let iteration = |env: &Env, n: i64| {
            let mut env = env.clone();
            env.set(l.iter, env.range(l).0 + n * env.value(&l.step).max(1));
            with(&env)
        };
        // No two of them go equally far.
        let mut elsewhere = env.clone();
        for (n, value) in elsewhere.iters.iter_mut().enumerate() {
            *value += (n as i64 + 2).pow(2);
        }
        let end = |last: bool| {
            let mut env = env.clone();
            if let Some(outer) = outer {
                env.set(outer.iter, if last { outer.last } else { outer.first });
            }
            let (_, trips) = env.range(l);
            iteration(&env, if last { (trips - 1).max(0) } else { 0 })
        };
        Bodies {
            now,
            trips,
            elsewhere: iteration(&elsewhere, trips / 2),
            first: end(false),
            last: end(true),
        }
    }

    fn known(&self, w: Site, a: Site) -> Known {
        let gains = (self.gain(w), self.gain(a));
        let same = self.distance(self.now, w, a) == self.distance(&self.elsewhere, w, a);
        match gains {
            _ if self.are_one(w, a) => Known::Apart,
            (0, 0) => Known::Apart,
            (0, _) | (_, 0) if same && self.touch(w, a) => Known::Apart,
            (0, _) | (_, 0) => Known::Nothing,
            (w_gain, a_gain) if w_gain != a_gain => Known::Apart,
            _ if same && (w.access.constant || self.in_one_row(w, a)) => Known::Apart,
            _ => Known::Moving,
        }
    }

    /// Whether they are the same element in all iterations.
    fn are_one(&self, p: Site, q: Site) -> bool {
        p.access.array == q.access.array
            && self.gain(p) == self.gain(q)
            && [self.now, &self.elsewhere]
                .iter()
                .all(|body| self.distance(body, p, q) == 0)
    }

    /// Whether one begins where the other ends.
    fn touch(&self, p: Site, q: Site) -> bool {
        let range = |p: Site| {
            let first = self.now.address(p) - self.trips / 2 * self.gain(p);
            covered(first, first + (self.trips - 1) * self.gain(p), p)
        };
        let (p, q) = (range(p), range(q));
        p.end == q.start || q.end == p.start
    }

    /// Whether they differ in the last subscript only.
    fn in_one_row(&self, p: Site, q: Site) -> bool {
        let rows = |p: Site| {
            let at = &self.now.items[p.item].now;
            let outer = p.access.rows.len().saturating_sub(1);
            let rows = p.access.rows[..outer].iter();
            rows.map(|row| subscript(row, at)).collect::<Vec<_>>()
        };
        rows(p) == rows(q)
    }

    fn gain(&self, p: Site) -> i64 {
        self.now.items[p.item].gain(p.access)
    }

    fn distance(&self, body: &Body, p: Site, q: Site) -> i64 {
        body.address(p) - body.address(q)
    }

    /// The bytes that LLVM compares, of all iterations of the loop and the one around it.
    fn range(&self, p: Site) -> Range<i64> {
        covered(self.first.address(p), self.last.address(p), p)
    }
}

/// The bytes from one element to another.
fn covered(a: i64, b: i64, site: Site) -> Range<i64> {
    a.min(b)..a.max(b) + site.access.bytes
}
