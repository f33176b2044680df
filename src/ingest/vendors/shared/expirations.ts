import type { UncheckedRow } from '../../rows/stage-rows.ts';

export interface ExpirationsRequest {
  symbol: string;
  /** Earlier days are left out: their options have ended. */
  todayDay: number;
  asOfMs: number;
}

/** Makes a row of each day, ascending, each day once. */
export function expirationRows(
  days: Iterable<number>,
  { symbol, todayDay, asOfMs }: ExpirationsRequest,
): UncheckedRow[] {
  return [...new Set(days)]
    .filter((day) => day >= todayDay)
    .sort((a, b) => a - b)
    .map((date) => ({ row: { symbol, asOf: asOfMs, date } }));
}
