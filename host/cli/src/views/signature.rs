//! Signatures for people.

use indicatif::HumanCount;
use lockstep_lab::signature::Signature;

use super::table::plain;

/// A row for each player, in columns.
pub fn table(signatures: &[Signature]) -> String {
    let cells = signatures.iter().map(|found| {
        [
            found.controller.clone(),
            found.player.clone(),
            found.signature.clone(),
            HumanCount(found.lines).to_string(),
            HumanCount(found.games).to_string(),
        ]
    });
    let header = ["controller", "player", "signature", "lines", "games lost"];
    plain(header, cells, 3..)
}
