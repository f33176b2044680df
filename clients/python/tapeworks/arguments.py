"""Checks of arguments that a server and a folder share, before anything is read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from numbers import Integral
from typing import Any, Optional, Union

from .errors import InvalidRequestError

INTERVALS = ("1m", "5m", "15m", "1h", "4h", "1d", "1w", "1M")
SESSIONS = ("regular", "extended", "all")
PERIODS = ("annual", "quarterly", "semiannual", "ttm")
SENTIMENTS = ("positive", "neutral", "negative")
EXCHANGES = ("NYSE", "NASDAQ", "AMEX")
SECURITY_TYPES = ("stock", "adr", "etf", "etn", "preferred", "warrant", "right", "unit", "note")
TRANSACTION_TYPES = (
    "buy",
    "sell",
    "award",
    "exercise",
    "conversion",
    "tax",
    "gift",
    "return",
    "other",
)


_AT_COMMAS = re.compile(r",(?![^()]*\))")
"""Commas that no parentheses hold: ``sma(volume, 50)`` is one text."""


def listed(name: str, values: object) -> list[str]:
    """Returns texts as a list: of a comma list, or of a column of any library."""
    if values is None:
        return []
    if isinstance(values, str):
        return [text.strip() for text in _AT_COMMAS.split(values)]
    # Items of Arrow are no Python values.
    plain: Any = values.to_pylist() if hasattr(values, "to_pylist") else values
    if not isinstance(plain, Iterable):
        raise InvalidRequestError(f"{name} must be a text or several, got {plain!r}")
    texts = list(plain)
    wrong = [one for one in texts if not isinstance(one, str)]
    if wrong:
        raise InvalidRequestError(f"{name} must hold texts only, got {wrong[0]!r}")
    return texts


def chosen(name: str, value: object, choices: Sequence[str]) -> None:
    """Raises if the value is not one of the choices."""
    if value not in choices:
        raise InvalidRequestError(f'{name} must be one of {", ".join(choices)}, got "{value}"')


def listed_choices(
    name: str, values: Union[str, Iterable[str], None], choices: Sequence[str]
) -> list[str]:
    """Returns texts, each of which is one of the choices in any case."""
    known = {one.lower(): one for one in choices}
    texts = listed(name, values)
    for text in texts:
        chosen(name, known.get(text.lower(), text), choices)
    return [known[text.lower()] for text in texts]


def checked_limit(limit: Optional[int]) -> Optional[int]:
    """Returns a number of rows; None means all."""
    if limit is None:
        return None
    if not isinstance(limit, Integral) or isinstance(limit, bool) or limit < 1:
        raise InvalidRequestError(f"limit must be an integer of 1 or more, got {limit!r}")
    return int(limit)
