#!/usr/bin/env python3
"""Says what viewers of a session cost: plays the same games without `--view` and with ten viewers, of
whom two read nothing, in turns, and prints the ratio of decisions a second and of processor time.

    python3 tests/viewers.py --lockstep target/release/lockstep
"""

import argparse
import pathlib
import resource
import selectors
import socket
import statistics
import subprocess
import threading
import time

# What is played, without how many pieces.
PLAYS = {
    "software, engine, sim": (["--backend", "software", "--backend", "engine", "--backend", "sim"], 20_000),
    "engine": (["--backend", "engine"], 500_000),
}
VIEWERS, HANGING = 10, 2
REQUEST = b"GET /events HTTP/1.0\r\nHost: localhost\r\n\r\n"


def watch(port, got):
    """Reads the events of all viewers but the last ones, until the server closes; adds their bytes."""
    while True:
        try:
            viewers = [socket.create_connection(("127.0.0.1", port)) for _ in range(VIEWERS)]
            break
        except ConnectionRefusedError:
            time.sleep(0.01)
    reading = selectors.DefaultSelector()
    for index, viewer in enumerate(viewers):
        viewer.sendall(REQUEST)
        if index < VIEWERS - HANGING:
            reading.register(viewer, selectors.EVENT_READ, index)
    while reading.get_map():
        for key, _ in reading.select():
            read = key.fileobj.recv(1 << 20)
            got[key.data] += len(read)
            if not read:
                reading.unregister(key.fileobj)


def play(lockstep, what, pieces, is_viewed):
    """Seconds of a run: by the clock, and of all its threads together."""
    arguments = [lockstep, "play", *what, "--max-pieces", str(pieces), "--quiet"]
    got = [0] * (VIEWERS - HANGING)
    if is_viewed:
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        arguments += ["--view", str(port)]
        viewers = threading.Thread(target=watch, args=(port, got), daemon=True)
        viewers.start()
    before, since = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run(arguments, check=True)
    wall, after = time.monotonic() - since, resource.getrusage(resource.RUSAGE_CHILDREN)
    if is_viewed and not all(got):
        raise SystemExit(f"not every viewer got events: {got}")
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return wall, used


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lockstep", required=True, help="the program")
    parser.add_argument("--rounds", type=int, default=15, help="pairs of runs")
    parser.add_argument("--scale", type=int, default=1, help="that many times fewer pieces")
    arguments = parser.parse_args()
    lockstep = str(pathlib.Path(arguments.lockstep).resolve())

    print("| backends | decisions | pairs | a second | ratio with viewers | quartiles | of all threads |")
    print("|---|---|---|---|---|---|---|")
    for name, (what, pieces) in PLAYS.items():
        pieces //= arguments.scale
        alone, ratios = [], []
        for number in range(arguments.rounds):
            # Each is first in half of the pairs.
            order = (False, True) if number % 2 else (True, False)
            took = {is_viewed: play(lockstep, what, pieces, is_viewed) for is_viewed in order}
            alone.append(pieces / took[False][0])
            ratios.append([mine / its for mine, its in zip(took[False], took[True])])
        speed, threads = (list(column) for column in zip(*ratios))
        low, _, high = statistics.quantiles(speed, n=4)
        print(f"| {name} | {pieces:,} | {arguments.rounds} | {statistics.median(alone):,.0f} "
              f"| {statistics.median(speed):.3f} | {low:.2f} to {high:.2f} "
              f"| {1 / statistics.median(threads):.3f} |", flush=True)


if __name__ == "__main__":
    main()
