"""Drives Python libraries for `tapeworks bench`: one JSON request a line in, one response a line out.

Requests are {"op": "libraries" | "load" | "offers" | "values" | "run", ...}. Bars come as one file of
float64 columns, one column behind the other, each with the series one behind the other. A run
returns the milliseconds of CPU time that only the library's calls took.
"""

import inspect
import json
import os
import sys
import time

# One thread, as all other peers have. It counts only if it is set before polars is imported.
os.environ["POLARS_MAX_THREADS"] = "1"

try:
    import numpy  # noqa: E402
except ImportError:
    # Without it there is no library that could be driven.
    numpy = None

INPUTS = ("open", "high", "low", "close", "volume")
HLC = ("high", "low", "close")
HLCV = ("high", "low", "close", "volume")
CLOSE = ("close",)
HL = ("high", "low")
VOLUMES = ("close", "volume")
OHLC = ("open",) + HLC
PERIOD = ("period",)

# Parameters that are no whole numbers.
REALS = ("factor", "k", "most", "step")


def arguments_of(names, params):
    """Returns the values of parameters by their names; what is no name is a constant."""
    whole = {name: float(value) if name in REALS else value for name, value in params.items()}
    return [whole[one] if isinstance(one, str) else one for one in names]


# By indicator: calls of TA-Lib as (function, inputs, arguments, outputs). polars-talib has the same
# functions in lower case. An indicator is left out where TA-Lib computes something else.
TALIB = {
    "sma": [("SMA", CLOSE, PERIOD, ("sma",))],
    "ema": [("EMA", CLOSE, PERIOD, ("ema",))],
    "rsi": [("RSI", CLOSE, PERIOD, ("rsi",))],
    "macd": [("MACD", CLOSE, ("fast", "slow", "signal"), ("macd", "signal", "histogram"))],
    "bollinger": [("BBANDS", CLOSE, ("period", "k", "k", 0), ("upper", "middle", "lower"))],
    "atr": [("ATR", HLC, PERIOD, ("atr",))],
    "wma": [("WMA", CLOSE, PERIOD, ("wma",))],
    "dema": [("DEMA", CLOSE, PERIOD, ("dema",))],
    "tema": [("TEMA", CLOSE, PERIOD, ("tema",))],
    "t3": [("T3", CLOSE, ("period", "factor"), ("t3",))],
    "rma": [("RMA", CLOSE, PERIOD, ("rma",))],
    "hma": [("HMA", CLOSE, PERIOD, ("hma",))],
    "vwma": [("VWMA", VOLUMES, PERIOD, ("vwma",))],
    "zlema": [("ZLEMA", CLOSE, PERIOD, ("zlema",))],
    "midpoint": [("MIDPOINT", CLOSE, PERIOD, ("midpoint",))],
    "linreg": [
        ("LINEARREG", CLOSE, PERIOD, ("value",)),
        ("LINEARREG_SLOPE", CLOSE, PERIOD, ("slope",)),
    ],
    "stddev": [("STDDEV", CLOSE, ("period", 1.0), ("stddev",))],
    "natr": [("NATR", HLC, PERIOD, ("natr",))],
    "donchian": [("DONCHIAN", HL, PERIOD, ("upper", "middle", "lower"))],
    "vortex": [("VORTEX", HLC, PERIOD, ("plus", "minus"))],
    "supertrend": [("SUPERTREND", HLC, ("period", "k"), ("value", "direction"))],
    "adx": [
        ("ADX", HLC, PERIOD, ("adx",)),
        ("PLUS_DI", HLC, PERIOD, ("plus_di",)),
        ("MINUS_DI", HLC, PERIOD, ("minus_di",)),
    ],
    "aroon": [("AROON", HL, PERIOD, ("down", "up")), ("AROONOSC", HL, PERIOD, ("oscillator",))],
    "psar": [("SAR", HL, ("step", "most"), ("psar",))],
    "highest": [("MAX", ("high",), PERIOD, ("highest",))],
    "lowest": [("MIN", ("low",), PERIOD, ("lowest",))],
    "change": [("MOM", CLOSE, ("bars",), ("change",))],
    "momentum": [("MOM", CLOSE, PERIOD, ("momentum",))],
    "roc": [("ROC", CLOSE, PERIOD, ("roc",))],
    "ppo": [("PPO", CLOSE, ("fast", "slow", 1), ("ppo",))],
    "trix": [("TRIX", CLOSE, PERIOD, ("trix",))],
    "stochastic": [("STOCH", HLC, ("period", "smooth", 0, "signal", 0), ("k", "d"))],
    "williams_r": [("WILLR", HLC, PERIOD, ("williams_r",))],
    "cci": [("CCI", HLC, PERIOD, ("cci",))],
    "ultimate": [("ULTOSC", HLC, ("short", "medium", "long"), ("ultimate",))],
    "cmo": [("CMOU", CLOSE, PERIOD, ("cmo",))],
    "tsi": [("TSI", CLOSE, ("long", "short"), ("tsi",))],
    "awesome": [("AO", HL, ("fast", "slow"), ("awesome",))],
    "dpo": [("DPO", CLOSE, PERIOD, ("dpo",))],
    "coppock": [("COPPOCK", CLOSE, ("average", "short", "long"), ("coppock",))],
    "elder_ray": [("ERI", HLC, PERIOD, ("bull", "bear"))],
    "mass_index": [("MASSI", HL, ("average", "period"), ("mass_index",))],
    "bop": [("BOP", OHLC, (), ("bop",))],
    "mfi": [("MFI", HLCV, PERIOD, ("mfi",))],
    "vwap": [("VWAP", HLCV, (), ("vwap",))],
    "obv": [("OBV", VOLUMES, (), ("obv",))],
    "ad": [("AD", HLCV, (), ("ad",))],
    "cmf": [("CMF", HLCV, PERIOD, ("cmf",))],
    "chaikin": [("ADOSC", HLCV, ("fast", "slow"), ("chaikin",))],
    "pvt": [("PVT", VOLUMES, (), ("pvt",))],
    "force_index": [("EFI", VOLUMES, PERIOD, ("force_index",))],
    "nvi": [("NVI", VOLUMES, (), ("nvi",))],
    "pvi": [("PVI", VOLUMES, (), ("pvi",))],
    "keltner": [("KC", HLC, ("period", "atr", "k"), ("upper", "middle", "lower"))],
    "true_range": [("TRANGE", HLC, (), ("true_range",))],
    "heikin_ashi": [("HA", OHLC, (), ("open", "high", "low", "close"))],
    "pvo": [("PVO", ("volume",), ("fast", "slow", 1), ("pvo",))],
    "stochastic_momentum": [("SMI", HLC, ("period", "short", "long", "signal"), ("smi", "signal"))],
}

