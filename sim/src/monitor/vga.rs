//! Recovers pixels from VGA: a line has 800 from one HSYNC to the next.

use super::Pixel;
use super::raster::COLUMNS;
use crate::Video;

#[derive(Default)]
pub(super) struct Vga {
    pins: u32,
    /// When the HSYNC began, and how long the line before took; in halves of a clock cycle.
    line: Option<(u64, Option<u64>)>,
    /// Pixels of the line so far.
    taken: u32,
}

impl Vga {
    /// Passes on the pixels whose middle lies before a change. Returns the time of a line that has
    /// ended.
    pub(super) fn change(&mut self, change: &Video, mut pixel: impl FnMut(Pixel)) -> Option<u64> {
        if let Some((start, Some(period))) = self.line {
            let middle = |x: u32| start + u64::from(2 * x + 1) * period / u64::from(2 * COLUMNS);
            while self.taken < COLUMNS && middle(self.taken) < change.time {
                self.taken += 1;
                pixel(seen(self.pins));
            }
        }
        let falls = self.pins & !change.pins & 1 == 1;
        self.pins = change.pins;
        if !falls {
            return None;
        }
        let period = self.line.map(|(start, _)| change.time - start);
        self.line = Some((change.time, period));
        self.taken = 0;
        period
    }
}

/// The pins' levels, four bits of a colour spread over eight.
fn seen(pins: u32) -> Pixel {
    let colour = |low: u32| (pins >> low & 0xf) as u8 * 0x11;
    Pixel {
        hsync: pins & 1 == 1,
        vsync: pins & 2 == 2,
        visible: None,
        colour: [10, 6, 2].map(colour),
    }
}
