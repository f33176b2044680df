#!/usr/bin/env bash
# Guess: `get_ttm_revenue(as_of=...)` gives the four quarters that had been filed on that day.
# Seen: edgartools 5.62.1 takes the quarters that had *ended* by it, in the newest version of each. On 10
#   January it knows the year that is filed on 20 February, and in the June before it counts a quarter as it
#   was restated eight months later.
# Consequence: a backtest on it sees each result some weeks early. Its facts carry the day of filing: leave
#   out what was filed later before the sum. The company is invented.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check edgartools==5.62.1
HOME="$folder" venv/bin/python - <<'PYTHON'
from datetime import date

from edgar.entity.entity_facts import EntityFacts
from edgar.entity.parser import EntityFactsParser

SPANS = {"Q1": ("01-01", "03-31", "05-05"), "Q2": ("04-01", "06-30", "08-05"), "Q3": ("07-01", "09-30", "11-05")}


def fact(start, end, value, filed, form, period):
    return {
        "start": start, "end": end, "val": value, "accn": f"0000000001-{filed[2:4]}-{filed[5:7]}{filed[8:]}00",
        "fy": int(end[:4]), "fp": period, "form": form, "filed": filed,
    }


revenue = []
for year, value in ((2023, 100), (2024, 200)):
    for period, (start, end, filed) in SPANS.items():
        revenue.append(fact(f"{year}-{start}", f"{year}-{end}", value, f"{year}-{filed}", "10-Q", period))
    revenue.append(fact(f"{year}-01-01", f"{year}-12-31", 4 * value, f"{year + 1}-02-20", "10-K", "FY"))
# In the same report the first quarter of 2024 is restated from 200 to 50.
revenue.append(fact("2024-01-01", "2024-03-31", 50, "2025-02-20", "10-K", "Q1"))

parsed = EntityFactsParser.parse_company_facts({
    "cik": 1, "entityName": "Invented Inc.",
    "facts": {"us-gaap": {"Revenues": {"label": "Revenues", "description": "", "units": {"USD": revenue}}}},
})
january = parsed.get_ttm_revenue(as_of=date(2025, 1, 10))
june = parsed.get_ttm_revenue(as_of=date(2024, 6, 10))
for name, seen in (("2025-01-10", january), ("2024-06-10", june)):
    print(name, seen.value, [(str(q.period_end), q.numeric_value, str(q.filing_date)) for q in seen.period_facts])
# Filed on 10 January: 100, 200, 200, 200. On 10 June: 100, 100, 100, 200.
assert january.value == 800 and june.value == 350
assert {q.filing_date for q in january.period_facts} >= {date(2025, 2, 20)}
PYTHON
