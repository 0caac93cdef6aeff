//! Replaying: in chunks, by several sets of backends, in parts.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use futures::future::{BoxFuture, FutureExt as _};
use lockstep::backend::Observer;
use lockstep::backend::wire::LinkReport;
use lockstep::record::{Ending, Reader};
use lockstep::replay::{Open, Records, Replay, Share, size};
use lockstep::report::{Tally, Totals};
use lockstep::{Answer, Backend, BackendError, Header, Identity, Listeners, Stop};
use lockstep_games::Trace;
use protocol::payload::link::Stats;
use serde_json::{Value, json};
use tokio::sync::watch;

use crate::game::{Controller, Position, TicTacToe};
use crate::records::{folder, record};
use crate::scripted::{Reply, Scripted};
use crate::support::{Heard, block_on, drawn, header, session};

/// Whose answers hang on the cells that are free, so that some are wrong.
fn at_times_wrong() -> Scripted {
    Scripted::new("wrong", |_, position, right| {
        let wrong = position.free().len() % 4 == 1;
        Reply::Decision(if wrong { None } else { right })
    })
}

pub fn readers(paths: &[PathBuf]) -> Records<TicTacToe> {
    let paths = paths.to_vec();
    Records::new(paths.into_iter().map(|path| Reader::open(&path)))
}

/// Opens these anew for each chunk; counts how often.
pub fn opening(
    backends: impl Fn() -> Vec<Scripted> + Send + Sync + 'static,
) -> (Open<TicTacToe>, Arc<AtomicUsize>) {
    let opened = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&opened);
    let open = move || -> BoxFuture<'static, _> {
        count.fetch_add(1, Ordering::SeqCst);
        let backends = backends().into_iter().map(Scripted::boxed).collect();
        async move { Ok(backends) }.boxed()
    };
    (Box::new(open), opened)
}

pub async fn told(backends: Vec<Scripted>) -> Header<TicTacToe> {
    let backends = backends.into_iter().map(Scripted::boxed).collect();
    header(&session(backends, &drawn(), Stop::never()).await, &drawn())
}

/// What is told of some records.
#[derive(Default)]
struct Told {
    totals: Totals,
    tally: Tally<TicTacToe>,
    heard: Vec<Value>,
    endings: Vec<Result<Ending, String>>,
}

impl Told {
    fn summary(&self) -> Value {
        json!([self.totals, self.tally, self.heard])
    }

    /// Game, move of each decision, in the order they were told.
    fn decided(&self) -> Vec<(u64, u64)> {
        let decided = self.heard.iter().filter(|e| e["event"] == "decided");
        let number = |value: &Value| value.as_u64().expect("a number");
        let place = decided.map(|e| (number(&e["game"]), number(&e["move"])));
        place.collect()
    }
}

/// Tells of so many records, or up to the first that fails or is stopped with nothing behind.
async fn tell(replay: &mut Replay<TicTacToe>, names: Vec<Scripted>, records: usize) -> Told {
    let header = told(names).await;
    let mut told = Told::default();
    for number in 1..=records {
        let mut totals = Totals::default();
        let mut tally = Tally::of_record(number, &number.to_string());
        let mut heard = Heard::default();
        let mut listeners = Listeners::new()
            .with(&mut totals)
            .with(&mut tally)
            .with(&mut heard);
        let ending = replay.record(&header, &mut listeners).await;
        drop(listeners);
        let failed = ending.is_err();
        told.endings.push(ending.map_err(|error| error.to_string()));
        told.totals.merge(totals);
        told.tally.merge(tally);
        told.heard.extend(heard.events());
        if failed || told.totals.interrupted && !replay.is_under_way() {
            break;
        }
    }
    told
}

/// Replays records with so many jobs, a part of them.
fn replay(paths: &[PathBuf], jobs: usize, share: Share) -> Told {
    block_on(async {
        let (open, _) = opening(|| vec![at_times_wrong(), Scripted::right("right")]);
        let records = readers(paths).in_chunks_of(3).only(share);
        let replay = Replay::with_new(open, jobs, records, Stop::never());
        let mut replay = replay.expect("a thread");
        let names = vec![at_times_wrong(), Scripted::right("right")];
        tell(&mut replay, names, paths.len()).await
    })
}

