//! The lists of the RTL's files, the table of tops, and build ids.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::files;
use crate::support::{read, root};

/// The files of a list below `rtl/`, as paths from the root of the repository; `nested` includes
/// the lists that it names by `-F`.
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

/// A line of `rtl/tops.txt`, or a board.
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
    let boards = lockstep_flash::Board::ALL.iter().map(|board| Top {
        game: board.word("game").into(),
        name: board.top(),
        usage: "board".into(),
        list: format!("rtl/top/{board}/files.f"),
    });
    tops.chain(boards).collect()
}

/// Each file is in the list of the link, a game or a board, except the harnesses of the proofs.
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
fn tops_lists_contain_link() {
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
        let is_core = |top: &Top| ["core", "draft"].contains(&&*top.usage);
        let core = |other: &&Top| is_core(other) && other.game == *game;
        assert_eq!(tops.iter().filter(core).count(), 1, "cores of {game}");
    }
}

/// The filesets of a FuseSoC core file that have a comment with the name of a list, and the list.
fn filesets(core: &str) -> Vec<(String, String, Vec<String>)> {
    let text = read(core);
    let folder = core.rsplit_once('/').map_or("", |(folder, _)| folder);
    let below = |name: &str| match folder {
        "" => name.to_owned(),
        folder => format!("{folder}/{name}"),
    };
    let mut lines = text.lines().map(str::trim);
    let mut filesets = Vec::new();
    while let Some(line) = lines.next() {
        let comment = line.strip_prefix("# ").unwrap_or_default();
        let list = comment
            .split(':')
            .next()
            .filter(|list| list.ends_with(".f"));
        let Some(list) = list else { continue };
        let name = lines.next().and_then(|line| line.strip_suffix(':'));
        let name = name.expect("a name behind the comment").into();
        let files = lines.by_ref().skip_while(|line| *line != "files:").skip(1);
        let files = files.map_while(|line| line.strip_prefix("- ")).map(below);
        filesets.push((name, below(list), files.collect()));
    }
    filesets
}

/// FuseSoC's core files: each fileset of the RTL has the files of the list that the comment above
/// it names. Each board has a core with all of its top's files but those of `lockstep.core`.
#[test]
fn core_files_have_the_files_of_the_lists() {
    let check = |core: &str| {
        let filesets = filesets(core);
        for (_, list, files) in &filesets {
            assert_eq!(*files, listed(list, false), "{core} and {list} differ");
        }
        filesets
    };
    // What a board's core depends on.
    let shared = ["link", "tetris", "video", "board"];
    let line = "filesets: [link, tetris, video, board, board_script]";
    assert!(read("lockstep.core").contains(line), "its target default");
    let of = check("lockstep.core");
    let of = of.iter().filter(|(name, ..)| shared.contains(&&**name));
    let shared: BTreeSet<String> = of.flat_map(|(.., files)| files.clone()).collect();
    for board in lockstep_flash::Board::ALL {
        let core = format!("rtl/top/{board}/board.core");
        let own = check(&core);
        let files: BTreeSet<&String> = own.iter().flat_map(|(.., files)| files).collect();
        let all = listed(&format!("rtl/top/{board}/files.f"), true);
        let missing: Vec<_> = (all.iter())
            .filter(|file| !files.contains(file) && !shared.contains(*file))
            .collect();
        assert!(missing.is_empty(), "{core} lacks {missing:?}");
        let text = read(&core);
        for part in [
            format!("name: lockstep:boards:{board}:"),
            format!("toplevel: {}", board.top()),
            "depend: [lockstep:lockstep:tetris]".into(),
        ] {
            assert!(text.contains(&part), "{core} has no {part}");
        }
    }
}

#[test]
fn modules_have_the_names_of_their_files() {
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
        // A stub replaces the module that it is named after.
        let expected = name
            .split_once("_stub")
            .map_or(&*name, |(module, _)| module);
        assert_eq!(declared, [expected], "{file}");
    }
}

/// The script of the bitstreams computes build id and layout hash by itself.
#[test]
fn bitstream_has_the_build_id_of_the_simulated_core() {
    // Bitstreams have the first core of a game.
    let designed = |v: &&sim::Variant| v.fault.is_none() && v.core.is_empty();
    for variant in sim::variants().iter().filter(designed) {
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

/// Another game's files do not change it, a file of the link does.
#[test]
fn build_id_depends_on_the_link_and_its_own_game() {
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
