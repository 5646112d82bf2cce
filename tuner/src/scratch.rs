//! Folders for the time being, and files that are put back.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

static COUNT: AtomicUsize = AtomicUsize::new(0);

/// A folder that is there as long as this value.
#[derive(Debug)]
pub struct Scratch {
    path: PathBuf,
}

impl Scratch {
    /// Below the system's folder for such.
    ///
    /// # Errors
    /// It cannot be made.
    pub fn new(name: &str) -> io::Result<Scratch> {
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("polytile-{name}-{}-{count}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::create_dir(&path)?;
        Ok(Scratch { path })
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.path);
    }
}

/// A file as it was: it is put back at the end, unless it is let go.
#[derive(Debug)]
pub struct AsItWas {
    file: PathBuf,
    /// A copy; `None`: it was not there.
    copy: Option<PathBuf>,
    armed: bool,
}

impl AsItWas {
    /// Keeps a copy of a file in a folder.
    ///
    /// # Errors
    /// It is there and cannot be copied.
    pub fn of(file: &Path, folder: &Path) -> io::Result<AsItWas> {
        let copy = match file.exists() {
            true => {
                let copy = folder.join("as-it-was");
                fs::copy(file, &copy)?;
                Some(copy)
            }
            false => None,
        };
        Ok(AsItWas {
            file: file.to_path_buf(),
            copy,
            armed: true,
        })
    }

    /// The file stays as it is now.
    pub fn let_go(&mut self) {
        self.armed = false;
    }
}

impl Drop for AsItWas {
    fn drop(&mut self) {
        if !self.armed {
            return;
        }
        let _ = match &self.copy {
            Some(copy) => placed(copy, &self.file),
            None => fs::remove_file(&self.file),
        };
    }
}

/// Puts a copy of a file in another one's place, in one step: that one may be running.
///
/// # Errors
/// It cannot be copied or renamed.
pub fn placed(from: &Path, to: &Path) -> io::Result<()> {
    let name = to.file_name().unwrap_or_default().to_string_lossy();
    let beside = to.with_file_name(format!(".{name}.polytile"));
    fs::copy(from, &beside)?;
    fs::rename(&beside, to)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_put_back() {
        let scratch = Scratch::new("files").unwrap();
        let (file, aside) = (scratch.path().join("a"), scratch.path().join("aside"));
        fs::create_dir(&aside).unwrap();
        fs::write(&file, "old").unwrap();
        let kept = AsItWas::of(&file, &aside).unwrap();
        fs::write(&file, "new").unwrap();
        drop(kept);
        assert_eq!(fs::read_to_string(&file).unwrap(), "old");
        let mut kept = AsItWas::of(&file, &aside).unwrap();
        fs::write(&file, "new").unwrap();
        kept.let_go();
        drop(kept);
        assert_eq!(fs::read_to_string(&file).unwrap(), "new");
        let none = scratch.path().join("b");
        let kept = AsItWas::of(&none, &aside).unwrap();
        fs::write(&none, "new").unwrap();
        drop(kept);
        assert!(!none.exists());
        let path = scratch.path().to_path_buf();
        drop(scratch);
        assert!(!path.exists());
    }
}
