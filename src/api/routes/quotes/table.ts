/** Quotes as a table. */

import { MICROS_PER_MILLI } from '../../../base/bars.ts';
import type { Quote } from '../../../store/arrow/snapshot/snapshot.ts';
import type { Table } from '../../responses/table.ts';

type NumberField = Exclude<keyof Quote, 'symbol' | 'timestampMs' | 'volume'>;

export function tableFromQuotes(quotes: readonly Quote[]): Table {
  const values = (field: NumberField | 'volume') =>
    Float64Array.from(quotes, (quote) => quote[field] ?? Number.NaN);
  const number = (name: NumberField) => ({ name, type: 'number', values: values(name) }) as const;
  return [
    { name: 'symbol', type: 'text', values: quotes.map(({ symbol }) => symbol) },
    number('price'),
    number('change'),
    number('changePct'),
    { name: 'volume', type: 'count', values: values('volume') },
    {
      name: 'timestamp',
      type: 'timestamp',
      values: BigInt64Array.from(quotes, ({ timestampMs }) =>
        BigInt(timestampMs * MICROS_PER_MILLI),
      ),
    },
    number('dayHigh'),
    number('dayLow'),
    number('dayOpen'),
    number('previousClose'),
    number('marketCap'),
  ];
}
