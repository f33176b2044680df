#!/usr/bin/env bash
# Guess: statistics of returns are those of the returns that are given.
# Seen: quantstats 0.0.86 takes a series without a loss that has a return above 100 % for prices, and
#   computes returns of the returns; one return of -0.01 among them prevents it.
# Consequence: three years of +150 %, +200 % and +20 % have a drawdown of 90 % and a best year of 33 %,
#   while `comp` of the same package says that they made 800 %.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check quantstats==0.0.86 pandas==2.3.3 numpy==2.4.6
MPLBACKEND=agg venv/bin/python -W ignore - <<'PYTHON'
import pandas
import quantstats

years = pandas.to_datetime(["2021-12-31", "2022-12-31", "2023-12-31"])


def statistics(returns):
    series = pandas.Series(returns, index=years)
    return (
        round(float(quantstats.stats.comp(series)), 4),
        round(float(quantstats.stats.best(series)), 4),
        round(float(quantstats.stats.max_drawdown(series)), 4),
    )


gains, with_loss = statistics([1.5, 2.0, 0.2]), statistics([1.5, 2.0, -0.01])
print("comp, best, drawdown:", gains, "with a loss:", with_loss)
assert gains == (8.0, 0.3333, -0.9)
assert with_loss == (6.425, 2.0, -0.01)
PYTHON
