//! The command `lockstep`.
//!
//! Read in this order; imports point down the list:
//! - `cli`: the arguments of all commands; `cli::pick` finds the game before they are parsed.
//! - `commands`: a module for each command, with the view of its result.
//! - `session`: backends by name, options of results, the text of an explanation, the end of a
//!   session.
//! - `games`: what a game adds to the command line, and the list of games.
//! - `run`, `output`, `input`: signals and waiting, text and JSON, parsing; `version`: this build.

mod cli;
mod commands;
mod games;
mod input;
mod output;
mod run;
mod session;
mod version;

use std::io::{IsTerminal as _, Write as _};
use std::process::ExitCode;

use cli::games::{command, describer};
use cli::pick::pick;
use cli::{Cli, Command, arguments};
use commands::{
    bench, boards, challenge, completions, controllers, coverage, decide, explain, flash, gomocup,
    info, man, matches, merge, play, record, replay, signature, soak, strength, train, view, work,
};
use games::CliGame;
use output::Outcome;
use output::failure::{INTERRUPTED, fail, shown, shown_lines};
use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::prelude::*;

fn main() -> ExitCode {
    let words: Vec<_> = std::env::args_os().collect();
    match pick(&words) {
        Ok(line) => (line.main)(),
        Err(error) => fail(&error),
    }
}

fn main_of<G: CliGame>() -> ExitCode {
    let cli = match arguments::parse::<Cli<G>>(command::<G>()) {
        Ok(cli) => cli,
        Err(error) => return refused(&error),
    };
    log(cli.verbose, cli.quiet);
    let runtime = match tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
    {
        Ok(runtime) => runtime,
        Err(error) => return fail(&error.into()),
    };
    let quiet = cli.quiet;
    let result = runtime.block_on(async {
        match cli.command {
            Command::Play(args) => play::run(&args, quiet).await,
            Command::Match(args) => matches::run(args, quiet).await,
            Command::Challenge(args) => challenge::run(&args, quiet).await,
            Command::Decide(args) => decide::run(&args, quiet).await,
            Command::Gomocup(args) => gomocup::run(&args, quiet).await,
            Command::Explain(args) => explain::run(&args, quiet).await,
            Command::Replay(args) => replay::run(&args, quiet).await,
            Command::Record(args) => record::run::<G>(&args, quiet),
            Command::Merge(args) => merge::run::<G>(&args, quiet),
            Command::View(args) => view::run::<G>(&args, quiet).await,
            Command::Bench(args) => bench::run(&args, quiet).await,
            Command::Signature(args) => signature::run(args, quiet).await,
            Command::Soak(args) => soak::run(&args, quiet).await,
            Command::Train(args) => train::run(&args, quiet).await,
            Command::Work(args) => work::run(&args).await,
            Command::Strength(args) => strength::run(args, quiet).await,
            Command::Controllers(args) => controllers::run(&args, quiet),
            Command::Info(args) => info::run(&args, describer, quiet).await,
            Command::Boards(args) => boards::run(&args, quiet).await,
            Command::Flash(args) => flash::run(&args, quiet),
            #[cfg(feature = "sim")]
            Command::Faults(args) => commands::faults::run(&args, quiet).await,
            #[cfg(feature = "sim")]
            Command::Serve(args) => commands::serve::run(&args, quiet).await,
            Command::Coverage(args) => coverage::run(&args, quiet).await,
            Command::Completions(args) => completions::run(&args, command::<G>()),
            Command::Man(args) => man::run(&args, command::<G>()),
        }
    });
    // Abandoned work is not waited for.
    runtime.shutdown_background();
    match result {
        Ok(Outcome::Agreed) => ExitCode::SUCCESS,
        Ok(Outcome::Diverged) => ExitCode::from(1),
        Ok(Outcome::Interrupted) => ExitCode::from(INTERRUPTED),
        Err(error) => fail(&error),
    }
}

/// Prints the error of wrong arguments, or the requested help.
fn refused(error: &clap::Error) -> ExitCode {
    let arguments = std::env::args_os().map(|argument| argument.to_string_lossy().into_owned());
    let acting: Vec<_> = arguments.filter(|text| shown(text) != *text).collect();
    if error.use_stderr() && !acting.is_empty() {
        let mut text = error.render().to_string();
        for argument in &acting {
            let value = argument
                .split_once('=')
                .map_or(&**argument, |(_, value)| value);
            text = text.replace(value, &shown(value));
        }
        anstream::eprintln!("{}", shown_lines(&text));
    } else if let Err(why) = error.print() {
        // An error that cannot be printed cannot be reported.
        if !error.use_stderr() {
            return fail(&anyhow::Error::from(why).context("standard output"));
        }
    }
    ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2))
}

/// Moves to the beginning of the line and clears it.
const CLEAR_LINE: &[u8] = b"\r\x1b[2K";

/// Logs to standard error; `LOCKSTEP_LOG` overrides the level. By default these are warnings,
/// without time and target.
fn log(verbose: u8, quiet: bool) {
    let level = match verbose {
        0 if quiet => LevelFilter::ERROR,
        0 => LevelFilter::WARN,
        1 => LevelFilter::INFO,
        2 => LevelFilter::DEBUG,
        _ => LevelFilter::TRACE,
    };
    let named = std::env::var("LOCKSTEP_LOG").ok();
    let named = named.filter(|named| !named.is_empty());
    let named = named.and_then(|named| named.parse::<Targets>().ok());
    let plain = verbose == 0 && named.is_none();
    let filter = named.unwrap_or_else(|| Targets::new().with_default(level));
    let colour = anstream::AutoStream::choice(&std::io::stderr()) != anstream::ColorChoice::Never;
    let log = tracing_subscriber::registry().with(filter);
    let lines = tracing_subscriber::fmt::layer().with_ansi(colour);
    match plain {
        false => log.with(lines.with_writer(std::io::stderr)).init(),
        true => {
            let lines = lines.without_time().with_target(false).with_level(false);
            log.with(lines.with_writer(on_a_line_of_its_own)).init();
        }
    }
}

/// Standard error; on a terminal, clears the line first, in which a progress bar may be.
fn on_a_line_of_its_own() -> std::io::Stderr {
    let mut stderr = std::io::stderr();
    if stderr.is_terminal() {
        let _ = stderr.write_all(CLEAR_LINE);
    }
    stderr
}
