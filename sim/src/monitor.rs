//! A monitor at the pins of a picture: VGA or DVI, 640 × 480 at 60 pictures a second.
//!
//! It knows the pins alone. `vga` and `dvi` recover the pixels from them, as a monitor does:
//! from the HSYNC, or from the pair with the clock and the control words of the others. `raster`
//! checks sync, polarity, porches and blanking of every line, and collects the visible pixels.

mod dvi;
mod raster;
mod vga;

use std::ops::RangeInclusive;

use crate::Video;
use dvi::Dvi;
use raster::{COLUMNS, Raster};
use vga::Vga;

/// Visible pixels of a line.
pub const WIDTH: usize = 640;
/// Visible lines.
pub const HEIGHT: usize = 480;

/// Pixels a second: those of the mode, 25.175 MHz, within 1 %. VESA allows half a percent; 25 MHz, as
/// many boards divide them from their oscillators, is 0.7 % slow, and monitors take it.
const RATES: RangeInclusive<u64> = 24_923_250..=25_426_750;

/// The connector of a board's picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Connector {
    /// HSYNC, VSYNC, and 4 bits a colour.
    Vga,
    /// Four pairs: blue, green, red and clock.
    Dvi,
}

/// A whole picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// [`WIDTH`] × [`HEIGHT`] pixels, row by row from the top: red, green and blue.
    pub pixels: Vec<[u8; 3]>,
}

/// Why there is no picture.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no picture: {0}")]
pub struct NoPicture(String);

/// A pixel of the signal, visible or not.
#[derive(Debug, Clone, Copy)]
struct Pixel {
    hsync: bool,
    vsync: bool,
    /// Whether it is visible, if the signal says so.
    visible: Option<bool>,
    colour: [u8; 3],
}

enum Input {
    Vga(Vga),
    Dvi(Dvi),
}

/// A monitor.
pub struct Monitor {
    input: Input,
    raster: Raster,
    clock_hz: u32,
}

impl Monitor {
    /// A monitor at such pins; half a cycle of that clock is the unit of its time.
    pub fn new(connector: Connector, clock_hz: u32) -> Self {
        Self {
            input: match connector {
                Connector::Vga => Input::Vga(Vga::default()),
                Connector::Dvi => Input::Dvi(Dvi::default()),
            },
            raster: Raster::default(),
            clock_hz,
        }
    }

    /// The pixels of the picture that has begun, in their order.
    pub fn begun(&self) -> &[[u8; 3]] {
        self.raster.pixels()
    }

    /// Looks at what the pins did: the pictures that end there, or what was wrong with them.
    pub fn see(&mut self, changes: &[Video]) -> Vec<Result<Frame, NoPicture>> {
        let mut seen = Vec::new();
        for change in changes {
            let (raster, clock) = (&mut self.raster, u64::from(self.clock_hz));
            let mut pixel = |pixel| seen.extend(raster.pixel(pixel));
            let period = match &mut self.input {
                Input::Vga(vga) => vga.change(change, &mut pixel).map(|line| (line, COLUMNS)),
                Input::Dvi(dvi) => match dvi.change(change, &mut pixel) {
                    Ok(pixel) => pixel.map(|pixel| (pixel, 1)),
                    Err(why) => {
                        seen.extend(raster.fail(why));
                        None
                    }
                },
            };
            if let Some((halves, pixels)) = period {
                let rate = 2 * clock * u64::from(pixels) / halves;
                if !RATES.contains(&rate) {
                    let (from, to) = (RATES.start(), RATES.end());
                    let why = format!("{rate} pixels a second, expected {from} to {to}");
                    seen.extend(raster.fail(why));
                }
            }
        }
        seen
    }
}

#[cfg(test)]
mod tests;
