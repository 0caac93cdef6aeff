//! Serves hosts of a third-party protocol, which play against a backend.

use std::collections::VecDeque;
use std::io::Write as _;
use std::pin::pin;

use anyhow::{Context as _, anyhow};
use lockstep::{Session, Stop};
use lockstep_backends::gomoku::wujian::{Step, WujianBoard};
use lockstep_board::{Endpoint, Line, Listener};
use lockstep_games::gomoku::Gomoku;

use super::{plural, registered_as, warn_of_others};
use crate::games::Foreign;
use crate::output::failure::{is_interrupt, quoted, shown};
use crate::output::{Outcome, plain};
use crate::run::wait::Run;
use crate::session::backends::{configure, open};

const READ: usize = 256;
/// Number of bytes that wait for a decision from which on no more are read.
const BACKLOG: usize = 64 << 10;

/// Serves one client after the other until a signal ends it, with exit status 0.
pub async fn run(
    foreign: &Foreign,
    endpoint: &Endpoint,
    baud: u32,
    once: bool,
    quiet: bool,
) -> anyhow::Result<Outcome> {
    let run = Run::start(quiet);
    let backends = open::<Gomoku>(std::slice::from_ref(&foreign.backend), &run).await?;
    let mut session = Session::new(backends, run.stop.clone());
    configure(&mut session, &foreign.controller, &run).await?;
    let mut listener = Listener::open(endpoint, baud).await?;
    let address = listener.address();
    let name = registered_as(&address);
    let mut out = plain();
    writeln!(out, "{name}")?;
    out.flush()?;
    if !quiet {
        anstream::eprintln!(
            "to connect: lockstep play --game gomoku --opening 0 --backend black=wujian:{} \
             --backend white=engine",
            quoted(&name)
        );
        warn_of_others(&address);
    }
    let (mut clients, mut decisions) = (0, 0);
    loop {
        let line = tokio::select! {
            biased;
            () = run.stop.wait() => break,
            line = listener.client() => line?,
        };
        let mut client = Client {
            line: &line,
            listener: &listener,
            stop: &run.stop,
            received: VecDeque::new(),
            is_silent: true,
            decisions: 0,
        };
        let ended = client.converse(&mut session).await;
        let was_there = !client.is_silent;
        clients += u64::from(was_there);
        decisions += client.decisions;
        match ended {
            Ok(()) => {}
            Err(error) if is_interrupt(&error) => break,
            Err(error) => return Err(error),
        }
        if run.stop.requested() || (once && was_there) {
            break;
        }
        listener.renew(line)?;
    }
    if !quiet {
        let (clients, decisions) = (plural(clients, "client"), plural(decisions, "decision"));
        anstream::eprintln!("served {clients}: {decisions}");
    }
    Ok(Outcome::Agreed)
}

struct Client<'a> {
    line: &'a Line,
    listener: &'a Listener,
    stop: &'a Stop,
    received: VecDeque<u8>,
    is_silent: bool,
    decisions: u64,
}

impl Client<'_> {
    /// Answers until the client has left, or the stop is requested.
    async fn converse(&mut self, session: &mut Session<Gomoku>) -> anyhow::Result<()> {
        let mut board = WujianBoard::default();
        loop {
            let Some(byte) = self.received.pop_front() else {
                match self.read().await {
                    true => continue,
                    false => return Ok(()),
                }
            };
            let answer = match board.take(byte) {
                Ok(Step::Nothing) => continue,
                Ok(Step::Reply(bytes)) => bytes,
                Ok(Step::Decide(position)) => {
                    let mut asked = pin!(session.ask(std::slice::from_ref(&*position)));
                    let answers = loop {
                        tokio::select! {
                            biased;
                            answers = &mut asked => break answers?,
                            is_there = self.read() => if !is_there {
                                return Ok(());
                            },
                        }
                    };
                    self.decisions += 1;
                    let row = answers.into_iter().next();
                    let answer = row.and_then(|row| row.answers.into_iter().next());
                    let answer = answer.context("the backend gave no answer")?;
                    let played = board.answer(&answer.decision);
                    played.map_err(|why| anyhow!("the backend's decision: {why}"))?
                }
                Err(why) => {
                    anstream::eprintln!("no answer: {}", shown(&why));
                    continue;
                }
            };
            if !self.write(&answer).await {
                return Ok(());
            }
        }
    }

    /// Waits for bytes; `false` when the client has left, or the stop is requested.
    async fn read(&mut self) -> bool {
        let mut buffer = [0; READ];
        let read = tokio::select! {
            biased;
            () = self.stop.wait() => return false,
            read = self.line.read(&mut buffer), if self.received.len() < BACKLOG => read,
            // For ever.
            () = self.listener.refuse_others() => return false,
        };
        let count = read.unwrap_or(0);
        self.is_silent &= count == 0;
        self.received.extend(&buffer[..count]);
        count > 0
    }

    /// Writes all bytes; `false` when the client has left.
    async fn write(&mut self, mut bytes: &[u8]) -> bool {
        while !bytes.is_empty() {
            let written = tokio::select! {
                biased;
                () = self.stop.wait() => return false,
                written = self.line.write(bytes) => written,
            };
            match written {
                Ok(count) => bytes = &bytes[count..],
                Err(_) => return false,
            }
        }
        true
    }
}
