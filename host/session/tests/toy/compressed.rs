//! Records in zstd frames.

use std::fs;
use std::path::Path;

use lockstep::record::{Ending, Form, RecordErrorKind, Writer};

use crate::records::{count, folder, lines, open, read, short_record};

/// The lines in zstd frames of `each` lines.
pub fn frames(lines: &[String], each: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut writer = Writer::new(&mut bytes, Form::Zstd).expect("memory");
    for frame in lines.chunks(each) {
        for line in frame {
            writer.text(line.as_bytes()).expect("written");
        }
        writer.write().expect("written");
    }
    drop(writer);
    bytes
}

pub fn text(path: &Path) -> String {
    let bytes = fs::read(path).expect("a file");
    let bytes = match bytes.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]) {
        true => zstd::decode_all(&bytes[..]).expect("whole frames"),
        false => bytes,
    };
    String::from_utf8(bytes).expect("text")
}

/// Frames of one line, of some, and of all as other programs make them.
#[test]
fn record_zst_cut_at_any_byte_gives_its_whole_lines() {
    let folder = folder();
    let path = folder.path().join("a.jsonl");
    short_record(&path);
    let lines = lines(&path);
    let cut = folder.path().join("cut.jsonl.zst");
    for each in [2, usize::MAX] {
        let whole = frames(&lines, each);
        let (mut opened, mut most) = (0, 0);
        for length in 0..whole.len() {
            fs::write(&cut, &whole[..length]).expect("written");
            let Ok(mut reader) = open(&cut) else {
                continue;
            };
            opened += 1;
            let entries = reader.by_ref().map(|e| e.expect("whole lines"));
            let entries: Vec<_> = entries.collect();
            assert!(entries.len() >= most, "{each}, {length}: fewer than before");
            most = entries.len();
            for (entry, line) in entries.iter().zip(&lines[1..]) {
                assert_eq!(&serde_json::to_string(entry).expect("JSON"), line);
            }
            assert!(
                matches!(reader.ending(), Ending::Cut { .. } | Ending::Complete),
                "{each}, {length}: {:?}",
                reader.ending()
            );
            assert_eq!(count(&cut), Some(most as u64));
        }
        if each < usize::MAX {
            assert_eq!(most, 6);
            assert!(opened > 50, "{opened}");
        }
    }
}

/// Nothing that is not there is read, and nothing panics.
#[test]
fn record_zst_damaged_byte_is_harmless() {
    let folder = folder();
    let path = folder.path().join("a.jsonl");
    short_record(&path);
    let lines = lines(&path);
    let whole = frames(&lines, 4);
    let damaged = folder.path().join("damaged.zst");
    let mut found = 0;
    for at in 4..whole.len() {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x10;
        fs::write(&damaged, &bytes).expect("written");
        let Ok(reader) = open(&damaged) else {
            found += 1;
            continue;
        };
        let mut good = 0;
        for entry in reader {
            match entry {
                Ok(entry) if serde_json::to_string(&entry).expect("JSON") == lines[1 + good] => {
                    good += 1;
                }
                // The checksum comes at the frame's end.
                Ok(_) => break,
                Err(error) => {
                    let text = error.to_string();
                    let file = matches!(error.kind, RecordErrorKind::File(_));
                    assert!(!file || text.contains("damaged, read up to byte"), "{text}");
                    found += 1;
                    break;
                }
            }
        }
    }
    assert!(found > whole.len() / 2, "{found} of {}", whole.len());
    let garbage = [frames(&lines, 4), b"garbage".to_vec()].concat();
    fs::write(&damaged, garbage).expect("written");
    let error = read(&damaged).1.expect_err("garbage").to_string();
    assert!(error.contains("damaged, read up to byte"), "{error}");
}

#[test]
fn record_zst_endless_line_is_refused() {
    let folder = folder();
    let path = folder.path().join("bomb.zst");
    let bomb = zstd::encode_all(&vec![b' '; 64 << 20][..], 19).expect("compressed");
    assert!(bomb.len() < 1 << 16, "{}", bomb.len());
    fs::write(&path, &bomb).expect("written");
    let error = open(&path).err().expect("refused");
    assert!(error.to_string().contains("line 1: longer than"), "{error}");
    short_record(&path);
    let head = frames(&lines(&path)[..1], 1);
    fs::write(&path, [head, bomb].concat()).expect("written");
    let error = read(&path).1.expect_err("refused").to_string();
    assert!(error.contains("line 2: longer than"), "{error}");
}
