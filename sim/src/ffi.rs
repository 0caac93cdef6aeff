//! The C interfaces `verilator/shim.h`, `verilator/bench.h` and `board/board.h`, with the crate's `unsafe` code.

// The models compress waveforms with it.
use libz_sys as _;

use std::ffi::{CStr, c_char, c_int, c_void};
use std::marker::PhantomData;
use std::ptr::NonNull;

/// The error of a model without coverage counters.
const NOT_COUNTED: &str = "the model has no coverage counters; use `make coverage`";

/// `lockstep_inputs`.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct RawInputs {
    pub(crate) baud_inc: u32,
    pub(crate) build_id: u32,
    pub(crate) rst_ni: u8,
    pub(crate) uart_rx: u8,
    pub(crate) byte_link: u8,
    pub(crate) byte_valid: u8,
    pub(crate) byte_data: u8,
    pub(crate) byte_ready: u8,
    pub(crate) buttons: u8,
}

/// `lockstep_outputs`.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct RawOutputs {
    pub(crate) uart_tx: u8,
    pub(crate) byte_valid: u8,
    pub(crate) byte_data: u8,
    pub(crate) busy: u8,
}

/// `lockstep_video`: the pins of a board's picture when they changed.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Video {
    /// Halves of a clock cycle since power-up; the clock rises at even ones.
    pub time: u64,
    /// VGA: HSYNC, VSYNC, then 4 bits each of blue, green and red, from bit 0 on. DVI: the positive
    /// pins of blue, green, red and clock.
    pub pins: u32,
}

/// `lockstep_life`: the functions that every model has.
#[repr(C)]
#[derive(Debug)]
pub(crate) struct Life {
    create: unsafe extern "C" fn(u32, u32) -> *mut c_void,
    assertions: unsafe extern "C" fn(*mut c_void, c_int),
    destroy: unsafe extern "C" fn(*mut c_void),
    error: unsafe extern "C" fn(*mut c_void) -> *const c_char,
}

/// The functions of one model, which begin with those that every model has.
pub(crate) trait Functions {
    fn life(&self) -> &Life;
}

/// An instance of a model. Neither `Send` nor `Sync`, so it stays on the thread that created it.
pub(crate) struct Handle<A: Functions + 'static> {
    api: &'static A,
    model: NonNull<c_void>,
    one_thread: PhantomData<*mut ()>,
}

impl<A: Functions> Handle<A> {
    /// Creates an instance with a seeded fault (0: none); `None` if memory is exhausted.
    ///
    /// Registers are 0, or random if the seed `power_up` is not 0.
    pub(crate) fn new(api: &'static A, fault: u32, power_up: u32) -> Option<Self> {
        // SAFETY: `create` takes numbers and may be called on any thread.
        let model = unsafe { (api.life().create)(fault, power_up) };
        Some(Self {
            api,
            model: NonNull::new(model)?,
            one_thread: PhantomData,
        })
    }

    /// The argument of the functions of `api`. It was returned by their `create` and lives as long
    /// as `self`, which is not `Send`, so that all calls are on one thread.
    fn pointer(&self) -> *mut c_void {
        self.model.as_ptr()
    }

    /// Enables assertions, which are meaningless before the reset.
    pub(crate) fn assert(&mut self) {
        // SAFETY: see `pointer`.
        unsafe { (self.api.life().assertions)(self.pointer(), 1) }
    }

    /// The result of a function with this status: 0 is success.
    fn result(&self, status: c_int) -> Result<(), String> {
        if status == 0 {
            return Ok(());
        }
        // SAFETY: see `pointer`; the text is zero-terminated and lives as long as
        // the model, and is copied here.
        let why = unsafe { CStr::from_ptr((self.api.life().error)(self.pointer())) };
        Err(why.to_string_lossy().into_owned())
    }
}

impl<A: Functions> Drop for Handle<A> {
    fn drop(&mut self) {
        // SAFETY: see `pointer`; destroyed once, never used after.
        unsafe { (self.api.life().destroy)(self.pointer()) }
    }
}

/// A function that writes into a file, or ends or clears what it would write if there is none.
type WriteFile = unsafe extern "C" fn(*mut c_void, *const c_char) -> c_int;

/// `lockstep_api`: the functions of one model.
#[repr(C)]
#[derive(Debug)]
pub(crate) struct Api {
    life: Life,
    run: unsafe extern "C" fn(
        *mut c_void,
        *const RawInputs,
        *mut RawOutputs,
        u64,
        *mut u64,
    ) -> c_int,
    waves: Option<WriteFile>,
    coverage: Option<WriteFile>,
}

/// `lockstep_video_of`: what the pins of a board's picture did.
pub(crate) type VideoOf = unsafe extern "C" fn(*mut c_void, *mut *const Video) -> u64;

impl Functions for Api {
    fn life(&self) -> &Life {
        &self.life
    }
}

impl Api {
    /// Whether its models count coverage.
    pub(crate) fn counts(&self) -> bool {
        self.coverage.is_some()
    }
}

