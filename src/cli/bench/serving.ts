/** `bench serving`: options to a measured document. */

import expressPackage from 'express/package.json' with { type: 'json' };
import { OURS } from '../../../bench/command/report/document.ts';
import { benchServing, EXPRESS } from '../../../bench/command/serving/bench.ts';
import { type BenchOptions, runUniverseBench, version } from './run.ts';

const SIZES = {
  quick: { symbols: 100, bars: 5000, rounds: 5, durationMs: 1000 },
  full: { symbols: 1000, bars: 5000, rounds: 11, durationMs: 2000 },
};

export async function runServing(options: BenchOptions): Promise<void> {
  await runUniverseBench('serving', options, SIZES, async ({ universe, size, onProgress }) => {
    const { rounds, durationMs } = size;
    const ours = 'the API as serve runs it, with keys, limits and a log';
    const theirs = 'one handler that sends the same bytes';
    return {
      ...(await benchServing({ universe, rounds, durationMs, onProgress })),
      programs: [
        { name: OURS, version, driven: ours },
        { name: EXPRESS, version: expressPackage.version, driven: theirs, isFloor: true },
      ],
      missing: [],
    };
  });
}
