/** `bench backfill`: options to a measured document. */

import duckdbPackage from '@duckdb/node-api/package.json' with { type: 'json' };
import { benchBackfill, DUCKDB } from '../../../bench/command/backfill/bench.ts';
import { OURS } from '../../../bench/command/report/document.ts';
import { UsageError } from '../../base/errors.ts';
import { type BenchOptions, runBench, version } from './run.ts';

const SIZES = {
  quick: { symbols: 50, bars: 2520, rounds: 5 },
  full: { symbols: 1000, bars: 2520, rounds: 7 },
};

export async function runBackfill(options: BenchOptions): Promise<void> {
  const { quick, data } = options;
  const size = SIZES[quick ? 'quick' : 'full'];
  const { symbols = size.symbols, bars = size.bars, rounds = size.rounds } = options;
  if (data !== undefined && (options.symbols ?? options.bars) !== undefined) {
    throw new UsageError(
      '--data of bench backfill is loaded whole: leave out --symbols and --bars',
    );
  }
  await runBench('backfill', options, async (_output, onProgress) => ({
    ...(await benchBackfill({ data, symbols, bars, rounds, onProgress })),
    programs: [
      { name: OURS, version, driven: 'backfill files candles, a process each round' },
      {
        name: DUCKDB,
        version: duckdbPackage.version,
        driven: 'CREATE TABLE AS SELECT … FROM the files',
        isFloor: true,
      },
    ],
    missing: [],
  }));
}
