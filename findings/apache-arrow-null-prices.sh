#!/usr/bin/env bash
# Guess: toArray of a column of prices shows which are null, as get and iteration do, or refuses nulls.
# Seen: apache-arrow 21.2.0 gives the memory as it is: a null that pyarrow or its own builder wrote is 0 there.
# Consequence: the fast way to numbers (typed arrays) turns a missing close into a price of zero.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund apache-arrow@21.2.0
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check pyarrow==26.0.1
venv/bin/python - <<'PYTHON'
import pyarrow

table = pyarrow.table({"close": pyarrow.array([10.5, None, 11.0])})
with pyarrow.OSFile("bars.arrow", "wb") as sink, pyarrow.ipc.new_file(sink, table.schema) as writer:
    writer.write_table(table)
PYTHON
cat >read.mjs <<'JAVASCRIPT'
import assert from 'node:assert';
import { readFileSync } from 'node:fs';
import { Float64, tableFromIPC, vectorFromArray } from 'apache-arrow';

const read = tableFromIPC(readFileSync('bars.arrow')).getChild('close');
for (const column of [read, vectorFromArray([10.5, null, 11], new Float64())]) {
  console.log([...column], column.toArray());
  assert.deepEqual([...column], [10.5, null, 11]);
  assert.deepEqual([...column.toArray()], [10.5, 0, 11]);
}
JAVASCRIPT
node read.mjs
