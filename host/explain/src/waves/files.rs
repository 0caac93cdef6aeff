//! Save files for the viewers GTKWave and Surfer.

use std::fmt::Write as _;
use std::path::Path;

use super::read::{Found, Read};
use super::{Format, Signal, Signals};

/// Nanoseconds shown before and after the marker.
const BEFORE: u64 = 600;
const AFTER: u64 = 200;

/// Window width in GTKWave's zoom units of 200 pixels.
const FRAMES: f64 = 5.0;

/// The groups with the signals that the waveform has.
fn groups<'a>(read: &'a Read, signals: &Signals) -> Vec<(&'static str, Vec<(Signal, &'a Found)>)> {
    let find = |signal: &Signal| Some((*signal, read.signal(signal.path)?));
    let groups = signals.groups.iter();
    let found = groups.map(|(name, all)| (*name, all.iter().filter_map(find).collect()));
    found
        .filter(|(_, found): &(_, Vec<_>)| !found.is_empty())
        .collect()
}

/// The save file of GTKWave. The line before a signal holds its flags, in hexadecimal: 2
/// hexadecimal, 4 decimal, 8 binary, 20 right-aligned, 200 heading, 400 signed.
pub(super) fn gtkwave(file: &Path, read: &Read, signals: &Signals, marker: Option<u64>) -> String {
    let name = file.file_name().unwrap_or(file.as_os_str());
    let (from, to) = first_view(read, marker);
    // 200 pixels are 2 to the minus zoom nanoseconds.
    let zoom = -((to - from).max(1) as f64 / FRAMES).log2();
    let marker = marker.map_or("-1".into(), |time| time.to_string());
    let others = ["-1"; 26].join(" ");
    let mut text = format!(
        "[dumpfile] \"{}\"\n[timestart] {from}\n[size] 1600 1000\n*{zoom:.6} {marker} {others}\n\
         [sst_expanded] 0\n",
        name.to_string_lossy()
    );
    for (name, found) in groups(read, signals) {
        let _ = writeln!(text, "@200\n-{name}");
        for (signal, Found { path, range, .. }) in found {
            let flags = match signal.format {
                _ if range.is_empty() => "28",
                Format::Hex => "22",
                Format::Binary => "28",
                Format::Decimal => "24",
                Format::SignedDecimal => "420",
            };
            let _ = writeln!(text, "@{flags}\n+{{{}}} {path}{range}", signal.name);
        }
    }
    text
}

pub(super) fn surfer(read: &Read, signals: &Signals, marker: Option<u64>) -> String {
    let mut text = String::new();
    for (name, found) in groups(read, signals) {
        let _ = writeln!(text, "divider_add {name}");
        for (_, found) in found {
            let _ = writeln!(text, "variable_add {}", found.path);
        }
    }
    text.push_str("zoom_fit\n");
    if let Some(time) = marker {
        let _ = writeln!(text, "cursor_set {time}\ngoto_cursor");
    }
    text
}

/// The first view: start and end, in nanoseconds.
fn first_view(read: &Read, marker: Option<u64>) -> (u64, u64) {
    let [start, end] = read.span;
    match marker {
        Some(time) => (
            time.saturating_sub(BEFORE).max(start),
            (time + AFTER).min(end),
        ),
        None => (start, end),
    }
}
