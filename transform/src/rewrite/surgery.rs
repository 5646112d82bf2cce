//! Cutting and joining of schedule trees at an address.
//!
//! A step names a loop; the tree may hold it in the middle of a band, which is then cut in two: `band (i, j, k)` at `j` is
//! `band (i)` over `band (j, k)`. After each change the tree is [`normal`] again.

use super::{Address, Applied, Refusal, State, Structure};
use polytile_analysis::poly::{self, UnionMap, UnionPwAff, UnionSet};
use polytile_analysis::tree::{Band, Branch, LoopKind, Schedule, Tile, TileSize, Tree, rows};

/// What becomes of a node and of the instances that reach it.
pub(super) type Change<'c> = dyn FnMut(&Tree, &UnionSet) -> Applied<Tree> + 'c;

/// A child, and its address.
pub(super) type Placed<'t> = (&'t Branch, &'t Address);

/// A change, and where.
struct Editor<'a, 'c> {
    at: &'a Address,
    /// Whether marks above the node are part of it.
    marked: bool,
    /// Whether a band is cut in front of the loop; else the change gets the whole band and [`Member`].
    cut: bool,
    member: usize,
    change: &'a mut Change<'c>,
}

/// Changes the node at an address, below its marks.
pub(super) fn edit(s: &Schedule, at: &Address, change: &mut Change) -> Applied<Schedule> {
    edited(s, at, false, true, change).map(|(s, _)| s)
}

/// Puts one child in the place of the loop at an address and the next one; the change gets both with their addresses.
pub(super) fn edit_two<'a>(
    state: &State<'a>,
    at: &Address,
    change: &dyn Fn(Placed, Placed) -> Applied<Branch>,
) -> Applied<State<'a>> {
    let not_a_loop = || Structure::NotALoop(at.to_string());
    let (list, position) = at.parent().ok_or_else(not_a_loop)?;
    state.find(at)?;
    let next = at.sibling(position + 1);
    let schedule = edit(&state.schedule, &list, &mut |tree, domain| {
        let mut all = children(tree, domain)?;
        if position + 1 >= all.len() {
            return Err(Structure::NothingFollows(at.to_string()).into());
        }
        let second = all.remove(position + 1);
        let first = all.remove(position);
        all.insert(position, change((&first, at), (&second, &next))?);
        Ok(listed(all))
    })?;
    Ok(state.with(schedule))
}

/// Changes the node at an address together with its marks.
pub(super) fn edit_marked(s: &Schedule, at: &Address, change: &mut Change) -> Applied<Schedule> {
    edited(s, at, true, true, change).map(|(s, _)| s)
}

/// Changes the band of a loop as a whole; the change gets the loop's member.
pub(super) fn edit_member(
    s: &Schedule,
    at: &Address,
    change: &mut dyn FnMut(&Band, usize, &UnionSet) -> Applied<Band>,
) -> Applied<Schedule> {
    // The first pass finds the member.
    let (_, member) = edited(s, at, false, false, &mut |tree, _| Ok(tree.clone()))?;
    let mut changed = |tree: &Tree, domain: &UnionSet| match tree {
        Tree::Band(b) => Ok(Tree::Band(Box::new(change(b, member, domain)?))),
        _ => Err(Structure::NotALoop(at.to_string()).into()),
    };
    edited(s, at, false, false, &mut changed).map(|(s, _)| s)
}

fn edited(
    s: &Schedule,
    at: &Address,
    marked: bool,
    cut: bool,
    change: &mut Change,
) -> Applied<(Schedule, usize)> {
    if at.path.is_empty() && !at.list {
        return Err(Structure::NotALoop(at.to_string()).into());
    }
    let mut editor = Editor {
        at,
        marked,
        cut,
        member: 0,
        change,
    };
    let root = editor.list(&s.root, &s.domain, &at.path)?;
    let member = editor.member;
    let root = normal(&root)?;
    Ok((Schedule { root, ..s.clone() }, member))
}

impl Editor<'_, '_> {
    fn missing<T>(&self) -> Applied<T> {
        Err(Structure::NoSuch(format!("loop or statement {}", self.at)).into())
    }

