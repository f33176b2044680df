"""Client of a Tapeworks server: candles, indicators, screens and lists as pyarrow tables.

One file over pyarrow and the standard library. Tables go on without a copy where the other side
allows it: ``polars.from_arrow(table)``, ``table.to_pandas()``.

    from tapeworks import Tapeworks

    server = Tapeworks("http://127.0.0.1:8787", api_key="svc_test_...")
    bars = server.candles(["QXIR", "QXOL.A"], start="2026-01-01")
    oversold = server.screener("rsi(14) < 30 and close > sma(200)")
"""

from __future__ import annotations

import json
import os
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime
from http.client import HTTPResponse
from typing import Any, Callable, Optional, Union

import pyarrow as pa

__all__ = ["ApiError", "Tapeworks"]
__version__ = "1.0.0"

Value = Union[str, int, float, bool, date, datetime, Iterable[str], None]
"""What a parameter may be: lists become comma lists, None is left out."""

_ARROW = "application/vnd.apache.arrow.stream"


class ApiError(Exception):
    """An answer that is an error; ``str()`` gives its message.

    Attributes:
        status: HTTP status.
        type: ``error.type`` as documented: ``invalid_request_error``, ``rate_limit_error``, ...
        request_id: What the server's log calls the request; None where something between answered.
        docs_url: A page about the type, or None.
        retry_after_s: Seconds after which the same request may pass; None where none was said.
    """

    def __init__(self, status: int, body: bytes, retry_after_s: Optional[int] = None) -> None:
        envelope = _parsed_object(body)
        error = envelope.get("error")
        error = error if isinstance(error, dict) else {}
        super().__init__(error.get("message") or f"HTTP status {status} without an explanation")
        self.status = status
        self.type: str = error.get("type") or "api_error"
        self.request_id: Optional[str] = envelope.get("request_id")
        self.docs_url: Optional[str] = error.get("docs_url")
        self.retry_after_s = retry_after_s


