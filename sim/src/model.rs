//! One instance of a model, clocked by hand.

use std::ffi::CString;
use std::fs::File;
use std::io::{self, Write as _};
use std::path::Path;

use crate::coverage::Member;
use crate::ffi::{Handle, RawInputs, RawOutputs};
use crate::{SimError, Variant};

/// Room that there has to be for a waveform, in bytes: some forty times what eight decisions
/// over the pins take.
const ROOM: usize = 16 << 20;

/// Fails where a file cannot be made, or has no room for so many bytes.
fn room(file: &Path, bytes: usize) -> io::Result<()> {
    let filled = File::create(file)?.write_all(&vec![0; bytes]);
    if file.is_file() {
        std::fs::remove_file(file)?;
    }
    filled
}

/// What drives the model's inputs during some clock cycles.
#[derive(Debug, Clone, Copy)]
pub struct Inputs {
    /// Active-low reset, `true` while running.
    pub rst_ni: bool,
    /// Phase increment a clock of the UART at its base rate, see
    /// [`protocol::rate::increment`].
    pub baud_inc: u32,
    /// Level of the receive pin.
    pub uart_rx: bool,
    /// Use the byte link instead of the pins.
    pub byte_link: bool,
    /// A byte for the byte link, taken in every cycle it is offered.
    pub byte: Option<u8>,
    /// Whether the byte link's output may be taken.
    pub byte_ready: bool,
}

impl Default for Inputs {
    /// Running, idle line, nothing offered.
    fn default() -> Self {
        Self {
            rst_ni: true,
            baud_inc: 0,
            uart_rx: true,
            byte_link: false,
            byte: None,
            byte_ready: false,
        }
    }
}

/// The model's outputs in the last clock cycle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outputs {
    /// Level of the transmit pin.
    pub uart_tx: bool,
    /// The byte on the byte link; taken if it was ready.
    pub byte: Option<u8>,
    /// Whether the core works on an answer. Not while all it has waits for the host's credit,
    /// nor once the last reply is on its way to the line.
    pub busy: bool,
}

/// What a model begins with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Start {
    /// The build it says it is.
    pub build_id: u32,
    /// Seed of what its registers and memories hold before the reset; from 0 they
    /// hold zeros, those of a netlist what they hold in a chip. Only the lower 31 bits count.
    pub power_up: u32,
    /// Whether it can write waveforms; it is then some thirty times slower.
    pub waves: bool,
}

impl Start {
    /// As the model is, from 0.
    pub fn of(variant: &Variant) -> Self {
        Self {
            build_id: variant.build_id,
            power_up: 0,
            waves: false,
        }
    }
}

/// One instance of a model.
pub struct Model {
    handle: Handle,
    /// Where it leaves what it covered, when it is dropped.
    member: Option<Member>,
    build_id: u32,
    cycles: u64,
}

/// Cycles the reset is held: more than any pipeline of the design is deep.
pub(crate) const RESET_CYCLES: u64 = 8;

impl Model {
    /// Makes an instance and takes it through reset.
    ///
    /// # Errors
    /// When it cannot be made or stops itself in reset; [`SimError::NoWaves`].
    pub fn new(variant: &'static Variant) -> Result<Self, SimError> {
        Self::started(variant, Start::of(variant))
    }

