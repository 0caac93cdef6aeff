//! `tetris_play`: batches of given pieces and self-play with drawn pieces; moves, checkpoints and
//! ends; stops and resets at any time.

pub mod game;
pub mod plan;

use std::collections::VecDeque;

use crate::random::Pace;
use crate::tetris::board_bits;
use crate::{Failure, Trial};
use game::Game;
use plan::{Plan, Source};

/// Capacity of the queue of moves.
const MOVES: u64 = 64;
/// Timeout in clock cycles, also if moves are taken slowly.
const TIMEOUT: u64 = 5_000;

pub fn run(trial: &mut Trial) -> Result<(), Failure> {
    let random = &mut trial.random;
    let mut plans: Vec<_> = (0..36).map(|_| Plan::any(random)).collect();
    plans.extend([Plan::long(random), Plan::huge(random), Plan::full(random)]);
    plans.extend([Plan::lost(random), Plan::lost_at_stop(random)]);
    random.shuffle(&mut plans);
    let mut plans = plans.into_iter().peekable();
    // Bytes of the next game's pieces that are not written yet.
    let mut unwritten = VecDeque::new();
    if let Some(first) = plans.peek() {
        unwritten = first.source.bytes();
    }
    while let Some(plan) = plans.next() {
        begin(trial, &plan, unwritten)?;
        let next = plans.peek().map(|next| next.source.bytes());
        unwritten = next.unwrap_or_default();
        let all = unwritten.clone();
        if !play(trial, Game::new(plan), &mut unwritten)? {
            unwritten = all;
        }
    }
    Ok(())
}

fn write(trial: &mut Trial, byte: Option<(usize, u8)>) {
    trial.put("piece_we_i", byte.is_some());
    let (at, byte) = byte.unwrap_or((trial.random.below(80) as usize, trial.random.byte()));
    trial.put("piece_addr_i", at as u64);
    trial.put("piece_data_i", byte);
}

/// Writes the board and the pieces, or the settings of self-play, and starts the game.
fn begin(trial: &mut Trial, plan: &Plan, unwritten: VecDeque<(usize, u8)>) -> Result<(), Failure> {
    for byte in unwritten {
        write(trial, Some(byte));
        trial.clock()?;
    }
    write(trial, None);
    trial.pulse("clear_i")?;
    trial.put("load_board_i", board_bits(&plan.board));
    trial.pulse("load_i")?;
    if let Source::Drawn {
        spacing,
        generator,
        signature,
    } = plan.source
    {
        let counts = [plan.pieces, spacing].map(u32::to_le_bytes).concat();
        let states = [generator, signature].map(u64::to_le_bytes).concat();
        for byte in [counts, states].concat() {
            trial.put("draws_byte_i", byte);
            trial.pulse("draws_shift_i")?;
        }
        trial.expect("draws_pieces_o", plan.pieces)?;
        trial.expect("draws_spacing_o", spacing)?;
    }
    let drawn = plan.source.is_drawn();
    let garbage = trial.random.bits() as u32;
    trial.put("drawn_i", drawn);
    trial.put("pieces_i", if drawn { garbage } else { plan.pieces });
    trial.pulse("start_i")?;
    let garbage = trial.random.bits();
    trial.put("drawn_i", garbage);
    trial.put("pieces_i", garbage);
    Ok(())
}

/// The inputs of a cycle.
#[derive(Default)]
struct Drive {
    paces: [Pace; 5],
    stop_at: Option<u64>,
    /// The cycle since which the queue of moves is full.
    full_since: Option<u64>,
    stops: bool,
    takes_ask: bool,
    takes_move: bool,
    takes_checkpoint: bool,
    writes: bool,
}

impl Drive {
    fn put(&mut self, trial: &mut Trial, game: &Game, unwritten: &VecDeque<(usize, u8)>) {
        let now = trial.cycles();
        if let Some((at, cycles)) = game.plan.stop
            && game.requested >= at
        {
            self.stop_at.get_or_insert(now + cycles);
        }
        self.stops = self.stop_at.is_some_and(|at| now >= at);
        let held = trial.get("moves_o");
        if held >= MOVES {
            self.full_since.get_or_insert(now);
        }
        // A full queue stays full for longer than a decision takes.
        let waits = game.plan.fills && self.full_since.is_none_or(|since| now < since + 80);
        let mut go = [false; 5];
        for (go, pace) in go.iter_mut().zip(&mut self.paces) {
            *go = pace.go(&mut trial.random);
        }
        [self.takes_ask, self.takes_checkpoint, ..] = go;
        self.takes_move = held != 0 && !waits && go[2];
        trial.put("stop_i", self.stops);
        trial.put("ask_ready_i", self.takes_ask);
        trial.put("checkpoint_ready_i", self.takes_checkpoint);
        trial.put("move_ready_i", self.takes_move);
        trial.put("finish_i", false);
        let offered = game.answer.as_ref().filter(|answer| now >= answer.from);
        trial.put("rsp_valid_i", offered.is_some());
        if let Some(answer) = offered {
            trial.put("rsp_i", answer.bits());
        }
        let byte = unwritten.front().copied().filter(|_| go[3]);
        self.writes = byte.is_some();
        write(trial, byte);
    }
}

