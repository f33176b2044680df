/**
 * Repairs single bars. Each repair is a load of one bar, of the source `repair`. So it can be
 * dropped, and rebuilds and backups contain it.
 */

import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { BAR_FIELDS, type BarValues } from '../../src/base/bars.ts';
import type { VendorSettings } from '../../src/base/config/config.ts';
import type { ModePaths } from '../../src/base/config/data-dir.ts';
import { UsageError } from '../../src/base/errors.ts';
import type { BaseInterval } from '../../src/base/time/intervals.ts';
import type { FetchedSegment } from '../../src/ingest/contract/fetch-context.ts';
import { stageIntradaySeries, stageSeries } from '../../src/ingest/segments/parquet-segment.ts';
import { placeFile } from '../../src/ingest/segments/place-file.ts';
import { dailyRowRules, intradayRowRules, reasonSql } from '../../src/ingest/segments/row-rules.ts';
import { stagedCandles } from '../../src/ingest/segments/staged-segment.ts';
import { type MarketDb, openMarketForReading } from '../../src/store/duckdb/connection/open.ts';
import { listsOf, listTable, selectRows } from '../../src/store/duckdb/connection/sql-rows.ts';
import { currentSymbol } from '../../src/store/duckdb/securities/read-security.ts';
import { readServedBars, type ServedBarOf } from '../../src/store/duckdb/segments/served-bars.ts';
import {
  REPAIR_SOURCE,
  type RepairReading,
  readRemoval,
} from '../../src/store/duckdb/vintages/repairs.ts';
import type { RunDeps } from '../contract/reports.ts';
import { backfill } from '../load/backfill.ts';
import { dropSegment } from './drop-segment.ts';
import type { RebuildDeps } from './records.ts';

export interface RepairRequest {
  /** Symbol or former ticker, in canonical spelling. */
  symbol: string;
  timestampUs: number;
  /** Values to change, on the basis on which the bar is stored. */
  values: Partial<BarValues>;
  /** True to serve no bar there, as on a day without a session. */
  isRemoved?: boolean;
  /** Values that the bar had when the repair was written; they must be served still. */
  stated?: Partial<BarValues>;
  reason?: string;
}

export interface PlannedRepair {
  symbol: string;
  timestampUs: number;
  source: string;
  basis: ServedBarOf['basis'];
  before: BarValues;
  /** Null for a bar that is removed. */
  after: BarValues | null;
}

export interface RepairReport {
  repairs: PlannedRepair[];
  /** Number of requests whose values are served already. */
  unchanged: number;
  /** Undefined for a dry run. */
  publishedVersion?: number;
}

export interface RepairDeps extends RunDeps {
  settings: VendorSettings;
}

interface Planned extends PlannedRepair {
  served: ServedBarOf;
  reason?: string;
}

/** Fields of the bar that a repair changes. */
function changedFields({ before, after }: PlannedRepair) {
  return after === null ? [] : BAR_FIELDS.filter((field) => before[field] !== after[field]);
}

/**
 * Repairs bars and publishes. Nothing is stored if one of them can't be repaired.
 *
 * @param isPlan True for a dry run.
 * @param timeOf Formats the start of a bar.
 * @throws {UsageError} no bar is served there, it has other values by now, or the repaired bar
 *   breaks a rule.
 */
export async function repairBars(
  paths: ModePaths,
  requests: readonly RepairRequest[],
  {
    interval,
    isPlan,
    timeOf,
  }: { interval: BaseInterval; isPlan: boolean; timeOf(us: number): string },
  deps: RepairDeps,
): Promise<RepairReport> {
  requireLive(paths);
  const all = await planRepairs(paths, requests, { interval, timeOf }, deps);
  const planned = all.filter((one) => one.after === null || changedFields(one).length > 0);
  const repairs = planned.map(({ served: _, reason: __, ...repair }) => repair);
  const unchanged = all.length - planned.length;
  if (isPlan || planned.length === 0) return { repairs, unchanged };
  const segments = async function* () {
    for (const one of planned) yield await stageRepair(paths, one, interval, deps);
  };
  // A person has decided, so no check may hold it.
  const report = await backfill(paths, segments(), { ...deps, guarded: 'none' });
  return { repairs, unchanged, publishedVersion: report.publishedVersion };
}

function requireLive({ mode }: ModePaths): void {
  if (mode === 'sandbox') throw new UsageError("bars of the sandbox can't be repaired");
}

/** Drops the repair that is served at a place. @throws {UsageError} none is. */
export async function undoRepair(
  paths: ModePaths,
  {
    symbol: name,
    timestampUs,
    interval,
    what,
  }: {
    symbol: string;
    timestampUs: number;
    interval: BaseInterval;
    /** The bar, for the message. */
    what: string;
  },
  deps: RebuildDeps,
) {
  requireLive(paths);
  const segment = await (async () => {
    using market = await openMarketForReading(paths, deps);
    const symbol = (await currentSymbol(market, name)) ?? name;
    const [served] = await readServedBars(market, interval, [{ symbol, timestampUs }]);
    if (served === undefined)
      return await readRemoval(market.connection, interval, { symbol, timestampUs });
    return served.source === REPAIR_SOURCE ? served.segment : undefined;
  })();
  if (segment === undefined) throw new UsageError(`no repair of ${what} is served`);
  return dropSegment(paths, { which: segment, isPlan: false }, deps);
}