# Its weights are fixed to 2 and 30 bars.
TALIB_KAMA = [("KAMA", CLOSE, PERIOD, ("kama",))]


def talib_calls(indicator, params):
    if indicator == "kama":
        return TALIB_KAMA if (params["fast"], params["slow"]) == (2, 30) else None
    # Its STOCHRSI does not smooth k.
    if indicator == "stochastic_rsi" and params["smooth"] == 1:
        return [("STOCHRSI", CLOSE, ("rsi", "period", "signal", 0), ("k", "d"))]
    return TALIB.get(indicator)


def tuple_of(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)


class Talib:
    """TA-Lib over NumPy arrays, a call a symbol."""

    description = "functions over NumPy arrays, a call a symbol; newest values by talib.stream"

    def __init__(self):
        import talib

        self.talib = talib
        native = talib.__ta_version__.decode().split(" ")[0]
        self.version = f"{talib.__version__} with C {native}"

    def load(self, series):
        self.series = series
        self.kept = {}

    def prepare(self, count):
        """Does what is not timed."""

    def work(self, indicator, params, is_last=False):
        calls = talib_calls(indicator, params)
        if calls is None:
            return None
        space = self.talib.stream if is_last else self.talib
        if not all(hasattr(space, name) for name, *_ in calls):
            return None
        ready = [
            (getattr(space, name), inputs, arguments_of(names, params), outs)
            for name, inputs, names, outs in calls
        ]

        def call(bars):
            for function, inputs, args, _ in ready:
                function(*[bars[name] for name in inputs], *args)

        def run(count):
            for bars in self.fitting(call, count) if is_last else self.series[:count]:
                call(bars)

        def skipped(count):
            kept = {id(one) for one in self.fitting(call, count)}
            return [i for i, one in enumerate(self.series[:count]) if id(one) not in kept]

        if is_last:
            run.skipped = skipped

        def values(place):
            bars = self.series[place]
            columns = {}
            for function, inputs, args, outs in ready:
                results = tuple_of(function(*[bars[name] for name in inputs], *args))
                columns.update(zip(outs, results))
            return columns

        return run, values


    def fitting(self, call, count):
        """Returns the series with enough bars: a stream of TA-Lib refuses others."""
        if (call, count) not in self.kept:
            self.kept[call, count] = [one for one in self.series[:count] if self.takes(call, one)]
        return self.kept[call, count]

    def takes(self, call, bars):
        try:
            call(bars)
        except getattr(self.talib, "InsufficientHistory", ()):
            return False
        return True


