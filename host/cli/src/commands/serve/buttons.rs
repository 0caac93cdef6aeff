//! The buttons of a served board, pressed by lines of standard input.

use std::io;
use std::thread;

use lockstep_board::Buttons;
use lockstep_flash::Board;

/// Presses each button that a line names, on a thread of its own: the wait for a line cannot be
/// interrupted.
pub fn press_named(board: Board, buttons: Buttons) {
    thread::spawn(move || {
        let names: Vec<&str> = board.word("buttons").split_whitespace().collect();
        for line in io::stdin().lines().map_while(Result::ok) {
            match names.iter().position(|name| *name == line.trim()) {
                Some(number) => buttons.press(number as u8),
                None => anstream::eprintln!(
                    "{:?} is no button of the {board}: expected {}",
                    line.trim(),
                    names.join(", ")
                ),
            }
        }
    });
}
