//! Symbolic computation: values are hashes of the computations that they come from. Minima and maxima are functions of
//! their operands that are associative and commutative, and different for each operation, as the originals are.

use super::cells::Subscripts;
use super::machine::Effect;
use super::{Cell, Execution, Fault, Instance, MAX_INSTANCES};
use polytile_analysis::ast::{Buffer, MicroKernel, PackStore, Panel};
use polytile_analysis::body::NodeKind;
use polytile_analysis::chain::Chain;
use polytile_analysis::ids::{ArrayId, NodeId, StmtId};
use polytile_analysis::region::OpCode;
use polytile_analysis::scop::{Scop, Stmt};
use polytile_analysis::text::scev::print_scev;
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;

/// What cells hold: only those that were written.
pub type Memory = BTreeMap<Cell, u64>;

fn hash(parts: impl Hash) -> u64 {
    let mut h = DefaultHasher::new();
    parts.hash(&mut h);
    h.finish()
}

/// Memory and the statements that work on it.
pub(super) struct Store<'a> {
    scop: &'a Scop,
    /// Per statement and access.
    subscripts: Vec<Vec<Subscripts>>,
    /// Per statement: the reads of the written cell.
    accumulators: Vec<Vec<usize>>,
    shared: Vec<bool>,
    buffers: BTreeMap<(usize, i64), u64>,
    memory: Memory,
    /// For a local memory: sizes for each array; an array without any is not folded.
    moduli: Option<Vec<Vec<i64>>>,
    instances: Vec<Instance>,
    kernels: Vec<Range<usize>>,
    kernel: Kernel,
    /// Operands of instances whose updates follow.
    waiting: BTreeMap<Instance, Given>,
}

/// A micro-kernel that runs.
#[derive(Default)]
struct Kernel {
    first: usize,
    cells: Memory,
    panels: [Option<(i64, i64)>; 2],
}

impl<'a> Store<'a> {
    pub fn new(scop: &'a Scop, buffers: &[Buffer], params: &[i64]) -> Result<Self, Fault> {
        let (mut subscripts, mut accumulators) = (vec![], vec![]);
        for s in &scop.stmts {
            let of = s
                .accesses
                .iter()
                .map(|a| Subscripts::new(&a.relation, params))
                .collect::<Result<_, _>>()?;
            subscripts.push(of);
            let mut same = vec![];
            for (n, a) in s.accesses.iter().enumerate().skip(s.first_read()) {
                if a.array == s.write().array && a.relation.is_equal(&s.write().relation)? {
                    same.push(n);
                }
            }
            accumulators.push(same);
        }
        Ok(Store {
            scop,
            subscripts,
            accumulators,
            shared: buffers.iter().map(|b| b.shared).collect(),
            buffers: BTreeMap::new(),
            memory: Memory::new(),
            moduli: None,
            instances: vec![],
            kernels: vec![],
            kernel: Kernel::default(),
            waiting: BTreeMap::new(),
        })
    }

    /// From now on it is a local memory: elements of arrays share cells modulo these sizes, and what was not written is not what the program's memory holds.
    pub fn fold(&mut self, moduli: Vec<Vec<i64>>) {
        self.moduli = Some(moduli);
    }

    /// The cell that an element shares.
    pub fn folded(&self, (array, at): &Cell) -> Cell {
        let moduli = self.moduli.as_ref().and_then(|m| m.get(array.index()));
        let moduli = moduli.map_or(&[][..], |m| &m[..]);
        let mut at = at.clone();
        for (x, m) in at.iter_mut().zip(moduli) {
            *x = x.rem_euclid(*m);
        }
        (*array, at)
    }

    /// Writes an element.
    pub fn put(&mut self, cell: Cell, value: u64) {
        let cell = self.folded(&cell);
        self.memory.insert(cell, value);
    }

    pub fn finish(self) -> Execution {
        Execution {
            instances: self.instances,
            kernels: self.kernels,
            memory: self.memory,
        }
    }

