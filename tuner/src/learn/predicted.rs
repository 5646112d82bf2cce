//! What the model says of candidates, with any numbers: the plugin lists them again.

use super::fit::Numbers;
use super::samples::Nest;
use crate::builds::{Builds, joined};
use crate::listed::listed;
use crate::scratch::Scratch;
use polytile_records::{Listed, Machine};
use std::collections::BTreeMap;
use std::fs;

/// Logarithms of a candidate's predicted time to the original's, on one thread and on several, by hash and number.
pub type Ratios = BTreeMap<(String, usize), [f64; 2]>;

/// No code is needed; and which regions there are does not depend on which of them are worth it.
pub const ONLY_JUDGED: &str = "stop-after=ast";

/// Asks the plugin.
pub struct Model<'a> {
    builds: &'a mut Builds,
    scratch: &'a Scratch,
    target: &'a str,
    /// With the numbers that are there.
    own: &'a [Listed],
}

impl<'a> Model<'a> {
    /// For the regions of a build.
    pub fn new(
        builds: &'a mut Builds,
        scratch: &'a Scratch,
        target: &'a str,
        own: &'a [Listed],
    ) -> Model<'a> {
        Model {
            builds,
            scratch,
            target,
            own,
        }
    }

    /// What it says with these numbers; `None`: they change the candidates, or something is not predicted, so that nothing can be compared.
    ///
    /// # Errors
    /// The build fails.
    pub fn ratios(&mut self, numbers: &Numbers, nests: &[Nest]) -> Result<Option<Ratios>, String> {
        let file = self.scratch.path().join("machine.json");
        let machine = Machine::new(self.target, numbers.clone());
        fs::write(&file, machine.print())
            .map_err(|e| format!("'{}' cannot be written: {e}", file.display()))?;
        let option = joined(ONLY_JUDGED, &format!("machine={}", file.display()));
        let regions = listed(self.builds, self.scratch, &option)?;
        Ok(ratios(self.own, &regions, nests))
    }
}

/// The ratios that regions are listed with, if the samples' candidates are those of `own`.
fn ratios(own: &[Listed], regions: &[Listed], nests: &[Nest]) -> Option<Ratios> {
    let mut all = Ratios::new();
    for nest in nests {
        let of = |list: &'_ [Listed]| list.iter().position(|r| r.hash == nest.hash);
        let (before, now) = (&own[of(own)?], &regions[of(regions)?]);
        let original = now.candidates.first()?.predicted?;
        for sample in &nest.samples {
            let [was, is] = [before, now].map(|r| r.candidates.get(sample.number));
            let (was, is) = (was?, is?);
            if was.name != is.name || was.script != is.script {
                return None;
            }
            let its = is.predicted?;
            let ratio = [its.one / original.one, its.two / original.two].map(f64::ln);
            if !ratio.iter().all(|r| r.is_finite()) {
                return None;
            }
            all.insert((nest.hash.clone(), sample.number), ratio);
        }
    }
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::super::samples::nests;
    use super::*;
    use polytile_records::database::{Measured, Outcome};
    use polytile_records::{Candidate, Predicted, Record, hash};

    fn candidate(number: usize, one: f64, script: &str) -> Candidate {
        Candidate {
            number,
            name: format!("c{number}"),
            predicted: Some(Predicted {
                one,
                two: one / 2.0,
            }),
            script: Some(script.to_owned()),
            ..Candidate::default()
        }
    }

    fn region(script: &str, two: f64) -> Listed {
        Listed {
            hash: hash::of("text"),
            function: "f".into(),
            target: "t".into(),
            candidates: vec![candidate(0, 8.0, ""), candidate(1, two, script)],
            scop: "text".into(),
            ..Listed::default()
        }
    }

    fn record(target: &str, outcome: Outcome) -> Record {
        let region = Listed {
            target: target.into(),
            ..region("", 4.0)
        };
        let measured = Measured {
            outcome,
            samples: vec![0.5, 0.25, 0.125],
            original: vec![1.0],
            ..Measured::of(&region.candidates[1])
        };
        Record {
            candidates: vec![measured],
            ..Record::of(&region, 1, "1 s")
        }
    }

    #[test]
    fn measured_and_predicted_ratios_are_found() {
        let own = [region("a", 4.0)];
        let found = nests(&[record("t", Outcome::Measured)], &own, "t");
        assert_eq!(found.len(), 1);
        assert!((found[0].samples[0].ratio - 0.25_f64.ln()).abs() < 1e-12);
        let of = |regions: &[Listed]| ratios(&own, regions, &found);
        let other = of(&[region("a", 2.0)]).unwrap();
        let [one, two] = other[&(hash::of("text"), 1)];
        assert!((one - 0.25_f64.ln()).abs() < 1e-12 && (one - two).abs() < 1e-12);
        // Other candidates, or none, cannot be compared.
        assert_eq!(of(&[region("b", 2.0)]), None);
        assert_eq!(of(&[]), None);
    }

    #[test]
    fn what_was_not_measured_here_counts_for_nothing() {
        let own = [region("a", 4.0)];
        assert!(nests(&[record("u", Outcome::Measured)], &own, "t").is_empty());
        assert!(nests(&[record("t", Outcome::Failed)], &own, "t").is_empty());
        assert!(nests(&[record("t", Outcome::Measured)], &[], "t").is_empty());
    }
}
