//! Times against the bound: no program takes less time than its arithmetic at the processor's peak, nor than its bytes at the rate of each
//! cache and of memory (the roofline of Williams, Waterman and Patterson 2009, §3; [`super::roofline`] draws it).
//!
//! | symbol | here |
//! |---|---|
//! | peak performance | [`Rates::peak`], operations per cycle |
//! | bandwidth | [`Rates::levels`], bytes per cycle from the second level, the third level and memory |
//! | operational intensity | [`Program::intensity`], operations per byte of one level |
//!
//! What is measured is the nest's time at its own sizes (or the whole program's, where no run told that), and what is predicted is one entry
//! at typical sizes. So a measurement is shown as the original's predicted rate times the measured gain: it says how far the model's gain is
//! from the real one, not how fast the nest is.

use super::html::escaped;
use super::numbers::{bytes, cycles, entries, rate, seconds};
use super::roofline;
use polytile_records::Record;
use polytile_records::database::Measured;

/// Where bytes come from, by level.
pub const LEVELS: [&str; 3] = ["the second level", "the third level", "memory"];

/// The width of the bar of a whole, in rem.
const BAR: f64 = 3.0;

/// What some threads get of the processor, per cycle.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rates {
    /// Floating-point operations.
    pub peak: f64,
    /// Bytes from each level.
    pub levels: [f64; 3],
}

/// A candidate beside the bound.
#[derive(Clone, PartialEq, Debug)]
pub struct Program {
    /// Its name.
    pub name: String,
    /// It is the original.
    pub original: bool,
    /// It is the one that was taken.
    pub won: bool,
    /// Bytes from each level in one entry.
    pub bytes: [f64; 3],
    /// Predicted cycles of one entry.
    pub predicted: f64,
    /// How many times as fast as the original it ran, where that was measured.
    pub gain: Option<f64>,
}

/// All candidates of a region beside the bound, for a number of threads.
#[derive(Clone, PartialEq, Debug)]
pub struct Bounds {
    /// What is to be had.
    pub rates: Rates,
    /// Operations of one entry; 0: there is no floating-point arithmetic in it.
    pub flops: f64,
    /// The original first.
    pub programs: Vec<Program>,
}

impl Program {
    /// Operations per byte of a level.
    pub fn intensity(&self, flops: f64, level: usize) -> f64 {
        flops / self.bytes[level]
    }
}

impl Bounds {
    /// Of a record, on one thread or two; `None`: the plugin that wrote it said too little.
    pub fn of(record: &Record, threads: usize) -> Option<Bounds> {
        let arithmetic = record.arithmetic?;
        let number = |name: &str| record.numbers.get(name).copied();
        let near = number("l2_rate")? * threads as f64;
        let shared = if threads > 1 { number("shared")? } else { 1.0 };
        let rates = Rates {
            peak: arithmetic.peak * threads as f64,
            levels: [
                near,
                number("l3_rate")? * shared,
                number("memory_rate")? * shared,
            ],
        };
        let of = |c: &Measured| program(record, c, threads);
        let programs: Vec<Program> = record.candidates.iter().filter_map(of).collect();
        programs.iter().any(|p| p.original).then_some(Bounds {
            rates,
            flops: arithmetic.flops,
            programs,
        })
    }

    /// Whether any program ran.
    pub fn are_measured(&self) -> bool {
        self.programs.iter().any(|p| p.gain.is_some())
    }

    /// The least cycles of a program, and what bounds them: a level, or `None` for arithmetic.
    pub fn least(&self, p: &Program) -> (f64, Option<usize>) {
        let arithmetic = (self.flops / self.rates.peak, None);
        let levels = (0..3).map(|l| (p.bytes[l] / self.rates.levels[l], Some(l)));
        levels.fold(
            arithmetic,
            |most, one| if one.0 > most.0 { one } else { most },
        )
    }

