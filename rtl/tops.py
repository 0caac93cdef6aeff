"""Reads rtl/tops.txt, the table of tops, the boards' tables, and the file lists; run, it prints the games."""

import pathlib
import sys
import typing

RTL = pathlib.Path(__file__).resolve().parent
TABLE = RTL / "tops.txt"

# A folder below rtl/top/ with a board.txt is a board: lines of a word and its value. Its top is
# lockstep_NAME (with _ for -), with the files of files.f; those of sim.f stand in for cells of the
# FPGA. Scripts, sim/build/tops.rs and host/flash/src/board.rs read it.
WORDS = {
    "name": "of the board, with its revision",
    "price": "its class",
    "game": "whose core it has",
    "flow": "its tools: one of rtl/bitstream.py's FLOWS",
    "fpga": "name of the FPGA",
    "luts": "how many the FPGA has",
    "part": "the FPGA in a bitstream: its IDCODE, or how the name of the part begins",
    "place": "the part, as place and route takes it",
    "loader": "arguments of openFPGALoader",
    "bridge": "the chip between USB and the line",
    "usb": "vendor and product of that chip",
    "rates": "of the line in baud, as that chip's maker says",
    "oscillator": "MHz of the pin",
    "clock": "MHz of the core",
    "reset": "the button's name",
    "leds": "what each of led_o or led_no shows, by the numbers of board_leds",
    "buttons": "for a person who plays, by their numbers in the wire's buttons_reply, if any",
    "bench": "parameters of the top in its bench, if any",
    "video": "its picture, if it has one: vga or dvi",
    "inside": "the modules whose faults its bench looks for, if any",
}
OPTIONAL = {"buttons", "bench", "video", "inside"}


class Top(typing.NamedTuple):
    """A line of the table; its head says what the columns are."""

    game: str
    name: str
    use: str  # "core:NAME" is another core of the same game
    list: pathlib.Path
    fixed: dict[str, str]  # parameters that always hold
    tried: dict[str, list[str]]  # parameters that the lint tries
    about: dict[str, str] = {}  # a board's table
    core: str | None = None  # a board's, if it is another core of its game

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


USES = {"core", "draft", "peripheral", "example"}


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


def board(file):
    """The top of a board, by its table."""
    about = {}
    for number, line in enumerate(file.read_text().splitlines(), 1):
        word, _, value = line.partition(" ")
        if line.startswith("#") or not line:
            continue
        if word not in WORDS or word in about or not value.strip():
            sys.exit(f"{file}:{number}: expected a word of rtl/tops.py, once, and its value: {line}")
        about[word] = value.strip()
    if missing := WORDS.keys() - OPTIONAL - about.keys():
        sys.exit(f"{file}: missing: {', '.join(sorted(missing))}; rtl/tops.py says what they mean")
    name = "lockstep_" + file.parent.name.replace("-", "_")
    return Top(about["game"], name, "board", file.parent / "files.f", {}, {}, about)


def tops(*uses):
    """The tops of those uses, or all."""
    lines = enumerate(TABLE.read_text().splitlines(), 1)
    found = [top(line, n) for n, line in lines if line.strip() and not line.startswith("#")]
    found += [board(file) for file in sorted(RTL.glob("top/*/board.txt"))]
    return [top for top in found if not uses or top.use in uses]


def cores():
    """The cores of all games, drafts included."""
    return tops("core", "draft")


def other_cores():
    """The cores beside those: `core:NAME`."""
    return [top for top in tops() if top.use.startswith("core:")]


def core(game, other=None):
    """A game's core, which may be a draft, or that other core of the game."""
    games = {top.game: top for top in (tops(f"core:{other}") if other else cores())}
    if game not in games:
        name = f"core:{other}" if other else "core"
        sys.exit(f"rtl/tops.txt has no {name} of {game}, but of: {', '.join(games) or 'no game'}")
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
