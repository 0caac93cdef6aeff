//! Rules of the repository that no compiler checks.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::support::{read, root};

mod crates;
mod rtl;

/// Files below a folder with that ending, as paths from the repository.
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
fn the_generated_packages_are_fresh() {
    let mut names = BTreeSet::new();
    for package in protocol::svgen::Package::all() {
        let mut text = String::new();
        package.write(&mut text).expect("a String takes all text");
        let name = format!("rtl/{}_proto_pkg.sv", package.stem());
        assert!(read(&name) == text, "{name} is stale: run `make generate`");
        names.insert(name);
    }
    let present: BTreeSet<String> = files("rtl", "_proto_pkg.sv").into_iter().collect();
    assert_eq!(present, names, "a package that no table makes");
}

#[test]
fn the_generated_parts_of_the_document_are_fresh() {
    let document = read("docs/wire.md");
    assert_eq!(protocol::docgen::missing_part(&document), None);
    let mut text = String::new();
    protocol::docgen::write_document(&document, &mut text).unwrap_or_else(|e| panic!("{e}"));
    assert!(
        document == text,
        "docs/wire.md is stale: run `make generate`"
    );
    // Everything the tables know is somewhere in it.
    for game in protocol::layout::GAMES {
        let abouts = game
            .all_messages()
            .flat_map(|m| m.fields.iter().map(|f| f.about).chain([m.about]))
            .chain(game.all_errors().map(|e| e.about))
            .chain(game.constants.iter().map(|c| c.about));
        for about in abouts {
            let words: Vec<&str> = about.split_whitespace().collect();
            assert!(
                document.contains(&words.join(" ")),
                "docs/wire.md lacks: {about}"
            );
        }
    }
}

/// What a document links to is there.
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
        for target in targets.filter(|t| !t.starts_with("http") && !t.starts_with('#')) {
            let path = target.split('#').next().unwrap_or(target);
            assert!(folder.join(path).exists(), "{document} links to {target}");
        }
    }
}

/// `from` must not hold any of `words` in its code.
fn silent_about(from: &str, words: &[&str]) {
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

/// The session and the link know no game, the AI cores nothing of the wire.
#[test]
fn layers_do_not_know_each_other() {
    let games = || protocol::layout::GAMES.iter().map(|game| game.name);
    silent_about("host/session/src", &games().collect::<Vec<_>>());
    let modules: Vec<String> = games().map(|game| format!("{game}_")).collect();
    silent_about("sim/src", &modules.iter().map(|m| &**m).collect::<Vec<_>>());
    // Neither code nor words of what every game shares.
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

/// `make coverage` says whether they are true; that they still name something is told sooner.
#[test]
fn what_is_said_to_be_out_of_reach_stands_in_the_rtl() {
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

/// What the first page shows of a session, and says of the seeded faults, is of the RTL as it is.
#[test]
fn the_readme_shows_the_core_as_it_is() {
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
