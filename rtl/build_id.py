"""Prints the build id of the RTL, and the hash of its layout.

The build id is that of the simulated core (sim/build/): SHA-256 over the files of the game's list
and the core's parameters. A test compares the two. Another game's files and what a board puts
around the core are no part of it.
"""

import argparse
import functools
import hashlib
import json
import re
import sys

from tops import RTL, add_files, add_part, core

CLOCK_HZ = 100_000_000


# Once, so that a bitstream has one build id whatever happens to the files meanwhile.
@functools.cache
def build_id(game, other=None):
    """32 bits that tell apart the builds of a game's core, or of that other core of the game."""
    digest = hashlib.sha256()
    top = core(game, other)
    add_files(digest, top.list)
    arguments = ["--top-module", top.name, f"-GClkHz=32'd{CLOCK_HZ}"]
    arguments += [f"-G{name}={value}" for name, value in top.fixed.items()]
    # As Rust's {:?} writes a list of strings.
    add_part(digest, "arguments", json.dumps(arguments).encode())
    return int.from_bytes(digest.digest()[:4], "big")


def layout_hash(game):
    """What the generated package says."""
    text = (RTL / f"{game}_proto_pkg.sv").read_text()
    found = re.search(r"LayoutHash = 32'h([0-9a-f]{8});", text)
    if not found:
        sys.exit(f"{game}_proto_pkg.sv has no LayoutHash: run `make generate`")
    return int(found.group(1), 16)


def comment(game, other, board):
    """What `lockstep flash` reads in a bitstream's comments."""
    return (f"lockstep board={board} game={game} "
            f"build={build_id(game, other):08x} layout={layout_hash(game):08x}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="tetris")
    parser.add_argument("--core", help="another core of the game, as tops.txt calls it")
    arguments = parser.parse_args()
    game = arguments.game
    print(f"{build_id(game, arguments.core):08x} {layout_hash(game):08x}")


if __name__ == "__main__":
    main()
