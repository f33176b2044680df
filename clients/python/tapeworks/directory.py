"""The directory of symbols: search, and which symbols are active."""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import Any, Optional

from .moments import date_of
from .published import Published

_ACTIVE_DAYS = 7
#: A bar goes on after one so many days before: the longest closure of the market.
_NEAR_DAYS = 7
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
        symbol: date_of(max(version.span(parts)[1] for parts in found))
        for symbol in version.symbols
        if (found := [p for one in ("1d", "5m", "1m") if (p := version.series(symbol, one))])
    }
    newest = market_day(version, days)
    directory = version.directory
    gone = {
        symbol
        for symbol, day in zip(directory["symbol"], directory["delistedOn"])
        if day is not None
    }
    first = date.min if newest is None else newest - timedelta(days=_ACTIVE_DAYS)
    return {one for one, day in days.items() if day >= first} - gone


def market_day(version: Published, days: dict[str, date]) -> Optional[date]:
    """Returns the newest day of most symbols, or on which one goes on: a wrong date moves nothing.

    The server leaves out holidays, too, which are not known here.
    """
    newest = dict(days)
    passed: set[str] = set()
    while newest:
        day = max(newest.values())
        found = {
            symbol: _day_before(version, symbol) for symbol, own in newest.items() if own == day
        }
        goes_on = (
            not _is_weekend(day) if symbol in passed else _follows(day, before)
            for symbol, before in found.items()
        )
        if len(found) * 2 > len(days) or any(goes_on):
            return day
        for symbol, before in found.items():
            if symbol in passed or before == date.min:
                del newest[symbol]
            else:
                newest[symbol] = before or day
            passed.add(symbol)
    return max(days.values(), default=None)


def _follows(day: date, before: Optional[date]) -> bool:
    if before is None:
        return True
    is_odd = _is_weekend(day) and not _is_weekend(before)
    return (day - before).days <= _NEAR_DAYS and not is_odd


def _is_weekend(day: date) -> bool:
    return day.weekday() >= 5


def _day_before(version: Published, symbol: str) -> Optional[date]:
    """Returns the day of the second newest daily bar; None without daily bars."""
    parts = version.series(symbol, "1d")
    times = [time for part in parts[-2:] for time in version.times(part)[-2:]]
    if len(times) < 2:
        return date.min if parts else None
    return date_of(times[-2])


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
