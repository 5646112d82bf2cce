//! The leaves of a program with what is around them: which instances run there, and when.
//!
//! A [`Place`] has one dimension per loop around it. Two places are compared along the loops that they share; behind
//! those, the one that stands first in the block where they part runs first.
//!
//! A register tile is two places, one behind the other: first it reads operands, then it updates its accumulators, step by
//! step. Its rows, lanes and steps are loops of each of the two.

use super::expr::Frame;
use super::storage::{reads_behind, reads_of, touched};
use super::{Checked, Program, Stop};
use polytile_analysis::ast::{
    Ast, BinOp, Expr, For, ForKind, IterId, LanePanel, MicroKernel, PackStore, Panel, User,
};
use polytile_analysis::chain::Chain;
use polytile_analysis::ids::{ArrayId, NodeId, StmtId};
use polytile_analysis::poly::{DimType, Map, PwAff, Set, Space};
use polytile_analysis::scop::Stmt;
use polytile_analysis::tree::Distribution;
use std::collections::BTreeSet;

/// In which order the iterations of a loop run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Order {
    /// One after the other.
    Sequential,
    /// In any order, or at once.
    None,
    /// Rows of tiles, with the tiles one level below: a tile waits for those up to it in the rows before.
    Rows,
    /// One after the other, and the loop one level below may as well be around it.
    AroundDiagonal,
}

/// A loop around a place.
#[derive(Clone, Debug)]
pub(super) struct Level {
    /// Which loop of the program.
    pub id: usize,
    pub order: Order,
    /// Arrays of which each iteration has a copy.
    pub private: Vec<ArrayId>,
    /// Arrays that iterations keep in panels.
    pub panels: Vec<LanePanel>,
}

/// What runs at a place.
#[derive(Clone, Debug)]
pub(super) enum What {
    /// All of an instance.
    Instance,
    /// The operands of a register tile's instances, but for the accumulators.
    Operands,
    /// The updates of a register tile.
    Updates,
    /// What a loop in strips does of instances before their updates: all but these writes, with what is read for them.
    Ahead(Vec<usize>),
    /// These writes in a loop in strips, with the reads of their cells.
    Chained(Vec<usize>),
    /// A copy of operands.
    Pack(Box<PackStore>),
}

/// A leaf.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub stmt: StmtId,
    pub what: What,
    /// Loops, outermost first, and their iterators.
    pub levels: Vec<Level>,
    pub iters: Vec<IterId>,
    /// Between the loops and behind the last one: positions in blocks.
    pub positions: Vec<Vec<usize>>,
    /// Values of the loops' iterators to the instances that run.
    pub instances: Map,
    /// For panels: buffer elements by the same values, as coefficients of products of sizes; rows and lanes.
    pub elements: Vec<Element>,
}

/// Where a place finds or leaves operands in a buffer.
#[derive(Clone, Debug)]
pub(super) struct Element {
    pub panel: Option<Panel>,
    /// Loops to elements: factors of products that are not affine, and the rest.
    pub index: Map,
    /// What those products have in common.
    pub factors: Vec<Expr>,
}

/// All places of a program.
pub(super) fn places(program: &Program) -> Checked<Vec<Place>> {
    let space = program.known.space()?;
    let mut walk = Walk {
        program,
        space,
        iters: vec![],
        levels: vec![],
        positions: vec![vec![]],
        next: 0,
        found: vec![],
        phase: Phase::All,
    };
    let everything = Set::universe(&walk.space.add_unnamed_tuple(0)?)?;
    let set = everything.intersect_params(&program.known)?;
    walk.ast(program.body, &set)?;
    Ok(walk.found)
}

struct Walk<'a> {
    program: &'a Program<'a>,
    /// Of parameters.
    space: Space,
    iters: Vec<IterId>,
    levels: Vec<Level>,
    positions: Vec<Vec<usize>>,
    next: usize,
    found: Vec<Place>,
    phase: Phase<'a>,
}

