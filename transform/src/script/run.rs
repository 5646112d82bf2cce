//! Execution of a script: the state, its history, and what commands do with them.

use super::commands::{self, Action, Check, Misread};
use super::parse::{Command, MAX_CALLS, Region, Script};
use super::{ScriptError, args::Args, show};
use crate::rewrite::flags::Flags;
use crate::rewrite::mapping::Mapping;
use crate::rewrite::{self, Applied, Illegal, Refusal, State, Step, correct};
use polytile_analysis::deps::Dependences;
use polytile_analysis::poly;
use polytile_analysis::scop::Scop;
use polytile_analysis::text;
use polytile_analysis::tree::Schedule;
use std::collections::BTreeMap;

/// What a script came to.
#[derive(Debug)]
pub struct Outcome {
    /// The order.
    pub schedule: Schedule,
    /// What it printed.
    pub output: String,
}

/// A state and the steps that led to it.
#[derive(Clone)]
struct Point<'a> {
    state: State<'a>,
    /// The command that led to it; empty for the first.
    text: String,
}

struct Runner<'s, 'a> {
    script: &'s Script,
    past: Vec<Point<'a>>,
    future: Vec<Point<'a>>,
    named: BTreeMap<String, Vec<Point<'a>>>,
    check: Check,
    /// The flags of bands are those of the last state.
    flagged: bool,
    output: String,
}

/// Runs the commands of a region, from the original order on.
///
/// # Errors
/// The first command that is not understood or refused, and the last state if it is not legal (unless `check off` says that
/// nobody is to ask here).
pub fn run(
    script: &Script,
    region: &Region,
    scop: &Scop,
    deps: &Dependences,
) -> Result<Outcome, ScriptError> {
    let at = |e: poly::Error| script.error(region.at, e.to_string());
    run_from(script, region, State::original(scop, deps).map_err(at)?)
}

/// The same, from a given order on.
///
/// # Errors
/// The same.
pub fn run_from(script: &Script, region: &Region, state: State) -> Result<Outcome, ScriptError> {
    let mut runner = Runner {
        script,
        past: vec![Point {
            state,
            text: String::new(),
        }],
        future: vec![],
        named: BTreeMap::new(),
        check: Check::Each,
        flagged: false,
        output: String::new(),
    };
    runner.all(&region.body, 0)?;
    runner.end(region)
}

/// The state that commands lead to, without checks of legality: for commands that were made from a legal schedule.
pub(super) fn replayed<'a>(
    script: &Script,
    region: &Region,
    (scop, deps): (&'a Scop, &'a Dependences),
) -> Result<State<'a>, ScriptError> {
    let at = |e: poly::Error| script.error(region.at, e.to_string());
    let mut runner = Runner {
        script,
        past: vec![Point {
            state: State::original(scop, deps).map_err(at)?,
            text: String::new(),
        }],
        future: vec![],
        named: BTreeMap::new(),
        check: Check::Never,
        flagged: false,
        output: String::new(),
    };
    runner.all(&region.body, 0)?;
    Ok(runner.now().clone())
}

