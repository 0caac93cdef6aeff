//! `lockstep faults`

use std::path::Path;

use anyhow::bail;
use lockstep_games::tetris::Controller;
use lockstep_lab::faults::{Finding, Report, faults, hunt};

use super::Outcome;
use super::interrupt::listen;
use super::numbers::number;
use super::options::load;
use super::output::{Json, stdout};
use super::wait::wait;

pub const EXAMPLES: &str = "\
Examples:
  lockstep faults
  lockstep faults --controller probe --max-decisions 3000 --json faults.json";

#[derive(clap::Args)]
pub struct Args {
    /// A controller to play with; repeat it for each
    #[arg(long = "controller", value_name = "NAME", default_values = ["probe", "dt-20"])]
    controllers: Vec<String>,
    /// Decisions after which a fault counts as not found
    #[arg(long, value_name = "N", default_value_t = 5000, value_parser = number::<u64>(1..=u64::MAX))]
    max_decisions: u64,
    /// Seed of the pieces
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1,
        value_parser = number::<u64>(0..=u64::MAX)
    )]
    seed: u64,
    #[command(flatten)]
    json: Json,
}

/// Exit status 1 when a fault was found by no controller, or the RTL without
/// any fault differs from the golden model.
pub async fn run(args: &Args, quiet: bool) -> anyhow::Result<Outcome> {
    let load = |name: &String| load(name);
    let controllers: Vec<Controller> = args
        .controllers
        .iter()
        .map(load)
        .collect::<Result<_, _>>()?;
    let inputs: Vec<&Path> = args.controllers.iter().map(Path::new).collect();
    args.json.check(&inputs)?;
    if faults().next().is_none() {
        bail!("this lockstep was built without the seeded faults; `make faults` builds it with");
    }
    let stop = listen();
    let mut out = stdout(args.json.silences(quiet));
    write!(out, "{:<28}", "fault")?;
    for controller in &controllers {
        write!(out, "{:<30}", controller.name)?;
    }
    writeln!(out, "what it breaks")?;

    let mut reports = Vec::new();
    let mut sound = true;
    let none = (None, "nothing: the RTL as designed");
    let all = faults().map(|v| (v.fault, v.summary));
    for (fault, summary) in std::iter::once(none).chain(all) {
        let name = fault.unwrap_or("none");
        write!(out, "{name:<28}")?;
        let mut findings = Vec::new();
        for controller in &controllers {
            let hunted = hunt(fault, controller, args.seed, args.max_decisions);
            let finding = wait(&format!("hunting {name}"), quiet, &stop, hunted).await?;
            write!(out, "{:<30}", describe(&finding))?;
            out.flush()?;
            findings.push(finding);
        }
        writeln!(out, "{summary}")?;
        let found = findings.iter().any(|f| f.field.is_some());
        sound &= found == fault.is_some();
        reports.push(Report {
            fault: name,
            summary,
            findings,
        });
    }
    args.json.write(&reports)?;
    Ok(if sound {
        Outcome::Agreed
    } else {
        Outcome::Diverged
    })
}

fn describe(finding: &Finding) -> String {
    match finding.field {
        Some(field) => format!("decision {} ({field})", finding.decisions),
        None => format!("not in {}", finding.decisions),
    }
}
