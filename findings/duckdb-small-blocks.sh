#!/usr/bin/env bash
# Guess: smaller blocks suit a small store: they change where columns are cut, and not how prices are
#   compressed, so a file of many prices keeps nearly its size.
# Seen: duckdb 1.5.5 stores doubles uncompressed in blocks of 16 and 128 KiB, where those of 256 KiB, the
#   default, have ALP. 500,000 prices of two decimals took 4.1, 4.5 and 1.3 MB.
# Consequence: BLOCK_SIZE below the default makes a store of prices about three times as large.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check duckdb==1.5.5
venv/bin/python - <<'PYTHON'
import os

import duckdb

KIB = 1024
PRICES = "SELECT (20 + i * 7919 % 4001 / 100.0)::DECIMAL(10, 2)::DOUBLE AS close FROM range(500000) t(i)"
sizes = {}
for kib, wanted in ((16, "Uncompressed"), (128, "Uncompressed"), (256, "ALP")):
    path = f"{kib}.db"
    connection = duckdb.connect()
    connection.execute(f"ATTACH '{path}' AS store (BLOCK_SIZE {kib * KIB})")
    connection.execute(f"CREATE TABLE store.prices AS {PRICES}")
    connection.execute("CHECKPOINT store")
    found = connection.execute(
        "SELECT DISTINCT compression FROM pragma_storage_info('store.prices') WHERE segment_type = 'DOUBLE'"
    ).fetchall()
    connection.execute("DETACH store")
    sizes[kib] = os.path.getsize(path)
    print(kib, "KiB:", found, sizes[kib], "bytes")
    assert found == [(wanted,)], found
assert min(sizes[16], sizes[128]) > 2 * sizes[256], sizes
PYTHON
