//! What was asked, up to the position that is answered otherwise.

use std::fs;
use std::io::Read as _;
use std::path::Path;

use lockstep::text::ForeignText;
use lockstep_games::Game;
use serde::{Deserialize, Serialize};

use crate::ExplainError;
use crate::explain::{Explanation, Symptom};

/// Version of the file. Raise it when an older reader would misread one.
pub const VERSION: u32 = 1;

/// Largest file of a case, in bytes.
const LARGEST: u64 = 1 << 26;

/// Positions that are asked one after the other, from a backend's beginning on; the last one
/// is what the case is about.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(bound = "", expecting = "a case")]
pub struct Case<G: Game> {
    /// The controller they are played with.
    pub controller: G::Controller,
    /// What is asked; a case without any is about nothing.
    pub positions: Vec<G::Position>,
    /// All are handed over at once, as far as the backend takes several; otherwise each is
    /// asked when the one before it is answered.
    #[serde(default)]
    pub together: bool,
}

impl<G: Game> Case<G> {
    /// A position by itself.
    pub fn of(controller: G::Controller, position: G::Position) -> Self {
        Self {
            controller,
            positions: vec![position],
            together: false,
        }
    }

    /// The position it is about.
    pub fn last(&self) -> Option<&G::Position> {
        self.positions.last()
    }
}

/// A case as a file has it: with what is right, and what was found when it was written.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(bound = "", expecting = "a case")]
pub struct CaseFile<G: Game> {
    /// [`VERSION`].
    pub lockstep_case: u32,
    /// Name of the game.
    pub game: String,
    /// What is asked.
    #[serde(flatten)]
    pub case: Case<G>,
    /// What is right. Not optional even where `null` is an answer.
    #[serde(deserialize_with = "G::Decision::deserialize")]
    pub expected: G::Decision,
    /// The backend that says so.
    pub reference: ForeignText,
    /// The backend that answered otherwise.
    pub backend: ForeignText,
    /// Build id of its RTL in hexadecimal, if it has any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub build_id: Option<String>,
    /// In what way.
    pub symptom: Symptom,
}

impl<G: Game> CaseFile<G> {
    /// What is written of a case that was explained; `None` where the reference did not
    /// answer, or nothing is wrong.
    pub fn of(case: &Case<G>, explanation: &Explanation<G>) -> Option<Self> {
        let expected = explanation.expected.said.answer()?;
        Some(Self {
            lockstep_case: VERSION,
            game: G::NAME.into(),
            case: case.clone(),
            expected: expected.decision.clone(),
            reference: explanation.expected.backend.name.clone(),
            backend: explanation.got.backend.name.clone(),
            build_id: explanation.got.backend.build_id(),
            symptom: explanation.verdict.symptom()?,
        })
    }

    /// Reads one.
    ///
    /// # Errors
    /// When it cannot be read, or is no case of this game and of a version this reads.
    pub fn read(path: &Path) -> Result<Self, ExplainError> {
        let failed = |why| ExplainError::File {
            path: path.into(),
            why,
        };
        let file = fs::File::open(path).map_err(failed)?;
        let mut text = String::new();
        let read = file.take(LARGEST + 1).read_to_string(&mut text);
        read.map_err(failed)?;
        let no_case = |why| ExplainError::NoCase {
            path: path.into(),
            why,
        };
        if text.len() as u64 > LARGEST {
            return Err(no_case(format!("longer than {LARGEST} bytes")));
        }
        Self::parse(&text).map_err(no_case)
    }

    /// Reads one from its text.
    ///
    /// # Errors
    /// Why it is no case of this game and of a version this reads.
    pub fn parse(text: &str) -> Result<Self, String> {
        #[derive(Deserialize)]
        #[serde(expecting = "a case")]
        struct Kind {
            lockstep_case: u32,
            game: String,
        }
        let kind: Kind = serde_json::from_str(text).map_err(|e| e.to_string())?;
        if kind.lockstep_case != VERSION {
            return Err(format!(
                "of version {}, this lockstep reads version {VERSION}",
                kind.lockstep_case
            ));
        }
        if kind.game != G::NAME {
            let expected = G::NAME;
            return Err(format!("of the game {:?}, not {expected:?}", kind.game));
        }
        let file: Self = serde_json::from_str(text).map_err(|e| e.to_string())?;
        match file.case.positions.is_empty() {
            true => Err("without a position".into()),
            false => Ok(file),
        }
    }

    /// The content of the file, a line a member and a line a position.
    ///
    /// # Errors
    /// When a member cannot be serialised.
    pub fn text(&self) -> serde_json::Result<String> {
        let member = |name: &str, value: String| format!("  \"{name}\": {value}");
        let mut members = vec![
            member("lockstep_case", self.lockstep_case.to_string()),
            member("game", serde_json::to_string(&self.game)?),
            member("controller", serde_json::to_string(&self.case.controller)?),
        ];
        let positions = self.case.positions.iter().map(serde_json::to_string);
        let positions = positions.collect::<serde_json::Result<Vec<_>>>()?;
        let positions = format!("[\n    {}\n  ]", positions.join(",\n    "));
        members.push(member("positions", positions));
        members.push(member("together", self.case.together.to_string()));
        members.push(member("expected", serde_json::to_string(&self.expected)?));
        members.push(member("reference", serde_json::to_string(&self.reference)?));
        members.push(member("backend", serde_json::to_string(&self.backend)?));
        if let Some(build_id) = &self.build_id {
            members.push(member("build_id", serde_json::to_string(build_id)?));
        }
        members.push(member("symptom", serde_json::to_string(&self.symptom)?));
        Ok(format!("{{\n{}\n}}\n", members.join(",\n")))
    }
}
