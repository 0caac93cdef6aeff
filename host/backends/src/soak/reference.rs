//! The plan and state of a soak, and the engine's answers.

use lockstep::Identity;
use lockstep_engine::tetris::{Engine, EngineGame, Path};
use lockstep_games::tetris::playing::{Player, signed};
use lockstep_games::tetris::source::generator_after;
use lockstep_games::tetris::timing::Core;
use lockstep_games::tetris::{
    Board, Controller, Linear, Move, Piece, PieceSource, Pieces, Placement, Position, Run, Search,
    SelfPlay, Size, Sums, Tetris,
};
use lockstep_games::{BoxError, GameError, RunResult};
use protocol::layout::tetris::PLAY_PIECES;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use lockstep_lab::journal::JournalKind;

/// The kind of requests that a soak sends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SoakMode {
    /// Self-play: the backend draws the pieces, and checkpoints are compared.
    SelfPlay,
    /// Batches of given pieces: every move is compared.
    Batch,
}

/// The settings of a soak.
#[derive(Debug, Clone)]
pub struct SoakPlan {
    /// The controller that plays, linear and of depth 1.
    pub controller: Controller,
    /// State of the generator before the first piece.
    pub seed: u64,
    /// Number of decisions.
    pub decisions: u64,
    /// The kind of requests that it sends.
    pub mode: SoakMode,
    /// Games side by side, at least 1; 1 in batches. Several begin anew with each request.
    pub games: u8,
    /// Whether scores are compared.
    pub scores: bool,
    /// The core, if its clock cycles are exact and compared.
    pub core: Option<Core>,
}

/// The journal of a soak; its one entry is the last [`SoakState`] that agreed.
pub const KIND: JournalKind = JournalKind {
    command: "soak",
    option: "--state",
    earlier: "lockstep_soak",
};

/// The progress of a soak: the board of the next piece, and the sums so far.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SoakState {
    /// The board before the next piece.
    #[serde(with = "rows")]
    pub board: Board,
    /// Sums from the first piece on.
    pub sums: Sums,
}

/// Serialises a board as its rows, from the bottom up; bit c is column c.
mod rows {
    use serde::de::{Deserialize as _, Deserializer, Error};
    use serde::ser::{Serialize as _, Serializer};

    use super::{Board, Size};

    pub fn serialize<S: Serializer>(board: &Board, to: S) -> Result<S::Ok, S::Error> {
        board.to_rows().serialize(to)
    }

    pub fn deserialize<'d, D: Deserializer<'d>>(from: D) -> Result<Board, D::Error> {
        let rows = Vec::deserialize(from)?;
        Board::from_rows(Size::STANDARD.columns(), &rows).map_err(D::Error::custom)
    }
}

/// Pieces that the engine plays at once on its way to the start of a shard.
const AT_ONCE: u32 = 1 << 20;

/// A request to a backend, and the expected answers.
#[derive(Debug, Clone)]
pub struct Segment {
    /// The state before its first piece.
    pub from: SoakState,
    /// The request.
    pub request: SegmentRequest,
    /// The sums at each checkpoint; empty for a batch.
    pub checkpoints: Vec<Sums>,
    /// The answer at the end; its moves are empty in self-play.
    pub end: RunResult<Tetris>,
    /// The state at each checkpoint, and at the end.
    pub states: Vec<SoakState>,
}

impl Segment {
    /// Pieces from one checkpoint to the next; `u32::MAX` for a batch, which has none.
    pub fn spacing(&self) -> u32 {
        match &self.request {
            SegmentRequest::SelfPlay(run) => run.spacing,
            SegmentRequest::Batch(_) => u32::MAX,
        }
    }
}

/// The request for one segment.
#[derive(Debug, Clone)]
pub enum SegmentRequest {
    /// Self-play, answered with checkpoints.
    SelfPlay(SelfPlay),
    /// A batch, answered with moves.
    Batch(Run),
}

