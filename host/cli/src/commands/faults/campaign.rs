//! The campaign of seeded faults: benches and games for each fault.

use std::collections::BTreeMap;
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::io::{self, Write};
use std::path::Path;

use lockstep_games::Shard;
use lockstep_lab::journal::{Journal, JournalKind};
use lockstep_verify::faults::{self, FaultReport, Finding, in_games};
use serde::{Deserialize, Serialize};
use serde_json::{Map, json};

use super::Args;
use crate::games::CliGame;
use crate::games::options::named;
use crate::input::shards;
use crate::output::failure::is_interrupt;
use crate::output::files::check_kept;
use crate::output::{Outcome, stdout};
use crate::run::wait::Run;
use crate::session::faults::{check, faults as of_game};

/// Tries every fault and reports what finds it.
///
/// The exit status is 1 if a fault is not found, or a bench or game fails on the RTL as designed.
pub async fn run<G: CliGame>(args: &Args<G>, quiet: bool) -> anyhow::Result<Outcome> {
    let controllers = args.controllers.iter().map(|name| named::<G>(name));
    let controllers = controllers.collect::<anyhow::Result<Vec<_>>>()?;
    let inputs: Vec<&Path> = args.controllers.iter().map(Path::new).collect();
    args.json.check(&inputs)?;
    let state = args.state.as_deref().map(|state| ("--state", state));
    check_kept(state.as_slice(), args.json.file(), None)?;
    args.faults.iter().try_for_each(|name| check::<G>(name))?;
    let silent = args.json.silences(quiet);
    let mut out = stdout(silent);
    if args.list {
        for (name, variant) in of_game::<G>() {
            writeln!(out, "  {name:<34}{}", variant.summary)?;
        }
        return Ok(Outcome::Agreed);
    }
    let run = Run::start(silent);
    let seed = args.seed.unwrap_or_else(draw);
    writeln!(out, "seed {seed}")?;

    let is_named = |name| args.faults.iter().any(|other| other == name);
    // Faults of the link are tried with one game's core, unless they are named.
    let firsts: Vec<_> = faults::faults().collect();
    let is_first = |variant| firsts.iter().any(|first| std::ptr::eq(*first, variant));
    let faulty = of_game::<G>().filter(|(name, variant)| match args.faults.is_empty() {
        true => is_first(*variant),
        false => is_named(*name),
    });
    let variants: Vec<_> = sim::variant(G::NAME, None)
        .into_iter()
        .chain(faulty.map(|(_, variant)| variant))
        .collect();
    let (mut journal, known) = args.open(&controllers, &variants)?.unzip();
    let known = known.unwrap_or_default();
    let mut campaign = Campaign {
        args,
        controllers,
        seed,
        modules: variants.iter().flat_map(|v| v.modules).copied().collect(),
        run,
    };
    let mut reports = Vec::new();
    let mut outcome = Ok(Outcome::Agreed);
    let shard = args.shard.unwrap_or(Shard::ALL);
    let numbered = (0..)
        .zip(variants)
        .filter(|(number, _)| shard.holds(*number));
    for (number, variant) in numbered {
        let mut report = FaultReport {
            fault: variant.fault.unwrap_or("none"),
            summary: match variant.fault {
                Some(_) => variant.summary,
                None => "nothing: the RTL as designed",
            },
            fault_in: variant.fault_in,
            modules: variant.modules,
            findings: Vec::new(),
        };
        writeln!(out, "{}: {}", report.fault, report.summary)?;
        if let Some(findings) = known.get(&number) {
            let benches = findings.len().saturating_sub(args.controllers.len());
            for (index, finding) in findings.iter().enumerate() {
                let unit = if index < benches { "cycle" } else { "decision" };
                show(&mut *out, unit, finding)?;
            }
            report.findings.clone_from(findings);
        } else if let Err(error) = campaign
            .fault(variant, &mut report.findings, &mut *out)
            .await
        {
            outcome = match is_interrupt(&error) {
                true => Ok(Outcome::Interrupted),
                false => Err(error),
            };
            break;
        } else if let Some(journal) = &mut journal {
            let findings = report.findings.clone();
            journal.append(&Entry {
                fault: number,
                findings,
            })?;
        }
        let found = report.findings.iter().any(|f| f.found.is_some());
        if found != variant.fault.is_some() {
            outcome = Ok(Outcome::Diverged);
        }
        reports.push(report);
    }
    if matches!(outcome, Ok(Outcome::Interrupted)) {
        writeln!(out, "\ninterrupted after {} faults", reports.len())?;
    }
    args.json.write(&reports)?;
    outcome
}

