/** `docs/files.md` and `docs/cli/sql.md` list every column of every dataset. */

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { rowDatasets } from '../../../src/base/datasets/datasets.ts';
import { linesOfFiles, missingLines } from './dataset-docs.ts';

const read = (name: string) =>
  readFileSync(new URL(`../../../docs/${name}`, import.meta.url), 'utf8');

it.each(rowDatasets.map((dataset) => [dataset.name, dataset] as const))(
  '%s is in both, with its columns in their order',
  (name, dataset) => {
    expect(missingLines(dataset, read('files.md'), read('cli/sql.md'))).toEqual([]);
    const section = read('files.md').split(`### \`${name}\``)[1].split('\n#')[0];
    const lines = linesOfFiles(dataset).slice(0, -1);
    expect(section.split('\n').filter((line) => lines.includes(line))).toEqual(lines);
  },
);