impl SoakPlan {
    /// The state before the first piece. Its signature is the first one of `lockstep signature`,
    /// so that both commands print the same signature for the same moves.
    pub fn begin(&self) -> SoakState {
        SoakState {
            board: Board::of_size(Size::STANDARD),
            sums: Sums {
                score: self.scores.then_some(0),
                cycles: self.core.map(|_| 0),
                signature: EngineGame::FIRST_SIGNATURE,
                ..Sums::default()
            },
        }
    }

    /// The settings that determine the result, for the journal.
    pub fn settings(&self, backend: &Identity) -> Value {
        let mut settings = json!({
            "controller": self.controller.name,
            "weights": self.linear().map(|linear| linear.weights),
            "seed": self.seed,
            "backend": backend.name,
            "build_id": backend.build_id(),
            "core": self.core,
        });
        // States of one game have no such setting.
        if self.games > 1 {
            settings["games"] = self.games.into();
        }
        settings
    }

    /// The state of the generator that draws the next piece.
    fn generator(&self, state: &SoakState) -> u64 {
        generator_after(self.seed, state.sums.pieces)
    }

    /// The next position to decide.
    pub fn position(&self, state: &SoakState) -> Position {
        let mut pieces = Pieces::from_seed(PieceSource::Uniform, self.generator(state));
        Position {
            board: state.board.clone(),
            piece: pieces.draw(),
            next: None,
        }
    }

    /// The weights, if the controller is linear with depth 1, which cores and engine can play.
    pub fn linear(&self) -> Option<&Linear> {
        let linear = self.controller.linear();
        linear.filter(|linear| linear.search == Search::ONE)
    }
}

/// The engine at a state, which plays the expected segments.
pub struct Reference<'a> {
    plan: &'a SoakPlan,
    engine: Engine,
    state: SoakState,
}

impl<'a> Reference<'a> {
    /// The engine at `state`.
    ///
    /// # Errors
    /// When the controller has no [`SoakPlan::linear`], or the engine cannot play on this machine.
    pub fn new(plan: &'a SoakPlan, state: SoakState) -> Result<Self, BoxError> {
        let expected = "expected a linear controller of depth 1, which cores play by themselves";
        let wrong = || format!("{expected}; got {}", plan.controller.name);
        let linear = plan.linear().ok_or_else(wrong)?;
        Ok(Self {
            engine: Engine::new(linear, Size::STANDARD, Path::best())?,
            plan,
            state,
        })
    }

