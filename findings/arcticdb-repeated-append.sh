#!/usr/bin/env bash
# Guess: an append of a bar whose day is stored already is refused, or replaces it.
# Seen: arcticdb 6.28.2 refuses an earlier day, and keeps two bars of an equal one.
# Consequence: an evening job that is repeated doubles the newest bar, and each sum of volumes with it.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check arcticdb==6.28.2 pandas==2.3.3
venv/bin/python - <<'PYTHON'
import arcticdb
import pandas

library = arcticdb.Arctic("lmdb://store").get_library("bars", create_if_missing=True)
days = pandas.date_range("2024-01-02", periods=3)
bars = pandas.DataFrame({"close": [10.0, 11.0, 12.0]}, index=days)
library.write("AAPL", bars)
library.append("AAPL", bars.tail(1))
stored = library.read("AAPL").data
print(stored)
assert list(stored.index) == [*days, days[-1]]
try:
    library.append("AAPL", bars.head(1))
except Exception as error:
    print(type(error).__name__)
else:
    raise AssertionError("an earlier day was taken")
PYTHON
