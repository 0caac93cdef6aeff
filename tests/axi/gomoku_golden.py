"""Gomoku's profile `wujian`, and a player that keeps the board: from the definitions
(host/games/src/gomoku/README.md) and docs/bus.md. Nothing here has seen the RTL."""

import json
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
SIDE = 15
OWN, OTHER = 1, -1
INF = 2**31 - 1
DIRECTIONS = [(1, 0), (0, 1), (1, 1), (1, -1)]
# By the empty ends of a run, then by its stones.
RUN = {2: [10, 100, 1_000, 10_000], 1: [1, 10, 100, 1_000], 0: [0, 0, 0, 0]}

Point = tuple[int, int]
Board = dict[Point, int]  # the stones


def inside(x: int, y: int) -> bool:
    return 0 <= x < SIDE and 0 <= y < SIDE


SCAN = [(x, y) for y in range(SIDE) for x in range(SIDE)]
AROUND = [(dx, dy) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if dx or dy]
NEIGHBOURS = {(x, y): [(x + i, y + j) for i, j in AROUND if inside(x + i, y + j)] for x, y in SCAN}


def along(board: Board, point: Point, step: Point) -> int:
    """Stones of the point's colour behind it in a direction."""
    (x, y), (dx, dy), count = point, step, 0
    while board.get((x + dx, y + dy)) == board[point]:
        x, y, count = x + dx, y + dy, count + 1
    return count


def is_five(board: Board, point: Point) -> bool:
    """Whether that stone is one of five or more in a row."""
    both = (along(board, point, d) + along(board, point, (-d[0], -d[1])) for d in DIRECTIONS)
    return any(count + 1 >= 5 for count in both)


def evaluation(board: Board, colour: int) -> int:
    total = 0
    for (x, y), stone in board.items():
        for dx, dy in DIRECTIONS:
            before = x - dx, y - dy
            if stone != colour or board.get(before) == colour:
                continue
            n = 1 + along(board, (x, y), (dx, dy))
            after = x + n * dx, y + n * dy
            empty = sum(inside(*end) and end not in board for end in (before, after))
            total += 100_000 if n >= 5 else RUN[empty][n - 1]
    return total


def candidates(board: Board) -> list[Point]:
    return [p for p in SCAN if p not in board and any(n in board for n in NEIGHBOURS[p])]


class Search:
    def __init__(self, board: Board, depth: int):
        self.board, self.depth, self.nodes = dict(board), depth, 0

    def decide(self) -> tuple[Point | None, int, int]:
        """Point, value and nodes."""
        for colour in (OWN, OTHER):
            if any(is_five(self.board, p) for p, stone in self.board.items() if stone == colour):
                return None, colour * 100_000, 0
        if not self.board:
            return (7, 7), 0, 0
        if len(self.board) == len(SCAN):
            return None, 0, 0
        point, best = None, -INF
        for q in candidates(self.board):
            if (w := self.node(q, OWN, 1, INF, best)) > best:
                point, best = q, w
        return point, best, self.nodes

    def node(self, p: Point, mover: int, k: int, alpha: int, beta: int) -> int:
        self.nodes += 1
        self.board[p] = mover
        if k == self.depth:
            theirs = evaluation(self.board, OTHER) * (10 if mover == OWN else 1)
            v = evaluation(self.board, OWN) - theirs
        elif is_five(self.board, p):
            v = mover * 100_000
        else:
            highest, lowest = -INF, INF
            tried = candidates(self.board)
            for q in tried:
                w = self.node(q, -mover, k + 1, lowest, highest)
                highest, lowest = max(highest, w), min(lowest, w)
                if highest >= alpha if mover == OTHER else lowest <= beta:
                    break
            v = (highest if mover == OTHER else lowest) if tried else 0
        del self.board[p]
        return v


class Player:
    """What the streams are to answer."""

    def __init__(self, depth: int):
        self.depth, self.board = depth, {}

    def clear(self) -> None:
        self.board = {}

    def move(self, x: int, y: int) -> Point | None:
        """The answer to a move, if there is one."""
        if (x, y) == (99, 99):
            self.clear()
            return None
        if (x, y) != (15, 15):
            if not inside(x, y) or (x, y) in self.board:
                return None
            self.board[x, y] = OTHER
        point, _, _ = Search(self.board, self.depth).decide()
        point = point or next((p for p in SCAN if p not in self.board), None)
        if point:
            self.board[point] = OWN
        return point


def check() -> None:
    """This page against the answers of programs from outside (fixtures/gomoku/README.md)."""
    lines = (ROOT / "fixtures/gomoku/wujian.jsonl").read_text().splitlines()
    for number, line in enumerate(lines):
        given = json.loads(line)
        board = {
            (x, y): colour
            for colour, rows in ((OWN, given["own"]), (OTHER, given["opp"]))
            for x, y in SCAN
            if rows[y] >> x & 1
        }
        for answer in given["answers"]:
            if answer["nodes"] > 200:
                continue
            point = tuple(answer["move"]) if answer["move"] else None
            expected = point, answer["value"], answer["nodes"]
            got = Search(board, answer["depth"]).decide()
            assert got == expected, f"position {number}: {got}, expected {expected}"


if __name__ == "__main__":
    check()
