//! Verilates the RTL, compiles the models and links them.
//!
//! Read in this order: [`tool`] finds Verilator, [`tops`] reads the table of cores, [`design`] and
//! [`digest`] hash RTL files, [`variant`] lists the models to build, [`model`] builds one.
//! The feature `faults` adds the cores with the seeded faults of [`fault`] and the modules of
//! [`bench`], the feature `netlist` the models of [`netlist`]. With `coverage`, the model of the
//! core as designed counts how often each line is reached.
//!
//! A model is cached under a hash of all its inputs (RTL, parameters, flags, shim, Verilator,
//! compiler). Cargo runs this script more often than needed, which then costs only the hashing, and
//! the debug and release profiles share the models.

mod bench;
mod compiler;
mod design;
mod digest;
mod fault;
mod model;
mod netlist;
mod tool;
mod tops;
mod variant;

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;

use bench::Bench;
use design::Design;
use model::Builder;
use netlist::Netlist;
use tops::{Picture, Top, Tops};
use variant::Variant;

type Result<T> = std::result::Result<T, String>;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("\n{why}\n");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<()> {
    let sim = PathBuf::from(variable("CARGO_MANIFEST_DIR")?);
    let out = PathBuf::from(variable("OUT_DIR")?);
    let workspace = sim.parent().ok_or("sim/ has no parent folder")?;
    let rtl = workspace.join("rtl");
    for path in [
        &rtl,
        &sim.join("verilator"),
        &sim.join("board"),
        &sim.join("netlist"),
        &sim.join("build"),
    ] {
        println!("cargo::rerun-if-changed={}", path.display());
    }

    let verilator = tool::Verilator::find(workspace)?;
    let tops = Tops::read(&rtl)?;
    let mut variants = Variant::designed(&tops);
    let mut benches = Vec::new();
    let mut seeded = None;
    let mut netlists = BTreeMap::new();
    let mut netlist_variants = Vec::new();
    if env::var_os("CARGO_FEATURE_NETLIST").is_some() {
        let all = env::var_os("CARGO_FEATURE_ALL_NETLISTS").is_some();
        for core in variants.iter().filter(|v| all || v.is_first()) {
            let designed = Design::of(&rtl, &core.top.list)?;
            let netlist = Netlist::of(workspace, core.top, &designed)?;
            netlist_variants.extend(Variant::netlists(core, &netlist.faults));
            netlists.insert(core.top.netlist(), netlist);
        }
    }
    if env::var_os("CARGO_FEATURE_FAULTS").is_some() {
        let faults = fault::read(&rtl)?;
        let folder = out.join("seeded");
        fault::seed(&rtl, &faults, &folder)?;
        seeded = Some(folder);
        variants.extend(Variant::seeded(&tops, &faults)?);
        benches = bench::read(&rtl, &tops)?;
    }
    let builder = Builder::new(&sim, verilator, cache(&out)?, rtl.clone(), seeded, netlists)?;
    builder.runtime()?.link();
    if variants.iter().any(Variant::covered) {
        builder.coverage()?.link();
    }
    let mut boards = Vec::new();
    for picture in &tops.pictures {
        let core = variants
            .iter()
            .find(|v| v.is_first() && v.top.game == picture.game);
        let core = core.ok_or_else(|| format!("{} has no core", picture.game))?;
        boards.push((core, picture));
    }
    // All faults of a core share one model.
    let mut models: BTreeMap<String, Job> = BTreeMap::new();
    for v in variants.iter().chain(&netlist_variants) {
        models.insert(v.symbol(), Box::new(|| builder.model(v)));
    }
    for v in &variants {
        models.insert(v.traced_symbol(), Box::new(|| builder.traced(v)));
    }
    for (core, picture) in &boards {
        models.insert(picture.symbol(), Box::new(|| builder.board(picture, core)));
    }
    for bench in &benches {
        models.insert(bench.symbol(), Box::new(|| builder.bench(bench)));
    }
    // The benches are the shortest to build.
    let built = build_all(models.into_values().rev())?;
    for library in &built {
        library.link();
    }
    println!("cargo::rustc-link-lib=stdc++");
    println!("cargo::rustc-link-lib=pthread");

    let mut table = registry(&variants, &netlist_variants, &boards, &benches, &builder)?;
    for core in tops.cores() {
        let (name, sources) = (sources_of(core), &core.files);
        let _ = writeln!(table, "static {name}: &[&str] = &{sources:?};");
    }
    fs::write(out.join("variants.rs"), table).map_err(|e| format!("variants.rs: {e}"))
}

type Job<'a> = Box<dyn Fn() -> Result<model::Library> + Send + Sync + 'a>;

/// Builds the models in parallel, limited by cargo's number of jobs.
fn build_all<'a>(
    models: impl ExactSizeIterator<Item = Job<'a>> + Send,
) -> Result<Vec<model::Library>> {
    let jobs = env::var("NUM_JOBS").ok().and_then(|n| n.parse().ok());
    let jobs = jobs.unwrap_or(1).min(models.len());
    let queue = Mutex::new(models);
    let built = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| {
                loop {
                    let next = queue.lock().ok().and_then(|mut queue| queue.next());
                    let Some(build) = next else { break };
                    let library = build();
                    if let Ok(mut built) = built.lock() {
                        built.push(library);
                    }
                }
            });
        }
    });
    let built = built.into_inner().map_err(|_| "a model's build panicked")?;
    built.into_iter().collect()
}

