//! The sentences: what a remark means, and what can be done about it; and their text in lines.

use super::nests::{Fate, Nest};
use super::yaml::Remark;
use std::fmt::Write;

/// Columns of a line of text.
const WIDTH: usize = 100;

/// What a reason means to a programmer.
struct Meaning {
    /// What its words contain; one of these.
    says: &'static [&'static str],
    /// What that means.
    means: &'static str,
    /// What can be done; empty: what the remark itself proposes, or nothing.
    help: &'static str,
}

/// By the words of the plugin's reasons. The first that fits counts.
#[rustfmt::skip]
static MEANINGS: &[Meaning] = &[
    Meaning { says: &["database says that the original"],
        means: "The tuner measured the candidates of this nest, and none was faster than the code that you wrote.",
        help: "Nothing. Tune again if the machine or the usual sizes have changed." },
    Meaning { says: &["option choose", "stopped after"],
        means: "Your options ask for that.",
        help: "Leave the option out to let the model decide." },
    Meaning { says: &["compiled for size", "sanitizer", "signal handler", "no library"],
        means: "The function asks for code that does not grow, or calls nothing new.",
        help: "__attribute__((annotate(\"polytile: on\"))) on the function allows both." },
    Meaning { says: &["the function is", "the function calls", "the function observes"],
        means: "The function, or how it is compiled, asks for other code than ours.",
        help: "Move the nest to a function of its own that is compiled as usual." },
    Meaning { says: &["too few iterations"],
        means: "Even at its largest the nest does so little that a new version would not pay for its checks.",
        help: "Nothing, if the sizes are right. If arrays are declared smaller than they are used, declare their real sizes." },
    Meaning { says: &["only threads gain"],
        means: "Each iteration does little beside reading and writing memory, so one thread is as fast as any code; several gain only with very many iterations.",
        help: "If it runs over a hundred thousand iterations and more, POLYTILE=parallel=all lets threads share it. Better: do its work in the loop that produces or uses the data." },
    Meaning { says: &["original's loops are as fast"],
        means: "The model of time takes the best new version to be no faster than the compiler's own code.",
        help: "Measure it: polytile tune runs all candidates. POLYTILE=choose=1 forces the first one." },
    Meaning { says: &["addresses that depend on data would have to be compared"],
        means: "Before the loops may run on threads, the addresses that they look up would have to be compared with those that they write, which takes too much of the time.",
        help: "Declare the pointers restrict, if what is read and written is really apart." },
    Meaning { says: &["no gain expected", "no gain"],
        means: "What could be reordered is too small a part of the work.",
        help: "Measure it: polytile tune runs all candidates. Moving what cannot be reordered to a loop of its own helps most." },
    Meaning { says: &["nothing is written"],
        means: "The loops write no memory: a single sum or search. In what order its steps come decides the result, so it stays in order.",
        help: "If the order of a sum does not matter, -fassociative-math (or #pragma omp simd reduction) says so." },
    Meaning { says: &["number of iterations", "loop bound", "a bound"],
        means: "How often a loop runs is not known when it begins.",
        help: "" },
    Meaning { says: &["depends on data", "depend on data"],
        means: "Which elements are accessed, or which way is taken, is only known when the program runs, so nobody can prove that iterations do not need each other.",
        help: "" },
    Meaning { says: &["has no exit", "exits", "left from its middle", "left early"],
        means: "The loop may end before its bound, so iterations after that must not run at all.",
        help: "" },
    Meaning { says: &["input or output"],
        means: "Input and output happen in the order of the source.",
        help: "" },
    Meaning { says: &["call"],
        means: "A call may do anything: read and write arrays, print, end the program. So nothing may move across it.",
        help: "" },
    Meaning { says: &["base pointer", "pointer"],
        means: "An array is reached by a pointer that changes inside the nest, or of which nobody knows where it points to.",
        help: "" },
    Meaning { says: &["rows"],
        means: "The rows of an array are separate blocks of memory behind pointers, and not enough is known of where they lie.",
        help: "" },
    Meaning { says: &["not affine", "no evolution"],
        means: "A subscript or condition is no sum of loop counters times constants (i*j, i*i, i % n, a[i] as a subscript), which the polyhedral model needs.",
        help: "" },
    Meaning { says: &["elements of several sizes"],
        means: "The same memory is read and written with different element types.",
        help: "" },
    Meaning { says: &["volatile or atomic"],
        means: "Volatile and atomic accesses happen exactly as written.",
        help: "Read it into a local variable in front of the nest." },
    Meaning { says: &["directive"],
        means: "You have told the compiler how to treat this loop, and that order is kept.",
        help: "Take the pragma away to let Polytile choose." },
    Meaning { says: &["memory allocated in a loop"],
        means: "Each iteration allocates memory of its own.",
        help: "Allocate it once, in front of the nest." },
    Meaning { says: &["control flow"],
        means: "Jumps lead into the middle of the loops, or out of them and back.",
        help: "Write the loops as for and while, without goto." },
    Meaning { says: &["instruction", "a vector or structure"],
        means: "The nest holds an operation that the model does not have (an atomic one, a switch, a vector of its own).",
        help: "Move it to a loop of its own, in front of the nest or behind it." },
    Meaning { says: &["rounded", "fused", "rounding"],
        means: "The compiler may fuse products with sums in one way here and in another there, and then bits would differ.",
        help: "" },
    Meaning { says: &["work for its", "budget", "quota", "takes too long", "spent"],
        means: "The analysis stopped at its limit of work, which keeps compilations short.",
        help: "" },
    Meaning { says: &["transformed alone"],
        means: "An inner part has a new version; the loops around it stay.",
        help: "" },
    Meaning { says: &["too large", "cases", "contradict", "parameters"],
        means: "What would have to be proved has too many cases for exact methods.",
        help: "Split the nest, or move conditions on sizes in front of it." },
    Meaning { says: &["failed its check", "internal error", "self-check"],
        means: "Polytile found a mistake of its own and left the nest alone. The program is right.",
        help: "Please report it, with the source and the command." },
];

