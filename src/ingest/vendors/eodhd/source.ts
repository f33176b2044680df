import { type BarColumns, MILLIS_PER_DAY, type Split } from '../../../base/bars.ts';
import { SourceEmptyError } from '../../../base/errors.ts';
import { latestCompletedSession, previousSession } from '../../../base/time/calendar.ts';
import { dateFromDay } from '../../../base/time/dates.ts';
import type { FetchContext, FetchedSegment } from '../../contract/fetch-context.ts';
import { SkippedNotes } from '../../contract/skipped-notes.ts';
import type { VendorCode } from '../../contract/source.ts';
import type { SourceOptions } from '../../contract/source-options.ts';
import { type Ask, askWith, withAsk } from '../shared/ask.ts';
import { barCount, bySymbols, MARKET_SYMBOLS, sum, withDays } from '../shared/partition.ts';
import { lastDays, PROBE_SYMBOL } from '../shared/probe.ts';
import { stageVendorBars } from '../shared/stage-vendor-bars.ts';
import { missingRanges, type SymbolRange, stageHistories } from '../shared/symbol-histories.ts';
import { VendorActions } from '../shared/vendor-actions.ts';
import { marketSessions } from '../shared/vendor-days.ts';
import { eodhdSymbol } from '../shared/vendor-symbols.ts';
import { parseEodhdBars, parseEodhdDay, parseEodhdDividends, parseEodhdSplits } from './parse.ts';
import { vendor } from './vendor.ts';

/**
 * Sends three requests for each symbol that is not up to date, else for each missing session of
 * the US market; in an empty store for the latest session only.
 */
export async function* fetchEodhd(
  options: SourceOptions,
  context: FetchContext,
): AsyncGenerator<FetchedSegment> {
  yield* withAsk(vendor.host, context, (ask) =>
    options.symbols
      ? stageHistories(
          'EODHD',
          missingRanges(options, context.nowMs),
          (range) => barsOf(range, ask),
          options,
          context,
        )
      : fetchMarket(options, context, ask),
  );
}

function sessionsOf(options: SourceOptions, nowMs: number): number[] {
  return marketSessions(options, latestCompletedSession(nowMs), nowMs);
}

async function* fetchMarket(
  options: SourceOptions,
  context: FetchContext,
  ask: Ask,
): AsyncGenerator<FetchedSegment> {
  const sessions = sessionsOf(options, context.nowMs);
  const notes = new SkippedNotes();
  for (const [done, day] of sessions.entries()) {
    context.onProgress?.('fetch', done, sessions.length);
    const date = dateFromDay(day);
    const path = '/api/eod-bulk-last-day/US';
    const actions = new VendorActions();
    parseEodhdSplits(await ask(path, { date, type: 'splits', fmt: 'json' }), actions);
    parseEodhdDividends(await ask(path, { date, type: 'dividends', fmt: 'json' }), actions);
    const answer = {
      source: 'eodhd',
      interval: '1d' as const,
      origin: `eodhd market ${date}`,
      barsBySymbol: parseEodhdDay(await ask(path, { date, fmt: 'json' })),
      // From the day after the previous session: nothing happens on other days.
      actionsOf: (code: string) =>
        actions.statement(code, { fromDay: previousSession(day) + 1, toDay: day }),
    };
    if (answer.barsBySymbol.size === 0) notes.add(date, 'EODHD has no bars of this session');
    yield* notes.carriedBy(stageVendorBars(answer, options, context));
  }
  if (sessions.length > 0) notes.requireSegments('EODHD');
}

async function barsOf({ symbol, fromDay, toDay }: SymbolRange, ask: Ask) {
  const code = `${eodhdSymbol(symbol)}.US`;
  const [from, to] = [dateFromDay(fromDay), dateFromDay(toDay)];
  const bars = parseEodhdBars(
    await ask(`/api/eod/${code}`, { from, to, period: 'd', fmt: 'json' }, code),
  );
  if (bars.close.length === 0) {
    throw new SourceEmptyError(`EODHD has no bars of "${symbol}" for the time asked`);
  }
  const actions = new VendorActions();
  // To now, not to `to`: volumes are adjusted for all later splits.
  parseEodhdSplits(await ask(`/api/splits/${code}`, { from, fmt: 'json' }, code), actions, code);
  parseEodhdDividends(
    await ask(`/api/div/${code}`, { from, to, fmt: 'json' }, code),
    actions,
    code,
  );
  const { splits } = actions.of(code);
  const [contradiction] = actions.statement(code, { fromDay, toDay: Infinity }).notes;
  // Neither their volumes can be made raw.
  if (contradiction) throw new SourceEmptyError(contradiction);
  return {
    source: 'eodhd',
    interval: '1d' as const,
    origin: `eodhd ${code} ${from}/${to}`,
    barsBySymbol: new Map([[symbol, withRawVolume(bars, splits)]]),
    actionsOf: () => actions.statement(code, { fromDay, toDay }),
  };
}

/** Undoes later splits in volumes: EODHD's prices are raw and its volumes are not. */
export function withRawVolume(bars: BarColumns, splits: readonly Split[]): BarColumns {
  const volume = bars.volume.map((shares, row) => {
    const day = Number(bars.timestampUs[row] / 1000n) / MILLIS_PER_DAY;
    const later = splits.filter(({ exDay }) => exDay > day);
    return later.reduce(
      (sum, { numerator, denominator }) => (sum * denominator) / numerator,
      shares,
    );
  });
  return { ...bars, volume };
}

const SYMBOLS_PER_PARTITION = 20;

export const source: VendorCode = {
  fetch: fetchEodhd,
  dryRun(options, nowMs) {
    if (options.symbols === undefined) {
      const sessions = sessionsOf(options, nowMs).length;
      return { requests: 3 * sessions, bars: sessions * MARKET_SYMBOLS };
    }
    const ranges = missingRanges(options, nowMs);
    const bars = sum(ranges.map((range) => barCount(range, '1d')));
    return { requests: 3 * ranges.length, bars };
  },
  partition(options, nowMs) {
    if (!options.symbols) {
      return sessionsOf(options, nowMs).map((day) => withDays(options, day, day));
    }
    const symbols = missingRanges(options, nowMs).map(({ symbol }) => symbol);
    return bySymbols(options, symbols, SYMBOLS_PER_PARTITION);
  },
  async probe({ http, settings, nowMs }) {
    const { from, to } = lastDays(nowMs);
    const ask = askWith(http, vendor.host, settings);
    const text = await ask(`/api/eod/${PROBE_SYMBOL}.US`, { from, to, fmt: 'json' });
    return parseEodhdBars(text).close.length;
  },
};
