/** Usage of days that are long past into months; reports stay as they are. */

import { existsSync } from 'node:fs';
import { openAccountUpkeep } from '../../src/store/sqlite/upkeep.ts';

/** @param path `accountsPath`. @returns rows of days, and months of a key that they were of. */
export function rollUp(path: string, nowMs: number): Record<'days' | 'keyMonths', number> {
  if (!existsSync(path)) return { days: 0, keyMonths: 0 };
  const upkeep = openAccountUpkeep(path, () => nowMs);
  try {
    return { ...upkeep.rollUp() };
  } finally {
    upkeep.close();
  }
}