    fn list(&mut self, tree: &Tree, domain: &UnionSet, rest: &[usize]) -> Applied<Tree> {
        let Some((&first, others)) = rest.split_first() else {
            return self.here(tree, domain);
        };
        match tree {
            Tree::Mark(m, child) if !(self.marked && is_alone(child)) => {
                Ok(marked(m, self.list(child, domain, rest)?))
            }
            Tree::Sequence(list) | Tree::Set(list) => {
                let Some(branch) = list.get(first) else {
                    return self.missing();
                };
                let here = domain.intersect(&branch.filter)?;
                let mut list = list.clone();
                list[first].child = self.item(&branch.child, &here, others)?;
                Ok(match tree {
                    Tree::Set(_) => Tree::Set(list),
                    _ => Tree::Sequence(list),
                })
            }
            other if first == 0 => self.item(other, domain, others),
            _ => self.missing(),
        }
    }

    fn item(&mut self, tree: &Tree, domain: &UnionSet, rest: &[usize]) -> Applied<Tree> {
        if rest.is_empty() && !self.at.list {
            return self.here(tree, domain);
        }
        match tree {
            Tree::Mark(m, child) => Ok(marked(m, self.item(child, domain, rest)?)),
            Tree::Sequence(_) | Tree::Set(_) => self.list(tree, domain, rest),
            Tree::Leaf => self.missing(),
            Tree::Band(b) => self.band(b, domain, rest),
        }
    }

    fn band(&mut self, b: &Band, domain: &UnionSet, rest: &[usize]) -> Applied<Tree> {
        let members = b.schedule.size();
        let inner = rest.len();
        let through = inner >= members || self.at.list && inner + 1 >= members;
        let zeros = if through { members - 1 } else { inner };
        if rest[..zeros].iter().any(|p| *p != 0) {
            return self.missing();
        }
        if through {
            let child = self.list(&b.child, domain, &rest[members - 1..])?;
            return Ok(Tree::Band(Box::new(Band { child, ..b.clone() })));
        }
        let at = if self.at.list { inner + 1 } else { inner };
        if !self.cut {
            self.member = at;
            return (self.change)(&Tree::Band(Box::new(b.clone())), domain);
        }
        let below = Tree::Band(Box::new(part(b, at, members)?));
        let outer = part(b, 0, at)?;
        Ok(Tree::Band(Box::new(Band {
            child: (self.change)(&below, domain)?,
            ..outer
        })))
    }

    fn here(&mut self, tree: &Tree, domain: &UnionSet) -> Applied<Tree> {
        match tree {
            Tree::Mark(m, child) if !self.marked => Ok(marked(m, self.here(child, domain)?)),
            _ => (self.change)(tree, domain),
        }
    }
}

/// Whether a tree below marks is the only child of its list: the marks belong to it.
fn is_alone(tree: &Tree) -> bool {
    match tree {
        Tree::Mark(_, child) => is_alone(child),
        Tree::Sequence(_) | Tree::Set(_) => false,
        Tree::Band(_) | Tree::Leaf => true,
    }
}

fn marked(mark: &polytile_analysis::tree::Mark, child: Tree) -> Tree {
    Tree::Mark(mark.clone(), Box::new(child))
}

/// Members `from..to` of a band, with its child.
pub(super) fn part(b: &Band, from: usize, to: usize) -> Applied<Band> {
    let tile = match &b.tile {
        None => None,
        Some(t) if t.wavefront.is_empty() => Some(Tile {
            sizes: t.sizes[from..to].to_vec(),
            wavefront: vec![],
        }),
        Some(_) => {
            return Err(
                Structure::Decided("the loops of a wavefront belong together".into()).into(),
            );
        }
    };
    let all = b.schedule.union_pw_affs()?;
    Ok(Band {
        schedule: rows(&b.schedule.domain_space()?, &all[from..to])?,
        permutable: b.permutable,
        coincident: b.coincident[from..to].to_vec(),
        loops: b.loops[from..to].to_vec(),
        tile,
        child: b.child.clone(),
    })
}

/// One loop of a nest.
#[derive(Clone)]
pub(super) struct Loop {
    pub row: UnionPwAff,
    pub kind: LoopKind,
    pub tile: Option<TileSize>,
}

