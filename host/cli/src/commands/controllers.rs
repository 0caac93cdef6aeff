//! `lockstep controllers`

use crate::games::CliGame;
use crate::games::options::{GameName, load};
use crate::output::{Json, Outcome, stdout};

#[derive(clap::Args)]
#[command(after_help = "\
  lockstep controllers
  lockstep controllers --json -")]
pub struct Args<G: CliGame> {
    #[command(flatten)]
    game: GameName<G>,
    #[command(flatten)]
    json: Json,
}

pub fn run<G: CliGame>(args: &Args<G>, quiet: bool) -> anyhow::Result<Outcome> {
    args.json.check(&[])?;
    let mut out = stdout(args.json.silences(quiet));
    let mut all = Vec::new();
    for name in G::presets() {
        let about = G::about(&load::<G>(name)?);
        writeln!(out, "  {name:<16} {}", about.traits.join(", "))?;
        for line in &about.lines {
            writeln!(out, "  {:<16}   {line}", "")?;
        }
        let mut members = about.members;
        members["name"] = name.into();
        all.push(members);
    }
    args.json.write(&all)?;
    Ok(Outcome::Agreed)
}
