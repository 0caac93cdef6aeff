//! Gomoku with third-party programs and boards.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use lockstep::compare::compare;
use lockstep::{Answer, Backend, BackendRegistry};
use lockstep_backends::gomoku::wujian::{Step, WujianBoard};
use lockstep_backends::table;
use lockstep_games::Catalog as _;
use lockstep_games::gomoku::{Black, Board, Decision, Gomoku, Position, Stone, White};

/// Plays the first empty point, with remarks before and after; checks what it gets.
const PROGRAM: &str = r#"gomocup:timeout=20,python3 -c '
import sys
def say(*lines):
    print(*lines, sep="\r\n", flush=True)
game = False
for line in sys.stdin:
    word, *rest = line.split()
    if word == "START":
        game = rest == ["15"]
        say("MESSAGE hello", "OK")
    elif word == "BEGIN":
        say("7,7" if game else "ERROR no START")
        game = False
    elif word == "INFO":
        assert rest != ["timeout_turn", "20000"], "all of the time"
    elif word == "BOARD":
        stones = []
        while (line := next(sys.stdin).strip()) != "DONE":
            stones.append([int(n) for n in line.split(",")])
        sides = [side for _, _, side in stones]
        last = sides[::-1]
        ordered = all(s == 2 - n % 2 for n, s in enumerate(last[:2 * min(sides.count(1), sides.count(2))]))
        taken = {(x, y) for x, y, _ in stones}
        free = next((x, y) for y in range(15) for x in range(15) if (x, y) not in taken)
        say("DEBUG thinking", "%d,%d" % free if ordered else "ERROR order", "MESSAGE done")
    else:
        say("UNKNOWN")
'"#;

fn position(to_move: Stone, black: &[(usize, usize)], white: &[(usize, usize)]) -> Position {
    let mut board = Board::default();
    for (stones, side) in [(black, Black), (white, White)] {
        for (x, y) in stones {
            assert!(board.put(15 * y + x, side), "({x}, {y})");
        }
    }
    Position { board, to_move }
}

async fn open(name: &str) -> Result<Box<dyn Backend<Gomoku>>, String> {
    let registry: BackendRegistry<Gomoku> = table::gomoku();
    let spec = registry.parse(name).map_err(|why| why.to_string())?;
    let opened = registry.open(&spec, 1).await;
    let mut backend = opened.map_err(|why| why.to_string())?;
    let controller = Gomoku::load("lines").expect("a built-in controller");
    let configured = backend.configure(&controller).await;
    configured.map_err(|why| why.to_string())?;
    Ok(backend)
}

async fn ask(
    backend: &mut dyn Backend<Gomoku>,
    position: Position,
) -> Result<(usize, usize), String> {
    let answers = backend.decide(&[position]).await;
    let answer = answers.map_err(|why| why.to_string())?.remove(0);
    assert_eq!((answer.decision.value, answer.decision.nodes), (None, None));
    Ok((answer.decision.x, answer.decision.y))
}

async fn ask_by_name(name: &str, position: Position) -> Result<(usize, usize), String> {
    ask(&mut *open(name).await?, position).await
}

/// A field that a backend does not report is compared with nothing, the others are.
#[test]
fn compare_skips_fields_that_are_not_reported() {
    let only = Decision::only;
    let whole = |x, value, nodes| Decision {
        value: Some(value),
        nodes: Some(nodes),
        ..only(x, 3)
    };
    for (decisions, fields) in [
        (&[only(4, 3), only(4, 3)][..], ""),
        (&[only(4, 3), only(5, 3)], "1 x"),
        (&[whole(4, 9, 10), only(4, 3)], ""),
        (&[whole(4, 9, 10), only(3, 3)], "1 x"),
        (&[whole(4, 9, 10), only(4, 3), whole(4, 8, 10)], "2 value"),
        // The reference has no value, so the first backend with one gives it.
        (&[only(4, 3), whole(4, 9, 10), only(4, 3)], ""),
        (
            &[only(4, 3), whole(4, 9, 10), whole(5, 9, 11)],
            "2 x, 2 nodes",
        ),
    ] {
        let answers: Vec<_> = decisions.iter().map(|d| Answer::plain(*d)).collect();
        let asked: Vec<usize> = (0..answers.len()).collect();
        let found = compare::<Gomoku>(&decisions[0], &asked, &answers);
        let found = found
            .iter()
            .map(|m| format!("{} {}", m.backend, m.difference.field));
        assert_eq!(found.collect::<Vec<_>>().join(", "), fields);
    }
}

