//! Generated programs: [`AstNode`] and [`AstExpr`], read-only trees.
//!
//! What isl's generator makes: loops, conditions, blocks, marks, and user statements that are
//! calls `S(e1, e2)` of the statement with its original iterators as expressions of the new
//! ones. The types here only inspect; the project's own tree is built from them.

use super::handle::{Handle, Ret, c_enum, handle, listed, methods};
use super::*;

handle! {
    /// A node of a generated program.
    AstNode = isl_ast_node, isl_ast_node_copy, isl_ast_node_free, show isl_ast_node_to_str
}
listed! { AstNode = isl_ast_node_list, isl_ast_node_list_alloc, isl_ast_node_list_add,
isl_ast_node_list_size, isl_ast_node_list_get_at, isl_ast_node_list_free }

handle! {
    /// An expression of a generated program.
    AstExpr = isl_ast_expr, isl_ast_expr_copy, isl_ast_expr_free, show isl_ast_expr_to_str
}
listed! { AstExpr = isl_ast_expr_list, isl_ast_expr_list_alloc, isl_ast_expr_list_add,
isl_ast_expr_list_size, isl_ast_expr_list_get_at, isl_ast_expr_list_free }

c_enum! {
    /// What a node is.
    AstNodeType {
        /// A loop.
        For = 1,
        /// A condition.
        If = 2,
        /// A sequence.
        Block = 3,
        /// A mark of the schedule tree.
        Mark = 4,
        /// A statement.
        User = 5,
    }
}

c_enum! {
    /// What an expression is.
    AstExprType {
        /// An operation.
        Op = 0,
        /// An identifier: an iterator, a parameter, a statement.
        Id = 1,
        /// A number.
        Int = 2,
    }
}

c_enum! {
    /// What an operation does.
    AstOp {
        /// Both, evaluated in any order.
        And = 0,
        /// Both, the second evaluated only if the first holds.
        AndThen = 1,
        /// Either, evaluated in any order.
        Or = 2,
        /// Either, the second evaluated only if the first fails.
        OrElse = 3,
        /// The maximum of two or more.
        Max = 4,
        /// The minimum of two or more.
        Min = 5,
        /// The negative.
        Minus = 6,
        /// The sum.
        Add = 7,
        /// The difference.
        Sub = 8,
        /// The product.
        Mul = 9,
        /// The quotient, known to be exact.
        Div = 10,
        /// The quotient rounded towards minus infinity; the divisor is positive.
        FdivQ = 11,
        /// The quotient of a dividend that is known to be non-negative.
        PdivQ = 12,
        /// The remainder of a dividend that is known to be non-negative.
        PdivR = 13,
        /// A remainder that is only compared with zero.
        ZdivR = 14,
        /// If the first holds the second, else the third; only that one is evaluated.
        Cond = 15,
        /// If the first holds the second, else the third; both may be evaluated.
        Select = 16,
        /// Equal.
        Eq = 17,
        /// At most.
        Le = 18,
        /// Less.
        Lt = 19,
        /// At least.
        Ge = 20,
        /// Greater.
        Gt = 21,
        /// A call: the function, then the arguments.
        Call = 22,
        /// An access: the array, then the subscripts.
        Access = 23,
        /// A member: the structure, then the member.
        Member = 24,
        /// The address.
        AddressOf = 25,
    }
}

methods! { AstNode {
    /// What it is.
    keep fn node_type() -> AstNodeType = isl_ast_node_get_type;
    /// The iterator of a loop.
    keep fn for_iterator() -> AstExpr = isl_ast_node_for_get_iterator;
    /// The first value of a loop's iterator.
    keep fn for_init() -> AstExpr = isl_ast_node_for_get_init;
    /// The condition under which a loop goes on.
    keep fn for_cond() -> AstExpr = isl_ast_node_for_get_cond;
    /// What is added to a loop's iterator.
    keep fn for_inc() -> AstExpr = isl_ast_node_for_get_inc;
    /// The body of a loop.
    keep fn for_body() -> AstNode = isl_ast_node_for_get_body;
    /// Whether a loop runs exactly once.
    get fn for_is_degenerate() -> bool = isl_ast_node_for_is_degenerate;
    /// The condition.
    keep fn if_cond() -> AstExpr = isl_ast_node_if_get_cond;
    /// What a condition guards.
    keep fn if_then() -> AstNode = isl_ast_node_if_get_then_node;
    /// Whether a condition has an alternative.
    get fn if_has_else() -> bool = isl_ast_node_if_has_else_node;
    /// The nodes of a block.
    keep fn block_children() -> Vec<AstNode> = isl_ast_node_block_get_children;
    /// The name of a mark.
    keep fn mark_name() -> String = isl_ast_node_mark_get_id;
    /// What a mark is on.
    keep fn mark_node() -> AstNode = isl_ast_node_mark_get_node;
    /// The call of a statement.
    keep fn user_expr() -> AstExpr = isl_ast_node_user_get_expr;
    /// With an annotation.
    take fn set_annotation(annotation: &str) -> AstNode = isl_ast_node_set_annotation;
    /// As C, several lines.
    keep fn to_c_str() -> String = isl_ast_node_to_C_str;
} }

