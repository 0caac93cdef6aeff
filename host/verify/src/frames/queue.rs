//! `request_queue`: good frames in, requests out, slots assigned and freed.

use std::collections::VecDeque;

use protocol::layout::{Message, link};

use crate::random::Pace;
use crate::{Failure, Trial};

/// Capacity of the queue in requests.
const DEPTH: usize = 16;
/// Cycles from a push or a pop until the next request is offered.
const LATENCY: u64 = 2;

/// A request: sequence number, message, payload length, slot, busy. A busy one has no slot.
type Request = (u64, u64, u64, Option<u64>, bool);

/// Whether the message is `message` without a payload.
fn is_empty(message: Message, number: u64, bytes: u64) -> bool {
    number == u64::from(message.id) && bytes == 0
}

pub fn run(trial: &mut Trial, window: u64) -> Result<(), Failure> {
    let (mut arrivals, mut service) = (Pace::default(), Pace::default());

    let mut queue: VecDeque<Request> = VecDeque::new();
    // Slots in use, the next slot, and the cycle from which on the oldest request is offered.
    let (mut used, mut next_slot, mut offered_at) = (0, 0, None);
    // Whether the frame under way has a slot, decided with its header.
    let mut chosen: Option<bool> = None;
    for _ in 0..30_000 {
        let now = trial.cycles();
        let is_free = used < window;
        let arrives = arrivals.go(&mut trial.random) && chosen.is_some();
        let is_stored = arrives && chosen == Some(true);
        let seq = trial.random.bits() & 0xffff;
        let message = match trial.random.below(100) {
            // Rarely, otherwise the queue is never full.
            0 => link::RESET.id.into(),
            1..10 => link::CANCEL.id.into(),
            10..20 => link::CREDIT.id.into(),
            _ => trial.random.bits() & 0xff,
        };
        let is_special = [link::RESET, link::CANCEL, link::CREDIT].map(|m| u64::from(m.id));
        let bytes = match is_special.contains(&message) {
            true => trial.random.choice(&[0, 0, 0, 1]),
            false => trial.random.choice(&[0, 0, 1, 50, 120]),
        };
        let resets = arrives && message == u64::from(link::RESET.id) && bytes == 0;
        let serves = service.go(&mut trial.random);
        trial.put("frame_valid_i", arrives);
        trial.put("frame_header_i", message << 16 | seq);
        // The sequence number is the last member of the struct in frame_pkg.
        trial.put("frame_length_i", bytes);
        trial.put("frame_slot_i", next_slot);
        trial.put("frame_stored_i", is_stored);
        trial.put("req_ready_i", serves);
        trial.settle()?;

        let is_offered = offered_at.is_some_and(|at| now >= at);
        let is_full = queue.len() == DEPTH;
        trial.expect("slot_free_o", is_free)?;
        trial.expect("slot_o", next_slot)?;
        trial.expect("req_valid_o", is_offered)?;
        trial.expect("clear_o", resets)?;
        let lost = arrives && !resets && (is_full || !is_stored);
        trial.expect("overrun_o", lost)?;
        let credits = is_stored && !is_full && is_empty(link::CREDIT, message, bytes);
        trial.expect("credit_o", credits)?;
        let cancels = |&(_, message, bytes, _, busy): &Request| {
            !busy && is_empty(link::CANCEL, message, bytes)
        };
        let cancelled = queue.iter().any(cancels);
        trial.expect("cancelling_o", cancelled)?;
        trial.expect("waiting_o", !queue.is_empty())?;
        if is_offered {
            let [message, seq, bytes, slot, busy] = trial.bits("req_o").members([8, 16, 8, 4, 1]);
            let is_busy = busy == 1;
            let got = (seq, message, bytes, Some(slot), is_busy);
            let mut expected = queue[0];
            // The slot of a request without a payload or slot does not matter.
            expected.3 = expected.3.or(got.3);
            trial.same("req_o", &got, &expected)?;
        }

        if is_offered && serves && !resets {
            let gone = queue.pop_front();
            used -= u64::from(gone.is_some_and(|request| !request.4));
            offered_at = (!queue.is_empty()).then_some(now + LATENCY);
        }
        if arrives && (resets || !is_full) {
            if resets {
                queue.clear();
                (used, offered_at) = (0, None);
            }
            let slot = is_stored.then_some(next_slot);
            queue.push_back((seq, message, bytes, slot, !is_stored && !resets));
            // A reset occupies a slot.
            used += u64::from(is_stored || resets);
            offered_at = offered_at.or(Some(now + LATENCY));
            next_slot = (next_slot + u64::from(is_stored)) % window;
        }
        // The next frame's header arrives some cycles before its end.
        if arrives {
            chosen = None;
        } else if chosen.is_none() && trial.random.chance(60) {
            chosen = Some(used < window);
        }
        trial.clock()?;
    }
    Ok(())
}