/// The Rust source of the table of linked models.
fn registry(
    variants: &[Variant],
    netlists: &[Variant],
    boards: &[(&Variant, &Picture)],
    benches: &[Bench],
    builder: &Builder,
) -> Result<String> {
    let mut table = String::from("unsafe extern \"C\" {\n");
    let cores = variants.iter().chain(netlists);
    let traced = variants.iter().map(Variant::traced_symbol);
    let pictures = boards.iter().map(|(_, picture)| picture.symbol());
    let symbols = cores.map(Variant::symbol).chain(traced).chain(pictures);
    let symbols: BTreeSet<String> = symbols.collect();
    for symbol in symbols {
        let _ = writeln!(table, "    static {symbol}: ffi::Api;");
    }
    for bench in benches {
        let _ = writeln!(table, "    static {}: ffi::BenchApi;", bench.symbol());
    }
    for (_, picture) in boards {
        let _ = writeln!(
            table,
            "    fn {}(model: *mut std::ffi::c_void, changes: *mut *const ffi::Video) -> u64;",
            picture.video()
        );
    }
    table.push_str("}\n\n");
    for (name, variants) in [("VARIANTS", variants), ("NETLISTS", netlists)] {
        let variants = variants.iter().map(|v| (v, None));
        list(&mut table, name, variants, builder)?;
    }
    let boards = boards.iter().map(|(core, board)| (*core, Some(*board)));
    list(&mut table, "BOARDS", boards, builder)?;
    table.push_str("pub(crate) static BENCHES: &[(&str, &ffi::BenchApi)] = &[\n");
    for bench in benches {
        let _ = writeln!(
            table,
            "    // SAFETY: the symbol is a constant of the model linked above.\n    \
             ({:?}, unsafe {{ &{} }}),",
            bench.name,
            bench.symbol(),
        );
    }
    table.push_str("];\n");
    let version = builder.verilator().version();
    let _ = writeln!(table, "pub(crate) const VERILATOR: &str = {version:?};");
    Ok(table)
}

/// Appends a table of cores, a line for each, or of boards with a picture, each with its core.
fn list<'a>(
    table: &mut String,
    name: &str,
    variants: impl Iterator<Item = (&'a Variant<'a>, Option<&'a Picture>)>,
    builder: &Builder,
) -> Result<()> {
    let _ = writeln!(table, "pub(crate) static {name}: &[Variant] = &[");
    for (v, board) in variants {
        let (top, summary, clock_hz, symbol) = match board {
            None => (&v.top.name, &*v.summary, variant::CLOCK_HZ, v.symbol()),
            Some(board) => (
                &board.bench.top,
                "the board at its pins",
                board.clock_hz,
                board.symbol(),
            ),
        };
        let traced = match v.netlist || board.is_some() {
            true => "None".into(),
            false => format!(
                "// SAFETY: as above.\n    Some(unsafe {{ &{} }})",
                v.traced_symbol()
            ),
        };
        let video = board.map(|board| format!("Some({})", board.video()));
        let _ = writeln!(
            table,
            "    Variant {{ game: {:?}, core: {:?}, top: {top:?}, parameters: &{:?}, sources: {}, \
             netlist: {}, fault: {:?}, fault_in: {:?}, summary: {summary:?}, modules: &{:?}, \
             fault_number: {}, build_id: {:#010x}, clock_hz: {clock_hz}, rate_hold: {}, api: \
             // SAFETY: the symbol is a constant of the model linked above.\n    \
             unsafe {{ &{symbol} }}, traced: {traced}, video: {} }},",
            v.top.game,
            v.top.core.as_deref().unwrap_or_default(),
            v.top.parameters,
            sources_of(v.top),
            v.netlist,
            v.fault_name(),
            v.fault_in,
            v.modules,
            v.fault_number(),
            builder.build_id(v)?,
            variant::RATE_HOLD,
            video.as_deref().unwrap_or("None"),
        );
    }
    table.push_str("];\n\n");
    Ok(())
}

/// Name of the constant with a core's sources.
fn sources_of(core: &Top) -> String {
    let name = core.core.as_deref().unwrap_or_default();
    format!("SOURCES_{}_{}", core.game, name).to_uppercase()
}

/// The cache `target/verilated`, shared by all profiles. `OUT_DIR` is
/// `target/<profile>/build/<package>/out`.
fn cache(out: &Path) -> Result<PathBuf> {
    let target = out
        .ancestors()
        .find(|p| p.file_name().is_some_and(|name| name == "build"))
        .and_then(|build| build.parent()?.parent());
    let cache = target
        .ok_or_else(|| format!("{} is not in a target folder", out.display()))?
        .join("verilated");
    fs::create_dir_all(&cache).map_err(|e| format!("{}: {e}", cache.display()))?;
    Ok(cache)
}

fn variable(name: &str) -> Result<String> {
    env::var(name).map_err(|e| format!("{name}: {e}"))
}
