//! Programs as backends: a good one, and the ways in which programs fail.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::thread;

use futures::FutureExt as _;
use lockstep::backend::exec::exec;
use lockstep::backend::software::golden;
use lockstep::{Answer, Backend, BackendError, BackendRegistry};
use lockstep_games::Unsupported;
use serde_json::json;
use tempfile::TempDir;

use crate::game::{Position, TicTacToe};
use crate::support::{Play, block_on, drawn, in_order};

/// Takes the first free cell in its controller's order.
const GOOD: &str = r#"exec:python3 -c '
import json, os, sys
assert os.environ["LOCKSTEP_GAME"] == "tic-tac-toe"
order = json.loads(os.environ["LOCKSTEP_CONTROLLER"])["order"]
for line in sys.stdin:
    cells = json.loads(line)["cells"]
    free = [cell for cell in order if cells[cell] == "."]
    print(json.dumps(free[0] if free else {"legal": False, "cell": None}), flush=True)
'"#;

fn registry() -> BackendRegistry<TicTacToe> {
    BackendRegistry::new().with(golden()).with(exec())
}

async fn open(name: &str) -> Box<dyn Backend<TicTacToe>> {
    let registry = registry();
    let spec = registry.parse(name).unwrap_or_else(|e| panic!("{e}"));
    let opened = registry.open(&spec, 1).await;
    opened.unwrap_or_else(|e| panic!("{e}"))
}

/// A backend with a controller.
async fn configured(name: &str) -> Box<dyn Backend<TicTacToe>> {
    let mut backend = open(name).await;
    backend.configure(&in_order()).await.expect("configured");
    backend
}

/// The backend's name of a shell with this script.
fn shell(script: &str) -> String {
    format!("exec:sh -c {}", shlex::try_quote(script).expect("no zero"))
}

async fn ask(
    backend: &mut dyn Backend<TicTacToe>,
    position: Position,
) -> Result<Option<usize>, BackendError> {
    let answers = backend.decide(&[position]).await?;
    let decision = |answer: &Answer<TicTacToe>| answer.decision;
    Ok(answers.first().and_then(decision))
}

/// A file that a script creates as a signal, and its quoted name.
fn sign(folder: &TempDir) -> (PathBuf, String) {
    let path = folder.path().join("signal");
    let quoted = shlex::try_quote(path.to_str().expect("UTF-8")).expect("no zero");
    (path.clone(), quoted.into_owned())
}

fn wait_for(sign: &Path) {
    while !sign.exists() {
        thread::yield_now();
    }
}

/// A board with a single stone, in `cell`.
fn stone(cell: usize) -> Position {
    let mut position = Position::EMPTY;
    position.cells[cell] = 'X';
    position
}

/// Games of the golden model and a program.
fn beside_golden(name: &str, games: u64) -> Play {
    let backends = block_on(async { vec![open("software").await, open(name).await] });
    Play::new(backends, games)
}

#[test]
fn program_good_agrees_for_whole_games() {
    let play = beside_golden(GOOD, 2);
    let totals = play.run().whole();
    // Nine stones, and that there is no place for a tenth.
    assert_eq!((totals.games, totals.agreed), (2, Some(20)));
    assert_eq!(json!(totals.backends[1])["kind"], "program");
}

#[test]
fn program_new_controller_starts_anew() {
    block_on(async {
        let mut backend = open(GOOD).await;
        let early = ask(&mut *backend, stone(8))
            .await
            .expect_err("unconfigured");
        assert!(early.to_string().contains("must be set before"), "{early}");
        for (controller, expected) in [(in_order(), 0), (drawn(), 4)] {
            backend.configure(&controller).await.expect("configured");
            let answer = ask(&mut *backend, stone(8)).await;
            assert_eq!(answer.expect("an answer"), Some(expected));
        }
    });
}

/// It decides and nothing else.
#[test]
fn program_has_neither_core_nor_streams() {
    block_on(async {
        let mut backend = configured(GOOD).await;
        backend.abandon().await;
        let play = &mut |_, _| {};
        for (failed, lacks) in [
            (backend.trace(&[]).await.err(), Unsupported::Trace),
            (backend.play(&[]).await.err(), Unsupported::Batch),
            (
                backend.self_play(&[], play).await.err(),
                Unsupported::SelfPlay,
            ),
        ] {
            let expected = format!("backend {GOOD}: {lacks}").replace('\n', "\\n");
            assert_eq!(failed.map(|error| error.to_string()), Some(expected));
        }
        let stats = backend.stats().await.expect("no core");
        assert_eq!((stats, backend.link()), (None, None));
    });
}

