//! `uart_rx`: a line in continuous time, its sender's clock off by as much as the
//! arithmetic allows, its edges at any fraction of a clock cycle.

use std::collections::VecDeque;

use sim::{Input, Output};

use super::increment;
use crate::line::{CLOCK, FRAME_BITS, Heard, Symbol, Time, Wave, What, bit_time, margins_ppm};
use crate::random::Random;
use crate::{Failure, Trial};

/// From a sample to the cycle with its byte: the two stages of the synchroniser
/// and the output's register.
const LATENCY: Time = 3 * CLOCK;

/// Bits are truncated to a unit of time; a byte's samples are a few of them late.
const ROUNDING: Time = CLOCK / 1024;

/// A sender, and what it has sent.
struct Sender {
    /// Length of a bit of the receiver's
    bit: Time,
    /// ... and of the sender's.
    own: Time,
    wave: Wave,
    said: Vec<Heard>,
}

impl Sender {
    fn send(&mut self, symbol: Symbol) {
        let start = self.wave.end();
        match symbol {
            Symbol::Byte(byte) => self.byte(start, byte, true),
            Symbol::Damaged(byte, low) => {
                self.byte(start, byte, false);
                // Low from behind its last high bit on
                let high = 9 - u64::from(byte.leading_zeros());
                let from = start + if byte == 0 { 0 } else { high * self.own };
                self.low(from, start + (FRAME_BITS - 1) * self.own + low);
            }
            Symbol::Low(time) => {
                let low = |sample: &u64| (2 * sample - 1) * self.bit / 2 < time;
                let samples = (1..=FRAME_BITS).filter(low).count();
                if samples > 0 {
                    let byte = 0xff_u32 << (samples - 1).min(8);
                    self.byte(start, byte as u8, samples < FRAME_BITS as usize);
                }
                self.low(start, start + time);
            }
            Symbol::High(_) => {}
        }
        self.wave.send(symbol, self.own);
    }

    fn byte(&mut self, start: Time, byte: u8, stop: bool) {
        self.said.push(Heard {
            what: What::Byte(byte, stop),
            at: start + 19 * self.bit / 2,
        });
    }

    fn low(&mut self, from: Time, to: Time) {
        if to - from > 17 * self.bit {
            self.said.push(Heard {
                what: What::Break,
                at: from + 33 * self.bit / 2,
            });
        }
    }

    /// A length, in 2^-20 of a receiver's bit from one number of bits to another.
    fn bits(&self, random: &mut Random, least: u64, most: u64) -> Time {
        random.between(least * self.bit, most * self.bit)
    }

    /// A duration that is no sample's time and not about as long as a break takes.
    fn low_time(&self, random: &mut Random) -> Time {
        loop {
            let most = random.choice(&[1, 2, 11, 16, 40]);
            let time = self.bits(random, 0, most).max(CLOCK / 8);
            let near = |sample: u64| time.abs_diff((2 * sample - 1) * self.bit / 2) <= CLOCK;
            let breaks = 16 * self.bit - CLOCK..17 * self.bit + CLOCK;
            if !(1..=FRAME_BITS).any(near) && !breaks.contains(&time) {
                return time;
            }
        }
    }

    /// Sends something.
    fn draw(&mut self, random: &mut Random) {
        let start = self.wave.end();
        match random.below(12) {
            0 => {
                let (byte, low) = (random.byte(), self.bits(random, 1, 4).max(self.own));
                self.send(Symbol::Damaged(byte, low));
                self.rest(random, CLOCK);
            }
            1 => {
                // From right behind the stop bit on, a break for sure.
                let low = self.bits(random, 18, 30);
                self.send(Symbol::Damaged(random.byte(), low));
                self.rest(random, CLOCK);
            }
            2 | 3 => {
                let low = self.low_time(random);
                self.send(Symbol::Low(low));
                let sample = match low < self.bit / 2 {
                    true => self.bit / 2,
                    false => 19 * self.bit / 2,
                };
                let busy = (start + sample + CLOCK).saturating_sub(self.wave.end());
                self.rest(random, busy.max(CLOCK));
            }
            4 => {
                let high = self.bits(random, 0, 12);
                self.send(Symbol::High(high));
            }
            _ => self.send(Symbol::Byte(random.byte())),
        }
    }

    /// The line is high, for no longer than needed or for some bits more.
    fn rest(&mut self, random: &mut Random, least: Time) {
        let more = random.choice(&[0, 0, 1, 3]);
        let more = self.bits(random, 0, more);
        self.send(Symbol::High(least + more));
    }
}

