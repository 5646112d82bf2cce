//! `polytile report`: one page of HTML on all nests of some remarks files, complete in itself, for any browser and for a phone.
//!
//! | file | subject |
//! |---|---|
//! | [`html`], `page.css`, `page.js` | texts made safe, elements, tabs, the frame of the page, its style, its script |
//! | [`list`] | the list of nests, and what it can be narrowed to |
//! | [`nest`] | what became of a nest, and the views of it |
//! | [`source`] | the lines of a nest |
//! | [`orders`] | pictures of iteration domains in time, before and after |
//! | [`graph`] | the dependence graph |
//! | [`bound`], [`roofline`] | times against what the processor can do |
//! | [`candidates`] | tables of what was predicted and measured |
//! | [`numbers`] | numbers with their units |

mod bound;
mod candidates;
mod graph;
mod html;
mod list;
mod nest;
mod numbers;
mod orders;
mod roofline;
mod source;

use crate::explain::nests::Nest;
use crate::explain::{read, weigh};
use polytile_records::database;
use polytile_records::{Listed, Record, lines};
use source::Sources;
use std::collections::BTreeSet;
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
    /// A list of candidates, which the plugin writes with candidates=FILE: what is predicted of nests that were not measured (may be repeated)
    #[arg(long, value_name = "FILE")]
    pub candidates: Vec<PathBuf>,
    /// Where time goes, as for polytile explain
    #[arg(long, value_name = "FILE")]
    pub profile: Option<PathBuf>,
    /// A folder in which sources are, beside the current one (may be repeated)
    #[arg(long, value_name = "FOLDER")]
    pub source: Vec<PathBuf>,
}

/// Writes the page.
///
/// # Errors
/// A file that cannot be read or written, or holds something else; the page is not there then, or as it was.
pub fn report(args: &Args) -> Result<(), String> {
    let mut nests = read(&args.files)?;
    if let Some(file) = &args.profile {
        weigh(&mut nests, file)?;
    }
    // What was measured comes last, and the last one counts.
    let mut records = vec![];
    for file in &args.candidates {
        records.extend(listed(file)?);
    }
    let listed: BTreeSet<String> = records.iter().map(|r: &Record| r.hash.clone()).collect();
    for file in &args.db {
        let all = recorded(file)?;
        let measured = all.len();
        let known = |r: &Record| listed.is_empty() || listed.contains(&r.hash);
        let here: Vec<Record> = all.into_iter().filter(known).collect();
        if here.len() < measured {
            eprintln!(
                "note: {} of {measured} records in '{}' are about regions that are not on the list, and left out: another program, or the source was changed since",
                measured - here.len(),
                file.display()
            );
        }
        records.extend(here);
    }
    let sources = Sources {
        folders: [PathBuf::new()]
            .into_iter()
            .chain(args.source.clone())
            .collect(),
    };
    let text = html::page("Loop nests", &body(&nests, &records, &sources));
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

/// The regions of a list, each with the candidate that the model takes.
fn listed(file: &Path) -> Result<Vec<Record>, String> {
    let name = file.display();
    let bytes = fs::read(file).map_err(|e| {
        format!("list '{name}' cannot be read: {e}; the plugin writes it with candidates=FILE")
    })?;
    let (regions, bad) = lines::parse::<Listed>(&String::from_utf8_lossy(&bytes));
    if let Some(bad) = bad.first() {
        return Err(format!(
            "list '{name}', {bad}; let the plugin of this version write it again (candidates={name})"
        ));
    }
    let chosen = |region: &Listed| {
        let mut record = Record::of(region, 1, "");
        record.choose(region, region.chosen);
        record
    };
    Ok(regions.iter().map(chosen).collect())
}

/// The list of all nests in the order of the source, and each of them.
fn body(nests: &[Nest], records: &[Record], sources: &Sources) -> String {
    let sum: f64 = nests.iter().filter_map(|n| n.weight).sum();
    let sections: String = nests
        .iter()
        .enumerate()
        .map(|(at, n)| nest::section(at, nests, sum, record_of(n, records), sources))
        .collect();
    format!(
        "<header>\n<h1>Loop nests</h1>\n<p>{}</p>\n<button type=\"button\" id=\"theme\" class=\"script\">colours: system</button>\n</header>\n\
         {}<div class=\"page\">\n{}<main>\n{sections}</main>\n</div>\n",
        list::summary(nests),
        graph::TIP,
        list::of(nests, sum)
    )
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explain::{nests, yaml};
    use polytile_records::Listed;

    const REMARK: &str = "--- !Passed\nPass: polytile\nName: Transformed\nDebugLoc: { File: /s/a.c, Line: 3, Column: 1 }\nFunction: 'f<int>'\nArgs:\n  - TileLoops: '2'\n...\n";

    fn record() -> Record {
        let region = Listed {
            function: "f<int>".into(),
            file: Some("a.c".into()),
            line: Some(3),
            ..Listed::default()
        };
        Record {
            chosen: 1,
            script: Some("region f { tile [0] 8 }".into()),
            code: Some("for (c0 = 0; c0 < n; c0 += 1)".into()),
            ..Record::of(&region, 2, "1 s")
        }
    }

    #[test]
    fn nests_and_records_meet_on_the_page() {
        let nests = nests::of(&yaml::parse(REMARK).unwrap());
        let page = body(&nests, &[record()], &Sources::default());
        assert!(page.contains(">/s/a.c:3 in f&lt;int&gt;</h2>"), "{page}");
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
