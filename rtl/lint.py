"""Lints the RTL: Verilator -Wall and elaboration in Yosys (slang front end)."""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

RTL = pathlib.Path(__file__).resolve().parent
# One top module a game.
TOPS = ["cosim_tetris"]
# Parameters to lint with: the defaults, and both ends of what they may be.
PARAMETERS = [
    [],
    ["-GMultipliers=1", "-GWindow=1", "-GByteLink=1"],
    ["-GMultipliers=14", "-GWindow=16"],
]
# Tops for systems on chip, and theirs. Packages hold constants that these have no use for.
PARTS = {
    "tetris_axil": [
        ["-Wno-UNUSEDPARAM"],
        ["-Wno-UNUSEDPARAM", "-GMultipliers=1", "-GMemAddrWidth=7"],
    ],
    "tetris_axil_example": [["-Wno-UNUSEDPARAM"]],
    "tetris_ai_example": [["-Wno-UNUSEDPARAM"]],
}


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
    runs = {top: PARAMETERS for top in TOPS} | PARTS
    for top, sets in runs.items():
        for parameters in sets:
            subprocess.run(
                [program, "--lint-only", "-Wall", "--quiet", *parameters]
                + ["-F", str(RTL / "files.f"), "--top-module", top],
                check=True,
                env=environment,
                # The banner; warnings go to standard error.
                stdout=subprocess.DEVNULL,
            )
        print(f"Verilator -Wall: {top} clean, with {len(sets)} sets of parameters")


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
    for top in [*TOPS, *PARTS]:
        read = f"read_slang -D SYNTHESIS -F {RTL / 'files.f'} --top {top}"
        run_yosys(where, [read, f"hierarchy -check -top {top}", "proc", "check -assert"])
        print(f"Yosys: {top} elaborates")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--verilator", required=True)
    parser.add_argument("--yosys", required=True)
    arguments = parser.parse_args()
    try:
        lint_verilator(arguments.verilator)
    except subprocess.CalledProcessError as error:
        sys.exit(f"Verilator found something: {' '.join(error.cmd)}")
    elaborate_yosys(arguments.yosys)


if __name__ == "__main__":
    main()
