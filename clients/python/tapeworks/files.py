"""A folder of published files, read without a server or a key."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from numbers import Number
from pathlib import Path
from typing import Any, Callable, NoReturn, Optional, TypeVar, Union
from urllib.parse import urlencode

import pyarrow as pa
import pyarrow.compute as pc

from .adjust import Split
from .arguments import chosen, listed
from .directory import active_symbols, is_listed
from .errors import InvalidRequestError, MissingDataError, NeedsServerError, NotFoundError
from .market import (
    Filter,
    Market,
    Names,
    Screen,
    Series,
    Span,
    Symbols,
    named_symbols,
    universe_of,
    with_symbol,
)
from .moments import (
    EPOCH,
    MICROS_PER_DAY,
    Moment,
    date_of,
    end_of_day_in_new_york,
)
from .program import Program
from .progress import Progress
from .published import Published
from .records import (
    ACTIONS,
    FACTORS,
    MEMBERS,
    QUOTES,
    RECORDS,
    SYMBOLS,
    UNIVERSES,
    price_change,
    served_statement,
    table_from_records,
    with_filing_splits,
)
from .result import Result
from .statements import OF_MOMENT
from .stored_bars import (
    DAILY,
    PUBLISHED,
    BarsWanted,
    Window,
    bars_table,
    factor_rows,
    first_names,
    is_stored,
    longest_stored,
    stored_interval,
)
from .study import StudyWanted
from .universes import Universes

_EXPORTED_MAX = 1000
_OPEN_TRIES = 5

Made = TypeVar("Made")


class Files(Market):
    """Follows new versions: each call reads the newest one, and one only.

    Published columns are mapped: bars as stored, and the indicators sma, ema, rsi, macd and
    bollinger with their default parameters. The program computes other bars, indicators and
    screens. ``backfill`` and ``stream`` raise, since a folder is read only.
    """

    def __init__(
        self,
        folder: Union[str, os.PathLike[str], None] = None,
        *,
        program: Union[str, Sequence[str], None] = None,
        progress: Optional[bool] = None,
    ) -> None:
        """
        Args:
            folder: ``data/live`` or ``data/sandbox``; of ``data`` alone, live. Default: the
                environment's ``TAPEWORKS_DATA_DIR``, else ``./data``.
            program: Command that computes what the files have no columns for. Default:
                ``tapeworks`` on the path.
            progress: Shows a bar on stderr. Default: if that is a terminal.
        """
        self.folder = _mode_folder(Path(folder or os.environ.get("TAPEWORKS_DATA_DIR") or "data"))
        self._program = Program(program, self.folder)
        self._progress = progress
        self._seen: tuple[int, ...] = ()
        self._version: Optional[Published] = None
        self._newest()

    @property
    def version(self) -> int:
        """Number of the newest published version; each publish raises it by one."""
        return int(self._newest().manifest["version"])

    def _bars(self, wanted: Series) -> pa.Table:
        _require_newest(wanted.as_of)
        interval, adjustment = wanted.interval, wanted.adjustment

        def read(version: Published) -> pa.Table:
            names = self._known(version, wanted)
            if wanted.session not in (None, "regular") or not is_stored(version, names, interval):
                return self._exported("candles", names, wanted)
            bars = BarsWanted(interval, adjustment, wanted.days.window, [], False)
            return bars_table(version, names, bars, self._progress)

        return self._read(read)

    def _indicators(self, wanted: Series, indicators: list[str], latest: bool) -> pa.Table:
        _require_newest(wanted.as_of)
        interval, adjustment = wanted.interval, wanted.adjustment
        chosen("interval", interval, DAILY)

        def read(version: Published) -> pa.Table:
            names = self._known(version, wanted, latest)
            if adjustment is None and indicators and all(one in PUBLISHED for one in indicators):
                bars = BarsWanted(interval, None, wanted.days.window, indicators, latest)
                return bars_table(version, names, bars, self._progress)
            more = ["--indicators", ",".join(indicators), *(["--latest"] if latest else [])]
            return self._exported("indicators", names, wanted, more)

        return self._read(read)

    def _screen(self, wanted: Screen) -> Result:
        where, as_of, limit = wanted.where, wanted.as_of, wanted.limit
        given = {
            "--as-of": None if as_of is None else as_of.isoformat(),
            "--columns": ",".join(wanted.columns),
            "--sort": wanted.sort,
            "--order": wanted.order,
            "--limit": None if limit is None else str(limit),
            "--filter": _filter_text(wanted.filters),
            "--from": None if wanted.start is None else wanted.start.isoformat(),
            "--to": None if wanted.end is None else wanted.end.isoformat(),
        }
        options = [f"{name}={text}" for name, text in given.items() if text]
        options += ["--begins"] if wanted.begins else []
        options += ["--current-fields"] if wanted.current_fields else []
        last = [] if where is None else [where]
        return Result(self._program.table("a screen", ["screen", *options], last))

    def _study_document(self, wanted: StudyWanted) -> Mapping[str, Any]:
        return self._program.document("a study", _study_arguments(wanted), _condition(wanted))

    def _study_table(self, wanted: StudyWanted, rows: str) -> pa.Table:
        arguments = [*_study_arguments(wanted), f"--rows={rows}"]
        return self._program.table("a study", arguments, _condition(wanted))

    def quotes(self, symbols: Symbols, *, as_of: Optional[Moment] = None) -> Result:
        _require_newest(as_of)

        def read(version: Published) -> Result:
            table = version.table(version.manifest["quotes"])
            names = named_symbols(symbols)
            asked = version.symbols if names is None else names
            rows: dict[str, int] = {}
            missing = []
            has_price = table["price"].is_valid().to_pylist()
            for name in asked:
                symbol = version.resolve(name)
                row = None if symbol is None else version.row_of(symbol)
                if symbol is not None and row is not None and has_price[row]:
                    rows[symbol] = row
                else:
                    missing.append(name)
            found = table.take(pa.array(rows.values(), pa.int64()))
            prices = zip(found["price"].to_pylist(), found["previousClose"].to_pylist())
            change = [
                None if before is None else price_change(now, before) for now, before in prices
            ]
            columns = {name: found[name] for name in found.column_names}
            columns.update(
                symbol=pa.array(rows, pa.string()), change=pa.array(change, pa.float64())
            )
            ordered = [columns[field.name] for field in QUOTES]
            return Result(
                pa.Table.from_arrays(ordered, schema=QUOTES),
                () if names is None else tuple(missing),
            )

        return self._read(read)

    def _filings(self, names: Names, days: Span) -> Result:
        def read(version: Published) -> Result:
            records: list[dict[str, Any]] = []
            for name in self._listed(version, names):
                symbol = self._resolved(version, name)
                records += _within(version.records("filings", symbol), days.window)
            return Result(table_from_records(records, RECORDS["filings"]))

        return self._read(read)

    def _insider(self, names: Names, days: Span, types: list[str]) -> Result:
        wanted = set(types)

        def read(version: Published) -> Result:
            records: list[dict[str, Any]] = []
            for name in self._listed(version, names):
                symbol = self._resolved(version, name)
                rows = _within(version.records("insider", symbol), days.window)
                records += [row for row in rows if not wanted or row["transactionType"] in wanted]
            return Result(table_from_records(records, RECORDS["insider"]))

        return self._read(read)

    def _news(
        self, names: Names, days: Span, tones: list[str], sources: list[str], limit: Optional[int]
    ) -> Result:
        wanted_tones = set(tones)
        wanted_sources = {one.strip().lower() for one in sources}

        def read(version: Published) -> Result:
            keys = ["*"] if names is None else [self._resolved(version, name) for name in names]
            rows = {
                (row["ts"], row["id"]): row for key in keys for row in version.records("news", key)
            }
            newest = sorted(rows.values(), key=lambda row: (-row["ts"], row["id"]))
            records = [
                record
                for record in _within(newest, days.window)
                if (not tones or record["sentiment"] in wanted_tones)
                and (not sources or record["source"].lower() in wanted_sources)
            ]
            return Result(table_from_records(records[:limit], RECORDS["news"]))

        return self._read(read)

    def _symbols(
        self,
        search: Optional[str],
        exchanges: list[str],
        types: list[str],
        active: Optional[bool],
    ) -> Result:
        wanted_exchanges, wanted_types = set(exchanges), set(types)

        def read(version: Published) -> Result:
            rows = []
            directory = version.directory
            live = set() if active is None else active_symbols(version)
            for row, symbol in enumerate(directory["symbol"]):
                record = {
                    name: directory[name][row] or None
                    for name in ("symbol", "companyName", "exchange", "type", "source")
                }
                if exchanges and record["exchange"] not in wanted_exchanges:
                    continue
                if types and record["type"] not in wanted_types:
                    continue
                if active is not None and active != (symbol in live):
                    continue
                if not is_listed(search, directory, row):
                    continue
                interval = longest_stored(version, symbol)
                if interval is not None:
                    first, last = version.span(version.series(symbol, interval))
                    record.update(firstBar=date_of(first), lastBar=date_of(last))
                    record["source"] = version.source(symbol, interval)
                rows.append(record)
            return Result(pa.Table.from_pylist(rows, SYMBOLS))

        return self._read(read)

    def universes(self) -> Result:
        return self._read(
            lambda version: Result(pa.Table.from_pylist(Universes(version, self.folder.name).records(), UNIVERSES))
        )

    def _members(self, universe: str, as_of: Optional[date]) -> Result:
        def read(version: Published) -> Result:
            records = Universes(version, self.folder.name).members(universe, as_of)
            return Result(pa.Table.from_pylist(records, MEMBERS))

        return self._read(read)

    def actions(self, symbols: Symbols) -> Result:
        names = named_symbols(symbols)

        def read(version: Published) -> Result:
            rows = []
            for name in self._listed(version, names):
                symbol = self._resolved(version, name)
                if longest_stored(version, symbol) is None:
                    continue
                splits, dividends = version.actions(symbol)
                found = [
                    {
                        "type": "split",
                        "exDate": split.day,
                        "numerator": split.ratio[0],
                        "denominator": split.ratio[1],
                    }
                    for split in splits
                ] + [
                    {
                        "type": paid.kind,
                        "exDate": paid.day,
                        "amount": paid.amount,
                        "currency": paid.currency or "USD",
                    }
                    for paid in dividends
                ]
                found.sort(key=lambda row: -int(str(row["exDate"])))
                rows += [{"symbol": symbol, **row} for row in found]
            return Result(pa.Table.from_pylist(rows, ACTIONS))

        return self._read(read)

    def factors(self, symbols: Symbols) -> Result:
        names = named_symbols(symbols)

        def read(version: Published) -> Result:
            rows = []
            for name in self._listed(version, names):
                symbol = self._resolved(version, name)
                interval = longest_stored(version, symbol)
                if interval is not None:
                    found = factor_rows(version, symbol, interval)
                    rows += [{"symbol": name, **row} for row in found]
            return Result(pa.Table.from_pylist(rows, FACTORS))

        return self._read(read)

    def _backfill(self, order: dict[str, Any], wait: bool) -> NoReturn:
        words = ["npx tapeworks backfill", order["source"], order.get("dataset")]
        command = " ".join(word for word in words if word)
        command += f" --symbols {','.join(order.get('symbols') or [])}"
        raise NeedsServerError(f"a folder is read only: run {command}, or use tapeworks.connect()")

    def _stream(self, events: list[str], names: Names, screens: list[str]) -> NoReturn:
        raise NeedsServerError("events come from a server: use tapeworks.connect().stream()")

    def _exported(
        self,
        dataset: str,
        names: list[str],
        wanted: Series,
        more: Sequence[str] = (),
    ) -> pa.Table:
        """Lets the program compute; it takes whole days, so rows beyond a time are cut here."""
        interval, adjustment = wanted.interval, wanted.adjustment
        what = (
            (f"bars of {interval}" if wanted.session in (None, "regular") else "bars of other hours")
            if dataset == "candles"
            else "indicators that are not published"
        )
        first, last = wanted.days.window
        if "--latest" in more and last is not None and (last + 1) % MICROS_PER_DAY:
            end = wanted.days.end
            raise InvalidRequestError(f'end must be a date with latest=True, got "{end}"')
        options = ["export", dataset, "--interval", interval, *more]
        options += ["--adjustment", adjustment] if adjustment else []
        options += ["--session", wanted.session] if wanted.session else []
        options += [] if first is None else ["--from", date_of(first).isoformat()]
        options += [] if last is None else ["--to", date_of(last).isoformat()]
        groups = [names[i : i + _EXPORTED_MAX] for i in range(0, len(names), _EXPORTED_MAX)] or [[]]
        with Progress(dataset, self._progress) as bar:
            tables = []
            for done, group in enumerate(groups):
                bar.update(done, len(groups), "parts,")
                chosen = ["--symbols", ",".join(group)] if group else []
                tables.append(self._program.table(what, [*options, *chosen]))
        table = tables[0] if len(tables) == 1 else pa.concat_tables(tables).unify_dictionaries()
        if interval not in DAILY:
            for bound, keeps in ((first, pc.greater_equal), (last, pc.less_equal)):
                if bound is not None:
                    table = table.filter(keeps(table["timestamp"].cast(pa.int64()), bound))
        return table

    def _fundamentals(
        self, dataset: str, names: Names, period: str, as_of: Optional[date]
    ) -> Result:
        if dataset == "ratios":
            raise NeedsServerError("ratios need a server: use tapeworks.connect()")
        known_by = math.inf if as_of is None else end_of_day_in_new_york(as_of)
        is_newest_quarter = dataset in OF_MOMENT and period == "ttm"
        is_of_half = dataset in OF_MOMENT and period == "semiannual"
        kind = "quarterly" if is_newest_quarter or is_of_half else period

        def read(version: Published) -> Result:
            tables = []
            for name in self._listed(version, names):
                newest: dict[int, dict[str, Any]] = {}
                symbol = self._resolved(version, name)
                reports = version.records("statements", symbol) if is_of_half else []
                ends = {row["ts"] for row in reports if row["kind"] == "semiannual"}
                for row in version.records(dataset, symbol):
                    if is_of_half and row["ts"] not in ends:
                        continue
                    if row["kind"] != kind or _micros(row["known"]) > known_by:
                        continue
                    known = newest.get(row["ts"])
                    if known is None or row["known"] > known["known"]:
                        newest[row["ts"]] = row
                splits = self._splits(version, symbol) if dataset == "statements" else []
                records = [served_statement(row, splits) for row in newest.values()]
                if is_newest_quarter:
                    records = records[:1]
                if is_newest_quarter or is_of_half:
                    records = [{**record, "period": period} for record in records]
                tables.append(with_symbol(table_from_records(records, RECORDS[dataset]), name))
            return Result(pa.concat_tables(tables))

        return self._read(read)

    def _splits(self, version: Published, symbol: str) -> list[Split]:
        """Returns the splits that a source knows, and of other days those that filings show."""
        splits, _ = version.actions(symbol)
        has_bars = version.row_of(symbol) is not None
        covered = version.facts(symbol, "1d").covered if has_bars else None
        return with_filing_splits(version.records("statements", symbol), splits, covered)

    def _listed(self, version: Published, names: Names) -> list[str]:
        return version.directory["symbol"] if names is None else names

    def _resolved(self, version: Published, name: str) -> str:
        symbol = version.resolve(name)
        if symbol is None:
            raise NotFoundError(f'Unknown symbol "{name}" in {self.folder.name} data')
        return symbol

    def _known(self, version: Published, wanted: Series, latest: bool = False) -> list[str]:
        """Returns current symbols of names, each once. Raises for unknown ones."""
        names, interval = wanted.names, wanted.interval
        universe = universe_of(names)
        if universe is not None:
            universes = Universes(version, self.folder.name)
            first, last = (None if one is None else date_of(one) for one in wanted.days.window)
            only = last or universes.newest
            members = universes.symbols(universe, first or (only if latest else None), last)
            return [one for one in members if stored_interval(version, one, interval)]
        if names is None and interval in DAILY:
            return version.symbols
        if names is None:
            return [
                one
                for one in version.directory["symbol"]
                if stored_interval(version, one, interval)
            ]
        unknown = [name for name in names if version.resolve(name) is None]
        if unknown:
            raise NotFoundError(
                f"Unknown symbols in {self.folder.name} data: {first_names(unknown)}"
            )
        return list(dict.fromkeys(str(version.resolve(name)) for name in names))

    def _newest(self) -> Published:
        """Opens the newest version. Raises if there is none."""
        serving = self.folder / "serving"
        try:
            found = os.stat(serving / "manifest.json")
        except FileNotFoundError as cause:
            raise MissingDataError(
                f"nothing is published in {self.folder}: run npx tapeworks backfill first, or "
                "npx tapeworks start for synthetic data in data/sandbox"
            ) from cause
        seen = (found.st_mtime_ns, found.st_ino, found.st_size)
        if self._version is None or seen != self._seen:
            self._version = Published(serving)
            self._seen = seen
        return self._version

    def _read(self, read: Callable[[Published], Made]) -> Made:
        """Reads the newest version; begins again if its files were replaced meanwhile."""
        for tries_left in range(_OPEN_TRIES - 1, -1, -1):
            try:
                return read(self._newest())
            except FileNotFoundError:
                self._version = None
                if tries_left == 0:
                    raise
        raise AssertionError("the last try returns or raises")


def _mode_folder(path: Path) -> Path:
    if path.name == "serving" and (path / "manifest.json").exists():
        path = path.parent
    is_mode = (path / "serving").exists() or path.name in ("live", "sandbox")
    return (path if is_mode else path / "live").resolve()


def _micros(moment: Any) -> float:
    return math.inf if moment is None else (moment - EPOCH) // timedelta(microseconds=1)


def _within(rows: Iterable[dict[str, Any]], window: Window) -> Iterator[dict[str, Any]]:
    first, last = window
    for row in rows:
        if (first is None or row["ts"] >= first) and (last is None or row["ts"] <= last):
            yield json.loads(row["json"])


def _filter_text(filters: dict[str, Filter]) -> str:
    texts = {
        name: value
        if isinstance(value, str)
        else str(value)
        if isinstance(value, (Number, date))
        else ",".join(listed(name, value))
        for name, value in filters.items()
        if value is not None
    }
    return urlencode(texts)


def _study_arguments(wanted: StudyWanted) -> list[str]:
    given = {
        "--screen": wanted.screen,
        "--factor": wanted.factor,
        "--mode": wanted.mode,
        "--entry": wanted.entry,
        "--horizons": wanted.horizons,
        "--from": None if wanted.start is None else wanted.start.isoformat(),
        "--to": None if wanted.end is None else wanted.end.isoformat(),
        "--universe": wanted.universe,
        "--by": wanted.by,
    }
    options = [f"{name}={text}" for name, text in given.items() if text is not None]
    values = [f"--param={name}={text}" for name, text in wanted.values.items()]
    return ["study", *options, *values, *(["--current-fields"] if wanted.current_fields else [])]


def _condition(wanted: StudyWanted) -> list[str]:
    return [] if wanted.where is None else [wanted.where]


def _require_newest(as_of: Optional[Moment]) -> None:
    if as_of is not None:
        raise NeedsServerError("as_of of bars and quotes needs a server: use tapeworks.connect()")
