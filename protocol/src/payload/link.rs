//! Messages every core answers, whatever its game.

use super::{Fields, Payload, PayloadError};
use crate::layout::{self, ErrorCode, Slot};

/// [`layout::PING`] and [`layout::PONG`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ping {
    /// Any number; the answer repeats it.
    pub nonce: u64,
}

impl Ping {
    const NONCE: Slot = layout::PING.slot("nonce");

    /// The payload; a pong's is the same.
    pub fn encode(&self) -> Payload {
        let mut p = Payload::of(&layout::PING);
        p.put(Self::NONCE, self.nonce);
        p
    }

    /// Reads a pong.
    ///
    /// # Errors
    /// When the length is not a pong's.
    pub fn decode(bytes: &[u8]) -> Result<Self, PayloadError> {
        let f = Fields::of(&layout::PONG, bytes)?;
        Ok(Self {
            nonce: f.get(Self::NONCE) as u64,
        })
    }
}

/// [`layout::INFO_REPLY`]: what a core is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Info {
    /// [`layout::PROTOCOL_VERSION`] of the core.
    pub protocol_version: u16,
    /// [`layout::LAYOUT_HASH`] of the core.
    pub layout_hash: u32,
    /// Hash of the RTL and its parameters.
    pub build_id: u32,
    /// Number of the game, see [`layout::GAMES`].
    pub game: u8,
    /// Board width in cells.
    pub columns: u8,
    /// Board height in cells.
    pub rows: u8,
    /// Placements evaluated side by side.
    pub lanes: u8,
    /// Requests the core holds unanswered.
    pub window: u8,
    /// Clock of the core in hertz.
    pub clock_hz: u32,
    /// Bits of [`layout::CAPABILITIES`].
    pub capabilities: u32,
}

impl Info {
    /// Reads an info reply.
    ///
    /// # Errors
    /// When the length is not an info reply's.
    pub fn decode(bytes: &[u8]) -> Result<Self, PayloadError> {
        const M: layout::Message = layout::INFO_REPLY;
        let f = Fields::of(&layout::INFO_REPLY, bytes)?;
        Ok(Self {
            protocol_version: f.get(const { M.slot("protocol_version") }) as u16,
            layout_hash: f.get(const { M.slot("layout_hash") }) as u32,
            build_id: f.get(const { M.slot("build_id") }) as u32,
            game: f.get(const { M.slot("game") }) as u8,
            columns: f.get(const { M.slot("columns") }) as u8,
            rows: f.get(const { M.slot("rows") }) as u8,
            lanes: f.get(const { M.slot("lanes") }) as u8,
            window: f.get(const { M.slot("window") }) as u8,
            clock_hz: f.get(const { M.slot("clock_hz") }) as u32,
            capabilities: f.get(const { M.slot("capabilities") }) as u32,
        })
    }

    /// Whether the core has the capability of that name.
    pub fn has(&self, capability: &str) -> bool {
        layout::CAPABILITIES
            .iter()
            .any(|(name, bit)| *name == capability && self.capabilities >> bit & 1 == 1)
    }
}

/// [`layout::STATS_REPLY`]: frames the core has seen since its last reset.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Stats {
    /// Well formed, with the right CRC.
    pub frames_good: u32,
    /// Well formed, with a wrong CRC; dropped.
    pub bad_crc: u32,
    /// Not a frame at all; dropped.
    pub malformed: u32,
    /// Good, but beyond the window; answered with `busy`, or dropped.
    pub overrun: u32,
}

impl Stats {
    /// Reads a stats reply.
    ///
    /// # Errors
    /// When the length is not a stats reply's.
    pub fn decode(bytes: &[u8]) -> Result<Self, PayloadError> {
        const M: layout::Message = layout::STATS_REPLY;
        let f = Fields::of(&layout::STATS_REPLY, bytes)?;
        Ok(Self {
            frames_good: f.get(const { M.slot("frames_good") }) as u32,
            bad_crc: f.get(const { M.slot("bad_crc") }) as u32,
            malformed: f.get(const { M.slot("malformed") }) as u32,
            overrun: f.get(const { M.slot("overrun") }) as u32,
        })
    }
}

/// [`layout::ERROR`]: why a request was not served.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Refusal {
    /// The reason.
    pub code: ErrorCode,
    /// Number of the request's message.
    pub request: u8,
}

impl Refusal {
    /// Reads an error reply.
    ///
    /// # Errors
    /// When the length is not an error's or the code is not known.
    pub fn decode(bytes: &[u8]) -> Result<Self, PayloadError> {
        const M: layout::Message = layout::ERROR;
        let f = Fields::of(&layout::ERROR, bytes)?;
        let code = f.get(const { M.slot("code") });
        Ok(Self {
            code: ErrorCode::from_u8(code as u8)
                .ok_or_else(|| f.reject("code", "an error code", code))?,
            request: f.get(const { M.slot("request") }) as u8,
        })
    }
}
