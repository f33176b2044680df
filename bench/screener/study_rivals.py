"""Runs studies with numpy and TA-Lib, polars, pandas and DuckDB: the rivals of studies.ts.

Argument: a folder with raw columns open, close (float64), session (int32) and starts (int32, the first
row of each symbol and the end). Each line of input is [name of the rival, pairs of (period of the RSI,
period of the average)]; the answer has the milliseconds of processor time, and for each pair the number
of events with the mean return and mean of the universe by horizon. Tables are made before time is taken.
"""

import json
import sys
import time

import numpy

folder = sys.argv[1]
HORIZONS = (1, 5, 20, 60)
read = lambda name, kind: numpy.fromfile(f"{folder}/{name}", dtype=kind)
opens, closes = read("open", numpy.float64), read("close", numpy.float64)
sessions, starts = read("session", numpy.int32), read("starts", numpy.int32)
lengths = numpy.diff(starts)
symbols = numpy.repeat(numpy.arange(len(lengths), dtype=numpy.int32), lengths)
rows = numpy.arange(len(closes)) - starts[symbols]
columns = {"symbol": symbols, "row": rows, "session": sessions, "open": opens, "close": closes}


def numpy_rival():
    import talib

    count = int(sessions.max()) + 1
    series = [slice(start, end) for start, end in zip(starts[:-1], starts[1:])]

    def returns_of(horizon):
        """By row: the return from the next open to the close of `horizon` bars later, NaN at the end."""
        values = numpy.full(len(closes), numpy.nan)
        for part in series:
            o, c = opens[part], closes[part]
            if len(c) > horizon:
                values[part.start : part.stop - horizon] = c[horizon:] / o[1 : len(o) - horizon + 1] - 1
        return values

    def universe_of(returns):
        known = ~numpy.isnan(returns)
        sums = numpy.bincount(sessions[known], returns[known], count)
        with numpy.errstate(invalid="ignore"):
            return sums / numpy.bincount(sessions[known], minlength=count)

    def events_of(n, m):
        found = []
        for part in series:
            c = closes[part]
            hit = (talib.RSI(c, n) < 30) & (c > 1.0001 * talib.SMA(c, m))
            hit[1:] &= ~hit[:-1].copy()
            found.append(numpy.flatnonzero(hit) + part.start)
        return numpy.concatenate(found)

    def run(pairs):
        returns = [returns_of(horizon) for horizon in HORIZONS]
        universes = [universe_of(one) for one in returns]
        for pair in pairs:
            events = events_of(*pair)
            means = []
            for one, universe in zip(returns, universes):
                taken = one[events]
                known = ~numpy.isnan(taken)
                some = [taken[known].mean(), universe[sessions[events[known]]].mean()] if known.any() else None
                means.append(some or [None, None])
            yield len(events), means

    return f"numpy {numpy.__version__}, TA-Lib {talib.__version__}", run


def by_pair(run):
    """Makes a rival of many pairs out of one of a pair."""
    return lambda pairs: (run(*pair) for pair in pairs)


def polars_rival():
    import polars as pl

    bars = pl.DataFrame(columns)

    def wilder(change, n):
        seeded = pl.when(pl.col("row") < n).then(None).when(pl.col("row") == n).then(
            change.rolling_mean(n)
        ).otherwise(change)
        return seeded.ewm_mean(alpha=1 / n, adjust=False, ignore_nulls=True)

    def run(n, m):
        change = pl.col("close").diff()
        up, down = wilder(change.clip(lower_bound=0), n), wilder((-change).clip(lower_bound=0), n)
        hit = (100 * up / (up + down) < 30) & (
            pl.col("close") > 1.0001 * pl.col("close").rolling_mean(m)
        )
        entry = pl.col("open").shift(-1)
        exprs = [(pl.col("close").shift(-h) / entry - 1).alias(f"r{h}") for h in HORIZONS]
        table = bars.lazy().with_columns(
            hit.fill_null(False).over("symbol").alias("hit"),
            *[one.over("symbol") for one in exprs],
        )
        table = table.with_columns(
            (pl.col("hit") & ~pl.col("hit").shift(1).over("symbol").fill_null(False)).alias("event"),
            *[pl.col(f"r{h}").mean().over("session").alias(f"u{h}") for h in HORIZONS],
        )
        known = [
            pl.col(f"u{h}").filter(pl.col(f"r{h}").is_not_null()).mean().alias(f"u{h}")
            for h in HORIZONS
        ]
        means = [pl.col(f"r{h}").mean() for h in HORIZONS]
        out = table.filter("event").select(pl.len().alias("n"), *means, *known).collect().row(0, named=True)
        return out["n"], [[out[f"r{h}"], out[f"u{h}"]] for h in HORIZONS]

    return f"polars {pl.__version__}", by_pair(run)


