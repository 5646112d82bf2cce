//! The text form of schedules: isl's YAML, with a few keys more.
//!
//! ```text
//! domain: "[n] -> { S0[i, j] : 0 <= i, j < n }"
//! sizes:
//! - { name: s0, default: 32, multiple_of: 8 }
//! child:
//!   schedule: "[n] -> [{ S0[i, j] -> [(i)] }, { S0[i, j] -> [(j)] }]"
//!   permutable: 1
//!   coincident: [ 1, 0 ]
//!   loops: [ parallel-static, sequential ]
//!   tile: [ s0, whole ]
//!   child:
//!     schedule: "[n] -> [{ S0[i, j] -> [(i)] }, { S0[i, j] -> [(j)] }]"
//! ```
//!
//! | node | keys |
//! |---|---|
//! | band | `schedule`; `permutable` (0), `coincident` (all 0), `loops` (all `sequential`; `parallel-static`, `parallel-dynamic-4`, `vector`, `lanes-2x8`, `lanes-2x8-rows`, `diagonal-2x8`), `child` |
//! | tile band | also `tile`: a number, the name of a size, or `whole` per member; `wavefront`: members |
//! | sequence, set | `sequence` or `set`: a list of `filter` and `child` |
//! | note | `mark: "text"`, `child` |
//! | strips | `strips: [ 3 ]`, `child` |
//! | relation | `relation: "{ S0[i, j] -> [t] : 4t <= i + j < 4t + 4 }"`, `child`: a band with these rows |
//! | register tile | `register_tile: { stmt: S1, row: 0, rows: 8, lane: 1, vectors: 3, lanes: 8, reduction: 2 }`, `child` |
//!
//! A node without `child` ends in a leaf. All sets and functions get the parameters of the domain, then the sizes.

use super::lexer::{ParseError, Parsed};
use super::yaml::{self, Yaml, quoted};
use crate::ids::{ArrayId, NodeId, StmtId};
use crate::poly::{self, Ctx, MultiUnionPwAff, Space, UnionSet};
use crate::tree::{
    Band, Branch, Copied, Distribution, LoopKind, Mark, Pack, RegisterTile, Rest, Schedule, Side,
    SizeParam, Supply, Tile, TileSize, Tree,
};
use std::fmt::Write;

/// The text of a schedule.
pub fn print_schedule(s: &Schedule) -> String {
    let mut out = format!("domain: {}\n", quoted(&s.domain));
    if !s.sizes.is_empty() {
        out += "sizes:\n";
        for p in &s.sizes {
            writeln!(
                out,
                "- {{ name: {}, default: {}, multiple_of: {}{} }}",
                p.name,
                p.default,
                p.multiple_of,
                if p.dealt { ", dealt: 1" } else { "" }
            )
            .expect("writing to a string");
        }
    }
    child(&mut out, &s.root, &s.sizes, "");
    out
}

fn child(out: &mut String, tree: &Tree, sizes: &[SizeParam], pad: &str) {
    if !matches!(tree, Tree::Leaf) {
        *out += &format!("{pad}child:\n");
        node(out, tree, sizes, &format!("{pad}  "));
    }
}

fn node(out: &mut String, tree: &Tree, sizes: &[SizeParam], pad: &str) {
    match tree {
        Tree::Leaf => {}
        Tree::Band(b) => band(out, b, sizes, pad),
        Tree::Sequence(branches) | Tree::Set(branches) => {
            let name = if matches!(tree, Tree::Set(_)) {
                "set"
            } else {
                "sequence"
            };
            *out += &format!("{pad}{name}:\n");
            for b in branches {
                *out += &format!("{pad}- filter: {}\n", quoted(&b.filter));
                child(out, &b.child, sizes, &format!("{pad}  "));
            }
        }
        Tree::Mark(mark, below) => {
            let (key, value) = mark_text(mark);
            *out += &format!("{pad}{key}: {value}\n");
            child(out, below, sizes, pad);
        }
    }
}

