#!/usr/bin/env bash
# Guess: where several quotes have the time that an as-of join matches, the last of them is taken, as
#   pandas and polars do; at least the same query gives the same rows.
# Seen: duckdb 1.5.5 takes the first of three in a small table. In a table of a million quotes it takes
#   the first, the last or one between them, and another run of the same query takes others.
# Consequence: trades joined to quotes of the same millisecond give other spreads each time. Quotes
#   reduced to one a time before the join mend it.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check duckdb==1.5.5 polars==2.1.0 pandas==3.1.1
venv/bin/python - <<'PYTHON'
import duckdb
import pandas
import polars

times, bids = [1, 2, 2, 2, 3], [10, 20, 21, 22, 30]
quotes, trades = (
    pandas.DataFrame({"time": times, "bid": bids}),
    pandas.DataFrame({"time": [2]}),
)
by_pandas = pandas.merge_asof(trades, quotes, on="time")["bid"].item()
by_polars = (
    polars.DataFrame({"time": [2]})
    .join_asof(polars.DataFrame({"time": times, "bid": bids}), on="time")["bid"]
    .item()
)
duckdb.sql("CREATE TABLE few AS SELECT * FROM (VALUES (1, 10), (2, 20), (2, 21), (2, 22), (3, 30)) q(time, bid)")
by_duckdb = duckdb.sql("SELECT bid FROM (SELECT 2 AS time) ASOF JOIN few USING (time)").fetchone()[0]
print("of 20, 21, 22: pandas", by_pandas, "polars", by_polars, "duckdb", by_duckdb)
assert (by_pandas, by_polars, by_duckdb) == (22, 22, 20)

# Four quotes of each of 50 symbols in each millisecond; `turn` is 0 to 3 among them.
duckdb.sql("""
CREATE TABLE many AS
SELECT 'S' || (i % 50) AS symbol, i // 200 AS time, i % 200 // 50 AS turn
FROM range(1000000) r(i)""")
query = """
SELECT list(turn ORDER BY symbol, time)
FROM (SELECT DISTINCT symbol, time FROM many) ASOF JOIN many USING (symbol, time)"""
runs = [duckdb.sql(query).fetchone()[0] for _ in range(6)]
print("first and last of four, by run:", [(turns.count(0), turns.count(3), len(turns)) for turns in runs])
for turns in runs:
    assert len(turns) == 250_000 and set(turns) == {0, 1, 2, 3}
assert any(turns != runs[0] for turns in runs[1:])
PYTHON
