//! Positions with the answers of other programs (`fixtures/gomoku/README.md`); the repository's
//! tests of engine and core also use this file.

use lockstep_games::gomoku::{Board, Controller, Lines, Profile, White};
use serde::Deserialize;

/// A position with its answers.
#[derive(Deserialize)]
struct Vector {
    own: [u16; 15],
    opp: [u16; 15],
    attack: Option<[i16; 7]>,
    defend: Option<[i16; 7]>,
    key: Option<[u8; 7]>,
    width: Option<u8>,
    extend: Option<u8>,
    answers: Vec<Expected>,
}

#[derive(Deserialize)]
struct Expected {
    depth: u64,
    #[serde(rename = "move")]
    place: Option<[usize; 2]>,
    value: i32,
    nodes: u64,
}

/// An answer of another program; White is to move.
pub struct Case {
    /// Profile, line of the file and depth.
    pub name: String,
    pub board: Board,
    pub controller: Controller,
    pub point: Option<usize>,
    pub value: i32,
    pub nodes: u64,
}

/// The answers for a profile, `lines` or `wujian`.
pub fn cases(profile: &str) -> impl Iterator<Item = Case> {
    let text = match profile {
        "lines" => include_str!("../../../../../fixtures/gomoku/lines.jsonl"),
        _ => include_str!("../../../../../fixtures/gomoku/wujian.jsonl"),
    };
    let preset = Controller::load(profile).expect("a built-in controller");
    let lines = text.lines().zip(1..);
    lines.flat_map(move |(line, number)| {
        let vector: Vector = serde_json::from_str(line).expect("a vector");
        let mut controller = preset.clone();
        if let Profile::Lines(lines) = &mut controller.profile {
            *lines = Lines {
                width: vector.width.unwrap_or(lines.width),
                extend: vector.extend.map_or(lines.extend, |extend| extend == 1),
                attack: vector.attack.unwrap_or(lines.attack),
                defend: vector.defend.unwrap_or(lines.defend),
                key: vector.key.unwrap_or(lines.key),
            };
        }
        let board = Board::from_rows(White, vector.own, vector.opp).expect("a board");
        vector.answers.into_iter().map(move |answer| Case {
            name: format!("line {number}, depth {}", answer.depth),
            board,
            controller: controller
                .clone()
                .with_depth(answer.depth)
                .expect("a depth"),
            point: answer.place.map(|[x, y]| 15 * y + x),
            value: answer.value,
            nodes: answer.nodes,
        })
    })
}
