//! `lockstep replay`

mod files;
mod recorded;
mod state;

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{anyhow, bail};
use futures::future::{BoxFuture, FutureExt as _};
use lockstep::backend::Kind;
use lockstep::record::{Ending, Recorder};
use lockstep::replay::{Records, size};
use lockstep::report::{Tally, Totals};
use lockstep::{
    Backend, BackendError, Header, Identity, Listeners, Replay, Session, SessionError, Spec, Stop,
};
use lockstep_explain::History;
use lockstep_games::{BoardSize, Shard};
use lockstep_lab::threads::{MAX_THREADS, cores};
use lockstep_report::{RecordAgreement, SessionReport};
use serde::Serialize;

use crate::games::CliGame;
use crate::games::options::{GAME_NAME, GameName};
use crate::input::numbers::number;
use crate::output::failure::{all, shown};
use crate::output::files::check_kept;
use crate::output::{DECISIONS, Outcome, count, stdout};
use crate::run::wait::Run;
use crate::session::backends::{backend, configure, names, nonce, open};
use crate::session::investigate::ExplainOptions;
use crate::session::output::{Ended, Output, Views};
use files::Recorded;
pub use files::expanded;

#[derive(clap::Args)]
#[command(after_help = "\
  lockstep replay games.jsonl
  lockstep replay games.jsonl --backend sim --backend sim-uart
  lockstep replay recorded/ --jobs 4 --json summary.json
  lockstep replay recorded/ --shard 1/3 --state shard-1.jsonl
  lockstep replay monday.jsonl tuesday.jsonl --recorded")]
#[command(mut_arg(GAME_NAME, |arg| arg.help("The game of records read from a pipe; a file names its own")))]
pub struct Args<G: CliGame> {
    /// Records, as written by `lockstep play --record`; each is replayed with its own controller. A
    /// folder stands for all records in and below it (*.jsonl, *.jsonl.zst), sorted by name
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// A backend, such as software, engine, sim or sim-uart; repeat the option for each [default:
    /// software, and engine and sim if they support all of the records]
    #[arg(long = "backend", value_name = "BACKEND", value_parser = backend::<G>)]
    backends: Vec<Spec>,
    /// Sets of backends that work at the same time [default: one for each CPU; one if a
    /// backend is a board]
    #[arg(long, value_name = "N", value_parser = number::<usize>(1..=MAX_THREADS as u64))]
    jobs: Option<usize>,
    /// Replay shard I of N; the N shards together cover every decision exactly
    /// once, and `lockstep merge` joins their states
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
    /// Keep the answers in this file, from which the same command continues
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    /// Start over even if there is a state
    #[arg(long, requires = "state")]
    fresh: bool,
    /// Compare the answers in two records, or the answers of the backends in one, without opening
    /// backends
    #[arg(long, conflicts_with_all = ["backends", "jobs", "shard", "state", "record", "explain", "view"])]
    recorded: bool,
    #[command(flatten)]
    game: GameName<G>,
    #[command(flatten)]
    output: Output,
    #[command(flatten)]
    why: ExplainOptions,
}

#[derive(Serialize)]
#[serde(bound = "")]
struct About<'a, G: CliGame> {
    #[serde(serialize_with = "lockstep::text::names")]
    files: &'a [PathBuf],
    #[serde(serialize_with = "lockstep::text::names")]
    cut: Vec<PathBuf>,
    /// The shard that was replayed; `None` for all decisions.
    shard: Option<Shard>,
    agreement: &'a Tally<G>,
}

impl<G: CliGame> Args<G> {
    fn shard(&self) -> Shard {
        self.shard.unwrap_or(Shard::ALL)
    }

    /// Number of sets of backends that may work at a time; `None` if a board allows only one.
    fn jobs(&self, specs: &[Spec]) -> anyhow::Result<Option<usize>> {
        let is_board = |spec: &&Spec| G::backends().kind(spec) == Some(Kind::Link);
        match (specs.iter().find(is_board), self.jobs) {
            (Some(board), Some(jobs @ 2..)) => bail!(
                "--jobs {jobs}: {board} is a board, which can be opened once; leave --jobs out, or \
                 the board"
            ),
            (Some(_), _) => Ok(None),
            (None, jobs) => Ok(Some(jobs.unwrap_or_else(cores))),
        }
    }

