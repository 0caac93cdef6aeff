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

/// The files of a list below `rtl/`, as paths from the repository; of those it names by `-F` only
/// with `nested`.
fn listed(list: &str, nested: bool) -> Vec<String> {
    let folder = Path::new(list).parent().expect("it lies in a folder");
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
    let mut files = Vec::new();
    let text = read(list);
    let lines = text.lines().map(str::trim);
    for line in lines.filter(|line| !line.is_empty() && !line.starts_with("//")) {
        match line.strip_prefix("-F ") {
            None => files.push(plain(line)),
            Some(other) if nested => files.extend(listed(&plain(other), true)),
            Some(_) => {}
        }
    }
    files
}

/// A line of `rtl/tops.txt`.
struct Top {
    game: String,
    name: String,
    usage: String,
    list: String,
}

fn tops() -> Vec<Top> {
    let text = read("rtl/tops.txt");
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let tops = lines.filter_map(|line| {
        let mut words = line.split_whitespace().map(String::from);
        Some(Top {
            game: words.next()?,
            name: words.next()?,
            usage: words.next()?,
            list: format!("rtl/{}", words.next()?),
        })
    });
    tops.collect()
}

/// Each file is in the list of the link, a game or a board; the harnesses of the proofs are in none.
#[test]
fn file_lists_name_every_rtl_file_once() {
    let mut present: BTreeSet<String> = files("rtl", ".sv").into_iter().collect();
    present.retain(|file| !file.starts_with("rtl/formal/"));
    let mut all = BTreeSet::new();
    for list in files("rtl", ".f") {
        let own = listed(&list, false);
        let whole = listed(&list, true);
        let unique: BTreeSet<&String> = whole.iter().collect();
        assert_eq!(unique.len(), whole.len(), "{list} names a file twice");
        all.extend(own);
    }
    assert_eq!(all, present, "the lists and the folder differ");
}

/// A core's list has all of the link's; every top is of a game that has a table and a core.
#[test]
fn tops_name_lists_that_hold_the_link() {
    let tops = tops();
    let link = listed("rtl/link.f", true);
    for top in &tops {
        let Top { game, name, .. } = top;
        let files = listed(&top.list, true);
        let missing: Vec<_> = link.iter().filter(|file| !files.contains(file)).collect();
        assert!(missing.is_empty(), "{name} lacks {missing:?}");
        let own = format!("/{name}.sv");
        let own = files.iter().filter(|file| file.ends_with(&own));
        assert_eq!(own.count(), 1, "{} and {name}", top.list);
        let mut tables = protocol::layout::GAMES.iter();
        assert!(
            tables.any(|table| table.name == game),
            "{game} has no table"
        );
        let core = |other: &&Top| other.usage == "core" && other.game == *game;
        assert_eq!(tops.iter().filter(core).count(), 1, "cores of {game}");
    }
}

