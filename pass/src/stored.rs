//! A region's program as the tuner's database has it.
//!
//! A stored script is nobody's to trust: it is run step by step, its order passes `legality::check` against this region's dependences, and
//! its loops are held against the source. Whatever does not fit is told, and the region is worked on as if there were no database.

use crate::candidates::{Candidates, Origin};
use crate::given::Note;
use crate::known::{Known, target_name};
use crate::pipeline::{Declined, Optimized};
use crate::reason::Kind;
use polytile_analysis::poly::Ctx;
use polytile_analysis::tree::Schedule;
use polytile_records::Record;
use polytile_transform::script::{self, Script};

/// Sizes of tiles are no larger: products of sizes must stay far from overflow.
const MAX_TILE: i64 = 1 << 20;

impl Candidates<'_> {
    /// What the database says of the region; `None`: nothing that can be used.
    pub(crate) fn stored(&self, ctx: &Ctx, known: &Known) -> Option<Result<Optimized, Declined>> {
        let database = self.given.database.as_ref()?;
        let name = database.name();
        let target = target_name(self.target);
        let missed = |text: String| self.given.note(Note::Missed(text));
        let record = match database.find(&known.hash, known.canonical.text(), &target) {
            Ok(record) => record?,
            Err(why) => {
                missed(format!("database '{name}' is of no use here: {why}"));
                return None;
            }
        };
        let Some(text) = &record.script else {
            let declined = self.left(ctx, "the database says that the original is the fastest");
            // Where the model says so as well, there is nothing to tell.
            if declined.reason.kind == Kind::Given {
                self.given.note(Note::Passed(format!(
                    "loop nest left as it is: database '{name}' says that the original was the fastest, {}",
                    conditions(record)
                )));
            }
            return Some(Err(declined));
        };
        // Work on it counts for nothing: if it is refused, all else is as without it.
        let _aside = ctx.aside(self.stages.options.budget);
        match self.by_record(&known.canonical.own(text), &record.sizes) {
            Ok(optimized) => {
                self.given.note(Note::Passed(format!(
                    "loop nest transformed by database '{name}': {}; its script passed the proof",
                    won(record)
                )));
                Some(Ok(optimized))
            }
            Err(declined) => {
                missed(format!(
                    "database '{name}' is of no use here: its script is refused: {}; tune again",
                    declined.reason.words
                ));
                None
            }
        }
    }

    fn by_record(&self, text: &str, sizes: &[i64]) -> Result<Optimized, Declined> {
        let refused = |why: String| Declined::because(Kind::Given, why);
        let script = Script::parse("script", text).map_err(|e| refused(e.to_string()))?;
        let region = script.regions.first();
        let region = region.ok_or_else(|| refused("it has no region".to_owned()))?;
        let outcome = script::run(&script, region, &self.scop, &self.deps);
        let mut schedule = outcome.map_err(|e| refused(e.to_string()))?.schedule;
        resized(&mut schedule, sizes).map_err(refused)?;
        let candidate = self.candidate("stored", schedule, Origin::Stored)?;
        self.settled(candidate, vec![], Origin::Stored)
    }
}

/// Gives a schedule's sizes other defaults.
fn resized(schedule: &mut Schedule, sizes: &[i64]) -> Result<(), String> {
    if sizes.is_empty() {
        return Ok(());
    }
    if sizes.len() != schedule.sizes.len() {
        let (own, given) = (schedule.sizes.len(), sizes.len());
        return Err(format!("it has {own} tile sizes, and {given} are stored"));
    }
    for (param, size) in schedule.sizes.iter_mut().zip(sizes) {
        if !(1..=MAX_TILE).contains(size) {
            return Err(format!("{size} is no tile size"));
        }
        let multiple = param.multiple_of.max(1);
        param.default = (size / multiple).max(1) * multiple;
    }
    Ok(())
}

/// What won, and under which conditions.
fn won(record: &Record) -> String {
    let name = record.candidates.iter().find(|c| c.number == record.chosen);
    let name = name.map_or("?", |c| &c.name);
    let gain = record.gain();
    let gain = gain.map_or(String::new(), |g| {
        format!(" ran {g:.2} times as fast as the original,")
    });
    format!(
        "candidate {} '{name}'{gain} {}",
        record.chosen,
        conditions(record)
    )
}

fn conditions(record: &Record) -> String {
    let threads = match record.threads {
        1 => "1 thread".to_owned(),
        n => format!("{n} threads"),
    };
    format!("on {threads}, size class {}", record.size_class)
}
