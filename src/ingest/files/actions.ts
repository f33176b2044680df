/** Reads splits and dividends from the columns of candle files. */

import type { Basis, Dividend, Split } from '../../base/bars.ts';
import type { ActionType, SymbolActions } from '../../store/duckdb/connection/candle-segment.ts';
import { selectRows } from '../../store/duckdb/connection/sql-rows.ts';
import type { Scratch } from '../segments/scratch.ts';
import { capitalGainDecision, type GainDay } from '../values/capital-gains.ts';
import { declaredDividends } from '../values/declared-dividends.ts';
import { splitFromRatio } from '../values/split-ratio.ts';

interface ActionRow {
  series: number;
  day: number;
  dividend: number;
  capitalGain: number;
  split: number;
  /** Adjusted close ÷ close, of the bar before and of the day itself; null if the file has none. */
  adjustedBefore: number | null;
  adjustedNow: number | null;
  closeBefore: number | null;
  close: number | null;
}

/** A series of a file with columns for actions. */
export interface StatingSeries {
  symbol: string;
  /** Types that have a column. */
  types: readonly ActionType[];
}

export interface FileActions {
  actions: SymbolActions[];
  notes: string[];
}

/** Largest accepted gap between a vendor's effect of a dividend and ours, as a share of ours. */
const FACTOR_TOLERANCE = 0.25;

/**
 * Reads the table `judged` of an exact read. Events of refused bars count too, because a broken
 * price does not undo a split.
 * A cell that cannot be read leaves its type unknown: the day may be that of a split.
 * @param stating Series of files with columns for splits or dividends.
 * @param basis Unless it is raw, the file's dividends are adjusted for later splits.
 * @returns for each series with bars, all actions between its first and last bar.
 */
export async function actionsFromJudged(
  scratch: Scratch,
  stating: ReadonlyMap<number, StatingSeries>,
  basis: Basis,
): Promise<FileActions> {
  const connection = await scratch.connect();
  if (stating.size === 0) return { actions: [], notes: [] };
  const ranges = await selectRows<{ series: number; first: number; last: number }>(
    connection,
    `SELECT series, ${dayNumberSql('min(ts)')} AS first, ${dayNumberSql('max(ts)')} AS last
     FROM judged WHERE reason IS NULL GROUP BY series ORDER BY series`,
  );
  const rows = await selectRows<ActionRow>(
    connection,
    `SELECT series, ${dayNumberSql('ts')} AS day,
       max(coalesce(dividend, 0)) AS dividend, max(coalesce("capitalGain", 0)) AS "capitalGain",
       max(coalesce(split, 1)) AS split, any_value(close) AS close, any_value(before) AS "adjustedBefore",
       any_value(now) AS "adjustedNow", any_value(close_before) AS "closeBefore"
     FROM (
       SELECT *, "adjustedClose" / close AS now, lag("adjustedClose" / close) OVER days AS before,
         lag(close) OVER days AS close_before
       FROM judged WHERE series IS NOT NULL AND ts IS NOT NULL
       WINDOW days AS (PARTITION BY series, reason IS NULL ORDER BY ts))
     GROUP BY series, ts HAVING max(dividend) > 0 OR max("capitalGain") > 0 OR max(split) NOT IN (0, 1)
     ORDER BY series, ts`,
  );
  const bySeries = Map.groupBy(rows, (row) => row.series);
  const unread = await unreadCells(scratch);
  const notes: string[] = [];
  const actions = ranges.flatMap(({ series, first, last }) => {
    const from = stating.get(series);
    if (from === undefined) return [];
    const { symbol } = from;
    const types = from.types.filter((type) => !unread.get(series)?.has(type));
    for (const type of from.types) if (!types.includes(type)) notes.push(unreadNote(symbol, type));
    // Without the splits, it is open on which basis the dividends of adjusted prices are.
    const isOpen = basis !== 'raw' && !types.includes('split');
    if (types.length === 0 || isOpen) return [];
    const stated = bySeries.get(series) ?? [];
    const decision = capitalGainDecision(symbol, stated.map(gainDay(basis)));
    if (decision) notes.push(decision.note);
    const events = stated.map((row) => ({
      ...row,
      dividend: row.dividend + (decision?.isContained ? 0 : row.capitalGain),
    }));
    const splits = events.flatMap(splitsOfRow);
    const dividends =
      basis === 'raw'
        ? events.flatMap(rawDividendsOfRow)
        : declaredDividends(events.flatMap(dividendsOfRow), splits);
    const lists = types.includes('dividend') ? { splits, dividends } : { splits, dividends: [] };
    const covers = types.length === 1 ? { covers: types[0] } : {};
    return [{ symbol, ...lists, ...covers, coverageFromDay: first, coverageToDay: last }];
  });
  return { actions, notes };
}

/** Returns the types by series of which a cell cannot be read. */
async function unreadCells(scratch: Scratch): Promise<Map<number, Set<ActionType>>> {
  const rows = await selectRows<{ series: number; type: ActionType }>(
    await scratch.connect(),
    `SELECT DISTINCT series, split_part(reason, ' ', 1) AS type FROM judged
     WHERE series IS NOT NULL AND reason IN ('split is not a number', 'dividend is not a number')`,
  );
  const bySeries = Map.groupBy(rows, ({ series }) => series);
  return new Map(
    [...bySeries].map(([series, cells]) => [series, new Set(cells.map(({ type }) => type))]),
  );
}

function unreadNote(symbol: string, type: ActionType): string {
  return `${symbol}: its ${type}s are not taken from the file, because a cell of them is refused`;
}

/** Figures for the decision on capital gains. Closes adjusted for dividends carry no hint. */
function gainDay(basis: Basis): (row: ActionRow) => GainDay {
  return ({ dividend, capitalGain, split, adjustedBefore, adjustedNow, closeBefore, close }) => {
    const isAdjusted = basis === 'all';
    const scale = basis === 'raw' && split > 0 ? split : 1;
    return {
      dividend,
      gain: capitalGain,
      closeBefore: isAdjusted || closeBefore === null ? null : closeBefore / scale,
      close: isAdjusted ? null : close,
      factor: adjustedBefore && adjustedNow ? (adjustedBefore / adjustedNow) * scale : null,
    };
  };
}

function dayNumberSql(timestampSql: string): string {
  return `(${timestampSql}::DATE - DATE '1970-01-01')::INTEGER`;
}

function splitsOfRow({ day, split }: ActionRow): Split[] {
  return split > 0 && split !== 1 ? [{ exDay: day, ...splitFromRatio(split) }] : [];
}

function dividendsOfRow({ day, dividend }: ActionRow): Dividend[] {
  return dividend > 0 ? [{ exDay: day, amount: dividend }] : [];
}

/** Restates dividends to reproduce the vendor's adjusted prices, whose definitions differ. */
function rawDividendsOfRow(row: ActionRow): Dividend[] {
  const { split, adjustedBefore, adjustedNow, closeBefore } = row;
  return dividendsOfRow(row).map((dividend) => {
    if (!adjustedBefore || !adjustedNow || !closeBefore) return dividend;
    const factor = (adjustedBefore / adjustedNow) * (split > 0 ? split : 1);
    const effect = dividend.amount / (split > 0 ? closeBefore / split : closeBefore);
    const isCredible = Math.abs(1 - factor - effect) <= FACTOR_TOLERANCE * effect;
    return isCredible ? { ...dividend, factor } : dividend;
  });
}
