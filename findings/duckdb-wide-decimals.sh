#!/usr/bin/env bash
# Guess: DuckDB reads a Parquet column of decimal(39, 2) as its numbers, or refuses a precision that
#   its own DECIMAL (38 digits) lacks.
# Seen: duckdb 1.5.5 reads it as DOUBLE with other numbers and no error: 100.01 becomes 7.2e18.
#   decimal(38, 2) and decimal(76, 2) of the same values are right. pyarrow 26.0.1 reads all three.
#   A decimal of 39 digits takes 17 bytes, one of 76 takes 32.
# Consequence: a price file whose writer chose a wide decimal loads without a word.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check duckdb==1.5.5 pyarrow==26.0.1
cd "$folder"
venv/bin/python - <<'PYTHON'
from decimal import Decimal

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

closes = [Decimal("100.01"), Decimal("1.00"), Decimal("-2.50")]


def read(precision: int) -> tuple[list[float], list[float]]:
    table = pa.table({"close": pa.array(closes, type=pa.decimal256(precision, 2))})
    pq.write_table(table, "bars.parquet")
    by_duckdb = [float(row[0]) for row in duckdb.sql("FROM 'bars.parquet'").fetchall()]
    by_pyarrow = [float(value) for value in pq.read_table("bars.parquet")["close"].to_pylist()]
    return by_duckdb, by_pyarrow


right = [100.01, 1.0, -2.5]
for precision in (38, 39, 76):
    by_duckdb, by_pyarrow = read(precision)
    print(f"decimal({precision}, 2): duckdb {by_duckdb}, pyarrow {by_pyarrow}")
    assert by_pyarrow == right, "pyarrow reads what it wrote"
    if precision == 39:
        assert by_duckdb != right, "duckdb reads 39 digits right now: the finding is out of date"
        assert by_duckdb[0] > 1e18, "the wrong number is another one now"
    else:
        assert by_duckdb == right, f"duckdb reads {precision} digits otherwise now"
PYTHON
echo 'as found: a decimal of 39 digits is read as another number'
