import type { MarketDb } from './open.ts';
import { selectRows } from './sql-rows.ts';

/**
 * Returns the mark of a load; undefined if there is none. A rebuilt or restored store numbers its
 * loads again, so the number alone does not identify a state.
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
