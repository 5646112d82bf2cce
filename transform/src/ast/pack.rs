//! Copies of operands for the register tiles of a subtree: [`PackStore`] loops, and [`Panel`]s for the micro-kernels.
//!
//! The elements to copy are the image of the instances under the rows of one side's member and of the reduction:
//!
//! ```text
//! Q = { (h, k) : exists x in P: theta_m(x) = h, theta_k(x) = k }
//! for h, k in Q, p = (h - h0) div W:
//!   buffer[p * K * n * W + (k - k0) * n * W + (h - h0 - p * W) + operand * W] = operand(h, k)
//! ```
//!
//! The loops run over `p`, then over `k` and `h` or, where memory is contiguous along `k`, over `h` and `k`. `h0` and
//! `k0` are the origins of the enclosing tile (where a member is not tiled: its least value), `W` the rows or lanes of a
//! register tile, `n` the number of operands, `K` the size of the reduction block. Where threads share the work below,
//! they share the panels to copy, too. Nothing outside of `Q` is read, so no load is invented. If `Q` or an origin has no
//! simple form, there is no copy, and the micro-kernels read the arrays.
//!
//! Copies of operands that are written below them are in [`finals`], the places of copied elements in [`layout`].

mod finals;
mod layout;

use super::convert::{Converter, LoopSpec};
use super::scope::Scope;
use super::{Generator, SHARE, block, expr};
use crate::simd::{accesses_of, moves_along};
use finals::Until;
use layout::{elements, frame};
use polytile_analysis::ast::{
    Ast, BinOp, Buffer, Expr, For, ForKind, IterId, MicroKernel, PackStore, Panel,
};
use polytile_analysis::poly::{
    self, AstLoopType, DimType, LocalSpace, Map, MultiUnionPwAff, PwAff, Set, UnionPwAff, UnionSet,
};
use polytile_analysis::scop::Stmt;
use polytile_analysis::stride::Stride;
use polytile_analysis::tree::{Copied, Distribution, LoopKind, Pack, Side, Tree};

/// Tuple of the copied elements.
const TUPLE: &str = "Pack";

/// Work of copying one element, in units of [`crate::work`]: a load and a store, mostly waiting.
const COPY_WEIGHT: i64 = 5;

/// A packed side that the register tiles of a subtree may use.
#[derive(Clone)]
pub(crate) struct Packed {
    pack: Pack,
    buffer: usize,
    /// The member's row.
    pub row: UnionPwAff,
    /// `h0` over the parameters. Register tiles below begin at multiples of `W` from it.
    pub first: PwAff,
    /// Its value.
    start: Expr,
    /// `k0`.
    origin: Expr,
    /// `K * n * W`.
    panel: Expr,
    /// The step of the reduction before which elements are copied; none: all are.
    until: Option<Expr>,
}

