//! A training for people: a line a generation, or a bar on a terminal.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::time::Duration;

use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::train::{Plan, Stage, Training};

/// Later generations take longer: what is left is told by so many.
const RECENT: usize = 5;
/// Length of the bar.
const FULL: u64 = 1000;

/// Shows how a training goes.
pub struct Progress<W: Write> {
    out: W,
    bar: ProgressBar,
    plan: Plan,
    /// Seconds and pieces of earlier runs.
    earlier: (f64, u64),
    /// Seconds at which the last generations ended.
    ended: VecDeque<f64>,
}

impl<W: Write> Progress<W> {
    /// Writes to `out`; `bar`: whether to draw a bar on standard error instead
    /// of a line a generation.
    pub fn new(out: W, bar: bool, training: &Training, plan: Plan) -> Self {
        let target = if bar {
            ProgressDrawTarget::stderr()
        } else {
            ProgressDrawTarget::hidden()
        };
        let style = ProgressStyle::with_template("  {wide_bar} {percent}%\n  {wide_msg}");
        let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
        let bar = ProgressBar::with_draw_target(Some(FULL), target).with_style(style);
        Self {
            out,
            bar,
            plan,
            earlier: (training.seconds, training.pieces),
            ended: VecDeque::from([training.seconds]),
        }
    }

    /// Shows what a training has come to.
    ///
    /// # Errors
    /// Those of the output.
    pub fn show(&mut self, training: &Training, stage: Stage) -> io::Result<()> {
        let text = match stage {
            Stage::Generation => self.generation(training),
            Stage::Choosing => "choosing among the best on fresh games".into(),
            Stage::Chosen => {
                self.bar.finish_and_clear();
                return self.out.flush();
            }
        };
        if self.bar.is_hidden() {
            writeln!(self.out, "  {text}")?;
            return self.out.flush();
        }
        self.bar
            .set_position((self.done(training) * FULL as f64) as u64);
        self.bar.set_message(text);
        Ok(())
    }

    /// Takes the bar away.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }

    fn generation(&mut self, training: &Training) -> String {
        self.ended.push_back(training.seconds);
        if self.ended.len() > RECENT + 1 {
            self.ended.pop_front();
        }
        let last = training.history.last().copied().unwrap_or_default();
        let of = self.plan.generations;
        let of = of.map_or(String::new(), |n| format!(" of {n}"));
        let mut text = format!(
            "generation {}{of}: best {:.1}, mean {:.1} lines; {} evaluations",
            training.generations(),
            last.best,
            last.mean,
            training.evaluations
        );
        let (seconds, pieces) = self.earlier;
        let rate = (training.pieces - pieces) as f64 / (training.seconds - seconds);
        if rate.is_finite() {
            text += &format!(", {} pieces/s", short(rate));
        }
        if let Some(left) = self.left(training) {
            text += &format!(", {} left", HumanDuration(left));
        }
        text
    }

    /// The share of the plan that is fulfilled.
    fn done(&self, training: &Training) -> f64 {
        let share = |done: f64, of: Option<f64>| of.map_or(0.0, |of| done / of);
        let generations = self.plan.generations.map(|n| n as f64);
        let time = self.plan.time.map(|t| t.as_secs_f64());
        let generations = share(training.history.len() as f64, generations);
        generations.max(share(training.seconds, time)).min(1.0)
    }

    /// Time to the end of the plan, the choice not counted.
    fn left(&self, training: &Training) -> Option<Duration> {
        let recent = self.ended.back()? - self.ended.front()?;
        let each = recent / (self.ended.len() - 1).max(1) as f64;
        let generations = self.plan.generations.map(|n| {
            let left = n.saturating_sub(training.generations());
            left as f64 * each
        });
        let time = self.plan.time;
        let time = time.map(|t| (t.as_secs_f64() - training.seconds).max(0.0));
        let left = [generations, time].into_iter().flatten();
        let left = left.min_by(f64::total_cmp)?;
        Duration::try_from_secs_f64(left).ok()
    }
}

/// A rate in three digits or so.
fn short(rate: f64) -> String {
    match rate {
        1e6.. => format!("{:.2} M", rate / 1e6),
        1e4.. => format!("{:.0} k", rate / 1e3),
        _ => format!("{rate:.0}"),
    }
}
