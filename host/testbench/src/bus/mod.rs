//! `tetris_axil`: any requests on the five channels, its memory beside it, resets at
//! any time; every output in every cycle.

pub mod example;
mod model;

use lockstep_games::tetris::Position;
use sim::{Bits, Input, Output};

use crate::random::Random;
use crate::stream::{Sink, Source, garbage};
use crate::tetris::{any_position, from_rows};
use crate::{Failure, Trial};
use model::{Events, Model};

/// Where boards lie in the memory, in bytes; of the last one rows and piece lie across the end
/// of the 64 KB that sixteen bits address.
const BASES: [u32; 4] = [0x40, 0xc0, 0x140, 0xffc0];

/// What an address may have besides that of a register.
const BEYOND: [u64; 4] = [0, 0x200, 0x400, 0x800];

/// Words of the memory; addresses beyond begin anew.
const WORDS: usize = 128;

struct Ports {
    reset: Input,
    read: Input,
    enable: Output,
    address: Output,
    irq: Output,
    aw: Source,
    w: Source,
    ar: Source,
    b: Sink,
    r: Sink,
}

impl Ports {
    fn new(bench: &sim::Bench) -> Result<Self, Failure> {
        let aw = ["axil_awvalid_i", "axil_awready_o"];
        let w = ["axil_wvalid_i", "axil_wready_o"];
        let ar = ["axil_arvalid_i", "axil_arready_o"];
        let b = ["axil_bvalid_o", "axil_bready_i"];
        let r = ["axil_rvalid_o", "axil_rready_i"];
        Ok(Self {
            reset: bench.input("rst_ni")?,
            read: bench.input("mem_rdata_i")?,
            enable: bench.output("mem_en_o")?,
            address: bench.output("mem_addr_o")?,
            irq: bench.output("irq_o")?,
            aw: Source::new(bench, aw[0], aw[1], &["axil_awaddr_i"])?,
            w: Source::new(bench, w[0], w[1], &["axil_wdata_i", "axil_wstrb_i"])?,
            ar: Source::new(bench, ar[0], ar[1], &["axil_araddr_i"])?,
            b: Sink::new(bench, b[0], b[1], &["axil_bresp_o"])?,
            r: Sink::new(bench, r[0], r[1], &["axil_rdata_o", "axil_rresp_o"])?,
        })
    }

    /// Keeps some requests waiting.
    fn ask(&mut self, random: &mut Random) {
        if self.aw.left() == 0 && self.w.left() == 0 {
            let (address, data) = any_write(random);
            // Now and then bytes of a word alone
            let strobes = match random.chance(70) {
                true => 0xf,
                false => random.below(16),
            };
            self.aw.push(vec![address.into()]);
            self.w.push(vec![data.into(), strobes.into()]);
        }
        if self.ar.left() == 0 {
            self.ar.push(vec![any_register(random).into()]);
        }
    }

    fn drive(&mut self, bench: &mut sim::Bench, random: &mut Random) {
        for source in [&mut self.aw, &mut self.w, &mut self.ar] {
            source.drive(bench, random);
        }
        for sink in [&mut self.b, &mut self.r] {
            sink.drive(bench, random);
        }
    }

    /// What goes with this cycle's clock edge.
    fn take(&mut self, bench: &sim::Bench) -> Events {
        let number = |item: &[Bits], at: usize| item.get(at).map_or(0, Bits::to_u64);
        Events {
            aw: self.aw.take(bench).map(|item| number(&item, 0) as u32),
            w: (self.w.take(bench)).map(|item| (number(&item, 0) as u32, number(&item, 1) as u8)),
            ar: self.ar.take(bench).map(|item| number(&item, 0) as u32),
            b: self.b.take(bench).is_some(),
            r: self.r.take(bench).is_some(),
        }
    }
}

/// The registers of docs/bus.md, more of those that matter; now and then any address.
fn any_register(random: &mut Random) -> u64 {
    match random.below(10) {
        0 => random.below(0x1000),
        1 => random.choice(&BEYOND) + 4 * random.below(0x20),
        // The weights, and the two words behind them
        2 | 3 => 0x40 + 4 * random.below(16),
        _ => 4 * random.below(8),
    }
}

