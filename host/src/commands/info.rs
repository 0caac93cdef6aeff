//! `lockstep info`

use std::io::Write as _;

use host::backend::{Backend, Spec};
use host::games::tetris::Tetris;
use protocol::layout::{self, link::CAPABILITIES};
use protocol::payload::link::{Info, Stats};

use super::{Outcome, open};

#[derive(clap::Args)]
pub struct Args {
    /// The backend; repeat it for several
    #[arg(long = "backend", value_name = "BACKEND", required = true)]
    backends: Vec<Spec>,
}

pub async fn run(args: &Args) -> anyhow::Result<Outcome> {
    let mut backends = open(&args.backends).await?;
    for backend in &mut backends {
        let stats = backend.stats().await?;
        show(backend.as_ref(), stats)?;
    }
    Ok(Outcome::Agreed)
}

fn show(backend: &dyn Backend<Tetris>, stats: Option<Stats>) -> anyhow::Result<()> {
    let identity = backend.identity();
    let mut out = anstream::stdout().lock();
    let mut line = |name: &str, value: &str| writeln!(out, "{name:<13} {value}");
    line("backend", &identity.name)?;
    line("description", &identity.description)?;
    line("lookahead", if identity.lookahead { "yes" } else { "no" })?;
    if let Some(info) = &identity.core {
        show_core(info, &mut line)?;
    }
    if let Some(s) = stats {
        let Stats {
            frames_good,
            bad_crc,
            malformed,
            overrun,
        } = s;
        line(
            "frames",
            &format!(
                "{frames_good} good, {bad_crc} bad CRC, {malformed} malformed, {overrun} overrun"
            ),
        )?;
    }
    writeln!(out)?;
    Ok(())
}

fn show_core(
    info: &Info,
    line: &mut impl FnMut(&str, &str) -> std::io::Result<()>,
) -> std::io::Result<()> {
    let game = layout::game(info.game).map_or("unknown", |game| game.name);
    let (version, hash) = (info.protocol_version, info.layout_hash);
    line("protocol", &format!("version {version}, layout {hash:08x}"))?;
    line("RTL build", &format!("{:08x}", info.build_id))?;
    line(
        "game",
        &format!("{game}, board {}×{}", info.columns, info.rows),
    )?;
    line("lanes", &info.lanes.to_string())?;
    line("window", &info.window.to_string())?;
    line("clock", &format!("{} Hz", info.clock_hz))?;
    let has = CAPABILITIES.iter().filter(|c| info.has(**c));
    let capabilities: Vec<_> = has.map(|c| c.name).collect();
    let list = match capabilities.as_slice() {
        [] => "none".to_owned(),
        names => names.join(", "),
    };
    line("capabilities", &list)
}
