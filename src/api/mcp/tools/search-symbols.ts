import { z } from 'zod';
import { limits } from '../../../base/limits.ts';
import { bounded, tableOf } from './tables.ts';
import { limit, links, tool } from './tool.ts';

export const searchSymbols = tool({
  title: 'Search symbols',
  description:
    'Finds US stocks and ETFs by the start of a ticker, a former ticker or words of the name.',
  scopes: ['quotes:read'],
  input: z.strictObject({
    query: z.string().min(1).describe('Such as "nvid" or "bank of"'),
    limit: limit(10),
  }),
  async run({ query, limit }, own) {
    const values = { search: query, limit: Math.min(limit, limits.page.sizeMax) };
    const { data, total } = await own.call('listSymbols', values);
    const more = links(own, '/svc/symbols', { ...values, limit: limits.page.sizeMax });
    return bounded([tableOf('symbols', data, { rows_total: total, ...more })], [], 'first');
  },
});
