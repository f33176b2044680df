/** Files that follow from the datasets are those that `node .ci/datasets.ts` writes. */

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { datasetTexts } from '../../../.ci/datasets.ts';

it.each(Object.entries(datasetTexts()))('%s follows from the datasets', (path, text) => {
  expect(readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')).toBe(text);
});
