//! A game's reader: requests of every kind, also while one is served; streams with and without room
//! for parts, cancels and resets.

use std::collections::VecDeque;

use lockstep_games::Codec;
use protocol::layout::{ErrorCode, PART, REPLY, link::ERROR};

use super::link::{Behaviour, Link, Reply};
use crate::core::requests::Request;
use crate::{Failure, Random, Trial};

/// Maximum number of cycles between two parts of a search, a parameter of the modules.
pub const INTERVAL: u64 = 300;
/// Minimum number of clock cycles of a run.
const CYCLES: u64 = 80_000;

/// A game's requests to its reader, and the answers that `docs/wire.md` defines for them.
pub trait Reader: Codec {
    /// The expected stream of a search or trace.
    type Stream;

    /// Weights, and a search that takes many intervals with them.
    fn first(random: &mut Random) -> [Vec<u8>; 2];

    fn any_weights(random: &mut Random) -> Vec<u8>;

    /// A random search or trace; the weights are those that it will find.
    fn any_search(random: &mut Random, weights: Option<&[u8]>) -> Vec<u8>;

    /// The error that refuses weights.
    fn refuses(_weights: &[u8]) -> Option<ErrorCode> {
        None
    }

    /// The expected stream of a search or trace with these weights, or the error that refuses it.
    fn stream(
        search: &[u8],
        traced: bool,
        weights: Option<&[u8]>,
    ) -> Result<Self::Stream, ErrorCode>;

    /// Checks the parts and the end of a stream.
    fn check(
        trial: &Trial,
        entry: &Pending<Self::Stream>,
        stream: &Self::Stream,
        end: &[u8],
    ) -> Result<(), Failure>;
}

enum Expected<S> {
    Reply(Vec<u8>),
    Refusal(ErrorCode),
    Stream(S),
}

/// A request without its complete reply.
pub struct Pending<S> {
    pub request: Request,
    expected: Expected<S>,
    pub parts: Vec<Reply>,
    cancelled: bool,
    /// The link's behaviour, if it has not changed since the request.
    pub behaviour: Option<Behaviour>,
}

/// Behaviours of the link: whether it takes everything at once, and whether it has room for parts.
const BEHAVIOURS: [(bool, Option<bool>); 5] = [
    (true, Some(true)),
    (true, Some(true)),
    (true, Some(false)),
    (false, Some(false)),
    (false, None),
];

pub fn run<R: Reader>(trial: &mut Trial) -> Result<(), Failure> {
    let mut link = Link::new();
    let mut weights: Option<Vec<u8>> = None;
    let mut pending: VecDeque<Pending<R::Stream>> = VecDeque::new();
    let mut silent = 0_u64;
    // First a search with many parts, undisturbed, with a link that takes everything, and one
    // without room.
    let [set, search] = R::first(&mut trial.random);
    let search = Request::new(*R::DECIDE, search);
    let set = Request::new(*R::CONFIGURE, set);
    let mut first = VecDeque::from([set, search.clone(), search]);
    let mut calm = first.len();
    while trial.cycles() < CYCLES || !pending.is_empty() {
        let more = trial.cycles() < CYCLES;
        let disturbs = more && calm == 0;
        if disturbs && trial.random.below(1_500) == 0 {
            let (ready, room) = trial.random.choice(&BEHAVIOURS);
            link.behaviour = Behaviour { ready, room };
            for entry in &mut pending {
                entry.behaviour = None;
            }
        }
        if more && pending.len() < 2 {
            let request = first.pop_front();
            let request =
                request.unwrap_or_else(|| any_request::<R>(&mut trial.random, weights.as_deref()));
            let expected = expect::<R>(&request, &mut weights);
            link.ask(request.clone());
            pending.push_back(Pending {
                request,
                expected,
                parts: Vec::new(),
                cancelled: link.cancel,
                behaviour: Some(link.behaviour),
            });
        }
        if disturbs && trial.random.below(4_000) == 0 {
            link.reset(trial)?;
            (weights, silent) = (None, 0);
            pending.clear();
            continue;
        }
        // A cancel stays until all earlier requests are answered.
        if calm == 0 && !link.cancel && trial.random.below(1_500) == 0 {
            link.cancel = true;
            pending.iter_mut().for_each(|entry| entry.cancelled = true);
        }
        link.cancel &= pending.iter().any(|entry| entry.cancelled);

        let Some(reply) = link.cycle(trial, true)? else {
            silent += 1;
            trial.never("it hangs", silent > 40_000)?;
            continue;
        };
        silent = 0;
        let Some(entry) = pending.front_mut() else {
            return trial.differs(format!("{reply:x?} to no request"));
        };
        if reply.part {
            entry.parts.push(reply);
        } else if let Some(entry) = pending.pop_front() {
            check::<R>(trial, &entry, &reply)?;
            calm = calm.saturating_sub(1);
            if calm == 1 {
                link.behaviour.room = Some(false);
                for entry in &mut pending {
                    entry.behaviour = Some(link.behaviour);
                }
            }
        }
    }
    Ok(())
}

