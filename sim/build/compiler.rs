//! The C++ compiler and how it optimises each kind of model.

use std::path::Path;

/// GCC's optimisation level, and options that shorten the compilation.
pub(crate) type Optimised = (&'static str, &'static [&'static str]);

/// The code that runs in each clock cycle, in every cargo profile: at level 0 it runs 27 times
/// slower, at 2 it takes twice as long to compile and runs a tenth faster at most.
pub(crate) const CYCLE: Optimised = ("1", &[]);

/// Models that run briefly (benches, seeded faults, netlists): at this level they take half the time
/// to compile and run a seventh slower. The option leaves a pass out that is slow in functions of
/// 10,000 lines: a quarter less to compile, 4 % slower.
pub(crate) const BRIEF: Optimised = ("g", &["-fno-tree-fre"]);

/// Models with waveforms, which run only for a few requests.
pub(crate) const TRACED: Optimised = ("0", &[]);

/// Options for all models.
const FASTER: &[&str] = &[
    // Combines at most two instructions. With four it takes half again as long for Gomoku's core,
    // which then runs two percent faster.
    "--param=max-combine-insns=2",
    // Gives up early on loads and stores whose aliases are many, as in functions of 10,000 lines.
    "--param=sccvn-max-alias-queries-per-access=50",
    "--param=dse-max-alias-queries-per-store=16",
    // Collects garbage rarely: a model takes up to a gigabyte.
    "--param=ggc-min-expand=200",
    "--param=ggc-min-heapsize=524288",
];

/// Sets the level and the options that the compiler knows.
pub(crate) fn optimise(build: &mut cc::Build, (level, options): Optimised) -> &mut cc::Build {
    build.opt_level_str(level);
    for option in options {
        build.flag_if_supported(option);
    }
    build
}

/// The compiler with the common options; no warnings, as the code is generated. It tries options in
/// the folder.
pub(crate) fn compiler(folder: &Path) -> cc::Build {
    let mut build = cc::Build::new();
    build
        .cpp(true)
        .std("c++17")
        .opt_level(2)
        .debug(false)
        .warnings(false)
        .flag("-w")
        .cargo_output(false)
        .cargo_metadata(false)
        .out_dir(folder);
    for option in FASTER {
        build.flag_if_supported(option);
    }
    build
}
