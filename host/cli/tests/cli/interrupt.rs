//! Ctrl-C: exit status 130, and the decisions made so far are kept.

use std::io::{Read as _, Write as _};
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use lockstep::record::{Form, Writer};

use super::pty::Terminal;
use super::running::{HANGS, Running, send};
use super::*;

/// The record has all decisions, ends as interrupted, and can be replayed.
#[test]
fn signal_leaves_whole_record() {
    let place = Place::new();
    let play = "play --games 1000000 --max-pieces 20";
    let play = format!("{play} --json {{}}/summary.json --record {{}}/games.jsonl");
    let mut running = place.start(&play);
    running.wait_for("game 2 of");
    running.signal("TERM");
    let (status, rest, error) = running.end();
    assert_eq!((status, error.as_str()), (Some(130), ""));
    has(&rest, "interrupted");
    let decisions = &json(&place.text("summary.json"))["decisions"];
    assert!(decisions.as_u64() >= Some(40), "{decisions}");
    let record = place.text("games.jsonl");
    let end = &json(record.lines().last().expect("a line"))["end"];
    assert_eq!(
        (&end["decisions"], &end["complete"]),
        (decisions, &false.into())
    );
    let again = place.json(0, "replay {}/games.jsonl --backend engine");
    assert_eq!((&again["agreed"], &again["cut"]), (decisions, &json("[]")));
}

/// A command started with `nohup` continues when its terminal is closed.
#[test]
fn hangup_ignored_at_start_stays_ignored() {
    let mut shell = std::process::Command::new("sh");
    let shell = shell.args(["-c", "trap '' HUP; exec \"$0\" decide"]);
    let mut running = Running::spawn(shell.arg(PROGRAM));
    let mut input = running.input.take().expect("piped");
    writeln!(input, "{EMPTY}").expect("written");
    running.wait_for("\"column\"");
    running.signal("HUP");
    writeln!(input, "{EMPTY}").expect("written");
    running.wait_for("\"column\"");
    running.signal("TERM");
    assert_eq!(running.end().0, Some(130));
    drop(input);
}

