//! A script for a given schedule: what the optimizer did, in commands.
//!
//! The tree is walked from the root. Rows and lists become a [mapping](crate::rewrite::mapping) per statement; bands, tiles, marks and
//! how loops run become commands whose addresses are those of the finished tree, because each command comes when all outside
//! of it is finished. The result is run, and compared with the tree; where commands do not give the same tree, the script is one
//! `tree { .. }` command instead.

use super::parse::Script;
use super::run::replayed;
use crate::rewrite::band::Merge;
use crate::rewrite::embed::Embed;
use crate::rewrite::flags::{Flag, Flags};
use crate::rewrite::kinds::Run;
use crate::rewrite::marks::Put;
use crate::rewrite::tile::{Declare, Size, TileBand};
use crate::rewrite::{Address, Applied, State, Step, normal};
use polytile_analysis::deps::Dependences;
use polytile_analysis::ids::StmtId;
use polytile_analysis::poly::{self, DimType, Map, PwAff, UnionPwAff, UnionSet};
use polytile_analysis::scop::Scop;
use polytile_analysis::text;
use polytile_analysis::tree::{Band, LoopKind, Schedule, TileSize, Tree};

/// The SCoP that a script begins with.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// As the user knows it.
    pub scop: &'a Scop,
    /// The commands that lead from it to the one that has a schedule.
    pub commands: &'a [String],
}

/// The region of a script that gives this schedule; `source`: where the script begins, if that is another SCoP.
///
/// # Errors
/// The set library gave up.
pub fn recovered(
    source: Option<Source>,
    (scop, deps): (&Scop, &Dependences),
    schedule: &Schedule,
) -> poly::Result<String> {
    let steps = match steps(scop, deps, schedule) {
        Ok(Some(steps)) => steps,
        Ok(None) | Err(_) => vec![tree(schedule)],
    };
    let source = source.unwrap_or(Source {
        scop,
        commands: &[],
    });
    Ok(region(source, &steps))
}

fn region(Source { scop, commands }: Source, steps: &[String]) -> String {
    let line = scop
        .loc
        .as_ref()
        .map_or(String::new(), |l| format!(":{}", l.line));
    let mut out = format!(
        "region {}{line} statements {} loops {} {{\n",
        scop.function,
        scop.stmts.len(),
        scop.loops.len()
    );
    for command in commands {
        out += &format!("  {command}\n");
    }
    // It was checked when it was made, and is before code is made of it.
    out += "  check off\n";
    for line in steps.iter().flat_map(|s| s.lines()) {
        out += &format!("  {line}\n");
    }
    out + "}\n"
}

fn tree(schedule: &Schedule) -> String {
    format!("tree {{\n{}}}", text::print_schedule(schedule))
}

/// The commands, if they give this very schedule.
fn steps(scop: &Scop, deps: &Dependences, schedule: &Schedule) -> Applied<Option<Vec<String>>> {
    let target = Schedule {
        root: normal(&schedule.root)?,
        ..schedule.clone()
    };
    let mut finder = Finder::default();
    for s in &target.sizes {
        finder.say(&Declare(s.clone()));
    }
    finder.list(&target.root, &target.domain, &[], &[], &target)?;
    let mut steps = finder.mappings(scop)?;
    steps.extend(finder.steps);
    let Some(reached) = replay(scop, deps, &steps) else {
        return Ok(None);
    };
    // Flags are found again, and stated only where they were found to be others.
    let reached = Flags.apply(&reached)?;
    finder.flags.retain(|f| match reached.find(&f.at) {
        Ok((Tree::Band(b), _)) => b.permutable != f.permutable || b.coincident != f.coincident,
        _ => true,
    });
    if !finder.flags.is_empty() {
        steps.push(Flags.to_string());
        steps.extend(finder.flags.iter().map(Flag::to_string));
    }
    let same = match replay(scop, deps, &steps) {
        Some(again) => {
            let again = match finder.flags.is_empty() {
                true => Flags.apply(&again)?,
                false => again,
            };
            same(&again.schedule, &target)?
        }
        None => false,
    };
    Ok(same.then_some(steps))
}

