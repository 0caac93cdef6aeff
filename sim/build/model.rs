//! Builds a model, or takes it from the cache.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::slice;
use std::sync::OnceLock;

use crate::Result;
use crate::bench::{self, Bench};
use crate::compiler::{BRIEF, CYCLE, TRACED, compiler, optimise};
use crate::design::Design;
use crate::digest::{Digest, files};
use crate::netlist::Netlist;
use crate::tool::Verilator;
use crate::tops::Picture;
use crate::variant::{RATE_HOLD, Variant};

/// Preprocessor options of Verilator's run-time library, shared by all models.
const DEFINES: &[(&str, &str)] = &[
    ("VERILATOR", "1"),
    ("VM_SC", "0"),
    ("VM_TIMING", "0"),
    ("VM_TRACE_VCD", "0"),
    ("VM_TRACE_SAIF", "0"),
    // The shim turns these into errors; the library would abort the process.
    ("VL_USER_FATAL", "1"),
    ("VL_USER_STOP", "1"),
    ("VL_USER_FINISH", "1"),
    ("VL_PRINTF", "lockstep_print"),
];

/// Turns optimisation off for what follows. Clang ignores it.
const ONCE: &str = "#pragma GCC optimize(\"O0\")\n";

/// Preprocessor options of a model with waveforms.
const WAVES: [(&str, &str); 2] = [("VM_TRACE", "1"), ("VM_TRACE_FST", "1")];
const NO_WAVES: [(&str, &str); 2] = [("VM_TRACE", "0"), ("VM_TRACE_FST", "0")];

/// Verilator's arguments for coverage. Counters keep it from splitting some blocks, and it would
/// warn that this costs time.
const COUNTED: [&str; 2] = ["--coverage-line", "-Wno-UNOPTFLAT"];

/// Optimisation level of the run-time library, which no clock cycle calls.
const LIBRARY_LEVEL: u32 = 1;

/// Folder of the generated C++ in a model's folder.
const GENERATED: &str = "cpp";

/// A static library in the cache.
pub(crate) struct Library {
    folder: PathBuf,
    name: String,
}

impl Library {
    /// Makes cargo link it.
    pub(crate) fn link(&self) {
        println!("cargo::rustc-link-search=native={}", self.folder.display());
        println!("cargo::rustc-link-lib=static={}", self.name);
    }
}

/// Builds models; holds the inputs that all of them share.
pub(crate) struct Builder {
    /// With the common options. Its clones know what it has asked the compiler.
    compiler: cc::Build,
    shim: PathBuf,
    verilator: Verilator,
    cache: PathBuf,
    /// Key of the tools and the shim.
    tools: Digest,
    rtl: PathBuf,
    /// The RTL with the seeded faults, if the build has them.
    seeded: Option<PathBuf>,
    /// The netlists by name, if the build has them.
    netlists: BTreeMap<String, Netlist>,
    kept_headers: OnceLock<Option<PathBuf>>,
}

impl Builder {
    /// Hashes the inputs that all models share.
    pub(crate) fn new(
        sim: &Path,
        verilator: Verilator,
        cache: PathBuf,
        rtl: PathBuf,
        seeded: Option<PathBuf>,
        netlists: BTreeMap<String, Netlist>,
    ) -> Result<Self> {
        let shim = sim.join("verilator");
        let mut tools = Digest::default();
        verilator.add_to(&mut tools)?;
        tools.add_tree(&shim, &["h", "cpp", "f"])?;
        tools.add(
            "defines",
            format!("{DEFINES:?} {WAVES:?} {NO_WAVES:?}").as_bytes(),
        );
        let common = compiler(&cache);
        let compiler = common
            .try_get_compiler()
            .map_err(|e| format!("no C++ compiler: {e}. Install g++ (Debian: build-essential)"))?;
        // Without the command's environment, which is cargo's and differs between builds.
        let mut command = compiler.to_command();
        let arguments: Vec<_> = command.get_args().collect();
        let called = format!("{:?} {arguments:?}", command.get_program());
        tools.add("compiler", called.as_bytes());
        let version = verilator.run(command.arg("--version"))?;
        tools.add("compiler version", version.as_bytes());
        Ok(Self {
            compiler: common,
            shim,
            verilator,
            cache,
            tools,
            rtl,
            seeded,
            netlists,
            kept_headers: OnceLock::new(),
        })
    }

    /// The Verilator in use.
    pub(crate) fn verilator(&self) -> &Verilator {
        &self.verilator
    }

