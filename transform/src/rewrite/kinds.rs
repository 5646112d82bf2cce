//! How loops run: sequentially, on threads, in lanes.
//!
//! ```text
//! parallel [0]            iterations dealt to threads in equal parts
//! parallel [0] dynamic 8  .. on demand, 8 at a time
//! vector [0,0]            iterations in lanes of the innermost loop
//! lanes [0] 2x8           the loops inside run once for 2 vectors of 8 iterations
//! sequential [0]          one after the other (the inverse of all others)
//! ```
//!
//! Legal if the loop carries no dependence. The order of instances does not change, only what of it is kept.

use super::surgery::edit_member;
use super::{Address, Applied, State, Step, Structure};
use polytile_analysis::text::schedule::{loop_kind_of, loop_word};
use polytile_analysis::tree::{Distribution, LoopKind};
use std::fmt;

/// Says how a loop runs.
#[derive(Clone, Debug)]
pub struct Run {
    /// The loop.
    pub at: Address,
    /// How.
    pub kind: LoopKind,
}

impl Step for Run {
    fn apply<'a>(&self, state: &State<'a>) -> Applied<State<'a>> {
        let schedule = edit_member(&state.schedule, &self.at, &mut |band, member, _| {
            let mut band = band.clone();
            band.loops[member] = self.kind;
            Ok(band)
        })?;
        Ok(state.with(schedule))
    }

    fn inverse(&self, before: &State) -> Option<Vec<Box<dyn Step>>> {
        let mut kind = None;
        edit_member(&before.schedule, &self.at, &mut |band, member, _| {
            kind = Some(band.loops[member]);
            Ok(band.clone())
        })
        .ok()?;
        let back = Run {
            kind: kind?,
            ..self.clone()
        };
        Some(vec![Box::new(back)])
    }
}

impl Run {
    /// From the words of a command: its name and the rest.
    pub fn of(at: &Address, name: &str, rest: &[&str]) -> Applied<Run> {
        let word = match (name, rest) {
            ("sequential" | "vector", []) => name.to_owned(),
            ("parallel", []) => "parallel-static".into(),
            ("parallel", [how @ ("static" | "pipelined")]) => format!("parallel-{how}"),
            ("parallel", ["dynamic", chunk]) => format!("parallel-dynamic-{chunk}"),
            ("lanes" | "diagonal", rest) => format!("{name}-{}", rest.join("-")),
            _ => format!("{name} {}", rest.join(" ")),
        };
        match loop_kind_of(&word) {
            Some(kind) => Ok(Run {
                at: at.clone(),
                kind,
            }),
            None => Err(Structure::Unknown(format!("way to run a loop: {word}")).into()),
        }
    }
}

impl fmt::Display for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = loop_word(&self.kind);
        let (name, rest) = word.split_once('-').unwrap_or((&word, ""));
        write!(f, "{name} {}", self.at)?;
        match self.kind {
            LoopKind::Parallel(Distribution::Static) => Ok(()),
            LoopKind::Parallel(_) => write!(f, " {}", rest.replace('-', " ")),
            _ if rest.is_empty() => Ok(()),
            _ => write!(f, " {}", rest.replace('-', " ")),
        }
    }
}
