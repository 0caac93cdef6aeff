//! `lockstep controllers`

use std::io;

use lockstep_games::tetris::controller::presets;
use lockstep_games::tetris::{Controller, PieceSource, Size};
use serde::Serialize;

use super::Outcome;
use super::output::{Json, stdout};

pub const EXAMPLES: &str = "\
Examples:
  lockstep controllers
  lockstep controllers --json -";

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    json: Json,
}

/// A preset.
#[derive(Serialize)]
struct Preset {
    name: String,
    /// `linear`, which every backend plays, or `program`.
    kind: &'static str,
    board: Size,
    piece_source: PieceSource,
    /// Whether it decides with the next piece known.
    lookahead: bool,
    /// Whether its program also plays by rules of its own (`--rules own`).
    own_rules: bool,
    /// What it is; of a linear controller nothing but its source.
    summary: Option<&'static str>,
    source: String,
}

impl Preset {
    fn new(controller: Controller) -> Self {
        let policy = controller.policy();
        Self {
            kind: match policy {
                Some(_) => "program",
                None => "linear",
            },
            board: controller.board(),
            piece_source: controller.piece_source(),
            lookahead: controller.looks_ahead(),
            own_rules: policy.is_some_and(|p| p.own_game(0, 0).is_some()),
            summary: policy.map(|p| p.summary()),
            name: controller.name,
            source: controller.source,
        }
    }
}

pub fn run(args: &Args, quiet: bool) -> anyhow::Result<Outcome> {
    args.json.check(&[])?;
    let mut all = Vec::new();
    for name in presets() {
        all.push(Preset::new(Controller::load(name)?));
    }
    table(&mut stdout(args.json.silences(quiet)), &all)?;
    args.json.write(&all)?;
    Ok(Outcome::Agreed)
}

fn table(out: &mut dyn io::Write, presets: &[Preset]) -> io::Result<()> {
    for preset in presets {
        let mut traits = vec![preset.kind.to_owned(), preset.board.to_string()];
        if preset.piece_source == PieceSource::Bag {
            traits.push("bag".into());
        }
        if preset.lookahead {
            traits.push("knows the next piece".into());
        }
        if preset.own_rules {
            traits.push("has rules of its own".into());
        }
        writeln!(out, "  {:<16} {}", preset.name, traits.join(", "))?;
        for line in preset.summary.into_iter().chain([preset.source.as_str()]) {
            writeln!(out, "  {:<16}   {line}", "")?;
        }
    }
    Ok(())
}
