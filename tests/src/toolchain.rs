//! What a build of a kernel is, and how it is compiled.

use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where the kernel function stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, clap::ValueEnum)]
pub enum Placement {
    /// Static and inlined into main, its sizes compile-time constants.
    Inline,
    /// Static and inlined into main, its sizes from the command line.
    InlineRuntime,
    /// An external function that is not inlined (a static one would lose its size parameters to IPSCCP).
    Noinline,
}

/// How array parameters are declared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, clap::ValueEnum)]
pub enum Arrays {
    /// Extents are the run-time sizes.
    Vla,
    /// Extents are constants.
    Const,
}

/// What the source says about aliasing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, clap::ValueEnum)]
pub enum Aliasing {
    /// Array parameters are `restrict`.
    Restrict,
    /// Nothing.
    Plain,
}

/// The compiler's optimization level.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, clap::ValueEnum)]
pub enum Level {
    /// `-O1`
    #[value(name = "1")]
    O1,
    /// `-O2`
    #[value(name = "2")]
    O2,
    /// `-O3`
    #[value(name = "3")]
    O3,
}

/// One way to build a kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Build {
    /// Where the kernel function stands.
    pub placement: Placement,
    /// How arrays are declared.
    pub arrays: Arrays,
    /// What is known about aliasing.
    pub aliasing: Aliasing,
    /// The optimization level.
    pub level: Level,
}

impl fmt::Display for Build {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let placement = match self.placement {
            Placement::Inline => "inline",
            Placement::InlineRuntime => "inline-runtime",
            Placement::Noinline => "noinline",
        };
        let arrays = match self.arrays {
            Arrays::Vla => "vla",
            Arrays::Const => "const",
        };
        let aliasing = match self.aliasing {
            Aliasing::Restrict => "restrict",
            Aliasing::Plain => "plain",
        };
        write!(f, "{placement} {arrays} {aliasing} {}", self.level)
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::O1 => "-O1",
            Self::O2 => "-O2",
            Self::O3 => "-O3",
        })
    }
}

/// The compiler, with or without the plugin.
#[derive(Debug, Clone)]
pub struct Compiler {
    /// The driver, as `clang-22`.
    pub driver: String,
    /// The plugin; none compiles the reference.
    pub plugin: Option<PathBuf>,
    /// What the environment variable `POLYTILE` holds during compilation.
    pub options: String,
}

impl Compiler {
    /// The same driver without the plugin.
    pub fn reference(&self) -> Self {
        Self {
            driver: self.driver.clone(),
            plugin: None,
            options: String::new(),
        }
    }

    /// The command up to the source's own flags: driver, level, target, plugin, OpenMP.
    pub fn command(&self, level: Level) -> Command {
        let mut command = Command::new(&self.driver);
        command
            .args([&level.to_string(), "-march=native", "-w"])
            .env_remove("POLYTILE");
        if let Some(plugin) = &self.plugin {
            command
                .arg("-fopenmp")
                .arg(format!("-fpass-plugin={}", plugin.display()));
            if !self.options.is_empty() {
                command.env("POLYTILE", &self.options);
            }
        }
        command
    }
}

/// The preprocessor definitions of a build. `extents` are the constants NI, NJ, .. of the source.
pub fn definitions(build: &Build, extents: &[i32]) -> Vec<String> {
    let mut flags = vec!["-DPT_EXPLICIT".to_string()];
    flags.extend(
        extents
            .iter()
            .enumerate()
            .map(|(position, extent)| format!("-DPT_D{position}={extent}")),
    );
    match build.placement {
        Placement::Inline => {
            flags.extend(["-DPT_INLINE", "-DPT_FIXED", "-DPT_OUTPUTS_ONLY"].map(String::from))
        }
        Placement::InlineRuntime => {
            flags.extend(["-DPT_INLINE", "-DPT_OUTPUTS_ONLY"].map(String::from))
        }
        Placement::Noinline => {}
    }
    if build.arrays == Arrays::Vla {
        flags.push("-DPT_VLA".to_string());
    }
    if build.aliasing == Aliasing::Restrict {
        flags.push("-DPT_RESTRICT".to_string());
    }
    flags
}

/// The command that compiles and links a kernel's source into a program.
pub fn compile_program(
    compiler: &Compiler,
    build: &Build,
    extents: &[i32],
    source: &Path,
    output: &Path,
) -> Command {
    let mut command = compiler.command(build.level);
    command
        .args(definitions(build, extents))
        .arg(source)
        .arg("-o")
        .arg(output)
        .arg("-lm");
    command
}

/// A command as one line for a shell, with the variables that it sets.
pub fn shell_line(command: &Command) -> String {
    let variables = command.get_envs().filter_map(|(name, value)| {
        value.map(|value| format!("{}={}", name.display(), quote(&value.to_string_lossy())))
    });
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    variables
        .chain(words.map(|word| quote(&word.to_string_lossy())))
        .collect::<Vec<_>>()
        .join(" ")
}

fn quote(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=./,:+".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_string()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// The plugin that cargo put beside the running binary, if it is there.
pub fn default_plugin() -> Option<PathBuf> {
    let folder = std::env::current_exe().ok()?.parent()?.to_path_buf();
    [folder.clone(), folder.parent()?.to_path_buf()]
        .into_iter()
        .map(|folder| folder.join("libpolytile.so"))
        .find(|plugin| plugin.exists())
}

/// The plugin's path as an absolute path of an existing file, or what is wrong with it.
pub fn find_plugin(given: Option<&Path>) -> Result<PathBuf, String> {
    let path = match given {
        Some(path) => path.to_path_buf(),
        None => default_plugin().ok_or(
            "libpolytile.so is not beside this program; build it or name it with --plugin",
        )?,
    };
    path.canonicalize()
        .map_err(|error| format!("plugin {}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_build_becomes_flags() {
        let build = Build {
            placement: Placement::Inline,
            arrays: Arrays::Vla,
            aliasing: Aliasing::Restrict,
            level: Level::O2,
        };
        let flags = definitions(&build, &[7, 11]).join(" ");
        assert_eq!(
            flags,
            "-DPT_EXPLICIT -DPT_D0=7 -DPT_D1=11 -DPT_INLINE -DPT_FIXED -DPT_OUTPUTS_ONLY -DPT_VLA -DPT_RESTRICT"
        );
        assert_eq!(build.to_string(), "inline vla restrict -O2");
    }

    #[test]
    fn a_command_becomes_a_line_for_a_shell() {
        let compiler = Compiler {
            driver: "cc".into(),
            plugin: Some("/p/libpolytile.so".into()),
            options: "a=1;b=2".into(),
        };
        assert_eq!(
            shell_line(&compiler.command(Level::O3)),
            "POLYTILE='a=1;b=2' cc -O3 -march=native -w -fopenmp -fpass-plugin=/p/libpolytile.so"
        );
        assert!(!shell_line(&compiler.reference().command(Level::O1)).contains("plugin"));
    }
}
