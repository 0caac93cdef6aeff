//! Gomoku with the commands that Connect Four has: two profiles, nodes that are compared.

use super::*;

/// Golden model, engine and core agree in both profiles; later commands read the game from the
/// record.
#[test]
fn gomoku_software_engine_and_core_agree() {
    let place = Place::new();
    let both = "--backend software --backend engine";
    // A replay at the pins takes seconds, and is the same for both controllers.
    for (name, controller, core) in [("lines", "lines:3", PINS), ("wujian", "wujian:2", "sim")] {
        let play = format!("play --game gomoku --controller {controller} {both} --backend sim");
        let output =
            format!("--games 2 --max-moves 12 --record {{}}/{name} --json {{}}/summary --force");
        place.ok(&format!("{play} {output}"));
        let summary = json(&place.text("summary"));
        assert_eq!(summary["agreed"], summary["decisions"], "{summary}");
        assert_ne!(summary["decisions"], 0, "{summary}");
        let head = &lines(&place.text(name))[0];
        // Connect Four has another default.
        assert_eq!(head["setup"]["opening"], 3, "{head}");
        let again = place.json(
            0,
            &format!("replay {{}}/{name} --backend engine:threads=1 --backend {core}"),
        );
        assert_eq!(again["agreed"], summary["agreed"]);
        place.shows(&format!(
            "
            0 record verify {{}}/{name} => all by the rules
            0 record show {{}}/{name} => black plays x | software: x | nodes
            0 explain {{}}/{name} {both} =>
            "
        ));
    }
}

#[test]
fn gomoku_wrong_use_is_refused() {
    let place = Place::new();
    place.put(
        "extra",
        r#"{"name":"a","source":"b","profile":"wujian","depth":2,"width":3}"#,
    );
    place.refuses(
        "
        play --backend red=engine --game gomoku => 'red' | black or white
        play --depth 25 --game gomoku => 25
        play --controller wujian:25 --game gomoku => wujian:25 | 1 to 24
        play --opening 50 --game gomoku => 50
        play --controller {}/extra --game gomoku => belong to the profile lines
        play --controller line --game gomoku => did you mean 'lines'
        play --backend engine:threads=0 --game gomoku => threads is '0', expected 1 to 64
        play --backend engine:path=sse --game gomoku => unknown path 'sse'
        signature --game gomoku => tetris only; gomoku: | move by move
    ",
    );
}
