#!/usr/bin/env bash
# Guess: indicators of nautilus_trader with a period of 10 look back as those of TA-Lib do.
# Seen: in 1.221.0 `RateOfChange(10)` compares with the close nine bars ago; `WeightedMovingAverage(10)`
#   without a list of weights is the simple mean; `OnBalanceVolume` adds the volume of a day that closed
#   above its own open, not above the last close; `RelativeStrengthIndex` is between 0 and 1, and its
#   default average forgets at 2/15 where Wilder's forgets at 1/14.
# Consequence: `rsi > 70` is never true, and a gap down that recovers a little counts as buying.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check nautilus_trader==1.221.0 TA-Lib==0.8.2 numpy==2.4.6
venv/bin/python - <<'PYTHON'
import numpy
import talib
from nautilus_trader.indicators import (
    MovingAverageType,
    OnBalanceVolume,
    RateOfChange,
    RelativeStrengthIndex,
    WeightedMovingAverage,
)

random = numpy.random.default_rng(1)
close = numpy.round(100 * numpy.exp(numpy.cumsum(random.normal(0, 0.01, 600))), 2)


def last(indicator):
    for price in close:
        indicator.update_raw(float(price))
    return indicator.value


change = 100 * last(RateOfChange(10))
print("rate of change:", change, "TA-Lib of 9:", talib.ROC(close, 9)[-1], "of 10:", talib.ROC(close, 10)[-1])
assert abs(change - talib.ROC(close, 9)[-1]) < 1e-9 < abs(change - talib.ROC(close, 10)[-1])

weighted = last(WeightedMovingAverage(10))
print("weighted:", weighted, "TA-Lib simple:", talib.SMA(close, 10)[-1], "weighted:", talib.WMA(close, 10)[-1])
assert abs(weighted - talib.SMA(close, 10)[-1]) < 1e-9 < abs(weighted - talib.WMA(close, 10)[-1])

usual, wilder = last(RelativeStrengthIndex(14)), last(RelativeStrengthIndex(14, MovingAverageType.WILDER))
print("RSI:", usual, "Wilder's:", wilder, "TA-Lib:", talib.RSI(close, 14)[-1])
assert 0 < usual < 1 and abs(100 * usual - talib.RSI(close, 14)[-1]) > 0.5
assert abs(100 * wilder - talib.RSI(close, 14)[-1]) < 1e-6

volume = OnBalanceVolume()
opens, closes = [100.0, 90.0, 80.0], [100.5, 91.0, 81.0]
for first, end in zip(opens, closes):
    volume.update_raw(first, end, 1000.0)
right = talib.OBV(numpy.array(closes), numpy.array([1000.0] * 3))[-1]
print("balance of two gaps down:", volume.value, "TA-Lib:", right)
assert volume.value == 3000.0 and right == -1000.0
PYTHON
