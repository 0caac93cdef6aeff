"""Measures decisions a second of Lockstep's simulated core and of a cocotb bench, and their ratios.

Both make the same decisions on the same RTL, cosim_tetris at its byte link, with the same
Verilator: a replay with one request a decision, and a self-play, which is one request. Every answer
is compared. Times exclude start-up; Lockstep's are those of the whole program, which also reads the
record, or plays the engine beside the core.
"""

import argparse
import decimal
import json
import pathlib
import resource
import statistics
import subprocess
import sys
import time

from run import ROOT, Run, build, lint, simulate

sys.path.insert(0, str(ROOT / "fixtures/frames"))
import wire  # noqa: E402

# Parameters and optimisation level as in sim/build; what serves VPI is optimised more.
PARAMETERS = "-GClkHz=32'd100000000", "-GRateHold=1048576", "-GByteLink=1"
OPTIMISED = "OPT_FAST=-O1", "OPT_GLOBAL=-O2"
CORE = Run("cosim_tetris", "rate_bench", "tetris", PARAMETERS, None, OPTIMISED)
DECISION = ["rotation", "column", "row", "rows_cleared", "score", "cycles"]
PLAYED = ["pieces", "games", "rows_cleared", "score_millionths", "cycles", "signature"]
# Lockstep runs TIMES as many decisions; the time of a run of TIMES FEW is subtracted.
FEW, TIMES = 10, 5


def timed(*command: str) -> list[float]:
    """Seconds of a program: wall, and processor of all its threads together."""
    before, since = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    wall, after = time.perf_counter() - since, resource.getrusage(resource.RUSAGE_CHILDREN)
    return [wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime]


def expectations(head: str, moves: list[str], soak: dict) -> dict:
    """Positions and expected answers, from Lockstep's record and its soak."""
    weights, decisions = json.loads(head)["integers"], []
    for move in (json.loads(line, parse_float=decimal.Decimal) for line in moves):
        decision = move["decision"] | {"cycles": move["cycles"]["sim"]}
        decision["score"] = int(decision["score"] * 1_000_000)
        piece = wire.TETRIS_CONSTANTS[f"piece_{move['piece'].lower()}"]
        position = {"rows": move["board"], "piece": piece, "next_piece": wire.NO_PIECE}
        decisions.append((position, [decision[name] for name in DECISION]))
    weights = {name: weights[name] for name, _, _ in wire.WEIGHTS}
    return {"weights": weights, "decisions": decisions, "played": [soak[name] for name in PLAYED]}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lockstep", required=True, help="the program")
    parser.add_argument("--verilator", required=True, help="the package's folder, or a program")
    parser.add_argument("--cocotb", required=True, type=pathlib.Path, help="the packages' folder")
    parser.add_argument("--out", required=True, type=pathlib.Path)
    parser.add_argument("--decisions", type=int, default=3_000, help="at most 65536")
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    sys.path.insert(0, str(arguments.cocotb.resolve()))
    folder, count = arguments.out.resolve(), arguments.decisions
    build(*lint.verilator(arguments.verilator), CORE, folder)

    lockstep = [str(pathlib.Path(arguments.lockstep).resolve())]
    engine, sim, few, soak = (str(folder / name) for name in ["engine", "sim", "few", "soak"])
    play = [*lockstep, "play", "--backend", "engine", "--force", "--quiet", "--max-pieces"]
    again = [*lockstep, "replay", "--backend", "sim", "--jobs", "1", "--quiet"]
    alone = [*lockstep, "soak", "--backend", "sim", "--quiet", "--decisions"]
    timed(*play, str(count), "--record", engine)
    timed(*play, str(FEW), "--record", few)
    timed(*again, engine, "--force", "--record", sim)
    timed(*alone, str(count), "--json", soak)
    head, *moves, _ = pathlib.Path(sim).read_text().splitlines()
    given = expectations(head, moves, json.loads(pathlib.Path(soak).read_text())["sums"])
    (folder / "given.json").write_text(json.dumps(given))

    rates = {"replay": [], "replay_polled": [], "self_play": []}
    for _ in range(arguments.rounds):
        if failed := simulate("cosim_tetris", CORE, folder, seed=1):
            sys.exit("\n".join(failed))
        runs = [timed(*again, *[sim] * TIMES), timed(*again, *[few] * TIMES)]
        runs += runs  # for both replays of cocotb
        runs += [timed(*alone, str(TIMES * count)), timed(*alone, str(TIMES * FEW))]
        for name, long, short in zip(rates, runs[::2], runs[1::2]):
            cocotbs = json.loads((folder / f"{name}.json").read_text())
            ours = [TIMES * (count - FEW) / (all_ - few) for all_, few in zip(long, short)]
            rates[name].append([(rate, count / other) for rate, other in zip(ours, cocotbs)])
    print(f"\n{count:,} decisions of each, all equal; medians of {arguments.rounds} rounds:\n")
    print("| | time | lockstep a second | cocotb a second | ratios | median |")
    print("|---|---|---:|---:|---|---:|")
    for name, rounds in rates.items():
        for clock, pairs in zip(["wall", "processor"], zip(*rounds)):
            ratios = [ours / cocotbs for ours, cocotbs in pairs]
            a_second = " | ".join(f"{statistics.median(rate):,.0f}" for rate in zip(*pairs))
            each, median = ", ".join(f"{r:.1f}" for r in ratios), statistics.median(ratios)
            print(f"| {name} | {clock} | {a_second} | {each} | {median:.1f} |")


if __name__ == "__main__":
    main()
