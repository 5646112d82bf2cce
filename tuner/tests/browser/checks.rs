//! What has to hold of a page however it is looked at.

use super::Program;
use super::devtools::Browser;
use super::walk::every_view;
use std::path::Path;

/// Least contrast of a text and what is behind it (WCAG 2.2, 1.4.3).
const CONTRAST: f64 = 4.5;

/// Width of a phone.
const PHONE: u32 = 375;

/// Texts in sight whose contrast is too low, each with its contrast.
const DIM_TEXTS: &str = "(least => {
  const context = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  const known = new Map();
  const rgb = colour => {
    if (known.has(colour)) return known.get(colour);
    context.clearRect(0, 0, 1, 1);
    context.fillStyle = colour;
    context.fillRect(0, 0, 1, 1);
    known.set(colour, [...context.getImageData(0, 0, 1, 1).data]);
    return known.get(colour);
  };
  const light = ([r, g, b]) => [r, g, b].map(v => v / 255).map(v => v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4)
    .reduce((sum, v, n) => sum + v * [.2126, .7152, .0722][n], 0);
  const behind = e => {
    for (; e; e = e.parentElement) {
      const colour = rgb(getComputedStyle(e).backgroundColor);
      if (colour[3] === 255) return colour;
    }
    return [255, 255, 255];
  };
  const found = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let n; n = walker.nextNode();) {
    const e = n.parentElement;
    if (!n.data.trim() || ['SCRIPT', 'STYLE', 'TITLE', 'NOSCRIPT', 'OPTION'].includes(e.tagName) || e.tagName === 'title' || !e.checkVisibility()) continue;
    const style = getComputedStyle(e), drawn = e.ownerSVGElement;
    const [a, b] = [light(rgb(drawn ? style.fill : style.color)), light(behind(drawn ?? e))];
    const contrast = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
    if (contrast < least) found.push(contrast.toFixed(2) + ': ' + n.data.trim().slice(0, 40));
  }
  return found.join('\\n');
})";

/// Nests have the views that the program is known for.
pub fn views(b: &mut Browser, program: &Program) {
    for (name, least) in program.views {
        let count = b.count(&format!(
            "all('section').filter(s => all(':scope > .tabs > [role=tab]', s).some(t => t.textContent === '{name}')).length"
        ));
        assert!(
            count >= least as u64,
            "{}: {count} nests have a view '{name}'",
            program.source
        );
    }
    let reasons = b.is("items.every(i => i.querySelector('.why').textContent.trim() !== '')");
    assert!(
        reasons,
        "{}: a nest is listed without what became of it",
        program.source
    );
}

/// Texts can be read in light and dark, by the system's colours and by the page's button.
pub fn colours(b: &mut Browser) {
    let dim = format!("{DIM_TEXTS}({CONTRAST})");
    let ground = "getComputedStyle(document.body).backgroundColor";
    let mut grounds = vec![];
    for scheme in ["light", "dark"] {
        b.media("", scheme);
        grounds.push(b.text(ground));
        every_view(b, |b, place| {
            let found = b.text(&dim);
            assert!(found.is_empty(), "{scheme}, {place}: contrast of\n{found}");
        });
    }
    assert_ne!(grounds[0], grounds[1], "dark is as light");
    // The button: the system's (dark), light, dark, the system's again.
    for expected in [&grounds[0], &grounds[1], &grounds[1]] {
        b.click("theme", 0.5);
        assert_eq!(&b.text(ground), expected);
        assert_eq!(b.text(&dim), "");
    }
    b.media("", "light");
    assert_eq!(b.text("document.documentElement.dataset.theme"), "system");
}

