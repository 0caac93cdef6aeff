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
fn the_generated_package_is_fresh() {
    let mut text = String::new();
    protocol::svgen::write_package(&mut text).expect("a String takes all text");
    assert_eq!(
        read("rtl/proto_pkg.sv"),
        text,
        "rtl/proto_pkg.sv is stale: run `make generate`"
    );
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
    independent("protocol/src", &["sim::", "lockstep::"]);
    independent("sim/src", &["lockstep::"]);
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
    for file in files("rtl/frame", ".sv")
        .iter()
        .chain(&files("rtl/uart", ".sv"))
    {
        assert!(!read(file).contains("tetris_"), "{file} knows a game");
    }
    for file in files("rtl/ai", ".sv") {
        assert!(
            !read(&file).contains("proto_pkg::"),
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
