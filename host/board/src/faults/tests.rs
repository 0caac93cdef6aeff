use super::*;

fn parsed(options: &[&str]) -> Result<LineFaults, String> {
    let options: Result<Vec<FaultOption>, _> = options.iter().map(|o| o.parse()).collect();
    LineFaults::of(&options?)
}

#[test]
fn faults_parse_by_name() {
    let all = [
        "flip=0.1",
        "drop=2e-1",
        "double=1",
        "insert=0",
        "stall=0.5",
        "hang-up=0.25",
        "reset=.125",
        "rebuild=1e-9",
        "clean-to=115200",
    ];
    let faults = parsed(&all).expect("faults");
    let expected = LineFaults {
        bytes: Faults {
            flip: 0.1,
            drop: 0.2,
            double: 1.0,
            insert: 0.0,
            stall: 0.5,
            hang_up: 0.25,
        },
        reset: 0.125,
        rebuild: 1e-9,
        clean_to: Some(115_200),
    };
    assert_eq!(faults, expected);
    let noise = parsed(&["noise=0.1"]).expect("noise").bytes;
    assert_eq!(noise, Faults::noise(0.025));
    assert!(parsed(&[]).expect("none").is_none());
}

#[test]
fn faults_refuse_unknown_kind_value_and_repetition() {
    for (wrong, expected) in [
        ("flop=1", "expected one of flip=RATE, "),
        ("flip", ", got 'flip'"),
        ("", "clean-to=BAUD"),
        ("flip=2", "flip=2: expected a probability"),
        ("flip=-0.1", "flip=-0.1: expected a probability"),
        ("flip=NaN", "flip=NaN: expected a probability"),
        ("hang-up=x", "hang-up=x: expected a probability"),
        ("clean-to=0.1", "clean-to=0.1: expected a rate in baud"),
    ] {
        let error = parsed(&[wrong]).expect_err(wrong);
        assert!(error.contains(expected), "{wrong}: {error}");
    }
    for twice in [["flip=0.1", "flip=0.1"], ["noise=0.1", "drop=0.1"]] {
        let error = parsed(&twice).expect_err("twice");
        assert!(error.contains("twice"), "{error}");
    }
}

/// Passes `bytes` in one direction, `cut` at a time; returns the passed bytes and the board's
/// faults.
fn pass(
    direction: &mut Direction,
    bytes: &[u8],
    cut: usize,
    rate: u32,
) -> (Vec<u8>, Vec<BoardFault>) {
    let (mut out, mut board_faults) = (Vec::new(), Vec::new());
    for mut rest in bytes.chunks(cut) {
        out.extend(direction.release());
        while !rest.is_empty() {
            let (passed, board_fault) = direction.pass(&mut rest, rate);
            out.extend(passed);
            board_faults.extend(board_fault);
        }
    }
    (out, board_faults)
}

/// Independent of how the bytes are divided; directions and seeds differ.
#[test]
fn direction_same_seed_has_same_faults() {
    let options = ["noise=0.1", "hang-up=0.01", "reset=0.02", "rebuild=0.01"];
    let faults = parsed(&options).expect("faults");
    let bytes: Vec<u8> = (0..=255).cycle().take(2_000).collect();
    let passed = |seed, direction: usize, cut| {
        let mut directions = Direction::both(faults, seed);
        let passed = pass(&mut directions[direction], &bytes, cut, 115_200);
        (passed, directions[direction].counts())
    };
    let first = passed(1, 0, 2_000);
    assert_eq!(first, passed(1, 0, 7));
    assert_ne!(first, passed(1, 1, 2_000));
    assert_ne!(first, passed(2, 0, 2_000));
    let ((_, board_faults), counts) = first;
    let count = |kind| {
        board_faults
            .iter()
            .filter(|board_fault| **board_fault == kind)
            .count() as u64
    };
    assert_eq!(count(BoardFault::HangUp), counts.bytes.hang_up);
    assert_eq!(
        (count(BoardFault::Reset), count(BoardFault::Rebuild)),
        (counts.reset, counts.rebuild)
    );
    let names: Vec<_> = counts.named().iter().map(|(name, _)| *name).collect();
    assert_eq!(
        names,
        [
            "flip", "drop", "double", "insert", "hang-up", "reset", "rebuild"
        ]
    );
}

#[test]
fn direction_stalled_holds_bytes_until_released() {
    let mut directions = Direction::both(parsed(&["stall=1"]).expect("faults"), 1);
    let direction = &mut directions[0];
    let mut rest: &[u8] = &[1, 2, 3];
    let (passed, board_fault) = direction.pass(&mut rest, 1);
    assert_eq!((&passed[..], board_fault), (&[1][..], None));
    assert!(rest.is_empty() && direction.is_stalled());
    let (passed, board_fault) = direction.pass(&mut &[4][..], 1);
    assert_eq!((&passed[..], board_fault), (&[][..], None));
    assert_eq!(&direction.release()[..], &[2, 3, 4]);
    assert!(!direction.is_stalled());
    assert_eq!(direction.counts().bytes.stall, 1);
}

#[test]
fn direction_above_clean_rate_flips_tenth_of_bytes() {
    let faults = parsed(&["clean-to=1000000"]).expect("faults");
    let bytes = [0x5a; 10_000];
    let mut directions = Direction::both(faults, 1);
    let (out, board_faults) = pass(&mut directions[0], &bytes, 100, 1_000_000);
    assert_eq!((&out[..], &board_faults[..]), (&bytes[..], &[][..]));
    let (out, board_faults) = pass(&mut directions[0], &bytes, 100, 1_000_001);
    let flipped = out.iter().filter(|byte| **byte != 0x5a).count();
    assert!((900..1_100).contains(&flipped), "{flipped}");
    assert!(out.iter().all(|byte| (byte ^ 0x5a).count_ones() <= 1));
    assert!(board_faults.is_empty());
    assert_eq!(fault_counts(&directions).dirty, flipped as u64);
    let (out, _) = pass(&mut directions[1], &bytes, 100, 1_000_001);
    let back = out.iter().filter(|byte| **byte != 0x5a).count();
    assert_eq!(fault_counts(&directions).dirty, (flipped + back) as u64);
}
