//! `video_picture`: lines of pictures of random boards, with pauses between pixels.

use std::collections::VecDeque;

use sim::Bits;

use super::painter::{Layout, Panel};
use crate::{Failure, Trial};

/// Enabled cycles from a pixel's place to its colour, the last one not counted.
const LATENCY: usize = 3;

const OUTPUTS: [&str; 4] = ["colour_o", "visible_o", "hsync_no", "vsync_no"];
const INPUTS: [&str; 5] = ["x_i", "y_i", "visible_i", "hsync_ni", "vsync_ni"];

pub fn run(trial: &mut Trial, layout: Layout) -> Result<(), Failure> {
    for _ in 0..2 {
        let count = layout.columns * layout.rows;
        let cells: Vec<u8> = (0..count).map(|_| trial.random.below(4) as u8).collect();
        let panel = any_panel(trial);
        trial.put("panel_i", packed(&panel));
        let is_shown = trial.random.chance(80);
        trial.put("shown_i", is_shown);
        let mut expected = VecDeque::new();
        for y in 0..480 {
            // Of most lines the first pixel alone: a line's first pixel counts it.
            let is_whole = trial.random.chance(8);
            for x in 0..if is_whole { 640 } else { 1 } {
                let [visible, hsync, vsync] = [97, 50, 50].map(|p| trial.random.chance(p));
                let is_dark = !visible || !is_shown;
                let colour = if is_dark {
                    0
                } else {
                    layout.colour(&cells, &panel, x, y)
                };
                expected.push_back([colour.into(), visible.into(), hsync.into(), vsync.into()]);
                let inputs = [
                    x as u64,
                    y as u64,
                    visible.into(),
                    hsync.into(),
                    vsync.into(),
                ];
                pixel(trial, inputs, &cells)?;
                if expected.len() > LATENCY {
                    let pixel: [u64; 4] = expected.pop_front().unwrap_or_default();
                    let got = OUTPUTS.map(|output| trial.get(output));
                    let what =
                        format!("colour, visible, HSYNC, VSYNC before pixel {x} of line {y}");
                    trial.same(&what, &got, &pixel)?;
                }
            }
        }
    }
    Ok(())
}

/// A pixel with its inputs, perhaps after some cycles between two pixels; the memory of cells.
fn pixel(trial: &mut Trial, inputs: [u64; 5], cells: &[u8]) -> Result<(), Failure> {
    while trial.random.chance(10) {
        INPUTS.into_iter().for_each(|input| trial.garbage(input));
        trial.put("en_i", false);
        trial.clock()?;
    }
    for (input, value) in INPUTS.into_iter().zip(inputs) {
        trial.put(input, value);
    }
    trial.put("en_i", true);
    let cell = cells.get(trial.get("cell_addr_o") as usize);
    trial.clock()?;
    trial.put("cell_i", u64::from(cell.copied().unwrap_or(0)));
    Ok(())
}

pub fn any_panel(trial: &mut Trial) -> Panel {
    let random = &mut trial.random;
    Panel {
        now: random.bits() as u16,
        next: random.bits() as u16,
        numbers: std::array::from_fn(|_| random.below(1_000_000) as u32),
        turn: std::array::from_fn(|_| random.chance(50)),
    }
}

/// The panel as a packed struct.
pub fn packed(panel: &Panel) -> Bits {
    let decimal = |number: u32| {
        let digits = (0..6).map(|digit| u64::from(number / 10_u32.pow(digit) % 10) << (4 * digit));
        (digits.sum(), 24)
    };
    Bits::packed(&[
        (panel.now.into(), 16),
        (panel.next.into(), 16),
        decimal(panel.numbers[1]),
        decimal(panel.numbers[0]),
        (u64::from(panel.turn[1]) << 1 | u64::from(panel.turn[0]), 2),
    ])
}
