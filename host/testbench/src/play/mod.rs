//! `tetris_play`: games of given and of drawn pieces, their moves, checkpoints and ends; cancels
//! and resets at any time.

mod game;
mod plan;
mod ports;

use std::collections::VecDeque;

use sim::Input;

use crate::random::Pace;
use crate::tetris::board_bits;
use crate::{Failure, Trial};
use game::Game;
use plan::{Plan, Source};
use ports::Ports;

/// Moves that wait to be taken.
const MOVES: u64 = 64;
/// More cycles than anything takes, however slowly moves are taken.
const TIMEOUT: u64 = 5_000;

/// # Errors
/// What differs first.
pub fn run(trial: &mut Trial) -> Result<(), Failure> {
    let ports = Ports::of(&trial.bench)?;
    let random = &mut trial.random;
    let mut plans: Vec<_> = (0..36).map(|_| Plan::any(random)).collect();
    plans.extend([Plan::long(random), Plan::huge(random), Plan::full(random)]);
    plans.extend([Plan::lost(random), Plan::lost_at_stop(random)]);
    for at in (1..plans.len()).rev() {
        plans.swap(at, random.below(at as u64 + 1) as usize);
    }
    let mut plans = plans.into_iter().peekable();
    // Bytes of the next game's pieces that are still to be written.
    let mut unwritten = VecDeque::new();
    if let Some(first) = plans.peek() {
        unwritten = first.source.bytes();
    }
    while let Some(plan) = plans.next() {
        begin(trial, &ports, &plan, unwritten)?;
        let next = plans.peek().map(|next| next.source.bytes());
        unwritten = next.unwrap_or_default();
        let all = unwritten.clone();
        if !play(trial, &ports, Game::new(plan), &mut unwritten)? {
            unwritten = all;
        }
    }
    Ok(())
}

fn pulse(trial: &mut Trial, port: Input) -> Result<(), Failure> {
    trial.bench.put(port, true);
    trial.bench.clock()?;
    trial.bench.put(port, false);
    Ok(())
}

fn write(trial: &mut Trial, ports: &Ports, byte: Option<(usize, u8)>) {
    let [enable, address, data] = ports.piece;
    trial.bench.put(enable, byte.is_some());
    let (at, byte) = byte.unwrap_or((trial.random.below(80) as usize, trial.random.byte()));
    trial.bench.put(address, at as u64);
    trial.bench.put(data, byte);
}

/// Hands over a board, pieces or what they are drawn from, and starts.
fn begin(
    trial: &mut Trial,
    ports: &Ports,
    plan: &Plan,
    unwritten: VecDeque<(usize, u8)>,
) -> Result<(), Failure> {
    for byte in unwritten {
        write(trial, ports, Some(byte));
        trial.bench.clock()?;
    }
    write(trial, ports, None);
    pulse(trial, ports.clear)?;
    trial.bench.put(ports.load_board, board_bits(&plan.board));
    pulse(trial, ports.load)?;
    if let Source::Drawn {
        spacing,
        generator,
        signature,
    } = plan.source
    {
        let counts = [plan.pieces, spacing].map(u32::to_le_bytes).concat();
        let states = [generator, signature].map(u64::to_le_bytes).concat();
        for byte in [counts, states].concat() {
            trial.bench.put(ports.shift[1], byte);
            pulse(trial, ports.shift[0])?;
        }
        for (port, expected) in ports.drawn_numbers.into_iter().zip([plan.pieces, spacing]) {
            trial.same("draws_*_o", &trial.bench.get(port), &u64::from(expected))?;
        }
    }
    let drawn = plan.source.is_drawn();
    let garbage = trial.random.bits() as u32;
    trial.bench.put(ports.drawn, drawn);
    trial
        .bench
        .put(ports.pieces, if drawn { garbage } else { plan.pieces });
    pulse(trial, ports.start)?;
    let garbage = trial.random.bits();
    trial.bench.put(ports.drawn, garbage);
    trial.bench.put(ports.pieces, garbage);
    Ok(())
}

/// Inputs of a cycle.
struct Drive {
    paces: [Pace; 5],
    stop_at: Option<u64>,
    /// Since when there is no room for a move.
    full_since: Option<u64>,
    stops: bool,
    takes_ask: bool,
    takes_move: bool,
    takes_checkpoint: bool,
    writes: bool,
}

impl Drive {
    fn new() -> Self {
        Self {
            paces: Default::default(),
            stop_at: None,
            full_since: None,
            stops: false,
            takes_ask: false,
            takes_move: false,
            takes_checkpoint: false,
            writes: false,
        }
    }

    fn put(
        &mut self,
        trial: &mut Trial,
        ports: &Ports,
        game: &Game,
        unwritten: &VecDeque<(usize, u8)>,
    ) {
        let now = trial.bench.cycles();
        if let Some((at, cycles)) = game.plan.stop
            && game.asked >= at
        {
            self.stop_at.get_or_insert(now + cycles);
        }
        self.stops = self.stop_at.is_some_and(|at| now >= at);
        let held = trial.bench.get(ports.moves);
        if held >= MOVES {
            self.full_since.get_or_insert(now);
        }
        // A full queue stays so for longer than a decision takes.
        let waits = game.plan.fills && self.full_since.is_none_or(|since| now < since + 80);
        let mut go = [false; 5];
        for (go, pace) in go.iter_mut().zip(&mut self.paces) {
            *go = pace.go(&mut trial.random);
        }
        [self.takes_ask, self.takes_checkpoint, ..] = go;
        self.takes_move = held != 0 && !waits && go[2];
        trial.bench.put(ports.stop, self.stops);
        trial.bench.put(ports.ask.1, self.takes_ask);
        trial.bench.put(ports.checkpoint.1, self.takes_checkpoint);
        trial.bench.put(ports.a_move.1, self.takes_move);
        trial.bench.put(ports.finish, false);
        let offered = game.answer.as_ref().filter(|answer| now >= answer.from);
        trial.bench.put(ports.rsp.0, offered.is_some());
        if let Some(answer) = offered {
            trial.bench.put(ports.answer, answer.bits());
        }
        let byte = unwritten.front().copied().filter(|_| go[3]);
        self.writes = byte.is_some();
        write(trial, ports, byte);
    }
}

