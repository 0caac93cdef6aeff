//! What was heard of a session: its last decisions, and those that diverged.

use std::collections::VecDeque;
use std::time::Instant;

use indicatif::HumanCount;
use lockstep::event::Moved;
use lockstep::{Event, Round};
use lockstep_games::field::Value;

use super::view::{Board, Row, Shown};
use crate::games::CliGame;
use crate::output::count;
use crate::output::terminal::progress;

/// Most decisions that are kept.
const KEPT: usize = 10_000;
/// Most divergences that are kept.
const DIVERGED: usize = 1_000;
/// Decisions whose times are drawn.
const TIMES: usize = 60;

enum Step<G: CliGame> {
    Decided(Box<Round<G>>),
    Moved(Box<Moved>),
}

/// The decisions of a session, numbered from 1.
pub struct Heard<G: CliGame> {
    names: Vec<String>,
    controller: String,
    /// The last decisions.
    steps: VecDeque<Step<G>>,
    /// The first divergences, with their numbers.
    diverged: Vec<(u64, Box<Round<G>>)>,
    pub decisions: u64,
    pub divergences: u64,
    /// Number of the decision that is shown; `None` for the latest.
    at: Option<u64>,
    /// When the latest decision came.
    came: Instant,
    searching: Option<String>,
    /// Times in which each backend decided, in microseconds.
    times: Vec<VecDeque<u64>>,
    pub is_over: bool,
}

/// Another decision to show.
pub enum To {
    First,
    Previous,
    Next,
    Latest,
    NextDivergence,
    PreviousDivergence,
}

impl<G: CliGame> Default for Heard<G> {
    fn default() -> Self {
        Self {
            names: Vec::new(),
            controller: String::new(),
            steps: VecDeque::new(),
            diverged: Vec::new(),
            decisions: 0,
            divergences: 0,
            at: None,
            came: Instant::now(),
            searching: None,
            times: Vec::new(),
            is_over: false,
        }
    }
}

impl<G: CliGame> Heard<G> {
    pub fn take(&mut self, event: &Event<G>) {
        match event {
            Event::Started(header) => {
                self.names = header.backends.iter().map(|b| b.name.to_string()).collect();
                self.controller = G::name(&header.controller).to_owned();
                self.times = vec![VecDeque::new(); self.names.len()];
            }
            Event::Searching(searching) => {
                self.searching = Some(progress(&self.names, searching));
            }
            Event::Decided(round) => {
                self.add(Step::Decided(Box::new(round.clone())));
                if !round.mismatches.is_empty() {
                    self.divergences += 1;
                    if self.diverged.len() < DIVERGED {
                        self.diverged
                            .push((self.decisions, Box::new(round.clone())));
                    }
                }
                for (index, took) in round.asked.iter().zip(&round.took) {
                    if let Some(times) = self.times.get_mut(*index) {
                        times.push_back(took.as_micros() as u64);
                        times.drain(..times.len().saturating_sub(TIMES));
                    }
                }
            }
            Event::Moved(moved) => self.add(Step::Moved(Box::new(moved.clone()))),
            _ => {}
        }
    }

    pub fn end(&mut self) {
        self.is_over = true;
    }

    fn add(&mut self, step: Step<G>) {
        self.decisions += 1;
        self.steps.push_back(step);
        self.steps.drain(..self.steps.len().saturating_sub(KEPT));
        self.searching = None;
        self.came = Instant::now();
    }

    pub fn is_latest(&self) -> bool {
        self.at.is_none()
    }

    /// Number of the first decision that is kept.
    fn first(&self) -> u64 {
        self.decisions + 1 - self.steps.len() as u64
    }

    /// Chooses another decision; whether the next one has not been made yet.
    pub fn go(&mut self, to: To) -> bool {
        let at = self.at.unwrap_or(self.decisions);
        let mut numbers = self.diverged.iter().map(|(number, _)| *number);
        self.at = match to {
            To::First => Some(self.first()),
            To::Previous => Some(at.saturating_sub(1).max(self.first().min(at))),
            To::Next if self.at.is_none() => return true,
            To::Next => Some(at + 1),
            To::Latest => None,
            To::NextDivergence => numbers.find(|n| *n > at || self.at.is_none()).or(self.at),
            To::PreviousDivergence => numbers.rfind(|n| *n < at).or(self.at),
        };
        self.at = self.at.filter(|at| *at < self.decisions || self.is_over);
        self.at = self.at.map(|at| at.min(self.decisions));
        false
    }

    /// The chosen decision; `None` before the first.
    pub fn shown(&self) -> Option<Shown> {
        let at = self.at.unwrap_or(self.decisions);
        let kept = at
            .checked_sub(self.first())
            .and_then(|i| self.steps.get(i as usize));
        let mut shown = match kept {
            Some(Step::Moved(moved)) => self.moved(moved),
            Some(Step::Decided(round)) => self.decided(round),
            None => {
                let mut diverged = self.diverged.iter();
                let (_, round) = diverged.rfind(|(number, _)| *number <= at)?;
                self.decided(round)
            }
        };
        shown.number = at;
        shown.since = self.at.is_none().then(|| self.came.elapsed());
        shown.searching = self.searching.clone().filter(|_| self.at.is_none());
        Some(shown)
    }

    fn head(&self, game: u64, step: u64, score: Option<u64>) -> Vec<String> {
        let (game, step) = (HumanCount(game), HumanCount(step));
        let place = format!("game {game}, {} {step}", G::WORDS.step.one);
        let score = score.map(|score| count(score, G::WORDS.score));
        [self.controller.clone(), place]
            .into_iter()
            .chain(score)
            .collect()
    }

    fn moved(&self, moved: &Moved) -> Shown {
        let board = Board {
            name: self.names.first().cloned().unwrap_or_default(),
            picture: moved.picture.clone(),
            differs: false,
        };
        Shown {
            head: self.head(moved.game, moved.step, Some(moved.score)),
            boards: vec![board],
            ..Shown::default()
        }
    }

    fn decided(&self, round: &Round<G>) -> Shown {
        let mut shown = Shown {
            head: self.head(round.game, round.step, round.score),
            ..Shown::default()
        };
        shown
            .head
            .extend(round.line.map(|line| format!("line {}", HumanCount(line))));
        let Some(expected) = round.expected() else {
            return shown;
        };
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
            shown.boards.push(Board {
                name,
                picture: G::picture(&round.position, Some(decision)),
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
                let name = self.names[index].clone();
                shown.times.push((name, times.iter().copied().collect()));
            }
        }
        shown
    }
}
