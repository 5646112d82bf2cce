//! Values as C, each in the arithmetic of its element type.

use super::Printer;
use crate::fuzz::program::{Element, Function, Operator, Value};

/// What growing floating-point data is scaled by when it is read.
const SCALE: &str = "0x1p-16";

impl Operator {
    pub(super) fn c_name(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Subtract => "-",
            Self::Multiply => "*",
            Self::And => "&",
            Self::Or => "|",
            Self::Xor => "^",
            Self::Minimum => "MIN",
            Self::Maximum => "MAX",
        }
    }
}

impl Printer<'_> {
    /// A value of an element type.
    pub(super) fn value(&self, value: &Value, element: Element) -> String {
        match value {
            Value::Load(place) => {
                self.guarded(self.place(place), self.array(place.array).growing, element)
            }
            Value::Scalar(id) => self.guarded(
                format!("s{id}"),
                self.program().scalars[*id].growing,
                element,
            ),
            Value::Fraction(sixty_fourths) => literal(*sixty_fourths as f64 / 64.0, element),
            Value::Integer(value) => integer(*value, element),
            Value::Position(index) => position(&self.signed(index), element),
            Value::Convert(from, inner) => convert(&self.value(inner, *from), *from, element),
            Value::Binary(operator, left, right) => {
                let [left, right] =
                    [left, right].map(|side| widened(&self.value(side, element), element));
                match operator {
                    Operator::Minimum | Operator::Maximum => {
                        format!("{}({left}, {right})", operator.c_name())
                    }
                    _ => format!("({left} {} {right})", operator.c_name()),
                }
            }
            Value::Apply(function, inner) => apply(*function, &self.value(inner, element), element),
            Value::Divide(left, right) => {
                let [left, right] = [left, right].map(|side| self.value(side, element));
                match element {
                    Element::F64 => format!("({left} / (1.5 + fabs({right})))"),
                    Element::F32 => format!("({left} / (1.5f + fabsf({right})))"),
                    _ => format!("({left} / ({right} | {}))", integer(1, element)),
                }
            }
            Value::LookUp(from, inner) => {
                let index = self.value(inner, *from);
                match from {
                    Element::U8 => {
                        format!("table_{}[(unsigned char)({index})]", element.short_name())
                    }
                    _ => format!("table_{}[({index}) & 255]", element.short_name()),
                }
            }
            Value::Row(from, inner) => {
                let index = self.value(inner, *from);
                format!("row_{}(({index}) & 63)", element.short_name())
            }
            Value::Select(parts) => {
                let [a, b, c, d] = [0, 1, 2, 3].map(|part| self.value(&parts[part], element));
                format!("({a} < {b} ? {c} : {d})")
            }
        }
    }

    /// Data of a growing array or scalar, brought back into range.
    fn guarded(&self, text: String, growing: bool, element: Element) -> String {
        match element {
            Element::F64 if growing => format!("({text} * {SCALE})"),
            Element::F32 if growing => format!("({text} * {SCALE}f)"),
            Element::I32 if growing => format!("({text} & 0xfffff)"),
            _ => text,
        }
    }
}

fn literal(value: f64, element: Element) -> String {
    let text = if value.fract() == 0.0 {
        format!("{value:.1}")
    } else {
        format!("{value}")
    };
    let text = if element == Element::F32 {
        format!("{text}f")
    } else {
        text
    };
    if value < 0.0 {
        format!("({text})")
    } else {
        text
    }
}

fn integer(value: i64, element: Element) -> String {
    match element {
        Element::I32 => format!("{value}"),
        Element::U64 => format!("{value}ul"),
        _ => format!("{value}u"),
    }
}

/// Operands narrower than int would be computed in int, where products of two could overflow.
fn widened(text: &str, element: Element) -> String {
    if matches!(element, Element::U8 | Element::U16) {
        format!("(unsigned){text}")
    } else {
        text.to_string()
    }
}

/// An index as data; remainders keep the sign of the index, magnitudes stay below 1.
fn position(index: &str, element: Element) -> String {
    match element {
        Element::F64 => format!("((double)({index} % 8) * 0.125)"),
        Element::F32 => format!("((float)({index} % 8) * 0.125f)"),
        Element::I32 => format!("(int)({index} & 255)"),
        _ => format!("({}){index}", element.c_name()),
    }
}

fn convert(text: &str, from: Element, to: Element) -> String {
    match (from.is_float(), to.is_float()) {
        (true, true) => format!("({}){text}", to.c_name()),
        (true, false) => {
            let absolute = if from == Element::F32 {
                "fabsf"
            } else {
                "fabs"
            };
            let thousand = literal(1000.0, from);
            let through = if to == Element::U64 {
                "unsigned long"
            } else if to == Element::I32 {
                "int"
            } else {
                "unsigned"
            };
            format!("({through})({absolute}({text}) * {thousand})")
        }
        (false, true) => {
            let name = to.c_name();
            let scale = if to == Element::F32 {
                "0x1p-10f"
            } else {
                "0x1p-10"
            };
            format!("(({name})({text} & 1023) * {scale})")
        }
        (false, false) if to == Element::I32 => format!("(int)({text} & 0xfffff)"),
        (false, false) => format!("({}){text}", to.c_name()),
    }
}

fn apply(function: Function, text: &str, element: Element) -> String {
    let single = element == Element::F32;
    let (suffix, mark) = if single { ("f", "f") } else { ("", "") };
    match function {
        Function::Negate => format!("(-{text})"),
        Function::Absolute => format!("fabs{suffix}({text})"),
        Function::Root => format!("sqrt{suffix}(fabs{suffix}({text}))"),
        Function::OpenRoot => format!("fmax{suffix}(sqrt{suffix}({text}), 0.25{mark})"),
        Function::AtMost => format!("fmin{suffix}({text}, 0.75{mark})"),
        Function::AtLeast => format!("fmax{suffix}({text}, -0.5{mark})"),
        Function::Decay => format!("exp{suffix}(-fabs{suffix}({text}))"),
        Function::Complement => format!("(~{})", widened(text, element)),
        Function::Shift => format!("({} >> 3)", widened(text, element)),
        Function::Steps => format!("steps_{}({text})", element.short_name()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_exact_in_their_type() {
        assert_eq!(literal(-0.5, Element::F64), "(-0.5)");
        assert_eq!(literal(1.0, Element::F32), "1.0f");
        assert_eq!(integer(3, Element::U64), "3ul");
    }

    #[test]
    fn conversions_stay_in_range() {
        assert_eq!(
            convert("x", Element::U8, Element::F32),
            "((float)(x & 1023) * 0x1p-10f)"
        );
        assert_eq!(
            convert("x", Element::F32, Element::I32),
            "(int)(fabsf(x) * 1000.0f)"
        );
        assert_eq!(
            convert("x", Element::U64, Element::I32),
            "(int)(x & 0xfffff)"
        );
        assert_eq!(position("i0", Element::F64), "((double)(i0 % 8) * 0.125)");
    }
}
