//! Correction of an illegal state by shifts, and proposals for the user of an illegal step.
//!
//! After Vasilache, Cohen and Pouchet (2007): rows are looked at from the outside in. A dependence that runs backwards in a row is
//! mended by a shift of the later statement by the greatest violation, which may be an expression of the parameters;
//! shifts go along the statement graph until nothing is violated (longest paths). A statement that depends on itself
//! cannot be mended so (both ends are shifted), nor can a cycle that comes back longer.
//!
//! ```text
//! P: a[i] = ..; Q: b[i] = a[i - 1] + a[i] + a[i + 1], fused     correct: shift Q by 1
//! a consumer that reads a[N - 1 - i], fused                     a shift by N - 1, or better: reverse the consumer
//! interchange of a stencil (t, i)                               no shift; skew by 1 first
//! ```

use super::legal::{Illegal, check};
use super::reverse::Reverse;
use super::shift::Shift;
use super::skew::Skew;
use super::{Applied, Refusal, Rows, State, Step, Structure};
use crate::live::row_of;
use polytile_analysis::ids::StmtId;
use polytile_analysis::poly::{self, Map, PwAff, Set};
use std::fmt;

/// More shifts than this for each statement do not come to an end.
const MAX_SHIFTS: usize = 6;

/// Skews by more are not proposed.
const MAX_SKEW: i64 = 2;

/// Shifts statements until the state is legal.
#[derive(Clone, Debug)]
pub struct Correct;

impl Step for Correct {
    fn apply<'a>(&self, state: &State<'a>) -> Applied<State<'a>> {
        let (corrected, _) = corrected(state)?;
        Ok(corrected)
    }
}

impl fmt::Display for Correct {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "correct")
    }
}

/// The legal state, and the shifts that lead to it; none for a state that is legal.
pub fn corrected<'a>(state: &State<'a>) -> Applied<(State<'a>, Vec<Shift>)> {
    let mut now = state.clone();
    let mut shifts = vec![];
    for _ in 0..=MAX_SHIFTS * state.scop.stmts.len() {
        let illegal = match check(&now) {
            Ok(()) => return Ok((now, shifts)),
            Err(Refusal::Illegal(i)) => i,
            Err(other) => return Err(other),
        };
        let Some(shift) = least_shift(&now, &illegal)? else {
            return Err(impossible(&illegal));
        };
        now = shift.apply(&now)?;
        shifts.push(shift);
    }
    let text = "cannot be corrected by shifting: the statements depend on each other in a cycle";
    Err(Structure::Decided(text.into()).into())
}

fn impossible(illegal: &Illegal) -> Refusal {
    Structure::Decided(format!("cannot be corrected by shifting: {illegal}")).into()
}

/// A loop around both ends of a dependence, and the row at each.
struct Common {
    at: super::Address,
    src: PwAff,
    dst: PwAff,
}

fn common(state: &State, src: StmtId, dst: StmtId) -> poly::Result<Option<Vec<Common>>> {
    let (from, to) = (state.places_of(src)?, state.places_of(dst)?);
    let ([from], [to]) = (&from[..], &to[..]) else {
        return Ok(None);
    };
    let mut all = vec![];
    for (a, b) in from.loops.iter().zip(&to.loops) {
        if a.at != b.at || a.tile {
            break;
        }
        let (Some(x), Some(y)) = (row_of(&a.row, src)?, row_of(&b.row, dst)?) else {
            break;
        };
        all.push(Common {
            at: a.at.clone(),
            src: x,
            dst: y,
        });
    }
    Ok(Some(all))
}

