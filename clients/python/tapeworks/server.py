"""A Tapeworks server as one key sees it."""

from __future__ import annotations

import json
import os
import re
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import date
from http.client import HTTPException, HTTPResponse
from numbers import Number
from typing import Any, Callable, Optional, Union

import pyarrow as pa

from .arguments import checked_limit, listed
from .errors import (
    AuthenticationError,
    BackfillError,
    IncompleteError,
    InvalidRequestError,
    UnreachableError,
    error_from_response,
)
from .events import events_of
from .market import (
    Filter,
    Market,
    Names,
    Screen,
    Series,
    Span,
    Symbols,
    named_symbols,
    with_symbol,
)
from .moments import Moment, moment_text
from .progress import Progress, say
from .result import Result
from .study import StudyWanted
from .upload import name_and_bytes

_ARROW = "application/vnd.apache.arrow.stream"
_ARROW_END = b"\xff\xff\xff\xff\0\0\0\0"
_BULK_SYMBOLS_MAX = 2000
_QUOTES_MAX = 100
_SCREEN_PAGE = 200
_LIST_PAGE = 100
_POLL_S = 0.5
_DAILY = ("1d", "1w", "1M")

_WARNINGS = {
    "X-SVC-Adjusted": "prices have later splits or dividends in them, since no others are stored: {}",
    "X-SVC-Null": "nothing matches because no symbol has a value of {}",
    "X-SVC-As-Of": "rows show the session of {}",
    "X-SVC-Snapshot-Changed": "a publish came between the pages, so later rows are newer",
}
"""What headers say about rows, for the reader of a result."""
_TOLD = ("X-SVC-Not-Found", *_WARNINGS)

Value = Union[Filter, bool]


