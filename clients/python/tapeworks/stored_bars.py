"""Bars of one version as a table: mapped, and adjusted to the basis of the result."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import Any, NamedTuple, Optional

import pyarrow as pa

from .adjust import (
    BASES,
    Step,
    adjustment_steps,
    combined_bars,
    default_basis,
    derivable_bases,
    repeated,
    scaled_bars,
)
from .columns import plain_values
from .errors import InvalidRequestError
from .moments import MICROS_PER_DAY
from .progress import Progress
from .published import BAR_COLUMNS, Published

DAILY = ("1d", "1w", "1M")

_STAMP = pa.timestamp("us", "UTC")
_NAMED_MAX = 10

# Requests for the columns that are published, by the name of the first column.
PUBLISHED = {
    "sma": ("sma", ["sma"]),
    "ema": ("ema", ["ema"]),
    "rsi": ("rsi", ["rsi"]),
    "macd": ("macd", ["macd", "macd_signal", "macd_histogram"]),
    "bollinger": ("bollinger", ["bollinger_upper", "bollinger_middle", "bollinger_lower"]),
}
PUBLISHED.update({"rsi:14": ("rsi", ["rsi"]), "macd:12:26:9": PUBLISHED["macd"]})

Window = tuple[Optional[int], Optional[int]]
"""First and last moment, both inclusive, in microseconds; None: open."""


class BarsWanted(NamedTuple):
    interval: str
    adjustment: Optional[str]
    window: Window
    indicators: list[str]
    is_latest: bool


def bars_table(
    version: Published, names: list[str], wanted: BarsWanted, progress: Optional[bool]
) -> pa.Table:
    """Returns the bars of symbols in their order, with the columns of a bulk response.

    Args:
        wanted: Its interval is stored for all symbols; its indicators are published.

    Raises:
        InvalidRequestError: Some symbols can't be given on the adjustment.
    """
    if wanted.adjustment is not None:
        _check_derivable(version, names, wanted.interval, wanted.adjustment)
    columns, fields = _published_columns(wanted.indicators)
    chunks: list[list[pa.Array]] = [[] for _ in range(6 + len(columns))]
    codes, bases, ends, rows = [], [], [], 0
    with Progress("bars", progress) as bar:
        for code, name in enumerate(names):
            bar.update(code, len(names), f"symbols, {rows:,} rows,")
            if not version.series(name, wanted.interval):
                continue
            basis, series = _series(version, name, wanted, columns)
            added = sum(len(part[0]) for part in series)
            if added == 0:
                continue
            rows += added
            codes.append(code)
            bases.append(BASES.index(basis))
            ends.append(rows)
            for arrays in series:
                for chunk, array in zip(chunks, arrays):
                    chunk.append(array)
    symbol = pa.DictionaryArray.from_arrays(
        repeated(codes, ends, pa.int32()), pa.array(names, pa.string())
    )
    basis_column = pa.DictionaryArray.from_arrays(repeated(bases, ends, pa.int8()), pa.array(BASES))
    kinds = [_STAMP, *[pa.float64()] * (len(chunks) - 1)]
    times, *values = (pa.chunked_array(chunk, kind) for chunk, kind in zip(chunks, kinds))
    made: dict[str, Any] = {"symbol": symbol, "timestamp": times}
    if wanted.interval in DAILY:
        # Without the zone, which is UTC, the conversion takes half the time.
        made["date"] = times.cast(pa.timestamp("us")).cast(pa.date32())
    made.update(zip(BAR_COLUMNS, values))
    made["adjustment"] = basis_column
    made.update(zip(fields, values[5:]))
    schema = pa.schema(
        [pa.field(name, column.type, name in fields) for name, column in made.items()]
    )
    return pa.Table.from_arrays(list(made.values()), schema=schema)


def stored_interval(version: Published, symbol: str, interval: str) -> Optional[str]:
    """Returns the stored interval behind an interval; None without bars."""
    stored = ("1d",) if interval in DAILY else ("1m",) if interval == "1m" else ("5m", "1m")
    return next((one for one in stored if version.series(symbol, one)), None)


def longest_stored(version: Published, symbol: str) -> Optional[str]:
    stored = ("1d", "5m", "1m")
    return next((one for one in stored if version.series(symbol, one)), None)


def is_stored(version: Published, names: list[str], interval: str) -> bool:
    """Returns true if the files have the bars of all symbols: longer ones are computed."""
    if interval in DAILY:
        return True
    return interval in ("1m", "5m") and all(
        stored_interval(version, name, interval) in (interval, None) for name in names
    )


def _check_derivable(version: Published, names: list[str], interval: str, basis: str) -> None:
    lacking = []
    for name in names:
        base = stored_interval(version, name, interval)
        if base is not None:
            span = version.span(version.series(name, base))
            if basis not in derivable_bases(version.facts(name, base), *span):
                lacking.append(name)
    if lacking:
        raise InvalidRequestError(
            "adjustment must be available for all symbols (omit it for the default of each), "
            f'got "{basis}", which {first_names(lacking)} lack'
        )


def _published_columns(indicators: list[str]) -> tuple[list[str], list[str]]:
    """Returns the published columns of indicators, and their names in a result."""
    columns, fields = [], []
    for asked in indicators:
        name, published = PUBLISHED[asked]
        columns += published
        fields += [asked + column[len(name) :] for column in published]
    return columns, fields


def _series(
    version: Published, name: str, wanted: BarsWanted, indicators: list[str]
) -> tuple[str, list[list[pa.Array]]]:
    """Returns the basis of a series, and its columns in one or several pieces."""
    interval, adjustment, window, _, is_latest = wanted
    base = "1d" if interval in DAILY else interval
    stored = version.series(name, base)
    facts = version.facts(name, base)
    span = version.span(stored)
    own = default_basis(facts, *span)
    basis = adjustment or own
    parts = version.series(name, interval)
    is_resampled = interval in ("1w", "1M") and basis != own
    within = stored if is_resampled else version.window(parts, *window)
    if is_latest:
        within = [part._replace(row=part.row + part.rows - 1, rows=1) for part in within[-1:]]
    pieces = [
        version.columns(part, ("ts", *BAR_COLUMNS))
        + version.columns(part, indicators, indicators=True)
        for part in within
    ]
    # Published weeks and months are on the default basis already.
    if interval in ("1w", "1M") and not is_resampled:
        return basis, pieces
    steps = adjustment_steps(facts, basis, *span, lambda day: version.close_before(stored, day))
    if pieces and (steps or is_resampled):
        joined = [pa.concat_arrays(columns) for columns in zip(*pieces)]
        times = plain_values(joined[0])
        bars = scaled_bars(joined[1:6], times, steps) if steps else joined[1:6]
        pieces = [[joined[0], *bars, *joined[6:]]]
    if is_resampled and pieces:
        pieces = _resampled(pieces[0], interval, window)
    return basis, pieces


def factor_rows(version: Published, symbol: str, interval: str) -> list[dict[str, Any]]:
    """Returns a row for each day from which other factors apply, oldest first."""
    stored, facts = version.series(symbol, interval), version.facts(symbol, interval)
    span = version.span(stored)
    derivable = derivable_bases(facts, *span)
    steps = {
        basis: adjustment_steps(facts, basis, *span, lambda day: version.close_before(stored, day))
        for basis in derivable
    }
    first = span[0] // MICROS_PER_DAY
    days = {int(step.day) for some in steps.values() for step in some if step.day > first}
    rows = []
    for day in sorted({first, *days}):
        raw, split, paid = (_step_on(steps.get(basis), day) for basis in BASES)
        row: dict[str, Any] = {"date": day}
        if raw and split:
            (a, b), (c, d) = split.ratio, raw.ratio
            row["splitFactor"] = (a * d) / (b * c)
            if paid:
                row["dividendFactor"] = paid.factor
                row["factor"] = row["splitFactor"] * paid.factor
        rows.append(row)
    return rows


def _step_on(steps: Optional[list[Step]], day: int) -> Optional[Step]:
    if steps is None:
        return None
    return next((one for one in reversed(steps) if one.day <= day), Step(day, (1.0, 1.0), 1.0))


def _resampled(days: list[pa.Array], interval: str, window: Window) -> list[list[pa.Array]]:
    bars = combined_bars(days, "week" if interval == "1w" else "month")
    times, (first, last) = plain_values(bars[0]), window
    start = 0 if first is None else bisect_left(times, first)
    end = len(times) if last is None else bisect_right(times, last)
    return [[column.slice(start, end - start) for column in bars]] if end > start else []


def first_names(names: list[str]) -> str:
    """Names the first symbols of many, for a message."""
    more = f" and {len(names) - _NAMED_MAX} more" if len(names) > _NAMED_MAX else ""
    return ", ".join(names[:_NAMED_MAX]) + more
