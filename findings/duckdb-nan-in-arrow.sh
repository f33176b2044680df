#!/usr/bin/env bash
# Guess: a query gives the same rows over a table and over the Arrow or polars frame it was made from;
#   an RSI in its warm-up, NaN, passes `rsi > 70`, because NaN is greater than all numbers for duckdb.
# Seen: duckdb 1.5.5 hands simple filters to Arrow, for which a comparison with NaN is false. Over a
#   table and Parquet the row passes `> 70`; over Arrow and polars it passes neither `> 70` nor
#   `<= 70`, and `rsi + 0 > 70`, which is not handed over, finds it again. (In pandas NaN is a null.)
# Consequence: a screen for overbought stocks depends on what holds the rows, and counts of a filter
#   and of its opposite don't add up. NaN made null before mends both.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check duckdb==1.5.5 polars==2.1.0 pyarrow==26.0.1
venv/bin/python - <<'PYTHON'
import duckdb
import polars

frame = polars.DataFrame({"symbol": ["OLD", "YOUNG"], "rsi": [80.0, float("nan")]})
arrow = frame.to_arrow()
duckdb.sql("CREATE TABLE stored AS FROM frame")
duckdb.sql("COPY stored TO 'stored.parquet'")


def symbols(source, condition):
    rows = duckdb.sql(f"SELECT symbol FROM {source} WHERE {condition}").fetchall()
    return [symbol for (symbol,) in rows]


conditions = ["rsi > 70", "rsi <= 70", "rsi + 0 > 70"]
found = {
    source: [symbols(source, condition) for condition in conditions]
    for source in ["stored", "'stored.parquet'", "arrow", "frame"]
}
print(conditions, found)
for source in ["stored", "'stored.parquet'"]:
    assert found[source] == [["OLD", "YOUNG"], [], ["OLD", "YOUNG"]], source
for source in ["arrow", "frame"]:
    assert found[source] == [["OLD"], [], ["OLD", "YOUNG"]], source
PYTHON
