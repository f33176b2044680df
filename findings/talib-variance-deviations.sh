#!/usr/bin/env bash
# Guess: VAR takes nbdev as STDDEV does, so that VAR with nbdev 2 is four times (or twice) VAR with 1.
# Seen: TA-Lib 0.8.2 takes any nbdev for VAR and has no use for it; STDDEV multiplies by it.
# Consequence: bands made from VAR with two deviations have the width of one.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check TA-Lib==0.8.2 numpy==2.4.6
venv/bin/python - <<'PYTHON'
import numpy
import talib

closes = 100 + numpy.random.default_rng(1).normal(0, 1, 50).cumsum()
variance = [talib.VAR(closes, 5, nbdev)[-1] for nbdev in (1.0, 2.0, 10.0)]
deviation = [talib.STDDEV(closes, 5, nbdev)[-1] for nbdev in (1.0, 2.0, 10.0)]
print("VAR", variance, "STDDEV", deviation)
assert variance[0] == variance[1] == variance[2]
assert numpy.allclose(deviation, deviation[0] * numpy.array([1, 2, 10]), rtol=1e-12)
PYTHON
