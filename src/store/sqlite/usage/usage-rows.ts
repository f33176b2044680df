/** Counts of usage by key, day, endpoint and method, in memory that threads share. */

import { METHODS } from 'node:http';
import { dayFromMillis } from '../../../base/time/dates.ts';
import type { CountMemory } from './count-memory.ts';
import type { KeyUse } from './usage-counts.ts';
import { type Counters, createUsageTable } from './usage-table.ts';

/** What was counted in one row since it was taken last. */
export interface UsageRowCounts extends Counters {
  keyNumber: number;
  /** Days since the epoch. */
  day: number;
  endpoint: string;
  method: string;
}

export interface UsageRows {
  /**
   * @returns false where there is no row for it: the table is full, the endpoint unknown, or an
   *   earlier day that has the same rows is not written yet.
   */
  add(use: KeyUse): boolean;
  /** Takes everything out. Only one thread may do so at a time. */
  take(): UsageRowCounts[];
  /** What was taken is written: days before yesterday give their rows to days to come. */
  freeDays(): void;
  /** Puts back what could not be written. */
  putBack(rows: readonly UsageRowCounts[]): void;
}

/** Days that are so far apart have the same rows. */
const DAYS = 4;
const METHOD_CODES = 64;
const ENDPOINT_CODES = 256;

const methodCodes = new Map(METHODS.map((method, code) => [method, code]));

export function createUsageRows({ endpoints, usage, usageDays }: CountMemory): UsageRows {
  const table = createUsageTable(usage);
  const days = new Int32Array(usageDays);
  const endpointCodes = new Map(endpoints.map((endpoint, code) => [endpoint, code]));

  /** Whether rows are of this day, or of no day, and so of this one from now on. */
  function isDayOfRows(day: number): boolean {
    const held = Atomics.compareExchange(days, day % DAYS, 0, day);
    return held === 0 || held === day;
  }

  /** Undefined where the endpoint or the method has no number. */
  function idOf({ keyNumber, day, endpoint, method }: Omit<UsageRowCounts, keyof Counters>) {
    const endpointCode = endpointCodes.get(endpoint);
    const methodCode = methodCodes.get(method);
    if (endpointCode === undefined || methodCode === undefined) return undefined;
    const route = (keyNumber * ENDPOINT_CODES + endpointCode) * METHOD_CODES + methodCode;
    return route * DAYS + (day % DAYS);
  }

  function rowOfId(id: number): Omit<UsageRowCounts, keyof Counters> {
    const route = Math.floor(id / DAYS);
    const keyAndEndpoint = Math.floor(route / METHOD_CODES);
    return {
      keyNumber: Math.floor(keyAndEndpoint / ENDPOINT_CODES),
      day: Atomics.load(days, id % DAYS),
      endpoint: endpoints[keyAndEndpoint % ENDPOINT_CODES],
      method: METHODS[route % METHOD_CODES],
    };
  }

  return {
    add({ key, atMs, endpoint, method, isError, tokens }) {
      const day = dayFromMillis(atMs);
      const id = idOf({ keyNumber: key.number, day, endpoint, method });
      if (id === undefined || !isDayOfRows(day)) return false;
      return table.add(id, { calls: 1, errors: isError ? 1 : 0, tokens, lastUsedMs: atMs });
    },
    take: () => table.take().map(({ id, ...counters }) => ({ ...rowOfId(id), ...counters })),
    freeDays() {
      const newest = Math.max(...days);
      for (const [i, day] of days.entries()) if (day < newest - 1) Atomics.store(days, i, 0);
    },
    putBack(rows) {
      for (const row of rows) table.add(idOf(row) as number, row);
    },
  };
}
