//! A fake core that answers the requests of the link, behind a pseudo-terminal, which stands for the
//! serial port of a board. The tests of the command line use it, too.

use std::io::{ErrorKind, Read as _, Write as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use protocol::layout::{self, REPLY, link as table};
use protocol::payload::link::{Buttons, Info, Refusal, Stats};
use protocol::{Decoder, Frame};
use serialport::{SerialPort as _, TTYPort};

/// How a core behaves.
#[derive(Debug, Clone, Copy)]
pub enum Behaviour {
    /// It answers, with this `info`.
    Answers(Info),
    /// It sends nothing.
    Silent,
    /// It sends bytes that are not frames.
    Noise,
}

/// The `info` of a core for a game of this host.
pub fn info() -> Info {
    let game = layout::GAMES[0];
    Info {
        protocol_version: layout::PROTOCOL_VERSION,
        layout_hash: game.layout_hash(),
        build_id: 0x00c0_ffee,
        game: game.number,
        columns: 10,
        rows: 20,
        lanes: 1,
        multipliers: 0,
        window: 4,
        clock_hz: 100_000_000,
        ..Info::default()
    }
}

/// Its answer to bytes.
pub fn answer(behaviour: Behaviour, decoder: &mut Decoder, bytes: &[u8]) -> Vec<u8> {
    let info = match behaviour {
        Behaviour::Answers(info) => info,
        Behaviour::Silent => return Vec::new(),
        Behaviour::Noise => return b"login: ".to_vec(),
    };
    let mut answers = Vec::new();
    for byte in bytes {
        let Some(Ok(frame)) = decoder.push(*byte) else {
            continue;
        };
        let (kind, payload) = match frame.kind {
            kind if kind == table::INFO.id => (kind | REPLY, info.encode().as_ref().to_vec()),
            kind if kind == table::PING.id => (kind | REPLY, frame.payload.to_vec()),
            kind if kind == table::RESET.id => (kind | REPLY, Vec::new()),
            kind if kind == table::STATS.id => {
                (kind | REPLY, Stats::default().encode().as_ref().to_vec())
            }
            kind if kind == table::BUTTONS.id => {
                (kind | REPLY, Buttons::default().encode().as_ref().to_vec())
            }
            request => {
                // It supports a single rate.
                let code = match request == table::SET_RATE.id {
                    true => table::BAD_RATE,
                    false => table::UNKNOWN_TYPE,
                };
                let refusal = Refusal { code, request };
                (table::ERROR.id, refusal.encode().as_ref().to_vec())
            }
        };
        let reply = Frame {
            seq: frame.seq,
            kind,
            payload: &payload,
        };
        let wire = protocol::frame::encode(&reply).expect("it fits");
        answers.extend_from_slice(wire.as_ref());
    }
    answers
}

/// A core behind a pseudo-terminal; dropped, it hangs up.
pub struct Core {
    path: String,
    ends: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Core {
    pub fn start(behaviour: Behaviour) -> Self {
        let (mut board, port) = TTYPort::pair().expect("a pseudo-terminal");
        // Time between two checks of `ends`.
        let look = Duration::from_millis(5);
        board.set_timeout(look).expect("it has a timeout");
        let path = port.name().expect("it has a name");
        let ends = Arc::new(AtomicBool::new(false));
        let end = ends.clone();
        let thread = std::thread::spawn(move || {
            // While this end has it open, the host may open and close it.
            let _port = port;
            let mut decoder = Decoder::new();
            let mut bytes = [0; 512];
            while !end.load(Ordering::Relaxed) {
                match board.read(&mut bytes) {
                    Ok(count) => {
                        let answers = answer(behaviour, &mut decoder, &bytes[..count]);
                        board.write_all(&answers).expect("it is read");
                    }
                    Err(error) => assert_eq!(error.kind(), ErrorKind::TimedOut, "{error}"),
                }
            }
        });
        Self {
            path,
            ends,
            thread: Some(thread),
        }
    }

    /// The path of its terminal.
    pub fn path(&self) -> &str {
        &self.path
    }
}

impl Drop for Core {
    fn drop(&mut self) {
        self.ends.store(true, Ordering::Relaxed);
        let ended = self.thread.take().map(JoinHandle::join);
        if !std::thread::panicking() {
            assert!(matches!(ended, Some(Ok(()))), "the core failed");
        }
    }
}
