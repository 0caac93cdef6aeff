"""Makes a board's bitstream from the RTL, with its build id in the design and in the file.

ulx3s: Yosys, nextpnr-ecp5 and ecppack, all from PyPI. Seeds are tried in order until one meets the
clock; without one there is no bitstream, and the exit status is 1.
nexys4: Vivado, which has to be installed.

Everything lies in the output folder: the bitstream and report.json are what counts.
"""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys

from build_id import build_id, comment, layout_hash
from lint import read_slang, run_yosys
from synth import ECP5, PLACEMENT, counted, deepest, plain, run_yowasp
from tops import boards


def synthesise(yosys, top, netlist):
    """Cells by type; the netlist goes to a file."""
    stat = netlist.with_name("stat.json")
    read = read_slang(top, f"-G BuildId=32'h{build_id(top.game):08x}")
    passes = [read, f"synth_ecp5 -top {top.name} -json {netlist}", f"tee -q -o {stat} stat -json"]
    run_yosys(yosys, passes)
    modules = json.loads(stat.read_text())["modules"]
    return {plain(n): about["num_cells_by_type"] for n, about in modules.items()}[top.name]


def route(nextpnr, top, netlist, seed, out):
    """The report of a seed, and the configuration it leads to."""
    report, config = out / "nextpnr.json", out / "lockstep.config"
    for file in (report, config):
        file.unlink(missing_ok=True)
    # Relative, as out is: the placer in WebAssembly has a /tmp of its own.
    constraints = pathlib.Path(os.path.relpath(top.list.parent / f"{top.name}.lpf"))
    run_yowasp(
        nextpnr,
        "nextpnr_ecp5",
        ["--85k", "--package", "CABGA381", "--speed", "6", "--seed", seed, "--quiet"]
        + ["--json", netlist, "--lpf", constraints, "--textcfg", config, "--report", report]
        + ["--timing-allow-fail", *PLACEMENT.options],
    )
    return json.loads(report.read_text()), config


def slowest(report):
    """Clock achieved and required in MHz, of the clock that misses most or has least to spare."""
    clocks = [(c["achieved"], c["constraint"]) for c in report["fmax"].values()]
    return min(clocks, key=lambda clock: clock[0] / clock[1])


def pack(nextpnr, top, config, bitstream):
    """The bitstream, with the build id as its USERCODE and the rest as a comment."""
    text = config.read_text()
    config.write_text(f".comment {comment(top.game, top.board)}\n{text}")
    arguments = ["--compress", "--usercode", build_id(top.game), "--input", config]
    run_yowasp(nextpnr, "ecppack", [*arguments, "--bit", bitstream])


def open_flow(arguments):
    top, board, out = boards()[arguments.board], arguments.board, arguments.out
    netlist, bitstream = out / "netlist.json", out / "lockstep.bit"
    cells = synthesise(arguments.yosys, top, netlist)
    area = dict(zip(ECP5, counted(cells, ECP5)))
    print(f"{board}: " + ", ".join(f"{n} {k}" for k, n in area.items()), flush=True)
    tried = []
    for seed in arguments.seeds.split(","):
        report, config = route(arguments.nextpnr, top, netlist, seed, out)
        achieved, required = slowest(report)
        print(f"seed {seed}: {achieved:.1f} MHz of {required:.0f} MHz", flush=True)
        tried.append({"seed": int(seed), "mhz": round(achieved, 2)})
        if achieved >= required:
            break
    else:
        sys.exit(f"no seed of {arguments.seeds} meets {required:.0f} MHz: there is no bitstream. "
                 "Try others with SEEDS=4,5,6")
    first, last, levels, logic, wires = deepest(report)
    pack(arguments.nextpnr, top, config, bitstream)
    about = {
        "board": board,
        "device": "LFE5U-85F-6BG381C",
        "game": top.game,
        "build_id": f"{build_id(top.game):08x}",
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


def vivado_flow(arguments):
    vivado = shutil.which("vivado")
    if not vivado:
        sys.exit("vivado is not on PATH: install Vivado (the free edition has the XC7A100T) and "
                 "source its settings64.sh; BOARD=ulx3s needs nothing but PyPI")
    top = boards()[arguments.board]
    script = top.list.parent / "build.tcl"
    words = [f"{build_id(top.game):08x}", f"{layout_hash(top.game):08x}", str(arguments.out.resolve())]
    done = subprocess.run(
        [vivado, "-mode", "batch", "-nojournal", "-nolog", "-source", str(script), "-tclargs"]
        + words
    )
    sys.exit(done.returncode)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--board", required=True, choices=boards())
    parser.add_argument("--yosys", required=True, type=pathlib.Path)
    parser.add_argument("--nextpnr", required=True, type=pathlib.Path)
    parser.add_argument("--out", required=True, type=pathlib.Path)
    parser.add_argument("--seeds", default="1,2,3")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    # One of before is not to be taken for what could not be made.
    for name in ("lockstep.bit", "report.json"):
        (arguments.out / name).unlink(missing_ok=True)
    {"ulx3s": open_flow, "nexys4": vivado_flow}[arguments.board](arguments)


if __name__ == "__main__":
    main()
