"""tetris_axil_example: the peripheral driven by cocotbext-axi, its memory at the other port."""

import logging
import random
from collections.abc import Iterable

import cocotb
from cocotb.triggers import Combine, RisingEdge
from cocotb.utils import get_sim_time
from cocotbext.axi import AxiLiteBus, AxiLiteMaster, AxiResp
from cocotbext.axi.axil_channels import AxiLiteARTransaction, AxiLiteAWTransaction
from cocotbext.axi.axil_channels import AxiLiteWTransaction

import golden
import support

ADDRESS, CONTROL, RESULT, STATUS = 0x00, 0x04, 0x08, 0x0C
SCORE_LOW, SCORE_HIGH, CYCLES, ID = 0x10, 0x14, 0x18, 0x1C
WEIGHTS = [0x40 + 4 * w for w in range(len(golden.WEIGHTS))]
START, IRQ_ENABLE, SEED_PIECES = 1, 2, 4
BUSY, DONE = 1, 2
READ_ONLY = [RESULT, STATUS, SCORE_LOW, SCORE_HIGH, CYCLES, ID]
KNOWN = [ADDRESS, CONTROL, *READ_ONLY, *WEIGHTS]
OKAY, SLVERR = AxiResp.OKAY, AxiResp.SLVERR
MEMORY = 4096


