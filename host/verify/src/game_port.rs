//! Access to the members of the structs of `rtl/kit/game_pkg.sv` as ports.

use sim::{Bench, BenchPort, SimError};

/// The members of a packed struct with their widths; the first one has the highest bits.
pub(crate) type Members = [(&'static str, u32)];

/// `game_req_t`: link to game.
pub(crate) const GAME_REQ: [(&str, u32); 8] = [
    ("load.valid", 1),
    ("load.msg", 8),
    ("load.slot", 4),
    ("load.rdata", 8),
    ("cancel", 1),
    ("room", 1),
    ("reply.ready", 1),
    ("reply.byte_ready", 1),
];

/// `game_rsp_t`: game to link.
pub(crate) const GAME_RSP: [(&str, u32); 11] = [
    ("load.ready", 1),
    ("load.loaded", 1),
    ("load.mem_en", 1),
    ("load.mem_addr", 11),
    ("reply.valid", 1),
    ("reply.msg", 8),
    ("reply.empty", 1),
    ("reply.part", 1),
    ("reply.byte_valid", 1),
    ("reply.byte_data", 8),
    ("reply.byte_last", 1),
];

/// The members of a port, by its name, and their common prefix in the tables above.
fn members(port: &str) -> Option<(&'static Members, &'static str)> {
    Some(match port {
        "game_req_o" => (&GAME_REQ[..], ""),
        "game_rsp_i" => (&GAME_RSP[..], ""),
        "req_i" => (&GAME_REQ[..4], "load."),
        "rsp_o" => (&GAME_RSP[..4], "load."),
        "ack_i" | "ack_o" | "game_ack_o" => (&GAME_REQ[6..], "reply."),
        "reply_i" | "reply_o" | "game_reply_i" => (&GAME_RSP[4..], "reply."),
        _ => return None,
    })
}

/// The bits of a member `port.member`: port, lowest bit and width.
fn bits_of(name: &str) -> Option<(&str, u32, u32)> {
    let (port, member) = name.split_once('.')?;
    let (members, prefix) = members(port)?;
    let named = |(known, _): &(&str, u32)| known.strip_prefix(prefix) == Some(member);
    let at = members.iter().position(named)?;
    let low = members[at + 1..].iter().map(|(_, width)| width).sum();
    Some((port, low, members[at].1))
}

/// A port, or a member of one.
pub(crate) fn port(bench: &Bench, name: &str) -> Result<BenchPort, SimError> {
    match bits_of(name) {
        Some((port, low, width)) => Ok(bench.port(port)?.member(low, width)),
        None => bench.port(name),
    }
}
