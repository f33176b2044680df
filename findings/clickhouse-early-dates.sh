#!/usr/bin/env bash
# Guess: a price history that begins in 1962 is stored with its days in a column of `Date`, or refused.
# Seen: chdb 4.4.0 (ClickHouse 26.9.2) stores each day before 1970 as 1970-01-01, and each after
#   6 June 2149 as that day, from CSV and from a text, without a word. The same days in Parquet are
#   refused with their range. `Date32` keeps them.
# Consequence: eight years of bars of one symbol get the same day.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check chdb==4.4.0 pyarrow==26.0.1
cat >bars.csv <<'CSV'
date,close
1962-01-02,7.71
1969-12-31,9.1
1970-01-02,9.2
CSV
venv/bin/python - <<'PYTHON'
import datetime

import chdb
import pyarrow
from pyarrow import parquet


def days(source):
    return str(chdb.query(f"SELECT date FROM {source}")).replace('"', "").split()


short = days("file('bars.csv', CSVWithNames, 'date Date, close Float64')")
long = days("file('bars.csv', CSVWithNames, 'date Date32, close Float64')")
first = [datetime.date(1962, 1, 2), datetime.date(1970, 1, 2)]
parquet.write_table(pyarrow.table({"date": first, "close": [7.71, 9.2]}), "bars.parquet")
try:
    days("file('bars.parquet', Parquet, 'date Date, close Float64')")
    refusal = ""
except Exception as error:
    refusal = str(error)
print(short, long, refusal[:120])
assert short == ["1970-01-01", "1970-01-01", "1970-01-02"]
assert long == ["1962-01-02", "1969-12-31", "1970-01-02"]
assert "out of allowed Date range" in refusal
PYTHON
