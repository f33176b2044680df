/** Rows of a screen as JSON text and as a table. */

import { quoteField, SCREENER_ROW } from '../../base/fields.ts';
import { jsonFromScreenerRow, textOfRow } from '../../store/arrow/snapshot/screener-table.ts';
import type { ScreenerColumns, ScreenerTable } from '../../store/arrow/snapshot/snapshot.ts';
import type { Table, TableColumn } from './table.ts';

/** JSON of rows, by the columns of their table, which versions may have in common. */
const textsOfColumns = new WeakMap<ScreenerColumns, string[]>();

/** Returns rows as JSON. Each is written once per table: many screens begin with the same rows. */
export function rowTexts(table: ScreenerTable, rows: Int32Array): string[] {
  let texts = textsOfColumns.get(table.columns);
  if (!texts) {
    texts = new Array<string>(table.symbols.length);
    textsOfColumns.set(table.columns, texts);
  }
  const page: string[] = [];
  for (const row of rows) {
    texts[row] ??= jsonFromScreenerRow(table, row);
    page.push(texts[row]);
  }
  return page;
}

/** Returns the same fields as columns. */
export function tableFromScreenerRows(table: ScreenerTable, rows: Int32Array): Table {
  const { symbols, companyNames, columns } = table;
  return [
    { name: 'symbol', type: 'text', values: Array.from(rows, (row) => symbols[row]) },
    {
      name: 'companyName',
      type: 'optionalText',
      values: Array.from(rows, (row) => companyNames[row]),
    },
    ...SCREENER_ROW.map(({ name, isText }): TableColumn => {
      if (isText) {
        const values = Array.from(rows, (row) => textOfRow(table, name, row));
        return { name, type: 'optionalText', values };
      }
      const type = quoteField(name).kind === 'volume' ? 'volume' : 'number';
      return { name, type, values: Float64Array.from(rows, (row) => columns[name][row]) };
    }),
  ];
}
