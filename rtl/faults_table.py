"""Writes docs/faults.md: what `lockstep faults --json` found, a file a game, and docs/proofs.md.

    python3 rtl/faults_table.py docs/faults.md tetris=FILE.json connect4=FILE.json
"""

import json
import pathlib
import re
import sys

PROOFS = pathlib.Path(__file__).resolve().parent.parent / "docs" / "proofs.md"

# Of the seeds, those that ought to find a fault
LEAST = 0.95

HEAD = """# What finds each seeded fault

Written by `make faults`; not edited by hand.

Each row is a fault of `rtl/faults.txt`, or of a game's own list below `rtl/games/`: a small
mistake, seeded into the RTL alone. Faults in the link are in the first table. Each fault is tried
in three ways: by the bench of its module, or of a module around it up to the whole core, with
{runs} seeds, drawn anew by each `make faults`; by the bench of the whole
core; and in games of the golden model and the faulty core until they first differ.

*19 of 20* is the share of the seeds with which the module's bench finds the fault. The number after
it is the clock cycle of the first find; in the column of a controller it is the decision, and in
parentheses the field that differs. *assertion*: an assertion of the RTL failed; *stuck*: the game
could not go on; –: not found. A proof is named if it fails with the fault ([proofs](proofs.md)).
Games do not find faults of the UART: their bytes bypass it.

"""


def shown(finding):
    how = finding["found"]
    if how is None:
        return "–"
    (kind, what), = how.items()
    at = f"{finding['after']:,}"
    return f"{at} ({what})" if kind == "field" else at if kind == "differs" else f"{at}, {kind}"


def share(finding):
    of = finding.get("share")
    return f"{of['found']} of {of['runs']}, " if of else ""


def proofs():
    """The proofs that fail with a fault in, by fault."""
    found = {}
    for line in PROOFS.read_text().splitlines():
        cells = [re.findall(r"`([^`]+)`", cell) for cell in line.split("|")]
        if len(cells) == 7 and cells[1]:
            for fault in cells[5]:
                found.setdefault(fault, []).append(f"`{cells[1][0]}`")
    return found


def table(reports, proved):
    """The rows of a game's faults, its controllers in the last columns."""
    found = [f for f in reports[0]["findings"] if "share" not in f]
    core, *players = [f["by"] for f in found]
    rows = [["fault", "module's bench", "core's bench", "proof", *players, "what it breaks"]]
    rows += [["---"] * len(rows[0])]
    finders = [0] * 3 + [0] * len(players)
    for report in reports:
        own = [f for f in report["findings"] if "share" in f]
        found = {f["by"]: f for f in report["findings"] if "share" not in f}
        bench = f"`{own[0]['by']}` {share(own[0])}{shown(own[0])}" if own else "–"
        proof = ", ".join(proved.get(report["fault"], [])) or "–"
        played = [shown(found[by]) for by in players]
        row = [f"`{report['fault']}`", bench, shown(found[core]), proof, *played]
        rows.append([*row, report["summary"]])
        hits = [bool(own and own[0]["found"]), bool(found[core]["found"]), proof != "–"]
        hits += [bool(found[by]["found"]) for by in players]
        finders = [n + hit for n, hit in zip(finders, hits)]
    names = ["a module's bench", "the core's bench", "a proof", *(f"`{by}`" for by in players)]
    counts = ", ".join(f"{name} {n}" for name, n in zip(names, finders))
    seeds = {f["share"]["seed"] for r in reports for f in r["findings"] if "share" in f}
    seed = ", ".join(f"{seed:,}" for seed in sorted(seeds))
    head = f"{len(reports) - 1} faults, with seeds from {seed} on, found by: {counts}.\n\n"
    return head + "".join("| " + " | ".join(row) + " |\n" for row in rows)


def main():
    target, *games = sys.argv[1:]
    proved, faults, shares, text = proofs(), [], [], ""
    for name, file in (game.split("=", 1) for game in games):
        reports = json.loads(pathlib.Path(file).read_text())
        if any(f["found"] for f in reports[0]["findings"]):
            sys.exit(f"{file}: something is found in the RTL as designed")
        text += f"## {name}\n\n{table(reports, proved)}\n"
        of_game = [f["share"] for r in reports for f in r["findings"] if "share" in f]
        if not of_game:
            sys.exit(f"{file}: no bench was run: leave --no-benches out")
        shares += of_game
        faults += reports[1:]
    missed = [r["fault"] for r in faults if not any(f["found"] for f in r["findings"])]
    pathlib.Path(target).write_text(HEAD.format(**shares[0]) + text)
    print(f"{target}: {len(faults)} faults, {len(missed)} not found", *missed)
    seldom = [s for s in shares if s["found"] < s["runs"] * LEAST]
    print(f"{len(seldom)} of {len(shares)} are found by fewer than {LEAST:.0%} of the seeds")


if __name__ == "__main__":
    main()
