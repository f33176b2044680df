"""Results: one Arrow table, handed to the library of the reader's choice."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import Any, Optional

import pyarrow as pa
import pyarrow.compute as pc

from .columns import plain_values
from .errors import InvalidRequestError


class Result:
    """Rows as an Arrow table. Libraries that read Arrow's C stream take it as it is.

    Attributes:
        not_found: Symbols of a request for quotes, or of a screen, that have none.
        warnings: What a server said about the rows, such as prices on another basis.
    """

    def __init__(
        self,
        table: pa.Table,
        not_found: Sequence[str] = (),
        warnings: Sequence[str] = (),
        *,
        is_wide: bool = False,
    ) -> None:
        self._table = _with_categories(table)
        self.not_found = tuple(not_found)
        self.warnings = tuple(warnings)
        self._is_wide = is_wide

    def arrow(self) -> pa.Table:
        """Returns the pyarrow table."""
        return self._table

    def pl(self) -> Any:
        """Returns a polars DataFrame; symbols are categories. Needs ``tapeworks[polars]``."""
        import polars

        return polars.from_arrow(self._table)

    def pd(self, *, index: Optional[bool] = None) -> Any:
        """Returns a pandas DataFrame; dates are datetime64. Needs ``tapeworks[pandas]``.

        Args:
            index: Makes the date, or else the first moment, the index. Default: if ``wide``.
        """
        frame = self._table.to_pandas(date_as_object=False)
        if not (self._is_wide if index is None else index):
            return frame
        return frame.set_index(self._moment())

    def ohlcv(self) -> Any:
        """Returns bars of one symbol as a pandas DataFrame that backtest libraries take.

        Columns are Open, High, Low, Close and Volume; the date, or the moment, is the index. Needs
        ``tapeworks[pandas]``.

        Raises:
            InvalidRequestError: The rows are no bars, or of several symbols.
        """
        names = ["open", "high", "low", "close", "volume"]
        if not {*names, "symbol"} <= set(self.columns):
            raise InvalidRequestError(f"ohlcv needs rows of bars: {self!r} has none")
        symbols = self._table["symbol"].unique().to_pylist()
        if len(symbols) > 1:
            raise InvalidRequestError(f"ohlcv needs one symbol, got {len(symbols)}: use wide")
        return self.pd(index=True)[names].rename(columns=str.capitalize)

    def _moment(self) -> str:
        """Returns the column with the time of a row."""
        if "date" in self.columns:
            return "date"
        for field in self._table.schema:
            if pa.types.is_temporal(field.type):
                return str(field.name)
        raise InvalidRequestError(f"index needs a column of dates or moments: {self!r} has none")

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
        warned = "".join(f"; {text}" for text in self.warnings)
        return f"<{len(self):,} rows: {', '.join(names)}{warned}>"


def _with_categories(table: pa.Table) -> pa.Table:
    """Returns a table whose symbols are categories, as those of bars are."""
    at = table.schema.get_field_index("symbol")
    if at < 0 or not pa.types.is_string(table.schema.field(at).type):
        return table
    kind = pa.dictionary(pa.int32(), pa.string())
    column = table["symbol"].dictionary_encode().cast(kind).unify_dictionaries()
    return table.set_column(at, table.schema.field(at).with_type(kind), column)


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
    return Result(pa.Table.from_arrays(columns, names=[moment, *symbols]), is_wide=True)


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
