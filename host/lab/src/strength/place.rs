//! Where a state lies unless its file is named: with the user's state files.

use std::ffi::OsString;
use std::path::PathBuf;

use serde_json::Value;
use sha2::{Digest as _, Sha256};

/// The user has no home.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("neither XDG_STATE_HOME nor HOME is set; name a file for the finished games with --state")]
pub struct NoHome;

/// The file for games of a header, under some name that says what they are.
///
/// # Errors
/// When the environment names no place.
pub fn default_place(name: &str, header: &Value) -> Result<PathBuf, NoHome> {
    let folder = folder(std::env::var_os("XDG_STATE_HOME"), std::env::home_dir())?;
    Ok(folder.join(file_name(name, header)))
}

/// By the XDG base directory specification, which has relative paths ignored.
fn folder(state_home: Option<OsString>, home: Option<PathBuf>) -> Result<PathBuf, NoHome> {
    let named = state_home.map(PathBuf::from).filter(|p| p.is_absolute());
    let home = home.filter(|p| p.is_absolute());
    let states = named.or_else(|| Some(home?.join(".local/state")));
    Ok(states.ok_or(NoHome)?.join("lockstep/strength"))
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
    fn the_environment_says_where() {
        let path = |text: &str| Some(PathBuf::from(text));
        let named = folder(Some("/states".into()), path("/home/me"));
        assert_eq!(named, Ok("/states/lockstep/strength".into()));
        let below_home = Ok("/home/me/.local/state/lockstep/strength".into());
        assert_eq!(folder(None, path("/home/me")), below_home);
        for unusable in ["", "states"] {
            assert_eq!(folder(Some(unusable.into()), path("/home/me")), below_home);
        }
        assert_eq!(folder(None, None), Err(NoHome));
        assert_eq!(folder(None, path("")), Err(NoHome));
    }

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
