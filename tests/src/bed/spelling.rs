//! From a template to a program in C.
//!
//! The same loop reads differently in different hands, and a compiler sees different things: extents at run time or
//! constant, `int` or `long` subscripts, arrays that are parameters, global or allocated beside the loop, the loop in a
//! function of its own or in `main` right behind the one that fills its arrays.

use std::fmt;
use std::fmt::Write;

use super::subscripts::flatten;
use super::template::{Array, Fill, Template};

/// A way to write a loop down.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, clap::ValueEnum)]
pub enum Spelling {
    /// A function with array parameters of run-time extents, `long` sizes.
    Vla,
    /// A function with pointers and `A[i * m + j]`, all `long`.
    FlatLong,
    /// The same, all `int`.
    FlatInt,
    /// The same as with `long`, the pointers `restrict`.
    FlatRestrict,
    /// A function with array parameters of constant extents, `int` indices.
    Const,
    /// A function on global arrays of constant extents, `int` indices.
    Global,
    /// In `main` behind the loops that fill its arrays, everything constant and global.
    MainConst,
    /// In `main` behind the loops that fill its arrays, sizes and arrays made at run time.
    MainRun,
}

/// All spellings, in the order in which the bed turns through them.
pub const SPELLINGS: [Spelling; 8] = [
    Spelling::Vla,
    Spelling::FlatInt,
    Spelling::MainConst,
    Spelling::FlatLong,
    Spelling::Const,
    Spelling::MainRun,
    Spelling::Global,
    Spelling::FlatRestrict,
];

impl fmt::Display for Spelling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Vla => "vla",
            Self::FlatLong => "flat-long",
            Self::FlatInt => "flat-int",
            Self::FlatRestrict => "flat-restrict",
            Self::Const => "const",
            Self::Global => "global",
            Self::MainConst => "main-const",
            Self::MainRun => "main-run",
        })
    }
}

impl Spelling {
    fn index(self) -> &'static str {
        match self {
            Self::FlatInt | Self::Const | Self::Global | Self::MainConst => "int",
            Self::Vla | Self::FlatLong | Self::FlatRestrict | Self::MainRun => "long",
        }
    }

    fn constant_sizes(self) -> bool {
        matches!(self, Self::Const | Self::Global | Self::MainConst)
    }

    fn global_arrays(self) -> bool {
        matches!(self, Self::Global | Self::MainConst)
    }

    fn flat(self) -> bool {
        matches!(self, Self::FlatInt | Self::FlatLong | Self::FlatRestrict)
    }

    fn in_main(self) -> bool {
        matches!(self, Self::MainConst | Self::MainRun)
    }

    /// An array as a parameter of a function, or as the pointer that `main` holds it by.
    fn parameter(self, array: &Array) -> String {
        let Array {
            element,
            name,
            extents,
            ..
        } = array;
        match self {
            Self::FlatRestrict => format!("{element} *restrict {name}"),
            _ if self.flat() || extents.len() == 1 => format!("{element} *{name}"),
            _ => format!("{element} (*{name})[{}]", extents[1..].join("][")),
        }
    }
}

/// The program of a template in one element type, spelling and choice of sizes.
pub fn program(template: &Template, element: &str, spelling: Spelling, small: bool) -> String {
    let writer = Writer {
        template,
        spelling,
        small,
    };
    let mut text = format!(
        "/* {}: {}, {element}, {spelling} */\n",
        template.class, template.name
    );
    let index = spelling.index();
    text += &format!("#include \"bed.h\"\ntypedef {element} T;\ntypedef {index} I;\n");
    text += &writer.declarations();
    text += &template.prelude;
    text.push('\n');
    if !spelling.in_main() {
        text += &writer.function("kernel", &template.body);
        text += &writer.function("fill", &writer.fill(element));
    }
    text += &writer.main(element);
    text
}

struct Writer<'a> {
    template: &'a Template,
    spelling: Spelling,
    small: bool,
}

