//! `lockstep man`

use std::fs;
use std::io::Write as _;
use std::path::PathBuf;

use anyhow::Context as _;
use clap::CommandFactory as _;
use clap_mangen::Man;

use super::Outcome;
use super::output::plain;
use crate::cli::Cli;

pub const EXAMPLES: &str = "\
Examples:
  lockstep man | man -l -
  lockstep man ~/.local/share/man/man1";

#[derive(clap::Args)]
pub struct Args {
    /// Write a page for each command into this folder, which is made if need
    /// be; without it the page of the whole program goes to standard output
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
}

pub fn run(args: &Args) -> anyhow::Result<Outcome> {
    let Some(folder) = &args.folder else {
        let mut page = Vec::new();
        Man::new(Cli::command()).render(&mut page)?;
        plain().write_all(&page)?;
        return Ok(Outcome::Agreed);
    };
    let failed = || folder.display().to_string();
    fs::create_dir_all(folder).with_context(failed)?;
    clap_mangen::generate_to(Cli::command(), folder).with_context(failed)?;
    Ok(Outcome::Agreed)
}
