//! What is exported comes back as the order that it is, in all forms; other legal orders come back as themselves.

mod common;

use common::Given;
use polytile_analysis::text::{print_schedule, same_schedule, samples};
use polytile_analysis::tree::Schedule;
use polytile_exchange::Form;
use polytile_transform::ast::{AstOptions, generate_with};
use polytile_transform::rewrite::flags::Flags;
use polytile_transform::rewrite::{State, Step};

/// The source's order.
fn original(given: &Given) -> Schedule {
    let state = State::original(&given.scop, &given.deps).unwrap();
    Flags.apply(&state).unwrap().schedule
}

/// The loops of an order.
fn code(given: &Given, schedule: &Schedule) -> String {
    let made = generate_with(&given.scop, schedule, &AstOptions::default());
    made.unwrap().body.to_string()
}

const FORMS: [Form; 3] = [Form::OpenScop, Form::Jscop, Form::Isl];

#[test]
fn what_is_exported_comes_back() {
    for (name, _) in samples::ALL {
        let given = Given::sample(name);
        let source = original(&given);
        let own = code(&given, &source);
        for form in FORMS {
            let text = given.printed(form);
            let back = given.order(form, &text);
            let back = back.unwrap_or_else(|flaw| panic!("{name}: {flaw}\n{text}"));
            assert!(
                same_schedule(&back, &source).unwrap(),
                "{name}, {form:?}:\n{}\n{}",
                print_schedule(&back),
                print_schedule(&source)
            );
            assert_eq!(code(&given, &back), own, "{name}, {form:?}");
        }
    }
}

/// Unions, integer divisions, may-writes, cells without subscripts, a statement without loops.
const ODD: &str = "
scop \"odd\" function \"odd\" at \"odd.c\" 3 1
params n
context { : n >= 1 }
array A f64 [n]
array x f64 scalar
stmt S0
  domain { S0[i] : 0 <= i < n and (i mod 3 = 1 or i > 10) }
  beta 0 0
  may-write { S0[i] -> A[floor(i/2)] }
  read { S0[i] -> A[floor(i/2)] }
  read { S0[i] -> x[] }
  body (fadd (read 1) (read 2))
stmt S1
  domain { S1[] }
  beta 1
  write { S1[] -> x[] }
  body (inv v90)
";

#[test]
fn odd_domains_and_accesses_come_back() {
    let given = Given::of(ODD);
    for form in FORMS {
        let text = given.printed(form);
        let back = given.order(form, &text);
        let back = back.unwrap_or_else(|flaw| panic!("{flaw}\n{text}"));
        assert!(same_schedule(&back, &original(&given)).unwrap(), "{text}");
    }
    let text = given.printed(Form::OpenScop);
    assert!(
        text.contains("MAY_WRITE\n") && text.contains("DOMAIN\n2\n"),
        "{text}"
    );
    assert!(text.contains("# odd, odd.c:3"), "{text}");
    assert!(text.contains("x = S1();"), "{text}");
}

/// The product with its loops over `k` and `j` as loops over `j` and `k`, in each form; the schedule tree as isl prints it.
fn interchanged(form: Form, text: &str) -> String {
    let changed = match form {
        Form::Jscop => text.replace("[i0, 1, i1, i2]", "[i0, 1, i2, i1]"),
        Form::Isl => text.replace("[i, 1, k, j]", "[i, 1, j, k]"),
        Form::OpenScop => text.to_owned(),
    };
    let changed = match form {
        Form::Jscop => changed.replace("[i, 1, k, j]", "[i, 1, j, k]"),
        Form::OpenScop => swapped(&changed),
        Form::Isl => changed,
    };
    assert_ne!(changed, text);
    changed
}

/// The second scattering with its last two times exchanged: columns 3 and 4.
fn swapped(text: &str) -> String {
    let at = text.rfind("SCATTERING").unwrap();
    let (before, from) = text.split_at(at);
    let end = from.find("\nWRITE").unwrap();
    let (scattering, rest) = from.split_at(end);
    let lines = scattering.lines().map(|line| {
        let mut words: Vec<&str> = line.split_whitespace().collect();
        if !line.starts_with('#') && words.len() > 6 {
            words.swap(3, 4);
        }
        words.join(" ")
    });
    let scattering: Vec<String> = lines.collect();
    format!("{before}{}\n{rest}", scattering.join("\n"))
}

const TREE: &str = r#"{ domain: "[nk, nj, ni] -> { S1[i, k, j] : 0 <= i < ni and 0 <= k < nk and 0 <= j < nj; S0[i, j] : 0 <= i < ni and 0 <= j < nj }", child: { schedule: "[ni, nj, nk] -> [{ S0[i, j] -> [(i)]; S1[i, k, j] -> [(i)] }]", permutable: 1, coincident: [ 1 ], child: { sequence: [ { filter: "{ S0[i, j] }", child: { schedule: "[{ S0[i, j] -> [(j)] }]" } }, { filter: "{ S1[i, k, j] }", child: { schedule: "[{ S1[i, k, j] -> [(j)] }]", child: { schedule: "[{ S1[i, k, j] -> [(k)] }]", coincident: [ 1 ] } } } ] } } }"#;

#[test]
fn another_legal_order_comes_back_as_itself() {
    let given = Given::sample("gemm");
    let mut orders = vec![];
    for form in FORMS {
        let text = interchanged(form, &given.printed(form));
        let order = given.order(form, &text);
        orders.push(order.unwrap_or_else(|flaw| panic!("{flaw}\n{text}")));
    }
    orders.push(given.order(Form::Isl, TREE).unwrap());
    let first = code(&given, &orders[0]);
    assert_ne!(first, code(&given, &original(&given)));
    for order in &orders {
        assert!(
            same_schedule(order, &orders[0]).unwrap(),
            "{}\n{}",
            print_schedule(order),
            print_schedule(&orders[0])
        );
        assert_eq!(code(&given, order), first);
        // The parameters are the SCoP's, in its order, whatever others say.
        let space = order.domain.space().unwrap();
        assert_eq!(space.dim(polytile_analysis::poly::DimType::Param), 3);
    }
}

#[test]
fn times_may_be_tiles_and_need_not_be_of_one_length() {
    let given = Given::sample("gemm");
    let text = given.printed(Form::Jscop);
    let tiled = "[i, 1, t, j, k] : 32*t <= k < 32*t + 32";
    let text = text.replace("[i, 1, k, j]", tiled);
    let order = given.order(Form::Jscop, &text).unwrap();
    let code = code(&given, &order);
    assert!(code.contains("32"), "{code}");
}
