//! A file that was read, and the order that it gives a SCoP.

use crate::Flaw;
use crate::flaw::AtLine;
use crate::names::in_own_names;
use polytile_analysis::deps::Dependences;
use polytile_analysis::poly::{self, DimType, Set, UnionMap, UnionSet};
use polytile_analysis::scop::{AccessKind, Scop, Stmt};
use polytile_analysis::text::parse_schedule_in;
use polytile_analysis::text::yaml::Yaml;
use polytile_analysis::tree::{Band, Branch, Schedule, Tree};
use polytile_transform::rewrite::flags::Flags;
use polytile_transform::rewrite::mapping::{timed, told_apart};
use polytile_transform::rewrite::{self, Refusal, State, Step};
use std::borrow::Cow;

/// A text in isl's notation, and its line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Piece {
    pub(crate) text: String,
    pub(crate) line: usize,
}

/// The order that a file gives.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Order {
    /// Relations from instances to times.
    Times(Vec<Piece>),
    /// A schedule tree.
    Tree(Yaml),
}

/// What a file says, whatever its form.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Contents {
    /// Iteration domains.
    pub(crate) domain: Vec<Piece>,
    pub(crate) order: Order,
    /// Access relations of the kinds that the file speaks of.
    pub(crate) accesses: Vec<(AccessKind, Vec<Piece>)>,
}

/// A file that was read.
#[derive(Clone, PartialEq, Debug)]
pub struct Document {
    file: String,
    contents: Contents,
}

/// A relation with the line that it stands on.
type Placed<T> = Vec<(T, usize)>;

impl Document {
    pub(crate) fn new(file: &str, contents: Contents) -> Document {
        Document {
            file: file.to_owned(),
            contents,
        }
    }

    /// Its file, as it was named.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// Whether it is about this SCoP: the same instances, which access the same elements.
    ///
    /// # Errors
    /// What in the file is not the SCoP's.
    pub fn fits(&self, scop: &Scop) -> Result<(), Flaw> {
        let own = self.named(scop)?;
        own.told(own.same_domain(scop).and_then(|()| own.same_accesses(scop)))
    }

    /// The order that the file gives a SCoP's instances. It is legal; which loops are permutable and coincident is found here, whatever the file says.
    ///
    /// # Errors
    /// Instances without a time or with two; a dependence that would run backwards.
    pub fn order(&self, scop: &Scop, deps: &Dependences) -> Result<Schedule, Flaw> {
        let own = self.named(scop)?;
        own.told(own.proved(scop, deps))
    }