/// Three records of twenty decisions each, the second one compressed.
fn three(folder: &Path) -> Vec<PathBuf> {
    let names = ["a.jsonl", "b.jsonl.zst", "c.jsonl"];
    let paths = names.map(|name| folder.join(name));
    for path in &paths {
        record(path);
    }
    paths.to_vec()
}

#[test]
fn what_is_told_does_not_depend_on_how_many_work_on_it() {
    let folder = folder();
    let paths = three(folder.path());
    let one = replay(&paths, 1, Share::ALL);
    assert_eq!((one.totals.decisions, one.totals.games), (60, 6));
    let diverged = one.totals.diverged.expect("compared");
    assert!(diverged > 6, "{diverged}");
    assert_eq!(one.tally.diverged(), diverged);
    assert_eq!(one.endings, vec![Ok(Ending::Complete); 3]);
    let first = &one.tally.divergences[0];
    assert_eq!((first.record, first.file.as_deref()), (1, Some("1")));
    assert_eq!(first.round.line, Some(2));
    let pair = one.tally.pair("wrong", "right").expect("compared");
    assert_eq!(pair.all.diverged(), diverged);
    for jobs in [2, 4, 60] {
        assert_eq!(replay(&paths, jobs, Share::ALL).summary(), one.summary());
    }
}

#[test]
fn all_parts_together_are_the_whole() {
    let folder = folder();
    let paths = three(folder.path());
    let whole = replay(&paths, 2, Share::ALL);
    for of in [2, 3, 25] {
        let mut sum = Told::default();
        // The last first.
        for number in (1..=of).rev() {
            let part = replay(&paths, 2, Share::new(number, of).expect("a part"));
            // Three records of seven chunks.
            assert_eq!(part.totals.decisions == 0, number > 21, "{number}/{of}");
            sum.totals.merge(part.totals);
            sum.tally.merge(part.tally);
        }
        assert_eq!(sum.totals.decisions, 60);
        assert_eq!(sum.totals.games, whole.totals.games);
        assert_eq!(json!(sum.tally), json!(whole.tally), "{of}");
    }
}

#[test]
fn a_part_is_named_by_its_number_and_how_many_there_are() {
    for (text, all) in [
        ("1/1", true),
        ("2/3", false),
        ("18446744073709551615/18446744073709551615", false),
    ] {
        let share: Share = text.parse().expect(text);
        assert_eq!((share.to_string(), share.is_all()), (text.to_owned(), all));
    }
    for text in [
        "", "1", "0/1", "2/1", "1/0", "/", "1/", "/1", "-1/2", "+1/2", "1/2/3", "a/b", "1 /2",
    ] {
        let refused = text.parse::<Share>().expect_err(text);
        assert!(refused.to_string().contains("I/N"), "{refused}");
    }
}

/// Not by how many jobs there are, so that any number asks the same.
#[test]
fn a_chunk_is_as_long_as_the_records_are() {
    let sizes = [0, 1, 64, 1_025, 10_000, 1 << 20, u64::MAX].map(|n| size(Some(n)));
    assert_eq!(sizes, [64, 64, 64, 128, 640, 2_048, 2_048]);
    assert_eq!(size(None), 2_048);
}

/// Each chunk has backends that were asked nothing before.
#[test]
fn a_chunk_begins_with_new_backends() {
    let folder = folder();
    let paths = three(folder.path());
    // Wrong at the third question from power-up on.
    let third = || {
        Scripted::new("third", |number, _, right| {
            Reply::Decision(if number == 2 { None } else { right })
        })
    };
    for jobs in [1, 3] {
        let (open, opened) = opening(move || vec![third()]);
        let told = block_on(async {
            let records = readers(&paths).in_chunks_of(8);
            let replay = Replay::with_new(open, jobs, records, Stop::never());
            tell(&mut replay.expect("a thread"), vec![third()], 3).await
        });
        assert_eq!(opened.load(Ordering::SeqCst), 9, "chunks of 8, 8 and 4");
        let lines = told
            .tally
            .divergences
            .iter()
            .map(|d| (d.record, d.round.line));
        let expected = (1..=3).flat_map(|record| [4, 12, 20].map(|line| (record, Some(line))));
        assert!(lines.eq(expected), "{jobs}");
        let kinds: Vec<_> = told.heard.iter().map(|event| &event["event"]).collect();
        let powered = kinds.iter().filter(|kind| **kind == "powered_up").count();
        assert_eq!((powered, kinds[1].as_str()), (9, Some("powered_up")));
    }
}

