#!/usr/bin/env bash
# Guess: a price in a decimal column, as text or JSON, is the price.
# Seen: apache-arrow 21.2.0 gives the digits without the scale of the column: -1.25 of decimal128(38, 2) is
#   "-125", in String(value) and in JSON; the type alone knows the scale.
# Consequence: an API that sends rows of such a table serves prices a hundredfold.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund apache-arrow@21.2.0
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check pyarrow==26.0.1
venv/bin/python - <<'PYTHON'
from decimal import Decimal

import pyarrow

prices = pyarrow.array([Decimal("-1.25"), Decimal("100.01")], pyarrow.decimal128(38, 2))
table = pyarrow.table({"close": prices})
with pyarrow.OSFile("bars.arrow", "wb") as sink, pyarrow.ipc.new_file(sink, table.schema) as writer:
    writer.write_table(table)
PYTHON
cat >read.mjs <<'JAVASCRIPT'
import assert from 'node:assert';
import { readFileSync } from 'node:fs';
import { tableFromIPC } from 'apache-arrow';

const table = tableFromIPC(readFileSync('bars.arrow'));
const column = table.getChild('close');
const json = JSON.stringify(table.get(1));
console.log(String(column.type), String(column.get(0)), json);
assert.equal(column.type.scale, 2);
assert.equal(String(column.get(0)), '-125');
assert.ok(json.includes('10001') && !json.includes('100.01'));
JAVASCRIPT
node read.mjs
