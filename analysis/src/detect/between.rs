//! Which instances run between two others, asked once for all times that stand in one order.
//!
//! ```text
//! for i: { x = a[i]; b[i] = x; c[i] = x; d[i] = x }        what of b, c, d is between the load and its use in d[i] = x?
//! ```
//!
//! A time is the places in the program at each level, with iterators between them (`i -> [beta_0, i_0, beta_1, ..]`), and times are
//! compared lexicographically. So only the order of the places matters, not the places: with 0, 1, 2 in their stead, the hundreds of
//! questions of a loop nest are a handful of relations. A time that is shorter than another one has zeros in the missing levels, which are
//! ordered like the rest.

use super::model::{Model, Time, iterators};
use super::reject::Reject;
use crate::poly::{self, Ctx, Map};
use std::cell::RefCell;
use std::collections::HashMap;

/// An instance of each end: the first is in a prefix of the nest of the second, and one iteration of its innermost loop earlier if so said.
pub(super) struct Ends<'t> {
    pub from: &'t Time,
    pub back: bool,
    pub to: &'t Time,
    /// Iterators of the instances of `to`.
    pub depth: usize,
}

impl Ends<'_> {
    /// Whether the places in the program say already that something runs before or after this time: both ends are in the
    /// same iteration of the loops that they share, and what runs in another one is not between them.
    pub fn exclude(&self, at: &Time) -> bool {
        let Ends { from, back, to, .. } = *self;
        for (d, ((first, last), b)) in from.beta.iter().zip(&to.beta).zip(&at.beta).enumerate() {
            if b < first || b > last {
                return true;
            }
            let shared = d < from.nest.len().min(to.nest.len()).min(at.nest.len());
            let earlier = back && d + 1 == from.nest.len();
            if first != last || !shared || earlier {
                return false;
            }
        }
        false
    }
}

/// A time without the numbers of places: their ranks among those of all times of a question, and the loops around.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Ranked {
    depth: usize,
    ranks: Vec<usize>,
}

/// A question: both ends and what may be between them.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Question {
    times: [Ranked; 3],
    back: bool,
    depth: usize,
}

/// The answers so far.
#[derive(Default)]
pub(super) struct Between(RefCell<HashMap<Question, Option<Map>>>);

impl Between {
    /// `instance of the later end -> instance at this time` for what runs between the ends; `None` if nothing does.
    pub fn instances(&self, model: &Model, ends: &Ends, at: &Time) -> Result<Option<Map>, Reject> {
        let question = Question::of(ends, at);
        if let Some(known) = self.0.borrow().get(&question) {
            return Ok(known.clone());
        }
        let found = question.answer(&model.ctx, &model.params.prefix())?;
        let found = (!found.is_empty()?).then_some(found);
        self.0.borrow_mut().insert(question, found.clone());
        Ok(found)
    }
}

impl Question {
    fn of(ends: &Ends, at: &Time) -> Question {
        let times = [ends.from, ends.to, at];
        let levels = times.iter().map(|t| t.beta.len()).max().unwrap_or(0);
        let mut ranked = times.map(|t| Ranked {
            depth: t.nest.len(),
            ranks: vec![],
        });
        for level in 0..levels {
            let places = times.map(|t| t.beta.get(level).copied().unwrap_or(0));
            let mut order = places;
            order.sort_unstable();
            for (time, place) in ranked.iter_mut().zip(places) {
                let below = order.iter().take_while(|p| **p < place).count();
                time.ranks.push(below);
            }
        }
        Question {
            times: ranked,
            back: ends.back,
            depth: ends.depth,
        }
    }

    /// The same without memory, over these parameters.
    fn answer(&self, ctx: &Ctx, params: &str) -> poly::Result<Map> {
        let [from, to, at] = &self.times;
        let after = from.moments((ctx, params), self.depth, self.back)?;
        let before = to.moments((ctx, params), self.depth, false)?;
        let moment = at.moments((ctx, params), at.depth, false)?.reverse()?;
        let times = after.range()?.space()?;
        let between = after
            .apply_range(&Map::lex_lt(&times)?)?
            .intersect(&before.apply_range(&Map::lex_gt(&times)?)?)?;
        between.apply_range(&moment)
    }
}

impl Ranked {
    /// `[i0, ..] -> [rank_0, i0, ..]` of something that runs in the first loops of a nest of `depth`; with `back`, one iteration of its
    /// innermost loop earlier.
    fn moments(&self, (ctx, params): (&Ctx, &str), depth: usize, back: bool) -> poly::Result<Map> {
        let mut terms = vec![];
        for (level, rank) in self.ranks.iter().enumerate() {
            terms.push(rank.to_string());
            terms.push(
                match (level < self.depth, back && level + 1 == self.depth) {
                    (true, true) => format!("i{level} - 1"),
                    (true, false) => format!("i{level}"),
                    (false, _) => "0".to_owned(),
                },
            );
        }
        let text = format!(
            "{params}{{ [{}] -> [{}] }}",
            iterators(depth),
            terms.join(", ")
        );
        Map::parse(ctx, &text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::LoopId;

    /// A time in the first loops of a nest.
    fn time(depth: usize, beta: &[i64]) -> Time {
        Time {
            nest: (0..depth).map(LoopId::from).collect(),
            beta: beta.to_vec(),
        }
    }

    fn question((from, back): (&Time, bool), to: &Time, at: &Time) -> Question {
        let depth = to.nest.len();
        let ends = Ends {
            from,
            back,
            to,
            depth,
        };
        Question::of(&ends, at)
    }

    #[test]
    fn only_the_order_of_places_counts() {
        let of = |[from, to, at]: [i64; 3]| {
            let time = |place| time(1, &[100, place]);
            question((&time(from), false), &time(to), &time(at))
        };
        assert_eq!(of([101, 105, 103]), of([110, 180, 111]));
        assert_ne!(of([101, 105, 103]), of([101, 105, 107]));
        assert_ne!(of([101, 105, 105]), of([101, 105, 103]));
    }

    #[test]
    fn what_runs_between() {
        let ctx = Ctx::new();
        let check = |from, to: &Time, at: &Time, expected: &str| {
            let found = question(from, to, at).answer(&ctx, "").unwrap();
            let expected = Map::parse(&ctx, expected).unwrap();
            assert!(found.is_equal(&expected).unwrap(), "{found}");
        };
        let (load, used) = (time(1, &[100, 110]), time(1, &[100, 150]));
        let (write, behind) = (time(1, &[100, 120]), time(1, &[100, 160]));
        check((&load, false), &used, &write, "{ [i] -> [i] }");
        check((&load, false), &used, &behind, "{ [i] -> [j] : false }");
        // The load of the iteration before.
        check((&load, true), &used, &behind, "{ [i] -> [i - 1] }");
        check(
            (&load, true),
            &used,
            &write,
            "{ [i] -> [j] : i - 1 <= j <= i }",
        );
        // In front of the loop, and in a loop inside of it.
        let front = time(0, &[50]);
        check((&front, false), &used, &write, "{ [i] -> [j] : j <= i }");
        let inner = time(2, &[100, 130, 131]);
        check((&load, false), &used, &inner, "{ [i] -> [i, j] }");
        // Up to an earlier iteration of the inner loop.
        let user = time(2, &[100, 130, 135]);
        check(
            (&load, false),
            &user,
            &inner,
            "{ [i, j] -> [i, k] : k <= j }",
        );
    }
}
