//! The engine's answers.

use lockstep::Identity;
use lockstep_engine::tetris::{Engine, EngineError, Path};
use lockstep_games::RunResult;
use lockstep_games::tetris::board::Board;
use lockstep_games::tetris::playing::{Player, signed};
use lockstep_games::tetris::source::{PieceSource, Pieces, generator_after};
use lockstep_games::tetris::{
    Controller, Linear, Move, Piece, Placement, Position, Run, Search, SelfPlay, Size, Sums,
    Tetris, TetrisError,
};
use protocol::layout::tetris::PLAY_PIECES;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::engine::first_signature;
use crate::journal::Kind;

/// The kind of requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// By itself: it draws the pieces, and checkpoints are compared.
    SelfPlay,
    /// In batches of given pieces: every move is compared.
    Batch,
}

/// The plan of a soak.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The controller.
    pub controller: Controller,
    /// State of the generator before the first piece.
    pub seed: u64,
    /// Decisions in all.
    pub decisions: u64,
    /// The kind of requests.
    pub way: Way,
    /// Whether scores are compared.
    pub scores: bool,
    /// Multipliers of the core, where it promises its clock cycles: they are then compared.
    pub multipliers: Option<u8>,
}

/// The journal of a soak; its one entry is the last [`Place`] that agreed.
pub const KIND: Kind = Kind {
    command: "soak",
    option: "--state",
    earlier: "lockstep_soak",
};

/// How far a soak is: the board, and the sums so far.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// The board before the next piece.
    #[serde(with = "rows")]
    pub board: Board,
    /// Sums from the first piece on.
    pub sums: Sums,
}

/// A board as its rows, from the bottom up; bit c is column c.
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

/// A request to a backend, and the answers expected.
#[derive(Debug, Clone)]
pub struct Stretch {
    /// Where it begins.
    pub from: Place,
    /// The request.
    pub question: Question,
    /// What comes at each checkpoint; in a batch there are none.
    pub checkpoints: Vec<Sums>,
    /// The answer at the end; only a batch has moves.
    pub end: RunResult<Tetris>,
    /// The place at each checkpoint, and at the end.
    pub places: Vec<Place>,
}

impl Stretch {
    /// Pieces from one checkpoint to the next.
    pub fn spacing(&self) -> u32 {
        match &self.question {
            Question::SelfPlay(run) => run.spacing,
            Question::Batch(_) => u32::MAX,
        }
    }
}

/// A request.
#[derive(Debug, Clone)]
pub enum Question {
    /// For checkpoints.
    SelfPlay(SelfPlay),
    /// For moves.
    Batch(Run),
}

impl Plan {
    /// Where it begins: as a long game of the engine does, so that the signature is one that
    /// `lockstep signature` gives.
    pub fn begin(&self) -> Place {
        Place {
            board: Board::of_size(Size::STANDARD),
            sums: Sums {
                score: self.scores.then_some(0),
                cycles: self.multipliers.map(|_| 0),
                signature: first_signature(),
                ..Sums::default()
            },
        }
    }

    /// The settings that determine what is played, and on which backend, for the journal.
    pub fn settings(&self, backend: &Identity) -> Value {
        json!({
            "controller": self.controller.name,
            "weights": self.linear().map(|linear| linear.weights),
            "seed": self.seed,
            "backend": backend.name,
            "build_id": backend.build_id(),
            "multipliers": self.multipliers,
        })
    }

    /// State of the generator at a place.
    fn generator(&self, place: &Place) -> u64 {
        generator_after(self.seed, place.sums.pieces)
    }

    /// The position at a place.
    pub fn position(&self, place: &Place) -> Position {
        let mut pieces = Pieces::from_seed(PieceSource::Uniform, self.generator(place));
        Position {
            board: place.board.clone(),
            piece: pieces.draw(),
            next: None,
        }
    }

    /// The weights, where a core can play as the controller does.
    pub fn linear(&self) -> Option<&Linear> {
        let linear = self.controller.linear();
        linear.filter(|linear| linear.search == Search::ONE)
    }
}

/// The engine, playing on.
pub struct Reference<'a> {
    plan: &'a Plan,
    engine: Engine,
    place: Place,
}

impl<'a> Reference<'a> {
    /// From a place on. `None` where the engine does not play as the controller does.
    ///
    /// # Errors
    /// When there is no such engine.
    pub fn new(plan: &'a Plan, place: Place) -> Result<Option<Self>, EngineError> {
        let Some(linear) = plan.linear() else {
            return Ok(None);
        };
        let engine = Engine::new(linear, Size::STANDARD, Path::best())?;
        Ok(Some(Self {
            engine,
            plan,
            place,
        }))
    }

