"""What a person sees while a call works: a bar at a terminal, and waits everywhere."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Optional, Type

_REDRAW_S = 0.1
_SHOWN_AFTER_S = 0.3
_WIDTH = 24


class Progress:
    """A bar on stderr if that is a terminal; short calls show none."""

    def __init__(self, what: str, shown: Optional[bool] = None) -> None:
        self._what = what
        self._shown = sys.stderr.isatty() if shown is None else shown
        self._start = time.monotonic()
        self._next = self._start + _SHOWN_AFTER_S
        self._drawn = False

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.clear()

    def update(self, done: int, total: int, note: str = "") -> None:
        """Draws ``done`` of ``total``, at most ten times a second."""
        if not self._shown or time.monotonic() < self._next:
            return
        now = time.monotonic()
        self._next = now + _REDRAW_S
        filled = _WIDTH * done // max(total, 1)
        bar = "█" * filled + "░" * (_WIDTH - filled)
        text = f"\r{self._what} {bar} {done:,}/{total:,} {note} {now - self._start:.1f} s\033[K"
        sys.stderr.write(text)
        sys.stderr.flush()
        self._drawn = True

    def clear(self) -> None:
        if self._drawn:
            sys.stderr.write("\r\033[K")
            sys.stderr.flush()
            self._drawn = False


def say(message: str) -> None:
    """Prints a line on stderr, in notebooks too."""
    print(f"tapeworks: {message}", file=sys.stderr, flush=True)
