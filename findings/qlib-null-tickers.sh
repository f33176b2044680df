#!/usr/bin/env bash
# Guess: qlib lists every ticker of its folder, whatever its letters.
# Seen: pyqlib 0.9.7 reads the list with pandas' default nulls, so that NA and NULL become NaN; every
#   query of all instruments then ends with AttributeError. By their names both are read.
# Consequence: a writer must leave such tickers out of instruments/all.txt.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check pyqlib==0.9.7
venv/bin/python - <<'PYTHON'
import logging
import struct
from pathlib import Path

import qlib
from qlib.data import D

DAYS = ["2024-01-02", "2024-01-03"]
place = Path("market")
for symbol in ["SPY", "NA"]:
    features = place / "features" / symbol.lower()
    features.mkdir(parents=True)
    (features / "close.day.bin").write_bytes(struct.pack("<3f", 0, 10, 11))
for name, lines in [
    ("calendars/day.txt", DAYS),
    ("instruments/all.txt", [f"{symbol}\t{DAYS[0]}\t{DAYS[1]}" for symbol in ["NA", "SPY"]]),
]:
    (place / name).parent.mkdir()
    (place / name).write_text("\n".join(lines) + "\n")

qlib.init(provider_uri=str(place), region="us", logging_level=logging.CRITICAL)
listed = D.list_instruments(D.instruments("all"), as_list=True)
print("listed:", listed)
assert sorted(map(str, listed)) == ["SPY", "nan"], listed
try:
    D.features(D.instruments("all"), ["$close"])
    raise SystemExit("all instruments are read: the behaviour changed")
except AttributeError as error:
    print("all of them:", error)
print("by name:", D.features(["NA"], ["$close"])["$close"].tolist())
assert D.features(["NA"], ["$close"])["$close"].tolist() == [10, 11]
PYTHON
