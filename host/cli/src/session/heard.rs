//! The part of a session that views show: its last decisions, and those that diverged.

use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use indicatif::HumanCount;
use lockstep::event::Moved;
use lockstep::{Event, Round, Sink};
use lockstep_games::field::Value;
use lockstep_games::picture::Colour;
use lockstep_games::{Match as _, Picture};
use serde::{Serialize, Serializer};

use crate::games::CliGame;
use crate::output::count;
use crate::output::terminal::progress;

/// Maximum number of decisions of a session that are kept.
const KEPT: usize = 10_000;
/// Maximum number of divergences that are kept.
const DIVERGED: usize = 1_000;
/// Decisions whose times are drawn.
const TIMES: usize = 60;

enum Step<G: CliGame> {
    Decided(Arc<Round<G>>),
    Moved(Box<Moved>),
}

/// The decisions of a session that are kept, numbered from 1.
pub struct Heard<G: CliGame> {
    /// Maximum number of decisions that are kept.
    kept: usize,
    names: Vec<String>,
    /// The records or sessions.
    sessions: Vec<ShownSession<G>>,
    /// The last decisions.
    steps: VecDeque<Step<G>>,
    /// The first divergences, with their numbers.
    diverged: Vec<(u64, Arc<Round<G>>)>,
    pub decisions: u64,
    pub divergences: u64,
    /// Number of the decision that is shown; `None` for the latest.
    at: Option<u64>,
    /// When the latest decision arrived.
    came: Instant,
    searching: Option<String>,
    /// Times of the last decisions of each backend, in microseconds.
    times: Vec<VecDeque<u64>>,
    /// The rate of each backend's line in baud.
    rates: Vec<Option<u32>>,
    pub is_over: bool,
    /// The error that ended the session.
    pub error: Option<String>,
}

/// A record or session that is shown.
struct ShownSession<G: CliGame> {
    /// Number of its first decision.
    first: u64,
    /// The names of its controllers, of each seat if seats differ.
    controllers: Vec<String>,
    setup: Option<G::Setup>,
}

/// Another decision to show.
pub enum Goto {
    First,
    Number(u64),
    Previous,
    Next,
    Latest,
    NextDivergence,
    PreviousDivergence,
}

impl<G: CliGame> Default for Heard<G> {
    fn default() -> Self {
        Self {
            kept: KEPT,
            names: Vec::new(),
            sessions: Vec::new(),
            steps: VecDeque::new(),
            diverged: Vec::new(),
            decisions: 0,
            divergences: 0,
            at: None,
            came: Instant::now(),
            searching: None,
            times: Vec::new(),
            rates: Vec::new(),
            is_over: false,
            error: None,
        }
    }
}

impl<G: CliGame> Heard<G> {
    /// Keeps at most `kept` decisions.
    pub fn keeping(kept: usize) -> Self {
        Self {
            kept,
            ..Self::default()
        }
    }

    pub fn take(&mut self, event: &Event<G>) {
        match event {
            Event::Started(header) => {
                self.names = header.backends.iter().map(|b| b.name.to_string()).collect();
                let named = header.controllers().into_iter().map(G::name);
                let controllers = named.map(str::to_owned).collect();
                self.sessions.push(ShownSession {
                    first: self.decisions + 1,
                    controllers,
                    setup: header.setup.clone(),
                });
                self.times = vec![VecDeque::new(); self.names.len()];
                self.rates = vec![None; self.names.len()];
            }
            Event::Searching(searching) => {
                self.searching = Some(progress(&self.names, searching));
            }
            Event::Decided(round) => {
                let kept = Arc::new(round.clone());
                self.add(Step::Decided(Arc::clone(&kept)));
                if !round.mismatches.is_empty() {
                    self.divergences += 1;
                    if self.diverged.len() < DIVERGED {
                        self.diverged.push((self.decisions, kept));
                    }
                }
                for (index, took) in round.asked.iter().zip(&round.took) {
                    if let Some(times) = self.times.get_mut(*index) {
                        times.push_back(took.as_micros() as u64);
                        times.drain(..times.len().saturating_sub(TIMES));
                    }
                }
            }
            Event::Rate { backend, baud } => {
                if let Some(rate) = self.rates.get_mut(*backend) {
                    *rate = *baud;
                }
            }
            Event::Moved(moved) => self.add(Step::Moved(Box::new(moved.clone()))),
            Event::Ended { error, .. } => self.error.clone_from(error),
            _ => {}
        }
    }

    pub fn end(&mut self) {
        self.is_over = true;
    }

    fn add(&mut self, step: Step<G>) {
        self.decisions += 1;
        self.steps.push_back(step);
        self.steps
            .drain(..self.steps.len().saturating_sub(self.kept));
        self.searching = None;
        self.came = Instant::now();
    }

