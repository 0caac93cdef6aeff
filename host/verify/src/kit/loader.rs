//! `request_loader`: payloads of any length from any slot.

use crate::random::Pace;
use crate::stream::Source;
use crate::{Failure, Trial};

/// Bytes that the module keeps.
const KEPT: usize = 5;

/// The request whose bytes are arriving.
struct Load {
    message: u64,
    slot: u64,
    payload: Vec<u8>,
    /// Number of bytes requested.
    requested: usize,
    /// Number of bytes received.
    received: usize,
    /// Whether all bytes are received.
    whole: bool,
}

pub fn run(trial: &mut Trial) -> Result<(), Failure> {
    let data = ["req_i.msg", "req_i.slot", "length_i"];
    let mut requests = Source::new("req_i.valid", "rsp_o.ready", &data);

    let (mut releases, mut holds) = (Pace::default(), Pace::default());
    let mut load: Option<Load> = None;
    // Whether a byte arrives in the next cycle, and in this one.
    let mut arrives = [false; 2];
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
        match &load {
            Some(l) if arrives[1] => trial.put("req_i.rdata", u64::from(l.payload[l.received])),
            _ => trial.garbage("req_i.rdata"),
        }
        trial.settle()?;

        let reads = load.as_ref().filter(|l| !l.whole && !held);
        let asks = reads.is_some_and(|l| l.requested < l.payload.len());
        let ends = reads.is_some() && !asks && !arrives[0];
        trial.expect("rsp_o.ready", load.is_none())?;
        trial.expect("rsp_o.mem_en", asks)?;
        trial.expect("rsp_o.loaded", ends)?;
        trial.expect("loaded_o", whole)?;
        trial.expect("byte_valid_o", arrives[1])?;
        if let Some(load) = &load {
            trial.expect("msg_o", load.message)?;
            if asks {
                trial.expect("rsp_o.mem_addr", load.slot << 7 | load.requested as u64)?;
            }
            if arrives[1] {
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
            load.received += usize::from(arrives[1]);
            load.requested += usize::from(asks);
            load.whole |= ends;
        }
        arrives = [asks, arrives[0]];
        if released {
            load = None;
        }
        if let Some(item) = taken {
            load = Some(Load {
                message: item[0] & 0xff,
                slot: item[1],
                payload: trial.random.bytes(item[2]),
                requested: 0,
                received: 0,
                whole: false,
            });
        }
        if !running {
            (load, arrives) = (None, [false; 2]);
            requests.clear();
        }
    }
    Ok(())
}
