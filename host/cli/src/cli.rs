//! The command line of a game: its commands, and the options that all commands have.

pub mod arguments;
pub mod games;
pub mod pick;

use clap::{ArgAction, Parser, Subcommand};

use crate::commands::{
    bench, boards, challenge, completions, controllers, coverage, decide, explain, flash, gomocup,
    info, man, matches, merge, play, record, replay, signature, soak, strength, train, view, work,
};
use crate::games::CliGame;
use crate::version;

const EVERYWHERE: &str = "Options of all commands";

/// Plays games on software, simulated RTL and boards in lockstep, and reports the first decision
/// that differs.
///
/// Exit status: 0 done, 1 a difference or a missed goal, 2 wrong use or a failure, 130 interrupted.
#[derive(Parser)]
#[command(
    name = "lockstep",
    version = version::SHORT,
    long_version = version::long(),
    max_term_width = 100,
    disable_help_flag = true,
    after_help = "\
  lockstep play --games 3 --watch
  lockstep play --controller lowest --record games.jsonl
  lockstep replay games.jsonl
  lockstep strength --controller dt-10 --board 10x10 --games 1000"
)]
pub struct Cli<G: CliGame> {
    #[command(subcommand)]
    pub command: Command<G>,
    /// Print only errors
    #[arg(short, long, global = true, help_heading = EVERYWHERE, display_order = 1000)]
    pub quiet: bool,
    /// Log link events and errors to standard error; -vv: also retries and stale replies; -vvv:
    /// also all bytes sent and received, in hexadecimal
    #[arg(short, long, global = true, action = ArgAction::Count, help_heading = EVERYWHERE, display_order = 1001)]
    pub verbose: u8,
    /// Print help (-h: short form)
    #[arg(short, long, global = true, action = ArgAction::Help, help_heading = EVERYWHERE, display_order = 1002)]
    help: Option<bool>,
}

#[derive(Subcommand)]
pub enum Command<G: CliGame> {
    /// Play games and compare the decisions of all backends
    Play(play::Args<G>),
    /// Play a match of two players, each opening from both sides, and count
    /// who wins
    ///
    /// Each opening is played twice; in the second game its stones have the
    /// other colours and the other side moves first. With --record, the same command and
    /// --resume continue an interrupted match.
    ///
    /// A lead of 400 Elo points means odds of ten to one. The interval counts the two games of an
    /// opening as one result, as they depend on each other.
    #[command(mut_arg("games", |games| games.default_value("100")))]
    Match(matches::Args<G>),
    /// Play against a backend yourself, in the terminal or in a browser
    ///
    /// In Tetris you and the backend get the same pieces, each on a board of its own; the side that
    /// clears more lines wins. In the terminal the keys are shown beside the board; with --view the
    /// URL is printed.
    #[command(mut_args(challenge::empty_board))]
    Challenge(challenge::Args<G>),
    /// Choose a move in each position read as a JSON line from standard input
    Decide(decide::Args<G>),
    /// Play Gomoku as a program of the Gomocup protocol, on standard input and output
    ///
    /// A tournament manager starts the program. When the manager's time limit is reached, the
    /// backend plays the best move found so far.
    Gomocup(gomocup::Args),
    /// Repeat recorded decisions and compare them with the record
    Replay(replay::Args<G>),
    /// Show, count, verify, cut, merge and convert records
    Record(record::Args),
    /// Join the states or records of all shards into that of the whole run
    Merge(merge::Args),
    /// Show a recorded game in a browser
    View(view::Args),
    /// Explain why two backends differ, and shrink that to a small case
    Explain(explain::Args<G>),
    /// List serial ports and virtual boards, and identify the cores there
    Boards(boards::Args<G>),
    /// Run a virtual board: the simulated RTL behind a serial port or a TCP port
    #[cfg(feature = "sim")]
    Serve(crate::commands::serve::Args<G>),
    /// Identify a bitstream and load it into a board
    Flash(flash::Args),
    /// Describe backends and their capabilities
    Info(info::Args<G>),
    /// List the built-in controllers
    Controllers(controllers::Args<G>),
    /// Compare long self-play of a backend with the engine
    ///
    /// The backend draws the pieces itself and reports only checkpoints, so that few bytes pass
    /// over the line. If a checkpoint differs, the backend repeats the moves in ever shorter runs,
    /// down to the first wrong decision.
    Soak(soak::Args),
    /// Play many whole games and count the lines that a controller clears
    ///
    /// The same command continues an interrupted run.
    Strength(strength::Args),
    /// Find a controller's weights by playing games
    Train(train::Args),
    /// Play games for `lockstep train` on another machine
    Work(work::Args),
    /// Time the decisions of every backend and every path of the engine
    Bench(bench::Args<G>),
    /// Test the engine: play on each of its paths and compare a hash of all moves
    Signature(signature::Args),
    /// Seed each fault into the RTL and report what finds it, and how soon
    #[cfg(feature = "sim")]
    Faults(crate::commands::faults::Args<G>),
    /// Measure coverage of the cores' RTL (in a build of `make coverage`)
    Coverage(coverage::Args),
    /// Write a shell's completions for this program
    Completions(completions::Args<G>),
    /// Write the manual pages
    Man(man::Args<G>),
}

#[cfg(test)]
mod tests {
    use super::games::COMMAND_LINES;
    use super::pick::pick;

    /// Every command has examples that can be parsed; examples and usage fit 80 columns.
    #[test]
    fn examples_of_every_command_are_valid() {
        let mut wrong = Vec::new();
        for own in COMMAND_LINES {
            let mut cli = (own.command)();
            // Also checks that the arguments fit together.
            cli.build();
            let mut commands = vec![&cli];
            let mut next = 0;
            while let Some(command) = commands.get(next) {
                next += 1;
                let below = command.get_subcommands();
                let below = below.filter(|c| c.get_name() != "help" && !c.is_hide_set());
                commands.extend(below);
            }
            assert!(commands.len() > 10, "{}", commands.len());
            for command in commands {
                let name = format!("{}: {}", own.game.name, command.get_name());
                let help = command.get_after_help().map(ToString::to_string);
                let help = help.unwrap_or_default();
                assert!(help.starts_with("Examples:\n  "), "{name}: {help}");
                let usage = command.clone().render_usage().to_string();
                let mut lines = help.lines().chain(usage.lines());
                if let Some(long) = lines.find(|line| line.chars().count() > 80) {
                    wrong.push(format!("{name}: over 80 columns: {long}"));
                }
                let examples = help.lines().filter_map(|line| line.strip_prefix("  "));
                let examples = examples.map(|line| {
                    let mut parts = line.split(" | ");
                    parts
                        .find(|part| part.starts_with("lockstep "))
                        .unwrap_or(line)
                });
                for example in examples {
                    let words = example.split_whitespace();
                    let words = words.take_while(|word| !word.starts_with(['<', '>']));
                    let words: Vec<_> = words.map(std::ffi::OsString::from).collect();
                    let read = pick(&words)
                        .and_then(|own| Ok((own.command)().try_get_matches_from(words)?));
                    if let Err(error) = read {
                        wrong.push(format!("{name}: {example}: {error}"));
                    }
                }
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}
