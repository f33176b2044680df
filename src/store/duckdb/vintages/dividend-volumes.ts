/**
 * Volumes of Stooq, which scales them by dividends as well as by splits. Where the dividends are
 * known, served pieces are cut at their ex-dates, and each part gets the divisor of volumes that
 * leaves the splits.
 */

import type { DuckDBConnection } from '@duckdb/node-api';
import { knowsDividends, knowsSplits } from '../../../base/prices/action-coverage.ts';
import { microsFromDay } from '../../../base/time/dates.ts';
import { readCoverage } from '../candles/read-actions.ts';
import type { Piece } from '../candles/series.ts';
import { exists, runOne, selectRows, sqlDay } from '../connection/sql-rows.ts';
import { insertWinners, type SymbolPiece } from './insert-winners.ts';

/** Symbols with daily bars whose volumes contain dividends. */
const SCALED = `(SELECT DISTINCT w.symbol FROM winners w SEMI JOIN loading_symbols l
    ON l.symbol = w.symbol JOIN series s USING (series_id)
  WHERE w.interval = '1d' AND s.scales_volume)`;

/** Longest way back to the close before an ex-date, days. */
const CLOSE_DAYS_MAX = 31;

interface PieceRow extends SymbolPiece {
  isScaled: boolean;
}

export interface PaidDay {
  exDay: number;
  /** Sum of the day on the split basis of the newest bar. */
  amount: number;
  /** True if an amount is in another currency than the prices. */
  isForeign?: boolean;
  /** Close before, on the served basis: adjusted for this and all later dividends. */
  closeBefore: number;
}

/** Cuts the winners of `loading_symbols` whose volumes contain known dividends. */
export async function restoreVolumes(connection: DuckDBConnection): Promise<void> {
  const dividends = `FROM corporate_actions SEMI JOIN ${SCALED} USING (symbol)
    WHERE type = 'dividend'`;
  if (!(await exists(connection, dividends))) return;
  const pieces = await selectRows<PieceRow>(
    connection,
    `SELECT w.symbol, w.series_id AS "seriesId", epoch_us(w.from_ts)::DOUBLE AS "fromUs",
       epoch_us(w.to_ts)::DOUBLE AS "toUs", w.factor, w.split_factor AS "splitFactor",
       coalesce(s.scales_volume, false) AS "isScaled"
     FROM winners w SEMI JOIN ${SCALED} d ON d.symbol = w.symbol JOIN series s USING (series_id)
     WHERE w.interval = '1d' ORDER BY w.symbol, w.from_ts`,
  );
  const paid = await readPaid(connection);
  const coverage = await readCoverage(connection, `SEMI JOIN ${SCALED} USING (symbol)`);
  const rows: SymbolPiece[] = [];
  for (const [symbol, own] of Map.groupBy(pieces, (piece) => piece.symbol)) {
    const [firstBarUs, lastBarUs] = [own[0].fromUs, own.at(-1)!.toUs].map(BigInt);
    const known = { actionCoverage: coverage.get(symbol), firstBarUs, lastBarUs };
    if (!knowsSplits(known) || !knowsDividends(known)) continue;
    const paidDays = paid.get(symbol) ?? [];
    if (paidDays.some(({ isForeign }) => isForeign)) continue;
    const steps = dividendSteps(paidDays);
    for (const { isScaled, symbol: _, ...piece } of own) {
      const parts = isScaled ? partsOf(piece, steps) : [piece];
      for (const part of parts) rows.push({ symbol, ...part });
    }
  }
  await runOne(
    connection,
    `DELETE FROM winners WHERE interval = '1d' AND symbol IN
       (SELECT unnest(from_json($1, '["VARCHAR"]')))`,
    [JSON.stringify([...new Set(rows.map(({ symbol }) => symbol))])],
  );
  await insertWinners(connection, '1d', rows);
}

/** Reads the dividends within the served bars, oldest first. */
async function readPaid(connection: DuckDBConnection): Promise<Map<string, PaidDay[]>> {
  const rows = await selectRows<PaidDay & { symbol: string }>(
    connection,
    `WITH ends AS (
       SELECT symbol, max(to_ts) AS served_to FROM winners SEMI JOIN ${SCALED} USING (symbol)
       WHERE interval = '1d' GROUP BY symbol),
     actions AS (
       SELECT a.* FROM corporate_actions a JOIN ends e ON e.symbol = a.symbol
         AND a.ex_date <= e.served_to),
     paid AS (
       SELECT symbol, ex_date, sum(amount) AS amount, count(currency) > 0 AS is_foreign
       FROM actions
       WHERE type = 'dividend' GROUP BY ALL),
     on_basis AS (
       SELECT p.symbol, p.ex_date, p.is_foreign,
         p.amount / coalesce(product(s.numerator / s.denominator), 1) AS amount
       FROM paid p LEFT JOIN actions s ON s.symbol = p.symbol AND s.type = 'split'
         AND s.ex_date > p.ex_date
       GROUP BY p.symbol, p.ex_date, p.amount, p.is_foreign)
     SELECT p.symbol, ${sqlDay('p.ex_date')} AS "exDay", p.amount, p.is_foreign AS "isForeign",
       arg_max(b.close * w.factor, b.ts) AS "closeBefore"
     FROM on_basis p JOIN winners w ON w.symbol = p.symbol AND w.interval = '1d'
     JOIN bars b ON b.series_id = w.series_id AND b.ts BETWEEN w.from_ts AND w.to_ts
       AND b.ts < p.ex_date AND b.ts >= p.ex_date - INTERVAL ${CLOSE_DAYS_MAX} DAY
     GROUP BY p.symbol, p.ex_date, p.amount, p.is_foreign ORDER BY p.symbol, p.ex_date`,
  );
  return Map.groupBy(rows, ({ symbol }) => symbol);
}

/** Product of the factors of the dividends from a day on, on the days before it. */
interface DividendStep {
  exDay: number;
  factor: number;
}

/** @returns a step for each ex-date, oldest first. */
export function dividendSteps(paid: readonly PaidDay[]): DividendStep[] {
  const steps: DividendStep[] = [];
  let later = 1;
  for (const { exDay, amount, closeBefore } of paid.toReversed()) {
    // The served close is lower than the one of the day by the dividend and all later ones.
    const exClose = closeBefore / later;
    later *= exClose / (exClose + amount);
    steps.unshift({ exDay, factor: later });
  }
  return steps;
}

/** Cuts a piece at the ex-dates within it. */
export function partsOf(piece: Piece, steps: readonly DividendStep[]): Piece[] {
  const volumeFactor = piece.splitFactor ?? piece.factor;
  const parts: Piece[] = [];
  let { fromUs } = piece;
  for (const { exDay, factor } of [...steps, { exDay: Number.POSITIVE_INFINITY, factor: 1 }]) {
    const toUs = Math.min(piece.toUs, microsFromDay(exDay) - 1);
    if (toUs < fromUs) continue;
    parts.push({ ...piece, fromUs, toUs, splitFactor: volumeFactor / factor });
    fromUs = toUs + 1;
    if (toUs === piece.toUs) break;
  }
  return parts;
}