    /// The backends on the command line, or those that can play all of the records.
    fn backends(&self, records: &[Recorded<G>]) -> Vec<Spec> {
        if !self.backends.is_empty() {
            return self.backends.clone();
        }
        let mut common: Option<Vec<Spec>> = None;
        for record in records {
            let board = record.head.board;
            let board = board.map(|(columns, rows)| BoardSize::new(columns, rows));
            let board = board.unwrap_or(G::BOARD);
            let mut usual = G::backends().defaults(&record.head.controller, board);
            if let Some(common) = &common {
                usual.retain(|spec| common.contains(spec));
            }
            common = Some(usual);
        }
        common.unwrap_or_default()
    }

    /// Fails if the replay cannot be recorded: it has several records or only a part of one.
    fn check_record(&self, records: &[Recorded<G>]) -> anyhow::Result<()> {
        let Some(record) = self.output.record() else {
            return Ok(());
        };
        let record = record.display();
        if records.len() > 1 {
            bail!("--record {record}: a record has one controller; replay one file at a time");
        }
        if !self.shard().is_all() {
            bail!("--record {record}: a shard is not a complete record; leave --shard out");
        }
        Ok(())
    }
}

struct Title<G: CliGame> {
    path: PathBuf,
    header: Header<G>,
}

pub async fn run<G: CliGame>(args: &Args<G>, quiet: bool) -> anyhow::Result<Outcome> {
    // Before all records are read to count what is in them.
    let run = Run::start(quiet);
    let paths = files::expanded(&args.files)?;
    let inputs: Vec<&Path> = paths.iter().map(PathBuf::as_path).collect();
    args.output.check(&inputs, false)?;
    let state = args.state.as_deref().map(|state| ("--state", state));
    check_kept(state.as_slice(), args.output.json.file(), None)?;
    if args.recorded {
        return recorded::run(args, &paths, &run).await;
    }
    args.why.check()?;
    let records = files::open_all::<G>(&paths, &run.stop)?;
    args.check_record(&records)?;
    let specs = args.backends(&records);
    let jobs = args.jobs(&specs)?;
    let mut session = Session::new(open(&specs, &run).await?, run.stop.clone());
    // Every controller is tried before anything is written.
    let (mut known, mut identities) = (BTreeMap::new(), Vec::new());
    for record in &records {
        if let Some(time) = record.head.move_time_ms {
            let path = record.path.display();
            bail!(
                "record {path} was played with --move-time {time}: its decisions depend on the \
                 machine, and cannot be compared; `lockstep record` shows and verifies them"
            );
        }
        let mut identified = Arc::<Vec<Identity>>::default();
        // The first seat's last: the header is of that one.
        for controller in record.head.controllers().iter().rev() {
            let name = serde_json::to_string(controller)?;
            if !known.contains_key(&name) {
                configure(&mut session, controller, &run).await?;
                known.insert(name.clone(), Arc::new(session.identities()));
            }
            identified = Arc::clone(&known[&name]);
        }
        identities.push(identified);
    }
    let counts: Option<Vec<u64>> = records.iter().map(|record| record.count).collect();
    let size = size(counts.map(|counts| counts.iter().sum()));
    let kept = args.open_state(&records, &session.identities(), size)?;
    let views = args.output.views("replay", &run)?;
    // Last of what can refuse. There is one file where there is a recorder.
    let origin = records.first().map(|record| record.head.origin.clone());
    let recorder = args.output.recorder(origin.unwrap_or_default())?;

    let titles = records
        .iter()
        .zip(&identities)
        .map(|(record, identities)| Title {
            path: record.path.clone(),
            header: Header {
                seats: record.head.seated(identities.len()),
                setup: record.head.setup.clone(),
                planned: record.count.filter(|_| args.shard().is_all()),
                ..Header::new(identities.to_vec(), record.head.controller.clone())
            },
        });
    let titles: Vec<_> = titles.collect();
    let (records, reading) = (records.into_iter().zip(identities), run.stop.clone());
    let records = Records::new(records.map(move |record| checked(record, &reading)))
        .in_chunks_of(size)
        .only(args.shard());
    let (mut replay, session) = match jobs {
        Some(jobs) => {
            let open = Box::new(move || opened::<G>(specs.clone()));
            let replay = Replay::with_new(open, jobs, records, run.stop.clone())?;
            (replay, Some(session))
        }
        None => (Replay::with_same(session, records)?, None),
    };
    replay.gapless = recorder.is_some();
    if let Some((mut journal, kept)) = kept {
        replay.kept = kept;
        replay.keep = Some(Box::new(move |chunk| {
            journal.append(chunk).map_err(io::Error::other)
        }));
    }
    let mut replaying = Replaying {
        args,
        replay,
        run: &run,
        views,
        history: None,
        sum: Totals::default(),
        tally: Tally::default(),
        records: Vec::new(),
        controllers: names::<G>(titles.iter().flat_map(|title| title.header.controllers())),
        cut: Vec::new(),
    };
    let mut out = stdout(args.output.json.silences(quiet));
    let (printed, result) = replaying.all(&titles, recorder, &mut *out).await;
    let ended = replaying.end(&paths, session, printed, result, &mut *out);
    ended.await
}

