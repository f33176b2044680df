"""The canonical spelling of tickers: BRK-B and brk.b are BRK.B."""

from __future__ import annotations

import json
import re
from typing import Optional

from .errors import InvalidRequestError
from .suffixes import EXCHANGE, JOINED, MARKET, MIXED, SUFFIXES

_SUFFIXES = [(re.compile(pattern), form) for pattern, form in SUFFIXES]
# What is no rule of a vendor: a month of delisting.
_SUFFIXES.append((re.compile(r"\.((?:19|20)\d\d(?:0[1-9]|1[0-2]))$"), ".{}"))
_TEXT = re.compile(r"(?! )[ -~]{1,24}(?<! )")
_ROOT = re.compile(r"[A-Z0-9]{1,10}")
_MARKET = re.compile(MARKET, re.IGNORECASE)
_EXCHANGE = re.compile(EXCHANGE, re.IGNORECASE)
_JOINED = re.compile(JOINED)
_MIXED = re.compile(MIXED)
_REUTERS = re.compile(r"\.(?:OQ?|N|K)")
# Quandl's class, or Stooq's preferred share: in capitals the text does not say which.
_UNCLEAR = re.compile(r"[A-Z0-9]+_[ABCV](?![A-Z])")


def canonical_symbol(text: str) -> str:
    """Returns the canonical spelling of a ticker in any vendor's spelling.

    Small letters behind capitals have a meaning: ABRpA is ABR.PRA, and BRKb is BRK.B.
    """
    bare = _EXCHANGE.sub("", text)
    cut = _MARKET.sub("", bare)
    is_stooqs = text == text.lower() or text.upper().endswith(".US")
    is_unclear = not is_stooqs and _UNCLEAR.match(bare.upper())
    if is_unclear or text.upper() == "N/A" or not _TEXT.fullmatch(text):
        raise _not_a_ticker(text)
    joined = _JOINED.match(cut.upper()) if len(cut) > 5 else None
    if joined:
        root, series, _ = joined.groups()
        return f"{root}.PR{series}" if series else f"{root}.WS"
    canonical = _read(cut if _MIXED.match(cut) else cut.upper())
    if canonical is None:
        raise _not_a_ticker(text)
    return canonical


def _read(text: str) -> Optional[str]:
    root = _ROOT.match(text)
    if root is None:
        return None
    canonical, rest = root.group(), text[root.end() :]
    while rest:
        if _REUTERS.fullmatch(rest):
            return canonical
        for pattern, form in _SUFFIXES:
            found = pattern.match(rest)
            if found:
                break
        else:
            return None
        canonical += form.format((found.groups() or ("",))[-1]).upper()
        rest = rest[found.end() :]
    return canonical


def _not_a_ticker(text: str) -> InvalidRequestError:
    said = json.dumps(text, ensure_ascii=False)
    return InvalidRequestError(f"symbols must be tickers like AAPL, BRK.B or ABR.PRA, got {said}")
