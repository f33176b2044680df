"""Server-sent events: parsed, and followed over breaks of the connection."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from http.client import HTTPException
from typing import Any, Callable, Optional

from .errors import OverloadedError, UnreachableError

_WAIT_FIRST_S = 1.0
_WAIT_MAX_S = 30.0


def events_of(
    opened: Callable[[Optional[str]], Any], sleep: Callable[[float], object]
) -> Iterator[dict[str, Any]]:
    """Yields events; after a break, the next connection continues behind the last one.

    Args:
        opened: Opens a connection that continues behind an event's id.
    """
    last_id: Optional[str] = None
    wait_s = _WAIT_FIRST_S
    while True:
        try:
            with opened(last_id) as response:
                for event_id, event in parsed_events(response):
                    wait_s = _WAIT_FIRST_S
                    last_id = event_id or last_id
                    if event is not None:
                        yield event
        except (UnreachableError, OverloadedError, HTTPException, OSError):
            pass
        sleep(wait_s)
        wait_s = min(2 * wait_s, _WAIT_MAX_S)


def parsed_events(
    lines: Iterable[bytes],
) -> Iterator[tuple[Optional[str], Optional[dict[str, Any]]]]:
    """Parses the lines of a stream to positions with their events; some have a position alone."""
    event_id: Optional[str] = None
    data: Optional[str] = None
    for line in lines:
        name, _, value = line.decode().rstrip("\r\n").partition(": ")
        if name == "id":
            event_id = value
        elif name == "data":
            data = value
        elif name == "" and (event_id, data) != (None, None):
            yield event_id, None if data is None else json.loads(data)
            event_id, data = None, None
