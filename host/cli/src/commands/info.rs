//! `lockstep info`

use std::io::{self, Write};

use lockstep::backend::Kind;
use lockstep::{Backend, Spec};
use lockstep_games::tetris::Tetris;
use protocol::layout;
use protocol::payload::link::{Info, Stats};

use super::Outcome;
use super::backends::{backend, open, openers};
use super::interrupt::listen;
use super::output::stdout;
use super::wait::wait;

pub const EXAMPLES: &str = "\
Examples:
  lockstep info
  lockstep info --backend sim-uart:baud=115200
  lockstep info --backend serial:/dev/ttyUSB1
  lockstep -vvv info --backend sim";

#[derive(clap::Args)]
pub struct Args {
    /// The backend; repeat it for several [default: all there are here]
    #[arg(long = "backend", value_name = "BACKEND", value_parser = backend)]
    backends: Vec<Spec>,
}

pub async fn run(args: &Args, quiet: bool) -> anyhow::Result<Outcome> {
    let stop = listen();
    let mut out = stdout(false);
    let mut specs = args.backends.clone();
    let all = specs.is_empty();
    if all {
        for opener in openers().iter().filter(|opener| opener.target().is_none()) {
            match opener.present() {
                Ok(()) => specs.push(backend(opener.name())?),
                Err(why) => {
                    line(&mut out, "backend", opener.name())?;
                    line(&mut out, "absent", &why)?;
                    writeln!(out)?;
                }
            }
        }
    }
    for mut backend in open(&specs, quiet, &stop).await? {
        let what = format!("asking {}", backend.identity().name);
        let stats = wait(&what, quiet, &stop, backend.stats()).await?;
        show(&mut out, backend.as_ref(), stats)?;
        out.flush()?;
    }
    if all {
        show_named(&mut out)?;
    }
    Ok(Outcome::Agreed)
}

/// What can be asked once it is told where it is.
fn show_named(out: &mut dyn Write) -> io::Result<()> {
    for opener in openers().iter() {
        if let Some(target) = opener.target() {
            line(out, "backend", &format!("{}:{target}", opener.name()))?;
            line(out, "description", opener.about())?;
            if opener.kind() == Kind::Link {
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

fn show(
    out: &mut dyn Write,
    backend: &dyn Backend<Tetris>,
    stats: Option<Stats>,
) -> anyhow::Result<()> {
    let identity = backend.identity();
    line(out, "backend", &identity.name)?;
    line(out, "description", &identity.description)?;
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
