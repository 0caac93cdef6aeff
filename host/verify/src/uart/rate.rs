//! `uart_rate` with a hold of 200 clock cycles, beside a transmitter whose replies may be aborted.
//! Good frames, requests for rates, breaks and resets arrive at any time, more often at the end of
//! a hold and during a reply.

use crate::random::Random;
use crate::{Failure, Trial};

/// Clock cycles without a good frame: the parameter in `rtl/benches.txt`.
const HOLD: u64 = 200;

/// The state of the transmitter's frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Frame {
    None,
    /// Built for this number of further cycles; it can be aborted.
    Making(u64),
    /// Sent, with this number of bytes left.
    Sending(u64),
}

/// The frames' transmitter and the UART behind it.
struct Transmitter {
    frame: Frame,
    /// Remaining cycles of the byte on the line.
    byte: u64,
    byte_cycles: u64,
    /// Remaining cycles of `sending_i` after the last byte was taken.
    tail: u64,
}

impl Transmitter {
    /// The state after a reset.
    fn new() -> Self {
        Self {
            frame: Frame::None,
            byte: 0,
            byte_cycles: 8,
            tail: 0,
        }
    }

    fn sending(&self) -> bool {
        matches!(self.frame, Frame::Sending(_)) || self.tail > 0
    }

    /// Whether the UART can take a byte: in the last cycle of a stop bit, or when idle.
    fn ready(&self) -> bool {
        self.byte <= 1
    }

    fn can_take(&self) -> bool {
        self.frame == Frame::None && self.tail == 0
    }

    fn clock(&mut self, abort: bool, random: &mut Random) {
        self.byte = self.byte.saturating_sub(1);
        self.tail = self.tail.saturating_sub(1);
        self.frame = match self.frame {
            Frame::None => Frame::None,
            Frame::Making(_) if abort => Frame::None,
            Frame::Making(0) => Frame::Sending(random.between(1, 4)),
            Frame::Making(left) => Frame::Making(left - 1),
            // The UART was ready in this cycle and takes a byte.
            Frame::Sending(left) if self.byte == 0 => {
                self.byte = self.byte_cycles;
                match left {
                    1 => {
                        self.tail = random.between(0, 2);
                        Frame::None
                    }
                    left => Frame::Sending(left - 1),
                }
            }
            sending => sending,
        };
    }
}

/// The behaviour described in the module's header.
#[derive(Default)]
struct Model {
    /// The requested rate while its reply is under way, and the state of the reply.
    requested: Option<(u32, Reply)>,
    /// The raised rate, and the cycle since which the line is silent.
    raised: Option<(u32, u64)>,
    /// Whether the transmitter was ready in the cycle before.
    drained: bool,
}

/// The state of a reply to `set_rate`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reply {
    Making,
    Sending,
    /// Its delimiter is on the line.
    Delimiter,
}

/// The inputs of a cycle.
struct Events {
    set: Option<u32>,
    abort: bool,
    sending: bool,
    ready: bool,
    is_break: bool,
    good: bool,
    core_busy: bool,
}

impl Events {
    fn silent(&self) -> bool {
        !self.good && !self.core_busy
    }
}

impl Model {
    fn transmit(&self, base: u32) -> u32 {
        self.raised.map_or(base, |(rate, _)| rate)
    }

    fn receive(&self, base: u32) -> u32 {
        match self.requested {
            Some((rate, Reply::Delimiter)) => rate,
            _ => self.transmit(base),
        }
    }

    /// Cycles until the hold ends.
    fn left(&self, now: u64) -> Option<u64> {
        self.raised.map(|(_, since)| since + HOLD - now)
    }

    fn clock(&mut self, now: u64, events: &Events) {
        let drained = std::mem::replace(&mut self.drained, events.ready);
        let expired = self.left(now) == Some(0) && events.silent();
        if events.is_break || expired {
            (self.requested, self.raised) = (None, None);
            return;
        }
        if let Some((_, since)) = &mut self.raised
            && !events.silent()
        {
            *since = now;
        }
        match &mut self.requested {
            None => self.requested = events.set.map(|rate| (rate, Reply::Making)),
            Some((_, reply)) if *reply == Reply::Making && events.sending => {
                *reply = Reply::Sending
            }
            Some((_, Reply::Making)) if events.abort => self.requested = None,
            Some((_, reply)) if *reply == Reply::Sending && !events.sending => {
                *reply = Reply::Delimiter
            }
            Some((rate, Reply::Delimiter)) if drained => {
                self.raised = Some((*rate, now));
                self.requested = None;
            }
            Some(_) => {}
        }
    }
}

/// Rates that are requested, aborted, ended by breaks and ended by silence.
pub fn run(trial: &mut Trial) -> Result<(), Failure> {
    let any = |random: &mut Random| random.below(1 << 24) as u32;
    let base = any(&mut trial.random);
    trial.put("base_inc_i", base);
    trial.clock()?;
    let mut model = Model::default();
    let mut transmitter = Transmitter::new();
    // The outputs are registered: they are one cycle late.
    let mut rates = (base, base);
    // Probabilities in percent.
    let (mut good, mut requests, mut aborts, mut works) = (0, 0, 0, 0);
    for now in 0..60_000 {
        let random = &mut trial.random;
        if now % 1_000 == 0 {
            // None for longer than the hold, few, or enough to keep the rate.
            good = random.choice(&[0, 0, 1, 5]);
            requests = random.choice(&[1, 1, 20]);
            aborts = random.choice(&[0, 2]);
            works = random.choice(&[0, 0, 1, 50]);
        }
        let left = model.left(now);
        let ending = left.is_some_and(|left| left < 12);
        let busy = model.requested.is_some();
        let sending = transmitter.sending();
        // The cycle in which a reply begins and cannot be aborted any more.
        let begins = sending && matches!(model.requested, Some((_, Reply::Making)));
        let abort = random.chance(aborts) || begins && random.chance(20);
        let resets = random.below(3_000) == 0;
        let mut set = None;
        let sends = random.chance(requests) || ending && random.chance(20);
        if transmitter.can_take() && !busy && !abort && sends {
            transmitter.frame = Frame::Making(random.between(0, 8));
            transmitter.byte_cycles = random.between(8, 20).max(transmitter.byte);
            let rate = any(random);
            let rate = random.choice(&[base, rate, rate]);
            set = random.chance(60).then_some(rate);
        }
        let events = Events {
            set,
            abort,
            sending,
            ready: transmitter.ready(),
            is_break: random.below(1_500) == 0 || busy && random.below(300) == 0,
            good: random.chance(good) || left == Some(0) && random.chance(50),
            core_busy: random.chance(works) || left == Some(0) && random.chance(10),
        };
        let unset = any(random);
        trial.put("rst_ni", !resets);
        trial.put("set_valid_i", set.is_some());
        trial.put("set_inc_i", set.unwrap_or(unset));
        trial.put("abort_i", events.abort);
        trial.put("sending_i", events.sending);
        trial.put("tx_ready_i", events.ready);
        trial.put("break_i", events.is_break);
        trial.put("good_i", events.good);
        trial.put("core_busy_i", events.core_busy);
        trial.settle()?;
        trial.expect("busy_o", busy)?;
        trial.expect("rx_inc_o", rates.0)?;
        trial.expect("tx_inc_o", rates.1)?;
        rates = (model.receive(base), model.transmit(base));
        model.clock(now, &events);
        transmitter.clock(abort && set.is_none(), &mut trial.random);
        if resets {
            (model.requested, model.raised) = (None, None);
            transmitter = Transmitter::new();
        }
        trial.clock()?;
    }
    Ok(())
}
