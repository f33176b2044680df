#!/usr/bin/env bash
# Guess: a moving deviation is right again when one bad price has left its window, as in pandas, polars
#   and TA-Lib.
# Seen: `move_std` of bottleneck 1.6.0 adds what enters and takes what leaves, and keeps the rounding of
#   the squares for good: after one close that is stated in millionths, the 20-day deviation is 40 % too
#   wide 349 bars later.
# Consequence: one bad bar moves Bollinger bands and volatility for the rest of the series.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check \
  bottleneck==1.6.0 pandas==3.1.1 polars==2.1.0 TA-Lib==0.8.2 numpy==2.4.6
venv/bin/python -W ignore - <<'PYTHON'
import bottleneck
import numpy
import pandas
import polars
import talib

close = numpy.round(100 + numpy.cumsum(numpy.random.default_rng(1).normal(0, 0.5, 400)), 2)
spoilt = close.copy()
spoilt[50] *= 1e6
true = numpy.array([close[i - 19 : i + 1].std() for i in range(70, 400)])
sample = true * numpy.sqrt(20 / 19)

seen = {
    "bottleneck": bottleneck.move_std(spoilt, 20)[70:] / true,
    "TA-Lib": talib.STDDEV(spoilt, 20)[70:] / true,
    "pandas": pandas.Series(spoilt).rolling(20).std().to_numpy()[70:] / sample,
    "polars": polars.Series(spoilt).rolling_std(20).to_numpy()[70:] / sample,
}
for name, ratio in seen.items():
    print(f"{name}: last {ratio[-1]:.6f} of the true deviation, farthest {ratio[abs(ratio - 1).argmax()]:.6f}")
for name in ("TA-Lib", "pandas", "polars"):
    assert abs(seen[name] - 1).max() < 1e-6
assert seen["bottleneck"][-1] > 1.3
PYTHON
