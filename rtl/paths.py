"""Estimates the longest register-to-register paths of a board's top on an Artix-7 of grade -1.

Yosys maps the top for it; nothing is placed or routed. Each path is the sum of
- the delays of carry chains and multiplexers in Yosys's own models (techlibs/xilinx/cells_sim.v, from
  Project X-Ray; those of the carry chain are the ones that Vivado reports for -1 parts),
- the delays below. "Vivado" stands beside those that published reports of -1 parts have. The others
  are chosen above those of Yosys's models, which stand beside them; the data sheet (DS181) has not
  been compared with them,
- for each net an allowance that grows with its fan-out (WIRE), none inside a carry chain.

A path is listed once for each pair of modules. Names the pairs that leave less than a fifth of the
clock's period; it is an estimate, so that it fails on none.
"""

import argparse
import collections
import graphlib
import json
import math
import pathlib
import re
import tempfile

from lint import read_slang, run_yosys
from tops import boards

HEAD = "\n## Clock on Artix-7, estimated\n"
# Where all that is no board's own lies.
WITHIN = "u_board_tetris.u_cosim_tetris."
# The core's reset, a register.
RESET = "game_rst_n"
PERIOD = 10.0
SPARE = 0.2
# A routed net between neighbouring slices takes 0.4 to 0.8 ns, one across the design 1 to 2 ns.
WIRE, WIRE_PER_DOUBLING, LONGEST_WIRE = 0.5, 0.15, 2.0

# Clock to output. FDRE: Vivado, 0.456 in a SLICEL and 0.518 in a SLICEM. LUT RAM and shift register: not
# compared with a report. DSP48E1 by (MREG, PREG): above Yosys's 0.33 with PREG and 1.69 without. RAMB18E1, without
# and with its output register: Vivado and Yosys.
CLOCK_TO_Q = {"FDRE": 0.518, "FDSE": 0.518, "FDCE": 0.518, "FDPE": 0.518, "RAM32M": 1.314,
              "RAM32X1D": 1.314, "RAM64M": 1.314, "RAM64X1D": 1.314, "SRL16E": 1.63}
DSP_CLOCK_TO_P = {(1, 1): 0.45, (0, 1): 0.45, (1, 0): 1.96}
RAM_CLOCK_TO_DO = {0: 2.454, 1: 0.882}
# Setup. FDRE: above Yosys's 0, 0.11 (CE) and 0.40 (R). DSP48E1 into an input register, MREG, PREG and
# from C: above Yosys's 0.32, 1.42, 2.74 and 1.24. Block RAM and LUT RAM: the greatest of Yosys's.
SETUP = {"D": 0.11, "CE": 0.21, "R": 0.53, "S": 0.53, "CLR": 0.53, "PRE": 0.53}
DSP_SETUP = {"input": 0.45, "MREG": 3.10, "PREG": 5.00, "C": 1.80, "control": 0.55}
RAM_SETUP, LUT_RAM_SETUP = 0.74, 0.60
# Through a cell. LUT: Vivado, 0.124, and 0.3 behind a carry chain. DSP48E1: from A or B above Yosys's
# 2.82 (Vivado has 4.04 from A to PCOUT), from C above its 1.3.
LUT, LUT_BEHIND_CARRY, INV = 0.13, 0.18, 0.0
DSP_THROUGH, DSP_C_THROUGH = 4.38, 1.70


def arcs(yosys, cell):
    """Delays from pin to pin, in ns, of a cell in Yosys's models."""
    (models,) = yosys.glob("pyosys/share/xilinx/cells_sim.v")
    body = re.search(rf"^module {cell}\b.*?^endmodule", models.read_text(), re.M | re.S)[0]
    found = re.findall(r"\((\w+(?:\[\d+\])?)\s*=>\s*(\w+(?:\[\d+\])?)\)\s*=\s*(\d+);", body)
    return {(start, end): int(delay) / 1000 for start, end, delay in found}


def number(parameters, name, default=0):
    value = parameters.get(name, default)
    return int(value, 2) if isinstance(value, str) else int(value)


