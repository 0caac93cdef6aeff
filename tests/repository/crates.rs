//! The allowed dependencies between crates.

use std::collections::{BTreeMap, BTreeSet};

use super::files;
use crate::support::read;

/// The lines of one section of a manifest.
fn section(manifest: &str, name: &str) -> Vec<String> {
    let lines = manifest.lines().skip_while(|line| *line != name).skip(1);
    let lines = lines.take_while(|line| !line.starts_with('['));
    lines.map(String::from).collect()
}

/// The name of a dependency, before its version.
fn named(line: &str) -> &str {
    line.split([' ', '=', '.']).next().unwrap_or("")
}

/// The crates on which each crate may depend. The golden models cannot see the engines; the session
/// knows neither an engine nor a command line, a board no backend and no game's rules, `lab` no session.
const ALLOWED: &str = "
    protocol:
    sim: protocol
    host/flash: protocol
    host/games: protocol
    host/engine: lockstep-games protocol
    host/session: lockstep-games protocol sim
    host/board: lockstep protocol sim
    host/explain: lockstep lockstep-games
    host/report: lockstep lockstep-explain lockstep-games
    host/lab: lockstep-engine lockstep-games protocol
    host/backends: lockstep lockstep-engine lockstep-explain lockstep-games lockstep-lab protocol sim
    host/verify: lockstep lockstep-flash lockstep-games protocol sim
    host/cli: lockstep lockstep-backends lockstep-board lockstep-engine lockstep-explain \
              lockstep-flash lockstep-games lockstep-lab lockstep-report lockstep-verify protocol sim
    host/python: lockstep lockstep-backends lockstep-engine lockstep-games";

fn edges() -> impl Iterator<Item = (&'static str, &'static str)> {
    let lines = ALLOWED.lines();
    lines.filter_map(|line| line.trim().split_once(':'))
}

/// Cargo refuses circles; this test fixes the direction of each edge. Tests may depend on all
/// crates.
#[test]
fn crates_depend_only_on_crates_below_them() {
    let edges: BTreeMap<&str, Vec<&str>> = edges()
        .map(|(folder, allowed)| (folder, allowed.split_whitespace().collect()))
        .collect();
    let workspace = read("Cargo.toml");
    let members: BTreeSet<String> = workspace
        .lines()
        .skip_while(|line| *line != "members = [")
        .skip(1)
        .map_while(|line| line.trim().strip_suffix("\","))
        .map(|name| name.trim_start_matches('"').to_owned())
        .filter(|name| name != "tests")
        .collect();
    let listed: BTreeSet<String> = edges.keys().map(|name| (*name).to_owned()).collect();
    assert_eq!(members, listed, "the workspace's crates and this list");
    let own: BTreeSet<String> = section(&workspace, "[workspace.dependencies]")
        .iter()
        .filter(|line| line.contains("path = "))
        .map(|line| named(line).to_owned())
        .collect();
    // Nothing depends on `cli` and `python`.
    assert!(own.len() >= edges.len() - 2, "crates with a name: {own:?}");
    for (folder, allowed) in edges {
        let manifest = read(&format!("{folder}/Cargo.toml"));
        let parts = ["[dependencies]", "[build-dependencies]"];
        let dependencies = parts.map(|part| section(&manifest, part)).concat();
        for name in dependencies.iter().map(|line| named(line)) {
            let own = own.contains(name);
            assert!(
                !own || allowed.contains(&name),
                "{folder} depends on {name}"
            );
            assert!(
                !name.starts_with("clap") || folder == "host/cli",
                "{folder} parses arguments"
            );
        }
    }
}

/// Documentation tests cost seconds even where there are none, so they are off there.
#[test]
fn crates_with_examples_alone_test_them() {
    for (folder, _) in edges() {
        let manifest = read(&format!("{folder}/Cargo.toml"));
        let is_off = section(&manifest, "[lib]").contains(&"doctest = false".to_owned());
        let sources = files(&format!("{folder}/src"), ".rs");
        let is_example =
            |line: &str| line.trim_start().starts_with("/// ```") || line.starts_with("//! ```");
        let has_examples = sources.iter().any(|s| read(s).lines().any(is_example));
        assert!(
            folder == "host/cli" || is_off != has_examples,
            "{folder}: doctest in Cargo.toml"
        );
    }
}
