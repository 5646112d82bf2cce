//! Subscripts of several dimensions rewritten to one.
//!
//! ```text
//! A[i - 1][p[j]]   ->   A[(i - 1) * (m) + (p[j])]        A has the extents n and m
//! ```

use super::template::Array;

/// The text with the subscripts of all arrays of several dimensions made flat.
pub fn flatten(text: &str, arrays: &[Array]) -> String {
    let mut flat = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| c.is_alphabetic() || c == '_') {
        let (before, from) = rest.split_at(start);
        flat.push_str(before);
        let end = from
            .find(|c: char| !c.is_alphanumeric() && c != '_')
            .unwrap_or(from.len());
        let (word, after) = from.split_at(end);
        flat.push_str(word);
        rest = after;
        let of_array = arrays.iter().find(|array| array.name == word);
        if let Some(array) = of_array.filter(|array| array.extents.len() > 1)
            && let Some((subscripts, after)) = take(after, array.extents.len())
        {
            let inner: Vec<String> = subscripts.iter().map(|one| flatten(one, arrays)).collect();
            flat.push_str(&format!("[{}]", linear(&inner, &array.extents)));
            rest = after;
        }
    }
    flat.push_str(rest);
    flat
}

/// `(i) * (m) + (j)`
pub fn linear(subscripts: &[String], extents: &[String]) -> String {
    let mut text = format!("({})", subscripts[0]);
    for (subscript, extent) in subscripts.iter().zip(extents).skip(1) {
        let row = if text.contains('+') {
            format!("({text})")
        } else {
            text
        };
        text = format!("{row} * ({extent}) + ({subscript})");
    }
    text
}

/// So many bracketed subscripts at the front of a text, and what follows them.
fn take(text: &str, count: usize) -> Option<(Vec<&str>, &str)> {
    let mut subscripts = Vec::new();
    let mut rest = text;
    for _ in 0..count {
        let inner = rest.strip_prefix('[')?;
        let mut depth = 1;
        let end = inner.find(|c| {
            depth += i32::from(c == '[') - i32::from(c == ']');
            depth == 0
        })?;
        subscripts.push(&inner[..end]);
        rest = &inner[end + 1..];
    }
    Some((subscripts, rest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bed::template::Fill;

    fn array(name: &str, extents: &[&str]) -> Array {
        Array {
            element: "T".to_string(),
            name: name.to_string(),
            extents: extents.iter().map(|one| one.to_string()).collect(),
            fill: Fill::Plain,
        }
    }

    #[test]
    fn subscripts_within_subscripts() {
        let arrays = [
            array("A", &["n", "m"]),
            array("p", &["n"]),
            array("C", &["n", "m", "3"]),
        ];
        assert_eq!(
            flatten("A[p[i]][j - 1] += AA[1] * C[i][j][2];", &arrays),
            "A[(p[i]) * (m) + (j - 1)] += AA[1] * C[((i) * (m) + (j)) * (3) + (2)];"
        );
        assert_eq!(
            flatten("x = p[A[0][1]];", &arrays),
            "x = p[A[(0) * (m) + (1)]];"
        );
    }
}
