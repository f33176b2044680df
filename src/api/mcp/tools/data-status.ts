import { z } from 'zod';
import { type Mode, modePaths } from '../../../base/config/data-dir.ts';
import { readServingStatus } from '../../../store/arrow/read/serving-status.ts';
import { bounded, type ToolResult, tableOf } from '../tables.ts';
import { type Row, symbol, tool } from './tool.ts';

export const dataStatus = tool({
  title: 'Show the state of the data',
  description:
    'Shows the published version, how many symbols and bars it has and how new they are; for a ' +
    'symbol, its intervals, sources and adjustments.',
  scopes: ['quotes:read'],
  input: z.strictObject({ symbol: symbol.optional() }),
  async run({ symbol }, { call, mode, dataDir }) {
    if (symbol !== undefined) {
      const { intervals, datasets, formerTickers, ...facts } = await call('getSymbol', { symbol });
      const rows = (intervals as Row[]).map(({ adjustments, ...interval }) => ({
        ...interval,
        adjustments: (adjustments as string[]).join(' '),
      }));
      const one = { ...facts, formerTickers: formerTickers.length, datasets: datasets.join(' ') };
      return bounded([tableOf('symbol', [one]), tableOf('intervals', rows)], [], 'first');
    }
    return call.own({ scope: 'quotes:read', tokens: 1 }, () => statusOf(mode, dataDir));
  },
});

function statusOf(mode: Mode, dataDir: string): ToolResult {
  const status = readServingStatus(modePaths(dataDir, mode).serving);
  if (!status) {
    return { tables: [], notes: [`${mode} has no data yet: its operator has to load some.`] };
  }
  const { candles, intraday } = status.datasets;
  const daily = Object.entries(candles.rows).map(([interval, rows]) => ({
    ...{ interval, symbols: candles.symbols, rows, newest_bar_end_utc: candles.newestBarEnd },
  }));
  const within = Object.entries(intraday ?? {}).map(
    ([interval, { symbols, rows, newestBarEnd }]) => ({
      ...{ interval, symbols, rows, newest_bar_end_utc: newestBarEnd },
    }),
  );
  const { version, publishedAt } = status;
  const head = {
    mode,
    version,
    published_at_utc: publishedAt,
    stale_symbols: candles.staleSymbols,
  };
  const notes = mode === 'sandbox' ? ['This key reads the sandbox: all data is synthetic.'] : [];
  const tables = [tableOf('version', [head]), tableOf('bars', [...daily, ...within])];
  return bounded(tables, notes, 'first');
}
