import { isField, PRICE_FIELDS } from './fields.ts';
import { statement, type Table } from './shape.ts';

/** A column of a wide table: one field of one symbol. */
export interface WideCell {
  at: number;
  field: string;
  symbol: string;
}

/**
 * Table with a row for each symbol and line. A symbol without any price on a line has no bar there,
 * because the lines are the days of all symbols.
 */
export function unstacked(
  dateAt: number,
  cells: readonly WideCell[],
  fact: string,
): Omit<Table, 'headerLines'> {
  const fields = [...new Set(cells.map(({ field }) => field))];
  const bySymbol = Map.groupBy(cells, ({ symbol }) => symbol);
  const places = [...bySymbol].map(([symbol, own]) => ({
    symbol,
    at: fields.map((field) => own.find((cell) => cell.field === field)?.at),
  }));
  const isPrice = fields.map((field) => PRICE_FIELDS.some((name) => isField(field, name)));
  const only = places.length === 1 ? places[0].symbol : undefined;
  return {
    header: ['date', ...fields.map(headerName), ...(only === undefined ? ['symbol'] : [])],
    stated: only === undefined ? {} : { symbol: statement(only, fact) },
    rows: (line) =>
      places.flatMap(({ symbol, at }) => {
        const values = at.map((position) => (position === undefined ? '' : (line[position] ?? '')));
        const isBar = values.some((text, index) => isPrice[index] && !isNone(text));
        if (!isBar && places.length > 1) return [];
        return [[line[dateAt] ?? '', ...values, ...(only === undefined ? [symbol] : [])]];
      }),
  };
}

function isNone(text: string): boolean {
  return text === '' || text.toLowerCase() === 'nan';
}

/** R's quantmod names Yahoo's adjusted close `Adjusted`. */
function headerName(field: string): string {
  return isField(field, 'adjusted') ? 'Adj Close' : field;
}
