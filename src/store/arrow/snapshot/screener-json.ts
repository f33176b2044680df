/** A row of a screen as JSON, the same in answers and in events. */

import type { ScreenerNumber, ScreenerText } from '../../../compute/screener/columns.ts';
import type { ScreenerTable } from './snapshot.ts';

/** One row with every field of section 2.5 of the specification, unknown values null. */
export function jsonFromScreenerRow(table: ScreenerTable, row: number): string {
  const { texts, columns } = table;
  const number = (column: ScreenerNumber) => {
    const value = columns[column][row];
    return Number.isNaN(value) ? null : value;
  };
  const text = (column: ScreenerText) => texts[column][columns[column][row]];
  return JSON.stringify({
    symbol: table.symbols[row],
    companyName: table.companyNames[row],
    price: number('price'),
    changePct: number('changePct'),
    marketCap: number('marketCap'),
    peRatio: number('peRatio'),
    dividendYield: number('dividendYield'),
    sector: text('sector'),
    industry: text('industry'),
    volume: Math.round(table.columns.volume[row]),
    rsi14: number('rsi14'),
  });
}