    /// The same, not started as it usually is.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn started(variant: &'static Variant, start: Start) -> Result<Self, SimError> {
        let Start {
            build_id,
            power_up,
            waves,
        } = start;
        let api = match waves {
            true => variant.traced.ok_or(SimError::NoWaves)?,
            false => variant.api,
        };
        let handle = Handle::new(api, variant.fault_number, power_up);
        let mut model = Self {
            handle: handle.ok_or(SimError::Create)?,
            member: if api.counts() { Member::join() } else { None },
            build_id,
            cycles: 0,
        };
        let reset = Inputs {
            rst_ni: false,
            ..Inputs::default()
        };
        for end in [RESET_CYCLES / 2, RESET_CYCLES] {
            while model.cycles < end {
                model.run(&reset, end - model.cycles)?;
            }
            model.handle.assert();
            if end < RESET_CYCLES && api.counts() {
                // What registers held before the reset is no merit of who asks.
                let anew = model.handle.coverage(None);
                anew.map_err(|_| SimError::Create)?;
            }
        }
        Ok(model)
    }

    /// Clock cycles since power-up.
    pub fn cycles(&self) -> u64 {
        self.cycles
    }

    /// Writes a waveform of all signals into a file (FST), from the next clock cycle on and
    /// until another one is begun or the model is dropped. A clock cycle is 10 ns, counted
    /// from power-up; the clock rises in its middle.
    ///
    /// # Errors
    /// When the file cannot be written, or the model was not made with [`Start::waves`].
    pub fn waves(&mut self, file: &Path) -> Result<(), SimError> {
        let wrong = |why| SimError::Waves {
            file: file.into(),
            why,
        };
        // The model says nothing of what the system has against it, and ends the process where
        // a disk is full.
        room(file, ROOM).map_err(|e| wrong(e.to_string()))?;
        let name = CString::new(file.as_os_str().as_encoded_bytes());
        let name = name.map_err(|e| wrong(e.to_string()))?;
        self.handle.waves(Some(&name)).map_err(wrong)
    }

    /// Ends the waveform: the file is whole.
    ///
    /// # Errors
    /// When the model was not made with [`Start::waves`].
    pub fn end_waves(&mut self) -> Result<(), SimError> {
        self.handle.waves(None).map_err(|_| SimError::NoWaves)
    }

    /// Writes into a file how often each line and branch of the RTL was reached and each bit
    /// changed since the reset, as Verilator has it.
    ///
    /// # Errors
    /// When the file cannot be written, or this build's models do not count.
    pub fn coverage(&mut self, file: &Path) -> Result<(), SimError> {
        let wrong = |why| SimError::Coverage {
            file: file.into(),
            why,
        };
        // As with a waveform.
        File::create(file).map_err(|e| wrong(e.to_string()))?;
        let name = CString::new(file.as_os_str().as_encoded_bytes());
        let name = name.map_err(|e| wrong(e.to_string()))?;
        self.handle.coverage(Some(&name)).map_err(wrong)
    }

    /// Clocks the model with the same inputs for up to `max_cycles` cycles.
    /// Stops after a cycle with a byte on the byte link, or in which the
    /// transmit pin changed.
    ///
    /// # Errors
    /// When the RTL stops itself.
    pub fn run(&mut self, inputs: &Inputs, max_cycles: u64) -> Result<Outputs, SimError> {
        let raw = RawInputs {
            baud_inc: inputs.baud_inc,
            build_id: self.build_id,
            rst_ni: inputs.rst_ni.into(),
            uart_rx: inputs.uart_rx.into(),
            byte_link: inputs.byte_link.into(),
            byte_valid: inputs.byte.is_some().into(),
            byte_data: inputs.byte.unwrap_or(0),
            byte_ready: inputs.byte_ready.into(),
        };
        let mut out = RawOutputs::default();
        self.handle
            .run(&raw, &mut out, max_cycles, &mut self.cycles)
            .map_err(|why| SimError::Stopped {
                cycle: self.cycles,
                why,
            })?;
        Ok(Outputs {
            uart_tx: out.uart_tx != 0,
            byte: (out.byte_valid != 0).then_some(out.byte_data),
            busy: out.busy != 0,
        })
    }
}

impl Drop for Model {
    fn drop(&mut self) {
        if let Some(member) = self.member.take() {
            let file = member.file();
            let written = self.coverage(&file);
            member.leave(written.map(|()| file));
        }
    }
}

