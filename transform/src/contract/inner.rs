//! Loops of a row that take each other's elements, as one loop: [`united`].
//!
//! Nests that run row by row still walk each row once for each of them. Where one takes the elements of the other one by one, they are one loop, and what
//! is handed on is in registers ([`crate::ast::handed_on`]):
//!
//! ```text
//! for i { for j: d[j] = a[i][j] - s[i & 3][j];  for j: b[i][j] = d[j] * d[j] }   ->   for i: for j { d = ..;  b[i][j] = d * d }
//! ```

use crate::live::{Live, moved, statements};
use polytile_analysis::deps::Dependences;
use polytile_analysis::poly::{Result, UnionPwAff, UnionSet};
use polytile_analysis::scop::Scop;
use polytile_analysis::tree::{Band, Branch, LoopKind, Schedule, Tree};

/// The schedule with loops of a row united; `None`: there are none.
pub fn united(scop: &Scop, deps: &Dependences, schedule: &Schedule) -> Result<Option<Schedule>> {
    let mut walk = Walk { scop, any: false };
    let live = Live::at_root(deps)?;
    let root = walk.tree(&schedule.root, &schedule.domain, &live)?;
    Ok(walk.any.then_some(Schedule {
        root,
        ..schedule.clone()
    }))
}

struct Walk<'a> {
    scop: &'a Scop,
    /// Some loops were united.
    any: bool,
}

/// An innermost loop of a list.
struct Row {
    filter: UnionSet,
    row: UnionPwAff,
    /// What it runs in each iteration.
    points: Vec<Branch>,
}

impl Walk<'_> {
    fn tree(&mut self, tree: &Tree, domain: &UnionSet, live: &Live) -> Result<Tree> {
        match tree {
            Tree::Band(b) => {
                let mut below = live.clone();
                for row in b.schedule.union_pw_affs()? {
                    below = below.tied(&row)?;
                }
                let child = self.tree(&b.child, domain, &below)?;
                Ok(Tree::Band(Box::new(Band {
                    child,
                    ..(**b).clone()
                })))
            }
            Tree::Sequence(list) => self.list(list, domain, live),
            other => Ok(other.clone()),
        }
    }

    fn list(&mut self, list: &[Branch], domain: &UnionSet, live: &Live) -> Result<Tree> {
        let mut done: Vec<Branch> = vec![];
        let mut open: Option<Row> = None;
        for b in list {
            let here = domain.intersect(&b.filter)?;
            let Some(row) = row_of(b)? else {
                done.extend(open.take().map(Row::branch).transpose()?);
                let child = self.tree(&b.child, &here, &live.inside(&here)?)?;
                let filter = b.filter.clone();
                done.push(Branch { filter, child });
                continue;
            };
            open = Some(match open.take() {
                None => row,
                Some(before) => match self.both(&before, &row, domain, live)? {
                    Some(both) => {
                        self.any = true;
                        both
                    }
                    None => {
                        done.push(before.branch()?);
                        row
                    }
                },
            });
        }
        done.extend(open.map(Row::branch).transpose()?);
        Ok(match done.len() {
            1 => done.remove(0).child,
            _ => Tree::Sequence(done),
        })
    }

    /// Two loops as one, the second moved so that it takes each element where the first has left it; `None` if its iterations were not independent
    /// then, or they hand nothing on.
    fn both(&self, a: &Row, b: &Row, domain: &UnionSet, live: &Live) -> Result<Option<Row>> {
        let filter = a.filter.union(&b.filter)?;
        let inside = domain.intersect(&filter)?;
        let live = live.inside(&inside)?;
        let ahead = statements(self.scop, &domain.intersect(&a.filter)?)?;
        let behind = statements(self.scop, &domain.intersect(&b.filter)?)?;
        let joint = a.row.union_add(&b.row)?;
        let Some(found) = live.distances(&joint)? else {
            return Ok(None);
        };
        let mut between = found
            .iter()
            .filter(|d| ahead.contains(&d.src) && behind.contains(&d.dst));
        let Some(first) = between.next() else {
            return Ok(None);
        };
        let by = first.least;
        let constant = |least: i64, most: i64| least == by && most == by;
        if !constant(first.least, first.most) || !between.all(|d| constant(d.least, d.most)) {
            return Ok(None);
        }
        let row = a.row.union_add(&moved(&b.row, -by)?)?;
        Ok(live.coincident(&row)?.then(|| Row {
            filter,
            row,
            points: a.points.iter().chain(&b.points).cloned().collect(),
        }))
    }
}

impl Row {
    fn branch(self) -> Result<Branch> {
        let mut points = self.points;
        let child = match points.len() {
            1 => points.remove(0).child,
            _ => Tree::Sequence(points),
        };
        Ok(Branch {
            filter: self.filter,
            child: Tree::looping(&self.row, LoopKind::Sequential, true, child)?,
        })
    }
}

/// A branch as an innermost loop of independent iterations; `None` if it is none.
fn row_of(b: &Branch) -> Result<Option<Row>> {
    let Tree::Band(band) = &b.child else {
        return Ok(None);
    };
    let plain = band.tile.is_none() && band.is_sequential() && band.child.is_point();
    if !plain || band.schedule.size() != 1 || !band.coincident[0] {
        return Ok(None);
    }
    let points = match &band.child {
        Tree::Sequence(list) => list.clone(),
        other => vec![Branch {
            filter: b.filter.clone(),
            child: other.clone(),
        }],
    };
    Ok(Some(Row {
        filter: b.filter.clone(),
        row: (band.schedule.at(0)?).intersect_domain(&b.filter.universe_of()?)?,
        points,
    }))
}
