//! `lockstep completions`

use std::io::Write as _;

use clap_complete::{Shell, generate};

use crate::games::CliGame;
use crate::games::options::{GAME_NAME, GameName};
use crate::output::{Outcome, plain};

#[derive(clap::Args)]
#[command(after_help = "\
  lockstep completions bash >~/.local/share/bash-completion/completions/lockstep
  lockstep completions zsh >~/.zfunc/_lockstep
  lockstep completions fish >~/.config/fish/completions/lockstep.fish")]
#[command(mut_arg(GAME_NAME, |arg| arg.help("The game whose options are described")))]
pub struct Args<G: CliGame> {
    /// The shell to write completions for
    shell: Shell,
    #[command(flatten)]
    game: GameName<G>,
}

pub fn run<G: CliGame>(args: &Args<G>, mut command: clap::Command) -> anyhow::Result<Outcome> {
    // Written at once: what generates them takes no error of its output.
    let mut text = Vec::new();
    generate(args.shell, &mut command, "lockstep", &mut text);
    plain().write_all(&text)?;
    Ok(Outcome::Agreed)
}
