//! `lockstep replay`

use std::path::PathBuf;

use anyhow::{Context as _, bail};
use host::backend::Spec;
use host::games::Game as _;
use host::games::tetris::{Size, Tetris};
use host::record::{Reader, Recorder};
use host::report::totals::Totals;
use serde::Serialize;

use super::{Outcome, Output, header, interruptible, open, refuse_lookahead, sinks};

#[derive(clap::Args)]
pub struct Args {
    /// Records, as written by `lockstep play --record`; each is replayed with
    /// the controller it was played with
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// A backend to ask; repeat it for each: software, engine, sim, sim-uart
    /// [default: software, and sim for what the RTL plays]
    #[arg(long = "backend", value_name = "BACKEND")]
    backends: Vec<Spec>,
    #[command(flatten)]
    output: Output,
}

#[derive(Serialize)]
struct About<'a> {
    command: &'static str,
    game: &'static str,
    files: &'a [PathBuf],
}

pub async fn run(args: &Args, quiet: bool) -> anyhow::Result<Outcome> {
    args.output.check(&args.files)?;
    // All headers before the first decision: a wrong file costs nothing.
    let mut readers = Vec::new();
    for path in &args.files {
        let reader = Reader::<Tetris>::open(path)?;
        let count = Reader::<Tetris>::count(path);
        if count == Some(0) {
            bail!("record {} holds no decisions", path.display());
        }
        readers.push((path, reader, count));
    }
    let on_the_wire = readers.iter().all(|(_, reader, _)| {
        let head = reader.head();
        let board = head.setup.map_or(Size::STANDARD, |setup| setup.board);
        Tetris::encode_controller(&head.controller).is_ok()
            && board == Size::STANDARD
            && !head.setup.is_some_and(|setup| setup.next_known)
    });
    let backends = match args.backends.is_empty() {
        true => Spec::defaults(on_the_wire),
        false => args.backends.clone(),
    };
    let mut session = interruptible(open(&backends).await?);
    let mut recorder = match &args.output.record {
        Some(path) if readers.len() > 1 => {
            bail!(
                "--record {}: a record has one controller; replay one file at a time",
                path.display()
            )
        }
        Some(path) => {
            let name = || format!("record {}", path.display());
            Some(Recorder::create(path).with_context(name)?)
        }
        None => None,
    };

    let mut all = Totals::default();
    let mut terminal = args.output.terminal(quiet, None, true);
    let mut result = Ok(());
    for (path, reader, count) in readers {
        let head = reader.head();
        let controller = head.controller.clone();
        terminal.title(&format!(
            "{}: {}controller {}",
            path.display(),
            count.map_or(String::new(), |n| format!("{n} decisions, ")),
            controller.name
        ))?;
        session.configure(&controller).await?;
        let header = header(&session, controller, head.setup, count);
        let without = session.without_lookahead().map(str::to_owned);
        let reader =
            reader.refusing(move |position| refuse_lookahead(without.as_deref(), position));
        let mut totals = Totals::default();
        let mut sinks = sinks(&mut terminal, &mut totals, &mut recorder);
        result = session.replay(&header, reader, &mut sinks).await;
        drop(sinks);
        all.merge(totals);
        if result.is_err() || all.interrupted {
            break;
        }
    }
    let record = args.output.record_name().filter(|_| result.is_ok());
    terminal.summary(&all, record.as_deref())?;
    let about = About {
        command: "replay",
        game: "tetris",
        files: &args.files,
    };
    args.output.write_json(about, &all)?;
    result?;
    Ok(Outcome::of(&all))
}
