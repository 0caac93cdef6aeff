"""Decisions and traces of arrays."""

import threading
import time

import numpy as np
import pytest
from positions import stones, tetris

import lockstep

INVALID = [
    (lambda b, p: (b[:, ::2], p), "C order"),
    (lambda b, p: (b.astype(np.int64), p), "uint16"),
    (lambda b, p: (b, p[1:]), "different lengths"),
    (lambda b, p: (b, p + 7), "position [0-9]+: the piece is"),
    (lambda b, p: (b | 1 << 10, p), "position [0-9]+: a row has"),
]


def test_engine_decides_as_golden_model():
    boards, pieces = tetris(300)
    engine, golden = (lockstep.open(name, controller="bcts") for name in ("engine", "software"))
    expected = golden.decide(boards, pieces)
    for scores in True, False:
        found = engine.decide(boards, pieces, scores=scores)
        assert set(expected) - set(found) == ({"legal"} if scores else {"legal", "score"})
        for name in found:
            np.testing.assert_array_equal(found[name], expected[name], name)


def test_lost_position_is_minus_one_and_nan():
    boards, pieces = np.full((2, 20), 0x1EF, np.uint16), np.ones(2, np.uint8)
    for name in "engine", "software":
        found = lockstep.open(name).decide(boards, pieces, scores=True)
        assert (found["rotation"] == -1).all() and np.isnan(found["score"]).all()


def test_result_is_one_allocation():
    boards, pieces = tetris(10)
    found = lockstep.open("engine").decide(boards, pieces)
    assert all(np.may_share_memory(found["rotation"].base, found[name]) for name in found)


@pytest.mark.parametrize("change, why", INVALID)
def test_invalid_arrays_raise_the_reason(change, why):
    boards, pieces = change(*tetris(10))
    with pytest.raises(lockstep.Error, match=why):
        lockstep.open("engine").decide(boards, pieces)


def test_invalid_position_is_counted_from_the_first_array_element():
    boards, pieces = tetris(100)
    pieces[90] = 7
    controller = lockstep.controller("tetris", "dt-20") | {"search": {"depth": 2}}
    with pytest.raises(lockstep.Error, match="position 90: the piece is 7"):
        lockstep.open("engine", controller=controller).decide(boards, pieces)


@pytest.mark.parametrize("game", ["connect4", "gomoku"])
def test_stones_on_core_decide_as_golden_model(game):
    boards, sides, positions = stones(game, 12)
    controller = lockstep.controller(game, None)
    controller["depth"] = 2
    backends = [lockstep.open(name, game, controller) for name in ("sim", "software", "engine")]
    core, golden, engine = (backend.decide(boards, sides) for backend in backends)
    for name in golden:
        np.testing.assert_array_equal(core[name], golden[name], name)
        np.testing.assert_array_equal(engine[name], golden[name], name)
    asked = [answer["decision"] for answer in backends[1].ask(positions)]
    for name in golden:
        assert golden[name].tolist() == [decision[name] for decision in asked], name
    with pytest.raises(lockstep.Error, match="expected 0 or 1"):
        backends[0].decide(boards, sides + 2)


@pytest.mark.parametrize("name", ["software", "sim"])
def test_trace_has_the_candidates_of_each_position(name):
    boards, pieces = tetris(20)
    backend = lockstep.open(name, controller="dellacherie")
    decisions, candidates, offsets = backend.trace(boards, pieces)
    assert len(offsets) == 21 and offsets[-1] == len(candidates["score"])
    for at, (begin, end) in enumerate(zip(offsets, offsets[1:])):
        best = begin + np.nanargmax(candidates["score"][begin:end])
        for field in "rotation", "column", "row", "score":
            assert candidates[field][best] == decisions[field][at], (at, field)


def test_ask_answers_in_json():
    position = {"board": [0] * 20, "piece": "O"}
    answer = lockstep.open("sim", controller="lowest").ask([position])[0]
    assert answer["decision"]["column"] == 0 and answer["cycles"] == answer["due"] > 0
    with pytest.raises(lockstep.Error, match="expected 20 rows"):
        lockstep.open("sim").ask([{"board": [0], "piece": "O"}])


def test_deciding_releases_the_gil():
    boards, pieces = tetris(500)
    controller = lockstep.controller("tetris", "dt-20") | {"search": {"depth": 2}}
    engine, during, seen = lockstep.open("engine", controller=controller), [], []

    def decide():
        during.append(time.perf_counter())
        engine.decide(boards, pieces)
        during.append(time.perf_counter())

    thread = threading.Thread(target=decide)
    thread.start()
    while thread.is_alive():
        time.sleep(0.001)
        seen.append(time.perf_counter())
    thread.join()
    assert sum(during[0] < moment < during[1] for moment in seen) > 10


def test_unknown_names_raise_the_choices():
    for arguments, why in [
        (("nothing",), "no backend is called"),
        (("engine", "chess"), "there are tetris"),
        (("engine", "tetris", "nobody"), "the built-in ones are"),
        (("engine", "tetris", {"name": "x"}), "controller: "),
        (("serial:/dev/null",), "serial:/dev/null"),
    ]:
        with pytest.raises(lockstep.Error, match=why):
            lockstep.open(*arguments)