    /// The place.
    pub fn place(&self) -> &Place {
        &self.place
    }

    /// Its decision at a position.
    pub fn decide(&self, position: &Position) -> Option<Placement> {
        self.engine
            .decide(&position.board, position.piece, position.next)
    }

    /// Plays so many pieces more, or at most a batch of them.
    pub fn stretch(&mut self, pieces: u32, spacing: u32) -> Stretch {
        match self.plan.way {
            Way::SelfPlay => self.self_play(pieces, spacing.max(1)),
            Way::Batch => self.batch(pieces),
        }
    }

    fn self_play(&mut self, pieces: u32, spacing: u32) -> Stretch {
        let from = self.place.clone();
        let question = SelfPlay {
            board: from.board.clone(),
            pieces,
            spacing,
            generator: self.plan.generator(&from),
            signature: from.sums.signature,
        };
        let (checkpoints, places, sums) = self.steps(&from, pieces, spacing);
        if let Some(last) = places.last() {
            self.place.clone_from(last);
        }
        Stretch {
            from,
            question: Question::SelfPlay(question),
            checkpoints,
            end: RunResult {
                moves: Vec::new(),
                sums,
            },
            places,
        }
    }

    /// Checkpoints, the places at each and at the end, and the sums of all.
    fn steps(&self, from: &Place, pieces: u32, spacing: u32) -> (Vec<Sums>, Vec<Place>, Sums) {
        let mut player = self.player(from.sums.signature);
        let (mut checkpoints, mut places) = (Vec::new(), Vec::new());
        for (number, piece) in (1..=pieces).zip(self.pieces()) {
            if self.step(&mut player, piece).is_none() {
                player.restart();
            }
            if number.is_multiple_of(spacing) {
                checkpoints.push(player.sums());
                places.push(place(from, &player));
            }
        }
        places.push(place(from, &player));
        (checkpoints, places, player.end())
    }

    fn batch(&mut self, pieces: u32) -> Stretch {
        let from = self.place.clone();
        let pieces = usize::try_from(pieces).unwrap_or(PLAY_PIECES);
        let run = Run {
            board: from.board.clone(),
            pieces: self.pieces().take(pieces.min(PLAY_PIECES)).collect(),
        };
        let mut player = self.player(from.sums.signature);
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
        self.place = place(&from, &player);
        Stretch {
            from,
            question: Question::Batch(run),
            checkpoints: Vec::new(),
            end: RunResult { moves, sums },
            places: vec![self.place.clone()],
        }
    }

    fn player(&self, signature: u64) -> Player {
        let player = Player::new(self.place.board.clone(), signature);
        match self.plan.multipliers {
            Some(multipliers) => player.counting_cycles(multipliers),
            None => player,
        }
    }

    fn pieces(&self) -> Pieces {
        Pieces::from_seed(PieceSource::Uniform, self.plan.generator(&self.place))
    }

    fn step(&self, player: &mut Player, piece: Piece) -> Option<Placement> {
        let decide = |position: &Position| Ok::<_, TetrisError>(self.decide(position));
        // A placement of its own always lies on the board.
        player.step(piece, decide).ok().flatten()
    }
}

/// The place after a player played from another one on.
fn place(from: &Place, player: &Player) -> Place {
    let (before, since) = (&from.sums, player.sums());
    let score = before.score.zip(since.score);
    let cycles = before.cycles.zip(since.cycles);
    Place {
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

    fn plan(way: Way) -> Plan {
        Plan {
            controller: Controller::load("lowest").expect("a preset"),
            seed: 5,
            decisions: 2_000,
            way,
            scores: true,
            multipliers: Some(4),
        }
    }

    /// The length of the stretches has no effect.
    #[test]
    fn stretches_of_any_length_come_to_the_same_place() {
        let reach = |way, pieces: u32, spacing| {
            let plan = plan(way);
            let reference = Reference::new(&plan, plan.begin()).expect("an engine");
            let mut reference = reference.expect("it plays lowest");
            let mut left = 2_000;
            while left > 0 {
                let stretch = reference.stretch(pieces.min(left), spacing);
                left -= stretch.end.sums.pieces as u32;
            }
            reference.place().clone()
        };
        let whole = reach(Way::SelfPlay, 2_000, 2_000);
        assert_eq!(whole.sums.pieces, 2_000);
        assert!(whole.sums.games > 10 && whole.sums.cycles > Some(200_000));
        for (way, pieces, spacing) in [
            (Way::SelfPlay, 7, 3),
            (Way::SelfPlay, 130, 10),
            (Way::Batch, 160, 1),
            (Way::Batch, 9, 1),
        ] {
            assert_eq!(reach(way, pieces, spacing), whole, "{way:?} {pieces}");
        }
    }
}