/// A board on which a decision of depth 3 takes longer than any test.
fn huge() -> String {
    let rows = vec!["0"; 128].join(",");
    format!(r#"{{"size":"32x128","board":[{rows}],"piece":"T"}}"#)
}

/// Each waits for something else: a position, a decision of minutes, the reader of its output, the
/// line, a search of minutes. `most` lines follow an interrupt.
#[test]
fn interrupt_ends_what_is_under_way() {
    let huge = huge() + "\n";
    // Decided at once: there is no room.
    let full = EMPTY.replace('0', "1023") + "\n";
    let search = |backend| format!("play --game connect4 --depth 30 --games 2 --backend {backend}");
    let searches = ["software", "engine", "sim"].map(|name| (search(name), String::new(), name));
    let deep = "decide --controller dt-20 --depth 3 --beam 255";
    let pins = "sim-uart:baud=921600";
    let lines = [
        ("decide".into(), format!("{EMPTY}\n"), "\"column\""),
        (deep.into(), full + &huge, "\"column\""),
        ("decide --all".into(), huge.repeat(5_000), "\"placements\""),
        (format!("play --backend {pins}"), String::new(), pins),
    ];
    for (line, input, begun) in lines.into_iter().chain(searches) {
        let mut running = Place::new().start(&line);
        let mut pipe = running.input.take().expect("piped");
        // Beside it: it reads only as fast as it decides. The pipe stays open to the end.
        let writer = std::thread::spawn(move || {
            let _ = pipe.write_all(input.as_bytes());
            pipe
        });
        running.wait_for(begun);
        let rest = running.interrupted();
        let most = if line.ends_with("--all") { 4_998 } else { 0 };
        let answers = rest.lines().filter(|line| line.starts_with('{')).count();
        assert!(answers <= most, "{line}: {answers} more");
        drop(writer.join());
    }
}

/// At 300 baud, a single answer takes minutes.
#[test]
fn interrupt_ends_wait_for_slow_line() {
    const SLOW: &str = "sim-uart:baud=300";
    let place = Place::new();
    place.ok("play --backend software --max-pieces 2 --record {}/game.jsonl");
    // Each names what it waits for, and Ctrl-C ends it there.
    for what in ["info", "play", "decide", "replay {}/game.jsonl"] {
        let words = place.words(&format!("{what} --backend {SLOW}"));
        let mut terminal = Terminal::start((24, 80), &words, &[]);
        terminal.wait_for(&format!("opening {SLOW}"));
        terminal.interrupt();
        let (status, text) = terminal.end();
        assert_eq!(status, Some(130), "{what:?}: {text:?}");
    }
}

#[test]
fn interrupt_ends_pause_of_watch() {
    let watch = "play --backend software --watch 8000 --max-pieces 5";
    let mut terminal = Terminal::start((24, 80), &Place::new().words(watch), &[]);
    terminal.wait_for("piece 1");
    terminal.interrupt();
    let (status, text) = terminal.end();
    assert_eq!(status, Some(130), "{text:?}");
    has(&text, "interrupted");
    assert!(!text.contains("piece 2"), "{text:?}");
}

/// Nobody reads the output; the second interrupt does not wait for it to be written.
#[test]
fn second_interrupt_ends_blocked_output() {
    let mut child = lockstep()
        .args(["decide", "--all"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("lockstep runs");
    let mut input = child.stdin.take().expect("piped");
    let mut output = child.stdout.take().expect("piped");
    // Its answers do not fit into a pipe.
    for _ in 0..4 {
        writeln!(input, "{}", huge()).expect("written");
    }
    output.read_exact(&mut [0]).expect("it has begun");
    // Closer together they are one wish, as the first two.
    for (signal, wait) in [("INT", 0), ("TERM", 0), ("INT", 300)] {
        std::thread::sleep(Duration::from_millis(wait));
        send(signal, child.id());
    }
    let (ended, end) = std::sync::mpsc::channel();
    std::thread::spawn(move || ended.send(child.wait().expect("it ends")));
    let status = end.recv_timeout(HANGS).expect("it ends");
    assert_eq!(status.code(), Some(130));
    drop((input, output));
}

/// Writes a record followed by 10^12 empty lines, compressed to a few megabytes.
fn endless_record(place: &Place) {
    place.ok("play --backend software --max-pieces 5 --record {}/record.zst");
    let mut empty = Vec::new();
    let mut writer = Writer::new(&mut empty, Form::Zstd).expect("memory");
    writer.text(&[b'\n'; 1 << 24]).expect("written");
    writer.write().expect("written");
    drop(writer);
    let file = place.file("record.zst");
    let record = std::fs::read(&file).expect("a record");
    write(&file, [record, empty.repeat(1 << 16)].concat());
}

#[test]
fn interrupt_ends_every_reading_of_a_record() {
    let place = Place::new();
    endless_record(&place);
    let mut wrong = Vec::new();
    for command in [
        "record stats {}/record.zst",
        "record verify {}/record.zst",
        "record show {}/record.zst --limit 100",
        "record convert {}/record.zst {}/plain.jsonl",
        "record cut {}/record.zst --games 2 --out {}/cut.jsonl",
        "record merge {}/record.zst --out {}/merged.jsonl",
        "replay {}/record.zst --backend software",
        "replay {}/record.zst --recorded",
        "play --backend software --max-pieces 5 --games 2 --resume --record {}/record.zst",
        "explain {}/record.zst",
    ] {
        let running = place.start(command);
        running.wait_until_busy();
        running.interrupt();
        let (status, _, error) = running.end();
        if (status, error.as_str()) != (Some(130), "") || place.names() != ["record.zst"] {
            wrong.push(format!("{command}: {status:?} {error} {:?}", place.names()));
        }
    }
    none(&wrong);
}

/// Waits until a program has that file open.
#[cfg(target_os = "linux")]
fn wait_until_open(running: &Running, path: &str) {
    let folder = format!("/proc/{}/fd", running.id());
    let begun = std::time::Instant::now();
    let is_open = || {
        let mut files = std::fs::read_dir(&folder).expect("it runs").flatten();
        files.any(|file| std::fs::read_link(file.path()).is_ok_and(|to| to == Path::new(path)))
    };
    while !is_open() {
        assert!(begun.elapsed() < HANGS, "it opens no pipe");
        std::thread::yield_now();
    }
}

/// Nobody has opened the pipe for writing, or somebody has and writes nothing.
#[cfg(target_os = "linux")]
#[test]
fn interrupt_ends_every_reading_of_a_silent_pipe() {
    let place = Place::new();
    let pipe = place.file("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("mkfifo runs").success());
    let mut wrong = Vec::new();
    for command in [
        "record stats {}/pipe",
        "record show {}/pipe --game tetris",
        "replay {}/pipe --backend software",
        "replay {}/pipe --recorded",
        "explain {}/pipe",
    ] {
        for has_writer in [false, true] {
            let running = place.start(command);
            wait_until_open(&running, &pipe);
            let writer = std::fs::File::options();
            let writer = has_writer.then(|| writer.clone().write(true).open(&pipe));
            running.interrupt();
            let (status, _, error) = running.end();
            drop(writer);
            if (status, error.as_str()) != (Some(130), "") {
                wrong.push(format!("{command}, {has_writer}: {status:?} {error}"));
            }
        }
    }
    none(&wrong);
}
