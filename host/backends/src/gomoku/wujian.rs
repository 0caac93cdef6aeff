//! The serial protocol of an earlier player on an FPGA, whose search is the profile `wujian`.
//!
//! The host sends eight bytes for each stone, x and y as 32-bit integers, the lowest byte first; the
//! board keeps the position and answers each by its own stone, as two lines of decimal text, y first.
//! (99, 99) clears the board and has no answer; (15, 15) has the board move first.
//!
//! [`WujianBoard`] is the board's side; [`board`] opens such a board as a backend.

use std::fmt::Display;
use std::time::Duration;

use async_trait::async_trait;
use futures::future::FutureExt as _;
use lockstep::backend::exec::{TIMEOUT, limit, quoted};
use lockstep::backend::open::{Open, Opening, SpecError, Target};
use lockstep::backend::{BackendErrorKind, BackendFactory, Identity, Kind, Observer};
use lockstep::link::ports::{self, Port};
use lockstep::link::serial::SerialLink;
use lockstep::link::tcp::{TcpLink, is_address};
use lockstep::link::{Link, LinkError};
use lockstep::{Answer, Backend, BackendError, Spec};
use lockstep_games::gomoku::{Board, Controller, Decision, Gomoku, Position};
use lockstep_games::{Boards, Capabilities, Codec as _};
use protocol::layout::gomoku::COLUMNS;
use tokio::time::Instant;

use super::player::{Next, Player};

/// The request that clears the board.
const CLEAR: [i32; 2] = [99, 99];
/// The request that the board move first.
const MOVE: [i32; 2] = [15, 15];
/// Bytes of a request.
const REQUEST: usize = 8;

/// The response to a byte.
#[derive(Debug, PartialEq)]
pub enum Step {
    /// Nothing.
    Nothing,
    /// These bytes.
    Reply(Vec<u8>),
    /// The decision of this position, for [`WujianBoard::answer`].
    Decide(Box<Position>),
}

/// The board's side.
#[derive(Debug, Default)]
pub struct WujianBoard {
    board: Player,
    /// The bytes of a request so far.
    request: Vec<u8>,
}

impl WujianBoard {
    /// Takes a byte from the host.
    ///
    /// # Errors
    /// When the byte completes a request that is not possible; the host gets no answer.
    pub fn take(&mut self, byte: u8) -> Result<Step, String> {
        self.request.push(byte);
        let Ok(request) = <[u8; REQUEST]>::try_from(&*self.request) else {
            return Ok(Step::Nothing);
        };
        self.request.clear();
        let [x, y] = [0, 4].map(|at| {
            let bytes = [0, 1, 2, 3].map(|n| request[at + n]);
            i32::from_le_bytes(bytes)
        });
        match [x, y] {
            CLEAR => {
                self.board = Player::default();
                return Ok(Step::Nothing);
            }
            MOVE => {}
            place => {
                let failed = |why: &dyn Display| format!("the host sent ({x}, {y}): {why}");
                let [x, y] = place.map(usize::try_from);
                let place = x.and_then(|x| Ok((x, y?))).map_err(|why| failed(&why))?;
                self.board.put(place, false).map_err(|why| failed(&why))?;
            }
        }
        match self.board.next() {
            Next::Decide(position) => Ok(Step::Decide(Box::new(position))),
            Next::Lowest(decision) => self.answer(&decision).map(Step::Reply),
            Next::Full => Err("the board is full".into()),
        }
    }

    /// Plays a decision; returns the bytes of the answer.
    ///
    /// # Errors
    /// When the rules do not allow it.
    pub fn answer(&mut self, decision: &Decision) -> Result<Vec<u8>, String> {
        let Decision { x, y, .. } = *decision;
        let put = self.board.put((x, y), true);
        put.map_err(|why| why.to_string())?;
        Ok(format!("{y}\n{x}\n").into_bytes())
    }
}

