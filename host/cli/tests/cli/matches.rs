//! Matches of two players.

use super::*;

/// A player against itself scores one half in each opening.
#[test]
fn match_of_equal_players_is_a_draw() {
    let place = Place::new();
    for game in ["gomoku", "connect4"] {
        let result = place.json(
            0,
            &format!("match --game {game} --depth 2 --opening 2 --games 20"),
        );
        let results = &result["match"];
        members(results, "/openings [0,0,10,0,0] | /score 0.5 | /elo 0.0");
        let (a, b) = (&results["a"], &results["b"]);
        assert_eq!((a, result["games"].as_u64()), (b, Some(20)), "{results}");
        assert_ne!(a["moving_first"], a["moving_second"], "{results}");
    }
}

/// Results follow from the record; an interrupted match continues it to the same results.
#[test]
fn match_resumes_to_the_same_results() {
    let place = Place::new();
    let play = "match --game gomoku --a engine --a software --a-controller lines:2 \
                --b-controller wujian:2 --games 6 --record {}/match";
    let report = place.ok(play);
    has(
        &report,
        "a (black): engine software, lines:2 | b (white): engine, wujian:2 | Elo of a above b",
    );
    let whole = place.text("match");
    let entries = &lines(&whole)[1..];
    let begins: Vec<&Value> = entries.iter().filter(|entry| entry["move"] == 1).collect();
    assert_eq!(begins.len(), 6);
    for pair in begins.chunks(2) {
        let swapped = pair[0]["board"].to_string();
        let swapped = swapped
            .replace('B', "x")
            .replace('W', "B")
            .replace('x', "W");
        assert_eq!(swapped, pair[1]["board"].to_string());
        assert_ne!(pair[0]["to_move"], pair[1]["to_move"]);
    }
    let result = |place: &Place| place.json(0, &format!("{play} --resume"))["match"].clone();
    let expected = result(&place);
    let won = |player: &str, mover: &str| expected[player][mover]["won"].as_u64();
    let [first, second] = ["moving_first", "moving_second"].map(|mover| won("a", mover));
    let wins = entries.iter().filter(|entry| entry["outcome"] == "black");
    assert_eq!(
        Some(wins.count() as u64),
        first.zip(second).map(|(a, b)| a + b)
    );
    let all: Vec<&str> = whole.split_inclusive('\n').collect();
    for kept in [1, 2, all.len() / 2, all.len() - 2] {
        place.put("match", all[..kept].concat());
        assert_eq!(result(&place), expected, "{kept}");
        assert_eq!(place.text("match"), whole, "{kept}");
    }
}

#[test]
fn match_wrong_use_is_refused() {
    Place::new().refuses(
        "
        match --game tetris => tetris: it has one player
        match --game gomoku --a-controller nosuch => nosuch
        match --game gomoku --a engine --a software --move-time 5 => --move-time
        match --game gomoku --a nosuch => nosuch
        match --game gomoku --seat black=lines => --seat
        ",
    );
}
