/** Which state of which market store a version shows. */

import type { MarketDb } from './open.ts';
import { selectRows } from './sql-rows.ts';

/**
 * Names the load that a change number belongs to. A store that was rebuilt or restored counts
 * anew, so the number alone does not say that two states are the same.
 *
 * @returns undefined where the store has no such load.
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
