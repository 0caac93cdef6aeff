//! Malicious input, files in use by others, and full disks.

use std::process::Command;

use super::*;

/// JSON texts that must have no effect when they are printed.
///
/// They contain a window title, a workflow command after a line break, other line breaks, and marks
/// that reverse text.
const HOSTILE: [&str; 4] = [
    r"\u001b]0;evil\u0007",
    r"\n::error title=x::evil",
    r"a\u2028b\u2029c\u0085d",
    r"\u202eevil\u2066\u061c",
];

/// Whether a line of output has an effect: it begins with a workflow command, or has a character
/// that is not printable, except the command's own colours.
fn acts(output: &str) -> bool {
    let plain = anstream::adapter::strip_str(output).to_string();
    let is_sign = |c: char| c != '\n' && !lockstep::text::is_printable(c);
    output.contains("\u{1b}]") || plain.contains(is_sign) || plain.contains("\n::error title=x")
}

#[test]
fn hostile_text_is_printed_in_one_line() {
    let place = Place::new();
    place.ok("play --backend software --backend engine --max-pieces 3 --record {}/good");
    let good = text(&place.file("good"));
    let mut wrong = Vec::new();
    for hostile in HOSTILE {
        let with = |field: &str| {
            let from = format!("\"{field}\":\"");
            assert!(good.contains(&from), "{field}");
            good.replacen(&from, &format!("{from}{hostile}"), 1)
        };
        let own = format!("\"name\":\"{hostile}\"");
        let named = good.replace("\"name\":\"software\"", &own);
        let weights = format!(r#"{{"name":"a","source":"b","weights":{{"{hostile}":1}}}}"#);
        let name = json(&format!("\"{hostile}\""));
        let name = name.as_str().expect("text");
        let quote = |text: &str| shlex::try_quote(text).expect("no zero").into_owned();
        let says = quote(&format!("echo {} >&2", quote(name)));
        for (file, content) in [
            ("described", &with("description")),
            ("named", &named),
            ("piece", &with("piece")),
            ("game", &with("game")),
            ("weights", &weights),
            (name, &good),
        ] {
            write(&place.file(file), content);
        }
        for (status, command) in [
            (Some(0), "record show {}/described"),
            (Some(0), "record show {}/named"),
            (Some(0), "record stats {}/named"),
            (Some(0), "replay {}/described --recorded"),
            (Some(0), "replay {}/named --recorded"),
            (Some(2), "replay {}/piece"),
            (Some(2), "replay {}/game"),
            (Some(2), "record show {}/piece"),
            (Some(1), "record verify {}/game"),
            (Some(2), "play --controller {}/weights"),
            (Some(2), "play --controller NAME"),
            (Some(2), "play --backend NAME"),
            (Some(2), "play --backend=NAME"),
            (Some(2), "play --backend EXEC"),
            (Some(2), "replay {}/good --record {}/NAME"),
            // A name with a line break is refused.
            (None, "replay {}/NAME --backend software"),
        ] {
            let words = place.words(command).into_iter();
            let words = words.map(|word| match word.as_str() {
                "EXEC" => format!("exec:sh -c {says}"),
                _ => word.replace("NAME", name),
            });
            let output = lockstep().args(words).output().expect("it runs");
            let ended = status.is_none_or(|status| output.status.code() == Some(status));
            if !ended || acts(&stdout(&output)) || acts(&stderr(&output)) {
                wrong.push(format!("{command}: {}", shown(&output)));
            }
        }
        let summary = place.json(0, "replay {}/named --recorded");
        assert_eq!(summary["backends"][0]["name"], name);
    }
    none(&wrong);
}

/// The input has no end of a line.
#[cfg(target_os = "linux")]
#[test]
fn endless_input_is_refused_at_a_limit() {
    let limit = "1048576 bytes";
    for (command, named) in [
        ("decide < /dev/zero", "standard input, line 1"),
        ("replay /dev/zero", "record /dev/zero"),
    ] {
        // With too little memory to read on and on.
        let script = format!("ulimit -v 4000000; exec \"$0\" {command}");
        let mut shell = Command::new("sh");
        let output = shell.args(["-c", &script]).arg(PROGRAM).output();
        refused(&output.expect("sh runs"), &[named, limit]);
    }
    // A device or a pipe is not waited for, and a large file not read.
    let place = Place::recorded(20);
    place.put("large", "x".repeat((1 << 20) + 1));
    place.put("long", place.text("game") + &"x".repeat(1 << 21));
    place.refuses(&format!(
        "
        play --controller /dev/zero => /dev/zero | not an ordinary file
        play --controller {{}}/large => /large | 1048577 bytes, expected at most 1048576
        replay {{}}/long => /long | line 23 | {limit}
    "
    ));
    let input = format!("{EMPTY}\n{}", "x".repeat(1 << 21));
    refused(&place.feed("decide", input), &["line 2", limit]);
    // What an error quotes is cut.
    let piece = format!("\"{}\"", "x".repeat(1_000_000));
    let output = place.feed("decide", EMPTY.replace("\"T\"", &piece));
    refused(&output, &["standard input, line 1", "expected"]);
    assert!(stderr(&output).len() < 3_000, "{}", stderr(&output).len());
}

/// Of many sessions at the same time, one creates the record, and all others are refused.
#[test]
fn record_of_many_sessions_has_one_writer() {
    for _ in 0..20 {
        let place = Place::new();
        let play = "play --backend software --max-pieces 2 --record {}/games.jsonl";
        let sessions: Vec<_> = (0..8).map(|_| place.start(play)).collect();
        let ends = sessions.into_iter().map(|session| session.end().0);
        let won = ends.filter(|status| *status == Some(0)).count();
        assert_eq!((won, place.names()), (1, vec!["games.jsonl".to_owned()]));
    }
}

#[test]
fn record_is_overwritten_only_by_force() {
    let place = Place::recorded(20);
    let content = place.text("game");
    let play = "play --max-pieces 2 --record {}/game";
    // Nor where nothing can be played in the end; no other file is made then.
    place.ok("play --controller lacaille --max-pieces 2 --record {}/lacaille");
    place.refuses(&format!(
        "
        {play} --json {{}}/summary => /game | --force
        replay {{}}/lacaille --backend sim --record {{}}/game --force => sim
        play --depth=2 --backend sim --record {{}}/game --force => sim
        play --controller lowest --board 40x8 --record {{}}/new => 32 columns | 40x8
        play --board 10x16 --backend software --backend sim --record {{}}/new => 10x16
    "
    ));
    assert_eq!(place.text("game"), content);
    assert_eq!(place.names(), ["game", "lacaille"]);
    place.ok(&format!("{play} --force"));
    assert_eq!(place.text("game").lines().count(), 4);
}

/// A symbolic link leads to a missing file; the file is created there, and the link remains.
#[test]
fn result_is_written_where_link_points() {
    let place = Place::new();
    std::os::unix::fs::symlink("target", place.file("link")).expect("a link");
    for to in ["--json {}/link", "--record {}/link --force"] {
        place.ok(&format!("play --backend software --max-pieces 2 {to}"));
        assert!(place.text("target").starts_with('{'), "{to}");
        let still = std::fs::symlink_metadata(place.file("link")).expect("it is there");
        assert!(still.is_symlink(), "{to}");
    }
}

/// Whatever the name under which it is given: a link, or a controller with a depth.
#[test]
fn input_is_not_overwritten() {
    let place = Place::recorded(20);
    let [game, soft, hard] = ["game", "soft", "hard"].map(|name| place.file(name));
    std::os::unix::fs::symlink(&game, &soft).expect("a link");
    std::fs::hard_link(&game, &hard).expect("a link");
    place.put("mine", text("fixtures/weights/lowest.json"));
    place.put("four", text("fixtures/weights/connect4/flat.json"));
    let content = || ["game", "mine", "four"].map(|name| place.text(name));
    let before = content();
    for (command, outputs) in rows(
        "
        play --backend software --controller {}/mine => --record {}/mine | --json {}/mine
        bench --controller {}/mine => --json {}/mine
        strength --controller {}/mine => --state {}/mine | --json {}/mine
        play --game connect4 --controller {}/four:2 => --record {}/four --force | --json {}/four
        play --game connect4 --seat red={}/four:2 => --record {}/four --force | --json {}/four
        replay {}/game => --record {}/game | --json {}/./game | --junit {}/soft | --record {}/hard
        ",
    ) {
        for output in outputs {
            place.refuses(&format!(
                "{command} {output} => it is the input | another file"
            ));
            assert!(before == content(), "{command} {output}");
        }
    }
}

/// Every failure is reported, and the summary covers the decisions before it.
#[cfg(target_os = "linux")]
#[test]
fn full_disk_is_reported_of_every_file() {
    let place = Place::recorded(20);
    for what in ["play --backend software --max-pieces 2", "replay {}/game"] {
        let what = format!("{what} --record /dev/full --json");
        let output = place.run(&format!("{what} /dev/full"));
        has(&stderr(&output), "record /dev/full | --json /dev/full");
        let ended = (output.status.code(), stderr(&output).lines().count());
        assert_eq!(ended, (Some(2), 2), "{}", shown(&output));
        let output = place.run(&format!("{what} -"));
        refused(&output, &["record /dev/full", "No space left"]);
        let summary = json(&stdout(&output));
        has(
            summary["error"].as_str().unwrap_or_default(),
            "No space left",
        );
        assert_eq!(summary["interrupted"], false, "{summary}");
        let decisions = summary["decisions"].as_u64().expect("a number");
        assert!(decisions <= 20, "{summary}");
        assert_eq!(summary["backends"][0]["decisions"], decisions, "{summary}");
    }
}

/// The record has the decisions that fitted, a result is complete or absent, and each error is
/// printed once.
#[cfg(target_os = "linux")]
#[test]
fn file_size_limit_is_like_full_disk() {
    let place = Place::recorded(20);
    // Blocks of 512 or of 1,024 bytes.
    let play = "play --backend software --max-pieces 2000";
    let play = format!("{play} --record {{}}/games --json {{}}/summary");
    refused(&place.limited(8, &play), &["/games", "File too large"]);
    let summary = json(&place.text("summary"));
    has(summary["error"].as_str().unwrap_or_default(), "/games");
    place.ok("replay {}/games --backend software");
    let before = place.names();
    for what in [
        "replay {}/game --backend software --html {}/page",
        "record convert {}/game {}/copy.zst",
    ] {
        let ended = place.limited(0, what);
        refused(&ended, &["File too large"]);
        let times = stderr(&ended).matches("File too large").count();
        assert_eq!((times, place.names()), (1, before.clone()), "{what}");
    }
}
