/** Marks that identify a state of a market store. */

import type { MarketDb } from './open.ts';
import { selectRows } from './sql-rows.ts';

/**
 * Returns the mark of a load. A rebuilt or restored store numbers its loads again, so the number
 * alone does not identify a state.
 *
 * @returns undefined if the store has no such load.
 */
export async function readStoreMark(
  { connection }: MarketDb,
  seq: number,
): Promise<string | undefined> {
  const [load] = await selectRows<{ mark: string }>(
    connection,
    `SELECT segment || ' ' || epoch_us(loaded_at) AS mark FROM segments WHERE seq = $1`,
    [seq],
  );
  return load?.mark;
}
