//! What this program is and what it goes with.

use std::fmt::Write as _;
use std::sync::LazyLock;

use protocol::layout;

/// Its version and the revision of its sources, for `-V`.
pub const SHORT: &str = concat!(
    env!("CARGO_PKG_VERSION"),
    " (",
    env!("LOCKSTEP_REVISION"),
    ")"
);

/// The same, the layout of each game's messages and the RTL it simulates, for
/// `--version`.
pub fn long() -> &'static str {
    static LONG: LazyLock<String> = LazyLock::new(|| {
        let mut text = SHORT.to_owned();
        let mut line = |name: &str, value: &str| {
            // A String takes all text.
            let _ = write!(text, "\n{name:<9} {value}");
        };
        for (game, hash) in layouts() {
            let version = layout::PROTOCOL_VERSION;
            let about = format!("wire version {version}, layout {hash:08x}");
            line(game, &about);
        }
        line("simulator", &simulator());
        text
    });
    &LONG
}

/// The hash of each game's message layout, by the game's name: what a core must
/// report to be talked to.
fn layouts() -> impl Iterator<Item = (&'static str, u32)> {
    let games = layout::GAMES.iter();
    games.map(|(name, _)| (*name, layout::LAYOUT_HASH))
}

#[cfg(feature = "sim")]
fn simulator() -> String {
    match sim::variant(None) {
        Some(designed) => format!("RTL build {:08x}", designed.build_id),
        None => "no RTL linked".into(),
    }
}

#[cfg(not(feature = "sim"))]
fn simulator() -> String {
    "not part of this build".into()
}
