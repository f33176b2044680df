/**
 * Compares the bars of users' files with the splits that are known, whichever comes first. A traded
 * price jumps by the ratio of a split; an adjusted one does not. A series that does otherwise was
 * read on the wrong basis, and would be divided by the split twice, or never.
 */

import type { DuckDBConnection } from '@duckdb/node-api';
import type { Basis } from '../../../base/bars.ts';
import type { DaySpan } from '../../../base/prices/action-coverage.ts';
import { splitMove } from '../../../base/prices/price-change.ts';
import { FILE_SOURCES } from '../../../base/sources.ts';
import { dateFromDay, dayFromMicros } from '../../../base/time/dates.ts';
import type { LoadedFile } from '../candles/insert-rows.ts';
import type { CandleSegment } from '../connection/candle-segment.ts';
import { exists, listsOf, listTable, selectRows, sqlDay } from '../connection/sql-rows.ts';
import type { SeriesHold } from './series-hold.ts';

/** Sources date a split some sessions apart; a jump within these days is its own. */
export const WINDOW_DAYS = 8;

/** @returns the days of the bars that a load brings; undefined if no file has a good row. */
export function daySpanOf(files: readonly LoadedFile[]): DaySpan | undefined {
  const stored = files.filter(({ accepted }) => accepted > 0);
  if (stored.length === 0) return undefined;
  const [first] = stored;
  const firstUs = stored.reduce((us, file) => Math.min(us, file.firstUs), first.firstUs);
  const lastUs = stored.reduce((us, file) => Math.max(us, file.lastUs), first.lastUs);
  return { fromDay: dayFromMicros(firstUs), toDay: dayFromMicros(lastUs) };
}

export interface KnownSplit {
  symbol: string;
  exDay: number;
  numerator: number;
  denominator: number;
}

interface BarRow {
  key: number;
  day: number;
  open: number;
  close: number;
  basis: Basis;
}

interface Contradiction extends KnownSplit {
  basis: Basis;
  before: number;
  after: number;
}

/**
 * Returns reasons to hold: series of `loading_symbols` whose prices contradict a split.
 *
 * @param span Days of new bars. If the load states actions, all splits of its symbols are compared.
 */
export async function holdsForSplits(
  connection: DuckDBConnection,
  { source, interval, actions }: Pick<CandleSegment, 'source' | 'interval' | 'actions'>,
  span: DaySpan | undefined,
): Promise<SeriesHold[]> {
  if (!FILE_SOURCES.includes(source) || interval !== '1d') return [];
  if (!actions && !span) return [];
  const stated = `FROM stated_actions SEMI JOIN loading_symbols USING (symbol) WHERE type = 'split'`;
  // Planning a join over rankings takes longer than a small load should.
  if (!(await exists(connection, stated))) return [];
  const splits = await readSplits(connection, actions ? undefined : span);
  if (splits.length === 0) return [];
  const bars = Map.groupBy(await readBars(connection, splits), ({ key }) => key);
  const found = splits.flatMap((split, key) => contradictionOf(split, bars.get(key) ?? []));
  const [raw, adjusted] = [
    found.filter(({ basis }) => basis === 'raw'),
    found.filter(({ basis }) => basis !== 'raw'),
  ];
  return [
    ...holdOf(raw, {
      verbs: ['does', 'do'],
      text: 'not move as a known split says, so the prices are not as traded, or the split is wrong',
      bases: 'split or all',
    }),
    ...holdOf(adjusted, {
      verbs: ['jumps', 'jump'],
      text: 'at a known split, so the prices are not adjusted for it',
      bases: 'raw',
    }),
  ];
}

type Words = Pick<SeriesHold, 'verbs' | 'text'> & { bases: string };

function holdOf(found: readonly Contradiction[], { verbs, text, bases }: Words): SeriesHold[] {
  if (found.length === 0) return [];
  const bySymbol = new Map(found.toReversed().map((one) => [one.symbol, one]));
  const remedy = `load the bars with --basis ${bases}, or correct the split`;
  return [
    {
      check: 'a contradicted split',
      verbs,
      text: `${text} (${remedy})`,
      found: [...bySymbol.values()].reverse().map((one) => {
        const { symbol, exDay, numerator, denominator, before, after } = one;
        const split = `${numerator}:${denominator} on ${dateFromDay(exDay)}`;
        return { symbol, detail: `${split} (${before}, then ${after})` };
      }),
    },
  ];
}

