#!/usr/bin/env bash
# Guess: folders `symbol=0700` and `symbol=0005` of a partitioned data set give those tickers back.
# Seen: polars 2.1.0, pyarrow 26.0.1 and pandas 3.1.1 read them as the integers 700 and 5, where all
#   tickers are digits (Hong Kong, Tokyo); polars reads `1E5` and `2E5` as 100000.0 and 200000.0.
#   duckdb 1.5.5 keeps the text.
# Consequence: a filter on '0700' fails or finds nothing, and a join with prices from elsewhere is empty;
#   one ticker with a letter in the folder makes all of them text again.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check polars==2.1.0 pyarrow==26.0.1 pandas==3.1.1 duckdb==1.5.5
venv/bin/python - <<'PYTHON'
import os

import duckdb
import pandas
import polars
import pyarrow
import pyarrow.parquet


def folder_of(name, symbols):
    for symbol in symbols:
        os.makedirs(f"{name}/symbol={symbol}")
        pyarrow.parquet.write_table(pyarrow.table({"close": [1.0]}), f"{name}/symbol={symbol}/bars.parquet")
    return {
        "polars": sorted(polars.scan_parquet(f"{name}/").collect()["symbol"].to_list()),
        "pandas": sorted(pandas.read_parquet(name)["symbol"].tolist()),
        "pyarrow": sorted(pyarrow.parquet.read_table(name)["symbol"].to_pylist()),
        "duckdb": sorted(
            symbol
            for (symbol,) in duckdb.sql(
                f"SELECT symbol FROM read_parquet('{name}/*/*.parquet', hive_partitioning = true)"
            ).fetchall()
        ),
    }


hong_kong, powers, mixed = (
    folder_of("hong-kong", ["0700", "0005"]),
    folder_of("powers", ["1E5", "2E5"]),
    folder_of("mixed", ["0700", "AAPL"]),
)
print(hong_kong, powers, mixed)
for reader in ["polars", "pandas", "pyarrow"]:
    assert hong_kong[reader] == [5, 700], reader
assert hong_kong["duckdb"] == ["0005", "0700"]
assert powers["polars"] == [100000.0, 200000.0]
assert powers["pyarrow"] == powers["duckdb"] == ["1E5", "2E5"]
for reader, symbols in mixed.items():
    assert symbols == ["0700", "AAPL"], reader
PYTHON
