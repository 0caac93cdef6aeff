//! `reply_buffer`: a queue of the headers and bytes of replies.

use std::collections::VecDeque;

use crate::stream::{Sink, Source};
use crate::{Failure, Random, Trial};

/// Capacity in words, a parameter of the module.
const DEPTH: usize = 16;

/// Whether it is a header, and its values in the order of the ports.
type Word = (bool, Vec<u64>);

/// A random reply: its header, and its bytes unless it is empty.
fn reply(random: &mut Random) -> VecDeque<Word> {
    let length = match random.chance(30) {
        true => 0,
        false => 1 + random.below(2 * DEPTH as u64),
    };
    let message = random.bits() & 0xff;
    let part = random.chance(50).into();
    let mut words = VecDeque::from([(true, vec![message, u64::from(length == 0), part])]);
    words.extend((1..=length).map(|n| {
        let data = random.bits() & 0xff;
        (false, vec![data, u64::from(n == length)])
    }));
    words
}

pub fn run(trial: &mut Trial) -> Result<(), Failure> {
    let [mut headers, mut bytes] = Source::replies("reply_i", "ack_o");
    let [mut header_sink, mut byte_sink] = Sink::replies("reply_o", "ack_i");

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
            coming = reply(&mut trial.random);
        }
        // Only the next word, as from a reader.
        if headers.left() + bytes.left() == 0 {
            let (is_header, word) = coming[0].clone();
            let source = if is_header { &mut headers } else { &mut bytes };
            source.push(word);
        }
        headers.drive(trial);
        bytes.drive(trial);
        header_sink.drive(trial);
        byte_sink.drive(trial);
        trial.settle()?;

        let held = waiting.len() + usize::from(offered.is_some());
        trial.expect("empty_o", held == 0)?;
        let room = waiting.len() < DEPTH;
        let inside = !coming[0].0;
        let ready = [&headers, &bytes].map(|source| source.is_ready(trial));
        trial.same("the two ready", &ready, &[room && !inside, room && inside])?;
        let expected = |header: bool| {
            let word = offered.as_ref().filter(|word| word.0 == header);
            word.map(|word| word.1.clone())
        };
        let (header, byte) = (expected(true), expected(false));
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
