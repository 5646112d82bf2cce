//! A folder for a test, and the programs that run in it.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// A folder of its own, which goes with the test.
pub struct Ground {
    pub folder: PathBuf,
}

impl Ground {
    /// A new folder for the test of this name.
    pub fn named(name: &str) -> Ground {
        let name = format!("polytile-{name}-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        fs::create_dir(&folder).expect("a folder");
        Ground { folder }
    }

    /// A program that runs there, without options of the plugin.
    pub fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&self.folder).env_remove("POLYTILE");
        command
    }
}

impl Drop for Ground {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}
