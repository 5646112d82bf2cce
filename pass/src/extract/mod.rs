//! From LLVM IR to regions.
//!
//! | module | does |
//! |---|---|
//! | [`graph`], [`delimit`] | which parts of a function can be regions |
//! | [`order`] | the blocks of a region in textual order |
//! | [`values`] | ids, definitions and evolutions of values |
//! | [`body`], [`opcode`], [`conditions`] | instructions and terminators |
//! | [`accesses`] | base pointers, addresses, overlap |
//! | [`gathers`] | loads whose address depends on data |
//! | [`inspection`] | the same, of memory that nothing is known of |
//! | [`alike`] | instructions that differ in their operands only |
//! | [`invariant`] | values computed in front of it instead |
//! | [`rounding`] | sums of products, rounded once or twice |
//! | [`rows`] | rows behind pointers |
//! | [`merged`] | PHIs of such pointers |
//! | [`held`] | sizes and pointers that are loaded in the nest |
//! | [`guarded`] | those that are loaded under conditions |
//! | [`first`] | those that the first iteration reads on all ways |
//! | [`objects`] | those of one object, as one range |
//! | [`strides`] | strides that are known to have gaps |
//! | [`stray`] | writes in front that belong to no nest |
//! | [`packed`] | numbers that share a register |
//! | [`leave`] | values that leave |
//!
//! Extraction changes the working copy (it splits blocks, adds PHIs of one operand and counters), never its meaning.

mod accesses;
mod alike;
mod assured;
mod blocks;
mod body;
mod conditions;
pub mod delimit;
mod first;
mod gathers;
pub mod graph;
mod guarded;
pub mod held;
mod inspection;
mod invariant;
mod later;
mod leave;
mod merged;
mod near;
mod objects;
mod opcode;
mod order;
mod packed;
mod parity;
pub mod refusal;
mod rounding;
mod rows;
mod stray;
mod strides;
mod values;
mod ways_out;

use crate::analyses::{Analyses, Loop};
use crate::ffi::Effect;
use crate::llvm::{self, Block, Value};
use crate::reason::{self, Reason};
use accesses::{Bases, needs};
use delimit::Span;
use graph::Graph;
use leave::Leaving;
use llvm_sys::target::LLVMTargetDataRef;
use polytile_analysis::ids::BaseId;
use polytile_analysis::region::{self, Cond, Region, Ty};
use polytile_analysis::scev::{Scev, ScevKind};
use refusal::{Blame, Refusal};
use rounding::Pins;
use values::Table;

/// A region, and what its ids stand for in LLVM.
pub struct Extracted {
    /// The region as data.
    pub region: Region,
    /// Values by id.
    pub values: Vec<Value>,
    /// Base pointers by id.
    pub bases: Vec<Value>,
    /// Those of memory that the new version has for itself, with its bytes.
    pub own: Vec<(BaseId, Scev)>,
    /// Blocks by id; the first is the entry.
    pub blocks: Vec<Block>,
    /// Loops by id.
    pub loops: Vec<Loop>,
    /// Ends with an unconditional branch to the entry.
    pub preheader: Block,
    /// The block after the region; its only predecessor belongs to the region.
    pub exit: Block,
    /// The function that compares what is gathered with what is written, if one is needed.
    pub inspector: Option<Value>,
    /// What has to be restored when the region was emitted or given up.
    pub pins: Pins,
}

/// Cuts a region out and describes it; `held` cells were read in front of it. `function` is the name that the user knows.
pub fn extract(
    an: &Analyses,
    graph: &Graph,
    (span, held): (&Span, &[held::Cell]),
    layout: LLVMTargetDataRef,
    function: &str,
) -> Result<Extracted, Refusal> {
    let preheader = span.begin.parent();
    let entry = an.split_before(span.begin);
    let last = span.end.parent();
    let exit = an.split_before(span.end);
    let blocks = order::blocks(an, graph, entry, exit);
    leave::fold(an, &blocks);
    // What depends on a held value goes back to the program's own load.
    if held.is_empty() {
        invariant::first(an, &blocks, preheader);
    }
    let pins = rounding::fix(an, &blocks)?;
    let place = Place {
        blocks,
        preheader,
        last,
        exit,
    };
    match described((an, graph), held, (layout, function), place) {
        Ok(extracted) => Ok(Extracted { pins, ..extracted }),
        Err(refusal) => {
            let refusal = pins.unpinned(refusal);
            pins.restore();
            Err(refusal)
        }
    }
}

