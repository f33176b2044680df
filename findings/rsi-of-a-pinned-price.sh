#!/usr/bin/env bash
# Guess: libraries agree on the RSI of a price that doesn't move (a cash takeover, a stablecoin): 50, or none.
# Seen: TA-Lib 0.8.2 says 0, the most oversold; ta 0.11.0 says 100, the most overbought. Of the same bars
#   Williams %R is 0 by TA-Lib, the most overbought, and NaN by ta.
# Consequence: one stock is a buy in one screen and a sell in the other, and nothing has moved.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check TA-Lib==0.8.2 ta==0.11.0 pandas==2.3.3 numpy==2.4.6
venv/bin/python - <<'PYTHON'
import numpy
import pandas
import ta
import talib

flat = numpy.full(60, 10.0)
series = pandas.Series(flat)
seen = {
    "RSI": (talib.RSI(flat, 14)[-1], ta.momentum.rsi(series, 14).iloc[-1]),
    "Williams %R": (
        talib.WILLR(flat, flat, flat, 14)[-1],
        ta.momentum.williams_r(series, series, series, 14).iloc[-1],
    ),
}
print(seen)
assert seen["RSI"] == (0.0, 100.0)
assert seen["Williams %R"][0] == 0.0 and numpy.isnan(seen["Williams %R"][1])
PYTHON
