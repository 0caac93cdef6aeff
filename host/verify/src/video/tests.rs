//! Whole pictures at the pins of the boards, after a decision.

use lockstep_games::tetris::golden::best_now;
use protocol::layout::link::BASE_BAUD;
use sim::monitor::{Connector, Monitor};
use sim::{Depth, Port};

use super::painter::{Panel, TETRIS};
use super::tetris::{cells, preview};
use crate::core::requests::Request;
use crate::tetris::{extremes, linear};
use crate::{cobs, frames};

/// Clock cycles of a picture, and of a decision with its request and its answer.
const PICTURE: u64 = 525 * 800 * 5;
const DECISION: u64 = 2_000_000;

/// The picture of a board has the cells, the pieces and the numbers of the last decision.
fn shows_decision(top: &str, connector: Connector, clock_hz: u32) {
    let board = sim::boards().iter().find(|board| board.top == top);
    let depth = Depth::Pins {
        baud: BASE_BAUD,
        skew_ppm: 0,
    };
    let mut port = Port::open(board.expect("a board"), depth).expect("it runs");
    let mut monitor = Monitor::new(connector, clock_hz);
    let mut random = crate::random::Random::new(7);
    let cases = extremes(&mut random).into_iter();
    // One that clears rows, and does not fill the board.
    let (position, weights) = cases.skip(4).next().expect("a position");
    let (landing, _) =
        best_now(&position.board, position.piece, &linear(&weights)).expect("a place");
    let requests = [
        Request::set_weights(&weights),
        Request::decide(
            &position,
            position.piece.number(),
            protocol::layout::tetris::NO_PIECE,
        ),
    ];
    for (request, seq) in requests.iter().zip(1..) {
        let raw = frames::request(seq, request.kind, &request.payload);
        port.send(&cobs::encoded(&raw));
    }
    port.advance(DECISION).expect("it runs");
    monitor.see(&port.model().take_video());
    let mut last = None;
    for _ in 0..30 {
        port.advance(PICTURE / 10).expect("it runs");
        for seen in monitor.see(&port.model().take_video()) {
            last = Some(seen.expect("a picture"));
        }
    }
    let frame = last.expect("a picture");
    let place = [landing.rotation, landing.column, landing.row].map(usize::from);
    let cells = cells(&position.board, Some((position.piece, place)));
    let panel = Panel {
        now: preview(position.piece),
        numbers: [landing.features.rows_cleared as u32, 1],
        ..Panel::default()
    };
    for (index, pixel) in frame.pixels.iter().enumerate() {
        let (x, y) = (index % 640, index / 640);
        let colour = TETRIS.colour(&cells, &panel, x, y);
        let expected = [8, 4, 0].map(|low| (colour >> low & 0xf) as u8 * 0x11);
        assert_eq!(*pixel, expected, "{top}: pixel {x} of line {y}");
    }
}

#[test]
fn nexys4_vga_shows_the_decision() {
    shows_decision("lockstep_nexys4", Connector::Vga, 100_000_000);
}

#[test]
fn ulx3s_dvi_shows_the_decision() {
    shows_decision("lockstep_ulx3s", Connector::Dvi, 125_000_000);
}
