/** Runs the program of `docs/serving-files.md` for lists, which reads what the API reads. */

import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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
exec(open(sys.argv[1] + "/program.py").read().split('if __name__')[0])
serving = Serving(sys.argv[1])
print(json.dumps([[row["json"] for row in serving.list(*name)]
                  for name in [("news",), ("news", "AAPL"), ("insider", "AAPL"), ("insider", "F")]]))
`;

it.skipIf(!python)('has a program that reads lists of one layer and of several', async () => {
  const rows = Array.from({ length: 30 }, (_, i) => row(1000 - i, `n${i}`));
  await publishLists(dir, 'news', { [EVERYTHING]: rows, AAPL: rows.slice(5) });
  await publishLists(dir, 'insider', { AAPL: rows, F: rows.slice(1) });
  await publishLists(dir, 'insider', { F: [row(5, 'x')] });
  const version = await publishLists(dir, 'news', {
    [EVERYTHING]: [row(2000, 'new'), row(990, 'n10', { adds: -1, json: '' })],
    AAPL: [row(990, 'n10', { adds: 0, json: '"corrected"' })],
  });
  writeFileSync(join(dir, 'program.py'), /```python\n([\s\S]*?)```/.exec(DOC)?.[1] as string);
  const dump = JSON.parse(execFileSync(python as string, ['-c', DUMP, dir], { encoding: 'utf8' }));
  const textsOf = (name: 'news' | 'insider', key: string) =>
    [...version.list(name, key).rows()].map(({ json }) => json).reverse();
  expect(dump).toEqual([
    textsOf('news', EVERYTHING),
    textsOf('news', 'AAPL'),
    textsOf('insider', 'AAPL'),
    textsOf('insider', 'F'),
  ]);
});
