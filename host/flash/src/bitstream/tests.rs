use proptest::prelude::*;

use super::*;

fn hash() -> u32 {
    layout::GAMES[0].layout_hash()
}

/// A small ECP5 bitstream with this comment and USERCODE.
fn lattice(comment: &str, usercode: u32) -> Vec<u8> {
    let mut bytes = vec![0xff, 0];
    for comment in [comment, "Part: LFE5U-85F-6CABGA381"] {
        bytes.extend(comment.bytes());
        bytes.push(0);
    }
    bytes.extend([0xff, 0xff, 0xff, 0xbd, 0xb3, 0xff, 0xff, 0xff, 0xff]);
    bytes.extend([0x3b, 0, 0, 0, 0xe2, 0, 0, 0, 0x41, 0x11, 0x30, 0x43]);
    bytes.extend([7; 100]);
    bytes.extend([0xc2, 0x80, 0, 0]);
    bytes.extend(usercode.to_be_bytes());
    bytes.extend([1, 2, 0x5e, 0, 0, 0, 0xff, 0xff, 0xff, 0xff]);
    bytes
}

/// A small GW2A bitstream with this comment.
fn gowin(comment: &str) -> Vec<u8> {
    let command = |bits: u64, length: usize| format!("{bits:0length$b}\n");
    let frames = "1".repeat(88) + "\n" + &"0".repeat(88) + "\n";
    let footer = command(0x0a << 56 | 0x970d, 64) + &command(0x08 << 24, 32);
    let text = format!("//{comment}\n{}\n", "1".repeat(160))
        + "1010010111000011\n"
        + &command(0x06 << 56 | 0x81b, 64)
        + &command(0x3b80_0002, 32)
        + &frames
        + &footer;
    text.into_bytes()
}

fn comment() -> String {
    format!(
        "lockstep board=ulx3s game=tetris build=0123abcd layout={:08x}",
        hash()
    )
}

fn tang() -> String {
    comment().replace("ulx3s", "tang-nano-20k")
}

/// A small Artix-7 bitstream with these header fields, which writes `usr_access` if it is given.
fn xilinx(design: &str, part: &str, usr_access: Option<u32>) -> Vec<u8> {
    let mut words: Vec<u32> = vec![u32::MAX, 0xaa99_5566, 0x2000_0000];
    // Frames: a type 1 packet without words, then one of type 2.
    words.extend([0x3000_4000, 0x5000_0003, 1, 2, 3]);
    words.extend(usr_access.iter().flat_map(|value| [0x3001_a001, *value]));
    words.extend([0x3000_8001, 0x0000_000d, 0x2000_0000]);
    let mut bytes = vec![
        0, 9, 0x0f, 0xf0, 0x0f, 0xf0, 0x0f, 0xf0, 0x0f, 0xf0, 0, 0, 1,
    ];
    for (key, value) in [
        (b'a', design),
        (b'b', part),
        (b'c', "2026/01/01"),
        (b'd', "00:00:00"),
    ] {
        bytes.push(key);
        bytes.extend((value.len() as u16 + 1).to_be_bytes());
        bytes.extend(value.bytes().chain([0]));
    }
    bytes.push(b'e');
    bytes.extend((4 * words.len() as u32).to_be_bytes());
    bytes.extend(words.iter().flat_map(|word| word.to_be_bytes()));
    bytes
}

const DESIGN: &str = "lockstep_nexys4;COMPRESS=TRUE;UserID=0X0123ABCD;Version=2024.1";
const PART: &str = "7a100tcsg324";

#[test]
fn bitstream_of_each_kind_is_identified() {
    let expected = |board| Bitstream {
        board: Board::named(board).expect("a board"),
        build_id: 0x0123_abcd,
        layout_hash: hash(),
    };
    let parsed = Bitstream::parse(&lattice(&comment(), 0x0123_abcd));
    assert_eq!(parsed, Ok(expected("ulx3s")));
    let parsed = Bitstream::parse(&xilinx(DESIGN, PART, Some(hash())));
    assert_eq!(parsed, Ok(expected("nexys4")));
    let parsed = Bitstream::parse(&gowin(&tang()));
    assert_eq!(parsed, Ok(expected("tang-nano-20k")));
    assert_eq!(
        expected("nexys4").game().map(|game| game.name),
        Some("tetris")
    );
}

fn error(bytes: &[u8]) -> String {
    Bitstream::parse(bytes).expect_err("refused")
}

/// Text in the comment, design or part of a bitstream, its replacement, and the error.
const MISTAKEN: &str = "
    board=ulx3s         |          | it has no board,
    ulx3s               | ice40    | expected a bitstream for arty-a7-35t, nexys4, tang-nano-20k or ulx3s, got one for ice40
    0123abcd            | 123abcd  | it has no build id,
    0123abcd            | +123abcd | it has no build id,
    layout=             | l=       | it has no layout hash,
    0123abcd            | 0123abce | its comment has build 0123abce, but
    ulx3s               | nexys4   | expected a bitstream for the XC7A100T of the nexys4, got
    UserID=0X0123ABCD;  |          | it has no build id (USERID)
    0123ABCD            | FFFFFFFF | it has no build id (USERID)
    lockstep_nexys4     | blinky   | it has no board,
    7a100tcsg324        | 7a35t    | expected a bitstream for the XC7A100T
