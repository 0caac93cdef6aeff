//! Rules of the repository that no compiler checks.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::support::{read, root};

mod crates;
mod rtl;

/// Files below a folder with this ending, as paths from the root of the repository.
fn files(folder: &str, ending: &str) -> Vec<String> {
    fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                walk(&path, found);
            } else {
                found.push(path);
            }
        }
    }
    let mut found = Vec::new();
    walk(&root().join(folder), &mut found);
    let relative = |p: &PathBuf| {
        let path = p.strip_prefix(root()).expect("below the repository");
        path.to_string_lossy().into_owned()
    };
    let mut names: Vec<String> = found.iter().map(relative).collect();
    names.retain(|name| name.ends_with(ending));
    names.sort();
    names
}

#[test]
fn every_generated_package_has_a_table() {
    let packages = protocol::svgen::packages();
    let names = packages.map(|(stem, _)| format!("rtl/{stem}_proto_pkg.sv"));
    let names: BTreeSet<String> = names.collect();
    let present: BTreeSet<String> = files("rtl", "_proto_pkg.sv").into_iter().collect();
    assert_eq!(present, names, "a package that no table makes");
}

#[test]
fn links_between_documents_lead_somewhere() {
    let mut documents = files("docs", ".md");
    documents.extend(["README.md".to_owned()]);
    for document in documents {
        let folder = root().join(&document);
        let folder = folder.parent().expect("it lies in a folder");
        let text = read(&document);
        let targets = text
            .split("](")
            .skip(1)
            .filter_map(|rest| rest.split(')').next());
        let code = text.split('`').skip(1).step_by(2);
        let named = code.filter(|c| c.contains('/') && c.ends_with(".rs") && !c.contains('<'));
        for path in named.filter(|_| document.ends_with("architecture.md")) {
            assert!(root().join(path).exists(), "{document} names {path}");
        }
        for target in targets.filter(|t| !t.starts_with("http") && !t.starts_with('#')) {
            let path = target.split('#').next().unwrap_or(target);
            assert!(folder.join(path).exists(), "{document} links to {target}");
        }
    }
}

/// Checks that no code below `from` contains any of `words`.
fn does_not_name(from: &str, words: &[&str]) {
    for file in files(from, ".rs") {
        for (number, line) in read(&file).lines().enumerate() {
            let code = line.split("//").next().unwrap_or("").to_lowercase();
            for word in words {
                let line = number + 1;
                assert!(!code.contains(word), "{file}:{line} names {word}");
            }
        }
    }
}

/// Session and link know no game, AI cores no wire.
#[test]
fn layers_do_not_name_each_other() {
    let games = || protocol::layout::GAMES.iter().map(|game| game.name);
    does_not_name("host/session/src", &games().collect::<Vec<_>>());
    let modules: Vec<String> = games().map(|game| format!("{game}_")).collect();
    does_not_name("sim/src", &modules.iter().map(|m| &**m).collect::<Vec<_>>());
    // Files that all games share, comments included.
    for file in [
        "protocol/src/docgen.rs",
        "protocol/src/layout/link.rs",
        "protocol/src/layout/check.rs",
        "protocol/src/layout/check/requests.rs",
        "protocol/src/layout/table.rs",
        "host/games/src/capability.rs",
        "sim/build/tops.rs",
        "sim/build/variant.rs",
        "rtl/tops.py",
        "rtl/link.f",
    ] {
        let text = read(file).to_lowercase();
        for word in ["piece", "placement", "tetris"] {
            assert!(!text.contains(word), "{file} names {word}");
        }
    }
    let link = ["rtl/top/cosim_link.sv", "rtl/top/command.sv"].map(String::from);
    for file in files("rtl/frame", ".sv")
        .iter()
        .chain(&files("rtl/uart", ".sv"))
        .chain(&link)
    {
        let text = read(file);
        assert!(
            !games().any(|game| text.contains(game)),
            "{file} knows a game"
        );
    }
    for file in files("rtl/ai", ".sv") {
        assert!(
            !read(&file).contains("_proto_pkg::"),
            "{file} knows the wire"
        );
    }
}

/// `make coverage` checks that they are true.
#[test]
fn coverage_waivers_name_places_of_the_rtl() {
    let waivers = lockstep_verify::coverage::waivers::parse(&read("rtl/coverage_waivers.txt"));
    let waivers = waivers.unwrap_or_else(|e| panic!("{e}"));
    assert!(!waivers.is_empty());
    for waiver in waivers {
        let text = read(&format!("rtl/{}", waiver.file));
        let lines: Vec<&str> = text.lines().collect();
        let named = lines
            .windows(2)
            .filter(|pair| pair[0].contains(&waiver.text) && pair[1].contains(&waiver.next_line));
        assert!(
            named.count() > 0,
            "coverage_waivers.txt:{}: {}",
            waiver.number,
            waiver.text
        );
    }
}

#[test]
fn no_test_is_switched_off() {
    for folder in ["protocol", "sim", "host", "tests"] {
        for file in files(folder, ".rs") {
            let text = read(&file);
            for switch in [concat!("#[ig", "nore"), concat!("should_", "panic")] {
                assert!(!text.contains(switch), "{file} has {switch}");
            }
        }
    }
}

#[test]
fn readme_has_the_build_id_and_the_number_of_faults() {
    let readme = read("README.md");
    let tetris = sim::variants()
        .iter()
        .find(|v| v.game == "tetris" && v.fault.is_none());
    let build = format!("{:08x}", tetris.expect("the core").build_id);
    let mut shown = readme
        .split("RTL build ")
        .skip(1)
        .map(|rest| &rest[..build.len()])
        .peekable();
    assert!(shown.peek().is_some(), "it shows a session");
    for other in shown {
        assert_eq!(other, build, "README.md shows a session of another build");
    }
    let faults = format!(
        "{} in all modules",
        lockstep_verify::faults::faults().count()
    );
    assert!(readme.contains(&faults), "there are {faults}");
}
