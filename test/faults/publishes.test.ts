import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { publishNumber, ROWS, SYMBOLS } from '../store/arrow/support/publish-number.ts';
import { freshFolder } from '../support/folders.ts';
import { runChild } from './children/run.ts';
import { scaled, tell } from './scale.ts';

const THREADS = 4;

interface ThreadResult {
  answers: number;
  versions: number;
  failures: string[];
}

it('four threads that read through many publishes get every answer from one version', async () => {
  const dir = freshFolder();
  await publishNumber(dir, 0);
  const module = new URL('../store/arrow/support/reading-thread.ts', import.meta.url);
  const workerData = { dir, symbolCount: SYMBOLS, rowCount: ROWS };
  const threads = Array.from({ length: THREADS }, () => new Worker(module, { workerData }));
  await Promise.all(threads.map((thread) => once(thread, 'message')));
  const publishes = scaled(6, 1000);
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
});

it.skipIf(process.platform !== 'linux')(
  'a snapshot keeps its removed files for as long as somebody holds it',
  async () => {
    const { steps, notes, code } = await runChild('hold.ts', [freshFolder()]);
    expect([code, notes]).toEqual([0, []]);
    const { isSame, held, left } = JSON.parse(steps.join(''));
    expect(isSame).toBe(true);
    expect(held).not.toEqual([]);
    expect(left).toEqual([]);
  },
);
