//! Messages every core answers, whatever its game.

use super::{Payload, PayloadError};
use crate::layout::{Capability, ErrorCode, Game, link::ErrorFields};

pub use crate::layout::link::{Info, Ping, SetRate, Stats};

impl Info {
    /// Whether the core can do that.
    pub const fn has(&self, capability: Capability) -> bool {
        self.capabilities >> capability.bit & 1 == 1
    }
}

/// [`crate::layout::link::ERROR`]: why a request is not served.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Refusal {
    /// The reason.
    pub code: ErrorCode,
    /// Number of the request's message.
    pub request: u8,
}

impl Refusal {
    /// The payload.
    pub fn encode(&self) -> Payload {
        let Self { code, request } = *self;
        ErrorFields {
            code: code.number,
            request,
        }
        .encode()
    }

    /// Reads an error reply of a core for that game.
    ///
    /// # Errors
    /// When the length is not an error's, or such a core has no such code.
    pub fn decode(game: &Game, bytes: &[u8]) -> Result<Self, PayloadError> {
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
    use proptest::prelude::*;

    use super::*;
    use crate::layout::{link, tetris};

    #[test]
    fn capabilities_are_bits() {
        let info = |capabilities| Info {
            protocol_version: 1,
            layout_hash: 2,
            build_id: 3,
            game: 4,
            columns: 5,
            rows: 6,
            lanes: 7,
            multipliers: 8,
            window: 9,
            clock_hz: 10,
            capabilities,
        };
        let far = Capability {
            bit: 31,
            ..link::LOOKAHEAD
        };
        assert!(info(1).has(link::LOOKAHEAD) && !info(!1).has(link::LOOKAHEAD));
        assert!(info(1 << 31).has(far) && !info(u32::MAX >> 1).has(far));
        // First byte first, lowest byte first.
        let bytes = info(0x0403_0201).encode();
        assert_eq!(bytes.as_ref()[..3], [1, 0, 2]);
        assert_eq!(bytes.as_ref()[20..], [1, 2, 3, 4]);
    }

    #[test]
    fn every_code_of_the_game_and_the_link_is_read_and_no_other() {
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

    proptest! {
        #[test]
        fn pings_survive(nonce: u64) {
            let ping = Ping { nonce };
            let bytes = ping.encode();
            prop_assert_eq!(bytes.as_ref(), nonce.to_le_bytes());
            prop_assert_eq!(Ping::decode(bytes.as_ref()), Ok(ping));
        }

        #[test]
        fn infos_survive(
            (protocol_version, layout_hash, build_id, game, columns) in any::<(u16, u32, u32, u8, u8)>(),
            (rows, lanes, multipliers, window) in any::<(u8, u8, u8, u8)>(),
            (clock_hz, capabilities) in any::<(u32, u32)>(),
        ) {
            let info = Info {
                protocol_version, layout_hash, build_id, game, columns, rows, lanes,
                multipliers, window, clock_hz, capabilities,
            };
            prop_assert_eq!(Info::decode(info.encode().as_ref()), Ok(info));
        }

        #[test]
        fn rates_survive(increment: u32) {
            let rate = SetRate { increment };
            let bytes = rate.encode();
            prop_assert_eq!(bytes.as_ref(), increment.to_le_bytes());
            prop_assert_eq!(SetRate::decode(bytes.as_ref()), Ok(rate));
        }

        #[test]
        fn statistics_survive(frames_good: u32, bad_crc: u32, malformed: u32, overrun: u32) {
            let stats = Stats { frames_good, bad_crc, malformed, overrun };
            prop_assert_eq!(Stats::decode(stats.encode().as_ref()), Ok(stats));
        }
    }
}
