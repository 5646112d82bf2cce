//! The remarks of a nest, together: one fate, and what else was said of its place.

use super::yaml::{Kind, Loc, Remark};

/// What became of a nest.
#[derive(Clone, PartialEq, Debug)]
pub enum Fate {
    /// There is a new version.
    Transformed(Remark),
    /// There is none.
    Left(Remark),
    /// It is a loop that is in no nest that the model covers.
    NotModelled(Remark),
}

/// A nest of the source.
#[derive(Clone, PartialEq, Debug)]
pub struct Nest {
    /// Its function.
    pub function: String,
    /// Its first loop; `None`: compiled without debug information.
    pub loc: Option<Loc>,
    /// What became of it.
    pub fate: Fate,
    /// What it holds: `4 statements, 3 loops; A[][], x[]`.
    pub what: Option<String>,
    /// Instructions of the new version, and of the function before.
    pub code: Option<(u64, u64)>,
    /// What was said of the tuner's database.
    pub database: Vec<String>,
    /// How hot it is; only to be compared with others.
    pub weight: Option<f64>,
}

impl Nest {
    /// Where it is, for a reader.
    pub fn place(&self) -> String {
        match &self.loc {
            Some(l) => format!("{}:{} in {}", l.file, l.line, self.function),
            None => format!(
                "a nest of {} (compile with -g1 for its line)",
                self.function
            ),
        }
    }

    /// Whether it is a nest, and no single loop beside.
    pub fn is_nest(&self) -> bool {
        !matches!(self.fate, Fate::NotModelled(_))
    }
}

/// The nests that remarks are about, by file and line.
pub fn of(remarks: &[Remark]) -> Vec<Nest> {
    let mut nests: Vec<Nest> = vec![];
    for r in remarks {
        let Some(fate) = fate(r) else {
            continue;
        };
        let nest = Nest {
            function: r.function.clone(),
            loc: r.loc.clone(),
            fate,
            what: None,
            code: None,
            database: vec![],
            weight: r.hotness.map(|h| h as f64),
        };
        let known = |n: &&mut Nest| r.loc.is_some() && n.loc == r.loc && n.function == r.function;
        match nests.iter_mut().find(known) {
            // A nest that several copies are made of may be told several times; what was done counts.
            Some(known) if !matches!(known.fate, Fate::Transformed(_)) => *known = nest,
            Some(_) => {}
            None => nests.push(nest),
        }
    }
    for r in remarks {
        let here = |n: &&mut Nest| n.function == r.function && n.loc == r.loc;
        if let Some(nest) = nests.iter_mut().find(here) {
            detail(nest, r);
        }
    }
    nests.sort_by(|a, b| a.loc.cmp(&b.loc));
    nests
}

fn fate(r: &Remark) -> Option<Fate> {
    match (r.name.as_str(), r.kind) {
        ("Transformed", _) => Some(Fate::Transformed(r.clone())),
        ("NotTransformed" | "InternalError", Kind::Missed) => Some(Fate::Left(r.clone())),
        ("NotModelled" | "NotTransformed", Kind::Analysis) => Some(Fate::NotModelled(r.clone())),
        _ => None,
    }
}

fn detail(nest: &mut Nest, r: &Remark) {
    match r.name.as_str() {
        "StaticControlPart" => nest.what = r.arg("What").map(str::to_owned),
        "CodeSize" => nest.code = r.number("Made").zip(r.number("Before")),
        "Database" => {
            let said = r.arg("Database").or(r.arg("Flaw"));
            nest.database.extend(said.map(str::to_owned));
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn remark(kind: Kind, name: &str, line: u32, args: &[(&str, &str)]) -> Remark {
        let args = args.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned()));
        Remark {
            kind,
            name: name.into(),
            loc: Some(Loc {
                file: "a.c".into(),
                line,
                column: 1,
            }),
            function: "f".into(),
            hotness: None,
            args: args.collect(),
        }
    }

    #[test]
    fn remarks_of_one_place_are_one_nest() {
        let remarks = [
            remark(Kind::Missed, "NotTransformed", 9, &[("Reason", "x")]),
            remark(
                Kind::Analysis,
                "StaticControlPart",
                3,
                &[("What", "1 statement")],
            ),
            remark(Kind::Missed, "NotTransformed", 3, &[("Reason", "a copy")]),
            remark(Kind::Passed, "Transformed", 3, &[]),
            remark(
                Kind::Analysis,
                "CodeSize",
                3,
                &[("Made", "12"), ("Before", "4")],
            ),
            remark(Kind::Analysis, "NotModelled", 10, &[("Reason", "x")]),
            remark(Kind::Passed, "Database", 3, &[("Database", "used")]),
        ];
        let nests = of(&remarks);
        assert_eq!(nests.len(), 3);
        let first = &nests[0];
        assert!(matches!(first.fate, Fate::Transformed(_)));
        assert_eq!(first.what.as_deref(), Some("1 statement"));
        assert_eq!(first.code, Some((12, 4)));
        assert_eq!(first.database, ["used"]);
        assert_eq!(first.place(), "a.c:3 in f");
        assert!(nests[1].is_nest() && !nests[2].is_nest());
    }
}
