/**
 * Reads a folder while it is published to, until it is stopped, and checks that each result is of
 * one version. In universes of `published-fixture.ts` every number tells its seed.
 */

import assert from 'node:assert/strict';
import { parentPort, workerData } from 'node:worker_threads';
import { DAILY_INTERVALS } from '../../../../src/base/time/intervals.ts';
import { openServing } from '../../../../src/store/arrow/read/reader.ts';
import type { Snapshot } from '../../../../src/store/arrow/snapshot/snapshot.ts';
import { INDICATORS, universeOf } from './published-fixture.ts';

const { dir, symbolCount, rowCount } = workerData as {
  dir: string;
  symbolCount: number;
  rowCount: number;
};
const failures: string[] = [];
const versions = new Set<string>();
let answers = 0;
let isStopped = false;

/** Everything but the last row, which slices change, follows from the first close. */
function checkAnswer(snapshot: Snapshot): void {
  const seed = (snapshot.bars('A0', '1d').close[0] - 0.4) / 1000;
  const expected = universeOf(symbolCount, rowCount, Math.round(seed));
  const quoted = snapshot.quote('A0')?.price;
  assert.equal(snapshot.symbols.length, symbolCount);
  for (const name of snapshot.symbols) {
    for (const interval of DAILY_INTERVALS) {
      const { bars, indicators } = expected[name][interval];
      const end = bars.close.length - 1;
      const range = { start: 0, end };
      assert.deepEqual(snapshot.bars(name, interval, range).close, bars.close.slice(0, end));
      const columns = snapshot.indicators(name, interval, INDICATORS, range);
      assert.deepEqual(
        columns,
        indicators.map((column) => column.slice(0, end)),
      );
    }
    const last = snapshot.rowCount(name, '1d') - 1;
    const newest = snapshot.bars(name, '1d', { start: last, end: last + 1 });
    assert.equal(newest.close[0], snapshot.quote(name)?.price);
    assert.equal(snapshot.quote(name)?.volume, snapshot.quote('A0')?.volume);
  }
  assert.equal(snapshot.quote('A0')?.price, quoted);
}

const reader = openServing(dir, { pollMs: 1, onError: (error) => failures.push(String(error)) });

function step(): void {
  try {
    const snapshot = reader.current();
    checkAnswer(snapshot);
    versions.add(snapshot.id);
    answers++;
  } catch (error) {
    failures.push(String(error));
  }
  // A held snapshot stays unchanged across event-loop ticks, so the timer may run now.
  if (!isStopped) setImmediate(step);
  else parentPort?.postMessage({ answers, versions: versions.size, failures });
}

parentPort?.once('message', () => {
  isStopped = true;
});
step();
parentPort?.postMessage('ready');
