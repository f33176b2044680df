import { MILLIS_PER_DAY } from '../../../base/bars.ts';
import { ParameterError, SourceEmptyError, SourceUnavailableError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits.ts';
import { sessionsBetween } from '../../../base/time/calendar.ts';
import { dateFromDay, dayFromDate, dayFromMillis } from '../../../base/time/dates.ts';
import type { FetchContext, FetchedSegment } from '../../contract/fetch-context.ts';
import { SkippedNotes } from '../../contract/skipped-notes.ts';
import type { VendorCode } from '../../contract/source.ts';
import type { SourceOptions } from '../../contract/source-options.ts';
import { type Ask, askWith, withAsk } from '../shared/ask.ts';
import { barCount, chunks, MINUTES_PER_SESSION, sum } from '../shared/partition.ts';
import { lastDays, PROBE_SYMBOL } from '../shared/probe.ts';
import { stageVendorBars } from '../shared/stage-vendor-bars.ts';
import { VendorActions } from '../shared/vendor-actions.ts';
import type { VendorInterval } from '../shared/vendor-bars.ts';
import { type DayRange, missingDays, monthStart, vendorInterval } from '../shared/vendor-days.ts';
import { alpacaLimits } from './limits.ts';
import { ALPACA_ACTION_TYPES, parseAlpacaActions } from './parse-actions.ts';
import { type AlpacaBars, parseAlpacaBars } from './parse-bars.ts';
import { vendor } from './vendor.ts';

/** Symbols of one request: the same days are missing of each. */
interface AlpacaRequest extends DayRange {
  symbols: string[];
  interval: VendorInterval;
  /** First day of splits and dividends: the month of the first day asked, or of the last bar. */
  actionsFromDay: number;
}

/**
 * Fetches a segment a page of 10,000 bars: an interruption loses one page at most.
 * @throws {ParameterError} no symbols are given, and the directory has none.
 * @throws {SourceEmptyError} no request brought a row.
 */
export async function* fetchAlpaca(
  options: SourceOptions,
  context: FetchContext,
): AsyncGenerator<FetchedSegment> {
  const requests = alpacaRequests(options, context.nowMs);
  const notes = new SkippedNotes();
  yield* withAsk(vendor.host, context, async function* (ask) {
    const run = { options, context, ask, notes };
    for (const [done, request] of requests.entries()) {
      context.onProgress?.('fetch', done, requests.length);
      yield* notes.carriedBy(answers(request, run));
    }
    context.onProgress?.('fetch', requests.length, requests.length);
  });
  if (requests.length > 0) notes.requireSegments('Alpaca');
}

/** Groups the symbols that are not up to date into as few requests as possible. */
function alpacaRequests(options: SourceOptions, nowMs: number): AlpacaRequest[] {
  const symbols = options.symbols ?? options.knownSymbols ?? [];
  if (symbols.length === 0) {
    const message = 'alpaca needs --symbols, or a directory of symbols: run backfill symbols';
    throw new ParameterError('symbols', message);
  }
  const interval = vendorInterval(options);
  const { firstDay = dayFromDate(alpacaLimits.earliestDate) } = options;
  const groups = new Map<string, AlpacaRequest>();
  for (const symbol of symbols) {
    const storedDay = options.lastStoredDays?.[symbol];
    const overlapSessions = limits.overlapSessions.ofSymbol;
    const asked = { interval, nowMs, overlapSessions };
    const missing = missingDays(storedDay, firstDay, options, asked);
    if (!missing) continue;
    const range = withCommonStart(missing, options);
    const actionsFromDay = monthStart(Math.min(storedDay ?? range.fromDay, range.fromDay));
    const group = groups.get(`${range.fromDay} ${actionsFromDay}`);
    if (group) group.symbols.push(symbol);
    else {
      const request = { symbols: [symbol], interval, ...range, actionsFromDay };
      groups.set(`${range.fromDay} ${actionsFromDay}`, request);
    }
  }
  return [...groups.values()].flatMap((group) =>
    chunks(group.symbols, alpacaLimits.symbolsPerRequest).map((some) => ({
      ...group,
      symbols: some,
    })),
  );
}

/** Moves the start of a long range to its month, so that symbols that ended share requests. */
function withCommonStart(range: DayRange, { fromDay }: SourceOptions): DayRange {
  const isRecent = range.toDay - range.fromDay < alpacaLimits.ownStartDays;
  if (fromDay !== undefined || isRecent) return range;
  return { ...range, fromDay: monthStart(range.fromDay) };
}

interface Run {
  options: SourceOptions;
  context: FetchContext;
  ask: Ask;
  notes: SkippedNotes;
}

async function* answers(request: AlpacaRequest, run: Run): AsyncGenerator<FetchedSegment> {
  const { symbols, interval, fromDay, toDay, actionsFromDay } = request;
  const actions = await withoutInvalid(request, run, (known) =>
    askActions({ ...request, symbols: known }, run.ask),
  );
  const coverage = { fromDay: actionsFromDay, toDay: dayFromMillis(run.context.nowMs) };
  const withBars = new Set<string>();
  let pageToken: string | undefined;
  do {
    const page = await withoutInvalid(request, run, (known) =>
      askBars({ ...request, symbols: known }, pageToken, run),
    );
    pageToken = page.nextPageToken;
    const days = `${dateFromDay(fromDay)}/${dateFromDay(toDay)}`;
    const answer = {
      source: 'alpaca',
      interval,
      origin: `alpaca bars ${days} of ${symbols.length} symbols`,
      barsBySymbol: page.barsBySymbol,
      actionsOf: (symbol: string) => actions.statement(symbol, coverage),
    };
    for (const symbol of page.barsBySymbol.keys()) withBars.add(symbol);
    yield* stageVendorBars(answer, run.options, run.context);
  } while (pageToken !== undefined);
  // In a whole directory many symbols have none; a symbol that the user named is worth a note.
  if (run.options.symbols === undefined) return;
  for (const symbol of request.symbols.filter((asked) => !withBars.has(asked))) {
    run.notes.add(symbol, 'Alpaca has no bars of it for the time asked');
  }
}

async function askBars(
  { symbols, interval, fromDay, toDay }: AlpacaRequest,
  pageToken: string | undefined,
  { ask, context }: Run,
): Promise<AlpacaBars> {
  const latestMs = context.nowMs - alpacaLimits.delayMs;
  const endMs = Math.min(latestMs, (toDay + 1) * MILLIS_PER_DAY + 5 * 3_600_000 - 1000);
  const text = await ask('/v2/stocks/bars', {
    symbols: symbols.join(','),
    timeframe: interval === '1d' ? '1Day' : '1Min',
    start: dateFromDay(fromDay),
    end: `${new Date(endMs).toISOString().slice(0, 19)}Z`,
    limit: alpacaLimits.barsPerPage,
    adjustment: 'raw',
    feed: 'sip',
    page_token: pageToken,
  });
  return parseAlpacaBars(text, interval);
}

async function askActions(
  { symbols, actionsFromDay, toDay }: AlpacaRequest,
  ask: Ask,
): Promise<VendorActions> {
  const actions = new VendorActions();
  let pageToken: string | undefined;
  do {
    const text = await ask('/v1/corporate-actions', {
      symbols: symbols.join(','),
      types: ALPACA_ACTION_TYPES,
      start: dateFromDay(actionsFromDay),
      end: dateFromDay(toDay + alpacaLimits.processDays),
      limit: alpacaLimits.actionsPerPage,
      page_token: pageToken,
    });
    pageToken = parseAlpacaActions(text, actions);
  } while (pageToken !== undefined);
  return actions;
}

/** Message with which Alpaca refuses a whole request because of one symbol. */
const INVALID_SYMBOL = /status 4\d\d: .*invalid symbol:? ?"?([A-Za-z0-9.]+)/i;

/** Retries without each symbol that Alpaca calls invalid, and notes it as skipped. */
async function withoutInvalid<T>(
  request: AlpacaRequest,
  { notes }: Run,
  ask: (symbols: string[]) => Promise<T>,
): Promise<T> {
  for (;;) {
    try {
      return await ask(request.symbols);
    } catch (error) {
      const name =
        error instanceof SourceUnavailableError && INVALID_SYMBOL.exec(error.message)?.[1];
      if (!name || !request.symbols.includes(name)) throw error;
      request.symbols = request.symbols.filter((symbol) => symbol !== name);
      notes.add(name, `Alpaca does not know "${name}"`);
      if (request.symbols.length === 0)
        throw new SourceEmptyError(`Alpaca does not know "${name}"`);
    }
  }
}

/** A partition takes some minutes at the pace of the free subscription. */
const PAGES_PER_PARTITION = 200;

/** Keeps the symbols of one request together, as far as its pages are not too many. */
function partition(options: SourceOptions, nowMs: number): SourceOptions[] {
  return alpacaRequests(options, nowMs).flatMap((request) => {
    const perSession = request.interval === '1d' ? 1 : MINUTES_PER_SESSION;
    const sessions = sessionsBetween(request.fromDay, request.toDay).length;
    const pagesPerSymbol = (sessions * perSession) / alpacaLimits.barsPerPage;
    const size = Math.max(1, Math.floor(PAGES_PER_PARTITION / Math.max(pagesPerSymbol, 1e-6)));
    return chunks(request.symbols, size).map((symbols) =>
      options.symbols ? { ...options, symbols } : { ...options, knownSymbols: symbols },
    );
  });
}

export const source: VendorCode = {
  fetch: fetchAlpaca,
  dryRun(options, nowMs) {
    const bars = alpacaRequests(options, nowMs).map(
      (request) => request.symbols.length * barCount(request, request.interval),
    );
    const pages = bars.map((count) => 1 + Math.ceil(count / alpacaLimits.barsPerPage));
    return { requests: sum(pages), bars: sum(bars) };
  },
  partition,
  async probe({ http, settings, nowMs }) {
    const { from, to } = lastDays(nowMs);
    const ask = askWith(http, vendor.host, settings);
    const query = { symbols: PROBE_SYMBOL, timeframe: '1Day', start: from, end: to, feed: 'sip' };
    const { barsBySymbol } = parseAlpacaBars(await ask('/v2/stocks/bars', query), '1d');
    return barsBySymbol.get(PROBE_SYMBOL)?.close.length ?? 0;
  },
};
