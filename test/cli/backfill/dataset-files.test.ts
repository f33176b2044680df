/** Every dataset goes from a file to the store and into what is published. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ListName } from '../../../src/base/datasets/datasets.ts';
import { rowDatasets } from '../../../src/base/datasets/datasets.ts';
import { EVERYTHING, LIST_SPECS } from '../../../src/store/arrow/lists/specs.ts';
import { openPublished } from '../../../src/store/arrow/read/reader.ts';
import { useCliFolder } from '../support/run-cli.ts';

const cli = useCliFolder();

describe('the template of a dataset', () => {
  it.each(rowDatasets.map((dataset) => [dataset.name, dataset] as const))(
    'of %s loads, once, is a table and a list',
    async (name, { table }) => {
      const { text } = await cli.json('template', name);
      const path = join(cli.dataDir, `${name}.csv`);
      writeFileSync(path, text);
      const rowCount = text.trimEnd().split('\n').length - 1;
      const report = await cli.json('backfill', 'files', name, path);
      expect(report).toMatchObject({ accepted: rowCount, rejected: 0, rowsChanged: rowCount });
      expect(await cli.json('backfill', 'files', name, path)).toMatchObject({
        alreadyLoaded: 1,
        rowsChanged: 0,
        publishedVersion: report.publishedVersion,
      });
      expect(await cli.json('sql', `SELECT count(*) AS rows FROM ${table}`)).toEqual([
        { rows: rowCount },
      ]);
      if (!(name in LIST_SPECS)) return;
      const version = openPublished(join(cli.dataDir, 'live', 'serving'));
      const counts = ['AAPL', EVERYTHING].map((key) => version!.list(name as ListName, key).count);
      expect(Math.max(...counts)).toBeGreaterThan(0);
      expect(version?.resolve('AAPL')).toBe('AAPL');
    },
  );
});
