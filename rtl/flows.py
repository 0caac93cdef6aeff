"""Checks the inputs of tools that are not installed here: Vivado's scripts and FuseSoC's targets.

Vivado's Tcl is run by tclsh with Vivado's commands replaced by ones that write down what they are
called with: every file it reads has to be there, wrong use and a clock that is not met have to end
it. Of each board every pin of the top needs a place in the constraints. FuseSoC sets up the target
lint of lockstep.core and each board's core; what its script has Yosys do is done.
"""

import argparse
import itertools
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from lint import run_yosys
from tops import RTL, boards, listed

CORE = "lockstep:lockstep:tetris"
# Port and place in the constraints, by their ending.
PLACES = {
    "lpf": r'^LOCATE COMP "(?P<port>\S+)" SITE "(?P<place>\w+)";',
    "cst": r'^IO_LOC "(?P<port>\S+)" (?P<place>\w+);',
    "xdc": r"PACKAGE_PIN (?P<place>\w+) .*\[get_ports \{?(?P<port>\w+(?:\[\d+\])?)\}?\]$",
}

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


def tcl(tclsh, script, arguments, slack="0.1", devices=""):
    """Exit status, errors and calls of a script for Vivado under those commands."""
    path = RTL / "top" / "vivado" / script
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


def pins(board):
    """The bits of all ports of a board's top."""
    text = (board.list.parent / f"{board.name}.sv").read_text()
    ports = re.findall(r"^  (?:input|output) +logic +(?:\[(\d+):0\])? +(\w+)", text, re.M)
    for high, name in ports:
        yield from [name] if not high else (f"{name}[{bit}]" for bit in range(int(high) + 1))


def places(board):
    """Port and place of every pin that the constraints place."""
    for ending, place in PLACES.items():
        file = board.list.parent / f"{board.name}.{ending}"
        if file.exists():
            for found in re.finditer(place, file.read_text(), re.M):
                yield found["port"], found["place"]


def check_places(board, placed):
    """Every pin has a place, and no place two."""
    expect(f"{board.name}: places used twice", len({place for _, place in placed}), len(placed))
    expect(f"{board.name}: the pins with a place", sorted(port for port, _ in placed),
           sorted(pins(board)))
    print(f"{board.name}: {len(placed)} pins with a place each")


def check_vivado(tclsh, name, board, out):
    good = [name, "0123abcd", "89abcdef", out]
    status, errors, calls = tcl(tclsh, "build.tcl", good)
    expect(f"build.tcl ends with {errors}", status, 0)
    of = {name: list(calls) for name, calls in itertools.groupby(
        sorted(calls, key=lambda call: call[0]), lambda call: call[0])}
    (read,) = of["read_verilog"]
    files = read[2].split()
    missing = [file for file in files if not pathlib.Path(file).is_file()]
    expect("files that are not there", missing, [])
    expect("the file list", files, [str(file) for file in listed(board.list)])
    (synth,) = of["synth_design"]
    expect("synth_design", synth[1:5], ["-top", board.name, "-part", board.about["place"]])
    expect("the build id", synth[-2:], ["-generic", "BuildId=32'h0123abcd"])
    properties = {tuple(call[1:3]) for call in of["set_property"]}
    for pair in [("BITSTREAM.CONFIG.USERID", "0x0123abcd"),
                 ("BITSTREAM.CONFIG.USR_ACCESS", "0x89abcdef")]:
        expect(f"whether {pair} is set", pair in properties, True)
    (clock,) = of["create_clock"]
    period = 1000 / float(board.about["oscillator"])
    expect("the clock's period in ns", float(clock[clock.index("-period") + 1]), period)
    placed = [(port, place.split()[1]) for _, _, place, port in
              [call for call in of["set_property"] if call[1] == "-dict"]]
    expect("the places that Vivado sees", placed, list(places(board)))
    order = [call[0] for call in calls]
    expect("the last step", order[-1], "write_bitstream")
    # What is wrong ends it, and nothing is written.
    for arguments, slack, status in [(good[:3], "1", 2), ([name, "123", *good[2:]], "1", 2),
                                     (["none", *good[1:]], "1", 2), (good, "-0.01", 1)]:
        got, _, calls = tcl(tclsh, "build.tcl", arguments, slack)
        expect(f"status of build.tcl {arguments}, slack {slack}", got, status)
        expect("bitstreams", [call for call in calls if call[0] == "write_bitstream"], [])

    file = out / "lockstep.bit"
    file.touch()
    device = f"{board.about['fpga'].lower()}_0"
    status, errors, calls = tcl(tclsh, "program.tcl", [name, file], devices=device)
    expect(f"program.tcl ends with {errors}", status, 0)
    expect("what is programmed", ["set_property", "PROGRAM.FILE", str(file), device] in calls, True)
    for arguments, devices, status in [
        ([], "x", 2), ([name, out / "no.bit"], "x", 2), ([name, file], "", 1)
    ]:
        got, _, calls = tcl(tclsh, "program.tcl", arguments, devices=devices)
        expect(f"status of program.tcl {arguments}, devices {devices}", got, status)
        expect("loads", [call for call in calls if call[0] == "program_hw_devices"], [])
    print(f"Vivado's scripts: {name}, {len(files)} files, wrong use refused")


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
    cores = {"lint": ["--target", "lint", CORE]}
    cores |= {name: [f"lockstep:boards:{name}"] for name in boards()}
    for name, arguments in cores.items():
        root = out / name
        shutil.rmtree(root, ignore_errors=True)
        fusesoc(where, out, "run", "--setup", "--work-root", str(root), *arguments)
        print(f"FuseSoC: {name} set up")
        if tclsh and (root / "fusesoc.tcl").exists() and (root / "edalize_yosys_procs.tcl").exists():
            elaborate(tclsh, yosys, boards()[name], root)


def elaborate(tclsh, yosys, board, root):
    """Does what the script of a board's core has Yosys do, without the synthesis."""
    # The plugin is part of pyosys.
    stub = "proc yosys args { if {[lindex $args 0] ne {plugin}} { puts [join $args { }] } }\n"
    head = f"{stub}set top {board.name}\nset name design\n"
    script = head + (root / "fusesoc.tcl").read_text()
    done = subprocess.run([tclsh], input=script, cwd=root, capture_output=True, text=True)
    lines = done.stdout.splitlines()
    expect(f"{root}: fusesoc.tcl ends with {done.stderr}", (done.returncode, len(lines)), (0, 2))
    read, synth = lines
    expect("the synthesis", synth.split()[0].startswith("synth_"), True)
    expect("its top", f"-top {board.name}" in synth, True)
    here = os.getcwd()
    os.chdir(root)
    run_yosys(yosys, [read, f"hierarchy -check -top {board.name}", "proc", "check -assert"])
    os.chdir(here)
    print(f"FuseSoC: {board.name} elaborates by its script")


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
    for board in boards().values():
        check_places(board, list(places(board)))
    if tclsh:
        for name, board in boards().items():
            if board.about["flow"] == "vivado":
                check_vivado(tclsh, name, board, out)
    else:
        print("Vivado's scripts: not checked, there is no tclsh (Debian: tcl)")
    check_fusesoc(arguments.fusesoc, tclsh, yosys, out)


if __name__ == "__main__":
    main()
