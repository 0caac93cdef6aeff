"""Decisions a second of the engine through numpy, beside those of its own loop.

After `make python`: out/python/venv/bin/python host/python/tests/rate.py [engine:path=avx2]
"""

import statistics
import sys
import time

from positions import tetris

import lockstep


def rate(act, positions):
    begin = time.process_time()
    act()
    return positions / (time.process_time() - begin)


boards, pieces = tetris(10_000)
for controller in "dellacherie", "bcts", "dt-20":
    engine = lockstep.open(*sys.argv[1:] or ["engine"], controller=controller)
    loop, numpy = [], []
    # Alternating, by CPU time: a busy machine slows both alike.
    for _ in range(31):
        loop.append(rate(lambda: engine.self_play(100_000), 100_000))
        numpy.append(rate(lambda: [engine.decide(boards, pieces) for _ in range(10)], 100_000))
    ratio = statistics.median(n / l for n, l in zip(numpy, loop))
    print(
        f"{controller}: through numpy {statistics.median(numpy):,.0f} decisions a second, "
        f"own loop {statistics.median(loop):,.0f}, ratio {ratio:.2f}"
    )
