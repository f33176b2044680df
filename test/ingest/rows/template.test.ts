import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fetchFiles } from '../../../src/ingest/files/source.ts';
import { templateText } from '../../../src/ingest/rows/template.ts';
import { freshFolder } from '../../support/folders.ts';
import { fetchOne, testContext } from '../support/segment-rows.ts';

it('the template of candles is a file that can be loaded', async () => {
  const root = freshFolder();
  const path = join(root, 'candles.csv');
  await writeFile(path, templateText('candles'));
  const context = testContext(root, '2026-11-20T22:00:00Z');
  const { rows, rejected } = await fetchOne(fetchFiles({ path }, context));
  expect([rows.length, rejected, rows[0].symbol]).toEqual([1, 0, 'AAPL']);
});

it('an unknown dataset has no template', () => {
  expect(() => templateText('toString')).toThrow('corporate-actions, symbols, got "toString"');
});
