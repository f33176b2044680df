/** Bars, with indicators beside them. */

import { z } from 'zod';
import { MICROS_PER_MILLI } from '../../../base/bars.ts';
import { ParameterError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits.ts';
import { isDailyInterval, SESSION_CHOICES } from '../../../base/time/intervals.ts';
import { momentField, windowFromTexts } from '../../http/query-fields.ts';
import { bounded, type ToolResult, tableOf } from './tables.ts';
import { limit, links, list, moment, type Row, symbol, type ToolCall, tool } from './tool.ts';

const { rowsDefault, symbolsMax } = limits.mcp;

const symbols = list(symbol, '"AAPL"', { min: 1, max: symbolsMax }).describe(
  `1 to ${symbolsMax} tickers`,
);

const fields = {
  symbols,
  interval: z.enum(['1m', '5m', '15m', '1h', '4h', '1d', '1w', '1M']).default('1d'),
  from: moment('First bar'),
  to: moment('Last bar, inclusive'),
  limit: limit(rowsDefault).describe('Newest bars of each symbol'),
  adjustment: z
    .enum(['raw', 'split', 'all'])
    .optional()
    .describe('raw: as traded; split: for splits (default if derivable); all: dividends too'),
  session: z
    .enum(SESSION_CHOICES)
    .default('regular')
    .describe('Below a day: extended is 04:00 to 20:00 in New York; all has the night too'),
};

type Window = z.infer<z.ZodObject<typeof fields>>;

/** Returns the first millisecond of a window. @throws {ParameterError} as the API does. */
function firstMillis({ from, to }: Window): number {
  for (const [name, text] of Object.entries({ from, to })) {
    const { error } = momentField.optional().safeParse(text);
    if (error) throw new ParameterError(name, `${name} ${error.issues[0].message}, got "${text}"`);
  }
  const { fromUs } = windowFromTexts(from, to);
  return fromUs === undefined ? Number.NEGATIVE_INFINITY : Number(fromUs) / MICROS_PER_MILLI;
}

/** Columns beside those of indicators, whose names stay. */
const FIXED = new Set(['symbol', 'day', 'timestamp', 'tradeDate', 'session', 'close']);

/**
 * Reads the newest bars in a window; with indicators, the close and their values.
 *
 * @param path Path of the API that has all rows of the window.
 */
async function tableOfBars(
  path: string,
  window: Window,
  indicators: readonly string[] | undefined,
  own: ToolCall,
): Promise<ToolResult> {
  const { symbols, interval, from, to, limit, adjustment, session } = window;
  const isDays = isDailyInterval(interval);
  const first = firstMillis(window);
  const names = indicators?.join();
  const rows: Row[] = [];
  let isFull = false;
  for (const symbol of symbols) {
    const values = { symbol, interval, to, limit, adjustment, session, indicators: names };
    const { candles, indicators: lines } = await own.call('getTechnical', values);
    const count = candles.length;
    if (count === limit) isFull = true;
    for (const [at, { timestamp, ...bar }] of (candles as Row[]).entries()) {
      if (Date.parse(String(timestamp)) < first) continue;
      const time = isDays ? { day: String(timestamp).slice(0, 10) } : { timestamp };
      const { close, session: of, tradeDate } = bar;
      const hours = of === undefined ? {} : { tradeDate, session: of };
      const shown = names === undefined ? bar : { ...hours, close };
      const row: Row = { ...(symbols.length > 1 ? { symbol } : {}), ...time, ...shown };
      for (const [name, points] of Object.entries(lines as Record<string, Row[]>)) {
        // Points begin after the warm-up, and end with the bars.
        const { value = null, timestamp: _, ...others } = points.at(at - count) ?? {};
        row[name] = value;
        for (const [output, number] of Object.entries(others)) row[`${name}_${output}`] = number;
      }
      rows.push(row);
    }
  }
  // A result that is cut then keeps the newest bars of all symbols.
  const timeOf = ({ day, timestamp }: Row) => String(day ?? timestamp);
  rows.sort((a, b) => (timeOf(a) < timeOf(b) ? -1 : timeOf(a) > timeOf(b) ? 1 : 0));
  const all = {
    symbols: symbols.join(),
    interval,
    from,
    to,
    adjustment,
    session,
    indicators: names,
  };
  const columns = new Set(
    rows.flatMap((row) => Object.keys(row).filter((name) => !FIXED.has(name))),
  );
  const table = tableOf(names === undefined ? 'bars' : 'indicators', rows, {
    ...{ own: names === undefined ? [] : [...columns], ...links(own, path, all) },
  });
  const notes = isFull ? [`Older bars exist: limit is ${limit} bars of each symbol.`] : [];
  return bounded([table], notes, 'last');
}

export const getBars = tool({
  title: 'Get bars',
  description:
    'Reads open, high, low, close in USD and volume in shares, the newest bars. ' +
    'Days are sessions in New York.',
  scopes: ['technicals:read'],
  input: z.strictObject(fields),
  run: (input, own) => tableOfBars('/svc/candles', input, undefined, own),
});

export const getIndicators = tool({
  title: 'Get indicators',
  description:
    'Computes technical indicators beside the close. Names take parameters after colons: sma:50, ' +
    'rsi:14, macd:12:26:9, bollinger:20:2, atr:14 and some 60 more. Those that are prices are in USD.',
  scopes: ['technicals:read'],
  input: z.strictObject({
    ...fields,
    indicators: list(z.string(), '"rsi:14", "sma:200"', {
      min: 1,
      max: limits.indicator.perRequestMax,
    }).describe('Such as ["rsi:14", "sma:200"]'),
  }),
  run: ({ indicators, ...input }, own) => tableOfBars('/svc/technical', input, indicators, own),
});