    pub fn is_latest(&self) -> bool {
        self.at.is_none()
    }

    /// Numbers of the decisions that diverged.
    pub fn divergent(&self) -> impl DoubleEndedIterator<Item = u64> {
        self.diverged.iter().map(|(number, _)| *number)
    }

    /// The progress of a search under way.
    pub fn searching(&self) -> Option<&str> {
        self.searching.as_deref()
    }

    /// Number of the first decision that is kept.
    pub fn first(&self) -> u64 {
        self.decisions + 1 - self.steps.len() as u64
    }

    /// Chooses another decision; whether the next one has not been made yet.
    pub fn go(&mut self, to: Goto) -> bool {
        let at = self.at.unwrap_or(self.decisions);
        let mut numbers = self.diverged.iter().map(|(number, _)| *number);
        self.at = match to {
            Goto::First => Some(self.first()),
            Goto::Number(number) => Some(number.max(self.first())),
            Goto::Previous => Some(at.saturating_sub(1).max(self.first().min(at))),
            Goto::Next if self.at.is_none() => return true,
            Goto::Next => Some(at + 1),
            Goto::Latest => None,
            Goto::NextDivergence => numbers.find(|n| *n > at || self.at.is_none()).or(self.at),
            Goto::PreviousDivergence => numbers.rfind(|n| *n < at).or(self.at),
        };
        self.at = self.at.filter(|at| *at < self.decisions || self.is_over);
        self.at = self.at.map(|at| at.min(self.decisions));
        false
    }

    /// The chosen decision, or if it is not kept the divergence before it.
    pub fn shown(&self) -> Option<Shown> {
        let at = self.at.unwrap_or(self.decisions);
        let before = || self.numbered(self.divergent().rfind(|number| *number <= at)?);
        let mut shown = self.numbered(at).or_else(before)?;
        shown.number = at;
        shown.since = self.at.is_none().then(|| self.came.elapsed());
        shown.searching = self.searching.clone().filter(|_| self.at.is_none());
        Some(shown)
    }

    /// The decision of that number, if it is kept.
    pub fn numbered(&self, number: u64) -> Option<Shown> {
        let index = number.checked_sub(self.first());
        let mut shown = match index.and_then(|index| self.steps.get(index as usize)) {
            Some(Step::Moved(moved)) => self.moved(moved),
            Some(Step::Decided(round)) => self.decided(number, round),
            None => {
                let mut diverged = self.diverged.iter();
                let (_, round) = diverged.find(|(diverged, _)| *diverged == number)?;
                self.decided(number, round)
            }
        };
        shown.number = number;
        Some(shown)
    }

    /// The record or session of a decision.
    fn session(&self, number: u64) -> Option<&ShownSession<G>> {
        self.sessions.iter().rfind(|begun| begun.first <= number)
    }

    /// The name of the controller of a seat at a decision.
    fn controller(&self, number: u64, seat: usize) -> String {
        let names = self.session(number).map_or(&[][..], |b| &b.controllers);
        let name = names.get(seat).or(names.first());
        name.cloned().unwrap_or_default()
    }

    fn head(controller: String, game: u64, step: u64, score: Option<u64>) -> Vec<String> {
        let (game, step) = (HumanCount(game), HumanCount(step));
        let place = format!("game {game}, {} {step}", G::WORDS.step.one);
        let score = score.map(|score| count(score, G::WORDS.score));
        [controller, place].into_iter().chain(score).collect()
    }

    fn moved(&self, moved: &Moved) -> Shown {
        let board = Board {
            name: self.names.first().cloned().unwrap_or_default(),
            picture: moved.picture.clone(),
            differs: false,
        };
        Shown {
            head: Self::head(
                self.controller(self.decisions, 0),
                moved.game,
                moved.step,
                Some(moved.score),
            ),
            boards: vec![board],
            ..Shown::default()
        }
    }

