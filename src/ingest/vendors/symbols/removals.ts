/**
 * Reads notices of removals: submissions on disk, those that EDGAR's indexes of days name, and lists
 * of vendors.
 */

import { MalformedInputError, TapeworksError } from '../../../base/errors.ts';
import { newYorkDay } from '../../../base/time/calendar.ts';
import { dayFromDate } from '../../../base/time/dates.ts';
import type { FetchContext, SkippedInput } from '../../contract/fetch-context.ts';
import type { SourceOptions } from '../../contract/source-options.ts';
import type { HttpClient } from '../../http/client.ts';
import { baseUrl } from '../../http/host.ts';
import { askWith } from '../shared/ask.ts';
import { edgarArchive, indexName, indexPath, weekdaysBetween } from '../shared/edgar-archive.ts';
import { FMP, MASSIVE } from '../shared/keyed-hosts.ts';
import { quartersBetween } from '../shared/quarters.ts';
import { parseDelistedList } from './parse-delisted.ts';
import { isRemovalForm, parseRemoval, type RemovalFile } from './parse-removal.ts';

/** Days of the first run, and the most that a later one catches up. */
const FIRST_DAYS = 10;
const LATER_DAYS = 60;

export function addRemoval(file: RemovalFile, bytes: Buffer, name: string): void {
  try {
    file.notices.push(...parseRemoval(bytes));
  } catch (error) {
    if (!(error instanceof MalformedInputError)) throw error;
    file.refused.push({ line: 1, reason: error.message, text: name });
  }
}

/** Fetches the notices of the days that the ledger lacks, the newest first day at the end. */
export async function fetchRemovals(
  http: Pick<HttpClient, 'get'>,
  { storedFilings }: SourceOptions,
  { settings, nowMs, onProgress }: Pick<FetchContext, 'settings' | 'nowMs' | 'onProgress'>,
): Promise<RemovalFile[]> {
  const archive = edgarArchive(http, settings, isRemovalForm);
  const stored = new Set(storedFilings?.origins);
  // The index of a day is made in its night.
  const last = newYorkDay(nowMs) - 1;
  const found: RemovalFile[] = [];
  for (const quarter of quartersBetween(firstDay(stored, last), last)) {
    const first = Math.max(quarter.firstDay, firstDay(stored, last));
    const days = weekdaysBetween(first, Math.min(quarter.lastDay, last)).filter(
      (day) => !stored.has(archive.addressOf(indexPath(quarter, day))),
    );
    const names = days.length > 0 ? await archive.indexNames(quarter) : undefined;
    for (const [done, day] of days.entries()) {
      onProgress?.('removals', done, days.length);
      if (names && !names.has(indexName(day))) continue;
      const path = indexPath(quarter, day);
      const index = await archive.dayIndex(path);
      if (index === undefined) continue;
      const origin = archive.addressOf(path);
      const file: RemovalFile = { origin, source: 'sec', notices: [], refused: [] };
      for (const filing of index.filings) {
        const bytes = await archive.submission(filing.path);
        if (bytes) addRemoval(file, bytes, filing.path);
      }
      found.push(file);
    }
  }
  return found;
}

/** Newest page of each list: the others need a higher subscription, or minutes of requests. */
const LISTS = [
  { host: FMP, path: '/stable/delisted-companies', query: { page: 0, limit: 100 } },
  {
    host: MASSIVE,
    path: '/v3/reference/tickers',
    query: {
      market: 'stocks',
      active: 'false',
      sort: 'delisted_utc',
      order: 'desc',
      limit: 1000,
    },
  },
];

/** Fetches the lists of vendors with a key. @returns those that failed as `skipped`. */
export async function fetchDelistedLists(
  http: Pick<HttpClient, 'get'>,
  { settings, nowMs }: Pick<FetchContext, 'settings' | 'nowMs'>,
): Promise<{ lists: RemovalFile[]; skipped: SkippedInput[] }> {
  const lists: RemovalFile[] = [];
  const skipped: SkippedInput[] = [];
  for (const { host, path, query } of LISTS) {
    if (settings.vendorKeys[host.id] === undefined) continue;
    try {
      const text = await askWith(http, host, settings)(path, query);
      const list = parseDelistedList(text, path, newYorkDay(nowMs));
      lists.push({ origin: baseUrl(host, settings) + path, ...list });
    } catch (error) {
      if (!(error instanceof TapeworksError)) throw error;
      skipped.push({ name: `${host.title}, delisted securities`, reason: error.message });
    }
  }
  return { lists, skipped };
}

function firstDay(stored: ReadonlySet<string>, last: number): number {
  const days = [...stored].flatMap((origin) => {
    const date = /form\.(\d{4})(\d{2})(\d{2})\.idx$/.exec(origin);
    return date ? [dayFromDate(date.slice(1).join('-'))] : [];
  });
  return Math.max(
    last - LATER_DAYS,
    Math.min(last - FIRST_DAYS, ...(days.length > 0 ? [Math.max(...days)] : [])),
  );
}
