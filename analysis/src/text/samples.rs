//! Text SCoPs of well-known loop nests, as data for tests: one file each in `analysis/samples`.
//!
//! One statement per store, counters ascend from 0, sizes are parameters of at least 4.

/// The text of a sample.
pub fn text(name: &str) -> Option<&'static str> {
    ALL.iter().find(|(n, _)| *n == name).map(|(_, text)| *text)
}

/// Names and texts.
pub const ALL: &[(&str, &str)] = &[
    ("2mm", include_str!("../../samples/2mm.scop")),
    ("atax", include_str!("../../samples/atax.scop")),
    ("cholesky", include_str!("../../samples/cholesky.scop")),
    ("covariance", include_str!("../../samples/covariance.scop")),
    ("doitgen", include_str!("../../samples/doitgen.scop")),
    ("durbin", include_str!("../../samples/durbin.scop")),
    ("fdtd-2d", include_str!("../../samples/fdtd-2d.scop")),
    (
        "floyd-warshall",
        include_str!("../../samples/floyd-warshall.scop"),
    ),
    ("gemm", include_str!("../../samples/gemm.scop")),
    ("heat-3d", include_str!("../../samples/heat-3d.scop")),
    ("jacobi-1d", include_str!("../../samples/jacobi-1d.scop")),
    ("jacobi-2d", include_str!("../../samples/jacobi-2d.scop")),
    ("lu", include_str!("../../samples/lu.scop")),
    ("mvt", include_str!("../../samples/mvt.scop")),
    ("nussinov", include_str!("../../samples/nussinov.scop")),
    ("seidel-2d", include_str!("../../samples/seidel-2d.scop")),
    ("syrk", include_str!("../../samples/syrk.scop")),
    (
        "three-mat-mat",
        include_str!("../../samples/three-mat-mat.scop"),
    ),
    ("trmm", include_str!("../../samples/trmm.scop")),
];
