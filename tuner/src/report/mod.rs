//! `polytile report`: one page of HTML on all nests of some remarks files, complete in itself, for any browser and for a phone.
//!
//! | file | subject |
//! |---|---|
//! | [`html`] | texts made safe, elements, the frame and colours of the page |
//! | [`source`] | the lines of a nest |
//! | [`candidates`] | tables of what was predicted and measured |
//! | [`graph`] | the dependence graph |
//! | [`orders`] | pictures of iteration domains, before and after |

mod candidates;
mod graph;
mod html;
mod orders;
mod source;

use crate::explain::nests::{Fate, Nest};
use crate::explain::{read, weigh, words};
use html::{code, details, escaped, page};
use polytile_records::Record;
use polytile_records::database;
use source::Sources;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

/// What is given on the command line.
#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// Remarks: PROGRAM.opt.yaml, which clang writes with -fsave-optimization-record (and -g1, for lines)
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// The page
    #[arg(short, long, value_name = "FILE", default_value = "report.html")]
    pub output: PathBuf,
    /// A database of polytile tune (may be repeated)
    #[arg(long, value_name = "FILE")]
    pub db: Vec<PathBuf>,
    /// Where time goes, as for polytile explain
    #[arg(long, value_name = "FILE")]
    pub profile: Option<PathBuf>,
    /// A folder in which sources are, beside the current one (may be repeated)
    #[arg(long, value_name = "FOLDER")]
    pub source: Vec<PathBuf>,
    /// Single loops that are in no nest as well
    #[arg(long)]
    pub all: bool,
}

/// Writes the page.
///
/// # Errors
/// A file that cannot be read or written, or holds something else; the page is not there then, or as it was.
pub fn report(args: &Args) -> Result<(), String> {
    let mut nests = read(&args.files)?;
    nests.retain(|n| args.all || n.is_nest());
    if let Some(file) = &args.profile {
        weigh(&mut nests, file)?;
    }
    let mut records = vec![];
    for file in &args.db {
        records.extend(recorded(file)?);
    }
    let sources = Sources {
        folders: [PathBuf::new()]
            .into_iter()
            .chain(args.source.clone())
            .collect(),
    };
    let text = page("Loop nests", &body(&nests, &records, &sources));
    fs::write(&args.output, text).map_err(|e| {
        let name = args.output.display();
        format!("'{name}' cannot be written: {e}; name another page with -o")
    })
}

fn recorded(file: &Path) -> Result<Vec<Record>, String> {
    let name = file.display();
    let bytes = fs::read(file)
        .map_err(|e| format!("database '{name}' cannot be read: {e}; polytile tune writes it"))?;
    let (records, bad) = database::parse(&String::from_utf8_lossy(&bytes));
    match bad.first() {
        Some(bad) => Err(format!(
            "database '{name}', {bad}; tune again, or take the line out"
        )),
        None => Ok(records),
    }
}

/// All nests in the order of the source, behind a list of them.
fn body(nests: &[Nest], records: &[Record], sources: &Sources) -> String {
    let done = nests.iter().filter(|n| is_done(n)).count();
    let sum: f64 = nests.iter().filter_map(|n| n.weight).sum();
    let mut out = format!(
        "<p>{} loop nests: {done} transformed, {} left as they were.</p>\n<nav><ol>\n",
        nests.len(),
        nests.len() - done
    );
    for (at, n) in nests.iter().enumerate() {
        let _ = writeln!(
            out,
            "<li><a href=\"#n{at}\">{}</a> <span class=\"dim\">{}{}</span></li>",
            escaped(&n.place()),
            fate(n),
            share(n, sum)
        );
    }
    out += "</ol></nav>\n";
    for (at, n) in nests.iter().enumerate() {
        out += &section(at, n, sum, record_of(n, records), sources);
    }
    out
}

fn is_done(nest: &Nest) -> bool {
    matches!(nest.fate, Fate::Transformed(_))
}

fn fate(nest: &Nest) -> &'static str {
    if is_done(nest) {
        "transformed"
    } else {
        "left as it was"
    }
}

