//! `print images`: the elements that each access touches, each once, in loops.
//!
//! Loops of our own ([`scan::image`]) where variables can be eliminated exactly, isl's otherwise.

use crate::rewrite::{Applied, State};
use polytile_analysis::poly::{self, Aff, AstBuild, DimType, Set, Space};
use polytile_analysis::scan::{Row, System, image::image};
use polytile_analysis::scop::{Access, AccessKind, Scop, Stmt};

/// A paragraph for each access that touches other elements than those before it.
pub(super) fn images(state: &State) -> Applied<String> {
    let mut out = String::new();
    let mut seen: Vec<(AccessKind, Set)> = vec![];
    for stmt in &state.scop.stmts {
        for access in &stmt.accesses {
            let touched = touched(state.scop, stmt, access)?;
            let mut known = false;
            for (kind, set) in &seen {
                known |= *kind == access.kind
                    && set.space()?.is_equal(&touched.space()?)?
                    && set.is_equal(&touched)?;
            }
            if !known {
                let array = &state.scop.array(access.array).name;
                out += &format!("{} {} {array}\n", stmt.id, word(access.kind));
                out += &loops(state.scop, stmt, access, &touched)?;
                seen.push((access.kind, touched));
            }
        }
    }
    Ok(out)
}

fn word(kind: AccessKind) -> &'static str {
    match kind {
        AccessKind::Read => "read",
        AccessKind::MustWrite => "write",
        AccessKind::MayWrite => "maywrite",
    }
}

fn touched(scop: &Scop, stmt: &Stmt, access: &Access) -> poly::Result<Set> {
    let inside = stmt.domain.intersect_params(&scop.context)?;
    inside.apply(&access.relation)?.coalesce()
}

fn loops(scop: &Scop, stmt: &Stmt, access: &Access, touched: &Set) -> poly::Result<String> {
    if let Some(text) = by_rows(scop, stmt, access)? {
        return Ok(text);
    }
    let schedule = touched.identity()?.reset_tuple_id(DimType::Out)?;
    let node =
        AstBuild::from_context(&scop.context)?.node_from_schedule_map(&schedule.to_union_map()?)?;
    node.to_c_str()
}

/// The loops by elimination, if it is exact.
fn by_rows(scop: &Scop, stmt: &Stmt, access: &Access) -> poly::Result<Option<String>> {
    let space = scop.context.space()?;
    let domain = stmt.domain.align_params(&space)?.coalesce()?;
    let (Some(domain), Some(known)) = (domain.one_piece()?, scop.context.one_piece()?) else {
        return Ok(None);
    };
    let (Some(rows), Some(known)) = (System::of_set(&domain)?, System::of_set(&known)?) else {
        return Ok(None);
    };
    let Some(subscripts) = access.affine_subscripts()? else {
        return Ok(None);
    };
    let subscripts = subscripts.iter().map(|a| row(a, &space));
    let subscripts: Vec<Row> = subscripts.collect::<poly::Result<_>>()?;
    let names: Vec<&str> = scop.params.iter().map(|p| p.name.as_str()).collect();
    let array = &scop.array(access.array).name;
    let found = image(&rows, names.len(), &subscripts, &known);
    Ok(found.ok().map(|image| image.text(&names, array)))
}

/// The constant and the coefficients of parameters and iterators.
fn row(subscript: &Aff, params: &Space) -> poly::Result<Row> {
    let aligned = subscript.align_params(params)?;
    let mut row = vec![aligned.constant()?];
    for ty in [DimType::Param, DimType::In] {
        for d in 0..aligned.dim(ty) {
            row.push(aligned.coefficient(ty, d)?);
        }
    }
    Ok(row)
}

#[cfg(test)]
mod tests {
    use crate::script::{Script, run};
    use polytile_analysis::deps;
    use polytile_analysis::poly::Ctx;
    use polytile_analysis::text::parse_scop;

    fn printed(reads: &[&str]) -> String {
        let reads: String = reads
            .iter()
            .map(|r| format!("  read {{ S0[i, j] -> {r} }}\n"))
            .collect();
        let text = format!(
            "params N\ncontext {{ : 1 <= N <= 1000 }}\narray A f64 [9000]\narray B f64 [9000][9000]\narray C f64 [9000]\n\
             stmt S0\n  domain {{ S0[i, j] : 0 <= j <= i < N }}\n  beta 0 0 0\n  write {{ S0[i, j] -> C[i] }}\n{reads}"
        );
        let scop = parse_scop(&Ctx::new(), &text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let deps = deps::compute(&scop, false).unwrap();
        let script = Script::parse("t", "region f { print images }").unwrap();
        run(&script, &script.regions[0], &scop, &deps)
            .unwrap()
            .output
    }

    /// what a user sees of the paper's images.
    #[test]
    fn a2_images_are_printed_with_a_loop_for_each_dimension() {
        let text = printed(&["B[i - j, 2i + j]", "B[i - j, 2i + j]"]);
        let wanted = "S0 write C\ne1 = 0 .. N - 1\nC[e1]\nS0 read B\ne1 = 0 .. N - 1\ne2 = 0 .. N - e1 - 1\nB[e1][2e1 + 3e2]\n";
        assert_eq!(text, wanted);
    }

    #[test]
    fn other_images_are_isls() {
        let text = printed(&["A[(i + 3j) mod 5]"]);
        assert!(
            text.contains("S0 read A\nfor (int c0 = 0; c0 <= "),
            "{text}"
        );
    }
}
