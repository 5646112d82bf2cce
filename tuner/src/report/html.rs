//! Pieces of HTML: texts made safe, elements, tabs, the frame of the page.
//!
//! The page loads nothing: style (`page.css`) and script (`page.js`) are in it. Without the script everything is shown one below the other.

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

/// Code as it is.
pub fn code(text: &str) -> String {
    let text = escaped(text.trim_end());
    format!("<pre tabindex=\"0\"><code>{text}</code></pre>\n")
}

/// A part that opens at a click: `inner` is HTML.
pub fn details(head: &str, inner: &str) -> String {
    let head = escaped(head);
    format!("<details><summary>{head}</summary>\n{inner}</details>\n")
}

/// One of several views.
pub struct Panel {
    /// Its head, a word or two.
    pub name: &'static str,
    /// HTML.
    pub inner: String,
}

/// Views of which one is seen at a time, under a row of tabs; `id`: what their names begin with, `label`: what they are views of.
pub fn tabs(id: &str, label: &str, panels: &[Panel]) -> String {
    let (mut heads, mut inner) = (String::new(), String::new());
    for (at, p) in panels.iter().enumerate() {
        let (name, first) = (escaped(p.name), at == 0);
        let focus = if first { "0" } else { "-1" };
        let open = if first { " open" } else { "" };
        heads += &format!(
            "<button type=\"button\" role=\"tab\" id=\"{id}-t{at}\" aria-controls=\"{id}-p{at}\" aria-selected=\"{first}\" tabindex=\"{focus}\">{name}</button>\n"
        );
        inner += &format!(
            "<div class=\"panel{open}\" role=\"tabpanel\" id=\"{id}-p{at}\" aria-labelledby=\"{id}-t{at}\">\n<h3>{name}</h3>\n{}</div>\n",
            p.inner
        );
    }
    let label = escaped(label);
    format!(
        "<div class=\"tabs\" role=\"tablist\" aria-label=\"{label}\">\n{heads}</div>\n<div class=\"panels\">\n{inner}</div>\n"
    )
}

/// A value for the page's script, as an element; no text of it can end the element.
pub fn data(value: &impl serde::Serialize) -> String {
    let json = serde_json::to_string(value).expect("names, texts and numbers");
    let json = json.replace('<', "\\u003c");
    format!("<script type=\"application/json\">{json}</script>\n")
}

/// The whole page; it loads nothing.
pub fn page(title: &str, body: &str) -> String {
    let title = escaped(title);
    let (style, script) = (include_str!("page.css"), include_str!("page.js"));
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\" data-theme=\"system\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<script>document.documentElement.classList.add('js')</script>\n<style>\n{style}</style>\n</head>\n<body>\n\
         {body}<script>\n{script}</script>\n</body>\n</html>\n"
    )
}

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
        assert!(details("<x>", "y").contains("<summary>&lt;x&gt;"));
        assert!(!data(&"</script>").contains("</script>\""));
        assert_eq!(data(&"</script>").matches("</script>").count(), 1);
    }

    #[test]
    fn the_page_loads_nothing() {
        let page = page("t", "<p>x</p>");
        assert!(page.contains("width=device-width") && page.contains("color-scheme: light dark"));
        for loads in ["http", "src=", "@import", "url(", "fetch("] {
            assert!(!page.contains(loads), "{loads}");
        }
    }

    #[test]
    fn the_first_view_is_open() {
        let panel = |name| Panel {
            name,
            inner: String::new(),
        };
        let tabs = tabs("n0", "a.c:3", &[panel("Code"), panel("Script")]);
        assert_eq!(tabs.matches("aria-selected=\"true\"").count(), 1);
        assert!(tabs.contains("id=\"n0-t1\" aria-controls=\"n0-p1\" aria-selected=\"false\""));
        assert!(tabs.contains("class=\"panel open\" role=\"tabpanel\" id=\"n0-p0\""));
    }
}
