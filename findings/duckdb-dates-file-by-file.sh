#!/usr/bin/env bash
# Guess: `read_csv` over the monthly files of one vendor reads their dates by one rule, as it has one
#   schema: a file with the 16th of a month proves month first, and the other files follow.
# Seen: duckdb 1.5.5 finds the format in each file by itself; a file whose days are all below 13 is read
#   day first, in the same column, without a word, in either order of the files.
# Consequence: bars of 1, 2 and 5 February stand in January, February and May. `dateformat` mends it.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check duckdb==1.5.5
cat >january.csv <<'CSV'
date,close
01/02/2024,1
01/03/2024,2
01/16/2024,3
CSV
cat >february.csv <<'CSV'
date,close
02/01/2024,4
02/02/2024,5
02/05/2024,6
CSV
venv/bin/python - <<'PYTHON'
import duckdb


def days(files, options=""):
    rows = duckdb.sql(f"SELECT date FROM read_csv({files}{options}) ORDER BY close").fetchall()
    return [str(day) for (day,) in rows]


january = ["2024-01-02", "2024-01-03", "2024-01-16"]
for files in (["january.csv", "february.csv"], ["february.csv", "january.csv"]):
    seen = days(files)
    print(files, seen)
    assert seen == [*january, "2024-01-02", "2024-02-02", "2024-05-02"], seen
stated = days(files, ", dateformat = '%m/%d/%Y'")
print("with dateformat", stated)
assert stated == [*january, "2024-02-01", "2024-02-02", "2024-02-05"], stated
PYTHON
