//! The main of a generated program: fresh data, a call per row of sizes, hashes.

use super::{Printer, has_members};
use crate::fuzz::layout::Extent;
use crate::fuzz::program::{ArrayId, Element, Storage};

/// Helpers that do not depend on the program. Data come from a linear congruential generator, so that filling is no
/// affine computation. A block is `guard | array | guard`.
const HELPERS: &str = r#"
enum { GUARD = 256 };

static __attribute__((noinline)) unsigned long next_random(unsigned long *state) {
    *state = *state * 6364136223846793005ul + 1442695040888963407ul;
    return *state >> 16;
}

static __attribute__((noinline)) void hash(int run, const char *name, const void *data, unsigned long bytes,
                                           unsigned long guard) {
    unsigned long value = 0xcbf29ce484222325ul;
    const unsigned char *from = (const unsigned char *)data - guard;
    for (unsigned long at = 0; at < bytes + 2 * guard; at++)
        value = (value ^ from[at]) * 0x100000001b3ul;
    printf("%d %s %016lx\n", run, name, value);
}

static __attribute__((noinline)) long row(int order, long at, long rows) {
    switch (order) {
    case 0: return rows - 1 - at;
    case 1: return at == rows - 1 ? rows / 2 : at;
    case 2: return (at ^ 1) < rows ? at ^ 1 : at;
    default: return at;
    }
}

static __attribute__((noinline)) void *block(unsigned long bytes) {
    char *data = malloc(bytes + 2 * GUARD);
    if (!data)
        exit(2);
    memset(data, 0xA5, bytes + 2 * GUARD);
    char *array = data + GUARD;
    __asm__ volatile("" : "+r"(array) : : "memory");
    return array;
}
"#;

impl Element {
    /// The expression that turns random bits into an element.
    fn random_element(self) -> &'static str {
        match self {
            Self::F64 => "(double)(int)(unsigned)bits * 0x1p-31",
            Self::F32 => "(float)((int)(unsigned)bits >> 8) * 0x1p-23f",
            Self::I32 => "(int)(bits & 0xfffff)",
            Self::U32 => "(unsigned)bits",
            Self::U64 => "bits * bits",
            Self::U8 => "(unsigned char)bits",
            Self::U16 => "(unsigned short)bits",
        }
    }

    fn fill_name(self) -> String {
        format!("fill_{}", self.c_name().replace(' ', "_"))
    }
}

