#!/usr/bin/env python3
"""Says how fast records are replayed: the same one by several backends with one, two and four
jobs, in turns, and prints a table with the ratio of their times.

    python3 tests/replay_rate.py --lockstep target/release/lockstep
"""

import argparse
import os
import pathlib
import statistics
import subprocess
import tempfile
import time

# Who is asked, with how many games of how many pieces.
REPLAYS = {"sim": (8, 1_500), "software": (8, 15_000), "engine": (8, 30_000)}
JOBS = [1, 2, 4]


def replay(lockstep, backend, record, jobs):
    """Seconds of a replay by the clock."""
    arguments = [lockstep, "replay", record, "--backend", backend, "--jobs", str(jobs), "--quiet"]
    since = time.monotonic()
    subprocess.run(arguments, check=True)
    return time.monotonic() - since


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lockstep", required=True, help="the program")
    parser.add_argument("--rounds", type=int, default=3, help="runs of each")
    parser.add_argument("--scale", type=int, default=1, help="that many times fewer pieces")
    arguments = parser.parse_args()
    lockstep = str(pathlib.Path(arguments.lockstep).resolve())

    print(f"{os.cpu_count()} cores\n")
    print("| backend | decisions | jobs | decisions a second | times those of one job |")
    print("|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for backend, (games, pieces) in REPLAYS.items():
            pieces //= arguments.scale
            record = os.path.join(folder, f"{backend}.jsonl")
            play = ["--backend", "engine", "--games", str(games), "--max-pieces", str(pieces)]
            play = [lockstep, "play", *play, "--record", record, "--quiet"]
            subprocess.run(play, check=True)
            with open(record, encoding="utf-8") as lines:
                decisions = sum(1 for _ in lines) - 2
            times = {jobs: [] for jobs in JOBS}
            for _ in range(arguments.rounds):
                for jobs in JOBS:
                    times[jobs].append(replay(lockstep, backend, record, jobs))
            for jobs in JOBS:
                ratios = [one / mine for one, mine in zip(times[1], times[jobs])]
                rate = decisions / statistics.median(times[jobs])
                ratio = statistics.median(ratios)
                print(f"| {backend} | {decisions:,} | {jobs} | {rate:,.0f} | {ratio:.2f} |")


if __name__ == "__main__":
    main()
