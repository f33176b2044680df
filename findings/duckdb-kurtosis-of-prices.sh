#!/usr/bin/env bash
# Guess: the `kurtosis` of an hour of closes is that of pandas and polars to many digits.
# Seen: duckdb 1.5.5 makes it of the sums of powers of the prices. For a stock of 700,000 dollars that moves
#   by a hundred it is -28 for -1.5, for one of 65,000 that moves by five it is -559. No sample has less
#   than -2.
# Consequence: take the moments of returns, or of prices less a price.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check \
  duckdb==1.5.5 pandas==3.1.1 polars==2.1.0 pyarrow==26.0.1
venv/bin/python - <<'PYTHON'
from math import sin

import duckdb
import pandas
import polars


def kurtosis(price, move):
    """Excess kurtosis, corrected for the size of the sample, of sixty closes around a price."""
    closes = [round(price + move * sin(minute), 2) for minute in range(60)]
    bars = polars.DataFrame({"close": closes})
    found = {
        "duckdb": duckdb.sql("SELECT kurtosis(close) FROM bars").fetchone()[0],
        "less the price": duckdb.sql(f"SELECT kurtosis(close - {price}) FROM bars").fetchone()[0],
        "pandas": float(pandas.Series(closes).kurt()),
        "polars": bars["close"].kurtosis(bias=False),
    }
    print(price, move, found)
    return found


for price, move in [(700_000, 100), (65_000, 5)]:
    found = kurtosis(price, move)
    assert abs(found["pandas"] - found["polars"]) < 1e-6
    assert abs(found["pandas"] - found["less the price"]) < 1e-6
    assert -1.7 < found["pandas"] < -1.4
    assert found["duckdb"] < -20
PYTHON
