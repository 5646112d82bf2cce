//! What a reader clicks on.

use super::devtools::Browser;

/// The nest that is shown.
const SHOWN: &str = "document.querySelector('section.shown')";

/// What may be seen of the shown nest.
fn seen(b: &mut Browser) -> String {
    b.text(&format!("{SHOWN}.innerText"))
}

/// All numbers below the value of an expression.
fn all(b: &mut Browser, count: &str) -> std::ops::Range<u64> {
    0..b.count(count)
}

/// Every nest that is listed is shown at a click, alone, and every view of it at another; `f`: what is looked at in each view.
pub fn every_view(b: &mut Browser, mut f: impl FnMut(&mut Browser, &str)) {
    for n in all(b, "items.filter(i => !i.hidden).length") {
        let link = format!("items.filter(i => !i.hidden)[{n}].firstElementChild");
        b.click(&link, 0.5);
        b.value("new Promise(done => setTimeout(done, 0))");
        let id = b.text(&format!("{link}.hash.slice(1)"));
        assert_eq!(b.text(&format!("{SHOWN}.id")), id);
        for t in all(b, &format!("all('[role=tab]', {SHOWN}).length")) {
            let tab = format!("all('[role=tab]', {SHOWN})[{t}]");
            // Tabs inside of a view that is not open are clicked with that view.
            if b.is(&format!("{tab}.offsetParent === null")) {
                let outer = format!(
                    "document.getElementById({tab}.closest('.panel').getAttribute('aria-labelledby'))"
                );
                b.click(&outer, 0.5);
            }
            b.click(&tab, 0.5);
            let name = b.text(&format!("{tab}.textContent"));
            f(b, &format!("nest {id}, view '{name}'"));
        }
    }
}

/// Nests and views.
pub fn nests(b: &mut Browser) {
    let mut last = String::new();
    every_view(b, |b, place| {
        let now = seen(b);
        assert_ne!(now, last, "{place}: nothing changes");
        assert_eq!(
            b.count("all('section').filter(s => s.offsetParent !== null).length"),
            1,
            "{place}"
        );
        let tab = "document.activeElement";
        let panel = format!("document.getElementById({tab}.getAttribute('aria-controls'))");
        assert!(
            b.is(&format!(
                "{panel}.offsetHeight > 0 && {tab}.getAttribute('aria-selected') === 'true'"
            )),
            "{place}"
        );
        let beside = format!(
            "all(':scope > .panel', {panel}.parentElement).filter(p => p.offsetHeight > 0).length"
        );
        assert_eq!(b.count(&beside), 1, "{place}: one view is open");
        last = now;
    });
    assert!(b.is("items.filter(i => !i.hidden).length > 0"));
    // On a wide window the list stays beside the nest.
    assert!(b.is("items.every(i => i.hidden || i.firstElementChild.hasAttribute('aria-current') === (i.firstElementChild.hash === '#' + shown().id))"));
}

/// The list by fate, with single loops, and by words.
pub fn filters(b: &mut Browser) {
    let listed = |b: &mut Browser| b.count("items.filter(i => i.offsetParent !== null).length");
    let all = listed(b);
    let mut sum = 0;
    for fate in ["transformed", "left"] {
        b.click(
            &format!("document.querySelector('[data-show={fate}]')"),
            0.5,
        );
        assert!(b.is(&format!(
            "items.every(i => i.hidden || i.classList.contains('{fate}'))"
        )));
        let own = listed(b);
        let said = b.text(&format!(
            "document.querySelector('[data-show={fate}]').textContent"
        ));
        assert!(said.contains(&own.to_string()), "{said}: {own} are listed");
        assert_eq!(
            b.is("document.getElementById('none').offsetParent !== null"),
            own == 0
        );
        sum += own;
    }
    assert_eq!(sum, all);
    b.click("document.querySelector('[data-show=all]')", 0.5);
    if b.is("loops !== null") {
        b.click("loops", 0.5);
        assert_eq!(listed(b), b.count("items.length"));
        b.click("loops", 0.5);
    }
    assert_eq!(listed(b), all);
    b.click("find", 0.5);
    b.write("no such words");
    assert_eq!(listed(b), 0);
    assert!(b.is("document.getElementById('none').offsetParent !== null"));
    b.value("find.select()");
    let word = b.text("items.find(i => !i.classList.contains('loop')).firstElementChild.firstChild.textContent.trim()");
    b.write(&word);
    assert!(listed(b) >= 1, "{word}");
    b.value("find.value = '', find.dispatchEvent(new Event('input'))");
    assert_eq!(listed(b), all);
}

