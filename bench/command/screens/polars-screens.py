"""Runs the named screens with polars and polars-talib, over columns that are in memory.

The first line of output is the version of polars, or "missing" without one of the libraries.

Arguments: a folder with close, high, volume and week as raw columns, symbols, bars. Each line of
input is a screen and a number of bars to leave out at the end; each line of output has the
milliseconds of CPU time that the query took, and the rows of the symbols that match.
"""

import json
import os
import sys
import time

os.environ.setdefault("POLARS_MAX_THREADS", "1")

try:
    import numpy
    import polars
    import polars_talib as talib
except ImportError:
    print("missing", flush=True)
    sys.exit()

folder, symbols, bars = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
column = lambda name, kind: numpy.fromfile(f"{folder}/{name}", dtype=kind)
whole = polars.DataFrame(
    {
        "symbol": numpy.repeat(numpy.arange(symbols, dtype=numpy.uint32), bars),
        "row": numpy.tile(numpy.arange(bars, dtype=numpy.uint32), symbols),
        "week": numpy.tile(column("week", numpy.int32), symbols),
        "close": column("close", numpy.float64),
        "high": column("high", numpy.float64),
        "volume": column("volume", numpy.float64),
    }
).with_columns(polars.col("symbol").set_sorted())

close, high, volume = polars.col("close"), polars.col("high"), polars.col("volume")


def newest(frame, **values):
    return frame.group_by("symbol", maintain_order=True).agg(**values)


def oversold(frame):
    rsi, average = polars.col("rsi"), polars.col("average")
    values = newest(
        frame, rsi=talib.rsi(close, 14).last(), last=close.last(), average=close.tail(200).mean()
    )
    return values.filter((rsi < 30) & (polars.col("last") > average))


def golden_cross(frame):
    short = close.tail(55).rolling_mean(50).tail(6)
    long = close.tail(205).rolling_mean(200).tail(6)
    above = short > long
    return newest(frame, hit=(above & ~above.shift(1)).any()).filter(polars.col("hit"))


def breakout(frame):
    values = newest(
        frame,
        last=close.last(),
        top=high.tail(252).max(),
        traded=volume.last(),
        usual=volume.tail(50).mean(),
    )
    is_high = polars.col("last") >= polars.col("top")
    return values.filter(is_high & (polars.col("traded") > 2 * polars.col("usual")))


def back_in_band(frame):
    some = close.tail(21)
    lower = some.rolling_mean(20) - 2 * some.rolling_std(20, ddof=0)
    values = newest(
        frame,
        last=close.last(),
        before=close.tail(2).first(),
        lower=lower.last(),
    )
    lower = polars.col("lower")
    return values.filter((polars.col("before") < lower) & (polars.col("last") > lower))


def momentum(frame):
    histogram = talib.macd(close, 12, 26, 9).struct.field("macdhist")
    days = newest(frame, hit=(histogram.tail(3) > 0).all()).filter(polars.col("hit"))
    weeks = frame.group_by("symbol", "week", maintain_order=True).agg(close.last())
    strong = newest(weeks, rsi=talib.rsi(close, 14).last()).filter(polars.col("rsi") > 50)
    return days.join(strong, on="symbol", how="semi", maintain_order="left")


SCREENS = {
    "oversold": oversold,
    "golden cross": golden_cross,
    "breakout": breakout,
    "back in band": back_in_band,
    "momentum": momentum,
}

print(f"{polars.__version__} (Python {sys.version.split()[0]})", flush=True)
for line in sys.stdin:
    request = json.loads(line)
    frame = whole
    if request["omitted"] > 0:
        frame = whole.filter(polars.col("row") < bars - request["omitted"])
    start = time.process_time()
    rows = SCREENS[request["screen"]](frame)["symbol"].to_list()
    cpu_ms = (time.process_time() - start) * 1000
    print(json.dumps({"cpuMs": cpu_ms, "rows": rows}), flush=True)
