"""Studies by the definitions of docs/study.md and docs/screens.md, in numpy.

Input: a JSON file with raw bars of symbols, their splits, and questions whose expressions are trees.
Prints the answers as JSON; NaN is null.
"""

import json
import sys
from fractions import Fraction

import numpy as np

asked = json.load(open(sys.argv[1]))
market, questions = asked["market"], asked["questions"]
COLUMNS = ("open", "high", "low", "close", "volume")
for one in market:
    one["days"] = np.array(one["days"])
    for name in COLUMNS:
        one[name] = np.array(one[name], dtype=float)
sessions = np.unique(np.concatenate([one["days"] for one in market]))


def bars_as_of(one, day):
    """Bars up to a day on the price basis of that day."""
    end = int(np.searchsorted(one["days"], day, side="right"))
    bars = {name: one[name][:end].copy() for name in COLUMNS}
    days = bars["days"] = one["days"][:end]
    known = [s for s in one["splits"] if days[0] < s["exDay"] <= day]
    for i in range(end):
        ratio = Fraction(1)
        for s in known:
            if s["exDay"] > days[i]:
                ratio *= Fraction(s["denominator"], s["numerator"])
        if ratio != 1:
            for name in COLUMNS[:4]:
                bars[name][i] = float(Fraction(bars[name][i]) * ratio)
            bars["volume"][i] = float(Fraction(bars["volume"][i]) / ratio)
    return bars


def bases(one):
    """First and last row of each price basis, with the bars as they were on it."""
    days = one["days"]
    changes = sorted({int(np.searchsorted(days, s["exDay"])) for s in one["splits"]} | {0})
    changes = [row for row in changes if row < len(days)]
    ends = changes[1:] + [len(days)]
    return [(start, end, bars_as_of(one, days[end - 1])) for start, end in zip(changes, ends)]


for one in market:
    one["bases"] = bases(one)


def shifted(x, n):
    out = np.full(len(x), np.nan)
    if n < len(x):
        out[n:] = x[: len(x) - n]
    return out


def windowed(x, n, of):
    out = np.full(len(x), np.nan)
    if n <= len(x):
        out[n - 1 :] = of(np.lib.stride_tricks.sliding_window_view(x, n))
    return out


def ema(x, n, alpha):
    out = np.full(len(x), np.nan)
    if n <= len(x):
        out[n - 1] = x[:n].mean()
        for i in range(n, len(x)):
            out[i] = out[i - 1] + alpha * (x[i] - out[i - 1])
    return out


def rsi(x, n):
    change = np.diff(x)
    up = ema(np.maximum(change, 0), n, 1 / n)
    down = ema(np.maximum(-change, 0), n, 1 / n)
    with np.errstate(all="ignore"):
        return np.concatenate([[np.nan], 100 * up / (up + down)])[: len(x)]


def both(a, b):
    out = np.where(np.isnan(a) | np.isnan(b), np.nan, 1.0)
    out[(a == 0) | (b == 0)] = 0
    return out


def inverted(a):
    return 1 - a


def either(a, b):
    return inverted(both(inverted(a), inverted(b)))


def within(x, n):
    out = np.full(len(x), np.nan)
    for i in range(len(x)):
        seen = x[max(0, i - n + 1) : i + 1]
        if (seen == 1).any():
            out[i] = 1
        elif len(seen) == n and not np.isnan(seen).any():
            out[i] = 0
    return out


def compared(a, b, op):
    out = {">": a > b, "<": a < b, ">=": a >= b, "<=": a <= b}[op].astype(float)
    out[np.isnan(a) | np.isnan(b)] = np.nan
    return out


def bars_since(x):
    out, last = np.full(len(x), np.nan), None
    for i, value in enumerate(x):
        last = i if value == 1 else last
        if last is not None:
            out[i] = i - last
    return out


