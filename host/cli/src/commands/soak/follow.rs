//! Shows the progress of a soak, and saves its state from time to time.

use std::io::Write;
use std::time::{Duration, Instant};

use indicatif::{HumanCount, ProgressBar};
use lockstep_backends::soak::{SoakState, Watch};
use lockstep_games::{BoxError, Shard};
use lockstep_lab::journal::Journal;
use serde::Serialize;

use crate::output::{bar, is_drawn, stdout};

/// Minimum time between two writings of the state.
const PAUSE: Duration = Duration::from_secs(1);

/// The entry of a journal; the end of a shard's stretch has its number, for `lockstep merge`.
#[derive(Serialize)]
struct Entry<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    stretch: Option<u64>,
    #[serde(flatten)]
    place: &'a SoakState,
}

pub struct Follow {
    journal: Option<Journal>,
    /// The number of the shard's stretch, from 0.
    stretch: Option<u64>,
    written: Instant,
    bar: ProgressBar,
    /// Output of progress lines, used if there is no bar.
    lines: Box<dyn Write + Send>,
    decisions: u64,
    reported: u64,
    begun: Instant,
}

impl Follow {
    /// Writes the state once, so that an error shows before the soak begins.
    pub fn new(
        journal: Option<Journal>,
        shard: Option<Shard>,
        begin: &SoakState,
        decisions: u64,
        silent: bool,
    ) -> anyhow::Result<Self> {
        let shown = is_drawn(silent);
        let style = "{spinner} {human_pos}/{human_len} decisions  {per_sec}  {eta} left  {msg}  \
                     {wide_bar}";
        let bar = bar(decisions, style, shown);
        bar.set_position(begin.sums.pieces);
        bar.reset_eta();
        let mut follow = Self {
            journal,
            stretch: shard.map(|shard| shard.number() - 1),
            written: Instant::now(),
            bar,
            lines: stdout(silent || shown),
            decisions,
            reported: begin.sums.pieces,
            begun: Instant::now(),
        };
        follow.write(begin)?;
        Ok(follow)
    }

    fn write(&mut self, place: &SoakState) -> anyhow::Result<()> {
        let finished = place.sums.pieces >= self.decisions;
        let stretch = self.stretch.filter(|_| finished);
        match &mut self.journal {
            Some(journal) => Ok(journal.replace(&Entry { stretch, place })?),
            None => Ok(()),
        }
    }

    /// Removes the bar and writes the last state; returns the duration in seconds.
    pub fn finish(mut self, last: &SoakState) -> (f64, anyhow::Result<()>) {
        self.bar.finish_and_clear();
        let written = self.write(last);
        (self.begun.elapsed().as_secs_f64(), written)
    }
}

impl Watch for Follow {
    fn at(&mut self, place: &SoakState) {
        let pieces = place.sums.pieces;
        self.bar.set_position(pieces);
        let every = (self.decisions / 10).max(1_000);
        if pieces / every > self.reported / every {
            self.reported = pieces;
            let (pieces, all) = (HumanCount(pieces), HumanCount(self.decisions));
            // The summary has it, too.
            let line = writeln!(self.lines, "  {pieces} of {all} decisions");
            let _ = line.and_then(|()| self.lines.flush());
        }
    }

    fn keep(&mut self, place: &SoakState) -> Result<(), BoxError> {
        if self.written.elapsed() >= PAUSE {
            self.write(place)?;
            self.written = Instant::now();
        }
        Ok(())
    }

    fn narrowing(&mut self, from: u64, to: u64) {
        let message = format!("DIVERGENCE: searching between {from} and {to}");
        self.bar.set_message(message);
    }
}
