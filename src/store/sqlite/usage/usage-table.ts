/**
 * A hash table of counters in memory that threads share. Whoever counts first under an id claims a
 * row for it by one atomic step; rows are never given back, so that nobody waits for anybody.
 */

import { limits } from '../../../base/limits/limits.ts';
import type { UsageMemory } from './count-memory.ts';

export interface Counters {
  calls: number;
  errors: number;
  tokens: number;
  /** Milliseconds since the epoch. */
  lastUsedMs: number;
}

export interface UsageTable {
  /**
   * @param id Below 2⁵³, not zero.
   * @returns false where there is no row for it.
   */
  add(id: number, counters: Counters): boolean;
  /** Takes out what was counted since the last time. Only one thread may do so at a time. */
  take(): (Counters & { id: number })[];
}

/** Elements of the head: rows in use, and how often anything was counted. */
const ROW_COUNT = 0;
const CHANGES = 1;

/** Rows that are looked at before the table counts as full. */
const PROBES_MAX = 256;

export function createUsageTable(memory: UsageMemory): UsageTable {
  const ids = new BigUint64Array(memory.ids);
  const calls = new Int32Array(memory.calls);
  const errors = new Int32Array(memory.errors);
  const tokens = new BigInt64Array(memory.tokens);
  const lastUsed = new Float64Array(memory.lastUsed);
  const order = new Int32Array(memory.order);
  const head = new Int32Array(memory.head);

  /** The row of an id, claimed where it is new; −1 where none is free near its place. */
  function rowOf(id: number): number {
    const wanted = BigInt(id);
    const mask = limits.counts.usageRowsMax - 1;
    let row = placeOf(id) & mask;
    for (let probe = 0; probe < PROBES_MAX; probe++) {
      let found = Atomics.load(ids, row);
      if (found === 0n) {
        found = Atomics.compareExchange(ids, row, 0n, wanted);
        if (found === 0n) {
          Atomics.store(order, Atomics.add(head, ROW_COUNT, 1), row + 1);
          return row;
        }
      }
      if (found === wanted) return row;
      row = (row + 1) & mask;
    }
    return -1;
  }

  function takeRow(row: number): Counters & { id: number } {
    return {
      id: Number(ids[row]),
      calls: Atomics.exchange(calls, row, 0),
      errors: Atomics.exchange(errors, row, 0),
      tokens: Number(Atomics.exchange(tokens, row, 0n)),
      lastUsedMs: lastUsed[row],
    };
  }

  return {
    add(id, counters) {
      const row = rowOf(id);
      if (row < 0) return false;
      if (counters.lastUsedMs > lastUsed[row]) lastUsed[row] = counters.lastUsedMs;
      Atomics.add(calls, row, counters.calls);
      if (counters.errors > 0) Atomics.add(errors, row, counters.errors);
      if (counters.tokens > 0) Atomics.add(tokens, row, BigInt(counters.tokens));
      Atomics.add(head, CHANGES, 1);
      return true;
    },
    take() {
      if (Atomics.exchange(head, CHANGES, 0) === 0) return [];
      const rowCount = Atomics.load(head, ROW_COUNT);
      const places = Array.from({ length: rowCount }, (_, i) => Atomics.load(order, i) - 1);
      // Below zero where a row is being claimed this very moment: it comes next time.
      return places
        .filter((row) => row >= 0)
        .map(takeRow)
        .filter((row) => row.calls > 0 || row.errors > 0 || row.tokens > 0);
    },
  };
}

/** Spreads ids, whose parts are small numbers, over the table. */
function placeOf(id: number): number {
  const mixed = Math.imul((id >>> 0) ^ Math.floor(id / 2 ** 32), 0x9e3779b1);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}