";

#[test]
fn bitstream_without_identity_is_refused() {
    for row in MISTAKEN.trim().lines() {
        let cells: Vec<_> = row.split('|').map(str::trim).collect();
        let changed = |text: &str| text.replace(cells[0], cells[1]);
        let bytes = match comment().contains(cells[0]) {
            true => lattice(&changed(&comment()), 0x0123_abcd),
            false => xilinx(&changed(DESIGN), &changed(PART), Some(hash())),
        };
        let error = error(&bytes);
        assert!(error.starts_with(cells[2]), "{error}, expected {row}");
    }
    for other in [
        error(&lattice("Lattice Diamond", 1)),
        error(&gowin("Gowin")),
    ] {
        assert!(other.starts_with("it has no build id,"), "{other}");
    }
    let other = error(&gowin(&comment()));
    assert!(
        other
            .starts_with("expected a bitstream for the LFE5U-85F of the ulx3s, got one for a GW2A"),
        "{other}"
    );
    let without = error(&xilinx(DESIGN, PART, None));
    let why = "it has no layout hash (USR_ACCESS)";
    assert!(without.starts_with(why), "{without}");
}

#[test]
fn bitstream_with_unknown_layout_is_refused() {
    let other = hash() ^ 1;
    let text = comment().replace(&format!("{:08x}", hash()), &format!("{other:08x}"));
    for bytes in [
        lattice(&text, 0x0123_abcd),
        xilinx(DESIGN, PART, Some(other)),
    ] {
        let layout = format!("its core (build 0123abcd) has layout {other:08x}, expected ");
        let error = error(&bytes);
        assert!(error.starts_with(&layout), "{error}");
    }
}

/// Every proper prefix of a bitstream, and one with another FPGA's IDCODE.
#[test]
fn bitstream_truncated_or_for_other_fpga_is_refused() {
    assert!(error(&[]).starts_with("it is empty"));
    assert!(error(b"PK\x03\x04").starts_with("it is not a .bit file"));
    let whole = [
        lattice(&comment(), 0x0123_abcd),
        xilinx(DESIGN, PART, Some(hash())),
        gowin(&tang()),
    ];
    // The padding at the end of an ECP5's bitstream may be missing, of a GW2A's the line's end.
    for (whole, filler) in whole.iter().zip([4, 0, 1]) {
        for length in 0..whole.len() - filler {
            assert!(
                Bitstream::parse(&whole[..length]).is_err(),
                "{length} bytes"
            );
        }
    }
    let other = String::from_utf8_lossy(&whole[2]).replace("100000011011", "100000011010");
    assert!(error(other.as_bytes()).ends_with("got one for a GW2A with IDCODE 0000081a"));
    let mut other = whole[0].clone();
    let at = other.windows(4).position(|w| w == [0x41, 0x11, 0x30, 0x43]);
    other[at.expect("its IDCODE")] = 0x21;
    assert!(error(&other).ends_with("got one for an ECP5 with IDCODE 21113043"));
}

proptest! {
    /// Random bytes after a header, and random changes.
    #[test]
    fn parse_of_any_bytes_does_not_panic(
        which in 0..4,
        bytes in proptest::collection::vec(any::<u8>(), 0..300),
        changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..8),
    ) {
        let mut whole = match which {
            0 => lattice(&comment(), 0x0123_abcd),
            1 => xilinx(DESIGN, PART, Some(hash())),
            2 => gowin(&tang()),
            _ => vec![0, 9, 0x0f, 0xf0, 0x0f, 0xf0, 0x0f, 0xf0, 0x0f, 0xf0, 0, 0, 1],
        };
        whole.extend(bytes);
        for (at, byte) in changes {
            let at = at.index(whole.len());
            whole[at] = byte;
        }
        let _ = Bitstream::parse(&whole);
    }
}

#[test]
fn read_refuses_long_missing_and_special_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("long.bit");
    let file = File::create(&path).expect("a file");
    file.set_len(LONGEST + 1).expect("it is sparse");
    let missing = folder.path().join("missing.bit");
    for (path, why) in [
        (path.as_path(), "long.bit: expected at most 32 MiB"),
        (folder.path(), ": it is not a file"),
        (&missing, "there is no such file; `make bitstream` makes"),
    ] {
        let error = Bitstream::read(path).expect_err("refused").to_string();
        assert!(error.contains(why), "{error}");
    }
    std::fs::write(&path, lattice(&comment(), 0x0123_abcd)).expect("written");
    assert_eq!(
        Bitstream::read(&path).expect("it is one").build_id,
        0x0123_abcd
    );
}
