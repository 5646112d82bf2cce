//! The static control part: iteration domains, access relations and original order, as separate values.
//!
//! After Cohen, Girbal and Temam (2004, §2.2): a transformation touches only the component that it means. Symbols:
//!
//! | paper | here |
//! |---|---|
//! | iteration domain `D_S` | [`Stmt::domain`], a set `S[i0, .., i(d-1)]` |
//! | access function `f` | [`Access::relation`], a map `S[..] -> A[..]` |
//! | schedule, 2d+1 form, beta vector | [`Stmt::beta`]: `[beta_0, i_0, beta_1, i_1, .., beta_d]` |
//! | global parameters | [`Scop::params`] |
//!
//! Every iterator is the canonical counter of a loop: it starts at 0 and ascends by 1, whatever the source's counter
//! does. A statement writes once ([`Stmt::write`]), or several times where what shares operands stays together
//! ([`Stmt::writes`]): all of its reads come before all of its writes, and these come in order.

use crate::body::{Body, Node, NodeKind};
use crate::ids::{ArrayId, BaseId, LoopId, NodeId, ParamId, StmtId, ValueId};
use crate::poly::{self, Aff, DimType, Map, Set, Space, UnionMap, UnionSet};
use crate::region::{Address, Inspection, Loc, Ty};
use crate::scev::{Scev, ScevKind};
use std::collections::{BTreeMap, BTreeSet};

/// A static control part.
#[derive(Clone, Debug)]
pub struct Scop {
    /// Name of the region that it was made from.
    pub name: String,
    /// Name of the function.
    pub function: String,
    /// Position of the first loop.
    pub loc: Option<Loc>,
    /// Symbolic constants; dimension `i` of every parameter space.
    pub params: Vec<Param>,
    /// What is known about the parameters.
    pub context: Set,
    /// What the model assumes about the parameters beyond `context`; the emitted version is guarded by it.
    pub assumptions: Vec<Assumption>,
    /// Values of the program's integer arithmetic that the model reads without wrapping although they are no affine
    /// expressions, and the ranges that they must stay in for that.
    pub poly_ranges: Vec<PolyRange>,
    /// Pairs of memory arrays whose accessed ranges must not overlap for the model to hold (smaller id first).
    pub no_overlap: Vec<(ArrayId, ArrayId)>,
    /// Pairs of these of which the program reads the second in a later statement than it writes the first: were they one array, it would find what it wrote
    /// there, which statements that are made of several do not tell any more.
    pub read_behind: BTreeSet<(ArrayId, ArrayId)>,
    /// What finds out whether reads that have no subscripts meet what is written.
    pub inspection: Option<Inspection>,
    /// Arrays whose rows are reached through pointers.
    pub rows: Vec<Rows>,
    /// Arrays.
    pub arrays: Vec<Array>,
    /// Statements, in textual order.
    pub stmts: Vec<Stmt>,
    /// The loops of the iterators, by [`LoopId`]; ids past the region's loops belong to memory-set and copy statements, and to unrolled loops that were rolled up.
    pub loops: Vec<LoopInfo>,
}

/// A loop of the original program.
#[derive(Clone, Debug, PartialEq)]
pub struct LoopInfo {
    /// Name.
    pub name: String,
    /// Position.
    pub loc: Option<Loc>,
    /// The source walks it downwards in its own counter.
    pub descending: bool,
}

/// A symbolic constant: the value of `expr`, read as a signed integer of its width.
#[derive(Clone, Debug, PartialEq)]
pub struct Param {
    /// Name of its dimension in every space.
    pub name: String,
    /// What to evaluate, once, before the region. Its leaves are region-invariant values.
    pub expr: Scev,
}

impl Param {
    /// Whether the compiler knows its value.
    pub fn is_known(&self) -> bool {
        self.expr.as_constant().is_some()
    }
}

/// The name of the parameter whose value is that of the cell [`ArrayKind::Intact`], read whenever it is asked for: 1 in front of the region.
pub const INTACT: &str = "intact";

/// Something that the model takes for granted, to be checked once at run time.
#[derive(Clone, Debug)]
pub struct Assumption {
    /// The parameter values for which it holds.
    pub set: Set,
    /// Why it is needed.
    pub why: AssumptionKind,
}

