/** Every dialect of docs/files.md: a file in it gives the bars that it holds. */

import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fetchFiles } from '../../../src/ingest/files/source.ts';
import { eachTest } from '../support/each-test.ts';
import { fetchAll } from '../support/segment-rows.ts';
import { zipOf } from '../support/zip-file.ts';
import type { Dialect } from './support/dialect.ts';
import { FRAME_DIALECTS } from './support/frame-dialects.ts';
import { PLATFORM_DIALECTS } from './support/platform-dialects.ts';
import { RESPONSE_DIALECTS } from './support/response-dialects.ts';
import { WEBSITE_DIALECTS } from './support/website-dialects.ts';

const DIALECTS: Record<string, Dialect> = {
  ...FRAME_DIALECTS,
  ...WEBSITE_DIALECTS,
  ...PLATFORM_DIALECTS,
  ...RESPONSE_DIALECTS,
};

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
    expect(documentedDialects()).toEqual(Object.keys(DIALECTS));
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

function expectedBars({ bars, basis = 'raw' }: Dialect): string[] {
  return bars.map((bar) => `${basis} ${bar}`);
}

describe('a file of', () => {
  it.each(Object.entries(DIALECTS))('%s', async (_, dialect) => {
    await at.write({ [dialect.file]: dialect.content });
    const { bars, rejected } = await read(join(at.folder, dialect.file));
    expect(bars.sort()).toEqual(expectedBars(dialect));
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

describe('files of all dialects', () => {
  const files = Object.values(DIALECTS).map(({ file, content }, index) => {
    return { name: `${index}/${file}`, content };
  });
  it('load from a folder', async () => {
    await at.write(Object.fromEntries(files.map(({ name, content }) => [name, content])));
    const found = await read(at.folder);
    expect(found.skipped).toEqual([]);
    expect(found.bars.sort()).toEqual(Object.values(DIALECTS).flatMap(expectedBars).sort());
  });

  it('load from a zip, but for zips within it', async () => {
    const path = join(at.root, 'files.zip');
    await writeFile(path, zipOf(files));
    const found = await read(path);
    const inner = files.filter(({ name }) => name.endsWith('.zip'));
    expect(found.skipped.map(({ name }) => name)).toEqual(inner.map(({ name }) => name));
    const own = Object.values(DIALECTS).filter(({ file }) => !file.endsWith('.zip'));
    expect(found.bars.sort()).toEqual(own.flatMap(expectedBars).sort());
  });
});
