//! The program's side of the Gomocup protocol: a manager's lines, and their answers.

use std::time::Duration;

use lockstep_games::gomoku::{Decision, Position};
use protocol::layout::gomoku::COLUMNS;

use super::gomocup::point;
use super::player::{Next, Player};

/// Minimum time reserved of the time of a move, for the transfer to the manager.
const LEAST_MARGIN: Duration = Duration::from_millis(20);
/// Moves on which the time left of a game is spread.
const SPREAD: u32 = 16;

/// The reaction to a line of the manager.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// Nothing.
    Nothing,
    /// This answer.
    Reply(String),
    /// The decision of this position, for [`Brain::answer`].
    Decide(Box<Position>),
    /// The end of the search, with the best move so far.
    Finish,
    /// The end of the conversation.
    End,
}

/// A conversation with a manager.
#[derive(Debug, Default)]
pub struct Brain {
    about: String,
    /// The game; `None` before START.
    game: Option<Player>,
    /// The lines of BOARD so far, or the first error in them.
    reading: Option<Result<Player, String>>,
    turn: Option<Duration>,
    left: Option<Duration>,
    depth: Option<u64>,
}

impl Brain {
    /// A conversation; `about` answers ABOUT.
    pub fn new(about: String) -> Self {
        Self {
            about,
            ..Self::default()
        }
    }

    /// Time limit of the next decision, if the manager sets one.
    pub fn time(&self) -> Option<Duration> {
        let share = self.left.map(|left| left / SPREAD);
        let limit = self.turn.into_iter().chain(share).min()?;
        Some(limit.saturating_sub(LEAST_MARGIN.max(limit / 8)))
    }

    /// Greatest depth of the next decision, if the manager sets one.
    pub fn depth(&self) -> Option<u64> {
        self.depth
    }

    /// Takes a line of the manager.
    pub fn line(&mut self, line: &str) -> Step {
        let line = line.trim();
        let step = match self.reading.take() {
            Some(reading) => self.board_line(reading, line),
            None => self.command(line),
        };
        step.unwrap_or_else(|why| Step::Reply(format!("ERROR {why}")))
    }

    /// Plays a decision; returns the lines that report it.
    ///
    /// # Errors
    /// When the point is not empty.
    pub fn answer(&mut self, decision: &Decision) -> Result<String, String> {
        let played = self.play((decision.x, decision.y), true)?;
        Ok(match (decision.value, decision.nodes) {
            (Some(value), Some(nodes)) => format!("MESSAGE value {value}, nodes {nodes}\n{played}"),
            _ => played,
        })
    }