async function planRepairs(
  paths: ModePaths,
  requests: readonly RepairRequest[],
  { interval, timeOf }: { interval: BaseInterval; timeOf(us: number): string },
  { nowMs, onWaiting }: RepairDeps,
): Promise<Planned[]> {
  using market = await openMarketForReading(paths, { onWaiting });
  const places: { symbol: string; timestampUs: number }[] = [];
  for (const { symbol, timestampUs } of requests) {
    places.push({ symbol: (await currentSymbol(market, symbol)) ?? symbol, timestampUs });
  }
  const texts = places.map(({ symbol, timestampUs }) => `${symbol} ${timeOf(timestampUs)}`);
  const twice = texts.find((text, i) => texts.indexOf(text) !== i);
  if (twice) throw new UsageError(`${twice} is repaired twice: leave one of the two`);
  const found = await readServedBars(market, interval, places);
  const planned = requests.map(({ values, stated = {}, reason, isRemoved }, i): Planned => {
    const place = places[i];
    const served = found[i];
    const what = texts[i];
    if (!served) {
      throw new UsageError(
        `no ${interval} bar of ${what} is served, so there is none to repair: load a file that has it`,
      );
    }
    const { source, basis, bar: before } = served;
    const after = isRemoved ? null : { ...before, ...values };
    const isDone = after !== null && BAR_FIELDS.every((field) => before[field] === after[field]);
    const other = BAR_FIELDS.find((f) => stated[f] !== undefined && stated[f] !== before[f]);
    if (other && !isDone) {
      throw new UsageError(
        `${what}: the ${other} is ${before[other]} by now, not ${stated[other]}: ` +
          'make the file again with gaps --flags --fix',
      );
    }
    return { ...place, source, basis, before, after, served, reason };
  });
  await requireRules(market, planned, { interval, timeOf, nowMs });
  return planned;
}

const ROW_COLUMNS = {
  us: 'BIGINT',
  open: 'DOUBLE',
  high: 'DOUBLE',
  low: 'DOUBLE',
  close: 'DOUBLE',
  volume: 'DOUBLE',
} as const;

/** @throws {UsageError} a repaired bar breaks a rule of rows. */
async function requireRules(
  { connection }: MarketDb,
  planned: readonly Planned[],
  {
    interval,
    timeOf,
    nowMs,
  }: { interval: BaseInterval; timeOf(us: number): string; nowMs: number },
): Promise<void> {
  const rules = interval === '1d' ? dailyRowRules(nowMs) : intradayRowRules(interval, nowMs);
  const bars = planned.flatMap(({ symbol, timestampUs: us, after }) =>
    after === null ? [] : [{ symbol, us, after }],
  );
  if (bars.length === 0) return;
  const rows = bars.map(({ us, after }) => ({ us, ...after }));
  const reasons = await selectRows<{ reason: string | null }>(
    connection,
    `SELECT ${reasonSql(rules)} AS reason
     FROM (SELECT *, make_timestamp(us) AS ts FROM ${listTable(ROW_COLUMNS)})`,
    listsOf(rows, ROW_COLUMNS),
  );
  const place = reasons.findIndex(({ reason }) => reason !== null);
  if (place < 0) return;
  const { symbol, us, after } = bars[place];
  const values = BAR_FIELDS.map((field) => `${field} ${after[field]}`).join(', ');
  throw new UsageError(
    `${symbol} ${timeOf(us)} would be no bar: ${reasons[place].reason} (${values})`,
  );
}

/** Stages a repair. The id contains the time of the command, so that it can be made again. */
async function stageRepair(
  paths: ModePaths,
  planned: Planned,
  interval: BaseInterval,
  deps: RepairDeps,
): Promise<FetchedSegment> {
  const { timestampUs, basis, before, after, served, reason } = planned;
  const changes = changedFields(planned).map(
    (field) => `${field} ${before[field]} to ${after![field]}`,
  );
  const words = after === null ? 'a removal of the bar' : `a repair of ${changes.join(', ')}`;
  const facts = reason === undefined ? [] : [reason];
  const isRemoved = after === null;
  const replaced = served.given;
  const reading: RepairReading = {
    repair: { words, facts, replaced, ...(isRemoved && { isRemoved }) },
  };
  const origin = reason === undefined ? words : `${words} (${reason})`;
  const head = { source: REPAIR_SOURCE, basis, asOfUs: BigInt(deps.nowMs) * 1000n, origin };
  const column = (value: number) => Float64Array.of(value);
  // A bar that is removed stays in its load, and is not served.
  const { open, high, low, close, volume } = after ?? before;
  const bars = {
    timestampUs: BigInt64Array.of(BigInt(timestampUs)),
    ...{ open: column(open), high: column(high), low: column(low) },
    ...{ close: column(close), volume: column(volume) },
  };
  const series = [{ symbol: served.ticker, bars }];
  const context = { paths, ...deps };
  const staged =
    interval === '1d'
      ? // The bar is served on its day, which may have no session.
        await stageSeries({ ...head, interval, areDatesRight: true }, series, context)
      : (await stageIntradaySeries({ ...head, interval }, series, context))[0];
  const id = createHash('sha256').update(`${staged.id} ${deps.nowMs}`).digest('hex');
  const path = join(paths.segments, `${id}.parquet`);
  await placeFile(staged.files[0].path, path);
  const { hours, parquetSha256 } = staged;
  const told = { ...head, id, interval, hours, parquetSha256, reading: JSON.stringify(reading) };
  return stagedCandles(told, [[served.ticker, 1]], path);
}