/// Everything is reached by keys, and what has the focus shows it.
pub fn keys(b: &mut Browser) {
    b.value("scrollTo(0, 0), document.activeElement.blur()");
    b.click("document.querySelector('h1')", 0.5);
    let (mut tags, mut tab) = (vec![], false);
    for _ in 0..200 {
        b.press("Tab");
        let focus = "document.activeElement";
        if b.is(&format!("{focus} === document.body")) {
            break;
        }
        let outlined = b.is(&format!(
            "getComputedStyle({focus}).outlineStyle !== 'none'"
        ));
        let what = b.text(&format!("{focus}.outerHTML.slice(0, 120)"));
        assert!(outlined, "the focus does not show: {what}");
        if !tab
            && b.is(&format!(
                "{focus}.role === 'tab' && {focus}.nextElementSibling !== null"
            ))
        {
            tab = true;
            let own = b.text(&format!("{focus}.id"));
            b.press("ArrowRight");
            assert_ne!(b.text(&format!("{focus}.id")), own);
            assert!(b.is(&format!(
                "document.getElementById({focus}.getAttribute('aria-controls')).offsetHeight > 0"
            )));
            b.press("ArrowLeft");
            assert_eq!(b.text(&format!("{focus}.id")), own);
            b.press("End");
            assert!(b.is(&format!("{focus}.nextElementSibling === null")));
            b.press("Home");
            assert!(b.is(&format!("{focus}.previousElementSibling === null")));
        }
        tags.push(b.text(&format!(
            "{focus}.id || ({focus}.closest('nav li') ? 'listed ' : '') + {focus}.tagName"
        )));
    }
    for wanted in ["theme", "find"] {
        assert!(
            tags.iter().any(|t| t == wanted),
            "{wanted} is not reached: {tags:?}"
        );
    }
    let links = b.count("items.filter(i => !i.hidden).length");
    let reached = tags.iter().filter(|t| t.starts_with("listed ")).count();
    assert_eq!(reached as u64, links, "{tags:?}");
    b.value("items.filter(i => !i.hidden).at(-1).firstElementChild.focus()");
    b.press("Enter");
    b.value("new Promise(done => setTimeout(done, 0))");
    assert!(
        b.is("items.filter(i => !i.hidden).at(-1).firstElementChild.hash === '#' + shown().id")
    );
    assert!(
        b.is("shown().contains(document.activeElement)"),
        "the focus stays in the list"
    );
}

/// A font that is wider than most.
const WIDE: &str =
    "<style>:root, button, select, input, svg text { letter-spacing: 1.5px !important }</style>";

/// On a phone nothing is wider than the window, in any view, also with a font wider than this machine's and with long names of files.
pub fn phone(b: &mut Browser) {
    b.size(PHONE, 812);
    b.value(&format!(
        "void document.head.insertAdjacentHTML('beforeend', `{WIDE}`)"
    ));
    b.value("void all('section a, nav li a, h2').forEach(e => e.prepend('folder-'.repeat(20)))");
    every_view(b, |b, place| {
        let width =
            b.count("Math.max(document.documentElement.scrollWidth, document.body.scrollWidth)");
        assert!(width <= u64::from(PHONE), "{place}: {width} pixels wide");
    });
    b.value("void document.head.lastElementChild.remove()");
    b.size(1280, 900);
}

/// On paper everything is there: all nests, all views, all pictures.
pub fn paper(b: &mut Browser, page: &Path) {
    b.load(page, "");
    b.media("print", "light");
    let hidden = "all('section, .panel').filter(e => e.offsetHeight === 0).length";
    assert_eq!(b.count(hidden), 0);
    assert_eq!(
        b.count("all('button').filter(e => e.offsetHeight > 0).length"),
        0,
        "buttons are printed"
    );
    assert!(b.text(&format!("{DIM_TEXTS}({CONTRAST})")).is_empty());
    b.media("", "light");
    let printed = b.call("Page.printToPDF", serde_json::json!({}));
    let length = printed["data"].as_str().map_or(0, str::len);
    assert!(length > 10_000, "{length} characters of PDF");
    assert_eq!(
        b.count("all('.orders:not(.drawn)').length"),
        0,
        "pictures are missing on paper"
    );
}

/// The page wrote nothing to the console, and asked for itself only.
pub fn heard_nothing(b: &mut Browser, page: &Path) {
    let (complaints, requests) = b.heard();
    assert!(complaints.is_empty(), "{complaints:#?}");
    let own = format!("file://{}", page.display());
    assert!(requests.iter().all(|r| r.starts_with(&own)), "{requests:?}");
    assert_eq!(requests.len(), 1, "{requests:?}");
}

/// A link to a nest shows it.
pub fn link(b: &mut Browser, page: &Path) {
    let last = b.count("nests.length") - 1;
    b.load(page, &format!("#n{last}"));
    assert_eq!(b.text("shown().id"), format!("n{last}"));
}

/// Without the page's script all is shown one below the other, and nothing that would not work.
pub fn without_script(b: &mut Browser, page: &Path) {
    b.call(
        "Emulation.setScriptExecutionDisabled",
        serde_json::json!({ "value": true }),
    );
    b.load(page, "");
    let hidden = "[...document.querySelectorAll('section, .panel')].filter(e => e.offsetHeight === 0).length";
    assert_eq!(b.count(hidden), 0);
    let dead = "[...document.querySelectorAll('button, input, select')].filter(e => e.offsetHeight > 0).length";
    assert_eq!(b.count(dead), 0);
    b.call(
        "Emulation.setScriptExecutionDisabled",
        serde_json::json!({ "value": false }),
    );
}
