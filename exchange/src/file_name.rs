//! Names of files: the source file, a region's function, the line of its first loop, the ending of the form. Functions of two modules may share
//! a name, and a header's a line as well, so the module's own file comes first.
//!
//! ```text
//! gemm.c.kernel_gemm.14.jscop      the region on line 14, compiled from gemm.c
//! gemm.c.kernel_gemm.14-2.jscop    another one that begins there
//! gemm.c.kernel_gemm.isl           a program without line numbers
//! kernel_gemm.14.jscop             the same region, whatever file it is compiled from: such names are read, not written
//! ```

use polytile_analysis::scop::Scop;
use polytile_records::hash;

/// So many characters of a function's name stand in those of files: systems limit them.
const LONGEST: usize = 120;

/// So many digits of its hash stand behind a name that was changed.
const DIGITS: usize = 8;

/// A name as it stands in those of files. Characters that some system takes for something else give way, and a hash keeps names apart that
/// are the same then.
fn plain(name: &str, is_plain: fn(char) -> bool) -> String {
    let kept: String = name.chars().take(LONGEST).collect();
    if kept.len() == name.len() && name.chars().all(is_plain) && !name.is_empty() {
        return kept;
    }
    let kept: String = kept
        .chars()
        .map(|c| if is_plain(c) { c } else { '_' })
        .collect();
    format!("{kept}+{}", &hash::of(name)[..DIGITS])
}

/// What stands for a function.
pub fn of_function(function: &str) -> String {
    plain(function, |c| c.is_ascii_alphanumeric() || c == '_')
}

/// What stands for a module, given the path of its source file: that file's own name.
pub fn of_module(path: &str) -> String {
    let name = path.rsplit(['/', '\\']).next().unwrap_or_default();
    plain(name, |c| c.is_ascii_alphanumeric() || "_.-".contains(c))
}

/// The name of a file of a module.
pub fn in_module(module: &str, name: &str) -> String {
    format!("{}.{name}", of_module(module))
}

/// The name of a region's file without module, number and ending.
pub fn of_region(scop: &Scop) -> String {
    let function = of_function(&scop.function);
    match &scop.loc {
        Some(at) => format!("{function}.{}", at.line),
        None => function,
    }
}

/// The name without ending of the `number`-th file of that name, from 1.
pub fn numbered(region: &str, number: usize) -> String {
    match number {
        1 => region.to_owned(),
        n => format!("{region}-{n}"),
    }
}

/// Whether a name without ending is that of a file for such a region.
pub fn is_of_region(name: &str, region: &str) -> bool {
    let number = |rest: &str| {
        let digits = rest.strip_prefix('-').unwrap_or_default();
        rest.is_empty() || !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit())
    };
    name.strip_prefix(region).is_some_and(number)
}

/// Whether a name without ending is that of a file for some region of a function.
pub fn is_of_function(name: &str, function: &str) -> bool {
    let rest = name.strip_prefix(&of_function(function));
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '-']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_have_names_of_their_own() {
        assert_eq!(of_function("kernel_gemm"), "kernel_gemm");
        let odd = of_function("core::ptr<[f64]>/x");
        assert!(odd.starts_with("core__ptr__f64___x+"), "{odd}");
        assert_ne!(of_function("a.b"), of_function("a$b"));
        assert_ne!(of_function(""), "");
        assert!(of_function(&"x".repeat(4000)).len() < 140);
        assert!(of_function(&"é".repeat(400)).is_ascii());
    }

    #[test]
    fn modules_are_named_by_their_files() {
        assert_eq!(in_module("src/gemm-2.c", "f.3"), "gemm-2.c.f.3");
        assert_eq!(in_module("C:\\src\\a.c", "f.3"), "a.c.f.3");
        assert_ne!(of_module("a b.c"), of_module("a_b.c"));
        assert_ne!(of_module("src/"), "");
    }

    #[test]
    fn files_of_a_region_are_known_by_their_names() {
        for n in 1..12 {
            assert!(is_of_region(&numbered("two.6", n), "two.6"));
        }
        for other in ["two.66", "two", "two.6-", "two.6-a", "two.6.2", "three.6"] {
            assert!(!is_of_region(other, "two.6"), "{other}");
        }
        assert!(is_of_function("two.6-2", "two"));
        assert!(is_of_function("two", "two"));
        assert!(!is_of_function("twofold.6", "two"));
    }
}
