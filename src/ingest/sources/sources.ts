/** Every source: the user's files, the vendors, and the synthetic market. */

import { datasets, rowDatasets } from '../../base/datasets/datasets.ts';
import { SourceEmptyError } from '../../base/errors.ts';
import type { FetchContext, Fetched } from '../contract/fetch-context.ts';
import type { ProbeContext, Source } from '../contract/source.ts';
import type { SourceOptions } from '../contract/source-options.ts';
import { vendors } from '../vendors/vendors.ts';
import { anySource } from './any.ts';

const fileSources: readonly Source[] = [
  {
    id: 'stooq',
    title: 'Stooq bulk downloads, US bars of days and 5 minutes',
    datasets: ['candles'],
    history:
      'whole daily histories, some from 1970 on, 5 minutes of recent weeks; adjusted for splits and dividends',
    delay: 'as of the day of the download',
    cost: 'free; the zip is downloaded by hand, behind a CAPTCHA',
    keyNeeded: false,
    terms: 'https://stooq.com/about/',
    redistribution: 'no',
    verified: 'a real bulk file of 33 funds to July 2026',
    async load() {
      return { fetch: (await import('../files/source.ts')).fetchStooq };
    },
  },
  {
    id: 'files',
    title: 'Your own CSV, JSON or Parquet files of every dataset; bars of days, 1 or 5 minutes',
    datasets: ['candles', ...datasets.map(({ name }) => name)],
    history: 'as in the files',
    delay: 'as in the files',
    cost: 'none',
    keyNeeded: false,
    terms: 'those of the origin of the files',
    redistribution: 'as the origin of the files allows',
    verified: 'real files of ten vendors and tools',
    load: async () => ({ fetch: fetchFiles }),
  },
];

/** Reads files of a dataset, with the code that the dataset needs. */
async function* fetchFiles(options: SourceOptions, context: FetchContext): AsyncGenerator<Fetched> {
  if (rowDatasets.some(({ name }) => name === options.dataset)) {
    yield* (await import('../rows/files.ts')).fetchDatasetFiles(options, context);
  } else if (options.dataset === 'symbols') {
    yield* (await import('../directory/symbol-files.ts')).fetchSymbolFiles(options, context);
  } else {
    yield* (await import('../files/source.ts')).fetchFiles(options, context);
  }
}

const sandbox: Source = {
  id: 'sandbox',
  title: 'Synthetic market of companies that do not exist',
  datasets: ['candles', 'corporate-actions', 'symbols', ...rowDatasets.map(({ name }) => name)],
  history:
    'five years, ten sessions of minutes, a year and a half of news and opinions; extended to the latest completed session',
  delay: 'none',
  cost: 'none',
  keyNeeded: false,
  terms: 'none: the data is made by Tapeworks',
  redistribution: 'yes',
  verified: 'generated from a fixed seed',
  // `jobs/load/sandbox.ts` fills it.
  load: async () => ({}),
};

export const sources: readonly Source[] = [...fileSources, ...vendors, sandbox];

/** Finds a source by its name in `backfill <source>`. */
export function sourceNamed(name: string): Source | undefined {
  return [...sources, anySource].find(({ id }) => id === name);
}

/** Runs the probe of a vendor. No rows is a failure, since a probe requests data that exist. */
export async function probeSource(name: string, context: ProbeContext): Promise<number> {
  const code = await sourceNamed(name)?.load();
  const rows = await code?.probe?.(context);
  if (rows) return rows;
  throw new SourceEmptyError(`${name} answered, and has no rows where it always has some`);
}

/** Cuts a run of a source into partitions, see `SourceCode.partition`. */
export async function partitionsOf(
  source: string,
  options: SourceOptions,
  nowMs: number,
): Promise<SourceOptions[]> {
  const code = await sourceNamed(source)?.load();
  return code?.partition?.(options, nowMs) ?? [options];
}
