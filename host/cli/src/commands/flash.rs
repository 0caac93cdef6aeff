//! `lockstep flash`

use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use lockstep_flash::{Bitstream, Board, Loader, Memory};

use crate::output::Outcome;
use crate::output::failure::shown;

#[derive(clap::Args)]
#[command(after_help = "\
  lockstep flash out/ulx3s/lockstep.bit
  lockstep flash --check out/tang-nano-20k/lockstep.fs
  lockstep flash --permanent --board ulx3s out/ulx3s/lockstep.bit")]
pub struct Args {
    /// The bitstream, made by `make bitstream`
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The board that the bitstream must be for [default: the board in the bitstream]
    #[arg(long, value_name = "BOARD", value_parser = boards())]
    board: Option<Board>,
    /// Write it into the board's flash as well, so that it is loaded again at power-up
    #[arg(long)]
    permanent: bool,
    /// Only identify the file
    #[arg(long, conflicts_with_all = ["permanent", "loader"])]
    check: bool,
    /// Path of openFPGALoader [default: the one on PATH]
    #[arg(long, value_name = "PATH")]
    loader: Option<PathBuf>,
}

fn boards() -> impl TypedValueParser<Value = Board> {
    PossibleValuesParser::new(Board::ALL.iter().map(Board::name))
        .try_map(|name| Board::named(&name).ok_or("no such board"))
}

pub fn run(args: &Args, quiet: bool) -> anyhow::Result<Outcome> {
    let bitstream = Bitstream::read(&args.file)?;
    if let Some(board) = args.board
        && board != bitstream.board
    {
        let file = args.file.display();
        let other = bitstream.board;
        bail!(
            "{file}: expected a bitstream for {board}, got one for {other}; leave --board out, or \
             name {other}"
        );
    }
    if !quiet {
        describe(&args.file, &bitstream);
    }
    if args.check {
        return Ok(Outcome::Agreed);
    }
    let loader = Loader::find(args.loader.as_deref())?;
    let memory = match args.permanent {
        true => Memory::Flash,
        false => Memory::Fpga,
    };
    loader.load(bitstream.board, &args.file, memory, quiet)?;
    if !quiet {
        let board = bitstream.board;
        let until = match memory {
            Memory::Fpga => "until power-off (--permanent writes it into the flash)",
            Memory::Flash => "permanently",
        };
        anstream::println!(
            "loaded into the {board} {until}; `lockstep boards` identifies its core"
        );
    }
    Ok(Outcome::Agreed)
}

/// Prints the board and build of a bitstream, and whether the core simulated here is another build.
fn describe(file: &Path, bitstream: &Bitstream) {
    let Bitstream {
        board,
        build_id,
        layout_hash,
    } = bitstream;
    let game = bitstream.game().map_or("no game", |game| game.name);
    anstream::println!(
        "{}: {game} for the board {board}, RTL build {build_id:08x}, layout {layout_hash:08x}",
        shown(file.display())
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
