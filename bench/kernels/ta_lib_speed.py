"""Speed of TA-Lib's wheel on the work of `kernels.ts`: `.venv/bin/python bench/kernels/ta_lib_speed.py`.

Only computing is timed, on arrays in memory, one thread; the best of 15 rounds counts.
"""

import time

import numpy
import talib

SYMBOLS, BARS, ROUNDS = 300, 2520, 15

random = numpy.random.default_rng(1)
series = [100 * numpy.cumprod(1 + (random.random(BARS) - 0.5) * 0.04) for _ in range(SYMBOLS)]


def all_five(close):
    talib.SMA(close, 20)
    talib.EMA(close, 20)
    talib.RSI(close, 14)
    talib.MACD(close, 12, 26, 9)
    talib.BBANDS(close, 20, 2, 2)


best = float("inf")
for _ in range(ROUNDS):
    started = time.process_time()
    for close in series:
        all_five(close)
    best = min(best, time.process_time() - started)
print(f"TA-Lib {talib.__version__}: {SYMBOLS * BARS / best / 1e6:.1f} M closes/s")
