//! Which kernels there are, read from their sources.
//!
//! A kernel is one C file in `tests/kernels` (PolyBench's thirty), `tests/kernels/papers` or `tests/kernels/shapes`. Its sizes stand in it once,
//! as `#define NI SIZE(0, 20, 60, 200, 1000, 2000)` (position, then the five classes) and, where a size has a least
//! legal value, `#define NI_MINIMUM 1` or the name of another size; they are read from there.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

/// The five sizes of PolyBench/C.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, clap::ValueEnum)]
pub enum SizeClass {
    /// About 16 KB of data.
    Mini,
    /// About 128 KB.
    Small,
    /// About 1 MB.
    Medium,
    /// About 25 MB.
    Large,
    /// About 120 MB.
    Extralarge,
}

impl fmt::Display for SizeClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Mini => "MINI",
            Self::Small => "SMALL",
            Self::Medium => "MEDIUM",
            Self::Large => "LARGE",
            Self::Extralarge => "EXTRALARGE",
        })
    }
}

/// Where a kernel comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Suite {
    /// The thirty computations of PolyBench/C 4.2.1.
    PolyBench,
    /// The example programs of the papers.
    Papers,
    /// Computations of other shapes, which no optimization was developed on.
    Shapes,
}

/// The least value of a size that generated sizes may take.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Minimum {
    /// A number.
    Constant(i32),
    /// At least the value of the dimension of this name.
    Dimension(String),
}

/// One size of a kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dimension {
    /// Its name in the source, as `NI`.
    pub name: String,
    /// Its value in each class, in the order of [`SizeClass`].
    pub sizes: [i32; 5],
    /// Its least value.
    pub minimum: Minimum,
}

impl Dimension {
    /// True for the number of time steps of a stencil, which is kept small in tests.
    pub fn is_time(&self) -> bool {
        matches!(self.name.as_str(), "TSTEPS" | "TMAX")
    }
}

/// One kernel program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kernel {
    /// The name of its file without the extension.
    pub name: String,
    /// Its source.
    pub source: PathBuf,
    /// Where it comes from.
    pub suite: Suite,
    /// Its sizes, in the order in which the program takes them.
    pub dimensions: Vec<Dimension>,
}

impl Kernel {
    /// The sizes of one class.
    pub fn class_sizes(&self, class: SizeClass) -> Vec<i32> {
        self.dimensions
            .iter()
            .map(|dimension| dimension.sizes[class as usize])
            .collect()
    }

    /// The given sizes raised to the kernel's minima.
    pub fn raise_to_minima(&self, sizes: &[i32]) -> Vec<i32> {
        let value_of = |name: &str| {
            self.dimensions
                .iter()
                .position(|d| d.name == name)
                .map(|at| sizes[at])
        };
        self.dimensions
            .iter()
            .zip(sizes)
            .map(|(dimension, &size)| match &dimension.minimum {
                Minimum::Constant(least) => size.max(*least),
                Minimum::Dimension(name) => size.max(value_of(name).unwrap_or(0)),
            })
            .collect()
    }
}

/// The folder of the kernels in this source tree.
pub fn default_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("kernels")
}

/// All kernels under `folder`, PolyBench's first, each suite in alphabetical order.
pub fn kernels(folder: &Path) -> Result<Vec<Kernel>, String> {
    let mut all = suite(folder, Suite::PolyBench)?;
    all.extend(suite(&folder.join("papers"), Suite::Papers)?);
    all.extend(suite(&folder.join("shapes"), Suite::Shapes)?);
    Ok(all)
}

/// The kernels that `names` select: kernel names, `polybench`, `papers`, `shapes` or `all`; every kernel where it is empty.
pub fn select(all: &[Kernel], names: &[String]) -> Result<Vec<Kernel>, String> {
    let mut chosen: Vec<&Kernel> = Vec::new();
    for name in names {
        let matching: Vec<&Kernel> = match name.as_str() {
            "all" => all.iter().collect(),
            "polybench" => all.iter().filter(|k| k.suite == Suite::PolyBench).collect(),
            "papers" => all.iter().filter(|k| k.suite == Suite::Papers).collect(),
            "shapes" => all.iter().filter(|k| k.suite == Suite::Shapes).collect(),
            _ => all.iter().filter(|k| k.name == *name).collect(),
        };
        if matching.is_empty() {
            let known: Vec<&str> = all.iter().map(|k| k.name.as_str()).collect();
            return Err(format!(
                "no kernel `{name}`; there are: all, polybench, papers, shapes, {}",
                known.join(", ")
            ));
        }
        chosen.extend(matching);
    }
    if names.is_empty() {
        return Ok(all.to_vec());
    }
    Ok(all
        .iter()
        .filter(|k| chosen.iter().any(|c| c.name == k.name))
        .cloned()
        .collect())
}

fn suite(folder: &Path, suite: Suite) -> Result<Vec<Kernel>, String> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut sources: Vec<PathBuf> = entries
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .collect();
    sources.sort();
    sources
        .into_iter()
        .map(|source| read_kernel(source, suite))
        .collect()
}