    /// The build id: a hash of the RTL's sources and parameters.
    ///
    /// Tools and rate hold are left out, so that a board and a simulation of the same RTL report
    /// the same build id.
    pub(crate) fn build_id(&self, variant: &Variant) -> Result<u32> {
        let mut id = Design::of(&self.rtl, &variant.top.list)?.key;
        id.add("arguments", format!("{:?}", variant.arguments()).as_bytes());
        // All faults share one model, but have build ids of their own. A netlist has its RTL's.
        if let Some(fault) = variant.fault_name() {
            id.add("fault", fault.as_bytes());
        }
        Ok(id.short())
    }

    /// Verilator's run-time library, compiled once for all models.
    pub(crate) fn runtime(&self) -> Result<Library> {
        let include = self.verilator.include();
        self.cached("lockstep_runtime", &self.tools.key(), |folder, name| {
            let header = self.print_header();
            let mut waves = self.compile(folder, &header, WAVES);
            waves
                .opt_level(LIBRARY_LEVEL)
                .include(zlib()?)
                .file(include.join("verilated_fst_c.cpp"));
            let waves = waves.try_compile_intermediates();
            let sources = ["verilated.cpp", "verilated_threads.cpp"].map(|f| include.join(f));
            let mut build = self.compile(folder, &header, NO_WAVES);
            build
                .opt_level(LIBRARY_LEVEL)
                .files(sources)
                .objects(waves.map_err(|e| format!("{name}: {e}"))?)
                .file(self.shim.join("handlers.cpp"));
            compile(&build, name)
        })
    }

    /// Verilator's library that writes coverage files.
    pub(crate) fn coverage(&self) -> Result<Library> {
        self.cached("lockstep_coverage", &self.tools.key(), |folder, name| {
            let mut build = self.compile(folder, &self.print_header(), NO_WAVES);
            let source = self.verilator.include().join("verilated_cov.cpp");
            compile(build.opt_level(LIBRARY_LEVEL).file(source), name)
        })
    }

    /// The model of a core, Verilated and compiled with its shim.
    pub(crate) fn model(&self, variant: &Variant) -> Result<Library> {
        let mut arguments = parameters(variant);
        let list = &variant.top.list;
        let rtl;
        let design = match (variant.netlist, variant.fault_number()) {
            (true, _) => {
                let top = &*variant.top.name;
                let netlist = self.netlists.get(&variant.top.netlist());
                let netlist = netlist.ok_or_else(|| format!("the netlist of {top} is missing"))?;
                // Its parameters are fixed; outputs of cells are left open.
                arguments = ["--top-module", top, "-Wno-PINMISSING"]
                    .map(String::from)
                    .into();
                arguments.push(netlist.file.display().to_string());
                &netlist.cells
            }
            (false, number) => {
                let root = if number == 0 {
                    &self.rtl
                } else {
                    self.with_faults()?
                };
                rtl = Design::of(root, list)?;
                &rtl
            }
        };
        let covered = variant.covered();
        if covered {
            arguments.extend(COUNTED.map(String::from));
        }
        let mut key = self.tools.clone();
        let brief = variant.netlist || variant.fault_number() > 0;
        let optimised = if brief { BRIEF } else { CYCLE };
        key.add("optimised", format!("{optimised:?} {ONCE}").as_bytes());
        key.add("design", design.key.key().as_bytes());
        key.add("arguments", format!("{:?}", variant.arguments()).as_bytes());
        key.add("rate hold", &RATE_HOLD.to_le_bytes());
        if covered {
            key.add("counted", format!("{COUNTED:?}").as_bytes());
        }
        let top = &variant.top.name;
        self.model_of(
            &key,
            &variant.symbol(),
            top,
            slice::from_ref(design),
            &arguments,
            |folder, mut sources| {
                sources.push(self.shim.join("shim.cpp"));
                let mut build = self.compile(folder, &self.print_header(), NO_WAVES);
                if covered {
                    build.define("VM_COVERAGE", "1");
                }
                optimise(&mut build, optimised).file(as_one(folder, sources)?);
                Ok(build)
            },
        )
    }

    /// The model of a core with waveforms, beside the one of [`Self::model`]. It contains the
    /// seeded faults if the build has them.
    pub(crate) fn traced(&self, variant: &Variant) -> Result<Library> {
        let root = self.seeded.as_ref().unwrap_or(&self.rtl);
        let designs = [Design::of(root, &variant.top.list)?];
        let mut arguments = parameters(variant);
        arguments.extend(["--trace-fst", "--trace-structs"].map(String::from));
        let key = self.key(&format!("{TRACED:?}"), &designs, &arguments);
        let (symbol, top) = (variant.traced_symbol(), &variant.top.name);
        self.model_of(
            &key,
            &symbol,
            top,
            &designs,
            &arguments,
            |folder, mut sources| {
                sources.push(self.shim.join("shim.cpp"));
                let mut build = self.compile(folder, &self.print_header(), WAVES);
                optimise(&mut build, TRACED).file(as_one(folder, sources)?);
                Ok(build)
            },
        )
    }

