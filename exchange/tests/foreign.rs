//! Files in a tool's own names, as Polly's exports are.

mod common;

use common::Given;
use polytile_analysis::text::{print_schedule, same_schedule};
use polytile_exchange::Form;

/// The transposed product `D[k] += E[l][k] * A[l]` behind one that writes `A`, as SCoP.
const TWO: &str = "
scop \"two\" function \"two\" at \"two.c\" 2 3
params m n
context { : m >= 1 and n >= 1 }
array A f64 [m]
array B f64 [m, n]
array D f64 [n]
stmt S0
  domain { S0[i, j] : 0 <= i < m and 0 <= j < n }
  beta 0 0 0
  write { S0[i, j] -> A[i] }
  read { S0[i, j] -> A[i] }
  read { S0[i, j] -> B[i, j] }
  body (fadd (read 1) (read 2))
stmt S1
  domain { S1[k, l] : 0 <= k < n and 0 <= l < m }
  beta 1 0 0
  write { S1[k, l] -> D[k] }
  read { S1[k, l] -> D[k] }
  read { S1[k, l] -> A[l] }
  body (fadd (read 1) (read 2))
";

/// What Polly writes of it, with `times`: parameters in an order of its own, flat arrays, reads first.
fn polly([first, second]: [&str; 2]) -> String {
    let statement = |name: &str, domain: &str, read: &str, write: &str, times: &str| {
        format!(
            r#"{{ "accesses": [ {{ "kind": "read", "relation": "[p_0, p_1] -> {{ {name}[i0, i1] -> {read} }}" }}, {{ "kind": "write", "relation": "[p_0, p_1] -> {{ {name}[i0, i1] -> {write} }}" }} ],
            "domain": "[p_0, p_1] -> {{ {name}[i0, i1] : {domain} }}", "name": "{name}",
            "schedule": "[p_0, p_1] -> {{ {name}[i0, i1] -> {times} }}" }}"#
        )
    };
    let one = statement(
        "Stmt2",
        "0 <= i0 < p_1 and 0 <= i1 < p_0",
        "MemRef2[200i0 + i1]",
        "MemRef0[i0]",
        first,
    );
    let other = statement(
        "Stmt6",
        "0 <= i0 < p_0 and 0 <= i1 < p_1",
        "MemRef0[i1]",
        "MemRef5[i0]",
        second,
    );
    format!(
        r#"{{ "arrays": [], "context": "[p_0, p_1] -> {{ : }}", "location": "two.c:2-7", "name": "%.split---%31",
        "statements": [ {one}, {other} ] }}"#
    )
}

#[test]
fn statements_and_parameters_are_found_by_order_and_domain() {
    let given = Given::of(TWO);
    let back = given.order(Form::Jscop, &polly(["[0, i0, i1]", "[1, i0, i1]"]));
    let own = given.order(Form::Jscop, &given.printed(Form::Jscop));
    let (back, own) = (back.unwrap(), own.unwrap());
    assert!(
        same_schedule(&back, &own).unwrap(),
        "{}",
        print_schedule(&back)
    );
}

#[test]
fn a_schedule_of_an_optimizer_comes_back() {
    let given = Given::of(TWO);
    // Fused, and tiled in the way that Polly writes tiles.
    let tiled = [
        "[o0, o1, i0 - 32o0, 0, i1 - 32o1] : 32o0 <= i0 <= 32o0 + 31 and 32o1 <= i1 <= 32o1 + 31",
        "[o0, o1, i1 - 32o0, 1, i0 - 32o1] : 32o0 <= i1 <= 32o0 + 31 and 32o1 <= i0 <= 32o1 + 31",
    ];
    let flaw = given.order(Form::Jscop, &polly(tiled)).unwrap_err();
    // All of a row of A has to be summed up before it is read: not so if columns are in tiles around.
    assert!(flaw.message.starts_with("illegal: "), "{flaw}");
    let fused = ["[i0, 0, i1]", "[i1, 1, i0]"];
    let order = given.order(Form::Jscop, &polly(fused)).unwrap();
    let text = print_schedule(&order);
    assert!(
        text.contains("S0[i0, i1] -> [(i0)]; S1[i0, i1] -> [(i1)]"),
        "{text}"
    );
}

#[test]
fn what_is_of_another_program_is_refused() {
    let given = Given::of(TWO);
    let text = polly(["[0, i0, i1]", "[1, i0, i1]"]);
    for (from, to) in [
        ("0 <= i0 < p_1", "0 <= i0 < p_1 - 1"),
        ("Stmt6[i0, i1] : 0 <=", "Stmt2[i0, i1] : 0 <="),
    ] {
        let changed = text.replace(from, to);
        assert_ne!(changed, text);
        let flaw = given.order(Form::Jscop, &changed).expect_err(&changed);
        // It is not the region's under any names, so its own are not known.
        let why = "a parameter that the region does not have: [p_0, p_1]";
        assert!(flaw.message.contains(why), "{flaw}");
    }
}

#[test]
fn instances_of_two_statements_may_have_one_time() {
    // Nothing of a column of S0 is for the column of S1 that runs at its time but what is before: the text's order tells them apart.
    let given = Given::of(&TWO.replace("A[l] }", "B[l, k] }"));
    let times = |first: &str, second: &str| {
        let text = given.printed(Form::Isl);
        let text = text.replace("[0, i, j]", first);
        text.replace("[1, k, l]", second)
    };
    let order = given.order(Form::Isl, &times("[i, j]", "[l, k]")).unwrap();
    let told = given.order(Form::Isl, &times("[i, j, 0]", "[l, k, 1]"));
    assert!(same_schedule(&order, &told.unwrap()).unwrap());
    // Where they depend on each other and the text's order is the wrong one, that is illegal.
    let given = Given::sample("jacobi-1d");
    let text = given.printed(Form::Isl);
    let text = text
        .replace("[t, 0, i]", "[t, i]")
        .replace("[t, 1, i]", "[t, i]");
    let flaw = given.order(Form::Isl, &text).unwrap_err();
    assert!(flaw.message.starts_with("illegal: "), "{flaw}");
}
