//! The list of ports and virtual boards as text.

use std::io::{self, Write};

use lockstep::link::latency::remark;
use protocol::layout;
use protocol::payload::link::Info;

use super::{Found, Kind};
use crate::games::GAMES;
use crate::output::failure::{quoted, shown};
use crate::output::{GOOD, STRONG};

/// Writes every listed place with the core there.
pub fn show(out: &mut dyn Write, all: &[Found]) -> io::Result<()> {
    if all.is_empty() {
        return writeln!(
            out,
            "no serial ports here, and no virtual boards\n  plug a board in, or start a virtual \
             one: lockstep serve --pty"
        );
    }
    for found in all {
        let port = match found.kind {
            Kind::Tcp => &found.backend,
            _ => &found.port,
        };
        let (port, device) = (shown(port), shown(device(found)));
        writeln!(out, "{STRONG}{port}{STRONG:#}{device}")?;
        match (&found.core, &found.error) {
            (Some(core), _) => writeln!(out, "  {GOOD}answers{GOOD:#}  {}", answer(core))?,
            (None, Some(error)) => writeln!(out, "  {}", shown(error))?,
            (None, None) => {
                writeln!(
                    out,
                    "  not identified: not a USB device; `lockstep boards {port}` identifies it"
                )?;
            }
        }
        match &found.remark {
            Some(remark) => writeln!(out, "  but {}", shown(remark))?,
            None => {
                if let Some(core) = &found.core {
                    let game = layout::game(core.game).filter(|game| game.name != GAMES[0].name);
                    let game = game.map_or(String::new(), |game| format!("--game {} ", game.name));
                    writeln!(out, "  {game}--backend {}", quoted(&found.backend))?;
                }
            }
        }
        let slow = found.latency_timer_ms.and_then(remark);
        slow.iter().try_for_each(|slow| writeln!(out, "  {slow}"))?;
    }
    Ok(())
}

fn device(found: &Found) -> String {
    match (found.kind, &found.usb) {
        (Kind::Virtual, _) => {
            let about = found.about.as_deref().unwrap_or_default();
            format!("  virtual board: {about}")
        }
        (_, Some(usb)) => {
            let mut text = format!("  {}", usb.id());
            for part in [&usb.product, &usb.serial].into_iter().flatten() {
                text += &format!(", {part}");
            }
            usb.interface
                .iter()
                .for_each(|n| text += &format!(", interface {n}"));
            text
        }
        _ => String::new(),
    }
}

fn answer(core: &Info) -> String {
    let game = layout::game(core.game).map_or("unknown game", |game| game.name);
    let mhz = f64::from(core.clock_hz) / 1e6;
    let board = format!("board {}x{}", core.columns, core.rows);
    let (build, layout) = (core.build_id, core.layout_hash);
    let (protocol, window) = (core.protocol_version, core.window);
    format!(
        "{game}, {board}, RTL build {build:08x}, protocol {protocol}, layout {layout:08x}, window \
         {window}, {mhz} MHz"
    )
}

#[cfg(test)]
mod tests {
    use lockstep::link::ports::Usb;

    use super::*;

    #[test]
    fn hostile_product_name_is_escaped() {
        let found = Found {
            usb: Some(Usb {
                vid: 0x0403,
                pid: 0x6010,
                serial: None,
                manufacturer: None,
                product: Some("Digilent\u{1b}[2J\n\u{202e}".into()),
                interface: Some(1),
            }),
            ..Found::new(Kind::Usb, "/dev/ttyUSB1")
        };
        let mut out = Vec::new();
        show(&mut out, &[found]).expect("memory takes it");
        let text = String::from_utf8(out).expect("text");
        let device = r"0403:6010, Digilent\u{1b}[2J\n\u{202e}, interface 1";
        assert!(text.contains(device), "{text}");
    }
}