/// Why an assumption is needed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum AssumptionKind {
    /// An integer computation of the program does not wrap.
    NoWrap,
    /// Subscripts stay inside the rows that delinearization found.
    InBounds,
    /// Every loop is entered.
    NonEmpty,
    /// A path into a noreturn call is not taken.
    NoTrap,
    /// Parameters are small enough for 64-bit arithmetic on loop bounds.
    Range,
    /// A stride is what the model says (positive, a multiple of the element size).
    Stride,
}

/// A polynomial of parameters and iterators with the range that its values have to stay in: an assumption that no set of
/// parameters expresses, as parameters are multiplied with each other or with iterators.
///
/// `i*n + j` of 32 bits is read as a row and a column. That is right if it does not wrap, so its greatest value, over all
/// iterations, is compared with 2^31 - 1 at run time. Each term is a product of parameters times an affine expression; the sum of
/// the terms' extremes bounds the sum.
#[derive(Clone, Debug)]
pub struct PolyRange {
    /// Terms of the sum.
    pub terms: Vec<PolyTerm>,
    /// The least value that it may have.
    pub least: Option<i64>,
    /// The greatest value that it may have.
    pub greatest: Option<i64>,
}

/// A product of parameters times values of an affine expression.
#[derive(Clone, Debug)]
pub struct PolyTerm {
    /// The parameters.
    pub factors: Vec<ParamId>,
    /// All values of the affine expression: a set of one dimension over the parameters.
    pub values: Set,
}

/// The rows of an array that are reached through a table of pointers, as [`crate::region::Rows`]. The model holds if the
/// entries that the program reads point to rows at one distance.
#[derive(Clone, Debug)]
pub struct Rows {
    /// The array of pointers.
    pub table: ArrayId,
    /// What is read of it: subscripts. What follows counts its elements one by one.
    pub entries: Set,
    /// The element of the table that points to row 0, less than `step`.
    pub first: i64,
    /// Elements of the table from the pointer to one row to that to the next.
    pub step: i64,
    /// The base of the array of rows.
    pub base: BaseId,
    /// Its value.
    pub address: ValueId,
    /// How many elements one row is behind the other.
    pub pitch: ValueId,
    /// Bytes of an element.
    pub element: u64,
    /// Words of the table beside each pointer: the model holds if they are alike.
    pub lengths: Vec<Length>,
    /// The entries beside whose pointers they are read, where they are not read of all: no length is asked of a grid's first and last row.
    pub measured: Option<Set>,
}

/// Words beside the pointers of a table that are taken for one value, as [`crate::region::Length`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Length {
    /// Elements of the table from a pointer to its word.
    pub behind: i64,
    /// What stands for them.
    pub value: ValueId,
    /// `None`: the word counts; else how many elements of so many bytes it is behind the pointer.
    pub unit: Option<u64>,
}

impl Rows {
    /// The entries beside whose pointers lengths are read.
    pub fn measured(&self) -> &Set {
        self.measured.as_ref().unwrap_or(&self.entries)
    }

    /// The elements of the table so far behind those of which lengths are read.
    pub fn behind(&self, distance: i64) -> poly::Result<Set> {
        elements_behind(self.measured(), distance)
    }
}

/// The elements of a table so far behind others.
pub fn elements_behind(elements: &Set, distance: i64) -> poly::Result<Set> {
    let dims = elements.dim(DimType::Set);
    let names: Vec<String> = (0..dims).map(|d| format!("e{d}")).collect();
    let names = names.join(", ");
    let moved = Map::parse(
        elements.ctx(),
        &format!("{{ [{names}] -> [{names} + {distance}] }}"),
    )?;
    elements.reset_tuple_id()?.apply(&moved)
}

