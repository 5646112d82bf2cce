//! A generated program as C.
//!
//! The file holds the function with the nests, and a main that calls it once per row of sizes on fresh data and prints a
//! hash of every array, its guard zones included, as `RUN NAME HASH`.

mod blocks;
mod driver;
mod index;
mod switch;
mod tables;
mod value;

use std::collections::BTreeSet;

use super::generate::Generated;
use super::layout::Extent;
use super::program::{
    Array, ArrayId, Condition, Element, Form, Loop, Operator, Place, Program, Statement, Storage,
    Target, Update, Variable, Width, visit_places,
};

/// The C text of a program.
pub fn print(generated: &Generated) -> String {
    let mut printer = Printer::new(generated);
    printer.header();
    printer.look_up_tables();
    printer.function();
    printer.main();
    printer.text
}

struct Printer<'p> {
    generated: &'p Generated,
    /// Counters that are never negative.
    naturals: index::Naturals,
    /// Arrays that are accessed; local ones that are not are left out.
    used: BTreeSet<ArrayId>,
    text: String,
}

impl Width {
    fn c_name(self) -> &'static str {
        match self {
            Self::I16 => "short",
            Self::I32 => "int",
            Self::I64 => "long",
            Self::U32 => "unsigned",
            Self::U64 => "unsigned long",
        }
    }
}

impl Element {
    fn c_name(self) -> &'static str {
        match self {
            Self::F64 => "double",
            Self::F32 => "float",
            Self::I32 => "int",
            Self::U32 => "unsigned",
            Self::U64 => "unsigned long",
            Self::U8 => "unsigned char",
            Self::U16 => "unsigned short",
        }
    }
}

impl<'p> Printer<'p> {
    fn new(generated: &'p Generated) -> Self {
        let mut used = BTreeSet::new();
        visit_places(&generated.program.body, &mut |place| {
            used.insert(place.array);
        });
        Self {
            generated,
            naturals: index::natural_counters(&generated.program),
            used,
            text: String::new(),
        }
    }

    fn program(&self) -> &Program {
        &self.generated.program
    }

