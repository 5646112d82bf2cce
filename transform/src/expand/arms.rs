//! Stores to one cell in all arms of a branch are one store of a choice.
//!
//! ```text
//! if (s[i] == t[j]) l[i][j] = l[i-1][j-1] + 1; else l[i][j] = max(l[i-1][j], l[i][j-1]);
//!
//! A: if (c) l[i][j] = a                  A: l[i][j] = choose(c, a, b)
//! B: if (not c) l[i][j] = b
//! ```
//!
//! Apart, each of them may write, each needs the old element, and what reads the cell may find either. As long as their conditions
//! exclude each other, it does not matter which of the arms' stores comes first. Together they must write in each iteration; others
//! stay as they are.
//!
//! A store that another one may overwrite at once is one with it, as a compiler has forwarded what the second one looks at, so that both compute it:
//!
//! ```text
//! p[i] = e; if (e < low) p[i] = low;     A: p[i] = e   B: if (e < low) p[i] = low     A: p[i] = choose(e < low, low, e)
//! ```
//!
//! There the first store may stand under a condition of its own, which the second one's implies. So is one that changes what the first has
//! stored, which finds that value instead of the element:
//!
//! ```text
//! b[i] = e; if (c) b[i] += x;            A: b[i] = e   B: if (c) b[i] = b[i] + x      A: b[i] = choose(c, e + x, e)
//! ```

use super::merge::{beside, numbered, same_iterations};
use polytile_analysis::body::{Body, NodeKind};
use polytile_analysis::ids::{NodeId, ValueId};
use polytile_analysis::poly::{DimType, Result};
use polytile_analysis::region::{OpCode, Ty};
use polytile_analysis::scop::{Access, AccessKind, Place, Scop, Stmt};

/// An iteration has at most so many stores under conditions that are looked at.
const MAX_STORES: usize = 24;

/// Conditions and values of a cell that are looked at: where stores overwrite each other under conditions of their own, each may double them.
const MAX_SIZE: usize = 4 * MAX_STORES;

/// `scop` with stores in all arms of a branch as one.
///
/// # Errors
/// Those of the set library.
pub fn merge_arms(scop: &Scop) -> Result<Scop> {
    if !scop.stmts.iter().any(|s| condition(s).is_some()) {
        return Ok(scop.clone());
    }
    let mut list: Vec<Stmt> = scop.stmts.clone();
    list.sort_by(|a, b| a.beta.cmp(&b.beta));
    let mut at = 0;
    while at < list.len() {
        match arms_from(&list, at)? {
            Some((one, gone)) => {
                list[at] = one;
                gone.iter().rev().for_each(|g| drop(list.remove(*g)));
            }
            None => at += 1,
        }
    }
    if list.len() == scop.stmts.len() {
        return Ok(scop.clone());
    }
    list.sort_by_key(|s| s.id);
    let mut scop = scop.clone();
    scop.stmts = numbered(list)?;
    Ok(scop)
}

/// The condition of a statement that writes one cell of memory under one, and what it writes then.
fn condition(s: &Stmt) -> Option<[NodeId; 2]> {
    let [cond, value, old] = s.body.node(s.body.root).choice()?;
    let kept = matches!(s.body.node(old).kind, NodeKind::Read(_));
    (kept && stores(s, AccessKind::MayWrite)).then_some([cond, value])
}

/// Whether a statement writes one cell of memory, in this way.
fn stores(s: &Stmt, kind: AccessKind) -> bool {
    !s.is_group() && s.write().kind == kind && matches!(s.write().place, Place::Memory(_))
}

/// A statement that may write one cell as one that writes in each iteration: where it did not, what it keeps of the cell.
pub(super) fn always(s: &Stmt) -> Result<Stmt> {
    let mut all = United::new(s);
    let nodes = all.import(s, None)?;
    all.body.root = nodes[s.body.root.index()];
    Ok(all.pruned())
}

