//! A session as text: progress and divergences.

use std::io::{self, Write};

use indicatif::{HumanCount, ProgressBar};
use lockstep::compare::FieldDifference;
use lockstep::event::{End, GameEnd, Searching};
use lockstep::record::{outcome_name, outcome_phrase};
use lockstep::report::text::{add, side_by_side};
use lockstep::{Event, Header, Round, Sink};
use lockstep_games::{Draw, Game};

use super::failure::shown;
use super::watch::Watch;
use super::{BAD, STRONG, bar, count};

/// The bar; games may end before all planned decisions.
const BAR: &str = "{spinner} {human_pos}/{human_len} decisions  {per_sec}, at most {eta} left  \
                   {msg}  {wide_bar}";

/// Divergences shown, if no option limits them; the rest is only counted.
const SHOWN: u64 = 3;

/// Writes the events of a session to a terminal or a log.
pub struct Terminal {
    out: Box<dyn Write + Send>,
    bar: ProgressBar,
    is_drawn: bool,
    width: usize,
    lists: bool,
    shown: u64,
    /// Added to the number of the others.
    hint: &'static str,
    /// The file of a replayed record, if only a line is written for each divergence.
    brief: Option<String>,
    /// Number of decisions between two lines of progress, if there is no bar.
    every: u64,
    names: Vec<String>,
    games: Option<u64>,
    planned: Option<u64>,
    decisions: u64,
    diverged: u64,
    /// Draws the board of each decision; it clears the screen for the text.
    watch: Option<Watch>,
}

impl Terminal {
    /// A view that writes to `out`, `width` columns wide, a session of `games` games.
    ///
    /// `bar`: whether to draw a progress bar on standard error.
    pub fn new(out: Box<dyn Write + Send>, width: usize, bar: bool, games: Option<u64>) -> Self {
        Self {
            out,
            bar: ProgressBar::hidden(),
            is_drawn: bar,
            width,
            lists: true,
            shown: SHOWN,
            hint: "",
            brief: None,
            every: 0,
            names: Vec::new(),
            games,
            planned: None,
            decisions: 0,
            diverged: 0,
            watch: None,
        }
    }

    /// Draws also the board of each decision, if `watched`; for terminals only.
    #[must_use]
    pub fn watched(mut self, watched: bool) -> Self {
        self.watch = watched.then(Watch::new);
        self
    }

    #[must_use]
    pub fn without_backends(mut self) -> Self {
        self.lists = false;
        self
    }

    /// Shows as many divergences; `brief`: a line for each, after the name of the record's file.
    #[must_use]
    pub fn showing(mut self, most: u64, brief: Option<&str>) -> Self {
        self.lists &= brief.is_none();
        self.hint = " (--max-divergences N; totals at the end)";
        (self.shown, self.brief) = (most, brief.map(shown));
        self
    }

    fn started<G: Game>(&mut self, header: &Header<G>) -> io::Result<()> {
        self.names = header.backends.iter().map(|b| b.name.to_string()).collect();
        self.planned = header.planned;
        let width = self.names.iter().map(String::len).max().unwrap_or(0);
        let listed = header.backends.iter().filter(|_| self.lists);
        for (name, b) in self.names.iter().zip(listed) {
            let about = shown(&b.description);
            writeln!(self.out, "  {STRONG}{name:<width$}{STRONG:#}  {about}")?;
        }
        self.out.flush()?;
        self.bar = bar(header.planned, BAR, self.is_drawn);
        self.every = match header.planned {
            Some(planned) if !self.is_drawn && self.brief.is_none() => (planned / 10).max(1_000),
            _ => 0,
        };
        Ok(())
    }

    fn decided<G: Draw>(&mut self, round: &Round<G>) -> io::Result<()> {
        self.count()?;
        if !round.mismatches.is_empty() {
            self.diverged += 1;
            if self.diverged <= self.shown {
                let text = match &self.brief {
                    Some(file) => self.lines(file, round),
                    None => self.divergence(round),
                };
                let out = &mut self.out;
                self.bar.suspend(|| out.write_all(text.as_bytes()))?;
            }
        }
        Ok(())
    }

    fn count(&mut self) -> io::Result<()> {
        self.decisions += 1;
        self.bar.inc(1);
        if self.every > 0 && self.decisions.is_multiple_of(self.every) {
            let of = |n| format!(" of {}", HumanCount(n));
            let of = self.planned.map_or(String::new(), of);
            writeln!(self.out, "  {}{of} decisions", HumanCount(self.decisions))?;
            self.out.flush()?;
        }
        Ok(())
    }

