//! Copies of what is written below them.

use super::{sample, with_params};
use crate::legality::are_final;
use crate::simd::accesses_of;
use polytile_analysis::ids::NodeId;
use polytile_analysis::poly::{Ctx, MultiUnionPwAff, Set, UnionMap, UnionSet};
use polytile_analysis::tree::{Copied, Pack, Side};

/// The verdict on a copy of `A[i, k]` for `k` below `bound`, in a block of the Cholesky factorization with the rows from
/// `I` and the columns from `J` on.
fn verdict(bound: &str, place: &str) -> bool {
    let ctx = Ctx::new();
    let scop = sample(&ctx, "cholesky");
    let stmt = &scop.stmts[0];
    let mut nodes = (0..5).map(NodeId::from);
    let operand = nodes.find(|n| accesses_of(stmt, *n) == [2]);
    let pack = Pack {
        stmt: stmt.id,
        side: Side::Row,
        operands: vec![operand.unwrap()],
        member: 0,
        width: 8,
        reduction: 2,
        copied: Copied::Final,
    };
    let block = "0 <= J and I <= i < I + 8 and i < n and J <= j < J + 8 and j < i";
    let below =
        format!("[n, I, J] -> {{ S0[i, j, k] : {block} and 0 <= k < j; S1[i, j] : {block} }}");
    let below = UnionSet::parse(&ctx, &below).unwrap();
    let context = Set::parse(&ctx, &format!("[n, I, J] -> {{ : {place} }}")).unwrap();
    let steps = with_params(&scop, "{ S0[i, j, k] -> [k]; S1[i, j] -> [j] }");
    let steps = MultiUnionPwAff::from_union_map(&UnionMap::parse(&ctx, &steps).unwrap());
    let copied = format!("[n, I, J] -> {{ [k] : k < {bound} }}");
    let copied = Set::parse(&ctx, &copied).unwrap();
    let steps = steps.unwrap().at(0).unwrap();
    are_final(&scop, &pack, (&below, &context), &steps, &copied).unwrap()
}

#[test]
fn a_block_takes_what_lies_left_of_it() {
    assert!(verdict("J", "J + 8 <= I"));
    assert!(verdict("min(I, J)", "J <= I"));
    // Nothing is written without columns.
    assert!(verdict("n", "J >= n"));
}

#[test]
fn one_step_too_many_is_refused() {
    assert!(!verdict("J + 1", "J + 8 <= I"));
    assert!(!verdict("I", "J <= I"));
    assert!(!verdict("n", "J <= I"));
}
