//! `request_loader`: payloads of any length, one after the other, from any slots.

use sim::{Bits, Output};

use crate::game_port::{input, output};
use crate::random::Pace;
use crate::stream::{Source, garbage};
use crate::{Failure, Trial};

/// Bytes that the module keeps.
const KEPT: usize = 5;

/// The request under way.
struct Load {
    message: u64,
    slot: u64,
    payload: Vec<u8>,
    /// Bytes asked for, and bytes that came.
    asked: usize,
    came: usize,
    /// All of it is there.
    whole: bool,
}

/// # Errors
/// What differs first.
pub fn run(trial: &mut Trial) -> Result<(), Failure> {
    let bench = &trial.bench;
    let data = ["req_i.msg", "req_i.slot", "length_i"];
    let mut requests = Source::new(bench, "req_i.valid", "rsp_o.ready", &data)?;
    let reset = bench.input("rst_ni")?;
    let rdata = input(bench, "req_i.rdata")?;
    let hold = bench.input("hold_i")?;
    let release = bench.input("release_i")?;
    let ready = output(bench, "rsp_o.ready")?;
    let read = output(bench, "rsp_o.loaded")?;
    let mem_en = output(bench, "rsp_o.mem_en")?;
    let mem_addr = output(bench, "rsp_o.mem_addr")?;
    let byte_valid = bench.output("byte_valid_o")?;
    let byte_index = bench.output("byte_index_o")?;
    let loaded = bench.output("loaded_o")?;
    let message = bench.output("msg_o")?;
    let kept = bench.output("payload_o")?;

    let (mut releases, mut holds) = (Pace::default(), Pace::default());
    let mut load: Option<Load> = None;
    // Whether a byte is on its way: in the next cycle, in this one
    let mut way = [false; 2];
    for _ in 0..12_000 {
        if requests.left() == 0 {
            let length = trial.random.choice(&[0, 1, 4, 5, 6, 30, 120]);
            let item = [trial.random.bits(), trial.random.below(16), length];
            requests.push(item.map(Bits::from).to_vec());
        }
        let held = !holds.go(&mut trial.random);
        let whole = load.as_ref().is_some_and(|l| l.whole);
        let released = whole && releases.go(&mut trial.random);
        let running = trial.random.below(400) != 0;
        requests.drive(&mut trial.bench, &mut trial.random);
        trial.bench.put(hold, held);
        trial.bench.put(release, released);
        trial.bench.put(reset, running);
        match &load {
            Some(l) if way[1] => trial.bench.put(rdata, u64::from(l.payload[l.came])),
            _ => garbage(&mut trial.bench, rdata, &mut trial.random),
        }
        trial.bench.settle()?;

        let is = |what: &str, port: Output, expected: u64| {
            trial.same(what, &trial.bench.get(port), &expected)
        };
        let reads = load.as_ref().filter(|l| !l.whole && !held);
        let asks = reads.is_some_and(|l| l.asked < l.payload.len());
        let ends = reads.is_some() && !asks && !way[0];
        is("rsp_o.ready", ready, load.is_none().into())?;
        is("rsp_o.mem_en", mem_en, asks.into())?;
        is("rsp_o.loaded", read, ends.into())?;
        is("loaded_o", loaded, whole.into())?;
        is("byte_valid_o", byte_valid, way[1].into())?;
        if let Some(load) = &load {
            is("msg_o", message, load.message)?;
            if asks {
                is(
                    "rsp_o.mem_addr",
                    mem_addr,
                    load.slot << 7 | load.asked as u64,
                )?;
            }
            if way[1] {
                is("byte_index_o", byte_index, load.came as u64)?;
            }
        }
        if let Some(load) = load.as_ref().filter(|l| l.whole) {
            let bytes = load.payload.iter().take(KEPT);
            for (byte, at) in bytes.zip(0..) {
                let got = trial.bench.bits(kept).slice(8 * at, 8);
                trial.same("a byte of payload_o", &got, &(*byte).into())?;
            }
        }

        let taken = requests.take(&trial.bench);
        trial.bench.clock()?;
        if let Some(load) = &mut load {
            load.came += usize::from(way[1]);
            load.asked += usize::from(asks);
            load.whole |= ends;
        }
        way = [asks, way[0]];
        if released {
            load = None;
        }
        if let Some(item) = taken {
            let [message, slot, length] = [0, 1, 2].map(|at| item[at].to_u64());
            load = Some(Load {
                message: message & 0xff,
                slot,
                payload: trial.random.bytes(length),
                asked: 0,
                came: 0,
                whole: false,
            });
        }
        if !running {
            (load, way) = (None, [false; 2]);
            requests.clear();
        }
    }
    Ok(())
}
