//! `lockstep info`

use std::fmt;
use std::io::{self, Write};

use futures::future::LocalBoxFuture;
use lockstep::backend::open::Target;
use lockstep::backend::{BackendErrorKind, Kind};
use lockstep::{Backend, BackendError, Spec};
use protocol::layout;
use protocol::payload::link::{Buttons, Info, Stats};

use crate::games::CliGame;
use crate::games::options::GameName;
use crate::output::failure::shown;
use crate::output::{Outcome, stdout};
use crate::run::wait::Run;
use crate::session::backends::{backend, check_names, open_one, opening};

#[derive(clap::Args)]
#[command(after_help = "\
  lockstep info
  lockstep info --backend sim-uart:baud=115200
  lockstep info --backend serial:/dev/ttyUSB1
  lockstep -vvv info --backend sim")]
pub struct Args<G: CliGame> {
    /// A backend, as in `lockstep play --help`; repeat the option for several [default: all that
    /// this program has]
    #[arg(long = "backend", value_name = "BACKEND", value_parser = backend::<G>)]
    backends: Vec<Spec>,
    #[command(flatten)]
    game: GameName<G>,
}

/// Describes a backend, given its name and its index among the opened ones.
pub type Describe =
    for<'a> fn(&'a str, usize, &'a Run) -> LocalBoxFuture<'a, anyhow::Result<Vec<u8>>>;

/// Describes backends; `of_game` finds the function that describes a core of another game.
pub async fn run<G: CliGame>(
    args: &Args<G>,
    of_game: fn(&str) -> Option<Describe>,
    quiet: bool,
) -> anyhow::Result<Outcome> {
    let run = Run::start(quiet);
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
        let mut described = describe::<G>(&name, index, &run).await;
        let other = described.as_ref().err().and_then(other_game);
        if let Some(describe) = other.and_then(of_game) {
            described = describe(&name, index, &run).await;
        }
        out.write_all(&described?)?;
        out.flush()?;
    }
    if all {
        show_named::<G>(&mut out)?;
    }
    Ok(Outcome::Agreed)
}

/// The name of another game, if the core of a backend plays that.
fn other_game(error: &anyhow::Error) -> Option<&'static str> {
    match error.downcast_ref::<BackendError>()?.kind {
        BackendErrorKind::Game { plays, .. } => Some(plays),
        _ => None,
    }
}

pub async fn describe<G: CliGame>(name: &str, index: usize, run: &Run) -> anyhow::Result<Vec<u8>> {
    let spec = backend::<G>(name)?;
    let opened = open_one::<G>(&spec, index);
    let mut backend = run.wait(&opening(&spec), opened).await?;
    let stats = run
        .wait(&format!("querying {name}"), backend.stats())
        .await?;
    let buttons = run
        .wait(&format!("querying {name}"), backend.buttons())
        .await?;
    let mut text = Vec::new();
    show(&mut text, backend.as_ref(), stats)?;
    if let Some(Buttons { presses }) = buttons {
        let counts = presses.map(|count| count.to_string());
        line(
            &mut text,
            "buttons",
            format!("pressed {}", counts.join(", ")),
        )?;
    }
    Ok(text)
}

fn show_named<G: CliGame>(out: &mut dyn Write) -> io::Result<()> {
    for factory in G::backends().iter() {
        if let Some(target) = factory.target.name() {
            line(out, "backend", format!("{}:{target}", factory.name))?;
            line(out, "description", factory.about)?;
            if factory.kind == Kind::Link {
                line(out, "target", "`lockstep boards` lists them")?;
            }
            writeln!(out)?;
        }
    }
    Ok(())
}

fn line(out: &mut dyn Write, name: &str, value: impl fmt::Display) -> io::Result<()> {
    writeln!(out, "{name:<13} {}", shown(value))
}

fn show<G: CliGame>(
    out: &mut dyn Write,
    backend: &dyn Backend<G>,
    stats: Option<Stats>,
) -> io::Result<()> {
    let identity = backend.identity();
    line(out, "backend", &identity.name)?;
    line(out, "description", &identity.description)?;
    line(out, "boards", identity.capabilities.boards)?;
    let capabilities = match identity.capabilities.names() {
        none if none.is_empty() => "none: it only decides, without lookahead".to_owned(),
        names => names.join(", "),
    };
    line(out, "capabilities", capabilities)?;
    if let Some(info) = &identity.core {
        show_core(out, info)?;
    }
    if let Some(s) = stats {
        let frames = format!(
            "{} good, {} bad CRC, {} malformed, {} overrun",
            s.frames_good, s.bad_crc, s.malformed, s.overrun
        );
        line(out, "frames", frames)?;
    }
    if let Some(link) = backend.link() {
        let (sent, received) = (link.link.sent, link.link.received);
        let bytes = format!("{sent} bytes sent, {received} received");
        line(out, "link", bytes)?;
    }
    writeln!(out)
}

fn show_core(out: &mut dyn Write, info: &Info) -> io::Result<()> {
    let game = layout::game(info.game).map_or("unknown", |game| game.name);
    let (version, hash) = (info.protocol_version, info.layout_hash);
    let (columns, rows) = (info.columns, info.rows);
    line(
        out,
        "protocol",
        format!("version {version}, layout {hash:08x}"),
    )?;
    line(out, "RTL build", format!("{:08x}", info.build_id))?;
    line(out, "game", format!("{game}, board {columns}x{rows}"))?;
    line(out, "lanes", info.lanes)?;
    line(out, "multipliers", info.multipliers)?;
    line(out, "window", info.window)?;
    line(out, "clock", format!("{} Hz", info.clock_hz))
}
