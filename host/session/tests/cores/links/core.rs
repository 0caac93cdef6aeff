//! A fake core behind a line: different rates, lost settings, another build, faults.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use lockstep::link::{Link, LinkError, LinkStatistics};
use lockstep_games::tetris::board::Board;
use lockstep_games::tetris::{Piece, Position, Tetris};
use lockstep_games::{Codec as _, Golden as _};
use protocol::Decoder;
use protocol::layout::tetris::{DecideFields, DecisionFields};
use protocol::layout::{self, ErrorCode, REPLY, link as table, tetris};
use protocol::payload::Payload;
use protocol::payload::link::{Buttons, Info, Ping, Refusal, SetRate, Stats};

use crate::fake;
use crate::positions::controller;

pub const CLOCK_HZ: u32 = 100_000_000;
pub const BASE: u32 = 115_200;

/// A fake core, its log and its faults.
#[derive(Default)]
pub struct Core {
    decoder: Decoder,
    configured: bool,
    /// Its current rate, in baud.
    pub rate: u32,
    pub info: Info,
    /// Presses of its board's buttons.
    pub buttons: Buttons,
    /// Maximum rate at which its line is not garbled.
    pub clean_to: u32,
    /// Another device, which answers `OK` to everything.
    pub foreign: bool,
    /// A message that it does not know.
    pub unknown: Option<u8>,
    /// Each reply is delayed until the next one.
    pub late: bool,
    held: Bytes,
    /// Number of decisions.
    pub decided: u64,
    /// Number of decisions after which it is reset.
    pub reset_after: Option<u64>,
    /// The rates that were set.
    pub rates: Vec<u32>,
    /// Every third request above this rate is lost.
    pub lossy_above: u32,
    requests: u64,
    /// Nonces of the pings after a reset: one for each handshake.
    pub nonces: Vec<u64>,
    was_reset: bool,
    /// Number of `set_rate` requests that will be lost.
    pub swallows: u32,
    /// Requests since the host last waited.
    open: usize,
    /// The maximum of `open`.
    pub most: usize,
    /// Limits of the waits in which nothing arrived.
    pub waits: Vec<Duration>,
    /// Bytes on their way to the host.
    out: VecDeque<u8>,
}

impl Core {
    fn new() -> Self {
        let info = Info {
            protocol_version: layout::PROTOCOL_VERSION,
            layout_hash: Tetris::WIRE.layout_hash(),
            build_id: 0x600d,
            game: Tetris::WIRE.number,
            columns: tetris::COLUMNS as u8,
            rows: tetris::ROWS as u8,
            lanes: 1,
            multipliers: 4,
            window: layout::WINDOW,
            clock_hz: CLOCK_HZ,
            capabilities: 0,
        };
        Self {
            info,
            rate: BASE,
            clean_to: u32::MAX,
            lossy_above: u32::MAX,
            ..Self::default()
        }
    }

    /// Returns to the state after power-up.
    pub fn reset(&mut self) {
        self.decoder = Decoder::new();
        self.configured = false;
        self.rate = BASE;
        self.out.clear();
    }

    /// Receives a byte sent at a rate.
    fn take(&mut self, byte: u8, rate: u32) {
        // An increment gives a rate only nearly.
        if self.rate.abs_diff(rate) > rate / 100 {
            // A zero of a slow line is a break to a fast one; all else is garbage.
            if byte == 0 && u64::from(self.rate) >= 2 * u64::from(rate) {
                self.rate = BASE;
                self.decoder = Decoder::new();
            }
            return;
        }
        if rate > self.clean_to {
            return;
        }
        if self.foreign {
            self.out.extend(b"OK\r\n");
            return;
        }
        let Some(Ok(frame)) = self.decoder.push(byte) else {
            return;
        };
        self.requests += 1;
        self.open += 1;
        self.most = self.most.max(self.open);
        if rate > self.lossy_above && self.requests.is_multiple_of(3) {
            return;
        }
        if frame.kind == table::SET_RATE.id && self.swallows > 0 {
            self.swallows -= 1;
            return;
        }
        let (seq, kind, payload) = (frame.seq, frame.kind, frame.payload.to_vec());
        let mut next = None;
        let reply = self.serve(kind, &payload, &mut next);
        let (kind, payload) = match reply {
            Ok(payload) => (kind | REPLY, payload),
            Err(code) => {
                let request = kind;
                (table::ERROR.id, Refusal { code, request }.encode())
            }
        };
        let mut wire = fake::frame(seq, kind, payload.as_ref());
        if self.late {
            std::mem::swap(&mut self.held, &mut wire);
        }
        self.out.extend(wire);
        if let Some(rate) = next {
            self.rate = rate;
            self.rates.push(rate);
        }
        if self.reset_after == Some(self.decided) {
            self.reset_after = None;
            self.reset();
        }
    }