    /// Verilator's headers, precompiled for all benches, whose build mostly reads these headers.
    /// `None` if the compiler cannot precompile headers.
    fn keep_headers(&self) -> Option<PathBuf> {
        let mut key = self.tools.clone();
        key.add("optimised", format!("{BRIEF:?}").as_bytes());
        let folder = self.cache.join(format!("headers-{}", key.key()));
        let header = folder.join("kept.h");
        let kept = folder.join("kept.h.gch");
        if kept.exists() {
            return Some(header);
        }
        fs::create_dir_all(&folder).ok()?;
        fs::write(&header, "#include \"print.h\"\n#include \"verilated.h\"\n").ok()?;
        let mut build = self.options(&folder, NO_WAVES);
        let compiler = optimise(&mut build, BRIEF).try_get_compiler().ok()?;
        let scratch = folder.join(std::process::id().to_string());
        let mut command = compiler.to_command();
        command.args(["-x", "c++-header"]).arg(&header);
        let made = command.arg("-o").arg(&scratch).output().ok()?;
        (made.status.success() && fs::rename(&scratch, kept).is_ok()).then_some(header)
    }

    /// The model of a bench's module, Verilated and compiled with its table of ports.
    pub(crate) fn bench(&self, bench: &Bench) -> Result<Library> {
        let root = self.with_faults()?;
        let mut arguments = vec!["--top-module".into(), bench.top.clone()];
        arguments.extend_from_slice(&bench.parameters);
        let designs = Design::all(root, &bench.lists)?;
        let key = self.key(&format!("{BRIEF:?} {ONCE}"), &designs, &arguments);
        let symbol = bench.symbol();
        self.model_of(
            &key,
            &symbol,
            &bench.top,
            &designs,
            &arguments,
            |folder, mut sources| {
                let generated = folder.join(GENERATED);
                let listed = bench::ports(&generated.join(format!("V{symbol}.h")))?;
                write(&generated.join("ports.inc"), &listed)?;
                sources.push(self.shim.join("bench.cpp"));
                let kept = self.kept_headers.get_or_init(|| self.keep_headers());
                let header = kept.clone().unwrap_or_else(|| self.print_header());
                let mut build = self.compile(folder, &header, NO_WAVES);
                optimise(&mut build, BRIEF)
                    .file(as_one(folder, sources)?)
                    .define("MODEL_PORTS", "\"ports.inc\"");
                Ok(build)
            },
        )
    }

    /// The model of a board with a picture and this core.
    pub(crate) fn board(&self, picture: &Picture, core: &Variant) -> Result<Library> {
        let Picture { bench, .. } = picture;
        let build_id = self.build_id(core)?;
        let mut arguments = vec!["--top-module".into(), bench.top.clone()];
        arguments.push(format!("-GBuildId=32'h{build_id:08x}"));
        arguments.push(format!("-GRateHold={RATE_HOLD}"));
        // A simulated button does not bounce: less than sim::PRESS_CYCLES.
        arguments.push("-GSteady=500".into());
        let shim = self.shim.with_file_name("board");
        let designs = Design::all(&self.rtl, &bench.lists)?;
        let mut key = self.key(&format!("{CYCLE:?} {ONCE}"), &designs, &arguments);
        key.add_tree(&shim, &["h", "cpp"])?;
        let symbol = picture.symbol();
        self.model_of(
            &key,
            &symbol,
            &bench.top,
            &designs,
            &arguments,
            |folder, mut sources| {
                sources.push(shim.join("board.cpp"));
                let mut build = self.compile(folder, &self.print_header(), NO_WAVES);
                optimise(&mut build, CYCLE)
                    .file(as_one(folder, sources)?)
                    .include(&shim)
                    .define("MODEL_VIDEO", &*picture.video());
                Ok(build)
            },
        )
    }

    fn with_faults(&self) -> Result<&PathBuf> {
        let seeded = self.seeded.as_ref();
        seeded.ok_or_else(|| "this build has no seeded faults".into())
    }

    /// What a model depends on: the tools, their options and the designs.
    fn key(&self, optimised: &str, designs: &[Design], arguments: &[String]) -> Digest {
        let mut key = self.tools.clone();
        key.add("optimised", optimised.as_bytes());
        for design in designs {
            key.add("design", design.key.key().as_bytes());
        }
        key.add("arguments", format!("{arguments:?}").as_bytes());
        key
    }