def value(node, bars):
    """Values of a tree at each bar."""
    op, *args = node
    count = len(bars["close"])
    if op == "number":
        return np.full(count, float(args[0]))
    if op in COLUMNS:
        return bars[op]
    if op == "listed_bars":
        return np.arange(1.0, count + 1)
    if op == "weekday":
        return ((bars["days"] + 3) % 7 + 1).astype(float)
    if op == "year_to_date":
        years = (bars["days"].astype("datetime64[D]")).astype("datetime64[Y]")
        firsts = np.searchsorted(years, years)
        base = np.where(firsts > 0, bars["close"][firsts - 1], np.nan)
        return 100 * (bars["close"] / base - 1)
    x = value(args[0], bars)
    if op == "not":
        return inverted(x)
    if op == "abs":
        return np.abs(x)
    if op == "is null":
        return np.isnan(x).astype(float)
    if op == "bars_since":
        return bars_since(x)
    if op == "if":
        yes, no = value(args[1], bars), value(args[2], bars)
        return np.where(np.isnan(x), np.nan, np.where(x == 1, yes, no))
    if op in ("and", "or", "+", "-", "*", "/", "max", "min", "crosses above", "crosses below") or op in "><>=<=":
        y = value(args[1], bars)
        with np.errstate(all="ignore"):
            if op == "and":
                return both(x, y)
            if op == "or":
                return either(x, y)
            if op == "/":
                return np.where(y == 0, np.nan, x / y)
            if op in "+-*":
                return {"+": x + y, "-": x - y, "*": x * y}[op]
            if op in ("max", "min"):
                return np.maximum(x, y) if op == "max" else np.minimum(x, y)
            if op.startswith("crosses"):
                beyond = compared(x, y, ">" if op.endswith("above") else "<")
                return both(beyond, inverted(shifted(beyond, 1)))
            return compared(x, y, op)
    n = args[1]
    if op == "offset":
        return shifted(x, n)
    if op == "change":
        return x - shifted(x, n)
    if op == "pct_change":
        return 100 * (x / shifted(x, n) - 1)
    if op == "within":
        return within(x, n)
    if op == "for":
        return inverted(within(inverted(x), n))
    if op == "ema":
        return ema(x, n, 2 / (n + 1))
    if op == "rsi":
        return rsi(x, n)
    of = {
        "sma": lambda w: w.mean(axis=1),
        "avg": lambda w: w.mean(axis=1),
        "sum": lambda w: w.sum(axis=1),
        "count": lambda w: w.sum(axis=1),
        # The mean of equal numbers may be off by a bit, and ranks tell zero from nearly zero.
        "stddev": lambda w: np.where(w.max(axis=1) == w.min(axis=1), 0.0, w.std(axis=1)),
        "highest": lambda w: w.max(axis=1),
        "lowest": lambda w: w.min(axis=1),
    }[op]
    return windowed(x, n, of)


def on_days(node, one):
    """Values of a tree at each day of a symbol, as of that day."""
    out = np.full(len(one["days"]), np.nan)
    for start, end, bars in one["bases"]:
        out[start:end] = value(node, bars)[start:end]
    return out


def across(node):
    """Values of rank, demean or standard, by symbol and day."""
    op, of, *among = node
    xs = [on_days(of, one) for one in market]
    for x, one in zip(xs, market):
        if among:
            x[on_days(among[0], one) != 1] = np.nan
    out = [np.full(len(x), np.nan) for x in xs]
    for session in sessions:
        places = []
        for k, one in enumerate(market):
            row = int(np.searchsorted(one["days"], session))
            if row < len(xs[k]) and one["days"][row] == session and not np.isnan(xs[k][row]):
                places.append((k, row))
        x = np.array([xs[k][row] for k, row in places])
        if op == "rank":
            less = (x[:, None] > x[None, :]).sum(axis=1)
            same = (x[:, None] == x[None, :]).sum(axis=1)
            values = (less + (same + 1) / 2 - 1) / (len(x) - 1) if len(x) > 1 else x * np.nan
        elif op == "demean":
            values = x - x.mean() if len(x) else x
        else:
            flat = len(x) < 2 or (x == x[0]).all()
            values = x * np.nan if flat else (x - x.mean()) / x.std(ddof=1)
        for (k, row), one in zip(places, values):
            out[k][row] = one
    return out


def truths(node):
    """Truth of a condition by symbol and day; `rank` and the like stand in a comparison."""
    op, *args = node
    if op in ("and", "or"):
        a, b = truths(args[0]), truths(args[1])
        return [(both if op == "and" else either)(x, y) for x, y in zip(a, b)]
    if op in (">", "<") and args[0][0] in ("rank", "demean", "standard"):
        return [compared(x, np.full(len(x), float(args[1][1])), op) for x in across(args[0])]
    return [on_days(node, one) for one in market]


def outcome(one, row, entry, horizon):
    """Return, and whether it ended early; the rows of entry and exit."""
    days, last = one["days"], len(one["days"]) - 1
    if row + 1 > last:
        return np.nan, None, None
    exit_row = row + horizon + (entry == "next_close")
    ended = len(sessions) - 1 - np.searchsorted(sessions, days[-1]) > 5
    early = exit_row > last
    if early:
        if not ended:
            return np.nan, None, None
        exit_row = last
    price = Fraction(one["open" if entry == "next_open" else "close"][row + 1])
    for s in one["splits"]:
        if days[0] < s["exDay"] and days[row + 1] < s["exDay"] <= days[exit_row]:
            price *= Fraction(s["denominator"], s["numerator"])
    return float(Fraction(one["close"][exit_row]) / price) - 1, early, exit_row


