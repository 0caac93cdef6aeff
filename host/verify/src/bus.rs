//! `tetris_axil`: random requests on the five AXI4-Lite channels, with its memory and resets at any
//! time; every output is compared in every cycle.

pub mod example;
mod model;

use lockstep_games::tetris::Position;

use crate::random::Random;
use crate::stream::{Sink, Source};
use crate::tetris::{any_position, from_rows};
use crate::{Failure, Trial};
use model::{Events, Model};

/// Byte addresses of boards. The last board crosses the end of the 64 KB that 16 bits address.
const BASES: [u32; 4] = [0x40, 0xc0, 0x140, 0xffc0];

/// Address bits above the addresses of the registers.
const BEYOND: [u64; 4] = [0, 0x200, 0x400, 0x800];

/// The registers with a decision: RESULT, SCORE_LO, SCORE_HI, CYCLES.
const ANSWERS: [u64; 4] = [0x08, 0x10, 0x14, 0x18];

/// Words of the memory; addresses wrap around.
const WORDS: usize = 128;

struct Ports {
    aw: Source,
    w: Source,
    ar: Source,
    b: Sink,
    r: Sink,
}

impl Ports {
    fn new() -> Self {
        Self {
            aw: Source::new("axil_awvalid_i", "axil_awready_o", &["axil_awaddr_i"]),
            w: Source::new(
                "axil_wvalid_i",
                "axil_wready_o",
                &["axil_wdata_i", "axil_wstrb_i"],
            ),
            ar: Source::new("axil_arvalid_i", "axil_arready_o", &["axil_araddr_i"]),
            b: Sink::new("axil_bvalid_o", "axil_bready_i", &["axil_bresp_o"]),
            r: Sink::new(
                "axil_rvalid_o",
                "axil_rready_i",
                &["axil_rdata_o", "axil_rresp_o"],
            ),
        }
    }

    /// Queues requests. While the registers of a decision are read, nothing is written, so that no
    /// other decision overwrites them.
    fn ask(&mut self, random: &mut Random) {
        let reads_answers = self.ar.left() > 1;
        if self.aw.left() == 0 && self.w.left() == 0 && !reads_answers {
            let (address, data) = any_write(random);
            // Sometimes only some bytes of a word.
            let strobes = match random.chance(70) {
                true => 0xf,
                false => random.below(16),
            };
            self.aw.push(vec![address]);
            self.w.push(vec![data & 0xffff_ffff, strobes]);
        }
        if self.ar.left() == 0 {
            self.ar.push(vec![any_register(random)]);
        }
    }

    fn drive(&mut self, trial: &mut Trial) {
        for source in [&mut self.aw, &mut self.w, &mut self.ar] {
            source.drive(trial);
        }
        for sink in [&mut self.b, &mut self.r] {
            sink.drive(trial);
        }
    }

    /// The transfers of this cycle.
    fn take(&mut self, trial: &Trial) -> Events {
        Events {
            aw: self.aw.take(trial).map(|item| item[0] as u32),
            w: (self.w.take(trial)).map(|item| (item[0] as u32, item[1] as u8)),
            ar: self.ar.take(trial).map(|item| item[0] as u32),
            b: self.b.take(trial).is_some(),
            r: self.r.take(trial).is_some(),
        }
    }
}

/// The address of a register of docs/bus.md, or sometimes a random address.
fn any_register(random: &mut Random) -> u64 {
    match random.below(10) {
        0 => random.below(0x1000),
        1 => random.choice(&BEYOND) + 4 * random.below(0x20),
        // The weights, and the two words after them.
        2 | 3 => 0x40 + 4 * random.below(16),
        _ => 4 * random.below(8),
    }
}

fn any_write(random: &mut Random) -> (u64, u64) {
    match random.below(10) {
        // A start with random other bits.
        0..=2 => (0x04, random.bits() | 1),
        3 => (0x04, random.bits() & !1),
        4 => (0x00, u64::from(random.choice(&BASES)) | random.below(4)),
        // The control register with one wrong address bit.
        5 => (0x04 | random.choice(&BEYOND), random.bits() & !1),
        6..=8 => (0x40 + 4 * random.below(16), random.bits()),
        // A write that would start a decision in the control register.
        _ => {
            let address = any_register(random) ^ random.choice(&BEYOND);
            (address, random.bits() | 1)
        }
    }
}

/// A board with full rows, of which more are cleared than four bits can count.
fn full_rows(random: &mut Random) -> Position {
    let mut rows = [0; 20];
    rows[..random.between(16, 20) as usize].fill(0x3ff);
    Position {
        board: from_rows(&rows),
        ..any_position(random)
    }
}

/// A position as words, with random bits above the ten cells of a row, sometimes without a piece.
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
        1 | 2 => u32::from(position.piece.number()) | 1 << random.between(3, 31),
        // L and J, exchanged in the other numbering.
        3 | 4 => random.between(1, 2) as u32,
        _ => u32::from(position.piece.number()),
    });
    words
}

pub fn run(trial: &mut Trial) -> Result<(), Failure> {
    let mut ports = Ports::new();
    let mut model = Model::reset(0);
    let mut memory = vec![0; WORDS];
    // The word requested in the last cycle.
    let mut word: Option<u32> = None;
    let mut resetting = 0;
    let mut decisions = 0;
    for _ in 0..16_000 {
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
        let rare = if model.is_reading() { 50 } else { 1000 };
        if random.below(rare) == 0 {
            resetting = random.between(1, 3);
        }
        trial.put("rst_ni", resetting == 0);
        if resetting > 0 {
            ports.aw.clear();
            ports.w.clear();
            ports.ar.clear();
        } else {
            if model.decisions > decisions {
                decisions = model.decisions;
                ANSWERS.iter().for_each(|at| ports.ar.push(vec![*at]));
            }
            ports.ask(&mut trial.random);
        }
        ports.drive(trial);
        match word {
            Some(word) => trial.put("mem_rdata_i", word),
            // Data without a request may look like a piece.
            None if trial.random.chance(50) => {
                let piece = trial.random.below(7);
                trial.put("mem_rdata_i", piece);
            }
            None => trial.garbage("mem_rdata_i"),
        }
        trial.settle()?;
        compare(trial, &ports, &model)?;
        word = model
            .memory()
            .map(|address| memory[address as usize / 4 % WORDS]);
        let events = ports.take(trial);
        if resetting > 0 {
            model = Model::reset(model.decisions);
            word = None;
            resetting -= 1;
        } else {
            model.clock(&events, word);
        }
        trial.clock()?;
    }
    let wrong = model.decisions == 0;
    trial.never("no decision was made: the bench looks at nothing", wrong)?;
    Ok(())
}

fn compare(trial: &Trial, ports: &Ports, model: &Model) -> Result<(), Failure> {
    let resp = |error: bool| u64::from(error) << 1;
    trial.same(
        "axil_b",
        &ports.b.offered(trial),
        &model.written.map(|error| vec![resp(error)]),
    )?;
    trial.same(
        "axil_r",
        &ports.r.offered(trial),
        &(model.answer).map(|(data, error)| vec![u64::from(data), resp(error)]),
    )?;
    trial.expect("irq_o", model.irq)?;
    let requested = trial.is("mem_en_o").then(|| trial.get("mem_addr_o") as u32);
    trial.same("the address read", &requested, &model.memory())?;
    trial.expect("axil_awready_o", model.address_waits.is_none())?;
    trial.expect("axil_wready_o", model.data_waits.is_none())?;
    trial.expect("axil_arready_o", model.read_waits.is_none())
}