class Timing:
    """Arrival times in a mapped netlist."""

    def __init__(self, module, yosys):
        self.through = {kind: arcs(yosys, kind) for kind in ("CARRY4", "MUXF7", "MUXF8")}
        self.names = {}
        for name, net in module["netnames"].items():
            for bit in net["bits"]:
                self.names[bit] = min(self.names.get(bit, name), name, key=lambda n: ("$" in n, len(n)))
        self.starts = {}  # net -> (clock to output, cell)
        self.edges = collections.defaultdict(list)  # net -> (net before it, delay, kind)
        self.ends = []  # (net, setup, cell, pin)
        self.fanout = collections.Counter()
        self.carries = set()  # nets that a carry chain drives
        for name, cell in module["cells"].items():
            self.add(name, cell["type"], cell["connections"], cell["parameters"],
                     cell["port_directions"])

    def add(self, name, kind, pins, parameters, ways):
        inputs, outputs = [], []
        for pin, bits in pins.items():
            for place, bit in enumerate(bits):
                full = f"{pin}[{place}]" if len(bits) > 1 else pin
                (outputs if ways[pin] == "output" else inputs).append((full, pin, bit))
        if kind == "CARRY4":
            self.carries.update(bit for _, _, bit in outputs)
        for full, pin, bit in inputs:
            if isinstance(bit, int) and pin not in ("C", "CLK", "WCLK", "CLKARDCLK", "CLKBWRCLK"):
                self.fanout[bit] += 1
                setup = self.setup(kind, pin, parameters)
                if setup is not None:
                    self.ends.append((bit, setup, f"{kind}.{pin}", self.owner(name, pins)))
        for full, pin, bit in outputs:
            start = self.clocked(kind, pin, parameters)
            if start is not None:
                self.starts[bit] = (start, kind)
            for source, source_pin, net in inputs:
                delay = self.delay(kind, source, source_pin, full, parameters)
                if delay is not None and isinstance(net, int):
                    self.edges[bit].append((net, delay, kind))

    def owner(self, name, pins):
        """The name of a register by what it drives."""
        bits = [b for pin in ("Q", "P", "DOADO", "DOBDO", "DOA") for b in pins.get(pin, [])]
        named = [self.names[b] for b in bits if b in self.names and "$" not in self.names[b]]
        return named[0] if named else name.split("$")[0].rstrip(".") or name

    def setup(self, kind, pin, parameters):
        if kind in ("FDRE", "FDSE", "FDCE", "FDPE"):
            return SETUP.get(pin)
        if kind.startswith("RAMB"):
            return RAM_SETUP
        if kind.startswith(("RAM32", "RAM64", "SRL")):
            return LUT_RAM_SETUP if not pin.startswith(("ADDRA", "ADDRB", "ADDRC", "DPRA")) else None
        if kind != "DSP48E1":
            return None
        if pin in ("A", "B"):
            if number(parameters, f"{pin}REG", 1):
                return DSP_SETUP["input"]
            if number(parameters, "MREG", 1):
                return DSP_SETUP["MREG"]
            return DSP_SETUP["PREG"] if number(parameters, "PREG", 1) else None
        if pin == "C":
            if number(parameters, "CREG", 1):
                return DSP_SETUP["input"]
            return DSP_SETUP["C"] if number(parameters, "PREG", 1) else None
        return DSP_SETUP["control"]

    def clocked(self, kind, pin, parameters):
        if kind in CLOCK_TO_Q:
            return CLOCK_TO_Q[kind]
        if kind.startswith("RAMB"):
            return RAM_CLOCK_TO_DO[number(parameters, f"DO{'B' if 'B' in pin[2:] else 'A'}_REG")]
        if kind == "DSP48E1":
            return DSP_CLOCK_TO_P.get((number(parameters, "MREG", 1), number(parameters, "PREG", 1)))
        return None

    def delay(self, kind, source, pin, target, parameters):
        if kind.startswith("LUT"):
            return LUT
        if kind in self.through:
            return self.through[kind].get((source, target))
        if kind in ("INV", "BUFG", "IBUF", "OBUF"):
            return INV
        if kind in ("RAM32M", "RAM64M"):  # DOA follows ADDRA
            return LUT if pin == "ADDR" + target[2] else None
        if kind in ("RAM32X1D", "RAM64X1D"):
            return LUT if pin.startswith("DPRA" if target == "DPO" else "A") else None
        if kind == "DSP48E1" and not number(parameters, "PREG", 1):
            if pin in ("A", "B") and not number(parameters, "MREG", 1) \
                    and not number(parameters, f"{pin}REG", 1):
                return DSP_THROUGH
            return DSP_C_THROUGH if pin == "C" and not number(parameters, "CREG", 1) else None
        return None

    def wire(self, net, kind):
        """Delay of a net into a cell."""
        if net in self.carries and kind == "CARRY4":
            return 0.0
        wire = min(WIRE + WIRE_PER_DOUBLING * math.log2(max(self.fanout[net], 1)), LONGEST_WIRE)
        return wire + (LUT_BEHIND_CARRY if net in self.carries and kind.startswith("LUT") else 0.0)

    def arrive(self):
        """For each net its longest path: (ns in cells, ns in nets, cells, first net), or None."""
        order = graphlib.TopologicalSorter(
            {net: {before for before, _, _ in edges} for net, edges in self.edges.items()}
        )
        arrived = {net: (delay, 0.0, (kind,), net) for net, (delay, kind) in self.starts.items()}
        for net in order.static_order():
            best = arrived.get(net)
            for before, delay, kind in self.edges.get(net, []):
                if arrived.get(before) is None:
                    continue
                logic, wires, cells, start = arrived[before]
                logic, wires = logic + delay, wires + self.wire(before, kind)
                if best is None or logic + wires > best[0] + best[1]:
                    best = (logic, wires, (*cells, kind), start)
            arrived[net] = best
        return arrived

    def paths(self):
        """The longest path to each register: (ns, cells' ns, nets' ns, from, to, cells)."""
        found, arrived = {}, self.arrive()
        for net, setup, pin, register in self.ends:
            if arrived.get(net) is None:
                continue
            logic, wires, cells, start = arrived[net]
            wires += self.wire(net, "") if cells[-1] != "CARRY4" or ".D" not in pin else 0.0
            total = logic + wires + setup
            key = (module_of(self.names.get(start, "?")), module_of(register), pin.split(".")[1])
            if key not in found or total > found[key][0]:
                found[key] = (total, logic + setup, wires, self.names.get(start, "?"), register,
                              (*cells, pin))
        return sorted(found.values(), reverse=True)


