#!/usr/bin/env bash
# Guess: zipline's csvdir keeps the bar of a stock of which more than 2^32 shares were traded, or its
#   ingest refuses it.
# Seen: zipline-reloaded 3.2.1 ends well, and the bundle has the bar with a volume of 0.
# Consequence: rules on volume see the busiest day of a penny stock as a day without trades.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check zipline-reloaded==3.2.1
mkdir -p bars/daily
cat >bars/daily/PENY.csv <<'CSV'
date,open,high,low,close,volume,dividend,split
2024-01-02,1,1.1,0.9,1,4294967295,0,1
2024-01-03,1,1.1,0.9,1.05,5000000000,0,1
2024-01-04,1,1.1,0.9,1,1000,0,1
CSV
ZIPLINE_ROOT=$folder/root venv/bin/python -W ignore - <<'PYTHON'
import pandas as pd
from zipline.data.bundles import ingest, load, register
from zipline.data.bundles.csvdir import csvdir_equities

first, last = pd.Timestamp("2024-01-02"), pd.Timestamp("2024-01-04")
register("penny", csvdir_equities(["daily"], "bars"), calendar_name="NYSE",
         start_session=first, end_session=last)
ingest("penny", show_progress=False)
reader = load("penny").equity_daily_bar_reader
closes, volumes = (column[:, 0].tolist() for column in
                   reader.load_raw_arrays(["close", "volume"], first, last, [0]))
print("close: ", closes)
print("volume:", volumes)
assert volumes[2] == 1000, volumes
assert volumes[1] == 0, volumes
PYTHON
