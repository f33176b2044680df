"""Tables of records, with the columns of the API's Arrow responses."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from datetime import date, datetime
from typing import Any, Optional

import pyarrow as pa

from .adjust import Split
from .statements import FIGURES

_STAMP = pa.timestamp("us", "UTC")
_EPOCH = date(1970, 1, 1).toordinal()


def _schema(required: str = "", optional: str = "", **kinds: pa.DataType) -> pa.Schema:
    needed = required.split()
    names = [*kinds]
    assert set(needed) <= set(names), needed
    return pa.schema([pa.field(name, kinds[name], name not in needed) for name in names])


def _texts(names: str) -> dict[str, pa.DataType]:
    return {name: pa.string() for name in names.split()}


def _numbers(names: str) -> dict[str, pa.DataType]:
    return {name: pa.float64() for name in names.split()}


QUOTES = _schema(
    "symbol timestamp",
    **_texts("symbol"),
    **_numbers("price change changePct volume"),
    timestamp=_STAMP,
    **_numbers("dayHigh dayLow dayOpen previousClose marketCap"),
)
UNIVERSES = _schema(
    "name title",
    **_texts("name title"),
    members=pa.float64(),
    **{"from": pa.date32(), "to": pa.date32()},
)
MEMBERS = _schema(
    "symbol",
    **_texts("symbol companyName"),
    **{"from": pa.date32(), "to": pa.date32()},
)
SYMBOLS = _schema(
    "symbol",
    **_texts("symbol companyName exchange type"),
    firstBar=pa.date32(),
    lastBar=pa.date32(),
    **_texts("source"),
)
ACTIONS = _schema(
    "symbol type exDate",
    **_texts("symbol type"),
    exDate=pa.date32(),
    **_numbers("numerator denominator amount"),
    **_texts("currency"),
)
FACTORS = _schema(
    "symbol date",
    **_texts("symbol"),
    date=pa.date32(),
    **_numbers("splitFactor dividendFactor factor"),
)
ADJUSTED = {"eps": "epsAdjusted", "epsDiluted": "epsDilutedAdjusted"}
"""Figures per share on the split basis of today, by those that are as filed."""


def _statement(figures: Sequence[str]) -> pa.Schema:
    adjusted = [ADJUSTED[name] for name in figures if name in ADJUSTED]
    return _schema(
        "period filedAt",
        date=pa.date32(),
        **_texts("period"),
        **_numbers(" ".join([*figures, *adjusted])),
        filedAt=_STAMP,
        **_numbers("fiscalYear"),
        **_texts("currency form"),
    )


RECORDS = {
    **{name: _statement(figures) for name, figures in FIGURES.items() if name != "ratios"},
    "filings": _schema(
        "symbol accession form filedAt",
        **_texts("symbol accession form"),
        period=pa.date32(),
        filedAt=pa.date32(),
        acceptedAt=_STAMP,
        **_texts("link"),
    ),
    "insider": _schema(
        "symbol insiderName transactionType filedAt accession",
        **_texts("symbol insiderName title transactionType"),
        **_numbers("shares price totalValue sharesOwnedAfter"),
        filedAt=_STAMP,
        transactionDate=pa.date32(),
        **_texts("transactionCode securityTitle direction ownership"),
        isDerivative=pa.bool_(),
        isPlanned=pa.bool_(),
        **_texts("accession link"),
    ),
    "news": _schema(
        "id title source url publishedAt symbols",
        **_texts("id title summary source url"),
        publishedAt=_STAMP,
        **_texts("symbols sentiment"),
    ),
}


def with_filing_splits(
    rows: Iterable[dict[str, Any]], splits: Sequence[Split], covered: Optional[tuple[int, int]]
) -> list[Split]:
    """Returns the known splits, and those between other filings that restated figures show.

    Args:
        rows: Stored rows of income statements of the symbol, all versions.
        splits: The known ones; the numerator of an unknown one is NaN.
        covered: First and last day of which all splits are known.
    """
    shown: dict[int, Optional[float]] = {}
    for row in rows:
        if row["kind"] != "ttm":
            day = row["known"].toordinal() - _EPOCH
            shown[day] = json.loads(row["json"]).get("stored", {}).get("newShares", 1)
    every = list(splits)
    since = -math.inf
    for day, new in sorted(shown.items()):
        is_covered = covered is not None and covered[0] <= since and day <= covered[1]
        if new != 1 and not is_covered and not any(since < one.day <= day for one in splits):
            every.append(Split(day, (math.nan if new is None else new, 1)))
        since = day
    return every


def served_statement(row: dict[str, Any], splits: Sequence[Split]) -> dict[str, Any]:
    """Returns a stored row of a statement as the API has it, with its filing.

    Args:
        splits: Those of the symbol, in any order.
    """
    record: dict[str, Any] = json.loads(row["json"])
    stored = record.pop("stored", {})
    # A later version of a row may repeat figures per share of before a split.
    moment = stored.get("perShareAt")
    filed = row["known"].date() if moment is None else date.fromisoformat(moment[:10])
    factor = 1.0
    for day, (numerator, denominator) in splits:
        if day > filed.toordinal() - _EPOCH:
            factor = factor * numerator / denominator
    for name, adjusted in ADJUSTED.items():
        value = record.get(name)
        record[adjusted] = value / factor if value is not None and factor > 0 else None
    for name in ("filedAt", "fiscalYear", "currency", "form"):
        record[name] = stored.get(name)
    return record


def table_from_records(records: Sequence[dict[str, Any]], schema: pa.Schema) -> pa.Table:
    """Builds a table from rows as JSON has them."""
    columns = [
        pa.array([_value(record[field.name], field.type) for record in records], field.type)
        for field in schema
    ]
    return pa.Table.from_arrays(columns, schema=schema)


def _value(value: Any, kind: pa.DataType) -> Any:
    if isinstance(value, list):
        return " ".join(value)
    if value is None or kind in (pa.string(), pa.bool_()):
        return value
    if kind == pa.date32():
        return date.fromisoformat(value)
    if kind == _STAMP:
        return datetime.fromisoformat(value.replace("Z", "+00:00"))
    return float(value)


def price_change(price: float, before: float) -> float:
    """Returns the exact difference of two decimals, with no more decimals than they have."""
    for decimals in range(9):
        scale = 10.0**decimals
        now, then = math.floor(price * scale + 0.5), math.floor(before * scale + 0.5)
        if now / scale == price and then / scale == before and max(now, then) < 2**53:
            return (now - then) / scale
    change = price - before
    return float(f"{change:.{min(100, max(_decimals(price), _decimals(before)))}f}")


def _decimals(value: float) -> int:
    digits, _, exponent = repr(value).partition("e")
    written = len(digits.partition(".")[2])
    return max(0, written - int(exponent or 0))
