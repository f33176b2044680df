"""Runs a study with numpy and TA-Lib over columns in memory: the rival of studies.ts.

Arguments: a folder with raw columns open, close (float64), session (int32) and starts (int32, the
first row of each symbol and the end). Each line of input is a list of pairs [period of the RSI,
period of the average]; the answer has the milliseconds of processor time, and for each pair the
number of events and the mean return and mean of the universe by horizon.
"""

import json
import sys
import time

import numpy
import talib

folder = sys.argv[1]
HORIZONS = (1, 5, 20, 60)
read = lambda name, kind: numpy.fromfile(f"{folder}/{name}", dtype=kind)
opens, closes = read("open", numpy.float64), read("close", numpy.float64)
sessions, starts = read("session", numpy.int32), read("starts", numpy.int32)
count = int(sessions.max()) + 1
series = [slice(start, end) for start, end in zip(starts[:-1], starts[1:])]


def returns_of(horizon):
    """By row: the return from the next open to the close of `horizon` bars later, NaN at the end."""
    values = numpy.full(len(closes), numpy.nan)
    for rows in series:
        o, c = opens[rows], closes[rows]
        if len(c) > horizon:
            values[rows.start : rows.stop - horizon] = c[horizon:] / o[1 : len(o) - horizon + 1] - 1
    return values


def universe_of(returns):
    known = ~numpy.isnan(returns)
    sums = numpy.bincount(sessions[known], returns[known], count)
    with numpy.errstate(invalid="ignore"):
        return sums / numpy.bincount(sessions[known], minlength=count)


def events_of(rsi_period, average_period):
    found = []
    for rows in series:
        c = closes[rows]
        hit = (talib.RSI(c, rsi_period) < 30) & (c > 1.0001 * talib.SMA(c, average_period))
        hit[1:] &= ~hit[:-1].copy()
        found.append(numpy.flatnonzero(hit) + rows.start)
    return numpy.concatenate(found)


def study(pairs):
    returns = [returns_of(horizon) for horizon in HORIZONS]
    universes = [universe_of(one) for one in returns]
    answers = []
    for pair in pairs:
        events = events_of(*pair)
        means = []
        for one, universe in zip(returns, universes):
            taken = one[events]
            known = ~numpy.isnan(taken)
            some = [taken[known].mean(), universe[sessions[events[known]]].mean()] if known.any() else None
            means.append(some or [None, None])
        answers.append({"events": len(events), "means": means})
    return answers


print(json.dumps({"version": f"numpy {numpy.__version__}, TA-Lib {talib.__version__}"}), flush=True)
for line in sys.stdin:
    begin = time.process_time()
    answers = study(json.loads(line))
    print(json.dumps({"cpuMs": 1000 * (time.process_time() - begin), "answers": answers}), flush=True)
