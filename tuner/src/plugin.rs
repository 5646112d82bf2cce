//! Where the plugin is.

use std::path::{Path, PathBuf};

/// The plugin's file name.
const NAME: &str = "libpolytile.so";

/// The plugin's absolute path: the one that is given, or the one beside this program, or in `../lib/polytile` as packages have it.
///
/// # Errors
/// It is not there.
pub fn find(given: Option<&Path>) -> Result<PathBuf, String> {
    let found = match given {
        Some(path) => Some(path.to_path_buf()),
        None => beside().into_iter().find(|p| p.exists()),
    };
    let path = found.ok_or(format!(
        "{NAME} is not beside this program: name the plugin with --plugin"
    ))?;
    path.canonicalize().map_err(|e| {
        format!(
            "the plugin '{}' cannot be read: {e}; name another with --plugin",
            path.display()
        )
    })
}

fn beside() -> Vec<PathBuf> {
    let program = std::env::current_exe().ok();
    let folder = program.as_deref().and_then(Path::parent);
    folder.map_or(vec![], |folder| {
        vec![
            folder.join(NAME),
            folder.join("../lib/polytile").join(NAME),
            folder.join("..").join(NAME),
        ]
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plugin_that_is_not_there_is_named() {
        let said = find(Some(Path::new("/nonexistent/p.so"))).unwrap_err();
        assert!(
            said.contains("'/nonexistent/p.so'") && said.contains("--plugin"),
            "{said}"
        );
        assert_eq!(find(Some(Path::new("/"))).unwrap(), Path::new("/"));
    }
}
