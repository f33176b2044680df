/** `docs/vendors.md` says which sources fill which endpoint, as the table of sources has it. */

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { USAGE_ENDPOINTS } from '../../../src/api/routes/routes.ts';
import { datasets } from '../../../src/base/datasets/datasets.ts';
import { sources } from '../../../src/ingest/sources/sources.ts';

const DOC = readFileSync(new URL('../../../docs/vendors.md', import.meta.url), 'utf8');

const rows = DOC.split('## What fills which endpoint')[1]
  .split('\n## ')[0]
  .split('\n')
  .filter((line) => line.startsWith('| `/svc'))
  .map((line) => {
    const [paths, dataset, keyless, keyed] = line
      .split('|')
      .slice(1)
      .map((cell) => cell.trim());
    const names = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name);
    return { paths: names(paths), dataset, keyless: names(keyless), keyed: names(keyed) };
  });

describe('the table of endpoints', () => {
  it.each(rows)('names the sources of $paths, keyless ones first', (row) => {
    const fill = sources.filter(
      ({ id, datasets }) => id !== 'sandbox' && datasets.includes(row.dataset),
    );
    const idsOf = (keyNeeded: boolean) =>
      fill.filter((source) => source.keyNeeded === keyNeeded).map(({ id }) => id);
    expect([row.keyless, row.keyed]).toEqual([idsOf(false), idsOf(true)]);
  });

  it('has every dataset that is answered, and every endpoint of data', () => {
    const told = new Set(rows.map(({ dataset }) => dataset));
    // Counts of shares are part of market caps, and own columns are fields of screens.
    const answered = datasets
      .map(({ name }) => name)
      .filter((name) => name !== 'shares' && name !== 'values');
    expect([...told].sort()).toEqual([...answered, 'candles'].sort());
    const ofData = USAGE_ENDPOINTS.filter((path) =>
      /^\/svc\/(?!developer|accounts|webhooks|indicators|screens|backfills|files|stream)/.test(
        path,
      ),
    );
    expect(rows.flatMap(({ paths }) => paths).sort()).toEqual([...ofData].sort());
  });
});