/// Rate of the line unless another is named, in baud.
const BAUD: u32 = 115_200;
/// Time limit of an answer unless another is named.
const LIMIT: Duration = Duration::from_secs(60);
/// Maximum number of bytes that may come before an answer is complete.
const LONGEST: usize = 256;

/// Opens boards with this protocol, as `wujian:PORT`.
pub fn board() -> BackendFactory<Gomoku> {
    BackendFactory {
        name: "wujian",
        kind: Kind::Link,
        about: "a board that keeps the position and answers a stone with a stone, at the path of a \
                serial port or tcp:HOST:PORT",
        target: Target::Word("PORT"),
        options: &[("baud", "sets the rate of the line"), TIMEOUT],
        absent: None,
        can_play: Box::new(|_, board| BOARDS.contain(board)),
        read: Box::new(read),
    }
}

const BOARDS: Boards = Boards::Only(Gomoku::BOARD);

/// Parses the target and the options.
fn read(spec: &Spec) -> Result<Open<Gomoku>, SpecError> {
    let (name, target) = (spec.to_string(), spec.target().to_owned());
    let is_target = match target.strip_prefix("tcp:") {
        Some(address) => is_address(address),
        None => matches!(target.parse(), Ok(ports::Target::Path(_))),
    };
    if !is_target {
        return Err(SpecError::Invalid(format!(
            "wujian: '{target}' is not a board: expected the path of a serial port, or \
             tcp:HOST:PORT"
        )));
    }
    let limit = limit(spec, LIMIT)?;
    let baud = spec.option("baud").map_or(Ok(BAUD), |text| {
        let baud = text.parse().ok().filter(|baud| *baud > 0);
        baud.ok_or_else(|| SpecError::value("baud", text, "a rate in baud, a whole number"))
    })?;
    let open = async move {
        let link = match target.strip_prefix("tcp:") {
            Some(address) => TcpLink::open(address).await.map(boxed),
            None => SerialLink::open(Port::of(&target), baud).map(boxed),
        };
        let fail = |error| BackendErrorKind::Link(LinkError::Open(error)).of(&name);
        let board = Wujian::new(&name, link.map_err(fail)?, limit);
        Ok(Box::new(board) as Box<dyn Backend<Gomoku>>)
    };
    Ok(Box::new(|_| -> Opening<Gomoku> { open.boxed() }))
}

fn boxed(link: impl Link + 'static) -> Box<dyn Link> {
    Box::new(link)
}

/// A board that keeps the position.
struct Wujian {
    identity: Identity,
    link: Box<dyn Link>,
    limit: Duration,
    /// The stones on the board; `None` if they are not known.
    game: Option<Board>,
    /// Whether an answer may come that nobody waits for.
    has_orphan: bool,
    /// The bytes of an answer so far.
    received: Vec<u8>,
}

impl Wujian {
    fn new(name: &str, link: Box<dyn Link>, limit: Duration) -> Self {
        let about = link.describe();
        Self {
            identity: Identity {
                name: name.into(),
                kind: Kind::Link,
                description: format!("a board that reports only its points, {about}").into(),
                capabilities: Capabilities::plain(BOARDS),
                core: None,
            },
            link,
            limit,
            game: None,
            has_orphan: false,
            received: Vec::new(),
        }
    }

    /// The requests that bring the board to a position.
    fn requests(&self, position: &Position) -> Result<Vec<[i32; 2]>, BackendErrorKind> {
        let Position { board, to_move } = position;
        let stones: Vec<usize> = board.stones_of(to_move.other()).collect();
        match (board.stones_of(*to_move).count(), &stones[..]) {
            (0, []) => return Ok(vec![CLEAR, MOVE]),
            (0, [stone]) => return Ok(vec![CLEAR, request(*stone)]),
            _ => {}
        }
        let next = self.game.and_then(|mut kept| {
            let stone = *stones.iter().find(|point| kept.is_empty(**point))?;
            (kept.put(stone, to_move.other()) && kept == *board).then_some(stone)
        });
        let next = next.ok_or_else(|| {
            BackendErrorKind::Position(
                "such a board keeps its game and takes only the opponent's next stone, but this \
                 position does not continue that game: play from an empty board (--opening 0), \
                 and give it one seat (--backend black=wujian:PORT --backend white=engine)"
                    .into(),
            )
        })?;
        Ok(vec![request(next)])
    }

