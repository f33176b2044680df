/** Sizes in `CONTRIBUTING.md` are those of the files. */

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const linesOf = (path: string) => read(path).trimEnd().split('\n').length;

it.each([
  ['`src/compute/indicators/volatility/atr.ts` (# lines)', 'compute/indicators/volatility/atr.ts'],
  [
    'three files of #, # and # lines',
    ...['vendor', 'source', 'parse-prices'].map((name) => `ingest/vendors/tiingo/${name}.ts`),
  ],
  [
    'two files of # and # lines',
    ...['route', 'schema'].map((name) => `api/routes/options/${name}.ts`),
  ],
])('%s', (sentence, ...paths) => {
  const counts = paths.map((path) => String(linesOf(`src/${path}`)));
  expect(read('CONTRIBUTING.md')).toContain(sentence.replaceAll('#', () => counts.shift()!));
});
