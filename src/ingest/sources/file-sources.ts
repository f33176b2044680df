/** Sources that read files of the user and ask nobody. */

import { datasets, rowDatasets } from '../../base/datasets/datasets.ts';
import type { Source } from '../contract/source.ts';

export const fileSources: readonly Source[] = [
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
    async *fetch(options, context) {
      yield* (await import('../files/stooq.ts')).fetchStooq(options, context);
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
    terms: 'those of whoever the files come from',
    redistribution: 'as whoever the files come from allows',
    verified: 'real files of ten vendors and tools',
    async *fetch(options, context) {
      if (rowDatasets.some(({ name }) => name === options.dataset)) {
        yield* (await import('../rows/files.ts')).fetchDatasetFiles(options, context);
      } else if (options.dataset === 'symbols') {
        yield* (await import('../directory/symbol-files.ts')).fetchSymbolFiles(options, context);
      } else {
        yield* (await import('../files/source.ts')).fetchFiles(options, context);
      }
    },
  },
];