impl Printer<'_> {
    pub(super) fn main(&mut self) {
        self.text.push_str(HELPERS);
        self.fill_functions();
        let runs = self.program().runs.len();
        self.line(0, "int main(void) {");
        self.line(1, "fill_tables();");
        self.tables();
        self.line(1, &format!("for (int run = 0; run < {runs}; run++) {{"));
        self.line(2, "unsigned long state = 88172645463325252ul + run;");
        self.allocate();
        self.call();
        self.report();
        self.line(1, "}");
        self.line(1, "return 0;");
        self.line(0, "}");
    }

    fn fill_functions(&mut self) {
        let mut printed = Vec::new();
        for array in self.program().arrays.clone() {
            let element = array.element;
            if !array.storage.is_seen() || printed.contains(&element) {
                continue;
            }
            printed.push(element);
            let (name, c_name) = (element.fill_name(), element.c_name());
            self.line(0, &format!("static __attribute__((noinline)) void {name}({c_name} *to, long count, unsigned long *state) {{"));
            self.line(1, "for (long at = 0; at < count; at++) {");
            self.line(2, "unsigned long bits = next_random(state);");
            self.line(2, &format!("to[at] = {};", element.random_element()));
            self.line(1, "}");
            self.line(0, "}");
        }
    }

    /// The sizes, own extents and element counts of each run.
    fn tables(&mut self) {
        let generated = self.generated;
        let runs = &generated.program.runs;
        let table = |values: Vec<i64>| {
            values
                .iter()
                .map(i64::to_string)
                .collect::<Vec<_>>()
                .join(", ")
        };
        for id in 0..generated.program.parameters.len() {
            let values = table(runs.iter().map(|run| run[id]).collect());
            self.line(
                1,
                &format!("static const volatile long n{id}[] = {{{values}}};"),
            );
        }
        for (position, values) in generated.layout.extra.iter().enumerate() {
            let values = table(values.clone());
            self.line(
                1,
                &format!("static const volatile long e{position}[] = {{{values}}};"),
            );
        }
        for id in self.sized_arrays() {
            let values = (0..runs.len())
                .map(|run| generated.layout.elements(&generated.program, id, run))
                .collect();
            self.line(
                1,
                &format!(
                    "static const volatile long c{id}[] = {{{}}};",
                    table(values)
                ),
            );
        }
    }

    fn parameter_arrays(&self) -> Vec<ArrayId> {
        (0..self.program().arrays.len())
            .filter(|id| self.array(*id).storage.is_parameter())
            .collect()
    }

    /// The parameters, and what may lie in their memory.
    fn sized_arrays(&self) -> Vec<ArrayId> {
        let chosen = |id: &ArrayId| matches!(self.array(*id).storage, Storage::Chosen(..));
        (0..self.program().arrays.len())
            .filter(|id| self.array(*id).storage.is_parameter() || chosen(id))
            .collect()
    }

    fn allocate(&mut self) {
        if has_members(self.program()) {
            self.line(2, "struct record *record = block(sizeof *record);");
        }
        if !self.program().scalars.is_empty() {
            self.line(2, "struct outcome *outcome = block(sizeof *outcome);");
        }
        for id in self.parameter_arrays() {
            self.allocate_parameter(id);
        }
        for id in self.tables_of_rows() {
            self.point_to_rows(id);
        }
        for id in 0..self.program().arrays.len() {
            let fill = self.array(id).element.fill_name();
            let c_name = self.array(id).element.c_name();
            match self.array(id).storage {
                Storage::Global => self.line(2, &format!("{fill}(({c_name} *)A{id}, sizeof A{id} / sizeof({c_name}), &state);")),
                Storage::Member => self.line(2, &format!("{fill}(({c_name} *)record->A{id}, sizeof record->A{id} / sizeof({c_name}), &state);")),
                Storage::Variable
                | Storage::Constant
                | Storage::Linear
                | Storage::Rows
                | Storage::Local
                | Storage::Heap
                | Storage::Chosen(..) => {}
            }
        }
    }

    fn tables_of_rows(&self) -> Vec<ArrayId> {
        let all = self.parameter_arrays().into_iter();
        all.filter(|id| self.array(*id).storage == Storage::Rows)
            .collect()
    }

    /// The tables on the way to an array's elements, innermost first, half of the time in order.
    fn point_to_rows(&mut self, id: ArrayId) {
        let c_name = self.array(id).element.c_name();
        let rank = self.array(id).rank;
        let (mut of, mut count) = (format!("A{id}"), format!("c{id}[run]"));
        for level in 1..rank {
            let columns = match self.generated.layout.arrays[id].extents[rank - level] {
                Extent::Constant(value) => value.to_string(),
                Extent::Parameter(size, slack) => format!("(n{size}[run] + {slack})"),
                Extent::Own(position) => format!("e{position}[run]"),
            };
            let (table, rows) = match level + 1 == rank {
                true => (format!("R{id}"), format!("r{id}")),
                false => (format!("R{id}_{level}"), format!("r{id}_{level}")),
            };
            let stars = "*".repeat(level);
            let order = format!("({id} * 3 + run * 5 + {level} - 1) % 8");
            for line in [
                format!("long {rows} = {count} / {columns};"),
                format!("{c_name} {stars}*{table} = block(sizeof({c_name} {stars}) * {rows});"),
                format!("for (long at = 0; at < {rows}; at++)"),
                format!("    {table}[at] = {of} + row({order}, at, {rows}) * {columns};"),
            ] {
                self.line(2, &line);
            }
            (of, count) = (table, rows);
        }
    }

    /// A block for the array, or a place in the block of the array that it overlaps.
    fn allocate_parameter(&mut self, id: ArrayId) {
        let element = self.array(id).element;
        let (fill, c_name) = (element.fill_name(), element.c_name());
        if let Some((base, shift)) = self.array(id).overlap {
            self.line(2, &format!("{c_name} *A{id} = A{base} + {shift};"));
            return;
        }
        let over: Vec<(ArrayId, i64)> = self
            .sized_arrays()
            .into_iter()
            .filter(|other| self.array(*other).within().contains(&id))
            .map(|other| {
                (
                    other,
                    self.array(other).overlap.map_or(0, |(_, shift)| shift),
                )
            })
            .collect();
        let mut count = format!("c{id}[run]");
        for (other, shift) in over {
            count = format!("MAX({count}, c{other}[run] + {shift})");
        }
        self.line(2, &format!("long m{id} = {count};"));
        self.line(
            2,
            &format!("{c_name} *A{id} = block(sizeof({c_name}) * m{id});"),
        );
        self.line(2, &format!("{fill}(A{id}, m{id}, &state);"));
    }

    /// The call; inlined programs with a single run get their sizes as constants.
    fn call(&mut self) {
        let program = self.program();
        let constant = program.inlined && program.runs.len() == 1;
        let argument = |letter: char, id: usize, value: i64| {
            if constant {
                value.to_string()
            } else {
                format!("{letter}{id}[run]")
            }
        };
        let mut arguments: Vec<String> = (0..program.parameters.len())
            .map(|id| argument('n', id, program.runs[0][id]))
            .collect();
        if program.loaded {
            let sizes = format!("&(struct sizes){{{}}}", arguments.join(", "));
            arguments.insert(0, sizes);
        }
        let extra = &self.generated.layout.extra;
        arguments
            .extend((0..extra.len()).map(|position| argument('e', position, extra[position][0])));
        arguments.extend(self.parameter_arrays().into_iter().map(
            |id| match self.array(id).storage {
                Storage::Linear => format!("A{id}"),
                Storage::Rows => format!("R{id}"),
                _ => format!("(void *)A{id}"),
            },
        ));
        if has_members(program) {
            arguments.push("record".to_string());
        }
        if !program.scalars.is_empty() {
            arguments.push("outcome".to_string());
        }
        self.line(2, &format!("kernel({});", arguments.join(", ")));
    }

    fn report(&mut self) {
        for id in self.tables_of_rows() {
            self.line(2, &format!("free((char *)R{id} - GUARD);"));
            for level in 1..self.array(id).rank - 1 {
                self.line(2, &format!("free((char *)R{id}_{level} - GUARD);"));
            }
        }
        for id in self.parameter_arrays() {
            if self.array(id).overlap.is_none() {
                let c_name = self.array(id).element.c_name();
                self.line(
                    2,
                    &format!("hash(run, \"A{id}\", A{id}, sizeof({c_name}) * m{id}, GUARD);"),
                );
                self.line(2, &format!("free((char *)A{id} - GUARD);"));
            } else {
                self.line(
                    2,
                    &format!(
                        "printf(\"%d %s in A{}\\n\", run, \"A{id}\");",
                        self.array(id).overlap.map_or(id, |(base, _)| base)
                    ),
                );
            }
        }
        for id in 0..self.program().arrays.len() {
            match self.array(id).storage {
                Storage::Global => {
                    self.line(2, &format!("hash(run, \"A{id}\", A{id}, sizeof A{id}, 0);"))
                }
                Storage::Member => self.line(
                    2,
                    &format!("hash(run, \"A{id}\", record->A{id}, sizeof record->A{id}, 0);"),
                ),
                Storage::Variable
                | Storage::Constant
                | Storage::Linear
                | Storage::Rows
                | Storage::Local
                | Storage::Heap
                | Storage::Chosen(..) => {}
            }
        }
        for what in ["record", "outcome"] {
            if (what == "record" && has_members(self.program()))
                || (what == "outcome" && !self.program().scalars.is_empty())
            {
                self.line(
                    2,
                    &format!("hash(run, \"{what}\", {what}, sizeof *{what}, GUARD);"),
                );
                self.line(2, &format!("free((char *){what} - GUARD);"));
            }
        }
    }
}