    fn command(&mut self, line: &str) -> Result<Step, String> {
        let (name, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        Ok(match name.to_ascii_uppercase().as_str() {
            "" => Step::Nothing,
            "END" => Step::End,
            "YXSTOP" => Step::Finish,
            "ABOUT" => Step::Reply(self.about.clone()),
            "INFO" => {
                self.info(rest);
                Step::Nothing
            }
            "START" => {
                let is_size = rest.parse() == Ok(COLUMNS);
                self.game = is_size.then(Player::default);
                if !is_size {
                    return Err(format!(
                        "the size of the board is {rest}, expected {COLUMNS}"
                    ));
                }
                Step::Reply("OK".into())
            }
            "RESTART" => {
                *self.game()? = Player::default();
                Step::Reply("OK".into())
            }
            "BEGIN" => self.next()?,
            "TURN" => {
                self.play(place(rest)?, false)?;
                self.next()?
            }
            "PLAY" => Step::Reply(self.play(place(rest)?, true)?),
            "TAKEBACK" => {
                let place = place(rest)?;
                if !self.game()?.take(place) {
                    return Err(format!("no stone lies on {rest}"));
                }
                Step::Reply("OK".into())
            }
            "BOARD" => {
                self.game()?;
                self.reading = Some(Ok(Player::default()));
                Step::Nothing
            }
            _ => Step::Reply(format!("UNKNOWN command {name}")),
        })
    }

    /// Takes a line of a board, up to DONE.
    fn board_line(&mut self, reading: Result<Player, String>, line: &str) -> Result<Step, String> {
        if line.eq_ignore_ascii_case("DONE") {
            *self.game()? = reading?;
            return self.next();
        }
        self.reading = Some(reading.and_then(|mut board| {
            let (place, field) = line.rsplit_once(',').unwrap_or((line, ""));
            let own = match field.trim() {
                "1" => Some(true),
                "2" => Some(false),
                _ => None,
            };
            let (place, own) = point(place).zip(own).ok_or_else(|| {
                format!("'{line}' is not a stone: expected x,y,1 or x,y,2, or DONE")
            })?;
            board.put(place, own).map_err(|why| why.to_string())?;
            Ok(board)
        }));
        Ok(Step::Nothing)
    }

    fn game(&mut self) -> Result<&mut Player, String> {
        let missing = || format!("there is no game: START {COLUMNS} comes first");
        self.game.as_mut().ok_or_else(missing)
    }

    /// Places a stone; returns its place as text.
    fn play(&mut self, place: (usize, usize), own: bool) -> Result<String, String> {
        let put = self.game()?.put(place, own);
        put.map_err(|why| why.to_string())?;
        Ok(format!("{},{}", place.0, place.1))
    }

    fn next(&mut self) -> Result<Step, String> {
        Ok(match self.game()?.next() {
            Next::Decide(position) => Step::Decide(position.into()),
            Next::Lowest(decision) => Step::Reply(self.answer(&decision)?),
            Next::Full => return Err("the board is full".into()),
        })
    }

    /// Takes the settings that bound a search; others have no effect.
    fn info(&mut self, text: &str) {
        let (key, value) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        // A manager may report an overrun as a negative time.
        let Ok(value) = value.trim().parse::<i64>() else {
            return;
        };
        let time = Duration::from_millis(value.max(0).unsigned_abs());
        match key.to_ascii_lowercase().as_str() {
            "timeout_turn" => self.turn = Some(time),
            "time_left" => self.left = Some(time),
            "max_depth" => self.depth = u64::try_from(value).ok().filter(|depth| *depth > 0),
            "rule" if value != 0 => {
                tracing::warn!(
                    "the manager plays by rule {value}; lockstep plays freestyle, rule 0"
                );
            }
            _ => {}
        }
    }
}

fn place(text: &str) -> Result<(usize, usize), String> {
    point(text).ok_or_else(|| format!("'{text}' is not a point: expected x,y"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The answers to lines; each decision is the first empty point of row 14, after the seat to move
    /// and its number of stones.
    fn talk(lines: &str) -> Vec<String> {
        let mut brain = Brain::new("name=\"x\"".into());
        let mut answers = Vec::new();
        for line in lines.split('/') {
            match brain.line(line) {
                Step::Nothing => {}
                Step::Reply(text) => answers.push(text),
                Step::Decide(position) => {
                    let x = (0..15).find(|x| position.board.is_empty(14 * 15 + x));
                    let answer = brain.answer(&Decision::only(x.expect("empty"), 14));
                    let own = position.board.stones_of(position.to_move).count();
                    let seat = position.to_move.seat();
                    answers.push(format!("{seat}.{own}:{}", answer.expect("empty")));
                }
                step => answers.push(format!("{step:?}")),
            }
        }
        answers
    }

    #[test]
    fn brain_lines_of_manager_are_answered() {
        const NO_GAME: &str = "ERROR there is no game: START 15 comes first";
        const SIZE: &str = "ERROR the size of the board is 20, expected 15";
        for row in "
            START 15/BEGIN/TURN 7,7\r => OK|0.0:0,14|0.1:1,14
            start 15/turn 7,7/TURN 7,8 => OK|1.0:0,14|1.1:1,14
            START 20 => SIZE
            START 15/START 20/BEGIN => OK|SIZE|NO_GAME
            BEGIN => NO_GAME
            TURN 1,1 => NO_GAME
            BOARD/DONE => NO_GAME|UNKNOWN command DONE
            RESTART => NO_GAME
            START 15/BEGIN/TURN 0,14 => OK|0.0:0,14|ERROR a stone lies on x 0, y 14
            START 15/TURN 15,3 => OK|ERROR the point is x 15, y 3, expected 0 to 14 and 0 to 14
            START 15/TURN -1,3 => OK|ERROR '-1,3' is not a point: expected x,y
            START 15/TURN a => OK|ERROR 'a' is not a point: expected x,y
            START 15/BEGIN/RESTART/BEGIN => OK|0.0:0,14|OK|0.0:0,14
            START 15/BEGIN/TAKEBACK 0,14/TURN 0,14 => OK|0.0:0,14|OK|1.0:1,14
            START 15/TAKEBACK 0,14 => OK|ERROR no stone lies on 0,14
            START 15/PLAY 3,4/TURN 4,4 => OK|3,4|0.1:0,14
            START 15/BOARD/7,7,1/8,8,2/DONE => OK|0.1:0,14
            START 15/BOARD/7,7,2/DONE/TURN 7,6 => OK|1.0:0,14|1.1:1,14
            START 15/BOARD/7,7,2/7,7,1/x/DONE/TURN 7,7 => OK|ERROR a stone lies on x 7, y 7|1.0:0,14
            START 15/BOARD/7,7,3/DONE => OK|ERROR '7,7,3' is not a stone: expected x,y,1 or x,y,2, or DONE
            ABOUT => name=\"x\"
            INFO timeout_turn 5/INFO/ /SWAP2BOARD => UNKNOWN command SWAP2BOARD
            YXSTOP/END => Finish|End"
            .lines()
            .skip(1)
        {
            let (lines, answers) = row.trim_start().split_once(" => ").expect("answers");
            let answers = answers.replace("NO_GAME", NO_GAME).replace("SIZE", SIZE);
            assert_eq!(talk(lines).join("|"), answers, "{lines}");
        }
    }

    /// The game being over, the lowest empty point is played, until there is none.
    #[test]
    fn brain_after_five_goes_on() {
        let five: String = (0..5).map(|x| format!("{x},0,2/")).collect();
        let answers = talk(&format!("START 15/BOARD/{five}DONE/TURN 9,9"));
        assert_eq!(answers, ["OK", "5,0", "6,0"]);
        let all = (0..225).map(|p| format!("{},{},{}/", p % 15, p / 15, 1 + p % 2));
        let full = format!("START 15/BOARD/{}DONE", all.collect::<String>());
        assert_eq!(talk(&full), ["OK", "ERROR the board is full"]);
    }

    #[test]
    fn brain_settings_bound_the_search() {
        for (infos, time, depth) in [
            ("rule 0", None, None),
            ("timeout_turn 1000", Some(875), None),
            ("timeout_turn 100", Some(80), None),
            ("timeout_turn 0", Some(0), None),
            ("time_left 1600000/timeout_turn 200000", Some(87_500), None),
            ("TIME_LEFT 160000/timeout_turn 2000", Some(1_750), None),
            ("time_left -5", Some(0), None),
            ("timeout_turn soon/max_depth 3", None, Some(3)),
            ("max_depth 3/max_depth 0", None, None),
        ] {
            let mut brain = Brain::default();
            for info in infos.split('/') {
                assert_eq!(brain.line(&format!("INFO {info}")), Step::Nothing);
            }
            let time = time.map(Duration::from_millis);
            assert_eq!((brain.time(), brain.depth()), (time, depth), "{infos}");
        }
    }
}