/// The blocks of a region and those around it.
struct Place {
    blocks: Vec<Block>,
    preheader: Block,
    last: Block,
    exit: Block,
}

/// Describes what was cut out.
fn described(
    (an, graph): (&Analyses, &Graph),
    held: &[held::Cell],
    (layout, function): (LLVMTargetDataRef, &str),
    place: Place,
) -> Result<Extracted, Refusal> {
    let Place {
        blocks,
        preheader,
        last,
        exit,
    } = place;
    let mut table = Table::new(an, layout, (preheader, blocks));
    table.unused = held
        .iter()
        .flat_map(|c| c.loads.iter().chain(&c.merges))
        .copied()
        .collect();
    let mut bases = Bases::new(&mut table, function, &graph.traps);

    let loops = loops(&mut table, graph)?;
    let mut described = vec![];
    let mut gathers = vec![];
    for b in table.blocks.clone() {
        described.push(region::Block {
            name: block_name(graph, b),
            loop_: table.loop_around(b).and_then(|l| table.loop_id(l)),
            insts: body::instructions(&mut table, (&mut bases, &mut gathers), b)?,
            term: body::terminator(&mut table, b, exit, graph),
        });
    }
    let way = Leaving { last, exit, graph };
    let live_out = leave::live_out(&mut table, &way)?;
    let scopes = !table.blocks.iter().any(|b| declares_scope(&table, *b));
    blocks::note_own(&mut table, &loops, &mut bases)?;
    let no_alias = bases.no_alias(&table, scopes);
    if let Some(refusal) = stray::refusal(&described, &no_alias, &table.raw) {
        return Err(refusal);
    }
    let required = required(&mut table, held);
    let held = objects::ranges(an, held);
    let reread = |l: &Value| {
        an.loop_of(l.parent())
            .is_some_and(|l| graph.is_innermost(l))
    };
    let held = held.iter().map(|r| region::Held {
        pointer: table.id(r.pointer),
        ty: Ty::Other(r.bytes * 8),
        apart: bases.apart_from(&table, &r.cells, scopes),
        reread: r.cells.iter().any(|c| c.loads.iter().any(reread)),
    });
    let mut held: Vec<region::Held> = held.collect();
    let known = (&bases, scopes);
    let settled = gathers::settle(&mut table, known, &gathers, &mut described)?;
    let mut inspected = None;
    if let Some(refusal) = settled.refusal.clone() {
        let made = inspection::inspector(&mut table, known, &settled, exit);
        inspected = Some(made.ok_or(refusal)?);
    }
    let (inspector, inspection) = inspected.unzip();
    held.extend(settled.held);
    let rows = bases.tables(&mut table);
    let strided = strides::strided(&table, preheader);
    let outer_strides = strides::outer(&table);
    let host_bases = bases.host(&table);
    bases.note_dead(&table, exit);
    let nests = loops.iter().filter(|l| l.parent.is_none());
    if nests.count() > 1 && beside_table(&rows, &host_bases) {
        return Err(Refusal {
            blame: Blame::Region,
            reason: Reason::new(
                reason::Kind::Pointer,
                "a row and the table that points to it are used beside each other",
            ),
            at: None,
        });
    }
    let alike = alike::classes(&table.raw, &described);
    let first = loops.first();
    let region = Region {
        function: function.to_string(),
        name: format!("{function}.{}", first.map_or("", |l| &l.name)),
        loc: first.and_then(|l| l.loc.clone()),
        values: table.values,
        loops,
        blocks: described,
        bases: bases.bases,
        no_alias,
        required,
        held,
        inspection,
        rows,
        strided,
        tries: graph.leaves_early,
        outer_strides,
        live_out,
        alike,
    };
    Ok(Extracted {
        region,
        values: table.raw,
        bases: host_bases,
        own: bases.own,
        blocks: table.blocks,
        loops: table.loops,
        preheader,
        exit,
        inspector,
        pins: Pins::default(),
    })
}