/// What runs of the loop in strips around a place.
#[derive(Clone, Copy)]
enum Phase<'a> {
    /// There is none around.
    All,
    /// Everything but the updates of these statements.
    Operands(&'a [Chain]),
    /// These updates.
    Updates(&'a [Chain]),
}

impl<'a> Walk<'a> {
    /// Runs with the iterators of the loops that are open.
    fn frame(&self) -> Checked<Frame<'_>> {
        let space = self.space.add_unnamed_tuple(self.iters.len())?;
        Ok(Frame::new(space, &self.iters, self.program.sizes))
    }

    fn ast(&mut self, ast: &'a Ast, set: &Set) -> Checked<()> {
        match ast {
            Ast::For(l) => self.repeat(l, set),
            Ast::If { cond, then, els } => {
                self.well_defined([cond], set)?;
                let yes = set.intersect(&self.frame()?.holds(cond, true)?)?;
                self.part(0, then, &few(yes)?)?;
                if let Some(e) = els {
                    let no = set.intersect(&self.frame()?.holds(cond, false)?)?;
                    self.part(1, e, &few(no)?)?;
                }
                Ok(())
            }
            Ast::Block(list) => {
                for (at, part) in list.iter().enumerate() {
                    self.part(at, part, set)?;
                }
                Ok(())
            }
            Ast::User(u) => self.user(u, set),
            Ast::MicroKernel(m) => self.kernel(m, set),
            Ast::Pack(p) => self.pack(p, set),
        }
    }

    fn part(&mut self, at: usize, ast: &'a Ast, set: &Set) -> Checked<()> {
        let here = |w: &mut Self| w.positions.len() - 1;
        let n = here(self);
        self.positions[n].push(at);
        let done = self.ast(ast, set);
        self.positions[n].pop();
        done
    }

    fn well_defined<'e>(&self, all: impl IntoIterator<Item = &'e Expr>, set: &Set) -> Checked<()> {
        let frame = self.frame()?;
        for e in all {
            let faults = frame.faults(e)?.intersect(set)?;
            if !faults.is_empty()? {
                return Err(Stop::Wrong(format!("{e} divides what it must not")));
            }
        }
        Ok(())
    }

    /// A loop in strips is two, one behind the other: everything but the updates, in any order, and then these.
    fn strips(&mut self, l: &'a For, chains: &'a [Chain], set: &Set) -> Checked<()> {
        let n = self.positions.len() - 1;
        for (phase, order) in [
            (Phase::Operands(chains), Order::None),
            (Phase::Updates(chains), Order::Sequential),
        ] {
            self.positions[n].push(usize::from(order == Order::Sequential));
            let level = Level {
                id: self.next,
                order,
                private: vec![],
                panels: vec![],
            };
            self.next += 1;
            self.phase = phase;
            self.open(l.iter, level);
            let done = self.inside(l, set);
            self.close();
            self.phase = Phase::All;
            self.positions[n].pop();
            done?;
        }
        Ok(())
    }

    fn repeat(&mut self, l: &'a For, set: &Set) -> Checked<()> {
        self.well_defined([&l.lower, &l.upper], set)?;
        if let ForKind::Strips { chains } = &l.kind {
            return self.strips(l, chains, set);
        }
        let level = Level {
            id: self.next,
            order: order(l),
            private: match &l.kind {
                ForKind::Parallel { private, .. } => private.clone(),
                _ => vec![],
            },
            panels: match &l.kind {
                ForKind::Lanes { panels, .. } => panels.clone(),
                _ => vec![],
            },
        };
        self.next += 1;
        if matches!(l.kind, ForKind::Diagonal { .. }) {
            match self.levels.last_mut() {
                Some(around) if around.order == Order::Sequential => {
                    around.order = Order::AroundDiagonal;
                }
                _ => return Err(Stop::Wrong("a diagonal in no loop".to_owned())),
            }
        }
        self.open(l.iter, level);
        let done = self.inside(l, set);
        self.close();
        // Only what is inside of the diagonal sees that the loop is around one.
        if let Some(last) = self.levels.last_mut()
            && last.order == Order::AroundDiagonal
        {
            last.order = Order::Sequential;
        }
        done
    }

    fn open(&mut self, iter: IterId, level: Level) {
        self.iters.push(iter);
        self.levels.push(level);
        self.positions.push(vec![]);
    }

    fn close(&mut self) {
        self.iters.pop();
        self.levels.pop();
        self.positions.pop();
    }

    fn inside(&mut self, l: &'a For, set: &Set) -> Checked<()> {
        let here = self.iterations(l, &set.add_dims(DimType::Set, 1)?)?;
        if here.is_empty()? {
            return Ok(());
        }
        self.ast(&l.body, &here)
    }

    /// `first <= iter <= last` on the loop's lattice.
    fn iterations(&self, l: &For, set: &Set) -> Checked<Set> {
        let frame = self.frame()?;
        let iter = Expr::Iter(l.iter);
        let above = frame.at_least(&iter, &l.lower, 0)?;
        let below = frame.at_least(&l.upper, &iter, 0)?;
        let mut here = set.intersect(&above)?.intersect(&below)?;
        let step = match &l.step {
            Expr::Int(c) => *c,
            Expr::Size(s) => self.program.sizes.get(*s).copied().unwrap_or(0),
            _ => return Err(Stop::Open("a step that is no size")),
        };
        if step < 1 {
            return Err(Stop::Wrong(format!("a loop with step {step}")));
        }
        if step > 1 {
            let anchor = frame.value(l.anchor.as_ref().unwrap_or(&l.lower))?;
            let rest = frame.value(&iter)?.sub(&anchor)?.mod_si(step)?;
            here = here.intersect(&rest.eq_set(&rest.sub(&rest)?)?)?;
        }
        few(here)
    }

    /// From the loops' iterators to a tuple.
    fn tuple(&self, set: &Set, values: &[PwAff], name: &str) -> Checked<Map> {
        let mut map = Map::from_domain(set)?;
        for v in values {
            map = map.flat_range_product(&Map::from_pw_aff(v)?)?;
        }
        Ok(map.set_tuple_name(DimType::Out, name)?)
    }

    fn found(&mut self, stmt: StmtId, what: What, instances: Map, elements: Vec<Element>) {
        self.found.push(Place {
            stmt,
            what,
            levels: self.levels.clone(),
            iters: self.iters.clone(),
            positions: self.positions.clone(),
            instances,
            elements,
        });
    }

    fn user(&mut self, u: &User, set: &Set) -> Checked<()> {
        self.well_defined(&u.args, set)?;
        let frame = self.frame()?;
        let args: Vec<PwAff> = (u.args.iter().map(|a| frame.value(a))).collect::<Checked<_>>()?;
        let stmt = self.program.scop.stmt(u.stmt);
        let instances = self.tuple(set, &args, &stmt.name)?;
        let of = |chains: &[Chain]| chains.iter().find(|c| c.stmt == u.stmt).cloned();
        let what = match self.phase {
            Phase::All => What::Instance,
            Phase::Operands(chains) => match of(chains) {
                Some(chain) => first_computed(stmt, &chain)?,
                None => What::Instance,
            },
            Phase::Updates(chains) => match of(chains) {
                Some(chain) => What::Chained(chain.writes),
                None => return Ok(()),
            },
        };
        self.found(u.stmt, what, instances, vec![]);
        Ok(())
    }

    fn pack(&mut self, p: &PackStore, set: &Set) -> Checked<()> {
        self.well_defined(p.args.iter().chain([&p.index]), set)?;
        let frame = self.frame()?;
        let args: Vec<PwAff> = (p.args.iter().map(|a| frame.value(a))).collect::<Checked<_>>()?;
        let name = &self.program.scop.stmt(p.stmt).name;
        let instances = self.tuple(set, &args, name)?;
        let (values, factors) = self.index(&p.index)?;
        let index = self.tuple(set, &values, "Buffer")?;
        let element = Element {
            panel: None,
            index,
            factors,
        };
        self.found(
            p.stmt,
            What::Pack(Box::new(p.clone())),
            instances,
            vec![element],
        );
        Ok(())
    }

    /// The parts of an index: the multiples of products of sizes, then what is affine.
    fn index(&self, e: &Expr) -> Checked<(Vec<PwAff>, Vec<Expr>)> {
        let frame = self.frame()?;
        let mut parts = vec![];
        let mut rest = frame.value(&Expr::Int(0))?;
        let mut factors = vec![];
        for (term, negative) in terms(e) {
            let signed = |v: PwAff| if negative { v.neg() } else { Ok(v) };
            match (frame.value(term), term) {
                (Ok(v), _) => rest = rest.add(&signed(v)?)?,
                (Err(Stop::Open(_)), Expr::Bin(BinOp::Mul, a, b)) => {
                    let fixed = |e: &Expr| e.is_size();
                    let (times, factor) = match (fixed(a), fixed(b)) {
                        (_, true) => (a, b),
                        (true, _) => (b, a),
                        _ => return Err(Stop::Open("an index that is no product")),
                    };
                    parts.push(signed(frame.value(times)?)?);
                    factors.push((**factor).clone());
                }
                (Err(stop), _) => return Err(stop),
            }
        }
        parts.push(rest);
        Ok((parts, factors))
    }

    fn kernel(&mut self, m: &MicroKernel, set: &Set) -> Checked<()> {
        self.well_defined(m.args.iter().chain([&m.first, &m.last]), set)?;
        for what in [What::Operands, What::Updates] {
            let updates = matches!(what, What::Updates);
            let n = self.positions.len() - 1;
            self.positions[n].push(usize::from(updates));
            // No loop of the program has these iterators.
            for d in 0..3 {
                let order = match (d, updates) {
                    (0, true) => Order::Sequential,
                    _ => Order::None,
                };
                let level = Level {
                    id: self.next,
                    order,
                    private: vec![],
                    panels: vec![],
                };
                self.next += 1;
                self.open(IterId(u32::MAX - d), level);
            }
            let done = self.in_kernel(m, what, set);
            for _ in 0..3 {
                self.close();
            }
            self.positions[n].pop();
            done?;
        }
        Ok(())
    }

    fn in_kernel(&mut self, m: &MicroKernel, what: What, set: &Set) -> Checked<()> {
        let frame = self.frame()?;
        let [k, r, l] = [0, 1, 2].map(|d| Expr::Iter(IterId(u32::MAX - d)));
        let mut here = set.add_dims(DimType::Set, 3)?;
        let last = |n: u32| Expr::Int(i64::from(n) - 1);
        let bounds = [
            (&k, m.first.clone(), m.last.clone()),
            (&r, Expr::Int(0), last(m.tile.rows)),
            (&l, Expr::Int(0), last(m.tile.vectors * m.tile.lanes)),
        ];
        for (e, from, to) in &bounds {
            here = here.intersect(&frame.at_least(e, from, 0)?)?;
            here = here.intersect(&frame.at_least(to, e, 0)?)?;
        }
        let [k, r, l] = [frame.value(&k)?, frame.value(&r)?, frame.value(&l)?];
        let sum = |start: PwAff, steps: [i64; 3]| -> Checked<PwAff> {
            let mut sum = start;
            for (v, step) in [&k, &r, &l].into_iter().zip(steps) {
                sum = sum.add(&v.scale_si(step)?)?;
            }
            Ok(sum)
        };
        for c in &m.constraints {
            let value = sum(frame.value(&c.rest)?, [c.reduction, c.row, c.lane])?;
            here = here.intersect(&value.ge_set(&value.sub(&value)?)?)?;
        }
        let here = few(here)?;
        let mut args = vec![];
        for (d, e) in m.args.iter().enumerate() {
            let steps = [m.reduction_step[d], m.row_step[d], m.lane_step[d]];
            args.push(sum(frame.value(e)?, steps)?);
        }
        let name = &self.program.scop.stmt(m.tile.stmt).name;
        let instances = self.tuple(&here, &args, name)?;
        let mut elements = vec![];
        if matches!(what, What::Operands) {
            for (panel, lane) in [(&m.row_panel, &r), (&m.lane_panel, &l)] {
                if let Some(p) = panel {
                    let (mut values, factors) = self.index(&p.start)?;
                    let depth = p.operands.len() as i64 * i64::from(p.width);
                    let ahead = k.sub(&frame.value(&p.origin)?)?.scale_si(depth)?;
                    let rest = values.pop().expect("the affine part");
                    values.push(rest.add(&ahead)?.add(lane)?);
                    elements.push(Element {
                        panel: Some(p.clone()),
                        index: self.tuple(&here, &values, "Buffer")?,
                        factors,
                    });
                }
            }
        }
        self.found(m.tile.stmt, what, instances, elements);
        Ok(())
    }
}