/// The key of a mark and its value.
pub fn mark_text(mark: &Mark) -> (&'static str, String) {
    let ids = |ids: Vec<String>| list(ids);
    match mark {
        Mark::Note(text) => ("mark", quoted(text)),
        Mark::RegisterTile(t) => {
            let rows = match t.row {
                Some(row) => format!("row: {row}, rows: {}, ", t.rows),
                None => String::new(),
            };
            let text = format!(
                "{{ stmt: {}, {rows}lane: {}, vectors: {}, lanes: {}, reduction: {} }}",
                t.stmt, t.lane, t.vectors, t.lanes, t.reduction
            );
            ("register_tile", text)
        }
        Mark::Pack(p) => {
            let operands = p.operands.iter().map(|n| n.0.to_string()).collect();
            let side = match p.side {
                Side::Row => "row",
                Side::Lane => "lane",
            };
            let copied = match p.copied {
                Copied::All => "",
                Copied::Final => ", copied: final",
            };
            let text = format!(
                "{{ stmt: {}, side: {side}, operands: {}, member: {}, width: {}, reduction: {}{copied} }}",
                p.stmt,
                ids(operands),
                p.member,
                p.width,
                p.reduction
            );
            ("pack", text)
        }
        Mark::Private(arrays) => (
            "private",
            ids(arrays.iter().map(|a| a.0.to_string()).collect()),
        ),
        Mark::Contracted(arrays) => (
            "contracted",
            ids(arrays.iter().map(|a| a.0.to_string()).collect()),
        ),
        Mark::Strips(arrays) => (
            "strips",
            ids(arrays.iter().map(|a| a.0.to_string()).collect()),
        ),
        Mark::Relation(text) => ("relation", quoted(text)),
    }
}

/// The mark of a key and a value.
///
/// # Errors
/// What was expected instead.
pub fn mark_of(key: &str, value: &str) -> Result<Mark, ParseError> {
    let y = yaml::parse(&format!("{key}: {value}\n"))?;
    match mark(&y)? {
        Some((mark, _)) => Ok(mark),
        None => Err(y.error(format!("no mark '{key}'"))),
    }
}

/// The mark that a node is, and its key.
fn mark(y: &Yaml) -> Parsed<Option<(Mark, &'static str)>> {
    if let Some(note) = y.get("mark") {
        return Ok(Some((Mark::Note(note.text()?.to_owned()), "mark")));
    }
    if let Some(text) = y.get("relation") {
        return Ok(Some((Mark::Relation(text.text()?.to_owned()), "relation")));
    }
    if let Some(t) = y.get("register_tile") {
        return Ok(Some((
            Mark::RegisterTile(register_tile(t)?),
            "register_tile",
        )));
    }
    if let Some(p) = y.get("pack") {
        return Ok(Some((Mark::Pack(pack(p)?), "pack")));
    }
    for (word, of) in [
        ("private", Mark::Private as fn(Vec<ArrayId>) -> Mark),
        ("contracted", Mark::Contracted),
        ("strips", Mark::Strips),
    ] {
        let Some(arrays) = y.get(word) else { continue };
        let array = |n: &Yaml| -> Parsed<ArrayId> { Ok(ArrayId(n.number()?)) };
        let arrays = arrays.list()?.iter().map(array).collect::<Parsed<_>>()?;
        return Ok(Some((of(arrays), word)));
    }
    Ok(None)
}

fn list(items: Vec<String>) -> String {
    format!("[ {} ]", items.join(", "))
}

