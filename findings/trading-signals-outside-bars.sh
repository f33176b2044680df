#!/usr/bin/env bash
# Guess: the ADX of trading-signals, which smooths as Wilder does, is that of TA-Lib once both are warm.
# Seen: trading-signals 8.3.0 counts a day that reaches as far above the day before as below it in both
#   directions; for Wilder, and for TA-Lib 0.8.2, it has neither. Equal to a billionth until that day, the
#   strength of the trend is 47.6 for 90.7 ten days later and 58.7 for 98.3 after eight weeks.
# Consequence: prices that move in large ticks have such days, so the two differ for ever. The series is
#   synthetic: it falls and rises by a dime a day, and one day reaches four dollars further both ways.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true}' > package.json
npm install --silent --no-audit --no-fund trading-signals@8.3.0
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check TA-Lib==0.8.2
node --input-type=module - > theirs.json <<'NODE'
import { ADX } from 'trading-signals';
import { writeFileSync } from 'node:fs';
// Dimes as integers, so that equal moves are equal.
const bars = [];
for (let day = 0; day < 120; day++) {
  const close = 1000 + (day < 30 ? -day : day - 60);
  bars.push({ high: close + 5, low: close - 5, close });
}
const { high, low } = bars[79];
bars[80] = { high: high + 40, low: low - 40, close: bars[80].close };
writeFileSync('bars.json', JSON.stringify(bars));
const adx = new ADX(14);
console.log(JSON.stringify(bars.map((bar) => adx.add(bar) ?? null)));
NODE
venv/bin/python - <<'PYTHON'
import json

import numpy
import talib

bars = json.load(open("bars.json"))
high, low, close = (numpy.array([bar[name] for bar in bars], float) for name in ("high", "low", "close"))
by_talib = talib.ADX(high, low, close, 14)
theirs = numpy.array([numpy.nan if v is None else v for v in json.load(open("theirs.json"))])
for day in (79, 80, 90, 100, 119):
    print(day, "TA-Lib", round(by_talib[day], 2), "trading-signals", round(theirs[day], 2))
assert abs(by_talib[79] - theirs[79]) < 1e-9
assert (round(by_talib[90], 1), round(theirs[90], 1)) == (90.7, 47.6)
assert (round(by_talib[119], 1), round(theirs[119], 1)) == (98.3, 58.7)
PYTHON