    fn note(&mut self, s: StmtId, at: &[i64]) -> Result<(), Fault> {
        self.instances.push((s, at.to_vec()));
        if self.instances.len() > MAX_INSTANCES {
            Err(Fault::Endless)
        } else {
            Ok(())
        }
    }

    fn cell(&self, s: StmtId, access: usize, at: &[i64]) -> Result<Cell, Fault> {
        let subscripts = self.subscripts[s.index()][access].at(at)?;
        let subscripts = subscripts.ok_or_else(|| Fault::NoCell((s, at.to_vec()), access))?;
        Ok(self.folded(&(self.scop.stmt(s).accesses[access].array, subscripts)))
    }

    /// What a cell holds.
    pub fn content(&self, cell: &Cell) -> u64 {
        self.memory
            .get(cell)
            .copied()
            .unwrap_or_else(|| match self.moduli {
                None => hash(("initial", cell)),
                Some(_) => hash(("nothing", cell)),
            })
    }

    /// The value of a body's node; `given` are those that are known.
    fn node(&self, s: &Stmt, id: NodeId, at: &[i64], given: &Given) -> Result<u64, Fault> {
        if let Some(v) = given.nodes.get(&id) {
            return Ok(*v);
        }
        let n = s.body.node(id);
        let value = match &n.kind {
            NodeKind::Read(access) => match given.accumulator {
                Some(v) if self.accumulators[s.id.index()].contains(access) => v,
                _ => self.content(&self.cell(s.id, *access, at)?),
            },
            NodeKind::Invariant(v) => hash(("invariant", v)),
            NodeKind::Bits(b) => hash(("bits", n.ty, b)),
            NodeKind::Index(e) => {
                let loops = e.loops();
                let used: Vec<(usize, i64)> = (0..at.len())
                    .filter(|d| loops.contains(&s.iters[*d]))
                    .map(|d| (d, at[d]))
                    .collect();
                hash(("index", print_scev(e), used))
            }
            NodeKind::Op { inst, op, args } => {
                let args: Vec<u64> = args
                    .iter()
                    .map(|a| self.node(s, *a, at, given))
                    .collect::<Result<_, _>>()?;
                match (op, &args[..]) {
                    (OpCode::SMin | OpCode::SMax | OpCode::UMin | OpCode::UMax, [a, b]) => {
                        let own = hash(("op", op, n.ty));
                        (a ^ own).wrapping_add(b ^ own) ^ own
                    }
                    _ => hash(("op", inst, op, n.ty, args)),
                }
            }
        };
        Ok(value)
    }

    /// The value of an instance's write `n`.
    fn result(&self, s: &Stmt, n: usize, at: &[i64], given: &Given) -> Result<u64, Fault> {
        if let Some(value) = s.body.values().nth(n).filter(|_| !s.body.nodes.is_empty()) {
            return self.node(s, value, at, given);
        }
        let mut reads = vec![];
        for access in s.first_read()..s.accesses.len() {
            reads.push(match given.accumulator {
                Some(v) if self.accumulators[s.id.index()].contains(&access) => v,
                _ => self.content(&self.cell(s.id, access, at)?),
            });
        }
        Ok(hash(("statement", s.id, n, at, reads)))
    }

    /// The packed operands of a panel at a row (or lane) and step.
    fn packed(
        &self,
        panel: &Panel,
        start: (i64, i64),
        lane: i64,
        k: i64,
        given: &mut Given,
    ) -> Result<(), Fault> {
        let (width, count) = (i64::from(panel.width), panel.operands.len() as i64);
        for (n, node) in (0..).zip(&panel.operands) {
            let element = start.0 + (k - start.1) * count * width + n * width + lane;
            let found = self.buffers.get(&(panel.buffer, element));
            let value = found.ok_or(Fault::EmptyBuffer {
                buffer: panel.buffer,
                element,
            })?;
            given.nodes.insert(*node, *value);
        }
        Ok(())
    }
}

