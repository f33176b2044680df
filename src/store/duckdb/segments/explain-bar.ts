/** Origin of one daily bar, and the stored bars that it superseded. */

import type { BarValues, Basis } from '../../../base/bars.ts';
import { microsFromDay } from '../../../base/time/dates.ts';
import type { Interval } from '../../../base/time/intervals.ts';
import type { ActionType } from '../connection/candle-segment.ts';
import type { MarketDb } from '../connection/open.ts';
import { sourcePriority } from '../connection/source-priority.ts';
import { selectRows, sqlDay, sqlTimestamp } from '../connection/sql-rows.ts';
import { REPAIR_SOURCE, type RepairReading } from '../vintages/repairs.ts';

/**
 * | reason | the bar is not served because |
 * |---|---|
 * | `repaired` | a person has repaired the bar |
 * | `removed` | a person has removed the bar |
 * | `lesser-source` | its source comes later in the table of sources |
 * | `older-vintage` | its series, or in a raw series its file, is of an older as-of |
 * | `older-file` | as-of is equal, and its file was modified earlier |
 * | `undecided` | all that is equal, and nothing but the greater content hash decides |
 * | `other-basis` | its series is of another basis than the best one, which it could only extend |
 * | `does-not-join` | its series does not agree with the best in five common sessions within 0.1 % |
 * | `not-merged` | the served series has no bar that day, and series are never merged by row |
 */
export type LossReason =
  | 'repaired'
  | 'removed'
  | 'lesser-source'
  | 'older-vintage'
  | 'older-file'
  | 'undecided'
  | 'other-basis'
  | 'does-not-join'
  | 'not-merged';

/** A bar as its source has it. Times are microseconds. */
export interface StoredBar extends BarValues {
  source: string;
  basis: Basis;
  /** Vintage of the file. */
  asOfUs: number;
  /** Newest bar of the file; null where its as-of was stated. */
  newestUs: number | null;
  /** Last modification of the file; 0: unknown. */
  modifiedUs: number;
  segment: string;
  origin: string;
  loadedMs: number;
  /** File in the segment, its hash, and what was read of it. */
  path: string;
  sha256: string;
  lineCount: number;
  acceptedCount: number;
  rejectedCount: number;
  /** Reading of the file, as JSON; null for a vendor's, and for loads of an older version. */
  reading: string | null;
}

export interface ServedBar extends StoredBar {
  factor: number;
}

export interface SupersededBar extends StoredBar {
  reason: LossReason;
}

/** A span of days for which a source has said all it knows of the symbol's splits and dividends. */
export interface CoverageSpan {
  source: string;
  /** The only type that it knows; undefined for both. */
  covers?: ActionType;
  fromDay: number;
  toDay: number;
}

/** A winning split (`amount` null) or dividend, with its source. */
export interface StatedAction {
  type: 'split' | 'dividend' | 'spin-off';
  exDay: number;
  numerator: number | null;
  denominator: number | null;
  amount: number | null;
  /** Currency of the amount, where it is not that of the prices. */
  currency?: string;
  source: string;
}

export interface BarExplanation {
  /** Undefined if no bar is served that day. */
  served: ServedBar | undefined;
  superseded: SupersededBar[];
  firstDay: number;
  lastDay: number;
  coverage: CoverageSpan[];
  /** With an ex-date later than the day, by ex-date. */
  actionsAfter: StatedAction[];
}

/** A stored bar of the day, with the rank of its series. */
interface Claim extends StoredBar {
  seriesId: number;
  seriesAsOfUs: number;
  seriesModifiedUs: number;
  /** Hash of the series' one file; empty for raw series, which have many files. */
  seriesSha256: string;
  /** Null for a bar that is not served. */
  factor: number | null;
}

interface PieceRow {
  basis: Basis;
  firstDay: number;
  lastDay: number;
}

/** @returns undefined when no bars of the symbol are stored. */
export async function explainBar(
  { connection }: MarketDb,
  interval: Interval,
  symbol: string,
  day: number,
): Promise<BarExplanation | undefined> {
  const select = <T>(sql: string, values = [symbol]) => selectRows<T>(connection, sql, values);
  const pieces = await select<PieceRow>(
    `SELECT s.basis, ${sqlDay('w.from_ts::DATE')} AS "firstDay",
       ${sqlDay('w.to_ts::DATE')} AS "lastDay"
     FROM winners w JOIN series s USING (series_id) JOIN source_priority p ON p.source = s.source
     WHERE w.symbol = $1 AND w.interval = $2
     ORDER BY p.priority, s.as_of DESC, s.modified DESC, s.sha256 DESC`,
    [symbol, interval],
  );
  if (pieces.length === 0) return undefined;
  const firstDay = Math.min(...pieces.map((piece) => piece.firstDay));
  const lastDay = Math.max(...pieces.map((piece) => piece.lastDay));
  const claims = await select<Claim>(claimsSql(day), [symbol, interval]);
  const place = claims.findIndex(({ factor }) => factor !== null);
  const servedRow = claims[place];
  const repair = claims.find(({ source }) => source === REPAIR_SOURCE);
  const isRemoved =
    servedRow === undefined && repair?.basis === pieces[0].basis && isRemoval(repair.reading);
  const context = {
    claim: servedRow,
    basis: pieces[0].basis,
    isWithin: day >= firstDay && day <= lastDay,
  };
  return {
    served: servedRow && { ...servedRow, factor: servedRow.factor! },
    superseded: claims
      .map(
        (row, i) =>
          ({
            ...row,
            reason: isRemoved ? 'removed' : lossReason(row, context, i < place),
          }) as const,
      )
      .filter((_, i) => i !== place),
    firstDay,
    lastDay,
    coverage: await coverageOf(connection, symbol),
    actionsAfter: await actionsAfterDay(connection, symbol, day),
  };
}

