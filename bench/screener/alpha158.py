"""The factors of alpha158.txt in pandas, as qlib's Alpha158 defines them: the other side of the check.

    alpha158.py extract ZIP FOLDER COUNT   writes columns of real series of a zip of daily CSV files
    alpha158.py check FOLDER               compares FOLDER/ours with pandas over the same columns

Columns are raw float64 files; `starts` has the first row of each symbol and the end, int32.
"""

import io
import json
import sys
import zipfile

import numpy
import pandas

COLUMNS = ("open", "high", "low", "close", "volume")


def extract(path, folder, count):
    frames = []
    with zipfile.ZipFile(path) as archive:
        names = sorted(name for name in archive.namelist() if name.endswith(".txt"))
        for name in names[:: max(1, len(names) // (2 * count))]:
            data = archive.read(name)
            if len(data) < 20_000:
                continue
            frame = pandas.read_csv(io.BytesIO(data)).rename(columns=str.lower)
            if (frame["volume"] > 0).all() and (frame["low"] > 0).all():
                frames.append(frame)
            if len(frames) == count:
                break
    for name in COLUMNS:
        numpy.concatenate([one[name].to_numpy(float) for one in frames]).tofile(f"{folder}/{name}")
    ends = numpy.cumsum([0, *(len(one) for one in frames)]).astype(numpy.int32)
    ends.tofile(f"{folder}/starts")


def factors(o, h, l, c, v):
    tiny = 1e-12
    span = h - l + tiny
    top, bottom = numpy.maximum(o, c), numpy.minimum(o, c)
    out = {
        "KMID": (c - o) / o, "KLEN": (h - l) / o, "KMID2": (c - o) / span,
        "KUP": (h - top) / o, "KUP2": (h - top) / span,
        "KLOW": (bottom - l) / o, "KLOW2": (bottom - l) / span,
        "KSFT": (2 * c - h - l) / o, "KSFT2": (2 * c - h - l) / span,
        "OPEN0": o / c, "HIGH0": h / c, "LOW0": l / c, "VWAP0": (h + l + c) / 3 / c,
    }
    before, gone = c.shift(1), v.shift(1)
    up, down = (c - before).clip(lower=0), (before - c).clip(lower=0)
    more, less = (v - gone).clip(lower=0), (gone - v).clip(lower=0)
    logs, ratio, steps = numpy.log(v + 1), c / before, numpy.log(v / gone + 1)
    weighted = (ratio - 1).abs() * v
    rises, falls = [one.where(before.notna()).astype(float) for one in (c > before, c < before)]
    for d in (5, 10, 20, 30, 60):
        x = numpy.arange(d) - (d - 1) / 2
        slope = c.rolling(d).apply(lambda w: (x * w).sum() / (x * x).sum(), raw=True)
        mean = c.rolling(d).mean()
        total = c.rolling(d).apply(lambda w: ((w - w.mean()) ** 2).sum(), raw=True)
        highs = h.rolling(d).apply(lambda w: d - w[::-1].argmax(), raw=True)
        lows = l.rolling(d).apply(lambda w: d - w[::-1].argmin(), raw=True)
        most, least = h.rolling(d).max(), l.rolling(d).min()
        moves, flows = (up + down).rolling(d).sum() + tiny, (more + less).rolling(d).sum() + tiny
        p, n = rises.rolling(d).mean(), falls.rolling(d).mean()
        sp, sn = up.rolling(d).sum() / moves, down.rolling(d).sum() / moves
        vp, vn = more.rolling(d).sum() / flows, less.rolling(d).sum() / flows
        each = {
            "ROC": c.shift(d) / c, "MA": mean / c, "STD": c.rolling(d).std() / c,
            "BETA": slope / c, "RSQR": slope**2 * (x * x).sum() / total,
            "RESI": (c - mean - slope * (d - 1) / 2) / c,
            "MAX": most / c, "MIN": least / c, "RSV": (c - least) / (most - least + tiny),
            "IMAX": highs / d, "IMIN": lows / d, "IMXD": (highs - lows) / d,
            "CORR": c.rolling(d).corr(logs), "CORD": ratio.rolling(d).corr(steps),
            "CNTP": p, "CNTN": n, "CNTD": p - n, "SUMP": sp, "SUMN": sn, "SUMD": sp - sn,
            "VMA": v.rolling(d).mean() / (v + tiny), "VSTD": v.rolling(d).std() / (v + tiny),
            "WVMA": weighted.rolling(d).std() / (weighted.rolling(d).mean() + tiny),
            "VSUMP": vp, "VSUMN": vn, "VSUMD": vp - vn,
        }
        out |= {f"{name}{d}": values for name, values in each.items()}
    return out


def check(folder):
    starts = numpy.fromfile(f"{folder}/starts", numpy.int32)
    columns = {name: numpy.fromfile(f"{folder}/{name}") for name in COLUMNS}
    with open(f"{folder}/names", encoding="utf-8") as file:
        names = json.load(file)
    ours = numpy.fromfile(f"{folder}/ours").reshape(len(names), -1)
    worst = {name: {"rows": 0, "difference": 0.0, "lacking": 0} for name in names}
    for start, end in zip(starts[:-1], starts[1:]):
        bars = [pandas.Series(columns[name][start:end]) for name in COLUMNS]
        theirs = factors(*bars)
        for i, name in enumerate(names):
            a, b = ours[i, start:end], theirs[name].to_numpy()
            known = numpy.isfinite(a) & numpy.isfinite(b)
            one = worst[name]
            one["rows"] += int(known.sum())
            one["lacking"] += int((numpy.isfinite(a) != numpy.isfinite(b)).sum())
            if known.any():
                gap = numpy.abs(a - b)[known] / numpy.maximum(1, numpy.abs(b[known]))
                one["difference"] = max(one["difference"], float(gap.max()))
    print(json.dumps(worst))


if sys.argv[1] == "extract":
    extract(sys.argv[2], sys.argv[3], int(sys.argv[4]))
else:
    check(sys.argv[2])
