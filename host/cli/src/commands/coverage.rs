//! `lockstep coverage`

use std::path::PathBuf;

use super::Outcome;

/// How much of the RTL is reached.
#[derive(clap::Args)]
pub struct Args {
    /// Seed of the games, the directed positions and the bench of the core
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Pieces of each controller's game
    #[arg(long, value_name = "N", default_value_t = 600)]
    pub pieces: usize,
    /// Runs of the bench of the whole core
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub benches: u64,
    /// Folder of the RTL's sources, those that lockstep was built from
    #[arg(long, value_name = "DIR", default_value = "rtl")]
    pub rtl: PathBuf,
    /// Folder for the report, index.html
    #[arg(long, value_name = "DIR", default_value = "out/coverage")]
    pub out: PathBuf,
    /// Also write it as a document in Markdown
    #[arg(long, value_name = "FILE")]
    pub write: Option<PathBuf>,
}

pub const EXAMPLES: &str = "\
Examples:
  lockstep coverage
  lockstep coverage --seed 7 --pieces 2000 --benches 8
  lockstep coverage --out out/coverage --write docs/coverage.md";

#[cfg(not(feature = "coverage"))]
pub async fn run(_args: &Args, _quiet: bool) -> anyhow::Result<Outcome> {
    anyhow::bail!(
        "the models of this lockstep do not count what they reach; `make coverage` builds one whose \
         models do, and runs this"
    )
}

#[cfg(feature = "coverage")]
pub async fn run(args: &Args, quiet: bool) -> anyhow::Result<Outcome> {
    use std::fs;
    use std::time::Instant;

    use anyhow::Context as _;
    use lockstep_lab::coverage::stimulus::Effort;
    use lockstep_lab::coverage::{document, measure};

    let effort = Effort {
        seed: args.seed,
        pieces: args.pieces,
        benches: args.benches,
    };
    let begin = Instant::now();
    let mut tell = |what: &str| {
        if !quiet {
            eprintln!("{:>5.0} s  {what}", begin.elapsed().as_secs_f64());
        }
    };
    let report = measure(&args.rtl, effort, &mut tell).await?;
    let text = document::markdown(&report);
    if let Some(file) = &args.write {
        fs::write(file, &text).with_context(|| format!("{}", file.display()))?;
    }
    println!("{text}");
    let failures = report.failures();
    for failure in &failures {
        eprintln!("{failure}");
    }
    Ok(match failures.is_empty() {
        true => Outcome::Agreed,
        false => Outcome::Diverged,
    })
}
