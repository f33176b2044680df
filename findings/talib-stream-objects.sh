#!/usr/bin/env bash
# Guess: talib.stream.SMA(close, 14) gives the newest value as a number, and NaN where the series is
#   too short, as the last value of talib.SMA does.
# Seen: TA-Lib 0.8.2 gives an object that takes further bars, whose attribute `value` is the number;
#   float() of it fails. With fewer bars than the first value needs it raises InsufficientHistory.
# Consequence: a loop over a real universe ends at the first young listing, and code that compares
#   or adds the result fails.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check TA-Lib==0.8.2 numpy==2.4.6
cd "$folder"
venv/bin/python - <<'PYTHON'
import math

import numpy as np
import talib

close = np.linspace(1, 2, 50)
stream = talib.stream.SMA(close, 14)
assert stream.value == talib.SMA(close, 14)[-1]
try:
    float(stream)
except TypeError as error:
    print(f"no number: {error}")
else:
    raise SystemExit("talib.stream gives a number now")

short = close[:3]
assert math.isnan(talib.SMA(short, 14)[-1])
try:
    talib.stream.SMA(short, 14)
except talib.InsufficientHistory as error:
    print(f"three bars: {error}")
else:
    raise SystemExit("talib.stream takes short series now")
PYTHON