fn any_write(random: &mut Random) -> (u64, u64) {
    match random.below(10) {
        // A start, its other bits any
        0..=2 => (0x04, random.bits() | 1),
        3 => (0x04, random.bits() & !1),
        4 | 5 => (0x00, u64::from(random.choice(&BASES))),
        6..=8 => (0x40 + 4 * random.below(16), random.bits()),
        // As if all of them were to begin something
        _ => {
            let address = any_register(random) ^ random.choice(&BEYOND);
            (address, random.bits() | 1)
        }
    }
}

/// Rows that are full before: more are cleared than four bits count.
fn full_rows(random: &mut Random) -> Position {
    let mut rows = [0; 20];
    rows[..random.between(16, 20) as usize].fill(0x3ff);
    Position {
        board: from_rows(&rows),
        ..any_position(random)
    }
}

/// A position as words: anything above the ten cells of a row, and now and then no
/// piece.
fn words(position: &Position, random: &mut Random) -> Vec<u32> {
    let row = |cells: u64, random: &mut Random| {
        let mirrored = (0..10).fold(0, |row, c| row | (cells >> c & 1) << (9 - c));
        (random.bits() << 10 | mirrored) as u32
    };
    let mut words: Vec<u32> = (position.board.to_rows().into_iter())
        .map(|cells| row(cells, random))
        .collect();
    words.push(match random.below(12) {
        0 => 7,
        1 => u32::from(position.piece.number()) | 1 << random.between(3, 31),
        _ => u32::from(position.piece.number()),
    });
    words
}

/// Requests for some thousand cycles.
///
/// # Errors
/// What differs first.
pub fn run(trial: &mut Trial) -> Result<(), Failure> {
    let mut ports = Ports::new(&trial.bench)?;
    let mut model = Model::default();
    let mut memory = vec![0; WORDS];
    // The word that was asked for in the cycle before
    let mut word: Option<u32> = None;
    let mut resetting = 0;
    for _ in 0..8000 {
        let random = &mut trial.random;
        if !model.is_reading() && random.chance(2) {
            let base = random.choice(&BASES) as usize / 4;
            let position = match random.chance(40) {
                true => full_rows(random),
                false => any_position(random),
            };
            let words = words(&position, random);
            for (place, word) in words.into_iter().enumerate() {
                memory[(base + place) % WORDS] = word;
            }
        }
        if random.below(1000) == 0 {
            resetting = random.between(1, 3);
        }
        trial.bench.put(ports.reset, resetting == 0);
        if resetting > 0 {
            ports.aw.clear();
            ports.w.clear();
            ports.ar.clear();
        } else {
            ports.ask(random);
        }
        ports.drive(&mut trial.bench, random);
        match word {
            Some(word) => trial.bench.put(ports.read, word),
            None => garbage(&mut trial.bench, ports.read, random),
        }
        trial.bench.settle()?;
        compare(trial, &ports, &model)?;
        word = model
            .memory()
            .map(|address| memory[address as usize / 4 % WORDS]);
        let events = ports.take(&trial.bench);
        if resetting > 0 {
            model = model.reset();
            word = None;
            resetting -= 1;
        } else {
            model.clock(&events, word);
        }
        trial.bench.clock()?;
    }
    if model.decisions == 0 {
        return trial.differs("no decision was made: the bench looks at nothing".into());
    }
    Ok(())
}

fn compare(trial: &Trial, ports: &Ports, model: &Model) -> Result<(), Failure> {
    let bench = &trial.bench;
    let numbers = |items: Option<Vec<Bits>>| -> Option<Vec<u64>> {
        items.map(|items| items.iter().map(Bits::to_u64).collect())
    };
    let resp = |error: bool| u64::from(error) << 1;
    trial.same(
        "what axil_b offers",
        &numbers(ports.b.offered(bench)),
        &model.written.map(|error| vec![resp(error)]),
    )?;
    trial.same(
        "what axil_r offers",
        &numbers(ports.r.offered(bench)),
        &(model.answer).map(|(data, error)| vec![u64::from(data), resp(error)]),
    )?;
    trial.same("irq_o", &(bench.get(ports.irq) == 1), &model.irq)?;
    let asked = (bench.get(ports.enable) == 1).then(|| bench.get(ports.address) as u32);
    trial.same("what the memory is asked for", &asked, &model.memory())?;
    for (name, source, free) in [
        ("axil_awready_o", &ports.aw, model.address_waits.is_none()),
        ("axil_wready_o", &ports.w, model.data_waits.is_none()),
        ("axil_arready_o", &ports.ar, model.read_waits.is_none()),
    ] {
        trial.same(name, &source.is_ready(bench), &free)?;
    }
    Ok(())
}
