#!/usr/bin/env bash
# Guess: the annual growth of dated returns follows their dates: the report names the first and last.
# Seen: quantstats 0.0.86 takes 252 rows for a year, in `cagr` and in the report beside those dates.
# Consequence: four years of monthly returns that make 7.7 % a year are reported as 374 % a year, unless
#   `periods_per_year=12` is given.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check quantstats==0.0.86 pandas==2.3.3 numpy==2.4.6
MPLBACKEND=agg venv/bin/python -W ignore - <<'PYTHON'
import pandas
import quantstats

months = pandas.date_range("2020-01-31", periods=48, freq="ME")
returns = pandas.Series([0.01, 0.02, -0.01, 0.005] * 12, index=months)
growth = (1 + returns).prod() ** (1 / 4) - 1


def report(**options):
    table = quantstats.reports.metrics(returns, mode="basic", display=False, **options)
    rows = {str(name): values.iloc[0] for name, values in table.iterrows()}
    return str(rows["End Period"])[:10], float(rows["CAGR\ufe6a"])


plain, stated = report(), report(periods_per_year=12)
print("growth", growth, "cagr", quantstats.stats.cagr(returns), "report", plain, "with periods", stated)
assert abs(growth - 0.0769) < 1e-4
assert abs(quantstats.stats.cagr(returns) - 3.7374) < 1e-4
assert plain == ("2023-12-31", 3.74)
assert stated == ("2023-12-31", 0.08)
PYTHON
