#!/usr/bin/env bash
# Guess: the value of an indicator on a day depends on the bars up to that day.
# Seen: KST of ta 0.11.0 puts the mean of the whole series in place of the closes before the first bar.
#   The same 100 closes give other values once 300 later ones are appended, up to the 44th bar. (ROC and
#   TSI of the same package depend on the past alone.)
# Consequence: a test of a strategy on the first months of a series sees prices of later years.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check ta==0.11.0 pandas==2.3.3 numpy==2.4.6
venv/bin/python -W ignore - <<'PYTHON'
import numpy
import pandas
import ta

random = numpy.random.default_rng(1)
close = pandas.Series(100 * numpy.exp(numpy.cumsum(random.normal(0, 0.01, 400))))
bars = 100


def changed(indicator):
    whole, cut = indicator(close)[:bars], indicator(close[:bars])
    known = whole.notna() & cut.notna()
    return [i for i in range(bars) if known[i] and abs(whole[i] - cut[i]) > 1e-9]


kst = changed(lambda prices: ta.trend.KSTIndicator(prices).kst())
roc = changed(lambda prices: ta.momentum.ROCIndicator(prices).roc())
tsi = changed(lambda prices: ta.momentum.TSIIndicator(prices).tsi())
print("bars whose KST depends on later closes:", kst, "ROC:", roc, "TSI:", tsi)
assert kst == list(range(14, 44))
assert roc == [] and tsi == []
PYTHON
