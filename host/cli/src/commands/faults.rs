//! `lockstep faults`

use std::path::Path;

use anyhow::bail;
use lockstep_lab::faults::{Benches, Finding, Report, faults};

use super::Outcome;
use super::interrupt::listen;
use super::numbers::number;
use super::options::{GameName, load};
use super::output::{Json, stdout};
use super::wait::wait;
use crate::games::CliGame;

#[derive(clap::Args)]
pub struct Args<G: CliGame> {
    /// A controller to play with; repeat it for each
    #[arg(long = "controller", value_name = "NAME", default_values = G::HUNTERS)]
    controllers: Vec<String>,
    /// Decisions after which a fault counts as not found
    #[arg(long, value_name = "N", default_value_t = 5000, value_parser = number::<u64>(1..=u64::MAX))]
    max_decisions: u64,
    /// Seed of the games
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
    game: GameName<G>,
    #[command(flatten)]
    json: Json,
}

/// Exit status 1 when a fault was found by nothing, or something finds one in the
/// RTL as designed.
pub async fn run<G: CliGame>(args: &Args<G>, quiet: bool) -> anyhow::Result<Outcome> {
    let controllers = args.controllers.iter().map(|name| load::<G>(name));
    let controllers = controllers.collect::<anyhow::Result<Vec<_>>>()?;
    let inputs: Vec<&Path> = args.controllers.iter().map(Path::new).collect();
    args.json.check(&inputs)?;
    let Some(benches) = Benches::linked() else {
        bail!("this lockstep was built without the seeded faults; `make faults` builds it with");
    };
    if let Some(unknown) = args.faults.iter().find(|name| !is_fault::<G>(name)) {
        bail!("no seeded fault is called {unknown}; `lockstep faults` lists them");
    }
    let stop = listen();
    let mut out = stdout(args.json.silences(quiet));
    write!(out, "{:<28}", "fault")?;
    if !args.no_benches {
        write!(out, "{:<36}{:<26}", "module's bench", "core's bench")?;
    }
    for controller in &controllers {
        write!(out, "{:<24}", G::name(controller))?;
    }
    writeln!(out, "what it breaks")?;

    let mut reports = Vec::new();
    let mut sound = true;
    let none: (_, _, &[&str]) = (None, "nothing: the RTL as designed", &[]);
    let wanted = |v: &&sim::Variant| {
        args.faults.is_empty() || args.faults.iter().any(|name| v.fault == Some(name))
    };
    let all = of_game::<G>()
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
            let hunted = G::hunt(fault, controller, args.seed, args.max_decisions);
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

/// The seeded faults of a game's core.
fn of_game<G: CliGame>() -> impl Iterator<Item = &'static sim::Variant> {
    faults().filter(|variant| variant.game == G::NAME)
}

fn is_fault<G: CliGame>(name: &str) -> bool {
    of_game::<G>().any(|variant| variant.fault == Some(name))
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
