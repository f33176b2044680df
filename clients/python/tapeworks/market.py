"""The methods that a server and a folder have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from typing import Any, NamedTuple, Optional, Union

import pyarrow as pa

from .adjust import BASES
from .arguments import (
    EXCHANGES,
    INTERVALS,
    PERIODS,
    SECURITY_TYPES,
    SENTIMENTS,
    SESSIONS,
    TRANSACTION_TYPES,
    checked_limit,
    chosen,
    listed,
    listed_choices,
)
from .errors import InvalidRequestError
from .moments import Moment, checked_moment, day_of, moment_text, window_micros
from .result import Result, shaped
from .spelling import canonical_symbol
from .statements import FIGURES
from .study import Study, StudyWanted, Values, values_texts

Symbols = Union[str, Iterable[str]]
"""One symbol, several, or ``"*"`` for all; in any vendor's spelling."""
Filter = Union[str, int, float, Iterable[str], Moment, None]
"""Value of a filter; None is left out, a list means any of its texts."""


Names = Optional[list[str]]
"""Canonical symbols, each once; None for all."""


class Span(NamedTuple):
    """Bounds of times, both inclusive: as given, and in microseconds."""

    start: Optional[Moment]
    end: Optional[Moment]
    window: tuple[Optional[int], Optional[int]]


class Series(NamedTuple):
    """Wanted rows of series."""

    names: Names
    days: Span
    interval: str
    adjustment: Optional[str]
    as_of: Optional[Moment] = None
    session: Optional[str] = None


class Screen(NamedTuple):
    """A screen as its parameters give it."""

    where: Optional[str]
    as_of: Optional[date]
    columns: list[str]
    sort: Optional[str]
    order: Optional[str]
    limit: Optional[int]
    start: Optional[date]
    end: Optional[date]
    begins: bool
    current_fields: bool
    filters: dict[str, Filter]


