#!/usr/bin/env bash
# Guess: the two kept calendars of the New York Stock Exchange close at the same minute on each day since 1990.
# Seen: exchange_calendars 4.13.2 and pandas_market_calendars 5.5.0 have the same 9,295 sessions from 1990 to
#   November 2026, and differ in five closes, on both sides: one leaves out halts that the other counts as
#   closes, and only one has the short session of 31 December 1999.
# Consequence: minutes that are regular hours by one are after hours by the other, and a check of
#   completeness by one finds holes that are none.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check \
  exchange_calendars==4.13.2 pandas_market_calendars==5.5.0 pandas==3.1.1
venv/bin/python -W ignore - <<'PYTHON'
import exchange_calendars
import pandas_market_calendars

first, last = "1990-01-02", "2026-11-27"
one = exchange_calendars.get_calendar("XNYS", start=first, end=last).schedule["close"]
other = pandas_market_calendars.get_calendar("NYSE").schedule(first, last)["market_close"]
assert list(one.index) == list(other.index)
print(len(one), "sessions in both")
assert len(one) == 9295
apart = {
    str(day.date()): tuple(at.tz_convert("America/New_York").strftime("%H:%M") for at in pair)
    for day, pair in ((day, (one[day], other[day])) for day in one.index)
    if pair[0] != pair[1]
}
print(apart)
assert apart == {
    "1994-02-11": ("16:00", "14:30"),
    "1996-01-08": ("16:00", "14:00"),
    "1997-10-27": ("16:00", "15:30"),
    "1999-12-31": ("13:00", "16:00"),
    "2005-06-01": ("16:00", "15:56"),
}
PYTHON
