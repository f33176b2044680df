"""Universes of a published version: the members of indexes and lists by day."""

from __future__ import annotations

import json
import re
from collections import Counter
from datetime import date
from typing import Any, Optional

from .directory import is_test_issue, longest_span, market_day
from .errors import NotFoundError
from .published import Published

_ACTIVE_DAYS = 7
_TITLES = {
    "all": "With bars by the day",
    "active": "Traded on the day",
}
_LAST = date.max
#: A membership: row of the directory, first and last day; ``date.max`` without an end.
Spans = list[tuple[int, date, date]]


class Universes:
    """All universes of a version, by name."""

    def __init__(self, version: Published, mode: str) -> None:
        self._mode = mode
        self._directory = version.directory
        days = {
            row: span
            for row, symbol in enumerate(version.directory["symbol"])
            if not is_test_issue(symbol) and (span := longest_span(version, symbol))
        }
        symbols = self._directory["symbol"]
        newest = market_day(version, {symbols[row]: last for row, (_, last) in days.items()})
        self.newest: date = newest or _LAST
        ends = self._directory["delistedOn"]
        of_bars: Spans = []
        for row, (first, last) in days.items():
            is_old = (self.newest - last).days > _ACTIVE_DAYS
            of_bars.append((row, first, ends[row] or (last if is_old else _LAST)))
        self.spans: dict[str, Spans] = {"active": of_bars, "all": of_bars}
        self._titles = dict(_TITLES)
        rows = {symbol: row for row, symbol in enumerate(self._directory["symbol"])}
        for record in version.records("members"):
            fields: dict[str, Any] = json.loads(record["json"])
            place = rows.get(fields["symbol"])
            if place is None:
                continue
            left = date.fromisoformat(fields["to"]) if fields["to"] else _LAST
            end = min(left, ends[place] or _LAST)
            spans = self.spans.setdefault(fields["index"], [])
            spans.append((place, date.fromisoformat(fields["from"]), end))
            self._titles[fields["index"]] = fields["title"]

    def records(self) -> list[dict[str, Any]]:
        """Returns a row per universe, as ``/svc/universes`` has them."""
        return [
            {
                "name": name,
                "title": self._titles[name],
                "members": len(self._between(name, self.newest, self.newest)),
                "from": min((first for _, first, _ in spans), default=None),
                "to": _end(max((last for _, _, last in spans), default=_LAST)),
            }
            for name, spans in sorted(self.spans.items())
        ]

    def members(self, name: str, day: Optional[date]) -> list[dict[str, Any]]:
        """Returns the members of a day by the tickers of then; None is the newest day."""
        on = day or self.newest
        found = self._between(name, on, on)
        names = self._names_on([row for row, *_ in found], on)
        records = [
            {
                "symbol": symbol,
                "companyName": self._company_on(row, on),
                "from": first,
                "to": _end(last),
            }
            for symbol, (row, first, last) in zip(names, found)
        ]
        return sorted(records, key=lambda record: str(record["symbol"]))

    def symbols(self, name: str, first: Optional[date], last: Optional[date]) -> list[str]:
        """Returns the present symbols of all that were members on any of some days."""
        spans = self._between(name, first or date.min, last or self.newest)
        return [self._directory["symbol"][row] for row in sorted({row for row, *_ in spans})]

    def _between(self, name: str, first: date, last: date) -> Spans:
        if name not in self.spans:
            raise NotFoundError(f'Unknown universe "{name}" in {self._mode} data')
        # All securities that ever had bars stay in "all".
        is_endless = name == "all"
        return [
            span
            for span in self.spans[name]
            if span[1] <= last and (is_endless or span[2] >= first)
        ]

    def _names_on(self, rows: list[int], day: date) -> list[str]:
        """Returns tickers of a day; of those that share one, first the ended get their symbol."""
        names = [self._ticker_on(row, day) for row in rows]
        ends = self._directory["delistedOn"]
        is_first = True
        while is_first or len(set(names)) < len(names):
            counts = Counter(names)
            for place, row in enumerate(rows):
                has_ended = ends[row] is not None and ends[row] < day
                if counts[names[place]] > 1 and (has_ended or not is_first):
                    names[place] = str(self._directory["symbol"][row])
            is_first = False
        return names

    def _company_on(self, row: int, day: date) -> Optional[str]:
        former = self._directory.get("formerNames")
        for name, _, _, last in json.loads(former and former[row] or "[]"):
            if day <= date.fromisoformat(last):
                return None if name is None else str(name)
        return self._directory["companyName"][row] or None

    def _ticker_on(self, row: int, day: date) -> str:
        symbol = str(self._directory["symbol"][row])
        former = [one.split(" ") for one in self._directory["formerTickers"][row].split(",") if one]
        for ticker, last in former:
            if day <= date.fromisoformat(last):
                return str(ticker)
        left = former[-1][0] if former else None
        # A class or a unit, such as XYZ.U, is another ticker.
        is_of_left = left is not None and re.fullmatch(re.escape(left) + r"\.\d{6,8}", symbol)
        return str(left) if is_of_left else symbol


def _end(day: date) -> Optional[date]:
    return None if day == _LAST else day
