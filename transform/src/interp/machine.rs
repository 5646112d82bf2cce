//! Control flow: loops, conditions, boxes of micro-kernels.

use super::expr::{Iterators, value};
use super::pipeline::pipelined;
use super::{Fault, Instance, MAX_INSTANCES, Order, Setting};
use polytile_analysis::ast::{Ast, Expr, For, ForKind, MicroKernel, PackStore};
use polytile_analysis::chain::Chain;
use polytile_analysis::ids::{ArrayId, StmtId};

/// What statements do: nothing but that instances run, where an effect does not say more.
pub(super) trait Effect {
    /// An instance runs.
    fn instance(&mut self, s: StmtId, at: Vec<i64>) -> Result<(), Fault>;
    /// An iteration of a parallel loop begins, perhaps on a thread of its own with copies of these arrays.
    fn thread(&mut self, _: &[ArrayId]) {}
    /// An iteration of a loop begins, with this value of its iterator.
    fn iteration(&mut self, _: &For, _: i64) {}
    /// A loop ends.
    fn left(&mut self, _: &For) {}
    /// Operands are packed.
    fn pack(&mut self, _: &PackStore, _: &[i64], _: i64) -> Result<(), Fault> {
        Ok(())
    }
    /// What an instance in a loop in strips adds is computed.
    fn operands(&mut self, _: &Chain, _: &[i64]) -> Result<(), Fault> {
        Ok(())
    }
    /// An instance in a loop in strips runs with what was computed for it.
    fn accumulate(&mut self, chain: &Chain, at: Vec<i64>) -> Result<(), Fault> {
        self.instance(chain.stmt, at)
    }
    /// A micro-kernel begins; its panels start at these elements and steps, rows first.
    fn begin(&mut self, _: &MicroKernel, _: [Option<(i64, i64)>; 2]) {}
    /// An update of a micro-kernel, at row, lane and step.
    fn update(&mut self, m: &MicroKernel, at: Vec<i64>, _: [i64; 3]) -> Result<(), Fault> {
        self.instance(m.tile.stmt, at)
    }
    /// A micro-kernel ends.
    fn end(&mut self) {}
}

/// Only notes which instances run.
#[derive(Default)]
pub(super) struct Record {
    pub instances: Vec<Instance>,
}

impl Effect for Record {
    fn instance(&mut self, s: StmtId, at: Vec<i64>) -> Result<(), Fault> {
        self.instances.push((s, at));
        if self.instances.len() > MAX_INSTANCES {
            Err(Fault::Endless)
        } else {
            Ok(())
        }
    }
}

/// What runs of a loop in strips.
enum Phase {
    /// There is none around.
    All,
    /// Everything but the updates of these statements.
    Operands(Vec<Chain>),
    /// These updates.
    Updates(Vec<Chain>),
}

pub(super) struct Machine<'a, E> {
    setting: Setting<'a>,
    pub(super) iterators: Iterators,
    /// Iterations so far, also those in which nothing runs.
    steps: usize,
    /// What runs of the loop in strips around this place.
    phase: Phase,
    pub effect: E,
}

impl<'a, E: Effect> Machine<'a, E> {
    pub fn new(setting: Setting<'a>, effect: E) -> Self {
        Machine {
            setting,
            iterators: Iterators::new(),
            steps: 0,
            phase: Phase::All,
            effect,
        }
    }

    pub(super) fn value(&self, e: &Expr) -> Result<i64, Fault> {
        value(e, &self.iterators, &self.setting)
    }

    fn values(&self, list: &[Expr]) -> Result<Vec<i64>, Fault> {
        list.iter().map(|e| self.value(e)).collect()
    }

    pub fn run(&mut self, ast: &Ast) -> Result<(), Fault> {
        match ast {
            Ast::For(l) => self.repeat(l),
            Ast::If { cond, then, els } => match (self.value(cond)?, els) {
                (0, None) => Ok(()),
                (0, Some(e)) => self.run(e),
                _ => self.run(then),
            },
            Ast::Block(list) => list.iter().try_for_each(|a| self.run(a)),
            Ast::User(u) => {
                let at = self.values(&u.args)?;
                let of = |chains: &[Chain]| chains.iter().find(|c| c.stmt == u.stmt).cloned();
                match &self.phase {
                    Phase::All => self.effect.instance(u.stmt, at),
                    Phase::Operands(chains) => match of(chains) {
                        Some(chain) => self.effect.operands(&chain, &at),
                        None => self.effect.instance(u.stmt, at),
                    },
                    Phase::Updates(chains) => match of(chains) {
                        Some(chain) => self.effect.accumulate(&chain, at),
                        None => Ok(()),
                    },
                }
            }
            Ast::MicroKernel(m) => self.micro_kernel(m),
            Ast::Pack(p) => {
                let (at, index) = (self.values(&p.args)?, self.value(&p.index)?);
                self.effect.pack(p, &at, index)
            }
        }
    }

