//! Games of programs with rules of their own.

use lockstep::programs::ProgramGames;
use lockstep::report::Totals;
use lockstep::{Header, Listeners, Pace, Stop};
use lockstep_games::{Picture, ProgramGame};
use serde_json::{Value, json};

use crate::game::TicTacToe;
use crate::scripted::Scripted;
use crate::support::{Heard, block_on, boxed, drawn, session};

/// A game of three moves, which score ten each.
struct Counting(u64);

impl ProgramGame for Counting {
    fn step(&mut self) -> Option<Picture> {
        self.0 += u64::from(self.0 < 4);
        (self.0 < 4).then(|| Picture::empty(1, 1))
    }

    fn moves(&self) -> u64 {
        self.0.min(3)
    }

    fn score(&self) -> u64 {
        10 * self.moves()
    }
}

/// Plays at most three games of two that there are.
fn play(max_moves: u64, stop: Stop) -> (Heard, Totals) {
    let deal = |number| (number < 2).then(|| Box::new(Counting(0)) as Box<dyn ProgramGame>);
    let games = ProgramGames {
        deal: &deal,
        games: 3,
        max_moves,
        pace: Pace::default(),
    };
    let (mut heard, mut totals) = (Heard::default(), Totals::default());
    block_on(async {
        let program = boxed(vec![Scripted::right("program")]);
        let program = session(program, &drawn(), Stop::never()).await.identities();
        let header = Header::<TicTacToe>::new(program, drawn());
        let mut listeners = Listeners::new(&stop).with(&mut heard).with(&mut totals);
        games.play(&header, &mut listeners).await.expect("played");
    });
    (heard, totals)
}

#[test]
fn program_games_end_by_rules_limit_or_stop() {
    let (stopper, stopped) = Stop::new();
    stopper.stop();
    for (max_moves, stop, games, moves, end) in [
        (4, Stop::never(), 2, 3, "over"),
        (2, Stop::never(), 2, 2, "limit"),
        (4, stopped, 1, 0, "interrupted"),
    ] {
        let (heard, totals) = play(max_moves, stop);
        let score = 10 * moves;
        let ended = |game| json!({"event": "game_ended", "game": game, "moves": moves, "score": score, "end": end});
        assert_eq!(
            heard.of("game_ended"),
            (1..=games).map(ended).collect::<Vec<_>>()
        );
        let picture = json!(Picture::empty(1, 1));
        let moves_of = |game| (1..=moves).map(move |step| (game, step));
        let moved = (1..=games).flat_map(moves_of).map(|(game, step)| {
            json!({"event": "moved", "game": game, "move": step, "picture": picture, "score": 10 * step})
        });
        assert_eq!(heard.of("moved"), moved.collect::<Vec<Value>>());
        let ended =
            json!({"event": "ended", "interrupted": moves == 0, "error": null, "links": []});
        assert_eq!(heard.events().last(), Some(&ended));
        let counts = (
            totals.decisions,
            totals.backends[0].decisions,
            totals.score["rows"],
        );
        assert_eq!(counts, (games * moves, games * moves, Some(games * score)));
    }
}
