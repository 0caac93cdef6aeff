"""Writes docs/faults.md from what `lockstep faults --json` found, and from docs/proofs.md."""

import json
import pathlib
import re
import sys

PROOFS = pathlib.Path(__file__).resolve().parent.parent / "docs" / "proofs.md"

# Of the seeds, those that ought to find a fault
LEAST = 0.95

HEAD = """# What finds each seeded fault

Written by `make faults`; not edited by hand.

Each line is a small mistake of `rtl/faults.txt`, put into the RTL by itself. It is tried by the
bench of its module (or of one around it) with {runs} seeds, drawn anew by each `make faults` (here
from {seed} on), by that of the whole core, and by games on the golden model and the faulty core
until they first differ. *19 of 20* is the share of the seeds with which the module's bench finds
it. A number with a bench is the clock cycle of the first find, with a controller the decision. *assertion*: the RTL stopped itself; *stuck*: the game could not go on.
A proof is named where it was seen to fail with that fault in ([proofs](proofs.md)). Faults of the line do not show in these games, whose bytes pass behind the UART.

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


def main():
    proved = proofs()
    reports = json.loads(pathlib.Path(sys.argv[1]).read_text())
    designed, *faults = reports
    players = [f["by"] for f in designed["findings"] if f["by"] != "core"]
    rows = [["fault", "module's bench", "core's bench", "proof", *players]]
    rows[0] += ["what it breaks"]
    rows += [["---"] * len(rows[0])]
    for report in reports:
        found = {f["by"]: f for f in report["findings"]}
        benches = [f for f in report["findings"] if f["by"] not in ["core", *players]]
        bench = f"`{benches[0]['by']}` {share(benches[0])}{shown(benches[0])}" if benches else "–"
        proof = ", ".join(proved.get(report["fault"], [])) or "–"
        played = [shown(found[by]) for by in players]
        row = [f"`{report['fault']}`", bench, shown(found["core"]), proof, *played]
        rows.append([*row, report["summary"]])
    shares = [f["share"] for r in reports for f in r["findings"] if "share" in f]
    if not shares:
        sys.exit(f"{sys.argv[1]}: no bench was run: leave --no-benches out")
    text = HEAD.format(**shares[0]) + "".join("| " + " | ".join(row) + " |\n" for row in rows)
    pathlib.Path(sys.argv[2]).write_text(text)
    missed = [r["fault"] for r in faults if not any(f["found"] for f in r["findings"])]
    print(f"{sys.argv[2]}: {len(faults)} faults, {len(missed)} not found", *missed)
    seldom = [s for s in shares if s["found"] < s["runs"] * LEAST]
    print(f"{len(seldom)} of {len(shares)} are found by fewer than {LEAST:.0%} of the seeds")


if __name__ == "__main__":
    main()
