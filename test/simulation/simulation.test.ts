/** Nights of a simulated fleet: docs/faults.md says what they cover. */

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { scaled } from '../faults/scale.ts';
import { sharedFolder } from '../support/folders.ts';
import { long } from '../support/store-runs.ts';
import { growthOf } from './left-over.ts';
import { BUGS } from './planted/bugs.ts';
import { seedsToCatch } from './planted.ts';
import { shrink } from './shrink.ts';

const RUN = fileURLToPath(new URL('run.ts', import.meta.url));
const ROOT = new URL('../../', import.meta.url);

// Each process loads the program; the first one compiles it for all.
process.env.NODE_COMPILE_CACHE = sharedFolder();

function run(...args: string[]): { status: number | null; stdout: string } {
  const option = '--disallow-code-generation-from-strings';
  return spawnSync(process.execPath, [option, RUN, ...args], { encoding: 'utf8', maxBuffer: 1e8 });
}

/** Returns the story of each night: steps count from 1 in each. */
function nightsIn(stdout: string): string[][] {
  const nights: string[][] = [];
  let last = Number.POSITIVE_INFINITY;
  for (const line of stdout.split('\n')) {
    const [, step] = /^(\d+) \d+ ms /.exec(line) ?? [];
    if (step === undefined) continue;
    if (Number(step) < last) nights.push([]);
    nights.at(-1)?.push(line);
    last = Number(step);
  }
  return nights;
}

describe('a simulated night', () => {
  it('breaks no promise, from any seed', () => {
    // The short form has of each kind the first night that failed once.
    const { status, stdout } = run(...scaled(['--listed', '1'], ['--seeds', '1000']));
    expect(stdout).toMatch(/activations: kill [1-9]/);
    expect(stdout).toMatch(/ 0 failed$/m);
    expect(status).toBe(0);
  });

  long('breaks no promise from seeds that failed once', () => {
    const { stdout } = run('--listed', '1000');
    expect(stdout).toMatch(/^activations: /m);
    expect(stdout).toMatch(/ 0 failed$/m);
  });

  it('is told in the same bytes from the same seed, after others, in any process, up to any step', () => {
    const told = (seeds: string, until: string, nights: string) =>
      nightsIn(run('--seed', seeds, '--trace', '--until', until, '--night', nights).stdout);
    const nights = told('7,7', scaled('200', '1000'), 'fleet,files,work,accounts,queue,whole');
    expect(nights.flat().length).toBeGreaterThan(scaled(2300, 4800));
    expect(nights.slice(0, 6)).toEqual(nights.slice(6));
    const [fleet, loads, other, otherLoads, ...again] = told('7,8,7', '100', 'fleet,loads');
    expect(again).toEqual([fleet, loads]);
    expect([other, otherLoads]).not.toEqual(again);
    expect(nights[0].slice(0, fleet.length)).toEqual(fleet);
  });
});

describe('a planted bug', () => {
  const short = [
    'no fsync of a file',
    'loads have no epoch',
    'the position of a copy moves before its rows',
  ];
  const tried = scaled(short, [...short, 'rename before fsync']);
  it.each(BUGS.filter(({ name }) => tried.includes(name)))('is caught: $name', (bug) => {
    expect(seedsToCatch(bug)?.seeds).toBeLessThan(200);
  });

  it.each(BUGS)('fits one place of the program: $name', ({ file, from, to }) => {
    const text = readFileSync(new URL(file, ROOT), 'utf8');
    expect(text.split(from)).toHaveLength(2);
    expect(to).not.toBe(from);
  });
});

describe('what a process holds', () => {
  const held = (bytesOf: (seed: number) => number, filesOf: (seed: number) => number) =>
    Array.from({ length: 40 }, (_, seed) => ({
      pid: 1,
      bytes: bytesOf(seed),
      files: filesOf(seed),
    }));

  it('may differ from seed to seed, and not grow with them', () => {
    const even = held(
      (seed) => 50e6 + (seed % 7) * 1e6,
      (seed) => 24 + (seed % 2),
    );
    expect(growthOf(even).violations).toEqual([]);
    expect(growthOf(even).told).toHaveLength(1);
    const growing = held(
      (seed) => 50e6 + seed * 0.5e6,
      () => 24,
    );
    expect(growthOf(growing).violations).toHaveLength(1);
    const opening = held(
      () => 50e6,
      (seed) => 24 + Math.floor(seed / 10),
    );
    expect(growthOf(opening).violations).toHaveLength(1);
  });
});

describe('shrinking', () => {
  it('finds the two faults that a failure needs', async () => {
    const happened = Array.from({ length: 20 }, (_, i) => `kill#${i}`);
    const fails = async (faults: ReadonlySet<string>) =>
      faults.has('kill#3') && faults.has('kill#17');
    expect(await shrink(happened, fails)).toEqual(['kill#3', 'kill#17']);
  });

  it('ends with no fault where the program fails without one', async () => {
    expect(await shrink(['kill#1', 'kill#2'], async () => true)).toEqual([]);
  });
});
