//! Where a state lies unless its file is named: with the user's state files.

use std::path::PathBuf;

use etcetera::base_strategy::{BaseStrategy as _, Xdg};
use serde_json::Value;
use sha2::{Digest as _, Sha256};

/// The user has no home.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("neither XDG_STATE_HOME nor HOME is set; name a file for the finished games with --state")]
pub struct NoHome;

/// The file for games of a header, under some name that says what they are, in
/// a folder by the XDG base directory specification.
///
/// # Errors
/// When the environment names no place.
pub fn default_place(name: &str, header: &Value) -> Result<PathBuf, NoHome> {
    let states = Xdg::new().ok().and_then(|xdg| xdg.state_dir());
    let states = states.filter(|folder| folder.is_absolute());
    let folder = states.ok_or(NoHome)?.join("lockstep/strength");
    Ok(folder.join(file_name(name, header)))
}

/// The name is for people, and may hold anything; the hash tells games apart.
fn file_name(name: &str, header: &Value) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    let name: String = name.chars().map(plain).take(40).collect();
    let hash = Sha256::digest(header.to_string());
    let hash: String = hash.iter().take(8).map(|b| format!("{b:02x}")).collect();
    format!("{name}-{hash}.jsonl")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_kind_of_games_has_a_file_of_its_own() {
        let one = file_name("dt-20", &json!({"seed": 1}));
        assert!(
            one.starts_with("dt-20-") && one.ends_with(".jsonl"),
            "{one}"
        );
        assert_eq!(one.len(), "dt-20-.jsonl".len() + 16);
        assert_eq!(one, file_name("dt-20", &json!({"seed": 1})));
        assert_ne!(one, file_name("dt-20", &json!({"seed": 2})));
        let odd = file_name("../ä/\u{7}x", &json!({}));
        assert!(odd.starts_with("------x-"), "{odd}");
    }
}
