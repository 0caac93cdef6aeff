"""gomoku_axis: its three streams driven by cocotbext-axi, with random pauses."""

import logging
import random

import cocotb
from cocotb.triggers import ClockCycles
from cocotbext.axi import AxiStreamBus, AxiStreamSink, AxiStreamSource

import gomoku_golden as golden
import support

CLEAR, MOVE = 0, 1  # on control_in
FIRST, EMPTY = (15, 15), (99, 99)  # on data_in
# What follows one another in a game
KINDS = ["stone"] * 12 + ["bad"] * 3 + ["first", "clear", "empty", "word"]
DEPTH = 2  # of the core, except in the games that are given
# As support.LIMIT; these searches are longer.
LIMIT = {"timeout_time": 30, "timeout_unit": "ms"}


class Slave(AxiStreamBus):
    """A stream into the core, by the names of its ports."""

    _signals = {"tvalid": "tvalid_i", "tready": "tready_o", "tdata": "tdata_i"}
    _optional_signals = []


class Master(AxiStreamBus):
    """A stream out of the core."""

    _signals = {"tvalid": "tvalid_o", "tready": "tready_i", "tdata": "tdata_o"}
    _optional_signals = []


class Core:
    """The core, and what is at the other ends of its streams."""

    def __init__(self, dut):
        self.dut, self.clock = dut, dut.clk_i
        support.start_clock(self.clock)
        dut.rst_ni.value = 0
        # That a reset drops words is no news here.
        logging.getLogger("cocotb.gomoku_axis").setLevel(logging.ERROR)
        ends = self.clock, dut.rst_ni, False
        self.control = AxiStreamSource(Slave(dut, "control_in"), *ends)
        self.data = AxiStreamSource(Slave(dut, "data_in"), *ends)
        self.out = AxiStreamSink(Master(dut, "data_out"), *ends)

    def pause(self):
        for end in (self.control, self.data, self.out):
            end.set_pause_generator(support.pauses())

    async def reset(self):
        """Resets the core, and drops what is under way."""
        self.dut.rst_ni.value = 0
        await ClockCycles(self.clock, 1)
        for end in (self.control, self.data, self.out):
            end.clear()
        await support.reset(self.clock, self.dut.rst_ni)

    def command(self, word: int):
        self.control.send_nowait(word.to_bytes(4, "little"))

    def stone(self, x: int, y: int):
        for word in (x, y):
            self.data.send_nowait((word & 0xFFFF_FFFF).to_bytes(4, "little"))

    def move(self, x: int, y: int):
        self.command(MOVE)
        self.stone(x, y)

    async def answer(self) -> tuple[int, int]:
        words = [int.from_bytes((await self.out.recv()).tdata, "little") for _ in range(2)]
        return words[0], words[1]

    async def expect(self, expected: tuple[int, int], what: str):
        got = await self.answer()
        assert got == expected, f"{what}: answered by {got}, expected {expected}"

    async def is_done(self):
        """All words have been taken, the last move is over, and no answer is left."""
        ready = self.dut.control_in_tready_o

        def is_idle() -> bool:
            return self.control.idle() and self.data.idle() and bool(ready.value)

        # A move without an answer that searches for an empty point is the longest.
        await support.until(self.clock, is_idle, "the end of the last move")
        await ClockCycles(self.clock, 2)
        assert is_idle(), "a move that nobody asked for"
        assert self.out.empty(), f"an answer that nobody asked for: {self.out.recv_nowait()}"


def near(board: golden.Board) -> tuple[int, int]:
    """A random empty point next to a stone."""
    return random.choice(golden.candidates(board) or [random.choice(golden.SCAN)])


def misuse(board: golden.Board) -> tuple[int, int]:
    """What is not served: a stone lies there, or it is outside. The low bits may look right."""
    place = random.randrange(2)

    def changed(pair: tuple[int, int], *words: int) -> tuple[int, int]:
        word = random.choice(words)
        return (word, pair[1]) if place == 0 else (pair[0], word)

    empty, special = near(board), random.choice([FIRST, EMPTY])
    ways = [
        changed(empty, 15, 16, 99, -1, random.randint(17, 98)),
        changed(empty, empty[place] | 1 << random.randint(4, 31)),
        changed(special, special[place] | 1 << random.randint(8, 31)),
        random.choice([(15, 99), (99, 15), (16, 16), (-1, -1)]),
    ]
    return random.choice([*ways, *random.choices(list(board), k=2)] if board else ways)


async def plays(core: Core, moves: list[tuple[int, int]], answers: list[tuple[int, int]]):
    for number, (move, answer) in enumerate(zip(moves, answers, strict=True), 1):
        core.move(*move)
        await core.expect(answer, f"move {number}, {move}")
    await core.is_done()


