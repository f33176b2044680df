#!/usr/bin/env bash
# Guess: `try_parse_dates` reads 01/05/2024 as 5 January, or leaves it as text, since it can be both.
# Seen: polars 2.1.0 reads it as 1 May. It has no month first: a file with a 16th stays text, and
#   `str.to_date(strict=False)` over such a column gives swapped days up to the 12th and nulls after.
# Consequence: the first file of a month of US prices loads with its days and months swapped, and the
#   next one has another type. `format="%m/%d/%Y"` mends both.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check polars==2.1.0
venv/bin/python - <<'PYTHON'
import io
from datetime import date

import polars


def dates(*texts):
    lines = "\n".join(f"{text},181.2" for text in texts)
    return polars.read_csv(io.StringIO(f"date,close\n{lines}\n"), try_parse_dates=True)["date"]


week = dates("01/05/2024", "01/08/2024")
month = dates("01/12/2024", "01/16/2024")
column = polars.Series(["01/05/2024", "01/16/2024"])
loose = column.str.to_date(strict=False)
print(week, month, loose)
assert week.to_list() == [date(2024, 5, 1), date(2024, 8, 1)]
assert month.dtype == polars.String
assert loose.to_list() == [date(2024, 5, 1), None]
assert column.str.to_date("%m/%d/%Y").to_list() == [date(2024, 1, 5), date(2024, 1, 16)]
PYTHON
