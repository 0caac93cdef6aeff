//! Reads a waveform (FST): its signals, and the time of a marker.

use std::convert::Infallible;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use fst_reader::{FstFilter, FstHierarchyEntry, FstReader, FstSignalHandle, FstSignalValue};

use super::{Signals, WaveTarget};

/// An open waveform.
pub(super) struct Read {
    /// Path of the instance of the top module.
    pub(super) top: String,
    pub(super) signals: Vec<Found>,
    /// Start and end, in nanoseconds.
    pub(super) span: [u64; 2],
    fst: Fst,
}

pub(super) struct Found {
    /// Its full path, without its range of bits.
    pub(super) path: String,
    /// Its range of bits, such as `[11:0]`; empty for one bit.
    pub(super) range: String,
    handle: usize,
}

type Fst = FstReader<BufReader<File>>;

pub(super) fn read(file: &Path) -> Result<Read, String> {
    let opened = File::open(file).map_err(|e| e.to_string())?;
    let mut fst = FstReader::open(BufReader::new(opened)).map_err(|e| e.to_string())?;
    let header = fst.get_header();
    let (top, all) = hierarchy(&mut fst)?;
    Ok(Read {
        top,
        signals: all,
        span: [header.start_time, header.end_time],
        fst,
    })
}

impl Read {
    /// The signal of a path that begins below the instance of the top module.
    pub(super) fn signal(&self, path: &str) -> Option<&Found> {
        self.signals.iter().find(|found| {
            let below = found.path.strip_prefix(&self.top);
            below.and_then(|rest| rest.strip_prefix('.')) == Some(path)
        })
    }

    /// The clock edge that takes the target's candidate, or else the answer, in nanoseconds; `None`
    /// without such an edge.
    pub(super) fn marker(
        &mut self,
        target: Option<WaveTarget>,
        signals: &Signals,
    ) -> Result<Option<u64>, String> {
        let handle = |path| self.signal(path).map(|found| found.handle);
        let (path, before) = signals.marking(target);
        let [Some(clock), Some(begins), Some(marks)] =
            [signals.clock, signals.begins, path].map(handle)
        else {
            return Ok(None);
        };
        let all = edges(&mut self.fst, [clock, begins, marks])?;
        Ok(all.get(before).copied())
    }
}

/// Path of the instance of the top module, and all signals.
fn hierarchy(fst: &mut Fst) -> Result<(String, Vec<Found>), String> {
    let mut scopes: Vec<String> = Vec::new();
    let (mut top, mut all) = (None, Vec::new());
    let read = fst.read_hierarchy(|entry| match entry {
        FstHierarchyEntry::Scope { name, .. } => {
            // The model has the name of its top module; beside that are packages.
            let is_top = scopes.len() == 1 && scopes[0] == name;
            scopes.push(name);
            if is_top {
                top = Some(scopes.join("."));
            }
        }
        FstHierarchyEntry::UpScope => drop(scopes.pop()),
        FstHierarchyEntry::Var { name, handle, .. } => {
            let (name, range) = name.split_once(' ').unwrap_or((&name, ""));
            all.push(Found {
                path: format!("{}.{name}", scopes.join(".")),
                range: range.into(),
                handle: handle.get_index(),
            });
        }
        _ => {}
    });
    read.map_err(|e| e.to_string())?;
    Ok((top.ok_or("it has no top module")?, all))
}

/// The rising clock edges at which `marks` is high, after the last one at which `begins` is.
///
/// `signals` are the handles of clock, `begins` and `marks`.
fn edges(fst: &mut Fst, signals: [usize; 3]) -> Result<Vec<u64>, String> {
    let [clock, begins, marks] = signals;
    let only = FstFilter::filter_signals(signals.map(FstSignalHandle::from_index).into());
    let mut changes: Vec<(u64, usize, bool)> = Vec::new();
    fst.read_signals(&only, |time, signal, value| {
        if let FstSignalValue::String(value) = value {
            changes.push((time, signal.get_index(), value.contains(&b'1')));
        }
        Ok::<_, Infallible>(())
    })
    .map_err(|e| e.to_string())?;
    changes.sort_by_key(|(time, ..)| *time);
    let mut found = Vec::new();
    let (mut has_begun, mut is_marked) = (false, false);
    for moment in changes.chunk_by(|a, b| a.0 == b.0) {
        // An edge samples the values before it.
        let rises = |(_, signal, high): &(u64, usize, bool)| *signal == clock && *high;
        if let Some((time, ..)) = moment.iter().find(|change| rises(change)) {
            if has_begun {
                found.clear();
            }
            if is_marked {
                found.push(*time);
            }
        }
        for (_, signal, high) in moment {
            if *signal == begins {
                has_begun = *high;
            }
            if *signal == marks {
                is_marked = *high;
            }
        }
    }
    Ok(found)
}
