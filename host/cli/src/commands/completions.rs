//! `lockstep completions`

use std::io::Write as _;

use clap::CommandFactory as _;
use clap_complete::{Shell, generate};

use super::Outcome;
use super::options::GameName;
use super::output::plain;
use crate::cli::Cli;
use crate::games::CliGame;

pub const EXAMPLES: &str = "\
Examples:
  lockstep completions bash > ~/.local/share/bash-completion/completions/lockstep
  lockstep completions zsh > ~/.zfunc/_lockstep
  lockstep completions fish > ~/.config/fish/completions/lockstep.fish";

#[derive(clap::Args)]
pub struct Args<G: CliGame> {
    /// The shell they are for
    shell: Shell,
    #[command(flatten)]
    game: GameName<G>,
}

pub fn run<G: CliGame>(args: &Args<G>) -> anyhow::Result<Outcome> {
    // Written at once: what generates them takes no error of its output.
    let mut text = Vec::new();
    generate(args.shell, &mut Cli::<G>::command(), "lockstep", &mut text);
    plain().write_all(&text)?;
    Ok(Outcome::Agreed)
}