class Polars:
    """Expressions of polars over all symbols at once."""

    name = "polars"
    description = "expressions over one data frame, by symbol, one thread"

    def __init__(self):
        import polars

        self.polars = polars
        self.version = polars.__version__

    def load(self, series):
        polars = self.polars
        parts = [
            polars.DataFrame({"symbol": numpy.full(len(bars["close"]), i), **bars})
            for i, bars in enumerate(series)
        ]
        self.parts = parts
        self.frames = {}

    def frame(self, count):
        if count not in self.frames:
            # A frame at a time is kept: each holds all bars of its symbols.
            self.frames = {count: self.polars.concat(self.parts[:count]).rechunk()}
        return self.frames[count]

    def prepare(self, count):
        self.frame(count)

    def expressions(self, indicator, p):
        pl = self.polars
        close, high, low = pl.col("close"), pl.col("high"), pl.col("low")
        n = int(p.get("period", 1))
        ema = lambda x, span: x.ewm_mean(span=span, adjust=False, min_samples=span)  # noqa: E731
        if indicator == "sma":
            return {"sma": close.rolling_mean(n)}
        if indicator == "ema":
            return {"ema": ema(close, n)}
        if indicator == "rsi":
            change = close.diff()
            smooth = lambda x: x.ewm_mean(alpha=1 / n, adjust=False, min_samples=n)  # noqa: E731
            gains, losses = smooth(change.clip(lower_bound=0)), smooth((-change).clip(lower_bound=0))
            return {"rsi": 100 * gains / (gains + losses)}
        if indicator == "macd":
            line = ema(close, int(p["fast"])) - ema(close, int(p["slow"]))
            signal = ema(line, int(p["signal"]))
            return {"macd": line, "signal": signal, "histogram": line - signal}
        if indicator == "bollinger":
            middle = close.rolling_mean(n)
            width = p["k"] * close.rolling_std(n, ddof=0)
            return {"upper": middle + width, "middle": middle, "lower": middle - width}
        if indicator == "stddev":
            return {"stddev": close.rolling_std(n, ddof=0)}
        if indicator == "zscore":
            return {"zscore": (close - close.rolling_mean(n)) / close.rolling_std(n, ddof=0)}
        if indicator == "highest":
            return {"highest": high.rolling_max(n)}
        if indicator == "lowest":
            return {"lowest": low.rolling_min(n)}
        if indicator == "midpoint":
            return {"midpoint": (close.rolling_max(n) + close.rolling_min(n)) / 2}
        if indicator == "donchian":
            upper, lower = high.rolling_max(n), low.rolling_min(n)
            return {"upper": upper, "middle": (upper + lower) / 2, "lower": lower}
        if indicator == "change":
            return {"change": close.diff(int(p["bars"]))}
        if indicator == "momentum":
            return {"momentum": close.diff(n)}
        if indicator == "roc":
            return {"roc": 100 * (close / close.shift(n) - 1)}
        if indicator == "wma":
            weights = [2 * (i + 1) / (n * (n + 1)) for i in range(n)]
            return {"wma": close.rolling_sum(n, weights=weights)}
        if indicator == "williams_r":
            top, bottom = high.rolling_max(n), low.rolling_min(n)
            return {"williams_r": -100 * (top - close) / (top - bottom)}
        if indicator == "vwma":
            volume = pl.col("volume")
            return {"vwma": (close * volume).rolling_sum(n) / volume.rolling_sum(n)}
        return None

    def work(self, indicator, params, is_last=False):
        expressions = None if is_last else self.expressions(indicator, params)
        if expressions is None:
            return None
        grouped = [expr.over("symbol").alias(name) for name, expr in expressions.items()]

        def run(count):
            self.frame(count).select(grouped)

        def values(place):
            frame = self.parts[place].select([expr.alias(name) for name, expr in expressions.items()])
            return {name: frame[name].to_numpy() for name in frame.columns}

        return run, values


