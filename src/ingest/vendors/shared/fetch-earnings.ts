import { MICROS_PER_MILLI } from '../../../base/bars.ts';
import { ParameterError, SourceEmptyError } from '../../../base/errors.ts';
import { newYorkDay } from '../../../base/time/calendar.ts';
import { dateFromDay } from '../../../base/time/dates.ts';
import type { FetchContext, FetchedRows } from '../../contract/fetch-context.ts';
import type { DryRun, VendorFacts } from '../../contract/source.ts';
import { isAsked, type SourceOptions } from '../../contract/source-options.ts';
import type { Host } from '../../http/host.ts';
import { stageDatasetRows } from '../../rows/segment.ts';
import type { UncheckedRow } from '../../rows/stage-rows.ts';
import { fetchBySymbol, type RowsByDataset } from './fetch-by-symbol.ts';
import { type KeyedRequests, withKey } from './keyed-requests.ts';
import { calendarLimits } from './limits.ts';
import { bySymbols } from './partition.ts';
import type { DayRange } from './vendor-days.ts';

/** A vendor with earnings dates of all companies, and opinions of analysts of single ones. */
export interface AnalystVendor {
  vendor: VendorFacts & { host: Host };
  /** True if a path that is refused for one symbol is refused for all: it is not retried. */
  refusesPaths: boolean;
  /** Requests for a company, and rows of a large one. */
  perSymbol: { requests: number; rows: number };
  /** @param dates `YYYY-MM-DD`, both included. */
  askEarnings(asks: KeyedRequests, dates: Dates, asOfMs: number): Promise<readonly UncheckedRow[]>;
  askAnalysts(asks: KeyedRequests, symbol: string, asOfMs: number): Promise<RowsByDataset>;
}

type Dates = { from: string; to: string };

/** Reports in a week of the season. */
const REPORTS_PER_PART = 1000;

const SYMBOLS_PER_PARTITION = 15;

/**
 * Fetches segments of the earnings calendar, a week each. With `symbols` it keeps theirs only, and
 * adds their opinions of analysts. Requests that the subscription lacks are noted.
 */
export function analystSource(of: AnalystVendor) {
  const { id: source, host } = of.vendor;
  return {
    fetch: (options: SourceOptions, context: FetchContext) =>
      withKey({ host, refusesPaths: of.refusesPaths }, context, async function* (asks) {
        const { symbols = [] } = options;
        const { nowMs } = context;
        yield* fetchEarnings(of, asks, options, context);
        const ask = async (symbol: string) => {
          const rows = await of.askAnalysts(asks, symbol, nowMs);
          if (Object.values(rows).some((some) => some.length > 0)) return rows;
          throw new SourceEmptyError(`${host.title} has nothing of analysts of "${symbol}"`);
        };
        yield* fetchBySymbol({ source, symbols, ask, notes: asks.notes }, options, context);
      }),
    dryRun(options: SourceOptions, nowMs: number): DryRun {
      const parts = partsOf(options, nowMs).length;
      const { length } = options.symbols ?? [];
      return {
        requests: parts + length * of.perSymbol.requests,
        bars: 0,
        rows: parts * REPORTS_PER_PART + length * of.perSymbol.rows,
      };
    },
    partition: (options: SourceOptions) =>
      bySymbols(options, options.symbols, SYMBOLS_PER_PARTITION),
  };
}

/** Yields a segment for each range of days; none for a range without reports. */
async function* fetchEarnings(
  { vendor: { id: source }, askEarnings }: AnalystVendor,
  asks: KeyedRequests,
  options: SourceOptions,
  context: FetchContext,
): AsyncGenerator<FetchedRows> {
  const asOfUs = BigInt(options.asOfUs ?? context.nowMs * MICROS_PER_MILLI);
  for (const { fromDay, toDay } of partsOf(options, context.nowMs)) {
    const [from, to] = [dateFromDay(fromDay), dateFromDay(toDay)];
    const rows = wantedRows(await askEarnings(asks, { from, to }, context.nowMs), options);
    if (rows.length === 0) continue;
    const origin = `${source} earnings ${from}/${to}`;
    const head = { dataset: 'earnings-calendar', source, asOfUs, origin };
    yield await stageDatasetRows(head, rows, context);
  }
}

function partsOf(options: SourceOptions, nowMs: number): DayRange[] {
  const { fromDay, toDay } = calendarDays(options, nowMs);
  const { daysPerRequest } = calendarLimits;
  const parts: DayRange[] = [];
  for (let day = fromDay; day <= toDay; day += daysPerRequest) {
    parts.push({ fromDay: day, toDay: Math.min(day + daysPerRequest - 1, toDay) });
  }
  return parts;
}

/**
 * Returns the days to fetch, by default from today on; empty where the first is after the last.
 * @throws {ParameterError} more than `calendarLimits.daysMax` days.
 */
export function calendarDays({ fromDay, toDay }: SourceOptions, nowMs: number): DayRange {
  const first = fromDay ?? Math.min(newYorkDay(nowMs), toDay ?? Infinity);
  const last = toDay ?? first + calendarLimits.daysDefault;
  const count = last - first + 1;
  if (count > calendarLimits.daysMax) {
    throw new ParameterError(
      'to',
      `--from and --to must be at most ${calendarLimits.daysMax} days, got ${count}`,
    );
  }
  return { fromDay: first, toDay: last };
}

/** Keeps the rows of the requested symbols. Rejected rows stay: their symbol is unknown. */
export function wantedRows(rows: readonly UncheckedRow[], options: SourceOptions): UncheckedRow[] {
  return rows.filter((one) => !('row' in one) || isAsked(String(one.row.symbol), options));
}
