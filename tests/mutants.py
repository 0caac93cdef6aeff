"""Seeds mutants drawn at random into crates, and counts those that each crate's own tests find.

    python3 tests/mutants.py --tool cargo-mutants --count 200 --seed 7 --out out/mutants

Writes a table to standard output. Fails where a mutant hangs the tests, or where they find fewer
than 95 % of a crate's viable mutants.
"""
import argparse
import collections
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys

CRATES = ("lockstep-protocol", "lockstep", "lockstep-explain", "lockstep-games")
FOUND = 0.95
# Seconds after which a mutant's tests count as hanging; every test has a shorter limit of its own.
TIMEOUT = 300


def command(tool, *words):
    return [tool, "mutants", "--no-config", *words]


def listed(tool, crate):
    words = command(tool, "--list", "--json", "--package", crate)
    output = subprocess.run(words, check=True, capture_output=True, text=True).stdout
    return json.loads(output)


def touching(mutants):
    """A diff that changes the lines at which mutants begin."""
    lines = []
    for file, number in sorted({(m["file"], m["span"]["start"]["line"]) for m in mutants}):
        text = pathlib.Path(file).read_text().split("\n")[number - 1]
        lines += [f"--- a/{file}", f"+++ b/{file}", f"@@ -{number} +{number} @@", "-", f"+{text}"]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tool", required=True)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--crate", action="append", choices=CRATES)
    arguments = parser.parse_args()

    crates = arguments.crate or CRATES
    print(f"seed {arguments.seed}", flush=True)
    draw = random.Random(arguments.seed)
    mutants = [mutant for crate in crates for mutant in listed(arguments.tool, crate)]
    mutants = draw.sample(mutants, min(arguments.count, len(mutants)))
    drawn = {mutant["name"] for mutant in mutants}

    arguments.out.mkdir(parents=True, exist_ok=True)
    # The tool tries every deleted field, whatever --re says, but not outside a diff.
    diff = arguments.out / "drawn.diff"
    diff.write_text(touching(mutants))
    environment = dict(os.environ, CARGO_TARGET_DIR=str((arguments.out / "target").resolve()))
    words = command(arguments.tool, "--output", str(arguments.out), "--timeout", str(TIMEOUT))
    words += ["--in-diff", str(diff)]
    # Faster: it runs the tests of all files at once.
    if shutil.which("cargo-nextest"):
        words += ["--test-tool=nextest", "--cargo-test-arg=--config-file=tests/nextest.toml"]
    # Without this a mutant that leaves a variable unused does not compile.
    words.append("--cap-lints=true")
    for crate in crates:
        words += ["--package", crate]
    for name in drawn:
        words += ["--re", f"^{re.escape(name)}$"]
    # Its exit status says whether any mutant is missed; what counts is below.
    subprocess.run(words, check=False, env=environment)

    outcomes = json.loads((arguments.out / "mutants.out" / "outcomes.json").read_text())
    counts = collections.defaultdict(collections.Counter)
    tried, wrong = 0, []
    for outcome in outcomes["outcomes"]:
        if outcome["scenario"] == "Baseline":
            if outcome["summary"] != "Success":
                sys.exit("the tests fail without a mutant; see " + str(arguments.out))
            continue
        mutant = outcome["scenario"]["Mutant"]
        # A deleted field at a drawn line.
        if mutant["name"] not in drawn:
            continue
        summary = outcome["summary"]
        counts[mutant["package"]][summary] += 1
        tried += 1
        if summary in ("MissedMutant", "Timeout"):
            wrong.append((summary, mutant["name"]))
    print("| crate | found | missed | hang | do not compile |\n|---|--:|--:|--:|--:|")
    low = []
    for crate in crates:
        kinds = ("CaughtMutant", "MissedMutant", "Timeout", "Unviable")
        found, missed, hang, unviable = (counts[crate][kind] for kind in kinds)
        print(f"| {crate} | {found} | {missed} | {hang} | {unviable} |")
        if found < FOUND * (found + missed + hang):
            low.append(crate)
    for summary, name in wrong:
        print(f"{summary}: {name}")
    if tried < len(drawn):
        sys.exit(f"only {tried} of {len(drawn)} mutants were tried")
    if low:
        sys.exit(f"fewer than {FOUND:.0%} found in {', '.join(low)}")
    if any(counts[crate]["Timeout"] for crate in crates):
        sys.exit("a mutant hangs the tests")


main()
