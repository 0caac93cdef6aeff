//! Input that means harm, files that others hold and disks that are full.

use super::*;

/// A record of twenty decisions.
fn recorded(place: &Place) -> String {
    place.ok("play --backend software --max-pieces 20 --record {}/good");
    place.file("good")
}

/// Texts as JSON has them that must not act where they are printed: a title for the terminal's window,
/// a line with a workflow's command, other line breaks, marks that turn text round.
const HOSTILE: [&str; 4] = [
    r"\u001b]0;evil\u0007",
    r"\n::error title=x::evil",
    r"a\u2028b\u2029c\u0085d",
    r"\u202eevil\u2066\u061c",
];

/// Whether a line of output acts: it begins with a workflow's command or has a character that is not
/// printable, beside the escapes for colours of the command itself.
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
            let words: Vec<_> = words.collect();
            let output = run(&words.iter().map(String::as_str).collect::<Vec<_>>(), "");
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

/// Without a place of serde's beside the line's, and without names of Rust.
#[test]
fn error_names_one_line_and_no_type() {
    let place = Place::new();
    let whole = text(&recorded(&place));
    let mut wrong = Vec::new();
    let mut check = |output: &Output, line: &str| {
        let error = stderr(output);
        let doubled = error.matches("line ").count() > 1;
        let rust = ["struct ", "u64", "usize", "String"];
        let rust = rust.iter().any(|name| error.contains(name));
        if misrefused(output, &[line]).is_some() || doubled || rust {
            wrong.push(shown(output));
        }
    };
    for bad in ["[1,2]", "{}", "1", "\"x\"", r#"{"board":"x"}"#, "{"] {
        let output = run(&["decide"], &format!("{EMPTY}\n{bad}\n"));
        check(&output, "line 2");
        let record = place.file("bad");
        let (head, rest) = whole.split_once('\n').expect("lines");
        write(&record, format!("{head}\n{bad}\n{rest}"));
        check(&run(&["replay", &record], ""), "line 2");
    }
    none(&wrong);
}

/// No line of theirs ever ends.
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
        let mut shell = std::process::Command::new("sh");
        let output = shell.args(["-c", &script]).arg(PROGRAM).output();
        refused(&output.expect("sh runs"), &[named, limit]);
    }
    // A device or a pipe is not waited for, and a large file not read.
    let place = Place::new();
    write(&place.file("large"), "x".repeat((1 << 20) + 1));
    let good = text(&recorded(&place));
    write(&place.file("long"), good + &"x".repeat(1 << 21));
    place.refuses(&[
        (
            "play --controller /dev/zero",
            &["/dev/zero", "no ordinary file"],
        ),
        (
            "play --controller {}/large",
            &["/large", "longer than 1048576 bytes"],
        ),
        ("replay {}/long", &["/long", "line 23", limit]),
    ]);
    let input = format!("{EMPTY}\n{}", "x".repeat(1 << 21));
    refused(&run(&["decide"], &input), &["line 2", limit]);
}

#[test]
fn bad_input_quoted_in_error_is_cut() {
    let piece = format!("\"{}\"", "x".repeat(1_000_000));
    let output = run(&["decide"], &EMPTY.replace("\"T\"", &piece));
    refused(&output, &["standard input, line 1", "expected"]);
    assert!(stderr(&output).len() < 3_000, "{}", stderr(&output).len());
}

/// The first session goes on, and its record is whole.
#[test]
fn record_in_use_is_refused() {
    let place = Place::new();
    let mut first = place.start("play --games 1000000 --max-pieces 20 --record {}/games.jsonl");
    first.wait_for("game 2 of");
    let second = "play --max-pieces 2 --record {}/games.jsonl";
    place.refuses(&[
        (second, &["games.jsonl", "--force"]),
        (
            &format!("{second} --force"),
            &["games.jsonl", "another lockstep"],
        ),
    ]);
    first.interrupt();
    assert_eq!(first.end().0, Some(130));
    let again = place.json(0, "replay {}/games.jsonl");
    assert_eq!(again["cut"], json("[]"));
}

/// Many at once: one gets the name, all others are refused.
#[test]
fn record_of_many_sessions_has_one_writer() {
    for _ in 0..20 {
        let place = Place::new();
        let sessions: Vec<_> = (0..8)
            .map(|_| place.start("play --backend software --max-pieces 2 --record {}/games.jsonl"))
            .collect();
        let ends = sessions.into_iter().map(|session| session.end().0);
        let won = ends.filter(|status| *status == Some(0)).count();
        assert_eq!((won, place.names()), (1, vec!["games.jsonl".to_owned()]));
    }
}