/// What was found out about a fault; 0 is the RTL as designed.
#[derive(Serialize, Deserialize)]
struct Entry {
    fault: u64,
    findings: Vec<Finding>,
}

/// The findings of earlier runs by the number of the fault.
type Known = BTreeMap<u64, Vec<Finding>>;

const KIND: JournalKind = JournalKind {
    command: "faults",
    option: "--state",
    earlier: "lockstep_faults",
};

impl<G: CliGame> Args<G> {
    /// The journal, and the findings in it by the number of the fault.
    fn open(
        &self,
        controllers: &[G::Controller],
        variants: &[&sim::Variant],
    ) -> anyhow::Result<Option<(Journal, Known)>> {
        let Some(state) = &self.state else {
            return Ok(None);
        };
        let builds = variants.iter().map(|variant| {
            let fault = variant.fault.unwrap_or("none");
            (fault.to_owned(), format!("{:08x}", variant.build_id).into())
        });
        let settings = json!({
            "game": G::NAME,
            "controllers": controllers,
            "max_decisions": self.max_decisions,
            "seed": self.seed,
            "benches": !self.no_benches,
            "builds": builds.collect::<Map<_, _>>(),
        });
        let shard = shards::header(self.shard, variants.len() as u64, "fault", 1)?;
        let (journal, entries) = Journal::open::<Entry>(KIND, state, &settings, shard, self.fresh)?;
        let known = entries
            .into_iter()
            .map(|entry| (entry.fault, entry.findings));
        Ok(Some((journal, known.collect())))
    }
}

struct Campaign<'a, G: CliGame> {
    args: &'a Args<G>,
    controllers: Vec<G::Controller>,
    seed: u64,
    /// The modules that some fault changes.
    modules: Vec<&'static str>,
    run: Run,
}

impl<G: CliGame> Campaign<'_, G> {
    /// Runs benches and games on a variant of the core.
    async fn fault(
        &mut self,
        variant: &'static sim::Variant,
        findings: &mut Vec<Finding>,
        out: &mut dyn Write,
    ) -> anyhow::Result<()> {
        let (fault, seed) = (variant.fault, self.seed);
        let what = format!("trying {}", fault.unwrap_or("none"));
        if !self.args.no_benches {
            let all_modules = self.modules.clone();
            // On a thread of its own, so that an interrupt is heard.
            let tried = tokio::task::spawn_blocking(move || {
                let own = match fault {
                    Some(fault) => faults::share(fault, variant.modules, seed),
                    // A bench that finds something here finds every fault.
                    None => faults::in_the_design(&all_modules, seed),
                };
                (own, faults::in_the_core(variant.game, fault))
            });
            let (own, core) = self.run.wait(&what, tried).await?;
            for finding in own.into_iter().chain(core) {
                show(out, "cycle", &finding)?;
                findings.push(finding);
            }
        }
        for controller in &self.controllers {
            let most = self.args.max_decisions;
            let played = in_games(G::backends(), fault, controller, seed, most);
            let finding = self.run.wait(&what, played).await?;
            show(out, "decision", &finding)?;
            findings.push(finding);
        }
        Ok(())
    }
}

/// Writes what a bench or a controller found, and after how many of a unit.
fn show(out: &mut dyn Write, unit: &str, finding: &Finding) -> io::Result<()> {
    let share = finding.share.map(|share| format!("{share}, "));
    let (by, after, share) = (&finding.by, finding.after, share.unwrap_or_default());
    match &finding.found {
        Some(found) => writeln!(out, "  {by}: {share}{unit} {after} ({found})")?,
        // A bench counts no clock cycles when it passes.
        None if after == 0 => writeln!(out, "  {by}: {share}not found")?,
        None => writeln!(out, "  {by}: {share}not in {after} {unit}s")?,
    }
    out.flush()
}

fn draw() -> u64 {
    // Short enough to be typed again.
    u64::from(RandomState::new().build_hasher().finish() as u32)
}
