"""One published version, read by mapping its files. docs/serving-files.md describes them."""

from __future__ import annotations

import json
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Optional

import pyarrow as pa

from .adjust import Dividend, Facts, Split
from .columns import plain_values
from .errors import MissingDataError
from .moments import EPOCH, MICROS_PER_DAY, micros_of
from .packed import unpacked

FORMATS = (4, 5)
_INTERVALS = {"1d": 0, "1w": 1, "1M": 2, "1m": 3, "5m": 4, "1m-extended": 5, "5m-extended": 6}
BAR_COLUMNS = ("open", "high", "low", "close", "volume")


class Part(NamedTuple):
    """Rows of a batch that belong to a series."""

    candles: str
    indicators: str
    batch: int
    row: int
    rows: int
    row_start: int


class Published:
    """Arrays are views of mapped files, but for months, which are packed. Nothing here changes."""

    def __init__(self, folder: Path) -> None:
        manifest = json.loads((folder / "manifest.json").read_bytes())
        if manifest["format"] not in FORMATS:
            raise MissingDataError(
                f"{folder} has files of format {manifest['format']}, and this package reads "
                f"{FORMATS[0]} and {FORMATS[1]}: update tapeworks"
            )
        self.manifest: dict[str, Any] = manifest
        self._folder = folder
        self._files: dict[str, pa.ipc.RecordBatchFileReader] = {}
        self._batches: dict[tuple[str, int], pa.RecordBatch] = {}
        self._parts: dict[tuple[int, str], list[Part]] = {}
        self._lists: dict[str, dict[str, tuple[int, int]]] = {}
        rows = self.table(manifest["symbols"])
        self._row_of = {name: row for row, name in enumerate(rows["symbol"].to_pylist()) if name}
        self._symbols = rows.to_pydict()
        self.symbols: list[str] = sorted(self._row_of)
        self._add_layers(manifest["layers"], self._symbols["symbol"])
        self._intraday: dict[tuple[str, str], dict[str, Any]] = {}
        intraday = manifest.get("intraday")
        if intraday:
            series = self.table(intraday["series"]).to_pylist()
            self._intraday = {(one["interval"], one["symbol"]): one for one in series}
            self._add_layers(intraday["layers"], [one["symbol"] for one in series])
        self.directory: dict[str, list[Any]] = self.table(manifest["directory"]).to_pydict()
        self._names = self._rows_by_name()
        self._actions = self._actions_by_symbol()

    def table(self, ref: dict[str, Any]) -> pa.Table:
        """Returns a table that the manifest names."""
        return self._open(ref["name"]).read_all()

    def resolve(self, canonical: str) -> Optional[str]:
        """Returns the current symbol of a current or former one; None for an unknown one."""
        if canonical in self._row_of:
            return canonical
        row = self._names.get(canonical)
        return None if row is None else str(self.directory["symbol"][row])

    def row_of(self, symbol: str) -> Optional[int]:
        """Returns the row of a symbol in the tables of symbols and quotes."""
        return self._row_of.get(symbol)

    def series(self, symbol: str, interval: str) -> list[Part]:
        """Returns the parts of a series, oldest first; none without bars."""
        return self._parts.get((_INTERVALS[interval], symbol), [])

    def facts(self, symbol: str, interval: str) -> Facts:
        """Returns the facts about stored bars of 1d, 1m or 5m."""
        row = self._row_of[symbol]
        of_symbol = {name: values[row] for name, values in self._symbols.items()}
        facts = of_symbol if interval == "1d" else self._intraday[interval, symbol]
        covered = of_symbol["actions_from"]
        splits, dividends = self._actions.get(symbol, ([], []))
        return Facts(
            facts["basis"],
            None if facts["as_of"] is None else micros_of(facts["as_of"]),
            None if covered is None else (_days(covered), _days(of_symbol["actions_to"])),
            splits,
            dividends,
            self._dividend_days(of_symbol),
        )

    def _dividend_days(self, of_symbol: dict[str, Any]) -> Optional[tuple[int, int]]:
        """Returns the days of known dividends, if they are not those of splits."""
        first = of_symbol.get("dividends_from")
        return None if first is None else (_days(first), _days(of_symbol["dividends_to"]))

    def source(self, symbol: str, interval: str) -> str:
        """Returns the source of stored bars."""
        if interval == "1d":
            return str(self._symbols["source"][self._row_of[symbol]])
        return str(self._intraday[interval, symbol]["source"])

    def actions(self, symbol: str) -> tuple[list[Split], list[Dividend]]:
        """Returns the splits and dividends of a symbol, oldest first."""
        return self._actions.get(symbol, ([], []))

    def times(self, part: Part) -> Sequence[int]:
        """Returns the time stamps of a part in microseconds."""
        column = self._column(part.candles, part.batch, "ts")
        return plain_values(column)[part.row : part.row + part.rows]

    def span(self, parts: list[Part]) -> tuple[int, int]:
        """Returns the first and last time stamp of a series."""
        return self.times(parts[0])[0], self.times(parts[-1])[-1]

    def window(self, parts: list[Part], first: Optional[int], last: Optional[int]) -> list[Part]:
        """Returns the parts of the rows from ``first`` to ``last``, both inclusive."""
        if first is None and last is None:
            return parts
        within = []
        for part in parts:
            times = self.times(part)
            start = 0 if first is None else bisect_left(times, first)
            end = len(times) if last is None else bisect_right(times, last)
            if end > start:
                within.append(part._replace(row=part.row + start, rows=end - start))
        return within

    def columns(self, part: Part, names: Sequence[str], indicators: bool = False) -> list[pa.Array]:
        """Returns columns of a part's candles, or of its indicators."""
        file = part.indicators if indicators else part.candles
        return [self._column(file, part.batch, name).slice(part.row, part.rows) for name in names]

    def close_before(self, parts: list[Part], day: int) -> tuple[float, int]:
        """Returns the last close before a day that has an earlier bar, and its day."""
        for part in reversed(parts):
            times = self.times(part)
            row = bisect_left(times, day * MICROS_PER_DAY) - 1
            if row >= 0:
                closes = plain_values(self._column(part.candles, part.batch, "close"))
                return closes[part.row + row], times[row] // MICROS_PER_DAY
        raise LookupError(f"no bar before day {day}")

    def records(self, dataset: str, key: str = "*") -> Iterator[dict[str, Any]]:
        """Yields the rows of a list by (ts, id), newest ts first; ``json`` is the API's row."""
        rows: dict[tuple[int, str], dict[str, Any]] = {}
        lists = self.manifest.get("lists") or {"layers": {}}
        for layer in lists["layers"].get(dataset, []):
            span = self._spans(layer["index"]).get(key)
            if span is None:
                continue
            if dataset != "news":
                rows = {}
            table = self._open(layer["rows"]["name"]).read_all().slice(*span)
            times = table["ts"].cast(pa.int64()).to_pylist()
            for time, row in zip(times, table.drop_columns(["ts"]).to_pylist()):
                rows[time, row["id"]] = {**row, "ts": time}
        for _, row in sorted(rows.items(), key=lambda item: (-item[0][0], item[0][1])):
            if row["adds"] >= 0:
                yield row

    def _spans(self, ref: dict[str, Any]) -> dict[str, tuple[int, int]]:
        """Returns the first row and the number of rows of each list of a layer."""
        name = ref["name"]
        if name not in self._lists:
            columns = self.table(ref).select(["list", "row", "rows"]).to_pydict()
            spans = zip(columns["row"], columns["rows"])
            self._lists[name] = dict(zip(columns["list"], spans))
        return self._lists[name]

    def _open(self, name: str) -> pa.ipc.RecordBatchFileReader:
        if name not in self._files:
            self._files[name] = pa.ipc.open_file(pa.memory_map(str(self._folder / name)))
        return self._files[name]

    def _column(self, file: str, number: int, name: str) -> pa.Array:
        batch = self._batches.get((file, number))
        if batch is None:
            batch = self._open(file).get_batch(number)
            if batch.schema.names == ["packed"]:
                batch = unpacked(batch.column(0))
            self._batches[file, number] = batch
        return batch.column(batch.schema.get_field_index(name))

    def _add_layers(self, layers: list[dict[str, Any]], names: list[str]) -> None:
        for layer in layers:
            files = [
                (one["candles"]["name"], one["indicators"]["name"]) for one in layer["volumes"]
            ]
            index = self.table(layer["index"])
            columns = ("interval", "symbol", "volume", "batch", "row", "rows", "row_start")
            for interval, symbol, volume, *range_ in zip(*(index[c].to_pylist() for c in columns)):
                # A range without rows only ends a series, and may be of no volume.
                file = files[volume] if range_[2] else ("", "")
                self._add(interval, names[symbol], Part(*file, *range_))

    def _add(self, interval: int, name: str, part: Part) -> None:
        """A part supersedes what earlier ones have at or after its first row."""
        parts = self._parts.setdefault((interval, name), [])
        while parts and parts[-1].row_start >= part.row_start:
            parts.pop()
        if parts and parts[-1].row_start + parts[-1].rows > part.row_start:
            parts[-1] = parts[-1]._replace(rows=part.row_start - parts[-1].row_start)
        if part.rows > 0:
            parts.append(part)

    def _rows_by_name(self) -> dict[str, int]:
        """Maps every name to its row; a former ticker means the security that had it last."""
        rows: dict[str, int] = {}
        left: dict[str, str] = {}
        for row, former in enumerate(self.directory["formerTickers"]):
            for ticker, last_day in (one.split(" ") for one in former.split(",") if one):
                if last_day > left.get(ticker, ""):
                    left[ticker] = last_day
                    rows[ticker] = row
        rows.update((symbol, row) for row, symbol in enumerate(self.directory["symbol"]))
        return rows

    def _actions_by_symbol(self) -> dict[str, tuple[list[Split], list[Dividend]]]:
        actions: dict[str, tuple[list[Split], list[Dividend]]] = {}
        for row in self.table(self.manifest["actions"]).to_pylist():
            splits, dividends = actions.setdefault(row["symbol"], ([], []))
            day = _days(row["ex_date"])
            if row["numerator"] is None:
                # Files of older versions have no currencies.
                currency = row.get("currency") or None
                dividends.append(
                    Dividend(day, row["amount"], row["factor"], currency, _kind(row["type"]))
                )
            else:
                splits.append(Split(day, (row["numerator"], row["denominator"])))
        return actions


def _kind(listed: str) -> str:
    """Returns the kind of a dividend: one that the price does not show is listed apart."""
    return "spin-off" if listed == "spin-off" else "dividend"


def _days(day: Any) -> int:
    return int(day.toordinal() - EPOCH.toordinal())
