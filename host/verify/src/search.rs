//! Parts that the benches of all games with a search share.

pub mod link;
pub mod reader;
pub mod whole;

use crate::Random;

/// How a search on the core alone ends, and after how many cycles.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum End {
    Completed,
    Cancelled(u64),
    Reset(u64),
}

/// A random end, after few cycles or some time in between.
pub fn any_end(random: &mut Random) -> End {
    let most = random.choice(&[60, 200, 200, 2_000]);
    let after = random.between(1, most);
    match random.below(6) {
        0 => End::Reset(after),
        1..=3 => End::Cancelled(after),
        _ => End::Completed,
    }
}
