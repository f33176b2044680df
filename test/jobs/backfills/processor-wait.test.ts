/** Beside six busy programs, an upload of one row said "running" for two minutes, and no reason. */

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { notedProgress } from '../../../jobs/backfills/notes.ts';
import { isStarved, processorUse } from '../../../jobs/backfills/processor-wait.ts';
import { limits } from '../../../src/base/limits.ts';
import { freshFolder } from '../../support/folders.ts';

const SECOND = 1e9;

/** Writes a thread's file as Linux does: nanoseconds run and waited, and turns. */
function thread(folder: string, id: number, ranNs: number, waitedNs: number): void {
  mkdirSync(join(folder, String(id)), { recursive: true });
  writeFileSync(join(folder, String(id), 'schedstat'), `${ranNs} ${waitedNs} 7\n`);
}

it('sums the threads of a process, of which some begin and end', () => {
  const folder = freshFolder();
  thread(folder, 1, 5 * SECOND, SECOND);
  thread(folder, 2, 9 * SECOND, 9 * SECOND);
  const use = processorUse(folder);
  thread(folder, 1, 6 * SECOND, 3 * SECOND);
  rmSync(join(folder, '2'), { recursive: true });
  thread(folder, 3, SECOND / 2, SECOND / 4);
  expect(use()).toEqual({ ranNs: 1.5 * SECOND, waitedNs: 2.25 * SECOND });
  expect(use()).toEqual({ ranNs: 0, waitedNs: 0 });
});

it('is not known where the system has no such files', () => {
  expect(processorUse('/nowhere')()).toBeUndefined();
});

it.runIf(process.platform === 'linux')('counts what this process runs', () => {
  const use = processorUse();
  const { user } = process.cpuUsage();
  while (process.cpuUsage().user - user < 20_000);
  expect(use()?.ranNs).toBeGreaterThan(10e6);
});

it.each([
  ['six busy programs', 0.03, 0.9, true],
  ['a load of several threads beside six', 0.67, 2.3, true],
  ['a load of several threads alone on two processors', 2, 1.6, false],
  ['a wait for a vendor', 0.01, 0.02, false],
  ['a free machine', 0.9, 0.1, false],
])('%s', (_, ran, waited, expected) => {
  expect(isStarved({ ranNs: ran * SECOND, waitedNs: waited * SECOND }, 1000)).toBe(expected);
});

it('a backfill says that it waits for a processor, until it gets one', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const written: (string | null)[] = [];
  const noteBackfill = async (_id: string, _progress: unknown, waitsFor: string | null) => {
    written.push(waitsFor);
  };
  let used = { ranNs: 0.03 * SECOND, waitedNs: 0.9 * SECOND };
  const notes = notedProgress('b', { noteBackfill }, () => used);
  const next = () =>
    vi.advanceTimersByTimeAsync(limits.backfills.processorCheckMs + limits.backfills.pollMs);
  await next();
  expect(written).toEqual(['a processor: other programs keep them busy']);
  notes.onProgress?.('load', 1, 2);
  await next();
  expect(written.at(-1)).toBe('a processor: other programs keep them busy');
  notes.onWaiting?.('another process that runs backfill sec');
  await next();
  expect(written.at(-1)).toBe('another process that runs backfill sec');
  notes.onProgress?.('load', 2, 2);
  used = { ranNs: 0.5 * SECOND, waitedNs: 0 };
  await next();
  await next();
  expect(written.at(-1)).toBeNull();
  const count = written.length;
  notes.end();
  await next();
  expect(written).toHaveLength(count);
});
