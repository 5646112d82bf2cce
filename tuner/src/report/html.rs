//! Pieces of HTML: texts made safe, elements, the frame of the page.

use super::orders::SCRIPT;

/// A text as it may stand in an element or in quotes.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}

/// A part that opens at a click: `inner` is HTML.
pub fn details(head: &str, open: bool, inner: &str) -> String {
    let open = if open { " open" } else { "" };
    let head = escaped(head);
    format!("<details{open}><summary>{head}</summary>\n{inner}</details>\n")
}

/// Code as it is.
pub fn code(text: &str) -> String {
    format!("<pre><code>{}</code></pre>\n", escaped(text.trim_end()))
}

/// The whole page; it loads nothing.
pub fn page(title: &str, body: &str) -> String {
    let title = escaped(title);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n<h1>{title}</h1>\n{body}</main>\n<script>\n{SCRIPT}</script>\n</body>\n</html>\n"
    )
}

/// Colours by the reader's preference, and columns that a phone has.
const STYLE: &str = "\
:root { color-scheme: light dark; --text: #1c2126; --dim: #5a6570; --back: #ffffff; --panel: #f4f6f8; --line: #d5dbe1; --good: #1a7f4b; --left: #9a5b00; --bar: #3b7dd8; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e3e7eb; --dim: #9aa5b1; --back: #14181c; --panel: #1d2329; --line: #37414b; --good: #4fca8c; --left: #e0a34a; --bar: #5a9cf0; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--text); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 62rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin: 0 0 .3rem; overflow-wrap: anywhere; }
section { border: 1px solid var(--line); border-radius: .5rem; padding: 1rem; margin: 1rem 0; }
.fate { font-weight: 600; } .transformed .fate { color: var(--good); } .left .fate { color: var(--left); }
.dim { color: var(--dim); }
dl { margin: .5rem 0; } dt { font-weight: 600; } dd { margin: 0 0 .4rem 0; } dd ul { margin: 0; padding-left: 1.2rem; }
pre { background: var(--panel); padding: .7rem; border-radius: .4rem; overflow-x: auto; font-size: .85rem; line-height: 1.4; }
details { margin: .5rem 0; } summary { cursor: pointer; font-weight: 600; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th, td { text-align: left; padding: .25rem .6rem .25rem 0; border-bottom: 1px solid var(--line); white-space: nowrap; }
td.number { text-align: right; font-variant-numeric: tabular-nums; }
tr.won { font-weight: 600; }
.bar { display: inline-block; height: .7rem; background: var(--bar); border-radius: .2rem; vertical-align: middle; min-width: 1px; }
nav ol { padding-left: 1.4rem; } a { color: var(--bar); }
.pair { display: flex; flex-wrap: wrap; gap: 1rem; } figure { margin: 0; } figcaption { color: var(--dim); } input.time { width: min(20rem, 60%); vertical-align: middle; }
svg { max-width: 100%; height: auto; } svg text { fill: var(--text); font: 13px system-ui, sans-serif; }
svg .node { fill: var(--panel); stroke: var(--dim); } svg .edge { fill: none; stroke: var(--dim); stroke-width: 1.5; } svg .tip { fill: var(--dim); }
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_cannot_become_elements() {
        assert_eq!(
            escaped("a<b && \"c\"'"),
            "a&lt;b &amp;&amp; &quot;c&quot;&#39;"
        );
        assert!(code("i < n\n").contains("i &lt; n</code>"));
        assert!(details("<x>", true, "y").contains("<details open><summary>&lt;x&gt;"));
    }

    #[test]
    fn the_page_loads_nothing() {
        let page = page("t", "<p>x</p>");
        assert!(page.contains("width=device-width") && page.contains("prefers-color-scheme: dark"));
        for loads in ["http", "src=", "@import", "url("] {
            assert!(!page.contains(loads), "{loads}");
        }
    }
}
