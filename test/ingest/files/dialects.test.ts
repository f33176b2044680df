/** Every dialect of docs/files.md: a file in it gives the bars that it holds, over each way in. */

import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { fetchFiles } from '../../../src/ingest/files/source.ts';
import { long, someOf } from '../../support/store-runs.ts';
import { eachTest } from '../support/each-test.ts';
import { fetchAll } from '../support/segment-rows.ts';
import { zipOf } from '../support/zip-file.ts';
import { type DialectFile, fileOf } from './support/dialect.ts';
import { DIALECTS } from './support/dialects.ts';

const at = eachTest();

/** First cells of the table below the heading "Dialects". */
function documentedDialects(): string[] {
  const page = readFileSync(new URL('../../../docs/files.md', import.meta.url), 'utf8');
  const [, section = ''] = /^## Dialects\n(.*?)^## /ms.exec(page) ?? [];
  const rows = section.split('\n').filter((line) => /^\| (?!-)/.test(line));
  return rows.slice(1).map((row) => row.split('|')[1].trim().replaceAll('`', ''));
}

describe('docs/files.md', () => {
  it('has a row for each dialect that is read here, and no other', () => {
    expect(documentedDialects().toSorted()).toEqual(Object.keys(DIALECTS).toSorted());
  });
});

async function read(path: string) {
  const all = await fetchAll(fetchFiles({ path }, at.context));
  return {
    bars: all.flatMap(({ rows, segment }) =>
      rows.map((row) => `${segment.basis} ${Object.values(row).join(' ')}`),
    ),
    rejected: all.reduce((sum, { rejected }) => sum + rejected, 0),
    skipped: all.flatMap(({ segment }) => segment.skipped),
  };
}

const isText = ({ name }: DialectFile) => !/\.(?:zip|parquet)$/.test(name);

/** Ways in of a single file: the path to read, after the file is there; none for other files. */
const WAYS: Record<string, (file: DialectFile) => Promise<string | undefined>> = {
  async alone({ name, content }) {
    await at.write({ [name]: content });
    return join(at.folder, name);
  },
  async gzipped(file) {
    if (!isText(file)) return undefined;
    await at.write({ [`${file.name}.gz`]: gzipSync(file.content) });
    return join(at.folder, `${file.name}.gz`);
  },
  async 'in a folder of its symbol'({ name, content }) {
    const [, symbol, ending] = /^([A-Z]{3})(\.[a-z]+)$/.exec(name) ?? [];
    if (symbol === undefined) return undefined;
    const piece = `lake/symbol=${symbol}/part-00000${ending}`;
    await at.write({ [piece]: content });
    return join(at.folder, piece);
  },
};

describe.each(Object.entries(WAYS))('a file %s', (_name, way) => {
  // A folder of all of them is read below: CI reads some of them in other ways.
  const dialects = Object.entries(DIALECTS);
  it.each(someOf(dialects, 25))('of %s', async (_name, dialect) => {
    const file = await fileOf(dialect);
    const path = await way(file);
    if (path === undefined) return;
    const { bars, rejected } = await read(path);
    expect(bars.sort()).toEqual(file.bars);
    expect(rejected).toBe(0);
  });
});

it('a response that states its interval is read as such bars', async () => {
  for (const name of ['Alpha Vantage', 'Twelve Data']) {
    const { file, content } = DIALECTS[name];
    await at.write({ [file]: content });
    const all = await fetchAll(fetchFiles({ path: join(at.folder, file) }, at.context));
    const words = all.flatMap(({ segment }) =>
      (segment.readings ?? []).map(({ reading }) => reading.interval?.words),
    );
    expect([name, ...words]).toEqual([name, expect.stringMatching(/^(daily|[15]-minute) bars$/)]);
  }
});

// The report said that a column of adjustments tells, which only the rewritten file has.
it('a basis that a page states is read by its words', async () => {
  const { file, content } = DIALECTS.StockCharts;
  await at.write({ [file]: content });
  const [{ segment }] = await fetchAll(fetchFiles({ path: join(at.folder, file) }, at.context));
  expect(segment.readings?.[0].reading.basis?.facts).toEqual([
    'its columns are those of StockCharts, which adjusts prices for both',
  ]);
});

describe('files of all dialects', () => {
  const files = Promise.all(
    Object.values(DIALECTS).map(async (dialect, index) => {
      const file = await fileOf(dialect);
      return { ...file, name: `${index}/${file.name}` };
    }),
  );
  const barsOf = (some: readonly DialectFile[]) => some.flatMap(({ bars }) => bars).sort();

  it('load from a folder', async () => {
    const all = await files;
    await at.write(Object.fromEntries(all.map(({ name, content }) => [name, content])));
    const found = await read(at.folder);
    expect(found.skipped).toEqual([]);
    expect(found.bars.sort()).toEqual(barsOf(all));
  });

  long('load from a zip, but for zips within it', async () => {
    const all = await files;
    const path = join(at.root, 'files.zip');
    await writeFile(path, zipOf(all));
    const found = await read(path);
    const isInner = ({ name }: DialectFile) => extname(name) === '.zip';
    expect(found.skipped.map(({ name }) => name)).toEqual(
      all.filter(isInner).map(({ name }) => name),
    );
    expect(found.bars.sort()).toEqual(barsOf(all.filter((file) => !isInner(file))));
  });
});
