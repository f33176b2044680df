/** `bench serving`: options to a measured document. */

import expressPackage from 'express/package.json' with { type: 'json' };
import { loadUniverse } from '../../bench/data/universe.ts';
import { OURS } from '../../bench/report/document.ts';
import { benchServing, EXPRESS } from '../../bench/serving/bench.ts';
import type { BenchOptions } from './options.ts';
import { runBench, version } from './run.ts';

const SIZES = {
  quick: { symbols: 100, bars: 5000, rounds: 5, durationMs: 1000 },
  full: { symbols: 1000, bars: 5000, rounds: 11, durationMs: 2000 },
};

export async function runServing(options: BenchOptions): Promise<void> {
  const { quick, data, symbols, bars } = options;
  const size = SIZES[quick ? 'quick' : 'full'];
  await runBench('serving', options, async (_output, onProgress) => {
    const universe = await loadUniverse({ data, symbols, bars, defaults: size });
    const { rounds = size.rounds } = options;
    const { durationMs } = size;
    const result = await benchServing({ universe, rounds, durationMs, onProgress });
    return {
      ...result,
      data: universe.description,
      isSynthetic: universe.isSynthetic,
      programs: [
        { name: OURS, version, driven: 'the API as serve runs it, with keys, limits and a log' },
        {
          name: EXPRESS,
          version: expressPackage.version,
          driven: 'one handler that sends the same bytes',
          isFloor: true,
        },
      ],
      missing: [],
    };
  });
}