/// The outermost `n` loops of a nest, and what is inside of them.
pub(super) fn nest(tree: &Tree, n: usize, at: &Address) -> Applied<(Vec<Loop>, Tree)> {
    if n == 0 {
        return Ok((vec![], tree.clone()));
    }
    let Tree::Band(b) = tree else {
        return Err(match n {
            1 => Structure::NotALoop(at.to_string()).into(),
            _ => Structure::NotNested(at.to_string(), n).into(),
        });
    };
    let members = b.schedule.size();
    let (here, below) = if members > n {
        (part(b, 0, n)?, Tree::Band(Box::new(part(b, n, members)?)))
    } else {
        ((**b).clone(), b.child.clone())
    };
    if here.tile.as_ref().is_some_and(|t| !t.wavefront.is_empty()) {
        return Err(Structure::Decided("the loops of a wavefront belong together".into()).into());
    }
    let mut loops = vec![];
    for m in 0..here.schedule.size() {
        loops.push(Loop {
            row: here.schedule.at(m)?,
            kind: here.loops[m],
            tile: here.tile.as_ref().map(|t| t.sizes[m].clone()),
        });
    }
    let left = n - loops.len();
    if left > 0 && !matches!(below, Tree::Band(_)) {
        return Err(Structure::NotNested(at.to_string(), n).into());
    }
    let (inner, child) = nest(&below, left, at).map_err(|e| match e {
        Refusal::Structure(Structure::NotNested(at, _)) => Structure::NotNested(at, n).into(),
        other => other,
    })?;
    loops.extend(inner);
    Ok((loops, child))
}

/// Loops around a tree, a band for each.
pub(super) fn around(loops: &[Loop], child: Tree) -> Applied<Tree> {
    let mut tree = child;
    for l in loops.iter().rev() {
        let mut band = Band::looping(&l.row, l.kind, false, tree)?;
        band.permutable = false;
        band.tile = l.tile.clone().map(|size| Tile {
            sizes: vec![size],
            wavefront: vec![],
        });
        tree = Tree::Band(Box::new(band));
    }
    Ok(tree)
}

/// The children of a list, with the instances of each.
pub(super) fn children(tree: &Tree, domain: &UnionSet) -> Applied<Vec<Branch>> {
    match tree {
        Tree::Sequence(list) | Tree::Set(list) => list
            .iter()
            .map(|b| {
                Ok(Branch {
                    filter: domain.intersect(&b.filter)?,
                    child: b.child.clone(),
                })
            })
            .collect(),
        other => Ok(vec![Branch {
            filter: domain.clone(),
            child: other.clone(),
        }]),
    }
}

/// A list of these children.
pub(super) fn listed(mut children: Vec<Branch>) -> Tree {
    match children.len() {
        0 => Tree::Leaf,
        1 => children.remove(0).child,
        _ => Tree::Sequence(children),
    }
}

/// The instances of all children.
pub(super) fn instances(children: &[Branch]) -> Applied<UnionSet> {
    let (first, others) = children.split_first().expect("a list has children");
    let mut all = first.filter.clone();
    for b in others {
        all = all.union(&b.filter)?;
    }
    Ok(all)
}

/// One row out of two, of instances that no two have in common.
pub(super) fn joined(
    (a, in_a): (&UnionPwAff, &UnionSet),
    (b, in_b): (&UnionPwAff, &UnionSet),
) -> Applied<UnionPwAff> {
    let (all_a, all_b) = (in_a.universe_of()?, in_b.universe_of()?);
    let (a, b) = if all_a.is_disjoint(&all_b)? {
        (a.intersect_domain(&all_a)?, b.intersect_domain(&all_b)?)
    } else {
        let (a, b) = (a.intersect_domain(&all_a)?, b.intersect_domain(&all_b)?);
        let same = UnionMap::from_union_pw_aff(&a)?.intersect_domain(in_b)?;
        if same.is_subset(&UnionMap::from_union_pw_aff(&b)?)? && plain(&a)? {
            // Pieces of one statement that have one row again.
            let rest = b.intersect_domain(&all_b.subtract(&all_a)?)?;
            (a, rest)
        } else {
            (a.intersect_domain(in_a)?, b.intersect_domain(in_b)?)
        }
    };
    Ok(a.union_add(&b)?.coalesce()?)
}

/// Whether a row is one function per statement, without conditions.
fn plain(row: &UnionPwAff) -> poly::Result<bool> {
    for piece in row.pw_affs()? {
        if !piece.domain()?.plain_is_universe()? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The tree without lists in lists and without lists of one child; rows and filters speak of the instances that reach them.
pub fn normal(tree: &Tree) -> poly::Result<Tree> {
    let tree = tree.with_children(|child, _| normal(child))?;
    Ok(match tree {
        Tree::Sequence(list) => {
            let mut flat = vec![];
            for b in list {
                match b.child {
                    Tree::Sequence(inner) => {
                        for i in inner {
                            flat.push(Branch {
                                filter: b.filter.intersect(&i.filter)?,
                                child: i.child,
                            });
                        }
                    }
                    child => flat.push(Branch { child, ..b }),
                }
            }
            match flat.len() {
                1 => flat.remove(0).child,
                _ => Tree::Sequence(flat),
            }
        }
        other => other,
    })
}
