/** Judges rows of one stamp with prices apart: of several securities, or of one bar that is wrong. */

import type { DuckDBConnection } from '@duckdb/node-api';
import type { BaseInterval } from '../../base/time/intervals.ts';
import { jsonTable, selectRows } from '../../store/duckdb/connection/sql-rows.ts';
import { areSeveralSecurities, FAR_RATIO, OPEN_RATIO_MAX } from './bar-versions.ts';

/** Beginning of the reason. */
export const SEVERAL = 'it holds several securities';

/** One row of a stamp that has prices apart. */
export interface Version {
  line: number;
  close: number;
}

export interface DoubledStamp {
  series: number;
  /** Index of its file. */
  file: number;
  /** Day or minute as text, and in microseconds since the epoch. */
  day: string;
  us: number;
  /** Rows, the newest version last. */
  versions: Version[];
  /** Prices next to it in time that no second row contradicts; null for none. */
  before: number | null;
  after: number | null;
  isNewest: boolean;
  /** Number of stamps of the series. */
  bars: number;
}

export interface DoubledRows {
  doubled: readonly DoubledStamp[];
  /** Names of the columns of symbols by file index. */
  symbolColumns: ReadonlyMap<number, string>;
  /** Condition for rows whose only fault is a later row of their stamp. */
  isDuplicateSql: string;
}

/** Advice for rows of several securities. @param column Column of symbols, if the file has one. */
export function nameThem(column: string | undefined): string {
  return column === undefined
    ? 'name them in a column "symbol"'
    : `give each its own name in the column "${column}"`;
}

/** Series or rows that are refused, or accepted after all. */
interface Verdict {
  series: number;
  /** Undefined for all good rows of the series. */
  line?: number;
  reason: string | null;
}

/** Stamps of a series that are told one by one. */
const TOLD_MAX = 20;

/**
 * Settles the rows of such stamps in `judged`. Where they are too many, the series is refused. Of
 * the others, the row counts that fits the prices beside it, and of the newest stamp the last of
 * those rows; where nothing decides, no row counts.
 */
export async function settleDoubled(
  connection: DuckDBConnection,
  { doubled, symbolColumns, isDuplicateSql }: DoubledRows,
): Promise<void> {
  const bySeries = [...Map.groupBy(doubled, ({ series }) => series).values()];
  const verdicts = bySeries.flatMap((stamps) =>
    verdictsOf(stamps, nameThem(symbolColumns.get(stamps[0].file))),
  );
  await applyVerdicts(connection, verdicts, isDuplicateSql);
}

/**
 * Finds stamps of `judged` with prices apart: their ranges have no price in common, their opens
 * differ by more than half a percent, or their closes by more than a quarter.
 *
 * @param order Expression that is greatest for the version that counts.
 */
export async function doubledStamps(
  connection: DuckDBConnection,
  interval: BaseInterval,
  { isDuplicateSql, order }: { isDuplicateSql: string; order: string },
): Promise<DoubledStamp[]> {
  const format = interval === '1d' ? '%Y-%m-%d' : '%Y-%m-%d %H:%M UTC';
  const single = (price: string) => `CASE WHEN NOT is_apart THEN ${price} END`;
  const beside = (rows: string) =>
    `IGNORE NULLS) OVER (PARTITION BY series ORDER BY ts ROWS BETWEEN ${rows})`;
  return selectRows<DoubledStamp>(
    connection,
    `SELECT series, file, strftime(ts, '${format}') AS day, epoch_us(ts)::DOUBLE AS us, versions,
       before, after, is_newest AS "isNewest", bars::DOUBLE AS bars
     FROM (
       SELECT *, count(*) OVER (PARTITION BY series) AS bars,
         ts = max(ts) OVER (PARTITION BY series) AS is_newest,
         last_value(${single('close')} ${beside('UNBOUNDED PRECEDING AND 1 PRECEDING')} AS before,
         first_value(${single('open')} ${beside('1 FOLLOWING AND UNBOUNDED FOLLOWING')} AS after
       FROM (
         SELECT series, ts, any_value(file_index) AS file, arg_max(open, line) AS open, arg_max(close, line) AS close,
           NOT bool_or(is_correction) AND (max(open) > ${OPEN_RATIO_MAX} * min(open)
             OR max(low) > min(high) OR max(close) > ${FAR_RATIO} * min(close)) AS is_apart,
           CASE WHEN count(*) > 1
             THEN list({line: line::DOUBLE, close: close} ORDER BY ${order}) END AS versions
         FROM judged
         WHERE (reason IS NULL OR ${isDuplicateSql})
           AND series IN (SELECT series FROM judged WHERE ${isDuplicateSql})
         GROUP BY series, ts))
     WHERE is_apart ORDER BY series, ts`,
  );
}

