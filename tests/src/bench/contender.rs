//! Who takes part.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// How a contender compiles; contenders that compile alike share their objects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recipe {
    /// The compiler driver.
    pub driver: String,
    /// All its flags, `-O3 -march=native` first.
    pub flags: Vec<String>,
    /// `POLYTILE` during compilation.
    pub options: String,
    /// Sources in the place of ours, one file per kernel.
    pub sources: Option<PathBuf>,
}

/// What must hold of a contender's results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Promise {
    /// The bytes of the first contender.
    SameBytes,
    /// None: other compilers contract floating point differently.
    Any,
}

/// One column of the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contender {
    /// Its name.
    pub name: String,
    /// How it compiles.
    pub recipe: Recipe,
    /// OpenMP threads at run time.
    pub threads: usize,
    /// What its results promise.
    pub promise: Promise,
}

const BASE: [&str; 2] = ["-O3", "-march=native"];

fn recipe(driver: &str, flags: &[&str]) -> Recipe {
    let flags = BASE
        .iter()
        .chain(flags)
        .map(|flag| flag.to_string())
        .collect();
    Recipe {
        driver: driver.to_string(),
        flags,
        options: String::new(),
        sources: None,
    }
}

/// clang -O3, the first contender: every ratio refers to it.
pub fn clang(driver: &str) -> Contender {
    Contender {
        name: "clang".to_string(),
        recipe: recipe(driver, &[]),
        threads: 1,
        promise: Promise::SameBytes,
    }
}

/// Polly without and with its parallel code.
pub fn polly(driver: &str, threads: usize) -> Vec<Contender> {
    let parallel = ["-mllvm", "-polly", "-mllvm", "-polly-parallel", "-fopenmp"];
    vec![
        Contender {
            name: "polly".to_string(),
            recipe: recipe(driver, &["-mllvm", "-polly"]),
            threads: 1,
            promise: Promise::Any,
        },
        Contender {
            name: "polly-par".to_string(),
            recipe: recipe(driver, &parallel),
            threads,
            promise: Promise::Any,
        },
    ]
}

/// Polytile on one thread and on several, from the same object.
pub fn polytile(driver: &str, plugin: &Path, options: &str, threads: usize) -> Vec<Contender> {
    let plugin = format!("-fpass-plugin={}", plugin.display());
    let recipe = Recipe {
        options: options.to_string(),
        ..recipe(driver, &["-fopenmp", &plugin])
    };
    let with = |threads| Contender {
        name: format!("polytile-{threads}"),
        recipe: recipe.clone(),
        threads,
        promise: Promise::SameBytes,
    };
    if threads > 1 {
        vec![with(1), with(threads)]
    } else {
        vec![with(1)]
    }
}

/// A further peer: `NAME=FLAGS`. Among the flags `CC=driver` names the compiler and `THREADS=n` the threads at run time;
/// `-O3 -march=native` comes before them.
pub fn peer(text: &str, default_driver: &str, default_threads: usize) -> Result<Contender, String> {
    let (name, flags) = split_name(text)?;
    let mut driver = default_driver.to_string();
    let mut threads = default_threads;
    let mut rest = Vec::new();
    for word in flags.split_whitespace() {
        if let Some(named) = word.strip_prefix("CC=") {
            driver = named.to_string();
        } else if let Some(count) = word.strip_prefix("THREADS=") {
            let wrong = || format!("peer {name}: `{count}` is no number of threads");
            threads = count
                .parse()
                .ok()
                .filter(|count| *count > 0)
                .ok_or_else(wrong)?;
        } else {
            rest.push(word);
        }
    }
    Ok(Contender {
        name: name.to_string(),
        recipe: recipe(&driver, &rest),
        threads,
        promise: Promise::Any,
    })
}

/// Gives a peer sources of its own: `NAME=DIR`. A name that is no peer yet becomes one with `-fopenmp`.
pub fn peer_sources(
    peers: &mut Vec<Contender>,
    text: &str,
    default_driver: &str,
    default_threads: usize,
) -> Result<(), String> {
    let (name, folder) = split_name(text)?;
    let folder = PathBuf::from(folder);
    if !folder.is_dir() {
        return Err(format!(
            "peer sources {name}: {} is no folder",
            folder.display()
        ));
    }
    if !peers.iter().any(|peer| peer.name == name) {
        peers.push(peer(
            &format!("{name}=-fopenmp"),
            default_driver,
            default_threads,
        )?);
    }
    for peer in peers.iter_mut().filter(|peer| peer.name == name) {
        peer.recipe.sources = Some(folder.clone());
    }
    Ok(())
}

fn split_name(text: &str) -> Result<(&str, &str), String> {
    let parts = text.split_once('=').filter(|(name, _)| !name.is_empty());
    parts.ok_or_else(|| format!("`{text}` is not NAME=.."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_peer_is_a_name_and_flags() {
        let gcc = peer(
            "gcc=CC=gcc -floop-nest-optimize -ftree-parallelize-loops=2 THREADS=2",
            "clang-22",
            1,
        )
        .unwrap();
        assert_eq!(
            (gcc.name.as_str(), gcc.recipe.driver.as_str(), gcc.threads),
            ("gcc", "gcc", 2)
        );
        assert_eq!(
            gcc.recipe.flags,
            [
                "-O3",
                "-march=native",
                "-floop-nest-optimize",
                "-ftree-parallelize-loops=2"
            ]
        );
        assert!(peer("gcc", "clang-22", 1).is_err());
        assert!(
            peer("x=THREADS=0", "clang-22", 1)
                .unwrap_err()
                .contains("threads")
        );
    }

    #[test]
    fn sources_belong_to_a_peer_of_that_name() {
        let mut peers = vec![peer("pluto=-fopenmp THREADS=2", "clang-22", 1).unwrap()];
        peer_sources(&mut peers, "pluto=/tmp", "clang-22", 1).unwrap();
        peer_sources(&mut peers, "other=/tmp", "clang-22", 4).unwrap();
        assert_eq!(peers[0].recipe.sources, Some(PathBuf::from("/tmp")));
        assert_eq!((peers[1].name.as_str(), peers[1].threads), ("other", 4));
        assert!(peer_sources(&mut peers, "other=/no/such/folder", "clang-22", 4).is_err());
    }

    #[test]
    fn polytile_shares_one_recipe() {
        let both = polytile("clang-22", Path::new("/p.so"), "fusion=max", 2);
        assert_eq!(
            both.iter().map(|c| c.name.as_str()).collect::<Vec<_>>(),
            ["polytile-1", "polytile-2"]
        );
        assert_eq!(both[0].recipe, both[1].recipe);
        assert_eq!(polytile("clang-22", Path::new("/p.so"), "", 1).len(), 1);
    }
}
