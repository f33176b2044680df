#!/usr/bin/env bash
# Guess: twenty equal closes have a standard deviation of 0, and no correlation.
# Seen: in ClickHouse 26.9.2 (chdb 4.4.0) `stddevPop` subtracts two large sums: twenty closes of 700,000.01
#   deviate by 1.4 cents, twenty of 10.07 by 2.8e-7, and a price that never moved has a correlation with
#   time that is a number. Twenty closes that rise by a cent a day deviate by 3 % less than they do.
#   `stddevPopStable` is right; DuckDB has one that is right.
# Consequence: the test for a band without width (`= 0`) misses the target of a takeover; a z-score of its
#   last close is finite where it should be unknown.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check chdb==4.4.0 duckdb==1.5.5
venv/bin/python - <<'PYTHON'
import math

import chdb
import duckdb


def clickhouse(price, expression):
    query = f"SELECT {expression} FROM (SELECT {price} AS close, toFloat64(number) AS day FROM numbers(20))"
    return float(chdb.query(query, "CSV").bytes())


def duck(price):
    return duckdb.sql(f"SELECT stddev_pop({price}) FROM (SELECT range AS number FROM range(20))").fetchone()[0]


for price, seen in [("10.07::Float64", 2.821e-7), ("700000.01::Float64", 0.013975)]:
    deviation = clickhouse(price, "stddevPop(close)")
    stable = clickhouse(price, "stddevPopStable(close)")
    correlation = clickhouse(price, "corr(close, day)")
    print(price, "deviation", deviation, "stable", stable, "correlation", correlation)
    assert math.isclose(deviation, seen, rel_tol=0.01) and stable == 0
    assert math.isfinite(correlation)
    assert duck(price.replace("Float64", "DOUBLE")) == 0

rising = "700000 + number / 100"
deviation, stable = clickhouse(rising, "stddevPop(close)"), clickhouse(rising, "stddevPopStable(close)")
print("rising", deviation, "stable", stable, "DuckDB", duck(rising))
assert 0.96 < deviation / stable < 0.98
assert math.isclose(stable, duck(rising), rel_tol=1e-6)
PYTHON
