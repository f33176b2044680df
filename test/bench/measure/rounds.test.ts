/** Rounds over a clock that only the candidates move. */

import { expect, it } from 'vitest';
import { measureRounds } from '../../../bench/command/measure/rounds.ts';

it('runs each candidate once per round, and leaves out the warm-up', async () => {
  const runs: string[] = [];
  let nowMs = 0;
  const candidate = (id: string, ms: number) => ({
    id,
    run() {
      runs.push(id);
      nowMs += ms;
    },
  });
  const samples = await measureRounds([candidate('a', 3), candidate('b', 5)], {
    rounds: 2,
    warmupRounds: 1,
    nowMs: () => nowMs,
  });
  expect(runs.join('')).toBe('ababab');
  expect([...samples]).toEqual([
    ['a', [3, 3]],
    ['b', [5, 5]],
  ]);
});

it('repeats quick work until a sample is long enough', async () => {
  let nowMs = 0;
  let runs = 0;
  const run = () => {
    runs++;
    nowMs += 2;
  };
  const samples = await measureRounds([{ id: 'quick', run }], {
    rounds: 1,
    warmupRounds: 1,
    sampleMsMin: 9,
    nowMs: () => nowMs,
  });
  expect([runs, samples.get('quick')]).toEqual([1 + 5, [2]]);
});

it('starts a process once a sample, and none in a warm-up', async () => {
  let runs = 0;
  const run = () => {
    runs++;
    return 0.001;
  };
  await measureRounds([{ id: 'process', run, isSingle: true }], {
    rounds: 2,
    warmupRounds: 1,
    sampleMsMin: 9,
  });
  expect(runs).toBe(2);
});

it('takes the time that a candidate gives', async () => {
  const samples = await measureRounds([{ id: 'own', run: async () => 42 }], {
    rounds: 1,
    warmupRounds: 0,
  });
  expect(samples.get('own')).toEqual([42]);
});