    fn serve(
        &mut self,
        kind: u8,
        payload: &[u8],
        next: &mut Option<u32>,
    ) -> Result<Payload, ErrorCode> {
        if self.unknown == Some(kind) {
            return Err(table::UNKNOWN_TYPE);
        }
        let request = |message: &layout::Message| kind == message.id;
        if request(&table::PING) {
            let ping = Ping::decode(payload).expect("a ping");
            if std::mem::take(&mut self.was_reset) {
                self.nonces.push(ping.nonce);
            }
            return Ok(ping.encode());
        }
        if request(&table::INFO) {
            return Ok(self.info.encode());
        }
        if request(&table::STATS) {
            return Ok(Stats::default().encode());
        }
        if request(&table::BUTTONS) {
            return Ok(self.buttons.encode());
        }
        if request(&table::RESET) {
            self.configured = false;
            self.was_reset = true;
            return Ok(Payload::of(&table::RESET_REPLY));
        }
        if request(&table::SET_RATE) {
            let increment = SetRate::decode(payload).expect("a rate").increment;
            let exact = u64::from(increment) * u64::from(CLOCK_HZ);
            *next = Some(((exact + (1 << 23)) >> 24) as u32);
            return Ok(Payload::of(&table::SET_RATE_REPLY));
        }
        let weights = Tetris::encode_controller(&controller("probe")).expect("linear");
        if request(&tetris::SET_WEIGHTS) {
            assert_eq!(payload, weights.as_ref(), "the tests' only controller");
            self.configured = true;
            return Ok(Payload::of(&tetris::SET_WEIGHTS_REPLY));
        }
        if !self.configured {
            return Err(tetris::WEIGHTS_UNSET);
        }
        if request(&tetris::GET_WEIGHTS) {
            return Ok(weights);
        }
        assert!(request(&tetris::DECIDE), "message {kind:#x}");
        self.decided += 1;
        Ok(decide(payload))
    }
}

/// The golden model's decision, as a core replies it.
fn decide(payload: &[u8]) -> Payload {
    let request = DecideFields::decode(payload).expect("a position");
    let mut board = Board::new(tetris::COLUMNS, tetris::ROWS);
    for bit in 0..tetris::COLUMNS * tetris::ROWS {
        let filled = request.board[bit / 8] >> (bit % 8) & 1 == 1;
        board.set(bit % tetris::COLUMNS, bit / tetris::COLUMNS, filled);
    }
    let position = Position {
        board,
        piece: Piece::from_number(request.piece).expect("a piece"),
        next: None,
    };
    let decided = Tetris::decide(&controller("probe"), &position).expect("a decision");
    let cycles = 100;
    let none = DecisionFields {
        cycles,
        ..DecisionFields::default()
    };
    let decision = decided.map_or(none, |placement| DecisionFields {
        legal: 1,
        rotation: placement.rotation as u8,
        column: placement.column as u8,
        row: placement.row as u8,
        rows_cleared: placement.rows_cleared as u8,
        score: placement.score.0,
        cycles,
    });
    decision.encode()
}

/// The core, shared with a test.
#[derive(Clone)]
pub struct Shared(Arc<Mutex<Core>>);

impl Shared {
    pub fn get(&self) -> MutexGuard<'_, Core> {
        self.0.lock().expect("not poisoned")
    }
}

/// The host's end of a line to a core.
pub struct CoreLink {
    core: Shared,
    rate: u32,
    /// Maximum rate of the host; 0 if none can be set.
    top: u32,
    statistics: LinkStatistics,
}

impl CoreLink {
    pub fn new(top: u32) -> (Self, Shared) {
        let core = Shared(Arc::new(Mutex::new(Core::new())));
        let link = Self {
            core: core.clone(),
            rate: BASE,
            top,
            statistics: LinkStatistics::default(),
        };
        (link, core)
    }
}

#[async_trait]
impl Link for CoreLink {
    fn describe(&self) -> String {
        "a core in software".into()
    }

    async fn send(&mut self, bytes: &[u8]) -> Result<(), LinkError> {
        let mut core = self.core.get();
        bytes.iter().for_each(|byte| core.take(*byte, self.rate));
        self.statistics.sent += bytes.len() as u64;
        Ok(())
    }

    async fn receive(&mut self, within: Duration) -> Result<Bytes, LinkError> {
        let mut core = self.core.get();
        core.open = 0;
        let bytes: Bytes = core.out.drain(..).collect();
        self.statistics.received += bytes.len() as u64;
        if bytes.is_empty() {
            core.waits.push(within);
            return Err(LinkError::Silent("nothing came".into()));
        }
        Ok(bytes)
    }

    async fn reopen(&mut self) -> Result<(), LinkError> {
        self.core.get().out.clear();
        self.statistics.reopened += 1;
        Ok(())
    }

    fn statistics(&self) -> LinkStatistics {
        self.statistics
    }

    fn rate(&self) -> Option<u32> {
        (self.top > 0).then_some(self.rate)
    }

    async fn set_rate(&mut self, baud: u32) -> Result<(), LinkError> {
        if baud > self.top {
            return Err(LinkError::Rate(baud));
        }
        self.rate = baud;
        Ok(())
    }
}
