#!/usr/bin/env bash
# Guess: a filter over a Parquet file finds the same rows, however many row groups the writer made.
# Seen: datafusion 55.0.0 and duckdb 1.5.5 count an RSI that is NaN as above 70, but the statistics of
#   a row group leave NaN out, and a group whose largest number is 60 is skipped as a whole. So the row
#   is found in a file of one group and is not in one of two. polars 2.1.0 finds it in both, pyarrow
#   26.0.1 in neither.
# Consequence: a rewritten or compacted file changes the answer of a screen, without an error.
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
import pyarrow.parquet

rsi = [50.0, 60.0, float("nan"), 40.0, 75.0, 80.0, 10.0, 20.0]
bars = pyarrow.table({"day": list(range(1, 9)), "rsi": rsi})
query = "SELECT day FROM bars WHERE rsi > 70 ORDER BY day"


def found(rows_of_a_group):
    """Days above 70 in a file with row groups of this size, by reader."""
    file = f"groups-of-{rows_of_a_group}.parquet"
    pyarrow.parquet.write_table(bars, file, row_group_size=rows_of_a_group)
    context = datafusion.SessionContext()
    context.register_parquet("bars", file)
    condition = polars.col("rsi") > 70
    return {
        "datafusion": [row["day"] for row in context.sql(query).to_pylist()],
        "duckdb": [day for (day,) in duckdb.sql(query.replace("bars", f"'{file}'")).fetchall()],
        "polars": polars.scan_parquet(file).filter(condition).collect()["day"].to_list(),
        "pyarrow": pyarrow.parquet.read_table(file, filters=[("rsi", ">", 70)])["day"].to_pylist(),
    }


one, two = found(8), found(4)
print("one row group", one)
print("two row groups", two)
assert one == {"datafusion": [3, 5, 6], "duckdb": [3, 5, 6], "polars": [3, 5, 6], "pyarrow": [5, 6]}
assert two == {"datafusion": [5, 6], "duckdb": [5, 6], "polars": [3, 5, 6], "pyarrow": [5, 6]}
PYTHON
