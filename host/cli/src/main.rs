//! The command line.

mod arguments;
mod commands;
mod views;

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use commands::interrupt::INTERRUPTED;
use commands::{
    Outcome, bench, controllers, decide, info, play, replay, signature, strength, train,
};
use lockstep::SessionError;
use tracing_subscriber::EnvFilter;
use views::BAD;

/// Plays games on software, on the simulated RTL and on hardware in lockstep,
/// and says where their decisions first differ.
///
/// Exit status: 0 all agreed, 1 some decision diverged, 2 wrong use or a
/// backend that is not available, 130 interrupted.
#[derive(Parser)]
#[command(name = "lockstep", version, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    /// Print nothing but errors and divergences' exit status
    #[arg(short, long, global = true)]
    quiet: bool,
    /// Log what is done; twice: also retries and stale replies, three times: all
    /// bytes
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    verbose: u8,
}

#[derive(Subcommand)]
enum Command {
    /// Play games, every decision asked of all backends and compared
    Play(play::Args),
    /// Decide positions read as JSON lines from standard input
    Decide(decide::Args),
    /// Ask recorded decisions again and compare them with the record
    Replay(replay::Args),
    /// Time the decisions of every backend and dispatch path
    Bench(bench::Args),
    /// Play on every dispatch path and compare all moves by one number
    Signature(signature::Args),
    /// Find a controller's weights by playing games
    Train(train::Args),
    /// List the built-in controllers
    Controllers(controllers::Args),
    /// Say what a backend is
    Info(info::Args),
    /// Play many whole games and say how many lines a controller makes
    Strength(strength::Args),
    /// Find each seeded fault of the RTL and say after how many decisions
    #[cfg(feature = "faults")]
    Faults(commands::faults::Args),
}

fn main() -> ExitCode {
    let cli: Cli = arguments::parse().unwrap_or_else(|error| error.exit());
    log(cli.verbose);
    let runtime = match tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
    {
        Ok(runtime) => runtime,
        Err(error) => return fail(&error.into()),
    };
    let result = runtime.block_on(async {
        match cli.command {
            Command::Play(args) => play::run(&args, cli.quiet).await,
            Command::Decide(args) => decide::run(&args, cli.quiet).await,
            Command::Replay(args) => replay::run(&args, cli.quiet).await,
            Command::Bench(args) => bench::run(&args, cli.quiet).await,
            Command::Signature(args) => signature::run(args, cli.quiet).await,
            Command::Train(args) => train::run(&args, cli.quiet).await,
            Command::Controllers(args) => controllers::run(&args, cli.quiet),
            Command::Info(args) => info::run(&args).await,
            Command::Strength(args) => strength::run(args, cli.quiet).await,
            #[cfg(feature = "faults")]
            Command::Faults(args) => commands::faults::run(&args, cli.quiet).await,
        }
    });
    // Whatever was given up is not waited for.
    runtime.shutdown_background();
    match result {
        Ok(Outcome::Agreed) => ExitCode::SUCCESS,
        Ok(Outcome::Diverged) => ExitCode::from(1),
        Ok(Outcome::Interrupted) => ExitCode::from(INTERRUPTED),
        Err(error) if is_interrupt(&error) => ExitCode::from(INTERRUPTED),
        Err(error) => fail(&error),
    }
}

/// Whether a command ended because the user asked it to.
fn is_interrupt(error: &anyhow::Error) -> bool {
    matches!(error.downcast_ref(), Some(SessionError::Interrupted))
}

fn fail(error: &anyhow::Error) -> ExitCode {
    // Whoever reads our output has gone: not worth a word (as with SIGPIPE).
    let broken_pipe = |e: &(dyn std::error::Error + 'static)| {
        e.downcast_ref::<std::io::Error>()
            .is_some_and(|e| e.kind() == std::io::ErrorKind::BrokenPipe)
    };
    if error.chain().any(broken_pipe) {
        return ExitCode::from(141);
    }
    anstream::eprintln!("{BAD}error:{BAD:#} {}", shown(&format!("{error:#}")));
    ExitCode::from(2)
}

/// Longest error that is shown, in characters.
const MAX_ERROR: usize = 2_000;

/// An error as a terminal may see it: what bad input put into it is cut, and its
/// control characters are escaped.
fn shown(error: &str) -> String {
    let escape = |c: char| match c {
        '\n' => "\n".to_owned(),
        c if c.is_control() => c.escape_default().to_string(),
        c => c.to_string(),
    };
    let mut text: String = error.chars().take(MAX_ERROR).map(escape).collect();
    if error.chars().nth(MAX_ERROR).is_some() {
        text.push_str(" … (cut)");
    }
    text
}

/// Logs to standard error; `LOCKSTEP_LOG` overrides what.
fn log(verbose: u8) {
    let level = match verbose {
        0 => "error",
        1 => "info",
        2 => "debug",
        _ => "trace",
    };
    let filter = EnvFilter::try_from_env("LOCKSTEP_LOG").unwrap_or_else(|_| EnvFilter::new(level));
    let colour = anstream::AutoStream::choice(&std::io::stderr()) != anstream::ColorChoice::Never;
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(colour)
        .init();
}
