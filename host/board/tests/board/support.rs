//! Shared by the tests: served boards, and clients.

use std::io::{self, Read, Write};
use std::thread::JoinHandle;
use std::time::Duration;

use lockstep::Stop;
use lockstep::stop::Stopper;
use lockstep_board::{
    Address, BoardError, Endpoint, FaultOption, LineFaults, Options, Pace, Power, Progress, Served,
    Server,
};
use protocol::layout::link as layout;
use protocol::payload::link::{Info, Ping, SetRate, Stats};
use protocol::{Decoder, Frame};
use tokio::sync::watch;

/// Rate of the boards' lines, in baud, high to save simulation time.
pub const BAUD: u32 = 6_000_000;

/// Timeout of a test that hangs.
pub const HANGS: Duration = Duration::from_secs(60);

pub fn power() -> Power {
    Power {
        variant: sim::variant("tetris", None).expect("the RTL as designed"),
        baud: BAUD,
        pace: Pace::Unlimited,
        monitor: None,
    }
}

/// Runs a future to its end, at most [`HANGS`].
pub fn block_on<F: Future>(future: F) -> F::Output {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    runtime.block_on(async { tokio::time::timeout(HANGS, future).await.expect("it hangs") })
}

pub fn frame(seq: u16, kind: u8, payload: &[u8]) -> Vec<u8> {
    let frame = Frame { seq, kind, payload };
    let wire = protocol::frame::encode(&frame).expect("short");
    wire.as_ref().to_vec()
}

pub fn ping(seq: u16, nonce: u64) -> Vec<u8> {
    frame(seq, layout::PING.id, Ping { nonce }.encode().as_ref())
}

pub fn pong(seq: u16, nonce: u64) -> Vec<u8> {
    frame(seq, layout::PONG.id, Ping { nonce }.encode().as_ref())
}

/// A `set_rate` request.
pub fn set_rate(seq: u16, baud: u32) -> Vec<u8> {
    let increment = protocol::rate::increment(baud, power().variant.clock_hz);
    let increment = increment.expect("a rate of the core");
    frame(
        seq,
        layout::SET_RATE.id,
        SetRate { increment }.encode().as_ref(),
    )
}

/// Options of a board without faults.
pub fn options(endpoint: Endpoint) -> Options {
    Options {
        power: power(),
        endpoint,
        faults: LineFaults::default(),
        fault_seed: 1,
        once: false,
    }
}

pub fn faults(options: &[&str]) -> LineFaults {
    let parsed = options.iter().map(|option| option.parse());
    let parsed: Vec<FaultOption> = parsed.collect::<Result<_, _>>().expect("faults");
    LineFaults::of(&parsed).expect("faults")
}

/// A server on a thread of its own.
pub struct Running {
    pub address: Address,
    progress: watch::Receiver<Progress>,
    stopper: Stopper,
    thread: JoinHandle<(Result<(), BoardError>, Served)>,
}

impl Running {
    pub fn start(options: Options) -> Self {
        let (stopper, stop) = Stop::new();
        let (opened, open) = std::sync::mpsc::channel();
        let serve = async move {
            let mut server = Server::open(&options).await.expect("a board");
            let sent = opened.send((server.address().clone(), server.progress()));
            sent.expect("awaited");
            let ended = server.run(&stop).await;
            (ended, server.served())
        };
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread();
            let runtime = { runtime }.enable_all().build().expect("a runtime");
            runtime.block_on(serve)
        });
        let (address, progress) = open.recv().expect("it opens");
        Self {
            address,
            progress,
            stopper,
            thread,
        }
    }

    /// Waits until the core has got `done` bytes and the model sleeps.
    pub fn wait_until_it_sleeps_after(&mut self, done: u64) {
        let sleeps = |now: &Progress| now.asleep && now.done >= done;
        block_on(self.progress.wait_for(sleeps)).expect("the board runs");
    }

    /// Stops the server and returns its counts.
    pub fn stop(self) -> Served {
        self.stopper.stop();
        self.end()
    }

    /// Waits until the server ends and returns its counts.
    pub fn end(self) -> Served {
        let (ended, served) = self.thread.join().expect("it does not panic");
        ended.expect("it ends well");
        served
    }
}

/// A client on a stream of bytes with a timeout.
pub struct Client<S> {
    pub stream: S,
    decoder: Decoder,
    seq: u16,
}

impl<S: Read + Write> Client<S> {
    pub fn new(stream: S) -> Self {
        Self {
            stream,
            decoder: Decoder::new(),
            seq: 0,
        }
    }

    pub fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.stream.write_all(bytes)
    }

    /// The payload of the next frame with this sequence number and type; drops other frames.
    pub fn receive(&mut self, seq: u16, kind: u8) -> io::Result<Vec<u8>> {
        let mut buffer = [0; 64];
        loop {
            let count = self.stream.read(&mut buffer)?;
            if count == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            let mut found = None;
            for byte in &buffer[..count] {
                if let Some(Ok(frame)) = self.decoder.push(*byte)
                    && (frame.seq, frame.kind) == (seq, kind)
                {
                    found = Some(frame.payload.to_vec());
                }
            }
            if let Some(payload) = found {
                return Ok(payload);
            }
        }
    }

    /// Sends a request after a delimiter, and receives the reply's payload.
    pub fn ask(&mut self, request: u8, payload: &[u8], reply: u8) -> io::Result<Vec<u8>> {
        self.seq += 1;
        let bytes = frame(self.seq, request, payload);
        self.send(&[&[0], &bytes[..]].concat())?;
        self.receive(self.seq, reply)
    }

    /// Sends a ping and checks the nonce of the reply.
    pub fn ping(&mut self) -> io::Result<()> {
        let nonce = 0x0102_0304_0506_0708 * u64::from(self.seq + 1);
        let payload = Ping { nonce }.encode();
        let pong = self.ask(layout::PING.id, payload.as_ref(), layout::PONG.id)?;
        assert_eq!(Ping::decode(&pong), Ok(Ping { nonce }));
        Ok(())
    }

    pub fn info(&mut self) -> io::Result<Info> {
        let info = self.ask(layout::INFO.id, &[], layout::INFO_REPLY.id)?;
        Ok(Info::decode(&info).expect("info"))
    }

    pub fn stats(&mut self) -> io::Result<Stats> {
        let stats = self.ask(layout::STATS.id, &[], layout::STATS_REPLY.id)?;
        Ok(Stats::decode(&stats).expect("statistics"))
    }
}

/// Repeats an attempt until it succeeds, at most [`HANGS`].
pub fn until<T>(mut attempt: impl FnMut() -> Option<T>) -> T {
    let begun = std::time::Instant::now();
    loop {
        if let Some(done) = attempt() {
            return done;
        }
        assert!(begun.elapsed() < HANGS, "it hangs");
        std::thread::yield_now();
    }
}