def module_of(name):
    return name.rsplit(".", 1)[0]


def shape(cells):
    """Cells of a path, in words: FDRE, 3 LUT, 4 CARRY4, FDRE.D"""
    runs = []
    for cell in cells:
        kind = "LUT" if cell.startswith("LUT") else cell
        if runs and runs[-1][0] == kind:
            runs[-1][1] += 1
        else:
            runs.append([kind, 1])
    return ", ".join(kind if count == 1 else f"{count} {kind}" for kind, count in runs)


def mapped(yosys, board):
    top = boards()[board].name
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "netlist.json"
        run_yosys(yosys, [read_slang(boards()[board]), f"synth_xilinx -family xc7 -flatten -top {top}",
                          f"write_json {file}"])
        return json.loads(file.read_text())["modules"][top]


def resets(module, timing):
    """How many registers use their reset, and what the reset of the core reaches."""
    pins = [bits[0] for cell in module["cells"].values() if cell["type"].startswith("FD")
            for pin, bits in cell["connections"].items() if pin in ("R", "S", "CLR", "PRE")]
    driven = collections.Counter(net for net in pins if isinstance(net, int))
    reset = next(net for net, name in timing.names.items() if name.endswith(RESET))
    inverted = [net for net, edges in timing.edges.items()
                if any(before == reset and kind == "INV" for before, _, kind in edges)]
    reached = sum(timing.fanout[net] for net in (reset, *inverted)) - len(inverted)
    return f"""Of {len(pins):,} registers {sum(driven.values()):,} use their reset or set, most of them to be cleared at work. The
register that resets the core reaches {reached:,} inputs, {sum(driven[n] for n in (reset, *inverted)):,} of them resets of registers."""


def section(top, paths, reset, count):
    """The paths in words and a table."""
    most = PERIOD * (1 - SPARE)
    late = sum(path[0] > most for path in paths)
    text = f"""
Written by `make paths` (`rtl/paths.py`). Nothing was placed or routed: `{top}`, mapped by
`synth_xilinx -family xc7`, and the sum of delays of cells for an Artix-7 of grade -1 (published
reports of Vivado, Yosys's models, or above these; not compared with the data sheet, DS181) and an
allowance for each net of {WIRE} ns and {WIRE_PER_DOUBLING} ns more each time its fan-out doubles,
{LONGEST_WIRE} ns at most. The script has the source of each number. Nets make three quarters of the sum, and Yosys maps for
area first, so that the order of the paths says more than their length.

By this estimate the products and their sum (`tetris_score`) take 7.4 ns: they need no other stage.
The way back from the rows of a placement to the candidates, 11.9 ns before 334dcc2 and 10.6 after it,
begins at registers that know early whether a row is the last one, may be given and is held up. Sums
of the features (`tetris_eval`), six addends and two carry chains in a row, have one chain, and a full
row is left out before it.

{reset}

The longest path between each two modules, in ns of {PERIOD:.0f}; {late} such pairs are above
{most:.0f}, which leave less than {SPARE:.0%}:

| ns | cells | nets | from | to | cells in turn |
| ---: | ---: | ---: | --- | --- | --- |
"""
    for total, logic, wires, start, end, cells in paths[:count]:
        ends = " | ".join(f"`{name.removeprefix(WITHIN)}`" for name in (start, end))
        text += f"| {total:.1f} | {logic:.1f} | {wires:.1f} | {ends} | {shape(cells)} |\n"
    return text


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--yosys", required=True, type=pathlib.Path)
    parser.add_argument("--board", default="nexys4")
    parser.add_argument("--write", type=pathlib.Path, help="the document with that section")
    parser.add_argument("--count", default=20, type=int, help="paths to list")
    arguments = parser.parse_args()
    top = boards()[arguments.board].name
    module = mapped(arguments.yosys, arguments.board)
    timing = Timing(module, arguments.yosys)
    text = section(top, timing.paths(), resets(module, timing), arguments.count)
    if arguments.write:
        before = arguments.write.read_text().partition(HEAD)[0]
        arguments.write.write_text(before + HEAD + text)
    else:
        print(text)


if __name__ == "__main__":
    main()