fn read_kernel(source: PathBuf, suite: Suite) -> Result<Kernel, String> {
    let text =
        fs::read_to_string(&source).map_err(|error| format!("{}: {error}", source.display()))?;
    let dimensions =
        parse_dimensions(&text).map_err(|error| format!("{}: {error}", source.display()))?;
    let name = source
        .file_stem()
        .map(|stem| stem.to_string_lossy().into_owned())
        .unwrap_or_default();
    Ok(Kernel {
        name,
        source,
        suite,
        dimensions,
    })
}

/// The `SIZE` and `_MINIMUM` lines of a kernel's source.
fn parse_dimensions(text: &str) -> Result<Vec<Dimension>, String> {
    let mut dimensions: Vec<Dimension> = Vec::new();
    for line in text.lines() {
        let Some(definition) = line.strip_prefix("#define ") else {
            continue;
        };
        let Some((name, value)) = definition.split_once(' ') else {
            continue;
        };
        if let Some(arguments) = value
            .strip_prefix("SIZE(")
            .and_then(|rest| rest.strip_suffix(')'))
        {
            let numbers =
                parse_numbers(arguments).ok_or(format!("`{line}` is not a list of numbers"))?;
            let [position, sizes @ ..] = numbers.as_slice() else {
                return Err(format!("`{line}` is empty"));
            };
            let sizes = sizes
                .try_into()
                .map_err(|_| format!("`{line}` has not five sizes"))?;
            if *position != dimensions.len() as i32 {
                return Err(format!("`{line}` is not at its position"));
            }
            dimensions.push(Dimension {
                name: name.to_string(),
                sizes,
                minimum: Minimum::Constant(0),
            });
        } else if let Some(sized) = name.strip_suffix("_MINIMUM") {
            let dimension = dimensions
                .iter_mut()
                .find(|dimension| dimension.name == sized);
            let dimension = dimension.ok_or(format!("`{line}` belongs to no size"))?;
            dimension.minimum = match value.trim().parse() {
                Ok(least) => Minimum::Constant(least),
                Err(_) => Minimum::Dimension(value.trim().to_string()),
            };
        }
    }
    if dimensions.is_empty() {
        Err("no SIZE line".to_string())
    } else {
        Ok(dimensions)
    }
}

fn parse_numbers(text: &str) -> Option<Vec<i32>> {
    text.split(',')
        .map(|number| number.trim().parse().ok())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kernel_is_found_with_its_sizes() {
        let all = kernels(&default_folder()).unwrap();
        assert_eq!(
            all.iter().filter(|k| k.suite == Suite::PolyBench).count(),
            30
        );
        assert!(all.iter().filter(|k| k.suite == Suite::Papers).count() >= 11);
        assert_eq!(all.iter().filter(|k| k.suite == Suite::Shapes).count(), 10);
        let gemm = all.iter().find(|k| k.name == "gemm").unwrap();
        assert_eq!(gemm.class_sizes(SizeClass::Large), [1000, 1100, 1200]);
        let atax = all.iter().find(|k| k.name == "atax").unwrap();
        assert_eq!(atax.class_sizes(SizeClass::Extralarge), [1800, 2200]);
    }

    #[test]
    fn selection_by_name_and_by_suite() {
        let all = kernels(&default_folder()).unwrap();
        let names = |chosen: Vec<Kernel>| chosen.into_iter().map(|k| k.name).collect::<Vec<_>>();
        assert_eq!(
            names(select(&all, &["lu".into(), "2mm".into()]).unwrap()),
            ["2mm", "lu"]
        );
        assert_eq!(select(&all, &["polybench".into()]).unwrap().len(), 30);
        assert!(
            select(&all, &["nosuch".into()])
                .unwrap_err()
                .contains("nosuch")
        );
    }

    #[test]
    fn minima_raise_sizes() {
        let text = "#define M SIZE(0, 1, 2, 3, 4, 5)\n#define N SIZE(1, 6, 7, 8, 9, 10)\n#define M_MINIMUM N\n\
                    #define N_MINIMUM 2\n";
        let dimensions = parse_dimensions(text).unwrap();
        assert_eq!(dimensions[0].minimum, Minimum::Dimension("N".to_string()));
        let kernel = Kernel {
            name: "k".into(),
            source: "k.c".into(),
            suite: Suite::Papers,
            dimensions,
        };
        assert_eq!(kernel.raise_to_minima(&[3, 5]), [5, 5]);
        assert_eq!(kernel.raise_to_minima(&[3, 0]), [3, 2]);
    }

    #[test]
    fn a_wrong_size_line_is_an_error() {
        assert!(
            parse_dimensions("#define N SIZE(0, 1, 2)\n")
                .unwrap_err()
                .contains("five")
        );
        assert!(
            parse_dimensions("#define N SIZE(1, 1, 2, 3, 4, 5)\n")
                .unwrap_err()
                .contains("position")
        );
        assert!(parse_dimensions("int x;\n").is_err());
    }
}
