"""Checks what tools are given that do not run here: Vivado's scripts and FuseSoC's targets.

Vivado's Tcl is run by tclsh with Vivado's commands replaced by ones that write down what they are
called with: every file it reads has to be there, every pin of the top needs a place, wrong use and
a clock that is not met have to end it. FuseSoC sets up every target of lockstep.core; what its
script has Yosys do is done.
"""

import argparse
import itertools
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from lint import read_slang, run_yosys
from tops import RTL, boards, listed

CORE = "lockstep:lockstep:tetris"
TARGETS = ["lint", "ulx3s", "nexys4"]

# Commands that Vivado has and tclsh has not. Each writes its name and arguments as a line of JSON.
VIVADO = """
proc told {name arguments} {
  set words {}
  foreach word [concat [list $name] $arguments] {
    lappend words "\\"[string map {\\\\ \\\\\\\\ \\" \\\\\\" \\n \\\\n} $word]\\""
  }
  puts "\\[[join $words ,]\\]"
}
foreach name {
  read_verilog synth_design opt_design place_design phys_opt_design route_design create_clock
  report_utilization report_timing_summary report_drc set_property write_bitstream set_false_path
  open_hw_manager connect_hw_server open_hw_target current_hw_device program_hw_devices
  close_hw_manager
} { proc $name args "told $name \\$args" }
proc read_xdc file { told read_xdc [list $file]; source $file }
proc current_design {} { return design }
proc get_ports ports { return $ports }
proc get_timing_paths args { return path }
proc get_property {property object} { return $::env(SLACK) }
proc get_hw_devices pattern { return $::env(DEVICES) }
"""


def tcl(tclsh, script, arguments, slack="0.1", devices="xc7a100t_0"):
    """Exit status, errors and calls of a script of the Nexys4 under those commands."""
    path = RTL / "top" / "nexys4" / script
    words = " ".join("{" + str(word) + "}" for word in arguments)
    with tempfile.NamedTemporaryFile("w", suffix=".tcl") as file:
        file.write(f"{VIVADO}\nset argv [list {words}]\nsource {{{path}}}\n")
        file.flush()
        done = subprocess.run(
            [tclsh, file.name],
            env={**os.environ, "SLACK": slack, "DEVICES": devices},
            capture_output=True,
            text=True,
        )
    calls = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("[")]
    return done.returncode, done.stderr, calls


def expect(what, got, expected):
    if got != expected:
        sys.exit(f"{what}: {got}, expected {expected}")


def pins(yosys, board, out):
    """The bits of all ports of a board's top."""
    file = out / "ports.json"
    run_yosys(yosys, [read_slang(board), "proc", f"write_json {file}"])
    ports = json.loads(file.read_text())["modules"][board.name]["ports"]
    for name, port in ports.items():
        width = len(port["bits"])
        yield from [name] if width == 1 else (f"{name}[{bit}]" for bit in range(width))