/// The least shift of the later statement that mends what is violated in the outermost row.
fn least_shift(state: &State, illegal: &Illegal) -> Applied<Option<Shift>> {
    let Some(broken) = &illegal.violation.dependence else {
        return Ok(None);
    };
    let (src, dst) = (broken.src, broken.dst);
    if src == dst {
        return Ok(None);
    }
    let Some(rows) = common(state, src, dst)? else {
        return Ok(None);
    };
    let of = |at: &super::Address, by: String| Shift {
        at: Rows {
            at: at.clone(),
            only: Some(dst),
        },
        by,
    };
    let mut open = pairs(state, src, dst)?;
    for row in &rows {
        let back = open.intersect(&row.src.gt_map(&row.dst)?)?;
        if !back.is_empty()? {
            let by = violation(state, &open, row)?;
            return Ok(by.map(|by| of(&row.at, by)));
        }
        open = open.intersect(&row.src.eq_map(&row.dst)?)?;
    }
    // Equal in all rows: the later one comes first in the body.
    Ok(rows.last().map(|row| of(&row.at, "1".into())))
}

/// All pairs of two statements whose order is fixed.
fn pairs(state: &State, src: StmtId, dst: StmtId) -> poly::Result<Map> {
    let mut all: Option<Map> = None;
    for d in state.deps.ordering(false) {
        if (d.src, d.dst) == (src, dst) {
            let map = d.relation.to_map()?.intersect_params(&state.scop.context)?;
            all = Some(match all {
                Some(a) => a.union(&map)?,
                None => map,
            });
        }
    }
    all.ok_or_else(|| poly::Error::Invalid("no such dependence".into()))
}

/// By how much a row goes backwards at most, as an expression of the parameters.
fn violation(state: &State, open: &Map, row: &Common) -> poly::Result<Option<String>> {
    let values = open
        .apply_domain(&Map::from_pw_aff(&row.src)?)?
        .apply_range(&Map::from_pw_aff(&row.dst)?)?;
    let least: PwAff = values.deltas()?.dim_min(0)?.neg()?;
    let params: Set = least.domain()?;
    let least = least.gist(&params)?.gist(&state.scop.context)?.coalesce()?;
    let pieces = least.pieces()?;
    let [(_, amount)] = &pieces[..] else {
        return Ok(None);
    };
    let text = amount.to_string();
    let inner = text.split_once("[(").and_then(|(_, t)| t.rsplit_once(")]"));
    Ok(inner.map(|(t, _)| t.to_owned()))
}

/// What would make an illegal step legal, as commands: a shift or reversal behind it, or a skew in front of it.
pub fn proposed(
    before: &State,
    step: &dyn Step,
    after: &State,
    illegal: &Illegal,
) -> Option<String> {
    let broken = illegal.violation.dependence.as_ref()?;
    if broken.src != broken.dst {
        let shift = least_shift(after, illegal).ok()??;
        if shift.by.parse::<i64>().is_err()
            && let Some(reversed) = reversed(after, &shift)
        {
            return Some(format!("legal with {reversed} behind it, or with {shift}"));
        }
        let (_, shifts) = corrected(after).ok()?;
        let shifts: Vec<String> = shifts.iter().map(Shift::to_string).collect();
        return Some(format!("legal with {} behind it", shifts.join("; ")));
    }
    let places = before.places_of(broken.src).ok()?;
    let [place] = &places[..] else { return None };
    let unshifted = "cannot be corrected by shifting";
    for factor in 1..=MAX_SKEW {
        for l in place.loops.iter().rev() {
            for depth in 1..=place.loops.len() {
                let skew = Skew {
                    at: Rows::of(&l.at),
                    depth,
                    factor,
                };
                let Ok(skewed) = skew.apply(before) else {
                    continue;
                };
                if legal_after(&skewed, step) && check(&skewed).is_ok() {
                    return Some(format!("{unshifted}; legal behind {skew}"));
                }
            }
        }
    }
    Some(unshifted.into())
}

/// A reversal of the statement that would be shifted, and the shifts that put it in its place.
fn reversed(after: &State, shift: &Shift) -> Option<String> {
    let reverse = Reverse(shift.at.clone());
    let (_, shifts) = corrected(&reverse.apply(after).ok()?).ok()?;
    let all = std::iter::once(reverse.to_string()).chain(shifts.iter().map(Shift::to_string));
    Some(all.collect::<Vec<_>>().join("; "))
}

fn legal_after(state: &State, step: &dyn Step) -> bool {
    step.apply(state).is_ok_and(|next| check(&next).is_ok())
}