    async fn decide_one(&mut self, position: &Position) -> Result<Decision, BackendErrorKind> {
        let requests = self.requests(position)?;
        // Until the answer has come, the board's state is not known.
        self.game = None;
        if self.has_orphan {
            self.receive().await?;
        }
        self.received.clear();
        self.has_orphan = true;
        let bytes = requests.iter().flatten().flat_map(|n| n.to_le_bytes());
        self.link.send(&bytes.collect::<Vec<_>>()).await?;
        let (x, y) = self.receive().await?;
        self.has_orphan = false;
        let decision = Decision::only(x, y);
        let Position { mut board, to_move } = *position;
        let point = decision.point();
        if !point.is_some_and(|point| board.put(point, to_move)) {
            return Err(BackendErrorKind::Failed(format!(
                "the board chose x {x}, y {y}, which is not an empty point"
            )));
        }
        self.game = Some(board);
        Ok(decision)
    }

    /// Waits for an answer; returns column and row.
    async fn receive(&mut self) -> Result<(usize, usize), BackendErrorKind> {
        let until = Instant::now() + self.limit;
        loop {
            if let Some(answer) = parse(&self.received) {
                return answer.map_err(BackendErrorKind::Failed);
            }
            let left = until.saturating_duration_since(Instant::now());
            match self.link.receive(left).await {
                Ok(bytes) => self.received.extend(bytes),
                Err(LinkError::Silent(_)) => {
                    let came = match &self.received[..] {
                        [] => String::new(),
                        came => format!(" but {}", quoted(came)),
                    };
                    return Err(BackendErrorKind::Failed(format!(
                        "no answer within {} s{came}; check power, port and rate (baud=), or allow \
                         a long search more time (timeout=)",
                        self.limit.as_secs_f64()
                    )));
                }
                Err(error) => return Err(error.into()),
            }
        }
    }
}

/// The request of a stone.
fn request(point: usize) -> [i32; 2] {
    [point % COLUMNS, point / COLUMNS].map(|n| n as i32)
}

/// Column and row of an answer, or why it is none; `None` if it is not complete.
fn parse(received: &[u8]) -> Option<Result<(usize, usize), String>> {
    let lines = received.split_inclusive(|byte| *byte == b'\n');
    let lines = lines.filter(|line| line.ends_with(b"\n") && !line.trim_ascii().is_empty());
    let numbers: Vec<Option<usize>> = lines
        .map(|line| str::from_utf8(line).ok()?.trim().parse().ok())
        .collect();
    match numbers[..] {
        [Some(y), Some(x), ..] => Some(Ok((x, y))),
        [] | [Some(_)] if received.len() <= LONGEST => None,
        _ => Some(Err(format!(
            "the board wrote {}, expected two lines, row and column; check the rate (baud=)",
            quoted(received)
        ))),
    }
}

#[async_trait]
impl Backend<Gomoku> for Wujian {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    /// The board has a search of its own.
    async fn configure(&mut self, _: &Controller) -> Result<(), BackendError> {
        Ok(())
    }

    async fn search(
        &mut self,
        positions: &[Position],
        _: Observer<Gomoku>,
    ) -> Result<Vec<Answer<Gomoku>>, BackendError> {
        let mut answers = Vec::with_capacity(positions.len());
        for position in positions {
            let decided = self.decide_one(position).await;
            let decision = decided.map_err(|why| why.of(&self.identity.name))?;
            answers.push(Answer::plain(decision));
        }
        Ok(answers)
    }
}
