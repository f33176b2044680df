import { expect, it } from 'vitest';
import type { Step } from '../../src/steps.ts';
import { runFlow } from './flow.ts';
import { inFreshFolder, runChild, stateOf } from './run-child.ts';
import { isLong, scaled, seededRandom, TIMEOUT_MS, tell } from './scale.ts';

/** Those after which the disk looks most different; the long form takes every point. */
const SHORT: readonly Step[] = [
  'write file',
  'rename file',
  'remove file',
  'commit rows',
  'rows committed',
  'checkpoint store',
  'move position',
];

/** Numbers of the points to die at; in the short form the seed says which of each name. */
function pointsOf(steps: readonly string[], random: () => number): number[] {
  if (isLong) return steps.map((_, i) => i + 1);
  return SHORT.map((name) => {
    const places = steps.flatMap((step, i) => (step.startsWith(name) ? [i + 1] : []));
    return places[Math.floor(random() * places.length)];
  });
}

it(
  'a flow killed at any point, or at any time, ends as one that was not',
  async () => {
    const random = seededRandom(20260701);
    const { whole, expected } = await inFreshFolder(async (dataDir) => {
      const run = await runChild('flow-child.ts', [dataDir, '0']);
      return { whole: run, expected: await stateOf(dataDir) };
    });
    expect(expected.data.rows).toBeGreaterThan(250);
    expect(expected.told.ids.length).toBeGreaterThan(5);
    let slowestMs = 0;
    const recover = async (dataDir: string, place: string) => {
      const startMs = performance.now();
      await runFlow(dataDir);
      slowestMs = Math.max(slowestMs, performance.now() - startMs);
      expect(await stateOf(dataDir), place).toEqual(expected);
    };
    const points = pointsOf(whole.steps, random);
    for (const point of points) {
      await inFreshFolder(async (dataDir) => {
        const { isKilled, steps } = await runChild('flow-child.ts', [dataDir, String(point)]);
        expect([isKilled, steps.length]).toEqual([true, point]);
        await recover(dataDir, `${point} ${steps.at(-1)}`);
      });
    }
    const times = scaled(2, 100);
    for (let i = 0; i < times; i++) {
      const tillMs = Math.round(random() * whole.ms);
      await inFreshFolder(async (dataDir) => {
        const { steps } = await runChild('flow-child.ts', [dataDir, '0'], tillMs);
        await recover(dataDir, `after ${tillMs} ms: ${steps.at(-1)}`);
      });
    }
    const ms = Math.round(slowestMs);
    tell('killed', { points: points.length, times, losses: 0, 'ms to recover at most': ms });
  },
  TIMEOUT_MS,
);
