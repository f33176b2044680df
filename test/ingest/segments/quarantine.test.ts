import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { limits } from '../../../src/base/limits/limits.ts';
import {
  countReasons,
  startQuarantine,
  writeQuarantine,
} from '../../../src/ingest/segments/quarantine.ts';
import { openScratch } from '../../../src/ingest/segments/scratch.ts';
import { freshFolder } from '../../support/folders.ts';
import { testContext } from '../support/segment-rows.ts';

it('a quarantine file is bounded, and counts the rows that it leaves out', async () => {
  const root = freshFolder();
  const scratch = await openScratch(testContext(root, '2026-11-20T22:00:00Z'));
  await startQuarantine(scratch);
  const total = limits.ingest.quarantineRowsMax + 2;
  const connection = await scratch.connect();
  await connection.run(
    `INSERT INTO rejected SELECT 0, ${total} - i, 'x is y', 'a,"b' FROM range(${total}) t(i)`,
  );
  const path = join(root, 'quarantine', 'id.csv');
  await writeQuarantine(scratch, 'files', ["it's, mine.csv"], path);
  const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
  expect(lines.slice(0, 2)).toEqual([
    'source,file,line,reason,text',
    'files,"it\'s, mine.csv",1,x is y,"a,""b"',
  ]);
  expect(lines.at(-1)).toBe('files,,,2 more rows were refused and are not listed,');
  expect(lines).toHaveLength(limits.ingest.quarantineRowsMax + 2);
  expect(await countReasons(scratch)).toEqual(new Map([['x is y', total]]));
  await scratch.close();
});
