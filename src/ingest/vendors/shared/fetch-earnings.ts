import { MICROS_PER_MILLI } from '../../../base/bars.ts';
import { ParameterError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits.ts';
import { newYorkDay } from '../../../base/time/calendar.ts';
import { dateFromDay } from '../../../base/time/dates.ts';
import type { FetchContext, FetchedRows } from '../../contract/fetch-context.ts';
import type { DryRun } from '../../contract/source.ts';
import { isAsked, type SourceOptions } from '../../contract/source-options.ts';
import { landDatasetRows } from '../../rows/segment.ts';
import type { UncheckedRow } from '../../rows/stage-rows.ts';
import type { DayRange } from './vendor-days.ts';

export interface EarningsAsk {
  source: string;
  /** @param dates `YYYY-MM-DD`, both included. */
  ask: (dates: { from: string; to: string }) => Promise<readonly UncheckedRow[]>;
}

/** Reports in a week of the season. */
const REPORTS_PER_PART = 1000;

/** Yields a segment for each range of days; none for a range without reports. */
export async function* fetchEarnings(
  { source, ask }: EarningsAsk,
  options: SourceOptions,
  context: FetchContext,
): AsyncGenerator<FetchedRows> {
  const asOfUs = options.asOfUs ?? BigInt(context.nowMs * MICROS_PER_MILLI);
  for (const { fromDay, toDay } of partsOf(options, context.nowMs)) {
    const [from, to] = [dateFromDay(fromDay), dateFromDay(toDay)];
    const rows = wantedRows(await ask({ from, to }), options);
    if (rows.length === 0) continue;
    const origin = `${source} earnings ${from}/${to}`;
    const head = { dataset: 'earnings-calendar', source, asOfUs, origin };
    yield await landDatasetRows(head, rows, context);
  }
}

/** Counts the requests and rows of the calendar, and of each symbol. */
export function planEarnings(
  options: SourceOptions,
  nowMs: number,
  perSymbol: { requests: number; rows: number },
): DryRun {
  const parts = partsOf(options, nowMs).length;
  const { length } = options.symbols ?? [];
  return {
    requests: parts + length * perSymbol.requests,
    bars: 0,
    rows: parts * REPORTS_PER_PART + length * perSymbol.rows,
  };
}

function partsOf(options: SourceOptions, nowMs: number): DayRange[] {
  const { fromDay, toDay } = calendarDays(options, nowMs);
  const { daysPerRequest } = limits.calendar;
  const parts: DayRange[] = [];
  for (let day = fromDay; day <= toDay; day += daysPerRequest) {
    parts.push({ fromDay: day, toDay: Math.min(day + daysPerRequest - 1, toDay) });
  }
  return parts;
}

/**
 * Returns the days to fetch, by default from today on; empty where the first is after the last.
 * @throws {ParameterError} more than `limits.calendar.daysMax` days.
 */
export function calendarDays({ fromDay, toDay }: SourceOptions, nowMs: number): DayRange {
  const first = fromDay ?? Math.min(newYorkDay(nowMs), toDay ?? Infinity);
  const last = toDay ?? first + limits.calendar.daysDefault;
  const count = last - first + 1;
  if (count > limits.calendar.daysMax) {
    throw new ParameterError(
      'to',
      `--from and --to must be at most ${limits.calendar.daysMax} days, got ${count}`,
    );
  }
  return { fromDay: first, toDay: last };
}

/** Keeps the rows of the requested symbols. Rejected rows stay: their symbol is unknown. */
export function wantedRows(rows: readonly UncheckedRow[], options: SourceOptions): UncheckedRow[] {
  return rows.filter((one) => !('row' in one) || isAsked(String(one.row.symbol), options));
}