/// From one nest to the next and back.
pub fn steps(b: &mut Browser) {
    b.click("items.filter(i => !i.hidden)[0].firstElementChild", 0.5);
    let shown = |b: &mut Browser| {
        b.value("new Promise(done => setTimeout(done, 0))");
        b.text(&format!("{SHOWN}.id"))
    };
    shown(b);
    let step = |by: i32| format!("document.querySelector('section.shown [data-step=\"{by}\"]')");
    assert!(
        b.is(&format!("{}.hidden", step(-1))),
        "there is none before the first"
    );
    for n in 1..b.count("items.filter(i => !i.hidden).length") {
        b.click(&step(1), 0.5);
        let wanted = b.text(&format!(
            "items.filter(i => !i.hidden)[{n}].firstElementChild.hash.slice(1)"
        ));
        assert_eq!(shown(b), wanted);
    }
    assert!(
        b.is(&format!("{}.hidden", step(1))),
        "there is none behind the last"
    );
    if b.is(&format!("!{}.hidden", step(-1))) {
        b.click(&step(-1), 0.5);
        let at = "items.filter(i => !i.hidden).findIndex(i => i.firstElementChild.hash === '#' + shown().id)";
        shown(b);
        assert_eq!(
            b.count(at) + 2,
            b.count("items.filter(i => !i.hidden).length")
        );
    }
}

/// Pictures of iterations: each statement, the slider, and its run by itself.
pub fn pictures(b: &mut Browser) {
    every_view(b, |b, place| {
        let own = format!("{SHOWN}.querySelector('.panel.open .orders')");
        if b.is(&format!("{own} === null")) {
            return;
        }
        let part = |what: &str| format!("{own}.querySelector('{what}')");
        for n in all(b, &format!("{}.options.length", part("select"))) {
            b.value(&format!("{}.focus()", part("select")));
            b.press(if n == 0 { "Home" } else { "ArrowDown" });
            assert_eq!(
                b.count(&format!("Number({}.value)", part("select"))),
                n,
                "{place}"
            );
            slider(b, &own, place);
        }
        let value = format!("Number({}.value)", part("input"));
        b.value(&format!("{}.focus()", part("input")));
        b.press("Home");
        b.click(&part(".play"), 0.5);
        // As long as it takes on a busy machine, and stopped in the same moment: a short run would be over. One that never runs ends the
        // test by the browser's silence.
        b.value(&format!(
            "new Promise(done => {{ const look = () => {value} > 0 ? done({0}.ariaPressed === 'true' && {0}.click()) : setTimeout(look, 20); look(); }})",
            part(".play")
        ));
        let moved = b.count(&value);
        assert!(moved > 0, "{place}: the slider does not run");
        b.value("new Promise(done => setTimeout(done, 120))");
        assert_eq!(b.count(&value), moved, "{place}: it does not stop");
    });
}

/// The squares of both pictures follow the slider.
fn slider(b: &mut Browser, own: &str, place: &str) {
    let squares = |class: &str| format!("all('svg.after rect{class}', {own}).length");
    let number = b.count(&squares(""));
    assert!(
        number > 0 && b.count(&format!("all('svg.before rect', {own}).length")) > 0,
        "{place}"
    );
    // `S1, loops 1 and 3`: of this statement, and the second loop goes to the right.
    let option = b.text(&format!(
        "{own}.querySelector('select').selectedOptions[0].text"
    ));
    let (name, inner) = option
        .split_once(", loops ")
        .expect("a statement and loops");
    let inner = inner.rsplit(' ').next().expect("a number");
    let drawn = b.text(&format!(
        "{own}.querySelector('.domain').textContent + {own}.querySelector('svg.after text').textContent"
    ));
    assert!(
        drawn.contains(&format!(" {name}[")) && drawn.ends_with(&format!("loop {inner} →")),
        "{place}, {option}: {drawn}"
    );
    b.value(&format!("{own}.querySelector('input').focus()"));
    b.press("Home");
    assert_eq!(b.count(&squares(".late")), number, "{place}");
    b.press("ArrowRight");
    assert_eq!(
        (b.count(&squares(".late")), b.count(&squares(".now"))),
        (number - 1, u64::from(number > 1)),
        "{place}"
    );
    b.click(&format!("{own}.querySelector('input')"), 0.5);
    let late = b.count(&squares(".late"));
    assert!(
        number < 8 || late > number / 4 && late < number * 3 / 4,
        "{place}: {late} of {number} squares are late in the middle"
    );
    b.press("End");
    assert_eq!(b.count(&squares(".late")), 0, "{place}");
    assert_eq!(
        b.text(&format!("{own}.querySelector('output').textContent")),
        format!("{number} of {number}"),
        "{place}"
    );
}