fn replay<'a>(scop: &'a Scop, deps: &'a Dependences, steps: &[String]) -> Option<State<'a>> {
    let source = Source {
        scop,
        commands: &[],
    };
    let text = region(source, steps);
    let script = Script::parse("script", &text).ok()?;
    let region = script.regions.first()?;
    replayed(&script, region, (scop, deps)).ok()
}

/// Whether two schedules are the same for all instances that there are.
fn same(a: &Schedule, b: &Schedule) -> poly::Result<bool> {
    Ok(a.sizes == b.sizes && same_tree((&a.root, &a.domain), (&b.root, &b.domain))?)
}

fn same_tree((a, in_a): (&Tree, &UnionSet), (b, in_b): (&Tree, &UnionSet)) -> poly::Result<bool> {
    match (a, b) {
        (Tree::Leaf, Tree::Leaf) => Ok(true),
        (Tree::Mark(m, a), Tree::Mark(n, b)) => Ok(m == n && same_tree((a, in_a), (b, in_b))?),
        (Tree::Sequence(a), Tree::Sequence(b)) | (Tree::Set(a), Tree::Set(b)) => {
            for (a, b) in a.iter().zip(b) {
                let (here_a, here_b) = (in_a.intersect(&a.filter)?, in_b.intersect(&b.filter)?);
                let same = here_a.is_equal(&here_b)?;
                if !same || !same_tree((&a.child, &here_a), (&b.child, &here_b))? {
                    return Ok(false);
                }
            }
            Ok(a.len() == b.len())
        }
        (Tree::Band(a), Tree::Band(b)) => {
            let plain = a.permutable == b.permutable
                && a.coincident == b.coincident
                && a.loops == b.loops
                && a.tile == b.tile
                && a.schedule.size() == b.schedule.size();
            let map = |b: &Band, domain: &UnionSet| {
                poly::UnionMap::from_multi_union_pw_aff(&b.schedule)?.intersect_domain(domain)
            };
            Ok(plain
                && map(a, in_a)?.is_equal(&map(b, in_b)?)?
                && same_tree((&a.child, in_a), (&b.child, in_b))?)
        }
        _ => Ok(false),
    }
}

/// One dimension of a time.
#[derive(Clone)]
enum Entry {
    Position(usize),
    Row(UnionPwAff),
}

/// What was found so far.
#[derive(Default)]
struct Finder {
    steps: Vec<String>,
    flags: Vec<Flag>,
    /// Instances of a leaf and their times.
    leaves: Vec<(UnionSet, Vec<Entry>)>,
}

impl Finder {
    fn say(&mut self, step: &dyn Step) {
        self.steps.push(step.to_string());
    }

    fn list(
        &mut self,
        tree: &Tree,
        domain: &UnionSet,
        path: &[usize],
        time: &[Entry],
        all: &Schedule,
    ) -> Applied<()> {
        let list = Address {
            path: path.to_vec(),
            list: true,
        };
        match tree {
            Tree::Sequence(branches) | Tree::Set(branches) => {
                for (i, b) in branches.iter().enumerate() {
                    let here = domain.intersect(&b.filter)?;
                    let path = [path, &[i]].concat();
                    let time = [time, &[Entry::Position(i)]].concat();
                    self.item(&b.child, &here, &path, &time, all)?;
                }
                Ok(())
            }
            // What is above a list of several belongs to the list.
            Tree::Mark(m, child) if is_list(child) => {
                self.say(&Put {
                    at: list,
                    mark: m.clone(),
                });
                self.list(child, domain, path, time, all)
            }
            Tree::Band(b) if b.tile.is_some() && is_list(&b.child) => {
                self.tiles(b, domain, (&list, path), time, all)
            }
            other => self.item(other, domain, &[path, &[0]].concat(), time, all),
        }
    }