#[test]
fn record_is_overwritten_only_by_force() {
    let place = Place::new();
    let record = recorded(&place);
    let content = text(&record);
    let play = "play --max-pieces 2 --record {}/good";
    // Nor where nothing can be played in the end; no other file is made then.
    place.ok("play --controller lacaille --max-pieces 2 --record {}/lacaille");
    place.refuses(&[
        (
            &format!("{play} --json {{}}/summary"),
            &[&record, "--force"],
        ),
        (
            "replay {}/lacaille --backend sim --record {}/good --force",
            &["sim"],
        ),
        (
            "play --depth=2 --backend sim --record {}/good --force",
            &["sim"],
        ),
    ]);
    assert_eq!(text(&record), content);
    assert_eq!(place.names(), ["good", "lacaille"]);
    place.ok(&format!("{play} --force"));
    assert_eq!(text(&record).lines().count(), 4);
}

/// A link to nothing is where the file will be; it stays a link.
#[test]
fn result_is_written_where_link_points() {
    let place = Place::new();
    let link = place.file("link");
    std::os::unix::fs::symlink("target", &link).expect("a link");
    for to in ["--json {}/link", "--record {}/link --force"] {
        place.ok(&format!("play --backend software --max-pieces 2 {to}"));
        assert!(text(&place.file("target")).starts_with('{'), "{to}");
        let still = std::fs::symlink_metadata(&link).expect("it is there");
        assert!(still.is_symlink(), "{to}");
    }
}

/// Every failure is reported, and the summary has the decisions before it.
#[cfg(target_os = "linux")]
#[test]
fn full_disk_is_reported_of_every_file() {
    let place = Place::new();
    recorded(&place);
    for what in ["play --backend software --max-pieces 2", "replay {}/good"] {
        let what = format!("{what} --record /dev/full --json");
        let output = place.run(&format!("{what} /dev/full"));
        let error = stderr(&output);
        let both = ["record /dev/full", "--json /dev/full"];
        let named = both.iter().all(|file| error.contains(file)) && error.lines().count() == 2;
        assert!(
            named && output.status.code() == Some(2),
            "{}",
            shown(&output)
        );
        let output = place.run(&format!("{what} -"));
        refused(&output, &["record /dev/full", "No space left"]);
        let summary = json(&stdout(&output));
        let error = summary["error"].as_str().unwrap_or_default();
        assert!(error.contains("No space left"), "{summary}");
        assert_eq!(summary["interrupted"], false, "{summary}");
        let decisions = summary["decisions"].as_u64().expect("a number");
        assert!(decisions <= 20, "{summary}");
        assert_eq!(summary["backends"][0]["decisions"], decisions, "{summary}");
    }
}

/// The record has what fitted, a result is whole or not there, and each error stands once.
#[cfg(target_os = "linux")]
#[test]
fn file_size_limit_is_like_full_disk() {
    let place = Place::new();
    recorded(&place);
    // Blocks of 512 or of 1,024 bytes.
    let play = "play --backend software --max-pieces 2000";
    let play = format!("{play} --record {{}}/games --json {{}}/summary");
    refused(&place.limited(8, &play), &["/games", "File too large"]);
    let summary = json(&text(&place.file("summary")));
    let error = summary["error"].as_str().unwrap_or_default();
    assert!(error.contains("/games"), "{summary}");
    place.ok("replay {}/games --backend software");
    let before = place.names();
    for what in [
        "replay {}/good --backend software --html {}/page",
        "record convert {}/good {}/copy.zst",
    ] {
        let ended = place.limited(0, what);
        refused(&ended, &["File too large"]);
        assert_eq!(
            stderr(&ended).matches("File too large").count(),
            1,
            "{what}"
        );
        assert_eq!(place.names(), before, "{what}");
    }
}

/// The results of a good record before a bad one are kept.
#[test]
fn bad_record_after_good_one_keeps_results() {
    let place = Place::new();
    let broken = text(&recorded(&place)).replacen("\"piece\":\"", "\"piece\":\"?", 20);
    let five = broken.lines().take(5).collect::<Vec<_>>().join("\n") + "\n";
    write(&place.file("bad"), five);
    let output = place.run("replay {}/good {}/bad --backend software --json {}/summary");
    refused(&output, &["/bad", "line 2"]);
    let report = stdout(&output);
    assert!(report.contains("20 agreed, 0 diverged"), "{report}");
    let summary = json(&text(&place.file("summary")));
    assert_eq!(summary["agreed"], 20, "{summary}");
    let error = summary["error"].as_str().unwrap_or_default();
    assert!(error.contains("line 2"), "{summary}");
}

#[test]
fn one_backend_alone_compares_nothing() {
    let place = Place::new();
    let play = "play --backend software --max-pieces 2";
    let summary = place.json(0, play);
    assert_eq!(
        (&summary["decisions"], &summary["compared"]),
        (&2.into(), &0.into())
    );
    for field in ["agreed", "diverged", "error", "first_divergence"] {
        assert_eq!(summary.get(field), Some(&Value::Null), "{field}: {summary}");
    }
    assert!(summary["lines"].is_u64(), "{summary}");
    assert!(place.ok(play).contains("none compared"));
}
