import { SourceEmptyError } from '../../../base/errors.ts';
import type { FetchContext, FetchedRows } from '../../contract/fetch-context.ts';
import type { VendorCode } from '../../contract/source.ts';
import type { SourceOptions } from '../../contract/source-options.ts';
import { readableRowCount } from '../../rows/readable-rows.ts';
import { askWith } from '../shared/ask.ts';
import { fetchBySymbol, type RowsByDataset } from '../shared/fetch-by-symbol.ts';
import { fetchEarnings, planEarnings } from '../shared/fetch-earnings.ts';
import { type KeyedRequests, withKey } from '../shared/keyed-requests.ts';
import { bySymbols } from '../shared/partition.ts';
import { PROBE_SYMBOL } from '../shared/probe.ts';
import { eodhdSymbol } from '../shared/vendor-symbols.ts';
import { parseFmpConsensus, parseFmpEarnings, parseFmpGrades, parseFmpTargets } from './parse.ts';
import { vendor } from './vendor.ts';

/** Requests for a company, and rows of a large one. */
const PER_SYMBOL = { requests: 4, rows: 1000 };

const NOTHING = '[]';

/**
 * Fetches segments of the earnings calendar, a week each. With `symbols` it keeps theirs only, and
 * adds their opinions of analysts. Requests that the subscription lacks are noted.
 */
export function fetchFmp(
  options: SourceOptions,
  context: FetchContext,
): AsyncGenerator<FetchedRows> {
  // The free subscription includes every path, for some symbols.
  return withKey({ host: vendor.host, refusesPaths: false }, context, async function* (asks) {
    const { symbols = [] } = options;
    const { nowMs } = context;
    const earnings = async (dates: { from: string; to: string }) =>
      parseFmpEarnings(
        (await asks.askIfIncluded('/stable/earnings-calendar', dates)) ?? NOTHING,
        nowMs,
      );
    yield* fetchEarnings({ source: 'fmp', ask: earnings }, options, context);
    const ask = (symbol: string) => askAnalysts(symbol, asks, nowMs);
    yield* fetchBySymbol({ source: 'fmp', symbols, ask, notes: asks.notes }, options, context);
  });
}

async function askAnalysts(
  symbol: string,
  { askIfIncluded }: KeyedRequests,
  asOfMs: number,
): Promise<RowsByDataset> {
  // Hyphens for classes, as with EODHD; for preferred shares that is not confirmed.
  const query = { symbol: eodhdSymbol(symbol) };
  const ask = async (path: string) => (await askIfIncluded(path, query)) ?? NOTHING;
  const countsBody = await ask('/stable/grades-consensus');
  const targetsBody = await ask('/stable/price-target-consensus');
  const rows = {
    'analyst-consensus': parseFmpConsensus({ countsBody, targetsBody }, symbol, asOfMs),
    'upgrades-downgrades': parseFmpGrades(await ask('/stable/grades'), symbol),
    'analyst-targets': parseFmpTargets(await ask('/stable/price-target-news'), symbol),
  };
  if (Object.values(rows).every((some) => some.length === 0)) {
    throw new SourceEmptyError(`FMP has nothing of analysts of "${symbol}"`);
  }
  return rows;
}

const SYMBOLS_PER_PARTITION = 15;

export const source: VendorCode = {
  fetch: fetchFmp,
  dryRun: (options, nowMs) => planEarnings(options, nowMs, PER_SYMBOL),
  partition: (options) => bySymbols(options, options.symbols, SYMBOLS_PER_PARTITION),
  async probe({ http, settings }) {
    const ask = askWith(http, vendor.host, settings);
    const rows = parseFmpGrades(
      await ask('/stable/grades', { symbol: PROBE_SYMBOL }),
      PROBE_SYMBOL,
    );
    return readableRowCount('upgrades-downgrades', rows, "FMP's grades");
  },
};
