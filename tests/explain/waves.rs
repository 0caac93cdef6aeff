//! Waveforms, read back.

use std::collections::HashMap;
use std::convert::Infallible;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use fst_reader::{FstFilter, FstHierarchyEntry, FstReader, FstSignalValue};

/// All changes of a waveform: of each signal the times, and the values in binary.
pub struct Waves {
    /// With the bits of vectors, as in `score[47:0]`.
    pub paths: HashMap<String, usize>,
    pub changes: HashMap<usize, Vec<(u64, String)>>,
}

impl Waves {
    pub fn open(file: &Path) -> Self {
        let file = BufReader::new(File::open(file).expect("a file"));
        let mut reader = FstReader::open(file).expect("a waveform");
        let (mut scopes, mut paths) = (Vec::new(), HashMap::new());
        let read = reader.read_hierarchy(|entry| match entry {
            FstHierarchyEntry::Scope { name, .. } => scopes.push(name),
            FstHierarchyEntry::UpScope => drop(scopes.pop()),
            FstHierarchyEntry::Var { name, handle, .. } => {
                let name = format!("{}.{}", scopes.join("."), name.replace(' ', ""));
                paths.insert(name, handle.get_index());
            }
            _ => {}
        });
        read.expect("a hierarchy");
        let mut changes: HashMap<usize, Vec<(u64, String)>> = HashMap::new();
        let read = reader.read_signals(&FstFilter::all(), |time, handle, value| {
            if let FstSignalValue::String(value) = value {
                let value = String::from_utf8_lossy(value).into_owned();
                changes
                    .entry(handle.get_index())
                    .or_default()
                    .push((time, value));
            }
            Ok::<_, Infallible>(())
        });
        read.expect("values");
        Self { paths, changes }
    }
}
