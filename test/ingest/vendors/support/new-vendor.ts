/** A vendor that does not exist, as its folder would be written. */

/** The row of `src/base/sources.ts`. */
export const ROW = "  { id: 'acme', rank: 65, needs: 'key' },";

export const FILES = {
  'vendor.ts': `/** Acme: daily bars of single symbols. */

import type { VendorFacts } from '../../contract/source.ts';

export const vendor: VendorFacts = {
  id: 'acme',
  title: 'Acme, daily bars of single symbols',
  datasets: ['candles'],
  history: 'whole histories; raw',
  delay: 'a day',
  cost: 'free with an account',
  terms: 'https://acme.example/terms',
  redistribution: 'no',
  verified: 'a test',
  host: {
    id: 'ACME',
    title: 'Acme',
    url: 'https://api.acme.example',
    keyUrl: 'https://acme.example/keys',
    limit: { requests: 10, windowS: 60 },
    auth: (key) => ({ headers: { 'x-acme-key': key }, secrets: [key] }),
  },
  command: { description: 'daily bars of --symbols from Acme', needsSymbols: true },
  schedules: [
    { name: 'days', rank: 6, rule: { minutesAfterClose: 60 }, isWatched: true, priority: 'daily' },
  ],
  stored: 'bars',
};
`,
  'parse-days.ts': `/** Daily bars from Acme's JSON. Pure. */

import { z } from 'zod';
import { MILLIS_PER_DAY } from '../../../base/bars.ts';
import { dayFromDate } from '../../../base/time/dates.ts';
import { checkedResponse } from '../../http/checked-response.ts';
import { columnsFromBars, letterQuantities } from '../shared/vendor-bars.ts';

const days = z.array(z.object({ d: z.string(), ...letterQuantities }));

/** @throws {MalformedInputError} not of the format; names the field. */
export function parseDays(body: string) {
  const bars = checkedResponse(body, days, 'Acme').map(({ d, ...bar }) => {
    return { startMs: dayFromDate(d) * MILLIS_PER_DAY, ...bar };
  });
  return columnsFromBars(bars, 'Acme', true);
}
`,
  'source.ts': `/** Fetches daily bars of single symbols from Acme. */

import { dateFromDay } from '../../../base/time/dates.ts';
import type { FetchContext, FetchedSegment } from '../../contract/fetch-context.ts';
import type { VendorCode } from '../../contract/source.ts';
import type { SourceOptions } from '../../contract/source-options.ts';
import { HttpClient } from '../../http/client.ts';
import { keyParts } from '../../http/host.ts';
import { barCount, bySymbols, sum } from '../shared/partition.ts';
import { PROBE_SYMBOL } from '../shared/probe.ts';
import { stageHistories, missingRanges, type SymbolRange } from '../shared/symbol-histories.ts';
import { parseDays } from './parse-days.ts';
import { vendor } from './vendor.ts';

async function* fetch(
  options: SourceOptions,
  context: FetchContext,
): AsyncGenerator<FetchedSegment> {
  const key = keyParts(vendor.host, context.settings);
  const http = new HttpClient(context.settings, { signal: context.signal });
  const ask = async ({ symbol, fromDay, toDay }: SymbolRange) => {
    const query = { from: dateFromDay(fromDay), to: dateFromDay(toDay) };
    const { text } = await http.get({ host: vendor.host, path: \`/days/\${symbol}\`, ...key, query });
    const barsBySymbol = new Map([[symbol, parseDays(text)]]);
    return { source: 'acme', interval: '1d' as const, origin: \`acme \${symbol}\`, barsBySymbol };
  };
  const ranges = missingRanges(options, context.nowMs);
  try {
    yield* stageHistories('Acme', ranges, ask, options, context);
  } finally {
    await http.close();
  }
}

export const source: VendorCode = {
  fetch,
  dryRun(options, nowMs) {
    const ranges = missingRanges(options, nowMs);
    return { requests: ranges.length, bars: sum(ranges.map((range) => barCount(range, '1d'))) };
  },
  partition(options, nowMs) {
    return bySymbols(options, missingRanges(options, nowMs).map(({ symbol }) => symbol), 10);
  },
  async probe({ http, settings }) {
    const path = \`/days/\${PROBE_SYMBOL}\`;
    const request = { host: vendor.host, path, ...keyParts(vendor.host, settings) };
    return parseDays((await http.get(request)).text).close.length;
  },
};
`,
};
