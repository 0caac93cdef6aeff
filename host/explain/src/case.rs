//! A divergence as requests that show it from power-up on, and as a file.

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

/// Positions requested one after the other from power-up on; the answers to the last one differ.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(bound = "", expecting = "a case")]
pub struct Case<G: Game> {
    /// The controller.
    pub controller: G::Controller,
    /// The positions, at least one.
    pub positions: Vec<G::Position>,
    /// All positions are requested at once; otherwise each after the answer to the previous one.
    #[serde(default)]
    pub together: bool,
}

impl<G: Game> Case<G> {
    /// A case of one position.
    pub fn of(controller: G::Controller, position: G::Position) -> Self {
        Self {
            controller,
            positions: vec![position],
            together: false,
        }
    }

    /// The last position, whose answers differ.
    pub fn last(&self) -> Option<&G::Position> {
        self.positions.last()
    }
}

/// A case as a file holds it, with the expected decision and the symptom.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(bound = "", expecting = "a case")]
pub struct CaseFile<G: Game> {
    /// Version of the format: [`VERSION`].
    pub lockstep_case: u32,
    /// Name of the game.
    pub game: String,
    /// The case.
    #[serde(flatten)]
    pub case: Case<G>,
    /// The expected decision; required, although it may be `null`.
    #[serde(deserialize_with = "G::Decision::deserialize")]
    pub expected: G::Decision,
    /// The backend that made it.
    pub reference: ForeignText,
    /// The backend that differs.
    pub backend: ForeignText,
    /// Build id of its RTL in hexadecimal, if it has any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub build_id: Option<String>,
    /// How it differs.
    pub symptom: Symptom,
}

impl<G: Game> CaseFile<G> {
    /// The file of an explained case; `None` if the reference did not answer or both agree.
    pub fn of(case: &Case<G>, explanation: &Explanation<G>) -> Option<Self> {
        let expected = explanation.expected.outcome.answer()?;
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

    /// Reads a case from a file of at most 64 MiB.
    ///
    /// # Errors
    /// When it cannot be read, or is not a case of this game and version.
    pub fn read(path: &Path) -> Result<Self, ExplainError> {
        let failed = |why| ExplainError::File {
            path: path.into(),
            why,
        };
        let io = |why: std::io::Error| failed(why.to_string());
        let file = fs::File::open(path).map_err(io)?;
        let mut text = String::new();
        file.take(LARGEST + 1)
            .read_to_string(&mut text)
            .map_err(io)?;
        let parsed = match text.len() as u64 > LARGEST {
            true => Err(format!("longer than {LARGEST} bytes")),
            false => Self::parse(&text),
        };
        parsed.map_err(|why| failed(format!("not a case: {why}")))
    }

    /// Parses the text of a case.
    ///
    /// # Errors
    /// When it is not a case of this game and version.
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
                "its version is {}, this lockstep reads version {VERSION}",
                kind.lockstep_case
            ));
        }
        if kind.game != G::NAME {
            let expected = G::NAME;
            return Err(format!(
                "its game is {:?}, expected {expected:?}",
                kind.game
            ));
        }
        let file: Self = serde_json::from_str(text).map_err(|e| e.to_string())?;
        match file.case.positions.is_empty() {
            true => Err("it has no position".into()),
            false => Ok(file),
        }
    }

    /// The text of the file, with a line for each member and each position.
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