    /// The model with this symbol: Verilates designs into C++, and compiles it as `build` sets.
    fn model_of(
        &self,
        key: &Digest,
        symbol: &str,
        top: &str,
        designs: &[Design],
        arguments: &[String],
        build: impl FnOnce(&Path, Vec<PathBuf>) -> Result<cc::Build>,
    ) -> Result<Library> {
        self.cached(symbol, &key.key(), |folder, name| {
            let (generated, prefix) = (folder.join(GENERATED), format!("V{symbol}"));
            let mut command = self.verilator.command();
            command.arg("-F").arg(self.shim.join("flags.f"));
            for design in designs {
                command.arg("-F").arg(&design.list);
            }
            command.args(["--prefix", &prefix]).args(arguments);
            self.verilator.run(command.arg("--Mdir").arg(&generated))?;
            let mut build = build(folder, files(&generated, &["cpp"])?)?;
            build
                .include(generated)
                .define("MODEL", &*prefix)
                .define("MODEL_NAME", &*format!("\"{top}\""))
                .define("MODEL_HEADER", &*format!("\"{prefix}.h\""))
                .define("MODEL_API", symbol);
            compile(&build, name)
        })
    }

    /// The cached library with this key. It is built in a temporary folder and then renamed, so
    /// that an incomplete build is never used.
    fn cached(
        &self,
        name: &str,
        key: &str,
        build: impl FnOnce(&Path, &str) -> Result<()>,
    ) -> Result<Library> {
        let folder = self.cache.join(format!("{name}-{key}"));
        let library = Library {
            folder: folder.clone(),
            name: name.into(),
        };
        if folder.join(format!("lib{name}.a")).exists() {
            return Ok(library);
        }
        let scratch = self
            .cache
            .join(format!("{name}-{key}.{}", std::process::id()));
        let io = |e| format!("{}: {e}", scratch.display());
        fs::create_dir_all(&scratch).map_err(io)?;
        let result = build(&scratch, name);
        if result.is_ok() && fs::rename(&scratch, &folder).is_err() && !folder.exists() {
            return Err(format!("{} cannot be renamed", scratch.display()));
        }
        let _ = fs::remove_dir_all(&scratch);
        result.map(|()| library)
    }

    /// The header that every source of a model includes first.
    fn print_header(&self) -> PathBuf {
        self.shim.join("print.h")
    }

    /// A build whose sources all include a header first.
    fn compile(&self, folder: &Path, header: &Path, waves: [(&str, &str); 2]) -> cc::Build {
        let mut build = self.options(folder, waves);
        build.flag("-include").flag(header);
        build
    }

    fn options(&self, folder: &Path, waves: [(&str, &str); 2]) -> cc::Build {
        let mut build = self.compiler.clone();
        let include = self.verilator.include();
        build
            .out_dir(folder)
            .include(&self.shim)
            .include(&include)
            .include(include.join("vltstd"));
        for (name, value) in DEFINES.iter().chain(&waves) {
            build.define(name, *value);
        }
        build
    }
}

/// Verilator's arguments for a model of the RTL.
fn parameters(variant: &Variant) -> Vec<String> {
    let mut arguments = variant.arguments();
    arguments.push(format!("-GRateHold={RATE_HOLD}"));
    arguments.push("-GByteLink=1".into());
    arguments
}

/// The folder with the header of zlib, which compresses waveforms, from the linked crate.
fn zlib() -> Result<PathBuf> {
    let found = std::env::var_os("DEP_Z_INCLUDE").map(PathBuf::from);
    found.ok_or_else(|| "DEP_Z_INCLUDE is not set; the crate libz-sys sets it".into())
}

/// A source that includes all of `sources`, so that Verilator's headers are read only once.
///
/// Code that runs once (constructors, initial values) stands after the other and is not optimised:
/// [`ONCE`].
fn as_one(folder: &Path, sources: Vec<PathBuf>) -> Result<PathBuf> {
    let include = |file: &PathBuf| format!("#include \"{}\"\n", file.display());
    let (once, cycle): (Vec<_>, Vec<_>) = sources.into_iter().partition(|file| is_slow(file));
    let mut all: String = cycle.iter().map(include).collect();
    all += ONCE;
    all.extend(once.iter().map(include));
    let whole = folder.join("all.cpp");
    write(&whole, &all)?;
    Ok(whole)
}

fn write(file: &Path, text: &str) -> Result<()> {
    fs::write(file, text).map_err(|e| format!("{}: {e}", file.display()))
}

/// Whether Verilator has marked a file as code that does not run in each clock cycle.
fn is_slow(file: &Path) -> bool {
    file.file_stem()
        .is_some_and(|stem| stem.to_string_lossy().ends_with("__Slow"))
}

fn compile(build: &cc::Build, name: &str) -> Result<()> {
    build.try_compile(name).map_err(|e| format!("{name}: {e}"))
}
