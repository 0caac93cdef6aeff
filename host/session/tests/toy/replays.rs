//! Replaying: in chunks, by several sets of backends, in shards.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use futures::future::{BoxFuture, FutureExt as _};
use lockstep::record::Ending;
use lockstep::replay::{Open, Records, Replay, size};
use lockstep::report::{Tally, Totals};
use lockstep::{Header, Listeners, Stop};
use lockstep_games::Shard;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::sync::watch;

use crate::game::{Position, TicTacToe};
use crate::records::{edited, folder, lines, open, record, recorded, write};
use crate::scripted::{Reply, Scripted};
use crate::support::{Heard, block_on, boxed, drawn, header, session};

fn at_times(position: &Position, right: Option<usize>) -> Reply {
    let wrong = position.free().len() % 4 == 1;
    Reply::Decision(if wrong { None } else { right })
}

/// Answers wrongly at some positions.
fn at_times_wrong() -> Scripted {
    Scripted::new("wrong", |_, position, right| at_times(position, right))
}

fn readers(paths: &[PathBuf]) -> Records<TicTacToe> {
    let paths = paths.to_vec();
    Records::new(paths.into_iter().map(|path| open(&path)))
}

/// Opens these backends anew for each chunk, and counts how often.
fn opening(
    backends: impl Fn() -> Vec<Scripted> + Send + Sync + 'static,
) -> (Open<TicTacToe>, Arc<AtomicUsize>) {
    let opened = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&opened);
    let open = move || -> BoxFuture<'static, _> {
        count.fetch_add(1, Ordering::SeqCst);
        let backends = boxed(backends());
        async move { Ok(backends) }.boxed()
    };
    (Box::new(open), opened)
}

async fn started(backends: Vec<Scripted>) -> Header<TicTacToe> {
    let session = session(boxed(backends), &drawn(), Stop::never()).await;
    header(&session, &drawn())
}

/// The reports of several records.
#[derive(Default)]
struct Replayed {
    totals: Totals,
    tally: Tally<TicTacToe>,
    heard: Vec<Value>,
    endings: Vec<Result<Ending, String>>,
}

impl Replayed {
    fn summary(&self) -> Value {
        json!([self.totals, self.tally, self.heard])
    }

    /// Game and move of each decision, in order.
    fn decided(&self) -> Vec<(u64, u64)> {
        let decided = self.heard.iter().filter(|e| e["event"] == "decided");
        let number = |value: &Value| value.as_u64().expect("a number");
        let place = decided.map(|e| (number(&e["game"]), number(&e["move"])));
        place.collect()
    }
}

/// Reports that many records, or fewer if one fails or a stop leaves no more results.
async fn report(replay: &mut Replay<TicTacToe>, names: Vec<Scripted>, records: usize) -> Replayed {
    let header = started(names).await;
    let mut all = Replayed::default();
    for number in 1..=records {
        all.tally.next_record(&number.to_string());
        let mut heard = Heard::default();
        let listeners = Listeners::new(&Stop::never())
            .with(&mut all.totals)
            .with(&mut all.tally);
        let mut listeners = listeners.with(&mut heard);
        let ending = replay.record(&header, &mut listeners).await;
        drop(listeners);
        let failed = ending.is_err();
        all.endings.push(ending.map_err(|error| error.to_string()));
        all.heard.extend(heard.events());
        if failed || all.totals.interrupted && !replay.is_in_progress() {
            break;
        }
    }
    all
}

/// Replays records with backends that are opened anew for each chunk.
fn with_new(
    backends: impl Fn() -> Vec<Scripted> + Clone + Send + Sync + 'static,
    paths: &[PathBuf],
    jobs: usize,
    records: Records<TicTacToe>,
) -> Replayed {
    block_on(async {
        let (open, _) = opening(backends.clone());
        let replay = Replay::with_new(open, jobs, records, Stop::never());
        report(&mut replay.expect("a thread"), backends(), paths.len()).await
    })
}

/// Replays a shard of records in chunks of three decisions.
fn replay(paths: &[PathBuf], jobs: usize, shard: Shard) -> Replayed {
    let backends = || vec![at_times_wrong(), Scripted::right("right")];
    let records = readers(paths).in_chunks_of(3).only(shard);
    with_new(backends, paths, jobs, records)
}

/// Replays one record on one session.
fn alone(path: &Path, backend: Scripted) -> Replayed {
    block_on(async {
        let session = session(vec![backend.boxed()], &drawn(), Stop::never()).await;
        let replay = Replay::with_same(session, readers(&[path.into()]));
        let names = vec![Scripted::right("a")];
        report(&mut replay.expect("a thread"), names, 1).await
    })
}

/// A folder with three records of twenty decisions each, the second one compressed.
fn three() -> (TempDir, Vec<PathBuf>) {
    let folder = folder();
    let names = ["a.jsonl", "b.jsonl.zst", "c.jsonl"];
    let paths = names.map(|name| folder.path().join(name));
    for path in &paths {
        record(path);
    }
    (folder, paths.to_vec())
}

