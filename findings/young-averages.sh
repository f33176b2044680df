#!/usr/bin/env bash
# Guess: an average of 200 days and an RSI of 14 are unknown until there are as many bars, as in TA-Lib.
# Seen: stockstats 0.6.10 and indicatorts 2.2.2 average the bars that there are: `close_200_sma` of the
#   first bar is its close. The first RSI is 50 in one and 0 in the other, and 100 after one rise.
# Consequence: a stock of two days has a 200-day average to be above of, and every one of one day is
#   oversold for a screen by indicatorts.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check stockstats==0.6.10 pandas==2.3.3 TA-Lib==0.8.2 numpy==2.4.6
npm init -y >/dev/null
npm install --silent --no-audit --no-fund indicatorts@2.2.2
venv/bin/python -W ignore - <<'PYTHON'
import numpy
import pandas
import stockstats
import talib

close = numpy.array([10.0, 11.0, 12.0])
bars = stockstats.wrap(
    pandas.DataFrame({"open": close, "high": close, "low": close, "close": close, "volume": 1.0})
)
average, strength = bars["close_200_sma"].tolist(), bars["rsi_14"].tolist()
print("stockstats", average, strength, "TA-Lib", talib.SMA(close, 200), talib.RSI(close, 14))
assert average == [10.0, 10.5, 11.0]
assert strength == [50.0, 100.0, 100.0]
assert numpy.isnan(talib.SMA(close, 200)).all() and numpy.isnan(talib.RSI(close, 14)).all()
PYTHON
cat >check.mjs <<'SCRIPT'
import assert from 'node:assert';
import { rsi, sma } from 'indicatorts';

const close = [10, 11, 12];
const average = sma(close, { period: 200 });
const strength = rsi(close, { period: 14 });
console.log('indicatorts', average, strength);
assert.deepEqual(average, [10, 10.5, 11]);
assert.deepEqual(strength, [0, 100, 100]);
SCRIPT
node check.mjs
