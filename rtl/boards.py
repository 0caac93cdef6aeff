"""Writes the tables of docs/boards.md from the boards' folders and docs/synthesis.md.

Without --write it fails when they are not up to date.
"""

import argparse
import re
import sys

from flows import places
from synth import BOARDS, table
from tops import RTL, boards

DOCS = RTL.parent / "docs"
TOOLS = {"trellis": "open", "gowin": "open", "vivado": "Vivado"}


def overview(tops):
    """What a board costs and needs, and how much of it the core takes."""
    section = (DOCS / "synthesis.md").read_text().partition(BOARDS)[2]
    cells = {name: of for name, *of in re.findall(r"^\| ([\w-]+) \| (\d+) \| (\d+) ", section, re.M)}
    rows = []
    for top in tops:
        about = top.about
        if top.board not in cells:
            sys.exit(f"docs/synthesis.md has no row of {top.board}: make boards BOARDS={top.board}")
        luts, carry, all_luts = (int(n) for n in [*cells[top.board], about["luts"]])
        takes = f"{luts:,} LUT, {carry:,} carry cells; of {all_luts:,} LUT"
        rows.append([about["name"], about["price"], about["fpga"], TOOLS[about["flow"]],
                     f"{about['clock']} MHz", takes])
    return ["board", "price", "FPGA", "flow", "clock", "Tetris takes"], rows


def details(tops):
    """What else of a board's table a user may need."""
    columns = {
        "`BOARD`": lambda top: f"`{top.board}`",
        "bridge, USB id": lambda top: f"{top.about['bridge']}, {top.about['usb']}",
        "rates of the bridge": lambda top: top.about["rates"],
        "oscillator": lambda top: f"{top.about['oscillator']} MHz",
        "reset": lambda top: f"button {top.about['reset']}",
        "LEDs 0 and up show": lambda top: top.about["leds"],
    }
    rows = [[cell(top) for cell in columns.values()] for top in tops]
    return list(columns), rows


def pins(tops):
    """Ports and places, from the constraints."""
    rows = []
    for top in tops:
        of = {}
        for port, place in places(top):
            of.setdefault(re.sub(r"\[\d+\]", "", port), []).append(place)
        rows.append([f"`{top.board}`", ", ".join(f"`{p}` {' '.join(at)}" for p, at in of.items())])
    return ["board", "port and pins, [0] first"], rows


def written(text):
    """The document with its tables as they should be; a table follows its comment."""
    tops = [top for _, top in sorted(boards().items())]
    for of in (overview, details, pins):
        mark = f"<!-- rtl/boards.py: {of.__name__} -->\n"
        before, found, rest = text.partition(mark)
        if not found:
            sys.exit(f"docs/boards.md has no line {mark}")
        after = rest[re.match(r"(\|.*\n)*", rest).end():]
        text = before + mark + left(table(*of(tops))) + after
    return text


def left(text):
    return text.replace("---:", "---")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true")
    document = DOCS / "boards.md"
    text = document.read_text()
    if parser.parse_args().write:
        document.write_text(written(text))
    elif text != written(text):
        sys.exit("docs/boards.md differs from the boards' tables: make generate")


if __name__ == "__main__":
    main()
