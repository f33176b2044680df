#!/usr/bin/env bash
# Guess: a series of months that begins on 31 January has the last day of each month, as polars makes it.
# Seen: duckdb 1.5.5 and datafusion 55.0.0 add a month to the day before: after 29 February all days
#   are the 29th.
# Consequence: a strategy that trades at month ends trades two days early from March on.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check \
  datafusion==55.0.0 duckdb==1.5.5 polars==2.1.0 pyarrow==26.0.1
venv/bin/python - <<'PYTHON'
from datetime import datetime

import datafusion
import duckdb
import polars

first, last = datetime(2024, 1, 31), datetime(2024, 5, 31)
series = f"generate_series(timestamp '{first}', timestamp '{last}', interval '1 month')"
in_duckdb = [day for (day,) in duckdb.sql(f"SELECT unnest({series})").fetchall()]
rows = datafusion.SessionContext().sql(f"SELECT unnest({series}) AS day").to_pylist()
by_reader = {
    "duckdb": in_duckdb,
    "datafusion": [row["day"] for row in rows],
    "polars": polars.datetime_range(first, last, "1mo", eager=True).to_list(),
}
days = {name: [f"{day:%m-%d}" for day in found] for name, found in by_reader.items()}
print(days)
drifted = ["01-31", "02-29", "03-29", "04-29", "05-29"]
assert days["duckdb"] == days["datafusion"] == drifted
assert days["polars"] == ["01-31", "02-29", "03-31", "04-30", "05-31"]
PYTHON
