//! Rows of a band, compared between two instances.

use polytile_analysis::ids::StmtId;
use polytile_analysis::poly::{Ctx, DimType, Map, PwAff, Result, UnionPwAff};
use polytile_analysis::scop::Scop;
use std::collections::BTreeMap;

/// One row: the function of each statement.
pub(crate) struct Row {
    parts: BTreeMap<StmtId, PwAff>,
}

impl Row {
    /// The functions of a row. Spaces that are no statement's are ignored.
    pub fn new(scop: &Scop, row: &UnionPwAff) -> Result<Row> {
        let mut parts = BTreeMap::new();
        for pa in row.pw_affs()? {
            let name = pa
                .domain_space()?
                .tuple_name(DimType::Set)
                .unwrap_or_default();
            if let Some(s) = scop.stmt_by_name(&name) {
                parts.insert(s.id, pa);
            }
        }
        Ok(Row { parts })
    }

    /// The function of a statement.
    pub fn of(&self, s: StmtId) -> Option<&PwAff> {
        self.parts.get(&s)
    }
}

/// How the value `b` at the later instance relates to the value `a` at the earlier one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Relation {
    /// `b < a`
    Backwards,
    /// `b > a`
    Forwards,
    /// `b = a`
    Equal,
    /// `a - c < b < a + c`
    Nearer(i64),
}

/// Comparisons of the rows of one band, made when first needed.
pub(super) struct Comparisons<'a> {
    ctx: Ctx,
    rows: &'a [Row],
    made: BTreeMap<(usize, StmtId, StmtId, Relation), Map>,
}

impl<'a> Comparisons<'a> {
    pub fn new(ctx: &Ctx, rows: &'a [Row]) -> Self {
        Comparisons {
            ctx: ctx.clone(),
            rows,
            made: BTreeMap::new(),
        }
    }

    /// The pairs of `pairs` (instances of `src` and `dst`) between which row `m` relates so.
    pub fn restrict(
        &mut self,
        pairs: &Map,
        m: usize,
        ends: (StmtId, StmtId),
        relation: Relation,
    ) -> Result<Map> {
        let key = (m, ends.0, ends.1, relation);
        if let Some(map) = self.made.get(&key) {
            return pairs.intersect(map);
        }
        let row = &self.rows[m];
        let (Some(a), Some(b)) = (row.of(ends.0), row.of(ends.1)) else {
            unreachable!("rows are defined where instances are: checked before");
        };
        let map = compared(&self.ctx, a, b, relation)?;
        let result = pairs.intersect(&map);
        self.made.insert(key, map);
        result
    }
}

/// `{ x -> y : relation(a(x), b(y)) }`.
pub(crate) fn compared(ctx: &Ctx, a: &PwAff, b: &PwAff, relation: Relation) -> Result<Map> {
    let condition = match relation {
        Relation::Backwards => "b < a".to_owned(),
        Relation::Forwards => "b > a".to_owned(),
        Relation::Equal => "b = a".to_owned(),
        Relation::Nearer(c) => format!("a - {c} < b < a + {c}"),
    };
    let values = Map::parse(ctx, &format!("{{ [a] -> [b] : {condition} }}"))?;
    let (from, to) = (Map::from_pw_aff(a)?, Map::from_pw_aff(b)?);
    from.apply_range(&values)?.apply_range(&to.reverse()?)
}