/// An array.
#[derive(Clone, Debug)]
pub struct Array {
    /// Name of its tuple in access relations.
    pub name: String,
    /// Where its elements live.
    pub kind: ArrayKind,
    /// Type of one element.
    pub ty: Ty,
    /// Bytes from one element to the next per dimension, outermost first; invariant. Empty for scalars.
    pub strides: Vec<Scev>,
    /// Sizes of the dimensions but the first, as parameter-space expressions; the first is unbounded. A temporary has
    /// the size of its first dimension too, in front. A loose array ([`Array::is_loose`]) has none.
    pub extents: Vec<Scev>,
    /// How far from the base the element with subscripts 0 lies.
    pub origin: Vec<Shift>,
    /// The compiler makes no vectors of the program's loops: that its elements lie side by side is assumed, the program has a stride;
    /// or a loop reads sizes and pointers again each time, because a write to it might change them.
    pub gaps: bool,
    /// The compiler does not see which of its elements lie side by side: subscripts have fewer bits than addresses, and may wrap for all that it knows.
    pub hidden: bool,
    /// Memory of the program that nobody reads behind the region.
    pub dead: bool,
    /// Memory of the program that has no content in front of the region.
    pub blank: bool,
}

impl Array {
    /// One of a single cell.
    pub fn of_one_cell(name: String, kind: ArrayKind, ty: Ty) -> Array {
        Array {
            name,
            kind,
            ty,
            strides: vec![],
            extents: vec![],
            origin: vec![],
            gaps: false,
            hidden: false,
            dead: false,
            blank: false,
        }
    }

    /// Whether nothing is known of the length of its rows and of the signs of its strides: different subscripts may be the same
    /// element. Such an array is only read.
    pub fn is_loose(&self) -> bool {
        matches!(self.kind, ArrayKind::Memory { .. })
            && self.strides.len() > 1
            && self.extents.is_empty()
    }
}

/// A part of the distance from the base of an array to where its elements are counted from.
#[derive(Clone, PartialEq, Debug)]
pub enum Shift {
    /// `(value - from) * stride` bytes. So what an array begins to count with is no parameter.
    Bound {
        /// A lower bound, known in front of the region.
        value: ValueId,
        /// The constant that the model has in its place.
        from: i64,
        /// Bytes, of 64 bits, invariant.
        stride: Scev,
    },
    /// Bytes, of 64 bits, invariant, that all addresses have in common: the array is one of several in a block of memory.
    Common(Scev),
}

/// Where the elements of an array live.
#[derive(Clone, Debug, PartialEq)]
pub enum ArrayKind {
    /// Memory of the program, reached from this invariant pointer. Of an array that no statement accesses, the first element
    /// was read before the region.
    Memory {
        /// The pointer.
        base: ValueId,
    },
    /// One cell of our own for a scalar that crosses statements.
    Scalar {
        /// The program's value that holds the cell's last content after the region, if it is used there.
        live_out: Option<ValueId>,
    },
    /// Memory of our own, allocated for the transformed version; dead outside of it.
    Temporary,
    /// One cell of our own: 1, and 0 once an iteration was found in which the program leaves the region early. The results are thrown away then.
    Intact,
}

/// A statement: one or more memory writes with the operand tree of their values.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// Identity.
    pub id: StmtId,
    /// Name of its tuple in domains and schedules: `S<id>`.
    pub name: String,
    /// The loops of its iterators, outermost first.
    pub iters: Vec<LoopId>,
    /// Iteration domain.
    pub domain: Set,
    /// Textual position per depth, `iters.len() + 1` entries (the beta vector).
    pub beta: Vec<i64>,
    /// Accesses; the writes come first.
    pub accesses: Vec<Access>,
    /// What is computed and written; value `n` is that of write `n`.
    pub body: Body,
    /// Position.
    pub loc: Option<Loc>,
}

/// An access of a statement.
#[derive(Clone, Debug)]
pub struct Access {
    /// Read or write.
    pub kind: AccessKind,
    /// The array.
    pub array: ArrayId,
    /// Iterations to elements.
    pub relation: Map,
    /// How to reach the element.
    pub place: Place,
    /// Type of the value moved.
    pub ty: Ty,
    /// The load or store of this very element that alignment and type-based alias facts come from, if there is one.
    pub inst: Option<ValueId>,
}

impl Access {
    /// The subscripts; `None` if one is not affine without divisions.
    ///
    /// # Errors
    /// Those of the set library.
    pub fn affine_subscripts(&self) -> poly::Result<Option<Vec<Aff>>> {
        self.subscripts(|_| Ok(None))
    }

