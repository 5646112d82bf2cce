//! The source of a nest: from its first line to where the indentation ends.

use std::fs;
use std::path::{Path, PathBuf};

/// At most so many lines are shown.
const LINES: usize = 60;

/// Where sources are looked for: the name as the compiler was given it, from these folders on.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    /// Folders.
    pub folders: Vec<PathBuf>,
}

impl Sources {
    /// The lines of a nest with their numbers; `None`: the file is not there, or has no such line.
    pub fn nest(&self, file: &str, line: u32) -> Option<String> {
        let path = self
            .folders
            .iter()
            .map(|f| f.join(file))
            .find(|p| p.is_file())?;
        excerpt(&contents(&path)?, line as usize)
    }
}

fn contents(path: &Path) -> Option<String> {
    let bytes = fs::read(path).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// The line and all behind it that are indented more, and one that ends it.
fn excerpt(text: &str, line: usize) -> Option<String> {
    let lines: Vec<&str> = text.lines().collect();
    let first = lines.get(line.checked_sub(1)?)?;
    let indent = |l: &str| l.len() - l.trim_start().len();
    let own = indent(first);
    let inside = |l: &&&str| l.trim().is_empty() || indent(l) > own;
    let mut count = 1 + lines[line..].iter().take_while(inside).count();
    let ends = |l: &&str| {
        let word = l.trim().to_lowercase();
        indent(l) == own && (word.starts_with('}') || word.starts_with("end"))
    };
    count += usize::from(lines.get(line - 1 + count).is_some_and(ends));
    let shown = lines[line - 1..line - 1 + count]
        .iter()
        .take(LINES)
        .enumerate();
    let shown: Vec<String> = shown.map(|(n, l)| format!("{:4}  {l}", line + n)).collect();
    Some(shown.join("\n").trim_end().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_nest_ends_with_its_indentation() {
        let text = "void f() {\n  for (;;) {\n    for (;;)\n\n      x;\n  }\n  g();\n}\n";
        let nest = "   2    for (;;) {\n   3      for (;;)\n   4  \n   5        x;\n   6    }";
        assert_eq!(excerpt(text, 2).as_deref(), Some(nest));
        assert_eq!(excerpt(text, 7).as_deref(), Some("   7    g();"));
        assert_eq!(excerpt(text, 99), None);
        assert_eq!(excerpt(text, 0), None);
        let fortran = "do i = 1, n\n  do j = 1, n\n    a = 1\n  end do\nend do\nb = 2\n";
        assert!(excerpt(fortran, 1).unwrap().ends_with("5  end do"));
    }
}