@cocotb.test(**LIMIT)
async def plays_games(dut):
    """Games from empty boards, with all that the streams know and what they do not, in any order.
    Many words wait at both streams."""
    core, player = Core(dut), golden.Player(DEPTH)
    core.pause()
    await core.reset()
    answered = unanswered = 0
    for _ in range(60):
        expected = []
        for _ in range(random.randint(1, 12)):
            kind = random.choice(KINDS)
            if kind == "clear":
                core.command(CLEAR)
                player.clear()
                continue
            if kind == "word":
                core.command(random.choice([2, 3, -1 & 0xFFFF_FFFF, 1 << random.randint(1, 31)]))
                continue
            given = {"stone": near(player.board), "first": FIRST, "empty": EMPTY}
            move = given.get(kind) or misuse(player.board)
            core.move(*move)
            if answer := player.move(*move):
                expected.append((move, answer))
            else:
                unanswered += 1
        answered += len(expected)
        for move, answer in expected:
            await core.expect(answer, f"{move}")
        await core.is_done()
    assert answered > 200 and unanswered > 40, f"only {answered} and {unanswered} moves"


@cocotb.test(**LIMIT)
async def words_wait(dut):
    """A stone waits for its move; a move waits for both words, and control_in for the move. An
    answer is offered, x first, before data_out is ready."""
    core, player = Core(dut), golden.Player(DEPTH)
    await core.reset()
    core.stone(7, 7)
    await ClockCycles(core.clock, 100)
    assert dut.data_in_tvalid_i.value == 1, "a stone is taken outside of a move"
    core.command(MOVE)
    await core.expect(player.move(7, 7), "the stone that waited")
    core.command(MOVE)
    core.data.send_nowait((8).to_bytes(4, "little"))
    core.command(CLEAR)
    await ClockCycles(core.clock, 3000)
    assert core.out.empty(), "an answer to half a stone"
    assert dut.control_in_tvalid_i.value == 1, "a word is taken during a move"
    core.out.pause = True
    core.data.send_nowait((6).to_bytes(4, "little"))
    await ClockCycles(core.clock, 3000)
    answer = player.move(8, 6)
    assert dut.data_out_tvalid_o.value == 1, "an answer waits for data_out to be ready"
    assert dut.data_out_tdata_o.value == answer[0], "the first word offered is not x"
    core.out.pause = False
    await core.expect(answer, "the stone in two halves")
    await core.is_done()
    player.clear()
    core.move(7, 7)
    await core.expect(player.move(7, 7), "the stone after the clear")
    await core.is_done()


@cocotb.test(**LIMIT)
async def fills_the_board(dut):
    """The core makes five in a row, then takes the lowest empty points, as long as there are any:
    once the last point is its own, once the host's. A full board can be cleared."""
    core = Core(dut)
    core.pause()
    await core.reset()
    for last in ("core", "host"):
        player = golden.Player(DEPTH)
        core.command(CLEAR)
        # The number of points is odd: the host's stones are every second one up to the last.
        while len(player.board) < len(golden.SCAN):
            empty = [p for p in golden.SCAN if p not in player.board]
            is_over = any(golden.is_five(player.board, p) for p in player.board)
            hosts = last == "host" and is_over and len(empty) % 2 == 1
            move = random.choice(empty) if hosts else FIRST
            core.move(*move)
            if answer := player.move(*move):
                await core.expect(answer, f"{move}, stones: {len(player.board)}")
        await core.is_done()
        for move in (FIRST, (0, 0), (14, 14)):
            core.move(*move)
        await core.is_done()
        core.move(*EMPTY)
        core.move(14, 0)
        await core.expect(golden.Player(DEPTH).move(14, 0), "the stone after the full board")
        await core.is_done()


@cocotb.test(**LIMIT)
async def resets_anywhere(dut):
    """A reset in any cycle of a move clears the board and ends the move."""
    core = Core(dut)
    await core.reset()
    first = golden.Player(DEPTH).move(7, 7)
    for cycles in [*range(16), *random.sample(range(16, 800), 24)]:
        core.move(7, 7)
        await core.expect(first, f"before the reset after {cycles} cycles")
        core.move(8, 6)
        # Half of them with an answer that is not taken
        core.out.pause = random.random() < 0.5
        await ClockCycles(core.clock, cycles)
        await core.reset()
        assert dut.data_out_tvalid_o.value == 0, "an answer during a reset"
        core.out.pause = False
        await core.is_done()


@cocotb.test(**LIMIT)
async def plays_the_seeds_bench(dut):
    """Depth 4: the test bench of the earlier player (docs/bus.md)."""
    core = Core(dut)
    core.pause()
    await core.reset()
    moves = [(7, 7), (7, 8), (8, 6), (8, 7)]
    await plays(core, moves, [(6, 6), (7, 6), (6, 8), (6, 7)])


@cocotb.test(**LIMIT)
async def plays_lines(dut):
    """Depth 4 with Lines: what the engine answers to the same stones (docs/bus.md)."""
    core = Core(dut)
    core.pause()
    await core.reset()
    moves = [(7, 7), (7, 8), (8, 6), (8, 7)]
    await plays(core, moves, [(4, 4), (4, 5), (6, 8), (4, 6)])
    core.move(*EMPTY)
    await plays(core, [FIRST, (8, 8)], [(7, 7), (10, 6)])
