/** Reads notices of removals: submissions on disk, or those that EDGAR's indexes of days name. */

import { MalformedInputError } from '../../../base/errors.ts';
import { newYorkDay } from '../../../base/time/calendar.ts';
import { dayFromDate } from '../../../base/time/dates.ts';
import type { Removal } from '../../../store/duckdb/securities/removals.ts';
import type { FetchContext } from '../../contract/fetch-context.ts';
import type { SourceOptions } from '../../contract/source-options.ts';
import type { RefusedListing } from '../../directory/listed-security.ts';
import type { HttpClient } from '../../http/client.ts';
import { edgarArchive, indexName, indexPath, weekdaysBetween } from '../shared/edgar-archive.ts';
import { quartersBetween } from '../shared/quarters.ts';
import { isRemovalForm, parseRemoval } from './parse-removal.ts';

/** Notices of one folder or one day. */
export interface RemovalFile {
  origin: string;
  notices: Removal[];
  refused: RefusedListing[];
}

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
      const file: RemovalFile = { origin: archive.addressOf(path), notices: [], refused: [] };
      for (const filing of index.filings) {
        const bytes = await archive.submission(filing.path);
        if (bytes) addRemoval(file, bytes, filing.path);
      }
      found.push(file);
    }
  }
  return found;
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