/// Opens a record when its turn comes; refuses a decision that some backend does not support.
fn checked<G: CliGame>(
    (mut record, identities): (Recorded<G>, Arc<Vec<Identity>>),
    stop: &Stop,
) -> Result<lockstep::record::Reader<G>, lockstep::record::RecordError> {
    let reader = record.reader(stop)?;
    Ok(reader.refusing(move |position| {
        let checked = lockstep::session::check::<G>(&*identities, position);
        checked.map_err(|error| error.to_string())
    }))
}

type Opened<G> = Result<Vec<Box<dyn Backend<G>>>, BackendError>;

fn opened<G: CliGame>(specs: Vec<Spec>) -> BoxFuture<'static, Opened<G>> {
    async move {
        let mut backends = Vec::new();
        for (index, spec) in specs.iter().enumerate() {
            backends.push(G::backends().open(spec, nonce(index)).await?);
        }
        Ok(backends)
    }
    .boxed()
}

fn title<G: CliGame>(out: &mut dyn Write, record: &Title<G>) -> io::Result<()> {
    let path = record.path.display();
    let controller = names::<G>(record.header.controllers()).join(", ");
    let decisions = |n| format!("{}, ", count(n, DECISIONS));
    let decisions = record.header.planned.map_or(String::new(), decisions);
    let line = format!("{path}: {decisions}controller {controller}");
    writeln!(out, "{}", shown(&line))?;
    out.flush()
}

/// Reports that the end of a record is missing.
pub fn report_cut(path: &Path, line: Option<u64>, before: &str) {
    let at = line.map_or(String::new(), |line| format!(" in line {line}"));
    let path = path.display();
    let text = format!("warning: record {path} is cut short{at}: its end is missing{before}");
    anstream::eprintln!("{}", shown(&text));
}

struct Replaying<'a, G: CliGame> {
    args: &'a Args<G>,
    run: &'a Run,
    replay: Replay<G>,
    views: Views<'a, G>,
    /// The requests of the first record with a difference.
    history: Option<History<G>>,
    sum: Totals,
    tally: Tally<G>,
    records: Vec<RecordAgreement>,
    controllers: Vec<String>,
    cut: Vec<PathBuf>,
}

