"""tetris_ai_example: the core by itself, driven as a stream with random pauses."""

import random

import cocotb
from cocotb.triggers import ClockCycles
from cocotb_bus.bus import Bus
from cocotbext.axi.stream import define_stream

import golden
import support

REQUEST = {"valid": "req_valid_i", "ready": "req_ready_o", "board": "req_board_i"}
REQUEST |= {"piece": "req_piece_i"}
RESPONSE = {"valid": "rsp_valid_o", "ready": "rsp_ready_i"}
RESPONSE |= {name: f"{name}_o" for name in golden.Decision._fields}

_, Request, RequestSource, _, _ = define_stream("Request", signals=list(REQUEST))
_, _, _, ResponseSink, _ = define_stream("Response", signals=list(RESPONSE))


@cocotb.test(**support.LIMIT)
async def decides_as_the_definitions_say(dut):
    """Positions one after the other, pauses on both sides; a full board is among them."""
    support.start_clock(dut.clk_i)
    support.zero_inputs(dut, ["req_valid_i", "req_board_i", "req_piece_i", "rsp_ready_i"])
    await support.reset(dut.clk_i, dut.rst_ni)
    source = RequestSource(Bus(dut, None, REQUEST), dut.clk_i)
    sink = ResponseSink(Bus(dut, None, RESPONSE), dut.clk_i)
    source.set_pause_generator(support.pauses())
    sink.set_pause_generator(support.pauses())
    weights = golden.controller("dt-20")
    asked = [*random.sample(golden.vectors(), 149), golden.full_board()]
    random.shuffle(asked)
    for vector in asked:
        board = sum(row << golden.COLUMNS * r for r, row in enumerate(vector.board))
        piece = golden.PIECES.index(vector.piece)
        await source.send(Request(board=board, piece=piece))
    for number, vector in enumerate(asked):
        answer = await sink.recv()
        fields = {name: int(getattr(answer, name)) for name in golden.Decision._fields}
        fields["score"] = answer.score.to_signed()
        got, expected = golden.Decision(**fields), golden.decide(vector, weights)
        assert got == expected, f"position {number}: {got}, expected {expected}"
    await ClockCycles(dut.clk_i, 5)
    assert dut.rsp_valid_o.value == 0, "an answer that nobody asked for"
