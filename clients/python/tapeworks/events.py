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
                for event in parsed_events(response):
                    wait_s = _WAIT_FIRST_S
                    last_id = event.pop("_id", last_id)
                    yield event
        except (UnreachableError, OverloadedError, HTTPException, OSError):
            pass
        sleep(wait_s)
        wait_s = min(2 * wait_s, _WAIT_MAX_S)


def parsed_events(lines: Iterable[bytes]) -> Iterator[dict[str, Any]]:
    """Parses the lines of a stream; comments, which keep it alive, are left out."""
    fields: dict[str, str] = {}
    for line in lines:
        text = line.decode().rstrip("\r\n")
        if text == "":
            if "data" in fields:
                yield _event(fields)
            fields = {}
            continue
        name, _, value = text.partition(":")
        value = value[1:] if value.startswith(" ") else value
        if name == "data" and "data" in fields:
            value = f"{fields['data']}\n{value}"
        fields[name] = value


def _event(fields: dict[str, str]) -> dict[str, Any]:
    data = json.loads(fields["data"])
    event = data if isinstance(data, dict) else {"data": data}
    event.setdefault("type", fields.get("event", "message"))
    if "id" in fields:
        event["_id"] = fields["id"]
    return event