class Server(Market):
    """Keeps nothing between requests, so threads may share it."""

    def __init__(
        self,
        url: Optional[str] = None,
        api_key: Optional[str] = None,
        *,
        timeout_s: float = 60,
        retries: int = 4,
        wait_max_s: float = 120,
        progress: Optional[bool] = None,
        sleep: Callable[[float], object] = time.sleep,
    ) -> None:
        """
        Args:
            url: Address of the server, without ``/v1``. Default: the environment's
                ``TAPEWORKS_URL``, else ``http://127.0.0.1:8787``.
            api_key: Default: the environment's ``TAPEWORKS_API_KEY``.
            timeout_s: For the connection and for each wait for bytes, not for a whole response.
            retries: Repeats of a request that was refused with 429 or 503.
            wait_max_s: A longer ``Retry-After`` (the day's tokens are used up) raises at once.
            progress: Shows a bar on stderr. Default: if that is a terminal.
            sleep: Waits between tries.
        """
        # A file that holds a key often ends in a newline.
        key = (api_key or os.environ.get("TAPEWORKS_API_KEY") or "").strip()
        if not key:
            raise AuthenticationError(
                "api_key is missing: pass it or set TAPEWORKS_API_KEY "
                "(tapeworks keys create makes one; tapeworks.open reads the files without)"
            )
        if not (key.isascii() and key.isprintable()):
            raise AuthenticationError("api_key must be one line of ASCII characters")
        base = (url or os.environ.get("TAPEWORKS_URL") or "http://127.0.0.1:8787").strip()
        if not base.lower().startswith(("http://", "https://")):
            raise InvalidRequestError(f'url must begin with http:// or https://, got "{base}"')
        # Addresses of the API's pages end in it.
        self.url = re.sub(r"/+(v1/*)?$", "", base)
        self._key = key
        self._timeout_s = timeout_s
        self._retries = retries
        self._wait_max_s = wait_max_s
        self._progress = progress
        self._sleep = sleep

    def _bars(self, wanted: Series) -> pa.Table:
        return self._bulk("/svc/candles", "bars", wanted.names, _series_query(wanted))

    def _indicators(self, wanted: Series, indicators: list[str], latest: bool) -> pa.Table:
        query = {**_series_query(wanted), "indicators": indicators}
        names = wanted.names
        if wanted.interval in _DAILY or names is None:
            query["latest"] = latest
            return self._bulk("/svc/technical", "indicators", names, query)
        query["limit"] = 1 if latest and wanted.days.start is None else "all"
        tables = [
            with_symbol(self.table(f"/svc/technical/{_quoted(name)}", query), name)
            for name in self._counted("indicators", names)
        ]
        if latest:
            tables = [table.slice(max(0, table.num_rows - 1)) for table in tables]
        return Result(pa.concat_tables(tables)).arrow()

    def _screen(self, wanted: Screen) -> Result:
        query: dict[str, Value] = {**wanted._asdict(), **wanted.filters}
        del query["filters"], query["limit"]
        query["from"], query["to"] = query.pop("start"), query.pop("end")
        for name in ("begins", "current_fields"):
            query[name] = "true" if query[name] else None
        return self._listed("/svc/screener", query, _SCREEN_PAGE, wanted.limit)

    def _study_document(self, wanted: StudyWanted) -> Mapping[str, Any]:
        answer: Mapping[str, Any] = self.request("GET", "/svc/study", _study_query(wanted))
        return answer

    def _study_table(self, wanted: StudyWanted, rows: str) -> pa.Table:
        return self.table("/svc/study", {**_study_query(wanted), "rows": rows})

    def screen_rows(
        self, id: str, *, as_of: Optional[Moment] = None, limit: Optional[int] = None
    ) -> Result:
        """Returns the symbols that match a saved screen, as ``screen`` does."""
        path = f"/svc/screens/{_quoted(id)}/rows"
        return self._listed(path, {"as_of": as_of}, _SCREEN_PAGE, checked_limit(limit))

    def save_screen(self, name: str, where: Optional[str] = None, **parameters: Filter) -> str:
        """Saves a screen and returns its id, for ``screen_rows`` and for webhooks.

        Args:
            parameters: As of ``screen``, without ``as_of`` and ``limit``.
        """
        query = _query({"where": where, **parameters})[1:]
        saved = self.request("POST", "/svc/screens", body={"name": name, "query": query})
        return str(saved["id"])

    def quotes(self, symbols: Symbols, *, as_of: Optional[Moment] = None) -> Result:
        wanted = named_symbols(symbols)
        names = self._every(wanted)
        tables: list[pa.Table] = []
        missing: list[str] = []
        for first in self._counted("quotes", range(0, len(names), _QUOTES_MAX)):
            batch = names[first : first + _QUOTES_MAX]
            query: dict[str, Value] = {"symbols": batch, "as_of": as_of}
            with self._open("GET", "/svc/quotes/batch", query) as response:
                tables.append(_table(response))
                missing += listed("symbols", response.headers.get("X-SVC-Not-Found"))
        return Result(pa.concat_tables(tables), () if wanted is None else tuple(missing))

    def _filings(self, names: Names, days: Span) -> Result:
        return self._of_each("filings", names, "/svc/filings/{}", _span_query(days))

    def _insider(self, names: Names, days: Span, types: list[str]) -> Result:
        query = {**_span_query(days), "transaction_type": types}
        return self._of_each("insider", names, "/svc/insider/{}", query)

    def _news(
        self, names: Names, days: Span, tones: list[str], sources: list[str], limit: Optional[int]
    ) -> Result:
        query: dict[str, Value] = {"symbols": names, **_span_query(days)}
        query.update(sentiment=tones, source=sources)
        return self._listed("/svc/news", query, _LIST_PAGE, limit)

    def _symbols(
        self,
        search: Optional[str],
        exchanges: list[str],
        types: list[str],
        active: Optional[bool],
    ) -> Result:
        query = {"search": search, "exchange": exchanges, "type": types, "active": active}
        return self._listed("/svc/symbols", query, _LIST_PAGE)

    def universes(self) -> Result:
        return Result(self.table("/svc/universes"))

    def _members(self, universe: str, as_of: Optional[date]) -> Result:
        return Result(self.table(f"/svc/universes/{_quoted(universe)}", {"as_of": as_of}))

    def actions(self, symbols: Symbols) -> Result:
        return self._of_each("actions", named_symbols(symbols), "/svc/corporate-actions/{}", None)

    def factors(self, symbols: Symbols) -> Result:
        tables = [
            with_symbol(self.table(f"/svc/factors/{_quoted(name)}"), name)
            for name in self._counted("factors", self._every(named_symbols(symbols)))
        ]
        return Result(pa.concat_tables(tables))

    def _backfill(self, order: dict[str, Any], wait: bool) -> dict[str, Any]:
        load = self.request("POST", "/svc/backfills", body=order)
        return self._ended(load, order["source"]) if wait else load

    def backfill_file(
        self,
        path: Union[str, os.PathLike[str]],
        dataset: str = "candles",
        *,
        wait: bool = True,
        **parameters: Value,
    ) -> dict[str, Any]:
        """Uploads a file and loads it, as ``backfill`` does with symbols.

        A folder is uploaded as a zip, and so is a file below folders such as ``symbol=AAPL``.

        Args:
            parameters: ``symbol``, ``interval``, ``zone``, ``accept`` and others of the API.
        """
        name, body = name_and_bytes(os.fspath(path))
        given = {"name": name, "dataset": dataset, **parameters}
        load = self.request("POST", "/svc/backfills/files", given, body)
        return self._ended(load, name) if wait else load

    def _ended(self, load: dict[str, Any], name: str) -> dict[str, Any]:
        """Waits for the end of a backfill. Raises BackfillError if nothing was loaded."""
        path = f"/svc/backfills/{_quoted(load['id'])}"
        with Progress(f"backfill {name}", self._progress) as bar:
            while load["state"] in ("waiting", "running"):
                self._sleep(_POLL_S)
                load = self.request("GET", path)
                done = load.get("progress") or {}
                note = load.get("waitsFor") or done.get("step") or load["state"]
                bar.update(done.get("done") or 0, done.get("total") or 0, str(note))
        if load["state"] != "done":
            raise BackfillError(str(load.get("error") or f"the backfill is {load['state']}"))
        return load

    def _stream(
        self, events: list[str], names: Names, screens: list[str]
    ) -> Iterator[dict[str, Any]]:
        query: dict[str, Value] = {"events": events, "symbols": names, "screens": screens}

        def opened(last_id: Optional[str]) -> Any:
            seen = {} if last_id is None else {"Last-Event-ID": last_id}
            return self._open("GET", "/svc/stream", query, "text/event-stream", headers=seen)

        return events_of(opened, self._sleep)

    def table(self, path: str, parameters: Optional[Mapping[str, Value]] = None) -> pa.Table:
        """Returns the response of any path that has Arrow, such as ``/svc/files``; of a list, a page."""
        with self._open("GET", path, parameters or {}) as response:
            return Result(_table(response)).arrow()

    def rows(self, path: str, parameters: Optional[Mapping[str, Value]] = None) -> Iterator[Any]:
        """Yields the rows of any list over all its pages, as JSON has them."""
        query = dict(parameters or {})
        while True:
            page = self.request("GET", path, query)
            yield from page["data"]
            if page.get("cursor") is None:
                return
            query["cursor"] = page["cursor"]

    def request(
        self,
        method: str,
        path: str,
        parameters: Optional[Mapping[str, Value]] = None,
        body: Any = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> Any:
        """Returns the response of any path as parsed JSON; None if it has no body.

        Args:
            body: Sent as JSON, bytes as they are; None: no body.
            headers: Further ones, such as ``Idempotency-Key``.
        """
        sent = self._open(method, path, parameters or {}, "application/json", body, headers)
        with sent as response, _whole_response():
            content = response.read()
        return json.loads(content) if content else None

    def _bulk(
        self,
        path: str,
        what: str,
        names: Optional[list[str]],
        query: Mapping[str, Value],
    ) -> pa.Table:
        if names is None:
            return self._streamed(path, what, {**query, "symbols": "*"})
        groups = range(0, len(names), _BULK_SYMBOLS_MAX)
        tables = [
            self._streamed(path, what, {**query, "symbols": names[i : i + _BULK_SYMBOLS_MAX]})
            for i in groups
        ]
        return tables[0] if len(tables) == 1 else pa.concat_tables(tables).unify_dictionaries()

    def _streamed(self, path: str, what: str, query: Mapping[str, Value]) -> pa.Table:
        """Reads a bulk response while it arrives; its batches tell how far it is."""
        with self._open("GET", path, query) as response, _whole_response():
            with Progress(what, self._progress) as bar:
                stream = _Stream(response)
                reader = pa.ipc.open_stream(stream)
                batches, rows = [], 0
                for batch in reader:
                    batches.append(batch)
                    rows += batch.num_rows
                    symbols = batch.column(0)
                    if len(symbols):
                        done = symbols.indices[-1].as_py() + 1
                        bar.update(done, len(symbols.dictionary), f"symbols, {rows:,} rows,")
                return stream.whole(pa.Table.from_batches(batches, reader.schema))

    def _fundamentals(
        self, dataset: str, names: Names, period: str, as_of: Optional[date]
    ) -> Result:
        query = {"period": period, "as_of": as_of, "limit": _LIST_PAGE}
        tables = [
            with_symbol(self.table(f"/svc/fundamentals/{_quoted(name)}/{dataset}", query), name)
            for name in self._counted(dataset, self._every(names))
        ]
        return Result(pa.concat_tables(tables))

    def _of_each(
        self, what: str, names: Names, path: str, query: Optional[Mapping[str, Value]]
    ) -> Result:
        """Joins the lists of symbols; without a query the response is no list of pages."""
        tables: list[pa.Table] = []
        for name in self._counted(what, self._every(names)):
            own = path.format(_quoted(name))
            tables += [self.table(own)] if query is None else self._pages(own, query, _LIST_PAGE)
        return Result(pa.concat_tables(tables))

    def _every(self, names: Names) -> list[str]:
        """Returns the names; all symbols for None."""
        return self.symbols().arrow()["symbol"].to_pylist() if names is None else names

    def _listed(
        self, path: str, query: Mapping[str, Value], page: int, limit: Optional[int] = None
    ) -> Result:
        tables, rows = [], 0
        told: dict[str, list[str]] = {}
        for table in self._pages(path, query, page if limit is None else min(page, limit), told):
            tables.append(table)
            rows += table.num_rows
            if limit is not None and rows >= limit:
                break
        return Result(
            pa.concat_tables(tables).slice(0, limit),
            list(dict.fromkeys(told.pop("X-SVC-Not-Found", []))),
            [_WARNINGS[name].format(", ".join(dict.fromkeys(told[name]))) for name in told],
        )

    def _pages(
        self,
        path: str,
        query: Mapping[str, Value],
        size: int,
        told: Optional[dict[str, list[str]]] = None,
    ) -> Iterator[pa.Table]:
        """Yields all pages, and adds what their headers say to ``told``."""
        sent: dict[str, Value] = {**query, "limit": size}
        rows = 0
        with Progress(path.rsplit("/", 1)[-1], self._progress) as bar:
            while True:
                with self._open("GET", path, sent) as response:
                    table = _table(response)
                    cursor = response.headers.get("X-SVC-Next-Cursor")
                    total = int(response.headers.get("X-SVC-Total-Count") or 0)
                    for name in _TOLD if told is not None else ():
                        texts = listed(name, response.headers.get(name))
                        if texts and told is not None:
                            told.setdefault(name, []).extend(texts)
                rows += table.num_rows
                bar.update(rows, total, "rows,")
                yield table
                if cursor is None:
                    return
                sent["cursor"] = cursor

    def _counted(self, what: str, items: Iterable[Any]) -> Iterator[Any]:
        every = list(items)
        with Progress(what, self._progress) as bar:
            for done, item in enumerate(every):
                bar.update(done, len(every), "requests,")
                yield item

    def _open(
        self,
        method: str,
        path: str,
        parameters: Mapping[str, Value],
        accept: str = _ARROW,
        body: Any = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> HTTPResponse:
        """Sends a request until it is not refused for now. The caller closes the response."""
        if not path.startswith("/") or path.startswith("/v1/"):
            name = re.sub("^/?(v1/)?(svc/)?", "", path)
            raise InvalidRequestError(
                f'path must be that of the API behind /v1, such as "/svc/{name}", got "{path}"'
            )
        url = self.url + "/v1" + path + _query(parameters)
        sent = {"X-API-Key": self._key, "Accept": accept, **(headers or {})}
        data = None
        if isinstance(body, bytes):
            data = body
            sent["Content-Type"] = "application/octet-stream"
        elif body is not None:
            data = json.dumps(body).encode()
            sent["Content-Type"] = "application/json"
        request = urllib.request.Request(url, data=data, headers=sent, method=method)
        for tries_left in range(self._retries, -1, -1):
            try:
                response: HTTPResponse = urllib.request.urlopen(request, timeout=self._timeout_s)
                return response
            except urllib.error.HTTPError as refused:
                with refused:
                    error = error_from_response(refused.code, refused.read(), _retry_after(refused))
            except (urllib.error.URLError, HTTPException, OSError) as cause:
                reason = getattr(cause, "reason", cause)
                raise UnreachableError(f"no server responds at {self.url}: {reason}") from cause
            wait_s = 1 if error.retry_after_s is None else error.retry_after_s
            # Both were refused before anything was done, so any method may be repeated.
            is_passing = error.status in (429, 503) and wait_s <= self._wait_max_s
            if not is_passing or tries_left == 0:
                raise error
            say(f"waiting {wait_s} s: {error}")
            self._sleep(wait_s)
        raise AssertionError("the last try returns or raises")


@contextmanager
def _whole_response() -> Iterator[None]:
    """Names a response that ends too early."""
    try:
        yield
    except IncompleteError:
        raise
    except (HTTPException, pa.ArrowInvalid, OSError) as cause:
        raise IncompleteError(f"the response ended before its data did: {cause}") from cause


def _table(response: HTTPResponse) -> pa.Table:
    kind = response.headers.get("Content-Type") or ""
    if not kind.startswith(_ARROW):
        path = urllib.parse.urlsplit(response.url).path
        raise InvalidRequestError(f"{path} has no Arrow, but {kind}: read it with request or rows")
    with _whole_response():
        stream = _Stream(response)
        return stream.whole(pa.ipc.open_stream(stream).read_all())


class _Stream:
    """A response in Arrow, which remembers its last bytes: pyarrow takes a cut for the end."""

    closed = False

    def __init__(self, response: HTTPResponse) -> None:
        self._response = response
        self._last = b""

    def read(self, size: int = -1) -> bytes:
        piece = self._response.read(size)
        self._last = (self._last + piece[-len(_ARROW_END) :])[-len(_ARROW_END) :]
        return piece

    def whole(self, table: pa.Table) -> pa.Table:
        """Raises IncompleteError if the end, rows or bytes are missing."""
        rows = self._response.headers.get("X-SVC-Rows")
        lack = None
        if rows is not None and int(rows) != table.num_rows:
            lack = f"{table.num_rows} of {rows} rows arrived"
        elif self._response.length:
            lack = f"{self._response.length} bytes are missing"
        elif self._last != _ARROW_END:
            lack = f"{table.num_rows} rows arrived without the mark of the end"
        if lack is not None:
            raise IncompleteError(f"the response ended before its data did: {lack}")
        return table


def _span_query(days: Span) -> dict[str, Value]:
    return {"from": days.start, "to": days.end}


def _series_query(wanted: Series) -> dict[str, Value]:
    given: dict[str, Value] = {"interval": wanted.interval, "adjustment": wanted.adjustment}
    given["as_of"] = wanted.as_of
    given["session"] = wanted.session
    return {**given, **_span_query(wanted.days)}


def _retry_after(refused: urllib.error.HTTPError) -> Optional[int]:
    text = refused.headers.get("Retry-After") or ""
    return int(text) if text.isdigit() else None


def _text(name: str, value: Value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, date):
        return str(moment_text(name, value))
    if isinstance(value, (str, Number)):
        return str(value)
    return ",".join(listed(name, value))


def _query(parameters: Mapping[str, Value]) -> str:
    texts = {name: _text(name, value) for name, value in parameters.items() if value is not None}
    query = urllib.parse.urlencode({name: text for name, text in texts.items() if text != ""})
    return f"?{query}" if query else ""


def _quoted(segment: str) -> str:
    return urllib.parse.quote(segment, safe="")


def _study_query(wanted: StudyWanted) -> dict[str, Value]:
    query: dict[str, Value] = wanted._asdict()
    del query["values"], query["current_fields"]
    query["from"], query["to"] = query.pop("start"), query.pop("end")
    if wanted.current_fields:
        query["current_fields"] = "true"
    return {**query, **{f"${name}": text for name, text in wanted.values.items()}}