impl Handle<Api> {
    /// Clocks the model; see `run` in `shim.h`.
    ///
    /// # Errors
    /// The model's message when an assertion fails or the RTL ends the simulation.
    pub(crate) fn run(
        &mut self,
        inputs: &RawInputs,
        outputs: &mut RawOutputs,
        max_cycles: u64,
        cycles: &mut u64,
    ) -> Result<(), String> {
        let model = self.pointer();
        // SAFETY: see `pointer`; the references are valid for the call.
        let status = unsafe { (self.api.run)(model, inputs, outputs, max_cycles, cycles) };
        self.result(status)
    }

    /// What the pins of the picture did in the last [`Self::run`], by the function of the same board.
    pub(crate) fn video(&self, video_of: VideoOf) -> &[Video] {
        let mut changes = std::ptr::null();
        // SAFETY: see `pointer`; `changes` is valid for the call.
        let count = unsafe { video_of(self.pointer(), &raw mut changes) };
        match changes.is_null() {
            true => &[],
            // SAFETY: `count` changes, which the model keeps until the next `run`; that takes
            // `self` as mutable, and none are kept until then.
            false => unsafe { std::slice::from_raw_parts(changes, count as usize) },
        }
    }

    /// Writes a waveform into a file from the next cycle on; `None` ends it.
    ///
    /// # Errors
    /// When the file cannot be written, or the model has no waveforms.
    pub(crate) fn waves(&mut self, file: Option<&CStr>) -> Result<(), String> {
        let waves = self.api.waves.ok_or("it was not made to write waveforms")?;
        self.write(waves, file)
    }

    /// Writes the coverage counters into a file; `None` sets them to 0.
    ///
    /// # Errors
    /// When the file cannot be written, or the model has no counters.
    pub(crate) fn coverage(&mut self, file: Option<&CStr>) -> Result<(), String> {
        let coverage = self.api.coverage.ok_or(NOT_COUNTED)?;
        self.write(coverage, file)
    }

    fn write(&mut self, write: WriteFile, file: Option<&CStr>) -> Result<(), String> {
        let file = file.map_or(std::ptr::null(), CStr::as_ptr);
        // SAFETY: see `pointer`; the name is zero-terminated or null, and only read during the
        // call. `write` is a function of `api`.
        let status = unsafe { write(self.pointer(), file) };
        self.result(status)
    }
}

/// `lockstep_port`.
#[repr(C)]
#[derive(Debug)]
pub(crate) struct RawPort {
    name: *const c_char,
    pub(crate) bits: u32,
    input: u32,
}

impl RawPort {
    pub(crate) fn name(&self) -> &'static str {
        // SAFETY: a zero-terminated constant of the library.
        let name = unsafe { CStr::from_ptr(self.name) };
        name.to_str().unwrap_or_default()
    }

    pub(crate) fn is_input(&self) -> bool {
        self.input != 0
    }
}

/// `lockstep_bench_api`: the functions and ports of one module.
#[repr(C)]
#[derive(Debug)]
pub(crate) struct BenchApi {
    life: Life,
    eval: unsafe extern "C" fn(*mut c_void) -> c_int,
    put: unsafe extern "C" fn(*mut c_void, u32, *const u32),
    get: unsafe extern "C" fn(*mut c_void, u32, *mut u32),
    ports: *const RawPort,
    port_count: u32,
}

// SAFETY: constants of a library; nothing writes to them.
unsafe impl Sync for BenchApi {}

impl BenchApi {
    pub(crate) fn ports(&'static self) -> &'static [RawPort] {
        // SAFETY: `ports` is a constant array of `port_count` elements.
        unsafe { std::slice::from_raw_parts(self.ports, self.port_count as usize) }
    }
}

impl Functions for BenchApi {
    fn life(&self) -> &Life {
        &self.life
    }
}

impl Handle<BenchApi> {
    /// Evaluates the module.
    ///
    /// # Errors
    /// The module's message when an assertion fails.
    pub(crate) fn eval(&mut self) -> Result<(), String> {
        // SAFETY: see `pointer`.
        let status = unsafe { (self.api.eval)(self.pointer()) };
        self.result(status)
    }

    /// Sets an input to the value of its words, the lowest first.
    pub(crate) fn put(&mut self, port: usize, words: &[u32]) {
        let bits = self.api.ports()[port].bits;
        assert!(words.len() == words_of(bits), "a port of {bits} bits");
        // SAFETY: the port exists and `words` has its length; see `pointer`.
        unsafe { (self.api.put)(self.pointer(), port as u32, words.as_ptr()) }
    }

    /// Reads a port into words of its size.
    pub(crate) fn get(&self, port: usize, words: &mut [u32]) {
        let bits = self.api.ports()[port].bits;
        assert!(words.len() == words_of(bits), "a port of {bits} bits");
        // SAFETY: as in `put`.
        unsafe { (self.api.get)(self.pointer(), port as u32, words.as_mut_ptr()) }
    }
}

/// Number of 32-bit words for a number of bits.
pub(crate) fn words_of(bits: u32) -> usize {
    bits.div_ceil(32) as usize
}
