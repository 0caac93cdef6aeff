//! `lockstep info`, and the program's own help.

use super::*;

#[test]
fn info_describes_each_backend() {
    let place = Place::new();
    let software = place.ok("info --backend software");
    has(&software, "golden model");
    assert!(
        !software.contains("RTL build"),
        "software has none: {software}"
    );
    for backend in ["sim", "sim-uart", PINS, FAULTY] {
        let report = place.ok(&format!("info --backend {backend}"));
        has(
            &report,
            &format!("{backend} | tetris, board 10x20 | 100000000 Hz | 0 bad CRC"),
        );
    }
    let report = place.ok(&format!("info --backend {PINS} --backend software"));
    let names = report
        .lines()
        .filter_map(|line| line.strip_prefix("backend "));
    let names: Vec<_> = names.map(str::trim).collect();
    assert_eq!(names, [PINS, "software"], "{report}");
    #[cfg(not(feature = "netlist"))]
    has(&place.ok("info"), "sim-netlist");
}

/// The numbers of bytes equal those in the log of all bytes.
#[test]
fn info_counts_bytes_of_link() {
    let output = Place::new().run("-vvv info --backend sim");
    let log = stderr(&output);
    let bytes = |direction: &str| -> usize {
        let lines = log.lines().filter(|line| line.contains(direction));
        let hexadecimal = lines.filter_map(|line| line.split_once("bytes="));
        let count = |word: &&str| word.len() == 2 && u8::from_str_radix(word, 16).is_ok();
        let words = hexadecimal.map(|(_, bytes)| {
            let bytes = bytes.trim_start_matches('[');
            bytes.split([',', ']']).map(str::trim).take_while(count)
        });
        words.map(Iterator::count).sum()
    };
    let (sent, received) = (bytes("sent"), bytes("received"));
    assert!(sent > 0 && received > sent, "{log}");
    has(
        &stdout(&output),
        &format!("{sent} bytes sent, {received} received"),
    );
}

#[test]
fn help_of_every_command_has_usage_and_shared_options() {
    let place = Place::new();
    let all = place.ok("--help");
    let listed = all.split("Commands:\n").nth(1).expect("a list of commands");
    let commands = listed
        .lines()
        .map_while(|line| line.strip_prefix("  ")?.split(' ').next());
    let commands: Vec<&str> = commands.filter(|command| *command != "help").collect();
    assert!(commands.len() > 10, "{commands:?}");
    let mut wrong = Vec::new();
    for command in commands {
        let help = place.ok(&format!("{command} --help"));
        let has_usage = help.contains(&format!("Usage: lockstep {command}"));
        // What all commands share stands last, in one place.
        let shared = help.split("Options of all commands:").nth(1);
        let shared = shared.is_some_and(|rest| {
            let at = ["--quiet", "--verbose", "--help"].map(|option| rest.find(option));
            at.iter().all(Option::is_some) && at.is_sorted()
        });
        if !has_usage || !shared || help.contains("hardware") {
            wrong.push(format!("{command}:\n{help}"));
        }
    }
    none(&wrong);
    assert!(!all.contains("hardware"), "no board is promised: {all}");
    let presets: Vec<_> = lockstep_games::tetris::controller::presets().collect();
    has(&place.ok("play --help"), &presets.join(" | "));
    // Help names what a command accepts: the games that have it, and soak's controllers.
    has(
        &place.ok("match --help"),
        "[possible values: connect4, gomoku]",
    );
    let soak = place.ok("soak --help");
    assert!(
        soak.contains("dt-20") && !soak.contains("led-tetris"),
        "{soak}"
    );
    // Commands that a game lacks are not in its list.
    let listed = place.ok("man --game connect4");
    assert!(
        listed.contains("replay") && !listed.contains("soak"),
        "{listed}"
    );
}

#[test]
fn version_names_layouts_and_rtl() {
    let place = Place::new();
    let long = place.ok("--version");
    let short = long.lines().next().unwrap_or_default();
    assert_eq!(place.ok("-V"), format!("{short}\n"));
    let revision = short
        .strip_prefix(concat!("lockstep ", env!("CARGO_PKG_VERSION"), " ("))
        .and_then(|rest| rest.strip_suffix(')'))
        .expect("a revision");
    let known = revision.len() == 12 && revision.bytes().all(|b| b.is_ascii_hexdigit());
    assert!(known || revision == "unknown", "{revision}");
    // The RTL is the one that answers.
    let info = place.ok("info --backend sim");
    let build = info.lines().find_map(|line| line.strip_prefix("RTL build"));
    let build = format!("RTL build {}", build.expect("a build").trim());
    has(&long, &format!("\ntetris  | {build}"));
}

#[test]
fn completions_and_manual_have_every_command() {
    let place = Place::new();
    for shell in ["bash", "zsh", "fish"] {
        let script = place.ok(&format!("completions {shell}"));
        has(&script, "play | controllers | completions | piece-source");
    }
    place.ok("man {}/new/man1");
    for command in ["", "-play", "-replay", "-strength"] {
        has(
            &place.text(&format!("new/man1/lockstep{command}.1")),
            ".SH SYNOPSIS",
        );
    }
    has(
        &place.text("new/man1/lockstep-play.1"),
        "lockstep play \\-\\-games 3",
    );
    has(&place.ok("man"), ".TH lockstep 1");
    place.put("taken", "a file");
    place.refuses("man {}/taken => /taken");
}
