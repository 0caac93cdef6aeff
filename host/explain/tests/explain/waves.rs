//! The waveform of a case on a simulated core, and the save files beside it.

use std::fs;
use std::path::Path;

use lockstep::backend::simulated::bytes;
use lockstep::backend::software::golden;
use lockstep::{BackendRegistry, Stop};
use lockstep_explain::waves::{Signal, Signals, WaveTarget, Waveform, waveform};
use lockstep_explain::{Case, ExplainError};
use lockstep_games::tetris::Tetris;

use crate::block_on;
use crate::positions::{controller, positions};

const SIGNALS: Signals = Signals {
    groups: &[
        (
            "One of each",
            &[
                Signal::hex(
                    "u_tetris_reader.gen_serial.u_tetris_ai.rsp_valid_o",
                    "valid",
                ),
                Signal::hex("byte_data_i", "byte"),
                Signal::binary(
                    "u_tetris_reader.gen_serial.u_tetris_ai.board_q.board_q[0]",
                    "row 0",
                ),
                Signal::decimal("u_tetris_reader.gen_serial.u_tetris_ai.cycles_q", "cycles"),
                Signal::signed("u_tetris_reader.gen_serial.u_tetris_ai.score", "score"),
            ],
        ),
        ("None", &[Signal::hex("no.such.signal", "x")]),
    ],
    candidates: &[
        (
            &["holes"],
            "u_tetris_reader.gen_serial.u_tetris_ai.features_valid",
        ),
        (&[], "u_tetris_reader.gen_serial.u_tetris_ai.score_valid"),
    ],
    begins: "u_tetris_reader.gen_serial.u_tetris_ai.start",
    answers: "u_tetris_reader.gen_serial.u_tetris_ai.rsp_valid_o",
    clock: "clk_i",
};

