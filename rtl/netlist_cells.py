"""Proves that the simulation models of an ECP5's cells are those that Yosys has.

For every set of parameters that a netlist uses, with Yosys's SAT solver: a register by induction
over the clock cycles, a LUT RAM for its first clock cycles from zeros. Of DP16KD and
MULT18X18D Yosys has no models: what they do shows in games alone.
"""

import argparse
import pathlib
import re
import sys
import tempfile

from lint import run_yosys
from tops import RTL

MODELS = RTL.parent / "sim" / "netlist"
# Those that Yosys models, with their pins: name, bits, whether it is an output.
CELLS = {
    "LUT4": [*((pin, 1, False) for pin in "ABCD"), ("Z", 1, True)],
    "PFUMX": [("ALUT", 1, False), ("BLUT", 1, False), ("C0", 1, False), ("Z", 1, True)],
    "L6MUX21": [("D0", 1, False), ("D1", 1, False), ("SD", 1, False), ("Z", 1, True)],
    "CCU2C": [(pin, 1, False) for pin in "CIN A0 B0 C0 D0 A1 B1 C1 D1".split()]
    + [(pin, 1, True) for pin in ("S0", "S1", "COUT")],
    "TRELLIS_FF": [(pin, 1, False) for pin in ("CLK", "LSR", "CE", "DI")] + [("Q", 1, True)],
    "TRELLIS_DPR16X4": [("WCK", 1, False), ("WRE", 1, False), ("WAD", 4, False)]
    + [("DI", 4, False), ("RAD", 4, False), ("DO", 4, True)],
}
CLOCKS = {"CLK", "WCK"}
# How long each is looked at. A LUT RAM that is read at one address a cycle gives induction nothing
# to hold on to.
HOW = {"TRELLIS_FF": "-tempinduct", "TRELLIS_DPR16X4": "-seq 6 -set-init-zero"}
UNMODELLED = {"DP16KD", "MULT18X18D"}


def instances(netlist):
    """The sets of parameters of every type of cell: pairs of name and value, as written."""
    found = {}
    for cell, parameters in re.findall(r"^  ([A-Z]\w*) (?:#\((.*?)\n  \) )?\\?\S+ +\($",
                                       netlist, re.MULTILINE | re.DOTALL):
        pairs = re.findall(r"\.(\w+)\((.*?)\)(?:,|$)", parameters, re.MULTILINE)
        # A bit that is left open may be anything; a proof needs it to be something.
        pairs = ((name, re.sub("x+$", lambda x: "0" * len(x[0]), value)) for name, value in pairs)
        found.setdefault(cell, set()).add(tuple(p for p in pairs if p[0] != "FAULT"))
    return found


def harness(cell, pins, sets):
    """A module with one instance for every set of parameters, all on the same inputs."""
    ports = [f"input {'clk' if pin in CLOCKS else pin}" if bits == 1 else f"input [{bits-1}:0] {pin}"
             for pin, bits, out in pins if not out]
    ports += [f"output [{bits * len(sets) - 1}:0] {pin}" for pin, bits, out in pins if out]
    body = []
    for index, parameters in enumerate(sorted(sets)):
        named = ", ".join(f".{name}({value})" for name, value in parameters)
        joined = ", ".join(
            f".{pin}({pin}[{bits * index} +: {bits}])" if out
            else f".{pin}({'clk' if pin in CLOCKS else pin})"
            for pin, bits, out in pins
        )
        body.append(f"  {cell} #({named}) u_{index} ({joined});\n")
    return f"module harness ({', '.join(ports)});\n{''.join(body)}endmodule\n"


def prove(yosys, cell, sets, model, folder):
    """Exits with the name of the cell when the model is not that of Yosys."""
    print(f"{cell}, {len(sets)} sets of parameters: ", end="", flush=True)
    text = folder / f"{cell}.v"
    text.write_text(harness(cell, CELLS[cell], sets))
    flatten = "hierarchy -top harness; proc; flatten; memory_map; opt_clean"
    cells = pathlib.Path(yosys) / "pyosys" / "share" / "ecp5" / "cells_sim.v"
    sources = [MODELS / "netlist_pkg.sv", model]
    run_yosys(yosys, [
        f"read_slang -D SYNTHESIS --top harness {' '.join(map(str, sources))} {text}",
        *flatten.split("; "),
        "design -stash ours",
        f"read_verilog -D NO_INCLUDES -I {cells.parent} {cells} {text}",
        *flatten.split("; "),
        "design -stash theirs",
        "design -import ours -as ours harness",
        "design -import theirs -as theirs harness",
        "miter -equiv -flatten -make_outputs ours theirs miter",
        "hierarchy -top miter",
        f"sat -verify -prove trigger 0 -set-def-inputs {HOW.get(cell, '')} miter",
    ])
    print("proved", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--yosys", required=True, type=pathlib.Path)
    parser.add_argument("--netlists", required=True, type=pathlib.Path,
                        help="the folder that netlist.py writes to")
    parser.add_argument("--models", default=MODELS, type=pathlib.Path)
    arguments = parser.parse_args()
    found = {}
    for netlist in sorted(arguments.netlists.glob("*/netlist.v")):
        for cell, sets in instances(netlist.read_text()).items():
            found.setdefault(cell, set()).update(sets)
        if strange := found.keys() - CELLS.keys() - UNMODELLED:
            sys.exit(f"{netlist} has cells without a model: {', '.join(sorted(strange))}")
    with tempfile.TemporaryDirectory() as folder:
        for cell in sorted(found.keys() & CELLS.keys()):
            model = arguments.models / f"{cell}.sv"
            prove(arguments.yosys, cell, found[cell], model, pathlib.Path(folder))


if __name__ == "__main__":
    main()