    /// The same with 0 for a subscript of a temporary that goes round in a window of few rows: as a cost, it does not move.
    ///
    /// # Errors
    /// Those of the set library.
    pub fn moving_subscripts(&self) -> poly::Result<Option<Vec<Aff>>> {
        let temporary = matches!(self.place, Place::Temporary(_));
        self.subscripts(|aff| Ok(temporary.then_some(aff.sub(aff)?)))
    }

    /// The subscripts, with something else for those that divide; `None` if one has nothing else, or they are no function in one piece.
    fn subscripts(
        &self,
        other: impl Fn(&Aff) -> poly::Result<Option<Aff>>,
    ) -> poly::Result<Option<Vec<Aff>>> {
        let all = self.relation.as_pw_multi_aff()?;
        if !all.isa_multi_aff()? {
            return Ok(None);
        }
        let all = all.as_multi_aff()?;
        let mut rows = vec![];
        for d in 0..all.size() {
            let aff = all.at(d)?;
            let plain = !aff.involves_locals()? && aff.denominator()? == 1;
            match if plain { Some(aff) } else { other(&aff)? } {
                Some(aff) => rows.push(aff),
                None => return Ok(None),
            }
        }
        Ok(Some(rows))
    }
}

/// Read or write.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum AccessKind {
    /// Reads.
    Read,
    /// Certainly writes.
    MustWrite,
    /// Possibly writes.
    MayWrite,
}

/// How code reaches the element that an access touches. Evolutions range over the statement's iterators.
#[derive(Clone, Debug, PartialEq)]
pub enum Place {
    /// Base pointer plus byte offset.
    Memory(Address),
    /// The only cell of a scalar.
    Scalar,
    /// Subscripts into a temporary, one per dimension.
    Temporary(Vec<Scev>),
}

impl Stmt {
    /// The write access; the first one, if there are several.
    pub fn write(&self) -> &Access {
        &self.accesses[0]
    }

    /// The write accesses.
    pub fn writes(&self) -> &[Access] {
        &self.accesses[..self.first_read()]
    }

    /// All that evolves with its iterators: addresses, subscripts of temporaries, integers of the body.
    pub fn evolutions_mut(&mut self) -> impl Iterator<Item = &mut Scev> {
        let places = self.accesses.iter_mut().flat_map(|a| match &mut a.place {
            Place::Memory(address) => std::slice::from_mut(&mut address.offset),
            Place::Temporary(subscripts) => subscripts,
            Place::Scalar => &mut [],
        });
        let nodes = self.body.nodes.iter_mut();
        places.chain(nodes.filter_map(|n| match &mut n.kind {
            NodeKind::Index(index) => Some(index),
            _ => None,
        }))
    }

    /// The read accesses.
    pub fn reads(&self) -> &[Access] {
        &self.accesses[self.first_read()..]
    }

    /// Number of the first access that reads, if one does.
    pub fn first_read(&self) -> usize {
        let writes = self
            .accesses
            .iter()
            .take_while(|a| a.kind != AccessKind::Read);
        writes.count()
    }

    /// Drops nodes that no value is made of, and the reads that these took alone.
    pub fn prune(&mut self) {
        let values = self.body.values();
        let needed: BTreeSet<NodeId> = values.flat_map(|v| self.body.below(v, |_| false)).collect();
        let taken = |nodes: &mut dyn Iterator<Item = &Node>| -> BTreeSet<usize> {
            let read = |n: &Node| match n.kind {
                NodeKind::Read(read) => Some(read),
                _ => None,
            };
            nodes.filter_map(read).collect()
        };
        let before = taken(&mut self.body.nodes.iter());
        let after = taken(&mut needed.iter().map(|id| self.body.node(*id)));
        let kept = (0..self.accesses.len()).filter(|n| !before.contains(n) || after.contains(n));
        let kept: Vec<usize> = kept.collect();
        let mut body = Body::default();
        let mut at: BTreeMap<NodeId, NodeId> = BTreeMap::new();
        for id in needed {
            let mut node = self.body.node(id).clone();
            match &mut node.kind {
                NodeKind::Read(n) => *n = kept.binary_search(n).expect("it is kept"),
                NodeKind::Op { args, .. } => args.iter_mut().for_each(|a| *a = at[a]),
                _ => {}
            }
            at.insert(id, body.push(node.ty, node.kind));
        }
        body.root = at[&self.body.root];
        body.others = self.body.others.iter().map(|v| at[v]).collect();
        self.accesses = kept.iter().map(|n| self.accesses[*n].clone()).collect();
        self.body = body;
    }