    fn decided(&self, number: u64, round: &Round<G>) -> Shown {
        let mut shown = Shown {
            head: Self::head(
                self.controller(number, G::seat(&round.position)),
                round.game,
                round.step,
                round.score,
            ),
            ..Shown::default()
        };
        shown.head.extend(
            round
                .line
                .map(|line| format!("line {} of the record", HumanCount(line))),
        );
        let Some(expected) = round.expected() else {
            return shown;
        };
        let setup = self.session(number).and_then(|begun| begun.setup.as_ref());
        let next = setup.and_then(|setup| {
            let (game, moves) = (round.game.checked_sub(1)?, round.step.checked_sub(1)?);
            G::deal_at(setup, game, moves, &round.position)?.next_note()
        });
        let fields = G::fields(expected);
        shown.rows = fields.iter().map(|field| Row::new(field.name)).collect();
        shown.rows.push(Row::new("cycles"));
        let mut add = |name: String, decision: &G::Decision, cycles: Option<u64>, index| {
            let differs = |field: &str| {
                let of = round.mismatches.iter().filter(|m| Some(m.backend) == index);
                of.map(|m| &m.difference).any(|m| m.field == field)
            };
            let mut values: Vec<_> = G::fields(decision).into_iter().map(|f| f.value).collect();
            values.push(cycles.map_or(Value::Unknown, Value::from));
            for (row, value) in shown.rows.iter_mut().zip(values) {
                row.values.push((value.to_string(), differs(&row.name)));
            }
            let differs = round.mismatches.iter().any(|m| Some(m.backend) == index);
            let mut picture = G::picture(&round.position, Some(decision));
            picture.notes.extend(next.clone());
            shown.boards.push(Board {
                name,
                picture,
                differs,
            });
        };
        if let Some(recorded) = &round.recorded {
            add("record".to_owned(), recorded, None, None);
        }
        for (index, answer) in round.by_backend() {
            let name = self.names.get(index).cloned().unwrap_or_default();
            add(name, &answer.decision, answer.cycles, Some(index));
        }
        for (index, times) in self.times.iter().enumerate() {
            if !times.is_empty() {
                shown.times.push(Times {
                    name: self.names[index].clone(),
                    micros: times.iter().copied().collect(),
                    baud: self.rates[index],
                });
            }
        }
        shown
    }
}

/// A decision with the answers of all backends.
#[derive(Default, Serialize)]
pub struct Shown {
    pub number: u64,
    pub head: Vec<String>,
    pub boards: Vec<Board>,
    /// The fields, with a value for each board.
    pub rows: Vec<Row>,
    #[serde(skip)]
    pub times: Vec<Times>,
    #[serde(skip)]
    pub searching: Option<String>,
    /// Time since the latest decision came; `None` for an earlier one.
    #[serde(skip)]
    pub since: Option<Duration>,
}

/// Times of the last decisions of a backend.
pub struct Times {
    pub name: String,
    pub micros: Vec<u64>,
    /// The rate of its line, if it has one.
    pub baud: Option<u32>,
}

#[derive(Serialize)]
pub struct Board {
    pub name: String,
    #[serde(serialize_with = "compact")]
    pub picture: Picture,
    /// Whether the answer differs from the reference's.
    pub differs: bool,
}

#[derive(Serialize)]
pub struct Row {
    pub name: String,
    /// Each with whether it differs.
    pub values: Vec<(String, bool)>,
}

impl Row {
    pub fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            values: Vec::new(),
        }
    }

    /// The value in a column; in the first what another backend reports, if the reference does not.
    pub fn value(&self, column: usize) -> Option<&(String, bool)> {
        let own = self.values.get(column);
        let known = || {
            self.values
                .iter()
                .find(|(value, differs)| value != "-" && !differs)
        };
        match own {
            Some((value, _)) if column == 0 && value == "-" => known().or(own),
            _ => own,
        }
    }
}

/// Serialises a picture as lists with a value for each cell, which is a tenth as long.
fn compact<S: Serializer>(picture: &Picture, serializer: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct Compact<'a> {
        columns: usize,
        bottom_up: bool,
        notes: &'a [String],
        signs: String,
        /// The initial of each colour; black is a k, as blue is a b.
        colours: String,
        /// Indices of the marked cells.
        marked: Vec<usize>,
    }
    let initial = |colour| match colour {
        Colour::Empty => '.',
        Colour::Grey => 'a',
        Colour::Cyan => 'c',
        Colour::Yellow => 'y',
        Colour::Purple => 'p',
        Colour::Green => 'g',
        Colour::Red => 'r',
        Colour::Blue => 'b',
        Colour::Orange => 'o',
        Colour::Black => 'k',
        Colour::White => 'w',
    };
    let cells = || picture.lines().flatten();
    let marked = cells().enumerate().filter(|(_, cell)| cell.marked);
    Compact {
        columns: picture.columns(),
        bottom_up: picture.bottom_up,
        notes: &picture.notes,
        signs: cells().map(|cell| cell.sign).collect(),
        colours: cells().map(|cell| initial(cell.colour)).collect(),
        marked: marked.map(|(index, _)| index).collect(),
    }
    .serialize(serializer)
}

/// Receives the events of a session for the views of it.
pub struct Listener<G: CliGame>(pub Arc<Mutex<Heard<G>>>);

impl<G: CliGame> Sink<G> for Listener<G> {
    fn take(&mut self, event: &Event<G>) -> io::Result<()> {
        lock(&self.0).take(event);
        Ok(())
    }
}

/// Locks, also after another thread has died.
pub fn lock<T>(heard: &Mutex<T>) -> MutexGuard<'_, T> {
    heard.lock().unwrap_or_else(PoisonError::into_inner)
}
