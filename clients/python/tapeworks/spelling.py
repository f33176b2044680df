"""The canonical spelling of tickers: BRK-B and brk.b are BRK.B."""

from __future__ import annotations

import json
import re

from .errors import InvalidRequestError

# The first rule that fits the rest of a text decides; docs/symbols.md has the table.
_SUFFIXES = [
    (re.compile(pattern), canonical)
    for pattern, canonical in [
        (r"[_$]([A-Z]?)(?![A-Z])", ".PR{}"),
        (r"-P([A-Z]?)(?![A-Z])", ".PR{}"),
        (r"-WT([A-Z]?)(?![A-Z])", ".WS{}"),
        (r"\+([A-Z]?)(?![A-Z])", ".WS{}"),
        (r"[.-]WS[.-]([A-Z])(?![A-Z])", ".WS{}"),
        (r"[.-]W(?![A-Z])", ".WS"),
        (r"-UN(?![A-Z])", ".U"),
        (r"=", ".U"),
        (r"-RW(?![A-Z])", ".RT.WI"),
        (r"\^#", ".RT.WI"),
        (r"-RI(?![A-Z])", ".RT"),
        (r"[.-]R(?![A-Z])", ".RT"),
        (r"\^", ".RT"),
        (r"#", ".WI"),
        (r"\*", ".CL"),
        (r"[.-]([A-Z]{1,3})(?![A-Z])", ".{}"),
        (r"\.((?:19|20)\d\d(?:0[1-9]|1[0-2]))$", ".{}"),
    ]
]
_TEXT = re.compile(r"[!-~]{1,24}")
_ROOT = re.compile(r"[A-Z0-9]{1,10}")


def canonical_symbol(text: str) -> str:
    """Returns the canonical spelling of a ticker in any vendor's spelling."""
    upper = re.sub(r"(?<=.)\.US$", "", text.upper())
    root = _ROOT.match(upper) if _TEXT.fullmatch(text) else None
    if root is None:
        raise _not_a_ticker(text)
    canonical, rest = root.group(), upper[root.end() :]
    while rest:
        for pattern, form in _SUFFIXES:
            found = pattern.match(rest)
            if found:
                break
        else:
            raise _not_a_ticker(text)
        series = (found.groups() or ("",))[0] or ""
        canonical += form.format(f".{series}" if form == ".WS{}" and series else series)
        rest = rest[found.end() :]
    return canonical


def _not_a_ticker(text: str) -> InvalidRequestError:
    said = json.dumps(text, ensure_ascii=False)
    return InvalidRequestError(f"symbols must be tickers like AAPL, BRK.B or ABR.PRA, got {said}")
