"""Plays whole games on the netlists and on the RTL they were made of.

    python3 tests/netlist.py --lockstep target/release/lockstep

Every decision is compared with the golden model's, and its clock cycles with those it has to
take: netlist and RTL must agree to the cycle. Then the netlist plays by itself, and is compared
with the engine. Exits with 1 when anything is otherwise. (That an inverted look-up table shows is
for the tests of the netlist, which come before this in `make netlist`.)
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

RTL, NETLIST = "sim", "sim-netlist"
LANES = ":core=lanes"
# What is played, on which core. Tetris: a controller that ends games soon, and one with a weight for
# every feature.
PLAYED = [
    ("", ["--controller", "lowest"]),
    ("", ["--controller", "probe"]),
    ("", ["--game", "connect4", "--depth", "4"]),
    ("", ["--game", "gomoku", "--depth", "2"]),
    (LANES, ["--controller", "lowest"]),
    (LANES, ["--controller", "probe", "--max-pieces", "300"]),
    (LANES, ["--controller", "probe", "--max-pieces", "20", "--depth", "2", "--next", "known"]),
    (LANES, ["--controller", "probe", "--max-pieces", "20", "--depth", "2", "--next", "averaged"]),
]
# How a core plays by itself: pieces that it is given, and pieces that it draws.
ALONE = [
    ("", ["--controller", "lowest", "--batch", "--decisions", "5000"]),
    ("", ["--controller", "lowest", "--decisions", "20000"]),
    (LANES, ["--controller", "probe", "--decisions", "20000", "--games", "16"]),
]


def play(lockstep, backends, *more):
    """Exit status, summary and error message of a run."""
    with tempfile.TemporaryDirectory() as folder:
        summary = pathlib.Path(folder) / "summary.json"
        options = [argument for name in backends for argument in ("--backend", name)]
        done = subprocess.run(
            [lockstep, "play", *options, *more, "--json", summary, "-q"],
            capture_output=True,
            text=True,
        )
        totals = json.loads(summary.read_text()) if summary.exists() else {}
    return done.returncode, totals, done.stderr.strip()


def agree(lockstep, core, played, games):
    """Whole games on the golden model, the RTL and the netlist; what is wrong, or None."""
    backends = ["software", RTL + core, NETLIST + core]
    status, totals, error = play(lockstep, backends, *played, "--games", str(games))
    if status != 0:
        return error or json.dumps(totals.get("first_divergence"))
    parts = {part["name"]: part for part in totals["backends"]}
    rtl, netlist = parts[RTL + core], parts[NETLIST + core]
    if totals["agreed"] != totals["decisions"] or rtl["cycles"] != netlist["cycles"]:
        return f"{json.dumps(rtl)} but {json.dumps(netlist)}"
    cycles = netlist["cycles"]
    print(
        f"{NETLIST}{core} {' '.join(played)}: {totals['games']} games, {totals['decisions']} decisions agree; "
        f"{cycles['mean']:.1f} cycles on average, {cycles['max']} at the most, on both",
        flush=True,
    )
    return None


def plays_by_itself(lockstep, core, way):
    """Games that the netlist plays by itself, compared with the engine; what is wrong, or None."""
    done = subprocess.run(
        [lockstep, "soak", "--backend", NETLIST + core, *way],
        capture_output=True,
        text=True,
    )
    if done.returncode != 0:
        return done.stdout.strip() + done.stderr.strip()
    print(f"soak {NETLIST}{core} {' '.join(way)}: {done.stdout.strip().splitlines()[-1]}", flush=True)
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--lockstep", required=True)
    parser.add_argument("--games", default=3, type=int, help="of each of what is played")
    arguments = parser.parse_args()
    wrong = [agree(arguments.lockstep, *played, arguments.games) for played in PLAYED]
    wrong += [plays_by_itself(arguments.lockstep, *way) for way in ALONE]
    wrong = [what for what in wrong if what is not None]
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main()
