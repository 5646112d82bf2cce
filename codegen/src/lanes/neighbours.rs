//! Lanes that lie apart, in which statements read elements next to each other: fields of structures, columns of short rows.
//!
//! Such elements are read lane by lane as vectors and transposed in registers, like the squares of [`super::squares`], but with the
//! elements of one iteration where those have the elements of several steps:
//!
//! ```text
//! lanes i: s = p[i].x * p[i].x + p[i].y * p[i].y          w[l] = load p[i + l][x .. y];   x, y = transpose(w)
//! ```
//!
//! A window of as many elements as a power of two, at most one per lane, is read at once. All of its elements are read by each lane, so
//! that nothing is read that the program does not read, and none of them is written by the statements that are looked at. The fields of a
//! structure may have types of their own for the alias analysis: what is read at once has none.

use super::carried::{Address, address};
use super::form::reads;
use super::values::{Lie, direction, lie};
use super::{Bundle, Known, scalars};
use crate::emit::Emitter;
use crate::ir::Value;
use crate::metadata::Memory;
use crate::tile::transpose::block_of;
use inkwell::values::VectorValue;
use polytile_analysis::ast::User;
use polytile_analysis::scop::Access;
use std::collections::BTreeMap;

/// A read: user and access.
type Read = (usize, usize);

/// Elements next to each other.
struct Window {
    /// Reads by element, in the order of addresses.
    reads: Vec<Vec<Read>>,
}

impl<'e, 'c> Emitter<'e, 'c> {
    /// Statements one behind the other.
    pub(super) fn bundle_users(&mut self, b: Bundle<'c>, users: &[&User]) {
        let windows = match b.lanes > 1 && b.last.is_none() {
            true => self.windows(b, users),
            false => vec![],
        };
        // Without windows, vectors of one statement side by side are chains that overlap; with them, they would all wait in registers.
        let order: Vec<(usize, u32)> = match windows.is_empty() {
            true => (0..users.len())
                .flat_map(|at| (0..b.vectors).map(move |v| (at, v)))
                .collect(),
            false => (0..b.vectors)
                .flat_map(|v| (0..users.len()).map(move |at| (at, v)))
                .collect(),
        };
        let mut same = vec![Known::new(); users.len()];
        let mut near: BTreeMap<Read, Value<'c>> = BTreeMap::new();
        for (at, v) in order {
            if at == 0 {
                near = windows
                    .iter()
                    .flat_map(|w| self.window_load(b, users, w, v))
                    .collect();
            }
            let mut known = same[at].clone();
            let own = near.range((at, 0)..(at + 1, 0));
            known.extend(own.map(|((_, n), value)| (*n, *value)));
            let value = self.bundle_value(b, users[at], v, &mut known);
            same[at] = scalars(known);
            self.bundle_store(b, users[at], v, value);
        }
    }

    /// The windows of what these statements read.
    fn windows(&self, b: Bundle<'c>, users: &[&User]) -> Vec<Window> {
        let mut pending: Vec<(Read, &Access, Address)> = vec![];
        for (at, u) in users.iter().enumerate() {
            let stmt = self.scop.stmt(u.stmt);
            for n in reads(stmt) {
                let a = &stmt.accesses[n];
                if self.lies_apart(b, users, (at, n)) {
                    pending.extend(address(self.scop, u, a).map(|place| ((at, n), a, place)));
                }
            }
        }
        let mut found = vec![];
        while let Some((first, a, start)) = pending.pop() {
            let mut places: BTreeMap<i128, Vec<Read>> = BTreeMap::from([(0, vec![first])]);
            pending.retain(|(read, other, place)| {
                match self.elements_behind((other, place), (a, &start)) {
                    Some(n) => {
                        places.entry(n).or_default().push(*read);
                        false
                    }
                    None => true,
                }
            });
            found.extend(cut(&places, b.lanes as usize));
        }
        found
    }

