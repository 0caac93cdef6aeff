"""Positions of games, as arrays."""

import functools

import numpy as np

import lockstep

PIECES = "IOTSZJL"


@functools.cache
def tetris(count, seed=1):
    """Boards and pieces of games that the engine plays."""
    games = lockstep.play(["engine"], controller="dt-20", games=9, max_moves=count, seed=seed)
    rounds = [event["position"] for event in games if event["event"] == "decided"][:count]
    boards = np.array([position["board"] for position in rounds], np.uint16)
    pieces = np.array([PIECES.index(position["piece"]) for position in rounds], np.uint8)
    return boards, pieces


def stones(game, count):
    """Boards and sides to move of games with random moves; also the positions as dicts."""
    random, boards, sides, positions = np.random.default_rng(1), [], [], []
    number = 0
    while len(boards) < count:
        number += 1
        running, goes_on = lockstep.Game(game, number=number), True
        while goes_on:
            boards.append(running.board)
            sides.append(running.seat)
            positions.append(running.position)
            goes_on = running.play(int(random.choice(np.flatnonzero(running.legal))))
    return np.array(boards[:count], np.uint8), np.array(sides[:count], np.uint8), positions[:count]
