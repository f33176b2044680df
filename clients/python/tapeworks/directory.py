"""The directory of symbols: search, and which symbols are active."""

from __future__ import annotations

import re
from datetime import date
from typing import Any, Optional

from .moments import MICROS_PER_DAY, date_of
from .published import Published

_ACTIVE_DAYS = 7
_WORD = re.compile(r"[^\W_]+")
_TEST_ISSUE = re.compile(
    r"(?:[A-Z]TEST|Z[A-Z]ZZ[CT]|ZBZX|ZEXIT|ZIEXT|ZTST|ZXIET|ZXYZ)(?=\.|\Z)"
)


def is_test_issue(symbol: str) -> bool:
    """Returns true for securities with which exchanges test their feeds: lists leave them out."""
    return _TEST_ISSUE.match(symbol) is not None


def active_symbols(version: Published) -> set[str]:
    """Returns the symbols that are not delisted and have bars of the last week."""
    days = {
        symbol: max(version.span(parts)[1] for parts in found) // MICROS_PER_DAY
        for symbol in version.symbols
        if (found := [p for one in ("1d", "5m", "1m") if (p := version.series(symbol, one))])
    }
    newest = max(days.values(), default=0)
    directory = version.directory
    gone = {
        symbol
        for symbol, day in zip(directory["symbol"], directory["delistedOn"])
        if day is not None
    }
    return {one for one, day in days.items() if day >= newest - _ACTIVE_DAYS} - gone


def longest_span(version: Published, symbol: str) -> Optional[tuple[date, date]]:
    """Returns the days of the first and last bar, of days if there are any."""
    for interval in ("1d", "5m", "1m"):
        parts = version.series(symbol, interval)
        if parts:
            first, last = version.span(parts)
            return date_of(first), date_of(last)
    return None


def is_listed(search: Optional[str], directory: dict[str, list[Any]], row: int) -> bool:
    """Returns true if a row is found; without a search all are, but for test issues."""
    symbol = directory["symbol"][row]
    if is_test_issue(symbol) and symbol != _ticker(search or ""):
        return False
    return search is None or _is_found(search, directory, row)


def _ticker(search: str) -> str:
    return re.sub(r"[-/ ]", ".", search.strip().upper())


def _is_found(search: str, directory: dict[str, list[Any]], row: int) -> bool:
    """Returns true if a row has the start of a ticker, a former ticker, or words of a name."""
    ticker = _ticker(search)
    former = [one.split(" ")[0] for one in directory["formerTickers"][row].split(",")]
    if directory["symbol"][row].startswith(ticker) or ticker in former:
        return True
    words = _WORD.findall(search.lower())
    name = "".join(f" {word}" for word in _WORD.findall(directory["companyName"][row].lower()))
    return bool(words) and all(f" {word}" in name for word in words)