fn band(out: &mut String, b: &Band, sizes: &[SizeParam], pad: &str) {
    *out += &format!("{pad}schedule: {}\n", quoted(&b.schedule));
    *out += &format!("{pad}permutable: {}\n", u8::from(b.permutable));
    let coincident = b
        .coincident
        .iter()
        .map(|c| u8::from(*c).to_string())
        .collect();
    *out += &format!("{pad}coincident: {}\n", list(coincident));
    if b.loops.iter().any(|l| *l != LoopKind::Sequential) {
        *out += &format!(
            "{pad}loops: {}\n",
            list(b.loops.iter().map(loop_word).collect())
        );
    }
    if let Some(t) = &b.tile {
        let size = |s: &TileSize| match s {
            TileSize::Const(n) => n.to_string(),
            TileSize::Param(p) => sizes[*p].name.clone(),
            TileSize::Whole => "whole".to_owned(),
        };
        *out += &format!("{pad}tile: {}\n", list(t.sizes.iter().map(size).collect()));
        if !t.wavefront.is_empty() {
            *out += &format!(
                "{pad}wavefront: {}\n",
                list(t.wavefront.iter().map(usize::to_string).collect())
            );
        }
    }
    child(out, &b.child, sizes, pad);
}

/// How a loop runs, in a word.
pub fn loop_word(l: &LoopKind) -> String {
    match l {
        LoopKind::Sequential => "sequential".to_owned(),
        LoopKind::Vector => "vector".to_owned(),
        LoopKind::Lanes {
            lanes,
            vectors,
            supply,
        } => {
            let rows = match supply {
                Supply::Near => "",
                Supply::Rows => "-rows",
            };
            format!("lanes-{vectors}x{lanes}{rows}")
        }
        LoopKind::Diagonal {
            lanes,
            vectors,
            rest,
        } => {
            let rest = match rest {
                Rest::Diagonals => String::new(),
                Rest::Rows => "-rows".to_owned(),
                Rest::RowsBy(n) => format!("-rows-{n}"),
            };
            format!("diagonal-{vectors}x{lanes}{rest}")
        }
        LoopKind::Parallel(Distribution::Static) => "parallel-static".to_owned(),
        LoopKind::Parallel(Distribution::Dynamic { chunk }) => format!("parallel-dynamic-{chunk}"),
        LoopKind::Parallel(Distribution::Pipelined) => "parallel-pipelined".to_owned(),
    }
}

/// How a loop runs, from a word.
pub fn loop_kind_of(word: &str) -> Option<LoopKind> {
    let count = |n: &str| n.parse().ok().filter(|n| *n > 0);
    let shape = |w: &str| -> Option<(u32, u32)> {
        let (vectors, lanes) = w.split_once('x')?;
        Some((count(lanes)?, count(vectors)?))
    };
    match word {
        "sequential" => return Some(LoopKind::Sequential),
        "vector" => return Some(LoopKind::Vector),
        "parallel-static" => return Some(LoopKind::Parallel(Distribution::Static)),
        "parallel-pipelined" => return Some(LoopKind::Parallel(Distribution::Pipelined)),
        _ => {}
    }
    if let Some(w) = word.strip_prefix("lanes-") {
        let (w, supply) = match w.strip_suffix("-rows") {
            Some(w) => (w, Supply::Rows),
            None => (w, Supply::Near),
        };
        let (lanes, vectors) = shape(w)?;
        return Some(LoopKind::Lanes {
            lanes,
            vectors,
            supply,
        });
    }
    if let Some(w) = word.strip_prefix("diagonal-") {
        let (w, rest) = match w.split_once("-rows") {
            Some((w, "")) => (w, Rest::Rows),
            Some((w, n)) => (w, Rest::RowsBy(count(n.strip_prefix('-')?)?)),
            None => (w, Rest::Diagonals),
        };
        let (lanes, vectors) = shape(w)?;
        return Some(LoopKind::Diagonal {
            lanes,
            vectors,
            rest,
        });
    }
    let chunk = word.strip_prefix("parallel-dynamic-")?.parse().ok()?;
    Some(LoopKind::Parallel(Distribution::Dynamic { chunk }))
}

fn loop_kind(y: &Yaml) -> Parsed<LoopKind> {
    let word = y.text()?;
    loop_kind_of(word).ok_or_else(|| y.error(format!("no loop kind '{word}'")))
}

/// Reads a schedule.
///
/// # Errors
/// The first thing that is no part of one.
pub fn parse_schedule(ctx: &Ctx, text: &str) -> Result<Schedule, ParseError> {
    read(ctx, &yaml::parse(text)?, |domain| Ok(domain.clone()))
}

