//! The manager's side of the Gomocup protocol: a third-party program as a backend.
//!
//! The protocol is text lines; the program decides one position at a time.

use std::fmt::Write as _;
use std::time::Duration;

use lockstep::backend::BackendFactory;
use lockstep::backend::exec::{Dialect, programs, quoted};
use lockstep_games::BoxError;
use lockstep_games::gomoku::{Decision, Gomoku, Position, Stone};
use protocol::layout::gomoku::COLUMNS;

/// Time limit of an answer unless another is named.
const LIMIT: Duration = Duration::from_secs(5);

/// Opens programs that speak the protocol, as `gomocup:COMMAND`.
pub fn program() -> BackendFactory<Gomoku> {
    let about = "a Gomoku program that speaks the Gomocup protocol";
    programs("gomocup", about, LIMIT, |limit| Box::new(Manager { limit }))
}

/// The manager: it sends each position whole.
struct Manager {
    limit: Duration,
}

impl Dialect<Gomoku> for Manager {
    /// The program gets four fifths of the time limit for a move.
    fn greeting(&self) -> Option<Vec<u8>> {
        let turn = (self.limit * 4 / 5).as_millis();
        let text = format!(
            "START {COLUMNS}\nINFO rule 0\nINFO game_type 1\nINFO timeout_turn {turn}\n\
             INFO timeout_match 0\nINFO time_left 2147483647\nINFO max_memory 0\n"
        );
        Some(text.into_bytes())
    }

    fn greeted(&self, line: &[u8]) -> Option<Result<(), String>> {
        match refusal(line, "START 15") {
            Some(why) => Some(Err(why)),
            None => first_word(line)
                .eq_ignore_ascii_case(b"OK")
                .then_some(Ok(())),
        }
    }

    /// A board without stones is that of a new game.
    fn begins(&self, position: &Position) -> bool {
        position.board.stones() == 0
    }

    fn request(&self, position: &Position) -> Result<Vec<u8>, BoxError> {
        let Position { board, to_move } = position;
        if board.stones() == 0 {
            return Ok(b"BEGIN\n".to_vec());
        }
        let stones = |side: Stone| board.stones_of(side).collect::<Vec<_>>();
        let (own, opponent) = (stones(*to_move), stones(to_move.other()));
        // Sides alternate as far as they can, and the opponent's stone is the last.
        let from_the_end = |stones: &[usize], field: usize| {
            let ranked = stones.iter().rev().enumerate();
            let ranked = ranked.map(|(back, point)| (2 * back + 2 - field, *point, field));
            ranked.collect::<Vec<_>>()
        };
        let mut all = [from_the_end(&own, 1), from_the_end(&opponent, 2)].concat();
        all.sort_by_key(|(back, ..)| std::cmp::Reverse(*back));
        let mut text = "BOARD\n".to_owned();
        for (_, point, field) in all {
            writeln!(text, "{},{},{field}", point % COLUMNS, point / COLUMNS)?;
        }
        Ok((text + "DONE\n").into_bytes())
    }

    fn answer(&self, position: &Position, line: &[u8]) -> Option<Result<Decision, String>> {
        if let Some(why) = refusal(line, "a position") {
            return Some(Err(why));
        }
        let (x, y) = point(str::from_utf8(line).ok()?)?;
        let decision = Decision::only(x, y);
        let is_free = decision.point().is_some_and(|p| position.board.is_empty(p));
        Some(is_free.then_some(decision).ok_or_else(|| {
            format!(
                "the program wrote {}, which is not an empty point of the board",
                quoted(line)
            )
        }))
    }
}

fn first_word(line: &[u8]) -> &[u8] {
    let line = line.trim_ascii();
    line.split(u8::is_ascii_whitespace).next().unwrap_or(line)
}

fn refusal(line: &[u8], request: &str) -> Option<String> {
    let word = first_word(line);
    let refuses = [&b"ERROR"[..], b"UNKNOWN"];
    let refuses = refuses.iter().any(|w| word.eq_ignore_ascii_case(w));
    refuses.then(|| {
        format!(
            "the program answered {request} by {}; it must play freestyle on {COLUMNS}x{COLUMNS}, \
             and take BEGIN and BOARD",
            quoted(line)
        )
    })
}

/// The column and the row of a text such as `7,8`.
pub(super) fn point(text: &str) -> Option<(usize, usize)> {
    let (x, y) = text.trim().split_once(',')?;
    Some((x.trim().parse().ok()?, y.trim().parse().ok()?))
}
