//! The format of the templates.
//!
//! A file holds one class of loops. Blank lines and lines that start with `#` separate and explain; a loop is
//!
//! ```text
//! loop relax-2d
//! types double float
//! sizes n=600 m=700 t=10 | n=40 m=40 t=4
//! arrays T A[n][m] signed, T B[n][m] zero, int p[n] below m
//! prelude static inline T square(T x) { return x * x; }
//! {
//!     for (I s = 0; s < t; s++)
//!         for (I i = 1; i < n - 1; i++)
//!             for (I j = 1; j < m - 1; j++)
//!                 B[i][j] = (T)0.25 * (A[i - 1][j] + A[i + 1][j] + A[i][j - 1] + A[i][j + 1]);
//! }
//! ```
//!
//! `T` is the element type, `I` the type of indices. Behind the bar stand the sizes of the small variant; without it they
//! follow from the large ones. An array's first values are a fraction of 97 (integers: below 97) unless a word says
//! otherwise ([`Fill`]). `prelude` lines stand before the kernel. All arrays are outputs.

use std::fs;
use std::path::Path;

/// One loop, in no particular type or spelling.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    /// The name of its file without the extension.
    pub class: String,
    /// Its own name.
    pub name: String,
    /// Element types, in C.
    pub types: Vec<String>,
    /// Its sizes.
    pub sizes: Vec<Size>,
    /// Its arrays.
    pub arrays: Vec<Array>,
    /// What stands before the kernel.
    pub prelude: String,
    /// The kernel's statements, with subscripts in brackets.
    pub body: String,
}

/// A size of a loop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Size {
    /// Its name.
    pub name: String,
    /// Its value in the large variant.
    pub large: i64,
    /// Its value in the small one.
    pub small: i64,
}

/// An array of a loop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Array {
    /// Its element type, `T` or one of C's.
    pub element: String,
    /// Its name.
    pub name: String,
    /// Its extents, expressions of the sizes.
    pub extents: Vec<String>,
    /// Its first values.
    pub fill: Fill,
}

/// First values of an array.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fill {
    /// From 0 to below 1; integers from 0 to 96.
    Plain,
    /// One more than plain, so that nothing is divided by zero.
    Positive,
    /// Plain less one half; integers less 48.
    Signed,
    /// Nothing.
    Zero,
    /// 0 or 1.
    Flags,
    /// Plain, with the number of columns added on the diagonal, so that a factorization needs no pivot.
    Dominant,
    /// Numbers below a size, none twice if that size is prime or a power of two: subscripts.
    Below(String),
}

/// All templates of a folder, by class and in the order of the files.
pub fn read_folder(folder: &Path) -> Result<Vec<Template>, String> {
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    let mut files: Vec<_> = fs::read_dir(folder)
        .map_err(failed)?
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "loops")
        })
        .collect();
    files.sort();
    let mut all = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).map_err(failed)?;
        let class = file.file_stem().unwrap_or_default().to_string_lossy();
        all.extend(parse(&class, &text).map_err(|error| format!("{}: {error}", file.display()))?);
    }
    Ok(all)
}

/// The templates of one file.
pub fn parse(class: &str, text: &str) -> Result<Vec<Template>, String> {
    let mut all: Vec<Template> = Vec::new();
    let mut in_body = false;
    for (number, line) in (1..).zip(text.lines()) {
        let wrong = |error: String| format!("line {number}: {error}");
        if in_body {
            in_body = line != "}";
            if let Some(template) = all.last_mut().filter(|_| in_body) {
                template.body.push_str(line);
                template.body.push('\n');
            }
        } else if let Some(name) = line.strip_prefix("loop ") {
            all.push(empty(class, name.trim()));
        } else if line == "{" {
            in_body = true;
        } else if !line.trim().is_empty() && !line.starts_with('#') {
            let template = all
                .last_mut()
                .ok_or("no loop yet".to_string())
                .map_err(wrong)?;
            header(template, line).map_err(wrong)?;
        }
    }
    match all
        .iter()
        .find(|one| one.types.is_empty() || one.body.is_empty())
    {
        Some(broken) => Err(format!("loop {} has no types or no body", broken.name)),
        None => Ok(all),
    }
}

fn empty(class: &str, name: &str) -> Template {
    Template {
        class: class.to_string(),
        name: name.to_string(),
        types: Vec::new(),
        sizes: Vec::new(),
        arrays: Vec::new(),
        prelude: String::new(),
        body: String::new(),
    }
}

