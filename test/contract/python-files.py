"""Calls every method over HTTP and over files, and prints how the results differ as JSON.

Arguments: folder of the mode, then the command of the program. `EVERY=3` makes every third call of
a kind, from the first on.
"""

import json
import os
import sys
from datetime import datetime

import pyarrow as pa

import tapeworks

http = tapeworks.connect()
files = tapeworks.open(sys.argv[1], program=sys.argv[2:])


def plain(table):
    """Dictionaries of two readers may list symbols in other orders; their texts are equal."""
    columns = [
        column.cast(pa.string()) if pa.types.is_dictionary(column.type) else column
        for column in table.columns
    ]
    return pa.table([column.combine_chunks() for column in columns], names=table.column_names)


def outcome(market, call):
    try:
        return call(market)
    except tapeworks.TapeworksError as error:
        return error


CALLS = {
    "bars of each interval": [
        lambda tw, interval=interval: tw.bars("*", interval=interval)
        for interval in ("1d", "1w", "1M", "1m")
    ],
    "bars on each basis": [
        lambda tw, interval=interval, basis=basis: tw.bars("*", None, None, interval, basis)
        for interval in ("1d", "1w", "1M", "1m")
        for basis in ("raw", "split", "all")
    ],
    "bars of some symbols and days": [
        lambda tw: tw.bars("qxol-a,QXIR,QXOL.A", "2025-03-02", "2025-12-31", "1w", "all"),
        lambda tw: tw.bars(["QXIR"], "2026-11-10T15:00:00Z", "2026-11-11T15:00:00+00:00", "1m"),
        lambda tw: tw.bars(["QXIR"], "1990-01-01", "1990-02-01"),
    ],
    "bars that the program computes": [
        lambda tw: tw.bars(["QXIR", "QXOL.A"], "2026-11-10T15:00:00Z", "2026-11-12", "1h"),
        lambda tw: tw.bars("*", "1990-01-01", "1990-01-31", "15m"),
    ],
    "a column per symbol": [
        lambda tw: tw.bars("*", wide="close"),
        lambda tw: tw.bars("*", interval="1m", wide="volume"),
        lambda tw: tw.indicators("*", "rsi:14", wide="rsi:14"),
    ],
    "published indicators": [
        lambda tw: tw.indicators("*", ["sma", "ema", "rsi:14", "macd:12:26:9", "bollinger"]),
        lambda tw: tw.indicators("*", "macd", interval="1w", latest=True),
        lambda tw: tw.indicators("QXIR", "rsi", "2026-01-01", "2026-02-01"),
    ],
    "indicators that the program computes": [
        lambda tw: tw.indicators("*", ["rsi:5", "sma:50"], latest=True)
    ],
    "screens": [
        lambda tw: tw.screen("close > sma(20) or rsi(14) < 60", columns=["rsi(14)"], price_min=1),
        lambda tw: tw.screen(as_of="2026-02-02", sort="volume", limit=3, exchange=["NYSE"]),
        lambda tw: tw.screen("close > sma(20)", start="2026-02-02", columns=["close"]),
        lambda tw: tw.screen("close > sma(20)", end="2026-02-02", begins=True, limit=5),
    ],
    "studies": [
        lambda tw: tw.study("close > sma(20)", horizons=[1, 5]).summary,
        lambda tw: tw.study("rsi($n) < 50", n=[5, 10], horizons=5, by="month").groups,
        lambda tw: tw.study("close > open", mode="matches", entry="next_close", horizons=1).days,
        lambda tw: tw.study(
            "close > sma(20)", start="2026-01-01", end="2026-11-01", universe="volume > 1", horizons=3
        ).events,
    ],
    "quotes": [
        lambda tw: tw.quotes("*"),
        lambda tw: tw.quotes(["QXIR", "qxol-a", "QXOL.A", "NONE"]),
    ],
    "statements": [
        lambda tw: tw.statements(["QXIR", "QXSPL"], as_of="2024-06-03"),
        *[
            lambda tw, period=period, as_of=as_of: tw.statements(
                ["QXIR", "QXXP"], period, as_of=as_of
            )
            for period in ("annual", "quarterly", "ttm")
            for as_of in (None, "2026-02-02")
        ],
    ],
    "balance sheets": [
        *[lambda tw, period=period: tw.balance_sheets("*", period) for period in ("annual", "ttm")],
        lambda tw: tw.fundamentals("balance-sheet", "QXIR", "quarterly"),
    ],
    "insider transactions": [
        lambda tw: tw.insider("*"),
        lambda tw: tw.insider("QXIR", "2025-06-01", "2026-06-01", types="buy,sell"),
    ],
    "news": [
        lambda tw: tw.news(),
        lambda tw: tw.news(["QXIR", "QXOL.A"], sentiment=["positive", "negative"], limit=7),
        lambda tw: tw.news("QXIR", "2026-01-01", "2026-10-31"),
    ],
    "symbols": [
        lambda tw: tw.symbols(),
        lambda tw: tw.symbols("qx", type="stock", exchange=["NYSE", "NASDAQ"], active=True),
        lambda tw: tw.symbols("inc", active=False),
    ],
    "factors": [lambda tw: tw.factors("*"), lambda tw: tw.factors(["qxol-a", "QXIR"])],
    "universes": [
        lambda tw: tw.universes(),
        lambda tw: tw.members("active"),
        lambda tw: tw.members("@ALL", as_of="2026-03-02"),
        lambda tw: tw.bars("@i", "2026-03-03", "2026-03-10"),
        lambda tw: tw.members("i", as_of="2025-03-02"),
        lambda tw: tw.members("i", as_of="2026-03-02"),
        lambda tw: tw.members("i", as_of="2026-03-03"),
        lambda tw: tw.bars("@active", "2026-06-01", "2026-06-12"),
        lambda tw: tw.indicators("@all", ["rsi"], latest=True),
    ],
    "splits and dividends": [lambda tw: tw.actions("*"), lambda tw: tw.actions(["QXIR"])],
    "refusals": [
        lambda tw: tw.bars(["NONE", "QXIR"]),
        lambda tw: tw.bars("a b"),
        lambda tw: tw.bars([]),
        lambda tw: tw.bars("@nothing"),
        lambda tw: tw.members("nothing"),
        lambda tw: tw.bars("QXIR", interval="2d"),
        lambda tw: tw.bars("QXIR", adjustment="both"),
        lambda tw: tw.bars("QXIR", "2026-13-01"),
        lambda tw: tw.bars("QXIR", "2026-02-01", "2026-01-01"),
        lambda tw: tw.bars("QXIR", wide="clothes"),
        lambda tw: tw.indicators("QXIR", "smaa"),
        lambda tw: tw.screen("close > smaa(3)"),
        lambda tw: tw.study("close > smaa(3)").summary,
        lambda tw: tw.study("rsi($n) < 3").events,
        lambda tw: tw.statements("NONE"),
        lambda tw: tw.statements("QXIR", "weekly"),
        lambda tw: tw.statements("QXIR", as_of="2026-02"),
        lambda tw: tw.bars(["QXIR", None]),
        lambda tw: tw.bars(7),
        lambda tw: tw.bars(["*"]),
        lambda tw: tw.bars("QXIR", 20260101),
        lambda tw: tw.bars("QXIR", "2026"),
        lambda tw: tw.bars("QXIR", datetime(2026, 1, 1, 9, 30)),
        lambda tw: tw.bars("QXIR", interval=None),
        lambda tw: tw.insider("QXIR", types="bought"),
        lambda tw: tw.news(sentiment="glad"),
        lambda tw: tw.news(limit="5"),
        lambda tw: tw.symbols(exchange="LSE"),
        lambda tw: tw.symbols(type=["stock", "bond"]),
        lambda tw: tw.screen(limit=0),
        lambda tw: tw.screen(as_of="2026"),
        lambda tw: tw.screen(price_min=[1]),
    ],
}

report = {}
for name, calls in CALLS.items():
    facts = report[name] = {"rows": 0, "differences": []}
    for number, call in enumerate(calls[:: int(os.environ["EVERY"])]):
        one, other = outcome(http, call), outcome(files, call)
        if isinstance(one, Exception) or isinstance(other, Exception):
            if (type(one), str(one)) != (type(other), str(other)) or name != "refusals":
                facts["differences"].append([number, repr(one), repr(other)])
            continue
        facts["rows"] += len(one)
        if not one.arrow().schema.equals(other.arrow().schema):
            facts["differences"].append(
                [number, str(one.arrow().schema), str(other.arrow().schema)]
            )
        elif (
            not plain(one.arrow()).equals(plain(other.arrow())) or one.not_found != other.not_found
        ):
            facts["differences"].append([number, "values differ", len(one), len(other)])
print(json.dumps(report))
