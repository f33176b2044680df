/** An upload to a server without the store goes to object storage, for the machine that loads. */

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { acceptedBackfillSchema } from '../../../../src/api/routes/backfills/schema.ts';
import { uploadsPath } from '../../../../src/base/config/data-dir.ts';
import { sharedFolder } from '../../../support/folders.ts';
import { useFixtureServer } from '../../support/fixture-server.ts';

const folder = sharedFolder();
const place = join(folder, 'segments');
const fixture = useFixtureServer({
  redisUrl: 'redis://127.0.0.1:1',
  segmentsUrl: { kind: 'file', folder: place },
});

async function upload(text: string) {
  const rawKey = await fixture.server.newKey({ mode: 'live', scopes: ['all', 'ingest:write'] });
  return fixture.server.request('/v1/svc/backfills/files?name=a.csv', {
    method: 'POST',
    headers: { 'X-API-Key': rawKey, 'Content-Type': 'text/csv' },
    body: text,
  });
}

const kept = () => readdirSync(uploadsPath(fixture.dataDir));

it('is in the storage when the backfill is accepted, and not on this machine', async () => {
  const reply = await upload('a,b\n');
  expect([reply.status, reply.text]).toEqual([202, expect.anything()]);
  const { id } = acceptedBackfillSchema.parse(reply.json);
  expect(readFileSync(join(place, 'uploads', id), 'utf8')).toBe('a,b\n');
  expect(kept()).toEqual([]);
  const [open] = await fixture.server.accounts.openBackfills();
  const sha256 = createHash('sha256').update('a,b\n').digest('hex');
  expect(open).toMatchObject({ id, order: { file: { name: 'a.csv', bytes: 4, sha256 } } });
});

it('is refused while the storage fails, and leaves nothing', async () => {
  rmSync(place, { recursive: true, force: true });
  writeFileSync(place, 'a file where the folder was');
  const reply = await upload('a,b\n');
  expect(reply.status).toBe(503);
  expect(reply.text).toContain('The object storage of the server failed');
  expect(reply.text).not.toContain(folder);
  expect(kept()).toEqual([]);
  expect(existsSync(join(place, 'uploads'))).toBe(false);
});
