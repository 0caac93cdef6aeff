//! Recovers pixels from DVI: ten bits of each of three pairs with a cycle of the fourth, TMDS words.

use super::Pixel;
use crate::Video;

/// Bits of a word.
const BITS: u32 = 10;
/// Pairs with words: blue, green, red.
const CHANNELS: usize = 3;
/// The control words, by their bits.
const CONTROL: [u32; 4] = [0b1101010100, 0b0010101011, 0b0101010100, 0b1010101011];
/// Control words one after the other after which a channel knows where its words begin.
const FOUND: u32 = 8;
/// Maximum number of transitions in the word of a colour.
const TRANSITIONS: u32 = 5;
/// Maximum difference of the ones and zeros in the words of a line.
const SURPLUS: i32 = 10;

#[derive(Default)]
pub(super) struct Dvi {
    /// `None` before the first look.
    pins: Option<u32>,
    /// When a cycle of the clock's pair began, and how long the one before took.
    cycle: Option<(u64, Option<u64>)>,
    /// Bits of the cycle so far.
    taken: u32,
    channels: [Channel; CHANNELS],
    /// The last control bits: HSYNC and VSYNC.
    sync: u32,
}

/// A pair with words.
#[derive(Default, Clone, Copy)]
struct Channel {
    /// The last ten bits, the first one the lowest.
    bits: u32,
    /// Bit of the clock's cycle that ends a word, and control words there so far.
    end: u32,
    control: u32,
    word: Option<Word>,
    /// Ones less zeros since the last control word.
    surplus: i32,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Word {
    Control(u32),
    Colour(u8),
}

impl Dvi {
    /// Passes on the pixels that end before a change. Returns the time of a cycle of the clock that
    /// has ended.
    ///
    /// # Errors
    /// A word that no encoder sends, or channels that differ in what is visible.
    pub(super) fn change(
        &mut self,
        change: &Video,
        mut pixel: impl FnMut(Pixel),
    ) -> Result<Option<u64>, String> {
        let Some(pins) = self.pins.replace(change.pins) else {
            return Ok(None);
        };
        let mut result = Ok(None);
        if let Some((start, Some(period))) = self.cycle {
            let middle = |bit: u32| start + u64::from(2 * bit + 1) * period / u64::from(2 * BITS);
            while self.taken < BITS && middle(self.taken) < change.time {
                for (channel, lane) in self.channels.iter_mut().zip(0..) {
                    if let Err(why) = channel.bit(pins >> lane & 1, self.taken) {
                        result = Err(why);
                    }
                }
                self.taken += 1;
                if self.taken == BITS {
                    match self.pixel() {
                        Ok(one) => one.into_iter().for_each(&mut pixel),
                        Err(why) => result = Err(why),
                    }
                }
            }
        }
        let rises = !pins & change.pins & 1 << CHANNELS != 0;
        if rises {
            let period = self.cycle.map(|(start, _)| change.time - start);
            self.cycle = Some((change.time, period));
            self.taken = 0;
            result?;
            return Ok(period);
        }
        result
    }

    /// The pixel of the channels' last words, once all of them are found.
    fn pixel(&mut self) -> Result<Option<Pixel>, String> {
        let mut colour = [0; 3];
        let words = self.channels.map(|channel| channel.word);
        let [Some(blue), Some(green), Some(red)] = words else {
            return Ok(None);
        };
        let is_colour = |word: &Word| matches!(word, Word::Colour(_));
        let visible = is_colour(&blue);
        if [green, red].iter().any(|word| is_colour(word) != visible) {
            return Err("one channel is visible where another one is not".into());
        }
        if let Word::Control(bits) = blue {
            self.sync = bits;
        }
        for (level, word) in colour.iter_mut().zip([red, green, blue]) {
            if let Word::Colour(byte) = word {
                *level = byte;
            }
        }
        Ok(Some(Pixel {
            hsync: self.sync & 1 == 1,
            vsync: self.sync & 2 == 2,
            visible: Some(visible),
            colour,
        }))
    }
}

impl Channel {
    /// Takes bit `at` of the clock's cycle.
    fn bit(&mut self, bit: u32, at: u32) -> Result<(), String> {
        self.bits = self.bits >> 1 | bit << (BITS - 1);
        let control = CONTROL.iter().position(|word| *word == self.bits);
        if self.control < FOUND {
            match control {
                Some(_) if at == self.end => self.control += 1,
                Some(_) => (self.end, self.control) = (at, 1),
                None if at == self.end => self.control = 0,
                None => {}
            }
            return Ok(());
        }
        if at != self.end {
            return Ok(());
        }
        let Some(control) = control else {
            self.word = Some(Word::Colour(decoded(self.bits)));
            self.surplus += 2 * self.bits.count_ones() as i32 - BITS as i32;
            let transitions = (self.bits ^ self.bits >> 1) & 0x1ff;
            if transitions.count_ones() > TRANSITIONS || self.surplus.abs() > SURPLUS {
                let (word, surplus) = (self.bits, self.surplus);
                return Err(format!(
                    "the word {word:010b}, after which the ones exceed the zeros by {surplus}"
                ));
            }
            return Ok(());
        };
        self.surplus = 0;
        self.word = Some(Word::Control(control as u32));
        Ok(())
    }
}

/// The byte of a word.
fn decoded(word: u32) -> u8 {
    let is_inverted = word >> 9 & 1 == 1;
    let bits = if is_inverted { !word } else { word } & 0xff;
    // Each bit but the lowest was combined with the one below it, by XOR or by XNOR.
    let by_xnor = if word >> 8 & 1 == 0 { 0xfe } else { 0 };
    ((bits ^ bits << 1) ^ by_xnor) as u8
}