async function readSplits(
  connection: DuckDBConnection,
  span: DaySpan | undefined,
): Promise<KnownSplit[]> {
  const { fromDay, toDay } = span ?? { fromDay: -1e6, toDay: 1e6 };
  return selectRows<KnownSplit>(
    connection,
    `SELECT symbol, ${sqlDay('ex_date')} AS "exDay", numerator::DOUBLE AS numerator,
       denominator::DOUBLE AS denominator
     FROM corporate_actions SEMI JOIN loading_symbols USING (symbol)
     WHERE type = 'split' AND ${sqlDay('ex_date')} BETWEEN ${fromDay} AND ${toDay + WINDOW_DAYS}
     ORDER BY symbol, ex_date`,
  );
}

const NEAR_COLUMNS = { key: 'INTEGER', symbol: 'VARCHAR', exDay: 'INTEGER' } as const;

/** Reads the served bars of files near each split, in order of time; `key` is its place. */
export async function readBars(
  connection: DuckDBConnection,
  splits: readonly KnownSplit[],
): Promise<BarRow[]> {
  const near = splits.map(({ symbol, exDay }, key) => ({ key, symbol, exDay }));
  const days = splits.map(({ exDay }) => exDay);
  const [first, last] = [Math.min(...days) - WINDOW_DAYS, Math.max(...days) + WINDOW_DAYS];
  const day = sqlDay('b.ts::DATE');
  return selectRows<BarRow>(
    connection,
    `SELECT n.key, ${day} AS day, b.open * w.factor AS open, b.close * w.factor AS close, s.basis
     FROM ${listTable(NEAR_COLUMNS)} n
     JOIN winners w ON w.symbol = n.symbol AND w.interval = '1d'
     JOIN series s ON s.series_id = w.series_id
       AND s.source IN (${FILE_SOURCES.map((source) => `'${source}'`).join(', ')})
     JOIN bars b ON b.series_id = w.series_id AND b.ts BETWEEN w.from_ts AND w.to_ts
       AND ${day} BETWEEN n."exDay" - ${WINDOW_DAYS} AND n."exDay" + ${WINDOW_DAYS}
     WHERE ${day} BETWEEN ${first} AND ${last}
     ORDER BY n.key, b.ts`,
    listsOf(near, NEAR_COLUMNS),
  );
}

/** Returns the moves of a series from each bar to the next, as those of a split. */
export function movesOf(
  split: Pick<KnownSplit, 'numerator' | 'denominator'>,
  bars: readonly BarRow[],
): Move[] {
  const ratio = split.numerator / split.denominator;
  return bars.slice(1).map((bar, i) => ({
    bar,
    before: bars[i].close,
    after: bar.open,
    kind: splitMove(bars[i].close / bar.open, ratio),
  }));
}

function contradictionOf(split: KnownSplit, bars: readonly BarRow[]): Contradiction[] {
  const ratio = split.numerator / split.denominator;
  const moves = movesOf(split, bars);
  const jump = moves.find(({ kind }) => kind === 'jump');
  const exMove = moves.find(({ bar }) => bar.day >= split.exDay);
  if (!exMove || bars[0].day >= split.exDay) return [];
  const isTraded = exMove.bar.basis === 'raw';
  const at = isTraded ? exMove : jump;
  const isContradicted = isTraded ? contradicts(exMove, jump, ratio) : jump !== undefined;
  if (!isContradicted) return [];
  return [{ ...split, basis: exMove.bar.basis, before: at!.before, after: at!.after }];
}

interface Move {
  bar: BarRow;
  before: number;
  after: number;
  kind: ReturnType<typeof splitMove>;
}

/** Largest move of a share overnight, beside its split, as a factor. */
const OVERNIGHT_MAX = 1.8;

/**
 * Returns true if a traded price does not move by the ratio on the day of the split: it stays, it
 * moves otherwise, or it moves so on another day.
 */
function contradicts(exMove: Move, jump: Move | undefined, ratio: number): boolean {
  if (exMove.kind === 'jump') return false;
  const overnight = exMove.before / exMove.after / ratio;
  const isFar = Math.max(overnight, 1 / overnight) > OVERNIGHT_MAX;
  return jump !== undefined || exMove.kind === 'flat' || isFar;
}
