//! The generated files are those that the tables give.

use lockstep_protocol::svgen::packages;

/// A text file of the repository.
fn read(path: &str) -> String {
    let path = format!("{}/../{path}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"))
}

#[test]
fn generated_packages_are_fresh() {
    for (stem, text) in packages() {
        let name = format!("rtl/{stem}_proto_pkg.sv");
        assert!(read(&name) == text, "{name} is stale: run `make generate`");
    }
}

#[test]
fn wire_document_is_fresh() {
    let document = read("docs/wire.md");
    let text = lockstep_protocol::docgen::document(&document).unwrap_or_else(|e| panic!("{e}"));
    assert!(
        document == text,
        "docs/wire.md is stale: run `make generate`"
    );
    // It has every description of the tables.
    for game in lockstep_protocol::layout::GAMES {
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
