//! Kernels, differential runner, program generator and benchmark harness.