class PolarsTalib(Polars):
    """TA-Lib as expressions of polars."""

    name = "polars-talib"
    description = "TA-Lib as expressions over one data frame, by symbol, one thread"

    def __init__(self):
        super().__init__()
        import polars_talib

        self.talib = polars_talib
        self.version = version_of("polars-talib")

    def expressions(self, indicator, p):
        pl = self.polars
        calls = talib_calls(indicator, p)
        if calls is None or not all(hasattr(self.talib, name.lower()) for name, *_ in calls):
            return None
        columns = {}
        for i, (name, inputs, args, outs) in enumerate(calls):
            function = getattr(self.talib, name.lower())
            columns[outs if len(outs) > 1 else outs[0]] = function(
                *[pl.col(one) for one in inputs], *arguments_of(args, p)
            )
        return columns

    def work(self, indicator, params, is_last=False):
        expressions = None if is_last else self.expressions(indicator, params)
        if expressions is None:
            return None
        aliases = [("+".join(outs) if isinstance(outs, tuple) else outs) for outs in expressions]
        named = [expr.alias(alias) for alias, expr in zip(aliases, expressions.values())]
        grouped = [
            expr.over("symbol").alias(alias) for alias, expr in zip(aliases, expressions.values())
        ]

        def run(count):
            self.frame(count).select(grouped)

        def values(place):
            frame = self.parts[place].select(named)
            columns = {}
            for alias, outs in zip(aliases, expressions):
                if isinstance(outs, tuple):
                    fields = frame[alias].struct.unnest()
                    for out, field in zip(outs, fields.columns):
                        columns[out] = fields[field].to_numpy()
                else:
                    columns[outs] = frame[alias].to_numpy()
            return columns

        return run, values

