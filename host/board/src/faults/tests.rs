use super::*;

fn parsed(options: &[&str]) -> Result<LineFaults, FaultOptionError> {
    let options: Result<Vec<FaultOption>, _> = options.iter().map(|o| o.parse()).collect();
    LineFaults::of(&options?)
}

#[test]
fn faults_are_read_by_their_names() {
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
fn what_is_no_fault_is_named() {
    for (wrong, told) in [
        ("flop=1", "'flop=1' is none; there are flip=RATE"),
        ("flip", "'flip' is none"),
        ("", "clean-to=BAUD"),
        ("flip=2", "flip=2: expected a fraction"),
        ("flip=-0.1", "flip=-0.1: expected a fraction"),
        ("flip=NaN", "flip=NaN: expected a fraction"),
        ("hang-up=x", "hang-up=x: expected a fraction"),
        ("clean-to=0.1", "clean-to=0.1: expected a rate in baud"),
    ] {
        let error = parsed(&[wrong]).expect_err(wrong).to_string();
        assert!(error.contains(told), "{wrong}: {error}");
    }
    for twice in [["flip=0.1", "flip=0.1"], ["noise=0.1", "drop=0.1"]] {
        let error = parsed(&twice).expect_err("twice").to_string();
        assert!(error.contains("twice"), "{error}");
    }
}

/// All that passes one way, and what befell the board, cut as it comes.
fn pass(way: &mut Way, bytes: &[u8], cut: usize, rate: u32) -> (Vec<u8>, Vec<Blow>) {
    let (mut out, mut blows) = (Vec::new(), Vec::new());
    for mut rest in bytes.chunks(cut) {
        out.extend(way.release());
        while !rest.is_empty() {
            let (passed, blow) = way.pass(&mut rest, rate);
            out.extend(passed);
            blows.extend(blow);
        }
    }
    (out, blows)
}

/// However the bytes come in; the two ways and other seeds differ.
#[test]
fn a_seed_means_the_same_faults() {
    let options = ["noise=0.1", "hang-up=0.01", "reset=0.02", "rebuild=0.01"];
    let faults = parsed(&options).expect("faults");
    let bytes: Vec<u8> = (0..=255).cycle().take(2_000).collect();
    let passed = |seed, way: usize, cut| {
        let mut ways = Way::both(faults, seed);
        let passed = pass(&mut ways[way], &bytes, cut, 115_200);
        (passed, ways[way].struck())
    };
    let first = passed(1, 0, 2_000);
    assert_eq!(first, passed(1, 0, 7));
    assert_ne!(first, passed(1, 1, 2_000));
    assert_ne!(first, passed(2, 0, 2_000));
    let ((_, blows), struck) = first;
    let count = |kind| blows.iter().filter(|blow| **blow == kind).count() as u64;
    assert_eq!(count(Blow::HangUp), struck.bytes.hang_up);
    assert_eq!(
        (count(Blow::Reset), count(Blow::Rebuild)),
        (struck.reset, struck.rebuild)
    );
    let names: Vec<_> = struck.named().iter().map(|(name, _)| *name).collect();
    assert_eq!(
        names,
        [
            "flip", "drop", "double", "insert", "hang-up", "reset", "rebuild"
        ]
    );
}

#[test]
fn what_comes_after_a_stall_waits_to_be_released() {
    let mut ways = Way::both(parsed(&["stall=1"]).expect("faults"), 1);
    let way = &mut ways[0];
    let mut rest: &[u8] = &[1, 2, 3];
    let (passed, blow) = way.pass(&mut rest, 1);
    assert_eq!((&passed[..], blow), (&[1][..], Some(Blow::Stall)));
    assert!(rest.is_empty() && way.is_stalled());
    let (passed, blow) = way.pass(&mut &[4][..], 1);
    assert_eq!((&passed[..], blow), (&[][..], None));
    assert_eq!(&way.release()[..], &[2, 3, 4]);
    assert!(!way.is_stalled());
    assert_eq!(way.struck().bytes.stall, 1);
}

/// Above the rate that it is clean to, a tenth of the bytes has one bit turned,
/// and what else happens is the same.
#[test]
fn a_line_is_clean_up_to_its_rate() {
    let faults = parsed(&["clean-to=1000000"]).expect("faults");
    let bytes = [0x5a; 10_000];
    let mut ways = Way::both(faults, 1);
    let (out, blows) = pass(&mut ways[0], &bytes, 100, 1_000_000);
    assert_eq!((&out[..], &blows[..]), (&bytes[..], &[][..]));
    let (out, blows) = pass(&mut ways[0], &bytes, 100, 1_000_001);
    let flipped = out.iter().filter(|byte| **byte != 0x5a).count();
    assert!((900..1_100).contains(&flipped), "{flipped}");
    assert!(out.iter().all(|byte| (byte ^ 0x5a).count_ones() <= 1));
    assert!(blows.is_empty());
    assert_eq!(struck(&ways).dirty, flipped as u64);
    let (out, _) = pass(&mut ways[1], &bytes, 100, 1_000_001);
    let back = out.iter().filter(|byte| **byte != 0x5a).count();
    assert_eq!(struck(&ways).dirty, (flipped + back) as u64);
}
