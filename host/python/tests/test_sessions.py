"""Sessions, matches and backends in Python."""

import subprocess
import sys
import textwrap
import time

import pytest

import lockstep


class Golden:
    """Decides as the golden model, by asking it."""

    name = "mine"

    def configure(self, controller):
        self.software = lockstep.open("software", controller=controller)

    def decide(self, position):
        return self.software.ask([position])[0]["decision"]


class Mistaken(Golden):
    """Takes an S for a Z."""

    def decide(self, position):
        if position["piece"] == "S":
            position = position | {"piece": "Z"}
        return super().decide(position)


def decided(session):
    return [event for event in session if event["event"] == "decided"]


def test_play_agrees_on_all_kinds_of_backends():
    events = list(lockstep.play(["software", "engine", "sim", Golden()], games=2, max_moves=40))
    assert [events[0]["event"], events[-1]["event"]] == ["started", "ended"]
    assert [b["name"] for b in events[0]["backends"]] == ["software", "engine", "sim", "mine"]
    rounds = [event for event in events if event["event"] == "decided"]
    assert len(rounds) == 80 and not any(event["mismatches"] for event in rounds)
    assert all(len(event["took_us"]) == 4 for event in rounds)
    assert events[-1]["totals"]["decisions"] == 80 and events[-1]["totals"]["diverged"] == 0


def test_divergence_of_a_python_backend_names_the_fields():
    rounds = decided(lockstep.play(["sim", Mistaken()], games=1, max_moves=100))
    assert rounds[-1]["position"]["piece"] == "S"
    assert {mismatch["backend"] for mismatch in rounds[-1]["mismatches"]} == {1}
    assert not any(event["mismatches"] for event in rounds[:-1])


def test_exception_of_a_python_backend_ends_the_session(capfd):
    class Broken:
        def decide(self, position):
            raise ValueError("no idea")

    with pytest.raises(lockstep.Error, match="Broken: ValueError: no idea"):
        decided(lockstep.play(["software", Broken()]))
    assert "raise ValueError" in capfd.readouterr().err, "the traceback"

    class Wrong:
        def decide(self, position):
            return {"column": 1}

    with pytest.raises(lockstep.Error, match="decide returned .*missing field"):
        decided(lockstep.play(["software", Wrong()]))
    with pytest.raises(lockstep.Error, match="give it a method decide"):
        lockstep.play(["software", object()])


def test_match_plays_both_seats():
    session = lockstep.match(["sim", "software"], ["engine"], game="connect4", games=2)
    events = list(session)
    assert [len(event["answers"]) for event in events if event["event"] == "decided"][:2] in ([2, 1], [1, 2])
    assert sum(events[-1]["totals"]["outcomes"].values()) == 2


def test_session_that_cannot_begin_raises_the_reason(tmp_path):
    (tmp_path / "games.jsonl").write_text("mine")
    for arguments, why in [
        ({"backends": ["tcp:localhost:1"]}, "tcp:localhost:1"),
        ({"backends": []}, "at least one backend"),
        ({"record": tmp_path / "games.jsonl"}, "games.jsonl"),
        ({"setup": {"boards": "10x10"}}, "no member 'boards'"),
        ({"setup": {"board": "1x1"}}, "the board is 1x1"),
    ]:
        with pytest.raises(lockstep.Error, match=why):
            list(lockstep.play(**arguments))
    assert (tmp_path / "games.jsonl").read_text() == "mine"


def test_session_that_is_dropped_ends():
    session = lockstep.play(["engine", Golden()], games=1000, max_moves=1_000_000)
    assert next(session)["event"] == "started"
    begin = time.monotonic()
    del session
    assert time.monotonic() - begin < 5


def test_session_waits_for_a_reader_that_stands_still():
    class Counting(Golden):
        calls = 0

        def decide(self, position):
            self.calls += 1
            return super().decide(position)

    counting = Counting()
    session = lockstep.play([counting], games=1000, max_moves=1_000_000)
    assert next(session)["event"] == "started"
    before, limit = -1, time.monotonic() + 60
    while counting.calls != before and time.monotonic() < limit:
        before = counting.calls
        time.sleep(1)
    # 1024 events wait for the reader and 4096 for the thread that passes them on.
    assert 5000 < counting.calls == before < 5200
    session.close()
    assert counting.calls < before + 10


def test_program_ends_although_a_session_plays():
    program = """if True:
        import lockstep

        class Mine:
            def decide(self, position):
                return lockstep.open("software").ask([position])[0]["decision"]

        session = lockstep.play([Mine()], games=1000, max_moves=1_000_000)
    """
    # About every second time the first decision comes when Python has ended.
    for _ in range(8):
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
        assert (done.returncode, done.stderr) == (0, "")


INTERRUPTED = {
    "session": """
        session = lockstep.play(["software"], games=1000, max_moves=1000000, record=sys.argv[1])
        try:
            for event in session:
                pass
        except KeyboardInterrupt:
            session.stop()  # Ctrl-C may have come between two events
            for event in session:
                pass
            assert event["interrupted"]
            assert not lockstep.verify_record(sys.argv[1]), "it is not complete"
            sys.exit(7)
    """,
    "batch": """
        controller = lockstep.controller("tetris", "dt-20") | {"search": {"depth": 2}}
        boards, pieces = np.zeros((1_000_000, 20), np.uint16), np.zeros(1_000_000, np.uint8)
        try:
            lockstep.open("engine", controller=controller).decide(boards, pieces)
        except KeyboardInterrupt:
            sys.exit(7)
    """,
}
BEGIN = """
import os, signal, sys, threading
import lockstep, numpy as np
threading.Timer(1, os.kill, [os.getpid(), signal.SIGINT]).start()
"""


@pytest.mark.parametrize("what", INTERRUPTED)
def test_ctrl_c_raises_keyboard_interrupt(what, tmp_path):
    program = BEGIN + textwrap.dedent(INTERRUPTED[what])
    command = [sys.executable, "-c", program, tmp_path / "record.jsonl"]
    assert subprocess.run(command, timeout=60).returncode == 7