/// What is said of a nest under one head.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sentence {
    /// Its head, in a word or two.
    pub head: &'static str,
    /// What is said.
    pub text: String,
    /// A list behind it.
    pub items: Vec<String>,
}

fn sentence(head: &'static str, text: impl Into<String>) -> Sentence {
    Sentence {
        head,
        text: text.into(),
        items: vec![],
    }
}

/// All sentences on a nest.
pub fn sentences(nest: &Nest) -> Vec<Sentence> {
    let mut all = match &nest.fate {
        Fate::Transformed(r) => transformed(nest, r),
        Fate::Left(r) | Fate::NotModelled(r) => left(nest, r),
    };
    all.extend(nest.database.iter().map(|said| sentence("Database", said)));
    all
}

/// All sentences on a nest as lines, indented.
pub fn nest(nest: &Nest) -> String {
    let mut out = String::new();
    for s in sentences(nest) {
        wrapped(&mut out, "   ", "     ", &format!("{}: {}", s.head, s.text));
        for item in &s.items {
            wrapped(&mut out, "     - ", "       ", item);
        }
    }
    out
}

fn left(nest: &Nest, r: &Remark) -> Vec<Sentence> {
    let reason = r
        .arg("Reason")
        .or(r.arg("Error"))
        .unwrap_or("no reason was given");
    let at = r.arg("At").map_or(String::new(), |at| format!(" at {at}"));
    let what = if nest.is_nest() {
        "The nest"
    } else {
        "The loop"
    };
    let meaning = meaning(reason);
    let own = meaning.map_or("", |m| m.help);
    let help = match (own, r.arg("Remedy")) {
        ("", Some(remedy)) => capital(remedy) + ".",
        ("", None) => "Nothing simple.".to_owned(),
        (own, _) => own.to_owned(),
    };
    let kept = format!("{what} keeps its code: {reason}{at}.");
    let means = meaning.map(|m| sentence("That means", m.means));
    [sentence("Left as it was", kept)]
        .into_iter()
        .chain(means)
        .chain([sentence("You can", help)])
        .collect()
}

fn meaning(reason: &str) -> Option<&'static Meaning> {
    let fits = |m: &&Meaning| m.says.iter().any(|s| reason.contains(s));
    MEANINGS.iter().find(fits)
}

fn transformed(nest: &Nest, r: &Remark) -> Vec<Sentence> {
    if let Some(first) = r.arg("Together") {
        let text = format!("Transformed together with the nest at {first}, which see.");
        return vec![sentence("Done", text)];
    }
    let what = nest.what.as_deref();
    let what = what.map_or(String::new(), |w| format!(" ({w})"));
    let mut all = vec![Sentence {
        items: features(r),
        ..sentence("Done", format!("There is a new version{what}:"))
    }];
    let checks = r.arg("Checks");
    all.extend(checks.map(|checks| {
        let text = format!(
            "The new version runs where a test in front of it holds ({checks}); else the original runs, whose code is what it was."
        );
        sentence("When", text)
    }));
    all.extend(nest.code.map(|(made, before)| {
        let text = format!("{made} instructions beside the function's {before}.");
        sentence("Size", text)
    }));
    let apart = match checks.is_some_and(|c| c.contains("apart")) {
        true => "restrict on pointer parameters saves the comparison of arrays. ",
        false => "",
    };
    let help = "POLYTILE_VERBOSE=1 in the program's environment says how often each version ran and why. polytile tune measures other candidates.";
    all.push(sentence("You can", format!("{apart}{help}")));
    all
}

