//! A hunt: each fault on benches and in games.

use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::path::Path;

use anyhow::bail;
use lockstep_verify::faults::{self, FaultReport, Finding, faults, hunt};

use super::Args;
use crate::commands::Outcome;
use crate::commands::interrupt::listen;
use crate::commands::options::load;
use crate::commands::output::stdout;
use crate::commands::wait::wait;
use crate::games::CliGame;

/// Exit status 1 when a fault is not found, or when a bench or game fails on the RTL as designed.
pub async fn run<G: CliGame>(args: &Args<G>, quiet: bool) -> anyhow::Result<Outcome> {
    let controllers = args.controllers.iter().map(|name| load::<G>(name));
    let controllers = controllers.collect::<anyhow::Result<Vec<_>>>()?;
    let inputs: Vec<&Path> = args.controllers.iter().map(Path::new).collect();
    args.json.check(&inputs)?;
    if let Some(unknown) = args.faults.iter().find(|name| !is_fault::<G>(name)) {
        bail!(
            "--fault {unknown}: {} has no such seeded fault; `lockstep faults` without --fault tries \
             all",
            G::NAME
        );
    }
    let stop = listen();
    let mut out = stdout(args.json.silences(quiet));
    let seed = args.seed.unwrap_or_else(draw);
    writeln!(out, "seed {seed}")?;
    write!(out, "{:<28}", "fault")?;
    if !args.no_benches {
        write!(out, "{:<46}{:<26}", "module's bench", "core's bench")?;
    }
    for controller in &controllers {
        write!(out, "{:<24}", G::name(controller))?;
    }
    writeln!(out, "what it breaks")?;

    let mut reports = Vec::new();
    let mut sound = true;
    let designed = sim::variant(G::NAME, None);
    let wanted = |v: &&sim::Variant| {
        args.faults.is_empty() || args.faults.iter().any(|name| v.fault == Some(name))
    };
    let modules = of_game::<G>().filter(wanted).flat_map(|v| v.modules);
    let all_modules: Vec<&'static str> = modules.copied().collect();
    for variant in designed.into_iter().chain(of_game::<G>().filter(wanted)) {
        let sim::Variant {
            game,
            fault,
            summary,
            modules,
            ..
        } = *variant;
        let summary = fault.map_or("nothing: the RTL as designed", |_| summary);
        let name = fault.unwrap_or("none");
        write!(out, "{name:<28}")?;
        let mut findings = Vec::new();
        if !args.no_benches {
            let all_modules = all_modules.clone();
            // On a thread of its own, so that an interrupt is heard.
            let tried = tokio::task::spawn_blocking(move || {
                let own = match fault {
                    Some(fault) => faults::share(fault, modules, seed),
                    // A bench that finds something here finds every fault.
                    None => faults::in_the_design(&all_modules, seed),
                };
                (own, faults::in_the_core(game, fault))
            });
            let (own, core) = wait(&format!("hunting {name}"), quiet, &stop, tried).await?;
            let text = own
                .as_ref()
                .map(|own| format!("{} {}", own.by, cycles(own)));
            write!(out, "{:<46}", text.unwrap_or_default())?;
            let text = core.as_ref().map(cycles);
            write!(out, "{:<26}", text.unwrap_or_default())?;
            out.flush()?;
            findings.extend(own.into_iter().chain(core));
        }
        for controller in &controllers {
            let hunted = hunt(G::backends(), fault, controller, seed, args.max_decisions);
            let finding = wait(&format!("hunting {name}"), quiet, &stop, hunted).await?;
            write!(out, "{:<24}", decisions(&finding))?;
            out.flush()?;
            findings.push(finding);
        }
        writeln!(out, "{summary}")?;
        let found = findings.iter().any(|f| f.found.is_some());
        sound &= found == fault.is_some();
        reports.push(FaultReport {
            fault: name,
            summary,
            fault_in: variant.fault_in,
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
    let share = finding.share.map(|share| format!("{share}, "));
    let share = share.unwrap_or_default();
    match &finding.found {
        Some(found) => format!("{share}cycle {} ({found})", finding.after),
        None => "not found".into(),
    }
}

/// A seed that was not used before.
fn draw() -> u64 {
    // Short enough to be typed again.
    u64::from(RandomState::new().build_hasher().finish() as u32)
}

fn decisions(finding: &Finding) -> String {
    match &finding.found {
        Some(found) => format!("decision {} ({found})", finding.after),
        None => format!("not in {}", finding.after),
    }
}
