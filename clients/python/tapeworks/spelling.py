"""The canonical spelling of tickers: BRK-B and brk.b are BRK.B."""

from __future__ import annotations

import json
import re
from typing import Optional

from .errors import InvalidRequestError

# The first rule that fits the rest of a text decides; docs/symbols.md has the table.
_SUFFIXES = [
    (re.compile(pattern), canonical)
    for pattern, canonical in [
        (r"(?:\.RT\.WI|-RT-WI| RTWI|-RW|rw|\^#)(?![A-Za-z])", ".RT.WI"),
        (r"([.\-/])WS\1([A-Z])(?![A-Z])", ".WS.{}"),
        (r"(?:-WT| WS|\+)([A-Z])(?![A-Z])", ".WS.{}"),
        (r"(?:\.PR\.|[. /]PR|-P-|p)([A-Z])(?![A-Z])", ".PR{}"),
        (r"[. ]PR(?![A-Z])", ".PR"),
        (r"(?:[.\- /]WS|[.-]WT|[.-]W|\+)(?![A-Z])", ".WS"),
        (r"[.\- /]RT(?![A-Z])|-RI(?![A-Z])|[.-]R(?![A-Z])|r(?![A-Za-z])", ".RT"),
        (r"[.\- /]CL(?![A-Z])|\*", ".CL"),
        (r"[. /](WD|CV)(?![A-Z])", ".{}"),
        (r"[.\- ]WI(?![A-Z])|w(?![A-Za-z])|#", ".WI"),
        (r"(?:-UN|[.\- /]U)(?![A-Z])|=", ".U"),
        (r"[-/]P([A-Z])(?![A-Z])", ".PR{}"),
        # Behind a dot, PA, PS and PK are markets.
        (r"\.P([B-JL-QT-Z])(?![A-Z])", ".PR{}"),
        (r"_p([a-z])(?![A-Za-z])", ".PR{}"),
        (r"[_$^]([A-Z])(?![A-Z])", ".PR{}"),
        (r"(?:-P|[_$])(?![A-Z])|p(?![A-Za-z])", ".PR"),
        (r"\^", ".RT"),
        # No US security has a class K, N, O or P: these are markets of Reuters.
        (r"[./ ]([A-JLMQ-Z])(?![A-Z])", ".{}"),
        (r"-([ABCV])(?![A-Z])", ".{}"),
        (r"([abcv])(?![A-Za-z])", ".{}"),
        (r"\.((?:19|20)\d\d(?:0[1-9]|1[0-2]))$", ".{}"),
    ]
]
_TEXT = re.compile(r"(?! )[ -~]{1,24}(?<! )")
_ROOT = re.compile(r"[A-Z0-9]{1,10}")
_MARKET = re.compile(r"(?<=.)(?:\.US| US(?: EQUITY)?)$", re.IGNORECASE)
_MIXED = re.compile(r"[A-Z]{2,}[a-z]|[A-Z]+_p[a-z]|[A-Z]p[A-Z]")
_REUTERS = re.compile(r"\.(?:OQ?|N|K)")
# Quandl's class, or Stooq's preferred share: in capitals the text does not say which.
_UNCLEAR = re.compile(r"[A-Z0-9]+_[ABCV](?![A-Z])")


def canonical_symbol(text: str) -> str:
    """Returns the canonical spelling of a ticker in any vendor's spelling.

    Small letters behind capitals have a meaning: ABRpA is ABR.PRA, and BRKb is BRK.B.
    """
    cut = _MARKET.sub("", text)
    is_small = text == text.lower()
    is_unclear = cut == text and not is_small and _UNCLEAR.match(text.upper())
    if is_unclear or text.upper() == "N/A" or not _TEXT.fullmatch(text):
        raise _not_a_ticker(text)
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
