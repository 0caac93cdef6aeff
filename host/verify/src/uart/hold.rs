//! `cosim_link`: a raised rate ends after some time without good frames, unless the game works.

use protocol::frame::DELIMITER;
use protocol::layout::link;
use protocol::rate;
use sim::Bits;

use crate::core::requests::Request;
use crate::line::{CLOCK, FrameResult, Serial, Time, bit_time};
use crate::{Failure, Trial, cobs, frames, game_port};

/// Cycles without a good frame after which the base rate returns, as in `rtl/benches.txt`.
const HOLD: u64 = 6_000;
const CLOCK_HZ: u32 = 100_000_000;
/// Base rate in baud, so fast that no byte is a break at the fastest rate, which would also end the
/// raised rate.
const BASE: u32 = 10_000_000;

struct Link<'a> {
    trial: &'a mut Trial,
    line: Serial,
    seq: u16,
}

impl Link<'_> {
    /// Sends bytes and waits; returns the frames received until `wait` cycles after the last byte.
    fn talk(&mut self, bytes: &[u8], wait: u64) -> Result<Vec<FrameResult>, Failure> {
        self.line.talk(self.trial, bytes, wait, |_| {})
    }

    /// Sends bytes that are not answered within `wait` cycles.
    fn unanswered(&mut self, bytes: &[u8], wait: u64) -> Result<(), Failure> {
        let got = self.talk(bytes, wait)?;
        self.trial.same("answers to no request", &got, &vec![])
    }

    /// Holds the line low for `cycles` clock cycles.
    fn low(&mut self, cycles: u64) -> Result<(), Failure> {
        self.trial.put("uart_rx_i", false);
        for _ in 0..cycles {
            self.trial.clock()?;
        }
        self.trial.put("uart_rx_i", true);
        Ok(())
    }

    fn raw(&mut self, request: &Request) -> Vec<u8> {
        self.seq = self.seq.wrapping_add(1);
        frames::request(self.seq, request.kind, &request.payload)
    }

    /// Sends a request and compares the reply.
    fn ask(&mut self, request: &Request, kind: u8, payload: Vec<u8>) -> Result<(), Failure> {
        let raw = self.raw(request);
        let wait = 200 + (12 + 10 * (payload.len() as u64 + 9)) * self.line.bit / CLOCK;
        let got = self.talk(&cobs::encoded(&raw), wait)?;
        let seq = self.seq;
        let expected = vec![FrameResult::Good { seq, kind, payload }];
        self.trial.same("the answer", &got, &expected)
    }

    fn ping(&mut self) -> Result<(), Failure> {
        let payload = self.trial.random.bytes(8);
        let request = Request::new(link::PING, payload.clone());
        self.ask(&request, link::PONG.id, payload)
    }

    fn raise_rate(&mut self) -> Result<(), Failure> {
        let request = Request::set_rate(link::MAX_INCREMENT);
        self.ask(&request, link::SET_RATE_REPLY.id, Vec::new())?;
        self.line.bit = bit_time(link::MAX_INCREMENT);
        Ok(())
    }

    /// Sets these members of the game's outputs, and the others to 0.
    fn game(&mut self, members: &[(&str, u64)]) {
        let value = |(name, width): (&str, u32)| {
            let named = members.iter().find(|(member, _)| *member == name);
            (named.map_or(0, |(_, value)| *value), width)
        };
        let bits = Bits::packed(&game_port::GAME_RSP.map(value));
        self.trial.put("game_rsp_i", bits);
    }

    /// Sets these members for one cycle, then all to 0.
    fn pulse(&mut self, members: &[(&str, u64)]) -> Result<(), Failure> {
        self.game(members);
        self.trial.clock()?;
        self.game(&[]);
        Ok(())
    }

    /// Sends a request, which the game takes and reads.
    fn give(&mut self, kind: u8) -> Result<(), Failure> {
        let payload = Vec::new();
        let raw = self.raw(&Request { kind, payload });
        self.unanswered(&cobs::encoded(&raw), 50)?;
        self.trial.expect("game_req_o.load.valid", 1)?;
        self.pulse(&[("load.ready", 1)])?;
        self.pulse(&[("load.loaded", 1)])
    }

    /// A decision that takes longer than the hold keeps the rate; a stream that waits for credit
    /// does not.
    fn work(&mut self, base: Time) -> Result<(), Failure> {
        self.raise_rate()?;
        self.give(0x10)?;
        self.idle(3 * HOLD)?;
        self.pulse(&[("reply.valid", 1), ("reply.msg", 0x90), ("reply.empty", 1)])?;
        let got = self.talk(&[], 1_000)?;
        let (seq, kind, payload) = (self.seq, 0x90, Vec::new());
        let decision = vec![FrameResult::Good { seq, kind, payload }];
        self.trial.same("the decision", &got, &decision)?;
        self.give(0x10)?;
        self.game(&[
            ("reply.valid", 1),
            ("reply.msg", 0xb0),
            ("reply.part", 1),
            ("reply.byte_valid", 1),
            ("reply.byte_last", 1),
        ]);
        let got = self.talk(&[], HOLD + 1_000)?;
        let parts = usize::from(link::STREAM_CREDIT);
        self.trial.same("parts", &got.len(), &parts)?;
        self.idle(HOLD)?;
        self.line.bit = base;
        self.ping()
    }

    fn idle(&mut self, cycles: u64) -> Result<(), Failure> {
        self.unanswered(&[], cycles)
    }
}

pub fn run(trial: &mut Trial) -> Result<(), Failure> {
    let base = rate::increment(BASE, CLOCK_HZ).unwrap_or(0);
    trial.put("baud_inc_i", base);
    trial.put("uart_rx_i", true);
    let mut link = Link {
        trial,
        line: Serial {
            rx: "uart_rx_i",
            tx: "uart_tx_o",
            bit: bit_time(base),
        },
        seq: 0,
    };
    link.idle(100)?;
    for damaged in [false, true] {
        link.raise_rate()?;
        // Good frames keep the rate, for longer than one frame does.
        for _ in 0..4 {
            link.idle(HOLD / 3)?;
            link.ping()?;
        }
        // Neither silence nor damaged frames keep it.
        for _ in 0..4 {
            let mut raw = link.raw(&Request::of(link::INFO));
            raw[3] ^= 1 << link.trial.random.below(8);
            let bytes = if damaged { cobs::encoded(&raw) } else { vec![] };
            link.unanswered(&bytes, HOLD / 3)?;
        }
        // Ends the garbage that the core has received at the wrong rate.
        link.line.bit = bit_time(base);
        link.unanswered(&[DELIMITER], HOLD / 3)?;
        link.ping()?;
    }
    // A break ends the rate at once.
    link.raise_rate()?;
    link.low(12 * bit_time(base) / CLOCK)?;
    link.line.bit = bit_time(base);
    link.unanswered(&[DELIMITER], 100)?;
    link.ping()?;
    link.work(bit_time(base))
}