function isRemoval(reading: string | null): boolean {
  return (JSON.parse(reading ?? '{}') as Partial<RepairReading>).repair?.isRemoved === true;
}

async function coverageOf(
  connection: MarketDb['connection'],
  symbol: string,
): Promise<CoverageSpan[]> {
  const rows = await selectRows<Required<CoverageSpan>>(
    connection,
    `SELECT source, ${sqlDay('from_date')} AS "fromDay", ${sqlDay('to_date')} AS "toDay", covers
     FROM action_coverage WHERE symbol = $1 ORDER BY ALL`,
    [symbol],
  );
  return rows.map(({ covers, ...span }) => ({ ...span, ...(covers && { covers }) }));
}

async function actionsAfterDay(
  connection: MarketDb['connection'],
  symbol: string,
  day: number,
): Promise<StatedAction[]> {
  const rows = await selectRows<StatedAction & { currency: string | null }>(
    connection,
    `SELECT type, ${sqlDay('ex_date')} AS "exDay", numerator::DOUBLE AS numerator,
       denominator::DOUBLE AS denominator, amount, currency, source
     FROM corporate_actions
     WHERE symbol = $1 AND ${sqlDay('ex_date')} > ${day} ORDER BY ex_date, type, amount`,
    [symbol],
  );
  return rows.map(({ currency, ...action }) => ({ ...action, ...(currency && { currency }) }));
}

/** Returns SQL of all stored bars of the day, by rank of their series and rows. */
function claimsSql(day: number): string {
  const ts = sqlTimestamp(microsFromDay(day));
  return `
    WITH claims AS (
      SELECT *, false AS is_superseded FROM bars WHERE ts = ${ts} UNION ALL
      SELECT *, true FROM rival_bars WHERE ts = ${ts})
    SELECT s.series_id AS "seriesId", s.source, s.basis, s.sha256 AS "seriesSha256",
      epoch_us(s.as_of)::DOUBLE AS "seriesAsOfUs", epoch_us(f.as_of)::DOUBLE AS "asOfUs",
      epoch_us(s.modified)::DOUBLE AS "seriesModifiedUs",
      epoch_us(f.modified)::DOUBLE AS "modifiedUs",
      epoch_us(f.newest)::DOUBLE AS "newestUs",
      c.open, c.high, c.low, c.close, c.volume, w.factor,
      g.segment, g.origin, epoch_ms(g.loaded_at)::DOUBLE AS "loadedMs",
      f.path, f.sha256, f.lines::DOUBLE AS "lineCount",
      f.accepted::DOUBLE AS "acceptedCount", f.rejected::DOUBLE AS "rejectedCount", f.reading
    FROM claims c JOIN series s USING (series_id) JOIN source_priority p ON p.source = s.source
    JOIN segment_files f USING (file_id) JOIN segments g ON g.seq = f.segment_seq
    LEFT JOIN winners w ON w.series_id = s.series_id AND NOT c.is_superseded
      AND c.ts BETWEEN w.from_ts AND w.to_ts
    WHERE s.symbol = $1 AND s.interval = $2
    ORDER BY p.priority, s.as_of DESC, s.modified DESC, s.sha256 DESC, s.basis, s.series_id, c.is_superseded,
      f.as_of DESC, f.modified DESC, f.sha256 DESC`;
}

/** The symbol's served bar of the day. */
interface Served {
  claim: Claim | undefined;
  basis: Basis;
  /** True if the day is between the first and the last served bar. */
  isWithin: boolean;
}

/**
 * @param isBetter True if the claim's series ranks before the served one and only failed to extend
 *   the best.
 */
function lossReason(claim: Claim, served: Served, isBetter: boolean): LossReason {
  const winner = served.claim;
  const isRepair = claim.source === REPAIR_SOURCE;
  if (winner?.source === REPAIR_SOURCE && !isRepair) return 'repaired';
  if (isRepair && winner?.source !== REPAIR_SOURCE) return winner ? 'other-basis' : 'not-merged';
  if (!winner && served.isWithin) return 'not-merged';
  if (!winner || isBetter) return claim.basis === served.basis ? 'does-not-join' : 'other-basis';
  if (claim.seriesId === winner.seriesId) {
    if (claim.asOfUs < winner.asOfUs) return 'older-vintage';
    return claim.modifiedUs < winner.modifiedUs ? 'older-file' : 'undecided';
  }
  if (sourcePriority(claim.source) > sourcePriority(winner.source)) return 'lesser-source';
  if (claim.seriesAsOfUs < winner.seriesAsOfUs) return 'older-vintage';
  if (claim.seriesModifiedUs < winner.seriesModifiedUs) return 'older-file';
  return claim.seriesSha256 < winner.seriesSha256 ? 'undecided' : 'other-basis';
}