/// Plays it to its end while the next one's pieces are written; false if it is reset.
fn play(
    trial: &mut Trial,
    ports: &Ports,
    mut game: Game,
    unwritten: &mut VecDeque<(usize, u8)>,
) -> Result<bool, Failure> {
    let mut drive = Drive::new();
    let mut progress = trial.bench.cycles();
    loop {
        let now = trial.bench.cycles();
        if game.plan.reset.is_some_and(|at| game.asked > at) && trial.random.chance(10) {
            reset(trial, ports)?;
            return Ok(false);
        }
        drive.put(trial, ports, &game, unwritten);
        trial.bench.settle()?;
        let high = |port| trial.bench.get(port) == 1;
        let (asks, checkpoint, done) = (
            high(ports.ask.0),
            high(ports.checkpoint.0),
            high(ports.done),
        );
        if asks {
            may_ask(trial, ports, &game, drive.stops)?;
        }
        let held = trial.bench.get(ports.moves);
        if held > MOVES {
            trial.same("moves_o", &held, &MOVES)?;
        }
        if drive.takes_move {
            let expected = game.moves.get(game.taken).copied();
            trial.same("move_o", &Some(trial.bench.get(ports.a_move.0)), &expected)?;
            game.taken += 1;
        }
        if checkpoint {
            let expected = game.is_checkpoint() && game.answer.is_none();
            trial.same("checkpoint_valid_o", &true, &expected)?;
            sums(trial, ports, &game)?;
        }
        if done {
            ends(trial, ports, &game, drive.stops)?;
            if held == 0 && trial.random.chance(30) {
                trial.same("moves taken", &game.taken, &game.moves.len())?;
                finish(trial, ports, &game)?;
                return Ok(true);
            }
        }
        let piece = trial.bench.get(ports.ask_piece);
        let answered = trial.bench.get(ports.rsp.1) == 1;
        trial.bench.clock()?;

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
            trial.differs("the game does not go on".into())?;
        }
    }
}

fn reset(trial: &mut Trial, ports: &Ports) -> Result<(), Failure> {
    quiet(trial, ports);
    trial.bench.put(ports.stop, false);
    trial.bench.put(ports.rsp.0, false);
    trial.bench.put(ports.reset, false);
    trial.bench.clock()?;
    trial.bench.put(ports.reset, true);
    trial.bench.settle()?;
    trial.same("moves_o after a reset", &trial.bench.get(ports.moves), &0)
}

fn quiet(trial: &mut Trial, ports: &Ports) {
    for port in [
        ports.ask.1,
        ports.checkpoint.1,
        ports.a_move.1,
        ports.piece[0],
    ] {
        trial.bench.put(port, false);
    }
}

/// The next piece may be asked about, and on the right board.
fn may_ask(trial: &Trial, ports: &Ports, game: &Game, stops: bool) -> Result<(), Failure> {
    let may = game.answer.is_none()
        && game.asked < game.plan.pieces
        && !game.is_checkpoint()
        && !game.over
        && !stops;
    trial.same("ask_valid_o", &true, &may)?;
    let board = trial.bench.bits(ports.board);
    trial.same("board_o", &board, &board_bits(&game.board))?;
    let waiting = (game.moves.len() - game.taken) as u64;
    trial.same("moves_o", &trial.bench.get(ports.moves), &waiting)
}

fn sums(trial: &Trial, ports: &Ports, game: &Game) -> Result<(), Failure> {
    let tally = trial.bench.bits(ports.tally).members([32, 32, 32, 64, 64]);
    trial.same("tally_o", &tally, &game.tally)?;
    let signature = trial.bench.get(ports.signature);
    trial.same("signature_o", &signature, &game.signature)
}

/// It is over as it should be.
fn ends(trial: &Trial, ports: &Ports, game: &Game, stops: bool) -> Result<(), Failure> {
    let all = game.asked == game.plan.pieces;
    let may = game.answer.is_none() && !game.is_checkpoint() && (all || game.over || stops);
    trial.same("done_o", &true, &may)?;
    sums(trial, ports, game)?;
    let unfinished = trial.bench.get(ports.unfinished) == 1;
    trial.same("unfinished_o", &unfinished, &!(all || game.over))?;
    let board = trial.bench.bits(ports.board);
    trial.same("board_o", &board, &board_bits(&game.board))
}

/// Reads some rows of the board, and leaves the game.
fn finish(trial: &mut Trial, ports: &Ports, game: &Game) -> Result<(), Failure> {
    quiet(trial, ports);
    let rows = game.board.to_rows();
    for row in rows.into_iter().take(trial.random.below(21) as usize) {
        let lowest = trial.bench.bits(ports.board).slice(0, 10);
        trial.same("board_o[0]", &lowest, &row)?;
        pulse(trial, ports.take)?;
        trial.bench.clock()?;
    }
    trial.bench.put(ports.stop, false);
    pulse(trial, ports.finish)?;
    trial.bench.settle()?;
    trial.same("done_o once left", &trial.bench.get(ports.done), &0)
}
