//! Backends given on the command line.

use std::collections::BTreeSet;

use anyhow::bail;
use lockstep::backend::board::START;
use lockstep::backend::open::SpecError;
use lockstep::link::ports::is_same;
use lockstep::{Backend, Header, Session, Spec};

use crate::games::CliGame;
use crate::games::options::of_other;
use crate::input::suggest::nearest;
use crate::run::wait::Run;

/// Parses the name of a backend.
pub fn backend<G: CliGame>(text: &str) -> anyhow::Result<Spec> {
    let parsed = G::backends().parse(text);
    let names = G::backends().iter().map(|factory| factory.name);
    if let Err(SpecError::Unknown { name, known }) = &parsed {
        if let Some(other) = of_other::<G>(|other| (other.opens)(text)) {
            bail!("'{name}' is a backend of {other}: --game {other} has it");
        }
        if let Some(meant) = nearest(name, names) {
            bail!("no backend is called '{name}'; did you mean '{meant}'? There are {known}");
        }
    }
    let spec = parsed?;
    #[cfg(feature = "sim")]
    if let (Some(fault), "sim" | "sim-uart") = (spec.option("fault"), spec.factory()) {
        super::faults::check::<G>(fault)?;
    }
    Ok(spec)
}

/// Fails if a backend is given twice.
pub fn check_names(specs: &[Spec]) -> anyhow::Result<()> {
    for (index, spec) in specs.iter().enumerate() {
        if specs[..index].contains(spec) {
            bail!("--backend {spec} is named twice; name each backend once");
        }
        let serial = |spec: &Spec| spec.factory() == "serial";
        let same = |other: &&Spec| serial(other) && is_same(spec.target(), other.target());
        if let Some(other) = specs[..index].iter().filter(|_| serial(spec)).find(same) {
            bail!("--backend {spec} is the same port as {other}; leave one out");
        }
    }
    Ok(())
}

pub async fn open<G: CliGame>(
    specs: &[Spec],
    run: &Run,
) -> anyhow::Result<Vec<Box<dyn Backend<G>>>> {
    check_names(specs)?;
    let mut backends: Vec<Box<dyn Backend<G>>> = Vec::new();
    for (index, spec) in specs.iter().enumerate() {
        let opened = run.wait(&opening(spec), open_one(spec, index)).await?;
        backends.push(opened);
    }
    Ok(backends)
}

/// The text shown while a backend opens: for a serial line, with the rate that is tried.
pub fn opening(spec: &Spec) -> String {
    match (spec.factory(), spec.option("start")) {
        ("serial", None) => format!("opening {spec} at {START} baud"),
        ("serial", Some(rate)) => format!("opening {spec} at {rate} baud"),
        _ => format!("opening {spec}"),
    }
}

/// Opens a backend; `index` must be unique in this process.
pub async fn open_one<G: CliGame>(
    spec: &Spec,
    index: usize,
) -> anyhow::Result<Box<dyn Backend<G>>> {
    tracing::info!("{}", opening(spec));
    Ok(G::backends().open(spec, nonce(index)).await?)
}

/// A number that identifies the session of one backend of this process on its link.
pub fn nonce(index: usize) -> u64 {
    u64::from(std::process::id()) << 8 | index as u64
}

pub async fn configure<G: CliGame>(
    session: &mut Session<G>,
    controller: &G::Controller,
    run: &Run,
) -> anyhow::Result<()> {
    let what = format!("setting {}", G::name(controller));
    run.wait(&what, session.configure(controller)).await
}

/// The header of a session before its first game.
pub fn header<G: CliGame>(
    session: &Session<G>,
    controller: G::Controller,
    setup: Option<G::Setup>,
    planned: Option<u64>,
) -> Header<G> {
    Header {
        seats: Vec::new(),
        backends: session.identities(),
        controller,
        setup,
        planned,
        move_time: session.move_time,
    }
}

/// The names of controllers, each once.
pub fn names<'a, G: CliGame>(
    controllers: impl IntoIterator<Item = &'a G::Controller>,
) -> Vec<String> {
    let names: BTreeSet<&str> = controllers.into_iter().map(G::name).collect();
    names.into_iter().map(str::to_owned).collect()
}
