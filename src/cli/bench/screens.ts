/** `bench screens`: options to a measured document. */

import { OURS } from '../../../bench/command/report/document.ts';
import { benchScreens } from '../../../bench/command/screens/bench.ts';
import { type BenchOptions, runUniverseBench, version } from './run.ts';

export interface ScreensOptions extends BenchOptions {
  where?: string[];
  python?: string;
}

const SIZES = {
  quick: { symbols: 500, bars: 2520, rounds: 7 },
  full: { symbols: 10_000, bars: 2520, rounds: 11 },
};

export async function runScreens(options: ScreensOptions): Promise<void> {
  const { where: own = [], python } = options;
  await runUniverseBench('screens', options, SIZES, async ({ universe, size, onProgress }) => {
    const { rounds } = size;
    const result = await benchScreens({ universe, own, python, rounds, onProgress });
    const driven = 'expressions over columns of serving files, as requests run them';
    return { ...result, programs: [{ name: OURS, version, driven }, ...result.programs] };
  });
}