impl<G: CliGame> Replaying<'_, G> {
    /// Replays the records until one fails.
    ///
    /// Returns whether the titles could be printed, and the result.
    async fn all(
        &mut self,
        titles: &[Title<G>],
        mut recorder: Option<Recorder<G>>,
        out: &mut dyn Write,
    ) -> (io::Result<()>, anyhow::Result<()>) {
        let mut printed = Ok(());
        for (index, record) in titles.iter().enumerate() {
            if !self.args.output.is_tui() && !self.args.output.brief {
                printed = printed.and_then(|()| title(out, record));
            }
            let result = self.record(index, record, recorder.take()).await;
            // What was decided before an interrupt counts.
            let is_over = self.sum.interrupted && !self.replay.is_in_progress();
            if result.is_err() || is_over {
                return (printed, result);
            }
        }
        (printed, Ok(()))
    }

    async fn record(
        &mut self,
        index: usize,
        record: &Title<G>,
        recorder: Option<Recorder<G>>,
    ) -> anyhow::Result<()> {
        let file = record.path.display().to_string();
        let decisions = self.sum.decisions;
        let before = (self.tally.compared, self.tally.agreed);
        self.tally.next_record(&file);
        let mut history = History::new(true);
        let listeners = Listeners::new(&self.run.stop)
            .with(&mut self.sum)
            .with(&mut self.tally);
        let listeners = listeners.with(&mut history);
        let mut terminal = self.args.output.terminal(self.run.quiet, &file, None, true);
        if index > 0 {
            terminal = terminal.without_backends();
        }
        let views = &mut self.views;
        let mut listeners = views.attach(listeners, recorder, terminal, index > 0)?;
        if let Some(pace) = views.pace() {
            self.replay.pace = pace;
        }
        let replayed = self.replay.record(&record.header, &mut listeners).await;
        // A session that could not begin has not waited for them.
        let finished = listeners.finish().await;
        drop(listeners);
        if self.history.is_none() && history.has_found() {
            self.history = Some(history);
        }
        if let Ok(Ending::Cut { line }) = replayed {
            if !self.run.quiet {
                let whole = count(self.sum.decisions - decisions, DECISIONS);
                report_cut(&record.path, line, &format!("; {whole} were replayed"));
            }
            self.cut.push(record.path.clone());
        }
        self.records.push(RecordAgreement {
            file,
            compared: self.tally.compared - before.0,
            agreed: self.tally.agreed - before.1,
        });
        match replayed {
            Err(SessionError::Interrupted) => self.sum.interrupted = true,
            Err(error) => return all([Err(error.into()), finished.map_err(Into::into)]),
            Ok(_) => {}
        }
        Ok(finished?)
    }

    async fn end(
        self,
        files: &[PathBuf],
        session: Option<Session<G>>,
        printed: io::Result<()>,
        mut result: anyhow::Result<()>,
        out: &mut dyn Write,
    ) -> anyhow::Result<Outcome> {
        self.views.finish().await?;
        let args = self.args;
        let is_empty = self.sum.decisions == 0 && !self.sum.interrupted;
        if result.is_ok() && is_empty && args.shard().is_all() {
            result = Err(anyhow!(
                "the records hold no complete decision: nothing was compared"
            ));
        }
        let lent = self.replay.finish().await;
        let session = lent.or(session);
        let ended = Ended {
            report: SessionReport {
                command: "replay",
                controllers: self.controllers,
                totals: self.sum,
                tally: &self.tally,
                records: &self.records,
                apart: None,
                explained: None,
            },
            result,
            lists_pairs: true,
            explain: self.history.zip(session).map(|(h, s)| (&args.why, h, s)),
        };
        let about = About {
            files,
            cut: self.cut,
            shard: args.shard,
            agreement: &self.tally,
        };
        let print =
            |out: &mut dyn Write, sum: &Totals| printed.and_then(|()| shard(out, args.shard, sum));
        args.output.end(ended, about, print, out, self.run).await
    }
}

fn shard(out: &mut dyn Write, shard: Option<Shard>, sum: &Totals) -> io::Result<()> {
    match shard {
        None => Ok(()),
        Some(shard) if sum.decisions == 0 && !sum.interrupted && sum.error.is_none() => {
            writeln!(
                out,
                "shard {shard} is empty: the other shards hold all decisions"
            )
        }
        Some(shard) => writeln!(out, "shard {shard}"),
    }
}
