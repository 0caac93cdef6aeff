"""What the test modules use."""

import random
from collections.abc import Callable, Iterator

from cocotb.clock import Clock
from cocotb.handle import HierarchyObject, LogicObject
from cocotb.triggers import ClockCycles, RisingEdge

PERIOD_NS = 10
# Of a test, in simulated time, and three times what the longest takes: what hangs fails.
LIMIT = {"timeout_time": 1, "timeout_unit": "ms"}


def pauses() -> Iterator[bool]:
    """Random pauses: for a while often, for a while seldom or never."""
    while True:
        chance = random.choice([0.0, 0.2, 0.5, 0.9])
        for _ in range(random.randint(1, 60)):
            yield random.random() < chance


def start_clock(clock: LogicObject) -> None:
    Clock(clock, PERIOD_NS, "ns").start()


async def reset(clock: LogicObject, reset_n: LogicObject, cycles: int = 3) -> None:
    reset_n.value = 0
    await ClockCycles(clock, cycles)
    reset_n.value = 1
    await RisingEdge(clock)


async def until(
    clock: LogicObject, condition: Callable[[], bool], what: str, limit: int = 2_000
) -> int:
    """Clock cycles until the condition holds; fails after the limit."""
    for cycle in range(limit):
        if condition():
            return cycle
        await RisingEdge(clock)
    raise AssertionError(f"{what}: not within {limit} cycles")


def zero_inputs(top: HierarchyObject, names: list[str]) -> None:
    for name in names:
        getattr(top, name).value = 0
