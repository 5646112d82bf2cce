//! The builds of a project, and the commands that stand for compilers in them.
//!
//! Build systems have many ways to name a compiler and few to time it. Each build gets a folder of small scripts instead:
//! they add the flags that all builds share and those of the plugin behind the project's own, and note the user seconds
//! of each call. `-O0` is heeded: where a project asks for it, it means it (the machine's precision in LAPACK). While a project is configured they add nothing of the plugin and note nothing.

use std::fmt;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::apps::language;

/// How a project is built.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, clap::ValueEnum, Serialize, Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum Variant {
    /// By the compiler alone.
    Alone,
    /// With the plugin as it is.
    Default,
    /// With the plugin; all nests that can have a new version run it.
    All,
}

impl Variant {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Alone, Self::Default, Self::All];
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Alone => "alone",
            Self::Default => "default",
            Self::All => "all",
        })
    }
}

/// What the builds with the plugin take.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The plugin.
    pub plugin: PathBuf,
    /// Its options in [`Variant::Default`].
    pub options: String,
    /// Its options in [`Variant::All`].
    pub all: String,
}

/// Set while a project is configured.
pub const CONFIGURING: &str = "POLYTILE_CONFIGURING";

/// The scripts of one build.
#[derive(Debug, Clone)]
pub struct Compilers {
    folder: PathBuf,
}

impl Compilers {
    /// Writes the scripts of a build into a folder.
    pub fn write(settings: &Settings, variant: Variant, folder: &Path) -> Result<Self, String> {
        let error = |error: std::io::Error| format!("{}: {error}", folder.display());
        fs::create_dir_all(folder).map_err(error)?;
        let compilers = Self {
            folder: folder.to_path_buf(),
        };
        for (name, driver) in [
            ("cc", "clang-22"),
            ("c++", "clang++-22"),
            ("fc", "flang-22"),
        ] {
            let text = compilers.script(settings, variant, driver);
            executable(&folder.join(name), &text)?;
        }
        executable(&folder.join("rustc"), &compilers.rustc(settings, variant))?;
        Ok(compilers)
    }

    /// The variables that make build systems take the scripts.
    pub fn variables(&self) -> Vec<(&'static str, String)> {
        let path = |name: &str| self.folder.join(name).display().to_string();
        vec![
            ("CC", path("cc")),
            ("CXX", path("c++")),
            ("FC", path("fc")),
            ("F77", path("fc")),
            ("RUSTC_WRAPPER", path("rustc")),
            // Crates look at it: it must be the same in all builds.
            ("RUSTC_BOOTSTRAP", "1".to_string()),
        ]
    }

    /// Where the seconds of the calls are noted.
    pub fn seconds(&self) -> PathBuf {
        self.folder.join("seconds")
    }

    /// Where the plugin writes its statistics.
    pub fn stats(&self) -> PathBuf {
        self.folder.join("stats")
    }

    fn script(&self, settings: &Settings, variant: Variant, driver: &str) -> String {
        let quiet = if driver.starts_with("flang") {
            ""
        } else {
            "-Qunused-arguments"
        };
        let flags = format!("-march=native -w {quiet}");
        let (plugin, runtime) = match variant {
            Variant::Alone => (String::new(), String::new()),
            Variant::Default | Variant::All => (
                format!("-fpass-plugin='{}'", settings.plugin.display()),
                format!("-Wl,--no-as-needed '{}'", language::openmp()),
            ),
        };
        format!(
            "#!/bin/bash\n\
             level=-O3\n\
             case \" $* \" in *' -O0 '*) level= ;; esac\n\
             if [ -n \"${CONFIGURING}\" ]; then exec {driver} \"$@\" $level {flags}; fi\n\
             runtime=({runtime})\n\
             case \" $* \" in *' -c '*|*' -S '*|*' -E '*|*' -M '*|*' -MM '*) runtime=() ;; esac\n\
             {}",
            self.timed(
                settings,
                variant,
                &format!("{driver} \"$@\" $level {flags} {plugin} \"${{runtime[@]}}\"")
            )
        )
    }

    /// cargo calls it with rustc's own name in front. What runs while crates are built (build scripts, macros) has no
    /// target and is compiled as it comes. Lints that a crate denies are no errors, as in a crate that another one needs.
    fn rustc(&self, settings: &Settings, variant: Variant) -> String {
        let plugin = match variant {
            Variant::Alone => String::new(),
            Variant::Default | Variant::All => format!(
                "-Zllvm-plugins='{}' -C link-arg=-Wl,--no-as-needed -C link-arg='{}'",
                settings.plugin.display(),
                language::openmp()
            ),
        };
        format!(
            "#!/bin/bash\n\
             case \" $* \" in *' --crate-name ___ '*) exec \"$@\" ;; *' --target '*) ;; *) exec \"$@\" ;; esac\n\
             lints='--cap-lints warn'\n\
             case \" $* \" in *' --cap-lints '*) lints= ;; esac\n\
             {}",
            self.timed(
                settings,
                variant,
                &format!("\"$@\" $lints -C opt-level=3 -C target-cpu=native {plugin}")
            )
        )
    }

    /// Runs a command with the options of the plugin and notes its user seconds, its folder and its arguments.
    fn timed(&self, settings: &Settings, variant: Variant, command: &str) -> String {
        let options = match variant {
            Variant::Alone => None,
            Variant::Default => Some(&settings.options),
            Variant::All => Some(&settings.all),
        };
        let options = options.map_or(String::new(), |options| {
            format!("POLYTILE='stats={};{options}' ", self.stats().display())
        });
        let seconds = self.seconds();
        let seconds = seconds.display();
        format!(
            "TIMEFORMAT=%U\n\
             {{ time {options}{command} 2>&3 3>&-; status=$?; }} 3>&2 2>'{seconds}'.$$\n\
             printf '%s\\t%s\\t%s\\n' \"$(<'{seconds}'.$$)\" \"$PWD\" \"${{*//$'\\n'/ }}\" >>'{seconds}'\n\
             rm -f '{seconds}'.$$\n\
             exit $status\n"
        )
    }
}

fn executable(path: &Path, text: &str) -> Result<(), String> {
    let error = |error: std::io::Error| format!("{}: {error}", path.display());
    fs::write(path, text).map_err(error)?;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).map_err(error)
}
