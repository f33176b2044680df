import { MICROS_PER_MILLI } from '../../../base/bars.ts';
import { newYorkDay, previousSession } from '../../../base/time/calendar.ts';
import { dateFromDay, weekdayFromDay } from '../../../base/time/dates.ts';
import type { FetchContext, FetchedRows } from '../../contract/fetch-context.ts';
import { SkippedNotes } from '../../contract/skipped-notes.ts';
import type { VendorCode } from '../../contract/source.ts';
import type { SourceOptions } from '../../contract/source-options.ts';
import { HttpClient } from '../../http/client.ts';
import { readableRowCount, requireReadable } from '../../rows/readable-rows.ts';
import { stageDatasetRows } from '../../rows/segment.ts';
import { calendarDays, wantedRows } from '../shared/fetch-earnings.ts';
import { chunks, withDays } from '../shared/partition.ts';
import { parseNasdaqEarnings } from './parse-earnings.ts';
import { vendor } from './vendor.ts';

/** Headers of the page's own requests; without them no response comes. */
const HEADERS = {
  accept: 'application/json, text/plain, */*',
  'accept-language': 'en-US,en;q=0.9',
  'user-agent': 'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 Chrome/130.0 Safari/537.36',
} as const;

const EARNINGS_PATH = '/api/calendar/earnings';

/**
 * Fetches a segment a day, one request each; none for days without reports.
 * @throws {SourceEmptyError} no day has a report.
 */
export async function* fetchNasdaq(
  options: SourceOptions,
  context: FetchContext,
): AsyncGenerator<FetchedRows> {
  const days = nasdaqDays(options, context.nowMs);
  await using http = new HttpClient(context.settings, { signal: context.signal });
  const notes = new SkippedNotes();
  const stage = async function* () {
    for (const [done, day] of days.entries()) {
      context.onProgress?.('fetch', done, days.length);
      yield* notes.carriedBy(stageDay(day, http, options, context));
    }
    context.onProgress?.('fetch', days.length, days.length);
  };
  yield* requireReadable('Nasdaq', stage());
  notes.requireSegments('Nasdaq', 'earnings dates');
}

/** Lists days but Saturdays and Sundays. */
export function nasdaqDays(options: SourceOptions, nowMs: number): number[] {
  const { fromDay, toDay } = calendarDays(options, nowMs);
  const days = Array.from({ length: Math.max(0, toDay - fromDay + 1) }, (_, i) => fromDay + i);
  return days.filter((day) => weekdayFromDay(day) % 6 !== 0);
}

async function* stageDay(
  day: number,
  http: Pick<HttpClient, 'get'>,
  options: SourceOptions,
  context: FetchContext,
): AsyncGenerator<FetchedRows> {
  const date = dateFromDay(day);
  const { text } = await http.get({
    host: vendor.host,
    path: EARNINGS_PATH,
    query: { date },
    headers: HEADERS,
  });
  const { nowMs: asOfMs } = context;
  const yearEnds = new Map(options.yearEnds);
  const rows = parseNasdaqEarnings(text, { day, asOfMs, yearEnds });
  const wanted = wantedRows(rows, options);
  if (wanted.length === 0) return;
  const asOfUs = BigInt(options.asOfUs ?? asOfMs * MICROS_PER_MILLI);
  const origin = `nasdaq earnings ${date}`;
  const head = { dataset: 'earnings-calendar', source: 'nasdaq', asOfUs, origin };
  yield await stageDatasetRows(head, wanted, context);
}

const DAYS_PER_PARTITION = 10;

/** Reports of a day in the season; most days have fewer. */
const REPORTS_PER_DAY = 150;

export const source: VendorCode = {
  fetch: fetchNasdaq,
  dryRun(options, nowMs) {
    const requests = nasdaqDays(options, nowMs).length;
    return { requests, bars: 0, rows: requests * REPORTS_PER_DAY };
  },
  partition(options, nowMs) {
    return chunks(nasdaqDays(options, nowMs), DAYS_PER_PARTITION).map((days) =>
      withDays(options, days[0], days[days.length - 1]),
    );
  },
  async probe({ http, nowMs }) {
    // The session before today: the season may be over, yet some company reports on every one.
    const day = previousSession(newYorkDay(nowMs));
    const query = { date: dateFromDay(day) };
    const request = { host: vendor.host, path: EARNINGS_PATH, headers: HEADERS, query };
    const { text } = await http.get(request);
    const rows = parseNasdaqEarnings(text, { day, asOfMs: nowMs, yearEnds: new Map() });
    return readableRowCount('earnings-calendar', rows, "Nasdaq's earnings calendar");
  },
};
