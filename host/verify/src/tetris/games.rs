//! `tetris_games`: the boards of games side by side, decided at any pace, and read out.

use std::collections::VecDeque;

use lockstep_games::tetris::board::Board;

use super::{any_position, board_bits, nearly_full};
use crate::play::game::Answer;
use crate::random::Pace;
use crate::{Failure, Trial};

const GAMES: u64 = 16;

pub fn run(trial: &mut Trial) -> Result<(), Failure> {
    for session in 0..21 {
        // Three of them are reset while many rows are removed; the next one begins without pauses.
        let (cut, hurried) = (session % 7 == 3, session % 7 == 4);
        let games = match trial.random.chance(50) {
            _ if hurried => trial.random.between(1, 3),
            true => trial.random.between(1, GAMES),
            false => trial.random.choice(&[1, 2, 3, GAMES]),
        };
        let board = match cut {
            true => nearly_full(&mut trial.random, 16).board,
            false => any_position(&mut trial.random).board,
        };
        trial.put("games_i", games);
        trial.put("board_i", board_bits(&board));
        trial.pulse("start_i")?;
        let garbage = trial.random.below(32);
        trial.put("games_i", garbage);
        let mut boards = vec![board; games as usize];
        let ended = play(trial, &mut boards, cut, hurried)?;
        for port in ["best_valid_i", "take_i", "result_ready_i"] {
            trial.put(port, false);
        }
        match ended {
            true => read_out(trial, &boards)?,
            false => {
                // A result may be taken in the cycle of the reset.
                trial.settle()?;
                let takes = trial.is("result_valid_o") && trial.is("put_ready_o");
                trial.put("result_ready_i", takes);
                trial.reset()?;
                trial.put("result_ready_i", false);
            }
        }
    }
    Ok(())
}

/// Decides the boards in turn. Returns false to be reset while pieces are under way.
///
/// With `cut` the reset comes in the cycle after the first piece was put; with `hurried` nothing
/// waits.
fn play(
    trial: &mut Trial,
    boards: &mut [Board],
    cut: bool,
    hurried: bool,
) -> Result<bool, Failure> {
    let pace = || match hurried {
        true => Pace::of(100),
        false => Pace::default(),
    };
    let mut paces = [pace(), pace(), pace()];
    let (mut taken, mut placed) = (0, 0);
    // Boards that are being decided, and decisions that wait to be put.
    let (mut deciding, mut decided) = (VecDeque::new(), VecDeque::<Answer>::new());
    // The first of these is there a cycle later.
    let mut is_there = false;
    let pieces = (trial.random.below(120) + u64::from(cut)) as usize;
    let [reset, reset_when_lost] = [15, 50].map(|percent| trial.random.chance(percent));
    let began = trial.cycles();
    while placed < pieces || !deciding.is_empty() || !decided.is_empty() {
        // The board of a lost game would be cleared next.
        let is_lost = is_there && decided.front().is_some_and(|answer| answer.place.is_none());
        if (cut && placed > 0) || (placed > pieces / 2 && (reset || (reset_when_lost && is_lost))) {
            return Ok(false);
        }
        let mut go = [false; 3];
        for (go, pace) in go.iter_mut().zip(&mut paces) {
            *go = pace.go(&mut trial.random);
        }
        let best = deciding.front().filter(|_| go[1]).map(Answer::bits);
        trial.put("best_valid_i", best.is_some());
        if let Some(best) = &best {
            trial.put("best_i", best.clone());
        }
        trial.put("take_i", false);
        trial.put("result_ready_i", false);
        trial.settle()?;
        let result: Option<&Answer> = decided.front().filter(|_| is_there);
        trial.expect("result_valid_o", result.is_some())?;
        let puts = go[2] && trial.is("put_ready_o") && result.is_some();
        if let Some(answer) = result {
            let got = trial.bits("result_o");
            trial.same("result_o", &got, &answer.without_cycles().bits())?;
        }
        trial.put("result_ready_i", puts);
        trial.settle()?;
        let takes = trial.is("board_valid_o") && go[0] && taken < pieces;
        let piece = any_position(&mut trial.random).piece;
        trial.put("take_i", takes);
        trial.put("piece_i", piece.number());
        trial.settle()?;
        let is_deciding = takes || !deciding.is_empty();
        trial.expect("deciding_o", is_deciding)?;
        let turn = taken % boards.len();
        if trial.is("board_valid_o") {
            trial.holds("a board is offered", taken - placed < boards.len())?;
            let got = trial.bits("board_o");
            trial.same("board_o", &got, &board_bits(&boards[turn]))?;
        }
        trial.clock()?;

        let behind = decided.len() - usize::from(is_there);
        is_there = behind > 0 || (is_there && !puts);
        if best.is_some() {
            decided.extend(deciding.pop_front());
        }
        if takes {
            let lost = trial.random.chance(10);
            let now = trial.cycles();
            let random = &mut trial.random;
            deciding.push_back(Answer::any(&boards[turn], piece, lost, now, random));
            taken += 1;
        }
        if let Some(answer) = decided.pop_front_if(|_| puts) {
            let games = boards.len();
            answer.carry_out(&mut boards[placed % games]);
            placed += 1;
        }
        trial.never("the games hang", trial.cycles() - began > 20_000)?;
    }
    Ok(true)
}

/// Reads the rows of all boards, or some of them.
fn read_out(trial: &mut Trial, boards: &[Board]) -> Result<(), Failure> {
    trial.settle()?;
    let mut waited = 0;
    while !trial.is("idle_o") {
        waited += 1;
        trial.holds("the last piece is put", waited < 30)?;
        trial.clock()?;
        trial.settle()?;
    }
    trial.pulse("rewind_i")?;
    trial.settle()?;
    waited = 0;
    while !trial.is("board_valid_o") {
        waited += 1;
        trial.holds("the first board is there", waited < 20)?;
        trial.clock()?;
        trial.settle()?;
    }
    let mut rows: Vec<_> = boards.iter().flat_map(Board::to_rows).collect();
    if trial.random.chance(50) {
        rows.truncate(trial.random.index(rows.len()));
    }
    for row in rows {
        trial.expect("row_o", row)?;
        trial.pulse("next_row_i")?;
        trial.clock()?;
        trial.settle()?;
    }
    Ok(())
}
