//! An instance of a core, clocked by its caller.

use std::ffi::CString;
use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use crate::ffi::{Api, Handle, RawInputs, RawOutputs, Video, VideoOf};
use crate::{SimError, Variant, coverage};

/// Free space that a waveform requires, in bytes: about forty times the waveform of eight decisions
/// at the pins.
const ROOM: usize = 16 << 20;

/// Fails when a file cannot be created, or the disk has no room for `bytes` bytes.
fn room(file: &Path, bytes: usize) -> io::Result<()> {
    let filled = File::create(file)?.write_all(&vec![0; bytes]);
    if file.is_file() {
        std::fs::remove_file(file)?;
    }
    filled
}

/// The model's inputs during some clock cycles.
#[derive(Debug, Clone, Copy)]
pub struct Inputs {
    /// Active-low reset, `true` while running.
    pub rst_ni: bool,
    /// Phase increment per clock cycle of the UART's base rate, see
    /// [`protocol::rate::increment`].
    pub baud_inc: u32,
    /// Level of the receive pin.
    pub uart_rx: bool,
    /// Whether bytes pass by the byte link instead of the pins.
    pub byte_link: bool,
    /// A byte for the byte link, which accepts one in every clock cycle.
    pub byte: Option<u8>,
    /// Whether the byte link may send a byte.
    pub byte_ready: bool,
    /// Of a board: the buttons that are pressed, one bit each by their numbers on the wire.
    pub buttons: u8,
}

impl Default for Inputs {
    /// The inputs of a core at rest: not in reset, an idle line, no byte.
    fn default() -> Self {
        Self {
            rst_ni: true,
            baud_inc: 0,
            uart_rx: true,
            byte_link: false,
            byte: None,
            byte_ready: false,
            buttons: 0,
        }
    }
}

/// The model's outputs in the last clock cycle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outputs {
    /// Level of the transmit pin.
    pub uart_tx: bool,
    /// The byte on the byte link; received if [`Inputs::byte_ready`] was set.
    pub byte: Option<u8>,
    /// Whether the core works on a reply: not while it only waits for the host's credit, nor once
    /// the last reply has left for the line.
    pub busy: bool,
}

/// The settings with which a model starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Start {
    /// The build id that it reports.
    pub build_id: u32,
    /// Seed of the contents of registers and memories before the reset, 31 bits. With 0 they are
    /// zero, in a netlist as in a configured chip.
    pub power_up: u32,
    /// Whether it can write waveforms, which makes it about thirty times slower.
    pub waves: bool,
}

impl Start {
    /// Settings with the variant's own build id, registers of 0 and no waveforms.
    pub fn of(variant: &Variant) -> Self {
        Self {
            build_id: variant.build_id,
            power_up: 0,
            waves: false,
        }
    }
}

/// An instance of a core.
pub struct Model {
    handle: Handle<Api>,
    /// The file for its coverage when it is dropped, if a run collects it.
    counts: Option<PathBuf>,
    build_id: u32,
    cycles: u64,
    /// Changes of the pins of a board's picture, and the function that has them.
    video: Vec<Video>,
    video_of: Option<VideoOf>,
}

/// Clock cycles of the reset: more than the depth of any pipeline of the design.
pub(crate) const RESET_CYCLES: u64 = 8;

impl Model {
    /// Creates an instance and resets it.
    ///
    /// # Errors
    /// When it cannot be created, or an assertion fails in the reset.
    pub fn new(variant: &'static Variant) -> Result<Self, SimError> {
        Self::started(variant, Start::of(variant))
    }

    /// As [`Self::new`], with other settings.
    ///
    /// # Errors
    /// As [`Self::new`], and [`SimError::NoWaves`].
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
            counts: if api.counts() { coverage::join() } else { None },
            build_id,
            cycles: 0,
            video: Vec::new(),
            video_of: variant.video,
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
                // Lines that the initial register values reach do not count.
                let cleared = model.handle.coverage(None);
                cleared.map_err(|_| SimError::Create)?;
            }
        }
        Ok(model)
    }

    /// Clock cycles since power-up.
    pub fn cycles(&self) -> u64 {
        self.cycles
    }

    /// Writes a waveform of all signals (FST) from the next clock cycle on.
    ///
    /// It ends when another one begins or the model is dropped. A clock cycle is 10 ns, counted
    /// from power-up; the clock rises in its middle.
    ///
    /// # Errors
    /// When the file cannot be written, or [`Start::waves`] was not set.
    pub fn waves(&mut self, file: &Path) -> Result<(), SimError> {
        let wrong = |why| SimError::Waves {
            file: file.into(),
            why,
        };
        // Checked here: Verilator's library hides the system's error and aborts on a full disk.
        room(file, ROOM).map_err(|e| wrong(e.to_string()))?;
        let name = CString::new(file.as_os_str().as_encoded_bytes());
        let name = name.map_err(|e| wrong(e.to_string()))?;
        self.handle.waves(Some(&name)).map_err(wrong)
    }

    /// Ends the waveform and completes its file.
    ///
    /// # Errors
    /// When [`Start::waves`] was not set.
    pub fn end_waves(&mut self) -> Result<(), SimError> {
        self.handle.waves(None).map_err(|_| SimError::NoWaves)
    }

    /// Writes Verilator's coverage counters since the reset into a file: lines, branches, toggles.
    ///
    /// # Errors
    /// When the file cannot be written, or this build's models have no counters.
    pub fn coverage(&mut self, file: &Path) -> Result<(), SimError> {
        let wrong = |why| SimError::Coverage {
            file: file.into(),
            why,
        };
        // Verilator's library hides the system's error.
        File::create(file).map_err(|e| wrong(e.to_string()))?;
        let name = CString::new(file.as_os_str().as_encoded_bytes());
        let name = name.map_err(|e| wrong(e.to_string()))?;
        self.handle.coverage(Some(&name)).map_err(wrong)
    }

    /// Takes the changes of the pins of a board's picture since the last call; others have none.
    pub fn take_video(&mut self) -> Vec<Video> {
        std::mem::take(&mut self.video)
    }

    /// Clocks the model with constant inputs for up to `max_cycles` clock cycles.
    ///
    /// It stops after a cycle in which the byte link sent a byte or the transmit pin changed.
    ///
    /// # Errors
    /// When an assertion of the RTL fails.
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
            buttons: inputs.buttons,
        };
        let mut out = RawOutputs::default();
        self.handle
            .run(&raw, &mut out, max_cycles, &mut self.cycles)
            .map_err(|why| SimError::Stopped {
                cycle: self.cycles,
                why,
            })?;
        if let Some(video_of) = self.video_of {
            self.video.extend_from_slice(self.handle.video(video_of));
        }
        Ok(Outputs {
            uart_tx: out.uart_tx != 0,
            byte: (out.byte_valid != 0).then_some(out.byte_data),
            busy: out.busy != 0,
        })
    }
}

