"""Plays games on the netlist and on the RTL it was made of, and on the netlist with each of its
seeded faults.

    python3 tests/netlist.py --lockstep target/release/lockstep --faults out/netlist/cosim_tetris/faults.txt

Every decision is compared with the golden model's, and its clock cycles with those it has to
take: netlist and RTL must agree to the cycle. Then one look-up table of the netlist at a time is
inverted, and a game has to show it. Exits with 1 when anything is otherwise.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

RTL, NETLIST = "sim", "sim-netlist"
# Ends games soon; weighs every feature.
CONTROLLERS = ["lowest", "probe"]
# Decisions in which a fault has to show.
SOON = 200


def play(lockstep, backends, *more):
    """Exit status and summary of a run, and what it says went wrong."""
    with tempfile.TemporaryDirectory() as folder:
        summary = pathlib.Path(folder) / "summary.json"
        asked = [argument for name in backends for argument in ("--backend", name)]
        done = subprocess.run(
            [lockstep, "play", *asked, *more, "--json", summary, "-q"],
            capture_output=True,
            text=True,
        )
        told = json.loads(summary.read_text()) if summary.exists() else {}
    return done.returncode, told, done.stderr.strip()


def agree(lockstep, controller, games):
    """Whole games on the golden model, the RTL and the netlist; what is wrong, or None."""
    status, told, error = play(
        lockstep, ["software", RTL, NETLIST], "--controller", controller, "--games", str(games)
    )
    if status != 0:
        return error or json.dumps(told.get("first_divergence"))
    parts = {part["name"]: part for part in told["backends"]}
    rtl, netlist = parts[RTL], parts[NETLIST]
    if told["agreed"] != told["decisions"] or rtl["cycles"] != netlist["cycles"]:
        return f"{json.dumps(rtl)} but {json.dumps(netlist)}"
    cycles = netlist["cycles"]
    print(
        f"{controller}: {told["games"]} games, {told['decisions']} decisions agree; "
        f"{cycles['mean']:.1f} cycles on average, {cycles['max']} at the most, on both",
        flush=True,
    )
    return None


def shows(lockstep, fault, table):
    """Whether a game shows that a look-up table is inverted; what is wrong, or None."""
    backend = f"{NETLIST}:fault={fault}"
    status, told, error = play(
        lockstep, ["software", backend], "--controller", "probe", "--max-pieces", str(SOON)
    )
    if status == 1 and told["diverged"]:
        how = f"decision {told['decisions']} differs"
    elif status == 2 and backend in error:
        how = error.splitlines()[0]
    else:
        return f"{backend} ({table}): not found in {SOON} decisions {error}"
    print(f"{fault}, {table} inverted: {how}", flush=True)
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--lockstep", required=True)
    parser.add_argument("--faults", required=True, type=pathlib.Path)
    parser.add_argument("--games", default=3, type=int, help="of each controller")
    arguments = parser.parse_args()
    wrong = [agree(arguments.lockstep, name, arguments.games) for name in CONTROLLERS]
    faults = [line.split() for line in arguments.faults.read_text().splitlines()]
    wrong += [shows(arguments.lockstep, f"lut-{n}", table) for n, table in faults]
    wrong = [what for what in wrong if what is not None]
    if wrong or not faults:
        sys.exit("\n".join(wrong or ["there are no faults to be found"]))


if __name__ == "__main__":
    main()
