/** Check that a load does not remove served bars, or the first or last day of a symbol. */

import type { DuckDBConnection } from '@duckdb/node-api';
import { SERVES_LESS } from '../../../base/errors.ts';
import { dateFromDay, dayFromMicros } from '../../../base/time/dates.ts';
import { barTable } from '../connection/bar-table.ts';
import { listsOf, listTable, selectRows } from '../connection/sql-rows.ts';
import { rangeOf, type ServedSeries } from '../vintages/served-state.ts';
import type { SeriesHold } from './series-hold.ts';

interface Shrunk {
  symbol: string;
  before: Extent;
  after: Extent;
}

interface Extent {
  rowCount: number;
  firstUs: number;
  lastUs: number;
  source: string;
  basis: string;
}

/**
 * Compares the served series of the load's symbols before and after it. Counts bars only if a
 * series is no longer served, since added bars make the others longer.
 */
export async function holdForShrinking(
  connection: DuckDBConnection,
  before: ReadonlyMap<string, ServedSeries>,
  after: ReadonlyMap<string, ServedSeries>,
): Promise<SeriesHold | undefined> {
  const replaced = [...before].filter(([key, old]) => {
    const ids = new Set(after.get(key)?.pieces.map(({ seriesId }) => seriesId));
    return old.pieces.some(({ seriesId }) => !ids.has(seriesId));
  });
  if (replaced.length === 0) return undefined;
  const olds = await readExtents(
    connection,
    replaced.map(([, old]) => old),
  );
  const news = await readExtents(
    connection,
    replaced.map(([key]) => after.get(key)),
  );
  const shrunk = replaced.flatMap(([, { symbol }], i): Shrunk[] => {
    const [was, is] = [olds[i], news[i]];
    const isLess = is.rowCount < was.rowCount || is.firstUs > was.firstUs || is.lastUs < was.lastUs;
    return isLess ? [{ symbol, before: was, after: is }] : [];
  });
  if (shrunk.length === 0) return undefined;
  return {
    check: 'less served than before',
    verbs: ['would be', 'would be'],
    text: `${SERVES_LESS}, since the new bars would take the place of the stored ones${adviceOf(shrunk)}`,
    found: shrunk.map((one) => ({ symbol: one.symbol, detail: shrunkText(one) })),
  };
}

const PIECE_COLUMNS = {
  key: 'INTEGER',
  seriesId: 'INTEGER',
  fromUs: 'BIGINT',
  toUs: 'BIGINT',
} as const;

async function readExtents(
  connection: DuckDBConnection,
  all: readonly (ServedSeries | undefined)[],
): Promise<Extent[]> {
  const counts = new Map<number, number>();
  for (const table of new Set(all.flatMap((one) => (one ? [barTable(one.interval).bars] : [])))) {
    const pieces = all.flatMap((one, key) =>
      one && barTable(one.interval).bars === table
        ? one.pieces.map(({ seriesId, fromUs, toUs }) => ({ key, seriesId, fromUs, toUs }))
        : [],
    );
    const rows = await selectRows<{ key: number; rowCount: number }>(
      connection,
      `SELECT p.key, count(*)::DOUBLE AS "rowCount"
       FROM ${table} b JOIN ${listTable(PIECE_COLUMNS)} p ON b.series_id = p."seriesId"
         AND b.ts BETWEEN make_timestamp(p."fromUs") AND make_timestamp(p."toUs")
       GROUP BY p.key`,
      listsOf(pieces, PIECE_COLUMNS),
    );
    for (const { key, rowCount } of rows) counts.set(key, rowCount);
  }
  return all.map((one, key) => ({
    rowCount: counts.get(key) ?? 0,
    ...(one ? rangeOf(one.pieces) : { firstUs: Number.POSITIVE_INFINITY, lastUs: 0 }),
    source: one?.source ?? '',
    basis: one?.basis ?? '',
  }));
}

/** Commands that load the files of a source, where another one could load them too. */
const COMMANDS: Record<string, string> = {
  files: 'backfill files candles',
  stooq: 'backfill stooq',
};

/** Returns advice for the common cases: a daily file by another command, or without `--basis`. */
function adviceOf(shrunk: readonly Shrunk[]): string {
  const moved = shrunk.find(
    ({ before, after }) =>
      before.source !== after.source && before.source in COMMANDS && after.source in COMMANDS,
  );
  if (moved !== undefined) {
    const { source, basis } = moved.before;
    const option = basis === moved.after.basis ? '' : ` --basis ${basis}`;
    return ` (their history was loaded with ${COMMANDS[source]}: load this with ${COMMANDS[source]}${option} too, and they go on)`;
  }
  const other = shrunk.find(
    ({ before, after }) => before.source === after.source && before.basis !== after.basis,
  );
  if (!other) return '';
  const { basis } = other.before;
  return ` (if the new prices have basis ${basis} too, load them with --basis ${basis}: they go on then)`;
}

function shrunkText({ before, after }: Shrunk): string {
  return `${extentText(before)} → ${extentText(after)}`;
}

function extentText({ rowCount, firstUs, lastUs, source, basis }: Extent): string {
  if (rowCount === 0) return 'nothing';
  const bars = rowCount === 1 ? '1 bar' : `${rowCount} bars`;
  const [from, to] = [firstUs, lastUs].map((us) => dateFromDay(dayFromMicros(us)));
  return `${bars} of ${source} (${basis}) from ${from} to ${to}`;
}