#[cfg(test)]
mod tests {
    use fst_reader::{FstFilter, FstHierarchyEntry, FstSignalValue};
    use protocol::layout::{Message, link};
    use protocol::payload::link::{Info, Ping, SetRate};
    use protocol::{Decoder, Frame, frame};

    use super::*;

    const MODEL: &Variant = &crate::linked::VARIANTS[0];

    /// Asks over the byte link. The payload of the answer, and the clock cycles
    /// from the request's delimiter to the answer's first byte.
    fn ask(model: &mut Model, message: &Message, payload: &[u8]) -> (Vec<u8>, u64) {
        let kind = message.id;
        let request = Frame {
            seq: 1,
            kind,
            payload,
        };
        let wire = frame::encode(&request).expect("short");
        let mut inputs = Inputs {
            byte_link: true,
            byte_ready: true,
            ..Inputs::default()
        };
        for byte in wire.as_ref() {
            inputs.byte = Some(*byte);
            model.run(&inputs, 1).expect("it runs");
        }
        inputs.byte = None;
        let asked = model.cycles();
        let mut took = None;
        let mut decoder = Decoder::new();
        loop {
            let byte = model.run(&inputs, 1_000).expect("it runs").byte;
            took = took.or(Some(model.cycles() - asked));
            if let Some(answer) = decoder.push(byte.expect("an answer")) {
                let payload = answer.expect("a frame").payload.to_vec();
                return (payload, took.unwrap_or_default());
            }
        }
    }

    #[test]
    fn a_core_is_the_build_it_is_told_to_be() {
        let told = |mut model: Model| {
            let (payload, _) = ask(&mut model, &link::INFO, &[]);
            Info::decode(&payload).expect("its payload").build_id
        };
        let model = Model::new(MODEL).expect("a model");
        assert_eq!(told(model), MODEL.build_id);
        for build_id in [0, 0x0123_4567, u32::MAX] {
            let start = Start {
                build_id,
                ..Start::of(MODEL)
            };
            let model = Model::started(MODEL, start).expect("a model");
            assert_eq!(told(model), build_id);
        }
    }

    /// The times at which a signal of the top module changed, with what it became.
    fn changes(file: &Path, signal: &str) -> Vec<(u64, u8)> {
        let file = std::io::BufReader::new(File::open(file).expect("a file"));
        let mut reader = fst_reader::FstReader::open(file).expect("a waveform");
        assert_eq!(reader.get_header().timescale_exponent, -9);
        let (mut scopes, mut handle) = (0, None);
        let hierarchy = reader.read_hierarchy(|entry| match entry {
            FstHierarchyEntry::Scope { .. } => scopes += 1,
            FstHierarchyEntry::UpScope => scopes -= 1,
            FstHierarchyEntry::Var {
                name, handle: of, ..
            } if name == signal && scopes == 1 => handle = Some(of),
            _ => {}
        });
        hierarchy.expect("a hierarchy");
        let handle = handle.unwrap_or_else(|| panic!("no {signal}"));
        let mut changes = Vec::new();
        let only = FstFilter::filter_signals(vec![handle]);
        reader
            .read_signals(&only, |time, _, value| {
                if let FstSignalValue::String(value) = value {
                    changes.push((time, value[0] - b'0'));
                }
                Ok::<_, std::convert::Infallible>(())
            })
            .expect("values");
        changes
    }

    #[test]
    fn a_waveform_shows_the_cycles_it_was_asked_for() {
        let folder = tempfile::tempdir().expect("a folder");
        let start = Start {
            waves: true,
            ..Start::of(MODEL)
        };
        let mut model = Model::started(MODEL, start).expect("a model");
        let mut plain = Model::new(MODEL).expect("a model");
        // Two, one after the other.
        for name in ["first.fst", "second.fst"] {
            let file = folder.path().join(name);
            let from = model.cycles();
            model.waves(&file).expect("a file");
            let traced = ask(&mut model, &link::INFO, &[]);
            assert_eq!(traced, ask(&mut plain, &link::INFO, &[]), "the same core");
            model.end_waves().expect("it was begun");
            let edges: Vec<(u64, u8)> = (from..model.cycles())
                .flat_map(|cycle| [(10 * cycle, 0), (10 * cycle + 5, 1)])
                .collect();
            assert_eq!(changes(&file, "clk_i"), edges);
            let bytes = changes(&file, "byte_valid_o");
            assert!(bytes.iter().any(|(_, value)| *value == 1), "{bytes:?}");
            // What comes after it is not in it.
            ask(&mut model, &link::INFO, &[]);
            ask(&mut plain, &link::INFO, &[]);
        }
    }

