//! Rules of the repository that no compiler checks.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::support::{read, root};

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

#[test]
fn the_file_list_names_every_rtl_file_once() {
    let list = read("rtl/files.f");
    let listed: Vec<String> = list
        .lines()
        .filter(|line| !line.starts_with("//") && !line.trim().is_empty())
        .map(|line| format!("rtl/{line}"))
        .collect();
    let unique: BTreeSet<&String> = listed.iter().collect();
    assert_eq!(unique.len(), listed.len(), "a file is listed twice");
    let present: BTreeSet<String> = files("rtl", ".sv").into_iter().collect();
    let listed: BTreeSet<String> = listed.into_iter().collect();
    assert_eq!(listed, present, "rtl/files.f and the folder differ");
}

#[test]
fn a_module_has_the_name_of_its_file() {
    for file in files("rtl", ".sv") {
        let name = Path::new(&file)
            .file_stem()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        let keyword = if name.ends_with("_pkg") {
            "package"
        } else {
            "module"
        };
        let text = read(&file);
        let declared: Vec<&str> = text
            .lines()
            .filter_map(|line| line.strip_prefix(keyword)?.split_whitespace().next())
            .map(|word| word.trim_end_matches(['(', ';', '#']))
            .collect();
        assert_eq!(declared, [name.as_str()], "{file}");
    }
}

/// `from` must not name any of `forbidden` in its code.
fn independent(from: &str, forbidden: &[&str]) {
    for file in files(from, ".rs") {
        for (number, line) in read(&file).lines().enumerate() {
            let code = line.split("//").next().unwrap_or("");
            for word in forbidden {
                assert!(
                    !code.contains(word),
                    "{file}:{}: {from} must not depend on {word}",
                    number + 1
                );
            }
        }
    }
}

/// tests → host → sim → protocol; inside host: games ← backend ← session ←
/// sinks ← commands; games ← strength ← commands, games ← train ← report.
#[test]
fn dependencies_point_one_way() {
    independent("protocol/src", &["sim::", "host::"]);
    independent("sim/src", &["host::"]);
    independent(
        "host/src/games",
        &[
            "crate::backend",
            "crate::session",
            "crate::record",
            "crate::report",
            "crate::event",
            "sim::",
        ],
    );
    independent(
        "host/src/backend",
        &[
            "crate::session",
            "crate::record",
            "crate::report",
            "crate::event",
        ],
    );
    independent(
        "host/src/train",
        &[
            "crate::backend",
            "crate::session",
            "crate::record",
            "crate::report",
            "crate::event",
        ],
    );
    independent("host/src/report", &["crate::session", "crate::record"]);
    independent(
        "host/src/strength",
        &["crate::backend", "crate::session", "crate::record", "sim::"],
    );
}

/// The wire knows nothing of games, the AI cores nothing of the wire.
#[test]
fn layers_do_not_know_each_other() {
    independent("host/src/backend/wire", &["tetris", "Tetris"]);
    independent("host/src/backend/link", &["tetris", "Tetris"]);
    let link = ["rtl/top/cosim_link.sv", "rtl/top/command.sv"].map(String::from);
    for file in files("rtl/frame", ".sv")
        .iter()
        .chain(&files("rtl/uart", ".sv"))
        .chain(&link)
    {
        assert!(!read(file).contains("tetris"), "{file} knows a game");
    }
    for file in files("rtl/ai", ".sv") {
        assert!(
            !read(&file).contains("_proto_pkg::"),
            "{file} knows the wire"
        );
    }
}

#[test]
fn unsafe_code_is_where_it_has_to_be() {
    let engine = "host/src/games/tetris/engine";
    let allowed = [
        // The Verilated models.
        "sim/src/ffi.rs".to_owned(),
        // The entry points for an instruction set, and its intrinsics.
        format!("{engine}/run.rs"),
        format!("{engine}/lanes/avx2.rs"),
        format!("{engine}/lanes/avx512.rs"),
    ];
    for folder in ["protocol/src", "host/src", "sim/src"] {
        for file in files(folder, ".rs") {
            let code = read(&file);
            assert!(
                allowed.contains(&file) || !code.contains("unsafe {"),
                "{file} has unsafe code"
            );
        }
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
