import { once } from 'node:events';
import { readdirSync, readlinkSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { openPublished } from '../../src/store/arrow/read/reader.ts';
import { publishNumber, ROWS, SYMBOLS } from '../store/arrow/support/publish-number.ts';
import { contentOf } from '../store/arrow/support/published-fixture.ts';
import { freshFolder } from '../support/folders.ts';
import { scaled, TIMEOUT_MS, tell } from './scale.ts';

const THREADS = 4;

interface ThreadResult {
  answers: number;
  versions: number;
  failures: string[];
}

/** Files of a folder that were removed and are still open in this process. */
function removedAndOpen(dir: string): string[] {
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${fd}`);
      return path.startsWith(dir) && path.endsWith('(deleted)') ? [path] : [];
    } catch {
      return [];
    }
  });
}

it(
  'four threads that read through many publishes get every answer from one version',
  async () => {
    const dir = freshFolder();
    await publishNumber(dir, 0);
    const module = new URL('../store/arrow/support/reading-thread.ts', import.meta.url);
    const workerData = { dir, symbolCount: SYMBOLS, rowCount: ROWS };
    const threads = Array.from({ length: THREADS }, () => new Worker(module, { workerData }));
    await Promise.all(threads.map((thread) => once(thread, 'message')));
    const publishes = scaled(14, 1000);
    for (let i = 1; i < publishes; i++) await publishNumber(dir, i);
    const results = await Promise.all(
      threads.map(async (thread) => {
        thread.postMessage('stop');
        const [result] = (await once(thread, 'message')) as [ThreadResult];
        await thread.terminate();
        return result;
      }),
    );
    for (const { failures, versions, answers } of results) {
      expect(failures).toEqual([]);
      expect(versions).toBeGreaterThan(publishes / 20);
      expect(answers).toBeGreaterThanOrEqual(versions);
    }
    const answers = results.reduce((sum, result) => sum + result.answers, 0);
    tell('publishes under four reading threads', { publishes, answers, 'mixed answers': 0 });
  },
  TIMEOUT_MS,
);

it.skipIf(process.platform !== 'linux')(
  'a snapshot keeps its removed files for as long as somebody holds it',
  async () => {
    const dir = freshFolder();
    await publishNumber(dir, 0);
    let held = openPublished(dir);
    const before = held && contentOf(held);
    for (let i = 1; i < 10; i++) await publishNumber(dir, i);
    expect(held && contentOf(held)).toEqual(before);
    expect(removedAndOpen(dir)).not.toEqual([]);
    held = undefined;
    setFlagsFromString('--expose-gc');
    const gc: () => void = runInNewContext('gc');
    for (let turn = 0; turn < 50 && removedAndOpen(dir).length > 0; turn++) {
      gc();
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(removedAndOpen(dir)).toEqual([]);
  },
  TIMEOUT_MS,
);
