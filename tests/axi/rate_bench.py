"""cosim_tetris driven by cocotb at its byte link, and timed: the bench of `rate.py`.

`given.json` holds weights, positions and expected answers. Each test writes its wall and processor
seconds into a file of its own name.
"""

import json
import pathlib
import struct
import sys
import time

import cocotb
from cocotb.queue import Queue
from cocotb.triggers import RisingEdge

import support

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "fixtures/frames"))
import wire  # noqa: E402  (frames, written from docs/wire.md alone)

WINDOW = 4  # requests unanswered at most
FIRST_SIGNATURE = 0x1465_0FB0_739D_0383  # that of lockstep soak


class Link:
    """The host's end of the byte link; `polled` looks for a reply at each edge of the clock."""

    def __init__(self, dut, polled: bool = False):
        self.dut, self.polled = dut, polled
        self.edge, self.valid = RisingEdge(dut.clk_i), RisingEdge(dut.byte_valid_o)

    async def open(self, weights: dict[str, int]) -> None:
        names = ["baud_inc_i", "build_id_i", "byte_valid_i", "byte_data_i"]
        support.zero_inputs(self.dut, names)
        self.dut.uart_rx_i.value = self.dut.byte_link_i.value = self.dut.byte_ready_i.value = 1
        support.start_clock(self.dut.clk_i)
        await support.reset(self.dut.clk_i, self.dut.rst_ni)
        await self.send(0, "set_weights", weights)
        assert await self.receive() == (0, "set_weights_reply", b"")

    async def send(self, number: int, kind: str, fields: dict) -> None:
        """Sends a request, a byte in each clock cycle."""
        frame = wire.encode(number, wire.NAMES[kind]["id"], wire.pack(kind, fields))
        self.dut.byte_valid_i.value = 1
        for byte in frame:
            self.dut.byte_data_i.value = byte
            await self.edge
        self.dut.byte_valid_i.value = 0

    async def receive(self) -> tuple[int, str, bytes]:
        """Receives a reply: sequence number, message, payload."""
        coded = bytearray()
        while not coded or coded[-1]:
            await self.edge
            if self.dut.byte_valid_o.value:
                coded.append(self.dut.byte_data_o.value.to_unsigned())
            elif not self.polled:
                await self.valid  # until the first byte
        frame = wire.decode_one(bytes(coded[:-1]))["frame"]
        kind = next(name for name, number, _ in wire.MESSAGES if number == frame["type"])
        return frame["seq"], kind, bytes.fromhex(frame["payload"])


def clocks() -> list[float]:
    return [time.perf_counter(), time.process_time()]


def report(name: str, before: list[float]) -> None:
    seconds = [now - then for now, then in zip(clocks(), before, strict=True)]
    pathlib.Path(f"{name}.json").write_text(json.dumps(seconds))


async def repeat(dut, name: str, window: int, polled: bool = False) -> None:
    """Repeats the decisions of the record, with at most `window` requests unanswered."""
    given = json.loads(pathlib.Path("given.json").read_text())
    link, unanswered = Link(dut, polled), Queue(maxsize=window)
    await link.open(given["weights"])
    before = clocks()

    async def send():
        for number, (position, expected) in enumerate(given["decisions"]):
            await unanswered.put(expected)
            await link.send(number, "decide", position)

    cocotb.start_soon(send())
    for number in range(len(given["decisions"])):
        reply = await link.receive()
        assert reply[:2] == (number, "decision"), f"decision {number}: {reply}"
        legal, *got = struct.unpack("<5BqI", reply[2])
        expected = await unanswered.get()
        assert (legal, got) == (1, expected), f"decision {number}: {got}, expected {expected}"
    report(name, before)


@cocotb.test()
async def replay(dut):
    """The fast way: the window is kept full, and Python sleeps until a reply begins."""
    await repeat(dut, "replay", WINDOW)


@cocotb.test()
async def replay_polled(dut):
    """The common way: one request at a time, and byte_valid_o is read in each clock cycle."""
    await repeat(dut, "replay_polled", 1, polled=True)


@cocotb.test()
async def self_play(dut):
    given = json.loads(pathlib.Path("given.json").read_text())
    link, pieces = Link(dut), given["played"][0]
    await link.open(given["weights"])
    before = clocks()
    request = {"rows": [], "games": 1, "pieces": pieces, "spacing": pieces, "generator": 1}
    await link.send(0, "self_play", request | {"signature": FIRST_SIGNATURE})
    while (reply := await link.receive())[1] == "checkpoint":
        pass
    assert reply[:2] == (0, "self_played"), f"self-play: {reply}"
    _, *got, _, _ = struct.unpack("<H3Iq2QBI", reply[2])
    assert got == given["played"], f"self-play: {got}, expected {given['played']}"
    report("self_play", before)
