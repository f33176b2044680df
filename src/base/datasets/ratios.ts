/** Ratios as a statement. Their rows are computed when they are requested. */

import { RATIOS } from '../companies/ratios.ts';
import { figure } from './columns.ts';

/** Price and capitalization from which a row's ratios to the price follow. */
const PRICED = [
  figure('price', 'Price', 'close on `priceDate`, on the split basis of that day', ['214.05'], {
    description: 'Close on `priceDate`, on the split basis of that day.',
  }),
  figure(
    'marketCap',
    'Market cap',
    'price times shares by the filings known then',
    ['6400000000'],
    {
      description: '`price` times shares outstanding by the filings known then.',
    },
  ),
];

export const ratios = {
  name: 'ratios',
  statement: { noun: 'ratio', title: 'Ratios' },
  columns: [
    ...PRICED,
    ...RATIOS.map(({ name, title, unit, description }) =>
      figure(name, title, description, [''], { unit, description }),
    ),
  ],
} as const;
