//! Requests the `info` of a core and nothing else, so that its settings are not changed.

use std::time::Duration;

use protocol::frame::{self, DELIMITER, Decoder, Frame};
use protocol::layout::{self, link as table};
use protocol::payload::PayloadError;
use protocol::payload::link::Info;
use tokio::time::Instant;

use super::{Link, LinkError};

/// How often the request is sent: the first one may follow half a frame of another program.
const ATTEMPTS: u32 = 3;
/// Sequence number of the first request.
const SEQ: u16 = 0x4c53;

/// Why a probe found no core.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProbeError {
    /// Nothing came.
    #[error("silent: no board, or one without a bitstream{}", or_rate(*.0))]
    Silent(Option<u32>),
    /// Bytes came, but no reply.
    #[error(
        "it sends bytes that are not frames of this protocol: another device, or a board that runs \
         its line at another rate than {} (give start=RATE)", rate(*.0)
    )]
    Noise(Option<u32>),
    /// The core has another protocol version.
    #[error(
        "it speaks protocol version {0}, this host {own}: load a bitstream built from the same \
         source", own = layout::PROTOCOL_VERSION
    )]
    Version(u16),
    /// The reply is invalid.
    #[error(transparent)]
    Payload(#[from] PayloadError),
    /// The link failed.
    #[error(transparent)]
    Link(#[from] LinkError),
}

/// Why a board with a bitstream may be silent: the rest of a message.
fn or_rate(baud: Option<u32>) -> String {
    baud.map_or_else(String::new, |baud| {
        format!(", or one that runs its line at another rate than {baud} baud (give start=RATE)")
    })
}

fn rate(baud: Option<u32>) -> String {
    baud.map_or("this".into(), |baud| format!("{baud} baud"))
}

/// Requests the `info` of the core at the other end of a link, within a time limit in real time.
///
/// # Errors
/// When no core of this version answers.
pub async fn info(link: &mut dyn Link, within: Duration) -> Result<Info, ProbeError> {
    let begun = Instant::now();
    let mut decoder = Decoder::new();
    let mut came = false;
    for attempt in 0..ATTEMPTS {
        link.send(&request(attempt)).await?;
        let until = begun + within * (attempt + 1) / ATTEMPTS;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            let bytes = match link.receive(left).await {
                Ok(bytes) => bytes,
                Err(LinkError::Silent(_)) => break,
                Err(error) => return Err(error.into()),
            };
            came = true;
            for byte in bytes {
                if let Some(Ok(frame)) = decoder.push(byte)
                    && is_reply(&frame)
                {
                    return read(frame.payload);
                }
            }
        }
    }
    match came {
        true => Err(ProbeError::Noise(link.rate())),
        false => Err(ProbeError::Silent(link.rate())),
    }
}

/// A request for `info`, after a delimiter that ends an unfinished frame.
fn request(attempt: u32) -> Vec<u8> {
    let frame = Frame {
        seq: SEQ.wrapping_add(attempt as u16),
        kind: table::INFO.id,
        payload: &[],
    };
    let mut bytes = vec![DELIMITER];
    // A frame without payload is never too long.
    if let Ok(wire) = frame::encode(&frame) {
        bytes.extend_from_slice(wire.as_ref());
    }
    bytes
}

fn is_reply(frame: &Frame<'_>) -> bool {
    let attempt = u32::from(frame.seq.wrapping_sub(SEQ));
    frame.kind == table::INFO_REPLY.id && attempt < ATTEMPTS
}

/// Reads the reply. Its first field is the version, in every version.
pub(crate) fn read(payload: &[u8]) -> Result<Info, ProbeError> {
    if let [low, high, ..] = *payload {
        let version = u16::from_le_bytes([low, high]);
        if version != layout::PROTOCOL_VERSION {
            return Err(ProbeError::Version(version));
        }
    }
    Ok(Info::decode(payload)?)
}

/// Why this host cannot use a core that answered; `None` if it can.
pub fn remark(info: &Info) -> Option<String> {
    let Some(game) = layout::game(info.game) else {
        return Some(format!(
            "it plays game number {}, which this host does not know",
            info.game
        ));
    };
    let own = game.layout_hash();
    (info.layout_hash != own).then(|| {
        format!(
            "it was built for the wire layout {:08x} of {}, this host for {own:08x}: build both \
             from the same source",
            info.layout_hash, game.name
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn own() -> Info {
        let game = layout::GAMES.first().expect("a game");
        Info {
            protocol_version: layout::PROTOCOL_VERSION,
            layout_hash: game.layout_hash(),
            game: game.number,
            ..Info::default()
        }
    }

    #[test]
    fn read_checks_the_version_first() {
        let version = layout::PROTOCOL_VERSION + 1;
        let [low, high] = version.to_le_bytes();
        let error = read(&[low, high, 1]).expect_err("too short, but first of all another version");
        assert_eq!(error, ProbeError::Version(version));
        let [low, high] = layout::PROTOCOL_VERSION.to_le_bytes();
        let error = read(&[low, high, 1]).expect_err("too short");
        assert!(matches!(error, ProbeError::Payload(_)), "{error}");
        let info = own();
        assert_eq!(read(info.encode().as_ref()), Ok(info));
    }

    #[test]
    fn probe_error_silence_names_the_rate() {
        for (baud, end) in [
            (None, "without a bitstream"),
            (Some(9600), "(give start=RATE)"),
        ] {
            let text = ProbeError::Silent(baud).to_string();
            assert!(text.ends_with(end), "{text}");
        }
    }

    #[test]
    fn remark_names_another_layout_or_game() {
        assert_eq!(remark(&own()), None);
        let other = Info {
            layout_hash: !own().layout_hash,
            ..own()
        };
        let text = remark(&other).expect("another layout");
        assert!(text.contains("from the same source"), "{text}");
        let unknown = Info { game: 250, ..own() };
        let text = remark(&unknown).expect("another game");
        assert!(text.contains("game number 250"), "{text}");
    }
}
