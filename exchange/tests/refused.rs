//! What is no file, is about another program, or has an illegal order is refused, and the line is named.

mod common;

use common::Given;
use polytile_exchange::Form;

/// The line of a text that holds some words, from 1.
fn line_of(text: &str, words: &str) -> usize {
    let at = text.lines().position(|l| l.contains(words));
    at.unwrap_or_else(|| panic!("'{words}' in\n{text}")) + 1
}

/// What is wrong with a file: line and words.
fn flaw(given: &Given, form: Form, text: &str) -> (usize, String) {
    let flaw = given.order(form, text).expect_err(text);
    assert_eq!(flaw.file, "given");
    (flaw.line, flaw.message)
}

/// A file with a change is refused, at the line that has these words, for this reason.
fn refuses(given: &Given, form: Form, [from, to]: [&str; 2], (at, why): (&str, &str)) {
    let printed = given.printed(form);
    let text = printed.replacen(from, to, 1);
    assert_ne!(text, printed, "'{from}' is in\n{printed}");
    let (line, message) = flaw(given, form, &text);
    assert!(message.contains(why), "{message}\n{text}");
    assert_eq!(line, line_of(&text, at), "{message}\n{text}");
}

#[test]
fn an_illegal_order_is_refused() {
    // Sweeps in the other order: the second writes what the first reads.
    let given = Given::sample("jacobi-1d");
    let broken = "illegal: a dependence runs backwards: ";
    let times = ["S1[t, i] -> [t, 1, i]", "S1[t, i] -> [t, -1, i]"];
    let place = "S1[t, i] -> [t, -1, i]";
    refuses(&given, Form::Jscop, times, (place, broken));
    refuses(&given, Form::Isl, times, (place, broken));
    // The times of the first statement, which are [t, 0, i], in the second loop.
    let text = given.printed(Form::OpenScop);
    let at = text.find("SCATTERING").unwrap();
    let second = at + text[at + 1..].find("SCATTERING").unwrap() + 1;
    let changed = text[second..].replacen(
        "   0    0   -1    0    0    0    0    0    1",
        "   0    0   -1    0    0    0    0    0   -1",
        1,
    );
    let changed = format!("{}{changed}", &text[..second]);
    assert_ne!(changed, text);
    let (line, message) = flaw(&given, Form::OpenScop, &changed);
    assert!(message.starts_with(broken), "{message}");
    assert_eq!(line, text[..second].lines().count() + 1, "{message}");
    assert!(
        message.contains("must come first, but runs at time"),
        "{message}"
    );
}

#[test]
fn an_illegal_tree_is_refused() {
    let given = Given::sample("jacobi-1d");
    let tree = "domain: \"[tsteps, n] -> { S0[t, i] : 0 <= t < tsteps and 0 <= i < n - 2; S1[t, i] : 0 <= t < tsteps and 0 <= i < n - 2 }\"\nchild:\n  schedule: \"[{ S0[t, i] -> [(t)]; S1[t, i] -> [(t)] }, { S0[t, i] -> [(i)]; S1[t, i] -> [(i)] }]\"\n  child:\n    sequence:\n    - filter: \"{ S0[t, i] }\"\n    - filter: \"{ S1[t, i] }\"\n";
    let (line, message) = flaw(&given, Form::Isl, tree);
    assert!(message.starts_with("illegal: "), "{message}");
    assert_eq!(line, 3);
    let (line, message) = flaw(
        &given,
        Form::Isl,
        &tree.replace("filter: \"{ S1[t, i]", "filter: \"{ S1[t"),
    );
    assert_eq!(line, 7, "{message}");
    let (_, message) = flaw(&given, Form::Isl, &tree.replace("sequence", "expansion"));
    assert!(
        message.contains("schedule, sequence, set, mark"),
        "{message}"
    );
}

#[test]
fn times_are_for_each_instance_and_one_each() {
    let given = Given::sample("gemm");
    for form in [Form::Jscop, Form::Isl] {
        let own = "[i, 1, k, j]";
        let part = "[i, 1, k, j] : i > 0";
        refuses(
            &given,
            form,
            [own, part],
            (part, "instances of S1 have no time"),
        );
        let two = "[i, 1, k, j] : k > 0; S1[i, k, j] -> [i, 2, k, j]";
        refuses(
            &given,
            form,
            [own, two],
            (two, "instances of S1 have two times"),
        );
        let tie = "[i, 1, 0, j]";
        let line = match form {
            // All statements stand on one line.
            Form::Isl => tie,
            _ => "S0[i, j] -> [i, 0, j",
        };
        refuses(
            &given,
            form,
            [own, tie],
            (line, "two instances have one time"),
        );
    }
}