/// One that waits before it answers, until it may.
struct Waits(Scripted, watch::Receiver<bool>);

impl Backend<TicTacToe> for Waits {
    fn identity(&self) -> &Identity {
        self.0.identity()
    }

    fn configure<'a>(
        &'a mut self,
        controller: &'a Controller,
    ) -> BoxFuture<'a, Result<(), BackendError>> {
        self.0.configure(controller)
    }

    fn search<'a>(
        &'a mut self,
        positions: &'a [Position],
        _: Observer<TicTacToe>,
    ) -> BoxFuture<'a, Result<Vec<Answer<TicTacToe>>, BackendError>> {
        async move {
            let may = self.1.wait_for(|may| *may).await.is_ok();
            assert!(may, "whoever says so is there");
            self.0.decide(positions).await
        }
        .boxed()
    }

    fn trace<'a>(
        &'a mut self,
        positions: &'a [Position],
    ) -> BoxFuture<'a, Result<Vec<Trace<TicTacToe>>, BackendError>> {
        self.0.trace(positions)
    }

    fn stats(&mut self) -> BoxFuture<'_, Result<Option<Stats>, BackendError>> {
        self.0.stats()
    }

    fn link(&self) -> Option<LinkReport> {
        self.0.link()
    }
}

/// The set that is opened first answers only when told so; `then` is called when another one
/// has been asked.
fn first_waits(
    may: watch::Receiver<bool>,
    then: impl Fn() + Clone + Send + Sync + 'static,
) -> Open<TicTacToe> {
    let opened = AtomicUsize::new(0);
    Box::new(move || {
        let first = opened.fetch_add(1, Ordering::SeqCst) == 0;
        let backend: Box<dyn Backend<TicTacToe>> = match first {
            true => Box::new(Waits(at_times_wrong(), may.clone())),
            false => {
                let then = then.clone();
                Box::new(Scripted::new("wrong", move |_, position, right| {
                    then();
                    let wrong = position.free().len() % 4 == 1;
                    Reply::Decision(if wrong { None } else { right })
                }))
            }
        };
        async move { Ok(vec![backend]) }.boxed()
    })
}

/// The last chunk is answered before the first one: what is told is in order all the same, and
/// the first divergence is the first of the record.
#[test]
fn what_is_known_sooner_is_told_in_its_turn() {
    let folder = folder();
    let path = folder.path().join("games.jsonl");
    record(&path);
    let told = block_on(async {
        let (let_go, may) = watch::channel(false);
        let let_go = Arc::new(let_go);
        let open = first_waits(may, move || {
            let_go.send_replace(true);
        });
        let records = readers(&[path]).in_chunks_of(10);
        let replay = Replay::with_new(open, 2, records, Stop::never());
        tell(&mut replay.expect("a thread"), vec![at_times_wrong()], 1).await
    });
    let in_order = (1..=2).flat_map(|game| (1..=10).map(move |step| (game, step)));
    assert!(told.decided().into_iter().eq(in_order));
    let first = told.totals.first_divergence.expect("one");
    assert_eq!((first.game, first.step), (1, 1));
    assert_eq!(told.tally.divergences[0].round.line, Some(2));
}

/// Two records of two chunks each. The first one is never answered; when two others are, the user
/// wants no more.
fn interrupted(gapless: bool) -> Told {
    let folder = folder();
    let paths = three(folder.path());
    block_on(async {
        let (stopper, stop) = Stop::new();
        // Nobody ever lets the first one go on.
        let (_let_go, may) = watch::channel(false);
        let asked = AtomicUsize::new(0);
        let asked = Arc::new(asked);
        let stopper = Arc::new(stopper);
        let open = first_waits(may, move || {
            if asked.fetch_add(1, Ordering::SeqCst) == 14 {
                stopper.stop();
            }
        });
        let records = readers(&paths[..2]).in_chunks_of(10);
        let replay = Replay::with_new(open, 2, records, stop);
        let mut replay = replay.expect("a thread");
        if gapless {
            replay = replay.without_gaps();
        }
        tell(&mut replay, vec![at_times_wrong()], 2).await
    })
}

