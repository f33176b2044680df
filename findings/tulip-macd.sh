#!/usr/bin/env bash
# Guess: MACD is the exponential average of 12 bars less that of 26, and so is the library's own `ema`.
# Seen: newtulipy 0.4.6 (Tulip Indicators) smooths by 0.15 and 0.075 for exactly 12 and 26, where `ema`
#   has 2/13 and 2/27, as TA-Lib's `MACDFIX`. With 12 and 27 it is the difference of the two averages.
# Consequence: the most used setting of MACD differs by some percent from its own averages and from
#   charts, and crosses zero on other days; a sweep over periods has a step at 26.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check newtulipy==0.4.6 numpy==2.4.6 TA-Lib==0.8.2
venv/bin/python - <<'PYTHON'
import numpy
import talib
import tulipy

close = numpy.round(100 + numpy.cumsum(numpy.random.default_rng(1).normal(0, 0.5, 400)), 2)
for slow in (25, 26, 27):
    macd = tulipy.macd(close, 12, slow, 9)[0][-1]
    averages = tulipy.ema(close, 12)[-1] - tulipy.ema(close, slow)[-1]
    rival = talib.MACD(close, 12, slow, 9)[0][-1]
    print(f"12, {slow}: macd {macd:.6f}, its averages {averages:.6f}, TA-Lib {rival:.6f}")
    assert abs(averages - rival) < 1e-9
    assert (abs(macd - averages) > 0.005) == (slow == 26)
fixed = talib.MACDFIX(close, 9)[0][-1]
print(f"TA-Lib's MACDFIX {fixed:.6f}")
assert abs(fixed - tulipy.macd(close, 12, 26, 9)[0][-1]) < 1e-6
PYTHON
