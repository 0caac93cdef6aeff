//! `video_timing` of a small picture: the pulses and the place of each pixel.

use crate::{Failure, Trial};

/// Pixels: visible, front porch, sync, back porch; then lines.
const H: [u64; 4] = [7, 2, 3, 2];
const V: [u64; 4] = [4, 1, 2, 2];

pub fn run(trial: &mut Trial) -> Result<(), Failure> {
    let (width, height) = (H.iter().sum::<u64>(), V.iter().sum::<u64>());
    // The last pixel of the last visible line
    let start = V[0] * width - 1;
    let mut at = start;
    for cycle in 0..3_000 {
        let (x, y) = (at % width, at / width);
        // VSYNC begins with the HSYNC that ends its front porch.
        let sync = (V[0] + V[1] - 1) * width + H[0] + H[1];
        let is_sync = at >= sync && at < sync + V[2] * width;
        let first = at == start && cycle == 0;
        trial.expect("x_o", x)?;
        trial.expect("y_o", y)?;
        trial.expect("hsync_no", !(H[0] + H[1]..H[0] + H[1] + H[2]).contains(&x))?;
        trial.expect("vsync_no", !is_sync)?;
        trial.expect("visible_o", x < H[0] && y < V[0] && !first)?;
        trial.expect("blank_o", x == 0 && y == V[0])?;
        let is_pixel = trial.random.chance(60);
        trial.put("en_i", is_pixel);
        if trial.random.chance(1) && cycle > 1_000 {
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
