/** `backfill form4` as a user runs it: files to stored rows, whatever the order. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { datasetZip, sampleTables } from '../../ingest/vendors/form4/support/dataset-samples.ts';
import { ownershipXml, submission } from '../../ingest/vendors/form4/support/filing-samples.ts';
import { sharedFolder } from '../../support/folders.ts';
import { long } from '../../support/store-runs.ts';
import { type CliFolder, createCliFolder } from '../support/run-cli.ts';

const ROWS = `SELECT symbol, accession, line, transaction_type, shares, filed_at, amends
  FROM insider ORDER BY accession, line`;

describe('backfill form4', () => {
  const root = sharedFolder();
  let files: string[];
  const folders: CliFolder[] = [];

  beforeAll(() => {
    const put = (name: string, content: string | Buffer) => {
      writeFileSync(join(root, name), content);
      return join(root, name);
    };
    const amended = ownershipXml({
      form: '4/A',
      original: '2025-03-03',
      transactions: [{ shares: '90' }],
    });
    files = [
      put('first.txt', submission(ownershipXml())),
      put(
        'second.txt',
        submission(amended, {
          accession: '0000320193-25-000007',
          form: '4/A',
          accepted: '20250310170000',
        }),
      ),
      put('2025q1_form345.zip', datasetZip(sampleTables)),
    ];
  });
  afterAll(() => Promise.all(folders.map((folder) => folder.remove())));

  function folder(): CliFolder {
    const made = createCliFolder();
    folders.push(made);
    return made;
  }

  long(
    'stores the same rows in any order and however often, documents before data sets',
    async () => {
      const together = folder();
      const report = await together.json('backfill', 'form4', ...files);
      expect(report).toMatchObject({ segments: 2, accepted: 6, rejected: 0 });
      const again = await together.json('backfill', 'form4', ...files);
      expect(again).toMatchObject({ segments: 2, alreadyLoaded: 2, rowsChanged: 0 });
      const rows = await together.json('sql', ROWS);

      const apart = folder();
      for (const file of files.toReversed()) await apart.json('backfill', 'form4', file);
      expect(await apart.json('sql', ROWS)).toEqual(rows);

      // Of the filing that both have, the first line is the document's, with its moment.
      expect(rows.map(Object.values)).toEqual([
        ['AAPL', '0000320193-25-000001', 1, 'sell', 100, '2025-03-03T21:30:00.000Z', null],
        ['AAPL', '0000320193-25-000001', 2, 'tax', 30, '2025-03-03T00:00:00.000Z', null],
        ['AAPL', '0000320193-25-000001', 3, 'exercise', 100, '2025-03-03T00:00:00.000Z', null],
        [
          'AAPL',
          '0000320193-25-000002',
          1,
          'exercise',
          101,
          '2025-03-10T00:00:00.000Z',
          '2025-03-03',
        ],
        ['AAPL', '0000320193-25-000007', 1, 'sell', 90, '2025-03-10T21:00:00.000Z', '2025-03-03'],
      ]);
    },
  );

  it('needs a contact to ask the SEC, and none to plan', async () => {
    const { code, stderr } = await folder().run('backfill', 'form4');
    expect(code).toBe(2);
    expect(stderr).toContain('TAPEWORKS_CONTACT');
    const plan = await folder().json('backfill', 'form4', '--from', '2025-01-01', '--plan');
    expect(plan.requests).toBeGreaterThan(0);
    expect(plan.rows).toBeGreaterThan(0);
  });
});