    /// Whether all of it is computed in each of its instances, whatever the data are.
    pub fn runs_whole(&self) -> bool {
        self.write().kind == AccessKind::MustWrite && !self.body.chooses()
    }

    /// Whether it writes several times. What looks for the shape of one write leaves such statements alone.
    pub fn is_group(&self) -> bool {
        self.first_read() > 1
    }

    /// Whether it writes elements of an array.
    pub fn writes_to(&self, array: ArrayId) -> bool {
        self.writes().iter().any(|a| a.array == array)
    }

    /// Number of loops around the statement.
    pub fn depth(&self) -> usize {
        self.iters.len()
    }
}

impl Scop {
    /// The statement behind an id.
    pub fn stmt(&self, id: StmtId) -> &Stmt {
        &self.stmts[id.index()]
    }

    /// The array behind an id.
    pub fn array(&self, id: ArrayId) -> &Array {
        &self.arrays[id.index()]
    }

    /// The parameter behind an id.
    pub fn param(&self, id: ParamId) -> &Param {
        &self.params[id.index()]
    }

    /// Adds parameters behind the others and aligns what is known of them all; the statements are left to the caller. Returns the space of all
    /// parameters.
    ///
    /// # Errors
    /// What isl comes to.
    pub fn add_params(&mut self, new: impl IntoIterator<Item = Param>) -> poly::Result<Space> {
        self.params.extend(new);
        let names: Vec<&str> = self.params.iter().map(|p| p.name.as_str()).collect();
        let space = Space::params_named(self.context.ctx(), &names)?;
        self.context = self.context.align_params(&space)?;
        for a in &mut self.assumptions {
            a.set = a.set.align_params(&space)?;
        }
        for term in self.poly_ranges.iter_mut().flat_map(|r| &mut r.terms) {
            term.values = term.values.align_params(&space)?;
        }
        for rows in &mut self.rows {
            rows.entries = rows.entries.align_params(&space)?;
            if let Some(measured) = &mut rows.measured {
                *measured = measured.align_params(&space)?;
            }
        }
        Ok(space)
    }

    /// The cell that says whether the program goes through the whole region, if it may leave early.
    pub fn intact(&self) -> Option<ArrayId> {
        let found = self.arrays.iter().position(|a| a.kind == ArrayKind::Intact);
        found.map(ArrayId::from)
    }

    /// Whether two statements may access an array in any order, and at one time: both only find out whether the program leaves early.
    pub fn is_unordered(&self, s: &Stmt, t: &Stmt, array: ArrayId) -> bool {
        self.array(array).kind == ArrayKind::Intact && s.writes_to(array) && t.writes_to(array)
    }

    /// The parameter [`INTACT`], if the program may leave early and something depends on it.
    pub fn intact_param(&self) -> Option<ParamId> {
        self.intact()?;
        let found = self.params.iter().position(|p| p.name == INTACT);
        found.map(ParamId::from)
    }

    /// The first of these names that no parameter has.
    ///
    /// # Panics
    /// If there is none.
    pub fn unused_name(&self, mut names: impl Iterator<Item = String>) -> String {
        let unused = names.find(|name| self.params.iter().all(|p| p.name != *name));
        unused.expect("there are more names than parameters")
    }

    /// Parameters that are known only when the tables of rows were looked at.
    pub fn pitches(&self) -> Vec<ParamId> {
        let late = |r: &Rows, v| r.pitch == v || r.lengths.iter().any(|l| l.value == v);
        let all = (0..self.params.len()).map(ParamId::from);
        all.filter(|p| self.uses(*p, late)).collect()
    }

