//! Payloads of the link, which every core answers whatever its game.

use super::{Payload, PayloadError};
use crate::layout::{Capability, ErrorCode, GameTable, link::ErrorFields};

pub use crate::layout::link::{Buttons, Info, Ping, SetRate, Stats};

impl Info {
    /// Whether the core has a capability.
    pub const fn has(&self, capability: Capability) -> bool {
        self.capabilities >> capability.bit & 1 == 1
    }
}

/// The payload of [`crate::layout::link::ERROR`]: why a request is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Refusal {
    /// The reason.
    pub code: ErrorCode,
    /// Message number of the request.
    pub request: u8,
}

impl Refusal {
    /// Encodes the payload.
    pub fn encode(&self) -> Payload {
        let Self { code, request } = *self;
        ErrorFields {
            code: code.number,
            request,
        }
        .encode()
    }

    /// Decodes an error reply of a core for `game`.
    ///
    /// # Errors
    /// When the length is wrong, or neither the link nor the game has the code.
    pub fn decode(game: &GameTable, bytes: &[u8]) -> Result<Self, PayloadError> {
        let ErrorFields { code, request } = ErrorFields::decode(bytes)?;
        let known = game.error(code).ok_or(PayloadError::Value {
            payload: "error",
            field: "code",
            expected: "an error code of the link or the game",
            got: code.into(),
        })?;
        Ok(Self {
            code: *known,
            request,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::{link, tetris};

    #[test]
    fn info_capability_is_its_bit() {
        let info = |capabilities| Info {
            protocol_version: 1,
            layout_hash: 2,
            capabilities,
            ..Info::default()
        };
        let far = Capability {
            bit: 31,
            ..link::LOOKAHEAD
        };
        assert!(info(1).has(link::LOOKAHEAD) && !info(!1).has(link::LOOKAHEAD));
        assert!(info(1 << 31).has(far) && !info(u32::MAX >> 1).has(far));
        // Fields in wire order, each with its lowest byte first.
        let bytes = info(0x0403_0201).encode();
        assert_eq!(bytes.as_ref()[..3], [1, 0, 2]);
        assert_eq!(bytes.as_ref()[20..], [1, 2, 3, 4]);
    }

    #[test]
    fn refusal_decode_accepts_known_codes_only() {
        for number in 0..=u8::MAX {
            let read = Refusal::decode(&tetris::GAME, &[number, 0x12]);
            match tetris::GAME.error(number) {
                Some(code) => {
                    let refusal = Refusal {
                        code: *code,
                        request: 0x12,
                    };
                    assert_eq!(read, Ok(refusal));
                    assert_eq!(refusal.encode().as_ref(), [number, 0x12]);
                }
                None => assert!(
                    matches!(read, Err(PayloadError::Value { field: "code", .. })),
                    "{number}: {read:?}"
                ),
            }
        }
    }
}
