"""Runs Tetris' peripheral and plain core and Gomoku's streams against independent bus masters:
cocotbext-axi under cocotb, simulated by Verilator."""

import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import typing

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "rtl"))

import golden  # noqa: E402
import gomoku_golden  # noqa: E402
import lint  # noqa: E402  (rtl/lint.py)


class Run(typing.NamedTuple):
    """A top module, and the module of its tests."""

    top: str
    tests: str
    game: str = "tetris"
    parameters: tuple[str, ...] = ()
    only: str | None = None  # a pattern of the names of those to run
    make: tuple[str, ...] = ()  # variables of Verilator's makefile


GIVEN = "seeds_bench|lines"  # tests at depth 4
RUNS = {
    "tetris_axil_example": Run("tetris_axil_example", "peripheral"),
    "tetris_ai_example": Run("tetris_ai_example", "core"),
    "gomoku_axis": Run("gomoku_axis", "streams", "gomoku", ("-GDepth=2",), f"^(?!.*({GIVEN}))"),
    "gomoku_axis_4": Run("gomoku_axis", "streams", "gomoku", (), "seeds_bench"),
    "gomoku_axis_lines": Run("gomoku_axis", "streams", "gomoku", ("-GLines=1",), "lines"),
}


def build(program: str, environment: dict[str, str], run: Run, folder: pathlib.Path) -> None:
    """Verilates a run's top with cocotb's main program, and compiles it."""
    import cocotb_tools.config as cocotb

    folder.mkdir(parents=True, exist_ok=True)
    # Verilator's run-time library takes as long to compile as a model, and is the same for all.
    for library in folder.parent.glob("*/verilated*.o"):
        if library.parent != folder:
            shutil.copy2(library, folder)
    libraries = cocotb.libs_dir
    files = ROOT / "sim/verilator/flags.f", ROOT / f"rtl/games/{run.game}.f"
    verilate = [program, *(word for file in files for word in ("-F", str(file))), *run.parameters]
    # Only the top's own signals are shown to cocotb, the rest stays as fast as it is.
    public = folder / "public.vlt"
    public.write_text(f'`verilator_config\npublic_flat_rw -module "{run.top}" -var "*"\n')
    verilate += [str(public), "--exe", "--vpi", "--timescale", "1ns/1ps", "--quiet"]
    verilate += ["--top-module", run.top, "--prefix", "Vtop", "-o", run.top, "-Mdir", str(folder)]
    verilate += ["-LDFLAGS", f"-Wl,-rpath,{libraries} -L{libraries} -lcocotbvpi_verilator"]
    verilate += [str(cocotb.share_dir / "lib/verilator/verilator.cpp")]
    # The package names the compiler that it was built with, and none of its flags for headers
    # compiled in advance, which is what parallel builds use. Optimised as in sim/build/compiler.rs,
    # Gomoku's model takes a sixth of the time to compile.
    tools = ["CXX=c++", "LINK=c++", "AR=ar", f"PYTHON3={sys.executable}", "VM_PARALLEL_BUILDS=0"]
    tools += ["OPT_FAST=-Og -fno-tree-fre"]
    compile_ = ["make", "--silent", "-j2", "-C", str(folder), "-f", "Vtop.mk", *tools, *run.make]
    for command in (verilate, compile_):
        done = subprocess.run(command, env=environment, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}")


def simulate(name: str, run: Run, folder: pathlib.Path, seed: int) -> list[str]:
    """Runs the tests of a top; those that failed."""
    from cocotb_tools import runner
    from xml.etree import ElementTree

    simulator = runner.get_runner("verilator")
    log = folder / "simulation.log"
    try:
        results = simulator.test(
            test_module=run.tests,
            test_filter=run.only,
            hdl_toplevel=run.top,
            hdl_toplevel_lang="verilog",
            build_dir=folder,
            test_dir=folder,
            seed=seed,
            results_xml=str(folder / "results.xml"),
            log_file=log,
            extra_env={
                "COCOTB_LOG_LEVEL": "WARNING",
                "GPI_LOG_LEVEL": "WARNING",
                # cocotbext-axi calls what cocotb 2 would rather have called otherwise.
                "PYTHONWARNINGS": "ignore::DeprecationWarning",
            },
        )
    except SystemExit:
        # An assertion of the RTL, for example; cocotb reports all else.
        return [f"{name}: the simulation stopped itself:\n{log.read_text()}"]
    cases = ElementTree.parse(results).iter("testcase")
    cases = [case for case in cases if case.find("skipped") is None]
    for case in cases:
        state = "FAILED" if len(case) else "passed"
        print(f"{name}: {case.get('name')} {state} ({float(case.get('time', 0)):.1f} s)")
    failed = [f"{name}: {case.get('name')}" for case in cases if len(case)]
    if failed:
        print(log.read_text())
    return failed if cases else [f"{name}: no test ran"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--verilator", required=True, help="the package's folder, or a program")
    parser.add_argument("--cocotb", required=True, type=pathlib.Path, help="the packages' folder")
    parser.add_argument("--out", required=True, type=pathlib.Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", help="one run")
    arguments = parser.parse_args()
    if arguments.only and arguments.only not in RUNS:
        parser.error(f"--only {arguments.only}: there are {', '.join(RUNS)}")
    sys.path.insert(0, str(arguments.cocotb.resolve()))
    golden.check()
    gomoku_golden.check()
    program, environment = lint.verilator(arguments.verilator)
    failed = []
    for name, run in RUNS.items():
        if arguments.only in (None, name):
            folder = arguments.out.resolve() / name
            build(program, environment, run, folder)
            failed += simulate(name, run, folder, arguments.seed)
    if failed:
        sys.exit(f"seed {arguments.seed}, failed:\n" + "\n".join(failed))


if __name__ == "__main__":
    main()