fn share(nest: &Nest, sum: f64) -> String {
    let weight = nest.weight.filter(|_| sum > 0.0);
    weight.map_or(String::new(), |w| {
        format!(", {:.0} % of the time in nests", 100.0 * w / sum)
    })
}

/// The last record of a nest.
fn record_of<'r>(nest: &Nest, records: &'r [Record]) -> Option<&'r Record> {
    let loc = nest.loc.as_ref()?;
    let name = |path: &str| path.rsplit('/').next().unwrap_or_default().to_owned();
    let same = |r: &&Record| {
        let file = r.file.as_deref().map(name);
        r.function == nest.function && r.line == Some(loc.line) && file == Some(name(&loc.file))
    };
    records.iter().rev().find(same)
}

fn section(at: usize, nest: &Nest, sum: f64, record: Option<&Record>, sources: &Sources) -> String {
    let class = if is_done(nest) { "transformed" } else { "left" };
    let mut out = format!(
        "<section id=\"n{at}\" class=\"{class}\">\n<h2>{}</h2>\n<p><span class=\"fate\">{}</span>{}</p>\n<dl>\n",
        escaped(&nest.place()),
        fate(nest),
        share(nest, sum)
    );
    for s in words::sentences(nest) {
        let items: String = s
            .items
            .iter()
            .map(|i| format!("<li>{}</li>", escaped(i)))
            .collect();
        let list = if items.is_empty() {
            items
        } else {
            format!("<ul>{items}</ul>")
        };
        let _ = writeln!(
            out,
            "<dt>{}</dt><dd>{}{list}</dd>",
            escaped(s.head),
            escaped(&s.text)
        );
    }
    out += "</dl>\n";
    let before = nest
        .loc
        .as_ref()
        .and_then(|l| sources.nest(&l.file, l.line));
    if let Some(before) = before {
        out += &details("The source", true, &code(&before));
    }
    out += &record.map_or(String::new(), of_record);
    out + "</section>\n"
}

/// What a database has of a nest.
fn of_record(record: &Record) -> String {
    let mut out = details(
        "Candidates, predicted and measured",
        true,
        &candidates::of(record),
    );
    if let Some(after) = &record.code {
        out += &details("The winner's loops", false, &code(after));
    }
    if let Some(script) = &record.script {
        out += &details("The winner as a script", false, &code(script));
    }
    let [before, after] = &record.orders;
    let orders = orders::of(before, after);
    if !orders.is_empty() {
        out += &details("Iterations and when they run", true, &orders);
    }
    let graph = graph::of(&record.statements, &record.dependences);
    if !graph.is_empty() {
        out += &details("What has to keep its order", false, &graph);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explain::{nests, yaml};

    const REMARK: &str = "--- !Passed\nPass: polytile\nName: Transformed\nDebugLoc: { File: /s/a.c, Line: 3, Column: 1 }\nFunction: 'f<int>'\nArgs:\n  - TileLoops: '2'\n...\n";

    fn record() -> Record {
        let text = "scop";
        Record {
            format: polytile_records::FORMAT,
            hash: polytile_records::hash::of(text),
            function: "f<int>".into(),
            file: Some("a.c".into()),
            line: Some(3),
            target: "t".into(),
            threads: 2,
            size_class: "1 s".into(),
            chosen: 1,
            script: Some("region f { tile [0] 8 }".into()),
            sizes: vec![],
            orders: [vec![], vec![]],
            code: Some("for (c0 = 0; c0 < n; c0 += 1)".into()),
            statements: vec![],
            dependences: vec![],
            candidates: vec![],
            tried_sizes: vec![],
            scop: text.into(),
        }
    }

    #[test]
    fn nests_and_records_meet_on_the_page() {
        let nests = nests::of(&yaml::parse(REMARK).unwrap());
        let page = body(&nests, &[record()], &Sources::default());
        assert!(page.contains("<h2>/s/a.c:3 in f&lt;int&gt;</h2>"), "{page}");
        assert!(page.contains("region f { tile [0] 8 }"), "{page}");
        assert!(page.contains("c0 &lt; n"), "{page}");
        assert!(!page.contains("f<int>"), "{page}");
        let other = Record {
            line: Some(4),
            ..record()
        };
        assert!(record_of(&nests[0], &[other]).is_none());
    }
}