fn written(
    backend: &str,
    count: u64,
    together: bool,
    target: Option<(usize, &'static str)>,
    folder: &Path,
) -> Result<Waveform, ExplainError> {
    let registry = BackendRegistry::<Tetris>::new()
        .with(golden())
        .with(bytes());
    let spec = registry.parse(backend).expect("a name");
    let case = Case::<Tetris> {
        controller: controller("dt-20"),
        positions: positions(count),
        together,
    };
    let target = target.map(|(candidate, field)| WaveTarget { candidate, field });
    let (file, stop) = (folder.join("waves.fst"), Stop::never());
    let written = waveform(&spec, &case, target, &SIGNALS, &file, &stop);
    block_on(written)
}

/// The marker of the last position: its candidates one after the other, then the answer.
#[test]
fn waveform_marker_is_at_target_or_answer() {
    let folder = tempfile::tempdir().expect("a folder");
    let marker = |count, target| {
        let written = written("sim", count, false, target, folder.path());
        written.expect("a waveform").marker
    };
    let before = marker(1, None).expect("an answer");
    let targets = [(0, "holes"), (0, "score"), (1, "holes"), (1, "score")];
    let times = targets.map(|target| marker(2, Some(target)).expect("a candidate"));
    let answer = marker(2, None).expect("an answer");
    let [holes, score, next_holes, next_score] = times;
    assert!(
        before < holes && holes < score && next_score < answer,
        "{before}, {times:?}, {answer}"
    );
    // The second candidate comes as long after the first as its score.
    assert_eq!(next_holes - holes, next_score - score);
    assert!(
        times
            .iter()
            .chain([&answer])
            .all(|time| time % 10 == before % 10),
        "{times:?}"
    );
    assert_eq!(marker(2, Some((34, "score"))), None, "there are at most 34");
}

/// The lines of both files behind the marker's.
const SHOWN: [&str; 2] = [
    "[sst_expanded] 0\n@200\n-One of each\n\
     @28\n+{valid} TOP.u_tetris_reader.gen_serial.u_tetris_ai.rsp_valid_o\n\
     @22\n+{byte} TOP.byte_data_i[7:0]\n\
     @28\n+{row 0} TOP.u_tetris_reader.gen_serial.u_tetris_ai.board_q.board_q[0][9:0]\n\
     @24\n+{cycles} TOP.u_tetris_reader.gen_serial.u_tetris_ai.cycles_q[31:0]\n\
     @420\n+{score} TOP.u_tetris_reader.gen_serial.u_tetris_ai.score[47:0]\n",
    "divider_add One of each\n\
     variable_add TOP.u_tetris_reader.gen_serial.u_tetris_ai.rsp_valid_o\n\
     variable_add TOP.byte_data_i\n\
     variable_add TOP.u_tetris_reader.gen_serial.u_tetris_ai.board_q.board_q[0]\n\
     variable_add TOP.u_tetris_reader.gen_serial.u_tetris_ai.cycles_q\n\
     variable_add TOP.u_tetris_reader.gen_serial.u_tetris_ai.score\nzoom_fit\n",
];

#[test]
fn save_files_show_signals_and_marker() {
    let folder = tempfile::tempdir().expect("a folder");
    for candidate in [1, 99] {
        let target = Some((candidate, "holes"));
        let written = written("sim", 2, false, target, folder.path()).expect("a waveform");
        assert_eq!(written.file, folder.path().join("waves.fst"));
        let texts = [&written.gtkwave, &written.surfer].map(fs::read_to_string);
        let [gtkwave, surfer] = texts.map(|text| text.expect("a file"));
        let [lines, commands] = SHOWN.map(|text| text.replace("TOP", "cosim_tetris.cosim_tetris"));
        let others = " -1".repeat(26);
        // Eight hundred nanoseconds around the marker, or all of it, on a thousand pixels.
        let (start, zoom, marked, cursor) = match written.marker {
            Some(at) => {
                let cursor = format!("cursor_set {at}\ngoto_cursor\n");
                (
                    (at - 600).to_string(),
                    -160f64.log2(),
                    at.to_string(),
                    cursor,
                )
            }
            None => {
                let start = gtkwave
                    .lines()
                    .nth(1)
                    .and_then(|line| line.split(' ').nth(1));
                let start = start.expect("a time").to_owned();
                let zoom = gtkwave
                    .lines()
                    .nth(3)
                    .and_then(|line| line.split(['*', ' ']).nth(1));
                let zoom: f64 = zoom.expect("a zoom").parse().expect("a number");
                assert!(start != "0" && (-13.0..-9.0).contains(&zoom), "{gtkwave}");
                (start, zoom, "-1".into(), String::new())
            }
        };
        let head = "[dumpfile] \"waves.fst\"\n[timestart]";
        let view = format!("{start}\n[size] 1600 1000\n*{zoom:.6} {marked}{others}");
        assert_eq!(gtkwave, format!("{head} {view}\n{lines}"));
        assert_eq!(surfer, commands + &cursor);
    }
}

/// The last positions of a case, or all that were requested at once.
#[test]
fn waveform_has_the_last_positions_of_a_case() {
    let folder = tempfile::tempdir().expect("a folder");
    for (count, together, seen) in [(7, false, 7), (8, false, 8), (10, false, 8), (10, true, 10)] {
        let written = written("sim", count, together, None, folder.path());
        assert_eq!(written.expect("a waveform").positions, seen);
    }
    // Each position is run once, also those before the waveform.
    let [eight, nine] = [8, 9].map(|count| {
        let written = written("sim", count, false, None, folder.path());
        written.expect("a waveform").marker.expect("an answer")
    });
    assert!(nine < eight * 5 / 4, "{eight}, {nine}");
    let error = written("software", 1, false, None, folder.path()).expect_err("no model");
    assert!(matches!(error, ExplainError::Backend(_)), "{error}");
    assert!(error.to_string().contains("it is not simulated"), "{error}");
}
