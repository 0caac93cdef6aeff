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
    // Nothing is shown before the first scene.
    for is_shown in [true, false, true] {
        let count = layout.columns * layout.rows;
        let cells: Vec<u8> = (0..count).map(|_| trial.random.below(4) as u8).collect();
        let panel = any_panel(trial);
        trial.put("panel_i", packed(&panel));
        trial.put("shown_i", is_shown);
        let mut expected = VecDeque::new();
        let dots = trial.random.index(4);
        for y in 0..480 {
            // A line of each row of dots where there is text, and some others; of most lines the
            // first pixel alone, which counts them.
            let has_text = [1, 3, 8, 9, 11, 12].contains(&(y / 32));
            let is_text = is_shown && has_text && y % 4 == dots;
            // The last line of the frame above and below the board, and the one beyond.
            let end = layout.top + layout.rows * layout.cell;
            let is_edge = [layout.top - 5, layout.top - 4, end + 3, end + 4].contains(&y);
            let is_whole = is_text || is_edge || trial.random.chance(5);
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

/// A panel with all digits; mostly it is one seat's turn.
pub fn any_panel(trial: &mut Trial) -> Panel {
    let random = &mut trial.random;
    let first = random.below(10) as u32;
    let number = |first| (first..first + 6).fold(0, |all, digit| 10 * all + digit % 10);
    let turn = random.chance(50);
    Panel {
        now: random.bits() as u16,
        next: random.bits() as u16,
        numbers: [number(first), number(first + 6)],
        turn: [turn, turn == random.chance(10)],
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
