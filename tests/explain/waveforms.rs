//! Waveforms of cases, read back.

use std::collections::HashSet;
use std::path::Path;

use lockstep_backends::signals::TETRIS;
use lockstep_explain::Case;
use lockstep_explain::waves::{WaveTarget, Waveform, waveform};
use lockstep_games::tetris::Tetris;

use super::waves::Waves;
use super::{Pair, fixture};
use crate::support::{block_on, controller, positions};

const AI: &str = "cosim_tetris.cosim_tetris.u_tetris_reader.gen_serial.u_tetris_ai.";

impl Waves {
    /// The value of a signal just before a time.
    fn before(&self, path: &str, time: u64) -> u64 {
        let handle = self.paths.get(path);
        let handle = handle.unwrap_or_else(|| panic!("there is no {path}"));
        let changes = self.changes[handle].iter();
        let value = changes.take_while(|(at, _)| *at < time).last();
        let value = &value
            .unwrap_or_else(|| panic!("{path} has no value at {time}"))
            .1;
        u64::from_str_radix(value, 2).unwrap_or_else(|e| panic!("{path} is {value}: {e}"))
    }
}

fn written(
    pair: &Pair,
    case: &Case<Tetris>,
    target: Option<WaveTarget>,
    folder: &Path,
) -> Waveform {
    let file = folder.join("waves.fst");
    let written = waveform(&pair.specs[1], case, target, &TETRIS, &file, &pair.stop);
    block_on(written).unwrap_or_else(|e| panic!("{e}"))
}

/// At the marker the waveform has the wrong value that the trace reports.
#[test]
fn waveform_marker_is_at_the_wrong_feature() {
    let file = fixture("well-at-wall");
    let (pair, case) = (Pair::new(file.backend.raw()), file.case);
    let explanation = pair.explain(&case);
    let target = explanation.verdict.wave_target();
    let WaveTarget { candidate, field } = target.expect("a candidate differs");
    let folder = tempfile::tempdir().expect("a folder");
    let marked = |field| {
        let target = WaveTarget { candidate, field };
        let written = written(&pair, &case, Some(target), folder.path());
        let marker = written.marker.expect("it comes out");
        (Waves::open(&written.file), marker)
    };
    let trace = explanation.got.trace.expect("a trace");
    let place = trace.candidates[candidate];
    let (waves, marker) = marked(field);
    let at = |signal: &str| waves.before(&format!("{AI}{signal}"), marker);
    assert_eq!(at("features_valid"), 1);
    assert_eq!(at("evaluated.candidate.number[5:0]"), candidate as u64);
    let features = place.evaluated.expect("it is legal").features;
    assert_eq!(field, "cumulative_wells");
    assert_eq!(
        at("features.features[6][11:0]"),
        features.cumulative_wells as u64
    );
    let (waves, marker) = marked("score");
    let at = |signal: &str| waves.before(&format!("{AI}{signal}"), marker);
    assert_eq!(at("score_valid"), 1);
    assert_eq!(at("scored.candidate.number[5:0]"), candidate as u64);
    assert_eq!(at("scored.candidate.rotation[1:0]"), place.rotation as u64);
    assert_eq!(at("scored.candidate.column[3:0]"), place.column as u64);
    let score = place.evaluated.expect("it is legal").score;
    assert_eq!(at("score[47:0]"), score.0 as u64 & ((1 << 48) - 1));
    let end = u64::MAX;
    let placement = explanation.got.outcome.answer().and_then(|a| a.decision);
    let placement = placement.expect("it is legal");
    let column = waves.before(&format!("{AI}rsp_o.column[3:0]"), end);
    assert_eq!(column, placement.column as u64);
}

#[test]
fn waveform_has_the_last_positions_of_a_case() {
    let pair = Pair::new("sim");
    let folder = tempfile::tempdir().expect("a folder");
    for (count, seen) in [(2, 2), (12, 8)] {
        let case = Case {
            controller: controller("dt-20"),
            positions: positions(count),
            together: false,
        };
        let written = written(&pair, &case, None, folder.path());
        assert_eq!(written.positions, seen);
        let waves = Waves::open(&written.file);
        // Without a target the marker is at the last answer.
        let marker = written.marker.expect("an answer");
        assert_eq!(waves.before(&format!("{AI}rsp_valid_o"), marker), 1);
        let answers = &waves.changes[&waves.paths[&format!("{AI}rsp_valid_o")]];
        let offered = answers.iter().rfind(|(_, value)| value == "1");
        assert!(offered.is_some_and(|(at, _)| *at < marker), "{marker}");
        let start = &waves.changes[&waves.paths[&format!("{AI}start")]];
        let starts = start.iter().filter(|(_, value)| value == "1").count();
        assert_eq!(starts, seen, "{count} positions");
    }
}

/// The path of a signal without the bits of a vector.
fn without_bits(path: &str) -> &str {
    let split = path.rsplit_once('[');
    split.map_or(
        path,
        |(signal, bits)| if bits.contains(':') { signal } else { path },
    )
}

/// A signal that a core lacks would be missing from the save files.
#[test]
fn signals_of_each_game_are_in_its_model() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("waves.fst");
    for core in sim::variants().iter().filter(|v| v.fault.is_none()) {
        let (game, top) = (core.game, core.top);
        let mut listed = lockstep_backends::signals::CORES.iter();
        let listed = listed.find(|(g, name, _)| (*g, *name) == (game, core.core));
        let (.., signals) = listed.unwrap_or_else(|| panic!("{game} names no signals"));
        let start = sim::Start {
            waves: true,
            ..sim::Start::of(core)
        };
        let mut model = sim::Model::started(core, start).expect("a model");
        model.waves(&file).expect("a file");
        model.run(&sim::Inputs::default(), 4).expect("it runs");
        model.end_waves().expect("it was begun");
        let waves = Waves::open(&file);
        let there: HashSet<&str> = waves.paths.keys().map(|path| without_bits(path)).collect();
        let is_missing = |path: &&str| !there.contains(&*format!("{top}.{top}.{path}"));
        let missing: Vec<_> = signals.paths().filter(is_missing).collect();
        assert!(
            missing.is_empty(),
            "{game} {}: {top} has no {missing:?}",
            core.core
        );
    }
}
