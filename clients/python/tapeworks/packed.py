"""Packed bars of minutes as Arrow columns. docs/serving-files.md describes the layout."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

_PLAIN = 254
_FLOAT32 = 255
_SIGNED = 1 << 8
_NAMES = ("ts", "open", "high", "low", "close", "volume")
_TS, _OPEN, _HIGH, _LOW, _CLOSE, _VOLUME = range(6)
_TIMES = pa.timestamp("us", "UTC")


def unpacked(column: pa.Array) -> pa.RecordBatch:
    """Returns the bars of a batch of months: their times, prices and volumes."""
    data = column.buffers()[1].slice(column.offset, len(column))
    words = memoryview(data).cast("B").cast("I")
    blocks = [
        _Block(data, words, words[2 + number], min(words[1], words[0] - first))
        for number, first in enumerate(range(0, words[0], words[1]))
    ]
    columns = [pa.concat_arrays([block.values(number) for block in blocks]) for number in range(6)]
    return pa.RecordBatch.from_arrays(columns, names=list(_NAMES))


class _Block:
    """Up to 512 rows; each column is told by the ones before it."""

    def __init__(self, data: pa.Buffer, words: memoryview[int], place: int, rows: int) -> None:
        self._data = data
        self._words = words
        self._place = place
        self._rows = rows
        self._whole: dict[int, Any] = {}

    def values(self, column: int) -> pa.Array:
        forms, step = self._words[self._place], self._words[self._place + 1]
        form = (forms >> 8 if column == _VOLUME else forms) & 255
        if column == _TS:
            if step == 0:
                return self._plain(column, _TIMES)
            return pc.multiply(self._numbers(column), step * 1_000_000).cast(_TIMES)
        if form == _PLAIN:
            return self._plain(column, pa.float64())
        numbers = self._numbers(column)
        if form == _FLOAT32:
            bits = numbers.cast(pa.uint32()).buffers()
            return pa.Array.from_buffers(pa.float32(), self._rows, bits).cast(pa.float64())
        return pc.divide(numbers.cast(pa.float64()), float(10**form))

    def _plain(self, column: int, type_: pa.DataType) -> pa.Array:
        start = 4 * self._start(column)
        # A copy lies at a multiple of 8 bytes.
        held = pa.py_buffer(self._data.slice(start, 8 * self._rows).to_pybytes())
        return pa.Array.from_buffers(type_, self._rows, [None, held])

    def _start(self, column: int) -> int:
        return int(self._place + self._words[self._place + 2 + column])

    def _numbers(self, column: int) -> Any:
        """Returns the whole numbers of a column as int64."""
        if column not in self._whole:
            self._whole[column] = self._decoded(column)
        return self._whole[column]

    def _decoded(self, column: int) -> Any:
        at = self._start(column)
        if column in (_TS, _CLOSE):
            first = int(self._words[at : at + 2].cast("B").cast("d")[0])
            sums = pc.add(pc.cumulative_sum(self._steps(at + 2)), first)
            return sums if column == _CLOSE else pc.add(sums, _counted(self._rows))
        steps = self._steps(at)
        if column == _VOLUME:
            return steps
        close = self._numbers(_CLOSE)
        if column == _OPEN:
            before = pa.concat_arrays([close.slice(0, 1), close.slice(0, self._rows - 1)])
            return pc.add(steps, before)
        ends = self._numbers(_OPEN), close
        if column == _HIGH:
            return pc.add(steps, pc.max_element_wise(*ends))
        return pc.subtract(pc.min_element_wise(*ends), steps)

    def _steps(self, at: int) -> Any:
        """Returns the numbers that the words from a place on hold."""
        head = self._words[at]
        width, exceptions = head & 255, head >> 16
        count = -(-self._rows * width // 32)
        codes = self._codes(at + 1, width, count)
        if head & _SIGNED:
            signs = pc.negate(pc.bit_wise_and(codes, 1))
            codes = pc.bit_wise_xor(pc.shift_right(codes, 1), signs)
        if exceptions == 0:
            return codes
        numbers = codes.to_pylist()
        for place in range(at + 1 + count, at + 1 + count + 3 * exceptions, 3):
            value = self._words[place + 1 : place + 3].cast("B").cast("d")[0]
            numbers[self._words[place]] = int(value)
        return pa.array(numbers, pa.int64())

    def _codes(self, at: int, width: int, count: int) -> Any:
        if width == 0:
            return pa.array([0] * self._rows, pa.int64())
        words = pa.array([*self._words[at : at + count], 0], pa.uint64())
        places, shifts = _places(width, self._rows)
        low = words.take(places)
        high = pc.shift_left(words.take(pc.add(places, 1)), pa.scalar(32, pa.uint64()))
        shifted = pc.shift_right(pc.bit_wise_or(low, high), shifts)
        mask = pa.scalar((1 << width) - 1, pa.uint64())
        return pc.bit_wise_and(shifted, mask).cast(pa.int64())


@lru_cache(maxsize=None)
def _places(width: int, rows: int) -> tuple[Any, Any]:
    """Returns the word in which each number begins, and its bit there."""
    bits = [row * width for row in range(rows)]
    return (
        pa.array([bit // 32 for bit in bits], pa.int64()),
        pa.array([bit % 32 for bit in bits], pa.uint64()),
    )


@lru_cache(maxsize=None)
def _counted(rows: int) -> Any:
    return pa.array(range(rows), pa.int64())
