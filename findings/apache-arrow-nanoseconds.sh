#!/usr/bin/env bash
# Guess: the value of a timestamp of nanoseconds is exact, a bigint as those of `Int64` and `Time64`.
# Seen: apache-arrow 21.2.0 gives a number of milliseconds with a fraction: of 1704205800123456789 the
#   last digits are lost, and two ticks that are 100 ns apart are one. `toArray()` has the exact bigints.
# Consequence: rows read one by one can't be put in order by time, nor found again in their source.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund apache-arrow@21.2.0
cat >check.mjs <<'SCRIPT'
import assert from 'node:assert';
import { makeData, TimestampNanosecond, Vector } from 'apache-arrow';

const ticks = new BigInt64Array([1704205800123456789n, 1704205800123456689n]);
const type = new TimestampNanosecond();
const times = new Vector([makeData({ type, data: ticks })]);
const [later, earlier] = times;
console.log(later, earlier, times.toArray());
assert.equal(typeof later, 'number');
assert.equal(later, earlier);
assert.equal(later, 1704205800123.4568);
assert.deepEqual([...times.toArray()], [...ticks]);
SCRIPT
node check.mjs
