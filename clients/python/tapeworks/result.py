"""Results: one Arrow table, handed to the library of the reader's choice."""

from __future__ import annotations

from bisect import bisect_left
from typing import Any, Optional

import pyarrow as pa
import pyarrow.compute as pc

from .columns import plain_values
from .errors import InvalidRequestError


class Result:
    """Rows as an Arrow table. Libraries that read Arrow's C stream take it as it is.

    Attributes:
        not_found: Symbols of a request for quotes that have none.
    """

    def __init__(self, table: pa.Table, not_found: tuple[str, ...] = ()) -> None:
        self._table = table
        self.not_found = not_found

    def arrow(self) -> pa.Table:
        """Returns the pyarrow table."""
        return self._table

    def pl(self) -> Any:
        """Returns a polars DataFrame; symbols are categories. Needs ``tapeworks[polars]``."""
        import polars

        return polars.from_arrow(self._table)

    def pd(self) -> Any:
        """Returns a pandas DataFrame; dates are datetime64. Needs ``tapeworks[pandas]``."""
        return self._table.to_pandas(date_as_object=False)

    def duckdb(self, connection: Any = None) -> Any:
        """Returns a DuckDB relation, of a connection if given. Needs ``tapeworks[duckdb]``."""
        if connection is not None:
            return connection.from_arrow(self._table)
        import duckdb

        return duckdb.from_arrow(self._table)

    @property
    def columns(self) -> list[str]:
        """Names of the columns."""
        return list(self._table.column_names)

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self._table.__arrow_c_stream__(requested_schema)

    def __len__(self) -> int:
        return int(self._table.num_rows)

    def __repr__(self) -> str:
        names = [*self.columns[:12], *["…"][: max(0, len(self.columns) - 12)]]
        return f"<{len(self):,} rows: {', '.join(names)}>"


def shaped(table: pa.Table, wide: Optional[str]) -> Result:
    """Returns a table of series as it is, or with a column per symbol of the values of ``wide``.

    Args:
        table: Rows of a symbol are together and ascending.

    Raises:
        InvalidRequestError: The table has no such column of numbers.
    """
    if wide is None:
        return Result(table)
    names = [name for name in table.column_names if table[name].type == pa.float64()]
    if wide not in names:
        raise InvalidRequestError(f'wide must be one of {", ".join(names)}, got "{wide}"')
    moment = "date" if "date" in table.column_names else "timestamp"
    moments = pc.unique(table[moment])
    moments = moments.take(pc.sort_indices(moments))
    every = plain_values(moments)
    columns, symbols = [moments], []
    for symbol, start, end in _runs(table["symbol"]):
        times = _joined(table[moment].slice(start, end - start))
        values = _joined(table[wide].slice(start, end - start))
        own = plain_values(times)
        first = bisect_left(every, own[0])
        # Both ascend without repeats: if as many lie between the ends, all are the same.
        last = first + len(own)
        if last <= len(every) and every[last - 1] == own[-1]:
            head, tail = pa.nulls(first, pa.float64()), pa.nulls(len(every) - last, pa.float64())
            columns.append(pa.concat_arrays([head, values, tail]))
        else:
            columns.append(values.take(pc.index_in(moments, value_set=times)))
        symbols.append(symbol)
    return Result(pa.Table.from_arrays(columns, names=[moment, *symbols]))


def _runs(symbols: pa.ChunkedArray) -> list[tuple[str, int, int]]:
    """Returns each symbol with the first row and the end of its rows."""
    codes = symbols.unify_dictionaries().combine_chunks()
    if isinstance(codes, pa.ChunkedArray):
        codes = codes.chunk(0) if codes.num_chunks else pa.array([], symbols.type)
    runs = pc.run_end_encode(codes.indices)
    names = codes.dictionary.to_pylist()
    ends = runs.run_ends.to_pylist()
    starts = [0, *ends[:-1]]
    return [(names[code], *span) for code, *span in zip(runs.values.to_pylist(), starts, ends)]


def _joined(column: pa.ChunkedArray) -> pa.Array:
    return column.chunk(0) if column.num_chunks == 1 else pa.concat_arrays(column.chunks)
