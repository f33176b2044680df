"""The factors of alpha158.txt in numpy, as qlib's Alpha158 defines them: the other side of the check.

    alpha158.py extract ZIP FOLDER COUNT   writes columns of real series of a zip of daily CSV files
    alpha158.py check FOLDER               compares FOLDER/ours with numpy over the same columns

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


def windowed(values, days, of):
    """Applies a function of windows, the last axis; NaN before the first whole one."""
    out = numpy.full(len(values), numpy.nan)
    if len(values) >= days:
        out[days - 1 :] = of(numpy.lib.stride_tricks.sliding_window_view(values, days))
    return out


def correlation(a, b, days):
    """Of exact deviations: pandas' own sums lose digits after a bar of another size."""
    centered = lambda w: w - w.mean(-1, keepdims=True)
    windows = numpy.lib.stride_tricks.sliding_window_view
    out = numpy.full(len(a), numpy.nan)
    x, y = centered(windows(a, days)), centered(windows(b, days))
    with numpy.errstate(invalid="ignore", divide="ignore"):
        out[days - 1 :] = (x * y).sum(-1) / numpy.sqrt((x * x).sum(-1) * (y * y).sum(-1))
    return out


def ranked(w):
    below = (w < w[:, -1:]).sum(-1)
    return (below + ((w == w[:, -1:]).sum(-1) + 1) / 2) / w.shape[1]


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
    lag = lambda x, d: numpy.concatenate([numpy.full(d, numpy.nan), x[:-d]])
    before, gone = lag(c, 1), lag(v, 1)
    gain, flow = c - before, v - gone
    logs, ratio, steps = numpy.log(v + 1), c / before, numpy.log(v / gone + 1)
    weighted = numpy.abs(ratio - 1) * v
    known = lambda truth: numpy.where(numpy.isnan(before), numpy.nan, truth.astype(float))
    rises, falls = known(c > before), known(c < before)
    deviation = lambda w: w.std(-1, ddof=1)
    sums, means = (lambda w: w.sum(-1)), (lambda w: w.mean(-1))
    for d in (5, 10, 20, 30, 60):
        over = lambda values, of, d=d: windowed(values, d, of)
        x = numpy.arange(d) - (d - 1) / 2
        slope, mean = over(c, lambda w: (w * x).sum(-1) / (x * x).sum()), over(c, means)
        total = over(c, lambda w: ((w - w.mean(-1, keepdims=True)) ** 2).sum(-1))
        highs = over(h, lambda w: d - w[:, ::-1].argmax(-1))
        lows = over(l, lambda w: d - w[:, ::-1].argmin(-1))
        most, least = over(h, lambda w: w.max(-1)), over(l, lambda w: w.min(-1))
        moves, flows = over(numpy.abs(gain), sums) + tiny, over(numpy.abs(flow), sums) + tiny
        p, n = over(rises, means), over(falls, means)
        sp, sn = [over(one.clip(0), sums) / moves for one in (gain, -gain)]
        vp, vn = [over(one.clip(0), sums) / flows for one in (flow, -flow)]
        with numpy.errstate(invalid="ignore", divide="ignore"):
            square = slope**2 * (x * x).sum() / total
        each = {
            "ROC": lag(c, d) / c, "MA": mean / c, "STD": over(c, deviation) / c,
            "BETA": slope / c, "RSQR": square, "RESI": (c - mean - slope * (d - 1) / 2) / c,
            "MAX": most / c, "MIN": least / c, "RSV": (c - least) / (most - least + tiny),
            "QTLU": over(c, lambda w: numpy.quantile(w, 0.8, axis=-1)) / c,
            "QTLD": over(c, lambda w: numpy.quantile(w, 0.2, axis=-1)) / c,
            "RANK": over(c, ranked),
            "IMAX": highs / d, "IMIN": lows / d, "IMXD": (highs - lows) / d,
            "CORR": correlation(c, logs, d), "CORD": correlation(ratio, steps, d),
            "CNTP": p, "CNTN": n, "CNTD": p - n, "SUMP": sp, "SUMN": sn, "SUMD": sp - sn,
            "VMA": over(v, means) / (v + tiny), "VSTD": over(v, deviation) / (v + tiny),
            "WVMA": over(weighted, deviation) / (over(weighted, means) + tiny),
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
        theirs = factors(*(columns[name][start:end] for name in COLUMNS))
        for i, name in enumerate(names):
            a, b = ours[i, start:end], theirs[name]
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