impl Generator<'_> {
    /// The copy loops of a mark and the program below it.
    pub(super) fn packed(
        &mut self,
        pack: &Pack,
        child: &Tree,
        domain: &UnionSet,
        scope: &Scope,
    ) -> poly::Result<Ast> {
        let until = {
            let _quota = domain.ctx().clone().share(SHARE);
            match pack.copied {
                Copied::All => Until::All,
                Copied::Final => self.until(pack, domain, scope)?,
            }
        };
        match until {
            Until::Nothing => self.tree(child, domain, scope),
            Until::All => self.copied(pack, child, domain, scope, None),
            Until::Step(bound) => {
                self.check_final(pack, &bound, domain, scope)?;
                let (iter, name, inner) = self.named(scope)?;
                let body = self.copied(pack, child, domain, &inner, Some(&name))?;
                Ok(once(iter, bound, body))
            }
        }
    }

    /// The copy loops for steps before the one that is named `until`, and the program below.
    fn copied(
        &mut self,
        pack: &Pack,
        child: &Tree,
        domain: &UnionSet,
        scope: &Scope,
        until: Option<&str>,
    ) -> poly::Result<Ast> {
        let dealt = runs_in_parallel(child);
        let Some((copy, packed)) = self.copy_loops(pack, dealt, domain, (scope, until))? else {
            return self.tree(child, domain, scope);
        };
        let mut inner = scope.clone();
        inner.packed.push(packed);
        let below = self.tree(child, domain, &inner)?;
        Ok(block(vec![copy, below]))
    }

    fn copy_loops(
        &mut self,
        pack: &Pack,
        dealt: bool,
        domain: &UnionSet,
        (scope, until): (&Scope, Option<&str>),
    ) -> poly::Result<Option<(Ast, Packed)>> {
        let scop = self.scop;
        let stmt = scop.stmt(pack.stmt);
        let Some(band) = scope.tile_rows.clone() else {
            return Ok(None);
        };
        let row = band.at(pack.member)?;
        let (elements, layout, frame) = {
            let _quota = domain.ctx().clone().share(SHARE);
            let Some(mut elements) = elements(&band, pack, stmt, domain, scope)? else {
                return Ok(None);
            };
            if let Some(name) = until {
                let text = format!("[{name}] -> {{ {TUPLE}[h, k] : k < {name} }}");
                elements = elements.intersect(&Set::parse(domain.ctx(), &text)?)?;
            }
            let Some(layout) = self.layout(pack, &band, domain, scope)? else {
                return Ok(None);
            };
            let Some(frame) = frame((scop, stmt), pack, &band, scope)? else {
                return Ok(None);
            };
            (elements, layout, frame)
        };
        let Some(base) = frame.origin(stmt, scope)? else {
            return Ok(None);
        };
        let width = i64::from(pack.width);
        let count = i64::try_from(pack.operands.len()).unwrap_or(i64::MAX);
        let buffer = self.buffers.len();
        let packed = Packed {
            pack: pack.clone(),
            buffer,
            row,
            first: layout.first,
            start: layout.start,
            origin: layout.origin,
            panel: expr::mul(&layout.block, &Expr::Int(count * width)),
            until: until.map(|name| scope.value(name)),
        };
        self.buffers.push(Buffer {
            ty: scop.array(stmt.write().array).ty,
            elements: layout.elements,
            shared: true,
        });
        let steps = &frame.steps;
        let store = |p: &Expr, h: &Expr, k: &Expr| {
            let along = |d: usize| {
                let by_h = expr::mul(&Expr::Int(steps[0][d]), h);
                let by_k = expr::mul(&Expr::Int(steps[2][d]), k);
                expr::add(&base[d], &expr::add(&by_h, &by_k))
            };
            Ast::Pack(Box::new(PackStore {
                buffer,
                stmt: stmt.id,
                operands: pack.operands.clone(),
                args: (0..stmt.depth()).map(along).collect(),
                index: packed.index([p, h, k], count * width),
                width: pack.width,
            }))
        };
        let rows_inner = self.contiguous_rows(stmt, pack, &steps[0])?;
        let panels = match dealt {
            false => LoopSpec::plain(),
            true => LoopSpec {
                kind: ForKind::Parallel {
                    distribution: Distribution::Static,
                    worth: None,
                    private: vec![],
                },
                lattice: None,
                runs: vec![(COPY_WEIGHT * count, elements.clone())],
            },
        };
        let copy = self.scan(&elements, &packed, (panels, rows_inner), scope, &store)?;
        Ok(Some((copy, packed)))
    }

    /// Whether the operands' memory is contiguous along the side's member.
    fn contiguous_rows(&self, stmt: &Stmt, pack: &Pack, step: &[i64]) -> poly::Result<bool> {
        for &operand in &pack.operands {
            for n in accesses_of(stmt, operand) {
                let a = &stmt.accesses[n];
                if moves_along(self.scop, a, step)? == Stride::Const(i128::from(a.ty.bytes())) {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Loops over the panels and their elements, with the member innermost or the reduction.
    fn scan(
        &mut self,
        elements: &Set,
        packed: &Packed,
        (panels, rows_inner): (LoopSpec, bool),
        scope: &Scope,
        store: &dyn Fn(&Expr, &Expr, &Expr) -> Ast,
    ) -> poly::Result<Ast> {
        let ctx = elements.ctx().clone();
        let (node, names) = {
            let _quota = ctx.share(SHARE);
            let numbered = packed.numbered(elements)?;
            let schedule = poly::Schedule::from_domain(&numbered.to_union_set()?)?;
            let mut node = schedule.root()?.child(0)?;
            let inner = if rows_inner { ["k", "h"] } else { ["h", "k"] };
            for row in ["p", inner[0], inner[1]] {
                let text = format!("[{{ {TUPLE}[p, h, k] -> [({row})] }}]");
                node = node.insert_partial_schedule(&MultiUnionPwAff::parse(&ctx, &text)?)?;
                node = node
                    .band_member_set_ast_loop_type(0, AstLoopType::Atomic)?
                    .child(0)?;
            }
            let names: Vec<String> = (0..3).map(|d| format!("{}{d}", scope.prefix)).collect();
            let text: Vec<&str> = names.iter().map(String::as_str).collect();
            (node.schedule()?.program(&scope.context, &text)?, names)
        };
        let mut user = |_: &mut Generator, _: &Scope, _: &str, args: Vec<Expr>| {
            Ok(store(&args[0], &args[1], &args[2]))
        };
        let mut converter = Converter {
            specs: vec![panels, LoopSpec::plain(), LoopSpec::plain()],
            iterators: &names,
            marks: &[],
            user: &mut user,
        };
        converter.node(self, &node, scope)
    }
}

impl Packed {
    /// Elements `[h, k]` as `[p, h, k]` with the numbers of their panels.
    fn numbered(&self, elements: &Set) -> poly::Result<Set> {
        let space = elements.space()?;
        let h = PwAff::var_on_domain(&LocalSpace::from_space(&space)?, DimType::Set, 0)?;
        let ahead = h.sub(&self.first.insert_domain(&space)?)?;
        let number = ahead.scale_down_si(i64::from(self.pack.width))?.floor()?;
        let numbered = Map::from_pw_aff(&number)?.intersect_domain(elements)?;
        numbered.reverse()?.wrap()?.flatten()?.set_tuple_name(TUPLE)
    }

    /// The element of operand 0 at `[p, h, k]`; `step` elements per step of the reduction.
    fn index(&self, [p, h, k]: [&Expr; 3], step: i64) -> Expr {
        let before = expr::mul(&Expr::Int(i64::from(self.pack.width)), p);
        let within = expr::sub(&expr::sub(h, &self.start), &before);
        let depth = expr::mul(&expr::sub(k, &self.origin), &Expr::Int(step));
        expr::add(&expr::mul(p, &self.panel), &expr::add(&depth, &within))
    }

    /// What a register tile whose origins are `scope`'s uses of it.
    fn panel(&self, scope: &Scope) -> poly::Result<Option<Panel>> {
        for (row, name) in scope.origins.iter().rev() {
            if row.plain_is_equal(&self.row)? {
                let at = expr::sub(&scope.value(name), &self.start);
                let width = Expr::Int(i64::from(self.pack.width));
                return Ok(Some(Panel {
                    buffer: self.buffer,
                    operands: self.pack.operands.clone(),
                    width: self.pack.width,
                    start: expr::mul(&expr::bin(BinOp::PosDiv, &at, &width), &self.panel),
                    origin: self.origin.clone(),
                }));
            }
        }
        Ok(None)
    }
}

/// Whether a loop of the subtree runs in parallel; around it there is none then.
fn runs_in_parallel(tree: &Tree) -> bool {
    match tree {
        Tree::Leaf => false,
        Tree::Band(b) => {
            b.loops.iter().any(|l| matches!(l, LoopKind::Parallel(_))) || runs_in_parallel(&b.child)
        }
        Tree::Mark(_, child) => runs_in_parallel(child),
        Tree::Sequence(list) | Tree::Set(list) => list.iter().any(|b| runs_in_parallel(&b.child)),
    }
}

/// Buffers that are packed inside of parallel loops are not shared.
pub(super) fn own_copies(ast: &Ast, parallel: bool, buffers: &mut [Buffer]) {
    match ast {
        Ast::For(l) => {
            // Panels that threads copy for all stay shared.
            let here = matches!(l.kind, ForKind::Parallel { .. }) && !l.body.only_copies();
            own_copies(&l.body, parallel || here, buffers);
        }
        Ast::If { then, els, .. } => {
            own_copies(then, parallel, buffers);
            els.iter().for_each(|e| own_copies(e, parallel, buffers));
        }
        Ast::Block(list) => list.iter().for_each(|a| own_copies(a, parallel, buffers)),
        Ast::Pack(p) => buffers[p.buffer].shared &= !parallel,
        Ast::User(_) | Ast::MicroKernel(_) => {}
    }
}

/// Adds the panels of a scope to a kernel.
pub(super) fn add_panels(kernel: &mut MicroKernel, scope: &Scope) -> poly::Result<()> {
    for packed in scope
        .packed
        .iter()
        .filter(|p| p.pack.stmt == kernel.tile.stmt)
    {
        let tile = &kernel.tile;
        match packed.pack.side {
            Side::Row if packed.pack.width == tile.rows => {
                kernel.row_panel = packed.panel(scope)?;
            }
            Side::Lane if packed.pack.width == tile.vectors * tile.lanes => {
                kernel.lane_panel = packed.panel(scope)?;
            }
            Side::Row | Side::Lane => {}
        }
    }
    Ok(())
}

/// Steps of the reduction before which the panels of a kernel hold elements.
pub(super) fn limits(kernel: &MicroKernel, scope: &Scope) -> Vec<Expr> {
    let panels = [&kernel.row_panel, &kernel.lane_panel];
    let used = |p: &&Packed| {
        panels
            .iter()
            .copied()
            .flatten()
            .any(|x| x.buffer == p.buffer)
    };
    let limited = scope.packed.iter().filter(used);
    limited.filter_map(|p| p.until.clone()).collect()
}

/// `for (iter = value; iter <= value; iter += 1) body`: names a value.
pub(super) fn once(iter: IterId, value: Expr, body: Ast) -> Ast {
    Ast::For(Box::new(For {
        iter,
        lower: value.clone(),
        upper: value,
        step: Expr::Int(1),
        anchor: None,
        kind: ForKind::Sequential,
        body,
    }))
}
