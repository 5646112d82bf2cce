//! From what a kernel costs and what the machine gives to a time that nothing can beat.
//!
//! Three bounds hold at once: the arithmetic at the peak rate of its type, the compulsory bytes at the rates of streams
//! (only where the caches are cold, else the data may be there), and the longest chain of dependences at the latencies of
//! its operations. The greatest of them is the bound of the kernel.
//!
//! Memory moves more bytes per second where a stream is read and written than where it is only read. With `b` compulsory
//! bytes, of which `w` belong to written arrays (read for ownership and written), the bytes take
//! `(b - w) / read + w / update`.

use serde::{Deserialize, Serialize};

use super::child::{Caches, Work};
use super::peaks::{Peaks, Streams};

/// What limits a kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Limit {
    /// The arithmetic units.
    Operations,
    /// The memory.
    Bytes,
    /// A chain of dependences.
    Chain,
}

/// The bounds of a kernel on a number of threads, in seconds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Bound {
    /// From the operations.
    pub operations: f64,
    /// From the bytes; 0 with warm caches.
    pub bytes: f64,
    /// From the chain.
    pub chain: f64,
}

impl Bound {
    /// The bound of a kernel.
    pub fn new(work: &Work, peaks: &Peaks, streams: Streams, caches: Caches) -> Self {
        let updated = work.bytes.min(2.0 * work.written);
        let rate = peaks
            .operations
            .get(&work.element)
            .copied()
            .unwrap_or(f64::INFINITY);
        Self {
            operations: work.operations / rate,
            bytes: if caches == Caches::Cold {
                (work.bytes - updated) / streams.read + updated / streams.update
            } else {
                0.0
            },
            chain: work.chain_fused * peaks.fused
                + work.chain_additions * peaks.addition
                + work.chain_divisions * peaks.division,
        }
    }

    /// The time below which no schedule gets.
    pub fn seconds(&self) -> f64 {
        self.operations.max(self.bytes).max(self.chain)
    }

    /// Which of the bounds it is.
    pub fn limit(&self) -> Limit {
        if self.chain >= self.operations && self.chain >= self.bytes {
            Limit::Chain
        } else if self.bytes >= self.operations {
            Limit::Bytes
        } else {
            Limit::Operations
        }
    }

    /// The share of the bound that a time reaches: 1 is perfect.
    pub fn share(&self, seconds: f64) -> f64 {
        self.seconds() / seconds
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::child::Arithmetic;

    fn peaks() -> Peaks {
        Peaks {
            operations: [(Arithmetic::F64, 100e9), (Arithmetic::F32, 200e9)].into(),
            triad: 40e9,
            update: 50e9,
            read: 25e9,
            fused: 1e-9,
            addition: 0.5e-9,
            division: 3e-9,
            dgemm: None,
        }
    }

    fn work() -> Work {
        Work {
            operations: 2e9,
            bytes: 0.5e9,
            written: 0.1e9,
            chain_fused: 1e6,
            chain_additions: 2e6,
            chain_divisions: 1e6,
            element: Arithmetic::F64,
        }
    }

    #[test]
    fn the_greatest_of_three_bounds_counts() {
        let bound = Bound::new(&work(), &peaks(), peaks().streams(), Caches::Cold);
        assert!((bound.operations - 0.02).abs() < 1e-12);
        assert!((bound.bytes - (0.3 / 25.0 + 0.2 / 50.0)).abs() < 1e-12);
        assert!((bound.chain - 0.005).abs() < 1e-12);
        assert_eq!(
            (bound.seconds(), bound.limit()),
            (bound.operations, Limit::Operations)
        );
        assert!((bound.share(0.04) - 0.5).abs() < 1e-12);
    }

    #[test]
    fn warm_caches_have_no_memory_bound() {
        let streaming = Work {
            bytes: 5e9,
            ..work()
        };
        assert_eq!(
            Bound::new(&streaming, &peaks(), peaks().streams(), Caches::Cold).limit(),
            Limit::Bytes
        );
        assert_eq!(
            Bound::new(&streaming, &peaks(), peaks().streams(), Caches::Warm).limit(),
            Limit::Operations
        );
    }

    #[test]
    fn each_type_has_its_peak() {
        let single = Work {
            element: Arithmetic::F32,
            ..work()
        };
        assert!(
            (Bound::new(&single, &peaks(), peaks().streams(), Caches::Cold).operations - 0.01)
                .abs()
                < 1e-12
        );
        let chained = Work {
            chain_divisions: 1e8,
            ..work()
        };
        assert_eq!(
            Bound::new(&chained, &peaks(), peaks().streams(), Caches::Cold).limit(),
            Limit::Chain
        );
    }
}
