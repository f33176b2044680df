import { expect, it } from 'vitest';
import type { Step } from '../../src/steps.ts';
import { runFlow } from './flow.ts';
import { isCertain } from './places.ts';
import { inFreshFolder, runChild, stateOf } from './run-child.ts';
import { each, isLong, ours, scaled, seededRandom, TIMEOUT_MS, tell } from './scale.ts';
import { type Point, pointsOf, type Stage, withUndisturbed } from './undisturbed.ts';

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

/** In the short form the seed says which point of each name. */
function pointsToDieAt(stages: readonly Stage[], random: () => number): Point[] {
  const points = pointsOf(stages);
  if (isLong) return ours(points);
  return SHORT.map((name) => {
    const named = points.filter(({ place }) => place.startsWith(name));
    return named[Math.floor(random() * named.length)];
  });
}

/** The same command again. @returns how long it took, in milliseconds. */
async function recover(dataDir: string, stages: readonly Stage[], title: string): Promise<number> {
  const startMs = performance.now();
  const [first, last] = [stages[0], stages[stages.length - 1]];
  await runFlow(dataDir, { from: first.from, to: last.to });
  const ms = performance.now() - startMs;
  expect(await stateOf(dataDir), title).toEqual(last.state);
  return ms;
}

function dieAt({ stage, place }: Point): Promise<number> {
  return inFreshFolder(async (dataDir) => {
    stage.prepare(dataDir);
    const { isKilled, steps } = await runChild('flow-child.ts', [
      ...[dataDir, place],
      ...[stage.from, stage.to].map(String),
    ]);
    if (isCertain(place)) expect([isKilled, steps.at(-1)]).toEqual([true, place]);
    return recover(dataDir, [stage], `stage ${stage.from}, ${place}`);
  });
}

function dieAfter(ms: number, stages: readonly Stage[]): Promise<number> {
  return inFreshFolder(async (dataDir) => {
    const { steps } = await runChild('flow-child.ts', [dataDir, '0'], ms);
    return recover(dataDir, stages, `after ${ms} ms: ${steps.at(-1)}`);
  });
}

it(
  'a flow killed at any point, or at any time, ends as one that was not',
  () =>
    withUndisturbed(async (stages) => {
      const random = seededRandom(20260701);
      const whole = stages[stages.length - 1].state;
      expect(whole.data.rows).toBeGreaterThan(250);
      expect(whole.told.ids.length).toBeGreaterThan(5);
      const recoveriesMs: number[] = [];
      const points = pointsToDieAt(stages, random);
      await each(points, async (point) => {
        recoveriesMs.push(await dieAt(point));
      });
      const wholeMs = stages.reduce((sum, { ms }) => sum + ms, 0);
      const times = Array.from({ length: scaled(1, 100) }, () => Math.round(random() * wholeMs));
      const ourTimes = isLong ? ours(times) : times;
      await each(ourTimes, async (ms) => {
        recoveriesMs.push(await dieAfter(ms, stages));
      });
      tell('killed', {
        ...{ points: points.length, times: ourTimes.length, losses: 0 },
        'ms to recover at most': Math.round(Math.max(...recoveriesMs)),
      });
    }),
  TIMEOUT_MS,
);