def clustered(excess, places, h):
    mean = excess.mean()
    sums = np.bincount(places, excess - mean, len(sessions))
    variance = sums @ sums
    for k in range(1, h):
        variance += 2 * (1 - k / h) * (sums[k:] @ sums[:-k])
    has_variance = len(excess) > 1 and variance > (1e-12 * abs(excess).sum()) ** 2
    return mean / (np.sqrt(variance) / len(excess)) if has_variance else np.nan


outcomes = {}


def outcomes_of(entry, horizon):
    if (entry, horizon) not in outcomes:
        outcomes[entry, horizon] = [
            [outcome(one, row, entry, horizon) for row in range(len(one["days"]))] for one in market
        ]
    return outcomes[entry, horizon]


def study(q):
    signals = truths(q["where"])
    members = truths(q["universe"]) if q.get("universe") else None
    found = []
    for k, one in enumerate(market):
        for row, day in enumerate(one["days"]):
            if not q["from"] <= day <= q["to"] or signals[k][row] != 1:
                continue
            if members and members[k][row] != 1:
                continue
            if q["mode"] == "begins" and row > 0 and signals[k][row - 1] == 1:
                continue
            found.append((int(day), one["symbol"], k, row))
    found.sort()
    events = []
    for day, symbol, k, row in found:
        days, price = market[k]["days"], market[k]["open" if q["entry"] == "next_open" else "close"]
        entered = row + 1 < len(days)
        gap = np.searchsorted(sessions, days[row + 1]) - np.searchsorted(sessions, day) - 1 if entered else None
        events.append([symbol, day, int(days[row + 1]) if entered else None,
                       None if gap is None else int(gap), price[row + 1] if entered else None])
    summary = []
    for h in q["horizons"]:
        results = outcomes_of(q["entry"], h)
        universe = []
        by_day = {}
        for (day, symbol, k, row), event in zip(found, events):
            if day not in by_day:
                values = []
                for j, one in enumerate(market):
                    at = int(np.searchsorted(one["days"], day))
                    if at < len(one["days"]) and one["days"][at] == day:
                        if members is None or members[j][at] == 1:
                            values.append(results[j][at][0])
                values = [one for one in values if not np.isnan(one)]
                by_day[day] = np.mean(values) if values else np.nan
            made, early, exit_row = results[k][row]
            universe.append(by_day[day])
            event += [None if exit_row is None else int(market[k]["days"][exit_row]), made, by_day[day],
                      None if early is None else bool(early)]
        made = np.array([results[k][row][0] for _, _, k, row in found])
        known = ~np.isnan(made)
        r, u = made[known], np.array(universe)[known]
        if len(r) < 2:
            summary.append({"horizon": h, "events": len(found), "returns": len(r)})
            continue
        places = np.searchsorted(sessions, np.array([day for day, *_ in found])[known])
        entered = [row + 1 < len(market[k]["days"]) for _, _, k, row in found]
        early = [results[k][row][1] for _, _, k, row in found]
        p05, p25, median, p75, p95 = np.percentile(r, [5, 25, 50, 75, 95])
        summary.append({
            "horizon": h, "events": len(found), "entered": sum(entered), "returns": len(r),
            "early": sum(bool(one) for one in early), "open": sum(entered) - len(r),
            "days": len({day for day, *_ in found}), "symbols": len({k for _, _, k, _ in found}),
            "mean": r.mean(), "median": median, "hit": (r > 0).mean(), "sd": r.std(ddof=1),
            "p05": p05, "p25": p25, "p75": p75, "p95": p95, "universeMean": u.mean(),
            "universeMedian": np.median(u), "excessMean": (r - u).mean(),
            "excessMedian": np.median(r - u), "tClustered": clustered(r - u, places, h),
            "extreme": int((r > 10).sum()),
        })
    return {"events": events, "summary": summary}


def section(q):
    values = across(q["value"])
    rows = []
    for k, one in enumerate(market):
        row = int(np.searchsorted(one["days"], q["day"]))
        if row < len(one["days"]) and one["days"][row] == q["day"]:
            rows.append([one["symbol"], values[k][row]])
    return sorted(rows)


answers = [study(q) if "where" in q else section(q) for q in questions]
print(json.dumps(answers).replace("NaN", "null"))
