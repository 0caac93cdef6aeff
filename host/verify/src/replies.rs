//! `reply_buffer`: a queue of the headers and bytes of replies.

use std::collections::VecDeque;

use crate::stream::{Sink, Source};
use crate::{Failure, Random, Trial};

/// Capacity in words, a parameter of the module.
const DEPTH: usize = 16;

#[derive(Clone, Copy)]
enum Word {
    Header {
        message: u8,
        empty: bool,
        part: bool,
    },
    Byte {
        data: u8,
        last: bool,
    },
}

impl Word {
    /// Its values, in the order of the ports.
    fn item(self) -> Vec<u64> {
        match self {
            Self::Header {
                message,
                empty,
                part,
            } => vec![message.into(), empty.into(), part.into()],
            Self::Byte { data, last } => vec![data.into(), last.into()],
        }
    }
}

/// A random reply: its header, and its bytes unless it is empty.
fn reply(random: &mut Random) -> impl Iterator<Item = Word> + use<> {
    let length = match random.chance(30) {
        true => 0,
        false => 1 + random.below(2 * DEPTH as u64),
    };
    let header = Word::Header {
        message: random.bits() as u8,
        empty: length == 0,
        part: random.chance(50),
    };
    let bytes: Vec<u8> = (0..length).map(|_| random.bits() as u8).collect();
    let bytes = bytes.into_iter().zip(1..).map(move |(data, n)| Word::Byte {
        data,
        last: n == length,
    });
    std::iter::once(header).chain(bytes)
}

pub fn run(trial: &mut Trial) -> Result<(), Failure> {
    let header = ["reply_i.msg", "reply_i.empty", "reply_i.part"];
    let mut headers = Source::new("reply_i.valid", "ack_o.ready", &header);
    let byte = ["reply_i.byte_data", "reply_i.byte_last"];
    let mut bytes = Source::new("reply_i.byte_valid", "ack_o.byte_ready", &byte);
    let header = ["reply_o.msg", "reply_o.empty", "reply_o.part"];
    let mut header_sink = Sink::new("reply_o.valid", "ack_i.ready", &header);
    let byte = ["reply_o.byte_data", "reply_o.byte_last"];
    let mut byte_sink = Sink::new("reply_o.byte_valid", "ack_i.byte_ready", &byte);

    let mut coming: VecDeque<Word> = VecDeque::new();
    let mut waiting: VecDeque<Word> = VecDeque::new();
    let mut offered: Option<Word> = None;
    for _ in 0..20_000 {
        // A reset within a reply empties the queue; the next word is a header.
        if trial.random.below(200) == 0 {
            headers.clear();
            bytes.clear();
            coming.clear();
            waiting.clear();
            offered = None;
            headers.drive(trial);
            bytes.drive(trial);
            trial.reset()?;
        }
        if coming.is_empty() {
            coming.extend(reply(&mut trial.random));
        }
        // Only the next word, as from a reader.
        if headers.left() + bytes.left() == 0 {
            match coming[0] {
                word @ Word::Header { .. } => headers.push(word.item()),
                word @ Word::Byte { .. } => bytes.push(word.item()),
            }
        }
        headers.drive(trial);
        bytes.drive(trial);
        header_sink.drive(trial);
        byte_sink.drive(trial);
        trial.settle()?;

        let held = waiting.len() + usize::from(offered.is_some());
        let is_empty = trial.is("empty_o");
        trial.same("empty_o", &is_empty, &(held == 0))?;
        let room = waiting.len() < DEPTH;
        let inside = matches!(coming[0], Word::Byte { .. });
        let ready = [&headers, &bytes].map(|source| source.is_ready(trial));
        trial.same("the two ready", &ready, &[room && !inside, room && inside])?;
        let (header, byte) = match offered {
            Some(word @ Word::Header { .. }) => (Some(word.item()), None),
            Some(word @ Word::Byte { .. }) => (None, Some(word.item())),
            None => (None, None),
        };
        trial.same("the header", &header_sink.offered(trial), &header)?;
        trial.same("the byte", &byte_sink.offered(trial), &byte)?;

        let taken = [&header_sink, &byte_sink].map(|sink| sink.take(trial).is_some());
        if taken != [false; 2] {
            offered = None;
        }
        if offered.is_none() {
            offered = waiting.pop_front();
        }
        let came = [&mut headers, &mut bytes].map(|source| source.take(trial).is_some());
        if came != [false; 2] {
            waiting.extend(coming.pop_front());
        }
        trial.clock()?;
    }
    Ok(())
}
