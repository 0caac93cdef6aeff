//! What the tests share: boards that are served, and clients that ask them.

use std::io::{self, Read, Write};
use std::thread::JoinHandle;
use std::time::Duration;

use lockstep::Stop;
use lockstep::stop::Stopper;
use lockstep_board::{
    Address, BoardError, Entrance, FaultOption, LineFaults, Options, Pace, Power, Progress, Served,
    Server,
};
use protocol::layout::link as layout;
use protocol::payload::link::{Info, Ping, SetRate, Stats};
use protocol::{Decoder, Frame};
use tokio::sync::watch;

/// Rate of the boards' lines, in baud: their highest but one, for the simulator's
/// sake.
pub const BAUD: u32 = 6_000_000;

/// Longer than anything here takes: only so that a test that hangs fails.
pub const HANGS: Duration = Duration::from_secs(60);

pub fn power() -> Power {
    Power {
        variant: sim::variant("tetris", None).expect("the RTL as designed"),
        baud: BAUD,
        pace: Pace::Unlimited,
    }
}

/// Runs a future to its end.
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

/// A request for another rate.
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
pub fn options(entrance: Entrance) -> Options {
    Options {
        power: power(),
        entrance,
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

/// A board that is served by a thread of its own.
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
            let told = opened.send((server.address().clone(), server.progress()));
            told.expect("awaited");
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

    /// Waits until so many bytes have left for the core and nothing more happens.
    pub fn wait_until_it_sleeps_after(&mut self, done: u64) {
        let sleeps = |now: &Progress| now.asleep && now.done >= done;
        block_on(self.progress.wait_for(sleeps)).expect("it goes on");
    }

    /// Tells it to end.
    pub fn stop(self) -> Served {
        self.stopper.stop();
        self.end()
    }

    /// Waits for its end.
    pub fn end(self) -> Served {
        let (ended, served) = self.thread.join().expect("it does not panic");
        ended.expect("it ends well");
        served
    }
}

/// A client: any stream of bytes with a timeout.
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

    /// The payload of the next frame of that sequence number and type; what comes
    /// before it is dropped.
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

    /// Asks something, a zero before it, as one who does not know the line.
    pub fn ask(&mut self, request: u8, payload: &[u8], reply: u8) -> io::Result<Vec<u8>> {
        self.seq += 1;
        let bytes = frame(self.seq, request, payload);
        self.send(&[&[0], &bytes[..]].concat())?;
        self.receive(self.seq, reply)
    }

    /// Asks for a nonce back.
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

/// Tries something until it is done; it hangs when that is never.
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
