//! Runs the commands of `docs/tutorial.md`, one after the other, and holds what they print against what the tutorial shows.
//!
//! A block between fences is a session: a line after `$ ` is a command (with the lines up to `END`, if it says `<< 'END'`, or those behind a
//! `\` at its end), and the lines below are what it prints on both streams. `..` alone in a line stands for any lines, in a line for any text.

mod common;

use common::Ground;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

/// A command of the tutorial.
#[derive(Debug, PartialEq)]
struct Step {
    /// Where it is in the file.
    line: usize,
    /// For a shell.
    command: String,
    /// What it prints.
    shown: Vec<String>,
}

/// The commands of a text, in order.
fn steps(text: &str) -> Vec<Step> {
    let mut all: Vec<Step> = vec![];
    let mut lines = text.lines().enumerate();
    while let Some((_, line)) = lines.next() {
        if line.trim_end() != "```" {
            continue;
        }
        let mut session: Vec<Step> = vec![];
        loop {
            let (at, line) = lines.next().expect("a fence at the end of a block");
            if line == "```" {
                break;
            }
            let Some(first) = line.strip_prefix("$ ") else {
                let step = session.last_mut();
                let step = step.unwrap_or_else(|| panic!("line {}: output of no command", at + 1));
                step.shown.push(line.to_owned());
                continue;
            };
            let mut command = first.to_owned();
            let here = command.contains("<< 'END'");
            while here || command.ends_with('\\') {
                let (_, more) = lines.next().expect("the rest of a command");
                command += &format!("\n{more}");
                if here && more == "END" {
                    break;
                }
            }
            session.push(Step {
                line: at + 1,
                command,
                shown: vec![],
            });
        }
        all.extend(session);
    }
    all
}

/// Whether a line is as it is shown.
fn is_like(line: &str, shown: &str) -> bool {
    let mut parts = shown.split("..");
    let first = parts.next().expect("one part at least");
    let Some(mut rest) = line.strip_prefix(first) else {
        return false;
    };
    let mut parts: Vec<&str> = parts.collect();
    let Some(last) = parts.pop() else {
        return rest.is_empty();
    };
    for part in parts {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

/// The first line of what is shown that was not printed, if there is one, or an unexpected line.
fn differs(printed: &[&str], shown: &[String]) -> Option<String> {
    let (mut at, mut skipping) = (0, false);
    for wanted in shown {
        if wanted == ".." {
            skipping = true;
            continue;
        }
        let mut found = printed[at..].iter().position(|l| is_like(l, wanted));
        if !skipping {
            found = found.filter(|f| *f == 0);
        }
        match found {
            Some(f) => at += f + 1,
            None => return Some(format!("not printed: {wanted}")),
        }
        skipping = false;
    }
    match printed.get(at) {
        Some(more) if !skipping => Some(format!("not shown: {more}")),
        _ => None,
    }
}

impl Ground {
    /// A folder like the project's: the examples, and what was built.
    fn new() -> Ground {
        let ground = Ground::named("tutorial");
        let folder = &ground.folder;
        let built = folder.join("target/release");
        fs::create_dir_all(&built).expect("a folder");
        let polytile = Path::new(env!("CARGO_BIN_EXE_polytile"));
        let plugin = polytile.with_file_name("libpolytile.so");
        assert!(
            plugin.exists(),
            "no plugin at {}: run cargo build --release --workspace first",
            plugin.display()
        );
        symlink(polytile, built.join("polytile")).expect("a link");
        symlink(plugin, built.join("libpolytile.so")).expect("a link");
        fs::create_dir(folder.join("examples")).expect("a folder");
        fs::copy(
            project("examples/smooth.c"),
            folder.join("examples/smooth.c"),
        )
        .expect("a source");
        ground
    }

    /// What a command prints on both streams.
    fn printed(&self, command: &str) -> String {
        let mut shell = self.command("bash");
        shell.args(["-c", &format!("exec 2>&1\n{command}")]);
        shell.env("OMP_NUM_THREADS", "2");
        let output = shell.output().expect("bash is there");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }
}

fn project(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).parent();
    folder.expect("the crate lies in the workspace").join(name)
}

#[test]
fn the_tutorial_prints_what_it_shows() {
    let text = fs::read_to_string(project("docs/tutorial.md")).expect("the tutorial");
    let steps = steps(&text);
    for word in [
        "explain",
        "script=",
        "dump=space",
        "fusion=space",
        "tune",
        "db=",
    ] {
        assert!(
            steps.iter().any(|s| s.command.contains(word)),
            "a command with {word}"
        );
    }
    let ground = Ground::new();
    let mut wrong = vec![];
    for step in &steps {
        let printed = ground.printed(&step.command);
        let lines: Vec<&str> = printed.lines().collect();
        if let Some(why) = differs(&lines, &step.shown) {
            let Step { line, command, .. } = step;
            wrong.push(format!(
                "docs/tutorial.md:{line}: {why}\n$ {command}\n{printed}"
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn sessions_are_read_with_their_continued_commands() {
    let text = "text\n```\n$ cat > f << 'END'\na $ b\nEND\n$ one \\\n  two\nout ..\n```\n``` not a session\n";
    let found = steps(text);
    assert_eq!(found.len(), 2);
    assert_eq!(found[0].command, "cat > f << 'END'\na $ b\nEND");
    assert_eq!((found[1].line, &*found[1].command), (6, "one \\\n  two"));
    assert_eq!(found[1].shown, ["out .."]);
}

#[test]
fn output_is_held_against_what_is_shown() {
    let shown = |lines: &[&str]| {
        lines
            .iter()
            .map(|l| (*l).to_owned())
            .collect::<Vec<String>>()
    };
    let printed = ["a 1 b", "middle", "c"];
    assert_eq!(differs(&printed, &shown(&["a .. b", "..", "c"])), None);
    assert_eq!(differs(&printed, &shown(&["a .. b", "middle", "c"])), None);
    assert_eq!(differs(&printed, &shown(&["a .. b", ".."])), None);
    assert!(
        differs(&printed, &shown(&["a .. b", "c"])).is_some(),
        "a line is missing"
    );
    assert!(
        differs(&printed, &shown(&["a .. b", "middle"])).is_some(),
        "a line is left"
    );
    assert!(
        differs(&printed, &shown(&["a .. x", ".."])).is_some(),
        "a line is different"
    );
    assert!(
        differs(&printed, &shown(&["..", "c", "middle"])).is_some(),
        "in another order"
    );
    assert!(!is_like("abc", "ab") && !is_like("ab", "abc") && is_like("ab", "a..b"));
}
