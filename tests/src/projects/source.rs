//! Where sources come from: Debian's source packages, crates.io, a folder.
//!
//! Everything is fetched with the ordinary clients (apt-get, cargo) into the cache, once. apt-get gets lists of its own
//! there, so that nothing of the machine's settings changes and no source packages need to be switched on.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::catalog::{Project, Source};
use crate::process;

/// What is asked for source packages where `POLYTILE_DEBIAN` names nothing else.
const DEBIAN: &str = "http://deb.debian.org/debian bookworm main";

/// Seconds that one download may take.
const LIMIT: Duration = Duration::from_secs(900);

/// The folder with the sources of a project, fetched into the cache if they are not there.
pub fn fetch(project: &Project, cache: &Path) -> Result<PathBuf, String> {
    let folder = cache.join("sources").join(&project.name);
    let marker = cache.join("sources").join(format!("{}.from", project.name));
    let wanted = project.source.to_string();
    if let Source::Folder(path) = &project.source {
        let found = path.canonicalize();
        return found.map_err(|error| format!("{}: {error}", path.display()));
    }
    if folder.is_dir() && fs::read_to_string(&marker).is_ok_and(|from| from == wanted) {
        return Ok(folder);
    }
    let partial = cache.join("sources").join(format!("{}.part", project.name));
    for old in [&folder, &partial] {
        if old.exists() {
            fs::remove_dir_all(old).map_err(|error| format!("{}: {error}", old.display()))?;
        }
    }
    make(&partial)?;
    let unpacked = match &project.source {
        Source::Debian(package) => debian(package, cache, &partial)?,
        Source::Crate(name, version) => cargo(name, version, &partial)?,
        Source::Folder(_) => unreachable!("it has no download"),
    };
    fs::rename(&unpacked, &folder).map_err(|error| format!("{}: {error}", unpacked.display()))?;
    let _ = fs::remove_dir_all(&partial);
    fs::write(&marker, wanted).map_err(|error| format!("{}: {error}", marker.display()))?;
    Ok(folder)
}

fn make(folder: &Path) -> Result<(), String> {
    fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))
}

/// Fetches and unpacks a source package, with Debian's patches.
fn debian(package: &str, cache: &Path, folder: &Path) -> Result<PathBuf, String> {
    let apt = cache.join("apt");
    for part in ["lists/partial", "cache/archives/partial"] {
        make(&apt.join(part))?;
    }
    let list = apt.join("sources.list");
    if !list.exists() {
        let from = std::env::var("POLYTILE_DEBIAN").unwrap_or(DEBIAN.to_string());
        fs::write(&list, format!("deb-src {from}\n"))
            .map_err(|error| format!("{}: {error}", list.display()))?;
        if let Err(error) = run(apt_get(&apt, folder).arg("update")) {
            let _ = fs::remove_file(&list);
            return Err(error);
        }
    }
    let mut command = apt_get(&apt, folder);
    command.args(["source", "--only-source", "-qq", package]);
    run(&mut command)?;
    the_folder_in(folder)
}

fn apt_get(apt: &Path, folder: &Path) -> Command {
    let mut command = Command::new("apt-get");
    let option = |name: &str, path: PathBuf| format!("-o{name}={}", path.display());
    command
        .current_dir(folder)
        .arg(option("Dir::Etc::SourceList", apt.join("sources.list")))
        .arg("-oDir::Etc::SourceParts=-")
        .arg(option("Dir::State::Lists", apt.join("lists")))
        .arg(option("Dir::Cache", apt.join("cache")))
        // Root downloads as a user who may not write here.
        .arg("-oAPT::Sandbox::User=root");
    command
}

/// Has cargo fetch a crate for a package that needs it, and copies it from cargo's own store.
fn cargo(name: &str, version: &str, folder: &Path) -> Result<PathBuf, String> {
    let package = folder.join("package");
    make(&package.join("src"))?;
    let write = |path: PathBuf, text: String| {
        fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))
    };
    write(package.join("src/lib.rs"), String::new())?;
    write(
        package.join("Cargo.toml"),
        format!(
            "[package]\nname = \"fetching\"\nedition = \"2021\"\n[dependencies]\n{name} = \"={version}\"\n[workspace]\n"
        ),
    )?;
    run(Command::new("cargo")
        .current_dir(&package)
        .args(["vendor", "--quiet"]))?;
    let vendored = package.join("vendor").join(name);
    // The cache may lie in a folder of a workspace, to which the crate does not belong.
    let manifest = vendored.join("Cargo.toml");
    let text = fs::read_to_string(&manifest)
        .map_err(|error| format!("{}: {error}", manifest.display()))?;
    if !text.lines().any(|line| line.starts_with("[workspace")) {
        write(manifest, text + "\n[workspace]\n")?;
    }
    Ok(vendored)
}

fn the_folder_in(folder: &Path) -> Result<PathBuf, String> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut folders = entries.filter_map(|entry| entry.ok().map(|entry| entry.path()));
    folders
        .find(|path| path.is_dir())
        .ok_or(format!("{}: nothing was unpacked", folder.display()))
}

fn run(command: &mut Command) -> Result<(), String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let finished = process::run(command, LIMIT).map_err(|error| format!("{name}: {error}"))?;
    if finished.succeeded() {
        return Ok(());
    }
    let said: Vec<&str> = finished.stderr.lines().rev().take(2).collect();
    let said: Vec<&str> = said.into_iter().rev().collect();
    Err(format!(
        "{name}: {}: {}",
        finished.describe(),
        said.join(" ")
    ))
}