class Market(ABC):
    """Market data: over HTTP from ``connect``, or from published files with ``open``."""

    def bars(
        self,
        symbols: Symbols,
        start: Optional[Moment] = None,
        end: Optional[Moment] = None,
        interval: str = "1d",
        adjustment: Optional[str] = None,
        *,
        session: Optional[str] = None,
        as_of: Optional[Moment] = None,
        wide: Optional[str] = None,
    ) -> Result:
        """Returns bars, ascending, by symbol in the order given; ``"*"`` is in order of symbols.

        Args:
            symbols: Unknown ones raise. Known ones without bars have no rows. ``"@sp500"`` is
                every security that was a member of this universe on a day of the bars.
            start, end: Bounds of the bars' time stamps, both inclusive; a date as ``end``
                includes that day. Default: the whole history.
            interval: 1m, 5m, 15m, 1h, 4h, 1d, 1w or 1M.
            adjustment: raw, split or all. Default: split where it can be derived, else the
                stored basis. A basis that some symbols lack raises and names them.
            session: For bars below a day: regular (the default), extended (04:00 to 20:00 in New
                York) or all (the night too). The last two add ``tradeDate`` and ``session``.
            as_of: What the server served then, before later corrections; a date is the end of
                that day in New York. Server only.
            wide: ``"close"`` gives a row per day and a column per symbol, null without a bar.

        Returns:
            symbol, timestamp (the bar's start), date (1d and longer), open, high, low, close,
            volume, adjustment.
        """
        wanted = _series(symbols, start, end, interval, adjustment, as_of, session)
        return shaped(self._bars(wanted), wide)

    def indicators(
        self,
        symbols: Symbols,
        indicators: Union[str, Iterable[str]],
        start: Optional[Moment] = None,
        end: Optional[Moment] = None,
        interval: str = "1d",
        adjustment: Optional[str] = None,
        *,
        latest: bool = False,
        session: Optional[str] = None,
        as_of: Optional[Moment] = None,
        wide: Optional[str] = None,
    ) -> Result:
        """Returns bars with a column for each line of each indicator, null while it warms up.

        Args:
            indicators: 1 to 20, with parameters behind colons, or expressions of screens over bars:
                ``["rsi:14", "bollinger:20:2", "sma(volume, 50)"]``. Columns have these names.
            start, end: Bound the rows. Indicators are computed over the whole history.
            interval: 1d, 1w or 1M; a server takes all intervals.
            latest: Only the newest row of each symbol.
            session: As for ``bars``; server only.
            as_of: As for ``bars``.
            wide: As for ``bars``: a column such as ``"rsi:14"``.
        """
        wanted = _series(symbols, start, end, interval, adjustment, as_of, session)
        names = listed("indicators", indicators)
        return shaped(self._indicators(wanted, names, latest), wide)

    def screen(
        self,
        where: Optional[str] = None,
        *,
        as_of: Optional[Moment] = None,
        columns: Union[str, Iterable[str]] = (),
        sort: Optional[str] = None,
        order: Optional[str] = None,
        limit: Optional[int] = None,
        start: Optional[Moment] = None,
        end: Optional[Moment] = None,
        begins: bool = False,
        current_fields: bool = False,
        **filters: Filter,
    ) -> Result:
        """Returns the symbols that match, all of them or the first ``limit``.

        With ``start`` or ``end``, a row for each symbol and day on which ``where`` is true as of
        that day, by day and symbol: ``symbol``, ``date`` and ``columns``.

        Args:
            where: An expression: ``"rsi(14) < 30 and close > sma(200)"`` (docs/screens.md).
            as_of: Screens as of the close of that day.
            columns: Further expressions to return.
            sort, order: A field or expression, and asc or desc. Default: market_cap, desc.
            start, end: Bound the days of rows over days, both inclusive.
            begins: Over days, only those on which ``where`` begins to be true.
            current_fields: Over days, allows fields that are known as of today alone.
            filters: Those of the screener, by name: ``market_cap_min=1e9, sector=["Energy"]``.
        """
        names = listed("columns", columns)
        day = None if as_of is None else day_of("as_of", as_of)
        wanted = Screen(
            where,
            day,
            names,
            sort,
            order,
            checked_limit(limit),
            None if start is None else day_of("start", start),
            None if end is None else day_of("end", end),
            begins,
            current_fields,
            filters,
        )
        return self._screen(wanted)

    def study(
        self,
        where: Optional[str] = None,
        *,
        screen: Optional[str] = None,
        factor: Optional[str] = None,
        mode: Optional[str] = None,
        entry: Optional[str] = None,
        horizons: Union[int, Iterable[int], None] = None,
        start: Optional[Moment] = None,
        end: Optional[Moment] = None,
        universe: Optional[str] = None,
        by: Optional[str] = None,
        current_fields: bool = False,
        **values: Values,
    ) -> Study:
        """Returns what followed on the days on which a condition was true (docs/study.md).

        Args:
            where: An expression; ``$n`` in it stands for values of a keyword ``n``.
            screen: Id of a saved screen, whose condition stands in place of ``where``.
            factor: A number in place of ``where``, for ``.summary`` and ``.deciles``.
            mode: begins (default) or matches.
            entry: next_open (default) or next_close.
            horizons: Sessions until the exit. Default: 1, 5, 20 and 60.
            start, end: Bound the days of signals, both inclusive.
            universe: A condition as of each day.
            by: Groups of ``.groups``: year (default), month, none or a field.
            current_fields: Allows fields that are known as of today alone.
            values: Values of ``$`` parameters: ``n=range(2, 21, 2)`` or ``n="2..20:2"``.
        """
        some = [horizons] if isinstance(horizons, int) else horizons
        wanted = StudyWanted(
            where,
            screen,
            factor,
            mode,
            entry,
            None if some is None else ",".join(str(one) for one in some),
            None if start is None else day_of("start", start),
            None if end is None else day_of("end", end),
            universe,
            by,
            current_fields,
            values_texts(values),
        )
        return Study(self, wanted)

    @abstractmethod
    def quotes(self, symbols: Symbols, *, as_of: Optional[Moment] = None) -> Result:
        """Returns the newest session against the one before.

        Args:
            as_of: As for ``bars``.

        Symbols without bars, or unknown ones, have no row and are in ``not_found``.
        """

    def statements(
        self, symbols: Symbols, period: str = "annual", *, as_of: Optional[Moment] = None
    ) -> Result:
        """Returns income statements, newest first for each symbol.

        Args:
            symbols: The column ``symbol`` has them as given, in the canonical spelling.
            period: annual, quarterly, semiannual or ttm.
            as_of: What was known at the end of that day in New York.
        """
        return self.fundamentals("statements", symbols, period, as_of=as_of)

    def balance_sheets(
        self, symbols: Symbols, period: str = "annual", *, as_of: Optional[Moment] = None
    ) -> Result:
        """Returns balance sheets, as ``statements`` does."""
        return self.fundamentals("balance-sheet", symbols, period, as_of=as_of)

    def fundamentals(
        self,
        statement: str,
        symbols: Symbols,
        period: str = "annual",
        *,
        as_of: Optional[Moment] = None,
    ) -> Result:
        """Returns any statement by the name of its dataset, as ``statements`` does."""
        chosen("statement", statement, tuple(FIGURES))
        chosen("period", period, PERIODS)
        day = None if as_of is None else day_of("as_of", as_of)
        return self._fundamentals(statement, named_symbols(symbols), period, day)

    def filings(
        self, symbols: Symbols, start: Optional[Moment] = None, end: Optional[Moment] = None
    ) -> Result:
        """Returns the filings that statements were read from, newest first for each symbol.

        Args:
            start, end: Bounds of ``filedAt``, both inclusive.
        """
        return self._filings(named_symbols(symbols), span(start, end))

    def insider(
        self,
        symbols: Symbols,
        start: Optional[Moment] = None,
        end: Optional[Moment] = None,
        *,
        types: Union[str, Iterable[str], None] = None,
    ) -> Result:
        """Returns insider transactions, newest filing first for each symbol.

        Args:
            start, end: Bounds of ``filedAt``, both inclusive.
            types: buy, sell, award, exercise, conversion, tax, gift, return, other.
        """
        names = listed_choices("types", types, TRANSACTION_TYPES)
        return self._insider(named_symbols(symbols), span(start, end), names)

    def news(
        self,
        symbols: Symbols = "*",
        start: Optional[Moment] = None,
        end: Optional[Moment] = None,
        *,
        sentiment: Union[str, Iterable[str], None] = None,
        source: Union[str, Iterable[str], None] = None,
        limit: Optional[int] = None,
    ) -> Result:
        """Returns articles about any of the symbols, newest first.

        Args:
            symbols: At most 100; ``"*"``: all articles.
            start, end: Bounds of ``publishedAt``, both inclusive.
            sentiment: positive, neutral, negative.
            source: Names of sources; case does not matter.
            limit: Only the newest so many.
        """
        tones = listed_choices("sentiment", sentiment, SENTIMENTS)
        sources = listed("source", source)
        most = checked_limit(limit)
        return self._news(named_symbols(symbols), span(start, end), tones, sources, most)

    @abstractmethod
    def universes(self) -> Result:
        """Returns the universes: name, title, members (of the newest day), from, to."""

    def members(self, universe: str, *, as_of: Optional[Moment] = None) -> Result:
        """Returns the members of a universe as of a day: symbol, companyName, from, to.

        Args:
            universe: A name of ``universes``: ``sp500``.
            as_of: The day, with the tickers of then. Default: that of the newest bar.
        """
        name = universe.removeprefix("@").lower()
        return self._members(name, None if as_of is None else day_of("as_of", as_of))

    def symbols(
        self,
        search: Optional[str] = None,
        *,
        exchange: Union[str, Iterable[str], None] = None,
        type: Union[str, Iterable[str], None] = None,
        active: Optional[bool] = None,
    ) -> Result:
        """Returns all symbols that any source names, ascending, with or without bars.

        Args:
            search: Start of a ticker, a whole former ticker, or words of the company's name.
            exchange, type: ``NYSE``; ``stock``, ``etf``, … One match is enough.
            active: True: not delisted, with bars of the last week. False: the others.
        """
        exchanges = listed_choices("exchange", exchange, EXCHANGES)
        types = listed_choices("type", type, SECURITY_TYPES)
        return self._symbols(search, exchanges, types, active)

    @abstractmethod
    def actions(self, symbols: Symbols) -> Result:
        """Returns splits and dividends, newest first for each symbol; ``"*"``: of all."""

    @abstractmethod
    def factors(self, symbols: Symbols) -> Result:
        """Returns dated factors, oldest first for each symbol; ``"*"``: of all.

        Returns:
            symbol, date (the first day of the factors), splitFactor, dividendFactor, factor: what
            a price as traded is multiplied by; null where it is not known.
        """

    def backfill(
        self,
        symbols: Symbols,
        source: str = "any",
        dataset: Optional[str] = None,
        start: Optional[Moment] = None,
        end: Optional[Moment] = None,
        *,
        accept: bool = False,
        wait: bool = True,
    ) -> dict[str, Any]:
        """Loads what is missing of 1 to 100 symbols into the server's live data.

        Args:
            source: A vendor; ``any`` is the first configured one that has the symbol.
            dataset: candles, or another one of the source.
            start, end: First and last day. Default: all that is missing.
            accept: Loads data that a sanity check would hold.
            wait: False returns at once. True shows the progress and raises if nothing was loaded.

        Returns:
            id, state and, once it has ended, result.
        """
        order = {
            "source": source,
            "dataset": dataset,
            "symbols": named_symbols(symbols),
            "from": moment_text("start", start),
            "to": moment_text("end", end),
            "accept": accept or None,
        }
        given = {name: value for name, value in order.items() if value is not None}
        return self._backfill(given, wait)

    def stream(
        self,
        events: Union[str, Iterable[str]],
        symbols: Symbols = "*",
        *,
        screens: Union[str, Iterable[str], None] = None,
    ) -> Iterator[dict[str, Any]]:
        """Yields events as they are published, until the caller stops; reconnects by itself.

        Args:
            events: Types, as webhooks have them: ``data.ready``, ``quote.updated``, …
            symbols: Only events about these.
            screens: Ids of saved screens, for ``screener.matched``.
        """
        ids = listed("screens", screens)
        return self._stream(listed("events", events), named_symbols(symbols), ids)

    @abstractmethod
    def _bars(self, wanted: Series) -> pa.Table: ...

    @abstractmethod
    def _indicators(self, wanted: Series, indicators: list[str], latest: bool) -> pa.Table: ...

    @abstractmethod
    def _screen(self, wanted: Screen) -> Result: ...

    @abstractmethod
    def _study_document(self, wanted: StudyWanted) -> Mapping[str, Any]: ...

    @abstractmethod
    def _study_table(self, wanted: StudyWanted, rows: str) -> pa.Table: ...

    @abstractmethod
    def _fundamentals(
        self, dataset: str, names: Names, period: str, as_of: Optional[date]
    ) -> Result: ...

    @abstractmethod
    def _filings(self, names: Names, days: Span) -> Result: ...

    @abstractmethod
    def _insider(self, names: Names, days: Span, types: list[str]) -> Result: ...

    @abstractmethod
    def _news(
        self, names: Names, days: Span, tones: list[str], sources: list[str], limit: Optional[int]
    ) -> Result: ...

    @abstractmethod
    def _symbols(
        self,
        search: Optional[str],
        exchanges: list[str],
        types: list[str],
        active: Optional[bool],
    ) -> Result: ...

    @abstractmethod
    def _members(self, universe: str, as_of: Optional[date]) -> Result: ...

    @abstractmethod
    def _backfill(self, order: dict[str, Any], wait: bool) -> dict[str, Any]: ...

    @abstractmethod
    def _stream(
        self, events: list[str], names: Names, screens: list[str]
    ) -> Iterator[dict[str, Any]]: ...


