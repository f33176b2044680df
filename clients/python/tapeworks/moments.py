"""Dates and date-times of parameters, as text and as microseconds."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta, timezone
from typing import Optional, Union
from zoneinfo import ZoneInfo

from .errors import InvalidRequestError

Moment = Union[str, date, datetime]
"""A date, a date-time with its zone, or either as ISO text."""

MICROS_PER_DAY = 86_400_000_000
EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)

_DATE = re.compile(r"\d{4}-\d\d-\d\d")


def moment_text(name: str, moment: Optional[Moment]) -> Optional[str]:
    """Returns the ISO text of a moment. Raises for a date-time without a zone."""
    if isinstance(moment, datetime):
        if moment.tzinfo is None:
            raise InvalidRequestError(f"{name} must have a zone, got {moment!r}")
        return moment.isoformat()
    return moment.isoformat() if isinstance(moment, date) else moment


def window_micros(
    start: Optional[Moment], end: Optional[Moment]
) -> tuple[Optional[int], Optional[int]]:
    """Returns both inclusive bounds in microseconds; a date as ``end`` includes that day in UTC."""
    first, last = _micros("start", start), _micros("end", end)
    if last is not None and _is_date(end):
        last += MICROS_PER_DAY - 1
    if first is not None and last is not None and first > last:
        raise InvalidRequestError(f'start must not be after end "{end}", got "{start}"')
    return first, last


def day_of(name: str, moment: Moment) -> date:
    """Returns a date. Raises for a date-time."""
    text = moment_text(name, moment)
    if not _is_date(text):
        raise InvalidRequestError(f'{name} must be a date like 2026-01-31, got "{text}"')
    return _parsed(name, str(text)).date()


def end_of_day_in_new_york(day: date) -> int:
    """Returns the last millisecond of a day in New York, in microseconds."""
    midnight = datetime(day.year, day.month, day.day, tzinfo=ZoneInfo("America/New_York"))
    return micros_of(midnight + timedelta(days=1)) - 1000


def new_york_day(micros: int) -> int:
    """Returns the day in New York of a moment, as days since 1970."""
    moment = EPOCH + timedelta(microseconds=micros)
    return moment.astimezone(ZoneInfo("America/New_York")).date().toordinal() - EPOCH.toordinal()


def micros_of(moment: datetime) -> int:
    """Returns microseconds since 1970."""
    return (moment - EPOCH) // timedelta(microseconds=1)


def date_of(micros: int) -> date:
    """Returns the day in UTC of a moment."""
    return EPOCH.date() + timedelta(days=micros // MICROS_PER_DAY)


def _is_date(moment: Optional[Moment]) -> bool:
    if isinstance(moment, str):
        return _DATE.fullmatch(moment) is not None
    return isinstance(moment, date) and not isinstance(moment, datetime)


def _micros(name: str, moment: Optional[Moment]) -> Optional[int]:
    text = moment_text(name, moment)
    return None if text is None else micros_of(_parsed(name, text))


def _parsed(name: str, text: str) -> datetime:
    try:
        # Python before 3.11 reads neither Z nor fractions of other than 3 or 6 digits.
        parsed = datetime.fromisoformat(re.sub(r"[Zz]$", "+00:00", text))
    except ValueError:
        parsed = None
    if parsed is None or (parsed.tzinfo is None and not _is_date(text)):
        example = "must be a date like 2026-01-31 or a date-time like 2026-01-31T14:30:00Z"
        raise InvalidRequestError(f'{name} {example}, got "{text}"')
    return parsed if parsed.tzinfo else parsed.replace(tzinfo=timezone.utc)
