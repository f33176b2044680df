/** Nights that failed once, by their seeds. A seed that fails joins them. */

import type { NightName } from './run-night.ts';

export const FAILED_ONCE: Partial<Record<NightName, readonly number[]>> = {
  fleet: [69, 90, 97, 134, 142, 220, 301, 624, 4032, 62, 12033, 12177, 80090],
  files: [284, 428, 200038],
  work: [5, 12, 118, 130, 301, 314, 4058, 300000],
  queue: [
    18, 624, 3001, 4007, 4045, 6061, 30199, 40033, 50123, 51086, 163, 70137, 70169, 70019, 90007,
    70189, 80025, 80103, 47, 90011, 90091, 90096, 92033, 96051, 200283, 300000,
  ],
  loads: [3000, 3001],
  whole: [145],
};
