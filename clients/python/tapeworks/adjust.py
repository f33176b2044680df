"""Price bases: which a series can be given in, and its bars on them, to the last bit of the API's.

docs/decisions/0007-price-basis.md defines them. All arithmetic is float64, in the server's order.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Sequence
from typing import Callable, NamedTuple, Optional

import pyarrow as pa
import pyarrow.compute as pc

from .moments import MICROS_PER_DAY, new_york_day

BASES = ("raw", "split", "all")

Ratio = tuple[float, float]
CloseBefore = Callable[[int], tuple[float, int]]
"""Returns the last close before a day, and its day."""

_UNIT: Ratio = (1.0, 1.0)
# Cuts a float into two halves of 26 bits, whose products are exact (Dekker 1971).
_HALVER = 134_217_729.0


class Split(NamedTuple):
    day: int
    ratio: Ratio


class Dividend(NamedTuple):
    day: int
    amount: float
    factor: Optional[float]
    currency: Optional[str] = None
    """Where it is not that of the prices: then the amount is never used."""
    kind: str = "dividend"


def is_usable(dividend: Dividend) -> bool:
    """Returns false for an amount in another currency without a factor."""
    return dividend.currency is None or dividend.factor is not None


class Facts(NamedTuple):
    """Facts about a stored series; days count from 1970, moments are microseconds."""

    basis: str
    as_of: Optional[int]
    covered: Optional[tuple[int, int]]
    splits: Sequence[Split]
    dividends: Sequence[Dividend]
    dividends_covered: Optional[tuple[int, int]] = None
    """Where dividends are known for other days than splits; none if the first is after the last."""


class Step(NamedTuple):
    """Scale of the bars from a day up to the next step's."""

    day: float
    ratio: Ratio
    factor: float


def derivable_bases(facts: Facts, first: int, last: int) -> list[str]:
    """Returns the bases that bars from ``first`` to ``last`` can be given in."""
    basis, as_of, covered, _, dividends, dividend_days = facts
    if basis == "all" or covered is None or covered[0] > first // MICROS_PER_DAY:
        return [basis]
    to_last_bar = covered[1] >= last // MICROS_PER_DAY
    to_vintage = to_last_bar and (as_of is None or covered[1] >= _vintage_day(as_of))
    first_day, last_day = _felt_days(facts, first, last)
    paid_from, paid_to = dividend_days or covered
    knows_paid = paid_from <= first // MICROS_PER_DAY and paid_to >= last // MICROS_PER_DAY
    to_all = (
        to_last_bar
        and knows_paid
        and all(is_usable(one) for one in dividends if first_day < one.day <= last_day)
    )
    derivable = {"raw": to_vintage, "split": to_last_bar, "all": to_all}
    return [to for to in BASES if to == basis or derivable[to]]


def default_basis(facts: Facts, first: int, last: int) -> str:
    """Returns ``split`` if it can be derived, else the stored basis."""
    return "split" if "split" in derivable_bases(facts, first, last) else facts.basis


def adjustment_steps(
    facts: Facts, to: str, first: int, last: int, close_before: CloseBefore
) -> list[Step]:
    """Returns the steps to a basis that can be derived, oldest first; none if nothing changes."""
    basis = facts.basis
    if basis == to:
        return []
    first_day, last_day = _felt_days(facts, first, last)
    splits = [split for split in facts.splits if first_day < split.day <= last_day]
    paid = [one for one in facts.dividends if first_day < one.day <= last_day and is_usable(one)]
    to_split_basis = _split_ratios(splits)
    factors: list[tuple[int, float]] = []
    if to == "all":
        factors = _dividend_factors(paid, close_before, basis == "raw", to_split_basis)
    days = sorted({*(split.day for split in splits), *(day for day, _ in factors)})
    steps = []
    for day in [-math.inf, *days]:
        ratio = to_split_basis(day)
        factor = 1.0
        for ex_day, one in factors:
            if ex_day > day:
                factor *= one
        used = ratio if basis == "raw" else _inverse(ratio) if to == "raw" else _UNIT
        steps.append(Step(day, used, factor))
    return (
        [] if all(step.ratio[0] == step.ratio[1] and step.factor == 1 for step in steps) else steps
    )


