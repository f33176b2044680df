/** Parts of a partitioned export: what each holds, and how its rows are made. */

import { hash } from 'node:crypto';
import { parquetFromTable } from '../../api/responses/parquet.ts';
import type { BarLabels } from '../../api/responses/sessions.ts';
import type { Table } from '../../api/responses/table.ts';
import { candlesParquetPieces } from '../../api/routes/candles/parquet.ts';
import { tableFromListings } from '../../api/routes/symbols/route.ts';
import { MICROS_PER_MILLI, MILLIS_PER_DAY } from '../../base/bars.ts';
import { latestCompletedSession } from '../../base/time/calendar.ts';
import { dateFromDay, dayFromMillis } from '../../base/time/dates.ts';
import { type IntradaySeriesInterval, isExtended } from '../../base/time/intervals.ts';
import type { PublishedVersion } from '../../store/arrow/read/published-version.ts';
import { adjustmentsTable } from '../files/adjustments.ts';
import { WHOLE_TABLES } from '../files/record-lists.ts';
import {
  type CountedSpan,
  dailySpans,
  endOfDayUs,
  intradaySpans,
  type Span,
  type StoredBars,
  sessionSpans,
  storedSeries,
} from '../files/stored-bars.ts';

/** Part of every id of content; increase it when the same rows give other bytes. */
const FORM_VERSION = 2;

/** A part whose rows are known and whose file need not be made. */
export interface PlannedPart {
  partition: string;
  rows: number;
  /** Id of the rows: equal rows have equal ids. */
  contentId: string;
  pieces(): Iterable<Uint8Array>;
}

/** Parts of a table that are made of the same input. */
export interface PartGroup {
  table: string;
  /** Returns true for the partitions of the group. */
  has(partition: string): boolean;
  /** Id of the input: while it is the same, so are the parts. */
  inputs: string;
  /** Reads the input. */
  parts(): AsyncIterable<PlannedPart> | Iterable<PlannedPart>;
}

/**
 * Yields all groups of an export: daily bars by year, intraday bars by month, and whole tables.
 *
 * @param tick Called between symbols, so that a signal can stop the work.
 */
export async function* partGroups(
  version: PublishedVersion,
  intervals: readonly StoredBars[],
  tick: () => Promise<void>,
): AsyncGenerator<PartGroup> {
  for (const interval of intervals) {
    if (interval === '1d') yield dailyGroup(version, tick);
    else yield* monthGroups(version, interval, tick);
    yield tableGroup('adjustments', adjustmentsTable(version, interval), `interval=${interval}`);
  }
  yield tableGroup('corporate-actions', WHOLE_TABLES['corporate-actions'](version));
  yield tableGroup('symbols', tableFromListings(version, [...version.listings.symbol.keys()]));
}

function dailyGroup(version: PublishedVersion, tick: () => Promise<void>): PartGroup {
  return {
    table: 'candles-1d',
    has: (partition) => partition.startsWith('year='),
    inputs: idOf(version.dailyId),
    async *parts() {
      for await (const one of dailySpans(version, tick)) {
        yield candlesPart(version, '1d', `year=${one.span.year}`, one);
      }
    },
  };
}

/**
 * Yields a group for each month. A session is left out until it has ended, and so is a day with bars
 * of other hours, which ends at midnight UTC.
 */
async function* monthGroups(
  version: PublishedVersion,
  interval: IntradaySeriesInterval,
  tick: () => Promise<void>,
): AsyncGenerator<PartGroup> {
  const { createdMs } = version;
  const isOther = isExtended(interval);
  const endUs = endOfDayUs(
    isOther ? dayFromMillis(createdMs) - 1 : latestCompletedSession(createdMs),
  );
  for await (const { span, hash } of intradaySpans(version, interval, endUs, tick)) {
    const month = `date=${span.year}-${String(span.month).padStart(2, '0')}-`;
    yield {
      table: `candles-${interval}`,
      has: (partition) => partition.startsWith(month),
      inputs: idOf(hash),
      async *parts() {
        for await (const one of sessionSpans(version, interval, span, tick)) {
          yield candlesPart(version, interval, `date=${dateOf(one.span)}`, one);
        }
      },
    };
  }
}

function candlesPart(
  version: PublishedVersion,
  interval: StoredBars,
  partition: string,
  { span, hash, rows }: CountedSpan,
): PlannedPart {
  const pieces = () => {
    const filled = Iterator.from(storedSeries(version, interval, span)).filter(
      ({ rowCount }) => rowCount > 0,
    );
    return candlesParquetPieces(filled, labelsOfPart(interval));
  };
  return { partition, rows, contentId: idOf(hash), pieces };
}

/** Other hours have their trade date and session. */
function labelsOfPart(interval: StoredBars): BarLabels {
  if (interval === '1d') return 'dates';
  return isExtended(interval) ? 'sessions' : 'none';
}

function tableGroup(name: string, table: Table, partition = ''): PartGroup {
  const bytes = parquetFromTable(table);
  const contentId = idOf(hash('sha256', bytes));
  const rows = table[0].values.length;
  const parts = rows === 0 ? [] : [{ partition, rows, contentId, pieces: () => [bytes] }];
  const has = (other: string) => other === partition;
  return { table: name, has, inputs: contentId, parts: () => parts };
}

function dateOf({ fromUs }: Span): string {
  return dateFromDay(Number(fromUs / BigInt(MILLIS_PER_DAY * MICROS_PER_MILLI)));
}

function idOf(content: string): string {
  return hash('sha256', `${FORM_VERSION} ${content}`).slice(0, 16);
}
