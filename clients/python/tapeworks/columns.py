"""Arrow columns as Python's own sequences, without a copy and without numpy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import pyarrow as pa


def plain_values(column: pa.Array) -> Sequence[Any]:
    """Returns the numbers of a column without nulls; days of dates, ticks of timestamps."""
    data = column.buffers()[1]
    if data is None or len(column) == 0:
        return ()
    kind: Any = "d" if column.type == pa.float64() else "i" if column.type == pa.date32() else "q"
    values = memoryview(data).cast("B").cast(kind)
    # A memoryview has len, items and slices: all that bisect and loops use.
    return cast("Sequence[Any]", values[column.offset : column.offset + len(column)])