    /// Those of them that the first entry of each table says.
    pub fn lengths(&self) -> Vec<ParamId> {
        let mut all = self.pitches();
        all.retain(|p| !self.uses(*p, |r, v| r.pitch == v));
        all
    }

    /// Those that only the distances of rows say.
    pub fn distances(&self) -> Vec<ParamId> {
        let lengths = self.lengths();
        let mut all = self.pitches();
        all.retain(|p| !lengths.contains(p));
        all
    }

    /// Whether a parameter is computed from a value that some table of rows says.
    fn uses(&self, p: ParamId, says: impl Fn(&Rows, ValueId) -> bool) -> bool {
        self.param(p).expr.any(&mut |s| match s.kind {
            ScevKind::Unknown(v) => self.rows.iter().any(|r| says(r, v)),
            _ => false,
        })
    }

    /// The tables on the way to an element of the rows of one of them, outermost first, by their places in the list.
    pub fn tables_to(&self, rows: usize) -> Vec<usize> {
        let kind = &self.array(self.rows[rows].table).kind;
        let outer = (self.rows.iter()).position(|r| *kind == ArrayKind::Memory { base: r.address });
        let mut way = outer.map_or(vec![], |outer| self.tables_to(outer));
        way.push(rows);
        way
    }

    /// A set of parameter values, for some values of those.
    pub fn without_pitches(&self, set: &Set) -> poly::Result<Set> {
        self.without(set, &self.pitches())
    }

    /// In which order tables can be read, from 1 on: those in the rows of others after these, and those of which lengths of rows say how far they go
    /// after these are known. `None`: the lengths of one say how far it goes itself.
    pub fn steps_of_tables(&self) -> poly::Result<Option<Vec<usize>>> {
        let tables = 0..self.rows.len();
        let mut steps: Vec<usize> = tables.clone().map(|r| self.tables_to(r).len()).collect();
        if self.lengths().is_empty() {
            return Ok(Some(steps));
        }
        let known = self.known()?;
        let useful = self.useful()?;
        let needs = tables.map(|r| self.measured_by(r, &known, &useful));
        let needs: Vec<Vec<usize>> = needs.collect::<poly::Result<_>>()?;
        for _ in 0..=needs.len() {
            let before = steps.clone();
            for (r, needed) in needs.iter().enumerate() {
                let after = needed.iter().map(|n| before[*n] + 1).max();
                steps[r] = steps[r].max(after.unwrap_or(0));
            }
            if steps == before {
                return Ok(Some(steps));
            }
        }
        Ok(None)
    }

    /// The tables whose lengths of rows say which entries of a table are read, or of which entries lengths are; `useful` is what is known, less what
    /// the machine says.
    fn measured_by(&self, table: usize, known: &Set, useful: &Set) -> poly::Result<Vec<usize>> {
        let rows = &self.rows[table];
        let mut needed = self.said_by_lengths(&rows.entries, known, useful)?;
        if let Some(measured) = &rows.measured {
            needed.extend(self.said_by_lengths(measured, known, useful)?);
        }
        Ok(needed)
    }

    /// The tables whose lengths of rows say which these entries are.
    fn said_by_lengths(
        &self,
        entries: &Set,
        known: &Set,
        useful: &Set,
    ) -> poly::Result<Vec<usize>> {
        // Checks that never fail say what is known anyway.
        let open = entries.gist_params(useful)?.coalesce()?;
        let mut late = self.pitches();
        let asks = |p: &ParamId| open.involves_param(&self.param(*p).name);
        late.retain(|p| asks(p).unwrap_or(true));
        if late.is_empty() {
            return Ok(vec![]);
        }
        let entries = entries.intersect_params(known)?;
        let entries = self.without(&entries, &self.distances())?;
        let when = entries.params()?;
        let mut needed = vec![];
        for p in self.lengths() {
            // Whether anything is read may depend on a length: then nothing runs.
            let all = entries.for_some(&self.param(p).name)?;
            if all.intersect_params(&when)?.is_subset(&entries)? {
                continue;
            }
            let says = |r: &Rows| {
                let length = |v: ValueId| r.lengths.iter().any(|l| l.value == v);
                let values = self.param(p).expr.values();
                values.into_iter().any(length)
            };
            needed.extend((0..self.rows.len()).filter(|r| says(&self.rows[*r])));
        }
        Ok(needed)
    }

