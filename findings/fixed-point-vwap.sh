#!/usr/bin/env bash
# Guess: a mean price weighted by volume, over prices that are integers of a billionth of a dollar (as
#   Databento writes them), is the price, or an error tells that the products are too large.
# Seen: datafusion 55.0.0 and polars 2.1.0 wrap around in silence: shares that all traded at 150.25
#   dollars have a mean of -7.86 dollars. duckdb 1.5.5 refuses the same query.
# Consequence: cast the price first. A day of a large stock is enough: 92 million shares at 100 dollars.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check \
  datafusion==55.0.0 duckdb==1.5.5 polars==2.1.0 pyarrow==26.0.1
venv/bin/python - <<'PYTHON'
import datafusion
import duckdb
import polars
import pyarrow

DOLLAR = 1_000_000_000
volumes = [100_000_000, 200_000_000, 50_000_000]
bars = pyarrow.table({"price": [15_025 * DOLLAR // 100] * 3, "volume": volumes})
query = "SELECT sum(price * volume) / sum(volume) AS vwap FROM bars"

context = datafusion.SessionContext()
context.from_arrow(bars, name="bars")
by_datafusion = context.sql(query).to_pylist()[0]["vwap"] / DOLLAR
product = polars.col("price") * polars.col("volume")
mean = product.sum() / polars.col("volume").sum()
by_polars = polars.from_arrow(bars).select(mean).item() / DOLLAR
try:
    by_duckdb = duckdb.sql(query).fetchone()
except duckdb.OutOfRangeException as error:
    by_duckdb = str(error).split("!")[0]
print("datafusion", by_datafusion, "polars", by_polars, "duckdb", by_duckdb)
assert round(by_datafusion, 2) == round(by_polars, 2) == -7.86
assert "Overflow" in by_duckdb
PYTHON
