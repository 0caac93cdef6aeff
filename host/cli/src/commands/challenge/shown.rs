//! The game as the person sees it, in the terminal and in a browser.

use std::time::Instant;

use lockstep_games::picture::{Cell, Colour};
use lockstep_games::{Match as _, Picture};
use serde::Serialize;

use super::Challenge;
use super::table::{GameResult, Table};
use crate::games::{Aim, CliGame};
use crate::output::count;
use crate::session::heard::Board;

/// A game as the person sees it.
#[derive(Serialize)]
pub struct Shown {
    pub title: String,
    /// The rules in a sentence, for help.
    pub rules: String,
    /// Whose turn it is, or the result.
    pub state: String,
    pub note: String,
    /// The person's board, and the opponent's if it has one of its own.
    pub boards: Vec<Board>,
    pub aim: Aim,
    /// The person's legal moves; none when it is not the person's turn.
    pub choices: Vec<Choice>,
    /// The character and colour of the person's stone or piece.
    pub sign: char,
    pub colour: Option<Colour>,
    /// Names of the seats, in games of two players.
    pub seats: &'static [&'static str],
    /// The cells of an advised move.
    pub advised: Vec<usize>,
    pub opponent: String,
    pub adviser: Option<String>,
    /// Number of moves of both sides.
    pub moves: usize,
    pub is_over: bool,
    pub is_thinking: bool,
    /// Header and rows of the person's statistics against this opponent.
    pub statistics: Vec<[String; 8]>,
    /// Whether the session has ended.
    pub has_ended: bool,
    /// When it was made.
    #[serde(skip)]
    pub since: Instant,
}

/// A legal move.
#[derive(Serialize)]
pub struct Choice {
    /// Its place, as in [`CliGame::choices`].
    pub at: [usize; 2],
    /// Its cells, as indices in the picture.
    pub cells: Vec<usize>,
}

/// The cells of the decision in a picture, with their indices.
pub fn marked(picture: &Picture) -> impl Iterator<Item = (usize, Cell)> {
    let cells = picture.lines().flatten().copied().enumerate();
    cells.filter(|(_, cell)| cell.marked)
}

impl<G: CliGame> Challenge<G> {
    /// The game as it is now; `ended`: why the session has ended.
    pub fn shown(&self, ended: Option<String>) -> Shown {
        let table = &self.table;
        let opponent = format!("{}, {}", self.opponent.name, self.controller_name());
        let mut piece = None;
        let mut choices = Vec::new();
        if table.is_persons_turn() {
            let position = table.position();
            for (at, decision) in table.choices() {
                let picture = G::picture(&position, Some(&decision));
                piece = marked(&picture).next().map(|(_, cell)| cell);
                let cells = marked(&picture).map(|(index, _)| index).collect();
                choices.push(Choice { at, cells });
            }
        }
        Shown {
            has_ended: ended.is_some(),
            title: title(table, &opponent),
            rules: rules(&table.described().rules.about).into(),
            state: ended.unwrap_or_else(|| self.state()),
            note: self.note.clone(),
            boards: boards(table),
            aim: G::AIM,
            choices,
            sign: piece.map_or(' ', |piece: Cell| piece.sign),
            colour: piece.map(|piece| piece.colour),
            seats: if G::SEATS.len() > 1 { G::SEATS } else { &[] },
            advised: self.advised.clone(),
            opponent: self.opponent.name.clone(),
            adviser: self.adviser.as_ref().map(|adviser| adviser.name.clone()),
            moves: table.moves(),
            is_over: table.result.is_some(),
            is_thinking: table.result.is_none() && !table.is_persons_turn(),
            statistics: self.statistics.rows(Some(G::NAME), Some(&opponent)),
            since: Instant::now(),
        }
    }

    fn state(&self) -> String {
        let table = &self.table;
        let name = &self.opponent.name;
        let scores = match table.scores() {
            [Some(own), Some(other)] => format!(": {} to {other}", count(own, G::WORDS.score)),
            _ => String::new(),
        };
        match table.result {
            Some(GameResult::Won) => format!("You win{scores}"),
            Some(GameResult::Lost) => format!("{name} wins{scores}"),
            Some(GameResult::Drawn) => format!("A draw{scores}"),
            None if table.is_persons_turn() && table.boards().len() > 1 => {
                let (one, number) = (G::WORDS.step.one, table.boards()[0].state.moves() + 1);
                format!("Your turn: {one} {number} of {}", table.limit)
            }
            None if table.is_persons_turn() => "Your turn".into(),
            None => format!("{name} is thinking"),
        }
    }
}

/// The rules without the file that defines them, which is for developers.
fn rules(about: &str) -> &str {
    about.split(" (host/").next().unwrap_or(about)
}

/// Who plays, in one line.
fn title<G: CliGame>(table: &Table<G>, opponent: &str) -> String {
    let seat = table.seat();
    match (G::SEATS.get(seat), G::SEATS.get(1 - seat)) {
        (Some(own), Some(other)) => {
            format!("{}: you are {own}, {other} is {opponent}", G::NAME)
        }
        _ => {
            let many = count(table.limit, G::WORDS.step);
            format!("{}: you and {opponent}, {many} each", G::NAME)
        }
    }
}

/// The boards; the opponent's last move is marked, or the line that has won.
fn boards<G: CliGame>(table: &Table<G>) -> Vec<Board> {
    let boards = table.boards();
    let named = |(at, board): (usize, &super::table::Board<G>)| {
        let name = if at == 0 { "you" } else { "opponent" };
        let score = board.state.score();
        let score = score.map(|score| format!("{name}: {}", count(score, G::WORDS.score)));
        let is_marked = at + 1 == boards.len() && board.state.outcome().is_none();
        let mut picture = match board.last.as_ref().filter(|_| is_marked) {
            Some((before, decision)) => G::picture(before, Some(decision)),
            None => G::picture(&board.state.position(), None),
        };
        match at {
            0 => picture.notes.extend(board.state.next_note()),
            _ => picture.notes.clear(),
        }
        Board {
            name: score.unwrap_or_else(|| G::NAME.into()),
            picture,
            differs: false,
        }
    };
    boards.iter().enumerate().map(named).collect()
}