/// A random request; the weights are those that it will find.
fn any_request<R: Reader>(random: &mut Random, weights: Option<&[u8]>) -> Request {
    let (set, get, search) = (R::CONFIGURE, R::READ_BACK, R::DECIDE);
    let trace = R::TRACING.map_or(search, |tracing| tracing.request);
    let kind = random.choice(&[set, get, search, search, search, trace, trace]);
    let payload = match kind.id {
        id if id == set.id => R::any_weights(random),
        id if id == get.id => Vec::new(),
        _ => R::any_search(random, weights),
    };
    Request::new(*kind, payload)
}

/// The expected reply, with the weights that earlier requests have set.
fn expect<R: Reader>(request: &Request, weights: &mut Option<Vec<u8>>) -> Expected<R::Stream> {
    let payload = &request.payload;
    if request.kind == R::CONFIGURE.id {
        if let Some(code) = R::refuses(payload) {
            return Expected::Refusal(code);
        }
        *weights = Some(payload.clone());
        return Expected::Reply(Vec::new());
    }
    if request.kind == R::READ_BACK.id {
        let refused = Expected::Refusal(R::UNSET);
        return weights.clone().map_or(refused, Expected::Reply);
    }
    let traced = request.kind != R::DECIDE.id;
    R::stream(payload, traced, weights.as_deref()).map_or_else(Expected::Refusal, Expected::Stream)
}

/// Checks the reply and the parts of a request.
fn check<R: Reader>(
    trial: &Trial,
    entry: &Pending<R::Stream>,
    reply: &Reply,
) -> Result<(), Failure> {
    let message = entry.request.kind;
    let numbers = entry.parts.iter().map(|part| part.message);
    let wrong = numbers.clone().find(|id| *id != message | REPLY | PART);
    trial.same("a part's number", &wrong, &None)?;
    let refused = |code: u8| vec![code, message];
    let (kind, payload) = match &entry.expected {
        Expected::Reply(payload) => (message | REPLY, payload.clone()),
        Expected::Refusal(code) => (ERROR.id, refused(code.number)),
        Expected::Stream(_) => (message | REPLY, reply.payload.clone()),
    };
    let got = (reply.message, &reply.payload);
    trial.same("the reply", &got, &(kind, &payload))?;
    match &entry.expected {
        Expected::Stream(stream) => R::check(trial, entry, stream, &reply.payload),
        _ => trial.same("parts of no stream", &numbers.count(), &0),
    }
}

/// The payload, or a failure that says what is wrong with it.
pub fn decoded<T, E: std::fmt::Debug>(trial: &Trial, read: Result<T, E>) -> Result<T, Failure> {
    read.or_else(|e| trial.differs(format!("{e:?}")))
}

impl<S> Pending<S> {
    /// Checks the number of parts in the end of a stream, and whether it may be cancelled.
    pub fn ends(&self, trial: &Trial, parts: u16, cancelled: u8) -> Result<(), Failure> {
        trial.same("parts", &parts.into(), &self.parts.len())?;
        let allowed = u8::from(self.cancelled);
        trial.never("cancelled without a cancel", cancelled > allowed)
    }

    /// Checks the cycles of a search's parts and its end; some parts have `events` of their own.
    ///
    /// Returns whether the link took each part at once, so that none was dropped.
    pub fn paced(
        &self,
        trial: &Trial,
        parts: &[u64],
        end: u64,
        events: impl Fn(u64) -> bool,
    ) -> Result<bool, Failure> {
        for (part, next) in parts.iter().zip(parts.iter().skip(1)) {
            let wrong = next - part < INTERVAL && !events(*next);
            trial.never("parts close together", wrong)?;
        }
        let Some(behaviour) = self.behaviour else {
            return Ok(false);
        };
        if behaviour.room == Some(false) {
            trial.same("parts without room", &parts.len(), &1)?;
            return Ok(false);
        }
        if !behaviour.ready || behaviour.room.is_none() {
            return Ok(false);
        }
        let ends = parts.iter().skip(1).chain([&end]);
        for (part, next) in parts.iter().zip(ends) {
            trial.never("parts far apart", next - part > INTERVAL)?;
        }
        Ok(true)
    }
}