    fn line(&mut self, depth: usize, line: &str) {
        for _ in 0..depth {
            self.text.push_str("    ");
        }
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// Types and globals that the function needs.
    fn header(&mut self) {
        for line in [
            "#include <math.h>",
            "#include <stdio.h>",
            "#include <stdlib.h>",
            "#include <string.h>",
            "#define MIN(a, b) ((a) < (b) ? (a) : (b))",
            "#define MAX(a, b) ((a) > (b) ? (a) : (b))",
        ] {
            self.line(0, line);
        }
        let declared = |printer: &Self, storage: Storage| -> Vec<String> {
            let arrays = printer.program().arrays.iter().enumerate();
            arrays
                .filter(|(_, array)| array.storage == storage)
                .map(|(id, _)| printer.declaration(id, ""))
                .collect()
        };
        for global in declared(self, Storage::Global) {
            self.line(0, &format!("{global};"));
        }
        if self.program().loaded {
            self.line(0, "struct sizes {");
            for id in 0..self.program().parameters.len() {
                let width = self.program().parameters[id].c_name();
                self.line(1, &format!("{width} n{id};"));
            }
            self.line(0, "};");
        }
        let members = declared(self, Storage::Member);
        if !members.is_empty() {
            self.line(0, "struct record {");
            for member in members {
                self.line(1, &format!("{member};"));
            }
            self.line(0, "};");
        }
        if !self.program().scalars.is_empty() {
            self.line(0, "struct outcome {");
            for id in 0..self.program().scalars.len() {
                let element = self.program().scalars[id].element.c_name();
                self.line(1, &format!("{element} s{id};"));
            }
            self.line(0, "};");
        }
    }

    /// The declaration of an array with its extents, `double A0[n0 + 2][5]`.
    fn declaration(&self, id: ArrayId, qualifier: &str) -> String {
        let array = &self.program().arrays[id];
        let extents: Vec<String> = self.generated.layout.arrays[id]
            .extents
            .iter()
            .map(|extent| self.extent(*extent))
            .collect();
        let mut text = format!("{} A{id}", array.element.c_name());
        for (dimension, extent) in extents.iter().enumerate() {
            let qualifier = if dimension == 0 { qualifier } else { "" };
            text.push_str(&format!("[{qualifier}{extent}]"));
        }
        text
    }

    fn extent(&self, extent: Extent) -> String {
        match extent {
            Extent::Constant(value) => value.to_string(),
            Extent::Parameter(id, 0) => format!("n{id}"),
            Extent::Parameter(id, slack) => format!("n{id} + {slack}"),
            Extent::Own(position) => format!("e{position}"),
        }
    }

    fn signature(&self) -> String {
        let program = self.program();
        let restrict = if program.restrict { "restrict " } else { "" };
        let mut parameters: Vec<String> = program
            .parameters
            .iter()
            .enumerate()
            .map(|(id, width)| format!("{} n{id}", width.c_name()))
            .collect();
        if program.loaded {
            parameters.insert(0, "const struct sizes *sizes".to_string());
        }
        parameters.extend(
            (0..self.generated.layout.extra.len()).map(|position| format!("long e{position}")),
        );
        for (id, array) in program.arrays.iter().enumerate() {
            match array.storage {
                Storage::Variable | Storage::Constant => {
                    parameters.push(self.declaration(id, restrict))
                }
                Storage::Linear => {
                    parameters.push(format!("{} *{restrict}A{id}", array.element.c_name()))
                }
                Storage::Rows => {
                    let stars = "*".repeat(array.rank);
                    parameters.push(format!("{} {stars}{restrict}A{id}", array.element.c_name()))
                }
                Storage::Global
                | Storage::Member
                | Storage::Local
                | Storage::Heap
                | Storage::Chosen(..) => {}
            }
        }
        if has_members(program) {
            parameters.push(format!("struct record *{restrict}record"));
        }
        if !program.scalars.is_empty() {
            parameters.push(format!("struct outcome *{restrict}outcome"));
        }
        let kind = if program.inlined {
            "static"
        } else {
            "__attribute__((noinline))"
        };
        format!("{kind} void kernel({})", parameters.join(", "))
    }

    fn function(&mut self) {
        let signature = self.signature();
        self.line(0, &format!("{signature} {{"));
        self.each_loaded(|id| format!("#define n{id} sizes->n{id}"));
        for (id, scalar) in self.program().scalars.clone().iter().enumerate() {
            self.line(1, &format!("{} s{id} = 1;", scalar.element.c_name()));
        }
        for id in 0..self.program().arrays.len() {
            if self.program().arrays[id].storage == Storage::Local && self.used.contains(&id) {
                let declaration = self.declaration(id, "");
                self.line(1, &format!("{declaration};"));
                self.line(1, &format!("memset(A{id}, 0, sizeof A{id});"));
            }
        }
        self.local_pointers();
        let body = self.program().body.clone();
        self.block(1, &body);
        self.free_blocks();
        for id in 0..self.program().scalars.len() {
            self.line(1, &format!("outcome->s{id} = s{id};"));
        }
        self.each_loaded(|id| format!("#undef n{id}"));
        self.line(0, "}");
    }

    /// A line for every size that the function reads from memory.
    fn each_loaded(&mut self, text: impl Fn(usize) -> String) {
        if self.program().loaded {
            for id in 0..self.program().parameters.len() {
                self.line(0, &text(id));
            }
        }
    }

    fn block(&mut self, depth: usize, statements: &[Statement]) {
        for statement in statements {
            self.statement(depth, statement);
        }
    }

    fn statement(&mut self, depth: usize, statement: &Statement) {
        match statement {
            Statement::Loop(inner) => self.loop_statement(depth, inner),
            Statement::If(condition, then, otherwise) if switch::is_switch(statement) => {
                self.switch(depth, (condition, then, otherwise));
            }
            Statement::If(condition, then, otherwise) => {
                let condition = self.condition(condition);
                self.line(depth, &format!("if ({condition}) {{"));
                self.block(depth + 1, then);
                if !otherwise.is_empty() {
                    self.line(depth, "} else {");
                    self.block(depth + 1, otherwise);
                }
                self.line(depth, "}");
            }
            Statement::Assign(target, update, value) => {
                let line = self.assignment(target, *update, value);
                self.line(depth, &line);
            }
            Statement::Clear(place, count) => {
                let (place, element) = (self.place(place), self.element_of(place));
                let count = self.signed(count);
                self.line(depth, &format!("if ({count} > 0)"));
                self.line(
                    depth + 1,
                    &format!("memset(&{place}, 0, sizeof({element}) * ({count}));"),
                );
            }
            Statement::Copy(to, from, count) => {
                let copy = if self.share_memory(to.array, from.array) {
                    "memmove"
                } else {
                    "memcpy"
                };
                let (element, count) = (self.element_of(to), self.signed(count));
                let (to, from) = (self.place(to), self.place(from));
                self.line(depth, &format!("if ({count} > 0)"));
                self.line(
                    depth + 1,
                    &format!("{copy}(&{to}, &{from}, sizeof({element}) * ({count}));"),
                );
            }
        }
    }

    fn loop_statement(&mut self, depth: usize, inner: &Loop) {
        let counter = Variable::Counter(inner.counter);
        let (name, width) = (format!("i{}", inner.counter), inner.width.c_name());
        let advance = |sign: &str| match inner.step {
            1 => format!("{name}{sign}{sign}"),
            step => format!("{name} {sign}= {step}"),
        };
        let lower = self.index(&inner.lower);
        let upper = self.index(&inner.upper);
        let head = match inner.form {
            Form::Up => {
                let test = self.test(counter, "<", &inner.upper, 0);
                format!("for ({width} {name} = {lower}; {test}; {})", advance("+"))
            }
            Form::UpInclusive => {
                let test = self.test(counter, "<=", &inner.upper, -1);
                format!("for ({width} {name} = {lower}; {test}; {})", advance("+"))
            }
            Form::Down => {
                // The counter ends below the lower bound, perhaps below zero: the test must be signed.
                let test = format!("{name} >= {}", self.signed(&inner.lower));
                let first = self.signed(&inner.upper);
                format!(
                    "for ({width} {name} = {first} - 1; {test}; {})",
                    advance("-")
                )
            }
            Form::DownPost => {
                let natural = self.is_natural(&inner.upper) && self.is_natural(&inner.lower);
                let test = if natural {
                    format!("{name}-- > {lower}")
                } else {
                    format!("(long){name}-- > {}", self.signed(&inner.lower))
                };
                format!("for ({width} {name} = {upper}; {test};)")
            }
            Form::DoWhile => return self.do_while(depth, inner),
        };
        self.line(depth, &format!("{head} {{"));
        self.block(depth + 1, &inner.body);
        self.line(depth, "}");
    }

    fn do_while(&mut self, depth: usize, inner: &Loop) {
        let (name, width) = (format!("i{}", inner.counter), inner.width.c_name());
        let entered = format!(
            "{} < {}",
            self.signed(&inner.lower),
            self.signed(&inner.upper)
        );
        let lower = self.index(&inner.lower);
        let test = self.test(Variable::Counter(inner.counter), "!=", &inner.upper, 0);
        self.line(depth, &format!("if ({entered}) {{"));
        self.line(depth + 1, &format!("{width} {name} = {lower};"));
        self.line(depth + 1, "do {");
        self.block(depth + 2, &inner.body);
        self.line(depth + 2, &format!("{name}++;"));
        self.line(depth + 1, &format!("}} while ({test});"));
        self.line(depth, "}");
    }

    fn condition(&self, condition: &Condition) -> String {
        match condition {
            Condition::Compare(left, relation, right) => {
                self.compare(left, relation.c_name(), right)
            }
            Condition::And(left, right) => {
                format!("({}) && ({})", self.condition(left), self.condition(right))
            }
            Condition::Or(left, right) => {
                format!("({}) || ({})", self.condition(left), self.condition(right))
            }
            Condition::Data(element, left, relation, right) => {
                format!(
                    "{} {} {}",
                    self.value(left, *element),
                    relation.c_name(),
                    self.value(right, *element)
                )
            }
        }
    }

    fn assignment(&self, target: &Target, update: Update, value: &super::program::Value) -> String {
        let (place, element) = match target {
            Target::Element(place) => (self.place(place), self.array(place.array).element),
            Target::Scalar(id) => (format!("s{id}"), self.program().scalars[*id].element),
        };
        let value = self.value(value, element);
        match update {
            Update::Set => format!("{place} = {value};"),
            Update::Combine(Operator::Minimum) => format!("{place} = MIN({place}, {value});"),
            Update::Combine(Operator::Maximum) => format!("{place} = MAX({place}, {value});"),
            // Products of small unsigned types would be computed in int.
            Update::Combine(Operator::Multiply)
                if matches!(element, Element::U8 | Element::U16) =>
            {
                format!("{place} = (unsigned){place} * {value};")
            }
            Update::Combine(operator) => format!("{place} {}= {value};", operator.c_name()),
        }
    }

    fn array(&self, id: ArrayId) -> &Array {
        &self.program().arrays[id]
    }

    fn element_of(&self, place: &Place) -> &'static str {
        self.array(place.array).element.c_name()
    }

