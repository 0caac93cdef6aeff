//! DVI: `tmds_encoder`, `video_dvi`, and `tmds_serializer`, which sends the words bit by bit.

use crate::{Failure, Trial};

/// The control words, by their bits.
const CONTROL: [u16; 4] = [0b1101010100, 0b0010101011, 0b0101010100, 0b1010101011];

/// An encoder, as the figure of DVI's specification has it.
#[derive(Default)]
struct Encoder {
    /// Ones less zeros so far.
    surplus: i32,
}

impl Encoder {
    fn word(&mut self, visible: bool, byte: u8, control: usize) -> u16 {
        if !visible {
            self.surplus = 0;
            return CONTROL[control];
        }
        let ones = byte.count_ones();
        let is_xnor = ones > 4 || (ones == 4 && byte & 1 == 0);
        let mut bits = byte & 1;
        for i in 1..8 {
            let bit = (bits >> (i - 1) ^ byte >> i) & 1;
            bits |= (bit ^ u8::from(is_xnor)) << i;
        }
        let excess = 2 * bits.count_ones() as i32 - 8;
        let inverted = match (self.surplus, excess) {
            (0, _) | (_, 0) => is_xnor,
            (surplus, excess) => (surplus > 0) == (excess > 0),
        };
        let low = if inverted { !bits } else { bits };
        let word = u16::from(inverted) << 9 | u16::from(!is_xnor) << 8 | u16::from(low);
        self.surplus += 2 * word.count_ones() as i32 - 10;
        word
    }
}

/// `tmds_encoder`: lines of random lengths, colours that stay or change.
pub fn encoder(trial: &mut Trial) -> Result<(), Failure> {
    let mut model = Encoder::default();
    let (mut expected, mut visible, mut byte) = ([None; 2], false, 0);
    for _ in 0..4_000 {
        if trial.random.chance(4) {
            visible = !visible;
        }
        if trial.random.chance(70) {
            byte = trial.random.byte();
        }
        let control = trial.random.index(4);
        trial.put("visible_i", visible);
        trial.put("data_i", u64::from(byte));
        trial.put("control_i", control as u64);
        trial.clock()?;
        let word = model.word(visible, byte, control);
        // Before the first control word the surplus is any.
        let is_known = expected[0].is_some() || !visible;
        expected = [is_known.then_some(word), expected[0]];
        if let Some(word) = expected[1] {
            trial.expect("word_o", u64::from(word))?;
        }
    }
    Ok(())
}

/// `video_dvi`: each colour on its channel, the sync pulses with blue.
pub fn video(trial: &mut Trial) -> Result<(), Failure> {
    let mut models: [Encoder; 3] = Default::default();
    let mut expected = [None; 2];
    let mut visible = false;
    for _ in 0..2_000 {
        if trial.random.chance(4) {
            visible = !visible;
        }
        let [red, green, blue] = [(); 3].map(|()| trial.random.below(16) as u8);
        let [hsync, vsync] = [(); 2].map(|()| trial.random.chance(50));
        let colour = u64::from(red) << 8 | u64::from(green) << 4 | u64::from(blue);
        trial.put("colour_i", colour);
        trial.put("visible_i", visible);
        trial.put("hsync_i", hsync);
        trial.put("vsync_i", vsync);
        trial.clock()?;
        let sync = usize::from(vsync) << 1 | usize::from(hsync);
        let channels = [(blue, sync), (green, 0), (red, 0)];
        let mut words = 0b11111_u64 << 30;
        for (at, (level, control)) in channels.into_iter().enumerate() {
            let word = models[at].word(visible, level * 0x11, control);
            words |= u64::from(word) << (10 * at);
        }
        let is_known = expected[0].is_some() || !visible;
        expected = [is_known.then_some(words), expected[0]];
        if let Some(words) = expected[1] {
            trial.expect("words_o", words)?;
        }
    }
    Ok(())
}

/// Cycles of the fast clock for a pixel.
const PIXEL: usize = 5;
const LANES: usize = 4;
/// Cycles from a pixel's edge to the first pair of its word, where both clocks rise together.
const LATENCY: usize = 3;

/// `tmds_serializer`: every word of each lane leaves once, in order, as late as the first one.
pub fn serializer(trial: &mut Trial) -> Result<(), Failure> {
    const PIXELS: usize = 300;
    trial.put("rst_ni", false);
    trial.put("pixel_rst_ni", false);
    let phase = trial.random.index(PIXEL);
    let resets = trial.random.index(4);
    let (mut words, mut pairs) = (Vec::new(), Vec::new());
    for cycle in 0..PIXEL * PIXELS {
        let (pixel, part) = ((cycle + phase) / PIXEL, (cycle + phase) % PIXEL);
        trial.put("pixel_clk_i", part < 2);
        if part == 0 {
            // After the pixel's edge, as registers of its clock do.
            trial.settle()?;
            trial.put("pixel_rst_ni", pixel > 2);
            let word = trial.random.bits() & 0xff_ffff_ffff;
            trial.put("words_i", word);
            words.push((cycle, word));
        }
        trial.put("rst_ni", pixel > 4 + resets);
        trial.clock()?;
        pairs.push(trial.get("pairs_o"));
    }
    // The bits of a word that begins with a cycle's pairs.
    let sent = |at: usize| {
        let mut word = 0;
        for (part, pair) in pairs[at..at + PIXEL].iter().enumerate() {
            for lane in 0..LANES {
                word |= (pair >> (2 * lane) & 3) << (10 * lane + 2 * part);
            }
        }
        word
    };
    // Some pixels after the reset it has found the words.
    let sure = 20 * PIXEL..pairs.len() - 2 * PIXEL;
    let sure = words.iter().filter(|(cycle, _)| sure.contains(cycle));
    for (cycle, word) in sure {
        let what = format!("the words of cycle {cycle}");
        trial.same(&what, &sent(cycle + LATENCY), word)?;
    }
    Ok(())
}
