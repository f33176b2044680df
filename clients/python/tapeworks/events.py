"""Server-sent events: parsed, and followed over breaks of the connection."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from http.client import HTTPException
from typing import Any, Callable, NamedTuple, Optional

from .errors import OverloadedError, UnreachableError

_WAIT_FIRST_S = 1.0
_WAIT_MAX_S = 30.0


class Block(NamedTuple):
    """A block of the stream: a position without an event is a sign of life."""

    id: Optional[str]
    event: Optional[dict[str, Any]]


def events_of(
    opened: Callable[[Optional[str]], Any], sleep: Callable[[float], object]
) -> Iterator[dict[str, Any]]:
    """Yields events; after a break, the next connection continues behind the last one.

    Args:
        opened: Opens a connection that continues behind a position. Its errors are raised by the
            first connection; later ones wait for a server that starts again.
    """
    last_id: Optional[str] = None
    wait_s = _WAIT_FIRST_S
    has_connected = False
    while True:
        try:
            with opened(last_id) as response:
                has_connected = True
                for block in parsed_blocks(response):
                    wait_s = _WAIT_FIRST_S
                    last_id = block.id or last_id
                    if block.event is not None:
                        yield block.event
        except (UnreachableError, OverloadedError, HTTPException, OSError):
            if not has_connected:
                raise
        sleep(wait_s)
        wait_s = min(2 * wait_s, _WAIT_MAX_S)


def parsed_blocks(lines: Iterable[bytes]) -> Iterator[Block]:
    """Parses the lines of a stream; an unfinished last block is left out."""
    fields: dict[str, str] = {}
    for line in lines:
        text = line.decode().rstrip("\r\n")
        if text == "":
            if fields:
                yield _block(fields)
            fields = {}
            continue
        name, _, value = text.partition(":")
        value = value[1:] if value.startswith(" ") else value
        if name == "data" and "data" in fields:
            value = f"{fields['data']}\n{value}"
        fields[name] = value


def _block(fields: dict[str, str]) -> Block:
    if "data" not in fields:
        return Block(fields.get("id"), None)
    data = json.loads(fields["data"])
    event = data if isinstance(data, dict) else {"data": data}
    event.setdefault("type", fields.get("event", "message"))
    return Block(fields.get("id"), event)