class Board:
    """The peripheral, its bus master and its memory."""

    def __init__(self, dut):
        self.dut = dut
        support.zero_inputs(dut, ["bram_en", "bram_we", "bram_addr", "bram_wrdata"])
        support.zero_inputs(dut, ["s_axi_awprot", "s_axi_arprot"])
        support.start_clock(dut.s_axi_aclk)
        dut.s_axi_aresetn.value = 0
        bus = AxiLiteBus.from_prefix(dut, "s_axi")
        self.master = AxiLiteMaster(bus, dut.s_axi_aclk, dut.s_axi_aresetn, False)
        self.write_if, self.read_if = self.master.write_if, self.master.read_if
        # That a reset drops requests is no news here.
        self.write_if.log.setLevel(logging.ERROR)
        self.read_if.log.setLevel(logging.ERROR)

    async def reset(self):
        await support.reset(self.dut.s_axi_aclk, self.dut.s_axi_aresetn)

    def pause(self):
        """Random pauses on all five channels."""
        for channel in [
            self.write_if.aw_channel, self.write_if.w_channel, self.write_if.b_channel,
            self.read_if.ar_channel, self.read_if.r_channel,
        ]:  # fmt: skip
            channel.set_pause_generator(support.pauses())

    async def clock(self, cycles: int = 1):
        for _ in range(cycles):
            await RisingEdge(self.dut.s_axi_aclk)

    def now(self) -> int:
        """In clock cycles."""
        return round(get_sim_time("ns")) // support.PERIOD_NS

    async def read(self, address: int, expected: AxiResp = OKAY) -> int:
        answer = await self.master.read(address, 4)
        assert answer.resp == expected, f"reading {address:#05x}: {answer.resp!r}"
        return int.from_bytes(answer.data, "little")

    async def write(self, address: int, value: int, expected: AxiResp = OKAY):
        answer = await self.master.write(address, (value & 0xFFFF_FFFF).to_bytes(4, "little"))
        assert answer.resp == expected, f"writing {value:#x} to {address:#05x}: {answer.resp!r}"

    async def write_strobed(self, address: int, value: int, strobes: int) -> AxiResp:
        """A write with any strobes, its data and address in any order."""
        word = AxiLiteWTransaction(wdata=value, wstrb=strobes)
        where = AxiLiteAWTransaction(awaddr=address, awprot=0)
        first, second = (self.write_if.w_channel, word), (self.write_if.aw_channel, where)
        if random.random() < 0.5:
            first, second = second, first
        await first[0].send(first[1])
        await self.clock(random.randint(0, 5))
        await second[0].send(second[1])
        return AxiResp(int((await self.write_if.b_channel.recv()).bresp))

    async def store(self, address: int, words: Iterable[int], strobes: int = 0xF):
        """Writes words into the memory, or some bytes of each."""
        dut = self.dut
        for offset, word in enumerate(words):
            dut.bram_en.value, dut.bram_we.value = 1, strobes
            dut.bram_addr.value, dut.bram_wrdata.value = address + 4 * offset, word
            await self.clock()
        dut.bram_en.value = 0

    async def load(self, address: int) -> int:
        """A word of the memory."""
        dut = self.dut
        dut.bram_en.value, dut.bram_we.value, dut.bram_addr.value = 1, 0, address
        await self.clock()
        dut.bram_en.value = 0
        await self.clock()
        return int(dut.bram_rddata.value)

    async def place(self, vector: golden.Vector, address: int, numbers: str = golden.PIECES):
        """Puts a position into the memory, anything above the ten cells of a row."""
        mirrored = (int(f"{row:010b}"[::-1], 2) for row in vector.board)
        rows = [row | random.getrandbits(22) << 10 for row in mirrored]
        await self.store(address, [*rows, numbers.index(vector.piece)])

    async def weigh(self, weights: list[int]):
        for address, weight in zip(WEIGHTS, weights, strict=True):
            await self.write(address, weight)

    async def weights(self) -> list[int]:
        words = [await self.read(address) for address in WEIGHTS]
        return [word - (word >> 31 << 32) for word in words]

    async def wait(self):
        """Polls until a decision is there."""
        for _ in range(1000):
            status = await self.read(STATUS)
            if status != BUSY:
                assert status == DONE, f"status {status:#x}"
                return
        raise AssertionError("no decision")

    async def decision(self) -> golden.Decision:
        result = await self.read(RESULT)
        score = await self.read(SCORE_LOW) | await self.read(SCORE_HIGH) << 32
        assert result >> 31, "RESULT does not say done"
        assert result & 0x20E0_F0FC == 0, f"RESULT {result:#x} has other bits"
        return golden.Decision(
            legal=result >> 30 & 1,
            rotation=result & 3,
            column=result >> 8 & 15,
            row=result >> 16 & 31,
            rows_cleared=result >> 24 & 31,
            score=score - (score >> 63 << 64),
            cycles=await self.read(CYCLES),
        )

    async def expect(self, vector: golden.Vector, weights: list[int]):
        got, expected = await self.decision(), golden.decide(vector, weights)
        assert got == expected, f"{vector.piece} on {vector.board}: {got}, expected {expected}"

    async def expect_nothing(self, status: int):
        """There is no decision: all registers of its result are 0."""
        assert await self.read(STATUS) == status
        for register in [RESULT, SCORE_LOW, SCORE_HIGH, CYCLES]:
            assert await self.read(register) == 0, f"{register:#05x} is not 0"


async def begin(dut) -> Board:
    board = Board(dut)
    await board.reset()
    return board