methods! { AstExpr {
    /// What it is.
    keep fn expr_type() -> AstExprType = isl_ast_expr_get_type;
    /// What an operation does.
    keep fn op_type() -> AstOp = isl_ast_expr_op_get_type;
    /// The number of operands.
    keep fn n_args() -> usize = isl_ast_expr_op_get_n_arg;
    /// An operand.
    keep fn arg(pos: usize) -> AstExpr = isl_ast_expr_op_get_arg;
    /// The name of an identifier.
    keep fn id_name() -> String = isl_ast_expr_id_get_id;
    /// A number.
    keep fn int_val() -> Val = isl_ast_expr_int_get_val;
    /// Whether both are written alike.
    keep fn is_equal(other: &AstExpr) -> bool = isl_ast_expr_is_equal;
    /// As C.
    keep fn to_c_str() -> String = isl_ast_expr_to_C_str;
    /// The sum.
    take fn add(other: &AstExpr) -> AstExpr = isl_ast_expr_add;
    /// The difference.
    take fn sub(other: &AstExpr) -> AstExpr = isl_ast_expr_sub;
    /// The product.
    take fn mul(other: &AstExpr) -> AstExpr = isl_ast_expr_mul;
    /// The negative.
    take fn neg() -> AstExpr = isl_ast_expr_neg;
    /// Equal.
    take fn equal(other: &AstExpr) -> AstExpr = isl_ast_expr_eq;
    /// Both.
    take fn and(other: &AstExpr) -> AstExpr = isl_ast_expr_and;
    /// Either.
    take fn or(other: &AstExpr) -> AstExpr = isl_ast_expr_or;
    /// A call of `self`.
    take fn call(arguments: &[AstExpr]) -> AstExpr = isl_ast_expr_call;
    /// An access of the array `self`.
    take fn access(indices: &[AstExpr]) -> AstExpr = isl_ast_expr_access;
} }

impl AstNode {
    /// The alternative of a condition, if any.
    pub fn if_else(&self) -> Result<Option<AstNode>> {
        if !self.if_has_else() {
            return Ok(None);
        }
        // SAFETY: a valid condition with an alternative; the result is fresh.
        unsafe {
            let raw = ffi::isl_ast_node_if_get_else_node(self.as_ptr());
            AstNode::from_raw(self.ctx(), raw).map(Some)
        }
    }

    /// The name of a loop's iterator.
    pub fn for_iterator_name(&self) -> Result<String> {
        self.for_iterator()?.id_name()
    }

    /// The annotation, if any.
    pub fn annotation(&self) -> Option<String> {
        // SAFETY: a valid object, only looked at; a null result means none.
        unsafe {
            let raw = ffi::isl_ast_node_get_annotation(self.as_ptr());
            if raw.is_null() {
                None
            } else {
                String::ret(self.ctx(), raw).ok()
            }
        }
    }
}

impl AstExpr {
    /// The operands.
    pub fn args(&self) -> Result<Vec<AstExpr>> {
        (0..self.n_args()?).map(|pos| self.arg(pos)).collect()
    }

    /// A number as a 64-bit integer.
    pub fn int_value(&self) -> Result<i64> {
        self.int_val()?.to_i64()
    }

    /// An identifier.
    pub fn from_name(ctx: &Ctx, name: &str) -> Result<AstExpr> {
        use super::handle::Arg;
        // SAFETY: the context is alive; the result is fresh.
        unsafe { AstExpr::from_raw(ctx, ffi::isl_ast_expr_from_id(name.take(ctx))) }
    }
}
