//! The Gomocup protocol: `lockstep gomocup`, and programs that speak it as backends.

use std::io::Write as _;

use super::*;
use crate::running::Running;

/// A game with a manager.
struct Game(Running);

impl Game {
    fn start(place: &Place, arguments: &str) -> Self {
        Self(place.start(&format!("gomocup {arguments}")))
    }

    fn send(&mut self, lines: &str) {
        let input = self.0.input.as_mut().expect("open");
        input.write_all(lines.as_bytes()).expect("it reads");
    }

    /// Sends lines and returns the next answer that is not a message.
    fn ask(&mut self, lines: &str) -> String {
        self.send(lines);
        loop {
            let line = self.0.next_line();
            if !line.starts_with("MESSAGE") {
                return line;
            }
        }
    }

    /// Ends the conversation; returns the rest of the output and of standard error.
    fn end(mut self, lines: &str) -> (String, String) {
        self.send(lines);
        self.0.input = None;
        let (status, rest, error) = self.0.end();
        assert_eq!(status, Some(0), "{error}");
        (rest, error)
    }
}

#[test]
fn gomocup_decides_as_the_backend() {
    let place = Place::new();
    let rows = |y: usize, row: &str| {
        let mut rows = vec!["..............."; 15];
        rows[y] = row;
        serde_json::json!({"board": rows, "to_move": "white"}).to_string()
    };
    for backend in ["engine", "software", "sim"] {
        let options = format!("--backend {backend} --controller wujian:2");
        let mut game = Game::start(&place, &options);
        let about = game.ask("ABOUT\r\n");
        has(&about, &format!("name=\"Lockstep {backend}\" | version=\""));
        assert_eq!(game.ask("START 15\r\nINFO rule 0\r\n"), "OK");
        let x_y = |text: &str| {
            let decision = json(text);
            format!("{},{}", decision["x"], decision["y"])
        };
        let decide = format!("decide --game gomoku {options}");
        let one = stdout(&place.feed(&decide, rows(3, "....B..........")));
        assert_eq!(game.ask("TURN 4,3\r\n"), x_y(&one), "{backend}");
        let three = stdout(&place.feed(&decide, rows(5, "..BWB..........")));
        let board = "BOARD\n2,5,2\n3,5,1\n4,5,2\nDONE\n";
        assert_eq!(game.ask(board), x_y(&three), "{backend}");
        assert_eq!(game.ask("TURN 2,5\n"), "ERROR a stone lies on x 2, y 5");
        assert_eq!(game.ask("START 15\nBEGIN\n"), "OK");
        assert_eq!(game.ask(""), "7,7");
        let (rest, error) = game.end("END\n");
        assert_eq!((rest.as_str(), error.as_str()), ("", ""), "{backend}");
    }
}

/// A search of depth 24 takes years.
#[test]
fn gomocup_search_ends_when_the_manager_says() {
    let place = Place::new();
    let begin = "START 15\nBOARD\n7,7,1\n8,8,2\n7,8,1\n8,7,2\nDONE\n";
    let is_point = |text: &str| text.split(',').all(|n| n.parse::<u8>().is_ok());
    for backend in ["engine", "sim"] {
        for (before, after) in [
            ("INFO timeout_turn 200\n", ""),
            ("INFO timeout_turn 0\n", ""),
            ("INFO time_left 1600\n", ""),
            ("", "YXSTOP\n"),
        ] {
            let mut game = Game::start(&place, &format!("--depth 24 --backend {backend}"));
            assert_eq!(game.ask(&format!("{before}{begin}{after}")), "OK");
            let played = game.ask("");
            assert!(is_point(&played), "{backend} {before}{after}: {played}");
            game.end("");
        }
        for last in ["END\n", ""] {
            let game = Game::start(&place, &format!("--depth 24 --backend {backend}"));
            assert_eq!(game.end(&format!("{begin}{last}")).0, "OK\n");
        }
    }
    let mut game = Game::start(&place, "--depth 24");
    assert_eq!(game.ask(&format!("INFO max_depth 2\n{begin}")), "OK");
    assert!(is_point(&game.ask("")));
    let (_, error) = game.end("INFO rule 1\n");
    has(&error, "the manager plays by rule 1");
}

#[test]
fn gomocup_failure_is_reported_to_both() {
    let place = Place::new();
    place.refuses(
        "
        gomocup --game connect4 => gomoku only; connect4: | works for gomoku
        gomocup --backend engin => did you mean 'engine'
        gomocup --depth 25 => 25
        ",
    );
    let occupied = "exec:sh -c 'while read l; do echo {\\\"x\\\":7,\\\"y\\\":7,\\\"value\\\":0,\\\"nodes\\\":0}; done'";
    for (backend, why) in [
        (occupied, "a stone lies on x 7, y 7"),
        ("exec:true", "the program ended"),
    ] {
        let line = format!(
            "gomocup --backend {}",
            shlex::try_quote(backend).expect("no zero")
        );
        let mut running = place.start(&line);
        let mut input = running.input.take().expect("open");
        input.write_all(b"START 15\nTURN 7,7\n").expect("it reads");
        let (status, text, error) = running.end();
        assert_eq!(status, Some(2), "{error}");
        has(&text, &format!("OK\nERROR  | {why}"));
        has(&error, &format!("error:  | {why}"));
    }
}

/// A program of the protocol beside other backends: only its points are compared.
#[test]
fn gomocup_program_is_compared_by_its_points() {
    let place = Place::new();
    let program = |depth: u8| format!("'gomocup:{PROGRAM} gomocup --depth {depth}'");
    let play = "play --game gomoku --games 2 --depth 3 --max-moves 16 --backend engine";
    let agreed = place.json(
        0,
        &format!("{play} --backend {} --record {{}}/match", program(3)),
    );
    assert_eq!(agreed["agreed"], 32, "{agreed}");
    assert_eq!(agreed["backends"][1]["kind"], "program");
    place.ok("replay {}/match --backend software");
    place.shows("0 record stats {}/match => 32 agreed, 0 diverged");
    let other = place.exits(1, &format!("{play} --backend {} --no-explain", program(1)));
    has(&other, "DIVERGENCE | x ");
    assert!(!other.contains("nodes"), "{other}");
    // Its own moves are played and recorded, without values.
    let seats = format!("--backend 'black=gomocup:{PROGRAM} gomocup' --backend white=engine");
    place.ok(&format!(
        "play --game gomoku --opening 0 --max-moves 4 {seats} --record {{}}/own"
    ));
    assert_eq!(
        lines(&place.text("own"))[1]["decision"]["value"],
        Value::Null
    );
    place.ok("replay {}/own --backend software --backend sim");
    place.shows("0 record show {}/own --move 1 => black plays x 7, y 7\n");
    place.refuses(&format!(
        "play --game gomoku --move-time 5 --backend {} => gomocup:timeout=SECONDS,COMMAND",
        program(1)
    ));
}
