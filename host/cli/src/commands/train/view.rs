//! The progress of a training: a line a generation, or a bar on a terminal.

use std::io::{self, Write};

use indicatif::{HumanCount, HumanDuration, ProgressBar};
use lockstep_games::Noun;
use lockstep_games::tetris::Controller;
use lockstep_lab::train::{Stage, Training, TrainingPlan};
use protocol::layout::tetris::WEIGHT_FIELDS;

use crate::output;
use crate::output::numbers::{Short, decimal};
use crate::output::table::plain;

/// The bar gives way to speed and time left; the message is cut at the edge of the terminal.
const TEMPLATE: &str = "  {wide_bar} {percent:>3}%{prefix}\n  {wide_msg}";
/// Length of the bar.
const FULL: u64 = 1_000_000;

/// Shows the progress of a training.
pub struct Progress<W: Write> {
    out: W,
    bar: ProgressBar,
    plan: TrainingPlan,
    /// Seconds and pieces of earlier runs.
    earlier: (f64, u64),
}

impl<W: Write> Progress<W> {
    /// Writes to `out`; `bar`: whether to draw a bar on standard error instead
    /// of a line a generation.
    pub fn new(out: W, bar: bool, training: &Training, plan: TrainingPlan) -> Self {
        let shown = bar;
        let bar = output::bar(FULL, TEMPLATE, shown);
        if shown {
            bar.set_message(format!("generation {}", training.generations() + 1));
        }
        let progress = Self {
            out,
            bar,
            plan,
            earlier: (training.seconds, training.pieces),
        };
        let bar = &progress.bar;
        bar.set_position((progress.done(training) * FULL as f64) as u64);
        bar.reset_eta();
        progress
    }

    /// Shows a training after one of its stages.
    ///
    /// # Errors
    /// Those of the output.
    pub fn show(&mut self, training: &Training, stage: Stage) -> io::Result<()> {
        let done = self.done(training);
        self.bar.set_position((done * FULL as f64) as u64);
        let (text, speed) = match stage {
            Stage::Generation => (self.generation(training), self.speed(training)),
            Stage::Choosing => ("choosing among the best on fresh games".into(), vec![]),
            Stage::Chosen => {
                self.bar.finish_and_clear();
                return self.out.flush();
            }
        };
        if self.bar.is_hidden() {
            write!(self.out, "  {text}")?;
            if stage == Stage::Generation {
                let evaluations = HumanCount(training.evaluations);
                write!(self.out, "; {evaluations} evaluations")?;
            }
            let speed: String = speed.iter().map(|part| format!(", {part}")).collect();
            writeln!(self.out, "{speed}")?;
            return self.out.flush();
        }
        let speed: String = speed.iter().map(|part| format!("  {part}")).collect();
        self.bar.set_prefix(speed);
        self.bar.set_message(text);
        Ok(())
    }

    /// Removes the bar.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }

    /// The result of the last generation.
    fn generation(&self, training: &Training) -> String {
        let last = training.history.last().copied().unwrap_or_default();
        let of = self.plan.generations;
        let of = of.map_or(String::new(), |n| format!(" of {}", HumanCount(n)));
        format!(
            "generation {}{of}: best {}, mean {} lines",
            HumanCount(training.generations()),
            decimal(last.best, 1),
            decimal(last.mean, 1)
        )
    }

    /// Pieces a second, and the time left.
    fn speed(&self, training: &Training) -> Vec<String> {
        let (seconds, pieces) = self.earlier;
        let rate = (training.pieces - pieces) as f64 / (training.seconds - seconds);
        let rate = rate
            .is_finite()
            .then(|| format!("{} pieces/s", Short(rate)));
        let left = format!("{} left", HumanDuration(self.bar.eta()));
        rate.into_iter().chain([left]).collect()
    }

    /// The share of the plan that is complete.
    fn done(&self, training: &Training) -> f64 {
        let share = |done: f64, of: Option<f64>| of.map_or(0.0, |of| done / of);
        let generations = self.plan.generations.map(|n| n as f64);
        let time = self.plan.time.map(|t| t.as_secs_f64());
        let generations = share(training.history.len() as f64, generations);
        generations.max(share(training.seconds, time)).min(1.0)
    }
}

/// Games that were not played before the choice.
pub const FRESH: Noun = Noun {
    one: "fresh game",
    many: "fresh games",
};

/// The weights of a linear controller, one a line.
pub fn weights(controller: &Controller) -> String {
    let Some(linear) = controller.linear() else {
        return String::new();
    };
    let named = WEIGHT_FIELDS.iter().zip(linear.published());
    let used = named.filter(|(_, weight)| *weight != 0.0);
    let rows = used.map(|(feature, weight)| [feature.name.to_owned(), decimal(weight, 6)]);
    plain(["feature", "weight"], rows, 1..)
}