/// The statement at `first` with the others of its branch or that overwrite what it stores, and where these are; `None`: there are none.
fn arms_from(list: &[Stmt], first: usize) -> Result<Option<(Stmt, Vec<usize>)>> {
    let s = &list[first];
    let follows = |t: &Stmt| condition(t).is_some() && t.write().array == s.write().array;
    let own = condition(s);
    let certain = stores(s, AccessKind::MustWrite);
    if own.is_none() && !(certain && list.get(first + 1).is_some_and(follows)) {
        return Ok(None);
    }
    let mut all = United::new(s);
    let nodes = all.import(s, None)?;
    let mut tree = match own {
        Some([cond, value]) => Tree::Old.with(&all.when(nodes[cond.index()]), nodes[value.index()]),
        None => Tree::Value(nodes[s.body.root.index()]),
    };
    let covered = tree.covered();
    // Conditions of the stores between, which none that moves up may meet.
    let mut between: Vec<When> = vec![];
    let mut gone = vec![];
    let mut overwritten = None;
    for (at, t) in list.iter().enumerate().skip(first + 1).take(MAX_STORES) {
        let Some([cond, value]) = condition(t).filter(|_| beside(s, t)) else {
            break;
        };
        if !same_iterations(s, t)? {
            break;
        }
        let stored = match tree {
            Tree::Value(stored) if between.is_empty() => Some(stored),
            _ => None,
        };
        let nodes = all.import(t, stored)?;
        let when = all.when(nodes[cond.index()]);
        if !all.is_cell(t.write())? {
            between.push(when);
            continue;
        }
        if !between.iter().all(|b| b.excludes(&when)) {
            break;
        }
        let value = nodes[value.index()];
        all.inst = choosing(t).unwrap_or(all.inst);
        let next = match tree.clone().and(&when, value) {
            None if between.is_empty() && !all.reads_beside(t, stored.is_some())? => {
                tree.with(&when, value)
            }
            None => break,
            Some(next) => next,
        };
        if next.size() > MAX_SIZE {
            break;
        }
        tree = next;
        gone.push(at);
        if tree.is_whole() {
            return Ok(Some((all.stmt(&tree), gone)));
        }
        if tree.covered() == covered {
            overwritten = Some((tree.clone(), gone.clone()));
        }
    }
    let old = |s: &Stmt| s.body.node(s.body.root).choice().map(|[.., old]| old);
    Ok(match (overwritten, own.zip(old(s))) {
        (Some((tree, gone)), Some(([cond, _], old))) => {
            let kept = [cond, old].map(|id| nodes[id.index()]);
            Some((all.updated(kept, &tree), gone))
        }
        _ => None,
    })
}

/// Under which conditions something happens.
#[derive(Clone, PartialEq, Debug)]
enum When {
    Never,
    Always,
    If(NodeId, Box<When>, Box<When>),
}

impl When {
    fn either(cond: NodeId, then: When, els: When) -> When {
        match then == els {
            true => then,
            false => When::If(cond, Box::new(then), Box::new(els)),
        }
    }

    /// `then` where this happens, else `els`.
    fn choose(&self, then: &When, els: &When) -> When {
        match self {
            When::Always => then.clone(),
            When::Never => els.clone(),
            When::If(c, a, b) => When::either(*c, a.choose(then, els), b.choose(then, els)),
        }
    }

    /// Whether both never happen in one iteration, as far as it is seen.
    fn excludes(&self, other: &When) -> bool {
        match (self, other) {
            (When::Never, _) | (_, When::Never) => true,
            (When::If(c, a, b), When::If(d, x, y)) if c == d => a.excludes(x) && b.excludes(y),
            _ => false,
        }
    }
}

/// What a cell has behind some stores.
#[derive(Clone, PartialEq, Debug)]
enum Tree {
    /// What it had before.
    Old,
    Value(NodeId),
    If(NodeId, Box<Tree>, Box<Tree>),
}

impl Tree {
    fn if_(cond: NodeId, then: Tree, els: Tree) -> Tree {
        Tree::If(cond, Box::new(then), Box::new(els))
    }

    /// `value` where something happens, else this.
    fn with(self, when: &When, value: NodeId) -> Tree {
        match (self, when) {
            (tree, When::Never) => tree,
            (_, When::Always) => Tree::Value(value),
            (Tree::If(c, a, b), When::If(d, x, y)) if c == *d => {
                Tree::if_(c, a.with(x, value), b.with(y, value))
            }
            (tree, When::If(c, x, y)) => {
                Tree::if_(*c, tree.clone().with(x, value), tree.with(y, value))
            }
        }
    }

