#!/usr/bin/env bash
# Guess: the first values of a moving average are null, or the mean of the bars that there are.
# Seen: `groupArrayMovingAvg(3)` of ClickHouse 26.9.2 (chdb 4.4.0) divides the sum of fewer bars by 3
#   as well: a price of 10 that never moves has averages of 3.33, 6.67, 10. The window function `avg`
#   over three rows says 10.
# Consequence: each stock starts far above its 200-day average, and a screen for young stocks finds all.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check chdb==4.4.0
venv/bin/python - <<'PYTHON'
import json

import chdb

prices = "(SELECT arrayJoin([10., 10., 10., 10.]) AS close, rowNumberInAllBlocks() AS day)"
moving = json.loads(
    chdb.query(f"SELECT groupArrayMovingAvg(3)(close) AS a FROM {prices}", "JSONEachRow").data()
)["a"]
window = chdb.query(
    f"SELECT groupArray(a) AS a FROM (SELECT avg(close) OVER (ORDER BY day ROWS 2 PRECEDING) AS a FROM {prices})",
    "JSONEachRow",
).data()
print("groupArrayMovingAvg", moving, "avg", window)
assert [round(value, 2) for value in moving] == [3.33, 6.67, 10, 10]
assert json.loads(window)["a"] == [10, 10, 10, 10]
PYTHON
