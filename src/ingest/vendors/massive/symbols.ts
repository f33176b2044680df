import { limits } from '../../../base/limits.ts';
import { dateFromDay, dayFromMillis } from '../../../base/time/dates.ts';
import type { FetchContext, FetchedSegment } from '../../contract/fetch-context.ts';
import { SkippedNotes } from '../../contract/skipped-notes.ts';
import type { SourceOptions } from '../../contract/source-options.ts';
import type { Ask } from '../shared/ask.ts';
import { chunks } from '../shared/partition.ts';
import { stageVendorBars } from '../shared/stage-vendor-bars.ts';
import { VendorActions } from '../shared/vendor-actions.ts';
import type { VendorInterval } from '../shared/vendor-bars.ts';
import { type DayRange, missingDays, monthStart, vendorInterval } from '../shared/vendor-days.ts';
import { massiveSymbol } from '../shared/vendor-symbols.ts';
import { askActions, pathOfPage } from './client.ts';
import { massiveLimits } from './limits.ts';
import { parseMassiveBars } from './parse-bars.ts';

/** Symbols whose actions are requested together, each with its missing days. */
export interface MassiveRequest {
  interval: VendorInterval;
  actionsFromDay: number;
  missing: (DayRange & { symbol: string })[];
}

export function massiveRequests(options: SourceOptions, nowMs: number): MassiveRequest[] {
  const interval = vendorInterval(options);
  const firstDay = dayFromMillis(nowMs) - massiveLimits.historyDays;
  const asked = (options.symbols ?? []).flatMap((symbol) => {
    const storedDay = options.lastStoredDays?.[symbol];
    const overlapSessions = limits.overlapSessions.ofSymbol;
    const range = missingDays(storedDay, firstDay, options, { interval, nowMs, overlapSessions });
    if (!range) return [];
    return [
      {
        symbol,
        ...range,
        actionsFromDay: monthStart(Math.min(storedDay ?? range.fromDay, range.fromDay)),
      },
    ];
  });
  return chunks(asked, massiveLimits.symbolsPerActions).map((missing) => {
    const actionsFromDay = Math.min(...missing.map((one) => one.actionsFromDay));
    return { interval, actionsFromDay, missing };
  });
}

/** Fetches a segment a page of bars, after two requests for the actions of up to 100 symbols. */
export async function* fetchMassiveSymbols(
  options: SourceOptions,
  context: FetchContext,
  ask: Ask,
): AsyncGenerator<FetchedSegment> {
  const requests = massiveRequests(options, context.nowMs);
  const notes = new SkippedNotes();
  for (const { interval, actionsFromDay, missing } of requests) {
    const tickers = missing.map(({ symbol }) => massiveSymbol(symbol));
    const { splits } = await askActions('splits', actionsFromDay, { ask, tickers });
    const { dividends } = await askActions('dividends', actionsFromDay, { ask, tickers });
    const actions = new VendorActions(splits, dividends);
    for (const [done, { symbol, ...range }] of missing.entries()) {
      context.onProgress?.('fetch', done, missing.length);
      const ticker = massiveSymbol(symbol);
      const answer = {
        source: 'massive',
        interval,
        origin: `massive ${ticker} ${dateFromDay(range.fromDay)}/${dateFromDay(range.toDay)}`,
        actionsOf: () =>
          actions.statement(ticker, {
            fromDay: actionsFromDay,
            toDay: dayFromMillis(context.nowMs),
          }),
      };
      let pages = 0;
      for await (const bars of symbolPages(ticker, interval, range, ask)) {
        pages++;
        const page = { ...answer, barsBySymbol: new Map([[symbol, bars]]) };
        yield* notes.carriedBy(stageVendorBars(page, options, context));
      }
      if (pages === 0) notes.add(symbol, 'Massive has no bars of it for the time asked');
    }
  }
  if (requests.length > 0) notes.requireSegments('Massive');
}

async function* symbolPages(
  ticker: string,
  interval: VendorInterval,
  { fromDay, toDay }: DayRange,
  ask: Ask,
) {
  const range = `${dateFromDay(fromDay)}/${dateFromDay(toDay)}`;
  const step = interval === '1d' ? 'day' : 'minute';
  const path = `/v2/aggs/ticker/${encodeURIComponent(ticker)}/range/1/${step}/${range}`;
  const query = { adjusted: 'false', sort: 'asc', limit: massiveLimits.barsPerPage };
  let page = parseMassiveBars(await ask(path, query), interval);
  for (;;) {
    if (page.bars.close.length > 0) yield page.bars;
    if (page.nextUrl === undefined) return;
    page = parseMassiveBars(await ask(pathOfPage(page.nextUrl)), interval);
  }
}