    /// The engine after `pieces` pieces from the beginning, where a shard of a soak starts.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn after(plan: &'a SoakPlan, pieces: u64) -> Result<Self, BoxError> {
        let mut reference = Self::new(plan, plan.begin())?;
        while reference.state.sums.pieces < pieces {
            let left = pieces - reference.state.sums.pieces;
            reference.segment(u32::try_from(left).unwrap_or(AT_ONCE).min(AT_ONCE), AT_ONCE);
        }
        Ok(reference)
    }

    /// The state after the segments played so far.
    pub fn state(&self) -> &SoakState {
        &self.state
    }

    /// Decides a position.
    pub fn decide(&self, position: &Position) -> Option<Placement> {
        self.engine
            .decide(&position.board, position.piece, position.next)
    }

    /// Plays the next `pieces` pieces, or a whole batch if that is shorter.
    pub fn segment(&mut self, pieces: u32, spacing: u32) -> Segment {
        match self.plan.mode {
            SoakMode::SelfPlay => self.self_play(pieces, spacing.max(1)),
            SoakMode::Batch => self.batch(pieces),
        }
    }

    fn self_play(&mut self, pieces: u32, spacing: u32) -> Segment {
        let mut from = self.state.clone();
        if self.plan.games > 1 {
            from.board = Board::of_size(Size::STANDARD);
        }
        let request = SelfPlay {
            board: from.board.clone(),
            games: self.plan.games,
            pieces,
            spacing,
            generator: self.plan.generator(&from),
            signature: from.sums.signature,
        };
        let mut player = self.player(&from);
        let (mut checkpoints, mut states) = (Vec::new(), Vec::new());
        for (number, piece) in (1..=pieces).zip(self.pieces()) {
            if self.step(&mut player, piece).is_none() {
                player.restart();
            }
            if number.is_multiple_of(spacing) {
                checkpoints.push(player.sums());
                states.push(state_after(&from, &mut player));
            }
        }
        self.state = state_after(&from, &mut player);
        states.push(self.state.clone());
        Segment {
            from,
            request: SegmentRequest::SelfPlay(request),
            checkpoints,
            end: RunResult {
                moves: Vec::new(),
                sums: player.end(),
            },
            states,
        }
    }

    fn batch(&mut self, pieces: u32) -> Segment {
        let from = self.state.clone();
        let pieces = usize::try_from(pieces).unwrap_or(PLAY_PIECES);
        let run = Run {
            board: from.board.clone(),
            pieces: self.pieces().take(pieces.min(PLAY_PIECES)).collect(),
        };
        let mut player = self.player(&from);
        let (mut moves, mut signature) = (Vec::new(), 0);
        let mut lost = false;
        for &piece in &run.pieces {
            let played = self.step(&mut player, piece).map(|placement| Move {
                rotation: placement.rotation,
                column: placement.column,
            });
            signature = signed(signature, run.board.columns(), played);
            moves.extend(played);
            lost = played.is_none();
            if lost {
                break;
            }
        }
        let sums = Sums {
            signature,
            ..player.end()
        };
        if lost {
            player.restart();
        }
        self.state = state_after(&from, &mut player);
        Segment {
            from,
            request: SegmentRequest::Batch(run),
            checkpoints: Vec::new(),
            end: RunResult { moves, sums },
            states: vec![self.state.clone()],
        }
    }

    fn player(&self, from: &SoakState) -> Player {
        let (board, signature) = (from.board.clone(), from.sums.signature);
        let player = Player::with_games(self.plan.games, board, signature);
        match self.plan.core {
            Some(core) => player.counting_cycles(core),
            None => player,
        }
    }

    fn pieces(&self) -> Pieces {
        Pieces::from_seed(PieceSource::Uniform, self.plan.generator(&self.state))
    }

    fn step(&self, player: &mut Player, piece: Piece) -> Option<Placement> {
        let decide = |position: &Position| Ok::<_, GameError>(self.decide(position));
        // The engine's own placements always lie on the board.
        player.step(piece, decide).ok().flatten()
    }
}

/// The state after `player` played on from the state `from`.
fn state_after(from: &SoakState, player: &mut Player) -> SoakState {
    let (before, since) = (&from.sums, player.sums());
    let score = before.score.zip(since.score);
    let cycles = before.cycles.zip(since.cycles);
    SoakState {
        board: player.board().clone(),
        sums: Sums {
            pieces: before.pieces + since.pieces,
            games: before.games + since.games,
            rows_cleared: before.rows_cleared + since.rows_cleared,
            score: score.map(|(before, since)| before.wrapping_add(since)),
            cycles: cycles.map(|(before, since)| before.wrapping_add(since)),
            signature: since.signature,
            board_crc: None,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(mode: SoakMode) -> SoakPlan {
        SoakPlan {
            controller: Controller::load("lowest").expect("a built-in controller"),
            seed: 5,
            decisions: 2_000,
            mode,
            games: 1,
            scores: true,
            core: Some(Core::SERIAL),
        }
    }

    #[test]
    fn segments_of_any_length_end_in_same_state() {
        let reach = |mode, pieces: u32, spacing| {
            let plan = plan(mode);
            let mut reference = Reference::new(&plan, plan.begin()).expect("an engine");
            let mut left = 2_000;
            while left > 0 {
                let segment = reference.segment(pieces.min(left), spacing);
                left -= segment.end.sums.pieces as u32;
            }
            reference.state().clone()
        };
        let whole = reach(SoakMode::SelfPlay, 2_000, 2_000);
        assert_eq!(whole.sums.pieces, 2_000);
        assert!(whole.sums.games > 10 && whole.sums.cycles > Some(200_000));
        for (mode, pieces, spacing) in [
            (SoakMode::SelfPlay, 7, 3),
            (SoakMode::SelfPlay, 130, 10),
            (SoakMode::Batch, 160, 1),
            (SoakMode::Batch, 9, 1),
        ] {
            assert_eq!(reach(mode, pieces, spacing), whole, "{mode:?} {pieces}");
        }
    }
}
