#!/usr/bin/env python3
"""Measures what a record costs: plays the same games with and without one, in turns, and prints a
table with the ratio of their times.

    python3 tests/record_cost.py --lockstep target/release/lockstep
"""

import argparse
import os
import pathlib
import resource
import statistics
import subprocess
import tempfile
import time

# What is played, with how many decisions.
PLAYS = {
    "engine": (["--backend", "engine", "--games", "100", "--max-pieces", "10000"], 1_000_000),
    "software, engine, sim": (["--games", "4", "--max-pieces", "5000"], 20_000),
}
RECORDS = {"none": None, "plain": "games.jsonl", "compressed": "games.jsonl.zst"}


def play(lockstep, what, record):
    """Seconds of a run: by the clock, and of all its threads together."""
    arguments = [lockstep, "play", *what, "--quiet"]
    if record:
        arguments += ["--record", record, "--force"]
    before, since = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run(arguments, check=True)
    wall, after = time.monotonic() - since, resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return wall, used


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lockstep", required=True, help="the program")
    parser.add_argument("--rounds", type=int, default=5, help="runs of each")
    parser.add_argument("--scale", type=int, default=1, help="that many times fewer pieces")
    arguments = parser.parse_args()
    lockstep = str(pathlib.Path(arguments.lockstep).resolve())

    print("| backends | decisions | record | bytes a decision | time | of all threads |")
    print("|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for backends, (what, decisions) in PLAYS.items():
            pieces = int(what[-1]) // arguments.scale
            what, decisions = [*what[:-1], str(pieces)], decisions // arguments.scale
            ratios = {name: [] for name in RECORDS}
            sizes = dict.fromkeys(RECORDS, "-")
            for _ in range(arguments.rounds):
                base = None
                for name, file in RECORDS.items():
                    path = file and os.path.join(folder, file)
                    took = play(lockstep, what, path)
                    base = base or took
                    ratios[name].append([mine / its for mine, its in zip(took, base)])
                    if path:
                        sizes[name] = f"{os.path.getsize(path) / decisions:.0f}"
            for name, rounds in ratios.items():
                wall, used = (statistics.median(column) for column in zip(*rounds))
                times = "1" if name == "none" else f"{wall:.2f}"
                threads = "1" if name == "none" else f"{used:.2f}"
                print(f"| {backends} | {decisions:,} | {name} | {sizes[name]} | {times} | {threads} |")


if __name__ == "__main__":
    main()