/// The decisions before it and the reason are kept.
#[test]
fn replay_invalid_line_ends_the_record() {
    let (_folder, path) = recorded();
    write(&path, &edited(&lines(&path), 5, "*", "{}"));
    let Replayed {
        totals, endings, ..
    } = alone(&path, Scripted::right("a"));
    let error = endings[0].clone().expect_err("a broken line");
    assert!(error.contains("line 5"), "{error}");
    assert_eq!((totals.agreed, totals.error), (Some(3), Some(error)));
}

#[test]
fn replay_jobs_do_not_change_the_reports() {
    let (_folder, paths) = three();
    let one = replay(&paths, 1, Shard::ALL);
    assert_eq!((one.totals.decisions, one.totals.games), (60, 6));
    assert_eq!(one.totals.score["rows"], None, "a replay plays nothing");
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
        assert_eq!(replay(&paths, jobs, Shard::ALL).summary(), one.summary());
    }
}

#[test]
fn replay_shards_together_are_the_whole() {
    let (_folder, paths) = three();
    let whole = replay(&paths, 2, Shard::ALL);
    let counts = |all: &Totals| [all.decisions, all.games, all.compared, all.divergences()];
    for of in [2, 3, 25] {
        let mut sum = [0; 4];
        // The last first.
        for number in (1..=of).rev() {
            let part = replay(&paths, 2, Shard::new(number, of).expect("a part"));
            // Three records of seven chunks.
            assert_eq!(part.totals.decisions == 0, number > 21, "{number}/{of}");
            let part = counts(&part.totals);
            sum = std::array::from_fn(|at| sum[at] + part[at]);
        }
        assert_eq!((sum[0], sum), (60, counts(&whole.totals)), "{of}");
    }
}

#[test]
fn shard_is_read_and_written() {
    for (text, all) in [
        ("1/1", true),
        ("2/3", false),
        ("18446744073709551615/18446744073709551615", false),
    ] {
        let shard: Shard = text.parse().expect(text);
        assert_eq!((shard.to_string(), shard.is_all()), (text.to_owned(), all));
    }
    for text in [
        "", "1", "0/1", "2/1", "1/0", "/", "1/", "/1", "-1/2", "+1/2", "1/2/3", "a/b", "1 /2",
    ] {
        let refused = text.parse::<Shard>().expect_err(text);
        assert!(refused.to_string().contains("I/N"), "{refused}");
    }
}

/// It does not depend on the number of jobs.
#[test]
fn chunk_size_follows_the_decisions() {
    let sizes = [0, 1, 64, 1_025, 10_000, 1 << 20, u64::MAX].map(|n| size(Some(n)));
    assert_eq!(sizes, [64, 64, 64, 128, 640, 2_048, 2_048]);
    assert_eq!(size(None), 2_048);
}

/// Each chunk has newly opened backends.
#[test]
fn chunk_begins_with_new_backends() {
    let (_folder, paths) = three();
    // Wrong at the third request after power-up.
    let third = || {
        Scripted::new("third", |number, _, right| {
            Reply::Decision(if number == 2 { None } else { right })
        })
    };
    for jobs in [1, 3] {
        let (open, opened) = opening(move || vec![third()]);
        let replayed = block_on(async {
            let records = readers(&paths).in_chunks_of(8);
            let replay = Replay::with_new(open, jobs, records, Stop::never());
            report(&mut replay.expect("a thread"), vec![third()], 3).await
        });
        assert_eq!(opened.load(Ordering::SeqCst), 9, "chunks of 8, 8 and 4");
        let lines = replayed
            .tally
            .divergences
            .iter()
            .map(|d| (d.record, d.round.line));
        let expected = (1..=3).flat_map(|record| [4, 12, 20].map(|line| (record, Some(line))));
        assert!(lines.eq(expected), "{jobs}");
        let kinds: Vec<_> = replayed.heard.iter().map(|event| &event["event"]).collect();
        let powered = kinds.iter().filter(|kind| **kind == "powered_up").count();
        assert_eq!((powered, kinds[1].as_str()), (9, Some("powered_up")));
    }
}

/// The set that is opened first waits for `may` before it answers; `then` is called for each request to
/// another set.
fn first_waits(
    may: watch::Receiver<bool>,
    then: impl Fn() + Clone + Send + Sync + 'static,
) -> Open<TicTacToe> {
    let opened = AtomicUsize::new(0);
    Box::new(move || {
        let first = opened.fetch_add(1, Ordering::SeqCst) == 0;
        let backend = match first {
            true => at_times_wrong().waiting_for(may.clone()),
            false => {
                let then = then.clone();
                Scripted::new("wrong", move |_, position, right| {
                    then();
                    at_times(position, right)
                })
            }
        };
        async move { Ok(vec![backend.boxed()]) }.boxed()
    })
}

