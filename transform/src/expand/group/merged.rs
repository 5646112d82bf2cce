//! Statements of one block as one: operand trees with common nodes, reads in front of writes.

use super::cells::{Cells, Meet};
use super::condition::{gate, is_behind};
use polytile_analysis::body::{Body, NodeKind};
use polytile_analysis::ids::{ArrayId, NodeId};
use polytile_analysis::poly::{DimType, Result};
use polytile_analysis::scop::{Access, Place, Stmt};

/// The common statement under construction.
pub(super) struct Merged<'s> {
    /// Reads of what no earlier write of the same iteration has written.
    pub(super) reads: Vec<&'s Access>,
    writes: Vec<(&'s Access, NodeId)>,
    /// Reads are counted from 0 in it.
    body: Body,
}

impl<'s> Merged<'s> {
    pub fn new(group: &[&'s Stmt], cells: &mut Cells) -> Result<Merged<'s>> {
        let mut all = Merged {
            reads: vec![],
            writes: vec![],
            body: Body::default(),
        };
        for s in group {
            all.add(group, s, cells)?;
        }
        Ok(all)
    }

    fn add(&mut self, group: &[&'s Stmt], s: &'s Stmt, cells: &mut Cells) -> Result<()> {
        let mut at: Vec<NodeId> = vec![];
        let gate = gate(s);
        for (here, node) in s.body.nodes.iter().enumerate() {
            let id = match &node.kind {
                NodeKind::Read(n) => {
                    let found = self.read(group, (s, *n), cells)?;
                    let behind = gate.filter(|g| is_behind(s, *g, NodeId::from(here)));
                    let asked = behind.and_then(|g| at.get(g.index()));
                    match self.body.zero_unless(found) {
                        Some([cond, value]) if asked == Some(&cond) => value,
                        _ => found,
                    }
                }
                NodeKind::Op { inst, op, args } => {
                    let args: Vec<NodeId> = args.iter().map(|n| at[n.index()]).collect();
                    let (inst, op) = (*inst, op.clone());
                    let kind = NodeKind::Op { inst, op, args };
                    self.body.common(node.ty, kind)
                }
                leaf => self.body.common(node.ty, leaf.clone()),
            };
            at.push(id);
        }
        self.writes.push((s.write(), at[s.body.root.index()]));
        Ok(())
    }

    /// The value that a read finds: the one that an earlier statement of the group has written, or what is in memory.
    fn read(
        &mut self,
        group: &[&'s Stmt],
        (s, n): (&'s Stmt, usize),
        cells: &mut Cells,
    ) -> Result<NodeId> {
        let access = &s.accesses[n];
        for at in (0..self.writes.len()).rev() {
            let (write, value) = self.writes[at];
            let meets = write.array == access.array
                && cells.meet((group[at], write), (s, access))? == Meet::Same;
            if meets {
                return Ok(value);
            }
        }
        let alike = |r: &&Access| cells.alike(r, access);
        let number = match self.reads.iter().position(alike) {
            Some(known) => known,
            None => {
                self.reads.push(access);
                self.reads.len() - 1
            }
        };
        Ok(self.body.common(access.ty, NodeKind::Read(number)))
    }

    /// What all of them compute; reads are counted from 0 in it.
    pub fn body(&self) -> &Body {
        &self.body
    }

    /// The value that the last statement writes.
    pub fn last(&self) -> NodeId {
        self.writes
            .last()
            .map_or(self.body.root, |(_, value)| *value)
    }

    /// The scalar to which an earlier statement writes a value.
    pub fn scalar_of(&self, value: NodeId) -> Option<ArrayId> {
        let (_, earlier) = self.writes.split_last()?;
        let found = earlier
            .iter()
            .find(|(w, v)| *v == value && w.place == Place::Scalar);
        found.map(|(w, _)| w.array)
    }

    /// The reads, and what the last statement writes as a body over them.
    pub fn into_value(mut self) -> (Vec<&'s Access>, Body) {
        self.body.root = self.last();
        (self.reads, self.body)
    }

    /// The statement, under the name of the group's first one, without writes to arrays that are `dead`.
    pub fn stmt(mut self, group: &[&Stmt], dead: impl Fn(ArrayId) -> bool) -> Result<Stmt> {
        let first = group[0];
        if group.len() == 1 {
            return Ok(first.clone());
        }
        if !self.writes.iter().all(|(w, _)| dead(w.array)) {
            self.writes.retain(|(w, _)| !dead(w.array));
        }
        let mut values = self.writes.iter().map(|(_, v)| *v);
        self.body.root = values.next().unwrap_or(self.body.root);
        self.body.others = values.collect();
        let writes: Vec<&Access> = self.writes.iter().map(|(w, _)| *w).collect();
        statement(first, &writes, &self.reads, self.body)
    }
}

/// A statement in the place and under the name of another one, whose body counts its reads from 0.
pub(super) fn statement(
    place: &Stmt,
    writes: &[&Access],
    reads: &[&Access],
    mut body: Body,
) -> Result<Stmt> {
    for node in &mut body.nodes {
        if let NodeKind::Read(n) = &mut node.kind {
            *n += writes.len();
        }
    }
    let renamed = |a: &&Access| -> Result<Access> {
        Ok(Access {
            relation: a.relation.set_tuple_name(DimType::In, &place.name)?,
            ..(*a).clone()
        })
    };
    Ok(Stmt {
        accesses: writes
            .iter()
            .chain(reads)
            .map(renamed)
            .collect::<Result<_>>()?,
        body,
        ..place.clone()
    })
}