/// Values that a body does not compute.
#[derive(Default)]
struct Given {
    nodes: BTreeMap<NodeId, u64>,
    accumulator: Option<u64>,
}

impl Effect for Store<'_> {
    fn instance(&mut self, s: StmtId, at: Vec<i64>) -> Result<(), Fault> {
        let (stmt, mut written) = (self.scop.stmt(s), vec![]);
        for n in 0..stmt.writes().len() {
            let value = self.result(stmt, n, &at, &Given::default())?;
            written.push((self.cell(s, n, &at)?, value));
        }
        self.memory.extend(written);
        self.note(s, &at)
    }

    fn thread(&mut self, private: &[ArrayId]) {
        self.memory.retain(|(array, _), _| !private.contains(array));
        let shared = &self.shared;
        self.buffers
            .retain(|(buffer, _), _| shared.get(*buffer).copied().unwrap_or(true));
    }

    fn pack(&mut self, p: &PackStore, at: &[i64], index: i64) -> Result<(), Fault> {
        for (n, node) in (0..).zip(&p.operands) {
            let value = self.node(self.scop.stmt(p.stmt), *node, at, &Given::default())?;
            self.buffers
                .insert((p.buffer, index + n * i64::from(p.width)), value);
        }
        Ok(())
    }

    fn operands(&mut self, chain: &Chain, at: &[i64]) -> Result<(), Fault> {
        let stmt = self.scop.stmt(chain.stmt);
        let mut given = Given::default();
        for node in &chain.operands {
            let value = self.node(stmt, *node, at, &Given::default())?;
            given.nodes.insert(*node, value);
        }
        let mut written = vec![];
        for n in (0..stmt.writes().len()).filter(|n| !chain.writes.contains(n)) {
            let value = self.result(stmt, n, at, &Given::default())?;
            written.push((self.cell(chain.stmt, n, at)?, value));
        }
        self.memory.extend(written);
        self.waiting.insert((chain.stmt, at.to_vec()), given);
        Ok(())
    }

    fn accumulate(&mut self, chain: &Chain, at: Vec<i64>) -> Result<(), Fault> {
        let given = self.waiting.remove(&(chain.stmt, at.clone()));
        let given = given.unwrap_or_default();
        let mut written = vec![];
        for &n in &chain.writes {
            let value = self.result(self.scop.stmt(chain.stmt), n, &at, &given)?;
            written.push((self.cell(chain.stmt, n, &at)?, value));
        }
        self.memory.extend(written);
        self.note(chain.stmt, &at)
    }

    fn begin(&mut self, _: &MicroKernel, panels: [Option<(i64, i64)>; 2]) {
        self.kernel = Kernel {
            first: self.instances.len(),
            cells: Memory::new(),
            panels,
        };
    }

    fn update(&mut self, m: &MicroKernel, at: Vec<i64>, [r, l, k]: [i64; 3]) -> Result<(), Fault> {
        let s = self.scop.stmt(m.tile.stmt);
        let cell = self.cell(s.id, 0, &at)?;
        let old = self
            .kernel
            .cells
            .get(&cell)
            .copied()
            .unwrap_or_else(|| self.content(&cell));
        let mut given = Given {
            nodes: BTreeMap::new(),
            accumulator: Some(old),
        };
        for (panel, start, lane) in [
            (&m.row_panel, self.kernel.panels[0], r),
            (&m.lane_panel, self.kernel.panels[1], l),
        ] {
            if let (Some(p), Some(start)) = (panel, start) {
                self.packed(p, start, lane, k, &mut given)?;
            }
        }
        let value = self.result(s, 0, &at, &given)?;
        self.kernel.cells.insert(cell, value);
        self.note(s.id, &at)
    }

    fn end(&mut self) {
        let kernel = std::mem::take(&mut self.kernel);
        self.memory.extend(kernel.cells);
        self.kernels.push(kernel.first..self.instances.len());
    }
}