impl Writer<'_> {
    fn body(&self, text: &str) -> String {
        match self.spelling.flat() {
            true => flatten(text, &self.template.arrays),
            false => text.to_string(),
        }
    }

    /// Constant sizes and global arrays.
    fn declarations(&self) -> String {
        let mut text = String::new();
        if self.spelling.constant_sizes() {
            for (name, value) in self.sizes() {
                let _ = writeln!(text, "enum {{ {name} = {value} }};");
            }
        }
        if self.spelling.global_arrays() {
            for Array {
                element,
                name,
                extents,
                ..
            } in &self.template.arrays
            {
                let _ = writeln!(text, "static {element} {name}[{}];", extents.join("]["));
            }
        }
        text
    }

    fn sizes(&self) -> impl Iterator<Item = (&str, i64)> {
        let pick = |size: &super::template::Size| if self.small { size.small } else { size.large };
        self.template
            .sizes
            .iter()
            .map(move |size| (size.name.as_str(), pick(size)))
    }

    /// A function that is called by [`Writer::call`].
    fn function(&self, name: &str, body: &str) -> String {
        let mut parameters = Vec::new();
        if !self.spelling.constant_sizes() {
            parameters.extend(self.sizes().map(|(size, _)| format!("I {size}")));
        }
        if !self.spelling.global_arrays() {
            parameters.extend(
                self.template
                    .arrays
                    .iter()
                    .map(|array| self.spelling.parameter(array)),
            );
        }
        if parameters.is_empty() {
            parameters.push("void".to_string());
        }
        format!(
            "NOINLINE void {name}({}) {{\n{}}}\n\n",
            parameters.join(", "),
            self.body(body)
        )
    }

    fn call(&self, name: &str) -> String {
        let mut arguments = Vec::new();
        if !self.spelling.constant_sizes() {
            arguments.extend(self.sizes().map(|(size, _)| size.to_string()));
        }
        if !self.spelling.global_arrays() {
            arguments.extend(self.template.arrays.iter().map(|array| array.name.clone()));
        }
        format!("        {name}({});\n", arguments.join(", "))
    }

    fn main(&self, element: &str) -> String {
        let mut text =
            "int main(int argc, char **argv) {\n    struct watch watch = watch_of(argc, argv);\n"
                .to_string();
        if !self.spelling.constant_sizes() {
            for (name, value) in self.sizes() {
                let _ = writeln!(text, "    I {name} = opaque({value});");
            }
        }
        if !self.spelling.global_arrays() {
            for array in &self.template.arrays {
                let (declared, bytes) = (self.spelling.parameter(array), bytes(array));
                let _ = writeln!(text, "    {declared} = allocate({bytes});");
            }
        }
        text += "    do {\n";
        if self.spelling.in_main() {
            text += "        start(&watch);\n";
            text += &indented(&self.fill(element), 1);
            text += &format!(
                "        {{\n{}        }}\n",
                indented(&self.template.body, 2)
            );
        } else {
            text += &self.call("fill");
            text += "        start(&watch);\n";
            text += &self.call("kernel");
        }
        text += "    } while (again(&watch));\n    uint64_t hash = 1469598103934665603u;\n";
        for array in &self.template.arrays {
            let _ = writeln!(text, "    mix(&hash, {}, {});", array.name, bytes(array));
        }
        text + "    return report(&watch, hash);\n}\n"
    }

    /// The loops that fill all arrays.
    fn fill(&self, element: &str) -> String {
        let mut text = String::new();
        for (position, array) in self.template.arrays.iter().enumerate() {
            let own = if array.element == "T" {
                element
            } else {
                &array.element
            };
            let mut indent = "    ".to_string();
            let mut subscripts = String::new();
            for (depth, extent) in array.extents.iter().enumerate() {
                let _ = writeln!(
                    text,
                    "{indent}for (I f{depth} = 0; f{depth} < {extent}; f{depth}++)"
                );
                let _ = write!(subscripts, "[f{depth}]");
                indent += "    ";
            }
            let value = first_value(array, own, position);
            let _ = writeln!(text, "{indent}{}{subscripts} = {value};", array.name);
        }
        text
    }
}

/// Lines further to the right.
fn indented(text: &str, steps: usize) -> String {
    let margin = "    ".repeat(steps);
    text.lines()
        .map(|line| format!("{margin}{line}\n"))
        .collect()
}

fn bytes(array: &Array) -> String {
    let Array {
        element, extents, ..
    } = array;
    let factors: Vec<String> = extents.iter().map(|extent| format!("({extent})")).collect();
    format!("sizeof({element}) * {}", factors.join(" * "))
}

/// The value of the element with the subscripts `f0`, `f1`, ..
fn first_value(array: &Array, own: &str, position: usize) -> String {
    let element = &array.element;
    let real = matches!(own, "double" | "float");
    let factors = [7, 3, 5, 11, 13];
    let terms =
        (0..array.extents.len()).map(|depth| format!("f{depth} * {} + ", factors[depth % 5]));
    let sum = terms.collect::<String>() + &(position * 17 + 1).to_string();
    let plain = match real {
        true => format!("({element})(({sum}) % 97) / ({element})97"),
        false => format!("({element})(({sum}) % 97)"),
    };
    match &array.fill {
        Fill::Plain => plain,
        Fill::Positive => format!("{plain} + ({element})1"),
        Fill::Signed if real => format!("{plain} - ({element})0.5"),
        Fill::Signed => format!("({element})({plain} - 48)"),
        Fill::Zero => format!("({element})0"),
        Fill::Flags => format!("({element})(({sum}) % 97 % 2)"),
        Fill::Dominant => {
            let columns = &array.extents[array.extents.len() - 1];
            let [row, column] = [array.extents.len() - 2, array.extents.len() - 1];
            format!("{plain} + (f{row} == f{column} ? ({element})({columns}) : ({element})0)")
        }
        Fill::Below(size) => format!("({element})((f0 * 7919L + {position}) % {size})"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bed::template::parse;

    const TEXT: &str = "loop add\ntypes float\nsizes n=100 m=80\narrays T A[n][m] signed, int p[n] below m\n{\n    for (I i = 0; i < n; i++)\n        A[i][p[i]] += 1;\n}\n";

    #[test]
    fn every_spelling_compiles() {
        let template = parse("test", TEXT).unwrap().remove(0);
        let folder = std::env::temp_dir().join(format!("polytile-spelling-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let mut sums = Vec::new();
        for spelling in SPELLINGS {
            let (source, program) = (folder.join("a.c"), folder.join("a"));
            std::fs::write(&source, super::program(&template, "float", spelling, false)).unwrap();
            let header = concat!("-I", env!("CARGO_MANIFEST_DIR"), "/bed");
            let mut clang = std::process::Command::new("clang-22");
            clang
                .args(["-O1", "-Werror", "-Wall", "-Wno-unused-function", header])
                .arg(&source)
                .arg("-o")
                .arg(&program);
            assert!(clang.status().unwrap().success(), "{spelling}");
            let ran = std::process::Command::new(&program).output().unwrap();
            let text = String::from_utf8_lossy(&ran.stdout).into_owned();
            sums.push(text.lines().next().unwrap_or_default().to_string());
        }
        assert!(
            sums.iter()
                .all(|sum| sum.starts_with("checksum ") && *sum == sums[0]),
            "{sums:?}"
        );
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
