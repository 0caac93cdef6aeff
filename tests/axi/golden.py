"""Positions and what has to be decided on them: from MDPTetris' own evaluation of 300 positions
(fixtures/tetris/placements.jsonl), the definitions (host/games/src/tetris/README.md) and the
timing of docs/wire.md. Nothing here has seen the RTL."""

import decimal
import json
import pathlib
import typing

ROOT = pathlib.Path(__file__).resolve().parents[2]
COLUMNS, ROWS = 10, 20
PIECES = "IOTSZJL"  # by number
SEED_PIECES = "ILJSZOT"  # by their number in the ECE532 design

# In the order of the wire.
WEIGHTS = [
    "landing_height", "eroded_cells", "rows_cleared", "row_transitions", "column_transitions",
    "holes", "cumulative_wells", "well_sums", "hole_depth", "rows_with_holes", "diversity",
    "aggregate_height", "bumpiness", "max_height",
]  # fmt: skip
# Where each of them stands in a placement's `f` in the fixture.
IN_FILE = [0, 1, 13, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]

# Rotations of each piece, top line first, as the definitions draw them. (MDPTetris' choices are
# cells: they do not tell whether rotations are in the right order here; the tests do.)
DRAWINGS = {
    "I": ["#/#/#/#", "####"],
    "O": ["##/##"],
    "T": [".#./###", ".#/##/.#", "###/.#.", "#./##/#."],
    "S": [".##/##.", "#./##/.#"],
    "Z": ["##./.##", ".#/##/#."],
    "J": ["#../###", ".#/.#/##", "###/..#", "##/#./#."],
    "L": ["..#/###", "#./#./##", "###/#..", "##/.#/.#"],
}


class Decision(typing.NamedTuple):
    """What the core answers; all 0 but cycles when no placement is legal."""

    legal: int
    rotation: int
    column: int
    row: int
    rows_cleared: int
    score: int
    cycles: int


class Vector(typing.NamedTuple):
    """A position; by (rotation, column) of every legal placement its landing row and features."""

    board: list[int]  # rows from the bottom, bit c is column c
    piece: str
    placements: dict[tuple[int, int], tuple[int, list[int]]]
    best: dict[str, tuple[int, int] | None]  # MDPTetris' own choice, None where two tie


def shape(piece: str, rotation: int) -> frozenset[tuple[int, int]]:
    """Cells (column, row) of a piece in its box."""
    lines = DRAWINGS[piece][rotation].split("/")[::-1]
    return frozenset((c, r) for r, line in enumerate(lines) for c, x in enumerate(line) if x == "#")


def placed(piece: str, cells: list[list[int]]) -> tuple[tuple[int, int], int]:
    """(rotation, column) and landing row of those cells."""
    column, row = min(c for c, _ in cells), min(r for _, r in cells)
    box = frozenset((c - column, r - row) for c, r in cells)
    rotations = [r for r in range(len(DRAWINGS[piece])) if shape(piece, r) == box]
    assert len(rotations) == 1, f"{piece} is not drawn like {cells}"
    return (rotations[0], column), row


def vectors() -> list[Vector]:
    found = []
    for line in (ROOT / "fixtures/tetris/placements.jsonl").read_text().splitlines():
        data = json.loads(line)
        where = [placed(data["piece"], p["cells"]) for p in data["placements"]]
        placements = {
            at: (row, [p["f"][i] for i in IN_FILE])
            for (at, row), p in zip(where, data["placements"], strict=True)
        }
        best = {name: None if tied else where[i][0] for name, (i, tied) in data["best"].items()}
        found.append(Vector(data["board"], data["piece"], placements, best))
    return found


def full_board() -> Vector:
    """Nothing fits."""
    return Vector([1023] * ROWS, "T", {}, {})


def full_rows(rows: int, piece: str) -> Vector:
    """Nothing but full rows: each placement lands on them and clears them. All other features
    are 0 here, so that only a weight of the rows cleared may differ from 0."""
    features = [rows if weight == "rows_cleared" else 0 for weight in WEIGHTS]
    placements = {}
    for rotation in range(len(DRAWINGS[piece])):
        cells = shape(piece, rotation)
        width, height = max(c for c, _ in cells) + 1, max(r for _, r in cells) + 1
        for column in range(COLUMNS - width + 1):
            if rows + height <= ROWS:
                placements[(rotation, column)] = rows, features
    return Vector([1023] * rows + [0] * (ROWS - rows), piece, placements, {})


def controller(name: str) -> list[int]:
    """Weights of fixtures/weights/ in millionths."""
    text = (ROOT / "fixtures/weights" / f"{name}.json").read_text()
    given = json.loads(text, parse_float=decimal.Decimal)["weights"]
    # Landing heights are counted doubled.
    halves = {"landing_height": 2}
    weights = (decimal.Decimal(given.get(w, 0)) / halves.get(w, 1) for w in WEIGHTS)
    return [int((w * 1_000_000).to_integral_value(decimal.ROUND_HALF_UP)) for w in weights]


def decide(vector: Vector, weights: list[int], multipliers: int = 4) -> Decision:
    """The highest score; of equals the lowest rotation, then the lowest column."""
    scores = {
        at: sum(w * f for w, f in zip(weights, features, strict=True))
        for at, (_, features) in vector.placements.items()
    }
    cycles = timing(vector, multipliers)
    if not scores:
        return Decision(0, 0, 0, 0, 0, 0, cycles)
    at = min(scores, key=lambda at: (-scores[at], at))
    row, features = vector.placements[at]
    cleared = features[WEIGHTS.index("rows_cleared")]
    return Decision(1, *at, row, cleared, scores[at], cycles)


def timing(vector: Vector, multipliers: int) -> int:
    """docs/wire.md, "Timing of this core"."""
    stack = max((r + 1 for r, row in enumerate(vector.board) if row), default=0)
    products = -(-len(WEIGHTS) // multipliers)
    cycles, before = 18, 1
    for rotation in range(len(DRAWINGS[vector.piece])):
        cells = shape(vector.piece, rotation)
        width, height = max(c for c, _ in cells) + 1, max(r for _, r in cells) + 1
        for column in range(COLUMNS - width + 1):
            legal = vector.placements.get((rotation, column))
            rows = max(stack, legal[0] + height) if legal else 1
            cycles += max(rows, before)
            before = products if legal else 1
    return cycles + before


def check() -> None:
    """This page against MDPTetris: its choice wherever its top two do not tie."""
    compared = 0
    names = {"dellacherie": "dellacherie", "bcts": "bcts", "dt10": "dt-10", "dt20": "dt-20"}
    for number, vector in enumerate(vectors()):
        for theirs, ours in names.items():
            if (at := vector.best[theirs]) is None:
                continue
            decision = decide(vector, controller(ours))
            chosen = (decision.rotation, decision.column)
            assert chosen == at, f"{ours}, position {number}: {chosen} is not MDPTetris' {at}"
            compared += 1
    assert compared > 1000, f"only {compared} choices to compare with"
