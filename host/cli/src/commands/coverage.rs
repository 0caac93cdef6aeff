//! `lockstep coverage`

use std::path::PathBuf;

use crate::games::options::{GAME_NAME, game_names};
use crate::input::numbers::number;
use crate::output::Outcome;
use crate::output::files::check_writable;

#[derive(clap::Args)]
#[command(after_help = "\
  lockstep coverage
  lockstep coverage --game connect4 --seed 7 --positions 2000
  lockstep coverage --lcov out/coverage/lcov.info --write docs/coverage.md")]
pub struct Args {
    /// Seed of the games, the directed positions and the bench of a core
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number::<u64>(0..=u64::MAX))]
    seed: u64,
    /// Positions of each controller's games
    #[arg(long, value_name = "N", default_value_t = 600, value_parser = number::<u64>(1..=1_000_000))]
    positions: u64,
    /// Runs of the bench of a whole core
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = number::<u64>(0..=1_000))]
    benches: u64,
    /// Folder of the RTL that this lockstep was built from
    #[arg(long, value_name = "DIR", default_value = "rtl")]
    rtl: PathBuf,
    /// Write lines and branches to this file, in lcov's format
    #[arg(long, value_name = "FILE")]
    lcov: Option<PathBuf>,
    /// Also write the report as Markdown to this file
    #[arg(long, value_name = "FILE")]
    write: Option<PathBuf>,
    /// Measure only the core of this game [default: all games]
    #[arg(id = GAME_NAME, long = "game", value_name = "GAME", value_parser = game_names("coverage"))]
    game: Option<String>,
}

/// Fails before any run if an output cannot be written.
fn check(args: &Args) -> anyhow::Result<()> {
    let files = [("--lcov", &args.lcov), ("--write", &args.write)];
    for (option, file) in files {
        file.as_ref()
            .map_or(Ok(()), |file| check_writable(option, file))?;
    }
    Ok(())
}

/// Fails: the models of this build have no counters.
#[cfg(not(feature = "faults"))]
pub async fn run(args: &Args, _quiet: bool) -> anyhow::Result<Outcome> {
    check(args)?;
    anyhow::bail!(
        "this lockstep was built without coverage counters; `make coverage` builds one with them, \
         and runs it"
    )
}

/// Measures coverage and prints the report.
///
/// The exit status is 1 if too few lines are reached, a bin is empty, or a waived place is reached.
#[cfg(feature = "faults")]
pub async fn run(args: &Args, quiet: bool) -> anyhow::Result<Outcome> {
    use std::io::{self, IsTerminal as _, Write as _};

    use lockstep_lab::files::write;
    use lockstep_verify::coverage::{Effort, measure};

    use crate::games::GAMES;
    use crate::output::stdout;
    use crate::run::wait::Run;

    check(args)?;
    let effort = Effort {
        seed: args.seed,
        positions: args.positions as usize,
        benches: args.benches,
    };
    let run = Run::start(true);
    let seen = !quiet && io::stderr().is_terminal();
    let mut progress = |what: &str| {
        if seen {
            let _ = writeln!(io::stderr(), "{what} …");
        }
    };
    let named = |name| args.game.as_deref().is_none_or(|game| game == name);
    let subjects = GAMES.iter().map(|game| game.subject);
    let subjects: Vec<_> = subjects.filter(|subject| named(subject.name)).collect();
    let measured = measure(&args.rtl, &subjects, effort, &mut progress);
    let report = run.wait("measuring coverage", measured).await?;
    let document = report.markdown();
    if let Some(file) = &args.lcov {
        write(file, report.lcov().as_bytes())?;
    }
    if let Some(file) = &args.write {
        write(file, document.as_bytes())?;
    }
    let mut out = stdout(quiet);
    write!(out, "{document}")?;
    out.flush()?;
    let failures = report.failures();
    for failure in &failures {
        anstream::eprintln!("error: {failure}");
    }
    Ok(match failures.is_empty() {
        true => Outcome::Agreed,
        false => Outcome::Diverged,
    })
}
