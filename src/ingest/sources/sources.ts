/** Every source in one table: what it gives, what it costs, what its terms allow, how it is run. */

import { rowDatasets } from '../../base/datasets/datasets.ts';
import type { Source } from '../contract/source.ts';
import { fileSources } from './file-sources.ts';
import { filingSources } from './filing-sources.ts';
import { priceSources } from './price-sources.ts';
import { rowSources } from './row-sources.ts';

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
  async *fetch(options, context) {
    const { sandboxSegments } = await import('../../sandbox/source.ts');
    const { fromDay, toDay } = options;
    yield* sandboxSegments({ fromDay, toDay }, context);
  },
};

export const sources: readonly Source[] = [
  ...fileSources,
  ...priceSources,
  ...rowSources,
  ...filingSources,
  sandbox,
];
