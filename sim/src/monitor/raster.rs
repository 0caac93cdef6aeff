//! The pixels of a picture by their place after the sync pulses.

use super::{Frame, HEIGHT, NoPicture, Pixel, WIDTH};

/// Pixels of a line, visible or not.
pub(super) const COLUMNS: u32 = 800;
const LINES: u32 = 525;
/// Pixels and lines of the sync pulses, which are low.
const HSYNC: u32 = 96;
const VSYNC: u32 = 2;
/// Pixels from the beginning of the HSYNC to the first visible one; lines likewise.
const LEFT: u32 = 96 + 48;
const TOP: u32 = 2 + 33;

/// A picture on its way.
#[derive(Default)]
pub(super) struct Raster {
    /// The last pixel.
    last: Option<Pixel>,
    /// Pixels since the HSYNC began.
    x: Option<u32>,
    /// Lines since the VSYNC began.
    y: Option<u32>,
    pixels: Vec<[u8; 3]>,
    /// Pixels until a reason is reported again: one a picture.
    quiet: u32,
}

impl Raster {
    pub(super) fn pixels(&self) -> &[[u8; 3]] {
        &self.pixels
    }

    /// Gives the picture up until the next VSYNC.
    pub(super) fn fail(&mut self, why: String) -> Option<Result<Frame, NoPicture>> {
        self.pixels.clear();
        self.y = None;
        if self.quiet > 0 {
            return None;
        }
        self.quiet = COLUMNS * LINES;
        Some(Err(NoPicture(why)))
    }

    /// Takes the next pixel; returns the picture that ends with it, or what is wrong.
    pub(super) fn pixel(&mut self, pixel: Pixel) -> Option<Result<Frame, NoPicture>> {
        let mut done = None;
        self.quiet = self.quiet.saturating_sub(1);
        let before = self.last.replace(pixel).unwrap_or(pixel);
        let at = self.x.map(|x| x + 1);
        if before.hsync && !pixel.hsync {
            self.x = Some(0);
            self.y = self.y.map(|y| y + 1);
            if at.is_some_and(|at| at != COLUMNS) {
                return self.fail(format!("a line of {} pixels", at.unwrap_or(0)));
            }
        } else {
            self.x = at;
        }
        let x = self.x?;
        if !before.hsync && pixel.hsync && x != HSYNC {
            return self.fail(format!("HSYNC is low for {x} pixels"));
        }
        if before.vsync != pixel.vsync && x != 0 {
            return self.fail(format!("VSYNC changes {x} pixels after HSYNC"));
        }
        if before.vsync && !pixel.vsync {
            if let Some(lines) = self.y.filter(|lines| *lines != LINES) {
                let failed = self.fail(format!("a picture of {lines} lines"));
                self.y = Some(0);
                return failed;
            }
            let pixels = std::mem::take(&mut self.pixels);
            done = self.y.map(|_| Ok(Frame { pixels }));
            self.y = Some(0);
        }
        let Some(y) = self.y else {
            return done;
        };
        if !before.vsync && pixel.vsync && y != VSYNC {
            return self.fail(format!("VSYNC is low for {y} lines"));
        }
        let is_inside =
            (LEFT..LEFT + WIDTH as u32).contains(&x) && (TOP..TOP + HEIGHT as u32).contains(&y);
        if pixel.visible.is_some_and(|visible| visible != is_inside) {
            return self.fail(format!(
                "pixel {x} of line {y} is visible or not by mistake"
            ));
        }
        if is_inside {
            self.pixels.push(pixel.colour);
        } else if pixel.colour != [0; 3] {
            return self.fail(format!("pixel {x} of line {y} is not black"));
        }
        done
    }
}
