/** Converts quotes to a table. */

import { MICROS_PER_MILLI } from '../../../base/bars.ts';
import { quoteField } from '../../../base/quote-fields.ts';
import { FIELDS_OF_QUOTE } from '../../../store/arrow/snapshot/quote.ts';
import type { Quote } from '../../../store/arrow/snapshot/snapshot.ts';
import type { Table, TableColumn } from '../../responses/table.ts';

export function tableFromQuotes(quotes: readonly Quote[]): Table {
  return [
    { name: 'symbol', type: 'text', values: quotes.map(({ symbol }) => symbol) },
    ...FIELDS_OF_QUOTE.map((name): TableColumn => {
      if (name === 'timestamp') {
        const values = BigInt64Array.from(quotes, ({ timestampMs }) =>
          BigInt(timestampMs * MICROS_PER_MILLI),
        );
        return { name, type: 'timestamp', values };
      }
      const type = quoteField(name).kind === 'count' ? 'count' : 'number';
      const values = Float64Array.from(quotes, (quote) => quote[name] ?? Number.NaN);
      return { name, type, values };
    }),
  ];
}