/// What the new version has, a line each.
fn features(r: &Remark) -> Vec<String> {
    let some = |key: &str| r.number(key).filter(|n| *n > 0);
    let tiles = r
        .arg("TileSizes")
        .map_or(String::new(), |t| format!(" ({t} iterations)"));
    let parts = [
        some("TileLoops").map(|_| format!("it goes through blocks that stay in the caches{tiles}")),
        some("ParallelLoops").map(|n| match n {
            1 => "a loop runs on several threads, where there is enough work".to_owned(),
            n => format!("{n} loops run on several threads, where there is enough work"),
        }),
        some("Teams").map(|_| {
            "one team of threads goes through all of it, instead of one fork after the other"
                .to_owned()
        }),
        some("RegisterTiles")
            .map(|_| "blocks of results stay in registers while sums are added up".to_owned()),
        some("PackedOperands")
            .map(|_| "operands are copied so that they are read one behind the other".to_owned()),
        some("VectorLoops").map(|_| "innermost loops run in vector lanes".to_owned()),
    ];
    parts.into_iter().flatten().collect()
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars
        .next()
        .map_or(String::new(), |c| c.to_uppercase().chain(chars).collect())
}

/// Words in lines of [`WIDTH`] columns.
fn wrapped(out: &mut String, first: &str, rest: &str, text: &str) {
    let mut line = first.to_owned();
    let mut empty = true;
    for word in text.split_whitespace() {
        if !empty && line.chars().count() + 1 + word.chars().count() > WIDTH {
            let _ = writeln!(out, "{line}");
            line = rest.to_owned();
            empty = true;
        }
        if !empty {
            line.push(' ');
        }
        line.push_str(word);
        empty = false;
    }
    let _ = writeln!(out, "{line}");
}

#[cfg(test)]
mod tests {
    use super::super::{nests, yaml};
    use super::*;

    fn said(name: &str, kind: &str, args: &[(&str, &str)]) -> String {
        let args: String = args
            .iter()
            .map(|(k, v)| format!("  - {k}: {v}\n"))
            .collect();
        let text = format!(
            "--- !{kind}\nPass: polytile\nName: {name}\nDebugLoc: {{ File: a.c, Line: 3, Column: 1 }}\nFunction: f\nArgs:\n{args}...\n"
        );
        nest(&nests::of(&yaml::parse(&text).unwrap())[0])
    }

    fn unwrapped(text: &str) -> String {
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    fn missed(reason: &str) -> String {
        said("NotTransformed", "Missed", &[("Reason", reason)])
    }

    #[test]
    fn reasons_become_plain_words() {
        let text = said(
            "NotTransformed",
            "Missed",
            &[
                ("Reason", "a subscript depends on data"),
                ("At", "a.c:4:9"),
                ("Remedy", "writes to a[i] would do"),
            ],
        );
        assert!(
            text.contains("keeps its code: a subscript depends on data at a.c:4:9."),
            "{text}"
        );
        assert!(
            unwrapped(&text).contains("only known when the program runs"),
            "{text}"
        );
        assert!(text.contains("You can: Writes to a[i] would do."), "{text}");
        let text = missed(
            "no gain expected: only threads gain, and only with very many iterations (parallel=all)",
        );
        assert!(text.contains("POLYTILE=parallel=all"), "{text}");
        let text = missed("no gain expected: the original's loops are as fast");
        assert!(text.contains("polytile tune"), "{text}");
        assert!(missed("something new").contains("You can: Nothing simple."));
    }

    #[test]
    fn every_meaning_can_be_reached() {
        for m in MEANINGS {
            let reached = m.says.iter().filter_map(|s| meaning(s));
            assert!(
                reached.into_iter().any(|f| std::ptr::eq(f, m)),
                "{:?}",
                m.says
            );
        }
    }

    #[test]
    fn what_was_done_is_a_list() {
        let text = said(
            "Transformed",
            "Passed",
            &[
                ("Statements", "1"),
                ("TileLoops", "4"),
                ("ParallelLoops", "1"),
                ("TileSizes", "all x 384 x 40"),
                ("Checks", "2 pairs of arrays apart, enough work"),
            ],
        );
        assert!(
            text.contains(
                "- it goes through blocks that stay in the caches (all x 384 x 40 iterations)\n"
            ),
            "{text}"
        );
        assert!(text.contains("- a loop runs on several threads"), "{text}");
        assert!(text.contains("restrict on pointer parameters"), "{text}");
        assert!(!text.contains("vector lanes"), "{text}");
        assert!(text.lines().all(|l| l.chars().count() <= WIDTH), "{text}");
    }
}
