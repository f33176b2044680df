/** `bench screens`: options to a measured document. */

import { loadUniverse } from '../../bench/data/universe.ts';
import { OURS } from '../../bench/report/document.ts';
import { benchScreens } from '../../bench/screens/bench.ts';
import type { BenchOptions } from './options.ts';
import { runBench, version } from './run.ts';

export interface ScreensOptions extends BenchOptions {
  where?: string[];
  python?: string;
}

const SIZES = {
  quick: { symbols: 500, bars: 2520, rounds: 7 },
  full: { symbols: 10_000, bars: 2520, rounds: 11 },
};

export async function runScreens(options: ScreensOptions): Promise<void> {
  const { quick, data, symbols, bars, where: own = [], python } = options;
  const size = SIZES[quick ? 'quick' : 'full'];
  await runBench('screens', options, async (output, onProgress) => {
    const universe = await loadUniverse({ data, symbols, bars, defaults: size });
    output.note(universe.description);
    const { rounds = size.rounds } = options;
    const result = await benchScreens({ universe, own, python, rounds, onProgress });
    const driven = 'expressions over columns of serving files, as requests run them';
    return {
      ...result,
      data: universe.description,
      isSynthetic: universe.isSynthetic,
      programs: [{ name: OURS, version, driven }, ...result.programs],
    };
  });
}
