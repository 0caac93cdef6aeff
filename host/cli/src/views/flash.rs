//! A bitstream and its loading, for people.

use std::io::IsTerminal as _;
use std::path::Path;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use lockstep_flash::{Bitstream, Board, Memory, Progress};

const TEMPLATE: &str = "  {msg} {wide_bar} {percent:>3}%";
/// Length of the bar.
const FULL: u64 = 1_000;

/// Says what a file is, and whether the core simulated here is another build.
pub fn describe(file: &Path, bitstream: &Bitstream) {
    let Bitstream {
        board,
        build_id,
        layout_hash,
    } = bitstream;
    let game = bitstream.game().map_or("no game", |game| game.name);
    anstream::println!(
        "{}: {game} for the board {board}, RTL build {build_id:08x}, layout {layout_hash:08x}",
        file.display()
    );
    #[cfg(feature = "sim")]
    if let Some(variant) = sim::variant(game, None)
        && variant.build_id != *build_id
    {
        anstream::println!(
            "the core simulated here is another build, {:08x}",
            variant.build_id
        );
    }
}

/// The last line.
pub fn loaded(board: Board, memory: Memory) {
    let until = match memory {
        Memory::Fpga => "until the power goes off (--permanent writes it into the flash)",
        Memory::Flash => "for good: it is there when the power comes back",
    };
    anstream::println!("loaded into the {board} {until}; `lockstep boards` says what answers");
}

/// How far a load is: a bar on a terminal, nothing elsewhere.
pub struct Bar(ProgressBar);

impl Bar {
    /// A bar at its beginning.
    pub fn new(quiet: bool) -> Self {
        let target = match std::io::stderr().is_terminal() && !quiet {
            true => ProgressDrawTarget::stderr(),
            false => ProgressDrawTarget::hidden(),
        };
        let style = ProgressStyle::with_template(TEMPLATE);
        let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
        let bar = ProgressBar::with_draw_target(Some(FULL), target).with_style(style);
        bar.set_message("openFPGALoader");
        Self(bar)
    }

    /// Draws it.
    pub fn show(&self, progress: &Progress) {
        self.0.set_message(progress.step.clone());
        let part = f64::from(progress.percent) / 100.0;
        self.0.set_position((part * FULL as f64) as u64);
    }

    /// Takes it away.
    pub fn finish(&self) {
        self.0.finish_and_clear();
    }
}
