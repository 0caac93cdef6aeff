//! `reply_sender`: replies, parts and refusals; first a stream with more parts than a byte can
//! count.

use std::collections::VecDeque;

use crate::random::Pace;
use crate::stream::Sink;
use crate::{Failure, Random, Trial};

#[derive(Clone)]
struct Reply {
    request: u8,
    part: bool,
    refused: Option<u8>,
    payload: Vec<u8>,
}

impl Reply {
    /// A part of a stream, its end, a single reply or a refusal.
    fn any(random: &mut Random) -> Self {
        let part = random.chance(50);
        let refused = (!part && random.chance(30)).then(|| random.bits() as u8);
        let length = match part {
            true => random.choice(&[1, 2, 35, 120]),
            false => random.choice(&[0, 1, 2, 3, 42, 120]),
        };
        Self {
            request: random.bits() as u8,
            part,
            refused,
            payload: random.bytes(length),
        }
    }

    /// The shortest part of a stream.
    fn part(random: &mut Random) -> Self {
        Self {
            request: random.bits() as u8,
            part: true,
            refused: None,
            payload: random.bytes(1),
        }
    }

    /// The expected header: message, whether it is empty, whether it is a part.
    fn header(&self) -> Vec<u64> {
        let number = match (self.refused, self.part) {
            (Some(_), _) => 0xff,
            (None, true) => self.request | 0xa0,
            (None, false) => self.request | 0x80,
        };
        let empty = self.bytes().is_empty();
        vec![number.into(), empty.into(), self.part.into()]
    }

    fn bytes(&self) -> Vec<u8> {
        match self.refused {
            Some(code) => vec![code, self.request],
            None => self.payload.clone(),
        }
    }
}

pub fn run(trial: &mut Trial) -> Result<(), Failure> {
    let [mut headers, mut bytes] = Sink::replies("reply_o", "ack_i");

    let mut offers = Pace::default();
    let mut reply: Option<Reply> = None;
    // The bytes left to be taken, after the header was taken.
    let mut left: Option<VecDeque<u8>> = None;
    // Number of payload bytes fetched, and of parts sent.
    let (mut fetched, mut count) = (0, 0_u16);
    let mut first_parts = 300_u32;
    for _ in 0..20_000 {
        if reply.is_none() && offers.go(&mut trial.random) {
            reply = Some(match first_parts {
                0 => Reply::any(&mut trial.random),
                _ => Reply::part(&mut trial.random),
            });
        }
        let running = first_parts > 0 || trial.random.below(500) != 0;
        trial.put("rst_ni", running);
        trial.put("valid_i", reply.is_some());
        let of = |value: fn(&Reply) -> u64| reply.as_ref().map(value);
        trial.put_some("request_i", of(|reply| reply.request.into()));
        trial.put_some("part_i", of(|reply| reply.part.into()));
        trial.put_some("error_i", of(|reply| reply.refused.is_some().into()));
        trial.put_some("length_i", of(|reply| reply.payload.len() as u64));
        trial.put_some("code_i", of(|reply| reply.refused.unwrap_or(0).into()));
        let next = reply.as_ref().and_then(|reply| reply.payload.get(fetched));
        trial.put_some("byte_i", next.copied());
        headers.drive(trial);
        bytes.drive(trial);
        trial.settle()?;

        let waits = reply.as_ref().filter(|_| left.is_none());
        let header = waits.map(Reply::header);
        trial.same("the header", &headers.offered(trial), &header)?;
        let next = left.as_ref().and_then(|left| {
            let last = (left.len() == 1).into();
            Some(vec![(*left.front()?).into(), last])
        });
        trial.same("the byte", &bytes.offered(trial), &next)?;
        trial.expect("parts_o", u64::from(count))?;

        let header_taken = headers.take(trial).is_some();
        let byte_taken = bytes.take(trial).is_some();
        if header_taken {
            left = reply.as_ref().map(|reply| reply.bytes().into());
        }
        if let Some(left) = left.as_mut().filter(|_| byte_taken) {
            left.pop_front();
        }
        let over = left.as_ref().is_some_and(VecDeque::is_empty);
        trial.expect("sent_o", over)?;
        let payload = reply.as_ref().filter(|reply| reply.refused.is_none());
        let fetches = (header_taken || byte_taken) && !over && payload.is_some();
        trial.expect("fetch_o", fetches)?;
        if fetches {
            trial.expect("index_o", fetched as u64)?;
            fetched += 1;
        }
        if over {
            let was_part = reply.take().is_some_and(|reply| reply.part);
            count = if was_part { count + 1 } else { 0 };
            (left, fetched) = (None, 0);
            first_parts = first_parts.saturating_sub(1);
        }
        trial.clock()?;
        if !running {
            (reply, left, fetched, count) = (None, None, 0, 0);
        }
    }
    Ok(())
}
