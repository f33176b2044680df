#!/usr/bin/env bash
# Guess: prices in a decimal column are the careful choice: the mean and the median of 1.01 and 1.02 are
#   1.015, as with doubles.
# Seen: an answer keeps the scale of its column and loses the rest, in another place in each package.
#   pyarrow 26.0.1 and pandas 3.1.1 on it round the mean (1.02), duckdb 1.5.5 and datafusion 55.0.0 cut
#   the median (1.01) while their mean is 1.015, and polars 2.1.0 has both right and rounds products and
#   quotients: ten shares of a third of 1.01 dollars cost 3.40.
# Consequence: cast decimal prices to doubles before statistics. A thousand trades from 20.00 to 20.10 have
#   a mean of 20.05126, and of 20.05 in pandas on Arrow: a spread to the mean is off by a tenth of a cent.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check \
  datafusion==55.0.0 duckdb==1.5.5 pandas==3.1.1 polars==2.1.0 pyarrow==26.0.1
venv/bin/python - <<'PYTHON'
from decimal import Decimal

import datafusion
import duckdb
import pandas
import polars
import pyarrow
from pyarrow import compute

cents = pyarrow.decimal128(10, 2)
prices = pyarrow.array([Decimal("1.01"), Decimal("1.02")], cents)
trades = pyarrow.table({"price": prices})
query = "SELECT avg(price) AS mean, median(price) AS median FROM trades"

by_pyarrow = compute.mean(prices).as_py()
by_pandas = pandas.Series(prices, dtype=pandas.ArrowDtype(cents)).mean()
by_duckdb = duckdb.sql(query).fetchone()
context = datafusion.SessionContext()
context.from_arrow(trades, name="trades")
by_datafusion = tuple(context.sql(query).to_pylist()[0].values())
frame = polars.from_arrow(trades)
price = polars.col("price")
by_polars = frame.select(price.mean().alias("mean"), price.median().alias("median")).row(0)
third = frame.select(price / 3 * 10).item(0, 0)
print("mean: pyarrow", by_pyarrow, "pandas", by_pandas)
print("mean, median: duckdb", by_duckdb, "datafusion", by_datafusion, "polars", by_polars)
print("polars: ten thirds of 1.01:", third)
assert by_pyarrow == by_pandas == Decimal("1.02")
assert by_duckdb == (1.015, Decimal("1.01"))
assert by_datafusion == (Decimal("1.015"), Decimal("1.01"))
assert by_polars == (1.015, 1.015)
assert third == Decimal("3.40")
PYTHON
