"""Writes docs/faults.md from what `lockstep faults --json` found, and from docs/proofs.md."""

import json
import pathlib
import re
import sys

PROOFS = pathlib.Path(__file__).resolve().parent.parent / "docs" / "proofs.md"

HEAD = """# What finds each seeded fault

Written by `make faults`; not edited by hand.

Each line is a small mistake of `rtl/faults.txt`, put into the RTL by itself. It is tried by the
bench of its module (or of one around it), by that of the whole core, and by games on the golden
model and the faulty core until they first differ. A number with a bench is the clock cycle, with
a controller the decision. *assertion*: the RTL stopped itself; *stuck*: the game could not go on.
A proof is named where it was seen to fail with that fault in ([proofs](proofs.md)). Faults of the line do not show in these games, whose bytes pass behind the UART.

"""


def shown(finding):
    how = finding["found"]
    if how is None:
        return "–"
    (kind, what), = how.items()
    at = f"{finding['after']:,}"
    return f"{at} ({what})" if kind == "field" else at if kind == "differs" else f"{at}, {kind}"


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
        bench = f"`{benches[0]['by']}` {shown(benches[0])}" if benches else "–"
        proof = ", ".join(proved.get(report["fault"], [])) or "–"
        played = [shown(found[by]) for by in players]
        row = [f"`{report['fault']}`", bench, shown(found["core"]), proof, *played]
        rows.append([*row, report["summary"]])
    text = HEAD + "".join("| " + " | ".join(row) + " |\n" for row in rows)
    pathlib.Path(sys.argv[2]).write_text(text)
    missed = [r["fault"] for r in faults if not any(f["found"] for f in r["findings"])]
    print(f"{sys.argv[2]}: {len(faults)} faults, {len(missed)} not found", *missed)


if __name__ == "__main__":
    main()