function verdictsOf(stamps: readonly DoubledStamp[], remedy: string): Verdict[] {
  const settled = stamps.map((stamp) => ({ stamp, fitting: fittingVersions(stamp) }));
  const open = settled.filter(({ fitting }) => fitting.length !== 1);
  const [{ series, bars }] = stamps;
  if (areSeveralSecurities(open.length, bars, stamps.length)) {
    const closes = stamps[0].versions.map(({ close }) => close);
    const prices = `prices from ${Math.min(...closes)} to ${Math.max(...closes)}`;
    const fact = `${stamps[0].day} stands ${closes.length} times with ${prices}`;
    return [{ series, reason: `${SEVERAL} (${fact}): ${remedy}` }];
  }
  return settled.flatMap(({ stamp, fitting }, at) =>
    versionVerdicts(stamp, fitting, at < TOLD_MAX),
  );
}

/** Returns the versions whose level is that of a price beside; all of them if there is none. */
function fittingVersions({ versions, before, after }: DoubledStamp): Version[] {
  const beside = [before, after].filter((price) => price !== null);
  const fits = ({ close }: Version) =>
    beside.some((price) => Math.max(close / price, price / close) <= FAR_RATIO);
  const fitting = versions.filter(fits);
  return fitting.length === 0 ? versions : fitting;
}

const UNDECIDED = 'its bar has other rows with other prices';
const OUTDONE = 'its prices contradict another row of the bar';

/** Condition for rows of `judged` that another row of their stamp contradicts. */
export const IS_CONTRADICTED_SQL = `(reason LIKE '${UNDECIDED}%' OR reason LIKE '${OUTDONE}%')`;

function versionVerdicts(stamp: DoubledStamp, fitting: Version[], isTold: boolean): Verdict[] {
  const { series, versions, day } = stamp;
  const kept = fitting.length === 1 || stamp.isNewest ? fitting.at(-1) : undefined;
  // The last row of the newest stamp completes the earlier ones.
  const refused = versions.filter((version) =>
    stamp.isNewest ? !fitting.includes(version) : version !== kept,
  );
  const closes = versions.map(({ line, close }) => `${close} in line ${line}`).join(' and ');
  const told = isTold ? ` (${day} closes at ${closes})` : '';
  const why =
    kept === undefined
      ? `${UNDECIDED}, and nothing decides between them${told}`
      : `${OUTDONE}, which fits the bars next to it${told}`;
  return [
    ...refused.map(({ line }) => ({ series, line, reason: why })),
    ...(kept === undefined ? [] : [{ series, line: kept.line, reason: null }]),
  ];
}

/** Gives rows of `judged` that are good, or versions of good ones, another reason. */
export async function applyVerdicts(
  connection: DuckDBConnection,
  verdicts: readonly Verdict[],
  isDuplicateSql: string,
): Promise<void> {
  if (verdicts.length === 0) return;
  const columns = { series: 'INTEGER', line: 'BIGINT', reason: 'VARCHAR' };
  await connection.run(
    `UPDATE judged SET reason = verdicts.reason
     FROM (SELECT * FROM ${jsonTable(columns)}) AS verdicts
     WHERE judged.series = verdicts.series AND coalesce(verdicts.line, judged.line) = judged.line
       AND (judged.reason IS NULL OR ${isDuplicateSql.replaceAll('reason', 'judged.reason')})`,
    [JSON.stringify(verdicts)],
  );
}
