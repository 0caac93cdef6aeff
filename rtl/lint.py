"""Lints the RTL: Verilator -Wall and elaboration in Yosys (slang front end)."""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import typing

RTL = pathlib.Path(__file__).resolve().parent
CELLS = RTL.parent / "sim" / "netlist" / "files.f"
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


class Board(typing.NamedTuple):
    """A board's top in rtl/top/<board>/, whose files are in files.f there."""

    top: str
    # The FPGA's own cells in it; files of theirs in sim.f stand in for them in a simulation
    cells: tuple[str, ...] = ()


BOARDS = {
    "nexys4": Board("lockstep_nexys4"),
    "ulx3s": Board("lockstep_ulx3s", ("EHXPLLL",)),
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


def lint_boards(where):
    program, environment = verilator(where)
    for name, board in BOARDS.items():
        subprocess.run(
            [program, "--lint-only", "-Wall", "--quiet", "--top-module", board.top]
            + [word for file in lists(name) for word in ("-F", str(file))],
            check=True,
            env=environment,
            stdout=subprocess.DEVNULL,
        )
        print(f"Verilator -Wall: {board.top} clean")


def lists(board):
    """The file lists of a board's top, with the design and what stands in for cells."""
    folder = RTL / "top" / board
    return [RTL / "files.f", folder / "files.f"] + [folder / "sim.f"] * bool(BOARDS[board].cells)


def read_slang(board, options=""):
    """The pass that reads a board's top with the design; the FPGA's cells stay what they are."""
    words = [f"-F {file}" for file in lists(board)]
    words += [f"--blackboxed-module {cell}" for cell in BOARDS[board].cells]
    return f"read_slang -D SYNTHESIS {' '.join(words)} --top {BOARDS[board].top} {options}"


def lint_cells(where):
    """The models of a chip's cells: each by itself, with pins and parameters it does not need."""
    program, environment = verilator(where)
    # A block RAM by itself has two clocks, and refuses what a cell is that is told nothing.
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
    for top in [*TOPS, *PARTS]:
        read = f"read_slang -D SYNTHESIS -F {RTL / 'files.f'} --top {top}"
        run_yosys(where, [read, f"hierarchy -check -top {top}", "proc", "check -assert"])
        print(f"Yosys: {top} elaborates")
    for name, board in BOARDS.items():
        check = [f"hierarchy -check -top {board.top}", "proc", "check -assert"]
        run_yosys(where, [read_slang(name), *check])
        print(f"Yosys: {board.top} elaborates")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--verilator", required=True)
    parser.add_argument("--yosys", required=True)
    arguments = parser.parse_args()
    try:
        lint_verilator(arguments.verilator)
        lint_boards(arguments.verilator)
        lint_cells(arguments.verilator)
    except subprocess.CalledProcessError as error:
        sys.exit(f"Verilator found something: {' '.join(error.cmd)}")
    elaborate_yosys(arguments.yosys)


if __name__ == "__main__":
    main()
