//! Numbers of the processor in the place of the built-in ones (option `machine`).

use crate::known::target_name;
use polytile_records::Machine;
use polytile_transform::target::Target;
use std::cell::{Cell, RefCell};
use std::path::Path;

/// A file of numbers.
pub struct Numbers {
    /// Its name, for messages.
    name: String,
    machine: Machine,
    used: Cell<bool>,
    /// Another processor that functions are compiled for.
    other: RefCell<Option<String>>,
}

impl Numbers {
    /// Reads a file.
    ///
    /// # Errors
    /// It cannot be read, is none, or has numbers that there are not.
    pub fn read(file: &Path) -> Result<Numbers, String> {
        let name = file.display().to_string();
        let text = std::fs::read_to_string(file)
            .map_err(|e| format!("machine file '{name}' cannot be read: {e}"))?;
        let wrong = |why| format!("machine file '{name}': {why}");
        let machine = Machine::parse(&text).map_err(wrong)?;
        let some = Target::lookup("", "", "");
        applied(some, &machine).map_err(wrong)?;
        Ok(Numbers {
            name,
            machine,
            used: Cell::new(false),
            other: RefCell::default(),
        })
    }

    /// A processor with the numbers, if they are for it.
    pub fn of(&self, target: Target) -> Target {
        let own = target_name(&target);
        if own != self.machine.target {
            self.other.borrow_mut().get_or_insert(own);
            return target;
        }
        self.used.set(true);
        applied(target, &self.machine).expect("the numbers were looked at")
    }

    /// That the numbers were for no function.
    pub fn unused(&self) -> Option<String> {
        let other = self.other.borrow();
        let other = other.as_ref().filter(|_| !self.used.get())?;
        let (name, own) = (&self.name, &self.machine.target);
        Some(format!(
            "machine file '{name}' is for {own}, and this is compiled for {other}"
        ))
    }
}

fn applied(target: Target, machine: &Machine) -> Result<Target, String> {
    let mut numbers = machine.numbers.iter();
    numbers.try_fold(target, |target, (name, value)| {
        target.with_number(name, *value)
    })
}