# By indicator: a function of pandas-ta-classic, its inputs, its arguments (names of parameters, and
# constants), its columns (None: not ours) and further keywords.
PANDAS_TA = {
    "sma": ("sma", CLOSE, PERIOD, ("sma",)),
    "ema": ("ema", CLOSE, PERIOD, ("ema",)),
    "rsi": ("rsi", CLOSE, PERIOD, ("rsi",)),
    "macd": ("macd", CLOSE, ("fast", "slow", "signal"), ("macd", "histogram", "signal")),
    "bollinger": ("bbands", CLOSE, ("period", "k"), ("lower", "middle", "upper")),
    "atr": ("atr", HLC, PERIOD, ("atr",)),
    "natr": ("natr", HLC, PERIOD, ("natr",)),
    "wma": ("wma", CLOSE, PERIOD, ("wma",)),
    "dema": ("dema", CLOSE, PERIOD, ("dema",)),
    "tema": ("tema", CLOSE, PERIOD, ("tema",)),
    "hma": ("hma", CLOSE, PERIOD, ("hma",)),
    "vwma": ("vwma", VOLUMES, PERIOD, ("vwma",)),
    "linreg": ("linreg", CLOSE, PERIOD, ("value",)),
    "midpoint": ("midpoint", CLOSE, PERIOD, ("midpoint",)),
    "stddev": ("stdev", CLOSE, ("period", 0), ("stddev",)),
    "zscore": ("zscore", CLOSE, PERIOD, ("zscore",)),
    "donchian": ("donchian", HL, ("period", "period"), ("lower", "middle", "upper")),
    "vortex": ("vortex", HLC, PERIOD, ("plus", "minus")),
    "aroon": ("aroon", HL, PERIOD, ("down", "up", "oscillator")),
    "adx": ("adx", HLC, PERIOD, ("adx", "plus_di", "minus_di")),
    "roc": ("roc", CLOSE, PERIOD, ("roc",)),
    "momentum": ("mom", CLOSE, PERIOD, ("momentum",)),
    "williams_r": ("willr", HLC, PERIOD, ("williams_r",)),
    "cci": ("cci", HLC, PERIOD, ("cci",)),
    "cmo": ("cmo", CLOSE, PERIOD, ("cmo",)),
    "mfi": ("mfi", HLCV, PERIOD, ("mfi",)),
    "obv": ("obv", VOLUMES, (), ("obv",)),
    "ad": ("ad", HLCV, (), ("ad",)),
    "cmf": ("cmf", HLCV, (None, "period"), ("cmf",)),
    "pvt": ("pvt", VOLUMES, (), ("pvt",)),
    "force_index": ("efi", VOLUMES, PERIOD, ("force_index",)),
    "chop": ("chop", HLC, PERIOD, ("chop",)),
    "supertrend": ("supertrend", HLC, ("period", "k"), ("value", "direction")),
    "stochastic": ("stoch", HLC, ("period", "signal", "smooth"), ("k", "d")),
    "t3": ("t3", CLOSE, ("period", "factor"), ("t3",)),
    "rma": ("rma", CLOSE, PERIOD, ("rma",)),
    "zlema": ("zlma", CLOSE, PERIOD, ("zlema",)),
    "kama": ("kama", CLOSE, ("period", "fast", "slow"), ("kama",)),
    "alma": ("alma", CLOSE, ("period", "sigma", "offset"), ("alma",)),
    "percent_b": ("bbands", CLOSE, ("period", "k"), (None, None, None, None, "percent_b")),
    "bandwidth": ("bbands", CLOSE, ("period", "k"), (None, None, None, "bandwidth")),
    "keltner": ("kc", HLC, ("period", "k"), ("lower", "middle", "upper")),
    "psar": ("psar", HLC, ("step", "step", "most"), ("psar",)),
    "ichimoku": (
        *("ichimoku", HLC, ("conversion", "base", "span")),
        *(("span_a", "span_b", "conversion", "base"), {"include_chikou": False}),
    ),
    "ppo": ("ppo", CLOSE, ("fast", "slow", "signal"), ("ppo", "histogram", "signal")),
    "trix": ("trix", CLOSE, ("period", "signal"), ("trix", "signal")),
    "stochastic_rsi": ("stochrsi", CLOSE, ("period", "rsi", "smooth", "signal"), ("k", "d")),
    "awesome": ("ao", HL, ("fast", "slow"), ("awesome",)),
    "coppock": ("coppock", CLOSE, ("average", "short", "long"), ("coppock",)),
    "tsi": ("tsi", CLOSE, ("short", "long", "signal"), ("tsi", "signal")),
    "dpo": ("dpo", CLOSE, ("period", False), ("dpo",)),
    "kst": (
        *("kst", CLOSE, ("roc1", "roc2", "roc3", "roc4", "mean1", "mean2", "mean3", "mean4", "signal")),
        ("kst", "signal"),
    ),
    "bop": ("bop", OHLC, (), ("bop",)),
    "elder_ray": ("eri", HLC, PERIOD, ("bull", "bear")),
    "mass_index": ("massi", HL, ("average", "period"), ("mass_index",)),
    "nvi": ("nvi", VOLUMES, (1, 1000), ("nvi",)),
    "pvi": ("pvi", VOLUMES, (1, 1000), ("pvi",)),
    "true_range": ("true_range", HLC, (), ("true_range",)),
    "heikin_ashi": ("ha", OHLC, (), ("open", "high", "low", "close")),
    "chandelier": ("ce", HLC, ("period", "k"), ("long", "short")),
    "squeeze": (
        *("squeeze", HLC, ("period", "k", "period", "width")),
        *(("momentum",), {"lazybear": True}),
    ),
    "ulcer": ("ui", CLOSE, PERIOD, ("ulcer",)),
    "fisher": ("fisher", HL, PERIOD, ("fisher", "signal")),
    "schaff": ("stc", CLOSE, ("period", "fast", "slow"), ("schaff",)),
    "klinger": ("kvo", HLCV, ("fast", "slow", "signal"), ("klinger", "signal")),
    "pvo": ("pvo", ("volume",), ("fast", "slow", "signal"), ("pvo", "histogram", "signal")),
    "eom": ("eom", HLCV, ("period", "divisor"), ("eom",)),
    "chaikin": ("adosc", HLCV, (None, "fast", "slow"), ("chaikin",)),
    "ultimate": ("uo", HLC, ("short", "medium", "long"), ("ultimate",)),
}