/// Scripts, each with parts of the error of its first or second request.
const MISBEHAVING: &str = r#"
    exit 3
    ended (exit status: 3); it must answer

    read line; echo 4
    ended (exit status: 0); it must

    kill -9 $$
    ended (signal: 9

    read line; echo first >&2; printf 'no \033[2Jboard' >&2; exit 1
    (exit status: 1); its standard error ends with 'no \u{1b}[2Jboard'

    while read line; do echo hello; done
    wrote 'hello', which is not a decision
    `lockstep decide`

    while read line; do echo; done
    wrote '', which is not a decision

    while read line; do echo '{"cell": 4}'; done
    '{"cell": 4}', which is not a decision: expected a whole number, got an object

    while read line; do printf '\033]0;x\377\n'; done
    wrote '\u{1b}]0;x�', which is not a decision

    while read line; do printf '4\n5\n'; done
    wrote '5' before it got
    one line for each position

    read line; head -c 1100000 /dev/zero | tr '\0' x; cat
    a line longer than 1048576 bytes
    'xxxx
    x...'

    read line; exec >&-; sleep 60
    closed its standard output but still runs

    read line; exec <&-; echo 4; sleep 60
    closed its standard input but still runs
"#;

#[test]
fn program_misbehaving_is_an_error() {
    let mut wrong = Vec::new();
    for case in MISBEHAVING.trim().split("\n\n") {
        let (script, words) = case.split_once('\n').expect("script and error");
        let script = script.trim();
        let name = shell(script);
        let error = block_on(async {
            let mut backend = configured(&name).await;
            match ask(&mut *backend, Position::EMPTY).await {
                Err(error) => Some(error),
                Ok(_) => ask(&mut *backend, Position::EMPTY).await.err(),
            }
        });
        let error = error.map_or("no error".into(), |error| error.to_string());
        let named = error.starts_with(&format!("backend {name}: "));
        if !named || words.lines().any(|words| !error.contains(words.trim())) {
            wrong.push(format!("{script}: {error}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The clock is stopped until the program has written everything.
#[test]
fn program_silent_times_out() {
    for (option, answer, words) in [
        ("", "", "no answer within 60 s; the program must flush"),
        ("timeout=0.5,", "", "no answer within 0.5 s; the program"),
        (
            "",
            "printf 4",
            "within 60 s but '4' without an end of line;",
        ),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let (path, asked) = sign(&folder);
        let silent = shell(&format!("read line; {answer}\n: > {asked}; cat"));
        let name = silent.replacen("exec:", &format!("exec:{option}"), 1);
        let error = block_on(async {
            let mut backend = configured(&name).await;
            tokio::time::pause();
            let written = tokio::task::spawn_blocking(move || wait_for(&path));
            let error = ask(&mut *backend, Position::EMPTY).await;
            written.await.expect("written");
            error.expect_err("silence").to_string()
        });
        assert!(error.contains(words), "{error}");
        assert!(error.contains("exec:timeout=SECONDS,COMMAND"), "{error}");
    }
}

#[test]
fn program_absent_error_names_remedy() {
    let error = block_on(async {
        let mut backend = open("exec:no-such-program | cat").await;
        backend.configure(&in_order()).await.expect_err("absent")
    });
    let error = error.to_string();
    for words in [
        "no-such-program cannot be started: No such file",
        "no shell",
    ] {
        assert!(error.contains(words), "{error}");
    }
}

/// The first program answers a dropped request only when the next one comes: its answer must not be
/// taken for the answer to the next one.
#[test]
fn program_late_answer_is_dropped_with_its_request() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, asked) = sign(&folder);
    let late = format!("read line; : > {asked}; read line; echo 3; ");
    let script = format!("[ -e {asked} ] || {{ {late} }}; while read line; do echo 5; done");
    block_on(async {
        let mut backend = configured(&shell(&script)).await;
        let mut first = ask(&mut *backend, stone(0)).boxed_local();
        while !path.exists() {
            assert!((&mut first).now_or_never().is_none(), "it answers later");
            tokio::task::yield_now().await;
        }
        drop(first);
        let answer = ask(&mut *backend, stone(1)).await;
        assert_eq!(answer.expect("an answer"), Some(5));
    });
}

/// The children of a program are killed with it: one would write to a pipe if it survived.
#[test]
fn program_dropped_is_killed_with_its_children() {
    let folder = tempfile::tempdir().expect("a folder");
    let (pipe, quoted) = sign(&folder);
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("mkfifo runs").success());
    let script = format!("(echo started; sleep 5; echo survived) > {quoted} & cat");
    let rest = block_on(async {
        let backend = configured(&shell(&script)).await;
        let pipe = std::fs::File::open(&pipe).expect("a pipe");
        let mut lines = BufReader::new(pipe).lines().map_while(Result::ok);
        assert_eq!(lines.next().as_deref(), Some("started"));
        drop(backend);
        lines.next()
    });
    assert_eq!(rest, None);
}
