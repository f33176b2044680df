#!/usr/bin/env bash
# Guess: the four-hour bars of a day in July are the same, wherever the series begins, since the times
#   have the zone of New York.
# Seen: pandas 3.1.1 (`resample("4h")`) and polars 2.1.0 (`group_by_dynamic`) step by 4 hours of
#   elapsed time from the midnight before the first bar. A series that begins in July has bars from
#   08:00 and 12:00; one that begins in February, before the clocks change, has them from 09:00 and 13:00.
# Consequence: whoever loads more history gets other bars for the days he had, and other indicators;
#   a series of a whole year has two kinds of bars.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check pandas==3.1.1 polars==2.1.0 pyarrow==26.0.1
venv/bin/python - <<'PYTHON'
import pandas
import polars


def half_hours(first):
    times = pandas.date_range(f"{first} 09:30", "2024-07-10 15:30", freq="30min", tz="America/New_York")
    minutes = times.hour * 60 + times.minute
    return pandas.DataFrame({"ts": times[(minutes >= 570) & (minutes < 960)]}).assign(close=100.0)


def hours_of_the_last_day(first):
    frame = half_hours(first)
    counts = frame.set_index("ts")["close"].resample("4h").count()
    by_pandas = [(t.hour, int(n)) for t, n in counts["2024-07-10"].items() if n > 0]
    windows = polars.from_pandas(frame).group_by_dynamic("ts", every="4h").agg(polars.len())
    by_polars = [(t.hour, n) for t, n in windows.rows() if t.date().isoformat() == "2024-07-10"]
    print(f"from {first}: pandas {by_pandas}, polars {by_polars}")
    assert by_pandas == by_polars
    return by_pandas


assert hours_of_the_last_day("2024-07-01") == [(8, 5), (12, 8)]
assert hours_of_the_last_day("2024-02-01") == [(9, 7), (13, 6)]
PYTHON