class Tapeworks:
    """A server, as one key sees it. Threads may share it: it keeps nothing between requests."""

    def __init__(
        self,
        base_url: Optional[str] = None,
        api_key: Optional[str] = None,
        *,
        timeout_s: float = 60,
        retries: int = 4,
        wait_max_s: float = 120,
        sleep: Callable[[float], object] = time.sleep,
    ) -> None:
        """
        Args:
            base_url: Where the server answers, without ``/v1``. Default: the environment's
                ``TAPEWORKS_URL``, else ``http://127.0.0.1:8787``.
            api_key: Default: the environment's ``TAPEWORKS_API_KEY``.
            timeout_s: For the connection and for each wait for bytes, not for a whole answer.
            retries: How often a request that was refused with 429 or 503 is repeated.
            wait_max_s: A longer ``Retry-After`` (a day's tokens are used up) raises at once.
            sleep: Waits between tries.
        """
        key = api_key or os.environ.get("TAPEWORKS_API_KEY")
        if not key:
            raise ValueError("api_key is missing: pass it or set TAPEWORKS_API_KEY")
        base = base_url or os.environ.get("TAPEWORKS_URL") or "http://127.0.0.1:8787"
        self._base = base.rstrip("/") + "/v1"
        self._key = key
        self._timeout_s = timeout_s
        self._retries = retries
        self._wait_max_s = wait_max_s
        self._sleep = sleep

    def candles(
        self,
        symbols: Union[str, Iterable[str]],
        *,
        interval: str = "1d",
        start: Value = None,
        end: Value = None,
        adjustment: Optional[str] = None,
    ) -> pa.Table:
        """Bars of many symbols, or of all with ``"*"``, read while they arrive.

        Args:
            symbols: One, several, or ``"*"``; unknown ones raise.
            interval: 1m, 5m, 15m, 1h, 4h, 1d, 1w or 1M.
            start, end: Bounds of the bars' timestamps, both inclusive; a date as ``end`` includes
                that day. Default: the whole history.
            adjustment: raw, split or all; default: split where it can be derived.

        Returns:
            symbol, timestamp, date (1d and longer), open, high, low, close, volume, adjustment;
            by symbol as asked, then ascending.
        """
        window = {"from": start, "to": end, "adjustment": adjustment}
        return self.table("/svc/candles", {"symbols": symbols, "interval": interval, **window})

    def technical(
        self,
        symbols: Union[str, Iterable[str]],
        indicators: Union[str, Iterable[str]] = (),
        *,
        interval: str = "1d",
        period: Optional[int] = None,
        start: Value = None,
        end: Value = None,
        limit: Union[int, str, None] = None,
        latest: bool = False,
        adjustment: Optional[str] = None,
    ) -> pa.Table:
        """Candles with indicators next to them, of one symbol, of several, or of all with ``"*"``.

        Args:
            symbols: One symbol as a text; several as a list, or ``"*"``. Unknown ones raise.
            indicators: ``sma``, ``rsi``, ``macd`` and others, with parameters behind colons:
                ``["sma:50", "bollinger:20:2"]``. Several symbols need at least one.
            interval: 1m, 5m, 15m, 1h, 4h, 1d, 1w or 1M; of several symbols 1d, 1w or 1M.
            period: Of indicators that name none. One symbol only.
            start, end: Bounds as for candles. Indicators use the whole history before them.
            limit: Number of bars, the latest without ``start``; default all. One symbol only.
            latest: Only the newest row of each symbol.

        Returns:
            Columns as for candles, without ``symbol`` and ``adjustment`` for one symbol, and one
            for each line of each indicator (``sma:50``, ``macd_signal``), null during its warm-up.
        """
        window = {"interval": interval, "from": start, "to": end, "adjustment": adjustment}
        asked = {"indicators": indicators, **window}
        if isinstance(symbols, str) and symbols != "*":
            bars = limit if limit is not None else 1 if latest else "all"
            path = f"/svc/technical/{_quoted(symbols)}"
            return self.table(path, {**asked, "period": period, "limit": bars})
        if period is not None or limit is not None:
            raise ValueError("period and limit are for one symbol: write sma:50, or use latest")
        return self.table("/svc/technical", {"symbols": symbols, "latest": latest, **asked})

    def screener(self, where: Optional[str] = None, **parameters: Value) -> pa.Table:
        """All symbols that match, over all pages.

        Args:
            where: An expression over bars and companies: ``"rsi(14) < 30 and close > sma(200)"``.
            parameters: As the API names them: ``columns="rsi(14)"``, ``as_of="2019-03-01"``,
                ``market_cap_min=1e9, sector=["Energy", "Utilities"], sort="pe_ratio"``.
        """
        return self._all_rows("/svc/screener", {"where": where, **parameters})

    def explain(self, where: str, symbols: Value, **parameters: Value) -> list[dict]:
        """Why symbols match an expression, or do not: each condition with its result and values."""
        asked = {"where": where, "symbols": symbols, "explain": True, "limit": 200, **parameters}
        return list(self.rows("/svc/screener", asked))

    def save_screen(self, name: str, where: Optional[str] = None, **parameters: Value) -> dict:
        """Saves a screen under a name: ``id, name, query, createdAt``.

        Args:
            parameters: As of ``screener``, without those that only shape a response.
        """
        query = _query({"where": where, **parameters})[1:]
        return self.request("POST", "/svc/screens", body={"name": name, "query": query})

    def screens(self) -> list[dict]:
        """The saved screens of the account, newest first."""
        return list(self.rows("/svc/screens", {"limit": 100}))

    def screen_rows(self, screen_id: str, **parameters: Value) -> pa.Table:
        """All symbols that match a saved screen; ``as_of`` may be given on top."""
        return self._all_rows(f"/svc/screens/{_quoted(screen_id)}/rows", parameters)

    def delete_screen(self, screen_id: str) -> None:
        """Deletes a saved screen; webhooks that were created with it keep its query."""
        self.request("DELETE", f"/svc/screens/{_quoted(screen_id)}")

    def _all_rows(self, path: str, parameters: Mapping[str, Value]) -> pa.Table:
        return pa.concat_tables(self.pages(path, {"limit": 200, **parameters}))

    def pages(self, path: str, parameters: Optional[Mapping[str, Value]] = None) -> Iterator[pa.Table]:
        """The pages of a list of market data, one table each; at least one, which may be empty.

        Args:
            path: As documented, under ``/v1``: ``/svc/news/QXIR``.
        """
        asked = {"limit": 100, **(parameters or {})}
        while True:
            with self._open("GET", path, asked, _ARROW) as response:
                yield pa.ipc.open_stream(response).read_all()
                cursor = response.headers.get("X-SVC-Next-Cursor")
            if cursor is None:
                return
            asked["cursor"] = cursor

    def rows(self, path: str, parameters: Optional[Mapping[str, Value]] = None) -> Iterator[dict]:
        """The rows of any list, over all its pages, as JSON has them: keys and webhooks too."""
        asked = dict(parameters or {})
        while True:
            page = self.request("GET", path, asked)
            yield from page["data"]
            if page.get("cursor") is None:
                return
            asked["cursor"] = page["cursor"]

    def table(self, path: str, parameters: Optional[Mapping[str, Value]] = None) -> pa.Table:
        """The answer of any path that gives Arrow; of a list, one page."""
        with self._open("GET", path, parameters or {}, _ARROW) as response:
            return pa.ipc.open_stream(response).read_all()

    def request(
        self,
        method: str,
        path: str,
        parameters: Optional[Mapping[str, Value]] = None,
        body: Any = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> Any:
        """The answer of any path as parsed JSON; None where it has no body.

        Args:
            body: What becomes JSON; None: no body.
            headers: Further ones, as ``Idempotency-Key``.

        Raises:
            ApiError: The answer is an error.
            urllib.error.URLError: There was no answer.
        """
        answer = self._open(method, path, parameters or {}, "application/json", body, headers)
        with answer as response:
            content = response.read()
        return json.loads(content) if content else None

    def _open(
        self,
        method: str,
        path: str,
        parameters: Mapping[str, Value],
        accept: str,
        body: Any = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> HTTPResponse:
        """Sends a request until it is not refused for now; the caller closes what it gives."""
        url = self._base + path + _query(parameters)
        sent = {"X-API-Key": self._key, "Accept": accept, **(headers or {})}
        data = None
        if body is not None:
            data = json.dumps(body).encode()
            sent["Content-Type"] = "application/json"
        request = urllib.request.Request(url, data=data, headers=sent, method=method)
        for tries_left in range(self._retries, -1, -1):
            try:
                return urllib.request.urlopen(request, timeout=self._timeout_s)
            except urllib.error.HTTPError as answer:
                with answer:
                    error = ApiError(answer.code, answer.read(), _retry_after_s(answer))
            wait_s = 1 if error.retry_after_s is None else error.retry_after_s
            # Both were refused before anything was done, so any method may be repeated.
            if error.status not in (429, 503) or tries_left == 0 or wait_s > self._wait_max_s:
                raise error
            self._sleep(wait_s)
        raise AssertionError("the last try returns or raises")


def _retry_after_s(answer: urllib.error.HTTPError) -> Optional[int]:
    text = answer.headers.get("Retry-After", "")
    return int(text) if text.isdigit() else None


def _parsed_object(body: bytes) -> dict:
    try:
        parsed = json.loads(body)
    except ValueError:
        return {}
    return parsed if isinstance(parsed, dict) else {}


def _text(value: Value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        if value.tzinfo is None:
            raise ValueError(f"a date-time needs its zone, got {value!r}")
        return value.isoformat()
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, (str, int, float)):
        return str(value)
    return ",".join(value or ())


def _query(parameters: Mapping[str, Value]) -> str:
    texts = {name: _text(value) for name, value in parameters.items() if value is not None}
    query = urllib.parse.urlencode({name: text for name, text in texts.items() if text != ""})
    return f"?{query}" if query else ""


def _quoted(segment: str) -> str:
    return urllib.parse.quote(segment, safe="")
