#!/usr/bin/env bash
# Guess: the median of the returns of 10,001 stocks is the middle one, as in DuckDB, pandas and numpy.
# Seen: in ClickHouse 26.9.2 (chdb 4.4.0) `median` and `quantile` keep a sample of 8,192 values: of the
#   numbers 0 to 10,000 the median is not 5,000. Up to 8,192 values it is exact, and `medianExact` always.
# Consequence: a market of some thousand stocks is right, and becomes approximate when it grows; a test
#   on a part of the market does not show it.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check chdb==4.4.0 duckdb==1.5.5
venv/bin/python - <<'PYTHON'
import chdb
import duckdb


def medians(stocks):
    row = chdb.query(f"SELECT median(number), medianExact(number) FROM numbers({stocks})", "CSV").bytes()
    return [float(value) for value in row.decode().strip().split(",")]


small, large = medians(8001), medians(10001)
right = duckdb.sql("SELECT median(range) FROM range(10001)").fetchone()[0]
print("of 8,001:", small, "of 10,001:", large, "DuckDB:", right)
assert small == [4000.0, 4000.0]
assert right == large[1] == 5000.0
assert 10 < abs(large[0] - 5000) < 500
PYTHON
