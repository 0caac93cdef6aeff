"""Reads rtl/tops.txt, the table of tops, and the file lists it names; run, it prints the games."""

import pathlib
import sys
import typing

RTL = pathlib.Path(__file__).resolve().parent
TABLE = RTL / "tops.txt"


class Top(typing.NamedTuple):
    """A line of the table; its head says what the columns are."""

    game: str
    name: str
    use: str  # "core:NAME" is another core of the same game
    list: pathlib.Path
    fixed: dict[str, str]  # parameters that always hold
    tried: dict[str, list[str]]  # parameters that the lint tries

    def lint_sets(self):
        """The sets of parameters to lint with: the fixed ones alone, then the tried ones."""
        most = max((len(values) for values in self.tried.values()), default=0)
        tried = [
            {name: values[min(i, len(values) - 1)] for name, values in self.tried.items()}
            for i in range(most)
        ]
        return [{**self.fixed, **values} for values in [{}, *tried]]

    @property
    def board(self):
        """Folder of a board below rtl/top/."""
        return self.list.parent.name

    @property
    def cells(self):
        """The list of what stands in for cells of a board's FPGA in a simulation, if any."""
        cells = self.list.parent / "sim.f"
        return [cells] if self.use == "board" and cells.exists() else []


USES = {"core", "draft", "peripheral", "example", "board"}


def top(line, number):
    try:
        game, name, use, files, *parameters = line.split()
        fixed = dict(p.removeprefix("-G").split("=", 1) for p in parameters if p[:2] == "-G")
        tried = dict(p.split("=", 1) for p in parameters if p[:2] != "-G")
    except ValueError:
        sys.exit(f"{TABLE}:{number}: a line is: game top use list -GName=value Name=value,value")
    if use.partition(":")[0] not in USES:
        sys.exit(f"{TABLE}:{number}: a use is one of {', '.join(sorted(USES))}, not {use}")
    tried = {name: values.split(",") for name, values in tried.items()}
    return Top(game, name, use, RTL / files, fixed, tried)


def tops(*uses):
    """The tops of those uses, or all."""
    lines = enumerate(TABLE.read_text().splitlines(), 1)
    found = [top(line, n) for n, line in lines if line.strip() and not line.startswith("#")]
    return [top for top in found if not uses or top.use in uses]


def cores():
    """The cores of all games, drafts included."""
    return tops("core", "draft")


def core(game):
    """A game's core, which may be a draft."""
    games = {top.game: top for top in cores()}
    if game not in games:
        sys.exit(f"no game is called {game}; rtl/tops.txt has {', '.join(games)}")
    return games[game]


def boards():
    """The tops of boards by the names of their folders."""
    return {top.board: top for top in tops("board")}


def listed(files):
    """The files of a list in their order, with those of the lists that it names."""
    found = []
    for line in map(str.strip, files.read_text().splitlines()):
        if line and not line.startswith("//"):
            *nested, name = line.split()
            file = (files.parent / name).resolve()
            found += listed(file) if nested == ["-F"] else [file]
    return found


def add_part(digest, label, content):
    """Adds a labelled part to a digest as sim/build does: lengths keep neighbours apart."""
    for part in (label.encode(), content):
        digest.update(len(part).to_bytes(8, "little") + part)


def add_files(digest, files):
    """Adds the files of a list: their names below rtl/ and contents."""
    for file in listed(files):
        add_part(digest, file.relative_to(RTL).as_posix(), file.read_bytes())


if __name__ == "__main__":
    print(*(top.game for top in cores()))