    fn item(
        &mut self,
        tree: &Tree,
        domain: &UnionSet,
        path: &[usize],
        time: &[Entry],
        all: &Schedule,
    ) -> Applied<()> {
        let at = Address::of(path);
        match tree {
            Tree::Leaf => {
                self.leaves.push((domain.clone(), time.to_vec()));
                Ok(())
            }
            Tree::Mark(m, child) => {
                self.say(&Put {
                    at,
                    mark: m.clone(),
                });
                self.item(child, domain, path, time, all)
            }
            Tree::Sequence(_) | Tree::Set(_) => self.list(tree, domain, path, time, all),
            Tree::Band(b) if b.tile.is_some() => {
                let outer = &path[..path.len() - 1];
                self.tiles(b, domain, (&at, outer), time, all)
            }
            Tree::Band(b) => self.band(b, domain, path, time, all),
        }
    }

    fn band(
        &mut self,
        b: &Band,
        domain: &UnionSet,
        path: &[usize],
        time: &[Entry],
        all: &Schedule,
    ) -> Applied<()> {
        let at = Address::of(path);
        let mut time = time.to_vec();
        let members = b.schedule.size();
        for m in 0..members {
            let row = b.schedule.at(m)?.intersect_domain(&domain.universe_of()?)?;
            match number(&row)? {
                // A mapping would make a position of it.
                Some(value) => self.say(&Embed {
                    at: at.inside(m),
                    value: value.to_string(),
                }),
                None => time.push(Entry::Row(row)),
            }
        }
        if members > 1 {
            self.say(&Merge {
                at: at.clone(),
                loops: members,
            });
        }
        self.kinds(b, &at);
        let inner = at.inside(members - 1);
        self.list(&b.child, domain, &inner.path, &time, all)
    }

    fn kinds(&mut self, b: &Band, at: &Address) {
        for (m, kind) in b.loops.iter().enumerate() {
            if *kind != LoopKind::Sequential {
                self.say(&Run {
                    at: at.inside(m),
                    kind: *kind,
                });
            }
        }
        self.flags.push(Flag {
            at: at.clone(),
            permutable: b.permutable,
            coincident: b.coincident.clone(),
        });
    }

    /// A band of tiles at a node or list; `outer`: the list that it is in.
    fn tiles(
        &mut self,
        b: &Band,
        domain: &UnionSet,
        (at, outer): (&Address, &[usize]),
        time: &[Entry],
        all: &Schedule,
    ) -> Applied<()> {
        let tile = b.tile.as_ref().expect("a tile band");
        let size = |s: &TileSize| match s {
            TileSize::Const(n) => Size::Const(*n),
            TileSize::Param(p) => Size::Named(all.sizes[*p].name.clone()),
            TileSize::Whole => Size::Whole,
        };
        let inside = nested_rows(&b.child, b.schedule.size())?;
        let own = b.schedule.union_pw_affs()?;
        let by = match inside {
            Some(rows) if same_rows(&rows, &own, domain)? => None,
            _ => Some(functions(b, domain)?),
        };
        self.say(&TileBand {
            at: at.clone(),
            sizes: tile.sizes.iter().map(size).collect(),
            by,
            wave: tile.wavefront.clone(),
        });
        let position = if at.list { 0 } else { at.path[outer.len()] };
        let first = Address::of(&[outer, &[position]].concat());
        self.kinds(b, &first);
        let inner = first.inside(b.schedule.size() - 1);
        self.list(&b.child, domain, &inner.path, time, all)
    }

    /// A mapping per statement.
    fn mappings(&self, scop: &Scop) -> Applied<Vec<String>> {
        let length = self.leaves.iter().map(|(_, t)| t.len()).max().unwrap_or(0);
        let mut lines = vec![];
        for s in &scop.stmts {
            let mut pieces = vec![];
            for (instances, time) in &self.leaves {
                for set in instances.sets()? {
                    if set.tuple_name().as_deref() == Some(&s.name) && !set.is_empty()? {
                        let whole = s.domain.is_subset(&set)?;
                        pieces.push(piece(s.id, &set, whole, time, length)?);
                    }
                }
            }
            lines.push(format!("mapping {} {{ {} }}", s.id, pieces.join("; ")));
        }
        Ok(lines)
    }
}

