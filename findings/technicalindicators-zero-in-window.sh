#!/usr/bin/env bash
# Guess: the standard deviation and Bollinger bands of a series that crosses zero (a spread of two stocks,
#   daily changes, a histogram) are those of each window.
# Seen: technicalindicators 3.1.0 stops at the first zero in a window, so that the window [0, -1, 0] has
#   a deviation of 0; where the mean is 0, it repeats the middle and the bands of the window before.
# Consequence: bands around a spread have no width, and every value is outside of them.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >npm.log
npm install --silent --no-audit --no-fund technicalindicators@3.1.0 >>npm.log
cat >bands.cjs <<'JS'
const assert = require('node:assert');
const { BollingerBands, SMA } = require('technicalindicators');

const period = 3;
const spread = [2, 1, 0, -1, 0, 1, 2, 1];
const widths = (values) =>
  BollingerBands.calculate({ values, period, stdDev: 1 }).map((row) => (row.upper - row.lower) / 2);
const middles = BollingerBands.calculate({ values: spread, period, stdDev: 1 }).map((row) => row.middle);
const means = SMA.calculate({ values: spread, period });
// The same series ten higher has the same deviations, and no zero.
const right = widths(spread.map((value) => value + 10));
const seen = widths(spread);
const text = (values) => values.map((value) => value.toFixed(3)).join(' ');
console.log('deviations, ten higher:', text(right));
console.log('deviations:            ', text(seen));
console.log('means:                 ', text(means));
console.log('middles of the bands:  ', text(middles));
assert(Math.abs(right[2] - Math.sqrt(2) / 3) < 1e-9);
assert.deepStrictEqual(seen.slice(2, 5), [0, 0, 0]);
assert(Math.abs(means[1]) < 1e-9 && middles[1] === 1);
JS
node bands.cjs
