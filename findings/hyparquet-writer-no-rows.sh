#!/usr/bin/env bash
# Guess: Parquet that pyarrow and DuckDB open is opened by readers in Rust (arrow-rs), too.
# Seen: hyparquet-writer 0.17.0 gives an empty Thrift list the element type 0, and a file without
#   rows has an empty list of row groups. arrow-rs (by datafusion 55.0.0) refuses it: "Expected list
#   element type of Struct but got Byte". pyarrow 26.0.1 opens it.
# Consequence: an empty result of an API in Parquet is unreadable for datafusion, daft and delta-rs.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent hyparquet-writer@0.17.0
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check datafusion==55.0.0 pyarrow==26.0.1
cat >write.mjs <<'JAVASCRIPT'
import { writeFileSync } from 'node:fs';
import { parquetWriteBuffer } from 'hyparquet-writer';

const columns = (data) => [{ name: 'close', data, type: 'DOUBLE' }];
writeFileSync('rows.parquet', Buffer.from(parquetWriteBuffer({ columnData: columns([17.05]) })));
writeFileSync('none.parquet', Buffer.from(parquetWriteBuffer({ columnData: columns([]) })));
JAVASCRIPT
node write.mjs
venv/bin/python - <<'PYTHON'
import pyarrow.parquet as pq
from datafusion import SessionContext


def by_rust(path: str) -> str:
    try:
        return f"{SessionContext().read_parquet(path).count()} rows"
    except Exception as error:
        return str(error)


seen = {name: (pq.read_table(name).num_rows, by_rust(name)) for name in ("rows.parquet", "none.parquet")}
for name, (rows, rust) in seen.items():
    print(f"{name}: pyarrow {rows} rows; arrow-rs {rust}")
assert seen["rows.parquet"] == (1, "1 rows"), "a file with a row is read otherwise now"
assert seen["none.parquet"][0] == 0, "pyarrow opens the empty file otherwise now"
assert "list element type" in seen["none.parquet"][1], "arrow-rs opens the empty file now"
PYTHON
echo 'as found: arrow-rs refuses a file without rows'
