//! One line per processor: what matters to the choice of tiles.

use super::Target;
use crate::simd::register_shape;

const LINUX: &str = "x86_64-pc-linux-gnu";

/// Bits, registers, in flight, loads per cycle, L1, L2 and L3 in KiB.
fn facts(t: &Target) -> (u32, u32, u32, u32, u64, u64, u64) {
    let v = t.vector;
    (
        v.bits,
        v.registers,
        t.register_file().in_flight,
        v.loads_per_cycle,
        t.l1 >> 10,
        t.l2 >> 10,
        t.l3 >> 10,
    )
}

#[test]
fn every_processor() {
    let expected = [
        ("x86-64", (128, 16, 4, 2, 32, 256, 4096)),
        ("x86-64-v2", (128, 16, 4, 2, 32, 256, 4096)),
        ("x86-64-v3", (256, 16, 10, 2, 32, 256, 4096)),
        ("x86-64-v4", (512, 32, 8, 2, 32, 1024, 16384)),
        ("ivybridge", (256, 16, 3, 1, 32, 256, 6144)),
        ("haswell", (256, 16, 10, 2, 32, 256, 6144)),
        ("skylake", (256, 16, 8, 2, 32, 256, 6144)),
        ("skylake-avx512", (512, 32, 8, 2, 32, 1024, 16384)),
        ("icelake-client", (512, 32, 4, 2, 48, 512, 6144)),
        ("icelake-server", (512, 32, 8, 2, 48, 1280, 12288)),
        ("alderlake", (256, 16, 8, 3, 48, 1280, 12288)),
        ("sapphirerapids", (512, 32, 8, 2, 48, 2048, 32768)),
        ("znver1", (256, 16, 5, 1, 32, 512, 8192)),
        ("znver2", (256, 16, 10, 2, 32, 512, 16384)),
        ("znver3", (256, 16, 8, 2, 32, 512, 32768)),
        ("znver4", (512, 32, 4, 1, 32, 1024, 32768)),
        ("znver5", (512, 32, 8, 2, 48, 1024, 32768)),
    ];
    for (cpu, want) in expected {
        assert_eq!(facts(&Target::lookup(LINUX, cpu, "")), want, "{cpu}");
    }
}

#[test]
fn features_change_the_vectors() {
    let bits = |cpu, features| Target::lookup(LINUX, cpu, features).vector.bits;
    assert_eq!(bits("x86-64", "+sse4.2,+avx,+avx2,+fma"), 256);
    assert_eq!(bits("x86-64", "+avx,+avx2,+fma,+avx512f"), 512);
    assert_eq!(bits("znver5", "+avx2,-avx512f"), 256);
    assert_eq!(bits("haswell", "-avx"), 128);
    assert!(!Target::lookup(LINUX, "haswell", "-fma").vector.fused);
    assert!(Target::lookup(LINUX, "x86-64-v3", "").vector.fused);
    assert_eq!(
        Target::lookup(LINUX, "znver4", "").at_most(256).vector.bits,
        256
    );
}

#[test]
fn unknown_names_are_judged_by_features() {
    let t = Target::lookup(LINUX, "pentium-42", "+avx,+avx2,+fma");
    assert_eq!((t.vector.bits, t.l2 >> 10), (256, 256));
}

#[test]
fn arm() {
    let t = Target::lookup("aarch64-unknown-linux-gnu", "generic", "+neon");
    assert_eq!(facts(&t), (128, 32, 8, 2, 32, 512, 2048));
    let t = Target::lookup("arm64-apple-macosx", "apple-m1", "");
    assert_eq!(facts(&t), (128, 32, 16, 3, 128, 3072, 8192));
}

#[test]
fn register_tiles_fit() {
    let shape = |cpu| register_shape(Target::lookup(LINUX, cpu, "").register_file(), 1);
    assert_eq!(shape("znver5"), Some((8, 3)));
    assert_eq!(shape("skylake"), Some((4, 3)));
    assert_eq!(shape("znver2"), Some((4, 3)));
    assert_eq!(shape("haswell"), Some((4, 3)));
    assert_eq!(shape("skylake-avx512"), Some((8, 3)));
    assert_eq!(shape("sapphirerapids"), Some((8, 3)));
    // A product of its own waits in a register until it is added.
    assert_eq!(shape("sandybridge"), Some((6, 2)));
    let arm = |cpu| {
        register_shape(
            Target::lookup("aarch64-linux-gnu", cpu, "").register_file(),
            1,
        )
    };
    for cpu in ["neoverse-n1", "neoverse-v1", "neoverse-v2", "apple-m1"] {
        assert_eq!(arm(cpu), Some((8, 3)), "{cpu}");
    }
}

#[test]
fn rests_are_masked_where_masked_stores_are_fast() {
    let masks = |element| move |cpu| Target::lookup(LINUX, cpu, "").masks_rests(element);
    let fast = ["haswell", "skylake-avx512", "znver4", "znver5"];
    assert!(fast.into_iter().all(masks(4)));
    let slow = ["znver1", "znver2", "znver3", "x86-64"];
    assert!(!slow.into_iter().any(masks(4)));
    assert_eq!(fast.map(masks(2)), [false, true, true, true]);
}

#[test]
fn lanes_of_element_sizes() {
    let t = Target::lookup(LINUX, "znver5", "");
    assert_eq!(
        (t.lanes(8), t.lanes(4), t.lanes(1), t.lanes(128)),
        (8, 16, 64, 1)
    );
}

#[test]
fn numbers_are_changed_by_name() {
    let target = Target::lookup("x86_64-pc-linux-gnu", "znver3", "");
    for (name, value) in target.numbers() {
        let other = target.clone().with_number(name, value * 2.0).unwrap();
        let changed: Vec<(&str, f64)> = (other.numbers().zip(target.numbers()))
            .filter(|(a, b)| a != b)
            .map(|(a, _)| a)
            .collect();
        assert_eq!(changed, [(name, value * 2.0)]);
        let back = other.with_number(name, value).unwrap();
        assert_eq!(back, target);
    }
    let wrong = |name, value| target.clone().with_number(name, value).unwrap_err();
    assert!(wrong("forks", 1.0).contains("no number 'forks'; there are l2_rate"));
    assert!(wrong("fork", f64::NAN).contains("is not from"));
    assert!(wrong("shared", 0.0).contains("is not from"));
}
