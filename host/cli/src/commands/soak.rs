//! `lockstep soak`

mod follow;
mod view;

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::bail;
use follow::Follow;
use indicatif::HumanCount;
use lockstep::Spec;
use lockstep::backend::{Identity, Kind};
use lockstep_backends::soak::run::MOST_SPACING;
use lockstep_backends::soak::{KIND, Reference, Soak, SoakEnd, SoakMode, SoakPlan, SoakState};
use lockstep_games::tetris::playing::check_games;
use lockstep_games::tetris::timing::Core;
use lockstep_games::tetris::{Controller, Search, Tetris};
use lockstep_games::{Catalog as _, Game as _, Shard, ShardHeader};
use lockstep_lab::journal::Journal;
use protocol::layout::link::EXACT_CYCLES;
use protocol::layout::tetris::SELF_PLAY_GAMES;
use serde_json::json;
use tokio::task::spawn_blocking;

use crate::games::options::{GameName, load};
use crate::input::numbers::number;
use crate::input::shards;
use crate::output::failure::{all, quoted, shown};
use crate::output::files::check_kept;
use crate::output::{DECISIONS, Json, Outcome, count, stdout};
use crate::run::wait::Run;
use crate::session::backends::{backend, open_one, opening};
use view::{divergence, summary};

#[derive(clap::Args)]
#[command(after_help = "\
  lockstep soak --decisions 100000
  lockstep soak --backend serial:auto --decisions 1000000000 --state soak.json
  lockstep soak --backend sim:core=lanes --games 16
  lockstep soak --backend sim --batch --controller lowest --seed 7
  lockstep soak --decisions 1000000 --shard 2/8 --state shard-2.jsonl")]
pub struct Args {
    /// A backend, as in `lockstep play --help`
    #[arg(long, value_name = "BACKEND", value_parser = backend::<Tetris>, default_value = "sim")]
    backend: Spec,
    #[arg(long, value_name = "NAME", default_value = Tetris::DEFAULT, help = linear_help())]
    controller: String,
    /// Decisions in all, including earlier runs of the same command
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = number::<u64>(1..=u64::MAX))]
    decisions: u64,
    /// Initial state of the generator that draws the pieces
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Pieces from one checkpoint to the next [default: as many as the backend plays in 0.1
    /// seconds]
    #[arg(long, value_name = "K", value_parser = number::<u32>(1..=MOST_SPACING.into()))]
    spacing: Option<u32>,
    /// Games side by side, 16 at most; several need a core with lanes, the golden model or the
    /// engine
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number::<u8>(1..=SELF_PLAY_GAMES.into()))]
    games: u8,
    /// Send the pieces in batches, and compare every move, not only checkpoints
    #[arg(long, conflicts_with_all = ["spacing", "games"])]
    batch: bool,
    /// Keep the progress in this file, from which the same command continues
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    /// Start over even if there is a state
    #[arg(long, requires = "state")]
    fresh: bool,
    /// Compare shard I of N: the I-th of N stretches of the decisions; the engine alone plays the
    /// decisions before it. `lockstep merge` joins the states of the N shards
    #[arg(long, value_name = "I/N", requires = "state")]
    shard: Option<Shard>,
    #[command(flatten)]
    game: GameName<Tetris>,
    #[command(flatten)]
    json: Json,
}

/// Whether cores play by themselves with that controller.
fn plays_alone(controller: &Controller) -> bool {
    let linear = controller.linear();
    linear.is_some_and(|linear| linear.search == Search::ONE)
}

fn linear_help() -> String {
    let mut names = Tetris::presets();
    names.retain(|name| load::<Tetris>(name).is_ok_and(|controller| plays_alone(&controller)));
    let names = names.join(", ");
    format!("A linear controller of depth 1, built in ({names}) or in a file")
}

