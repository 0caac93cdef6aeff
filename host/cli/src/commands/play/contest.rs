//! A match of two players, and its results.

use std::io::{self, Write};

use lockstep::report::{Results, Standings};
use serde::Serialize;

use crate::games::CliGame;
use crate::output::numbers::decimal;
use crate::output::table;

/// A match of two players.
pub struct Contest {
    /// What each player is.
    players: [String; 2],
    pub standings: Standings,
}

/// The results of one player, for JSON.
#[derive(Serialize)]
struct Player {
    moving_first: Results,
    moving_second: Results,
}

/// The results of a match for JSON, with score and Elo of player a.
#[derive(Serialize)]
pub struct Members {
    a: Player,
    b: Player,
    /// Number of openings by the half points of player a, 0 to 4.
    openings: [u64; 5],
    score: Option<f64>,
    elo: Option<f64>,
    elo_95: [Option<f64>; 2],
}

impl Contest {
    /// A match before its first game.
    pub fn new(players: [String; 2]) -> Self {
        Self {
            players,
            standings: Standings::default(),
        }
    }

    fn results(&self) -> [Player; 2] {
        let Standings { first, second, .. } = self.standings;
        [(first, second), (second.of_other(), first.of_other())].map(|(first, second)| Player {
            moving_first: first,
            moving_second: second,
        })
    }

    /// Its results for JSON.
    pub fn members(&self) -> Members {
        let [a, b] = self.results();
        Members {
            a,
            b,
            openings: self.standings.openings,
            score: self.standings.score(),
            elo: self.standings.elo(),
            elo_95: self.standings.elo_95(),
        }
    }

    /// Prints its results.
    pub fn print<G: CliGame>(&self, out: &mut dyn Write) -> io::Result<()> {
        let Some(score) = self.standings.score() else {
            return writeln!(out, "no game has ended");
        };
        let names = ["a", "b"].into_iter().zip(G::SEATS);
        let players = names.zip(&self.players);
        let rows = players.zip(self.results()).zip([score, 1.0 - score]);
        let rows = rows.map(|((((name, seat), player), results), score)| {
            let Player {
                moving_first: first,
                moving_second: second,
            } = results;
            let counts = [first, second].map(|r| format!("{} {} {}", r.won, r.drawn, r.lost));
            let [first, second] = counts;
            let score = format!("{} %", decimal(100.0 * score, 1));
            [format!("{name} ({seat}): {player}"), first, second, score]
        });
        let header = ["won, drawn, lost", "moving first", "moving second", "score"];
        write!(out, "{}", table::plain(header, rows, 1..))?;
        let signed = |elo: f64| format!("{elo:+.0}");
        let elo = match self.standings.elo() {
            Some(elo) => signed(elo),
            None => "beyond measure".into(),
        };
        let [low, high] = self.standings.elo_95();
        let interval = match (low, high) {
            (Some(low), Some(high)) => format!("{} to {}", signed(low), signed(high)),
            (Some(low), None) => format!("at least {}", signed(low)),
            (None, Some(high)) => format!("at most {}", signed(high)),
            (None, None) => "unknown".into(),
        };
        writeln!(out, "  Elo of a above b: {elo} (95 % interval: {interval})")
    }
}
