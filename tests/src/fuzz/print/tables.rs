//! Tables that data is an index into, rows of them whose bounds are data, and loops that end when their data says so.

use super::Printer;
use crate::fuzz::program::Element;

impl Element {
    /// Part of the names of its table.
    pub(super) fn short_name(self) -> &'static str {
        match self {
            Self::F64 => "f64",
            Self::F32 => "f32",
            Self::I32 => "i32",
            Self::U32 => "u32",
            Self::U64 => "u64",
            Self::U8 => "u8",
            Self::U16 => "u16",
        }
    }

    /// An element of its table.
    fn entry(self) -> &'static str {
        match self {
            Self::F64 | Self::F32 => "(i * 37 % 256 - 128) / 128.0",
            _ => "i * 41 % 251",
        }
    }

    /// A sum of 16 elements stays in range.
    fn term(self) -> &'static str {
        match self {
            Self::F64 => " * 0x1p-4",
            Self::F32 => " * 0x1p-4f",
            _ => "",
        }
    }

    /// The function of [`crate::fuzz::program::Function::Steps`], which yields magnitudes of at most 1 in floating point.
    fn steps(self) -> String {
        let (c, name) = (self.c_name(), self.short_name());
        match self {
            Self::F64 | Self::F32 => {
                let mark = if self == Self::F32 { "f" } else { "" };
                format!(
                    "static inline {c} steps_{name}({c} x) {{ {c} z = x; int n = 0; while (z * z < 2 && n < 32) {{ z = z * z - 2 * x; n++; }} return n * 0x1p-5{mark}; }}"
                )
            }
            _ => format!(
                "static inline {c} steps_{name}({c} x) {{ unsigned v = x & 255; {c} n = 0; for (; v > 1; n++) {{ v = v & 1 ? 3 * v + 1 : v >> 1; if (n == 31) break; }} return n; }}"
            ),
        }
    }
}

impl Printer<'_> {
    /// The tables, what fills them, sums over rows, and loops that end by themselves.
    pub(super) fn look_up_tables(&mut self) {
        self.line(0, "int bounds[65];");
        for e in Element::ALL {
            let (c, name) = (e.c_name(), e.short_name());
            self.line(0, &format!("{c} table_{name}[256];"));
            let term = e.term();
            self.line(
                0,
                &format!("static inline {c} row_{name}(unsigned i) {{ {c} s = 0; for (int k = bounds[i]; k < bounds[i + 1]; k++) s += table_{name}[k]{term}; return s; }}"),
            );
            self.line(0, &e.steps());
        }
        self.line(
            0,
            "static __attribute__((noinline)) void fill_tables(void) {",
        );
        self.line(1, "for (int i = 0; i < 65; i++) bounds[i] = i * 3 + i % 5;");
        for e in Element::ALL {
            let (name, entry) = (e.short_name(), e.entry());
            self.line(
                1,
                &format!("for (int i = 0; i < 256; i++) table_{name}[i] = {entry};"),
            );
        }
        self.line(0, "}");
    }
}
