import { expect, it } from 'vitest';
import { fillDates } from '../../../src/api/responses/time-text.ts';

it('dates of bars change at midnight, to the microsecond, from 1685 to 2254', () => {
  const days = [-104_000, -20_000, -1, 0, 1, 20_787, 104_000];
  for (const day of days) {
    const midnight = BigInt(day) * 86_400_000_000n;
    const times = BigInt64Array.of(midnight - 1n, midnight, midnight + 1n, midnight + 999n);
    expect([...fillDates(times, new Int32Array(4))]).toEqual([day - 1, day, day, day]);
  }
});