    /// The outermost level that the original moves bytes from.
    pub fn farthest(&self) -> Option<usize> {
        let original = self.programs.iter().find(|p| p.original)?;
        (0..3).rev().find(|l| original.bytes[*l] > 0.0)
    }

    /// Operations per cycle at which a program is predicted.
    pub fn rate(&self, p: &Program) -> f64 {
        self.flops / p.predicted.max(1.0)
    }

    /// The same from the measured gain over the original; `None`: it was not measured, or is the original.
    pub fn measured(&self, p: &Program) -> Option<f64> {
        let original = self.programs.iter().find(|p| p.original)?;
        let gain = p.gain.filter(|_| !p.original)?;
        Some(self.rate(original) * gain)
    }
}

fn program(record: &Record, c: &Measured, threads: usize) -> Option<Program> {
    let predicted = c.predicted?;
    Some(Program {
        name: c.name.clone(),
        original: c.number == 0,
        won: c.number == record.chosen,
        bytes: c.bytes?,
        predicted: if threads > 1 {
            predicted.two
        } else {
            predicted.one
        },
        gain: record.ratio(c).map(f64::recip),
    })
}

/// The table and the picture; empty where the record says too little.
pub fn of(record: &Record, threads: usize) -> String {
    let Some(bounds) = Bounds::of(record, threads) else {
        return String::new();
    };
    let rows: String = bounds.programs.iter().map(|p| row(&bounds, p)).collect();
    let measured = match bounds.are_measured() {
        true => "<th class=\"number\">measured</th>",
        false => "",
    };
    format!(
        "{}<p>{}</p>\n<div class=\"wide\"><table>\n<tr><th>program</th><th class=\"number\">bytes from the<br>second level</th><th class=\"number\">third<br>level</th>\
         <th class=\"number\">memory</th><th class=\"number\">cycles<br>at least</th><th class=\"number\">cycles<br>predicted</th>\
         <th>share of the bound</th>{measured}</tr>\n{rows}</table></div>\n",
        roofline::of(&bounds),
        said(record, &bounds)
    )
}

/// What is to be had, and what the measured column is.
fn said(record: &Record, bounds: &Bounds) -> String {
    let at = match record.at.as_str() {
        "" => String::new(),
        at => format!(" at typical sizes ({})", escaped(at)),
    };
    let work = match bounds.flops > 0.0 {
        true => format!(
            "One entry{at} does {} floating-point operations; the processor does at most {} per cycle.",
            cycles(bounds.flops),
            rate(bounds.rates.peak)
        ),
        false => {
            format!("One entry{at} has no floating-point arithmetic, so only its bytes bound it.")
        }
    };
    let [near, far, memory] = bounds.rates.levels.map(rate);
    let gains = match record.alone() {
        _ if !bounds.are_measured() => String::new(),
        Some(alone) => format!(
            " Measured: how many times as fast as the original’s loops the nest alone ran; those took {} in {}.",
            seconds(alone.seconds),
            entries(alone.entries)
        ),
        None => " Measured: how many times as fast as with the original the whole program ran."
            .to_owned(),
    };
    format!(
        "{work} Bytes per cycle: {near} from the second level, {far} from the third, {memory} from memory. A program that moves these bytes takes no fewer cycles than the bound, whatever the order of its instructions; the share is the bound’s part of the prediction.{gains}"
    )
}