/// A decision that lacks a member is still refused; `null` means that it is not reported.
#[test]
fn decision_json_names_what_is_not_reported() {
    let text = r#"{"x":4,"y":3,"value":null,"nodes":null}"#;
    let decision: Decision = serde_json::from_str(text).expect("a decision");
    assert_eq!(decision, Decision::only(4, 3));
    assert_eq!(serde_json::to_string(&decision).expect("JSON"), text);
    let short = serde_json::from_str::<Decision>(r#"{"x":4,"y":3,"value":null}"#);
    let why = short.expect_err("it lacks a member").to_string();
    assert!(why.contains("missing field `nodes`"), "{why}");
}

#[tokio::test]
async fn program_decides_any_position() {
    let mut program = open(PROGRAM).await.expect("opened");
    for (to_move, black, white, expected) in [
        (Black, &[][..], &[][..], (7, 7)),
        (White, &[(0, 0)], &[], (1, 0)),
        (Black, &[(0, 0), (9, 9)], &[(1, 0), (2, 2)], (2, 0)),
        (White, &[(0, 0), (2, 0), (9, 9)], &[(1, 0), (2, 2)], (3, 0)),
        // Sides of any size.
        (White, &[(1, 0)], &[(0, 0), (3, 0), (5, 5)], (2, 0)),
        (White, &[], &[(0, 0)], (1, 0)),
        // A new game.
        (Black, &[], &[], (7, 7)),
        (White, &[(7, 7)], &[], (0, 0)),
    ] {
        let position = position(to_move, black, white);
        let found = ask(&mut *program, position).await;
        assert_eq!(found, Ok(expected), "{position:?}");
    }
}

/// What a program does at the first and at the second request, and the error; or the whole name.
const FAILURES: &str = r"
    echo ERROR size 15 -- true => answered START 15 by 'ERROR size 15'; it must play freestyle on 15x15
    exit 3 -- true                 => the program ended (exit status: 3)
    echo OK -- echo UNKNOWN BOARD  => answered a position by 'UNKNOWN BOARD'
    echo OK -- echo 7,7            => wrote '7,7', which is not an empty point
    echo OK -- echo 15,0           => wrote '15,0', which is not an empty point
    echo OK -- exit 4              => (exit status: 4)
    echo OK -- echo MESSAGE        => no answer within 0.5 s; | gomocup:timeout=SECONDS,COMMAND
    printf OK\\n1,1\\n -- true     => wrote '1,1' before it got the next position
    /no/such/program               => cannot be started | gomocup:sh -c
    timeout=x,y                    => timeout=x: expected more than 0 seconds
";

#[tokio::test]
async fn program_failure_is_an_error() {
    let one = position(White, &[(7, 7)], &[]);
    let reading = |before: &str, last: &str| {
        let board = format!("until [ \"$l\" = DONE ]; do read l; done; {last}");
        format!("timeout=0.5,sh -c 'read l; {before}; {board}; read l'")
    };
    for row in FAILURES.trim().lines() {
        let (program, parts) = row.split_once("=>").expect("an error");
        let program = match program.split_once(" -- ") {
            Some((before, last)) => reading(before.trim(), last.trim()),
            None => program.trim().to_owned(),
        };
        let parts = parts.trim();
        let name = format!("gomocup:{program}");
        let why = ask_by_name(&name, one).await;
        let why = why.expect_err(&name);
        for part in parts.split(" | ") {
            assert!(why.contains(part), "{name}: {why}");
        }
    }
    let why = open("gomocup: ").await.err().expect("no command");
    assert!(
        why.contains("gomocup needs a command: gomocup:COMMAND"),
        "{why}"
    );
}

/// Each decision is the first empty point of row 14.
#[test]
fn wujian_board_answers_requests() {
    let mut board = WujianBoard::default();
    let mut ask = |x: i32, y: i32| {
        let request = [x.to_le_bytes(), y.to_le_bytes()].concat();
        for byte in &request[..7] {
            assert_eq!(board.take(*byte), Ok(Step::Nothing), "({x}, {y})");
        }
        let answer = board.take(request[7]).and_then(|step| match step {
            Step::Nothing => Ok(b"nothing".to_vec()),
            Step::Reply(bytes) => Ok(bytes),
            Step::Decide(position) => {
                let x = (0..15).find(|x| position.board.is_empty(14 * 15 + x));
                board.answer(&Decision::only(x.expect("empty"), 14))
            }
        });
        answer.map_or_else(|why| why, |text| String::from_utf8(text).expect("text"))
    };
    let taken = "the host sent (7, 7): a stone lies on x 7, y 7";
    for (x, y, answer) in [
        (7, 7, "14\n0\n"),
        (7, 7, taken),
        (7, 6, "14\n1\n"),
        (99, 99, "nothing"),
        (15, 15, "14\n0\n"),
        (15, 15, "14\n1\n"),
        (7, 7, "14\n2\n"),
        (99, 99, "nothing"),
        // Five in a row of the host: the lowest empty point answers.
        (0, 0, "14\n0\n"),
        (1, 0, "14\n1\n"),
        (2, 0, "14\n2\n"),
        (3, 0, "14\n3\n"),
        (4, 0, "0\n5\n"),
    ] {
        assert_eq!(ask(x, y), answer, "({x}, {y})");
    }
    for (x, y) in [(-1, 3), (3, i32::MIN), (16, 15), (15, 14), (99, 98)] {
        let why = ask(x, y);
        assert!(
            why.starts_with(&format!("the host sent ({x}, {y}): ")),
            "{why}"
        );
    }
}

/// A board behind a TCP port that answers requests by these texts. It sends the requests to the
/// channel; an answer to none waits for the other one.
fn scripted(answers: &[(usize, &'static str)]) -> (String, Receiver<Vec<i32>>, Sender<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    let (sender, received) = channel();
    let (go, may_go) = channel();
    let answers = answers.to_vec();
    thread::spawn(move || {
        let (mut stream, _) = listener.accept().expect("a client");
        for (requests, answer) in answers {
            let mut bytes = vec![0; 8 * requests];
            if stream.read_exact(&mut bytes).is_err() {
                return;
            }
            let numbers = bytes
                .chunks(4)
                .map(|n| i32::from_le_bytes(n.try_into().expect("four")));
            match requests {
                0 => may_go.recv().expect("a sign"),
                _ => sender.send(numbers.collect()).expect("awaited"),
            }
            for part in answer.split('|') {
                stream.write_all(part.as_bytes()).expect("written");
            }
        }
        // Until the client closes it.
        let _ = stream.read(&mut [0]);
    });
    (format!("wujian:tcp:{address},timeout=0.3"), received, go)
}

#[tokio::test]
async fn wujian_backend_sends_what_the_board_lacks() {
    let (name, received, _go) = scripted(&[
        (2, "7\r\n7\r\n"),
        (1, "8\n|6|\n"),
        (2, "\n 3\n4\n"),
        (1, "0\r|\n14\r\n"),
    ]);
    let mut board = open(&name).await.expect("connected");
    for (position, requests, answer) in [
        (position(Black, &[], &[]), &[99, 99, 15, 15][..], (7, 7)),
        (position(Black, &[(7, 7)], &[(3, 4)]), &[3, 4], (6, 8)),
        // A new game, as the second player.
        (position(White, &[(2, 1)], &[]), &[99, 99, 2, 1], (4, 3)),
        (
            position(White, &[(2, 1), (9, 9)], &[(4, 3)]),
            &[9, 9],
            (14, 0),
        ),
    ] {
        assert_eq!(ask(&mut *board, position).await, Ok(answer));
        assert_eq!(received.recv().expect("requests"), requests);
    }
    for other in [
        // The same again, two stones at once, another stone of its own, and the other side.
        position(White, &[(2, 1), (9, 9)], &[(4, 3)]),
        position(White, &[(2, 1), (9, 9), (1, 1), (1, 2)], &[(4, 3), (14, 0)]),
        position(White, &[(2, 1), (9, 9), (1, 1)], &[(4, 3), (14, 1)]),
        position(Black, &[(2, 1), (9, 9)], &[(4, 3), (14, 0)]),
    ] {
        let why = ask(&mut *board, other).await.expect_err("not that game");
        assert!(why.contains("--opening 0"), "{why}");
    }
}

#[tokio::test]
async fn wujian_backend_bad_answer_is_an_error() {
    let empty = position(Black, &[], &[]);
    for (answer, part) in [
        (
            "",
            "no answer within 0.3 s; check power, port and rate (baud=)",
        ),
        ("7\n7", "no answer within 0.3 s but '7\\n7'; check"),
        (
            "7\nx\n",
            "the board wrote '7\\nx', expected two lines, row and column",
        ),
        ("-1\n", "the board wrote '-1', expected two lines"),
        ("7\n15\n", "chose x 15, y 7, which is not an empty point"),
    ] {
        let (name, _received, _go) = scripted(&[(2, answer)]);
        let asked = ask_by_name(&name, empty).await;
        let why = asked.expect_err(answer);
        assert!(why.contains(part), "{answer:?}: {why}");
    }
    // An answer that comes too late is not taken for the next one.
    let (name, received, go) = scripted(&[(2, ""), (0, "1\n1\n"), (2, "2\n2\n")]);
    let mut board = open(&name).await.expect("connected");
    ask(&mut *board, empty).await.expect_err("late");
    go.send(()).expect("awaited");
    assert_eq!(ask(&mut *board, empty).await, Ok((2, 2)));
    assert_eq!(received.try_iter().count(), 2);
    for (name, part) in [
        ("wujian:auto", "'auto' is not a board: expected the path"),
        ("wujian:tcp:localhost", "'tcp:localhost' is not a board"),
        ("wujian:./x,baud=0", "baud=0: expected a rate"),
        (
            "wujian:./x,timeout=0",
            "timeout=0: expected more than 0 seconds",
        ),
        ("wujian:/no/such/port", "/no/such/port"),
    ] {
        let opened = open(name).await.map(|_| ());
        let why = opened.expect_err(name);
        assert!(why.contains(part), "{why}");
    }
}
