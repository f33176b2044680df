#!/usr/bin/env bash
# Guess: a null price of a Parquet file is refused by a column that takes no nulls, as other databases do.
# Seen: ClickHouse 26.9.2 (chdb 4.4.0, chdb-core 26.9.0) stores 0, by INSERT SELECT and by FROM INFILE. With
#   input_format_null_as_default = 0 the first is refused; a column of Nullable(Float64) keeps the null.
# Consequence: a missing close becomes a price of zero, and its return −100 %.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check chdb==4.4.0 chdb-core==26.9.0 pyarrow==26.0.1
venv/bin/python - <<'PYTHON'
import pyarrow
import pyarrow.parquet
from chdb import session

closes = pyarrow.array([10.5, None])
pyarrow.parquet.write_table(pyarrow.table({"day": [1, 2], "close": closes}), "bars.parquet")
base = session.Session()
number = 0


def stored(kind, insert, settings=""):
    global number
    number += 1
    base.query(f"CREATE TABLE t{number} (day Int64, close {kind}) ENGINE = MergeTree ORDER BY day")
    base.query(insert.format(table=f"t{number}") + settings)
    text = str(base.query(f"SELECT close FROM t{number} ORDER BY day", "CSV")).split()
    print(kind, insert, settings, text)
    return text


select = "INSERT INTO {table} SELECT * FROM file('bars.parquet')"
infile = "INSERT INTO {table} FROM INFILE 'bars.parquet' FORMAT Parquet"
assert stored("Float64", select) == ["10.5", "0"]
assert stored("Float64", infile) == ["10.5", "0"]
assert stored("Nullable(Float64)", select) == ["10.5", "\\N"]
try:
    stored("Float64", select, " SETTINGS input_format_null_as_default = 0")
except RuntimeError as error:
    print(str(error).splitlines()[0][:120])
else:
    raise AssertionError("a null was taken")
PYTHON