/// Reads a schedule whose sets and functions get these parameters first, in this order, whatever others its text names.
///
/// # Errors
/// The first thing that is no part of one.
pub fn parse_schedule_in(params: &Space, y: &Yaml) -> Result<Schedule, ParseError> {
    let in_order = |domain: &UnionSet| domain.align_params(params);
    read(params.ctx(), y, in_order)
}

fn read(
    ctx: &Ctx,
    y: &Yaml,
    aligned: impl Fn(&UnionSet) -> poly::Result<UnionSet>,
) -> Parsed<Schedule> {
    y.only(&["domain", "sizes", "child"])?;
    let line = y.need("domain")?;
    let domain = object(line, |t| aligned(&UnionSet::parse(ctx, t)?))?;
    let mut space = domain.space().map_err(|e| line.error(e.to_string()))?;
    let mut sizes = vec![];
    for s in y.get("sizes").map_or(Ok(&[][..]), Yaml::list)? {
        s.only(&["name", "default", "multiple_of", "dealt"])?;
        let name = s.need("name")?.text()?.to_owned();
        space = space.add_param(&name).map_err(|e| s.error(e.to_string()))?;
        let multiple_of = s.get("multiple_of").map_or(Ok(1), Yaml::number)?;
        sizes.push(SizeParam {
            name,
            default: s.need("default")?.number()?,
            multiple_of,
            dealt: s.get("dealt").map_or(Ok(0), Yaml::number)? != 0,
        });
    }
    let reader = Reader { ctx, space, sizes };
    let root = reader.child(y)?;
    Ok(Schedule {
        domain,
        root,
        sizes: reader.sizes,
    })
}

fn object<T>(y: &Yaml, parse: impl Fn(&str) -> poly::Result<T>) -> Parsed<T> {
    let text = y.text()?;
    parse(text).map_err(|e| y.error(format!("{text}: {e}")))
}

struct Reader<'a> {
    ctx: &'a Ctx,
    space: Space,
    sizes: Vec<SizeParam>,
}

impl Reader<'_> {
    fn child(&self, y: &Yaml) -> Parsed<Tree> {
        y.get("child").map_or(Ok(Tree::Leaf), |c| self.node(c))
    }

    fn node(&self, y: &Yaml) -> Parsed<Tree> {
        if let Some(s) = y.get("schedule") {
            return Ok(Tree::Band(Box::new(self.band(y, s)?)));
        }
        if let Some(list) = y.get("sequence") {
            y.only(&["sequence"])?;
            return Ok(Tree::Sequence(self.branches(list)?));
        }
        if let Some(list) = y.get("set") {
            y.only(&["set"])?;
            return Ok(Tree::Set(self.branches(list)?));
        }
        if let Some((mark, key)) = mark(y)? {
            y.only(&[key, "child"])?;
            return Ok(Tree::Mark(mark, Box::new(self.child(y)?)));
        }
        Err(y.error(
            "schedule, sequence, set, mark, register_tile, pack, private, contracted or strips expected",
        ))
    }

    fn branches(&self, list: &Yaml) -> Parsed<Vec<Branch>> {
        let branch = |y: &Yaml| {
            y.only(&["filter", "child"])?;
            let filter = object(y.need("filter")?, |t| {
                UnionSet::parse(self.ctx, t)?.align_params(&self.space)
            })?;
            Ok(Branch {
                filter,
                child: self.child(y)?,
            })
        };
        list.list()?.iter().map(branch).collect()
    }

    fn band(&self, y: &Yaml, s: &Yaml) -> Parsed<Band> {
        y.only(&[
            "schedule",
            "permutable",
            "coincident",
            "loops",
            "tile",
            "wavefront",
            "child",
        ])?;
        let schedule = object(s, |t| {
            MultiUnionPwAff::parse(self.ctx, t)?.align_params(&self.space)
        })?;
        let members = schedule.size();
        let per_member = |key: &str| -> Parsed<Option<&[Yaml]>> {
            match y.get(key) {
                None => Ok(None),
                Some(l) if l.list()?.len() == members => Ok(Some(l.list()?)),
                Some(l) => Err(l.error(format!("{members} entries expected"))),
            }
        };
        let coincident = match per_member("coincident")? {
            None => vec![false; members],
            Some(l) => l.iter().map(flag).collect::<Parsed<_>>()?,
        };
        let loops = match per_member("loops")? {
            None => vec![LoopKind::Sequential; members],
            Some(l) => l.iter().map(loop_kind).collect::<Parsed<_>>()?,
        };
        let wavefront = match y.get("wavefront") {
            None => vec![],
            Some(l) => l.list()?.iter().map(Yaml::number).collect::<Parsed<_>>()?,
        };
        let tile = match per_member("tile")? {
            None => None,
            Some(l) => Some(Tile {
                sizes: l.iter().map(|s| self.tile_size(s)).collect::<Parsed<_>>()?,
                wavefront,
            }),
        };
        let permutable = y.get("permutable").map_or(Ok(false), flag)?;
        Ok(Band {
            schedule,
            permutable,
            coincident,
            loops,
            tile,
            child: self.child(y)?,
        })
    }

    fn tile_size(&self, y: &Yaml) -> Parsed<TileSize> {
        let word = y.text()?;
        if word == "whole" {
            return Ok(TileSize::Whole);
        }
        if let Ok(n) = word.parse() {
            return Ok(TileSize::Const(n));
        }
        let found = self.sizes.iter().position(|s| s.name == word);
        found
            .map(TileSize::Param)
            .ok_or_else(|| y.error(format!("no size '{word}'")))
    }
}

