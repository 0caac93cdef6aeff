//! Gomoku with programs and boards of others.

use lockstep::compare::compare;
use lockstep::{Answer, Backend, BackendRegistry};
use lockstep_backends::table;
use lockstep_games::Catalog as _;
use lockstep_games::gomoku::{Board, Decision, Gomoku, Position, Stone};

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

fn block_on<T>(work: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    runtime.expect("a runtime").block_on(work)
}

fn position(to_move: Stone, black: &[(usize, usize)], white: &[(usize, usize)]) -> Position {
    let mut board = Board::default();
    for (stones, side) in [(black, Stone::Black), (white, Stone::White)] {
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
    let controller = Gomoku::load("lines").expect("a preset");
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

/// A decision that lacks a member is still refused; `null` says that it is not reported.
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

#[test]
fn program_decides_any_position() {
    use Stone::{Black, White};
    block_on(async {
        let mut program = open(PROGRAM).await.expect("opened");
        for (position, expected) in [
            (position(Black, &[], &[]), (7, 7)),
            (position(White, &[(0, 0)], &[]), (1, 0)),
            (
                position(Black, &[(0, 0), (9, 9)], &[(1, 0), (2, 2)]),
                (2, 0),
            ),
            (
                position(White, &[(0, 0), (2, 0), (9, 9)], &[(1, 0), (2, 2)]),
                (3, 0),
            ),
            // Sides of any size.
            (
                position(White, &[(1, 0)], &[(0, 0), (3, 0), (5, 5)]),
                (2, 0),
            ),
            (position(White, &[], &[(0, 0)]), (1, 0)),
            // A new game.
            (position(Black, &[], &[]), (7, 7)),
            (position(White, &[(7, 7)], &[]), (0, 0)),
        ] {
            let found = ask(&mut *program, position).await;
            assert_eq!(found, Ok(expected), "{position:?}");
        }
    });
}

#[test]
fn program_failure_is_an_error() {
    let one = position(Stone::White, &[(7, 7)], &[]);
    let reading = |before: &str, last: &str| {
        let board = format!("until [ \"$l\" = DONE ]; do read l; done; {last}");
        format!("timeout=0.5,sh -c 'read l; {before}; {board}; read l'")
    };
    for (program, parts) in [
        (
            reading("echo ERROR size 15", "true"),
            "answered START 15 by 'ERROR size 15'; it must play freestyle on 15x15",
        ),
        (
            reading("exit 3", "true"),
            "the program ended (exit status: 3)",
        ),
        (
            reading("echo OK", "echo UNKNOWN BOARD"),
            "answered a position by 'UNKNOWN BOARD'",
        ),
        (
            reading("echo OK", "echo 7,7"),
            "wrote '7,7', which is no empty point",
        ),
        (
            reading("echo OK", "echo 15,0"),
            "wrote '15,0', which is no empty point",
        ),
        (reading("echo OK", "exit 4"), "(exit status: 4)"),
        (
            reading("echo OK", "echo MESSAGE"),
            "no answer within 0.5 s; | gomocup:timeout=SECONDS,COMMAND",
        ),
        (
            reading(r#"printf "OK\n1,1\n""#, "true"),
            "wrote '1,1' before it got the next position",
        ),
        (
            "/no/such/program".into(),
            "cannot be started | gomocup:sh -c",
        ),
        ("timeout=x,y".into(), "timeout=x: expected seconds"),
        (" ".into(), "gomocup needs a command: gomocup:COMMAND"),
    ] {
        let name = format!("gomocup:{program}");
        let why = block_on(async { ask(&mut *open(&name).await?, one).await });
        let why = why.expect_err(&name);
        for part in parts.split(" | ") {
            assert!(why.contains(part), "{name}: {why}");
        }
    }
}
