//! The C interface of `verilator/shim.h`, and all of the crate's `unsafe`.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::marker::PhantomData;
use std::ptr::NonNull;

/// `lockstep_inputs`.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct RawInputs {
    pub(crate) baud_inc: u32,
    pub(crate) build_id: u32,
    pub(crate) fault: u32,
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
    create: unsafe extern "C" fn() -> *mut c_void,
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
    /// Makes an instance; `None` when the C++ side cannot.
    pub(crate) fn new(api: &'static Api) -> Option<Self> {
        // SAFETY: `create` takes nothing and may be called on any thread.
        let model = unsafe { (api.create)() };
        Some(Self {
            api,
            model: NonNull::new(model)?,
            one_thread: PhantomData,
        })
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