    /// Itself in the SCoP's names.
    fn named(&self, scop: &Scop) -> Result<Cow<'_, Document>, Flaw> {
        let undecided = |e: poly::Error| undecided(self.first_line(), &e);
        Ok(
            match self.told(in_own_names(&self.contents, scop).map_err(undecided))? {
                None => Cow::Borrowed(self),
                Some(contents) => Cow::Owned(Document::new(&self.file, contents)),
            },
        )
    }

    fn told<T>(&self, result: Result<T, AtLine>) -> Result<T, Flaw> {
        result.map_err(|at| at.of(&self.file))
    }

    fn same_domain(&self, scop: &Scop) -> Result<(), AtLine> {
        let given = sets(scop, &self.contents.domain)?;
        let first = given.first().map_or(1, |(_, line)| *line);
        let at = |e: poly::Error| undecided(first, &e);
        let known = scop.known().map_err(at)?;
        let mut all = UnionSet::empty(&known.space().map_err(at)?).map_err(at)?;
        let own = scop.domain().and_then(|d| d.intersect_params(&known));
        let own = own.map_err(at)?;
        for (set, line) in &given {
            let set = set.intersect_params(&known).map_err(at)?;
            if !set.is_subset(&own).map_err(at)? {
                let text = format!("instances that are not the region's: its domain is {own}");
                return Err(AtLine::new(*line, text));
            }
            all = all.union(&set).map_err(at)?;
        }
        let left = own.subtract(&all).map_err(at)?;
        match left.is_empty().map_err(at)? {
            true => Ok(()),
            false => Err(AtLine::new(
                first,
                format!("instances of the region are missing: {left}"),
            )),
        }
    }

    fn same_accesses(&self, scop: &Scop) -> Result<(), AtLine> {
        for (kind, pieces) in &self.contents.accesses {
            let first = pieces.first().map_or(1, |p| p.line);
            let at = |e: poly::Error| undecided(first, &e);
            let known = scop.known().map_err(at)?;
            let domain = scop.domain().and_then(|d| d.intersect_params(&known));
            let domain = domain.map_err(at)?;
            let own = scop.accesses(|a| a.kind == *kind);
            let own = own.and_then(|a| a.intersect_domain(&domain)).map_err(at)?;
            let mut all = UnionMap::empty(&own.space().map_err(at)?).map_err(at)?;
            for (map, line) in maps(scop, pieces)? {
                let map = map.intersect_domain(&domain).map_err(at)?;
                if !map.is_subset(&own).map_err(at)? {
                    let text = format!("{}: only schedules are taken from files", other(*kind));
                    return Err(AtLine::new(line, text));
                }
                all = all.union(&map).map_err(at)?;
            }
            let left = own.subtract(&all).map_err(at)?;
            if !left.is_empty().map_err(at)? {
                let text = format!("accesses of the region are missing: {left}");
                return Err(AtLine::new(first, text));
            }
        }
        Ok(())
    }

    fn proved(&self, scop: &Scop, deps: &Dependences) -> Result<Schedule, AtLine> {
        let original = State::original(scop, deps).map_err(|e| undecided(1, &e))?;
        let (mut state, lines) = match &self.contents.order {
            Order::Times(pieces) => by_times(&original, &maps(scop, pieces)?)?,
            Order::Tree(tree) => (by_tree(&original, tree)?, vec![]),
        };
        let root = unconditional(&state.schedule.root, &state.schedule.domain, &scop.context);
        state.schedule.root = root.map_err(|e| undecided(self.first_line(), &e))?;
        let line = |s: &Stmt| {
            lines
                .get(s.id.index())
                .copied()
                .unwrap_or(self.first_line())
        };
        rewrite::check(&state).map_err(|refusal| match &refusal {
            Refusal::Illegal(illegal) => {
                let broken = illegal.violation.dependence.as_ref();
                let stmt = broken.map(|d| scop.stmt(d.dst));
                let at = stmt.map_or(self.first_line(), line);
                AtLine::new(at, refusal.to_string())
            }
            _ => AtLine::new(self.first_line(), refusal.to_string()),
        })?;
        let flagged = Flags.apply(&state);
        let flagged = flagged.map_err(|r| AtLine::new(self.first_line(), r.to_string()))?;
        Ok(flagged.schedule)
    }

    /// Where its order begins.
    fn first_line(&self) -> usize {
        match &self.contents.order {
            Order::Times(pieces) => pieces.first().map_or(1, |p| p.line),
            Order::Tree(tree) => tree.get("child").map_or(tree.line, |c| c.line),
        }
    }
}

/// What is said of an access that the program has not.
fn other(kind: AccessKind) -> &'static str {
    match kind {
        AccessKind::Read => "a read that is not the region's",
        AccessKind::MustWrite | AccessKind::MayWrite => "a write that is not the region's",
    }
}

fn undecided(line: usize, e: &poly::Error) -> AtLine {
    AtLine::new(line, format!("not decided: {e}"))
}

fn sets(scop: &Scop, pieces: &[Piece]) -> Result<Placed<UnionSet>, AtLine> {
    placed(pieces, |text| {
        let set =
            UnionSet::parse(scop.context.ctx(), text)?.align_params(&scop.context.space()?)?;
        let params = set.dim(DimType::Param);
        Ok((set, params == scop.params.len()))
    })
}

fn maps(scop: &Scop, pieces: &[Piece]) -> Result<Placed<UnionMap>, AtLine> {
    placed(pieces, |text| {
        let map =
            UnionMap::parse(scop.context.ctx(), text)?.align_params(&scop.context.space()?)?;
        let params = map.dim(DimType::Param);
        Ok((map, params == scop.params.len()))
    })
}