/// What has to hold so that the cells are read as in front of the region, and that its products do not wrap.
fn required(table: &mut Table<'_>, held: &[held::Cell]) -> Vec<Cond> {
    let entry = table.blocks[0];
    let mut all: Vec<Cond> = vec![];
    let conditions = held.iter().filter(|c| c.is_required).flat_map(|c| &c.when);
    for (condition, outcome) in conditions {
        let cond = match (table.condition(*condition, entry), outcome) {
            (cond, true) => cond,
            (cond, false) => Cond::Not(Box::new(cond)),
        };
        if !all.contains(&cond) {
            all.push(cond);
        }
    }
    all.append(&mut table.required);
    all
}

/// Whether one of the bases was loaded from a table in front of the region, as the first row that one nest fills in and another one goes on from. It is one
/// of the table's rows for others, which are never apart from it; each nest by itself has only one of both.
fn beside_table(rows: &[region::Rows], bases: &[Value]) -> bool {
    let of_table = |v: &Value, table: &Value| {
        v.is_instruction() && v.effect() == Effect::Load && v.operand(0).object() == table.object()
    };
    let is_rows = |b: usize| rows.iter().any(|r| r.base.index() == b);
    rows.iter().any(|r| {
        let table = &bases[r.table.index()];
        let mut others = bases.iter().enumerate().filter(|(b, _)| !is_rows(*b));
        others.any(|(_, v)| of_table(v, table))
    })
}

/// The name of a block, or its place in the function.
pub fn block_name(graph: &Graph, b: Block) -> String {
    let name = b.name();
    match (name.is_empty(), graph.position.get(&b)) {
        (false, _) => name,
        (true, Some(i)) => format!("b{i}"),
        (true, None) => String::from("b"),
    }
}

/// In a loop, scopes mean something else in every iteration.
fn declares_scope(table: &Table<'_>, b: Block) -> bool {
    table.loop_around(b).is_some()
        && b.instructions()
            .iter()
            .any(|i| i.opcode() == llvm_sys::LLVMOpcode::LLVMCall && is_scope_declaration(*i))
}

fn is_scope_declaration(call: Value) -> bool {
    call.callee().0 == "llvm.experimental.noalias.scope.decl"
}

fn loops(table: &mut Table<'_>, graph: &Graph) -> Result<Vec<region::Loop>, Refusal> {
    let mut list = vec![];
    for l in table.loops.clone() {
        assert!(
            l.is_simple(),
            "loops of working copies are in simplified form"
        );
        let parent = l.parent().and_then(|p| table.loop_id(p));
        let (backedge_count, predicates) = trip(table, graph, l)?;
        list.push(region::Loop {
            name: block_name(graph, l.header()),
            parent,
            header: table.block_id(l.header()).expect("loops lie inside"),
            latch: table.block_id(l.latch()).expect("loops lie inside"),
            backedge_count,
            predicates,
            uncounted: l.was_uncounted(),
            loc: llvm::loc(l.location()),
        });
    }
    Ok(list)
}

/// What stands in the way of a loop that ends when memory says so.
const BOUND: &str = "a loop bound depends on data";