    /// An array element, its subscripts moved by the layout's offsets.
    fn place(&self, place: &Place) -> String {
        let (array, layout) = (
            self.array(place.array),
            &self.generated.layout.arrays[place.array],
        );
        let subscripts: Vec<String> = place
            .subscripts
            .iter()
            .zip(&layout.offsets)
            .map(|(subscript, offset)| self.index_plus(subscript, *offset))
            .collect();
        let name = match array.storage {
            Storage::Member => format!("record->A{}", place.array),
            _ => format!("A{}", place.array),
        };
        if !array.storage.is_linear() {
            return subscripts
                .iter()
                .fold(name, |text, subscript| format!("{text}[{subscript}]"));
        }
        let mut position = String::new();
        for (dimension, subscript) in subscripts.iter().enumerate() {
            position = if dimension == 0 {
                subscript.clone()
            } else {
                // What a subscript converts is converted on its own.
                format!(
                    "({position}) * ({}) + ({subscript})",
                    self.extent(layout.extents[dimension])
                )
            };
        }
        format!("{name}[{position}]")
    }

    /// True where two arrays may overlap.
    fn share_memory(&self, left: ArrayId, right: ArrayId) -> bool {
        let memory = |id: ArrayId| match self.array(id).within() {
            none if none.is_empty() => vec![id],
            others => others,
        };
        let right = memory(right);
        memory(left).iter().any(|id| right.contains(id))
    }
}

fn has_members(program: &Program) -> bool {
    program
        .arrays
        .iter()
        .any(|array| array.storage == Storage::Member)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fuzz::generate::generate;

    #[test]
    fn the_text_is_a_function_of_the_seed() {
        for seed in 0..20 {
            assert_eq!(print(&generate(seed)), print(&generate(seed)));
        }
    }

    #[test]
    fn every_array_is_declared_and_hashed() {
        for seed in 0..50 {
            let generated = generate(seed);
            let text = print(&generated);
            for (id, array) in generated.program.arrays.iter().enumerate() {
                if !array.storage.is_seen() {
                    continue;
                }
                assert!(text.contains(&format!("A{id}")), "seed {seed}: A{id}");
                assert!(text.contains(&format!("\"A{id}\"")), "seed {seed}: A{id}");
            }
        }
    }
}