impl Args {
    fn plan(&self, controller: Controller) -> anyhow::Result<SoakPlan> {
        if !plays_alone(&controller) {
            let name = &controller.name;
            bail!("--controller {name}: self-play needs a linear controller of depth 1; name one");
        }
        Ok(SoakPlan {
            controller,
            seed: self.seed,
            decisions: self.boundary(|shard| shard.number()),
            mode: match self.batch {
                true => SoakMode::Batch,
                false => SoakMode::SelfPlay,
            },
            games: self.games,
            scores: true,
            core: None,
        })
    }

    /// The plan for a backend, with the fields that it reports; fails if it cannot play the plan.
    fn for_backend(&self, plan: SoakPlan, backend: &Identity) -> anyhow::Result<SoakPlan> {
        let can = backend.capabilities;
        let (unsupported, remedy) = match self.batch {
            true => (!can.batch, "batches"),
            false => (!can.self_play, "self-play"),
        };
        if unsupported {
            bail!(
                "--backend {}: it has no {remedy} (`lockstep info` says what a backend can do); \
                 `lockstep play` compares it decision by decision",
                backend.name
            );
        }
        if let Err(why) = check_games(self.games, backend.core.as_ref()) {
            bail!("--backend {}: {why}", backend.name);
        }
        let exact = backend.core.filter(|core| core.has(EXACT_CYCLES));
        Ok(SoakPlan {
            scores: backend.kind != Kind::Engine,
            core: exact.as_ref().and_then(Core::of),
            ..plan
        })
    }

    /// Number of decisions of the first shards; `stretches` gives the number of these.
    fn boundary(&self, stretches: impl Fn(Shard) -> u64) -> u64 {
        let shard = self.shard.unwrap_or(Shard::ALL);
        let decisions = u128::from(self.decisions) * u128::from(stretches(shard));
        (decisions / u128::from(shard.of())) as u64
    }

    /// The header of the shard's journal.
    fn header(&self) -> anyhow::Result<Option<ShardHeader>> {
        let Some(shard) = self.shard else {
            return Ok(None);
        };
        if self.games > 1 {
            bail!(
                "--shard {shard}: games side by side begin again with each request, so shards do not \
                 add up to one run; leave --games out"
            );
        }
        shards::header(self.shard, self.decisions, "decision", 1)?;
        Ok(Some(ShardHeader {
            work: count(self.decisions, DECISIONS),
            ..ShardHeader::new(shard, shard.of(), "stretch")
        }))
    }

    /// The journal, and the state to begin with: the saved one, or the one before the first piece
    /// of the shard.
    async fn begin(
        &self,
        plan: &SoakPlan,
        backend: &Identity,
        run: &Run,
    ) -> anyhow::Result<(Option<Journal>, SoakState)> {
        let Some(state) = &self.state else {
            return Ok((None, plan.begin()));
        };
        let (settings, shard) = (plan.settings(backend), self.header()?);
        let (journal, kept) = Journal::open(KIND, state, &settings, shard, self.fresh)?;
        let begin = match kept.into_iter().next_back() {
            Some(kept) => kept,
            None => {
                let first = self.boundary(|shard| shard.number() - 1);
                let plan = plan.clone();
                let ahead = spawn_blocking(move || {
                    Reference::after(&plan, first).map(|reference| reference.state().clone())
                });
                let what = format!("playing {first} decisions ahead");
                let ahead = run.wait(&what, ahead).await?;
                ahead.map_err(anyhow::Error::from_boxed)?
            }
        };
        Ok((Some(journal), begin))
    }
}