fn flag(y: &Yaml) -> Parsed<bool> {
    match y.text()? {
        "1" | "true" => Ok(true),
        "0" | "false" => Ok(false),
        other => Err(y.error(format!("0 or 1 expected, found '{other}'"))),
    }
}

fn statement(y: &Yaml) -> Parsed<StmtId> {
    let stmt = y.need("stmt")?;
    let id = stmt.text()?.strip_prefix('S').and_then(|n| n.parse().ok());
    Ok(StmtId(
        id.ok_or_else(|| stmt.error("a statement expected"))?,
    ))
}

fn pack(y: &Yaml) -> Parsed<Pack> {
    y.only(&[
        "stmt",
        "side",
        "operands",
        "member",
        "width",
        "reduction",
        "copied",
    ])?;
    let side = y.need("side")?;
    let operand = |n: &Yaml| -> Parsed<NodeId> { Ok(NodeId(n.number()?)) };
    Ok(Pack {
        stmt: statement(y)?,
        side: match side.text()? {
            "row" => Side::Row,
            "lane" => Side::Lane,
            other => return Err(side.error(format!("row or lane expected, found '{other}'"))),
        },
        operands: y
            .need("operands")?
            .list()?
            .iter()
            .map(operand)
            .collect::<Parsed<_>>()?,
        member: y.need("member")?.number()?,
        width: y.need("width")?.number()?,
        reduction: y.need("reduction")?.number()?,
        copied: match y.get("copied") {
            None => Copied::All,
            Some(c) => match c.text()? {
                "all" => Copied::All,
                "final" => Copied::Final,
                other => return Err(c.error(format!("all or final expected, found '{other}'"))),
            },
        },
    })
}

fn register_tile(y: &Yaml) -> Parsed<RegisterTile> {
    y.only(&[
        "stmt",
        "row",
        "rows",
        "lane",
        "vectors",
        "lanes",
        "reduction",
    ])?;
    let row = y.get("row").map(Yaml::number).transpose()?;
    let rows = match row {
        Some(_) => y.need("rows")?.number()?,
        None => 1,
    };
    Ok(RegisterTile {
        stmt: statement(y)?,
        row,
        rows,
        lane: y.need("lane")?.number()?,
        vectors: y.need("vectors")?.number()?,
        lanes: y.need("lanes")?.number()?,
        reduction: y.need("reduction")?.number()?,
    })
}
