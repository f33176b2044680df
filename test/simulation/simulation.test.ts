/** Nights of a simulated fleet: docs/faults.md says what they cover. */

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { isLong, scaled } from '../faults/scale.ts';
import { FAILED_ONCE } from './listed-nights.ts';
import { BUGS } from './planted/bugs.ts';
import { seedsToCatch } from './planted.ts';
import { shrink } from './shrink.ts';

const RUN = fileURLToPath(new URL('run.ts', import.meta.url));
const ROOT = new URL('../../', import.meta.url);

function run(...args: string[]): { status: number | null; stdout: string } {
  return spawnSync(process.execPath, [RUN, ...args], { encoding: 'utf8', maxBuffer: 1e8 });
}

describe('a simulated night', () => {
  it('breaks no promise, from any of the listed seeds', () => {
    const { status, stdout } = run('--seeds', String(scaled(2, 1000)));
    expect(stdout).toMatch(/activations: kill [1-9]/);
    expect(stdout).toMatch(/ 0 failed$/m);
    expect(status).toBe(0);
  });

  // One of each kind; the long form has all of them.
  const firsts = Object.entries(FAILED_ONCE).map(([night, [seed]]) => [
    '--seed',
    `${seed}`,
    '--night',
    night,
  ]);
  it.each(isLong ? [['--listed']] : firsts)(
    'breaks no promise from seeds that failed once: %s %s %s %s',
    (...args) => {
      expect(run(...args).stdout).toMatch(/ 0 failed$/m);
    },
  );

  it('is told in the same bytes from the same seed, up to any step', () => {
    const told = (seed: string, until: string, nights: string) =>
      run('--seed', seed, '--trace', '--until', until, '--night', nights).stdout;
    const nights = 'fleet,files,work,accounts,queue,loads';
    const until = scaled('400', '1000');
    const stdout = told('7', until, nights);
    expect(stdout.split('\n').length).toBeGreaterThan(2000);
    expect(told('7', until, nights)).toBe(stdout);
    const story = (text: string) => text.split('\n').filter((line) => /^\d+ \d+ ms /.test(line));
    const [one, other] = ['7', '8'].map((seed) => story(told(seed, '100', 'fleet')));
    expect(story(stdout).slice(0, one.length)).toEqual(one);
    expect(other).not.toEqual(one);
  });
});

describe('a planted bug', () => {
  const short = [
    'no fsync of a file',
    'epochs are not compared',
    'checksums of bars are not compared',
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
