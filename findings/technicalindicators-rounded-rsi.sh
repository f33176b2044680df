#!/usr/bin/env bash
# Guess: RSI and the stochastic RSI are doubles as all other outputs of the library.
# Seen: technicalindicators 3.1.0 rounds RSI and MFI to two decimals, and its stochastic RSI is made of
#   the rounded values: where a price is pinned by a takeover it is off by up to seven points of a hundred.
# Consequence: `rsi >= 70` is true at 69.995, and crossings of a stochastic RSI move to other bars.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >npm.log
npm install --silent --no-audit --no-fund technicalindicators@3.1.0 >>npm.log
cat >rsi.cjs <<'JS'
const assert = require('node:assert');
const { RSI, StochasticRSI } = require('technicalindicators');

// Synthetic: 40 lively days, then a takeover at 60.50 in cash: the price moves by a cent or not at all.
const lively = Array.from({ length: 40 }, (_, i) => 40 + 3 * Math.sin(i) + 2 * Math.cos(i * 1.7));
const bound = Array.from({ length: 30 }, (_, i) => 60.5 + 0.01 * ((i * i) % 3));
const values = [...lively, ...bound];
const period = 14;

function wilder(prices) {
  let gain = 0;
  let loss = 0;
  const out = [];
  for (let i = 1; i < prices.length; i++) {
    const change = prices[i] - prices[i - 1];
    const [up, down] = [Math.max(change, 0), Math.max(-change, 0)];
    gain = i <= period ? gain + up / period : (gain * (period - 1) + up) / period;
    loss = i <= period ? loss + down / period : (loss * (period - 1) + down) / period;
    if (i >= period) out.push(100 - 100 / (1 + gain / loss));
  }
  return out;
}

const exact = wilder(values);
const rsi = RSI.calculate({ values, period });
const rounded = rsi.every((value) => value === Number(value.toFixed(2)));
const stochastic = (series) =>
  series.slice(period - 1).map((value, i) => {
    const window = series.slice(i, i + period);
    return (100 * (value - Math.min(...window))) / (Math.max(...window) - Math.min(...window));
  });
const theirs = StochasticRSI.calculate({
  values,
  rsiPeriod: period,
  stochasticPeriod: period,
  kPeriod: 1,
  dPeriod: 1,
}).map((row) => row.stochRSI);
const ours = stochastic(exact).slice(-theirs.length);
const worst = Math.max(...theirs.map((value, i) => Math.abs(value - ours[i])));
console.log('all values of RSI have two decimals:', rounded);
console.log('largest difference of the stochastic RSI, points:', worst.toFixed(3));
assert(rounded);
assert(worst > 5);
JS
node rsi.cjs