fn row(bounds: &Bounds, p: &Program) -> String {
    let (least, by) = bounds.least(p);
    let by = match by.map_or("arithmetic", |l| LEVELS[l]) {
        by if least > 0.0 => format!(", {by}"),
        _ => String::new(),
    };
    let share = least / p.predicted.max(1.0);
    let class = if p.won { " class=\"won\"" } else { "" };
    let [second, third, memory] = p.bytes.map(|n| if n > 0.0 { bytes(n) } else { "0".into() });
    let gain = p.gain.filter(|_| !p.original);
    let gain = gain.map_or(String::new(), |g| format!("{g:.2} x"));
    let gain = match bounds.are_measured() {
        true => format!("<td class=\"number\">{gain}</td>"),
        false => String::new(),
    };
    format!(
        "<tr{class}><td>{}</td><td class=\"number\">{second}</td><td class=\"number\">{third}</td><td class=\"number\">{memory}</td><td class=\"number\">{}</td>\
         <td class=\"number\">{}</td><td><span class=\"bar\" style=\"width:{:.2}rem\"></span> {:.0} %{by}</td>{gain}</tr>\n",
        escaped(&p.name),
        cycles(least),
        cycles(p.predicted),
        BAR * share.min(1.0),
        100.0 * share
    )
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use polytile_records::database::{Alone, Outcome};
    use polytile_records::{Arithmetic, Candidate, Listed, Predicted};

    /// A region that two programs do: 1000 operations, of which 10 may be done per cycle.
    pub fn record() -> Record {
        let candidate = |number: usize, name: &str, one: f64, memory: f64| Candidate {
            number,
            name: name.into(),
            predicted: Some(Predicted {
                one,
                two: one / 2.0,
            }),
            bytes: Some([4.0 * memory, 2.0 * memory, memory]),
            ..Candidate::default()
        };
        let numbers = [
            ("l2_rate", 20.0),
            ("l3_rate", 10.0),
            ("memory_rate", 4.0),
            ("shared", 1.5),
        ];
        let region = Listed {
            numbers: numbers.map(|(n, v)| (n.to_owned(), v)).into(),
            at: "n = 10".into(),
            arithmetic: Some(Arithmetic {
                flops: 1000.0,
                peak: 10.0,
            }),
            candidates: vec![
                candidate(0, "original", 2000.0, 4000.0),
                candidate(1, "plan", 500.0, 200.0),
            ],
            ..Listed::default()
        };
        let mut record = Record::of(&region, 1, "1 s");
        record.choose(&region, 1);
        let won = &mut record.candidates[1];
        won.outcome = Outcome::Measured;
        (won.samples, won.original) = (vec![1.0], vec![3.0]);
        record
    }

    #[test]
    fn bytes_or_arithmetic_bound_a_program() {
        let bounds = Bounds::of(&record(), 1).unwrap();
        let [original, plan] = &bounds.programs[..] else {
            panic!("two programs: {bounds:?}");
        };
        assert_eq!(bounds.least(original), (1000.0, Some(2)));
        assert_eq!(bounds.least(plan), (100.0, None));
        assert_eq!(bounds.farthest(), Some(2));
        assert_eq!((bounds.rate(plan), bounds.measured(plan)), (2.0, Some(1.5)));
        assert_eq!(bounds.measured(original), None);
        assert_eq!(plan.intensity(bounds.flops, 2), 5.0);
        let two = Bounds::of(&record(), 2).unwrap();
        assert_eq!(two.rates.peak, 20.0);
        assert_eq!(two.rates.levels, [40.0, 15.0, 6.0]);
        let mut listed = record();
        listed.candidates[1].samples.clear();
        assert!(!of(&listed, 1).contains("measured"), "nothing ran");
        let html = of(&record(), 1);
        assert!(
            html.contains("1.00 k floating-point operations") && html.contains("3.00 x"),
            "{html}"
        );
        assert!(html.contains(" 20 %") && html.contains(" 50 %"), "{html}");
    }

    #[test]
    fn nests_that_were_timed_alone_are_compared_alone() {
        let mut record = record();
        for (c, time) in record.candidates.iter_mut().zip([1.5, 0.25]) {
            c.alone = Some(Alone {
                entries: 1,
                seconds: time,
            });
        }
        let html = of(&record, 1);
        assert!(html.contains("those took 1.500 s in 1 entry"), "{html}");
        assert!(html.contains("6.00 x"), "{html}");
    }

    #[test]
    fn what_older_lists_leave_out_is_not_drawn() {
        let older = Record {
            arithmetic: None,
            ..record()
        };
        assert_eq!(of(&older, 1), "");
    }
}
