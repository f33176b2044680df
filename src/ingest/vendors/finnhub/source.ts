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
import {
  parseFinnhubEarnings,
  parseFinnhubGrades,
  parseFinnhubRecommendations,
  parseFinnhubTargets,
} from './parse.ts';
import { vendor } from './vendor.ts';

/** Requests for a company, and rows of a large one. */
const PER_SYMBOL = { requests: 3, rows: 100 };

/**
 * Fetches segments of the earnings calendar, a week each. With `symbols` it keeps theirs only, and
 * adds their opinions of analysts. Requests that the subscription lacks are noted.
 */
export function fetchFinnhub(
  options: SourceOptions,
  context: FetchContext,
): AsyncGenerator<FetchedRows> {
  return withKey({ host: vendor.host, refusesPaths: true }, context, async function* (asks) {
    const { symbols = [] } = options;
    const { nowMs } = context;
    const earnings = async (dates: { from: string; to: string }) =>
      parseFinnhubEarnings(await asks.ask('/api/v1/calendar/earnings', dates), nowMs);
    yield* fetchEarnings({ source: 'finnhub', ask: earnings }, options, context);
    const ask = (symbol: string) => askAnalysts(symbol, asks, nowMs);
    yield* fetchBySymbol({ source: 'finnhub', symbols, ask, notes: asks.notes }, options, context);
  });
}

async function askAnalysts(
  symbol: string,
  { ask, askIfIncluded }: KeyedRequests,
  asOfMs: number,
): Promise<RowsByDataset> {
  const aimed = await askIfIncluded('/api/v1/stock/price-target', { symbol });
  const targets = aimed === undefined ? undefined : parseFinnhubTargets(aimed, symbol);
  const counted = await ask('/api/v1/stock/recommendation', { symbol });
  const graded = await askIfIncluded('/api/v1/stock/upgrade-downgrade', { symbol });
  const consensus = parseFinnhubRecommendations(counted, symbol, { asOfMs, targets });
  const grades = graded === undefined ? [] : parseFinnhubGrades(graded, symbol);
  if (consensus.length + grades.length === 0) {
    throw new SourceEmptyError(`Finnhub has nothing of analysts of "${symbol}"`);
  }
  return { 'analyst-consensus': consensus, 'upgrades-downgrades': grades };
}

const SYMBOLS_PER_PARTITION = 15;

export const source: VendorCode = {
  fetch: fetchFinnhub,
  dryRun: (options, nowMs) => planEarnings(options, nowMs, PER_SYMBOL),
  partition: (options) => bySymbols(options, options.symbols, SYMBOLS_PER_PARTITION),
  async probe({ http, settings, nowMs }) {
    const ask = askWith(http, vendor.host, settings);
    const text = await ask('/api/v1/stock/recommendation', { symbol: PROBE_SYMBOL });
    const now = { asOfMs: nowMs, targets: undefined };
    const rows = parseFinnhubRecommendations(text, PROBE_SYMBOL, now);
    return readableRowCount('analyst-consensus', rows, "Finnhub's recommendations");
  },
};