    /// First value, number and step of a loop's iterations.
    pub(super) fn range(&self, l: &For) -> Result<(i64, i64, i64), Fault> {
        let (lower, upper, step) = (
            self.value(&l.lower)?,
            self.value(&l.upper)?,
            self.value(&l.step)?,
        );
        if step <= 0 {
            return Err(Fault::Step(step));
        }
        let shift = match &l.anchor {
            Some(a) => self
                .value(a)?
                .checked_sub(lower)
                .ok_or(Fault::Overflow)?
                .rem_euclid(step),
            None => 0,
        };
        let first = lower.checked_add(shift).ok_or(Fault::Overflow)?;
        let count = if first > upper {
            0
        } else {
            (upper - first) / step + 1
        };
        Ok((first, count, step))
    }

    fn repeat(&mut self, l: &For) -> Result<(), Fault> {
        let backwards = self.setting.order == Order::Backwards;
        if let (ForKind::Strips { chains }, Phase::All) = (&l.kind, &self.phase) {
            return self.strips(l, chains);
        }
        if let (Some(private), true) = (pipelined(l), backwards) {
            return self.pipeline(l, private);
        }
        let (first, count, step) = self.range(l)?;
        let ordered = match &l.kind {
            ForKind::Sequential | ForKind::Team { .. } | ForKind::Stage => true,
            ForKind::Strips { .. } => matches!(self.phase, Phase::Updates(_)),
            _ => pipelined(l).is_some(),
        };
        let backwards = backwards && !ordered;
        for n in 0..count {
            let n = if backwards { count - 1 - n } else { n };
            let value = first + n * step;
            self.iterators.insert(l.iter, value);
            self.effect.iteration(l, value);
            self.steps += 1;
            if self.steps > MAX_INSTANCES {
                return Err(Fault::Endless);
            }
            if let ForKind::Parallel { private, .. } = &l.kind {
                self.effect.thread(private);
            }
            self.run(&l.body)?;
        }
        self.iterators.remove(&l.iter);
        self.effect.left(l);
        Ok(())
    }

    /// A loop as one strip: first everything but the updates, in any order, then these.
    fn strips(&mut self, l: &For, chains: &[Chain]) -> Result<(), Fault> {
        for phase in [Phase::Operands, Phase::Updates] {
            self.phase = phase(chains.to_vec());
            let done = self.repeat(l);
            self.phase = Phase::All;
            done?;
        }
        Ok(())
    }

    fn micro_kernel(&mut self, m: &MicroKernel) -> Result<(), Fault> {
        let base = self.values(&m.args)?;
        let (first, last) = (self.value(&m.first)?, self.value(&m.last)?);
        let rests: Vec<i64> = m
            .constraints
            .iter()
            .map(|c| self.value(&c.rest))
            .collect::<Result<_, _>>()?;
        let mut panels = [None; 2];
        for (at, panel) in panels.iter_mut().zip([&m.row_panel, &m.lane_panel]) {
            if let Some(p) = panel {
                *at = Some((self.value(&p.start)?, self.value(&p.origin)?));
            }
        }
        self.effect.begin(m, panels);
        for k in first..=last {
            for r in 0..i64::from(m.tile.rows) {
                for l in 0..i64::from(m.tile.vectors) * i64::from(m.tile.lanes) {
                    let exists = m
                        .constraints
                        .iter()
                        .zip(&rests)
                        .all(|(c, rest)| c.row * r + c.lane * l + c.reduction * k + rest >= 0);
                    if exists {
                        let iterator = |d: usize| {
                            base[d]
                                + r * m.row_step[d]
                                + l * m.lane_step[d]
                                + k * m.reduction_step[d]
                        };
                        let at = (0..base.len()).map(iterator).collect();
                        self.effect.update(m, at, [r, l, k])?;
                    }
                }
            }
        }
        self.effect.end();
        Ok(())
    }
}
