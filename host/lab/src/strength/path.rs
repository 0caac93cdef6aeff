//! The default path of a strength state.

use std::path::PathBuf;

use crc::{CRC_64_XZ, Crc};
use etcetera::base_strategy::{BaseStrategy as _, Xdg};
use serde_json::Value;

/// The environment names no folder for state files.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("neither XDG_STATE_HOME nor HOME is set; name a file for the finished games with --state")]
pub struct NoHome;

/// The path for games with these settings, in the XDG state folder of the user.
///
/// `name` is the controller's.
///
/// # Errors
/// When neither `XDG_STATE_HOME` nor `HOME` is an absolute path.
pub fn default_path(name: &str, settings: &Value) -> Result<PathBuf, NoHome> {
    let states = Xdg::new().ok().and_then(|xdg| xdg.state_dir());
    let states = states.filter(|folder| folder.is_absolute());
    let folder = states.ok_or(NoHome)?.join("lockstep/strength");
    Ok(folder.join(file_name(name, settings)))
}

/// The controller's name for people, and a hash of the settings.
fn file_name(name: &str, settings: &Value) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    let name: String = name.chars().map(plain).take(40).collect();
    let hash = Crc::<u64>::new(&CRC_64_XZ).checksum(settings.to_string().as_bytes());
    format!("{name}-{hash:016x}.jsonl")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn file_name_differs_with_settings() {
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