class PandasTa:
    """pandas-ta-classic without TA-Lib, over Series, a call a symbol."""

    name = "pandas-ta-classic"
    description = "functions over pandas Series without TA-Lib, a call a symbol"

    def __init__(self):
        import pandas
        import pandas_ta_classic

        self.pandas = pandas
        self.ta = pandas_ta_classic
        self.version = version_of("pandas-ta-classic")

    def load(self, series):
        self.bars = series
        self.series = {}

    def one(self, place):
        if place not in self.series:
            self.series[place] = self.pandas.DataFrame(self.bars[place])
        return self.series[place]

    def prepare(self, count):
        for place in range(count):
            self.one(place)

    def work(self, indicator, params, is_last=False):
        row = None if is_last else PANDAS_TA.get(indicator)
        if row is None:
            return None
        name, inputs, arguments, outs, *keywords = row
        function = getattr(self.ta, name)
        args = arguments_of(arguments, params)
        options = dict(*keywords)
        if "talib" in inspect.signature(function).parameters:
            options["talib"] = False

        def call(bars):
            return function(*[bars[one] for one in inputs], *args, **options)

        def run(count):
            for place in range(count):
                call(self.series[place])

        def values(place):
            result = call(self.one(place))
            frame = result[0] if isinstance(result, tuple) else result
            if indicator == "psar":
                frame = frame.iloc[:, 0].fillna(frame.iloc[:, 1])
            if frame.ndim == 1:
                return {outs[0]: frame.to_numpy()}
            return {out: frame.iloc[:, i].to_numpy() for i, out in enumerate(outs) if out}

        return run, values


def version_of(package):
    from importlib.metadata import version

    return version(package)


LIBRARIES = {
    "TA-Lib": Talib,
    "polars": Polars,
    "polars-talib": PolarsTalib,
    "pandas-ta-classic": PandasTa,
}
# CPU time counts in steps of 16 ms on Windows.
clock = time.perf_counter if sys.platform == "win32" else time.process_time
loaded = {}
works = {}


def work_of(request):
    key = json.dumps([request[name] for name in ("library", "indicator", "params", "last")])
    if key not in works:
        library = loaded[request["library"]]
        works[key] = library.work(request["indicator"], request["params"], request["last"])
    return works[key]


def libraries(request):
    found = []
    for name in request["names"] if numpy else []:
        try:
            loaded[name] = LIBRARIES[name]()
        except ImportError:
            continue
        library = loaded[name]
        version = f"{library.version} (Python {sys.version.split()[0]})"
        found.append({"name": name, "version": version, "driven": library.description})
    return found


def load(request):
    lengths = request["lengths"]
    columns = numpy.fromfile(request["path"]).reshape(len(INPUTS), sum(lengths))
    series, at = [], 0
    for length in lengths:
        series.append({name: columns[i, at : at + length] for i, name in enumerate(INPUTS)})
        at += length
    for library in loaded.values():
        library.load(series)
    return True


def values(request):
    _, compute = work_of(request)
    columns = compute(request["place"])
    return {
        name: [None if x != x else x for x in numpy.atleast_1d(column).astype(float).tolist()]
        for name, column in columns.items()
    }


def skipped(request):
    compute, *_ = work_of(request)
    return getattr(compute, "skipped", lambda count: [])(request["count"])


def run(request):
    compute, _ = work_of(request)
    loaded[request["library"]].prepare(request["count"])
    started = clock()
    compute(request["count"])
    return 1000 * (clock() - started)


OPERATIONS = {
    "libraries": libraries,
    "load": load,
    "offers": lambda request: work_of(request) is not None,
    "values": values,
    "skipped": skipped,
    "run": run,
}


def main():
    # A library that prints must not write between the responses.
    responses = os.fdopen(os.dup(1), "w")
    sys.stdout = sys.stderr
    for line in sys.stdin:
        request = json.loads(line)
        try:
            response = {"result": OPERATIONS[request["op"]](request)}
        except Exception as error:  # noqa: BLE001
            response = {"error": f"{type(error).__name__}: {error}"}
        responses.write(json.dumps(response) + "\n")
        responses.flush()


if __name__ == "__main__":
    main()