    /// The picture of the position with both decisions, and the fields that differ.
    fn divergence<G: Draw>(&self, round: &Round<G>) -> String {
        let name = |index: usize| self.names.get(index).map_or("", String::as_str);
        let reference = match round.recorded {
            Some(_) => "record",
            None => name(round.asked.first().copied().unwrap_or(0)),
        };
        let Some(expected) = round.expected() else {
            return String::new();
        };
        let differs = |index: usize| round.mismatches.iter().any(|m| m.backend == index);
        let picture = |decision| G::picture(&round.position, Some(decision));
        let mut pictures = vec![(reference.to_owned(), picture(expected))];
        for (index, answer) in round.by_backend().filter(|(index, _)| differs(*index)) {
            add(&mut pictures, name(index), picture(&answer.decision));
        }
        let (game, step) = (HumanCount(round.game), HumanCount(round.step));
        let mut text = format!("\n{BAD}DIVERGENCE{BAD:#} in game {game}, move {step}:\n");
        text += &side_by_side(&pictures, self.width);
        for index in round.asked.iter().copied().filter(|index| differs(*index)) {
            let own = round.mismatches.iter().filter(|m| m.backend == index);
            text += "\n";
            text += &fields(reference, name(index), own.map(|m| &m.difference));
        }
        text + "\n"
    }

    /// A line for each backend that differs.
    fn lines<G: Game>(&self, file: &str, round: &Round<G>) -> String {
        let at = |line| format!("{file}:{line}: ");
        let line = round.line.map_or(String::new(), at);
        let each = |(index, name): (usize, &String)| {
            let own = round.mismatches.iter().filter(|m| m.backend == index);
            let own: Vec<_> = own.map(|m| m.difference.to_string()).collect();
            let (game, step, own_fields) = (round.game, round.step, own.join("; "));
            let text = format!("{line}game {game}, move {step}: {name}: {own_fields}\n");
            (!own.is_empty()).then_some(text)
        };
        self.names.iter().enumerate().filter_map(each).collect()
    }

    fn game_ended<G: Game>(&mut self, game: &GameEnd) -> io::Result<()> {
        if self.brief.is_some() {
            return Ok(());
        }
        let of = |n| format!(" of {}", HumanCount(n));
        let of = self.games.map_or(String::new(), of);
        let why = match game.end {
            End::Over => "game over",
            End::Limit => "stopped at the limit",
            End::Diverged => "stopped at its first divergence",
            End::Interrupted => "interrupted",
        };
        let moves = count(game.moves, G::WORDS.step);
        let score = game.score.map(|score| count(score, G::WORDS.score));
        let outcome = game.outcome.map(outcome_name::<G>).map(outcome_phrase);
        let result = score.into_iter().chain(outcome);
        let result: String = result.map(|result| format!("{result}, ")).collect();
        let number = HumanCount(game.game);
        let line = format!("  game {number}{of}: {moves}, {result}{why}\n");
        let out = &mut self.out;
        self.bar.suspend(|| out.write_all(line.as_bytes()))?;
        self.out.flush()
    }

    /// Shows the progress of a search beside the bar.
    fn searching<G: Game>(&mut self, searching: &Searching<G>) -> io::Result<()> {
        self.bar.set_message(progress(&self.names, searching));
        self.bar.tick();
        Ok(())
    }

    fn ended(&mut self) -> io::Result<()> {
        self.bar.finish_and_clear();
        let (more, hint) = (self.diverged.saturating_sub(self.shown), self.hint);
        if more > 0 && self.brief.is_none() {
            writeln!(
                self.out,
                "divergences not shown: {}{hint}",
                HumanCount(more)
            )?;
        }
        self.out.flush()
    }
}

/// The fields that differ, each with its expected and, in colour, its actual value.
pub fn fields<'a>(
    reference: &str,
    got: &str,
    differ: impl Iterator<Item = &'a FieldDifference> + Clone,
) -> String {
    let count = |m: &FieldDifference| m.expected.to_string().chars().count();
    let width = differ.clone().map(count).max().unwrap_or(0);
    let width = width.max(reference.chars().count());
    let mut text = format!("  {:<14}  {reference:>width$}  {got}\n", "field");
    for m in differ {
        let (field, expected) = (m.field, &m.expected);
        text += &format!("  {field:<14}  {expected:>width$}  {BAD}{}{BAD:#}\n", m.got);
    }
    text
}

/// The progress of a search, in one line; `names` are the names of all backends.
pub fn progress<G: Game>(names: &[String], searching: &Searching<G>) -> String {
    let name = names.get(searching.backend).map_or("", String::as_str);
    let notes = searching.progress.notes.iter();
    let notes: String = notes
        .map(|note| format!(", {} {}", note.name, note.value))
        .collect();
    let (game, step) = (HumanCount(searching.game), HumanCount(searching.step));
    format!("game {game}, move {step}: {name}{notes}")
}

impl<G: Draw> Sink<G> for Terminal {
    fn take(&mut self, event: &Event<G>) -> io::Result<()> {
        if let Some(watch) = &mut self.watch {
            watch.take(event)?;
        }
        match event {
            Event::Started(header) => self.started(header),
            Event::PoweredUp | Event::Rate { .. } => Ok(()),
            Event::Searching(searching) => self.searching(searching),
            Event::GameStarted { game } => {
                let of = self.games.map_or(String::new(), |n| format!("/{n}"));
                self.bar.set_message(format!("game {game}{of}"));
                Ok(())
            }
            Event::Decided(round) => self.decided(round),
            Event::Moved(_) => self.count(),
            Event::GameEnded(game) => self.game_ended::<G>(game),
            Event::Ended { .. } => self.ended(),
        }
    }
}
