/** The Python package uploads what folders say of their files, of which an upload has none. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { freshFolder } from '../support/folders.ts';
import { runPython } from '../support/python-package.ts';
import { python } from '../support/tools.ts';

it.skipIf(!python)('keeps folders of keys in a zip, and other files as they are', async () => {
  const folder = freshFolder();
  const files = ['AAPL.csv', 'lake/symbol=IBM/a.csv', 'lake/symbol=IBM/b.zip', 'lake/c.csv'];
  for (const name of files) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), name);
  }
  const program = `
import io, json, sys, zipfile
from tapeworks.upload import name_and_bytes
def seen(path):
    name, content = name_and_bytes(path)
    if content[:2] != b"PK":
        return [name, content.decode()]
    archive = zipfile.ZipFile(io.BytesIO(content))
    return [name, {one: archive.read(one).decode() for one in archive.namelist()}]
print(json.dumps([seen(path) for path in sys.argv[1:]]))`;
  const paths = [...files.slice(0, 3), 'lake', 'lake/symbol=IBM'].map((name) => join(folder, name));
  expect(JSON.parse(await runPython(program, { args: paths }))).toEqual([
    ['AAPL.csv', 'AAPL.csv'],
    ['a.csv.zip', { 'symbol=IBM/a.csv': files[1] }],
    ['b.zip', files[2]],
    ['lake.zip', { 'c.csv': files[3], 'symbol=IBM/a.csv': files[1], 'symbol=IBM/b.zip': files[2] }],
    ['symbol=IBM.zip', { 'symbol=IBM/a.csv': files[1], 'symbol=IBM/b.zip': files[2] }],
  ]);
});