/// The last chunk is answered before the first one: reports are in order nevertheless, and the first
/// divergence is the first of the record.
#[test]
fn replay_reports_in_the_order_of_the_record() {
    let (_folder, path) = recorded();
    let replayed = block_on(async {
        let (let_go, may) = watch::channel(false);
        let let_go = Arc::new(let_go);
        let open = first_waits(may, move || {
            let_go.send_replace(true);
        });
        let records = readers(&[path]).in_chunks_of(10);
        let replay = Replay::with_new(open, 2, records, Stop::never());
        report(&mut replay.expect("a thread"), vec![at_times_wrong()], 1).await
    });
    let in_order = (1..=2).flat_map(|game| (1..=10).map(move |step| (game, step)));
    assert!(replayed.decided().into_iter().eq(in_order));
    let first = replayed.totals.first_divergence.expect("one");
    assert_eq!((first.game, first.step), (1, 1));
    assert_eq!(replayed.tally.divergences[0].round.line, Some(2));
}

/// Two records of two chunks each. The first chunk is never answered; after two others a stop is
/// requested.
fn interrupted(gapless: bool) -> Replayed {
    let (_folder, paths) = three();
    block_on(async {
        let (stopper, stop) = Stop::new();
        // The first one waits for ever.
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
        replay.gapless = gapless;
        report(&mut replay, vec![at_times_wrong()], 2).await
    })
}

/// Decisions of later chunks and of a later record are reported, too.
#[test]
fn replay_interrupt_keeps_decisions() {
    let replayed = interrupted(false);
    assert!(replayed.totals.interrupted);
    let decided = replayed.decided();
    let second = (1..=10).map(|step| (2, step));
    let other = (1..=10).map(|step| (1, step));
    assert!(
        decided.iter().copied().eq(second.chain(other)),
        "{decided:?}"
    );
    let unread = |ending: &Result<Ending, String>| *ending == Ok(Ending::Unread);
    assert!(replayed.endings.iter().all(unread));
    let diverged = replayed.totals.diverged.expect("compared");
    assert_eq!(replayed.tally.diverged(), diverged);
}

/// As for a recorded replay: a record has no gaps.
#[test]
fn replay_interrupt_without_gaps_keeps_the_beginning() {
    let replayed = interrupted(true);
    assert!(replayed.totals.interrupted);
    assert_eq!(replayed.decided(), [], "the first chunk has no answer");
}

#[test]
fn replay_backend_fails_ends_it_there() {
    let (_folder, paths) = three();
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
        let records = readers(&paths).in_chunks_of(9);
        let replayed = with_new(move || vec![fails()], &paths, jobs, records);
        let error = replayed.endings[0].as_ref().expect_err("it failed");
        assert!(error.contains("fails"), "{error}");
        assert_eq!(replayed.totals.error.as_ref(), Some(error));
        assert_eq!(
            (replayed.totals.decisions, replayed.endings.len()),
            (9, 1),
            "{jobs}"
        );
    }
}

#[test]
fn replay_missing_record_is_reported_in_its_turn() {
    let (_folder, mut paths) = three();
    std::fs::remove_file(&paths[1]).expect("removed");
    paths.remove(2);
    let replayed = replay(&paths, 3, Shard::ALL);
    assert_eq!(replayed.endings[0], Ok(Ending::Complete));
    let error = replayed.endings[1].as_ref().expect_err("missing");
    assert!(error.contains("b.jsonl.zst"), "{error}");
    assert_eq!(replayed.totals.decisions, 20);
}

/// A board works on all chunks and can be used afterwards.
#[test]
fn replay_same_backends_work_on_all_chunks() {
    let (_folder, paths) = three();
    let board = at_times_wrong().with_link();
    let (asked, configured) = (board.asked(), board.configured());
    let (replayed, session) = block_on(async {
        let session = session(vec![board.boxed()], &drawn(), Stop::never()).await;
        let records = readers(&paths).in_chunks_of(3);
        let mut replay = Replay::with_same(session, records).expect("a thread");
        let replayed = report(&mut replay, vec![at_times_wrong()], 3).await;
        (replayed, replay.finish().await)
    });
    assert_eq!(asked.load(Ordering::SeqCst), 60);
    // Once for each record, not for each chunk.
    assert_eq!(configured.load(Ordering::SeqCst), 1 + 3);
    // Its link counts from when it was opened.
    let link = replayed.totals.backends[0]
        .link
        .as_ref()
        .expect("it has one");
    assert_eq!(link.counts.requests, 60);
    assert_eq!(session.expect("it was lent").identities()[0].name, "wrong");
    assert!(
        replayed
            .heard
            .iter()
            .all(|event| event["event"] != "powered_up")
    );
    let in_order = (1..=3).flat_map(|_| (1..=2).flat_map(|game| (1..=10).map(move |n| (game, n))));
    assert!(replayed.decided().into_iter().eq(in_order));
}
