#!/usr/bin/env bash
# Guess: a SuperTrend has no value in its warm-up, and a steady fall is a downtrend.
# Seen: pandas-ta-classic 0.8.32 gives 0.0 as the line of the first bar, then no value until bar 10;
#   the direction is up from the first bar on, though prices only fall, until the line is crossed.
# Consequence: the smallest value of the column is 0.0, and a signal "price above the line" is true
#   on the first bar of every series.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  pandas-ta-classic==0.8.32 pandas==3.1.1 numpy==2.4.6
cd "$folder"
venv/bin/python - <<'PYTHON'
import numpy as np
import pandas as pd
import pandas_ta_classic as ta

close = pd.Series(np.linspace(160, 100, 60))
table = ta.supertrend(close + 1, close - 1, close, length=10, multiplier=3)
line, direction = table.iloc[:, 0], table.iloc[:, 1]
print("line:", line.head(12).tolist())
print("direction:", direction.head(12).tolist())
assert line[0] == 0.0, "the first bar has another value now: the finding is out of date"
assert line[1:10].isna().all(), "the warm-up has values now"
assert (direction[:10] == 1).all(), "the direction of the warm-up is another one now"
PYTHON
echo 'as found: the line begins with 0.0 and upwards'