/// FuseSoC's core file has a target for each board, and all files of the tops of its targets: each
/// fileset of the RTL has the files of the list that the comment above it names.
#[test]
fn the_core_file_has_the_files_of_the_lists() {
    let core = read("lockstep.core");
    let mut lines = core.lines().map(str::trim);
    let mut filesets: Vec<(&str, Vec<String>)> = Vec::new();
    while let Some(line) = lines.next() {
        let list = line
            .strip_prefix("# rtl/")
            .and_then(|text| text.split(':').next());
        let Some(list) = list else { continue };
        let name = lines.next().and_then(|line| line.strip_suffix(':'));
        let files = lines.by_ref().skip_while(|line| *line != "files:").skip(1);
        let files = files
            .map_while(|line| line.strip_prefix("- "))
            .map(String::from);
        let files: Vec<String> = files.collect();
        let list = format!("rtl/{list}");
        assert_eq!(
            files,
            listed(&list, false),
            "lockstep.core and {list} differ"
        );
        filesets.push((name.expect("a name behind the comment"), files));
    }
    let tops = tops();
    let mut targets = BTreeSet::new();
    let mut used: Vec<&str> = Vec::new();
    for line in core.lines().map(str::trim) {
        if let Some(names) = line.strip_prefix("filesets: [") {
            used = names.trim_end_matches(']').split(", ").collect();
        } else if let Some(name) = line.strip_prefix("toplevel: ") {
            let top = tops.iter().find(|top| top.name == name);
            let top = top.unwrap_or_else(|| panic!("rtl/tops.txt has no {name}"));
            let of = filesets
                .iter()
                .filter(|(fileset, _)| used.contains(fileset));
            let files: BTreeSet<&String> = of.flat_map(|(_, files)| files).collect();
            let missing = listed(&top.list, true);
            let missing: Vec<_> = missing.iter().filter(|f| !files.contains(f)).collect();
            assert!(missing.is_empty(), "the target of {name} lacks {missing:?}");
            targets.insert(name);
        }
    }
    for board in tops.iter().filter(|top| top.usage == "board") {
        assert!(
            targets.contains(&*board.name),
            "no target of {}",
            board.name
        );
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
    let edges: [(&str, &[&str]); 12] = [
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
            "host/verify",
            &["lockstep", "lockstep-games", "protocol", "sim"],
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
                "lockstep-verify",
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
    let games = || protocol::layout::GAMES.iter().map(|game| game.name);
    silent_about("host/session/src", &games().collect::<Vec<_>>());
    let modules: Vec<String> = games().map(|game| format!("{game}_")).collect();
    silent_about("sim/src", &modules.iter().map(|m| &**m).collect::<Vec<_>>());
    // Neither code nor words of what every game shares.
    for file in [
        "protocol/src/docgen.rs",
        "protocol/src/layout/link.rs",
        "protocol/src/layout/check.rs",
        "protocol/src/layout/check/uses.rs",
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
            .filter(|pair| pair[0].contains(&waiver.text) && pair[1].contains(&waiver.behind));
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
    for variant in sim::variants().iter().filter(|v| v.fault.is_none()) {
        let mut games = protocol::layout::GAMES.iter();
        let game = games.find(|game| game.name == variant.game);
        let game = game.expect("it has a table");
        let expected = format!("{:08x} {:08x}\n", variant.build_id, game.layout_hash());
        assert_eq!(build_id(&root().join("rtl"), variant.game), expected);
    }
}

/// The output of a script below a folder.
fn build_id(rtl: &Path, game: &str) -> String {
    let output = std::process::Command::new("python3")
        .arg(rtl.join("build_id.py"))
        .args(["--game", game])
        .output()
        .expect("python3 runs");
    assert!(output.status.success(), "{output:?}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// A game's build id is made of the link's files and its own: a list for another game leaves it
/// alone, a file of the link does not.
#[test]
fn build_id_is_of_the_link_and_its_own_game() {
    let folder = tempfile::tempdir().expect("a folder");
    let rtl = folder.path();
    let copy = |file: &str| {
        let to = rtl.join(file.strip_prefix("rtl/").expect("below rtl"));
        std::fs::create_dir_all(to.parent().expect("a folder")).expect("a folder");
        std::fs::copy(root().join(file), to).expect("a copy");
    };
    for ending in [".sv", ".f", ".py", ".txt"] {
        files("rtl", ending).iter().for_each(|file| copy(file));
    }
    let append = |file: &str, text: &str| {
        let file = rtl.join(file);
        let before = std::fs::read_to_string(&file).unwrap_or_default();
        std::fs::write(file, before + text).expect("it is written");
    };
    let before = build_id(rtl, "tetris");
    assert_eq!(before, build_id(&root().join("rtl"), "tetris"));
    append("ai/chess.sv", "module chess;\nendmodule\n");
    append("games/chess.f", "-F ../link.f\n../ai/chess.sv\n");
    append("tops.txt", "chess  chess  core  games/chess.f\n");
    append("chess_proto_pkg.sv", "LayoutHash = 32'h00000000;\n");
    assert_eq!(build_id(rtl, "tetris"), before);
    let chess = build_id(rtl, "chess");
    append("ai/chess.sv", "// another\n");
    assert_ne!(build_id(rtl, "chess"), chess);
    assert_eq!(build_id(rtl, "tetris"), before);
    append("uart/uart_rx.sv", "// another\n");
    assert_ne!(build_id(rtl, "tetris"), before);
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
