"""Says what a bitstream of the RTL is: its build id, and the hash of the layout it speaks.

The build id is that of the simulated core (sim/build/): SHA-256 over the design's file list, its
files and the core's parameters. A test compares the two. What a board puts around the core is no
part of it.
"""

import argparse
import hashlib
import json
import pathlib
import re
import sys

RTL = pathlib.Path(__file__).resolve().parent
CLOCK_HZ = 100_000_000
LANES = 1


def listed(files):
    """The lines of a file list that name a file."""
    lines = (line.strip() for line in files.read_text().splitlines())
    return [line for line in lines if line and not line.startswith("//")]


def build_id(game):
    """32 bits that tell apart the builds of a game's core."""
    digest = hashlib.sha256()

    def add(label, content):
        for part in (label.encode(), content):
            digest.update(len(part).to_bytes(8, "little") + part)

    files = RTL / "files.f"
    add("list", files.read_bytes())
    for name in listed(files):
        add(name, (RTL / name).read_bytes())
    arguments = ["--top-module", f"cosim_{game}", f"-GClkHz=32'd{CLOCK_HZ}", f"-GLanes={LANES}"]
    # As Rust's {:?} writes a list of strings.
    add("arguments", json.dumps(arguments).encode())
    # The number of the seeded fault, none
    add("fault", b"0")
    return int.from_bytes(digest.digest()[:4], "big")


def layout_hash(game):
    """What the generated package says."""
    text = (RTL / f"{game}_proto_pkg.sv").read_text()
    found = re.search(r"LayoutHash = 32'h([0-9a-f]{8});", text)
    if not found:
        sys.exit(f"{game}_proto_pkg.sv has no LayoutHash: run `make generate`")
    return int(found.group(1), 16)


def comment(game, board):
    """What `lockstep flash` reads in a bitstream's comments."""
    return (f"lockstep board={board} game={game} "
            f"build={build_id(game):08x} layout={layout_hash(game):08x}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="tetris")
    game = parser.parse_args().game
    print(f"{build_id(game):08x} {layout_hash(game):08x}")


if __name__ == "__main__":
    main()