    /// The same, for a store that happens where none of those before does; `None`: it may.
    fn and(self, when: &When, value: NodeId) -> Option<Tree> {
        match (self, when) {
            (tree, When::Never) => Some(tree),
            (Tree::Old, when) => Some(Tree::Old.with(when, value)),
            (Tree::If(c, a, b), When::If(d, x, y)) if c == *d => {
                Some(Tree::if_(c, a.and(x, value)?, b.and(y, value)?))
            }
            _ => None,
        }
    }

    fn size(&self) -> usize {
        match self {
            Tree::Old | Tree::Value(_) => 1,
            Tree::If(_, a, b) => 1 + a.size() + b.size(),
        }
    }

    /// When it is not what the cell had.
    fn covered(&self) -> When {
        match self {
            Tree::Old => When::Never,
            Tree::Value(_) => When::Always,
            Tree::If(c, a, b) => When::either(*c, a.covered(), b.covered()),
        }
    }

    /// The same where it is known not to be what the cell had.
    fn where_covered(&self) -> Tree {
        match self {
            Tree::If(_, a, b) if a.covered() == When::Never => b.where_covered(),
            Tree::If(_, a, b) if b.covered() == When::Never => a.where_covered(),
            Tree::If(c, a, b) => Tree::if_(*c, a.where_covered(), b.where_covered()),
            other => other.clone(),
        }
    }

    /// Whether nothing is left of what the cell had.
    fn is_whole(&self) -> bool {
        match self {
            Tree::Old => false,
            Tree::Value(_) => true,
            Tree::If(_, a, b) => a.is_whole() && b.is_whole(),
        }
    }
}

/// The instruction behind what a statement writes.
fn choosing(s: &Stmt) -> Option<ValueId> {
    match s.body.node(s.body.root).kind {
        NodeKind::Op { inst, .. } => Some(inst),
        _ => None,
    }
}

/// The operand trees of several statements as one, in which what is computed from the same is one node.
struct United<'s> {
    stmt: &'s Stmt,
    accesses: Vec<Access>,
    body: Body,
    inst: ValueId,
}

impl<'s> United<'s> {
    fn new(stmt: &'s Stmt) -> Self {
        let inst = choosing(stmt).unwrap_or(ValueId(0));
        United {
            stmt,
            accesses: vec![Access {
                kind: AccessKind::MustWrite,
                ..stmt.write().clone()
            }],
            body: Body::default(),
            inst,
        }
    }

    /// The nodes of a statement, where they are here, with what is stored in the cell, if that is known, instead of what it reads there.
    fn import(&mut self, s: &Stmt, stored: Option<NodeId>) -> Result<Vec<NodeId>> {
        let mut at: Vec<NodeId> = vec![];
        for node in &s.body.nodes {
            let kind = match &node.kind {
                NodeKind::Read(n) => {
                    let read = &s.accesses[*n];
                    if let Some(stored) = stored
                        && self.is_cell(read)?
                    {
                        at.push(stored);
                        continue;
                    }
                    NodeKind::Read(self.access(read)?)
                }
                NodeKind::Op { inst, op, args } => NodeKind::Op {
                    inst: *inst,
                    op: op.clone(),
                    args: args.iter().map(|a| at[a.index()]).collect(),
                },
                other => other.clone(),
            };
            at.push(self.body.common(node.ty, kind));
        }
        Ok(at)
    }

