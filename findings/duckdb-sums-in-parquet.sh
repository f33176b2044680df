#!/usr/bin/env bash
# Guess: the sum of a BIGINT column of volumes is an integer in a Parquet file, as it is in the query's answer.
# Seen: duckdb 1.5.5 sums to HUGEINT and writes that as DOUBLE: 9007199254740995 becomes 9007199254740996,
#   while the same query as Arrow, or cast to BIGINT in the file, is exact.
# Consequence: weekly volumes that are made from daily ones change their type in files, and large ones their value.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check duckdb==1.5.5 pyarrow==26.0.1
venv/bin/python - <<'PYTHON'
import duckdb
import pyarrow.parquet

days = "(VALUES (9007199254740993::BIGINT), (2)) AS days(volume)"
exact = 9007199254740995
answer = duckdb.sql(f"SELECT sum(volume) AS volume FROM {days}")
print(answer.types, answer.fetchall())
assert answer.fetchall() == [(exact,)]


def written(expression):
    duckdb.sql(f"COPY (SELECT {expression} AS volume FROM {days}) TO 'weeks.parquet'")
    table = pyarrow.parquet.read_table("weeks.parquet")
    print(expression, table.schema.field("volume").type, table["volume"].to_pylist())
    return str(table.schema.field("volume").type), table["volume"][0].as_py()


assert written("sum(volume)") == ("double", 9007199254740996.0)
assert written("sum(volume)::BIGINT") == ("int64", exact)
PYTHON