/// What texts say, and whether that has no parameters but the SCoP's.
fn placed<T>(
    pieces: &[Piece],
    parse: impl Fn(&str) -> poly::Result<(T, bool)>,
) -> Result<Placed<T>, AtLine> {
    let one = |p: &Piece| match parse(&p.text) {
        Ok((value, true)) => Ok((value, p.line)),
        Ok((_, false)) => {
            let text = format!("a parameter that the region does not have: {}", p.text);
            Err(AtLine::new(p.line, text))
        }
        Err(e) => Err(AtLine::new(p.line, format!("{}: {e}", p.text))),
    };
    pieces.iter().map(one).collect()
}

/// The order of a schedule tree.
fn by_tree<'a>(original: &State<'a>, tree: &Yaml) -> Result<State<'a>, AtLine> {
    let scop = original.scop;
    let at = |e: poly::Error| undecided(tree.line, &e);
    let space = scop.context.space().map_err(at)?;
    let given = parse_schedule_in(&space, tree).map_err(|e| AtLine::new(e.line, e.message))?;
    let given = Schedule {
        domain: scop.domain().map_err(at)?,
        ..given
    };
    State::of(scop, original.deps, &given).map_err(at)
}

/// The order of times, and the line for each statement.
fn by_times<'a>(
    original: &State<'a>,
    given: &Placed<UnionMap>,
) -> Result<(State<'a>, Vec<usize>), AtLine> {
    let scop = original.scop;
    let mut lines = vec![];
    let mut times = vec![];
    for s in &scop.stmts {
        let (map, line) = times_of(scop, s, given)?;
        lines.push(line);
        times.push(map);
    }
    let first = lines.iter().min().copied().unwrap_or(1);
    let state = told_apart(original, times).and_then(|times| timed(original, &times));
    let state = state.map_err(|r| AtLine::new(first, r.to_string()))?;
    Ok((state, lines))
}

/// A tree whose rows are for all parameters and whose filters are parts of the domain, as those of the source's order are, and that claims nothing
/// of its loops.
fn unconditional(tree: &Tree, domain: &UnionSet, context: &Set) -> poly::Result<Tree> {
    let branches = |list: &[Branch]| -> poly::Result<Vec<Branch>> {
        let branch = |b: &Branch| {
            Ok(Branch {
                filter: b.filter.gist_params(context)?.intersect(domain)?,
                child: unconditional(&b.child, domain, context)?,
            })
        };
        list.iter().map(branch).collect()
    };
    Ok(match tree {
        Tree::Sequence(list) => Tree::Sequence(branches(list)?),
        Tree::Set(list) => Tree::Set(branches(list)?),
        Tree::Band(band) => Tree::Band(Box::new(Band {
            schedule: band.schedule.gist_params(context)?,
            permutable: false,
            coincident: vec![false; band.coincident.len()],
            child: unconditional(&band.child, domain, context)?,
            ..(**band).clone()
        })),
        other => other.with_children(|child, _| unconditional(child, domain, context))?,
    })
}

/// The times of a statement: each instance has one.
fn times_of(
    scop: &Scop,
    stmt: &Stmt,
    given: &Placed<UnionMap>,
) -> Result<(UnionMap, usize), AtLine> {
    let first = given.first().map_or(1, |(_, line)| *line);
    let mut line = None;
    let found = (|| -> poly::Result<(UnionMap, bool, bool)> {
        let known = scop.known()?;
        let domain = stmt.domain.to_union_set()?;
        let mut all = UnionMap::empty(&known.space()?)?;
        for (map, at) in given {
            let own = map.intersect_domain(&domain.universe_of()?)?;
            if !own.is_empty()? {
                line.get_or_insert(*at);
            }
            all = all.union(&own)?;
        }
        // A tool may have taken in what it was told of parameters; and here times are for all of them.
        let here = all.intersect_domain(&domain.intersect_params(&known)?)?;
        let all = here.gist_params(&known)?.intersect_domain(&domain)?;
        let left = domain.intersect_params(&scop.context)?;
        let left = left.subtract(&all.domain()?)?;
        Ok((all.clone(), left.is_empty()?, all.is_single_valued()?))
    })();
    let line = line.unwrap_or(first);
    match found.map_err(|e| undecided(line, &e))? {
        (all, true, true) => Ok((all, line)),
        (_, false, _) => {
            let text = format!("instances of {} have no time", stmt.name);
            Err(AtLine::new(line, text))
        }
        (_, true, false) => {
            let text = format!("instances of {} have two times", stmt.name);
            Err(AtLine::new(line, text))
        }
    }
}