    /// Whether what a store under a condition stores, or its condition, is made of elements of the array that it stores to; but for the cell, where that is
    /// known to hold what is stored.
    fn reads_beside(&self, t: &Stmt, stored: bool) -> Result<bool> {
        for root in condition(t).into_iter().flatten() {
            for node in t.body.below(root, |_| false) {
                if let NodeKind::Read(n) = t.body.node(node).kind
                    && t.accesses[n].array == t.write().array
                    && !(stored && self.is_cell(&t.accesses[n])?)
                {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// The number of a read.
    fn access(&mut self, a: &Access) -> Result<usize> {
        let relation = a.relation.set_tuple_name(DimType::In, &self.stmt.name)?;
        for (n, known) in self.accesses.iter().enumerate().skip(1) {
            let same = (known.array, known.ty) == (a.array, a.ty) && known.place == a.place;
            if same && known.relation.is_equal(&relation)? {
                return Ok(n);
            }
        }
        self.accesses.push(Access {
            relation,
            ..a.clone()
        });
        Ok(self.accesses.len() - 1)
    }

    /// Whether an access is to the cell that the statement writes.
    fn is_cell(&self, other: &Access) -> Result<bool> {
        let own = &self.accesses[0];
        if (own.array, own.ty) != (other.array, other.ty) {
            return Ok(false);
        }
        let relation = other
            .relation
            .set_tuple_name(DimType::In, &self.stmt.name)?;
        own.relation.is_equal(&relation)
    }

    /// A condition by the branches that it is made of.
    fn when(&self, cond: NodeId) -> When {
        let node = self.body.node(cond);
        match (&node.kind, node.choice()) {
            (NodeKind::Bits(bits), _) if node.ty == Ty::Int(1) => match bits {
                0 => When::Never,
                _ => When::Always,
            },
            (_, Some([c, a, b])) => self.when(c).choose(&self.when(a), &self.when(b)),
            _ => When::either(cond, When::Always, When::Never),
        }
    }

    /// The statement that writes what a tree says, with what that needs.
    fn stmt(mut self, tree: &Tree) -> Stmt {
        self.body.root = self.value(tree);
        self.pruned()
    }

    /// The statement that writes what a tree says under the first store's condition, and else keeps what the cell had.
    fn updated(mut self, [cond, old]: [NodeId; 2], tree: &Tree) -> Stmt {
        let value = self.value(&tree.where_covered());
        self.body.root = self.choice([cond, value, old]);
        self.accesses[0].kind = AccessKind::MayWrite;
        self.pruned()
    }

    fn choice(&mut self, args: [NodeId; 3]) -> NodeId {
        let (inst, op, ty) = (self.inst, OpCode::Choose, self.body.node(args[1]).ty);
        let args = args.to_vec();
        self.body.common(ty, NodeKind::Op { inst, op, args })
    }

    /// The statement, with what its root needs.
    fn pruned(self) -> Stmt {
        let mut stmt = Stmt {
            accesses: self.accesses,
            body: self.body,
            ..self.stmt.clone()
        };
        stmt.prune();
        stmt
    }

    fn value(&mut self, tree: &Tree) -> NodeId {
        match tree {
            Tree::Old => unreachable!("nothing is left of what the cell had"),
            Tree::Value(v) => *v,
            Tree::If(c, a, b) => {
                let (a, b) = (self.value(a), self.value(b));
                self.choice([*c, a, b])
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use polytile_analysis::poly::Ctx;
    use polytile_analysis::text::parse_scop;

    /// Conditions, as the first nodes of a body.
    const HIT: &str = "i32 read 1\n i32 inv v0\n i1 op v5 icmp.slt n0 n1\n ";
    const OTHER: &str = "i32 read 1\n i32 inv v0\n i1 op v6 icmp.sgt n0 n1\n ";
    const NOT: &str = "i1 bits 0\n i1 bits 1\n i1 op v5 choose n2 n3 n4\n ";
    const AND: &str = "i32 read 2\n i1 op v7 icmp.slt n6 n1\n i1 op v7 choose n5 n7 n3\n ";
    const AND_NOT: &str = "i32 read 2\n i1 op v7 icmp.slt n6 n1\n i1 op v7 choose n7 n3 n4\n i1 op v7 choose n5 n8 n3\n ";

    fn miss() -> String {
        format!("{HIT}{NOT}")
    }

    /// Stores to arrays of one element per iteration, each under a condition on `T[i]`, of an element of `S`.
    fn stores(list: &[(&str, &str)]) -> String {
        let mut text = "scop \"arms\" function \"arms\"\nparams n\ncontext { : n >= 1 }\n\
             array A i32 [n]\narray B i32 [n]\narray S i32 [n]\narray T i32 [n]\n"
            .to_owned();
        for (k, (array, when)) in list.iter().enumerate() {
            let next = when.matches('\n').count();
            text += &format!(
                "stmt S{k}\n domain {{ S{k}[i] : 0 <= i < n }}\n beta 0 {k}\n \
                 may-write {{ S{k}[i] -> {array}[i] }}\n read {{ S{k}[i] -> T[i] }}\n \
                 read {{ S{k}[i] -> S[{k} + i] }}\n read {{ S{k}[i] -> {array}[i] }}\n \
                 body {{ {when}i32 read 2\n i32 read 3\n i32 op v5 choose n{} n{next} n{}\n root n{} }}\n",
                next - 1,
                next + 1,
                next + 2,
            );
        }
        text
    }

    /// Per statement of what comes of it: array, whether it must write, and its reads.
    fn merged(list: &[(&str, &str)]) -> Vec<(String, bool, usize)> {
        let ctx = Ctx::new();
        let scop = merge_arms(&parse_scop(&ctx, &stores(list)).expect("a SCoP")).expect("merged");
        scop.validate().expect("a SCoP");
        let each = scop.stmts.iter().map(|s| {
            let must = s.write().kind == AccessKind::MustWrite;
            (
                scop.array(s.write().array).name.clone(),
                must,
                s.reads().len(),
            )
        });
        each.collect()
    }

    fn one(array: &str, must: bool, reads: usize) -> (String, bool, usize) {
        (array.to_owned(), must, reads)
    }

    #[test]
    fn stores_in_both_arms_are_one() {
        // The condition and two values; nobody asks for the old element.
        assert_eq!(merged(&[("A", HIT), ("A", &miss())]), [one("A", true, 3)]);
        assert_eq!(merged(&[("A", &miss()), ("A", HIT)]), [one("A", true, 3)]);
    }

    #[test]
    fn stores_between_belong_to_one_arm_each() {
        let miss = miss();
        let list = [("A", HIT), ("B", HIT), ("A", &miss), ("B", &miss)];
        assert_eq!(merged(&list), [one("A", true, 3), one("B", true, 3)]);
    }

    #[test]
    fn three_arms_are_one_store() {
        let (then, els) = (miss() + AND, miss() + AND_NOT);
        // The second and the third statement ask the same element.
        let text = stores(&[("A", HIT), ("A", &then), ("A", &els)]).replace("S[2 + i]", "S[1 + i]");
        let ctx = Ctx::new();
        let scop = merge_arms(&parse_scop(&ctx, &text).expect("a SCoP")).expect("merged");
        assert_eq!(scop.stmts.len(), 1);
        assert_eq!(scop.stmts[0].write().kind, AccessKind::MustWrite);
    }

    #[test]
    fn a_store_that_overwrites_another_under_its_condition_is_one_with_it() {
        assert_eq!(merged(&[("A", HIT), ("A", HIT)]), [one("A", false, 3)]);
        let then = HIT.to_owned()
            + "i1 bits 0\n i32 read 2\n i1 op v7 icmp.slt n4 n1\n i1 op v7 choose n2 n5 n3\n ";
        let text = stores(&[("A", HIT), ("A", &then), ("A", HIT)]).replace("S[2 + i]", "S[1 + i]");
        let ctx = Ctx::new();
        let scop = merge_arms(&parse_scop(&ctx, &text).expect("a SCoP")).expect("merged");
        assert_eq!(scop.stmts.len(), 1);
        assert_eq!(scop.stmts[0].write().kind, AccessKind::MayWrite);
        // The second one may write where the first one does not.
        assert_eq!(merged(&[("A", HIT), ("A", OTHER)]).len(), 2);
    }

    #[test]
    fn a_missing_arm_and_conditions_that_may_meet_stay() {
        let stays = |list: &[(&str, &str)]| assert_eq!(merged(list).len(), list.len());
        stays(&[("A", HIT), ("A", OTHER)]);
        // B may be written in the iterations of the second store to A, which would pass it.
        stays(&[("A", HIT), ("B", OTHER), ("A", &miss())]);
        stays(&[("A", HIT), ("A", &(miss() + AND))]);
    }
}
