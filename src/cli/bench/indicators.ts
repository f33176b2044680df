/** `bench indicators`: options to a measured document. */

import { benchIndicators, COPY } from '../../../bench/command/indicators/bench.ts';
import { NEXT_BARS } from '../../../bench/command/indicators/work.ts';
import { closePeers, findPeers } from '../../../bench/command/peers/find.ts';
import { OURS } from '../../../bench/command/report/document.ts';
import { process } from '../../base/world/process.ts';
import { defaultParams, indicatorCatalogue } from '../../compute/indicators/catalogue.ts';
import {
  type IndicatorRequest,
  indicatorRequests,
} from '../../compute/indicators/indicator-request.ts';
import { type BenchOptions, runUniverseBench, version } from './run.ts';

export interface IndicatorsOptions extends BenchOptions {
  indicators?: string;
  peers?: string;
  python?: string;
  peer?: string[];
  peerCommand?: string[];
}

const SIZES = {
  quick: { symbols: 100, bars: 2520, rounds: 7, sampleMs: 20 },
  full: { symbols: 1000, bars: 2520, rounds: 11, sampleMs: 100 },
};

export async function runIndicators(options: IndicatorsOptions): Promise<void> {
  const requests = requestsFrom(options.indicators);
  await runUniverseBench('indicators', options, SIZES, async ({ universe, size, onProgress }) => {
    const { drivers, missing } = await findPeers(
      {
        peers: options.peers?.split(',').map((name) => name.trim()),
        python: options.python,
        files: options.peer ?? [],
        commands: options.peerCommand ?? [],
        folder: process.cwd(),
      },
      { symbols: universe.symbols, series: universe.bars, nextBars: NEXT_BARS },
    );
    try {
      const { rounds, sampleMs } = size;
      const bench = { universe, requests, drivers, rounds, sampleMs, onProgress };
      const result = await benchIndicators(bench);
      const driven = 'eight symbols side by side in WebAssembly, over Float64 columns';
      return {
        ...result,
        programs: [{ name: OURS, version, driven }, ...drivers.map(({ program }) => program)],
        missing,
        rules: [...result.rules, `"${COPY}" copies one input into each output, in the same memory`],
      };
    } finally {
      await closePeers(drivers);
    }
  });
}

function requestsFrom(list: string | undefined): IndicatorRequest[] {
  if (list !== undefined) return indicatorRequests(list, '1d');
  return indicatorCatalogue.map((spec) => ({ key: spec.name, spec, params: defaultParams(spec) }));
}
