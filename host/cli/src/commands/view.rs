//! `lockstep view`

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use anyhow::{anyhow, bail};
use lockstep::record::{Ending, Reader};
use lockstep::replay::RecordComparison;
use lockstep::replay::comparison::labels;
use lockstep::{Header, Listeners};

use crate::commands::replay::report_cut;
use crate::games::CliGame;
use crate::output::failure::shown;
use crate::output::{DECISIONS, Outcome, count};
use crate::run::wait::Run;
use crate::session::heard::{Heard, Listener, lock};
use crate::session::web::{Address, Web, announce};

/// Maximum number of decisions that are kept: they are in memory.
const KEPT: usize = 100_000;

#[derive(clap::Args)]
#[command(after_help = "\
  lockstep view games.jsonl
  lockstep view games.jsonl.zst --listen 9000")]
pub struct Args {
    /// The record
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Serve at HOST:PORT, or at a port on this machine alone (0: any free one)
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:8080")]
    listen: Address,
}

/// Serves until a signal ends it, with exit status 0.
pub async fn run<G: CliGame>(args: &Args, quiet: bool) -> anyhow::Result<Outcome> {
    let run = Run::start(quiet);
    let listener = args.listen.bind();
    let listener = listener.map_err(|why| anyhow!("--listen {why}"))?;
    let heard = Arc::new(Mutex::new(Heard::keeping(KEPT)));
    read::<G>(args, &heard, &run).await?;
    if !quiet {
        announce(&listener)?;
    }
    let title = labels(&[&args.file]).concat();
    let _web = Web::start(listener, shown(&title), true, heard)?;
    run.stop.wait().await;
    Ok(Outcome::Agreed)
}

/// Reads the decisions of the record.
async fn read<G: CliGame>(
    args: &Args,
    heard: &Arc<Mutex<Heard<G>>>,
    run: &Run,
) -> anyhow::Result<()> {
    let path = args.file.as_path();
    let reader = Reader::<G>::open(path, &run.stop)?;
    let head = reader.head().clone();
    let mut comparison = RecordComparison::new(vec![(labels(&[path]).concat(), reader)]);
    let identities = comparison.identities();
    let header = Header {
        seats: head.seated(identities.len()),
        ..Header::new(identities, head.controller)
    };
    let mut listener = Listener(Arc::clone(heard));
    let mut listeners = Listeners::new(&run.stop).with(&mut listener);
    let read = comparison.compare(&header, &mut listeners);
    run.wait("reading the record", read).await?;
    let mut heard = lock(heard);
    heard.end();
    if let (Some(Ending::Cut { line }), false) = (comparison.endings().first(), run.quiet) {
        let whole = count(heard.decisions, DECISIONS);
        report_cut(path, *line, &format!("; {whole} are shown"));
    }
    if heard.decisions == 0 {
        let file = path.display();
        bail!("record {file} holds no decisions: there is nothing to show");
    }
    if heard.first() > 1 && !run.quiet {
        let (kept, before) = (count(KEPT as u64, DECISIONS), heard.first() - 1);
        anstream::eprintln!(
            "warning: only the last {kept} are shown; `lockstep record cut` makes a record of the \
             {before} before them"
        );
    }
    Ok(())
}
