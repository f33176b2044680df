"""Studies: what followed a condition of a screen, over all days."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date
from functools import cached_property
from typing import Any, NamedTuple, Optional, Protocol, Union

import pyarrow as pa

from .result import Result

Values = Union[str, int, float, Iterable[Union[int, float]]]
"""Values of a ``$`` parameter: ``"2..20:2"``, one number, or several."""


class StudyWanted(NamedTuple):
    """A study as its parameters give it; None is left out."""

    where: Optional[str]
    screen: Optional[str]
    factor: Optional[str]
    mode: Optional[str]
    entry: Optional[str]
    horizons: Optional[str]
    start: Optional[date]
    end: Optional[date]
    universe: Optional[str]
    by: Optional[str]
    current_fields: bool
    values: Mapping[str, str]


class StudySource(Protocol):
    """Runs studies: a server, or the program over files."""

    def _study_document(self, wanted: StudyWanted) -> Mapping[str, Any]: ...

    def _study_table(self, wanted: StudyWanted, rows: str) -> pa.Table: ...


class Study:
    """A study's answer; each part is computed at its first use. docs/study.md defines it."""

    def __init__(self, source: StudySource, wanted: StudyWanted) -> None:
        self._source = source
        self._wanted = wanted

    @cached_property
    def _document(self) -> Mapping[str, Any]:
        return self._source._study_document(self._wanted)

    @property
    def definition(self) -> Mapping[str, Any]:
        """What was computed: parameters, version, sessions, symbols, combinations tried."""
        return dict(self._document["definition"])

    @property
    def warnings(self) -> list[str]:
        """What to know before the numbers are used."""
        return list(self._document["warnings"])

    @cached_property
    def summary(self) -> Result:
        """A row for each horizon, in a sweep for each combination, with its ``$`` values; of a
        factor for each horizon and tenth."""
        return Result(pa.Table.from_pylist(list(self._document["data"])))

    @cached_property
    def groups(self) -> Result:
        """A row for each group of ``by`` and horizon."""
        return self._rows("groups")

    @cached_property
    def days(self) -> Result:
        """A row for each day with events."""
        return self._rows("days")

    @cached_property
    def events(self) -> Result:
        """A row for each event, by day and symbol."""
        return self._rows("events")

    @cached_property
    def deciles(self) -> Result:
        """Of a factor, a row for each month, horizon and tenth of the symbols."""
        return self._rows("deciles")

    def _rows(self, rows: str) -> Result:
        return Result(self._source._study_table(self._wanted, rows))

    def __repr__(self) -> str:
        return f"<study of {self._wanted.where or self._wanted.factor!r}>"


def values_texts(values: Mapping[str, Values]) -> dict[str, str]:
    """Returns the texts of ``$`` parameters, by name without the ``$``."""
    return {name: _values_text(value) for name, value in values.items()}


def _values_text(value: Values) -> str:
    if isinstance(value, (str, int, float)):
        return str(value)
    return ",".join(str(one) for one in value)
