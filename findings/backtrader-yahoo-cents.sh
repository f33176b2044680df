#!/usr/bin/env bash
# Guess: `YahooFinanceCSVData` gives a strategy the prices of the file, adjusted by `Adj Close`.
# Seen: backtrader 1.9.78.123 rounds all of them to cents unless `round=False`, and divides the volume
#   by the same factor unless `adjvolume=False`: by dividends too, which Yahoo's own volume leaves out.
# Consequence: a stock of 1.3 cents has one price for days, and the returns of decades ago, whose
#   adjusted prices are small, come from rounding.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check backtrader==1.9.78.123
cat >penny.csv <<'CSV'
Date,Open,High,Low,Close,Adj Close,Volume
2024-01-02,0.0123,0.0129,0.0121,0.0127,0.0127,1000000
2024-01-03,0.0127,0.0136,0.0126,0.0135,0.0135,1000000
CSV
cat >dividend.csv <<'CSV'
Date,Open,High,Low,Close,Adj Close,Volume
2024-01-02,100.00,102.00,99.00,100.00,80.00,1000000
2024-01-03,80.00,82.00,79.00,81.00,81.00,1000000
CSV
venv/bin/python - <<'PYTHON'
import backtrader


class Seen(backtrader.Strategy):
    def __init__(self):
        self.bars = []

    def next(self):
        self.bars.append((self.data.close[0], self.data.volume[0]))


def bars(path, **options):
    engine = backtrader.Cerebro()
    engine.addstrategy(Seen)
    engine.adddata(backtrader.feeds.YahooFinanceCSVData(dataname=path, **options))
    return engine.run()[0].bars


cents, exact = bars("penny.csv"), bars("penny.csv", round=False)
adjusted = bars("dividend.csv")
print(cents, exact, adjusted)
assert [close for close, _ in cents] == [0.01, 0.01]
assert [close for close, _ in exact] == [0.0127, 0.0135]
assert adjusted == [(80.0, 1250000.0), (81.0, 1000000.0)]
PYTHON