/// Pieces of a set that are looked at one by one.
const CASES: usize = 24;

/// The set in few pieces.
fn few(set: Set) -> Checked<Set> {
    if set.n_basic_set() > CASES * CASES {
        return Err(Stop::Open("too many cases"));
    }
    let set = set.coalesce()?;
    match set.n_basic_set() > CASES {
        true => Err(Stop::Open("too many cases")),
        false => Ok(set),
    }
}

fn order(l: &For) -> Order {
    match &l.kind {
        ForKind::Parallel {
            distribution: Distribution::Pipelined,
            ..
        } if l.body.stage().is_some() => Order::Rows,
        ForKind::Sequential | ForKind::Team { .. } | ForKind::Stage => Order::Sequential,
        _ => Order::None,
    }
}

/// What a loop in strips does of a statement before its updates: what these read behind the strip is their cells alone.
fn first_computed(stmt: &Stmt, chain: &Chain) -> Checked<What> {
    let own = touched(stmt, &What::Chained(chain.writes.clone()))?;
    let known: BTreeSet<NodeId> = chain.operands.iter().copied().collect();
    let values: Vec<NodeId> = stmt.body.values().collect();
    let on_cells = |n: &NodeId| reads_of(stmt, *n).iter().any(|r| own.contains(r));
    let wrong = |what: &str| Err(Stop::Wrong(format!("{} {what}", stmt.name)));
    if chain.writes.iter().any(|n| *n >= values.len()) {
        return wrong("does not write what a strip ends with");
    }
    for (n, root) in values.iter().enumerate() {
        let first = !chain.writes.contains(&n);
        if first && on_cells(root) {
            return wrong("needs its cell before the end of a strip");
        }
        let behind = reads_behind(stmt, *root, &known);
        if !first && !behind.iter().all(|r| own.contains(r)) {
            return wrong("reads more than its cell behind a strip");
        }
    }
    if known.iter().any(on_cells) {
        return wrong("needs its cell before the end of a strip");
    }
    Ok(What::Ahead(chain.writes.clone()))
}

/// The terms of a sum, and whether they are subtracted.
fn terms(e: &Expr) -> Vec<(&Expr, bool)> {
    fn flipped(list: Vec<(&Expr, bool)>) -> Vec<(&Expr, bool)> {
        list.into_iter().map(|(e, n)| (e, !n)).collect()
    }
    match e {
        Expr::Bin(BinOp::Add, a, b) => [terms(a), terms(b)].concat(),
        Expr::Bin(BinOp::Sub, a, b) => [terms(a), flipped(terms(b))].concat(),
        Expr::Neg(a) => flipped(terms(a)),
        _ => vec![(e, false)],
    }
}
