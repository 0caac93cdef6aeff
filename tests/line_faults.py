"""Plays games on a virtual board whose line has faults, and prints a table of what they cost.

    python3 tests/line_faults.py --lockstep target/release/lockstep --decisions 100000

Every decision is compared with the golden model's; the run fails when one differs or is
missing. Each fault has a board of its own; the first row is the line without any.
"""

import argparse
import json
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

# As `lockstep serve --fault` takes them, and how many of all decisions are made with it:
# opening a line again takes its time, so what closes it is tried on fewer.
FAULTS = [
    ("none", None, 1.0),
    ("noise", "noise=1e-3", 1.0),
    ("bits flipped", "flip=1e-3", 0.1),
    ("bytes lost", "drop=1e-3", 0.1),
    ("bytes doubled", "double=1e-3", 0.1),
    ("bytes inserted", "insert=1e-3", 0.1),
    ("stalls", "stall=1e-4", 0.1),
    ("hang-ups", "hang-up=2e-5", 1.0),
    ("resets", "reset=2e-5", 1.0),
    ("all of these", "noise=1e-3,stall=1e-5,hang-up=1e-5,reset=1e-5", 0.2),
]
MOVES = 10_000  # of a game at the most


def memory(pid):
    """Resident memory of a process in kB."""
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))


def run(lockstep, name, fault, decisions, seed, folder):
    """One row: plays that many decisions over a board with that fault."""
    link = folder / "board"
    serve = [lockstep, "serve", "--pty", link, "--once", "--json", folder / "serve.json", "-q"]
    if fault:
        serve += ["--fault", fault, "--fault-seed", str(seed)]
    board = subprocess.Popen(serve, stdout=subprocess.PIPE, text=True)
    board.stdout.readline()
    games, moves = max(1, decisions // MOVES), min(decisions, MOVES)
    begun = time.monotonic()
    try:
        play = subprocess.Popen(
            [lockstep, "play", "--backend", "software", "--backend", f"serial:{link}"]
            + ["--controller", "dt-20", "--games", str(games), "--max-pieces", str(moves), "-q"]
            + ["--json", folder / "play.json"]
        )
        time.sleep(5)  # the line is open by then: what the board's memory was at the start
        first = last = memory(board.pid)
        while play.poll() is None:
            last = memory(board.pid)
            time.sleep(0.5)
    finally:
        seconds = time.monotonic() - begun
        board.send_signal(signal.SIGTERM)
        board.wait()
    played = json.loads((folder / "play.json").read_text())
    link = played["backends"][-1]["link"]
    if play.returncode != 0 or played["agreed"] != games * moves:
        sys.exit(f"{name}: {played['agreed']} of {games * moves} decisions agree: {played['error']}")
    faults = json.loads((folder / "serve.json").read_text())["faults"]
    return {
        "name": name,
        "fault": fault or "",
        "decisions": played["agreed"],
        "faults": sum(faults.values()),
        "again": link["lost"],
        "recovered": link["mended"],
        "opened": link["reopened"],
        "rate": link["rate"],
        "p50": link["latency"]["p50"] / 1e3,
        "p99": link["latency"]["p99"] / 1e3,
        "seconds": seconds,
        "memory": (first, last),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lockstep", required=True, type=pathlib.Path)
    parser.add_argument("--decisions", type=int, default=100_000, help="of the longest rows")
    parser.add_argument("--seed", type=int, default=1, help="of the faults")
    parser.add_argument("--only", help="the row of that name and the first")
    parser.add_argument("--out", type=pathlib.Path, help="also write the table to this file")
    arguments = parser.parse_args()
    lines = ["| fault | `--fault` | decisions | faults | retries | recovered | reopened "
             "| baud | latency ms: p50 | p99 | seconds lost per 1,000 decisions "
             "| board's memory, MB |",
             "|---|---|---|---|---|---|---|---|---|---|---|---|"]
    print(*lines, sep="\n")
    plain = None
    for name, fault, share in FAULTS:
        if arguments.only not in (None, name) and fault:
            continue
        decisions = max(1, int(arguments.decisions * share))
        with tempfile.TemporaryDirectory() as folder:
            row = run(arguments.lockstep, name, fault, decisions, arguments.seed,
                      pathlib.Path(folder))
        each = row["seconds"] / row["decisions"]
        plain = plain or each
        lines.append(f"| {name} | {'`' + fault + '`' if fault else ''} | {row['decisions']:,} "
              f"| {row['faults']:,} | {row['again']:,} | {row['recovered']:,} | {row['opened']:,} "
              f"| {row['rate']:,} | {row['p50']:.1f} | {row['p99']:.1f} "
              f"| {1000 * (each - plain):.1f} "
              f"| {row['memory'][0] / 1e3:.1f} to {row['memory'][1] / 1e3:.1f} |")
        print(lines[-1], flush=True)
        if arguments.out:
            arguments.out.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
