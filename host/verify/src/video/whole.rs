//! Whole pictures at the pins of the boards, after a decision.

use lockstep_games::tetris::Board;
use lockstep_games::tetris::golden::best_now;
use protocol::layout::link::BASE_BAUD;
use protocol::layout::tetris::NO_PIECE;
use sim::monitor::{Connector, Monitor, WIDTH};
use sim::{Depth, Port, Variant};

use super::painter::{Panel, TETRIS};
use super::tetris::{cells, preview};
use crate::core::requests::Request;
use crate::random::Random;
use crate::tetris::{extremes, linear};
use crate::{Failure, cobs, frames};

/// Clock cycles of a picture, and of a decision with its request and its answer.
const PICTURE: u64 = 525 * 800 * 5;
const DECISION: u64 = 2_000_000;
const IDLE: u64 = 1_000;

/// Checks that the picture of a board with one (`sim::boards`) has the cells, the pieces and the
/// numbers of a decision.
///
/// # Errors
/// The first pixel that differs, or why there is no picture.
pub fn shows_decision(board: &'static Variant) -> Result<(), Failure> {
    let depth = Depth::Pins {
        baud: BASE_BAUD,
        skew_ppm: 0,
    };
    let mut port = Port::open(board, depth)?;
    // An idle line before the first byte
    port.advance(IDLE)?;
    let (connector, clock_hz) = match board.top {
        "lockstep_ulx3s" => (Connector::Dvi, 125_000_000),
        _ => (Connector::Vga, board.clock_hz),
    };
    let mut monitor = Monitor::new(connector, clock_hz);
    // One that clears rows.
    let [.., (position, weights), _] = extremes(&mut Random::new(7));
    let decide = Request::decide(&position, position.piece.number(), NO_PIECE);
    for (request, seq) in [Request::set_weights(&weights), decide].iter().zip(1..) {
        let raw = frames::request(seq, request.kind, &request.payload);
        port.send(&cobs::encoded(&raw));
    }
    port.advance(DECISION)?;
    monitor.see(&port.model().take_video());
    let fails = |port: &Port, what: String| {
        let cycle = port.cycles();
        Err(Failure::Differs { cycle, what })
    };
    // The first picture may have begun before the decision.
    let mut pictures = Vec::new();
    for _ in 0..30 {
        port.advance(PICTURE / 10)?;
        for seen in monitor.see(&port.model().take_video()) {
            match seen {
                Ok(picture) => pictures.push(picture),
                Err(why) => return fails(&port, why.to_string()),
            }
        }
        if pictures.len() > 1 {
            break;
        }
    }
    let Some(picture) = pictures.get(1) else {
        return fails(&port, "fewer than two pictures".into());
    };
    let filled = |board: &Board| {
        board
            .to_rows()
            .iter()
            .map(|row| row.count_ones())
            .sum::<u32>()
    };
    let best = best_now(&position.board, position.piece, &linear(&weights));
    let best = best.map(|(landing, _)| landing);
    let placed = best.as_ref().map(|best| {
        let place = [best.rotation, best.column, best.row];
        (position.piece, place)
    });
    // Each row that is cleared takes ten cells.
    let rows = best.map_or(0, |best| {
        (filled(&position.board) + 4 - filled(&best.after)) / 10
    });
    let cells = cells(&position.board, placed);
    let panel = Panel {
        now: preview(position.piece),
        numbers: [rows, 1],
        ..Panel::default()
    };
    for (index, pixel) in picture.pixels.iter().enumerate() {
        let (x, y) = (index % WIDTH, index / WIDTH);
        let colour = TETRIS.colour(&cells, &panel, x, y);
        let expected = [8, 4, 0].map(|low| (colour >> low & 0xf) as u8 * 0x11);
        let what = format!("pixel {x} of line {y}");
        Failure::unless_same(port.cycles(), &what, pixel, &expected)?;
    }
    Ok(())
}
