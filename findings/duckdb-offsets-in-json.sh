#!/usr/bin/env bash
# Guess: duckdb finds the same type in `2024-01-05T20:00:00-05:00` whether it stands in CSV or in JSON.
# Seen: duckdb 1.5.5 gives CSV a TIMESTAMP WITH TIME ZONE, and JSON a TIMESTAMP without one, in UTC.
# Consequence: with the zone of the session set to New York, the day of an evening bar is 5 January
#   from CSV and 6 January from the same rows as JSON, as vendors' APIs send them. A cast to
#   TIMESTAMPTZ then takes UTC for New York and doesn't mend it; `columns` with the type does.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check duckdb==1.5.5 pytz
cat >bars.csv <<'CSV'
t,c
2024-01-05T20:00:00-05:00,181.2
CSV
cat >bars.json <<'JSON'
[{"t": "2024-01-05T20:00:00-05:00", "c": 181.2}]
JSON
venv/bin/python - <<'PYTHON'
import duckdb

connection = duckdb.connect()
connection.execute("SET timezone = 'America/New_York'")
days = {}
for name, source in {
    "csv": "read_csv('bars.csv')",
    "json": "read_json('bars.json')",
    "json, typed": "read_json('bars.json', columns = {t: 'TIMESTAMPTZ', c: 'DOUBLE'})",
}.items():
    query = f"SELECT typeof(t), CAST(t AS DATE)::VARCHAR, CAST(t::TIMESTAMPTZ AS DATE)::VARCHAR FROM {source}"
    days[name] = connection.execute(query).fetchone()
    print(name, days[name])
assert days["csv"] == ("TIMESTAMP WITH TIME ZONE", "2024-01-05", "2024-01-05")
assert days["json"] == ("TIMESTAMP", "2024-01-06", "2024-01-06")
assert days["json, typed"] == days["csv"]
PYTHON
