//! The table of the link, which every core answers whatever its game.

use super::{LinkTable, MAX_PAYLOAD, PROTOCOL_VERSION};

table! {
    payloads {
        /// A number that identifies a ping.
        "ping" Ping {
            /// Any number; the reply repeats it.
            nonce: u64,
        }

        /// The description of a core.
        "info_reply" Info {
            /// Version of the wire the core speaks.
            protocol_version: u16,
            /// Hash of the link's table and that of the core's game.
            layout_hash: u32,
            /// Hash of the core's sources and parameters; 0 if it has none.
            build_id: u32,
            /// Number of the core's game.
            game: u8,
            /// Board width in cells.
            columns: u8,
            /// Board height in cells.
            rows: u8,
            /// Candidates evaluated side by side, each in a clock cycle of its own; 0 if each
            /// takes several.
            lanes: u8,
            /// Products that each lane computes in a clock cycle; 0 if the game has none.
            multipliers: u8,
            /// Requests the core holds unanswered, at least 1.
            window: u8,
            /// Clock of the core in hertz.
            clock_hz: u32,
            /// What the core can do, one bit each, see the capabilities.
            capabilities: u32,
        }

        /// Counters of received frames since power-up or the last reset; each stops at its maximum.
        "stats_reply" Stats {
            /// Frames with the right CRC, the request answered here included.
            frames_good: u32,
            /// Well-formed frames with a wrong CRC; dropped.
            bad_crc: u32,
            /// Bytes between two delimiters that are no frame; dropped.
            malformed: u32,
            /// Good frames beyond the window: refused as busy, or dropped.
            overrun: u32,
        }

        /// How often each button of the board was pressed.
        "buttons_reply" Buttons {
            /// Presses since power-up or the board's reset, modulo 256, each by the number of its
            /// button: left, right, up, down, fire 1, fire 2.
            presses: [u8; BUTTON_COUNT],
        }

        /// A rate of the serial line, as the increment of the core's UART.
        "set_rate" SetRate {
            /// What the UART adds each clock cycle to a phase of 24 bits:
            /// baud x 2^24 / clock_hz, rounded.
            increment: u32,
        }

        /// The reason for which a request is refused.
        "error" ErrorFields {
            /// Number of the error code.
            code: u8,
            /// Number of the request's message, as it was received.
            request: u8,
        }
    }
    messages {
        /// Asks for its own nonce back. It waits its turn like any request: once
        /// its reply comes, no reply to an older request can follow.
        PING = 0x01, "ping", Ping;
        /// Reply to a ping, with its nonce.
        PONG = 0x81, "pong", Ping;
        /// Asks what the core is.
        INFO = 0x02, "info", ();
        /// Reply to info: what the core is.
        INFO_REPLY = 0x82, "info_reply", Info;
        /// Takes effect the moment it arrives, ahead of everything queued: drops
        /// requests and the decision under way, forgets all settings of the game,
        /// zeroes the statistics.
        RESET = 0x03, "reset", ();
        /// Reply to a reset.
        RESET_REPLY = 0x83, "reset_reply", ();
        /// Asks for the receiver's statistics.
        STATS = 0x04, "stats", ();
        /// Reply to stats: frames since power-up or the last reset.
        STATS_REPLY = 0x84, "stats_reply", Stats;
        /// Asks for another rate of the line, which holds once the reply has left.
        SET_RATE = 0x05, "set_rate", SetRate;
        /// Reply to set_rate, the last one at the old rate.
        SET_RATE_REPLY = 0x85, "set_rate_reply", ();
        /// Ends, the moment it arrives, every stream that was asked for before it.
        CANCEL = 0x06, "cancel", ();
        /// Reply to cancel: those streams are over.
        CANCEL_REPLY = 0x86, "cancel_reply", ();
        /// Lets the stream under way send more parts, the moment it arrives:
        /// `stream_credit` of them.
        CREDIT = 0x07, "credit", ();
        /// Reply to credit.
        CREDIT_REPLY = 0x87, "credit_reply", ();
        /// Asks how often the buttons of the board were pressed.
        BUTTONS = 0x08, "buttons", ();
        /// Reply to buttons; without the capability `buttons` each number is 0.
        BUTTONS_REPLY = 0x88, "buttons_reply", Buttons;
        /// Reply to a request that cannot be served.
        ERROR = 0xff, "error", ErrorFields;
    }
    errors {
        /// The core knows no request of that number.
        UNKNOWN_TYPE = 0x01, "unknown_type";
        /// The payload is not as long as the request's.
        BAD_LENGTH = 0x02, "bad_length";
        /// The core lacks the capability the request needs.
        UNSUPPORTED = 0x03, "unsupported";
        /// More requests than the core's window; ask again once a reply has come.
        BUSY = 0x04, "busy";
        /// The core cannot run its line at that rate.
        BAD_RATE = 0x05, "bad_rate";
    }
    capabilities {
        /// The core uses what comes next where a request gives it.
        LOOKAHEAD = 0, "lookahead";
        /// The cycles of a decision are those that the game gives for its position.
        EXACT_CYCLES = 1, "exact_cycles";
        /// The core reports every candidate of a decision where a request asks for them.
        TRACE = 2, "trace";
        /// The core plays on from a position: it carries out its own moves.
        PLAY = 3, "play";
        /// The core plays by itself: it draws what chance brings, and signs its moves.
        SELF_PLAY = 4, "self_play";
        /// The board has buttons for a person who plays.
        HAS_BUTTONS = 5, "buttons";
    }
    constants {
        /// Rate of a board's line after power-up, in baud.
        BASE_BAUD: u32 = 115_200, "base_baud", 32;
        /// Least increment of set_rate: its rounding is 1 % at most.
        MIN_INCREMENT: u32 = 50, "min_increment", 32;
        /// Greatest increment of set_rate: 8 clock cycles a bit.
        MAX_INCREMENT: u32 = (1 << 24) / 8, "max_increment", 32;
        /// Parts that a stream may send before a credit comes, and those that each credit allows
        /// it beyond.
        STREAM_CREDIT: u8 = 8, "stream_credit", 8;
        /// Buttons that a board may have for a person who plays.
        BUTTON_COUNT: usize = 6, "button_count", 32;
    }
}

/// The link's table.
pub const LINK: LinkTable = LinkTable {
    version: PROTOCOL_VERSION,
    max_payload: MAX_PAYLOAD,
    messages: MESSAGES,
    errors: ERRORS,
    capabilities: CAPABILITIES,
    constants: CONSTANTS,
};
