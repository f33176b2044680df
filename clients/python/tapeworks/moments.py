"""Dates and date-times of parameters, as text and as microseconds."""

from __future__ import annotations

import re
from datetime import date, datetime, time, timedelta, timezone
from typing import Any, Optional, Union
from zoneinfo import ZoneInfo

from .errors import InvalidRequestError

Moment = Union[str, date, datetime]
"""A date, a date-time with its zone, or either as ISO text."""

MICROS_PER_DAY = 86_400_000_000
EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)

_DATE = re.compile(r"\d{4}-\d\d-\d\d")


def checked_moment(name: str, moment: Optional[Moment]) -> Union[date, datetime, None]:
    """Returns a date, or a date-time with its zone.

    A midnight without a zone is a date, since pandas and numpy have no other dates.
    """
    given: Any = moment
    if hasattr(given, "astype"):
        given = given.astype("datetime64[us]").item()
    if isinstance(given, str):
        given = _parsed(given)
    if moment is None:
        return None
    # NaT of pandas is a date-time that equals nothing.
    if not isinstance(given, date) or given != given:
        example = "must be a date like 2026-01-31 or a date-time like 2026-01-31T14:30:00Z"
        raise InvalidRequestError(f'{name} {example}, got "{moment}"')
    if not isinstance(given, datetime) or given.tzinfo is not None:
        return given
    if given.time() == time.min:
        return given.date()
    raise InvalidRequestError(f'{name} must have a zone, got "{moment}"')


def moment_text(name: str, moment: Optional[Moment]) -> Optional[str]:
    """Returns the ISO text of a moment."""
    checked = checked_moment(name, moment)
    return None if checked is None else checked.isoformat()


def window_micros(
    start: Union[date, datetime, None], end: Union[date, datetime, None]
) -> tuple[Optional[int], Optional[int]]:
    """Returns both inclusive bounds in microseconds; a date as ``end`` includes that day in UTC."""
    first, last = _micros(start), _micros(end)
    if last is not None and not isinstance(end, datetime):
        last += MICROS_PER_DAY - 1
    if first is not None and last is not None and first > last:
        raise InvalidRequestError(f'start must not be after end "{end}", got "{start}"')
    return first, last


def day_of(name: str, moment: Moment) -> date:
    """Returns a date. Raises for a date-time."""
    try:
        day = checked_moment(name, moment)
    except InvalidRequestError:
        day = None
    if day is None or isinstance(day, datetime):
        raise InvalidRequestError(f'{name} must be a date like 2026-01-31, got "{moment}"')
    return day


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


def _micros(moment: Union[date, datetime, None]) -> Optional[int]:
    if moment is None or isinstance(moment, datetime):
        return None if moment is None else micros_of(moment)
    return (moment.toordinal() - EPOCH.toordinal()) * MICROS_PER_DAY


def _parsed(text: str) -> Union[date, datetime, None]:
    # Python from 3.11 on also reads other forms of ISO 8601.
    if not _DATE.match(text):
        return None
    try:
        # Python before 3.11 reads neither Z nor fractions of other than 3 or 6 digits.
        return datetime.fromisoformat(re.sub(r"[Zz]$", "+00:00", text))
    except ValueError:
        return None
