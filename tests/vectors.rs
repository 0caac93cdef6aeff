//! The RTL against positions of an independent program, whose placements the golden model chooses.

use lockstep_games::tetris::Position;

use crate::support::{block_on, controller, read, session};

#[test]
fn rtl_agrees_on_the_vectors() {
    let vectors = read("fixtures/tetris/placements.jsonl");
    let parse = |line| serde_json::from_str::<Position>(line).expect("a vector");
    let positions: Vec<Position> = vectors.lines().map(parse).collect();
    for name in ["dellacherie", "bcts", "dt-10", "dt-20"] {
        let controller = controller(name);
        let rows = block_on(async {
            let mut session = session(&["software", "sim", "sim:core=lanes"], &controller).await;
            session.ask(&positions).await.expect("answers")
        });
        for (position, answers) in positions.iter().zip(&rows) {
            assert_eq!(answers.mismatches(), [], "{name}: {position:?}");
        }
    }
}
