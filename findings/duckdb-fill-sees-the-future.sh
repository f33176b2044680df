#!/usr/bin/env bash
# Guess: `fill(close) OVER (PARTITION BY symbol ORDER BY day)` carries the last known close forward, as
#   `ffill` of pandas and `fill_null(strategy="forward")` of polars do.
# Seen: in DuckDB 1.5.5 it draws a line between the closes on both sides of a hole, so the value of a day
#   without a trade depends on a later close; it also draws the line on: before the first close, and after
#   the last one, where a delisted stock that fell becomes negative.
# Consequence: a test of a strategy over filled prices knows tomorrow's, and holds stocks that ended.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check duckdb==1.5.5 polars==2.1.0 numpy==2.4.6
venv/bin/python - <<'PYTHON'
import duckdb
import numpy
import polars

FILLED = """
SELECT day, fill(close) OVER (PARTITION BY symbol ORDER BY day) AS filled
FROM (SELECT 'AAA' AS symbol, DATE '2024-01-01' + i AS day, prices[i + 1] AS close
      FROM (SELECT unnest(range(8))::INTEGER AS i, ?::DOUBLE[] AS prices))
ORDER BY day
"""
closes = [None, 10.0, None, None, 4.0, None, None, None]
later = [None, 10.0, None, None, 16.0, None, None, None]


def filled(prices):
    return [row[1] for row in duckdb.execute(FILLED, [prices]).fetchall()]


forward = polars.Series(closes, dtype=polars.Float64).fill_null(strategy="forward").to_list()
print("DuckDB:", filled(closes), "with another close on the fifth day:", filled(later)[:5], "polars:", forward)
assert numpy.allclose(filled(closes), [12, 10, 8, 6, 4, 2, 0, -2], atol=1e-9)
assert numpy.allclose(filled(later)[:4], [8, 10, 12, 14], atol=1e-9)
assert forward == [None, 10.0, 10.0, 10.0, 4.0, 4.0, 4.0, 4.0]
PYTHON