impl Drop for Model {
    fn drop(&mut self) {
        if let Some(file) = self.counts.take() {
            let written = self.coverage(&file);
            coverage::leave(file, written);
        }
    }
}

#[cfg(test)]
mod tests {
    use fst_reader::{FstFilter, FstHierarchyEntry, FstSignalValue};
    use protocol::layout::{Message, link};
    use protocol::{Decoder, Frame, frame};

    use super::*;

    const MODEL: &Variant = &crate::linked::VARIANTS[0];

    /// Sends a request over the byte link; returns the reply's payload and the clock cycles.
    fn ask(model: &mut Model, message: &Message) -> (Vec<u8>, u64) {
        let request = Frame {
            seq: 1,
            kind: message.id,
            payload: &[],
        };
        let wire = frame::encode(&request).expect("short");
        let mut inputs = Inputs {
            byte_link: true,
            byte_ready: true,
            ..Inputs::default()
        };
        let begun = model.cycles();
        for byte in wire.as_ref() {
            inputs.byte = Some(*byte);
            model.run(&inputs, 1).expect("it runs");
        }
        inputs.byte = None;
        let mut decoder = Decoder::new();
        loop {
            let byte = model.run(&inputs, 1_000).expect("it runs").byte;
            if let Some(answer) = decoder.push(byte.expect("an answer")) {
                let payload = answer.expect("a frame").payload.to_vec();
                return (payload, model.cycles() - begun);
            }
        }
    }

    /// The times at which a signal of the top module changed, with its new values.
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
    fn waves_show_cycles_between_begin_and_end() {
        let folder = tempfile::tempdir().expect("a folder");
        let start = Start {
            waves: true,
            ..Start::of(MODEL)
        };
        let mut model = Model::started(MODEL, start).expect("a model");
        let mut plain = Model::new(MODEL).expect("a model");
        // Two waveforms, one after the other.
        for name in ["first.fst", "second.fst"] {
            let file = folder.path().join(name);
            let from = model.cycles();
            model.waves(&file).expect("a file");
            let traced = ask(&mut model, &link::INFO);
            assert_eq!(traced, ask(&mut plain, &link::INFO), "the same core");
            model.end_waves().expect("it was begun");
            let edges: Vec<(u64, u8)> = (from..model.cycles())
                .flat_map(|cycle| [(10 * cycle, 0), (10 * cycle + 5, 1)])
                .collect();
            assert_eq!(changes(&file, "clk_i"), edges);
            let bytes = changes(&file, "byte_valid_o");
            assert!(bytes.iter().any(|(_, value)| *value == 1), "{bytes:?}");
            // Not part of the waveform.
            ask(&mut model, &link::INFO);
            ask(&mut plain, &link::INFO);
        }
    }

    #[test]
    fn waves_error_names_reason() {
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
        assert!(
            why.contains("/dev/full cannot be written: No space left"),
            "{why}"
        );
    }

    #[test]
    fn coverage_is_written_or_refused_without_counters() {
        use crate::coverage::{CoverageRun, counted};

        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("one.dat");
        let run = CoverageRun::begin(folder.path()).expect("the only one");
        let mut model = Model::new(MODEL).expect("a model");
        let written = model.coverage(&file);
        if !counted() {
            let why = written.expect_err("it cannot").to_string();
            assert!(
                why.contains("one.dat cannot be collected: the model has no"),
                "{why}"
            );
            return;
        }
        assert_eq!(written, Ok(()));
        ask(&mut model, &link::INFO);
        drop(model);
        let files = run.end().expect("files");
        assert_eq!(files, [folder.path().join("model-1.dat")]);
        let read = |file: &Path| std::fs::read_to_string(file).expect("a file");
        let (before, after) = (read(&file), read(&files[0]));
        assert!(before.starts_with("# SystemC::Coverage-3\n"), "{before}");
        assert_ne!(before, after, "more was reached");
    }
}
