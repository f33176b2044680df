/** Counts how far the stamps of a symbol lie apart. */

import { selectRows } from '../../../store/duckdb/connection/sql-rows.ts';
import type { Scratch } from '../../segments/scratch.ts';

/** Number of stamps by how far they lie behind the one before of their symbol. */
export interface Step {
  file: number;
  /**
   * Microseconds on one date, `DAY_US` for those of a later date, below 0 for those that lie back.
   * Null for the first stamps of symbols.
   */
  stepUs: number | null;
  /** True for stamps off whole minutes. */
  isPart: boolean;
  count: number;
  /** Number of symbols, of first stamps. */
  symbols: number;
}

export const DAY_US = 86_400_000_000;
const MINUTE_US = 60_000_000;

/** Reads the steps between rows as they lie, and sorts the files whose rows are not in order. */
export async function readSteps(scratch: Scratch): Promise<Map<number, Step[]>> {
  const connection = await scratch.connect();
  const found = await selectRows<Step>(connection, stepsSql('FROM surveyed', AS_THEY_LIE));
  const isInOrder = ({ stepUs, isPart, count, symbols }: Step) =>
    !isPart && (stepUs === null ? count === symbols : stepUs >= 0);
  const mixed = [...new Set(found.filter((step) => !isInOrder(step)).map(({ file }) => file))];
  const byFile = Map.groupBy(found, ({ file }) => file);
  if (mixed.length === 0) return byFile;
  const rows = `FROM surveyed WHERE file_index IN (${mixed})`;
  const sorted = await selectRows<Step>(connection, stepsSql(rows, SORTED));
  for (const [file, steps] of Map.groupBy(sorted, ({ file }) => file)) byFile.set(file, steps);
  return byFile;
}

const AS_THEY_LIE = `
  CASE WHEN lag(file_index) OVER () = file_index AND lag(symbol) OVER () = symbol
    THEN lag(us) OVER () END`;
const SORTED = 'lag(us) OVER (PARTITION BY file_index, symbol, is_part ORDER BY us)';

/** Distances of one date are few, and so are the groups. To count distinct symbols takes longer. */
function stepsSql(rows: string, before: string): string {
  return `
    SELECT file, step::DOUBLE AS "stepUs", is_part AS "isPart", sum(count)::DOUBLE AS count,
      count(first_symbol)::DOUBLE AS symbols
    FROM (
      SELECT file_index AS file, step, is_part, count(*) AS count,
        CASE WHEN step IS NULL THEN symbol END AS first_symbol
      FROM (SELECT file_index, symbol, is_part,
          CASE WHEN us // ${DAY_US} = before // ${DAY_US} THEN greatest(us - before, -1)
            WHEN us < before THEN -1 WHEN us > before THEN ${DAY_US} END AS step
        FROM (SELECT *, ${before} AS before
          FROM (SELECT file_index, symbol, epoch_us(clock) AS us,
            epoch_us(clock) % ${MINUTE_US} <> 0 AS is_part ${rows})))
      GROUP BY ALL)
    GROUP BY ALL`;
}