def pandas_rival():
    import pandas as pd

    bars = pd.DataFrame(columns)

    def run(n, m):
        groups = bars.groupby("symbol", sort=False)
        change = groups["close"].diff()

        def wilder(values):
            own = values.groupby(bars["symbol"], sort=False)
            seed = own.rolling(n).mean().droplevel(0)
            seeded = values.where(bars["row"] > n).where(bars["row"] != n, seed)
            return seeded.groupby(bars["symbol"], sort=False).ewm(
                alpha=1 / n, adjust=False, ignore_na=True
            ).mean().droplevel(0)

        up, down = wilder(change.clip(lower=0)), wilder((-change).clip(lower=0))
        average = groups["close"].rolling(m).mean().droplevel(0)
        hit = (100 * up / (up + down) < 30) & (bars["close"] > 1.0001 * average)
        before = hit.groupby(bars["symbol"], sort=False).shift(1, fill_value=False)
        event = hit & ~before
        entry = groups["open"].shift(-1)
        means = []
        for h in HORIZONS:
            value = groups["close"].shift(-h) / entry - 1
            universe = value.groupby(bars["session"]).transform("mean")
            some = event & value.notna()
            means.append([value[some].mean(), universe[some].mean()])
        return int(event.sum()), means

    return f"pandas {pd.__version__}", by_pair(run)


def duckdb_rival():
    import duckdb

    connection = duckdb.connect()
    connection.execute("SET threads = 1")
    connection.register("given", columns)
    connection.execute("CREATE TABLE bars AS SELECT * FROM given")

    def run(n, m):
        q = 1 - 1 / n
        # Wilder's average as a sum of weighted changes: the first ones have the weight of their mean.
        wilder = lambda x: (
            f"sum(CASE WHEN row BETWEEN 1 AND {n} THEN {x} / {n} "
            f"WHEN row > {n} THEN {x} / {n} * pow({q}, {n} - row) END) OVER w"
        )
        shifts = ", ".join(f"lead(close, {h}) OVER w / lead(open) OVER w - 1 AS r{h}" for h in HORIZONS)
        means = ", ".join(f"avg(r{h}) OVER (PARTITION BY session) AS u{h}" for h in HORIZONS)
        outs = ", ".join(f"avg(r{h}), avg(u{h}) FILTER (r{h} IS NOT NULL)" for h in HORIZONS)
        found = connection.execute(
            f"""WITH changes AS (SELECT *, close - lag(close) OVER w AS change FROM bars
                  WINDOW w AS (PARTITION BY symbol ORDER BY row)),
                averages AS (SELECT *, {wilder("greatest(change, 0)")} AS up,
                  {wilder("greatest(-change, 0)")} AS down,
                  avg(close) OVER (PARTITION BY symbol ORDER BY row ROWS {m - 1} PRECEDING) AS average,
                  {shifts} FROM changes WINDOW w AS (PARTITION BY symbol ORDER BY row)),
                hits AS (SELECT *, row >= {max(n, m - 1)} AND 100 * up / (up + down) < 30
                  AND close > 1.0001 * average AS hit, {means} FROM averages),
                events AS (SELECT *, hit AND NOT coalesce(lag(hit) OVER w, false) AS event FROM hits
                  WINDOW w AS (PARTITION BY symbol ORDER BY row))
                SELECT count(*), {outs} FROM events WHERE event"""
        ).fetchone()
        return found[0], [list(found[1 + 2 * i : 3 + 2 * i]) for i in range(len(HORIZONS))]

    return f"DuckDB {duckdb.__version__}", by_pair(run)


made = {}
for line in sys.stdin:
    name, pairs = json.loads(line)
    try:
        if name not in made:
            made[name] = globals()[f"{name}_rival"]()
    except ImportError:
        print(json.dumps({"version": None}), flush=True)
        continue
    version, run = made[name]
    begin = time.process_time()
    answers = [{"events": events, "means": means} for events, means in run(pairs)]
    ms = 1000 * (time.process_time() - begin)
    print(json.dumps({"version": version, "cpuMs": ms, "answers": answers}), flush=True)