#[test]
fn a_file_about_another_program_is_refused() {
    let given = Given::sample("gemm");
    for form in [Form::Jscop, Form::Isl] {
        let more = ["0 <= k < nk", "0 <= k <= nk"];
        refuses(
            &given,
            form,
            more,
            (more[1], "instances that are not the region's"),
        );
        let less = ["0 <= k < nk", "0 <= k < nk - 1"];
        refuses(
            &given,
            form,
            less,
            ("S0[i, j] : ", "instances of the region are missing"),
        );
        let named = ["S1[i, k, j] : ", "T[i, k, j] : "];
        refuses(
            &given,
            form,
            named,
            (named[1], "instances that are not the region's"),
        );
        let read = ["S1[i, k, j] -> A[i, k]", "S1[i, k, j] -> A[k, i]"];
        refuses(&given, form, read, (read[1], "only schedules are taken"));
        let foreign = ["[i, 1, k, j]", "[i, q, k, j]"];
        let text = given
            .printed(form)
            .replace("[ni, nj, nk] ->", "[ni, nj, nk, q] ->");
        let text = text.replacen(foreign[0], foreign[1], 1);
        let (_, message) = flaw(&given, form, &text);
        assert!(
            message.contains("a parameter that the region does not have"),
            "{message}"
        );
        let broken = ["[i, 1, k, j]", "[i, 1, k, j"];
        refuses(&given, form, broken, ("[i, 1, k, j }", "invalid argument"));
    }
    let other = Given::sample("syrk").printed(Form::OpenScop);
    let (_, message) = flaw(&given, Form::OpenScop, &other);
    assert!(message.contains("parameter"), "{message}");
}

#[test]
fn json_that_is_none_is_refused() {
    let given = Given::sample("gemm");
    let form = Form::Jscop;
    let comma = ["\"name\": \"C\",", "\"name\": \"C\""];
    refuses(&given, form, comma, ("\"sizes\"", "expected"));
    // A statement ends without its schedule.
    let text = given.printed(form);
    let text = text.replacen("\"schedule\": ", "\"order\": ", 1);
    let (line, message) = flaw(&given, form, &text);
    assert_eq!(message, "missing field `schedule`");
    assert_eq!(line, line_of(&text, "\"order\"") + 1);
    let kind = ["\"kind\": \"read\"", "\"kind\": \"reed\""];
    refuses(
        &given,
        form,
        kind,
        ("reed", "no kind 'reed'; read, write, may_write expected"),
    );
    let text = ["\"kind\": \"read\"", "\"kind\": 3"];
    refuses(&given, form, text, ("\"kind\": 3", "a text expected"));
}

#[test]
fn matrices_that_are_none_are_refused() {
    let given = Given::sample("gemm");
    let form = Form::OpenScop;
    let begin = ["<OpenScop>", "<Scop>"];
    refuses(
        &given,
        form,
        begin,
        ("<Scop>", "<OpenScop> expected, not '<Scop>'"),
    );
    let word = ["SCATTERING", "SCATTER"];
    refuses(
        &given,
        form,
        word,
        (
            "SCATTER",
            "DOMAIN, SCATTERING, READ, WRITE or MAY_WRITE expected, not 'SCATTER'",
        ),
    );
    let sizes = ["4 7 2 0 0 3", "4 8 2 0 0 3"];
    refuses(
        &given,
        form,
        sizes,
        (sizes[1], "8 columns, and its dimensions make 7"),
    );
    let rows = ["4 7 2 0 0 3", "5 7 2 0 0 3"];
    refuses(
        &given,
        form,
        rows,
        (
            "SCATTERING",
            "a row of a relation expected, not 'SCATTERING'",
        ),
    );
    let parts = ["4 7 2 0 0 3", "77777\n4 7 2 0 0 3"];
    refuses(&given, form, parts, ("77777", "a relation has a part"));
}

#[test]
fn a_file_that_ends_early_is_refused_wherever_that_is() {
    let given = Given::sample("gemm");
    for form in [Form::OpenScop, Form::Jscop] {
        let text = given.printed(form);
        let all = text.trim_end().lines().count();
        for n in 0..all {
            let cut: String = text.lines().take(n).map(|l| format!("{l}\n")).collect();
            let (line, message) = flaw(&given, form, &cut);
            assert!((1..=n.max(1) + 1).contains(&line), "{line}: {message}");
        }
    }
}
