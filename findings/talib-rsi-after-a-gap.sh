#!/usr/bin/env bash
# Guess: after one missing price, RSI and CMO are unknown, as the library's own SMA is, or recover.
# Seen: TA-Lib 0.8.2 gives exactly 0 for each later bar of both, up to the end of the series. SMA and EMA stay
#   NaN; MAX and MIN go on as if the price had not been there.
# Consequence: a series with one hole is "oversold" for ever, and a screen for low RSI lists it each day.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check TA-Lib==0.8.2 numpy==2.4.6
venv/bin/python - <<'PYTHON'
import numpy
import talib

closes = 100 + numpy.random.default_rng(1).normal(0, 1, 300).cumsum()
holed = closes.copy()
holed[20] = numpy.nan
for name in ("RSI", "CMO"):
    whole, later = getattr(talib, name)(closes, 14), getattr(talib, name)(holed, 14)[20:]
    print(name, "whole", whole[-3:], "with a hole", later[-3:])
    assert whole[-1] != 0 and numpy.all(later == 0)
for name in ("SMA", "EMA"):
    assert numpy.isnan(getattr(talib, name)(holed, 14)[20:]).all()
assert not numpy.isnan(talib.MAX(holed, 14)[20:]).any()
PYTHON
