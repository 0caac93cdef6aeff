//! Games and positions, asked of the core as a session asks.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use futures::future::{BoxFuture, FutureExt as _};
use lockstep::backend::wire::{Reach, Wire};
use lockstep::backend::{Backend as _, Kind};
use lockstep::link::sim::SimLink;
use lockstep::link::{Link, LinkError, LinkStatistics};
use lockstep_games::tetris::board::Board;
use lockstep_games::tetris::{
    Controller, Linear, Piece, Position, Rule, Run, SelfPlay, Setup, Size, Tetris,
};
use lockstep_games::{Golden as _, Match as _, Rules as _};
use protocol::layout::tetris::PLAY_PIECES;
use sim::Depth;

use super::super::Effort;
use super::super::directed::{any_cases, cases};
use super::super::watch::{Seen, Watch};
use super::{StimulusError, core};

/// Behind the UART games last long or are soon over; the weights have all signs.
const CONTROLLERS: [&str; 4] = ["dt-20", "el-tetris", "lowest", "probe"];
/// Positions asked at a time.
const AT_A_TIME: usize = 40;
/// Positions of every kind beside those that fill a bin.
const OF_EVERY_KIND: usize = 400;
/// One position in so many of those is traced.
const TRACED: usize = 8;
/// Positions of a game at the pins, where a byte takes hundreds of clock cycles.
const AT_THE_PINS: usize = 40;
/// As other simulated cores at their pins.
const BAUD: u32 = 3_000_000;
/// More simulated time than anything takes that is asked here.
const PATIENCE: Duration = Duration::from_millis(20);

/// A link that is read along on.
struct Observed {
    link: SimLink,
    watch: Arc<Mutex<Watch>>,
}

fn locked(watch: &Mutex<Watch>) -> MutexGuard<'_, Watch> {
    watch.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Link for Observed {
    fn describe(&self) -> String {
        self.link.describe()
    }

    fn send<'a>(&'a mut self, bytes: &'a [u8]) -> BoxFuture<'a, Result<(), LinkError>> {
        locked(&self.watch).sent(bytes);
        self.link.send(bytes)
    }

    fn receive(&mut self, within: Duration) -> BoxFuture<'_, Result<Bytes, LinkError>> {
        async move {
            let bytes = self.link.receive(within).await?;
            locked(&self.watch).received(&bytes);
            Ok(bytes)
        }
        .boxed()
    }

    fn reopen(&mut self) -> BoxFuture<'_, Result<(), LinkError>> {
        locked(&self.watch).forget();
        self.link.reopen()
    }

    fn statistics(&self) -> LinkStatistics {
        self.link.statistics()
    }
}

/// A core, and who reads along.
struct Asked {
    wire: Wire<Tetris>,
    watch: Arc<Mutex<Watch>>,
}

impl Asked {
    async fn open(depth: Depth) -> Result<Self, StimulusError> {
        let watch = Arc::new(Mutex::new(Watch::default()));
        let link = Observed {
            link: SimLink::open(core()?, depth).await?,
            watch: watch.clone(),
        };
        let reach = Reach {
            name: "sim".into(),
            kind: Kind::Simulated,
            patience: PATIENCE.into(),
            nonce: 1,
            mending: None,
        };
        let wire = Wire::open(reach, Box::new(link)).await?;
        Ok(Self { wire, watch })
    }

    /// Ends the core.
    fn end(self) -> Seen {
        drop(self.wire);
        std::mem::take(&mut *locked(&self.watch)).end()
    }

    /// Games by a controller, decided, traced, played and self-played.
    async fn game(
        &mut self,
        controller: &Controller,
        seed: u64,
        pieces: usize,
    ) -> Result<(), StimulusError> {
        self.wire.configure(controller).await?;
        let positions = positions(controller, seed, pieces)?;
        for some in positions.chunks(AT_A_TIME) {
            self.wire.decide(some).await?;
            let one = some.get(..1).unwrap_or_default();
            self.wire.trace(one).await?;
        }
        let runs: Vec<Run> = positions
            .chunks(PLAY_PIECES)
            .filter_map(|some| {
                Some(Run {
                    board: some.first()?.board.clone(),
                    pieces: some.iter().map(|position| position.piece).collect(),
                })
            })
            .collect();
        let played = self.wire.play(&runs).await?;
        for (run, played) in runs.iter().zip(&played) {
            let right = Tetris::play(controller, run)?;
            let moves = right.as_ref().map(|right| &right.moves);
            if moves != Some(&played.moves) {
                return Err(StimulusError::Answer("a run is played wrongly".into()));
            }
        }
        let run = SelfPlay {
            board: Board::of_size(Size::STANDARD),
            pieces: pieces as u32,
            spacing: 7,
            generator: seed,
            signature: seed ^ 0x5a5a,
        };
        let ends = self
            .wire
            .self_play(std::slice::from_ref(&run), &mut |_, _| {})
            .await?;
        let right = Tetris::self_play(controller, &run, &mut |_| true)?;
        let signature = |sums: Option<lockstep_games::tetris::Sums>| sums.map(|s| s.signature);
        if signature(ends.first().copied()) != signature(right) {
            return Err(StimulusError::Answer(
                "a self-play is played wrongly".into(),
            ));
        }
        self.wire.stats().await?;
        Ok(())
    }
}

/// The positions of games, one after the other.
fn positions(
    controller: &Controller,
    seed: u64,
    count: usize,
) -> Result<Vec<Position>, StimulusError> {
    let setup = Setup::standard(seed);
    let (mut positions, mut game) = (Vec::new(), 0);
    let mut state = Tetris::deal(&setup, game);
    while positions.len() < count {
        let position = state.position();
        let decision = Tetris::decide(controller, &position)?;
        positions.push(position);
        if !state.apply(&decision)? {
            game += 1;
            state = Tetris::deal(&setup, game);
        }
    }
    Ok(positions)
}

/// Games, then positions that were made for a bin each, and such of every kind.
///
/// # Errors
/// What is answered wrongly.
pub async fn behind_the_uart(effort: Effort) -> Result<Seen, StimulusError> {
    let Effort { seed, pieces, .. } = effort;
    let mut asked = Asked::open(Depth::Bytes).await?;
    for name in CONTROLLERS {
        asked.game(&Controller::load(name)?, seed, pieces).await?;
    }
    let others = any_cases(seed, OF_EVERY_KIND);
    for (case, number) in cases(seed).into_iter().chain(others).zip(0usize..) {
        let position = [case.position];
        asked.wire.configure(&controller(case.controller)).await?;
        match number.is_multiple_of(TRACED) {
            true => drop(asked.wire.trace(&position).await?),
            false => drop(asked.wire.decide(&position).await?),
        }
    }
    // A piece that no game begins with has its trace as well.
    let board = Board::of_size(Size::STANDARD);
    let empty = Piece::ALL.map(|piece| Position {
        board: board.clone(),
        piece,
        next: None,
    });
    asked.wire.trace(&empty).await?;
    Ok(asked.end())
}

fn controller(linear: Linear) -> Controller {
    Controller {
        name: "directed".into(),
        source: "drawn".into(),
        rule: Rule::Linear(linear),
    }
}

/// A short game.
///
/// # Errors
/// What is answered wrongly.
pub async fn at_the_pins(effort: Effort) -> Result<Seen, StimulusError> {
    let depth = Depth::Pins {
        baud: BAUD,
        skew_ppm: 0,
    };
    let mut asked = Asked::open(depth).await?;
    let controller = Controller::load(CONTROLLERS[0])?;
    asked.game(&controller, effort.seed, AT_THE_PINS).await?;
    Ok(asked.end())
}