impl<'a> Runner<'_, 'a> {
    fn now(&self) -> &State<'a> {
        &self.past.last().expect("the first state stays").state
    }

    fn all(&mut self, commands: &[Command], calls: usize) -> Result<(), ScriptError> {
        let mut rest = commands;
        while let Some((c, others)) = rest.split_first() {
            rest = others;
            if let Some(body) = self.script.expanded(c)? {
                if calls == MAX_CALLS {
                    let text = format!("macros call each other more than {MAX_CALLS} times");
                    return Err(self.script.error(c.at(), text));
                }
                self.all(&body, calls + 1)?;
                continue;
            }
            let together = c.name() == "mapping";
            let more = others.iter().take_while(|o| o.name() == c.name()).count();
            let together = if together { more } else { 0 };
            rest = &others[together..];
            self.one(c, &others[..together])?;
        }
        Ok(())
    }

    /// A command, and others that are one step with it.
    fn one(&mut self, c: &Command, with: &[Command]) -> Result<(), ScriptError> {
        let read = |c: &Command| -> Result<Action, ScriptError> {
            let spec = commands::find(c.name()).ok_or_else(|| {
                self.script
                    .error(c.at(), format!("no command '{}'", c.name()))
            })?;
            let mut args = Args::new(self.script, c, spec.usage());
            (spec.read)(c.name(), &mut args, self.now()).map_err(|m| match m {
                Misread::Args(e) => e,
                Misread::Refusal(r) => self.script.error(c.at(), r.to_string()),
            })
        };
        let action = match with {
            [] => read(c)?,
            more => {
                let mut parts = vec![];
                for c in std::iter::once(c).chain(more) {
                    read(c)?;
                    let stmt = self.now().scop.stmt_by_name(&c.words[1].text);
                    let stmt = stmt.expect("read").id;
                    parts.push((stmt, c.words[2].text.clone()));
                }
                Action::Step(Box::new(Mapping { parts }))
            }
        };
        self.act(action).map_err(|why| {
            let words: Vec<&str> = c.words.iter().map(|w| w.text.as_str()).collect();
            let text = format!("{}: {why}", words.join(" "));
            self.script.error(c.at(), text)
        })
    }

    fn act(&mut self, action: Action) -> Result<(), String> {
        match action {
            Action::Step(step) => self.step(&*step).map_err(|r| r.to_string()),
            Action::Correct => self.correct().map_err(|r| r.to_string()),
            Action::Tree(text) => self.tree(&text),
            Action::Print(what) => {
                let text = show::text(self.now(), &what, &self.commands());
                self.output += &text.map_err(|r| r.to_string())?;
                Ok(())
            }
            Action::Undo(n) => self.undo(n),
            Action::Redo(n) => self.redo(n),
            Action::Checkpoint(name) => {
                self.named.insert(name, self.past.clone());
                Ok(())
            }
            Action::Revert(name) => match self.named.get(&name) {
                Some(past) => {
                    self.past = past.clone();
                    self.future.clear();
                    self.flagged = false;
                    Ok(())
                }
                None => Err(format!("no checkpoint '{name}'")),
            },
            Action::Check(when) => {
                self.check = when;
                Ok(())
            }
        }
    }

    fn step(&mut self, step: &dyn Step) -> Applied<()> {
        let text = step.to_string();
        let next = step.apply(self.now())?;
        let proposed =
            |after: &State, illegal: &Illegal| correct::proposed(self.now(), step, after, illegal);
        let refused = self.refused(&next, &proposed);
        self.reach(next, text, refused)
    }

    /// `correct`: the shifts are the steps.
    fn correct(&mut self) -> Applied<()> {
        let (_, shifts) = correct::corrected(self.now())?;
        for shift in shifts {
            let next = shift.apply(self.now())?;
            self.output += &format!("correct: {shift}\n");
            self.reach(next, shift.to_string(), None)?;
        }
        Ok(())
    }

    /// Why a state is refused, with what would help.
    fn refused(
        &self,
        next: &State,
        proposed: &dyn Fn(&State, &Illegal) -> Option<String>,
    ) -> Option<Refusal> {
        if self.check == Check::Never {
            return None;
        }
        match rewrite::check(next) {
            Ok(()) => None,
            Err(Refusal::Illegal(mut illegal)) => {
                if let Some(help) = proposed(next, &illegal) {
                    illegal.text += &format!("; {help}");
                }
                Some(Refusal::Illegal(illegal))
            }
            Err(other) => Some(other),
        }
    }

    /// Goes on to a state, if it is not refused.
    fn reach(&mut self, next: State<'a>, text: String, refused: Option<Refusal>) -> Applied<()> {
        match (self.check, refused) {
            (Check::Each, Some(why)) => return Err(why),
            (_, Some(why)) => self.output += &format!("note: {text}: {why}\n"),
            (_, None) => {}
        }
        self.flagged = text.starts_with("flags");
        self.past.push(Point { state: next, text });
        self.future.clear();
        Ok(())
    }

    fn tree(&mut self, text: &str) -> Result<(), String> {
        let inner = text.trim_start_matches('{').trim_end_matches('}');
        let now = self.now();
        let given = text::parse_schedule(now.scop.context.ctx(), &outdented(inner));
        let given = given.map_err(|e| format!("in the tree: {e}"))?;
        let mut next = State::of(now.scop, now.deps, &given).map_err(|e| e.to_string())?;
        next.schedule = given;
        let refused = self.refused(&next, &|_, _| None);
        self.reach(next, format!("tree {text}"), refused)
            .map_err(|r| r.to_string())?;
        self.flagged = true;
        Ok(())
    }

    fn undo(&mut self, n: usize) -> Result<(), String> {
        if n >= self.past.len() {
            return Err(format!("{} steps were done", self.past.len() - 1));
        }
        for _ in 0..n {
            self.future.extend(self.past.pop());
        }
        self.flagged = false;
        Ok(())
    }

    fn redo(&mut self, n: usize) -> Result<(), String> {
        if n > self.future.len() {
            return Err(format!("{} steps were undone", self.future.len()));
        }
        for _ in 0..n {
            self.past.extend(self.future.pop());
        }
        self.flagged = false;
        Ok(())
    }

    /// The steps so far, as commands.
    fn commands(&self) -> Vec<String> {
        let steps = self.past.iter().skip(1);
        steps.map(|p| p.text.clone()).collect()
    }

    fn end(mut self, region: &Region) -> Result<Outcome, ScriptError> {
        let fail = |r: Refusal| {
            let text = format!("region {}: at its end: {r}", region.name());
            self.script.error(region.at, text)
        };
        if self.check != Check::Never {
            rewrite::check(self.now()).map_err(fail)?;
        }
        let state = match self.flagged {
            true => self.now().clone(),
            false => Flags.apply(self.now()).map_err(fail)?,
        };
        Ok(Outcome {
            schedule: state.schedule,
            output: std::mem::take(&mut self.output),
        })
    }
}

/// A text without the indentation that all of its lines have.
fn outdented(text: &str) -> String {
    let lines: Vec<&str> = text.lines().filter(|l| !l.trim().is_empty()).collect();
    let indent = |l: &&str| l.len() - l.trim_start().len();
    let least = lines.iter().map(indent).min().unwrap_or(0);
    let lines: Vec<&str> = lines.iter().map(|l| &l[least..]).collect();
    lines.join("\n") + "\n"
}
