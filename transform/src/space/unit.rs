//! Fusion by permutations alone: a row of each statement that is one of its iterators, shifted (Pouchet et al. 2011, §4.3).
//!
//! The paper splits a row into a permutation `mu` (one iterator) and the rest `lambda` (skews and shifts), collects for each two statements the set `M` of the pairs of iterators by
//! which they may be fused, and takes a set of statements for fusable if some choice of iterators is in `M` for each two of them (Lemma 6). As printed that is wrong where `lambda` has
//! iterators: the proof adds up the skews of different pairs. Of three products `x = A b; y = B x; z = C y` each two may be fused, with skews by every permutation, and Lemma 6 accepts
//! all three together, which no schedule fuses.
//!
//! With `lambda` a constant the lemma is right, and this module checks the constants of the whole set as well: cycles of dependences may demand shifts that each two statements allow
//! and all together do not. A yes then is a row of the joint program and needs none; a no says nothing (`y += A x` may have to run on `i + j`).

use crate::schedule::band::Open;
use polytile_analysis::ids::StmtId;
use std::collections::BTreeMap;

/// What dependences say of rows that are one shifted iterator.
#[derive(Clone, Debug)]
pub(super) struct Units {
    params: usize,
    /// Iterators that may be a statement's row.
    choices: BTreeMap<StmtId, Vec<usize>>,
    open: Vec<Open>,
    /// Cross dependences by their statements.
    between: BTreeMap<(StmtId, StmtId), Vec<usize>>,
}

/// Assignments that are looked at for one set.
const TRIES: usize = 2_000;

impl Units {
    /// Of statements under these dependences: `free` tells the iterators that a row may be, before self-dependences are asked.
    pub(super) fn new(params: usize, free: &BTreeMap<StmtId, Vec<usize>>, open: &[Open]) -> Units {
        let mut units = Units {
            params,
            choices: BTreeMap::new(),
            open: open.to_vec(),
            between: BTreeMap::new(),
        };
        for (at, d) in open.iter().enumerate().filter(|(_, d)| d.src != d.dst) {
            units.between.entry((d.src, d.dst)).or_default().push(at);
        }
        for (s, iters) in free {
            let own = || open.iter().filter(|d| d.src == *s && d.dst == *s);
            let legal =
                |i: &&usize| own().all(|d| units.shift(d, **i, **i).is_some_and(|c| c <= 0));
            units
                .choices
                .insert(*s, iters.iter().filter(legal).copied().collect());
        }
        units
    }

    /// How much later than the source the sink must at least be shifted for a dependence to be weakly satisfied, if the rows are iterators `a` and `b`; `None`: no shift serves.
    fn shift(&self, d: &Open, a: usize, b: usize) -> Option<i64> {
        let cone = d.cone.as_ref()?;
        let first = 1 + self.params;
        let depth = d.relation.dim(polytile_analysis::poly::DimType::In);
        let mut least = i64::MIN;
        for row in &cone.rows {
            let moved = row[first + depth + b] - row[first + a];
            match row[0] {
                0 if moved < 0 => return None,
                0 => {}
                // row[0] * shift + moved >= 0
                r => {
                    least =
                        least.max((-moved).div_euclid(r) + i64::from((-moved).rem_euclid(r) > 0))
                }
            }
        }
        Some(least)
    }

    /// The shift from `s` to `t` that all dependences from one to the other demand; `None`: no shift serves.
    fn shifts(&self, (s, a): (StmtId, usize), (t, b): (StmtId, usize)) -> Option<i64> {
        let list = self.between.get(&(s, t)).map_or(&[][..], |l| l);
        list.iter().try_fold(i64::MIN, |all, d| {
            Some(all.max(self.shift(&self.open[*d], a, b)?))
        })
    }

    /// `M`: the pairs of iterators by which two statements may be fused.
    pub(super) fn pairs(&self, s: StmtId, t: StmtId) -> Vec<(usize, usize)> {
        let mut found = vec![];
        for a in &self.choices[&s] {
            for b in &self.choices[&t] {
                if self.is_legal(&[(s, *a), (t, *b)]) {
                    found.push((*a, *b));
                }
            }
        }
        found
    }

    /// An iterator for each statement of a set by which all of them may be fused.
    pub(super) fn joint(&self, stmts: &[StmtId]) -> Option<Vec<(StmtId, usize)>> {
        let mut tries = TRIES;
        self.extend(stmts, &mut vec![], &mut tries)
    }

    fn extend(
        &self,
        stmts: &[StmtId],
        chosen: &mut Vec<(StmtId, usize)>,
        tries: &mut usize,
    ) -> Option<Vec<(StmtId, usize)>> {
        let Some(&next) = stmts.get(chosen.len()) else {
            return self.is_legal(chosen).then(|| chosen.clone());
        };
        for &iter in &self.choices[&next] {
            *tries = tries.checked_sub(1)?;
            let new = (next, iter);
            let with = |old: &(StmtId, usize)| {
                self.shifts(*old, new).is_some() && self.shifts(new, *old).is_some()
            };
            if chosen.iter().all(with) {
                chosen.push(new);
                let found = self.extend(stmts, chosen, tries);
                chosen.pop();
                if found.is_some() {
                    return found;
                }
            }
        }
        None
    }

    /// Whether some constants satisfy all demands: no cycle of them demands more than 0 (Bellman and Ford).
    fn is_legal(&self, chosen: &[(StmtId, usize)]) -> bool {
        let mut constants = vec![0i64; chosen.len()];
        for _ in 0..=chosen.len() {
            let mut changed = false;
            for (i, s) in chosen.iter().enumerate() {
                for (j, t) in chosen.iter().enumerate().filter(|(j, _)| *j != i) {
                    match self.shifts(*s, *t) {
                        None => return false,
                        Some(i64::MIN) => {}
                        Some(least) if constants[j] < constants[i] + least => {
                            constants[j] = constants[i] + least;
                            changed = true;
                        }
                        Some(_) => {}
                    }
                }
            }
            if !changed {
                return true;
            }
        }
        false
    }
}
