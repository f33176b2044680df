#!/usr/bin/env bash
# Guess: a CSV column of tickers stays text, since `AAPL` beside it in another file does.
# Seen: duckdb 1.5.5 types the column as BOOLEAN where all its tickers are T (AT&T) and F (Ford), or
#   one of them. Their text is then `true` and `false`, and a Parquet file made from the table
#   holds no ticker. With any third ticker in the column all stay text.
# Consequence: the files of a folder of one CSV for each company differ in type, and a look-up by
#   'T' finds no row.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check duckdb==1.5.5
cd "$folder"
venv/bin/python - <<'PYTHON'
import duckdb


def symbols(*tickers: str) -> tuple[str, list[str]]:
    with open("bars.csv", "w") as file:
        file.write("date,symbol,close\n")
        for day, ticker in enumerate(tickers, start=4):
            file.write(f"2024-03-{day:02},{ticker},17.05\n")
    duckdb.sql("COPY (FROM 'bars.csv') TO 'bars.parquet'")
    rows = duckdb.sql("SELECT typeof(symbol), symbol::VARCHAR FROM 'bars.parquet'").fetchall()
    return rows[0][0], [row[1] for row in rows]


seen = {tickers: symbols(*tickers) for tickers in (("T",), ("T", "F"), ("T", "F", "A"))}
for tickers, (kind, texts) in seen.items():
    print(f"{', '.join(tickers)}: {kind}, read back as {', '.join(texts)}")
assert seen[("T",)] == ("BOOLEAN", ["true"]), "a lone T is typed otherwise now"
assert seen[("T", "F")] == ("BOOLEAN", ["true", "false"]), "T and F are typed otherwise now"
assert seen[("T", "F", "A")] == ("VARCHAR", ["T", "F", "A"]), "a third ticker changes nothing now"
PYTHON
echo 'as found: the tickers T and F become true and false'
