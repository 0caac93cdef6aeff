"""Checks each board's top for signals that cross into a clock domain without a synchroniser.

On the elaborated netlist: an input pin, an output of an FPGA primitive and a register of another
clock are asynchronous to a register that they reach. That register has to take the signal alone,
without logic, and be read by nothing but one more register of its clock; or it has an enable of its
clock and the attribute `steady_when_enabled`, whose reason stands beside it: the signal does not
change while it is enabled. An asynchronous reset has to come from a register of the same clock, or
to belong to a reset synchroniser: registers in a row, the first of which takes a constant, and of
which the last one alone is read by others.
"""

import argparse
import collections
import functools
import json
import pathlib
import sys
import tempfile
import typing

from lint import read_slang, run_yosys
from tops import boards

FLOPS = ("$dff", "$dffe", "$sdff", "$sdffe", "$sdffce", "$adff", "$adffe")
# What is mapped to single bits, so that each bit has its own sources and no others
BITWISE = ("$mux", "$and", "$or", "$xor", "$xnor", "$not", "$pmux", "$logic_not")
CONSTANTS = ("0", "1", "x", "z")


class Flop(typing.NamedTuple):
    """A register's bit; nets are numbers, constants strings."""

    clock: int
    data: int | str
    controls: tuple[int | str, ...]  # enable and synchronous reset
    reset: int | str | None  # asynchronous
    output: int


class Netlist:
    """Registers of a top, and the sources of each net."""

    def __init__(self, module):
        self.names = {}
        self.steady = set()  # nets with that attribute
        for name, net in module["netnames"].items():
            if "steady_when_enabled" in net["attributes"]:
                self.steady.update(net["bits"])
            for place, bit in enumerate(net["bits"]):
                named = f"{name}[{place}]" if len(net["bits"]) > 1 else name
                # The shortest one: the highest in the hierarchy.
                self.names[bit] = min(self.names.get(bit, named), named, key=len)
        self.flops = {}
        self.clocked = collections.defaultdict(set)  # clock -> outputs of its registers
        self.drivers = {}  # net -> inputs of the cell that drives it
        self.pins = {}  # net -> name of an input pin or of a cell that is no logic
        self.readers = collections.defaultdict(list)  # net -> flops that take it, or None
        for name, port in module["ports"].items():
            for bit in port["bits"]:
                if port["direction"] == "output":
                    self.readers[bit].append(None)
                else:
                    self.pins[bit] = f"pin {self.names.get(bit, name)}"
        for name, cell in module["cells"].items():
            self.add(name, cell)

    def add(self, name, cell):
        bits = cell["connections"]
        if cell["type"] in FLOPS:
            controls = [bit for port in ("EN", "SRST") for bit in bits.get(port, [])]
            (reset,) = bits.get("ARST", [None])
            for data, output in zip(bits["D"], bits["Q"]):
                flop = Flop(bits["CLK"][0], data, tuple(controls), reset, output)
                self.flops[output] = flop
                self.clocked[flop.clock].add(output)
                self.readers[data].append(flop)
                for bit in controls:
                    self.readers[bit].append(None)
            return
        ways = cell["port_directions"]
        inputs = [bit for port in bits if ways[port] != "output" for bit in bits[port]]
        outputs = [bit for port in bits if ways[port] != "input" for bit in bits[port]]
        if any(kind in cell["type"] for kind in ("ff", "latch", "mem")):
            sys.exit(f"{name}: rtl/crossings.py knows no registers of the type {cell['type']}")
        for bit in inputs:
            self.readers[bit].append(None)
        for bit in outputs:
            if cell["type"].startswith("$"):
                self.drivers[bit] = inputs
            else:
                self.pins[bit] = f"{cell['type']} {self.names.get(bit, name)}"

    def sources(self, net):
        """Registers and pins that a net comes from."""
        found, seen, todo = set(), set(), [net]
        while todo:
            bit = todo.pop()
            if bit in seen or bit in CONSTANTS:
                continue
            seen.add(bit)
            if bit in self.flops or bit in self.pins:
                found.add(bit)
            else:
                todo += self.drivers.get(bit, [])
        return found

    def name(self, bit):
        return self.pins.get(bit) or self.names.get(bit, f"net {bit}")

    def foreign(self, net, clock):
        """Sources of a net that are not of that clock."""
        return self.sources(net) - self.clocked[clock]


def second(netlist, flop):
    """The register of the same clock that alone reads one, if so."""
    readers = netlist.readers[flop.output]
    alone = len(readers) == 1 and readers[0] is not None and readers[0].clock == flop.clock
    return readers[0] if alone else None


def crossings(netlist):
    """Signals that are synchronised; and those that are not, each with the registers it reaches."""
    good, wrong = set(), collections.defaultdict(set)
    # Nets that many registers share are looked at once.
    foreign = functools.cache(netlist.foreign)

    def judge(net, flop, fault):
        """The sources of a net, none of which may be foreign if that is a fault."""
        names = {netlist.name(source) for source in foreign(net, flop.clock)}
        if not fault:
            good.update(names)
        else:
            for name in names:
                wrong[f"{name} {fault}"].add(netlist.name(flop.output))

    for flop in netlist.flops.values():
        for control in flop.controls:
            judge(control, flop, "reaches the enable or the reset of")
        if flop.data not in foreign(flop.data, flop.clock):
            judge(flop.data, flop, "passes logic before the register")
        else:
            safe = second(netlist, flop) or (flop.output in netlist.steady and flop.controls)
            judge(flop.data, flop, "" if safe else "is read after one register,")
        if flop.reset is not None:
            fault = "" if in_reset_synchroniser(netlist, flop) else "resets without a synchroniser"
            judge(flop.reset, flop, fault)
    return good, wrong


def in_reset_synchroniser(netlist, flop):
    """Whether it is one of registers in a row, of one clock and reset, begun by a constant."""
    before = netlist.flops.get(flop.data)
    if flop.data in CONSTANTS:
        return second(netlist, flop) is not None
    same = before is not None and (before.clock, before.reset) == (flop.clock, flop.reset)
    return same and second(netlist, before) == flop and in_reset_synchroniser(netlist, before)


def elaborated(yosys, board):
    """The netlist of a board's top, one module, its registers apart from its logic."""
    top = boards()[board].name
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "netlist.json"
        passes = [read_slang(boards()[board]), f"hierarchy -check -top {top}", "proc"]
        passes += ["check -assert", "flatten"]
        passes += ["opt_clean", "memory_map", "opt_dff", "opt_clean"]
        passes += ["simplemap " + " ".join(f"t:{kind}" for kind in BITWISE), f"write_json {file}"]
        run_yosys(yosys, passes)
        return Netlist(json.loads(file.read_text())["modules"][top])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--yosys", required=True, type=pathlib.Path)
    arguments = parser.parse_args()
    failed = False
    for board in boards():
        top = boards()[board].name
        good, wrong = crossings(elaborated(arguments.yosys, board))
        for what, registers in sorted(wrong.items()):
            others = f" and {len(registers) - 1} more" if len(registers) > 1 else ""
            print(f"{top}: {what} {min(registers)}{others}")
        failed |= bool(wrong)
        if not good:
            sys.exit(f"{top}: no crossing found, not even of its reset")
        if not wrong:
            print(f"Crossings: {top} synchronises {', '.join(sorted(good))}")
    if failed:
        sys.exit("a signal crosses into a clock domain without a synchroniser: give it two "
                 "registers of that clock, or reset_sync if it is a reset")


if __name__ == "__main__":
    main()
