//! Where a soak stands, in a file of JSON.
//!
//! The header holds all that determines what is played, and by whom; how many decisions are
//! wanted is not in it. A check value tells a file that was damaged.

use std::io;
use std::path::{Path, PathBuf};

use lockstep::Identity;
use lockstep::record::reason;
use lockstep_games::tetris::Size;
use lockstep_games::tetris::board::Board;
use lockstep_games::tetris::{Controller, Sums};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::reference::{Place, Plan};
use crate::files::header::{Difference, differences, marked};
use crate::files::write::write;

/// Version of the file. Raise it when it is written otherwise, or when what follows from it
/// is played otherwise.
pub const VERSION: u32 = 1;

/// The header's field that holds [`VERSION`] and tells the file from others.
const MARK: &str = "lockstep_soak";

/// Why a soak cannot go on from a file.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum StateError {
    /// The file system refuses.
    #[error("state {}: {why}", path.display())]
    Io { path: PathBuf, why: io::Error },
    /// Something else, and not to be touched.
    #[error("{} is no state of lockstep soak and is left alone; name another file with --state", path.display())]
    Foreign { path: PathBuf },
    /// Another soak.
    #[error(
        "state {} is of another soak: {}; name another file with --state, or begin anew with \
         --fresh",
        path.display(), listed(differences)
    )]
    Different {
        path: PathBuf,
        differences: Vec<Difference>,
    },
    /// Not what was written.
    #[error("state {}: {why}; name another file with --state, or begin anew with --fresh", path.display())]
    Damaged { path: PathBuf, why: String },
}

fn listed(differences: &[Difference]) -> String {
    let told: Vec<String> = differences.iter().map(Difference::to_string).collect();
    told.join(", ")
}

/// What determines a soak: who decides, the pieces, and who is asked.
pub fn header(plan: &Plan, backend: &Identity) -> Value {
    let Controller { name, .. } = &plan.controller;
    json!({
        MARK: VERSION,
        "controller": name,
        "weights": plan.linear().map(|linear| linear.weights),
        "seed": plan.seed,
        "backend": backend.name,
        "build_id": backend.build_id(),
        "multipliers": plan.multipliers,
    })
}

/// A whole file.
#[derive(Serialize, Deserialize)]
#[serde(expecting = "a state")]
struct File {
    #[serde(flatten)]
    place: Stands,
    check: String,
    #[serde(flatten)]
    header: Value,
}

/// How far it is.
#[derive(Serialize, Deserialize)]
struct Stands {
    sums: Sums,
    /// Rows from the bottom up, bit c is column c.
    board: Vec<u64>,
}

/// What would have to be different were something else damaged.
fn check(header: &Value, stands: &Stands) -> String {
    let text = json!([header, stands]).to_string();
    let hash = Sha256::digest(text);
    hash.iter().take(8).map(|b| format!("{b:02x}")).collect()
}

/// Writes where a soak stands, so that a reader finds that or what was there before.
///
/// # Errors
/// Those of the file system, naming the file.
pub fn save(path: &Path, header: &Value, place: &Place) -> io::Result<()> {
    let place = Stands {
        sums: place.sums,
        board: place.board.to_rows(),
    };
    let file = File {
        check: check(header, &place),
        header: header.clone(),
        place,
    };
    let text = serde_json::to_string_pretty(&file)? + "\n";
    write(path, text.as_bytes())
}

/// Reads where the soak of this header stands; `None` when there is no such file.
///
/// # Errors
/// When the file is another's, is damaged or cannot be read.
pub fn load(path: &Path, header: &Value) -> Result<Option<Place>, StateError> {
    let Some(text) = read(path)? else {
        return Ok(None);
    };
    let damaged = |why: String| StateError::Damaged {
        path: path.into(),
        why,
    };
    let found: Value = serde_json::from_slice(&text).map_err(|why| damaged(reason(&why)))?;
    let mut own = found.clone();
    for name in ["sums", "board", "check"] {
        if let Some(own) = own.as_object_mut() {
            own.remove(name);
        }
    }
    let differences = differences(&own, header);
    if !differences.is_empty() {
        let path = path.into();
        return Err(StateError::Different { path, differences });
    }
    let File {
        place,
        check: written,
        ..
    } = serde_json::from_value(found).map_err(|why| damaged(why.to_string()))?;
    if written != check(header, &place) {
        return Err(damaged("it is not as it was written".into()));
    }
    let board = Board::from_rows(Size::STANDARD.columns(), &place.board);
    let board = board.ok().filter(|board| board.is_of(Size::STANDARD));
    Ok(Some(Place {
        board: board.ok_or_else(|| damaged("its board is none".into()))?,
        sums: place.sums,
    }))
}

/// Whether a soak that begins anew may write there: another state is lost, what is none is
/// left alone.
///
/// # Errors
/// When it may not.
pub fn check_replaceable(path: &Path) -> Result<(), StateError> {
    read(path).map(drop)
}

/// The text of a state; `None` when there is no file.
fn read(path: &Path) -> Result<Option<Vec<u8>>, StateError> {
    let text = match std::fs::read(path) {
        Ok(text) => text,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(why) => {
            let path = path.into();
            return Err(StateError::Io { path, why });
        }
    };
    match marked(&text, MARK) {
        Some(_) => Ok(Some(text)),
        None => Err(StateError::Foreign { path: path.into() }),
    }
}
