//! The C interfaces `verilator/shim.h` and `verilator/bench.h`, with the crate's `unsafe` code.

// The models compress waveforms with these libraries.
use libz_sys as _;
use lz4_sys as _;

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

/// `lockstep_life`: the functions that every model has.
#[repr(C)]
#[derive(Debug)]
struct Life {
    create: unsafe extern "C" fn(u32, u32) -> *mut c_void,
    assertions: unsafe extern "C" fn(*mut c_void, c_int),
    destroy: unsafe extern "C" fn(*mut c_void),
    error: unsafe extern "C" fn(*mut c_void) -> *const c_char,
}

/// An instance of a model. Neither `Send` nor `Sync`, so it stays on the thread that created it.
struct Instance {
    life: &'static Life,
    model: NonNull<c_void>,
    one_thread: PhantomData<*mut ()>,
}

impl Instance {
    fn new(life: &'static Life, fault: u32, power_up: u32) -> Option<Self> {
        // SAFETY: `create` takes numbers and may be called on any thread.
        let model = unsafe { (life.create)(fault, power_up) };
        Some(Self {
            life,
            model: NonNull::new(model)?,
            one_thread: PhantomData,
        })
    }

    /// The argument of the functions of the library that `life` belongs to. It was returned by
    /// `create` of this library and lives as long as `self`, which is not `Send`, so that all calls
    /// are on one thread.
    fn pointer(&self) -> *mut c_void {
        self.model.as_ptr()
    }

    fn assert(&mut self) {
        // SAFETY: see `pointer`.
        unsafe { (self.life.assertions)(self.pointer(), 1) }
    }

    /// The result of a function with this status: 0 is success.
    fn result(&self, status: c_int) -> Result<(), String> {
        if status == 0 {
            return Ok(());
        }
        // SAFETY: see `pointer`; the text is zero-terminated and lives as long as
        // the model, and is copied here.
        let why = unsafe { CStr::from_ptr((self.life.error)(self.pointer())) };
        Err(why.to_string_lossy().into_owned())
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        // SAFETY: see `pointer`; destroyed once, never used after.
        unsafe { (self.life.destroy)(self.pointer()) }
    }
}

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
    waves: Option<unsafe extern "C" fn(*mut c_void, *const c_char) -> c_int>,
    coverage: Option<unsafe extern "C" fn(*mut c_void, *const c_char) -> c_int>,
}

impl Api {
    /// Whether its models count coverage.
    pub(crate) fn counts(&self) -> bool {
        self.coverage.is_some()
    }
}

/// An instance of a core.
pub(crate) struct Handle {
    api: &'static Api,
    instance: Instance,
}

impl Handle {
    /// Creates an instance with a seeded fault (0: none); `None` if memory is exhausted.
    ///
    /// Registers are 0, or random if the seed `power_up` is not 0.
    pub(crate) fn new(api: &'static Api, fault: u32, power_up: u32) -> Option<Self> {
        let instance = Instance::new(&api.life, fault, power_up)?;
        Some(Self { api, instance })
    }

    /// Enables assertions, which are meaningless before the reset.
    pub(crate) fn assert(&mut self) {
        self.instance.assert();
    }

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
        let model = self.instance.pointer();
        // SAFETY: see `Instance::pointer`; the references are valid for the call.
        let status = unsafe { (self.api.run)(model, inputs, outputs, max_cycles, cycles) };
        self.instance.result(status)
    }

    /// Writes a waveform into a file from the next cycle on; `None` ends it.
    ///
    /// # Errors
    /// When the file cannot be written, or the model has no waveforms.
    pub(crate) fn waves(&mut self, file: Option<&CStr>) -> Result<(), String> {
        let waves = self.api.waves.ok_or("it was not made to write waveforms")?;
        let file = file.map_or(std::ptr::null(), CStr::as_ptr);
        // SAFETY: see `Instance::pointer`; the name is zero-terminated or null, and only
        // read during the call.
        let status = unsafe { waves(self.instance.pointer(), file) };
        self.instance.result(status)
    }

    /// Writes the coverage counters into a file; `None` sets them to 0.
    ///
    /// # Errors
    /// When the file cannot be written, or the model has no counters.
    pub(crate) fn coverage(&mut self, file: Option<&CStr>) -> Result<(), String> {
        let coverage = self.api.coverage.ok_or(NOT_COUNTED)?;
        let file = file.map_or(std::ptr::null(), CStr::as_ptr);
        // SAFETY: see `Instance::pointer`; the name is zero-terminated or null, and only read
        // during the call.
        let status = unsafe { coverage(self.instance.pointer(), file) };
        self.instance.result(status)
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

/// An instance of a module.
pub(crate) struct BenchHandle {
    api: &'static BenchApi,
    instance: Instance,
}

impl BenchHandle {
    /// As [`Handle::new`].
    pub(crate) fn new(api: &'static BenchApi, fault: u32, power_up: u32) -> Option<Self> {
        let instance = Instance::new(&api.life, fault, power_up)?;
        Some(Self { api, instance })
    }

    /// As [`Handle::assert`].
    pub(crate) fn assert(&mut self) {
        self.instance.assert();
    }

    /// Evaluates the module.
    ///
    /// # Errors
    /// The module's message when an assertion fails.
    pub(crate) fn eval(&mut self) -> Result<(), String> {
        // SAFETY: see `Instance::pointer`.
        let status = unsafe { (self.api.eval)(self.instance.pointer()) };
        self.instance.result(status)
    }

    /// Sets an input to the value of its words, the lowest first.
    pub(crate) fn put(&mut self, port: usize, words: &[u32]) {
        let bits = self.api.ports()[port].bits;
        assert!(words.len() == words_of(bits), "a port of {bits} bits");
        // SAFETY: the port exists and `words` has its length; see `Instance::pointer`.
        unsafe { (self.api.put)(self.instance.pointer(), port as u32, words.as_ptr()) }
    }

    /// Reads a port into words of its size.
    pub(crate) fn get(&self, port: usize, words: &mut [u32]) {
        let bits = self.api.ports()[port].bits;
        assert!(words.len() == words_of(bits), "a port of {bits} bits");
        // SAFETY: as in `put`.
        unsafe { (self.api.get)(self.instance.pointer(), port as u32, words.as_mut_ptr()) }
    }
}

/// Number of 32-bit words for a number of bits.
pub(crate) fn words_of(bits: u32) -> usize {
    bits.div_ceil(32) as usize
}
