//! `lockstep work`

use std::io::{self, BufRead as _, BufReader, Write as _};
use std::net::TcpStream;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, anyhow, bail};
use lockstep::Stop;
use lockstep_games::tetris::Tetris;
use lockstep_lab::threads::{MAX_THREADS, cores};
use lockstep_lab::train::evaluator::Job;
use lockstep_lab::train::tetris::Games;

use super::train::workers::{Answer, Greeting, prepare};
use crate::games::options::GameName;
use crate::input::numbers::number;
use crate::output::Outcome;
use crate::run::interrupt::listen;
use crate::version;

/// Time by which the training run may start later than its worker.
const START_TIMEOUT: Duration = Duration::from_secs(30);
const RETRY_INTERVAL: Duration = Duration::from_millis(500);

/// Plays games for `lockstep train --workers` on another machine, until it ends.
#[derive(clap::Args)]
#[command(after_help = "\
  lockstep work trainer:7100
  lockstep work trainer:7100 --threads 8")]
pub struct Args {
    /// Where `lockstep train --workers` listens
    #[arg(value_name = "HOST:PORT")]
    training: String,
    /// Threads that play [default: one for each CPU]
    #[arg(long, value_name = "N", value_parser = number::<usize>(1..=MAX_THREADS as u64))]
    threads: Option<usize>,
    #[command(flatten)]
    game: GameName<Tetris>,
}

pub async fn run(args: &Args) -> anyhow::Result<Outcome> {
    let stop = listen();
    let threads = args.threads.unwrap_or_else(cores);
    let workers: Vec<_> = (0..threads)
        .map(|_| {
            let (training, stop) = (args.training.clone(), stop.clone());
            tokio::task::spawn_blocking(move || {
                work(&training, &stop).with_context(|| format!("training {training}"))
            })
        })
        .collect();
    for worker in workers {
        tokio::select! {
            biased;
            () = stop.wait() => return Ok(Outcome::Interrupted),
            ended = worker => ended??,
        }
    }
    Ok(Outcome::Agreed)
}

fn work(training: &str, stop: &Stop) -> anyhow::Result<()> {
    let mut stream = connect(training, stop)?;
    prepare(&stream)?;
    let mut lines = BufReader::new(stream.try_clone()?);
    let mut line = String::new();
    lines.read_line(&mut line)?;
    let greeting: Greeting = serde_json::from_str(&line)
        .map_err(|_| anyhow!("`lockstep train` does not listen there; check the address"))?;
    if greeting.lockstep != version::SHORT {
        bail!(
            "it runs lockstep {}, this worker is {}; use the same version",
            greeting.lockstep,
            version::SHORT
        );
    }
    let games = Games::new(&greeting.settings)?;
    let stopped = || stop.requested();
    loop {
        line.clear();
        // A training run that is over closes the connection.
        if !lines.read_line(&mut line).is_ok_and(|length| length > 0) {
            return Ok(());
        }
        let job: Job = serde_json::from_str(&line)?;
        let played = job.play(
            &|weights, game, stop| games.evaluate(weights, game, stop),
            &stopped,
        );
        let Some(played) = played else { return Ok(()) };
        let mut answer = serde_json::to_vec(&Answer { id: job.id, played })?;
        answer.push(b'\n');
        if stream.write_all(&answer).is_err() {
            return Ok(());
        }
    }
}

/// Connects; waits a while for a training run that has yet to start.
fn connect(training: &str, stop: &Stop) -> anyhow::Result<TcpStream> {
    let begun = Instant::now();
    loop {
        match TcpStream::connect(training) {
            Err(why) if why.kind() == io::ErrorKind::ConnectionRefused => {
                if begun.elapsed() > START_TIMEOUT || stop.requested() {
                    bail!("nothing listens there; start it with `lockstep train --workers`");
                }
                thread::sleep(RETRY_INTERVAL);
            }
            connected => return Ok(connected?),
        }
    }
}