def check_vivado(tclsh, yosys, out):
    good = ["0123abcd", "89abcdef", out]
    status, errors, calls = tcl(tclsh, "build.tcl", good)
    expect(f"build.tcl ends with {errors}", status, 0)
    of = {name: list(calls) for name, calls in itertools.groupby(
        sorted(calls, key=lambda call: call[0]), lambda call: call[0])}
    (read,) = of["read_verilog"]
    files = read[2].split()
    missing = [file for file in files if not pathlib.Path(file).is_file()]
    expect("files that are not there", missing, [])
    expect("the file list", files, [str(file) for file in listed(boards()["nexys4"].list)])
    (synth,) = of["synth_design"]
    expect("synth_design", synth[1:5], ["-top", boards()["nexys4"].name, "-part", "xc7a100tcsg324-1"])
    expect("the build id", synth[-2:], ["-generic", "BuildId=32'h0123abcd"])
    properties = {tuple(call[1:3]) for call in of["set_property"]}
    for pair in [("BITSTREAM.CONFIG.USERID", "0x0123abcd"),
                 ("BITSTREAM.CONFIG.USR_ACCESS", "0x89abcdef")]:
        expect(f"whether {pair} is set", pair in properties, True)
    places = [call[2:] for call in of["set_property"] if call[1] == "-dict"]
    expect("places used twice", len({place.split()[1] for place, _ in places}), len(places))
    placed = sorted(port for _, port in places)
    expect("the pins with a place", placed, sorted(pins(yosys, boards()["nexys4"], out)))
    order = [call[0] for call in calls]
    expect("the last step", order[-1], "write_bitstream")
    # What is wrong ends it, and nothing is written.
    for arguments, slack, status in [(good[:2], "1", 2), (["123", *good[1:]], "1", 2),
                                     (good, "-0.01", 1)]:
        got, _, calls = tcl(tclsh, "build.tcl", arguments, slack)
        expect(f"status of build.tcl {arguments}, slack {slack}", got, status)
        expect("bitstreams", [call for call in calls if call[0] == "write_bitstream"], [])

    file = out / "lockstep.bit"
    file.touch()
    status, errors, calls = tcl(tclsh, "program.tcl", [file])
    expect(f"program.tcl ends with {errors}", status, 0)
    expect("what is programmed", ["set_property", "PROGRAM.FILE", str(file), "xc7a100t_0"] in calls,
           True)
    for arguments, devices, status in [([], "x", 2), ([out / "no.bit"], "x", 2), ([file], "", 1)]:
        got, _, calls = tcl(tclsh, "program.tcl", arguments, devices=devices)
        expect(f"status of program.tcl {arguments}, devices {devices}", got, status)
        expect("loads", [call for call in calls if call[0] == "program_hw_devices"], [])
    print(f"Vivado's scripts: {len(files)} files, {len(placed)} pins, wrong use refused")


def fusesoc(where, out, *arguments):
    """Runs FuseSoC, with nothing of this user's."""
    own = {name: str(out) for name in ["XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"]}
    done = subprocess.run(
        [sys.executable, "-m", "fusesoc.main", "--cores-root", str(RTL.parent), *arguments],
        env={**os.environ, **own, "PYTHONPATH": str(where.resolve())},
        capture_output=True,
        text=True,
    )
    if done.returncode != 0:
        sys.exit(f"fusesoc {' '.join(arguments)}:\n{done.stdout}{done.stderr}")


def check_fusesoc(where, tclsh, yosys, out):
    fusesoc(where, out, "core", "show", CORE)
    for target in TARGETS:
        root = out / target
        shutil.rmtree(root, ignore_errors=True)
        run = ["run", "--setup", "--target", target, "--work-root", str(root)]
        fusesoc(where, out, *run, CORE)
        print(f"FuseSoC: {target} set up")
    if not tclsh:
        return
    # The plugin is part of pyosys.
    stub = "proc yosys args { if {[lindex $args 0] ne {plugin}} { puts [join $args { }] } }\n"
    script = stub + "source fusesoc.tcl\n"
    done = subprocess.run([tclsh], input=script, cwd=out / "ulx3s", capture_output=True, text=True)
    read, synth = done.stdout.splitlines() or sys.exit(f"fusesoc.tcl: {done.stderr}")
    top = boards()["ulx3s"].name
    expect("the synthesis", synth.split()[:3], ["synth_ecp5", "-top", top])
    here = os.getcwd()
    os.chdir(out / "ulx3s")
    run_yosys(yosys, [read, f"hierarchy -check -top {top}", "proc", "check -assert"])
    os.chdir(here)
    print(f"FuseSoC: {top} elaborates by its script")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--yosys", required=True, type=pathlib.Path)
    parser.add_argument("--fusesoc", required=True, type=pathlib.Path)
    parser.add_argument("--out", required=True, type=pathlib.Path)
    arguments = parser.parse_args()
    out = arguments.out.resolve()
    out.mkdir(parents=True, exist_ok=True)
    yosys = arguments.yosys.resolve()
    tclsh = shutil.which("tclsh")
    if tclsh:
        check_vivado(tclsh, yosys, out)
    else:
        print("Vivado's scripts: not checked, there is no tclsh (Debian: tcl)")
    check_fusesoc(arguments.fusesoc, tclsh, yosys, out)


if __name__ == "__main__":
    main()