/// Plays a game while the next one's pieces are written; returns false if it was reset.
fn play(
    trial: &mut Trial,
    mut game: Game,
    unwritten: &mut VecDeque<(usize, u8)>,
) -> Result<bool, Failure> {
    let mut drive = Drive::default();
    let mut progress = trial.cycles();
    loop {
        let now = trial.cycles();
        if game.plan.reset.is_some_and(|at| game.requested > at) && trial.random.chance(10) {
            reset(trial)?;
            return Ok(false);
        }
        drive.put(trial, &game, unwritten);
        trial.settle()?;
        let (asks, done) = (trial.is("ask_valid_o"), trial.is("done_o"));
        let checkpoint = trial.is("checkpoint_valid_o");
        if asks {
            may_ask(trial, &game, drive.stops)?;
        }
        let held = trial.get("moves_o");
        if held > MOVES {
            trial.same("moves_o", &held, &MOVES)?;
        }
        if drive.takes_move {
            let expected = game.moves.get(game.taken).copied();
            trial.same("move_o", &Some(trial.get("move_o")), &expected)?;
            game.taken += 1;
        }
        if checkpoint {
            let expected = game.is_checkpoint() && game.answer.is_none();
            trial.same("checkpoint_valid_o", &true, &expected)?;
            sums(trial, &game)?;
        }
        if done {
            ends(trial, &game, drive.stops)?;
            if held == 0 && trial.random.chance(30) {
                trial.same("moves taken", &game.taken, &game.moves.len())?;
                finish(trial, &game)?;
                return Ok(true);
            }
        }
        let piece = trial.get("ask_piece_o");
        let answered = trial.is("rsp_ready_o");
        trial.clock()?;

        if drive.writes {
            unwritten.pop_front();
        }
        let taken = game.answer.take_if(|answer| answered && now >= answer.from);
        if let Some(answer) = &taken {
            game.take(answer);
        }
        if asks && drive.takes_ask {
            let expected = u64::from(game.next_piece());
            trial.same("ask_piece_o", &piece, &expected)?;
            game.ask(expected, now + 1, &mut trial.random);
        }
        if checkpoint && drive.takes_checkpoint {
            game.since = 0;
        }
        if taken.is_some() || asks || checkpoint {
            progress = now;
        } else if now - progress > TIMEOUT {
            return trial.differs("the game hangs".into());
        }
    }
}

fn reset(trial: &mut Trial) -> Result<(), Failure> {
    quiet(trial);
    trial.put("stop_i", false);
    trial.put("rsp_valid_i", false);
    trial.reset()?;
    trial.settle()?;
    trial.expect("moves_o", 0)
}

fn quiet(trial: &mut Trial) {
    for port in [
        "ask_ready_i",
        "checkpoint_ready_i",
        "move_ready_i",
        "piece_we_i",
    ] {
        trial.put(port, false);
    }
}

/// Checks that a decision may be requested now, and for the right board.
fn may_ask(trial: &Trial, game: &Game, stops: bool) -> Result<(), Failure> {
    let may = game.answer.is_none()
        && game.requested < game.plan.pieces
        && !game.is_checkpoint()
        && !game.over
        && !stops;
    trial.same("ask_valid_o", &true, &may)?;
    let board = trial.bits("board_o");
    trial.same("board_o", &board, &board_bits(&game.board))?;
    let waiting = (game.moves.len() - game.taken) as u64;
    trial.expect("moves_o", waiting)
}

fn sums(trial: &Trial, game: &Game) -> Result<(), Failure> {
    let tally = trial.bits("tally_o").members([32, 32, 32, 64, 64]);
    trial.same("tally_o", &tally, &game.tally)?;
    trial.expect("signature_o", game.signature)
}

/// Checks that the game may end now, and its result.
fn ends(trial: &Trial, game: &Game, stops: bool) -> Result<(), Failure> {
    let all = game.requested == game.plan.pieces;
    let may = game.answer.is_none() && !game.is_checkpoint() && (all || game.over || stops);
    trial.same("done_o", &true, &may)?;
    sums(trial, game)?;
    trial.expect("unfinished_o", !(all || game.over))?;
    let board = trial.bits("board_o");
    trial.same("board_o", &board, &board_bits(&game.board))
}

/// Reads some rows of the board and finishes the game.
fn finish(trial: &mut Trial, game: &Game) -> Result<(), Failure> {
    quiet(trial);
    let rows = game.board.to_rows();
    for row in rows.into_iter().take(trial.random.below(21) as usize) {
        let lowest = trial.bits("board_o").slice(0, 10);
        trial.same("board_o[0]", &lowest, &row)?;
        trial.pulse("take_i")?;
        trial.clock()?;
    }
    trial.put("stop_i", false);
    trial.pulse("finish_i")?;
    trial.settle()?;
    trial.expect("done_o", 0)
}
