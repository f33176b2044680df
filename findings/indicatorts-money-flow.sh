#!/usr/bin/env bash
# Guess: the money flow index and CCI of indicatorts are those of TA-Lib after the first bars.
# Seen: its 2.2.2 counts a day as one of inflow if price times volume rose, not the price: of a stock that
#   falls each day on rising volume, `mfi` says 100, overbought, where TA-Lib says 0. The mean deviation
#   of `cci` measures each bar from the average of its own day: off by up to 120 on a random walk.
# Consequence: panic on rising volume looks like buying.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check TA-Lib==0.8.2 numpy==2.4.6
npm init -y >/dev/null
npm install --silent --no-audit --no-fund indicatorts@2.2.2
venv/bin/python - <<'PYTHON' >right.json
import json

import numpy
import talib

fall = 100.0 - numpy.arange(40)
volume = 1000.0 * numpy.arange(1, 41) ** 2
walk = numpy.round(100 + numpy.cumsum(numpy.random.default_rng(1).normal(0, 0.5, 200)), 2)
print(
    json.dumps(
        {
            "fall": fall.tolist(),
            "volume": volume.tolist(),
            "walk": walk.tolist(),
            "mfi": talib.MFI(fall, fall, fall, volume, 14).tolist()[-1],
            "cci": talib.CCI(walk, walk, walk, 20).tolist()[40:],
        }
    )
)
PYTHON
cat >check.mjs <<'SCRIPT'
import assert from 'node:assert';
import { readFileSync } from 'node:fs';
import { cci, mfi } from 'indicatorts';

const right = JSON.parse(readFileSync('right.json', 'utf8'));
const { fall, volume, walk } = right;
const flow = mfi(fall, fall, fall, volume, { period: 14 }).at(-1);
console.log('mfi', flow, 'TA-Lib', right.mfi);
assert.equal(flow, 100);
assert.equal(right.mfi, 0);

const channel = cci(walk, walk, walk, { period: 20 }).slice(40);
const farthest = Math.max(...channel.map((value, i) => Math.abs(value - right.cci[i])));
console.log('cci', channel.at(-1), 'TA-Lib', right.cci.at(-1), 'farthest', farthest);
assert(farthest > 50);
SCRIPT
node check.mjs