def any_address() -> int:
    return 4 * random.randint(0, (MEMORY - 84) // 4)


def any_weights() -> list[int]:
    size = random.choice([1, 100, 20_000_000, 2**31 - 1])
    return [random.randint(-size, size) for _ in golden.WEIGHTS]


@cocotb.test(**support.LIMIT)
async def registers_after_a_reset(dut):
    board = await begin(dut)
    assert await board.read(ADDRESS) == 0
    assert await board.read(CONTROL) == 0
    await board.expect_nothing(0)
    assert await board.read(ID) == 0x4C53_0101
    assert await board.weights() == golden.controller("el-tetris")
    assert dut.irq.value == 0


@cocotb.test(**support.LIMIT)
async def registers_read_back(dut):
    board = await begin(dut)
    board.pause()
    for _ in range(10):
        address = random.getrandbits(32)
        await board.write(ADDRESS, address)
        assert await board.read(ADDRESS) == address & 0xFFC
        control = random.getrandbits(32) & ~START
        await board.write(CONTROL, control)
        assert await board.read(CONTROL) == control & (IRQ_ENABLE | SEED_PIECES)
        weights = any_weights()
        await board.weigh(weights)
        assert await board.weights() == weights
    await board.expect_nothing(0)


@cocotb.test(**support.LIMIT)
async def strobes_select_bytes(dut):
    board = await begin(dut)
    board.pause()
    await board.place(golden.full_board(), 0)
    kept = {address: await board.read(address) for address in [ADDRESS, CONTROL, *WEIGHTS]}
    masks = {ADDRESS: 0xFFC, CONTROL: IRQ_ENABLE | SEED_PIECES}
    for strobes in [*range(16), *random.choices(range(16), k=60)]:
        address = random.choice(list(kept))
        value = random.getrandbits(32) & (~START if address == CONTROL else 0xFFFF_FFFF)
        assert await board.write_strobed(address, value, strobes) == OKAY
        selected = sum(0xFF << 8 * b for b in range(4) if strobes >> b & 1)
        selected &= masks.get(address, 0xFFFF_FFFF)
        kept[address] = kept[address] & ~selected | value & selected
        assert await board.read(address) == kept[address], f"{address:#05x}, {strobes:04b}"
    assert await board.write_strobed(CONTROL, 0xFFFF_FFFF, 0b1110) == OKAY
    await board.expect_nothing(0)
    for address, value in kept.items():
        assert await board.read(address) == value, f"{address:#05x} at the end"


@cocotb.test(**support.LIMIT)
async def what_is_no_register_is_refused(dut):
    board = await begin(dut)
    board.pause()
    before = [await board.read(address) for address in KNOWN]
    unknown = [a for a in range(0, 0x1000, 4) if a not in KNOWN]
    near = [a for a in unknown if a < 0x100]
    for address in near + random.sample(unknown, 40):
        assert await board.read(address, SLVERR) == 0
        await board.write(address, random.getrandbits(32), SLVERR)
    for address in READ_ONLY:
        await board.write(address, random.getrandbits(32), SLVERR)
    assert [await board.read(address) for address in KNOWN] == before


@cocotb.test(**support.LIMIT)
async def decides_as_the_definitions_say(dut):
    """A third of the fixture's positions, of every piece, with weights of every size."""
    board = await begin(dut)
    board.pause()
    weights = golden.controller("el-tetris")
    vectors = [*random.sample(golden.vectors(), 99), golden.full_board()]
    for number, vector in enumerate(vectors):
        # The first ones with the weights that are there after a reset.
        if number >= 20 and number % 5 == 0:
            weights = any_weights()
            await board.weigh(weights)
        address = any_address()
        await board.place(vector, address)
        await board.write(ADDRESS, address)
        await board.write(CONTROL, START)
        await board.wait()
        await board.expect(vector, weights)
    assert {vector.piece for vector in vectors} == set(golden.PIECES)


@cocotb.test(**support.LIMIT)
async def nothing_fits_on_a_full_board(dut):
    board = await begin(dut)
    vector = golden.full_board()
    await board.place(vector, 0)
    await board.write(CONTROL, START)
    await board.wait()
    await board.expect(vector, golden.controller("el-tetris"))
    assert (await board.decision()).legal == 0


@cocotb.test(**support.LIMIT)
async def result_full_rows_are_all_counted(dut):
    """More rows than four bits count."""
    board = await begin(dut)
    weights = [1_000_000 * (name == "rows_cleared") for name in golden.WEIGHTS]
    await board.weigh(weights)
    for rows in range(14, golden.ROWS + 1):
        for piece in golden.PIECES:
            vector = golden.full_rows(rows, piece)
            await board.place(vector, 0)
            await board.write(CONTROL, START)
            await board.wait()
            await board.expect(vector, weights)


@cocotb.test(**support.LIMIT)
async def memory_strobe_writes_its_byte_alone(dut):
    """Each set of strobes on the memory's other port."""
    board = await begin(dut)
    for strobes in range(16):
        before, word = random.getrandbits(32), random.getrandbits(32)
        await board.store(0, [before])
        await board.store(0, [word], strobes)
        selected = sum(0xFF << 8 * b for b in range(4) if strobes >> b & 1)
        expected = before & ~selected | word & selected
        assert await board.load(0) == expected, f"{strobes:04b}"


@cocotb.test(**support.LIMIT)
async def takes_pieces_by_the_seeds_numbers(dut):
    board = await begin(dut)
    board.pause()
    weights = golden.controller("el-tetris")
    for piece in golden.PIECES:
        vector = random.choice([v for v in golden.vectors() if v.piece == piece])
        await board.place(vector, 0x80, golden.SEED_PIECES)
        await board.write(ADDRESS, 0x80)
        await board.write(CONTROL, START | SEED_PIECES)
        assert await board.read(CONTROL) == SEED_PIECES
        await board.wait()
        await board.expect(vector, weights)


@cocotb.test(**support.LIMIT)
async def a_start_without_a_piece_is_refused_and_changes_nothing(dut):
    board = await begin(dut)
    board.pause()
    vector, weights = random.choice(golden.vectors()), golden.controller("el-tetris")
    await board.place(vector, 0x200)
    await board.write(ADDRESS, 0x200)
    for number in [7, 8, 0x80, 0x100, 0x8000_0000, 0xFFFF_FFFF]:
        await board.store(0x200 + 80, [number])
        for control in [START, START | SEED_PIECES | IRQ_ENABLE]:
            await board.write(CONTROL, control, SLVERR)
            await board.expect_nothing(0)
            assert await board.read(CONTROL) == 0
    await board.place(vector, 0x200)
    await board.write(CONTROL, START)
    await board.wait()
    await board.store(0x200 + 80, [7])
    await board.write(CONTROL, START | IRQ_ENABLE, SLVERR)
    # The decision that was there is there.
    await board.expect(vector, weights)
    assert dut.irq.value == 0


@cocotb.test(**support.LIMIT)
async def while_busy_reads_go_on_and_writes_that_disturb_are_refused(dut):
    board = await begin(dut)
    weights = golden.controller("el-tetris")
    slow = [v for v in golden.vectors() if golden.timing(v, 4) > 300]
    for vector in random.sample(slow, 10):
        await board.place(vector, 0x400)
        await board.write(ADDRESS, 0x400)
        await board.write(CONTROL, IRQ_ENABLE)
        await board.write(CONTROL, START | IRQ_ENABLE)
        begun = board.now()
        # A request takes some 5 cycles; none ends after the decision.
        while board.now() - begun < golden.timing(vector, 4) - 50:
            elsewhere, word = any_address(), random.getrandbits(32)
            await board.write(CONTROL, START | SEED_PIECES, SLVERR)
            await board.write(random.choice(WEIGHTS), word, SLVERR)
            await board.write(ADDRESS, elsewhere)
            assert await board.read(ADDRESS) == elsewhere
            assert await board.read(CONTROL) == IRQ_ENABLE
            await board.expect_nothing(BUSY)
            assert dut.irq.value == 0
        await board.wait()
        await board.expect(vector, weights)
        assert await board.weights() == weights


@cocotb.test(**support.LIMIT)
async def a_reset_ends_everything(dut):
    """In any cycle of a decision, requests under way or none."""
    board = await begin(dut)
    board.pause()
    weights = golden.controller("el-tetris")
    for _ in range(15):
        vector = random.choice(golden.vectors())
        await board.place(vector, 0)
        await board.weigh(any_weights())
        await board.write(CONTROL, START | IRQ_ENABLE)
        if random.random() < 0.5:
            await board.clock(random.randint(0, golden.timing(vector, 4) + 30))
        else:
            lost = [cocotb.start_soon(board.master.read(a, 4)) for a in WEIGHTS[:4]]
            lost += [cocotb.start_soon(board.master.write(a, bytes(4))) for a in WEIGHTS[:4]]
            await board.clock(random.randint(0, 30))
            for request in lost:
                request.cancel()
        await board.reset()
        assert dut.irq.value == 0
        await board.expect_nothing(0)
        assert await board.weights() == weights
        assert await board.read(CONTROL) == 0
        await board.write(CONTROL, START)
        await board.wait()
        await board.expect(vector, weights)


@cocotb.test(**support.LIMIT)
async def starts_back_to_back_and_the_interrupt(dut):
    """A start takes the decision before it away; irq is done, where it is enabled."""
    board = await begin(dut)
    weights = golden.controller("el-tetris")
    vectors = random.sample(golden.vectors(), 8)
    for number, vector in enumerate(vectors):
        await board.place(vector, 0x100 * number)
    for enable in [IRQ_ENABLE, 0]:
        for number, vector in enumerate(vectors):
            await board.write(ADDRESS, 0x100 * number)
            await board.write(CONTROL, START | enable)
            assert dut.irq.value == 0, "the interrupt of the decision before"
            await board.expect_nothing(BUSY)
            if enable:
                await support.until(dut.s_axi_aclk, lambda: dut.irq.value == 1, "irq")
                assert await board.read(STATUS) == DONE
            else:
                await board.wait()
                assert dut.irq.value == 0
            await board.expect(vector, weights)
            # Held until the next start.
            await board.clock(random.randint(0, 20))
            assert dut.irq.value == bool(enable)
            await board.expect(vector, weights)
    await board.write(CONTROL, IRQ_ENABLE)
    await board.clock(2)
    assert dut.irq.value == 1, "enabled after the decision"
    await board.write(CONTROL, 0)
    await board.clock(2)
    assert dut.irq.value == 0


@cocotb.test(**support.LIMIT)
async def from_start_to_done(dut):
    """From the answer to a start to irq there are 22 cycles and the decision's own (docs/bus.md)."""
    board = await begin(dut)
    for vector in random.sample(golden.vectors(), 10):
        await board.place(vector, 0)
        await board.write(CONTROL, 0)
        await board.clock(2)
        start = cocotb.start_soon(board.write(CONTROL, START | IRQ_ENABLE))
        clock = dut.s_axi_aclk
        await support.until(clock, lambda: dut.s_axi_bvalid.value == 1, "the answer")
        cycles = await support.until(clock, lambda: dut.irq.value == 1, "irq")
        await start
        expected = 22 + golden.timing(vector, 4)
        assert cycles == expected, f"{cycles} cycles, expected {expected}"


@cocotb.test(**support.LIMIT)
async def many_requests_at_once(dut):
    """Writes and reads side by side, each answered once and in order."""
    board = await begin(dut)
    board.pause()

    async def own(address: int):
        for _ in range(30):
            word = random.getrandbits(32)
            await board.write(address, word)
            assert await board.read(address) == word

    await Combine(*(cocotb.start_soon(own(address)) for address in WEIGHTS))
    # Requests into the channels themselves, more than can be taken at once
    words = [random.getrandbits(32) for _ in range(40)]
    addresses = [random.choice([*WEIGHTS, 0x80]) for _ in words]

    async def send():
        for address, word in zip(addresses, words, strict=True):
            await board.write_if.w_channel.send(AxiLiteWTransaction(wdata=word, wstrb=15))
            await board.write_if.aw_channel.send(AxiLiteAWTransaction(awaddr=address, awprot=0))

    sent = cocotb.start_soon(send())
    for address in addresses:
        answer = await board.write_if.b_channel.recv()
        assert answer.bresp == (SLVERR if address == 0x80 else OKAY)
    await sent
    last = dict(zip(addresses, words, strict=True))

    async def ask():
        for address in addresses:
            await board.read_if.ar_channel.send(AxiLiteARTransaction(araddr=address, arprot=0))

    asked = cocotb.start_soon(ask())
    for address in addresses:
        answer = await board.read_if.r_channel.recv()
        expected = (0, SLVERR) if address == 0x80 else (last[address], OKAY)
        assert (answer.rdata, answer.rresp) == expected
    await asked
    await board.clock(20)
    assert board.write_if.b_channel.empty() and board.read_if.r_channel.empty()
    assert dut.s_axi_bvalid.value == 0 and dut.s_axi_rvalid.value == 0
