#!/usr/bin/env bash
# Guess: `update` with the corrected closes of Monday and Friday changes Monday and Friday.
# Seen: in arcticdb 6.28.2 it replaces the whole span of its index: Tuesday to Thursday are gone, without a
#   word. (The older version can still be read.)
# Consequence: a file of corrections, which has only the days that changed, removes all days between.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check arcticdb==6.28.2 pandas==2.3.3
venv/bin/python - <<'PYTHON'
import arcticdb
import pandas

library = arcticdb.Arctic("lmdb://store").create_library("bars")
week = pandas.bdate_range("2024-01-01", periods=5)
library.write("AAA", pandas.DataFrame({"close": [10.0, 11.0, 12.0, 13.0, 14.0]}, index=week))
library.update("AAA", pandas.DataFrame({"close": [10.5, 14.5]}, index=week[[0, 4]]))
closes = library.read("AAA").data.close
print(closes.to_dict())
assert list(closes.index) == [week[0], week[4]] and list(closes) == [10.5, 14.5]
before = library.read("AAA", as_of=0).data.close
assert list(before) == [10.0, 11.0, 12.0, 13.0, 14.0]
PYTHON
