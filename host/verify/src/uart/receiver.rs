//! `uart_rx`: a line in continuous time, with edges at any fraction of a clock cycle and the
//! largest clock error that the receiver tolerates.

use super::increment;
use crate::line::{CLOCK, Event, Sender, Time, Wave, bit_time, receive};
use crate::{Failure, Trial};

/// Time from a sample to its byte: two stages of the synchroniser and the output register.
const LATENCY: Time = 3 * CLOCK;

/// Tolerance for bit times that are truncated to a unit of time.
const ROUNDING: Time = CLOCK / 1024;

/// Several lines, some after a reset, each at another rate.
pub fn run(trial: &mut Trial) -> Result<(), Failure> {
    for number in 0..48 {
        let increment = increment(&mut trial.random);
        let bit = bit_time(increment);
        let reset = number == 0 || trial.random.chance(40);
        let high = !reset || trial.random.chance(30);
        trial.put("baud_inc_i", increment);
        trial.put("rx_i", high);
        if reset {
            trial.power_up_reset()?;
        }
        let own = Sender::off(bit, &mut trial.random);
        let mut sender = Sender::new(high, own, bit);
        sender.begin(&mut trial.random);
        for _ in 0..16 {
            sender.any(&mut trial.random);
        }
        sender.idle(11);
        listen(trial, bit, &sender.finish())?;
    }
    Ok(())
}

/// Drives the wave and compares the received bytes and breaks with the plain receiver's.
fn listen(trial: &mut Trial, bit: Time, wave: &Wave) -> Result<(), Failure> {
    let mut expected = receive(wave, bit).into_iter();
    let mut now: Time = 0;
    for (level, clocks) in wave.clocked() {
        trial.put("rx_i", level);
        for _ in 0..clocks {
            let byte = trial.is("valid_o");
            let is_break = trial.is("break_o");
            let (data, error) = (trial.get("data_o"), trial.get("frame_err_o"));
            trial.never("frame_err_o without valid_o", error == 1 && !byte)?;
            let what = [
                (byte, Event::Byte(data as u8, error == 0)),
                (is_break, Event::Break),
            ];
            for (_, what) in what.iter().filter(|(happens, _)| *happens) {
                let next = expected.next();
                trial.same(
                    "the received symbol",
                    &Some(*what),
                    &next.map(|next| next.event),
                )?;
                let spread = match what {
                    Event::Break => CLOCK + bit / 2,
                    _ => CLOCK,
                };
                let expected_at = next.map_or(0, |next| next.at) + LATENCY;
                if now.abs_diff(expected_at) > spread + ROUNDING {
                    let late = (now as f64 - expected_at as f64) / CLOCK as f64;
                    trial.differs(format!("{what:x?} is {late:.2} cycles late"))?;
                }
            }
            trial.clock()?;
            now += CLOCK;
        }
    }
    trial.same("the missing symbol", &expected.next(), &None)
}
