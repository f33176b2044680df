import { z } from 'zod';
import { SCREENER_FILTERS } from '../../../base/fields.ts';
import { limits } from '../../../base/limits.ts';
import { bounded, tableOf } from './tables.ts';
import { asOf, limit, links, list, type Row, tool } from './tool.ts';

/** Names of filters, which conditions know but for that of an indicator. */
const FIELDS = SCREENER_FILTERS.map(({ name }) => name).filter((name) => name !== 'rsi14');

export const screen = tool({
  title: 'Screen symbols',
  description:
    'Finds symbols that meet a condition over bars, indicators and company fields, such as ' +
    '"rsi(14) < 30 and close > sma(200) and market_cap > 1e9" or "close crosses above sma(50)". ' +
    'Functions include sma, ema, rsi, atr, avg, max, min; x[1] is one bar earlier. Fields include ' +
    `${FIELDS.join(', ')}.`,
  scopes: ['fundamentals:read'],
  input: z.strictObject({
    where: z.string().optional().describe('Condition; without it all symbols'),
    columns: list(z.string(), '"rsi(14)"')
      .optional()
      .describe('Further values, such as ["rsi(14)"]'),
    sort: z.string().optional().describe('A field or an expression; default market_cap'),
    order: z.enum(['asc', 'desc']).optional(),
    sector: list(z.string(), '"technology"').optional(),
    exchange: list(z.string(), '"NYSE"').optional(),
    as_of: asOf,
    limit: limit(limits.mcp.rowsDefault),
  }),
  async run({ columns, sector, exchange, ...others }, own) {
    const lists = { columns: columns?.join(), sector: sector?.join(), exchange: exchange?.join() };
    const values = { ...others, ...lists };
    const { data, total, warnings = [] } = await own.call('getScreener', values);
    const rows = (data as Row[]).map(({ columns, ...row }) => ({ ...row, ...(columns as Row) }));
    const names = [...new Set((data as Row[]).flatMap((row) => Object.keys(row.columns ?? {})))];
    const limit = limits.page.screenerSizeMax;
    const more = links(own, '/svc/screener', { ...values, limit });
    return bounded(
      [tableOf('matches', rows, { rows_total: total, own: names, ...more })],
      warnings as string[],
      'first',
    );
  },
});