    /// The parameters that are known too late for a table that is read at such a step: distances of rows and, where its own lengths are read, those
    /// that are read later.
    pub fn after_table(&self, table: usize, steps: &[usize]) -> Vec<ParamId> {
        let own = !self.rows[table].lengths.is_empty();
        let later = |r: usize, v: ValueId| {
            own && steps[r] >= steps[table] && self.rows[r].lengths.iter().any(|l| l.value == v)
        };
        let mut all = self.pitches();
        let distances = self.distances();
        all.retain(|p| {
            let values = self.param(*p).expr.values();
            let mut values = values.into_iter();
            distances.contains(p) || values.any(|v| (0..steps.len()).any(|r| later(r, v)))
        });
        all
    }

    /// A set of parameter values, for some values of parameters.
    pub fn without(&self, set: &Set, params: &[ParamId]) -> poly::Result<Set> {
        let mut set = set.clone();
        for p in params {
            set = set.for_some(&self.param(*p).name)?;
        }
        Ok(set)
    }

    /// The statement of this tuple name.
    pub fn stmt_by_name(&self, name: &str) -> Option<&Stmt> {
        let id: usize = name.strip_prefix('S')?.parse().ok()?;
        self.stmts.get(id)
    }

    /// What holds for the parameters wherever a new version runs: what is known, and what is checked.
    pub fn known(&self) -> poly::Result<Set> {
        let mut known = self.context.clone();
        for a in &self.assumptions {
            known = known.intersect(&a.set)?;
        }
        Ok(known)
    }

    /// The same in few words: that numbers are those of a machine says nothing of iterations.
    pub fn useful(&self) -> poly::Result<Set> {
        self.known()?
            .without_machine_bounds()?
            .remove_redundancies()
    }

    /// The same SCoP for the parameters for which all that is assumed holds, as far as that says something of those that domains and accesses depend
    /// on: strides of arrays are often most of the parameters, and each condition costs whatever is asked.
    pub fn narrowed(&self) -> poly::Result<Scop> {
        let mut context = self.known()?;
        for at in 0..context.dim(DimType::Param) {
            let name = context.dim_name(DimType::Param, at);
            if !name.map_or(Ok(false), |name| self.depends_on(&name))? {
                context = context.drop_constraints_involving(DimType::Param, at, 1)?;
            }
        }
        Ok(Scop {
            context,
            ..self.clone()
        })
    }

    /// Whether an iteration domain or an access depends on a parameter.
    fn depends_on(&self, param: &str) -> poly::Result<bool> {
        for s in &self.stmts {
            if s.domain.involves_param(param)? {
                return Ok(true);
            }
            for a in &s.accesses {
                if a.relation.involves_param(param)? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Whether it is one nest, and not several ones, or several ones in one loop, of which not all are single loops.
    pub fn is_one_nest(&self) -> bool {
        self.loops_at(0) == 1 && (self.loops_at(1) < 2 || self.loops_at(2) == 0)
    }

    /// Number of loops with so many loops around them.
    fn loops_at(&self, depth: usize) -> usize {
        let at = |s: &Stmt| s.iters.get(depth).copied();
        let all: std::collections::BTreeSet<LoopId> = self.stmts.iter().filter_map(at).collect();
        all.len()
    }

    /// Union of all iteration domains.
    pub fn domain(&self) -> poly::Result<UnionSet> {
        let mut all = UnionSet::empty(&self.context.space()?)?;
        for s in &self.stmts {
            all = all.union(&s.domain.to_union_set()?)?;
        }
        Ok(all)
    }

    /// Union of the access relations of the accesses that are wanted, restricted to the domains.
    pub fn accesses(&self, want: impl Fn(&Access) -> bool) -> poly::Result<UnionMap> {
        let mut all = UnionMap::empty(&self.context.space()?)?;
        for s in &self.stmts {
            for a in s.accesses.iter().filter(|a| want(a)) {
                all = all.union(&a.relation.intersect_domain(&s.domain)?.to_union_map()?)?;
            }
        }
        Ok(all)
    }
}
