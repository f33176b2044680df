import { expect, it } from 'vitest';
import type { Failpoint } from '../../src/base/failpoints.ts';
import { inFreshFolder, runChild, stateOf } from './children/run.ts';
import { each, isLong, ours, scaled, seededRandom, tell } from './scale.ts';
import { runFlow } from './support/flow.ts';
import { type Point, pointsOf, type Stage, withUndisturbed } from './support/undisturbed.ts';

/**
 * Failpoints of the short form: one of a load and one of a publish, each in a stage that has it. The
 * long form takes every failpoint.
 */
const SHORT: readonly (readonly [stage: number, name: Failpoint])[] = [
  [1, 'commit rows'],
  [2, 'rename file'],
];

/** Most runs have most points. */
const REACHED_MIN = scaled(0.4, 0.6);

/** In the short form the seed says which point of each name. */
function pointsToDieAt(stages: readonly Stage[], random: () => number): Point[] {
  if (isLong) return ours(pointsOf(stages));
  return SHORT.map(([number, name]) => {
    const named = pointsOf([stages[number]]).filter(({ place }) => place.startsWith(name));
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

interface Death {
  /** A run that loads more segments at once has fewer steps of some names, and ends whole. */
  isReached: boolean;
  recoveryMs: number;
}

function dieAt({ stage, place }: Point): Promise<Death> {
  return inFreshFolder(async (dataDir) => {
    stage.prepare(dataDir);
    const { isKilled, steps, code } = await runChild('flow.ts', [
      ...[dataDir, place],
      ...[stage.from, stage.to].map(String),
    ]);
    if (isKilled) expect(steps.at(-1)).toBe(place);
    else expect([code, steps.includes(place)], place).toEqual([0, false]);
    const recoveryMs = await recover(dataDir, [stage], `stage ${stage.from}, ${place}`);
    return { isReached: isKilled, recoveryMs };
  });
}

function dieAfter(ms: number, stages: readonly Stage[]): Promise<number> {
  return inFreshFolder(async (dataDir) => {
    stages[0].prepare(dataDir);
    const range = [stages[0].from, stages[stages.length - 1].to].map(String);
    const { steps } = await runChild('flow.ts', [dataDir, '0', ...range], ms);
    return recover(dataDir, stages, `after ${ms} ms: ${steps.at(-1)}`);
  });
}

it('a flow killed at any point, or at any time, ends as one that was not', () =>
  withUndisturbed(async (stages) => {
    const random = seededRandom(20260701);
    const whole = stages[stages.length - 1].state;
    expect(whole.data.rows).toBeGreaterThan(250);
    expect(whole.told.ids.length).toBeGreaterThan(5);
    const recoveriesMs: number[] = [];
    const points = pointsToDieAt(stages, random);
    let reached = 0;
    await each(points, async (point) => {
      const { isReached, recoveryMs } = await dieAt(point);
      recoveriesMs.push(recoveryMs);
      if (isReached) reached++;
    });
    expect(reached / points.length).toBeGreaterThan(REACHED_MIN);
    const wholeMs = stages.reduce((sum, { ms }) => sum + ms, 0);
    const times = Array.from({ length: scaled(0, 100) }, () => Math.round(random() * wholeMs));
    const ourTimes = ours(times);
    await each(ourTimes, async (ms) => {
      recoveriesMs.push(await dieAfter(ms, stages));
    });
    tell('killed', {
      ...{ points: reached, 'points that were not reached': points.length - reached },
      ...{ times: ourTimes.length, losses: 0 },
      'ms to recover at most': Math.round(Math.max(...recoveriesMs)),
    });
  }));