fn is_list(tree: &Tree) -> bool {
    match tree {
        Tree::Sequence(_) | Tree::Set(_) => true,
        Tree::Mark(_, child) => is_list(child),
        Tree::Band(b) => b.tile.is_some() && is_list(&b.child),
        Tree::Leaf => false,
    }
}

/// The number that a row is for all of its instances.
fn number(row: &UnionPwAff) -> Applied<Option<i64>> {
    let mut value = None;
    for part in row.pw_affs()? {
        for (_, aff) in part.pieces()? {
            if !aff.is_cst()? {
                return Ok(None);
            }
            let v = aff.constant_val()?.to_i64()?;
            if value.is_some_and(|o| o != v) {
                return Ok(None);
            }
            value = Some(v);
        }
    }
    Ok(value)
}

/// The rows of the outermost loops of a tree, if it has as many right inside each other.
fn nested_rows(tree: &Tree, n: usize) -> Applied<Option<Vec<UnionPwAff>>> {
    match tree {
        Tree::Mark(..) | Tree::Leaf | Tree::Sequence(_) | Tree::Set(_) => Ok(None),
        Tree::Band(b) => {
            let mut rows = b.schedule.union_pw_affs()?;
            if rows.len() < n {
                let Some(more) = nested_rows(&b.child, n - rows.len())? else {
                    return Ok(None);
                };
                rows.extend(more);
            }
            rows.truncate(n);
            Ok(Some(rows))
        }
    }
}

fn same_rows(a: &[UnionPwAff], b: &[UnionPwAff], domain: &UnionSet) -> Applied<bool> {
    let universe = domain.universe_of()?;
    for (a, b) in a.iter().zip(b) {
        let (a, b) = (
            a.intersect_domain(&universe)?,
            b.intersect_domain(&universe)?,
        );
        if !a.plain_is_equal(&b)? {
            return Ok(false);
        }
    }
    Ok(a.len() == b.len())
}

/// The rows of a band as one map, in isl's notation.
fn functions(b: &Band, domain: &UnionSet) -> Applied<String> {
    let rows = b.schedule.intersect_domain(&domain.universe_of()?)?;
    let map = poly::UnionMap::from_multi_union_pw_aff(&rows)?;
    Ok(without_params(&map.to_string()))
}

fn without_params(text: &str) -> String {
    let at = text.find('{').unwrap_or(0);
    text[at..].to_owned()
}

/// The times of some instances of a statement.
fn piece(
    stmt: StmtId,
    set: &poly::Set,
    whole: bool,
    time: &[Entry],
    length: usize,
) -> Applied<String> {
    let universe = poly::Set::universe(&set.space()?)?;
    let mut rows: Vec<PwAff> = vec![];
    for entry in time {
        rows.push(match entry {
            Entry::Position(p) => {
                PwAff::si_on_domain(&universe, i64::try_from(*p).expect("a short list"))?
            }
            Entry::Row(upa) => {
                let parts = upa.pw_affs()?;
                let name = |p: &PwAff| -> poly::Result<bool> {
                    let found = p.domain_space()?.tuple_name(DimType::Set);
                    Ok(found == set.tuple_name())
                };
                let mut found = PwAff::si_on_domain(&universe, 0)?;
                for p in parts {
                    if name(&p)? {
                        found = p;
                    }
                }
                found
            }
        });
    }
    while rows.len() < length {
        rows.push(PwAff::si_on_domain(&universe, 0)?);
    }
    let mut map: Option<Map> = None;
    for r in &rows {
        let one = Map::from_pw_aff(r)?;
        map = Some(match map {
            Some(m) => m.flat_range_product(&one)?,
            None => one,
        });
    }
    let Some(map) = map else {
        return Ok(format!("{stmt}[] -> []"));
    };
    let map = if whole {
        map
    } else {
        map.intersect_domain(set)?
    };
    let text = without_params(&map.to_string());
    Ok(text
        .trim_start_matches(['{', ' '])
        .trim_end_matches(['}', ' '])
        .to_owned())
}
