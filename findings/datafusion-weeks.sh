#!/usr/bin/env bash
# Guess: `date_bin(interval '1 week', …)` makes the weeks that `date_trunc('week', …)` makes, from Monday,
#   as `time_bucket` of DuckDB does.
# Seen: datafusion 55.0.0 counts weeks from 1 January 1970, a Thursday: the bars of Thursday and Friday
#   are in one week with those of the next Monday to Wednesday.
# Consequence: weekly candles open on Thursday and close on Wednesday, without an error.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check datafusion==55.0.0 duckdb==1.5.5 pyarrow==26.0.1
venv/bin/python - <<'PYTHON'
import datafusion
import duckdb

# Monday 8 to Friday 12 January 2024.
days = ", ".join(f"(timestamp '2024-01-{day:02d}T00:00:00')" for day in range(8, 13))
rows = (
    datafusion.SessionContext()
    .sql(
        "SELECT date_bin(interval '1 week', ts) AS week, date_trunc('week', ts) AS monday"
        f" FROM (VALUES {days}) AS bars(ts) ORDER BY ts"
    )
    .to_pylist()
)
weeks = [f"{row['week']:%a %d}" for row in rows]
mondays = {f"{row['monday']:%a %d}" for row in rows}
buckets = duckdb.sql(
    f"SELECT DISTINCT time_bucket(interval '1 week', ts) FROM (VALUES {days}) AS bars(ts)"
).fetchall()
print("date_bin", weeks, "date_trunc", mondays, "duckdb", buckets)
assert weeks == ["Thu 04", "Thu 04", "Thu 04", "Thu 11", "Thu 11"]
assert mondays == {"Mon 08"}
assert [f"{week:%a %d}" for (week,) in buckets] == ["Mon 08"]
PYTHON
