//! `request_loader`: payloads of any length from any slot.

use crate::random::Pace;
use crate::stream::Source;
use crate::{Failure, Trial};

/// Bytes that the module keeps.
const KEPT: usize = 5;

/// A request whose bytes are arriving at a `request_loader`.
pub struct Load {
    pub message: u8,
    pub slot: u64,
    pub payload: Vec<u8>,
    requested: usize,
    pub received: usize,
    /// Whether all bytes are received.
    pub whole: bool,
    /// Whether a byte arrives in the next cycle, and in this one.
    arrives: [bool; 2],
}

impl Load {
    pub fn new(message: u8, slot: u64, payload: Vec<u8>) -> Self {
        Self {
            message,
            slot,
            payload,
            requested: 0,
            received: 0,
            whole: false,
            arrives: [false; 2],
        }
    }

    pub fn arrives(&self) -> bool {
        self.arrives[1]
    }

    /// Sets the byte from the memory.
    pub fn drive(load: Option<&Self>, trial: &mut Trial) {
        let load = load.filter(|load| load.arrives());
        trial.put_some("req_i.rdata", load.map(|load| load.payload[load.received]));
    }

    /// Compares the outputs to the link; returns whether a byte is requested, and whether all have
    /// arrived. While it is `held`, no byte is requested.
    pub fn compare(load: Option<&Self>, trial: &Trial, held: bool) -> Result<[bool; 2], Failure> {
        let reads = load.filter(|l| !l.whole && !held);
        let asks = reads.is_some_and(|l| l.requested < l.payload.len());
        let ends = reads.is_some_and(|l| !asks && !l.arrives[0]);
        trial.expect("rsp_o.ready", load.is_none())?;
        trial.expect("rsp_o.mem_en", asks)?;
        trial.expect("rsp_o.loaded", ends)?;
        trial.expect("loaded_o", load.is_some_and(|l| l.whole))?;
        if let Some(load) = load.filter(|_| asks) {
            trial.expect("rsp_o.mem_addr", load.slot << 7 | load.requested as u64)?;
        }
        Ok([asks, ends])
    }

    pub fn clock(&mut self, [asks, ends]: [bool; 2]) {
        self.received += usize::from(self.arrives());
        self.requested += usize::from(asks);
        self.whole |= ends;
        self.arrives = [asks, self.arrives[0]];
    }
}

pub fn run(trial: &mut Trial) -> Result<(), Failure> {
    let data = ["req_i.msg", "req_i.slot", "length_i"];
    let mut requests = Source::new("req_i.valid", "rsp_o.ready", &data);

    let (mut releases, mut holds) = (Pace::default(), Pace::default());
    let mut load: Option<Load> = None;
    for _ in 0..12_000 {
        if requests.left() == 0 {
            let length = trial.random.choice(&[0, 1, 4, 5, 6, 30, 120]);
            requests.push(vec![trial.random.bits(), trial.random.below(16), length]);
        }
        let held = !holds.go(&mut trial.random);
        let whole = load.as_ref().is_some_and(|l| l.whole);
        let released = whole && releases.go(&mut trial.random);
        let running = trial.random.below(400) != 0;
        requests.drive(trial);
        trial.put("hold_i", held);
        trial.put("release_i", released);
        trial.put("rst_ni", running);
        Load::drive(load.as_ref(), trial);
        trial.settle()?;

        let reads = Load::compare(load.as_ref(), trial, held)?;
        let arrives = load.as_ref().is_some_and(Load::arrives);
        trial.expect("byte_valid_o", arrives)?;
        if let Some(load) = &load {
            trial.expect("msg_o", load.message)?;
            if arrives {
                trial.expect("byte_index_o", load.received as u64)?;
            }
        }
        if let Some(load) = load.as_ref().filter(|l| l.whole) {
            let bytes = load.payload.iter().take(KEPT);
            for (byte, at) in bytes.zip(0..) {
                let got = trial.bits("payload_o").slice(8 * at, 8);
                trial.same("a byte of payload_o", &got, &(*byte).into())?;
            }
        }

        let taken = requests.take(trial);
        trial.clock()?;
        if let Some(load) = &mut load {
            load.clock(reads);
        }
        load = load.filter(|_| !released);
        if let Some(item) = taken {
            let payload = trial.random.bytes(item[2]);
            load = Some(Load::new(item[0] as u8, item[1], payload));
        }
        if !running {
            load = None;
            requests.clear();
        }
    }
    Ok(())
}
