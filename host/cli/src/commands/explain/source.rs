//! The file that `lockstep explain` reads: a case, a record or positions.

use std::io::{BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow, bail};
use lockstep::Stop;
use lockstep::record::{Reader, peek, reason};
use lockstep_explain::history::MAX_POSITIONS;
use lockstep_explain::{Case, CaseFile};
use lockstep_games::catalog::file_error;

use crate::games::CliGame;
use crate::games::options::ControllerArgs;
use crate::output::{GAMES, count};

/// Length of the beginning that identifies a file, in bytes.
const HEAD: u64 = 4_096;

/// The first bytes of a compressed record.
const ZSTD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

pub enum Source<G: CliGame> {
    Case(Box<CaseFile<G>>),
    Requests(Requests<G>),
}

/// Positions that were requested one after the other.
pub struct Requests<G: CliGame> {
    file: PathBuf,
    /// The controller of each seat; only one if all seats have the same.
    pub controllers: Vec<G::Controller>,
    pub positions: Vec<G::Position>,
    /// Game and move of each position of a record; otherwise empty.
    places: Vec<(u64, u64)>,
}

impl<G: CliGame> Requests<G> {
    /// The case of a decision, with all earlier positions.
    pub fn at(self, game: u64, step: u64) -> anyhow::Result<Case<G>> {
        let last = self.places.iter().position(|place| *place == (game, step));
        let Some(last) = last else {
            let file = self.file.display();
            bail!("{file} has no move {step} of game {game}");
        };
        Ok(self.case(last))
    }

    /// The case of the position with this index, with the earlier ones.
    pub fn case(&self, last: usize) -> Case<G> {
        let seat = G::seat(&self.positions[last]);
        // A case has one controller.
        let (controller, of_all) = match self.controllers.get(seat) {
            Some(own) if self.controllers.len() > 1 => (own, false),
            _ => (&self.controllers[0], true),
        };
        let positions = &self.positions[(last + 1).saturating_sub(MAX_POSITIONS)..=last];
        let earlier = positions.iter().filter(|p| of_all || G::seat(p) == seat);
        Case {
            controller: controller.clone(),
            positions: earlier.cloned().collect(),
            together: false,
        }
    }

    pub fn title(&self, index: usize) -> String {
        match self.places.get(index) {
            Some((game, step)) => format!("game {game}, move {step}"),
            None => format!("position {}", index + 1),
        }
    }

    pub fn are_recorded(&self) -> bool {
        !self.places.is_empty()
    }

    /// Keeps only the positions of one game, if it is named.
    pub fn only(mut self, game: Option<u64>) -> anyhow::Result<Self> {
        let Some(game) = game else { return Ok(self) };
        let games = self.places.chunk_by(|one, next| one.0 == next.0).count();
        let mut places = self.places.iter();
        self.positions
            .retain(|_| places.next().is_some_and(|(of, _)| *of == game));
        self.places.retain(|(of, _)| *of == game);
        if self.positions.is_empty() {
            let games = count(games as u64, GAMES);
            bail!("--game {game}: {} has {games}", self.file.display());
        }
        Ok(self)
    }
}

/// Reads a file, on a thread of its own: it may be a pipe without a writer.
pub async fn open<G: CliGame>(
    file: &Path,
    choice: &ControllerArgs<G>,
) -> anyhow::Result<Source<G>> {
    let (path, controller) = (file.to_owned(), choice.load()?);
    tokio::task::spawn_blocking(move || read(path, controller)).await?
}

fn read<G: CliGame>(file: PathBuf, controller: G::Controller) -> anyhow::Result<Source<G>> {
    let name = || file.display().to_string();
    // Other bytes are refused by the reader.
    let start = peek(&file, HEAD, &Stop::never());
    let start = start.map_err(|why| anyhow!("{}: {}", name(), file_error(&why)))?;
    let head = String::from_utf8_lossy(&start);
    let is_case = head.contains("\"lockstep_case\"");
    let compressed = start.starts_with(&ZSTD);
    if compressed || !is_case && head.contains("\"lockstep_record\"") {
        return record(file);
    }
    let mut opened =
        BufReader::new(lockstep::record::open(&file, &Stop::never()).with_context(name)?);
    if is_case {
        let mut text = String::new();
        opened.read_to_string(&mut text).with_context(name)?;
        let case =
            CaseFile::parse(&text).map_err(|why| anyhow!("{}: not a case: {why}", name()))?;
        return Ok(Source::Case(Box::new(case)));
    }
    let mut positions = Vec::new();
    for (line, number) in opened.lines().zip(1u64..) {
        let line = line.with_context(name)?;
        if line.trim().is_empty() {
            continue;
        }
        let position = serde_json::from_str(&line).map_err(|error| {
            anyhow!(
                "{}, line {number}: neither a record, a case nor a position: {}",
                name(),
                reason(&error)
            )
        })?;
        positions.push(position);
    }
    if positions.is_empty() {
        bail!(
            "{}: expected a record, a case or positions, got none",
            name()
        );
    }
    Ok(Source::Requests(Requests {
        file,
        controllers: vec![controller],
        positions,
        places: Vec::new(),
    }))
}

fn record<G: CliGame>(file: PathBuf) -> anyhow::Result<Source<G>> {
    let reader = Reader::<G>::open(&file, &Stop::never())?;
    let controllers = reader.head().controllers();
    let (mut positions, mut places) = (Vec::new(), Vec::new());
    for entry in reader {
        let entry = entry?;
        places.push((entry.game, entry.step));
        positions.push(entry.position);
    }
    if positions.is_empty() {
        bail!("record {} holds no decisions", file.display());
    }
    Ok(Source::Requests(Requests {
        file,
        controllers,
        positions,
        places,
    }))
}
