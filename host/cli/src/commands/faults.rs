//! `lockstep faults`

use std::path::Path;

use anyhow::bail;
use lockstep_games::tetris::Controller;
use lockstep_lab::faults::{Benches, Finding, Report, faults, hunt};

use super::Outcome;
use super::interrupt::listen;
use super::numbers::number;
use super::options::load;
use super::output::{Json, stdout};
use super::wait::wait;

pub const EXAMPLES: &str = "\
Examples:
  lockstep faults
  lockstep faults --controller probe --max-decisions 3000 --json faults.json
  lockstep faults --fault top-row-lost --fault stale-run --no-benches";

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
    /// Hunt that fault only; repeat it for each
    #[arg(long = "fault", value_name = "NAME")]
    faults: Vec<String>,
    /// Only play, without the benches of the modules and of the core
    #[arg(long)]
    no_benches: bool,
    #[command(flatten)]
    json: Json,
}

/// Exit status 1 when a fault was found by nothing, or something finds one in the
/// RTL as designed.
pub async fn run(args: &Args, quiet: bool) -> anyhow::Result<Outcome> {
    let load = |name: &String| load(name);
    let controllers: Vec<Controller> = args
        .controllers
        .iter()
        .map(load)
        .collect::<Result<_, _>>()?;
    let inputs: Vec<&Path> = args.controllers.iter().map(Path::new).collect();
    args.json.check(&inputs)?;
    let Some(benches) = Benches::linked() else {
        bail!("this lockstep was built without the seeded faults; `make faults` builds it with");
    };
    if let Some(unknown) = args.faults.iter().find(|name| !is_fault(name)) {
        bail!("no seeded fault is called {unknown}; `lockstep faults` lists them");
    }
    let stop = listen();
    let mut out = stdout(args.json.silences(quiet));
    write!(out, "{:<28}", "fault")?;
    if !args.no_benches {
        write!(out, "{:<36}{:<26}", "module's bench", "core's bench")?;
    }
    for controller in &controllers {
        write!(out, "{:<24}", controller.name)?;
    }
    writeln!(out, "what it breaks")?;

    let mut reports = Vec::new();
    let mut sound = true;
    let none: (_, _, &[&str]) = (None, "nothing: the RTL as designed", &[]);
    let wanted = |v: &&sim::Variant| {
        args.faults.is_empty() || args.faults.iter().any(|name| v.fault == Some(name))
    };
    let all = faults()
        .filter(wanted)
        .map(|v| (v.fault, v.summary, v.modules));
    for (fault, summary, modules) in std::iter::once(none).chain(all) {
        let name = fault.unwrap_or("none");
        write!(out, "{name:<28}")?;
        let mut findings = Vec::new();
        if !args.no_benches {
            // On a thread of its own, so that an interrupt is heard.
            let tried = tokio::task::spawn_blocking(move || {
                let own = fault.and_then(|fault| benches.in_its_module(fault, modules));
                (own, benches.in_the_core(fault))
            });
            let (own, core) = wait(&format!("hunting {name}"), quiet, &stop, tried).await?;
            let text = own
                .as_ref()
                .map(|own| format!("{} {}", own.by, cycles(own)));
            write!(out, "{:<36}", text.unwrap_or_default())?;
            write!(out, "{:<26}", cycles(&core))?;
            out.flush()?;
            findings.extend(own.into_iter().chain([core]));
        }
        for controller in &controllers {
            let hunted = hunt(fault, controller, args.seed, args.max_decisions);
            let finding = wait(&format!("hunting {name}"), quiet, &stop, hunted).await?;
            write!(out, "{:<24}", decisions(&finding))?;
            out.flush()?;
            findings.push(finding);
        }
        writeln!(out, "{summary}")?;
        let found = findings.iter().any(|f| f.found.is_some());
        sound &= found == fault.is_some();
        reports.push(Report {
            fault: name,
            summary,
            modules,
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

fn is_fault(name: &str) -> bool {
    faults().any(|variant| variant.fault == Some(name))
}

fn cycles(finding: &Finding) -> String {
    match &finding.found {
        Some(found) => format!("cycle {} ({found})", finding.after),
        None => "not found".into(),
    }
}

fn decisions(finding: &Finding) -> String {
    match &finding.found {
        Some(found) => format!("decision {} ({found})", finding.after),
        None => format!("not in {}", finding.after),
    }
}
