#!/usr/bin/env bash
# Guess: read_csv of a wide table of closes, as pandas writes it, takes the line of tickers as its header.
# Seen: duckdb 1.5.5 does so for AAPL and MSFT. For tickers that are numbers, as in Tokyo or Hong Kong, the
#   header has an empty cell (the index) and numbers: it becomes the first row, of prices that are tickers.
# Consequence: 7203.0 is the first close of Toyota, on a day without a date.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check duckdb==1.5.5 pandas==3.1.1
venv/bin/python - <<'PYTHON'
import duckdb
import pandas

days = pandas.to_datetime(["2024-01-04", "2024-01-05"])


def read(*tickers):
    closes = pandas.DataFrame({one: [2500.5, 2510.0] for one in tickers}, index=days)
    closes.to_csv("closes.csv")
    rows = duckdb.sql("SELECT * FROM read_csv('closes.csv')")
    print(rows.columns, rows.fetchall())
    return rows.columns[1:], rows.fetchall()


names, rows = read("AAPL", "MSFT")
assert names == ["AAPL", "MSFT"] and len(rows) == 2
names, rows = read(7203, 6758)
assert names == ["column1", "column2"] and rows[0] == (None, 7203.0, 6758.0)
PYTHON