def scaled_bars(
    bars: Sequence[pa.Array], times: Sequence[int], steps: list[Step]
) -> list[pa.Array]:
    """Scales open, high, low, close by splits and dividends, and volume by splits alone."""
    starts = [
        0 if step.day == -math.inf else bisect_left(times, int(step.day) * MICROS_PER_DAY)
        for step in steps
    ]
    ends = [*starts[1:], len(times)]
    spans = [(start, end, step) for start, end, step in zip(starts, ends, steps) if end > start]
    scaled = []
    for place, column in enumerate(bars):
        is_volume = place == 4
        column = pa.concat_arrays(
            [
                _scaled(column.slice(start, end - start), ratio, is_volume)
                for start, end, ratio in _runs_of_ratio(spans)
            ]
        )
        if not is_volume and any(step.factor != 1 for *_, step in spans):
            factors = [step.factor for *_, step in spans]
            # A factor of 1 changes no bit.
            column = pc.multiply(
                column, repeated(factors, [end for _, end, _ in spans], pa.float64())
            )
        scaled.append(column)
    return scaled


def repeated(values: Sequence[object], ends: Sequence[int], kind: pa.DataType) -> pa.Array:
    """Returns a column in which each value fills the rows up to its end."""
    if not ends:
        return pa.array([], kind)
    # Old versions of pyarrow take the ends as a list only.
    runs = pa.RunEndEncodedArray.from_arrays(list(ends), pa.array(values, kind))
    return pc.run_end_decode(runs)


def combined_bars(days: Sequence[pa.Array], unit: str) -> list[pa.Array]:
    """Combines daily bars, time stamps first, by ``week`` or ``month``; the running one too."""
    names = ["ts", "open", "high", "low", "close", "volume"]
    periods = pc.floor_temporal(days[0].cast(pa.timestamp("us")), unit=unit)
    table = pa.Table.from_arrays([periods, *days[1:]], names=names)
    functions = ["first", "max", "min", "last", "sum"]
    # One thread adds the volumes in the order of the days, as the server does.
    grouped = table.group_by("ts", use_threads=False).aggregate(list(zip(names[1:], functions)))
    made = [grouped[f"{name}_{function}"] for name, function in zip(names[1:], functions)]
    return [column.combine_chunks() for column in (grouped["ts"].cast(days[0].type), *made)]


def _runs_of_ratio(spans: list[tuple[int, int, Step]]) -> list[tuple[int, int, Ratio]]:
    """Joins neighbours of one ratio: dividends alone make no piece."""
    runs: list[tuple[int, int, Ratio]] = []
    for start, end, step in spans:
        if runs and runs[-1][2] == step.ratio:
            runs[-1] = (runs[-1][0], end, step.ratio)
        else:
            runs.append((start, end, step.ratio))
    return runs


def _felt_days(facts: Facts, first: int, last: int) -> tuple[int, int]:
    """Returns the days after which and up to which prices show an ex-date."""
    first_day, last_day = first // MICROS_PER_DAY, last // MICROS_PER_DAY
    if facts.as_of is not None:
        last_day = max(last_day, _vintage_day(facts.as_of))
    return first_day, last_day


def _vintage_day(as_of: int) -> int:
    """Returns the day of a vintage: midnight UTC is a file's date, any other time a moment."""
    return as_of // MICROS_PER_DAY if as_of % MICROS_PER_DAY == 0 else new_york_day(as_of)


def _inverse(ratio: Ratio) -> Ratio:
    return ratio[1], ratio[0]


