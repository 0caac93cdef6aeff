//! The picture of a board after its reset, at its pins: sync and the first lines.

use lockstep_flash::Board as Table;
use sim::Video;
use sim::monitor::{Connector, Monitor, WIDTH};

use crate::video::painter::{Panel, TETRIS};
use crate::{Failure, Trial};

/// Lines from the reset on: those without a picture, then some with the frame, the board's upper edge
/// and the title.
const LINES: usize = 45 + SHOWN;
const SHOWN: usize = 48;
/// Pixels of a line, visible or not.
const LINE: usize = 800;

/// Checks the first lines of the first picture: an empty board.
pub fn check(trial: &mut Trial, table: Table) -> Result<(), Failure> {
    // Cycles of the simulated pin for a pixel, as many as of the clock from which pixels are made.
    let (connector, clock_hz, pixel) = match table.word("video") {
        "vga" => (Connector::Vga, 100_000_000, 4),
        "dvi" => (Connector::Dvi, 125_000_000, 5),
        _ => return Ok(()),
    };
    let mut monitor = Monitor::new(connector, clock_hz);
    for cycle in 0..(pixel * LINE * LINES) as u64 {
        let halves = match connector {
            Connector::Vga => {
                let pins = ["vga_hs_no", "vga_vs_no", "vga_b_o", "vga_g_o", "vga_r_o"];
                trial.halves(pins)?.map(|[hsync, vsync, blue, green, red]| {
                    hsync | vsync << 1 | blue << 2 | green << 6 | red << 10
                })
            }
            Connector::Dvi => trial.halves(["gpdi_dp_o"])?.map(|[pairs]| pairs),
        };
        let changes = halves.into_iter().zip(2 * cycle..);
        let changes = changes.map(|(pins, time)| Video {
            time,
            pins: pins as u32,
        });
        let seen = monitor.see(&changes.collect::<Vec<_>>());
        if let Some(Err(why)) = seen.into_iter().next() {
            return trial.differs(why.to_string());
        }
    }
    let (cells, panel) = ([0; 200], Panel::default());
    let pixels = monitor.begun();
    let shown = pixels.len() / WIDTH;
    trial.same("whether there are lines", &(shown + 3 > SHOWN), &true)?;
    for (index, pixel) in pixels.iter().enumerate() {
        let (x, y) = (index % WIDTH, index / WIDTH);
        let colour = TETRIS.colour(&cells, &panel, x, y);
        let expected = [8, 4, 0].map(|low| (colour >> low & 0xf) as u8 * 0x11);
        trial.same(&format!("pixel {x} of line {y}"), pixel, &expected)?;
    }
    Ok(())
}
