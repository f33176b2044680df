/**
 * Dividends of adjusted files in pieces. A file on basis `split` or `all` states dividends on the
 * basis of its prices, so those before a split are divided by it. The file itself may end before
 * that split: then only another piece of the same history has it, and the factor between the two
 * shows if the earlier piece was made after it.
 */

import type { DuckDBConnection } from '@duckdb/node-api';
import { distance } from '../../../base/prices/split-jump.ts';
import { exists, listsOf, listTable, runOne, selectRows, sqlDay } from '../connection/sql-rows.ts';

/** Dividends as their files state them, declared on the basis of the file's last day. */
const OF_FILES = `stated_actions a JOIN action_coverage c USING (statement_id)
  SEMI JOIN loading_symbols l ON l.symbol = c.symbol
  JOIN segments g ON g.seq = c.segment_seq
  WHERE a.type = 'dividend' AND c.source = 'files' AND g.basis IN ('split', 'all')`;

interface StatementRow {
  statement: number;
  symbol: string;
  lastDay: number;
  /** Factor of the file's bars to the newest basis. */
  factor: number;
}

interface PieceRow {
  symbol: string;
  fromDay: number;
  toDay: number;
  factor: number;
}

interface SplitRow {
  symbol: string;
  exDay: number;
  ratio: number;
}

/** Makes the amounts of the dividends of `loading_symbols` again, after their winners. */
export async function restateDividends(connection: DuckDBConnection): Promise<void> {
  if (!(await exists(connection, `FROM ${OF_FILES}`))) return;
  const statements = await selectRows<StatementRow>(
    connection,
    `SELECT a.statement_id AS statement, a.symbol, a.last AS "lastDay", min(w.factor) AS factor
     FROM (SELECT DISTINCT c.statement_id, c.symbol, c.source, g.basis, c.from_date, c.to_date,
             ${sqlDay('c.to_date')} AS last
           FROM ${OF_FILES}) a
     JOIN series s ON s.symbol = a.symbol AND s.source = a.source AND s.basis = a.basis
       AND s.interval = '1d' AND s.first_ts::DATE = a.from_date AND s.last_ts::DATE = a.to_date
     JOIN winners w ON w.series_id = s.series_id
     GROUP BY ALL`,
  );
  const pieces = await selectRows<PieceRow>(
    connection,
    `SELECT symbol, ${sqlDay('from_ts::DATE')} AS "fromDay", ${sqlDay('to_ts::DATE')} AS "toDay",
       factor
     FROM winners SEMI JOIN loading_symbols USING (symbol) WHERE interval = '1d'`,
  );
  const splits = await selectRows<SplitRow>(
    connection,
    `SELECT symbol, ${sqlDay('ex_date')} AS "exDay", (numerator / denominator)::DOUBLE AS ratio
     FROM corporate_actions SEMI JOIN loading_symbols USING (symbol)
     WHERE type = 'split' ORDER BY ex_date`,
  );
  const piecesOf = Map.groupBy(pieces, ({ symbol }) => symbol);
  const splitsOf = Map.groupBy(splits, ({ symbol }) => symbol);
  const rows = statements.map((one) => ({
    statement: one.statement,
    ratio: containedRatio(one, piecesOf.get(one.symbol) ?? [], splitsOf.get(one.symbol) ?? []),
  }));
  // A statement whose bars are not served keeps its last amount.
  await runOne(
    connection,
    `UPDATE stated_actions
     SET amount = round(coalesce(own_amount, amount) * n.ratio, 9),
       own_amount = coalesce(own_amount, amount)
     FROM ${listTable(RATIO_COLUMNS)} n
     WHERE stated_actions.statement_id = n.statement AND type = 'dividend'
       AND amount IS DISTINCT FROM round(coalesce(own_amount, amount) * n.ratio, 9)`,
    listsOf(rows, RATIO_COLUMNS),
  );
}

const RATIO_COLUMNS = { statement: 'INTEGER', ratio: 'DOUBLE' } as const;

/**
 * Returns the product of the splits after a file's last day that its prices contain. These are the
 * first ones: as many as best explain the file's factor to the first piece after the last split.
 */
export function containedRatio(
  { lastDay, factor }: Pick<StatementRow, 'lastDay' | 'factor'>,
  pieces: readonly Omit<PieceRow, 'symbol'>[],
  splits: readonly Omit<SplitRow, 'symbol'>[],
): number {
  const servedTo = Math.max(...pieces.map(({ toDay }) => toDay));
  const later = splits.filter(({ exDay }) => exDay > lastDay && exDay <= servedTo);
  const lastSplit = later.at(-1);
  if (lastSplit === undefined) return 1;
  // The split's day may have no bar, and lie between two pieces.
  const { factor: basisFactor } = pieces
    .filter(({ toDay }) => toDay >= lastSplit.exDay)
    .reduce((first, piece) => (piece.fromDay < first.fromDay ? piece : first));
  const whole = later.reduce((product, { ratio }) => product * ratio, 1);
  const shown = (factor / basisFactor) * whole;
  let contained = 1;
  let best = 1;
  for (const { ratio } of later) {
    contained *= ratio;
    if (distance(contained, shown) < distance(best, shown)) best = contained;
  }
  return best;
}
