#!/usr/bin/env bash
# Guess: RSI and MACD of vectorbt are those of Wilder and Appel, as in TA-Lib; if not by default, then
#   with `ewm=True`.
# Seen: vectorbt 1.2.0 makes both of simple means by default. With `ewm=True` its MACD is the usual one,
#   and its RSI takes a span of 14 where Wilder's smoothing has 1/14: no setting gives Wilder's.
# Consequence: a rule `rsi < 30` fires on other days than the same rule of a chart.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check vectorbt==1.2.0 pandas==3.1.1 numpy==2.4.6 TA-Lib==0.8.2
venv/bin/python -W ignore - <<'PYTHON'
import numpy
import pandas
import talib
import vectorbt

moves = numpy.random.default_rng(1).normal(0, 0.5, 300)
close = pandas.Series(numpy.round(100 + numpy.cumsum(moves), 2))

change = close.diff()
gain, loss = change.clip(lower=0), -change.clip(upper=0)
of_simple_means = 100 - 100 / (1 + gain.rolling(14).mean() / loss.rolling(14).mean())
wilder = talib.RSI(close.to_numpy(), 14)
default = vectorbt.RSI.run(close, 14).rsi
exponential = vectorbt.RSI.run(close, 14, ewm=True).rsi
print(f"RSI: Wilder {wilder[-1]:.2f}, default {default.iloc[-1]:.2f}, ewm {exponential.iloc[-1]:.2f}")
assert numpy.allclose(default.iloc[20:], of_simple_means.iloc[20:])
assert abs(default.iloc[100:] - wilder[100:]).max() > 5
assert abs(exponential.iloc[100:] - wilder[100:]).max() > 5

simple = close.rolling(12).mean() - close.rolling(26).mean()
usual = talib.MACD(close.to_numpy())[0]
macd = vectorbt.MACD.run(close).macd
with_ewm = vectorbt.MACD.run(close, macd_ewm=True, signal_ewm=True).macd
print(f"MACD: usual {usual[-1]:.4f}, default {macd.iloc[-1]:.4f}, ewm {with_ewm.iloc[-1]:.4f}")
assert numpy.allclose(macd.iloc[30:], simple.iloc[30:])
assert abs(with_ewm.iloc[-1] - usual[-1]) < 1e-6 < 0.1 < abs(macd.iloc[-1] - usual[-1])
PYTHON
