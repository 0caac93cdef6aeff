//! The version of the program, and of the parts that it works with.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::LazyLock;

use protocol::layout;

/// The version and the revision of the sources, for `-V`.
pub const SHORT: &str = concat!(
    env!("CARGO_PKG_VERSION"),
    " (",
    env!("LOCKSTEP_REVISION"),
    ")"
);

/// The same with the layout hash of each game and the builds of the simulated RTL, for `--version`.
pub fn long() -> &'static str {
    static LONG: LazyLock<String> = LazyLock::new(|| {
        let mut text = SHORT.to_owned();
        let mut line = |name: &str, value: &str| {
            // A String takes all text.
            let _ = write!(text, "\n{name:<9} {value}");
        };
        for game in layout::GAMES {
            let (version, hash) = (layout::PROTOCOL_VERSION, game.layout_hash());
            let about = format!("protocol version {version}, layout {hash:08x}");
            line(game.name, &about);
        }
        line("simulator", &simulator());
        text
    });
    &LONG
}

/// The tools named in a record, with their versions.
pub fn tools() -> BTreeMap<String, String> {
    let tools = [("lockstep", SHORT), ("rustc", env!("LOCKSTEP_RUSTC"))];
    #[cfg(feature = "sim")]
    let tools = tools.into_iter().chain([("verilator", sim::verilator())]);
    let named = |(name, version): (&str, &str)| (name.to_owned(), version.to_owned());
    tools.into_iter().map(named).collect()
}

#[cfg(feature = "sim")]
fn simulator() -> String {
    let designed = sim::variants().iter().filter(|v| v.fault.is_none());
    let builds: Vec<String> = designed
        .map(|v| {
            let core = if v.core.is_empty() { "" } else { ":core=" };
            format!("RTL build {:08x} of {}{core}{}", v.build_id, v.game, v.core)
        })
        .collect();
    builds.join(", ")
}

#[cfg(not(feature = "sim"))]
fn simulator() -> String {
    "not part of this build".into()
}