def span(start: Optional[Moment], end: Optional[Moment]) -> Span:
    """Returns both bounds. Raises if one is not a moment, or they are in the wrong order."""
    first, last = checked_moment("start", start), checked_moment("end", end)
    return Span(first, last, window_micros(first, last))


def _series(
    symbols: Symbols,
    start: Optional[Moment],
    end: Optional[Moment],
    interval: str,
    adjustment: Optional[str],
    as_of: Optional[Moment],
    session: Optional[str],
) -> Series:
    chosen("interval", interval, INTERVALS)
    if adjustment is not None:
        chosen("adjustment", adjustment, BASES)
    if session is not None:
        chosen("session", session, SESSIONS)
        if session != "regular" and interval in ("1d", "1w", "1M"):
            raise InvalidRequestError(
                f"session must be regular for {interval}, whose bars are of the regular session, "
                f'got "{session}"'
            )
    is_universe = isinstance(symbols, str) and symbols.startswith("@")
    names = [str(symbols).lower()] if is_universe else named_symbols(symbols)
    return Series(names, span(start, end), interval, adjustment, as_of, session)


def universe_of(names: Names) -> Optional[str]:
    """Returns the name of a universe that stands for symbols, as in ``"@sp500"``."""
    return names[0][1:] if names and names[0].startswith("@") else None


def named_symbols(symbols: Symbols) -> Names:
    """Returns canonical symbols, each once; None for ``"*"``."""
    if isinstance(symbols, str) and symbols == "*":
        return None
    texts = listed("symbols", symbols)
    names = list(dict.fromkeys(canonical_symbol(text) for text in texts))
    if not names:
        raise InvalidRequestError('symbols must be at least one symbol, or "*"')
    return names


def with_symbol(table: pa.Table, symbol: str) -> pa.Table:
    """Puts a column with one symbol first."""
    column = pa.repeat(pa.scalar(symbol), table.num_rows)
    return table.add_column(0, pa.field("symbol", pa.string(), nullable=False), column)