pub async fn run(args: &Args, quiet: bool) -> anyhow::Result<Outcome> {
    let controller = load::<Tetris>(&args.controller)?;
    let state = args.state.as_deref().map(|state| ("--state", state));
    let read = Path::new(&args.controller);
    check_kept(state.as_slice(), args.json.file(), Some(read))?;
    let plan = args.plan(controller)?;
    let run = Run::start(quiet);
    let opened = open_one::<Tetris>(&args.backend, 0);
    let mut backend = run.wait(&opening(&args.backend), opened).await?;
    let plan = args.for_backend(plan, backend.identity())?;
    let (journal, begin) = args.begin(&plan, backend.identity(), &run).await?;
    let what = format!("setting {}", plan.controller.name);
    run.wait(&what, backend.configure(&plan.controller)).await?;

    let silent = args.json.silences(quiet);
    let mut out = stdout(silent);
    let identity = backend.identity().clone();
    writeln!(
        out,
        "  {}  {}",
        shown(&identity.name),
        shown(&identity.description)
    )?;
    if begin.sums.pieces > args.boundary(|shard| shard.number() - 1) {
        let done = HumanCount(begin.sums.pieces);
        match begin.sums.pieces < plan.decisions {
            true => writeln!(out, "  continuing after {done} decisions")?,
            false => writeln!(
                out,
                "  already finished after {done} decisions; a higher --decisions continues, \
                 --fresh starts over"
            )?,
        }
    }
    out.flush()?;
    let mut follow = Follow::new(journal, args.shard, &begin, plan.decisions, silent)?;
    let soak = Soak {
        plan: &plan,
        spacing: args.spacing,
        stop: &run.stop,
    };
    let first = begin.sums.pieces;
    let (place, end) = soak.run(&mut *backend, begin, &mut follow).await;
    let (seconds, kept) = follow.finish(&place);
    let (found, ended) = match end {
        Ok(SoakEnd::Agreed) => (None, Ok(Outcome::Agreed)),
        Ok(SoakEnd::Interrupted) => (None, Ok(Outcome::Interrupted)),
        Ok(SoakEnd::Diverged(found)) => (Some(found), Ok(Outcome::Diverged)),
        Err(why) => (None, Err(anyhow::Error::from_boxed(why))),
    };
    let compared = place.sums.pieces.saturating_sub(first);
    // `sums` are of all decisions that agreed, including earlier runs.
    let document = json!({
        "controller": plan.controller.name,
        "seed": plan.seed,
        "backend": identity,
        "batch": args.batch,
        "games": args.games,
        "shard": args.shard,
        "decisions": plan.decisions,
        "compared": compared,
        "sums": place.sums,
        "signature": format!("{:016x}", place.sums.signature),
        "agreed": found.is_none(),
        "divergence": found,
        "seconds": seconds,
        "link": backend.link(),
    });
    let name = identity.name.to_string();
    let mut text = found.map_or(String::new(), |found| divergence(&found, &name));
    text += &summary(&place, compared, seconds);
    let printed = report(args, &text, &place, &ended, &mut *out);
    let interrupted = matches!(ended, Ok(Outcome::Interrupted));
    let result = match (ended, all([kept, printed])) {
        (Err(why), kept) => all([Err(why), kept]).map(|()| Outcome::Agreed),
        (Ok(outcome), kept) => kept.map(|()| outcome),
    };
    let command = ("soak", Tetris::NAME);
    args.json.end(command, interrupted, result, document)
}

/// Prints the result, and how to continue.
fn report(
    args: &Args,
    text: &str,
    place: &SoakState,
    ended: &anyhow::Result<Outcome>,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    write!(out, "{text}")?;
    match (ended, &args.state) {
        (Ok(Outcome::Agreed), _) => {}
        (_, Some(state)) => {
            let state = shown(state.display());
            writeln!(
                out,
                "{} decisions are saved in {state}; this command continues:\n  {}",
                HumanCount(place.sums.pieces),
                again()
            )?;
        }
        (Ok(Outcome::Interrupted), None) => {
            writeln!(out, "nothing is saved; --state FILE saves the progress")?;
        }
        _ => {}
    }
    Ok(out.flush()?)
}

/// The command that continues: this one without `--fresh`.
fn again() -> String {
    let words = std::env::args().skip(1).filter(|word| word != "--fresh");
    let words = words.map(|word| quoted(&word));
    format!("lockstep {}", words.collect::<Vec<_>>().join(" "))
}