    #[test]
    fn a_waveform_that_cannot_be_is_an_error() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("waves.fst");
        let mut plain = Model::new(MODEL).expect("a model");
        let why = plain.waves(&file).expect_err("it cannot").to_string();
        assert!(why.contains("not made to write waveforms"), "{why}");
        assert_eq!(plain.end_waves(), Err(SimError::NoWaves));
        let start = Start {
            waves: true,
            ..Start::of(MODEL)
        };
        let mut model = Model::started(MODEL, start).expect("a model");
        let file = folder.path().join("nowhere").join("waves.fst");
        let why = model.waves(&file).expect_err("no such folder").to_string();
        assert!(why.contains("nowhere") && why.contains("No such"), "{why}");
        let full = model.waves(Path::new("/dev/full"));
        let why = full.expect_err("it takes nothing").to_string();
        assert!(why.contains("/dev/full: No space left"), "{why}");
    }

    /// Of a build whose models count, and of one whose do not.
    #[test]
    fn a_model_leaves_what_it_covered_or_says_that_it_does_not_count() {
        use crate::coverage::{Gathering, counted};

        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("one.dat");
        let begun = Gathering::begin(&folder.path().join("all"));
        let mut model = Model::new(MODEL).expect("a model");
        let written = model.coverage(&file);
        if !counted() {
            let why = begun.err().expect("it cannot").to_string();
            assert!(why.contains("`make coverage`"), "{why}");
            let why = written.expect_err("it cannot").to_string();
            assert!(why.contains("one.dat: it was not made to count"), "{why}");
            return;
        }
        let begun = begun.expect("it counts");
        assert_eq!(written, Ok(()));
        ask(&mut model, &link::INFO, &[]);
        drop(model);
        let files = begun.end().expect("files");
        assert_eq!(files, [folder.path().join("all/model-1.dat")]);
        let read = |file: &Path| std::fs::read_to_string(file).expect("a file");
        let (before, after) = (read(&file), read(&files[0]));
        assert!(before.starts_with("# SystemC::Coverage-3\n"), "{before}");
        assert_eq!(before.lines().count(), after.lines().count());
        assert_ne!(before, after, "more was reached");
    }

    /// What `docs/wire.md` says of the link's requests.
    #[test]
    fn an_answer_takes_as_long_as_the_document_says() {
        let mut model = Model::new(MODEL).expect("a model");
        let ping = Ping { nonce: 7 }.encode();
        let rate = |increment| SetRate { increment }.encode();
        let (good, bad) = (rate(link::MIN_INCREMENT), rate(0));
        let requests: [(&Message, &[u8], usize, u64); 7] = [
            (&link::INFO, &[], 24, 0),
            (&link::STATS, &[], 16, 0),
            (&link::INFO, &[0], 2, 0),
            (&link::RESET, &[], 0, 0),
            (&link::PING, ping.as_ref(), 8, 10),
            (&link::SET_RATE, good.as_ref(), 0, 8),
            (&link::SET_RATE, bad.as_ref(), 2, 8),
        ];
        for (message, payload, bytes, more) in requests {
            let (answer, took) = ask(&mut model, message, payload);
            assert_eq!(answer.len(), bytes, "{message:?}");
            assert_eq!(took, 17 + bytes as u64 + more, "{message:?}");
        }
    }
}
