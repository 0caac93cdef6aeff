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
    // The harnesses of the proofs are no part of the design, nor is what a board puts around it.
    let around = [
        "rtl/formal/",
        "rtl/top/common/",
        "rtl/top/nexys4/",
        "rtl/top/ulx3s/",
    ];
    let present: BTreeSet<String> = files("rtl", ".sv")
        .into_iter()
        .filter(|file| !around.iter().any(|folder| file.starts_with(folder)))
        .collect();
    let listed: BTreeSet<String> = listed.into_iter().collect();
    assert_eq!(listed, present, "rtl/files.f and the folder differ");
}

/// The files of a list below `rtl/`, as paths from the repository.
fn listed(list: &str) -> Vec<String> {
    let folder = Path::new(list).parent().expect("it lies in a folder");
    let text = read(list);
    let lines = text.lines().map(str::trim);
    let files = lines.filter(|line| !line.is_empty() && !line.starts_with("//"));
    let plain = |line: &str| {
        let mut path = PathBuf::new();
        for part in folder.join(line).components() {
            match part {
                std::path::Component::ParentDir => drop(path.pop()),
                part => path.push(part),
            }
        }
        path.to_string_lossy().into_owned()
    };
    files.map(plain).collect()
}

/// Each board's list, and what they share, name the files that lie there.
#[test]
fn the_boards_lists_name_their_files() {
    let lists = ["nexys4/files.f", "ulx3s/files.f", "ulx3s/sim.f"];
    let mut all = BTreeSet::new();
    for list in lists {
        let files = listed(&format!("rtl/top/{list}"));
        let unique: BTreeSet<String> = files.iter().cloned().collect();
        assert_eq!(unique.len(), files.len(), "{list} names a file twice");
        all.extend(unique);
    }
    let present: BTreeSet<String> = ["common", "nexys4", "ulx3s"]
        .iter()
        .flat_map(|folder| files(&format!("rtl/top/{folder}"), ".sv"))
        .collect();
    assert_eq!(all, present);
}

/// FuseSoC's core file has a fileset for each list, under a comment that names it.
#[test]
fn the_core_file_has_the_files_of_the_lists() {
    let core = read("lockstep.core");
    for list in [
        "files.f",
        "top/nexys4/files.f",
        "top/ulx3s/files.f",
        "top/ulx3s/sim.f",
    ] {
        let list = format!("rtl/{list}");
        let mut lines = core.lines();
        let head = lines.find(|line| {
            let comment = line.trim().strip_prefix("# ");
            comment.is_some_and(|text| text.split(':').next() == Some(&list))
        });
        assert!(head.is_some(), "lockstep.core has no fileset of {list}");
        let files: Vec<String> = lines
            .skip_while(|line| line.trim() != "files:")
            .skip(1)
            .map_while(|line| line.trim().strip_prefix("- "))
            .map(String::from)
            .collect();
        assert_eq!(files, listed(&list), "lockstep.core and {list} differ");
    }
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
        // A stub stands in for the module that it is named after; what for may stand behind that.
        let expected = name
            .split_once("_stub")
            .map_or(&*name, |(module, _)| module);
        assert_eq!(declared, [expected], "{file}");
    }
}

/// The crates of the workspace that a manifest depends on, tests left out.
fn dependencies(folder: &str) -> BTreeSet<String> {
    let manifest = read(&format!("{folder}/Cargo.toml"));
    let mut section = "";
    let mut names = BTreeSet::new();
    for line in manifest.lines() {
        if line.starts_with('[') {
            section = line;
        } else if section == "[dependencies]" || section == "[build-dependencies]" {
            let name = line.split([' ', '=', '.']).next().unwrap_or("");
            names.insert(name.to_owned());
        }
    }
    names
}

/// Cargo refuses circles; which way the edges point is told here. A crate that
/// is not listed must not be depended on.
#[test]
fn crates_depend_one_way() {
    let edges: [(&str, &[&str]); 11] = [
        ("protocol", &[]),
        ("sim", &["protocol"]),
        // A bitstream's layout hash is all that it knows of a core.
        ("host/flash", &["protocol"]),
        ("host/games", &["protocol"]),
        // The golden models cannot see the engines.
        ("host/engine", &["lockstep-games", "protocol"]),
        // The session knows neither an engine nor a command line.
        ("host/session", &["lockstep-games", "protocol", "sim"]),
        // A board knows no backend and no game's rules: bytes, and a model.
        ("host/board", &["lockstep", "protocol", "sim"]),
        ("host/explain", &["lockstep", "lockstep-games"]),
        (
            "host/report",
            &["lockstep", "lockstep-explain", "lockstep-games"],
        ),
        (
            "host/lab",
            &[
                "lockstep",
                "lockstep-engine",
                "lockstep-explain",
                "lockstep-games",
                "protocol",
                "sim",
            ],
        ),
        (
            "host/cli",
            &[
                "lockstep",
                "lockstep-board",
                "lockstep-engine",
                "lockstep-explain",
                "lockstep-flash",
                "lockstep-games",
                "lockstep-lab",
                "lockstep-report",
                "protocol",
                "sim",
            ],
        ),
    ];
    let all: BTreeSet<&str> = edges
        .iter()
        .flat_map(|(_, to)| to.iter().copied())
        .collect();
    for (crate_, allowed) in edges {
        let found = dependencies(crate_);
        for name in found.iter().filter(|name| all.contains(name.as_str())) {
            assert!(
                allowed.contains(&name.as_str()),
                "{crate_} depends on {name}"
            );
        }
        let parses_arguments = found.iter().any(|name| name.starts_with("clap"));
        assert!(
            !parses_arguments || crate_ == "host/cli",
            "{crate_} knows clap"
        );
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
    silent_about("host/session/src", &["tetris", "gomoku"]);
    silent_about("sim/src", &["tetris_", "gomoku"]);
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

/// `make coverage` says whether they are true; that they still name something is told sooner.
#[test]
fn what_is_said_to_be_out_of_reach_stands_in_the_rtl() {
    let waivers = lockstep_lab::coverage::waivers::parse(&read("rtl/coverage_waivers.txt"));
    let waivers = waivers.unwrap_or_else(|e| panic!("{e}"));
    assert!(!waivers.is_empty());
    for waiver in waivers {
        let text = read(&format!("rtl/{}", waiver.file));
        let lines: Vec<&str> = text.lines().collect();
        let named = lines.windows(2).filter(|pair| {
            let behind = waiver.behind.as_deref().unwrap_or("");
            pair[0].contains(&waiver.text) && pair[1].contains(behind)
        });
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

/// A bitstream holds the build id and the layout hash of the simulated core: its
/// script works them out by itself.
#[test]
fn a_bitstream_has_the_build_id_of_the_simulated_core() {
    let script = root().join("rtl/build_id.py");
    for variant in sim::variants().iter().filter(|v| v.fault.is_none()) {
        let output = std::process::Command::new("python3")
            .arg(&script)
            .args(["--game", variant.game])
            .output()
            .expect("python3 runs");
        assert!(output.status.success(), "{output:?}");
        let mut games = protocol::layout::GAMES.iter();
        let game = games.find(|game| game.name == variant.game);
        let game = game.expect("it has a table");
        let expected = format!("{:08x} {:08x}\n", variant.build_id, game.layout_hash());
        assert_eq!(String::from_utf8_lossy(&output.stdout), expected);
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
    let faults = format!("{} in all modules", lockstep_lab::faults::faults().count());
    assert!(readme.contains(&faults), "there are {faults}");
}