/// What others had decided when it was stopped is told, too, and of a later record as well.
#[test]
fn what_was_decided_before_an_interrupt_is_kept() {
    let told = interrupted(false);
    assert!(told.totals.interrupted);
    let decided = told.decided();
    let second = (1..=10).map(|step| (2, step));
    let other = (1..=10).map(|step| (1, step));
    assert!(
        decided.iter().copied().eq(second.chain(other)),
        "{decided:?}"
    );
    let unread = |ending: &Result<Ending, String>| *ending == Ok(Ending::Unread);
    assert!(told.endings.iter().all(unread));
    let diverged = told.totals.diverged.expect("compared");
    assert_eq!(told.tally.diverged(), diverged);
}

/// As where what is told is recorded: a record has no holes.
#[test]
fn where_no_gap_is_wanted_only_the_beginning_is_kept() {
    let told = interrupted(true);
    assert!(told.totals.interrupted);
    assert_eq!(told.decided(), [], "the first was not asked");
}

#[test]
fn one_that_fails_ends_it_where_it_failed() {
    let folder = folder();
    let paths = three(folder.path());
    let fails = || {
        Scripted::new("fails", |_, position, right| {
            let last = position.free().is_empty();
            if last {
                Reply::Failure
            } else {
                Reply::Decision(right)
            }
        })
    };
    for jobs in [1, 4] {
        let (open, _) = opening(move || vec![fails()]);
        let told = block_on(async {
            let records = readers(&paths).in_chunks_of(9);
            let replay = Replay::with_new(open, jobs, records, Stop::never());
            tell(&mut replay.expect("a thread"), vec![fails()], 3).await
        });
        let error = told.endings[0].as_ref().expect_err("it failed");
        assert!(error.contains("fails"), "{error}");
        assert_eq!(told.totals.error.as_ref(), Some(error));
        assert_eq!(
            (told.totals.decisions, told.endings.len()),
            (9, 1),
            "{jobs}"
        );
    }
}

#[test]
fn a_record_that_cannot_be_opened_is_told_in_its_turn() {
    let folder = folder();
    let mut paths = three(folder.path());
    std::fs::remove_file(&paths[1]).expect("removed");
    paths.remove(2);
    let told = replay(&paths, 3, Share::ALL);
    assert_eq!(told.endings[0], Ok(Ending::Complete));
    let error = told.endings[1].as_ref().expect_err("missing");
    assert!(error.contains("b.jsonl.zst"), "{error}");
    assert_eq!(told.totals.decisions, 20);
}

/// A board is asked all of it and can be used afterwards.
#[test]
fn who_can_be_opened_but_once_goes_on_from_chunk_to_chunk() {
    let folder = folder();
    let paths = three(folder.path());
    let board = at_times_wrong().with_link();
    let (asked, configured) = (board.asked(), board.configured());
    let (told, session) = block_on(async {
        let session = session(vec![board.boxed()], &drawn(), Stop::never()).await;
        let records = readers(&paths).in_chunks_of(3);
        let mut replay = Replay::with_same(session, records).expect("a thread");
        let told = tell(&mut replay, vec![at_times_wrong()], 3).await;
        (told, replay.finish().await)
    });
    assert_eq!(asked.load(Ordering::SeqCst), 60);
    // For each record anew, and not for each chunk of it.
    assert_eq!(configured.load(Ordering::SeqCst), 1 + 3);
    // Its link counts from when it was opened.
    let link = told.totals.backends[0].link.as_ref().expect("it has one");
    assert_eq!(link.counts.requests, 60);
    assert_eq!(session.expect("it was lent").identities()[0].name, "wrong");
    assert!(
        told.heard
            .iter()
            .all(|event| event["event"] != "powered_up")
    );
    let in_order = (1..=3).flat_map(|_| (1..=2).flat_map(|game| (1..=10).map(move |n| (game, n))));
    assert!(told.decided().into_iter().eq(in_order));
}