def _product(a: Ratio, b: Ratio) -> Ratio:
    left, right = _common_divisor(a[0], b[1]), _common_divisor(b[0], a[1])
    numerator = (a[0] / left) * (b[0] / right)
    denominator = (a[1] / right) * (b[1] / left)
    rest = _common_divisor(numerator, denominator)
    return numerator / rest, denominator / rest


def _common_divisor(a: float, b: float) -> float:
    while b != 0:
        a, b = b, math.fmod(a, b)
    return a


def _split_ratios(splits: Sequence[Split]) -> Callable[[float], Ratio]:
    newest_first = sorted(splits, key=lambda split: -split.day)
    ratios = [_UNIT]
    for split in newest_first:
        ratios.append(_product(ratios[-1], _inverse(split.ratio)))

    def ratio_of(day: float) -> Ratio:
        later = next((i for i, split in enumerate(newest_first) if split.day <= day), None)
        return ratios[len(newest_first) if later is None else later]

    return ratio_of


def _dividend_factors(
    dividends: Sequence[Dividend],
    close_before: CloseBefore,
    is_raw: bool,
    to_split_basis: Callable[[float], Ratio],
) -> list[tuple[int, float]]:
    """Returns each ex-day's factor on earlier prices: 1 - amount / close, or the vendor's."""
    by_day: dict[int, list[Dividend]] = {}
    for dividend in dividends:
        by_day.setdefault(dividend.day, []).append(dividend)
    factors = []
    for day, paid in by_day.items():
        stated, amount = 1.0, 0.0
        for one in paid:
            stated *= 1.0 if one.factor is None else one.factor
            amount += one.amount if one.factor is None else 0.0
        close, close_day = close_before(day)
        stored = to_split_basis(close_day) if is_raw else _UNIT
        previous = _scaled_value(close, _product(stored, _inverse(to_split_basis(day))))
        if amount < previous:
            factors.append((day, stated * (1 - amount / previous)))
    return factors


def _is_power_of_two(value: float) -> bool:
    return math.frexp(value)[0] == 0.5


def _is_simple(ratio: Ratio) -> bool:
    """Returns true if one of two operations is exact, so the result rounds once."""
    return _is_power_of_two(ratio[0]) or _is_power_of_two(ratio[1])


def _scaled_value(value: float, ratio: Ratio) -> float:
    if ratio[0] == ratio[1]:
        return value
    if _is_simple(ratio):
        return (value * ratio[0]) / ratio[1]
    return float(_scaled(pa.array([value]), ratio, False)[0].as_py())


def _scaled(column: pa.Array, ratio: Ratio, is_inverse: bool) -> pa.Array:
    """Multiplies by a ratio: exact arithmetic, rounded once."""
    numerator, denominator = _inverse(ratio) if is_inverse else ratio
    if numerator == denominator:
        return column
    product = pc.multiply(column, numerator)
    quotient = pc.divide(product, denominator)
    if _is_simple(ratio):
        return quotient
    lost = _rounding(column, numerator, product)
    back = pc.multiply(quotient, denominator)
    remainder = pc.subtract(pc.subtract(product, back), _rounding(quotient, denominator, back))
    return pc.add(quotient, pc.divide(pc.add(remainder, lost), denominator))


def _rounding(column: pa.Array, b: float, product: pa.Array) -> pa.Array:
    """Returns column x b - product, exactly."""
    cut = pc.multiply(column, _HALVER)
    high = pc.subtract(cut, pc.subtract(cut, column))
    low = pc.subtract(column, high)
    cut_b = _HALVER * b
    high_b = cut_b - (cut_b - b)
    low_b = b - high_b
    rest = pc.subtract(product, pc.multiply(high, high_b))
    rest = pc.subtract(rest, pc.multiply(low, high_b))
    rest = pc.subtract(rest, pc.multiply(high, low_b))
    return pc.subtract(pc.multiply(low, low_b), rest)
