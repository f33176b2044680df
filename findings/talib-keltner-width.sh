#!/usr/bin/env bash
# Guess: the half width of TA-Lib's KC is nbdev times TA-Lib's own ATR of `atrperiod`.
# Seen: TA-Lib 0.8.2 seeds the ATR within KC from the true ranges just before its first output (bars
#   10 to 19 for 20 and 10), and not from the first ones of the series as ATR does. The first width
#   differs by some percent, and the two meet only as the smoothing forgets its seed.
# Consequence: channels that are computed from EMA and ATR of the same library do not equal KC.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check TA-Lib==0.8.2 numpy==2.4.6
cd "$folder"
venv/bin/python - <<'PYTHON'
import numpy as np
import talib

bars = 400
step = np.arange(bars)
close = 100 + 5 * np.sin(step / 7) + step % 3
# Ranges shrink at first, so that another seed shows.
reach = 1 + 4 * np.exp(-step / 10)
high, low = close + reach, close - reach

upper, middle, _ = talib.KC(high, low, close, timeperiod=20, atrperiod=10, nbdev=2.0)
atr = talib.ATR(high, low, close, timeperiod=10)
ratio = (upper - middle) / (2 * atr)
first = int(np.flatnonzero(~np.isnan(upper))[0])

true_range = talib.TRANGE(high, low, close)
own_seed = true_range[first - 9 : first + 1].mean()
print(f"first output at bar {first}: width / (2 x ATR) is {ratio[first]:.4f}, after 300 bars {ratio[-1]:.12f}")
print(f"mean true range of the 10 bars to it, twice: {2 * own_seed:.6f}; width {(upper - middle)[first]:.6f}")
assert first == 19, "the first output is elsewhere now"
assert abs(ratio[first] - 1) > 0.01, "the first width is that of ATR now: the finding is out of date"
assert abs((upper - middle)[first] / (2 * own_seed) - 1) < 1e-9, "the seed is another one now"
assert abs(ratio[-1] - 1) < 1e-9, "the two do not meet any more"
PYTHON
echo 'as found: the channels begin with a width of their own'
