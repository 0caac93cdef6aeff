"""Makes the netlist of a core for simulation: what Yosys makes of the RTL for an ECP5.

It is that of `synth.py`, mapped to cells of the chip, with the byte link of simulations.
It is made again only when something it is made from has changed. Beside it, faults.txt names
some of its look-up tables that a simulation may invert.

Exits with 1 when a core has more LUT4 than its limit.
"""

import argparse
import concurrent.futures
import hashlib
import json
import pathlib
import re
import subprocess
import sys
import tempfile

from lint import read_slang, run_yosys
from tops import add_files, cores, other_cores, tops

# What sim/build/variant.rs gives every model, beside the top's own.
PARAMETERS = {"ClkHz": 100_000_000, "RateHold": 1 << 20, "ByteLink": 1}

# The most that a core may have: what it had, and a twentieth more. Tetris: before its buttons.
MOST_LUT4 = {"tetris": 6617 * 21 // 20, "connect4": 3997 * 21 // 20, "gomoku": 20639 * 21 // 20}

# What is in every core: its tables are inverted in the first one alone.
LINK = "u_cosim_link."
# Its part that no byte of a simulation with a byte link passes through.
UNSEEN = "u_cosim_link.u_uart_link."


def folder_of(top):
    """Name of its netlist's folder, as in sim/build/tops.rs."""
    return "-".join([top.name, *top.use.split(":")[1:]])


def design_key(files):
    """The files of a list as sim/build hashes them."""
    digest = hashlib.sha256()
    add_files(digest, files)
    return digest.hexdigest()[:16]


def head(top, yosys):
    """First lines of the netlist: what it was made from. The build reads the first."""
    parameters = {**top.fixed, **PARAMETERS}
    parameters = " ".join(f"{name}={value}" for name, value in parameters.items())
    tools = hashlib.sha256(pathlib.Path(__file__).read_bytes())
    for package in sorted(yosys.glob("pyosys-*.dist-info")):
        tools.update(package.name.encode())
    return [
        f"// {top.name} {parameters} of RTL {design_key(top.list)}",
        f"// for an ECP5, by Yosys and rtl/netlist.py {tools.hexdigest()[:16]}",
    ]


def faulty(netlist, without):
    """One look-up table for each instance but some: the first that feeds only a register."""
    cells = netlist["cells"]
    driver, readers = {}, {}
    for name, cell in cells.items():
        for port, bits in cell["connections"].items():
            for bit in bits:
                if cell["port_directions"][port] == "output":
                    driver[bit] = name
                else:
                    readers.setdefault(bit, []).append(name)
    found = {}
    for name, cell in sorted(cells.items()):
        if cell["type"] != "TRELLIS_FF":
            continue
        (data,) = cell["connections"]["DI"]
        table = driver.get(data)
        instance = re.match(r"(u_\w+\.)+", name)
        if table and cells[table]["type"] == "LUT4" and readers[data] == [name]:
            if instance and not name.startswith(without):
                found.setdefault(instance[0], table)
    return list(found.values())


def synthesise(yosys, top, netlist, faults):
    """Writes the netlist of a top module and its list of faults."""
    parameters = " ".join(f"-G {name}={value}" for name, value in PARAMETERS.items())
    with tempfile.TemporaryDirectory() as folder:
        mapped, plain = pathlib.Path(folder) / "mapped.json", pathlib.Path(folder) / "plain.v"
        run_yosys(yosys, [
            read_slang(top, parameters),
            f"synth_ecp5 -top {top.name}",
            # Wires of one bit: Verilator would take some of the wide ones for loops.
            "splitnets",
            f"write_json {mapped}",
        ])
        # Of another core only whole games are played, which find no table for sure.
        tables = [] if top in other_cores() else faulty(
            json.loads(mapped.read_text())["modules"][top.name],
            UNSEEN if top == tops("core")[0] else LINK)
        run_yosys(yosys, [
            f"read_json {mapped}",
            *(f"setparam -set FAULT {n} c:{name}" for n, name in enumerate(tables, 1)),
            f"write_verilog -noattr {plain}",
        ])
        faults.write_text("".join(f"{n} {name}\n" for n, name in enumerate(tables, 1)))
        netlist.write_text("\n".join([*head(top, yosys), plain.read_text()]))


def make(arguments, top):
    """Makes the netlist of a core if it is not as new as the RTL."""
    folder = arguments.out / folder_of(top)
    folder.mkdir(parents=True, exist_ok=True)
    netlist, faults = folder / "netlist.v", folder / "faults.txt"
    made = []
    if netlist.exists() and faults.exists():
        with netlist.open() as text:
            made = [text.readline().rstrip("\n") for _ in range(2)]
    if made != head(top, arguments.yosys):
        netlist.unlink(missing_ok=True)
        synthesise(arguments.yosys, top, netlist, faults)
    has = netlist.read_text().count("\n  LUT4 #(")
    print(f"{netlist}: {has} LUT4, {len(faults.read_text().splitlines())} faults beside it")
    if has > (most := MOST_LUT4.get(top.game, has)) and top in cores():
        sys.exit(f"{top.name}: {has} LUT4, more than {most}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--yosys", required=True, type=pathlib.Path)
    parser.add_argument("--out", required=True, type=pathlib.Path)
    parser.add_argument("--all", action="store_true", help="those of the games' other cores, too")
    parser.add_argument("--only", help="the netlist of that name alone")
    arguments = parser.parse_args()
    made = cores() + (other_cores() if arguments.all else [])
    if arguments.only:
        (top,) = [top for top in made if folder_of(top) == arguments.only]
        make(arguments, top)
        return
    # In processes of their own: Yosys numbers its cells from one design to the next.
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        commands = [[sys.executable, *sys.argv, "--only", folder_of(top)] for top in made]
        for done in pool.map(subprocess.run, commands):
            if done.returncode:
                sys.exit(done.returncode)


if __name__ == "__main__":
    main()
