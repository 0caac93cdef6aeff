//! `lockstep man`

use std::fs;
use std::io::Write as _;
use std::path::PathBuf;

use anyhow::Context as _;
use clap_mangen::Man;

use crate::games::CliGame;
use crate::games::options::{GAME_NAME, GameName};
use crate::output::{Outcome, plain};

#[derive(clap::Args)]
#[command(after_help = "\
  lockstep man | man -l -
  lockstep man ~/.local/share/man/man1")]
#[command(mut_arg(GAME_NAME, |arg| arg.help("The game whose options are described")))]
pub struct Args<G: CliGame> {
    /// Write a page for each command into this folder, which is created if necessary; without it,
    /// the page of the whole program goes to standard output
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
    #[command(flatten)]
    game: GameName<G>,
}

pub fn run<G: CliGame>(args: &Args<G>, command: clap::Command) -> anyhow::Result<Outcome> {
    let Some(folder) = &args.folder else {
        let mut page = Vec::new();
        Man::new(command).render(&mut page)?;
        plain().write_all(&page)?;
        return Ok(Outcome::Agreed);
    };
    let name = folder.display();
    fs::create_dir_all(folder).with_context(|| format!("{name}: the folder cannot be created"))?;
    clap_mangen::generate_to(command, folder).with_context(|| name.to_string())?;
    Ok(Outcome::Agreed)
}
