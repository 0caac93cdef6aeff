//! What viewers open a waveform with.

use std::fmt::Write as _;
use std::path::Path;

use super::read::{Found, Read};
use super::{Format, Signal, Signals};

/// What is seen at first: so long before the marker and behind it, in nanoseconds.
const BEFORE: u64 = 600;
const BEHIND: u64 = 200;

/// A window's width in what GTKWave measures its zoom by, 200 pixels.
const FRAMES: f64 = 5.0;

/// The groups with those of their signals that there are.
fn groups<'a>(read: &'a Read, signals: &Signals) -> Vec<(&'static str, Vec<(Signal, &'a Found)>)> {
    let find = |signal: &Signal| Some((*signal, read.signal(signal.path)?));
    let groups = signals.groups.iter();
    let found = groups.map(|(name, all)| (*name, all.iter().filter_map(find).collect()));
    found
        .filter(|(_, found): &(_, Vec<_>)| !found.is_empty())
        .collect()
}

/// A save file of GTKWave. A line with the flags of a trace goes before it: 2 hexadecimal, 4
/// decimal, 8 binary, 20 set to the right, 200 a heading, 400 signed, in hexadecimal.
pub(super) fn gtkwave(file: &Path, read: &Read, signals: &Signals, marker: Option<u64>) -> String {
    let name = file.file_name().unwrap_or(file.as_os_str());
    let (from, to) = seen(read, marker);
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

/// Commands of Surfer.
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

/// What is seen at first, in nanoseconds.
fn seen(read: &Read, marker: Option<u64>) -> (u64, u64) {
    let [start, end] = read.span;
    match marker {
        Some(time) => (
            time.saturating_sub(BEFORE).max(start),
            (time + BEHIND).min(end),
        ),
        None => (start, end),
    }
}
