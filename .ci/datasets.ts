/** Writes what other languages and browsers need of the datasets: `node .ci/datasets.ts`. */

import { writeFileSync } from 'node:fs';
import { datasets } from '../src/base/datasets/datasets.ts';

const NOTE = 'Written by `node .ci/datasets.ts`; never edited.';

/** Returns the module of the page, which has room for names and titles only. */
function pageText(): string {
  const titles = Object.fromEntries(datasets.map(({ name, title }) => [name, title]));
  return `/** Datasets for forms and tables. ${NOTE} */

// biome-ignore-all format: one value a line.
// biome-ignore-all lint/complexity: as JSON.

/** Titles of the datasets that files may hold. */
export const DATASET_TITLES: Readonly<Record<string, string>> = ${jsonText(titles)};
`;
}

function jsonText(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

/** Returns the text of each written file, by its path below the repository's root. */
export function datasetTexts(): Record<string, string> {
  return { 'src/page/parts/datasets.ts': pageText() };
}

if (import.meta.main) {
  for (const [path, text] of Object.entries(datasetTexts())) {
    writeFileSync(new URL(`../${path}`, import.meta.url), text);
    console.log(`wrote ${path}`);
  }
}
