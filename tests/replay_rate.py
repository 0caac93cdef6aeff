#!/usr/bin/env python3
"""Says how fast records are replayed: the same one by several backends with one, two and four
jobs, in turns, and prints a table with the ratios of their times.

    python3 tests/replay_rate.py --lockstep target/release/lockstep
"""

import argparse
import os
import pathlib
import resource
import statistics
import subprocess
import tempfile
import time

# The backends to measure, each with its number of games, and of pieces in a game.
REPLAYS = {"sim": (8, 1_500), "software": (8, 15_000), "engine": (8, 30_000)}
JOBS = [1, 2, 4]


def replay(lockstep, backend, record, jobs):
    """Seconds of a replay: by the clock, and of all its threads together."""
    arguments = [lockstep, "replay", record, "--backend", backend, "--jobs", str(jobs), "--quiet"]
    before, since = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run(arguments, check=True)
    wall, after = time.monotonic() - since, resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lockstep", required=True, help="the program")
    parser.add_argument("--rounds", type=int, default=3, help="runs of each")
    parser.add_argument("--scale", type=int, default=1, help="that many times fewer pieces")
    arguments = parser.parse_args()
    lockstep = str(pathlib.Path(arguments.lockstep).resolve())

    print(f"{os.cpu_count()} cores\n")
    print("| backend | decisions | jobs | a second | speed-up over one job | of all threads |")
    print("|---|---|---|---|---|---|")
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
                rate = decisions / statistics.median(wall for wall, _ in times[jobs])
                pairs = list(zip(times[1], times[jobs]))
                faster = statistics.median(one[0] / mine[0] for one, mine in pairs)
                used = statistics.median(mine[1] / one[1] for one, mine in pairs)
                row = [backend, f"{decisions:,}", jobs, f"{rate:,.0f}", f"{faster:.2f}", f"{used:.2f}"]
                print("| " + " | ".join(map(str, row)) + " |", flush=True)


if __name__ == "__main__":
    main()
