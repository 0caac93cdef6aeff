//! `lockstep info`

use std::io::{self, Write};

use lockstep::backend::open::Target;
use lockstep::backend::{BackendErrorKind, Kind};
use lockstep::{Backend, BackendError, Spec, Stop};
use protocol::layout;
use protocol::payload::link::{Info, Stats};

use super::Outcome;
use super::backends::{backend, check_names, open_one};
use super::interrupt::listen;
use super::options::GameName;
use super::output::stdout;
use super::wait::wait;
use crate::games::{CliGame, Entry, GAMES};

pub const EXAMPLES: &str = "\
Examples:
  lockstep info
  lockstep info --backend sim-uart:baud=115200
  lockstep info --backend serial:/dev/ttyUSB1
  lockstep -vvv info --backend sim";

#[derive(clap::Args)]
pub struct Args<G: CliGame> {
    /// The backend; repeat it for several [default: all there are here]
    #[arg(long = "backend", value_name = "BACKEND", value_parser = backend::<G>)]
    backends: Vec<Spec>,
    #[command(flatten)]
    game: GameName<G>,
}

pub async fn run<G: CliGame>(args: &Args<G>, quiet: bool) -> anyhow::Result<Outcome> {
    let stop = listen();
    let mut out = stdout(false);
    let mut specs = args.backends.clone();
    let all = specs.is_empty();
    if all {
        let factories = G::backends().iter();
        for factory in factories.filter(|factory| factory.target == Target::None) {
            match factory.absent {
                None => specs.push(backend::<G>(factory.name)?),
                Some(why) => {
                    line(&mut out, "backend", factory.name)?;
                    line(&mut out, "absent", why)?;
                    writeln!(out)?;
                }
            }
        }
    }
    check_names(&specs)?;
    for (index, spec) in specs.iter().enumerate() {
        let name = spec.to_string();
        let mut described = describe::<G>(&name, index, quiet, &stop).await;
        if let Some(game) = described.as_ref().err().and_then(other_game) {
            described = (game.describe)(&name, index, quiet, &stop).await;
        }
        out.write_all(&described?)?;
        out.flush()?;
    }
    if all {
        show_named::<G>(&mut out)?;
    }
    Ok(Outcome::Agreed)
}

/// The game that the core of a backend plays, where it is another one.
fn other_game(error: &anyhow::Error) -> Option<&'static Entry> {
    match error.downcast_ref::<BackendError>()?.kind {
        BackendErrorKind::Game { plays, .. } => GAMES.iter().find(|game| game.name == plays),
        _ => None,
    }
}

/// What a backend is, as text.
pub async fn describe<G: CliGame>(
    name: &str,
    index: usize,
    quiet: bool,
    stop: &Stop,
) -> anyhow::Result<Vec<u8>> {
    let spec = backend::<G>(name)?;
    let opening = open_one::<G>(&spec, index);
    let mut backend = wait(&format!("opening {name}"), quiet, stop, opening).await?;
    let stats = wait(&format!("asking {name}"), quiet, stop, backend.stats()).await?;
    let mut text = Vec::new();
    show(&mut text, backend.as_ref(), stats)?;
    Ok(text)
}

/// What can be asked once it is told where it is.
fn show_named<G: CliGame>(out: &mut dyn Write) -> io::Result<()> {
    for factory in G::backends().iter() {
        if let Some(target) = factory.target.name() {
            line(out, "backend", &format!("{}:{target}", factory.name))?;
            line(out, "description", factory.about)?;
            if factory.kind == Kind::Link {
                line(out, "to be named", "`lockstep boards` lists what there is")?;
            }
            writeln!(out)?;
        }
    }
    Ok(())
}

fn line(out: &mut dyn Write, name: &str, value: &str) -> io::Result<()> {
    writeln!(out, "{name:<13} {value}")
}

fn show<G: CliGame>(
    out: &mut dyn Write,
    backend: &dyn Backend<G>,
    stats: Option<Stats>,
) -> anyhow::Result<()> {
    let identity = backend.identity();
    line(out, "backend", &identity.name.to_string())?;
    line(out, "description", &identity.description.to_string())?;
    line(out, "boards", &identity.capabilities.boards.to_string())?;
    let names = identity.capabilities.names();
    let capabilities = match names.as_slice() {
        [] => "none beside deciding on the piece alone".to_owned(),
        names => names.join(", "),
    };
    line(out, "capabilities", &capabilities)?;
    if let Some(info) = &identity.core {
        show_core(out, info)?;
    }
    if let Some(s) = stats {
        let Stats {
            frames_good,
            bad_crc,
            malformed,
            overrun,
        } = s;
        let frames = format!(
            "{frames_good} good, {bad_crc} bad CRC, {malformed} malformed, {overrun} overrun"
        );
        line(out, "frames", &frames)?;
    }
    if let Some(link) = backend.link() {
        let bytes = format!(
            "{} bytes sent, {} received",
            link.link.sent, link.link.received
        );
        line(out, "link", &bytes)?;
    }
    writeln!(out)?;
    Ok(())
}

fn show_core(out: &mut dyn Write, info: &Info) -> io::Result<()> {
    let game = layout::game(info.game).map_or("unknown", |game| game.name);
    let (version, hash) = (info.protocol_version, info.layout_hash);
    let protocol = format!("version {version}, layout {hash:08x}");
    line(out, "protocol", &protocol)?;
    line(out, "RTL build", &format!("{:08x}", info.build_id))?;
    let (columns, rows) = (info.columns, info.rows);
    line(out, "game", &format!("{game}, board {columns}x{rows}"))?;
    line(out, "lanes", &info.lanes.to_string())?;
    line(out, "multipliers", &info.multipliers.to_string())?;
    line(out, "window", &info.window.to_string())?;
    line(out, "clock", &format!("{} Hz", info.clock_hz))
}
