"""Lockstep from Python: FPGA cores, their golden models and fast engines behind one interface.

- `open` opens a backend, which decides and traces positions given as numpy arrays.
- `play` and `match` play games in lockstep; both return an iterator of events.
- `read_record` and `write_record` turn records into Arrow tables, for pandas and Polars, and back.
- `Game` is a running game; `lockstep.envs` has environments for Gymnasium and PettingZoo.

Positions, decisions, controllers and events are dicts with the members of their JSON
(docs/python.md, docs/use.md). Every error is an `Error` that names the remedy.
"""

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any

from ._lockstep import Backend, Error, Game, Session, controller, controllers, games, verify_record
from .records import read_record, write_record

if TYPE_CHECKING:
    from ._lockstep import _Controller, _PythonBackend

__all__ = [
    "Backend", "Error", "Game", "Session", "controller", "controllers", "games", "match", "open",
    "play", "read_record", "verify_record", "write_record",
]  # fmt: skip


def open(
    backend: "str | _PythonBackend", game: str = "tetris", controller: "_Controller" = None
) -> Backend:
    """Opens a backend by its name, as on the command line, or one that is written in Python.

    `controller` is a built-in name, a file, or a dict with the members of such a file.
    """
    return Backend(backend, game, controller)


def play(
    backends: "Sequence[str | _PythonBackend]" = ("software", "engine"),
    *,
    game: str = "tetris",
    controller: "_Controller" = None,
    games: int = 1,
    max_moves: int = 1000,
    seed: int = 1,
    setup: Mapping[str, Any] | None = None,
    record: str | PathLike[str] | None = None,
    overwrite: bool = False,
) -> Session:
    """Plays games in lockstep on all backends; the moves of the first one are played.

    A backend is a name, or an object with a method `decide(position)` that returns the decision; its
    method `configure(controller)`, if it has one, is called before. `setup` changes how games are
    dealt, such as `{"board": "10x10"}`. `record` is a file for the record.
    """
    seats = [(controller, list(backends))]
    return Session(game, seats, games, max_moves, seed, setup, False, record, overwrite)


def match(
    a: "Sequence[str | _PythonBackend]",
    b: "Sequence[str | _PythonBackend]",
    *,
    game: str = "gomoku",
    controller: "_Controller" = None,
    a_controller: "_Controller" = None,
    b_controller: "_Controller" = None,
    games: int = 2,
    max_moves: int = 1000,
    seed: int = 1,
    setup: Mapping[str, Any] | None = None,
    record: str | PathLike[str] | None = None,
    overwrite: bool = False,
) -> Session:
    """Plays a match of two players, each with its list of backends.

    Player a has the first seat of the game. Each opening is played twice, the second time with
    colours swapped.
    """
    seats = [(a_controller or controller, list(a)), (b_controller or controller, list(b))]
    return Session(game, seats, games, max_moves, seed, setup, True, record, overwrite)