/// Reads a line in front of the body.
fn header(template: &mut Template, line: &str) -> Result<(), String> {
    let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
    match word {
        "types" => template.types = rest.split(',').map(|one| one.trim().to_string()).collect(),
        "sizes" => template.sizes = sizes(rest)?,
        "arrays" => {
            for one in rest.split(',') {
                template.arrays.push(array(one.trim())?);
            }
        }
        "prelude" => {
            template.prelude.push_str(rest);
            template.prelude.push('\n');
        }
        _ => return Err(format!("`{word}` is none of types, sizes, arrays, prelude")),
    }
    Ok(())
}

fn sizes(text: &str) -> Result<Vec<Size>, String> {
    let (large, small) = text.split_once('|').unwrap_or((text, ""));
    let list = |text: &str| -> Result<Vec<(String, i64)>, String> {
        text.split_whitespace()
            .map(|pair| {
                let (name, value) = pair.split_once('=').ok_or(format!("`{pair}` is no size"))?;
                let value = value
                    .parse()
                    .map_err(|_| format!("`{pair}` is no number"))?;
                Ok((name.to_string(), value))
            })
            .collect()
    };
    let (large, small) = (list(large)?, list(small)?);
    let alone = large.len() == 1;
    let sizes = large.into_iter().map(|(name, large)| {
        let given = small.iter().find(|(other, _)| *other == name);
        let small = given.map_or_else(|| shrunk(large, alone), |(_, value)| *value);
        Size { name, large, small }
    });
    Ok(sizes.collect())
}

/// What becomes of a size in the small variant: a single one is a length, several span arrays. Sizes that are small
/// already are numbers of right-hand sides, channels or time steps.
fn shrunk(large: i64, alone: bool) -> i64 {
    match (large, alone) {
        (..=16, _) => large,
        (_, true) => (large / 200).max(24),
        (_, false) => (large / 8).max(7),
    }
}

/// `T A[n][m + 1] signed`
fn array(text: &str) -> Result<Array, String> {
    let wrong = || format!("`{text}` is no array");
    let (declared, fill) = match text.rfind(']') {
        Some(end) => text.split_at(end + 1),
        None => return Err(wrong()),
    };
    let (front, brackets) = declared.split_at(declared.find('[').ok_or_else(wrong)?);
    let (element, name) = front.trim().rsplit_once(' ').ok_or_else(wrong)?;
    let extents = brackets
        .trim_start_matches('[')
        .trim_end_matches(']')
        .split("][");
    Ok(Array {
        element: element.trim().to_string(),
        name: name.to_string(),
        extents: extents.map(str::to_string).collect(),
        fill: parse_fill(fill.trim())?,
    })
}

fn parse_fill(text: &str) -> Result<Fill, String> {
    Ok(match text {
        "" => Fill::Plain,
        "positive" => Fill::Positive,
        "signed" => Fill::Signed,
        "zero" => Fill::Zero,
        "flags" => Fill::Flags,
        "dominant" => Fill::Dominant,
        _ => match text.strip_prefix("below ") {
            Some(size) => Fill::Below(size.trim().to_string()),
            None => return Err(format!("`{text}` is no way to fill an array")),
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# two of them\nloop one\ntypes double, unsigned short\nsizes n=32000\narrays T a[n], int p[n + 1] below n\n\
                        {\n    a[p[0]] = 1;\n}\n\nloop two\ntypes int\nsizes n=400 r=4 | n=9\narrays T A[n][r] signed\n{\n    ;\n}\n";

    #[test]
    fn a_file_becomes_templates() {
        let all = parse("class", TEXT).unwrap();
        assert_eq!(all.len(), 2);
        assert_eq!(all[0].types, ["double", "unsigned short"]);
        assert_eq!(all[0].body, "    a[p[0]] = 1;\n");
        assert_eq!(all[0].arrays[1].extents, ["n + 1"]);
        assert_eq!(all[0].arrays[1].fill, Fill::Below("n".to_string()));
        assert_eq!(all[0].sizes[0].small, 160);
        let small: Vec<i64> = all[1].sizes.iter().map(|size| size.small).collect();
        assert_eq!(small, [9, 4]);
        assert_eq!(all[1].arrays[0].extents, ["n", "r"]);
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        assert!(parse("c", "types int\n").unwrap_err().contains("line 1"));
        assert!(
            parse("c", "loop a\nsizes n\n")
                .unwrap_err()
                .contains("no size")
        );
        assert!(
            parse("c", "loop a\narrays T a\n")
                .unwrap_err()
                .contains("no array")
        );
        assert!(
            parse("c", "loop a\ntypes int\n")
                .unwrap_err()
                .contains("no body")
        );
    }
}