/// The module's ports.
struct Ports {
    rate: Input,
    line: Input,
    valid: Output,
    data: Output,
    error: Output,
    is_break: Output,
}

/// Lines out of reset and behind each other, each with a rate of its own.
///
/// # Errors
/// What differs first.
pub fn run(trial: &mut Trial) -> Result<(), Failure> {
    let ports = Ports {
        rate: trial.bench.input("baud_inc_i")?,
        line: trial.bench.input("rx_i")?,
        valid: trial.bench.output("valid_o")?,
        data: trial.bench.output("data_o")?,
        error: trial.bench.output("frame_err_o")?,
        is_break: trial.bench.output("break_o")?,
    };
    for number in 0..8 {
        let increment = increment(&mut trial.random);
        let bit = bit_time(increment);
        let reset = number == 0 || trial.random.chance(40);
        let high = !reset || trial.random.chance(30);
        trial.bench.put(ports.rate, increment);
        trial.bench.put(ports.line, high);
        if reset {
            trial.bench.reset()?;
        }
        let mut sender = Sender {
            bit,
            own: own_bit(&mut trial.random, bit),
            wave: Wave::new(high),
            said: Vec::new(),
        };
        if high {
            sender.rest(&mut trial.random, 3 * CLOCK);
        } else {
            // Neither a byte nor, if it is short, a break.
            let low = sender.low_time(&mut trial.random);
            sender.low(0, low);
            sender.wave.send(Symbol::Low(low), bit);
            sender.rest(&mut trial.random, CLOCK);
        }
        for _ in 0..16 {
            sender.draw(&mut trial.random);
        }
        sender.send(Symbol::High(11 * bit));
        sender.said.sort_by_key(|heard| heard.at);
        listen(trial, &ports, &sender)?;
    }
    Ok(())
}

/// The length of the sender's bits: right, as far off as can be, or between.
fn own_bit(random: &mut Random, bit: Time) -> Time {
    let [slow, fast] = margins_ppm(bit);
    let (slow, fast) = (slow * bit / 1_000_000, fast * bit / 1_000_000);
    match random.below(5) {
        0 => bit,
        1 => bit + slow,
        2 => bit - fast,
        _ => random.between(bit - fast, bit + slow),
    }
}

/// Puts the wave on the line and compares what is received with what was said.
fn listen(trial: &mut Trial, ports: &Ports, sender: &Sender) -> Result<(), Failure> {
    let mut expected: VecDeque<Heard> = sender.said.iter().copied().collect();
    let mut now: Time = 0;
    for (level, clocks) in sender.wave.clocked() {
        trial.bench.put(ports.line, level);
        for _ in 0..clocks {
            let byte = trial.bench.get(ports.valid) == 1;
            let is_break = trial.bench.get(ports.is_break) == 1;
            let (data, error) = (trial.bench.get(ports.data), trial.bench.get(ports.error));
            trial.same(
                "frame_err_o without valid_o",
                &(error == 1 && !byte),
                &false,
            )?;
            let what = [
                (byte, What::Byte(data as u8, error == 0)),
                (is_break, What::Break),
            ];
            for (_, what) in what.iter().filter(|(happens, _)| *happens) {
                let next = expected.pop_front();
                trial.same(
                    "what is received",
                    &Some(*what),
                    &next.map(|next| next.what),
                )?;
                let spread = match what {
                    What::Break => CLOCK + sender.bit / 2,
                    _ => CLOCK,
                };
                let due = next.map_or(0, |next| next.at) + LATENCY;
                if now.abs_diff(due) > spread + ROUNDING {
                    let late = (now as f64 - due as f64) / CLOCK as f64;
                    trial.differs(format!("{what:x?} comes {late:.2} cycles late"))?;
                }
            }
            trial.bench.clock()?;
            now += CLOCK;
        }
    }
    trial.same("what is missing", &expected.front(), &None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::line::hear;

    /// The plain receiver hears what the symbols say, on a line that leaves
    /// nothing open.
    #[test]
    fn a_plain_receiver_hears_what_was_said() {
        let mut random = Random::new(7);
        for _ in 0..500 {
            let bit = bit_time(increment(&mut random));
            let mut sender = Sender {
                bit,
                own: own_bit(&mut random, bit),
                wave: Wave::new(true),
                said: Vec::new(),
            };
            sender.rest(&mut random, 3 * CLOCK);
            for _ in 0..16 {
                sender.draw(&mut random);
            }
            sender.send(Symbol::High(11 * bit));
            sender.said.sort_by_key(|heard| heard.at);
            assert_eq!(hear(&sender.wave, bit), sender.said);
        }
    }
}
