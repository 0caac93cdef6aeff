//! A match of two players, and its results.

use std::io::{self, Write};

use lockstep::report::{Results, Standings};
use serde_json::{Value, json};

use crate::games::CliGame;
use crate::output::table;

pub struct Contest {
    players: [String; 2],
    pub standings: Standings,
}

impl Contest {
    pub fn new(players: [String; 2]) -> Self {
        Self {
            players,
            standings: Standings::default(),
        }
    }

    /// For players a and b the results of moving first, and of moving second.
    fn results(&self) -> [[Results; 2]; 2] {
        let Standings { first, second, .. } = self.standings;
        [[first, second], [second.of_other(), first.of_other()]]
    }

    /// Its results for JSON, with score and Elo of player a.
    pub fn members(&self) -> Value {
        let [a, b] = self
            .results()
            .map(|[first, second]| json!({"moving_first": first, "moving_second": second}));
        json!({
            "a": a,
            "b": b,
            // Number of openings by the half points of player a, 0 to 4.
            "openings": self.standings.openings,
            "score": self.standings.score(),
            "elo": self.standings.elo(),
            "elo_95": self.standings.elo_95(),
        })
    }

    pub fn print<G: CliGame>(&self, out: &mut dyn Write) -> io::Result<()> {
        let Some(score) = self.standings.score() else {
            return writeln!(out, "no game has ended");
        };
        let names = ["a", "b"].into_iter().zip(G::SEATS);
        let players = names.zip(&self.players);
        let rows = players.zip(self.results()).zip([score, 1.0 - score]);
        let rows = rows.map(|((((name, seat), player), results), score)| {
            let [first, second] = results.map(|r| format!("{} {} {}", r.won, r.drawn, r.lost));
            let score = format!("{:.1} %", 100.0 * score);
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
