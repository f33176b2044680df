/** Checks the lists of `docs/serving-files.md`, and that the Python package reads them as the API does. */

import { readFileSync } from 'node:fs';
import { beforeEach, expect, it } from 'vitest';
import {
  LIST_ARTICLE_TABLE,
  LIST_BATCH_TABLE,
  LIST_ID_TABLE,
  LIST_INDEX_TABLE,
  LIST_KIND_TABLE,
  LIST_SELECTION_TABLE,
  LIST_TABLE,
} from '../../../src/store/arrow/format/tables.ts';
import { EVERYTHING, LIST_NAMES } from '../../../src/store/arrow/lists/specs.ts';
import { freshFolder } from '../../support/folders.ts';
import { pythonText } from '../../support/python-package.ts';
import { python } from '../../support/tools.ts';
import { publishLists, row } from './support/list-fixture.ts';

const DOC = readFileSync(new URL('../../../docs/serving-files.md', import.meta.url), 'utf8');

let dir: string;

beforeEach(() => {
  dir = freshFolder();
});

it('names every list, and every column of its tables', () => {
  const tables = [LIST_TABLE, LIST_INDEX_TABLE, LIST_BATCH_TABLE, LIST_ID_TABLE];
  const selection = [LIST_SELECTION_TABLE, LIST_ARTICLE_TABLE, LIST_KIND_TABLE];
  for (const table of [...tables, ...selection]) {
    for (const name of Object.keys(table)) expect(DOC).toContain(`\`${name}\``);
  }
  for (const name of LIST_NAMES) expect(DOC).toContain(`\`${name}\``);
});

const DUMP = `
import json, sys
from pathlib import Path
from tapeworks.published import Published
version = Published(Path(sys.argv[1]))
print(json.dumps([[row["json"] for row in version.records(*name)]
                  for name in [("news",), ("news", "AAPL"), ("insider", "AAPL"), ("insider", "F")]]))
`;

it.skipIf(!python)('is read by Python: lists of one layer and of several', async () => {
  const rows = Array.from({ length: 30 }, (_, i) => row(1000 - i, `n${i}`));
  await publishLists(dir, 'news', { [EVERYTHING]: rows, AAPL: rows.slice(5) });
  await publishLists(dir, 'insider', { AAPL: rows, F: rows.slice(1) });
  await publishLists(dir, 'insider', { F: [row(5, 'x')] });
  const version = await publishLists(dir, 'news', {
    [EVERYTHING]: [row(2000, 'new'), row(990, 'n10', { adds: -1, json: '' })],
    AAPL: [row(990, 'n10', { adds: 0, json: '"corrected"' })],
  });
  const dump = JSON.parse(pythonText(DUMP, [dir]));
  const textsOf = (name: 'news' | 'insider', key: string) =>
    [...version.list(name, key).rows()].map(({ json }) => json);
  expect(dump).toEqual([
    textsOf('news', EVERYTHING),
    textsOf('news', 'AAPL'),
    textsOf('insider', 'AAPL'),
    textsOf('insider', 'F'),
  ]);
});
