//! `video_timing` of a small picture: the pulses and the place of each pixel.

use crate::{Failure, Trial};

/// Visible pixels, front porch, sync, back porch: of a line, or of a picture in lines.
pub type Porches = [u64; 4];

/// Sizes of the benches: a small one, and 640 x 480 at 60 Hz.
pub const SMALL: [Porches; 2] = [[7, 2, 3, 2], [4, 1, 2, 2]];
pub const FULL: [Porches; 2] = [[640, 16, 96, 48], [480, 10, 2, 33]];

/// Pictures of a small size, or one that is as wide or as high as a full one; then resets.
pub fn run(trial: &mut Trial, h: Porches, v: Porches) -> Result<(), Failure> {
    let (width, height) = (h.iter().sum::<u64>(), v.iter().sum::<u64>());
    // The last pixel of the last visible line
    let start = v[0] * width - 1;
    let mut at = start;
    let cycles = (2 * width * height).max(3_000);
    for cycle in 0..cycles {
        let (x, y) = (at % width, at / width);
        // VSYNC begins with the HSYNC that ends its front porch.
        let sync = (v[0] + v[1] - 1) * width + h[0] + h[1];
        let is_sync = at >= sync && at < sync + v[2] * width;
        let first = at == start && cycle == 0;
        trial.expect("x_o", x)?;
        trial.expect("y_o", y)?;
        trial.expect("hsync_no", !(h[0] + h[1]..h[0] + h[1] + h[2]).contains(&x))?;
        trial.expect("vsync_no", !is_sync)?;
        trial.expect("visible_o", x < h[0] && y < v[0] && !first)?;
        trial.expect("blank_o", x == 0 && y == v[0])?;
        let is_pixel = trial.random.chance(60);
        trial.put("en_i", is_pixel);
        if trial.random.chance(1) && cycle + 2_000 > cycles {
            trial.reset()?;
            at = start;
            continue;
        }
        trial.clock()?;
        if is_pixel {
            at = (at + 1) % (width * height);
        }
    }
    Ok(())
}
