//! The command line's arguments.

use clap::{ArgAction, Parser, Subcommand};

use crate::commands::{
    bench, boards, completions, controllers, coverage, decide, explain, flash, info, man, play,
    record, replay, signature, soak, strength, train,
};
use crate::version;

/// Heading of the options that all commands have.
const EVERYWHERE: &str = "Options of all commands";

/// Plays games on software and on the simulated RTL in lockstep, and says where
/// their decisions first differ.
///
/// Exit status: 0 all agreed, 1 some decision diverged, 2 wrong use or a
/// backend that is not available, 130 interrupted.
#[derive(Parser)]
#[command(
    name = "lockstep",
    version = version::SHORT,
    long_version = version::long(),
    max_term_width = 100,
    disable_help_flag = true,
    after_help = "\
Examples:
  lockstep play --games 3 --watch
  lockstep play --controller lowest --record games.jsonl
  lockstep replay games.jsonl
  lockstep strength --controller dt-10 --board 10x10 --games 1000"
)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
    /// Print nothing but errors; the exit status says whether all agreed
    #[arg(short, long, global = true, help_heading = EVERYWHERE, display_order = 1000)]
    pub quiet: bool,
    /// Log to standard error what is met on links and what goes wrong there;
    /// -vv: also what is answered too late or while the core is busy, -vvv: also
    /// every byte sent and received, in hexadecimal
    #[arg(short, long, global = true, action = ArgAction::Count, help_heading = EVERYWHERE, display_order = 1001)]
    pub verbose: u8,
    /// Print help (-h: in short)
    #[arg(short, long, global = true, action = ArgAction::Help, help_heading = EVERYWHERE, display_order = 1002)]
    help: Option<bool>,
}

#[derive(Subcommand)]
pub enum Command {
    /// Play games, every decision asked of all backends and compared
    #[command(after_help = play::EXAMPLES)]
    Play(play::Args),
    /// Decide positions read as JSON lines from standard input
    #[command(after_help = decide::EXAMPLES)]
    Decide(decide::Args),
    /// Ask recorded decisions again and compare them with the record
    #[command(after_help = replay::EXAMPLES)]
    Replay(replay::Args),
    /// Say why two backends differ, and find the smallest case that shows it
    #[command(after_help = explain::EXAMPLES)]
    Explain(explain::Args),
    /// Show, count, verify, cut, merge and convert records
    #[command(after_help = record::EXAMPLES)]
    Record(record::Args),
    /// Time the decisions of every backend and dispatch path
    #[command(after_help = "\
Examples:
  lockstep bench
  lockstep bench --backend engine --controller dt-20 --depth 2
  lockstep bench --json bench.json")]
    Bench(bench::Args),
    /// Play on every dispatch path and compare all moves by one number
    #[command(after_help = "\
Examples:
  lockstep signature
  lockstep signature --controller dellacherie --pieces 5000000
  lockstep signature --controller dt-20 --pieces 100000 --golden")]
    Signature(signature::Args),
    /// Let a backend play by itself for long, and compare it with the engine
    #[command(after_help = soak::EXAMPLES)]
    Soak(soak::Args),
    /// Find a controller's weights by playing games
    #[command(after_help = "\
Examples:
  lockstep train --out mine.json
  lockstep train --out mine.json --method ga --board 8x10
  lockstep strength --controller mine.json --board 10x10")]
    Train(train::Args),
    /// List the built-in controllers
    #[command(after_help = controllers::EXAMPLES)]
    Controllers(controllers::Args),
    /// Say what a backend is
    #[command(after_help = info::EXAMPLES)]
    Info(info::Args),
    /// List serial ports and virtual boards, and say what answers there
    #[command(after_help = boards::EXAMPLES)]
    Boards(boards::Args),
    /// Load a bitstream into a board, after a look at what it is
    #[command(after_help = flash::EXAMPLES)]
    Flash(flash::Args),
    /// Play many whole games and say how many lines a controller makes
    #[command(after_help = "\
Examples:
  lockstep strength --controller dt-10 --board 10x10 --games 1000
  lockstep strength --controller dt-20 --board 8x9 --depth 2 --next averaged
  lockstep strength --controller ece532-v2.5 --rules own --games 200 --json ece532.json")]
    Strength(strength::Args),
    /// Find each seeded fault of the RTL and say after how many decisions
    #[cfg(feature = "sim")]
    #[command(after_help = crate::commands::faults::EXAMPLES)]
    Faults(crate::commands::faults::Args),
    /// Say how much of the RTL is reached (in a build of `make coverage`)
    #[command(after_help = coverage::EXAMPLES)]
    Coverage(coverage::Args),
    /// Run a virtual board: the simulated RTL behind a serial port or a TCP port
    #[cfg(feature = "sim")]
    #[command(after_help = crate::commands::serve::EXAMPLES)]
    Serve(crate::commands::serve::Args),
    /// Write a shell's completions for this program
    #[command(after_help = completions::EXAMPLES)]
    Completions(completions::Args),
    /// Write the manual pages
    #[command(after_help = man::EXAMPLES)]
    Man(man::Args),
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_arguments_fit_together() {
        Cli::command().debug_assert();
    }

    /// Every command has examples, and each of them is right use.
    #[test]
    fn the_examples_of_every_command_are_right_use() {
        let mut cli = Cli::command();
        cli.build();
        let mut commands = vec![&cli];
        let mut next = 0;
        while let Some(command) = commands.get(next) {
            next += 1;
            let below = command.get_subcommands();
            commands.extend(below.filter(|c| c.get_name() != "help"));
        }
        assert!(commands.len() > 10, "{}", commands.len());
        let mut wrong = Vec::new();
        for command in commands {
            let name = command.get_name();
            let help = command.get_after_help().map(ToString::to_string);
            let help = help.unwrap_or_default();
            let examples: Vec<&str> = help
                .lines()
                .filter_map(|line| line.strip_prefix("  "))
                .map(|line| {
                    let mut parts = line.split(" | ");
                    let own = parts.find(|part| part.starts_with("lockstep "));
                    own.unwrap_or(line)
                })
                .collect();
            if !help.starts_with("Examples:\n") || examples.is_empty() {
                wrong.push(format!("{name} has no examples"));
            }
            for example in examples {
                let words = example.split_whitespace();
                let words = words.take_while(|word| !word.starts_with(['<', '>']));
                if let Err(error) = Cli::try_parse_from(words) {
                    wrong.push(format!("{name}: {example}: {error}"));
                }
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}