    /// Whether the lanes of a read lie apart, in an array that none of the statements writes.
    fn lies_apart(&self, b: Bundle<'c>, users: &[&User], (at, n): Read) -> bool {
        let stmt = self.scop.stmt(users[at].stmt);
        let a = &stmt.accesses[n];
        let written = |u: &&User| self.scop.stmt(u.stmt).writes_to(a.array);
        let elsewhere = self.program.handed.contains(&a.array)
            || self.panels.iter().any(|p| p.array == a.array);
        if a.inst.is_none() || elsewhere || users.iter().any(written) {
            return false;
        }
        let along = direction(users[at], b.iter).and_then(|d| lie(self.scop, stmt, a, &d));
        along.is_some_and(|(gain, lie)| lie == Lie::Apart && !self.leaves_row(a, &gain))
    }

    /// How many elements a read lies behind another one that moves as it does.
    fn elements_behind(
        &self,
        (a, place): (&Access, &Address),
        (b, start): (&Access, &Address),
    ) -> Option<i128> {
        let apart = place.behind(start)?;
        let bytes = i128::from(a.ty.bytes());
        let fits = a.array == b.array
            && a.ty == b.ty
            && self.access_type(a) == self.access_type(b)
            && apart.symbolic.is_empty()
            && apart.constant % bytes == 0;
        fits.then_some(apart.constant / bytes)
    }

    /// The values of a window's reads in a vector of lanes.
    fn window_load(
        &mut self,
        b: Bundle<'c>,
        users: &[&User],
        window: &Window,
        v: u32,
    ) -> Vec<(Read, Value<'c>)> {
        let (at, n) = window.reads[0][0];
        let u = users[at];
        let stmt = self.scop.stmt(u.stmt);
        let a = &stmt.accesses[n];
        let here = self.bundle_at(b, u, v);
        if let Some(inst) = a.inst {
            self.locate(self.host.values[inst.index()]);
        }
        let along = direction(u, b.iter).expect("checked before");
        let (gain, _) = lie(self.scop, stmt, a, &along).expect("checked before");
        let width = window.reads.len() as u32;
        let row = self.vector_type(self.access_type(a), width);
        let align = self.origin_of(a).map_or(1, |o| o.align);
        let mut rows = vec![];
        for p in self.lane_places((b, v), a, (&gain, &along), &here) {
            let value = self.vector_load(row, p, None, align);
            self.mark_access(
                crate::body::instruction(value),
                Some(Memory::Array(a.array)),
            );
            rows.push(value.into_vector_value());
        }
        let columns = self.columns(rows, (width as usize, a.ty.bytes() as u32));
        let mut values = vec![];
        for (column, reads) in columns.into_iter().zip(&window.reads) {
            values.extend(reads.iter().map(|read| (*read, Value::from(column))));
        }
        values
    }

    /// The columns of rows that are no longer than there are rows: every `width`-th row side by side, and then the transposes of squares.
    fn columns(
        &self,
        rows: Vec<VectorValue<'c>>,
        (width, bytes): (usize, u32),
    ) -> Vec<VectorValue<'c>> {
        if rows.len() == width {
            return self.transpose(rows, block_of(bytes, width as u32));
        }
        let mut groups: Vec<Vec<VectorValue<'c>>> = rows.chunks(width).map(<[_]>::to_vec).collect();
        while groups.len() > 1 {
            let beside = |(a, b): (&VectorValue<'c>, &VectorValue<'c>)| {
                let picks: Vec<u32> = (0..2 * a.get_type().get_size()).collect();
                self.shuffle(*a, *b, &picks)
            };
            let pairs = groups.chunks(2);
            groups = pairs
                .map(|pair| pair[0].iter().zip(&pair[1]).map(beside).collect())
                .collect();
        }
        self.transpose_in_blocks(groups.swap_remove(0))
    }
}

/// Windows of elements next to each other, the longest first.
fn cut(places: &BTreeMap<i128, Vec<Read>>, lanes: usize) -> Vec<Window> {
    let all: Vec<(&i128, &Vec<Read>)> = places.iter().collect();
    let mut found = vec![];
    for row in all.chunk_by(|a, b| a.0 + 1 == *b.0) {
        let mut rest = row;
        while rest.len() > 1 {
            let width = (1 << rest.len().ilog2()).min(lanes);
            let (window, behind) = rest.split_at(width);
            found.push(Window {
                reads: window.iter().map(|(_, reads)| (*reads).clone()).collect(),
            });
            rest = behind;
        }
    }
    found
}