/// How often a loop's back edge is taken. Exits into traps are left out: they are assumed not to happen.
fn trip(table: &mut Table<'_>, graph: &Graph, l: Loop) -> Result<(Scev, Vec<Cond>), Refusal> {
    let at = l.header();
    let exiting: Vec<Block> = exiting_blocks(table, graph, l);
    let refuse = || Refusal {
        blame: Blame::Loop(at),
        reason: Reason::new(
            reason::Kind::LoopBound,
            "the number of iterations cannot be computed",
        ),
        at: None,
    };
    let only = <[Block; 1]>::try_from(exiting).ok().map(|[b]| b);
    let count = match only {
        Some(one) => table.an.exit_count(l, one),
        None => table.an.backedge_count(l),
    };
    let open = count.and_then(|c| table.address_inside(c));
    if let Some(pointer) = open {
        let reason = Reason::new(reason::Kind::LoopBoundOnData, BOUND);
        return Err(accesses::refuse(table, pointer, reason));
    }
    if let Some(count) = count.and_then(|c| in_entry_of(table, l, c)) {
        needs(table, &count, reason::Kind::LoopBoundOnData, BOUND)?;
        return Ok((count, vec![]));
    }
    let Some((count, comparisons)) = table.an.predicated_count(l, only) else {
        return Err(refuse());
    };
    let mut predicates = vec![];
    for (pred, lhs, rhs) in comparisons {
        let (lhs, rhs) = (table.convert(lhs, at), table.convert(rhs, at));
        let (Some(lhs), Some(rhs)) = (lhs, rhs) else {
            return Err(refuse());
        };
        let pred = opcode::predicate(pred);
        predicates.push(Cond::Cmp { pred, lhs, rhs });
    }
    let count = in_entry_of(table, l, count).ok_or_else(refuse)?;
    needs(table, &count, reason::Kind::LoopBoundOnData, BOUND)?;
    Ok((count, predicates))
}

/// A count as seen from the loop's first block; it does not evolve in the loop itself.
fn in_entry_of(table: &mut Table<'_>, l: Loop, count: crate::analyses::Evolution) -> Option<Scev> {
    let own = table.loop_id(l);
    let s = table.convert(count, l.header())?;
    let evolves = s.any(&mut |part| match part.kind {
        ScevKind::AddRec { loop_, .. } => Some(loop_) == own,
        _ => false,
    });
    (!evolves).then_some(s)
}

fn exiting_blocks(table: &Table<'_>, graph: &Graph, l: Loop) -> Vec<Block> {
    let inside =
        |b: Block| std::iter::successors(table.an.loop_of(b), |l| l.parent()).any(|x| x == l);
    let leaves = |b: &&Block| {
        b.successors()
            .iter()
            .any(|s| !graph.is_left(**b, *s) && !inside(*s))
    };
    let blocks = table.blocks.iter().filter(|b| inside(**b));
    blocks.filter(leaves).copied().collect()
}

/// What flang calls for statements like `print`.
const FORTRAN_IO: &str = "_FortranAio";

/// What makes an instruction one that no region can hold.
pub fn describe_cut(inst: Value) -> Reason {
    use llvm_sys::LLVMOpcode::*;
    match inst.opcode() {
        LLVMCall | LLVMInvoke | LLVMCallBr => {
            let (name, intrinsic) = inst.callee();
            let name = if intrinsic { name } else { inst.called() };
            match name.as_str() {
                "" => Reason::new(reason::Kind::Call, "a call with unknown effects"),
                name if name.starts_with(FORTRAN_IO) => {
                    Reason::new(reason::Kind::InputOutput, "an input or output statement")
                }
                name if name.contains(polytile_codegen::OWN) => Reason::transformed_inside(),
                name => {
                    let words = format!("call of '{name}', which has effects");
                    Reason::new(reason::Kind::Call, words)
                }
            }
        }
        LLVMLoad | LLVMStore => Reason::new(reason::Kind::Volatile, "a volatile or atomic access"),
        LLVMAlloca => Reason::new(reason::Kind::Instruction, "memory allocated in a loop"),
        _ => Reason::new(
            reason::Kind::Instruction,
            format!("instruction '{}'", inst.mnemonic()),
        ),
    }
}
