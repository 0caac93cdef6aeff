//! The C interfaces of `verilator/shim.h` and `verilator/bench.h`, and all of the crate's `unsafe`.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::marker::PhantomData;
use std::ptr::NonNull;

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
}

/// `lockstep_api`: the functions of one model.
#[repr(C)]
#[derive(Debug)]
pub(crate) struct Api {
    create: unsafe extern "C" fn(u32, u32) -> *mut c_void,
    assertions: unsafe extern "C" fn(*mut c_void, c_int),
    destroy: unsafe extern "C" fn(*mut c_void),
    run: unsafe extern "C" fn(
        *mut c_void,
        *const RawInputs,
        *mut RawOutputs,
        u64,
        *mut u64,
    ) -> c_int,
    error: unsafe extern "C" fn(*mut c_void) -> *const c_char,
}

/// An instance of a model. Neither `Send` nor `Sync`: the raw pointer keeps it
/// on the thread that made it.
pub(crate) struct Handle {
    api: &'static Api,
    model: NonNull<c_void>,
    one_thread: PhantomData<*mut ()>,
}

impl Handle {
    /// Makes an instance with a seeded fault (0: none) and its registers 0 or, from
    /// a seed that is not 0, any; `None` when the C++ side cannot.
    pub(crate) fn new(api: &'static Api, fault: u32, power_up: u32) -> Option<Self> {
        // SAFETY: `create` takes numbers and may be called on any thread.
        let model = unsafe { (api.create)(fault, power_up) };
        Some(Self {
            api,
            model: NonNull::new(model)?,
            one_thread: PhantomData,
        })
    }

    /// From now on assertions stop the model; before its reset they say nothing.
    pub(crate) fn assert(&mut self) {
        // SAFETY: as in `Handle::run`.
        unsafe { (self.api.assertions)(self.model.as_ptr(), 1) }
    }

    /// Clocks the model; see `run` in `shim.h`.
    ///
    /// # Errors
    /// The model's own words when it stopped itself.
    pub(crate) fn run(
        &mut self,
        inputs: &RawInputs,
        outputs: &mut RawOutputs,
        max_cycles: u64,
        cycles: &mut u64,
    ) -> Result<(), String> {
        // SAFETY: `model` came from this api's `create` and is not destroyed
        // before `self`; `&mut self` and the type's not being `Send` keep the
        // call on the one thread; the references are valid for its duration.
        let status =
            unsafe { (self.api.run)(self.model.as_ptr(), inputs, outputs, max_cycles, cycles) };
        if status == 0 {
            return Ok(());
        }
        // SAFETY: as above; the text is zero-terminated and lives as long as
        // the model, and is copied here.
        let why = unsafe { CStr::from_ptr((self.api.error)(self.model.as_ptr())) };
        Err(why.to_string_lossy().into_owned())
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        // SAFETY: made by this api's `create`, destroyed once, never used after.
        unsafe { (self.api.destroy)(self.model.as_ptr()) }
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
    create: unsafe extern "C" fn(u32, u32) -> *mut c_void,
    assertions: unsafe extern "C" fn(*mut c_void, c_int),
    destroy: unsafe extern "C" fn(*mut c_void),
    eval: unsafe extern "C" fn(*mut c_void) -> c_int,
    put: unsafe extern "C" fn(*mut c_void, u32, *const u32),
    get: unsafe extern "C" fn(*mut c_void, u32, *mut u32),
    error: unsafe extern "C" fn(*mut c_void) -> *const c_char,
    ports: *const RawPort,
    port_count: u32,
}

// SAFETY: constants of a library; nothing writes to them.
unsafe impl Sync for BenchApi {}

impl BenchApi {
    pub(crate) fn ports(&'static self) -> &'static [RawPort] {
        // SAFETY: `ports` is a constant array of that many.
        unsafe { std::slice::from_raw_parts(self.ports, self.port_count as usize) }
    }
}

/// An instance of a module; stays on its thread as a [`Handle`] does.
pub(crate) struct BenchHandle {
    api: &'static BenchApi,
    model: NonNull<c_void>,
    one_thread: PhantomData<*mut ()>,
}

impl BenchHandle {
    /// As [`Handle::new`].
    pub(crate) fn new(api: &'static BenchApi, fault: u32, power_up: u32) -> Option<Self> {
        // SAFETY: `create` takes numbers and may be called on any thread.
        let model = unsafe { (api.create)(fault, power_up) };
        Some(Self {
            api,
            model: NonNull::new(model)?,
            one_thread: PhantomData,
        })
    }

    /// From now on assertions stop the model; before its reset they say nothing.
    pub(crate) fn assert(&mut self) {
        // SAFETY: as in `Handle::run`.
        unsafe { (self.api.assertions)(self.model.as_ptr(), 1) }
    }

    /// Evaluates the module with its inputs as they are.
    ///
    /// # Errors
    /// The module's own words when it stopped itself.
    pub(crate) fn eval(&mut self) -> Result<(), String> {
        // SAFETY: as in `Handle::run`.
        let status = unsafe { (self.api.eval)(self.model.as_ptr()) };
        if status == 0 {
            return Ok(());
        }
        // SAFETY: as in `Handle::run`.
        let why = unsafe { CStr::from_ptr((self.api.error)(self.model.as_ptr())) };
        Err(why.to_string_lossy().into_owned())
    }

    /// Sets an input. The words are those of its bits, the lowest first.
    pub(crate) fn put(&mut self, port: usize, words: &[u32]) {
        let bits = self.api.ports()[port].bits;
        assert!(words.len() == words_of(bits), "a port of {bits} bits");
        // SAFETY: the port exists and there are as many words as it has; otherwise
        // as in `Handle::run`.
        unsafe { (self.api.put)(self.model.as_ptr(), port as u32, words.as_ptr()) }
    }

    /// Reads a port into words of its size.
    pub(crate) fn get(&self, port: usize, words: &mut [u32]) {
        let bits = self.api.ports()[port].bits;
        assert!(words.len() == words_of(bits), "a port of {bits} bits");
        // SAFETY: as in `put`.
        unsafe { (self.api.get)(self.model.as_ptr(), port as u32, words.as_mut_ptr()) }
    }
}

impl Drop for BenchHandle {
    fn drop(&mut self) {
        // SAFETY: made by this api's `create`, destroyed once, never used after.
        unsafe { (self.api.destroy)(self.model.as_ptr()) }
    }
}

/// Words of 32 bits that so many bits fill.
pub(crate) fn words_of(bits: u32) -> usize {
    bits.div_ceil(32) as usize
}
