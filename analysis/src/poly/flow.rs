//! Dependence analysis: which access reads what which other access wrote.
//!
//! isl's access analysis (Feautrier 1991, for unions and schedule trees): for every sink the
//! *last* must-source before it, and all may-sources in between. With writes as must-sources
//! and reads as sinks it is value-based flow; with everything as may-source it is memory-based.

use super::handle::{handle, methods};
use super::*;

handle! {
    /// The input of the analysis.
    UnionAccessInfo = isl_union_access_info, isl_union_access_info_copy,
        isl_union_access_info_free, show isl_union_access_info_to_str
}

handle! {
    /// The result of the analysis.
    UnionFlow = isl_union_flow, isl_union_flow_copy, isl_union_flow_free,
        show isl_union_flow_to_str
}

methods! { UnionAccessInfo {
    /// The accesses `instance -> element` whose sources are sought.
    new fn from_sink(sink: &UnionMap) -> UnionAccessInfo = isl_union_access_info_from_sink;
    /// Accesses that certainly happen: they hide earlier ones.
    take fn set_must_source(must_source: &UnionMap) -> UnionAccessInfo =
        isl_union_access_info_set_must_source;
    /// Accesses that may happen.
    take fn set_may_source(may_source: &UnionMap) -> UnionAccessInfo =
        isl_union_access_info_set_may_source;
    /// The order, as a map to times that are compared lexicographically.
    take fn set_schedule_map(schedule_map: &UnionMap) -> UnionAccessInfo =
        isl_union_access_info_set_schedule_map;
    /// Runs the analysis.
    take fn compute_flow() -> UnionFlow = isl_union_access_info_compute_flow;
} }

methods! { UnionFlow {
    /// Instance pairs (source, sink) whose source is certain.
    keep fn must_dependence() -> UnionMap = isl_union_flow_get_must_dependence;
    /// Instance pairs (source, sink), all, the certain ones included.
    keep fn may_dependence() -> UnionMap = isl_union_flow_get_may_dependence;
    /// As `may_dependence`, with the element: `source -> [sink -> element]`.
    keep fn full_may_dependence() -> UnionMap = isl_union_flow_get_full_may_dependence;
    /// The sink accesses that certainly have no source.
    keep fn must_no_source() -> UnionMap = isl_union_flow_get_must_no_source;
    /// The sink accesses that may have no source.
    keep fn may_no_source() -> UnionMap = isl_union_flow_get_may_no_source;
} }
