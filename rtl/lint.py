"""Lints the RTL: Verilator -Wall and elaboration in Yosys (slang front end)."""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

from tops import RTL, listed, tops

CELLS = RTL.parent / "sim" / "netlist" / "files.f"


def verilator(where):
    """The program and its environment, from a package's folder or a program."""
    where = pathlib.Path(where)
    package = (where / "verilator").resolve()
    if package.is_dir():
        root = {"VERILATOR_ROOT": str(package)}
        return str(package / "bin" / "verilator_bin"), {**os.environ, **root}
    return str(where), dict(os.environ)


def lint_verilator(where):
    program, environment = verilator(where)
    for top in tops():
        # Packages hold constants that a part of a core has no use for.
        allowed = ["-Wno-UNUSEDPARAM"] * (top.use in ("peripheral", "example"))
        for parameters in top.lint_sets():
            subprocess.run(
                [program, "--lint-only", "-Wall", "--quiet", *allowed]
                + [f"-G{name}={value}" for name, value in parameters.items()]
                + [word for files in (top.list, *top.cells) for word in ("-F", str(files))]
                + ["--top-module", top.name],
                check=True,
                env=environment,
                # The banner; warnings go to standard error.
                stdout=subprocess.DEVNULL,
            )
        print(f"Verilator -Wall: {top.name} clean, with {len(top.lint_sets())} sets of parameters")


def read_slang(top, options=""):
    """The pass that reads a top; cells of a board's FPGA stay what they are."""
    words = [f"-F {files}" for files in (top.list, *top.cells)]
    words += [f"--blackboxed-module {cell.stem}" for files in top.cells for cell in listed(files)]
    words += [f"-G {name}={value}" for name, value in top.fixed.items()]
    return f"read_slang -D SYNTHESIS {' '.join(words)} --top {top.name} {options}"


def lint_cells(where):
    """The models of a chip's cells: each by itself, with pins and parameters it does not need."""
    program, environment = verilator(where)
    # A block RAM by itself has two clocks, and refuses a cell without parameters.
    allowed = ["MULTITOP", "UNUSED", "MULTIDRIVEN", "USERFATAL"]
    subprocess.run(
        [program, "--lint-only", "-Wall", "--quiet", *(f"-Wno-{what}" for what in allowed)]
        + ["-F", str(CELLS)],
        check=True,
        env=environment,
        stdout=subprocess.DEVNULL,
    )
    print("Verilator -Wall: models of cells clean")


def run_yosys(where, passes):
    """Runs passes on a new design; what Yosys writes is shown when something is wrong."""
    sys.path.insert(0, str(pathlib.Path(where).resolve()))
    from pyosys import libyosys as ys

    design = ys.Design()
    # Yosys writes to the file descriptor.
    with tempfile.TemporaryFile() as log:
        kept = os.dup(1)
        os.dup2(log.fileno(), 1)
        try:
            for command in passes:
                ys.run_pass(command, design)
        except BaseException:
            log.seek(0)
            sys.stderr.write(log.read().decode(errors="replace"))
            raise
        finally:
            os.dup2(kept, 1)


def elaborate_yosys(where):
    # rtl/crossings.py elaborates the boards.
    for top in [top for top in tops() if top.use != "board"]:
        check = [f"hierarchy -check -top {top.name}", "proc", "check -assert"]
        run_yosys(where, [read_slang(top), *check])
        print(f"Yosys: {top.name} elaborates")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--verilator", required=True)
    parser.add_argument("--yosys", required=True)
    arguments = parser.parse_args()
    try:
        lint_verilator(arguments.verilator)
        lint_cells(arguments.verilator)
    except subprocess.CalledProcessError as error:
        sys.exit(f"Verilator found something: {' '.join(error.cmd)}")
    elaborate_yosys(arguments.yosys)


if __name__ == "__main__":
    main()
